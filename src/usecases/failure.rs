//! Failures in words.

use super::Failure;
use std::fmt;
use zug_machine::Fault;
use zug_search::game::game_engines;
use zug_term::spelling::distance_within;

/// What happened, in a sentence. Of findings it is the first error; the others are in the failure.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&words(self))
    }
}

impl std::error::Error for Failure {}

fn words(failure: &Failure) -> String {
    match failure {
        Failure::Unreadable(path, error) => format!("can't read `{}`: {error}", path.display()),
        Failure::Unwritable(path, error) => {
            format!("can't write `{}`: {error}", path.display())
        }
        Failure::NoSuchInstance(name, known) if known.is_empty() => {
            format!("there is no instance `{name}`; the program has no initial state")
        }
        Failure::NoSuchInstance(name, known) => no_such("instance", name, known),
        Failure::NoSuchHeuristic(name, known) => no_such("heuristic", name, known),
        Failure::NoSuchTest(name, known) if known.is_empty() => {
            format!("there is no test `{name}`; the file has no tests")
        }
        Failure::NoSuchTest(name, known) => format!(
            "there is no test `{name}`; there {} {}",
            if known.len() == 1 { "is" } else { "are" },
            known[..known.len().min(KNOWN)].join(", ")
        ),
        Failure::NoSuchPlayer(name, known) => no_such("player", name, known),
        Failure::Base(error) => error.to_string(),
        Failure::Layers(error) => error.to_string(),
        #[cfg(feature = "cluster")]
        Failure::Cluster(failure) => failure.to_string(),
        Failure::NothingToKeep => {
            "--save keeps exact results: of games those of solve_game".to_owned()
        }
        Failure::Players(why) => why.clone(),
        Failure::NoGame { puzzle: true } => {
            "the rules are those of a puzzle, with rule/4; `zug solve` solves it".to_owned()
        }
        Failure::NoGame { puzzle: false } => {
            "the rules are of no game of players in turn: there is no move(J, M, S1, S2)".to_owned()
        }
        Failure::NotAtOnce => "this is no simultaneous-move game: define `payoff(As, Us)` or \
                               `joint_move(As, S1, S2)`"
            .to_owned(),
        Failure::NoSuchPredicate(name, known) => format!(
            "the engines ask no predicate `{name}` of this file; they ask {}",
            known.join(", ")
        ),
        Failure::UnknownPredicate(name) => format!("the program has no predicate `{name}`"),
        Failure::NoDomain => "the file is no puzzle, no game and no model: it has none of rule/4, \
                              move/4 and model/1 (`zug check` says what is there)"
            .to_owned(),
        Failure::NoSuchEngine(name) => super::tree::no_engine(name),
        Failure::NotForGames(name) => format!(
            "`{name}` is an engine for puzzles, and this file is a game; for games there are {}",
            game_engines().map(|engine| engine.name).collect::<Vec<_>>().join(", ")
        ),
        Failure::NotForPuzzles(name) => {
            format!("`{name}` is an engine for games, and this file is a puzzle (rule/4)")
        }
        Failure::Diagnosed(failure, _) => words(failure),
        Failure::Stopped(Fault::Halt(status), _) => format!("the rules called halt({status})"),
        Failure::Stopped(Fault::Stopped(reason), _) => reason.to_string(),
        Failure::Faults(findings) | Failure::Policy(findings) | Failure::Stopped(_, findings) => {
            let worst = findings.iter().find(|finding| finding.is_error());
            worst.map_or_else(|| "the load was stopped".to_owned(), |error| error.message.clone())
        }
        Failure::Rule(raised) | Failure::Limit(raised) => raised.finding.message.clone(),
        Failure::UnreadableTerm(what, fault) => {
            format!("the {what} given can't be read: {}", fault.diagnostic.message)
        }
    }
}

/// Names shown of those there are.
const KNOWN: usize = 20;

fn no_such(what: &str, name: &str, known: &[String]) -> String {
    let mut message = format!("there is no {what} `{name}`; ");
    let near = |other: &&String| {
        distance_within(other, name, 2).is_some_and(|found| found * 2 < name.chars().count())
    };
    if known.is_empty() {
        message += "the program has none with a name";
    } else {
        match known.iter().find(near) {
            Some(meant) => message += &format!("did you mean `{meant}`? The program has "),
            None => message += "the program has ",
        }
        message += &known[..known.len().min(KNOWN)].join(", ");
        if known.len() > KNOWN {
            message += &format!(" and {} more", known.len() - KNOWN);
        }
    }
    message
}

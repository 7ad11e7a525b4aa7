//! `zug play`: a game or a puzzle at the terminal, or games among machines.

use super::args::PlayArgs;
use super::play_records::Lines;
use super::{Exit, base, complain, emit, fail, io, play_records, print, rules};
use std::io::IsTerminal;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_domain::simultaneous::contests::WINS;
use zug_domain::{Contract, DomainKind};
use zug_machine::arithmetic::Random;
use zug_matrix::repeated::Until;
use zug_prolog::session::Session;
use zug_render::play as render;
use zug_render::style::Theme;
use zug_repl::{Console, Dialogue, DialogueEnd, DialogueError, Piped, Terminal};
use zug_usecases::Failure;
use zug_usecases::no_model;
use zug_usecases::play::{Agent, AgentScore, Match, NotLoaded, PlayRequest, Played, Series};
use zug_usecases::puzzle::{Puzzle, PuzzleRequest};
use zug_usecases::rounds::{OPPONENT, Rounds, RoundsRequest};

/// Runs the command.
pub fn run(args: &PlayArgs, flag: &Arc<AtomicBool>) -> Exit {
    if args.strict && !emit::is_open() {
        fail("arguments", "--strict is for programs: it goes with --format json or jsonl");
        return Exit::Usage;
    }
    let terms = args.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    zug_domain::set_asking_time(&mut session.world, args.time);
    let kind = Contract::of(&session.machine).kind();
    if kind == DomainKind::Model {
        let why = "there is nothing to play; `zug solve` solves it";
        return rules::show_failure(&no_model(why));
    }
    if kind == DomainKind::Simultaneous {
        let exit = rounds(&mut session, args, file.display().to_string());
        let _ = session.world.streams.flush_standard();
        return exit;
    }
    if kind == DomainKind::Puzzle {
        let exit = puzzle(&mut session, args, file.display().to_string());
        let _ = session.world.streams.flush_standard();
        return exit;
    }
    if args.to.is_some() || args.rounds.is_some() {
        fail("arguments", "--to and --rounds are for games in which all choose at once");
        return Exit::Usage;
    }
    if let Err(exit) = base::open(&mut session, args.base.db.as_deref()) {
        return exit;
    }
    let agents: Result<Vec<Agent>, Exit> = args.against.iter().map(|who| agent(who)).collect();
    let mut agents = match agents {
        Ok(agents) => agents,
        Err(exit) => return exit,
    };
    agents.extend(args.level.map(Agent::Level));
    let request = PlayRequest {
        rules: file.display().to_string(),
        instance: args.instance.clone(),
        state: args.state.clone(),
        humans: args.human.clone(),
        first: args.first.clone(),
        agents,
        seed: seed(args),
        time: args.time,
    };
    let exit = match args.games {
        Some(games) => series(&mut session, &request, games.get()),
        None => game(&mut session, &request, args),
    };
    base::note(&session);
    let _ = session.world.streams.flush_standard();
    exit
}

/// One game.
fn game(session: &mut Session, request: &PlayRequest, args: &PlayArgs) -> Exit {
    let mut game = match Match::begin(session, request) {
        Ok(game) => game,
        Err(failure) => return rules::show_failure(&failure),
    };
    if let Some(exit) = not_loaded(session, &mut game, args.load.as_deref()) {
        return exit;
    }
    if emit::is_open() {
        return play_records::game(session, game, Lines::new(args.strict));
    }
    talk(session, |dialogue| dialogue.game(game))
}

/// Rounds of a game in which all choose at once.
fn rounds(session: &mut Session, args: &PlayArgs, rules: String) -> Exit {
    if args.human.len() > 1 || args.human.iter().any(|who| who == "all" || who == "both") {
        fail(
            "arguments",
            "all choose at once in this game, and at one keyboard each would see the other's \
             choice: one person plays, against a player such as --against nash",
        );
        return Exit::Usage;
    }
    let in_turn = args.level.is_some()
        || args.first.is_some()
        || args.games.is_some()
        || args.instance.is_some()
        || args.state.is_some()
        || args.load.is_some();
    if in_turn || args.against.len() > 1 {
        fail(
            "arguments",
            "all choose at once in this game: there is one opponent, as --against history(3), \
             and no --level, --first, --games, --load, --instance or --state",
        );
        return Exit::Usage;
    }
    let against = args.against.first().cloned().unwrap_or_else(|| OPPONENT.to_owned());
    let until = match (args.to, args.rounds) {
        (_, Some(rounds)) => Until::Rounds(rounds.get()),
        (to, None) => Until::first_to(to.map_or(WINS, NonZeroU64::get)),
    };
    let person = args.human.first().cloned();
    let request = RoundsRequest { rules, person, against, until, seed: seed(args) };
    let rounds = match Rounds::begin(session, request) {
        Ok(rounds) => rounds,
        Err(failure) => return rules::show_failure(&failure),
    };
    if emit::is_open() {
        return play_records::rounds(session, rounds, Lines::new(args.strict));
    }
    talk(session, |dialogue| dialogue.rounds(rounds))
}

/// A puzzle, by hand.
fn puzzle(session: &mut Session, args: &PlayArgs, rules: String) -> Exit {
    // All players are the one who solves it.
    let of_a_game = args.human.iter().any(|who| who != "all")
        || !args.against.is_empty()
        || args.level.is_some()
        || args.first.is_some()
        || args.games.is_some()
        || args.to.is_some()
        || args.rounds.is_some();
    if of_a_game {
        fail(
            "arguments",
            "the rules are those of a puzzle, with rule/4: you make the moves, and there is no \
             --as, --against, --level, --first, --games, --to or --rounds",
        );
        return Exit::Usage;
    }
    let request = PuzzleRequest {
        rules,
        instance: args.instance.clone(),
        state: args.state.clone(),
        time: args.time,
    };
    let mut puzzle = match Puzzle::begin(session, &request) {
        Ok(puzzle) => puzzle,
        Err(failure) => return rules::show_failure(&failure),
    };
    if let Some(exit) = not_loaded(session, &mut puzzle, args.load.as_deref()) {
        return exit;
    }
    if emit::is_open() {
        return play_records::puzzle(session, puzzle, Lines::new(args.strict));
    }
    talk(session, |dialogue| dialogue.puzzle(puzzle))
}

/// Goes on with a record, if one is given: the exit code of one that can't be loaded, remarks on one that was.
fn not_loaded(
    session: &mut Session,
    play: &mut impl Played,
    record: Option<&Path>,
) -> Option<Exit> {
    let path = record?;
    match play.load(session, path) {
        Ok(None) => None,
        Ok(Some(rules)) => {
            complain(&format!("note: the game was played by the rules `{rules}`"));
            None
        }
        Err(NotLoaded::Unreadable(error)) => {
            fail("unreadable", &format!("can't read `{}`: {error}", path.display()));
            Some(Exit::Usage)
        }
        Err(NotLoaded::Unfit(why)) => {
            fail("arguments", &format!("`{}` is not loaded: {why}", path.display()));
            Some(Exit::Usage)
        }
        Err(NotLoaded::Syntax(findings)) => {
            rules::show_all(&findings);
            fail("arguments", &format!("`{}` is not loaded", path.display()));
            Some(Exit::Usage)
        }
        Err(NotLoaded::Rule(failure)) => Some(rules::show_failure(&failure)),
    }
}

/// Holds a conversation at a terminal with its keys, or on a pipe.
fn talk(
    session: &mut Session,
    play: impl FnOnce(Dialogue<'_>) -> Result<DialogueEnd, DialogueError>,
) -> Exit {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let colour = io::colours().0;
    let mut console: Box<dyn Console> = match Terminal::new(None, colour) {
        Ok(keys) if terminal => Box::new(keys),
        _ => Box::new(Piped),
    };
    match play(Dialogue::new(session, &mut *console, Theme::new(colour))) {
        Ok(DialogueEnd::Over | DialogueEnd::Left) => Exit::Success,
        Ok(DialogueEnd::Interrupted) => Exit::Interrupted,
        Err(DialogueError::Rules(failure)) => rules::show_failure(&failure),
        Err(DialogueError::Io(error)) => {
            fail("io", &error.to_string());
            Exit::Error
        }
    }
}

/// The seed: a short one, so that it can be typed again.
fn seed(args: &PlayArgs) -> u64 {
    args.seed.unwrap_or_else(|| Random::from_clock().below(1_000_000))
}

/// An opponent in a game of players in turn.
fn agent(who: &str) -> Result<Agent, Exit> {
    who.parse().map_err(|why| {
        fail("arguments", &format!("`--against {who}`: {why}"));
        Exit::Usage
    })
}

/// Games among machines: each on a line, then the score.
fn series(session: &mut Session, request: &PlayRequest, games: u32) -> Exit {
    if emit::is_open() {
        return play_records::series(session, request, games);
    }
    let played = |session: &mut Session| -> Result<Exit, Failure> {
        let mut series = Series::new(session, request)?;
        print(&render::series(&series, request.seed));
        let mut tallies = vec![AgentScore::default(); series.agents().len()];
        for number in 1..=games {
            let game = match series.next(session) {
                Ok(game) => game,
                Err(failure) => {
                    print(&render::score(&series, &tallies));
                    return Err(failure);
                }
            };
            game.count(&mut tallies);
            if print(&render::played(session, u64::from(number), &game)) != Exit::Success {
                return Ok(Exit::Error);
            }
        }
        Ok(print(&render::score(&series, &tallies)))
    };
    played(session).unwrap_or_else(|failure| rules::show_failure(&failure))
}

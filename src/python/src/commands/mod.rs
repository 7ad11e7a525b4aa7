//! What the command line does with rules, for Python: a request in, records of JSON out.
//!
//! Each command has a table of the options that it takes; what they are called and what their values may be is
//! said where the settings are. The work is that of [`zug::usecases`], as for the command line.

mod bases;
mod measure;
mod play;
mod solve;

pub(crate) use bases::{base_info, check_base};

use crate::asked::{read, refused};
use crate::errors::Trouble;
use crate::progress::Told;
use crate::session::Rules;
use zug::record_line;
use zug::usecases::Failure;
use zug::usecases::base::remark;
use zug::usecases::new::Kind;
use zug_prolog::session::Session;
use zug_search::Limits;

/// Records of JSON, and remarks on how they came about.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) records: Vec<String>,
    pub(crate) remarks: Vec<String>,
}

/// What a command comes to.
type Reports = Result<Found, Trouble>;

/// Does what a command does, telling how far it is.
///
/// # Errors
/// There is no such command, or option of it; what the command comes to in the place of a report.
pub(crate) fn run(rules: &mut Rules, command: &str, request: &str, told: &Told) -> Reports {
    let asked = read(request)?;
    let before = remark(&rules.session);
    let done = told.listening(|| match command {
        "solve" => solve::solve(rules, &asked),
        "nash" => solve::equilibria(rules, &asked),
        "verify" => solve::verify(rules, &asked),
        "compare" => measure::compare(rules, &asked, told),
        "enumerate" => measure::enumerate(rules, &asked),
        "heuristics" => measure::heuristics(rules, &asked),
        "generate" => measure::generate(rules, &asked),
        "train" => play::train(rules, &asked, told),
        "match" => play::contest(rules, &asked, true, told),
        "tournament" => play::contest(rules, &asked, false, told),
        "series" => play::series(rules, &asked, told),
        _ => Err(refused(format!("there is no command `{command}`"))),
    });
    let _ = rules.session.world.streams.flush_standard();
    let mut found = done?;
    // What was missing in the base that all answers come from is said where it came up.
    found.remarks.extend(remark(&rules.session).filter(|now| before.as_ref() != Some(now)));
    Ok(found)
}

fn failed(failure: Failure) -> Trouble {
    Trouble::failure(&failure)
}

fn one(report: &impl serde::Serialize) -> Found {
    Found { records: vec![record_line("result", report)], remarks: Vec::new() }
}

/// The limits that were given, which Ctrl-C ends too.
fn limits(session: &Session, given: Limits) -> Limits {
    Limits { cancel: Some(session.machine.interrupt.clone()), ..given }
}

/// The engines that there are: a record of JSON for each.
pub(crate) fn engines() -> Vec<String> {
    let puzzles = zug_search::engines().map(|engine| {
        serde_json::json!({
            "name": engine.name, "title": engine.title, "summary": engine.summary,
            "games": false, "informed": engine.informed, "parameters": engine.parameters,
            "threads": engine.threads, "when": engine.when, "reference": engine.reference,
        })
    });
    let games = zug_search::game::game_engines().map(|engine| {
        serde_json::json!({
            "name": engine.name, "title": engine.title, "summary": engine.summary,
            "games": true, "chance": engine.chance, "threads": engine.threads,
            "when": engine.when, "reference": engine.reference,
        })
    });
    puzzles.chain(games).map(|engine| engine.to_string()).collect()
}

/// The text of a rule file to begin with, of a kind as `zug new` has it, that is called so.
///
/// # Errors
/// There is no such kind.
pub(crate) fn template(kind: &str, file: &str) -> Result<String, Trouble> {
    let known = match kind {
        "puzzle" => Kind::Puzzle,
        "game" => Kind::Game,
        "chance" => Kind::Chance,
        "simultaneous" => Kind::Simultaneous,
        "model" => Kind::Model,
        _ => {
            return Err(refused(format!(
                "there is no template of a `{kind}`; there are puzzle, game, chance, simultaneous, model"
            )));
        }
    };
    Ok(known.text(file))
}

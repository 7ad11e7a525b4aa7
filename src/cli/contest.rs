//! `zug match` and `zug tournament`: players of a repeated game among themselves.

use super::args::Format;
use super::simultaneous_args::{ContestArgs, MatchArgs, TournamentArgs};
use super::{Exit, io, print, rules};
use crate::builtins::Specialise;
use crate::domain::simultaneous::contests::{ROUNDS, WINS};
use crate::random::Random;
use crate::render::contest as render;
use crate::render::style::Theme;
use crate::search::matrix::repeated::{Tournament, Until};
use crate::search::{Limits, StopReason};
use crate::session::Session;
use crate::usecases::Failure;
use crate::usecases::contest::{ContestRequest, play_all, play_one};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs `zug match`.
pub fn run_match(args: &MatchArgs, flag: &Arc<AtomicBool>) -> Exit {
    let until = args.contest.until(Until::first_to(WINS));
    let players = vec![args.first.clone(), args.second.clone()];
    run(&args.file, players, &args.contest, (1, until), flag, |session, request, theme| {
        let report = play_one(session, request)?;
        Ok((json(&report), render::one(&report, theme), report.stopped))
    })
}

/// Runs `zug tournament`.
pub fn run_tournament(args: &TournamentArgs, flag: &Arc<AtomicBool>) -> Exit {
    let until = args.contest.until(Until::Rounds(ROUNDS));
    let how = (args.matches.get(), until);
    run(&args.file, args.players.clone(), &args.contest, how, flag, |session, request, theme| {
        let report = play_all(session, request)?;
        Ok((json(&report), render::all(&report, theme), report.stopped))
    })
}

fn json(report: &impl Serialize) -> String {
    serde_json::to_string(report).unwrap_or_default() + "\n"
}

/// What a contest came to, as JSON and for people, and the limit that ended it.
type Told = (String, String, Option<StopReason>);

fn run(
    file: &Path,
    players: Vec<String>,
    args: &ContestArgs,
    (matches, until): (u64, Until),
    flag: &Arc<AtomicBool>,
    play: impl FnOnce(&mut Session, &ContestRequest, &Theme) -> Result<Told, Failure>,
) -> Exit {
    let (file, mut session) = match rules::open(file, args.memory, Specialise::Off, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    // Short, so that it can be typed again.
    let seed = args.seed.unwrap_or_else(|| Random::from_clock().below(1_000_000));
    let limits = Limits { time: args.time, cancel: Some(flag.clone()), ..Limits::none() };
    let how = Tournament { matches, until, seed };
    let request = ContestRequest { file, players, how, limits };
    let told = play(&mut session, &request, &Theme::new(io::colours().0));
    let _ = session.world.streams.end_query();
    let (json, text, stopped) = match told {
        Ok(told) => told,
        Err(failure) => return rules::show_failure(&failure),
    };
    let text = if args.format == Format::Json { json } else { text };
    match (print(&text), stopped) {
        (Exit::Success, None) => Exit::Success,
        (Exit::Success, Some(StopReason::Cancelled)) => Exit::Interrupted,
        (Exit::Success, Some(_)) => Exit::Limit,
        (failure, _) => failure,
    }
}

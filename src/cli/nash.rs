//! `zug nash`: equilibria of a game in which all choose at once.

use super::args::{Format, SolveArgs};
use super::simultaneous_args::NashArgs;
use super::solve::limits;
use super::{Exit, io, print, rules};
use crate::render::nash as render;
use crate::render::style::Theme;
use crate::search::{Limits, StopReason};
use crate::session::Session;
use crate::usecases::Failure;
use crate::usecases::nash::{NashReport, NashRequest, nash};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs the command.
pub fn run(args: &NashArgs, flag: &Arc<AtomicBool>) -> Exit {
    let (file, mut session) =
        match rules::open(&args.file, args.memory, crate::builtins::Specialise::Off, flag) {
            Ok(opened) => opened,
            Err(exit) => return exit,
        };
    let request = NashRequest {
        file,
        instance: args.instance.clone(),
        state: args.state.clone(),
        all: args.all,
        eliminate: args.eliminate.map(Into::into),
        learn: args.learning(),
        limits: Limits {
            time: args.time,
            nodes: args.nodes,
            cancel: Some(flag.clone()),
            ..Limits::none()
        },
    };
    answer(&mut session, &request, args.format)
}

/// `zug solve` of such a game, on a session that has loaded the file.
pub fn solve(
    session: &mut Session,
    args: &SolveArgs,
    file: PathBuf,
    flag: &Arc<AtomicBool>,
) -> Exit {
    if let Some(engine) = args.engine.as_ref().filter(|engine| *engine != "solve_game") {
        return rules::show_failure(&Failure::Players(format!(
            "`{engine}` does not know games in which all choose at once; solve_game does"
        )));
    }
    if args.player.is_some() {
        let why = "--player is for games of players in turn; here the values of all are shown";
        return rules::show_failure(&Failure::Players(why.to_owned()));
    }
    let request = NashRequest {
        file,
        instance: args.instance.clone(),
        state: args.state.clone(),
        limits: limits(&args.limits, flag),
        ..NashRequest::default()
    };
    answer(session, &request, args.format)
}

/// Finds what is asked for and writes it.
fn answer(session: &mut Session, request: &NashRequest, format: Format) -> Exit {
    let report = nash(session, request);
    let _ = session.world.streams.end_query();
    let report = match report {
        Ok(report) => report,
        Err(failure) => return rules::show_failure(&failure),
    };
    let text = match format {
        Format::Json => serde_json::to_string(&report).unwrap_or_default() + "\n",
        Format::Text => render::text(&report, &Theme::new(io::colours().0)),
    };
    match print(&text) {
        Exit::Success => exit_of(&report),
        failure => failure,
    }
}

fn exit_of(report: &NashReport) -> Exit {
    match report.stopped {
        Some(StopReason::Cancelled) => Exit::Interrupted,
        Some(_) => Exit::Limit,
        None if report.exit_code() == 0 => Exit::Success,
        None => Exit::Failure,
    }
}

//! `zug nash`: equilibria of a game in which all choose at once.

use super::args::SolveArgs;
use super::simultaneous_args::NashArgs;
use super::solve::{certificate, limits};
use super::{Exit, ended, fail, io, report as tell, rules, stopped};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_code::Specialise;
use zug_prolog::session::Session;
use zug_render::certificate::made;
use zug_render::nash as render;
use zug_render::style::Theme;
use zug_render::try_actions;
use zug_search::Limits;
use zug_usecases::Failure;
use zug_usecases::nash::{NashReport, NashRequest, nash};
use zug_usecases::try_actions::{TryRequest, try_all};

/// Runs the command.
pub fn run(args: &NashArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.rules.terms(Specialise::Off);
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = NashRequest {
        file,
        instance: args.instance.clone(),
        state: args.state.clone(),
        all: args.wanted.all,
        eliminate: args.wanted.eliminate,
        learn: args.lessons.learning(),
        limits: Limits { nodes: args.steps.nodes, memory: None, ..args.rules.limits(flag) },
        certificate: None,
    };
    answer(&mut session, &request)
}

/// `zug solve` of such a game, on a session that has loaded the file.
pub fn solve(
    session: &mut Session,
    args: &SolveArgs,
    file: PathBuf,
    flag: &Arc<AtomicBool>,
) -> Exit {
    let sampling = args.sampling.0.clone();
    let tries = match args.engine.as_deref() {
        Some("mcts") => true,
        Some("solve_game") => false,
        None => sampling.playouts.is_some(),
        Some(engine) => {
            return rules::show_failure(&Failure::Players(format!(
                "`{engine}` does not know games in which all choose at once; solve_game and mcts do"
            )));
        }
    };
    if args.player.is_some() {
        let why = "--player is for games of players in turn; here the values of all are shown";
        return rules::show_failure(&Failure::Players(why.to_owned()));
    }
    let (instance, state) = (args.instance.clone(), args.state.clone());
    let limits = limits(&args.limits, flag);
    let certificate = certificate(args);
    if tries {
        if certificate.is_some() {
            fail("arguments", "--certificate is for what is solved, and plays at random are not");
            return Exit::Usage;
        }
        let request = TryRequest { file, instance, state, sampling, limits };
        return answer_tries(session, &request);
    }
    let request =
        NashRequest { file, instance, state, limits, certificate, ..NashRequest::default() };
    answer(session, &request)
}

/// Makes plays at random and writes what they tried.
fn answer_tries(session: &mut Session, request: &TryRequest) -> Exit {
    let report = try_all(session, request);
    written(session, report, try_actions::text, |report| {
        report.stopped.map_or(Exit::Success, stopped)
    })
}

/// Finds what is asked for and writes it.
fn answer(session: &mut Session, request: &NashRequest) -> Exit {
    let report = nash(session, request);
    let text = |report: &NashReport, theme: &Theme| {
        let certificate = report.certificate.as_ref().map_or(String::new(), made);
        render::text(report, theme) + &certificate
    };
    written(session, report, text, ended)
}

/// Writes a report, or why there is none.
fn written<R: Serialize>(
    session: &mut Session,
    report: Result<R, Failure>,
    text: impl FnOnce(&R, &Theme) -> String,
    exit: impl FnOnce(&R) -> Exit,
) -> Exit {
    let _ = session.world.streams.end_query();
    let report = match report {
        Ok(report) => report,
        Err(failure) => return rules::show_failure(&failure),
    };
    match tell(&report, || text(&report, &Theme::new(io::colours().0))) {
        Exit::Success => exit(&report),
        failure => failure,
    }
}

//! `zug heuristics`: whether estimates are admissible and consistent.

use super::args::Format;
use super::judge_args::HeuristicsArgs;
use super::progress::ProgressLine;
use super::rule_args::Terms;
use super::{Exit, io, print, rules};
use crate::render::board::draw;
use crate::render::heuristics::{Boards, progress, text};
use crate::render::style::Theme;
use crate::search::{Limits, Progress, Survey};
use crate::session::Session;
use crate::usecases::heuristics::{HeuristicsReport, HeuristicsRequest, heuristics_loaded};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs the command.
pub fn run(args: &HeuristicsArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = Terms::new(args.memory, args.code.mode()).sandbox(args.sandbox);
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = HeuristicsRequest {
        file,
        heuristics: args.heuristics.clone(),
        instances: args.instances.clone(),
        survey: Survey {
            states: usize::try_from(args.limit).unwrap_or(usize::MAX),
            walks: args.samples,
            steps: args.steps,
            seed: args.seed,
            nodes: args.nodes,
        },
        limits: Limits {
            time: args.time,
            memory: args.memory,
            cancel: Some(flag.clone()),
            ..Limits::none()
        },
    };
    let mut line = ProgressLine::new();
    let mut observer = |state: &Progress| line.show(&progress(state), state.elapsed);
    let found = heuristics_loaded(&mut session, &request, Some(&mut observer));
    line.clear();
    let _ = session.world.streams.end_query();
    let report = match found {
        Ok(report) => report,
        Err(failure) => return rules::show_failure(&failure),
    };
    let shown = match args.format {
        // Only maps with other keys than strings can fail.
        Format::Json => serde_json::to_string(&report).unwrap_or_default() + "\n",
        Format::Text => text(&report, &boards(&mut session, &report), &Theme::new(io::colours().0)),
    };
    if print(&shown) != Exit::Success {
        return Exit::Error;
    }
    match report.exit_code() {
        0 => Exit::Success,
        1 => Exit::Failure,
        130 => Exit::Interrupted,
        _ => Exit::Limit,
    }
}

/// The boards of all witnesses.
fn boards(session: &mut Session, report: &HeuristicsReport) -> Vec<Boards> {
    let all = report.heuristics.iter();
    all.map(|one| Boards {
        overestimate: one.overestimate.as_ref().and_then(|witness| draw(session, &witness.term)),
        fall: one
            .inconsistency
            .as_ref()
            .and_then(|fall| Some((draw(session, &fall.terms.0)?, draw(session, &fall.terms.1)?))),
    })
    .collect()
}

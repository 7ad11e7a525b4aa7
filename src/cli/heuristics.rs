//! `zug heuristics`: whether estimates are admissible and consistent.

use super::judge_args::HeuristicsArgs;
use super::progress::ProgressLine;
use super::{Exit, ended, io, report, rules};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_prolog::session::Session;
use zug_render::board::draw;
use zug_render::heuristics::{Boards, progress, text};
use zug_render::style::Theme;
use zug_search::Progress;
use zug_usecases::heuristics::{HeuristicsReport, HeuristicsRequest, heuristics_loaded};

/// Runs the command.
pub fn run(args: &HeuristicsArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = HeuristicsRequest {
        file,
        heuristics: args.heuristics.clone(),
        instances: args.instances.clone(),
        survey: args.survey.0,
        limits: args.rules.limits(flag),
    };
    let mut line = ProgressLine::new();
    let mut observer =
        |state: &Progress| line.show(state.elapsed, || progress(state), || state.into());
    let found = heuristics_loaded(&mut session, &request, Some(&mut observer));
    line.clear();
    let _ = session.world.streams.end_query();
    let found = match found {
        Ok(found) => found,
        Err(failure) => return rules::show_failure(&failure),
    };
    let shown = report(&found, || {
        text(&found, &boards(&mut session, &found), &Theme::new(io::colours().0))
    });
    if shown == Exit::Success { ended(&found) } else { shown }
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

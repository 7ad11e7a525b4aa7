//! `zug heuristics`: whether estimates are admissible and consistent.

use super::args::{CodeArgs, Format};
use super::given::{Given, option_set};
use super::progress::ProgressLine;
use super::rule_args::TimedArgs;
use super::{Exit, ended, io, report, rules};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_options::{Rows, Within};
use zug_prolog::session::Session;
use zug_render::board::draw;
use zug_render::heuristics::{Boards, progress, text};
use zug_render::style::Theme;
use zug_search::Progress;
use zug_search::options::{SURVEY, SURVEY_NODES};
use zug_usecases::heuristics::{HeuristicsReport, HeuristicsRequest, OPTIONS, heuristics_loaded};

/// `zug heuristics`.
#[derive(Args, Debug)]
pub struct HeuristicsArgs {
    /// The rule file
    pub file: PathBuf,
    #[command(flatten)]
    pub given: Given<Surveyed>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub rules: TimedArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

option_set! {
    /// Which heuristics are looked at, and how far.
    Surveyed: HeuristicsRequest = [
        Rows(&OPTIONS),
        Within(&SURVEY, |to: &mut HeuristicsRequest| &mut to.survey),
        Within(&SURVEY_NODES, |to: &mut HeuristicsRequest| &mut to.survey),
    ]
}

/// Runs the command.
pub fn run(args: &HeuristicsArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request =
        HeuristicsRequest { file, limits: args.rules.limits(flag), ..args.given.0.clone() };
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

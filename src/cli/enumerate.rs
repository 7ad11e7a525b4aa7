//! `zug enumerate`: the states that can be reached, by depth.

use super::args::{CodeArgs, Format, LimitArgs};
#[cfg(feature = "cluster")]
use super::cluster_args::ClusterArgs;
#[cfg(feature = "cluster")]
use super::fail;
use super::given::{Given, option_set};
use super::plot_args::Drawing;
use super::plot_args::PlotArgs;
use super::progress::ProgressLine;
use super::{Exit, ended, io, report, rules, solve};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_options::Rows;
use zug_render::base as render;
use zug_render::board::draw;
use zug_render::space;
use zug_render::style::Theme;
use zug_usecases::enumerate::{EnumerateRequest, KEPT, PLACE, enumerate_loaded};

/// `zug enumerate`.
#[derive(Args, Debug)]
pub struct EnumerateArgs {
    /// The rule file
    pub file: PathBuf,
    #[command(flatten)]
    pub given: Given<Enumerated>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub cluster: ClusterArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub plot: PlotArgs,
    /// Say which questions code made from the rules answered, and what stood in its way
    #[arg(long = "code")]
    pub tells_code: bool,
    #[command(flatten)]
    pub code: CodeArgs,
}

option_set! {
    /// Which states are counted, and what is kept of them.
    Enumerated: EnumerateRequest = [Rows(&PLACE), Rows(&KEPT)]
}

/// Runs the command.
pub fn run(args: &EnumerateArgs, flag: &Arc<AtomicBool>) -> Exit {
    let wanted = match args.plot.check() {
        Ok(wanted) => wanted,
        Err(failure) => return rules::show_failure(&failure),
    };
    #[cfg(feature = "cluster")]
    if args.cluster.wanted().is_some() && (args.given.diagrams || args.given.save.is_some()) {
        let why =
            "several workers list states, and keep no costs: --diagrams and --save are for one";
        fail("arguments", why);
        return Exit::Usage;
    }
    let terms = args.limits.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = EnumerateRequest {
        file,
        limits: solve::limits(&args.limits, flag),
        #[cfg(feature = "cluster")]
        cluster: args.cluster.wanted(),
        save: args.given.save.clone().map(|save| save.forced(args.plot.force)),
        ..args.given.0.clone()
    };
    let mut line = ProgressLine::new();
    let mut observer = |state: &_| line.update(state);
    let explored = enumerate_loaded(&mut session, &request, Some(&mut observer));
    line.clear();
    let _ = session.world.streams.end_query();
    let found = match explored {
        Ok(found) => found,
        Err(failure) => return rules::show_failure(&failure),
    };
    let shown = report(&found, || {
        let board = found.explored.deepest.first().and_then(|state| draw(&mut session, state));
        let text = space::text(
            &found,
            board.as_deref(),
            &Theme::new(io::colours().0).telling_code(args.tells_code),
        );
        let saved = found.saved.as_ref().map(|saved| render::saved(saved, "state"));
        text + &saved.unwrap_or_default()
    });
    if shown != Exit::Success {
        return shown;
    }
    solve::note_threads(&session, &request.limits, None);
    let drawing = Drawing::Plot(space::plot(&found));
    match args.plot.draw(&wanted, Some(&drawing), args.format.is_text()) {
        Exit::Success => {}
        failure => return failure,
    }
    ended(&found)
}

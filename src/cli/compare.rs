//! `zug compare`: engines and heuristics beside each other.

use super::args::{AtRandom, CodeArgs, LimitArgs, SearchParameters};
use super::given::Given;
use super::plot_args::{Drawing, PlotArgs};
use super::progress::ProgressLine;
use super::verify_args::VerifyArgs;
use super::{Exit, emit, io, report as tell_report, rules, solve};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use zug_domain::judge::{ComparisonProgress, NODES, TIME};
use zug_render::compare as render;
use zug_render::style::Theme;
use zug_search::Limits;
use zug_usecases::compare::{CompareRequest, compare_loaded};
use zug_usecases::exit::CommandResult;
use zug_usecases::record::{ErrorData, Progress};

/// How `zug compare` is used.
pub const COMPARING: &str = "\
Each search has limits of its own: 10 seconds and a million nodes, unless others are given.
A limit that is reached is a row of the table like others.

  zug compare rules/taquin.pl --engines astar --heuristics manhattan,misplaced
  zug compare rules/taquin.pl --random 30 --plot svg nodes.svg
  zug compare rules/tictactoe.pl --depth 6";

/// `zug compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// The rule file
    pub file: PathBuf,
    /// The engines, as astar,ucs [default: bfs, ucs, iddfs, astar, idastar and greedy; for games
    /// those that fit]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 1)]
    pub engines: Vec<String>,
    /// The heuristics [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 1)]
    pub heuristics: Vec<String>,
    /// The instances, by the names in initial_state(Name, S) or by number [default: all]
    #[arg(long, visible_alias = "instance", value_name = "NAMES")]
    #[arg(value_delimiter = ',', num_args = 1)]
    pub instances: Vec<String>,
    /// The state to start from, as a term
    #[arg(long, value_name = "TERM", allow_hyphen_values = true, conflicts_with = "instances")]
    pub state: Option<String>,
    /// Make so many other starts, by walks at random from the first instance
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true)]
    pub random: u64,
    /// Moves of such a walk, at most
    #[arg(long, value_name = "K", default_value = "50", requires = "random")]
    pub steps: u32,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub parameters: Given<SearchParameters>,
    #[command(flatten)]
    pub verify: VerifyArgs,
    #[command(flatten)]
    pub sampling: Given<AtRandom>,
    /// How to print the table
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TableFormat,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// How tables are printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// For people
    Text,
    /// For programs: one JSON object
    Json,
    /// For programs: a stream of JSON objects, one a line, as they come
    Jsonl,
    /// Comma-separated values
    Csv,
    /// For a document
    Markdown,
}

/// Runs the command.
pub fn run(args: &CompareArgs, flag: &Arc<AtomicBool>) -> Exit {
    let wanted = match args.plot.check() {
        Ok(wanted) => wanted,
        Err(failure) => return rules::show_failure(&failure),
    };
    let terms = args.limits.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let limits = solve::limits(&args.limits, flag);
    let request = CompareRequest {
        file,
        engines: args.engines.clone(),
        heuristics: args.heuristics.clone(),
        instances: args.instances.clone(),
        state: args.state.clone(),
        random: args.random,
        steps: args.steps,
        seed: args.sampling.seed,
        options: args.parameters.0.clone(),
        effort: args.verify.0,
        sampling: args.sampling.0.clone(),
        limits: Limits {
            nodes: limits.nodes.or(Some(NODES)),
            time: limits.time.or(Some(TIME)),
            ..limits
        },
    };
    let (began, mut line) = (Instant::now(), ProgressLine::new());
    let mut watch = |standing: &ComparisonProgress<'_>| {
        let elapsed = began.elapsed();
        let (text, data) =
            (|| render::progress(standing), || Progress::compared(standing, elapsed));
        line.show(elapsed, text, data);
    };
    let compared = compare_loaded(&mut session, &request, &mut watch);
    line.clear();
    let _ = session.world.streams.end_query();
    let report = match compared {
        Ok(report) => report,
        Err(failure) => return rules::show_failure(&failure),
    };
    let theme = Theme::new(io::colours().0);
    let shown = tell_report(&report, || match args.format {
        TableFormat::Csv => render::csv(&report),
        TableFormat::Markdown => render::markdown(&report),
        _ => render::text(&report, &theme),
    });
    if shown != Exit::Success {
        return shown;
    }
    let drawing = render::plot(&report).map(Drawing::Plot);
    let drawn = args.plot.draw(&wanted, drawing.as_ref(), args.format == TableFormat::Text);
    if drawn != Exit::Success {
        return drawn;
    }
    if report.exit() == Exit::Error {
        let words = "an error in the rules ended one of the searches";
        emit::error(ErrorData::new("rule", words));
    }
    report.exit()
}

//! `zug compare`: engines and heuristics beside each other.

use super::args::{AtRandom, CodeArgs, LimitArgs, SearchParameters};
use super::given::{Given, option_set};
use super::plot_args::{Drawing, PlotArgs};
use super::progress::ProgressLine;
use super::verify_args::VerifyArgs;
use super::{Exit, emit, io, report as tell_report, rules, solve};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use zug_domain::judge::ComparisonProgress;
use zug_options::Rows;
use zug_render::compare as render;
use zug_render::style::Theme;
use zug_usecases::compare::{CompareRequest, OPTIONS, compare_loaded};
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
    #[command(flatten)]
    pub given: Given<Compared>,
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

option_set! {
    /// What is compared.
    Compared: CompareRequest = [Rows(&OPTIONS)]
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
    let request = CompareRequest {
        file,
        seed: args.sampling.seed,
        options: args.parameters.0.clone(),
        effort: args.verify.0,
        sampling: args.sampling.0.clone(),
        limits: solve::limits(&args.limits, flag),
        ..args.given.0.clone()
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

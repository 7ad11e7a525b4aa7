//! `zug compare`: engines and heuristics beside each other.

use super::judge_args::{CompareArgs, TableFormat};
use super::plot_args::Drawing;
use super::progress::ProgressLine;
use super::{Exit, emit, io, report as tell_report, rules, solve};
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

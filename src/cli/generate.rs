//! `zug generate`: new starts for a puzzle.

use super::generate_args::GenerateArgs;
use super::progress::ProgressLine;
use super::{Exit, complain, ended, io, output, report, rules, tell};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_render::generate::{clauses, summary};
use zug_render::heuristics::progress;
use zug_render::style::Theme;
use zug_search::{Limits, Progress};
use zug_usecases::generate::{GenerateRequest, generate_loaded};

/// Runs the command.
pub fn run(args: &GenerateArgs, flag: &Arc<AtomicBool>) -> Exit {
    if let Some(Err(failure)) = args.out.as_ref().map(|path| output::check(path, args.force)) {
        return rules::show_failure(&failure);
    }
    let terms = args.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = GenerateRequest {
        file,
        instance: args.instance.clone(),
        heuristic: args.heuristic.clone(),
        cost: args.cost,
        options: args.options.0.clone(),
        limits: Limits { nodes: args.nodes.nodes, ..args.rules.limits(flag) },
    };
    let mut line = ProgressLine::new();
    let mut observer =
        |state: &Progress| line.show(state.elapsed, || progress(state), || state.into());
    let found = generate_loaded(&mut session, &request, Some(&mut observer));
    line.clear();
    let _ = session.world.streams.end_query();
    let found = match found {
        Ok(found) => found,
        Err(failure) => return rules::show_failure(&failure),
    };
    let text = clauses(&found);
    let shown = report(&found, || if args.out.is_some() { String::new() } else { text.clone() });
    if shown != Exit::Success {
        return shown;
    }
    if args.format.is_text() {
        tell(
            summary(&found, &Theme::new(io::colours().1).telling_code(args.tells_code)).trim_end(),
        );
    }
    match args.out.as_deref().filter(|_| !found.starts.is_empty()) {
        Some(path) => write(path, &text, args.force).unwrap_or_else(|| ended(&found)),
        None => ended(&found),
    }
}

/// Writes the clauses to a file: how the command ends if that can't be done.
fn write(path: &Path, text: &str, force: bool) -> Option<Exit> {
    if let Err(failure) = output::write(path, text.as_bytes(), force) {
        return Some(rules::show_failure(&failure));
    }
    complain(&format!("the clauses are in `{}`", path.display()));
    None
}

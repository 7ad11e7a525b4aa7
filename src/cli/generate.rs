//! `zug generate`: new starts for a puzzle.

use super::args::{CodeArgs, Format};
use super::given::{Given, option_set};
use super::progress::ProgressLine;
use super::rule_args::TimedArgs;
use super::{Exit, complain, ended, io, output, report, rules, tell};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_options::{Row, Rows, Within};
use zug_render::generate::{clauses, summary};
use zug_render::heuristics::progress;
use zug_render::style::Theme;
use zug_search::options::{GENERATING, NODES};
use zug_search::{Limits, Progress};
use zug_usecases::generate::{GenerateRequest, OPTIONS, generate_loaded};

/// How `zug generate` is used.
pub const GENERATING_HELP: &str = "\
The clauses go to the standard output, what they rest on to the standard error:

  zug generate rules/taquin.pl
  zug generate rules/taquin.pl --cost 12 --unique --count 10 --seed 7
  zug generate rules/frogs.pl >> frogs.pl";

static NODES_ALONE: [Row<Limits>; 1] = [NODES];

option_set! {
    /// The option about nodes.
    Nodes: Limits = [Rows(&NODES_ALONE)]
}

option_set! {
    /// Which starts are wanted, and how they are looked for.
    Generating: GenerateRequest =
        [Rows(&OPTIONS), Within(&GENERATING, |to: &mut GenerateRequest| &mut to.options)]
}

/// `zug generate`.
#[derive(Args, Debug)]
pub struct GenerateArgs {
    /// The rule file
    pub file: PathBuf,
    #[command(flatten)]
    pub given: Given<Generating>,
    #[command(flatten)]
    pub nodes: Given<Nodes>,
    /// Write the clauses to this file [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Overwrite the file if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// Say which questions code made from the rules answered, and what stood in its way
    #[arg(long = "code")]
    pub tells_code: bool,
    #[command(flatten)]
    pub code: CodeArgs,
}

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
        limits: Limits { nodes: args.nodes.nodes, ..args.rules.limits(flag) },
        ..args.given.0.clone()
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

//! What `zug trace` and `zug profile` take.

use super::args::{CodeArgs, Format};
use super::rule_args::{Terms, TimedArgs};
use clap::{Args, ValueEnum};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use zug_code::Specialise;
use zug_options::units;
use zug_prolog::builtins::tracer::tree::{Layout, MOST_CALLS};

/// A goal to be watched.
#[derive(Args, Debug)]
pub struct GoalArgs {
    /// The rule file
    pub file: PathBuf,
    /// The goal, as 'path(a, X)'; the full stop may be left out
    #[arg(allow_hyphen_values = true)]
    pub goal: String,
    /// Look for this many answers
    #[arg(short = 'n', long = "answers", value_name = "N", default_value = "1")]
    pub answers: NonZeroUsize,
    /// Look for all answers
    #[arg(long, conflicts_with = "answers")]
    pub all: bool,
    #[command(flatten)]
    pub rules: TimedArgs,
}

impl GoalArgs {
    /// How the rules are run.
    pub fn terms(&self, mode: Specialise) -> Terms {
        self.rules.terms(mode)
    }

    /// Answers to look for.
    pub fn answers(&self) -> usize {
        if self.all { usize::MAX } else { self.answers.get() }
    }
}

/// `zug trace`.
#[derive(Args, Debug)]
pub struct TraceArgs {
    #[command(flatten)]
    pub goal: GoalArgs,
    /// Only calls of this predicate, as edge/2; may be given several times
    #[arg(long, value_name = "NAME/ARITY", value_parser = indicator)]
    pub predicate: Vec<(String, usize)>,
    /// Levels of the tree
    #[arg(long, value_name = "D")]
    pub depth: Option<u32>,
    /// Lines of text
    #[arg(long, value_name = "N", default_value_t = Layout::default().lines)]
    pub lines: usize,
    /// Calls the tree holds, as 20000 or 1M
    #[arg(long, value_name = "N", value_parser = units::count, default_value_t = MOST_CALLS as u64)]
    pub calls: u64,
    /// Also built-ins and library predicates that have an answer and call nothing
    #[arg(long)]
    pub builtins: bool,
    /// How to show the tree
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TraceFormat,
    /// Write it to this file
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long)]
    pub force: bool,
}

/// How a tree of calls is shown.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    /// A tree of lines
    Text,
    /// A page that folds
    Html,
    /// For programs: one JSON object
    Json,
    /// For programs: a stream of JSON objects, one a line
    Jsonl,
}

/// `zug profile`.
#[derive(Args, Debug)]
pub struct ProfileArgs {
    #[command(flatten)]
    pub goal: GoalArgs,
    /// Look at the stack every so many inferences [default: at each at first, in long runs
    /// ever more rarely]
    #[arg(long, value_name = "N")]
    pub every: Option<NonZeroU32>,
    /// Write the stacks as a flame graph to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub flame: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long)]
    pub force: bool,
    /// How to print the table
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub code: CodeArgs,
}

fn indicator(text: &str) -> Result<(String, usize), String> {
    let parts = text.rsplit_once('/').and_then(|(name, arity)| Some((name, arity.parse().ok()?)));
    let (name, arity) = parts.ok_or("it is written with its arity, as edge/2")?;
    Ok((name.trim_matches('\'').to_owned(), arity))
}

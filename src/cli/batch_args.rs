//! `zug batch`, as clap sees it.

use super::args::{AtRandom, CodeArgs, SearchParameters, engine_names};
use super::given::{Given, option_set};
use super::verify_args::VerifyArgs;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use zug_options::{Row, Rows, Within, row, units};
use zug_search::Limits;
use zug_search::options::{DEPTH, MEMORY, NODES, TIME};

/// What stands behind the options.
pub const BATCHES: &str = "\
Paths:
  homework/        all .pl, .pro and .prolog files below a folder, sorted
  'hw/**/*.pl'     files by pattern: * ? [a-z], ** for any folders
  @list.txt        a path on each line, # begins a comment; @- reads the list from stdin

Results, one JSON object a line, are written to --out as files are done; killed at any moment,
`--resume` goes on where it was. The exit code is that of the gravest outcome: 130 interrupted,
70 a bug in zug, 5 errors and halt, 3 faults in files, 2 what is not there, 4 limits, 1 proved to
have no solution or not as expected, 0.

  zug batch rules/ --time 10s --out results.jsonl
  zug batch homework/ --queries --timeout 1m
  zug batch homework/ --expect-from solutions/ --format junit > report.xml";

/// `zug batch`.
#[derive(Args, Debug)]
pub struct BatchArgs {
    /// Rule files, folders, patterns of names, and @lists of them
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Files run at once [default: as many as there are processors]
    #[arg(short, long = "workers", value_name = "N", value_parser = units::at_least_one)]
    pub jobs: Option<NonZeroUsize>,
    /// Run each `?- Goal.` and each unit test in the files instead of solving instances
    #[arg(long, conflicts_with_all = ["engine", "heuristic"])]
    pub queries: bool,
    /// The engine, for files it is for; several, with commas, for several kinds of files
    /// [default: astar or ucs for puzzles, solve_game for games, nash where all choose at once]
    #[arg(short, long, value_name = "NAME,…", value_delimiter = ',',
          value_parser = engine_names(), hide_possible_values = true)]
    pub engine: Vec<String>,
    /// The heuristic [default: the first of each file]
    #[arg(long, value_name = "NAME")]
    pub heuristic: Option<String>,
    #[command(flatten)]
    pub parameters: Given<SearchParameters>,
    #[command(flatten)]
    pub verify: VerifyArgs,
    #[command(flatten)]
    pub sampling: Given<AtRandom>,
    #[command(flatten)]
    pub limits: Given<BatchLimited>,
    /// Answers looked for to a query
    #[arg(short = 'n', long, value_name = "N", default_value = "100")]
    #[arg(value_parser = units::at_least_one)]
    pub answers: NonZeroUsize,
    /// Write results to this file, a line each, as files are done
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Go on with the results in --out: run only what is not there or has changed
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub resume: bool,
    /// Overwrite the results if they are there already
    #[arg(long, requires = "out")]
    pub force: bool,
    /// What to show
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: BatchFormat,
    /// Grade: hold results against `expect` in the files and in .expect files beside them
    #[arg(long)]
    pub expect: bool,
    /// Grade with the expectations of this file, or of the .expect files in this folder, by name;
    /// what the rule files say then does not count
    #[arg(long, value_name = "PATH", conflicts_with = "expect")]
    pub expect_from: Option<PathBuf>,
    /// Let rules use files, the environment and other programs
    #[arg(long)]
    pub no_sandbox: bool,
    /// Write times into the results: no two runs are the same then
    #[arg(long)]
    pub times: bool,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// What files, instances and queries may use.
#[derive(Clone, Debug, Default)]
pub struct BatchLimits {
    /// Limits of an instance or a query.
    pub limits: Limits,
    /// Time for a file.
    pub timeout: Option<Duration>,
    /// Time for all.
    pub total_time: Option<Duration>,
    /// Inferences of an instance or a query.
    pub inferences: Option<u64>,
    /// Bytes that rules may write.
    pub output_limit: usize,
    /// Bytes that are kept of it.
    pub keep_output: usize,
}

static EACH: [Row<Limits>; 1] = [TIME.help("Time for an instance or a query, as 10s, 500ms or 2m")];
static TIMES: [Row<BatchLimits>; 2] = [
    row!(time("timeout", "TIME", "Time for a file") => BatchLimits.timeout),
    row!(
        time("total-time", "TIME", "Time for all; --resume runs what there was no time for") => BatchLimits.total_time
    ),
];
static COUNTS: [Row<Limits>; 3] = [
    MEMORY.help(
        "Memory for a file, as 512M or 1G [default: half of what the machine, a container or \
         `ulimit -v` gives, shared by the files that run at once on all processors; at most 2G]",
    ),
    NODES.help("Expansions for an instance, as 100000 or 5M"),
    DEPTH,
];
static OUTPUT: [Row<BatchLimits>; 3] = [
    row!(
        count("inferences", "N", "Inferences for an instance or a query, and for loading a file")
            => Some(BatchLimits.inferences)
    ),
    row!(
        size("output-limit", "SIZE", "Stop an instance or a query when its rules have written this much")
            => BatchLimits.output_limit
    )
    .default("16M")
    .alias("output"),
    row!(
        size("keep-output", "SIZE", "How much of what rules write for an instance or a query goes into the results")
            => BatchLimits.keep_output
    )
    .default("64k"),
];

option_set! {
    /// What they may use.
    BatchLimited: BatchLimits = [
        Within(&EACH, |to: &mut BatchLimits| &mut to.limits),
        Rows(&TIMES),
        Within(&COUNTS, |to: &mut BatchLimits| &mut to.limits),
        Rows(&OUTPUT),
    ]
}

/// How results are shown.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchFormat {
    /// For people: a row for each result
    Table,
    /// For programs: a JSON object a line, as in --out
    Jsonl,
    /// For programs: one JSON object for all
    Json,
    /// For spreadsheets
    Csv,
    /// For build servers: XML in JUnit's form
    Junit,
}

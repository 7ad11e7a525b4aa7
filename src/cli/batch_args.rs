//! `zug batch`, as clap sees it.

use super::args::{CodeArgs, SamplingArgs, engine_names, weight};
use super::units;
use super::verify_args::VerifyArgs;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

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
    /// Factor on the heuristic for `wastar`, at least 1
    #[arg(long, value_name = "W", default_value = "2", value_parser = weight)]
    pub weight: zug_search::Weight,
    /// States that `beam` keeps at each depth
    #[arg(long, value_name = "K", default_value = "100", value_parser = units::at_least_one)]
    pub width: NonZeroUsize,
    #[command(flatten)]
    pub verify: VerifyArgs,
    #[command(flatten)]
    pub sampling: SamplingArgs,
    /// Time for an instance or a query, as 10s, 500ms or 2m
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Time for a file
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Time for all; --resume runs what there was no time for
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub total_time: Option<Duration>,
    /// Memory for a file, as 512M or 1G [default: half of what the machine, a container or
    /// `ulimit -v` gives, shared by the files that run at once on all processors; at most 2G]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub memory: Option<usize>,
    /// Expansions for an instance, as 100000 or 5M
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub nodes: Option<u64>,
    /// Follow paths, or plays of a game, of at most this many moves
    #[arg(long, value_name = "D")]
    pub depth: Option<u32>,
    /// Inferences for an instance or a query, and for loading a file
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub inferences: Option<u64>,
    /// Stop an instance or a query when its rules have written this much
    #[arg(long, visible_alias = "output", value_name = "SIZE", value_parser = units::size)]
    #[arg(default_value = "16M")]
    pub output_limit: usize,
    /// How much of what rules write for an instance or a query goes into the results
    #[arg(long, value_name = "SIZE", value_parser = units::size, default_value = "64k")]
    pub keep_output: usize,
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

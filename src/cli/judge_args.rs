//! What `zug compare` and `zug heuristics` take, as clap sees it.

use super::args::{AtRandom, CodeArgs, Format, LimitArgs, SearchParameters};
use super::given::{Given, option_set};
use super::plot_args::PlotArgs;
use super::rule_args::TimedArgs;
use super::verify_args::VerifyArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use zug_options::Rows;
use zug_search::SurveyOptions;
use zug_search::options::{SURVEY, SURVEY_NODES};

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

/// `zug heuristics`.
#[derive(Args, Debug)]
pub struct HeuristicsArgs {
    /// The rule file
    pub file: PathBuf,
    /// The heuristics [default: all]
    #[arg(long = "heuristic", visible_alias = "heuristics", value_name = "NAMES")]
    #[arg(value_delimiter = ',', num_args = 1)]
    pub heuristics: Vec<String>,
    /// The instances to start from, by the names in initial_state(Name, S) or by number
    /// [default: all]
    #[arg(long, visible_alias = "instance", value_name = "NAMES")]
    #[arg(value_delimiter = ',', num_args = 1)]
    pub instances: Vec<String>,
    #[command(flatten)]
    pub survey: Given<Surveyed>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub rules: TimedArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

option_set! {
    /// How far heuristics are looked at.
    Surveyed: SurveyOptions = [Rows(&SURVEY), Rows(&SURVEY_NODES)]
}

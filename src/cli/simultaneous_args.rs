//! What the commands for games in which all choose at once take.

use super::args::Format;
use super::given::{Given, option_set};
use super::plot_args::PlotArgs;
use super::rule_args::TimedArgs;
use clap::Args;
use std::path::PathBuf;
use zug_matrix::options::{
    ContestOptions, EQUILIBRIA, EquilibriumOptions, LESSONS, LearningOptions, MATCH, TOURNAMENT,
};
use zug_options::{Row, Rows};
use zug_search::Limits;
use zug_search::options::NODES;

/// `zug nash`.
#[derive(Args, Debug)]
pub struct NashArgs {
    /// The rule file
    pub file: PathBuf,
    #[command(flatten)]
    pub wanted: Given<Equilibria>,
    #[command(flatten)]
    pub lessons: Given<Learnt>,
    /// The state to look at
    #[arg(long, value_name = "TERM", allow_hyphen_values = true, conflicts_with = "instance")]
    pub state: Option<String>,
    /// The instance, if the file has several: the name in initial_state(Name, S), or its number
    /// [default: the first]
    #[arg(long, visible_alias = "instances", value_name = "NAME")]
    pub instance: Option<String>,
    #[command(flatten)]
    pub steps: Given<Steps>,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// Steps of all methods.
static STEPS: [Row<Limits>; 1] =
    [NODES.help("Stop after this many steps: pivots, profiles, rounds or states")];

option_set! {
    /// Which equilibria are looked for.
    Equilibria: EquilibriumOptions = [Rows(&EQUILIBRIA)]
}
option_set! {
    /// How players learn.
    Learnt: LearningOptions = [Rows(&LESSONS)]
}
option_set! {
    /// How many steps are made.
    Steps: Limits = [Rows(&STEPS)]
}
option_set! {
    /// When a match is over.
    Matched: ContestOptions = [Rows(&MATCH)]
}
option_set! {
    /// How many matches there are.
    Matches: ContestOptions = [Rows(&TOURNAMENT)]
}

/// Who there is to play a repeated game.
pub const PLAYERS: &str = "\
Players of repeated games:
  uniform            any action alike
  fixed(rock)        always the same
  history(3)         best reply to what most often followed the last 3 actions of the other
  mixture([1,2,3])   the same with several memories, weighed by their success
  counter(P)         best reply to a player by P
  nash               the equilibrium
  NAME               what the file says in strategy(NAME, Own, Others, Action)";

/// What matches and tournaments have in common.
#[derive(Args, Debug)]
pub struct ContestArgs {
    #[command(flatten)]
    pub given: Given<Matched>,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// `zug match`.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// The rule file
    pub file: PathBuf,
    /// Who plays as the first player
    #[arg(value_name = "PLAYER")]
    pub first: String,
    /// Who plays as the second
    #[arg(value_name = "PLAYER")]
    pub second: String,
    #[command(flatten)]
    pub contest: ContestArgs,
}

/// `zug tournament`.
#[derive(Args, Debug)]
pub struct TournamentArgs {
    /// The rule file
    pub file: PathBuf,
    /// Who takes part
    #[arg(value_name = "PLAYER", required = true)]
    pub players: Vec<String>,
    #[command(flatten)]
    pub matches: Given<Matches>,
    #[command(flatten)]
    pub contest: ContestArgs,
    #[command(flatten)]
    pub plot: PlotArgs,
}

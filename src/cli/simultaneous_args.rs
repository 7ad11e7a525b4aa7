//! What the commands for games in which all choose at once take.

use super::args::Format;
use super::plot_args::PlotArgs;
use super::rule_args::TimedArgs;
use super::units;
use clap::{Args, ValueEnum};
use std::num::NonZeroU64;
use std::path::PathBuf;
use zug_matrix::repeated::Until;
use zug_matrix::{Elimination, Learner, Learning};

/// `zug nash`.
#[derive(Args, Debug)]
pub struct NashArgs {
    /// The rule file
    pub file: PathBuf,
    /// All equilibria of two players, not only pure ones and one that is mixed
    #[arg(long, conflicts_with = "learn")]
    pub all: bool,
    /// Remove dominated actions first: those that are always worse than others, or (weak) never
    /// better
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true,
        default_missing_value = "strict", conflicts_with = "learn")]
    pub eliminate: Option<Dominance>,
    /// Let the players learn by playing, for games too large to be solved exactly
    #[arg(long, value_name = "HOW")]
    pub learn: Option<LearnBy>,
    /// Rounds of learning
    #[arg(long, value_name = "N", default_value = "10000", requires = "learn")]
    pub iterations: NonZeroU64,
    /// Learn from actions drawn with this seed [default: from mixed strategies, nothing is drawn]
    #[arg(long, value_name = "S", requires = "learn")]
    pub seed: Option<u64>,
    /// The state to look at
    #[arg(long, value_name = "TERM", allow_hyphen_values = true, conflicts_with = "instance")]
    pub state: Option<String>,
    /// The instance, if the file has several: the name in initial_state(Name, S), or its number
    /// [default: the first]
    #[arg(long, visible_alias = "instances", value_name = "NAME")]
    pub instance: Option<String>,
    /// Stop after this many steps: pivots, profiles, rounds or states
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub nodes: Option<u64>,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// Which dominated actions are removed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dominance {
    /// Always worse than another action or a mix of others
    Strict,
    /// Never better and sometimes worse
    Weak,
}

impl From<Dominance> for Elimination {
    fn from(kind: Dominance) -> Elimination {
        Elimination { weak: kind == Dominance::Weak, mixed: true }
    }
}

/// How players learn.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnBy {
    /// Regret matching+
    Regret,
    /// Fictitious play
    Fictitious,
}

impl NashArgs {
    /// How players are to learn, if they are.
    pub fn learning(&self) -> Option<Learning> {
        let learner = match self.learn? {
            LearnBy::Regret => Learner::RegretMatchingPlus,
            LearnBy::Fictitious => Learner::FictitiousPlay,
        };
        Some(Learning { learner, rounds: self.iterations.get(), seed: self.seed })
    }
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
    /// A match is over when one has won so many rounds, or after 100 times as many
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    pub to: Option<NonZeroU64>,
    /// A match is over after so many rounds; who was paid more has won
    #[arg(long, value_name = "N")]
    pub rounds: Option<NonZeroU64>,
    /// The seed of what happens at random [default: another one each time]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

impl ContestArgs {
    /// When a match is over.
    pub fn until(&self, default: Until) -> Until {
        match (self.to, self.rounds) {
            (Some(wins), _) => Until::first_to(wins.get()),
            (None, Some(rounds)) => Until::Rounds(rounds.get()),
            (None, None) => default,
        }
    }
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
    /// Matches of every two; they change sides after each
    #[arg(long, value_name = "N", default_value = "10")]
    pub matches: NonZeroU64,
    #[command(flatten)]
    pub contest: ContestArgs,
    #[command(flatten)]
    pub plot: PlotArgs,
}

//! What `zug train` takes, as clap sees it.

use super::args::{CodeArgs, Format};
use super::given::{Given, option_set};
use super::plot_args::PlotArgs;
use super::rule_args::TimedArgs;
use clap::Args;
use std::path::PathBuf;
use zug_options::{Rows, Within};
use zug_search::options::{BEADS, METHOD, RATES, SCHEDULE};
use zug_usecases::train::options::{AGAINST, RESULT, TrainOptions};

/// How there is to learn, and from whom.
pub const TRAINING: &str = "\
Methods:
  matchboxes   beads in a box for every state: Michie's machine
  q            Q-learning, step by step
  monte-carlo  the mean of what games came to

Opponents:
  self         the learner, from the same boxes
  random       any move
  optimal      any move that solve_game finds optimal
  alphabeta:4  an engine; without a depth it follows every play to its end
  expectiminimax:3, mcts:500  engines for games with chance
  policy:FILE  what was learned before; greedy:FILE its likeliest moves
  human        you

  zug train rules/nim.pl --games 10000 --punish --save nim.policy
  zug play rules/nim.pl --against policy:nim.policy";

/// `zug train`.
#[derive(Args, Debug)]
pub struct TrainArgs {
    /// The rule file
    pub file: PathBuf,
    #[command(flatten)]
    pub given: Given<Trained>,
    /// Go on with what was learned before: as one run
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "seed", "against", "method", "reinforce", "punish", "beads", "epsilon", "alpha", "decay",
        "discount", "baseline", "instance",
    ])]
    pub resume: Option<PathBuf>,
    #[command(flatten)]
    pub plot: PlotArgs,
    /// The instance, if the file has several: the name in initial_state(Name, S), or its number
    /// [default: the first]
    #[arg(long, visible_alias = "instances", value_name = "NAME")]
    pub instance: Option<String>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub rules: TimedArgs,
    #[command(flatten)]
    pub code: CodeArgs,
}

option_set! {
    /// How a training goes.
    Trained: TrainOptions = [
        Within(&SCHEDULE, |to: &mut TrainOptions| &mut to.schedule),
        Rows(&AGAINST),
        Within(&METHOD, |to: &mut TrainOptions| &mut to.rule),
        Within(&BEADS, |to: &mut TrainOptions| &mut to.rule),
        Within(&RATES, |to: &mut TrainOptions| &mut to.rule),
        Rows(&RESULT),
    ]
}

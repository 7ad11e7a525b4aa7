//! What `zug train` takes, as clap sees it.

use super::args::{CodeArgs, Format};
use super::plot_args::PlotArgs;
use super::rule_args::TimedArgs;
use super::units;
use crate::usecases::train::Against;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use zug_search::game::learn::{Beads, Method, Rates, Rule};

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
    /// Games to play, as 10000 or 50k
    #[arg(long, value_name = "N", default_value = "10000", value_parser = units::count)]
    pub games: u64,
    /// The seed of what happens at random
    #[arg(long, value_name = "S", default_value = "1")]
    pub seed: u64,
    /// Who plays against the learner
    #[arg(long, value_name = "WHO", default_value = "self")]
    pub against: Against,
    /// How to learn
    #[arg(long, value_name = "METHOD", default_value = "matchboxes", value_parser = method_names())]
    pub method: String,
    /// For which moves of a game beads are put in: the last one, or all
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub reinforce: Reinforce,
    /// Take a bead out after a loss
    #[arg(long)]
    pub punish: bool,
    /// Beads after a win, a draw and a loss, as 3,1,-1 [default: 1,0,0; with --punish 1,0,-1]
    #[arg(long, value_name = "W,D,L", value_parser = beads, conflicts_with = "punish")]
    #[arg(allow_hyphen_values = true)]
    pub beads: Option<Beads>,
    /// Moves made at random, as a part of 1, by q and monte-carlo
    #[arg(long, value_name = "E", default_value = "0.2", value_parser = part)]
    pub epsilon: f64,
    /// The size of a step, as a part of 1 [default: 0.2 for q, 1/n at the nth time for monte-carlo]
    #[arg(long, value_name = "A", value_parser = part)]
    pub alpha: Option<f64>,
    /// After n games both are divided by 1 + D*n
    #[arg(long, value_name = "D", default_value = "0", value_parser = rate)]
    pub decay: f64,
    /// What a win is worth one move later, as a part of 1
    #[arg(long, value_name = "G", default_value = "1", value_parser = part)]
    pub discount: f64,
    /// Who plays the evaluation games
    #[arg(long, value_name = "WHO", default_value = "random")]
    pub baseline: Against,
    /// Write what was learned to this file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
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

/// For which moves beads are put in.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reinforce {
    /// The last move of the game
    Last,
    /// Every move of the game
    All,
}

impl TrainArgs {
    /// How to learn.
    pub fn rule(&self) -> Rule {
        let all = self.reinforce == Reinforce::All;
        let beads = match self.beads {
            Some(beads) => Beads { all, ..beads },
            None => Beads { loss: if self.punish { -1 } else { 0 }, all, ..Beads::default() },
        };
        let rates = Rates {
            epsilon: self.epsilon,
            alpha: self.alpha,
            decay: self.decay,
            discount: self.discount,
        };
        Rule { method: Method::by_name(&self.method).unwrap_or_default(), beads, rates }
    }
}

fn method_names() -> clap::builder::PossibleValuesParser {
    Method::ALL.map(|(_, name)| name).into()
}

/// A part of 1.
fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "this is a number from 0 to 1, as 0.1".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate: &f64| *rate >= 0.0 && rate.is_finite());
    rate.ok_or_else(|| "this is a number that is not negative, as 0.001".to_owned())
}

fn beads(text: &str) -> Result<Beads, String> {
    let numbers: Vec<i32> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match numbers.as_slice() {
        [win, draw, loss] if text.split(',').count() == 3 => {
            Ok(Beads { win: *win, draw: *draw, loss: *loss, all: true })
        }
        _ => Err("beads are three whole numbers, as 3,1,-1".to_owned()),
    }
}

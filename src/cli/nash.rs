//! `zug nash`: equilibria of a game in which all choose at once.

use super::args::Format;
use super::boards::BoardArgs;
use super::given::{Given, option_set};
use super::rule_args::TimedArgs;
use super::{Exit, rules, solve};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_code::Specialise;
use zug_matrix::options::{EQUILIBRIA, EquilibriumOptions, LESSONS, LearningOptions};
use zug_options::{Row, Rows};
use zug_search::Limits;
use zug_search::options::NODES;
use zug_usecases::solve::{SolveRequest, Wanted};

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

/// Runs the command.
pub fn run(args: &NashArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.rules.terms(Specialise::Off);
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = SolveRequest {
        file,
        wanted: Wanted::Equilibria(args.wanted.0, args.lessons.learning()),
        instance: args.instance.clone(),
        state: args.state.clone(),
        limits: Limits { nodes: args.steps.nodes, memory: None, ..args.rules.limits(flag) },
        ..SolveRequest::default()
    };
    solve::answer(&mut session, &request, &BoardArgs::default(), false)
}

//! Arguments that several commands share, as clap sees them.

use super::given::{Given, option_set};
use super::rule_args::TimedArgs;
use clap::{Args, ValueEnum};
use zug_code::Specialise;
use zug_options::{Row, Rows};
use zug_search::game::{Sampling, game_engines};
use zug_search::options::{DEPTH, NODES, PARAMETERS, SAMPLING, SYMMETRY, THREADS};
use zug_search::{Limits, Options};

/// How engines run the rules.
#[derive(Args, Debug, Clone, Copy)]
pub struct CodeArgs {
    /// Don't make code from the rules: run them as they are written
    #[arg(long)]
    pub no_specialize: bool,
    /// Run both the rules and the code made from them, and compare at every state
    #[arg(long, conflicts_with = "no_specialize")]
    pub cross_check: bool,
}

impl CodeArgs {
    /// What engines are told.
    pub fn mode(self) -> Specialise {
        match (self.no_specialize, self.cross_check) {
            (true, _) => Specialise::Off,
            (_, true) => Specialise::CrossCheck,
            _ => Specialise::On,
        }
    }
}

/// What a search may use.
#[derive(Args, Debug, Clone)]
pub struct LimitArgs {
    #[command(flatten)]
    pub rules: TimedArgs,
    #[command(flatten)]
    pub counts: Given<Counts>,
}

/// Rows of the limits that count, and of threads.
static COUNTS: [Row<Limits>; 3] = [NODES, DEPTH, THREADS];

option_set! {
    /// The options about nodes, depth and threads.
    Counts: Limits = [Rows(&COUNTS)]
}

option_set! {
    /// The parameters of engines.
    Parameters: Options = [Rows(&PARAMETERS)]
}

option_set! {
    /// The same, and whether states that are alike count as one.
    SearchParameters: Options = [Rows(&PARAMETERS), Rows(&SYMMETRY)]
}

option_set! {
    /// How plays at random are made.
    AtRandom: Sampling = [Rows(&SAMPLING)]
}

/// How results are printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people
    Text,
    /// For programs: one JSON object
    Json,
    /// For programs: a stream of JSON objects, one a line, as they come
    Jsonl,
}

impl Format {
    /// Whether results are for people.
    pub fn is_text(self) -> bool {
        self == Format::Text
    }
}

pub(super) fn engine_names() -> clap::builder::PossibleValuesParser {
    let plans = zug_search::engines().map(|engine| engine.name);
    plans.chain(game_engines().map(|engine| engine.name)).collect::<Vec<_>>().into()
}

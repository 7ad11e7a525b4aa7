//! What `zug generate` takes, as clap sees it.

use super::args::{CodeArgs, Format};
use super::given::{Given, option_set};
use super::rule_args::TimedArgs;
use clap::Args;
use std::path::PathBuf;
use zug_options::{Row, Rows};
use zug_search::options::{GENERATING, NODES};
use zug_search::{GenerateOptions, Limits};

/// How `zug generate` is used.
pub const GENERATING_HELP: &str = "\
The clauses go to the standard output, what they rest on to the standard error:

  zug generate rules/taquin.pl
  zug generate rules/taquin.pl --cost 12 --unique --count 10 --seed 7
  zug generate rules/frogs.pl >> frogs.pl";

static NODES_ALONE: [Row<Limits>; 1] = [NODES];

option_set! {
    /// The option about nodes.
    Nodes: Limits = [Rows(&NODES_ALONE)]
}

option_set! {
    /// How new starts are looked for.
    Generating: GenerateOptions = [Rows(&GENERATING)]
}

/// `zug generate`.
#[derive(Args, Debug)]
pub struct GenerateArgs {
    /// The rule file
    pub file: PathBuf,
    /// Starts whose cheapest plan costs as much as can be: the default
    #[arg(long, conflicts_with = "cost")]
    pub hardest: bool,
    /// Starts whose cheapest plan costs exactly this: the number of its moves, where each costs 1
    #[arg(long, value_name = "N", value_parser = cost, allow_negative_numbers = true)]
    pub cost: Option<f64>,
    /// The instance whose space is looked at: the name in initial_state(Name, S), or its number
    /// [default: all]
    #[arg(long, value_name = "NAME")]
    pub instance: Option<String>,
    /// The heuristic of searches, where the space is too large to be looked at as a whole
    /// [default: the first of the file, else `derived` from the rules if that can be]
    #[arg(long, value_name = "NAME")]
    pub heuristic: Option<String>,
    #[command(flatten)]
    pub options: Given<Generating>,
    #[command(flatten)]
    pub nodes: Given<Nodes>,
    /// Write the clauses to this file [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Overwrite the file if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub rules: TimedArgs,
    /// Say which questions code made from the rules answered, and what stood in its way
    #[arg(long = "code")]
    pub tells_code: bool,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// A cost: a number that is not negative.
fn cost(text: &str) -> Result<f64, String> {
    let cost: f64 = text.parse().map_err(|_| "write a number, as `20` or `2.5`".to_owned())?;
    if cost.is_sign_negative() && cost != 0.0 {
        return Err("this is less than zero".to_owned());
    }
    if !cost.is_finite() {
        return Err("write a number, as `20` or `2.5`".to_owned());
    }
    Ok(cost)
}

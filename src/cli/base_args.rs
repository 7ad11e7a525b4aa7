//! Options about bases, and `zug db`.

use super::args::Format;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Where answers may be read.
#[derive(Args, Debug, Clone, Default)]
pub struct BaseArgs {
    /// Answer from this base, which `zug solve FILE --save DB` made; what is not in it is searched.
    /// A heuristic derived from the rules is read too
    #[arg(long = "db", value_name = "DB")]
    pub db: Option<PathBuf>,
}

/// `zug db`.
#[derive(Subcommand, Debug)]
pub enum DbCommand {
    /// Says what is in a base: rules, starts, positions, sizes
    Info(DbArgs),
    /// Reads all of a base and says whether it is whole
    Check(DbArgs),
}

/// A base.
#[derive(Args, Debug)]
pub struct DbArgs {
    /// The base
    pub db: PathBuf,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub(super) const DB: &str = "\
Bases are made and read by other commands:
  zug solve rules/nim.pl --save nim.db       keep every position with its value and best move
  zug solve rules/nim.pl --db nim.db         answer from there, without search
  zug query rules/nim.pl 'winning(a, 14)' --db nim.db
  zug play rules/nim.pl --level 9 --db nim.db";

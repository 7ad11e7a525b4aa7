//! Certificates: what a search found, with what proves it.
//!
//! A certificate is checked by asking the rules alone, without a search: a plan is made again, a closed list
//! ([`check_closed`]) shows that no plan is cheaper or that there is none, a strategy ([`check_strategy`]) that a player
//! gets at least so much. What is checked is complete, so that a wrong certificate is rejected whoever made it: the rules
//! are followed from the start ([`Walk`]), and all that is listed has to be reached.
//!
//! The makers ([`close`], [`strategy`]) make a pass of their own over a [`Problem`](zug_search::Problem) or a solved
//! game, whichever engine had the answer. [`file`](mod@file) has the frame of the text: a first line with the kind, records, a
//! checksum. What a record says of terms is up to who knows them.
//!
//! # Invariants
//!
//! - A check takes nothing on trust but the answers of the rules: no cost, rank or value is used before it is checked.
//! - Makers and checkers share no code: a fault in one does not hide in the other.
//!
//! The closed list with costs is the certificate of Eriksson, Röger and Helmert (ICAPS 2017) for tasks without a plan,
//! listed state by state, and of Mugdan, Christen and Eriksson (ICAPS 2023) for cheapest plans, with path costs in the
//! place of a compiled-in bound: it is sound for any rules that can be asked, not for STRIPS alone.

mod bounds;
mod closed;
pub mod drcp;
mod file;
mod making;
mod ranks;
mod strategies;
#[cfg(test)]
mod tests;
mod values;
mod walk;

pub use bounds::{Bounded, BoundsError, guarantee, unit};
pub use closed::{ClosedClaim, ClosedFault, Listed, check_closed, rounding};
pub use file::{Damage, Lines, Writer, adler};
pub use making::{CloseError, Closing, close};
pub use strategies::{
    End, Holding, Position, StrategyClaim, StrategyFault, check_strategy, strategy,
};
pub use values::{Ranked, Row, ValuesFault, check_values, rank_all, rows};
pub use walk::Walk;

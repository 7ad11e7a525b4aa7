//! What searches come to, as plain data.
//!
//! A result is made once, where the fact is known, as one of these types; text, JSON, rows of
//! tables, pages and the bindings of a query are views of it. [`Solution`] is the result of a search
//! in a puzzle, [`GameSolution`] that of a search in a game. Both are generic over `T`, the form in
//! which terms are held: records of a heap where results are worked with, text and structure
//! where they are written ([`Solution::map`]).
//!
//! # Adding a fact
//!
//! A field here, its value where the result is made, and a line in each view that shows it as more
//! than a field of JSON, which it is by being there.

mod claim;
mod code;
mod diagrams;
mod fraction;
mod game;
mod model;
mod number;
mod outcome;
mod puzzle;
mod stats;
mod symmetries;

#[cfg(feature = "schema")]
pub use claim::Optimal;
pub use claim::{Claim, Claims, Ending, Overestimate, Verdict};
pub use code::{CodeObstacle, CodeReason, CodeUse, PredicateUse};
pub use diagrams::DiagramUse;
pub use fraction::{of_float, to_float};
#[cfg(feature = "schema")]
pub use game::Exact;
pub use game::{
    Certainty, Exactness, FIRST_OF_EQUALS, GameSolution, Proof, Tried, Utilities, Worth, joined,
    outcome_words,
};
pub use model::{ModelSolution, ModelStats, ModelValues, NamedValue, PostedModel};
pub use number::{Count, LARGEST_EXACT, Number, Seed};
pub use outcome::{GameOutcome, Outcome, StopReason, StoppedIn};
pub use puzzle::Solution;
pub use stats::{GameStats, Stats, round_seconds, seconds};
pub use symmetries::Symmetries;

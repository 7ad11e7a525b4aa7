//! Heuristics derived from the operators of a puzzle.
//!
//! A puzzle is given as [`Operators`] over a row of leaves with values of one byte. Where they permute the
//! leaves ([`Permutations`]), [`PatternDatabases`] are lower bounds of the cost of a plan: the distances of
//! coarser puzzles, in which only some values are told apart (J. Culberson, J. Schaeffer, *Pattern
//! Databases*, Computational Intelligence 14(3), 1998), added up where each move is charged to one of them at
//! most (A. Felner, R. Korf, S. Hanan, *Additive Pattern Database Heuristics*, JAIR 22, 2004).
//!
//! # Invariants
//!
//! - Every heuristic is admissible by construction.
//! - Everything is deterministic: what is drawn follows from a fixed seed, budgets count states.
//! - Nothing here knows rules, terms or searches.
//!
//! # Example
//!
//! Three tokens in a row, of which neighbours may be exchanged:
//!
//! ```
//! use zug_derived::{Budget, Operator, Operators, PatternDatabases, Permutations, Source};
//!
//! let exchange = |a: u8, b: u8| Operator {
//!     tests: Vec::new(),
//!     cost: 1,
//!     writes: vec![(a, Source::Leaf(b)), (b, Source::Leaf(a))],
//! };
//! let row = Operators {
//!     leaves: 3,
//!     operators: vec![exchange(0, 1), exchange(1, 2)],
//!     goals: vec![vec![(0, b'a'), (1, b'b'), (2, b'c')]],
//! };
//! let row = Permutations::of(&row)?;
//! let derived = PatternDatabases::derive(&row, Budget { states: 1000 });
//! assert_eq!(derived.estimate(b"abc"), Some(0));
//! assert_eq!(derived.estimate(b"cba"), Some(3));
//! # Ok::<(), zug_derived::NoPermutations>(())
//! ```

mod heuristic;
mod operators;
mod patterns;
mod permutation;
mod symmetry;
mod table;
#[cfg(test)]
mod tests;

pub use heuristic::PatternDatabases;
pub use operators::{Leaf, Operator, Operators, Source, Value};
pub use patterns::Budget;
pub use permutation::{NoPermutations, Permutations, Turn};
pub use symmetry::Symmetry;
pub use table::{Charge, Table};

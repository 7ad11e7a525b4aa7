//! Heuristics derived from the operators of a puzzle.
//!
//! A puzzle is given as [`Operators`] over a row of leaves with values of one byte. Lower bounds of the cost of
//! a plan are distances in coarser puzzles. Where operators permute the leaves (`Permutations`), these are
//! puzzles in which only some values are told apart (J. Culberson, J. Schaeffer, *Pattern Databases*,
//! Computational Intelligence 14(3), 1998), added up where each move is charged to one of them at most
//! (A. Felner, R. Korf, S. Hanan, *Additive Pattern Database Heuristics*, JAIR 22, 2004). Elsewhere they are
//! puzzles that know some leaves alone, among which the costs of operators are shared out.
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
//! use zug_derived::{Budget, Derived, Operator, Operators, Source, Values};
//!
//! let mut row = Operators::new(vec![Values::from_iter(*b"abc"); 3]);
//! let always = row.always();
//! for (a, b) in [(0, 1), (1, 2)] {
//!     let writes = vec![(a, Source::Leaf(b)), (b, Source::Leaf(a))];
//!     row.operators.push(Operator { condition: always, cost: 1, writes });
//! }
//! let home = [(0, b'a'), (1, b'b'), (2, b'c')].map(|(leaf, value)| row.is(leaf, value));
//! row.goal = row.all(home.into());
//! let derived = Derived::of(&row, b"cba", &[], Budget::of(1000)).expect("a heuristic");
//! assert_eq!(derived.estimate(b"abc"), Some(0));
//! assert_eq!(derived.estimate(b"cba"), Some(3));
//! ```

mod abstraction;
mod assignment;
mod at_once;
mod automorphisms;
mod collections;
mod escapes;
mod features;
mod goals;
mod grounding;
mod grouping;
mod groups;
mod heuristic;
mod incoming;
mod kept;
#[cfg(test)]
mod kept_tests;
mod labels;
mod no_plan;
mod operators;
mod partitions;
mod parts;
mod pattern_databases;
mod pattern_table;
#[cfg(test)]
mod pattern_tests;
mod patterns;
mod permutation;
mod places;
mod projection;
#[cfg(test)]
mod projection_tests;
mod relaxation;
mod simplified;
mod slides;
mod symmetry;
#[cfg(test)]
mod test_puzzles;
#[cfg(test)]
mod token_tests;
mod tokens;
mod turns;
pub mod whole;

pub use abstraction::{Abstraction, Unseen};
pub use automorphisms::{Part, Renaming, Symmetries};
pub use heuristic::{Derived, Summary};
pub use no_plan::NoPlan;
pub use operators::{
    Condition, ConditionId, Leaf, Operator, Operators, Source, Table, Value, Values,
};
pub use pattern_databases::Cursor;
pub use patterns::Budget;
pub use relaxation::{Relaxation, Relaxed, RelaxedKind};

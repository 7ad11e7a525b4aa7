//! Conditions on the leaves of a state, and terms that differ by condition.
//!
//! Rules that are run on a state whose leaves are not known yield different terms in different
//! states. This crate has what such a run computes with: [conditions](Condition) on leaves, kept small
//! as they are made; [terms](Term) in which a leaf, a choice by condition, a list of elements that are
//! there by condition, or a number computed of leaves may stand; and [merging](Store::merged), which
//! makes one term of several, so that what follows is run once and not once for each of them.
//!
//! ```
//! use zug_symbolic::{Condition, Domain, Leaf, Store};
//! use zug_term::Cell;
//!
//! let digits: Box<[Cell]> = (0..10).map(Cell::small).collect();
//! let mut store = Store::new(vec![Domain::Values(digits)], 1_000);
//! let is_three = store.is_value(Leaf(0), Cell::small(3));
//! let otherwise = store.not(is_three);
//! assert!(store.exclude(is_three, otherwise));
//!
//! let (one, two) = (store.constant(Cell::small(1)), store.constant(Cell::small(2)));
//! let merged = store.merged(&[(is_three, one), (otherwise, two)]).expect("no variables");
//! assert_eq!(store.integer_in(merged, &[Cell::small(3)]), Some(1));
//! assert_eq!(store.integer_in(merged, &[Cell::small(4)]), Some(2));
//! # assert_eq!(store.or([is_three, otherwise]), Condition::ALWAYS);
//! ```
//!
//! # Invariants
//!
//! - Equal numbers mean equal terms, and conditions that hold in the same states; not the other way
//!   round.
//! - All work is counted. At its limit a [`Store`] is [spent](Store::is_spent), and what it gives from
//!   then on means nothing.
//! - Nothing here knows clauses, goals or what an engine asks.

mod bounds;
mod concrete;
mod conditions;
mod facts;
#[cfg(test)]
mod float_tests;
mod floats;
mod identity;
mod integers;
pub mod limits;
mod merge;
mod parameters;
mod sets;
mod store;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wide_tests;

pub use integers::computed;
pub use parameters::Instance;
pub use sets::Set;
pub use store::{
    Boxed, Condition, Domain, FloatOperation, Formula, Guarded, Leaf, Leaves, Obstacle, Operation,
    Relation, Rounding, Shape, Store, Substitute, Term, UNBOUND, Variable,
};

//! Proofs that a model over bounded integers has no solution, or none that is better, in a public format.
//!
//! A [`Model`] has sums, variables that are all different, and tasks on a resource, over bounded integers; its text is
//! FlatZinc. [`solve`] finds a solution or a [`Proof`] that there is none, whose text is DRCP; both texts are what
//! `pumpkin-checker`, the checker of that format, reads. Who has richer constraints makes such a model of them.
//!
//! # Invariants
//!
//! - A solution is looked at again before it is told, by [`Model::is_solution`], which knows nothing of propagation. A proof
//!   is for others to check.
//! - Models, searches and proofs are the same in each run: no clock and no hash order is in them.

mod analysis;
mod atom;
mod graph;
mod model;
mod nogoods;
mod proof;
mod propagate;
mod queue;
mod search;
mod solver;
mod state;
#[cfg(test)]
mod tests;

pub use atom::{Atom, Relation, VarId};
pub use graph::Graph;
pub use model::{Constraint, Model, Objective, Task, Values, Variable};
pub use proof::{Conclusion, Inference, Origin, Proof, Stage};
pub use search::{Outcome, solve};
pub use solver::Stats;

//! What a search found, and what it took.

use super::problem::Plain;
use super::space::{Failure, MoveId, Operation};
use crate::Engine;
use std::any::Any;
use std::fmt;
use std::hash::Hash;

pub use zug_report::{Claim, Outcome, Stats, StopReason};

/// A place on the solution where the heuristic promises less than it should: it is not
/// admissible, and nothing is known about optimality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overestimate<C> {
    /// Moves from the start; an index into [`Report::states`].
    pub step: usize,
    /// What the heuristic says of that state.
    pub estimate: C,
    /// What the solution found really costs from there.
    pub actual: C,
}

/// The result of a search over states `R` with costs `C`.
#[derive(Clone, Debug)]
pub struct Report<R, C> {
    /// The engine that searched.
    pub engine: Engine,
    /// How it ended.
    pub outcome: Outcome,
    /// What is said of it.
    pub claim: Claim,
    /// The cost of the path, if one was found.
    pub cost: Option<C>,
    /// The moves of the path, from the start to the goal; empty if none was found.
    pub path: Vec<MoveId>,
    /// The states along the path, the start and the goal included; empty if none was found.
    pub states: Vec<R>,
    /// No path is cheaper than this, given an admissible heuristic where one was used. `None`
    /// if the engine proves no bound or no path exists.
    pub lower_bound: Option<C>,
    /// The cost of the path is at most this many times the least, on the same condition; 1 for
    /// a cheapest path.
    pub factor: Option<f64>,
    /// Where the heuristic was seen to overestimate, if it was.
    pub overestimate: Option<Overestimate<C>>,
    /// The counts.
    pub stats: Stats,
}

impl<S: Clone + Eq + Hash + Send + Sync, C> Report<Plain<S>, C> {
    /// The report with the states of the [problem](super::Problem) itself.
    pub(super) fn plain(self) -> Report<S, C> {
        let Report { engine, outcome, claim, cost, path, states, .. } = self;
        let Report { lower_bound, factor, overestimate, stats, .. } = self;
        let states = states.into_iter().map(|Plain(state)| state).collect();
        Report {
            engine,
            outcome,
            claim,
            cost,
            path,
            states,
            lower_bound,
            factor,
            overestimate,
            stats,
        }
    }
}

/// An operation of the space failed, and the search with it.
#[derive(Clone, Debug)]
pub struct SearchError<E = Failure> {
    /// What the operation said.
    pub error: E,
    /// The operation.
    pub operation: Operation,
    /// The counts up to then.
    pub stats: Box<Stats>,
}

impl SearchError {
    /// The error of a space whose errors have this type.
    pub fn typed<E: Any>(self) -> SearchError<E> {
        SearchError { error: self.error.error(), operation: self.operation, stats: self.stats }
    }
}

impl<E: fmt::Display> fmt::Display for SearchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = match self.operation {
            Operation::Goal => "the goal test",
            Operation::Successors => "a move",
            Operation::Heuristic => "the heuristic",
            Operation::Rule => "a rule",
        };
        write!(f, "{operation} failed: {}", self.error)
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for SearchError<E> {}

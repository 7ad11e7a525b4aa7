//! What a search found, and what it took.

use super::problem::Problem;
use crate::Engine;
use std::fmt;

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

/// The result of a search; see [`ReportOf`].
#[derive(Clone, Debug)]
pub struct Report<M, C, S> {
    /// The engine that searched.
    pub engine: Engine,
    /// How it ended.
    pub outcome: Outcome,
    /// What is said of it.
    pub claim: Claim,
    /// The cost of the path, if one was found.
    pub cost: Option<C>,
    /// The moves of the path, from the start to the goal; empty if none was found.
    pub path: Vec<M>,
    /// The states along the path, the start and the goal included; empty if none was found.
    pub states: Vec<S>,
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

/// The result of a search in problem `P`.
pub type ReportOf<P> = Report<<P as Problem>::Move, <P as Problem>::Cost, <P as Problem>::State>;

/// Which operation of a problem failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// [`Problem::is_goal`].
    Goal,
    /// [`Problem::successors`].
    Successors,
    /// [`Problem::heuristic`].
    Heuristic,
}

/// An operation of the problem failed, and the search with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchError<E> {
    /// What the operation said.
    pub error: E,
    /// The operation.
    pub operation: Operation,
    /// The counts up to then.
    pub stats: Box<Stats>,
}

impl<E: fmt::Display> fmt::Display for SearchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = match self.operation {
            Operation::Goal => "the goal test",
            Operation::Successors => "a move",
            Operation::Heuristic => "the heuristic",
        };
        write!(f, "{operation} failed: {}", self.error)
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for SearchError<E> {}

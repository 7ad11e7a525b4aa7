//! What a search found, and what it took.

use std::fmt;
use std::time::Duration;

use super::problem::Problem;
use crate::Engine;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A path to a goal was found. [`Report::claim`] says whether none is cheaper.
    Solved,
    /// Nothing is left to be searched: no goal can be reached from the start, as far as
    /// [`Report::claim`] says.
    Exhausted,
    /// The search ended before it could tell.
    Stopped(StopReason),
}

/// What a search says of its result: that no path is cheaper than the one found, or that no goal
/// can be reached where none was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Nothing: a path was found, and there may be cheaper ones; or the search was stopped.
    #[default]
    Nothing,
    /// It is so: only the moves, their costs and the goals of the problem went in.
    Proved,
    /// It is so if the heuristic is admissible: never above the cost to a nearest goal, and
    /// infinite only where no goal can be reached. The engine takes its word.
    IfAdmissible,
}

/// What stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// [`Limits::nodes`](super::Limits::nodes) expansions were made.
    Nodes,
    /// Every path was followed as far as [`Limits::depth`](super::Limits::depth) allows, and
    /// some go on.
    Depth,
    /// [`Limits::time`](super::Limits::time) is over.
    Time,
    /// [`Limits::memory`](super::Limits::memory) is reached, or the states can no longer be
    /// numbered in 32 bits.
    Memory,
    /// [`Limits::cancel`](super::Limits::cancel) was set.
    Cancelled,
    /// The beam ran empty after it had discarded states.
    Width,
    /// The heuristic says of a state that no goal can be reached from it, and one can: that
    /// nothing is left to be searched says nothing.
    Heuristic,
    /// A game came back to a state it had been in, and the engine was to follow every play to
    /// its end.
    Cycle,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "nodes",
            Self::Depth => "depth",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Cancelled => "cancelled",
            Self::Width => "width",
            Self::Heuristic => "heuristic",
            Self::Cycle => "cycle",
        })
    }
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States whose successors were generated, each time it was done.
    pub expanded: u64,
    /// Successors that came out of expansions; the start is not counted. Tree searches
    /// (`dfs`, `iddfs`, `idastar`) count each as its turn comes, and do not count going
    /// straight back to the state before.
    pub generated: u64,
    /// Calls of the heuristic.
    pub evaluated: u64,
    /// States expanded before and put back on the open list because a cheaper path to them
    /// was found. More than zero only if the heuristic is inconsistent or weighted.
    pub reopened: u64,
    /// States that the heuristic declared hopeless, each time it did.
    pub dead_ends: u64,
    /// The greatest number of states waiting to be expanded.
    pub peak_open: u64,
    /// The greatest number of moves from the start to a state reached.
    pub max_depth: u32,
    /// Iterations of iterative deepening, layers of a beam; 1 elsewhere, 0 if the start is a
    /// goal.
    pub iterations: u32,
    /// The most bytes held at a time by states, nodes and the open list.
    pub peak_memory_bytes: usize,
    /// Wall-clock time.
    pub elapsed: Duration,
}

impl Stats {
    /// Expansions a second.
    pub fn nodes_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.expanded as f64 / seconds } else { 0.0 }
    }
}

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

//! What searches take: [`Stats`] in a puzzle, [`GameStats`] in a game.

use serde::{Serialize, Serializer};
use std::time::Duration;

/// A time in seconds, to the microsecond.
pub fn round_seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// A time as a number of seconds.
///
/// # Errors
/// Those of the serializer.
pub fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(round_seconds(*time))
}

/// Something a second.
fn rate(count: u64, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Wall-clock time, in seconds.
    #[serde(rename = "elapsed_seconds", serialize_with = "seconds")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub elapsed: Duration,
    /// The most bytes held at a time by states, nodes and the open list, with the tables of a heuristic that was
    /// derived from the rules.
    pub peak_memory_bytes: usize,
}

impl Stats {
    /// Counts what another search did; the time it took is another matter.
    pub fn add(&mut self, other: &Stats) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.evaluated += other.evaluated;
        self.reopened += other.reopened;
        self.dead_ends += other.dead_ends;
        self.peak_open = self.peak_open.max(other.peak_open);
        self.max_depth = self.max_depth.max(other.max_depth);
        self.iterations = self.iterations.saturating_add(other.iterations);
        self.peak_memory_bytes = self.peak_memory_bytes.max(other.peak_memory_bytes);
    }

    /// Expansions a second.
    pub fn nodes_per_second(&self) -> f64 {
        rate(self.expanded, self.elapsed)
    }
}

/// The counts of a search in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameStats {
    /// Nodes of the search tree visited, the root included; for `solve_game` the states.
    pub nodes: u64,
    /// States whose moves were asked of the game.
    pub states: u64,
    /// Nodes whose value stood in the transposition table.
    pub table_hits: u64,
    /// Nodes where the moves that were left could not matter.
    pub cutoffs: u64,
    /// The greatest number of moves from the root to a node.
    pub max_depth: u32,
    /// Iterations of iterative deepening; 1 elsewhere.
    pub iterations: u32,
    /// Wall-clock time, in seconds.
    #[serde(rename = "elapsed_seconds", serialize_with = "seconds")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub elapsed: Duration,
    /// The most bytes held at a time.
    pub peak_memory_bytes: usize,
}

impl GameStats {
    /// Nodes a second.
    pub fn nodes_per_second(&self) -> f64 {
        rate(self.nodes, self.elapsed)
    }
}

//! What the engines called in a query did, for the report under its answer.

use crate::search::{Engine, Outcome, Stats};

/// One call of an engine predicate.
#[derive(Clone, Debug)]
pub struct EngineRun {
    /// The engine.
    pub engine: Engine,
    /// The heuristic it used, if any.
    pub heuristic: Option<String>,
    /// How it ended; `None` if an error in a rule ended it.
    pub outcome: Option<Outcome>,
    /// The cost of the plan, as text.
    pub cost: Option<String>,
    /// Moves in the plan.
    pub moves: usize,
    /// No plan costs less, as text.
    pub lower_bound: Option<String>,
    /// The cost is at most this many times the least.
    pub factor: Option<f64>,
    /// Where the heuristic was seen to overestimate: step, estimate, cost from there.
    pub overestimate: Option<(usize, String, String)>,
    /// What went wrong, or in which rule and state a limit struck.
    pub remark: Option<String>,
    /// The counts.
    pub stats: Stats,
}

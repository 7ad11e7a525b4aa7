//! What a search may use ([`Limits`]), its parameters ([`Options`]), and how it is watched
//! ([`Observer`]).

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How much a search may use. Each limit that strikes gives a
/// [`StopReason`](super::StopReason) of its own.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The greatest number of expansions, over all iterations.
    pub nodes: Option<u64>,
    /// The greatest number of moves in a path: states at this depth are tested for the goal
    /// but not expanded. An engine that keeps one path to each state, the cheapest known, may
    /// miss a goal within this depth on a dearer and shorter one; it then reports
    /// [`StopReason::Depth`](super::StopReason::Depth).
    pub depth: Option<u32>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes held by states, nodes and the open list.
    pub memory: Option<usize>,
    /// Threads that may work at it; one if nothing is said. Who poses the problem has
    /// [copies](super::Fork) made for them.
    pub threads: Option<NonZeroUsize>,
    /// The search stops soon after this is set.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// How many threads may work at it.
    pub fn threads(&self) -> usize {
        self.threads.map_or(1, NonZeroUsize::get)
    }

    /// No limits.
    pub fn none() -> Self {
        Self::default()
    }
}

/// Parameters of engines; each engine reads those its
/// [`EngineInfo::parameters`](super::EngineInfo::parameters) lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Factor on the heuristic in `wastar`.
    pub weight: Weight,
    /// States that `beam` keeps at each depth.
    pub width: NonZeroUsize,
    /// States that are alike by the rules' own symmetries count as one: what poses the problem sees to it.
    pub symmetry: bool,
}

impl Options {
    /// The width of a beam unless another is asked for.
    pub const DEFAULT_WIDTH: NonZeroUsize = NonZeroUsize::new(100).expect("100 is not zero");
}

impl Default for Options {
    fn default() -> Self {
        Self { weight: Weight::default(), width: Self::DEFAULT_WIDTH, symmetry: false }
    }
}

/// A factor on the heuristic: finite, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Weight(f64);

impl Weight {
    /// The factor `weight`, if it is finite and at least 1.
    pub fn new(weight: f64) -> Option<Self> {
        (weight.is_finite() && weight >= 1.0).then_some(Self(weight))
    }

    /// The factor as a number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// 2: paths at most twice as dear as the cheapest.
impl Default for Weight {
    fn default() -> Self {
        Self(2.0)
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Expansions so far.
    pub expanded: u64,
    /// Successors generated so far.
    pub generated: u64,
    /// No path is cheaper than this: the least f on the open list, or the current bound of
    /// iterative deepening. `None` for engines that prove no bound.
    pub lower_bound: Option<f64>,
    /// Moves from the start to the state being expanded.
    pub depth: u32,
    /// Bytes held now.
    pub memory_bytes: usize,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Called now and then while a search runs: at most ten times a second.
pub type Observer<'a> = dyn FnMut(&Progress) + 'a;

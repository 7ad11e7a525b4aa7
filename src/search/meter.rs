//! Counts, limits and progress: every operation of a space is called through a [`Meter`].
//!
//! Cancellation, nodes and memory are checked at every expansion.

use super::clock::Began;
use super::cost::Cost;
use super::limits::{Limits, Observer, Progress};
use super::monitor::{self, Monitor, ToProgressEvent};
use super::numbered::Walked;
use super::progress::ProgressEvent;
use super::report::{Overestimate, SearchError, Stats, StopReason};
use super::space::{Batch, Failure, MoveId, Row, Space, StateId, Successors};

/// Why an engine does not go on: a limit, or what failed in an operation.
pub(super) type Halt = monitor::Halt<Failure>;

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Halt {
        Halt::Fail(failure)
    }
}

/// What an engine concluded.
pub(super) enum Verdict<R: Row, C: Cost> {
    Solved(Solution<R, C>),
    Exhausted,
    /// The space has found out otherwise that no goal can be reached.
    NoPlan,
    Incomplete(StopReason),
}

/// A path from the start to a goal.
pub(super) struct Solution<R: Row, C: Cost> {
    pub cost: C,
    pub moves: Vec<MoveId>,
    pub states: Vec<R>,
    /// No path is cheaper than this.
    pub lower_bound: Option<C>,
    pub overestimate: Option<Overestimate<C>>,
    /// All other paths were ruled out, whatever the heuristic says.
    pub is_cheapest: bool,
}

/// What the engine functions return.
pub(super) type Answer<R, C> = Result<Verdict<R, C>, Halt>;

/// The most operations between two polls of the clock.
const STRIDE_MOST: u32 = 256;

/// Runs the operations of a space, counting and watching the limits.
pub(super) struct Meter<'a, C> {
    pub stats: Stats,
    /// States with this many moves behind them are not expanded.
    pub depth_limit: u32,
    /// The best lower bound proved so far.
    pub lower_bound: Option<C>,
    /// The depth of the last expansion.
    depth: u32,
    monitor: Monitor<'a, Progress>,
}

impl ToProgressEvent for Progress {
    fn event(&self) -> ProgressEvent<'_> {
        ProgressEvent::Path(self)
    }
}

/// What meters of other threads are made of.
pub(super) struct MeterApart<'a> {
    depth_limit: u32,
    expansions: u64,
    memory: usize,
    began: Began<'a>,
}

impl<'a> MeterApart<'a> {
    /// A meter that has counted nothing.
    pub fn meter<C>(&self) -> Meter<'a, C> {
        Meter {
            stats: Stats::default(),
            depth_limit: self.depth_limit,
            lower_bound: None,
            depth: 0,
            monitor: Monitor::beside(self.began, (self.expansions, self.memory), STRIDE_MOST),
        }
    }
}

impl<'a, C: Cost> Meter<'a, C> {
    pub fn new(limits: &'a Limits, observer: Option<&'a mut Observer<'_>>) -> Self {
        Self {
            stats: Stats::default(),
            depth_limit: limits.depth.unwrap_or(u32::MAX),
            lower_bound: None,
            depth: 0,
            monitor: Monitor::new(limits, observer, STRIDE_MOST),
        }
    }

    /// What meters of other threads are made of, with the same limits but so many expansions.
    pub fn apart(&self, expansions: u64) -> MeterApart<'a> {
        let (depth_limit, began) = (self.depth_limit, self.monitor.began());
        MeterApart { depth_limit, expansions, memory: self.monitor.memory, began }
    }

    /// Records that no path is cheaper than `bound`.
    #[inline]
    pub fn raise(&mut self, bound: C) {
        if self.lower_bound.is_none_or(|known| known < bound) {
            self.lower_bound = Some(bound);
        }
    }

    /// Records that a state was reached at this depth.
    #[inline]
    pub fn reach(&mut self, depth: u32) {
        self.stats.max_depth = self.stats.max_depth.max(depth);
    }

    /// Records the number of states waiting.
    #[inline]
    pub fn open(&mut self, waiting: usize) {
        self.stats.peak_open = self.stats.peak_open.max(waiting as u64);
    }

    /// Records the bytes held.
    #[inline]
    pub fn hold(&mut self, memory: usize) {
        self.monitor.held = memory;
        self.stats.peak_memory_bytes = self.stats.peak_memory_bytes.max(memory);
    }

    /// A failed operation, with the counts up to then.
    pub fn failed(&self, error: Failure) -> SearchError {
        SearchError { operation: error.operation(), error, stats: Box::new(self.stats) }
    }

    /// Sets the final time.
    pub fn finish(&mut self) {
        self.stats.elapsed = self.monitor.elapsed();
    }

    /// Tests for the goal.
    #[inline(always)]
    pub fn goal<R: Row>(&mut self, space: &mut dyn Space<R, C>, state: &R) -> Result<bool, Halt> {
        self.poll()?;
        Ok(space.is_goal(state)?)
    }

    /// Evaluates the heuristic.
    #[inline]
    pub fn evaluate<R: Row>(
        &mut self,
        space: &mut dyn Space<R, C>,
        state: &R,
    ) -> Result<Option<C>, Halt> {
        self.estimate(space, state, None)
    }

    /// Evaluates the heuristic of a successor of a state, whose estimate is known.
    #[inline]
    pub fn estimate<R: Row>(
        &mut self,
        space: &mut dyn Space<R, C>,
        state: &R,
        after: Option<(&R, C)>,
    ) -> Result<Option<C>, Halt> {
        self.poll()?;
        let estimate = space.estimate(state, after);
        self.stats.evaluated += 1;
        let estimate = estimate?;
        debug_assert!(estimate.is_none_or(|h| h >= C::ZERO), "a negative estimate");
        self.stats.dead_ends += u64::from(estimate.is_none());
        Ok(estimate)
    }

    /// Whether a state at `depth` may be expanded, while `memory` bytes are held.
    #[inline(always)]
    pub fn admit(&mut self, depth: u32, memory: usize) -> Result<(), Halt> {
        self.depth = depth;
        self.hold(memory);
        if self.stats.expanded >= self.monitor.nodes {
            return Err(Halt::Stop(StopReason::Nodes));
        }
        if memory > self.monitor.memory {
            return Err(Halt::Stop(StopReason::Memory));
        }
        self.poll()
    }

    /// Appends the successors of a state to `out`. They are not counted as generated yet.
    #[inline(always)]
    pub fn generate<R: Row>(
        &mut self,
        space: &mut dyn Space<R, C>,
        state: &R,
        out: &mut Successors<R, C>,
    ) -> Result<(), Halt> {
        self.expand(space, Batch::of(state), out)
    }

    /// Appends the successors of a batch to `out`. They are not counted as generated yet.
    #[inline]
    pub fn expand<R: Row>(
        &mut self,
        space: &mut dyn Space<R, C>,
        batch: Batch<'_, R, C>,
        out: &mut Successors<R, C>,
    ) -> Result<(), Halt> {
        space.expand(batch, out)?;
        self.stats.expanded += batch.rows.len() as u64;
        debug_assert!(out.heads.iter().all(|head| head.cost >= C::ZERO), "a negative cost");
        Ok(())
    }

    /// Puts the successors of a state at `depth` in `out`, while `memory` bytes are held, for a
    /// graph search with `stored` states, which numbers the successors: all of them are
    /// generated.
    #[inline]
    pub fn expand_stored<R: Row>(
        &mut self,
        space: &mut dyn Space<R, C>,
        state: &R,
        depth: u32,
        (stored, memory): (usize, usize),
        out: &mut Successors<R, C>,
    ) -> Result<(), Halt> {
        self.admit(depth, memory)?;
        out.clear();
        self.generate(space, state, out)?;
        self.number(out.len() as u64, stored)
    }

    /// Records how many successors a graph search with `stored` states is to number.
    #[inline(always)]
    pub fn number(&mut self, generated: u64, stored: usize) -> Result<(), Halt> {
        self.stats.generated += generated;
        self.admit_numbers(generated as usize, stored)
    }

    /// Whether so many successors may be numbered, while `stored` states are.
    pub fn admit_numbers(&mut self, generated: usize, stored: usize) -> Result<(), Halt> {
        match stored + generated >= StateId::MAX as usize {
            true => Err(Halt::Stop(StopReason::Memory)),
            false => Ok(()),
        }
    }

    /// Records how far a walk over numbered states is, and looks whether time is over or it is cancelled.
    pub fn walked(&mut self, walked: &Walked) -> Result<(), StopReason> {
        (self.stats.expanded, self.stats.generated) = (walked.expanded, walked.generated);
        self.depth = walked.depth;
        self.poll_now()
    }

    /// Bytes that may be held beside those that are.
    pub fn free(&self) -> usize {
        self.monitor.memory.saturating_sub(self.monitor.held)
    }

    /// Whether so many states may be expanded in all.
    pub fn admits(&self, states: u64) -> bool {
        states <= self.monitor.nodes
    }

    /// How many more states may be expanded.
    pub fn expansions_left(&self) -> u64 {
        self.monitor.nodes.saturating_sub(self.stats.expanded)
    }

    /// Records what other threads did as well.
    pub fn count(&mut self, expanded: u64, generated: u64) {
        self.stats.expanded += expanded;
        self.stats.generated += generated;
    }

    /// Looks whether time is over or the search cancelled.
    #[inline(always)]
    pub fn poll(&mut self) -> Result<(), Halt> {
        if self.monitor.is_due() { self.poll_now().map_err(Halt::Stop) } else { Ok(()) }
    }

    #[cold]
    fn poll_now(&mut self) -> Result<(), StopReason> {
        self.monitor.poll(|memory_bytes, elapsed| Progress {
            expanded: self.stats.expanded,
            generated: self.stats.generated,
            lower_bound: self.lower_bound.map(C::as_f64),
            depth: self.depth,
            memory_bytes,
            elapsed,
        })
    }
}

/// The first of the counts of [`is_milestone`] beyond so many expansions.
pub fn next_milestone(expanded: u64) -> u64 {
    let places = (u64::BITS - expanded.leading_zeros()).saturating_sub(3);
    ((expanded >> places) + 1) << places
}

/// Whether so many expansions are one of the counts, four from each power of two to the next, at which a search asks
/// whether estimates say more now.
#[inline]
pub fn is_milestone(expanded: u64) -> bool {
    let places = u64::BITS - expanded.leading_zeros();
    expanded.trailing_zeros() + 3 >= places
}

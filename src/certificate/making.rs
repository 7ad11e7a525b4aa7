//! Making a closed list: [`close`].

use crate::closed::rounding;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use zug_search::{Cost, Limits, Problem, StateId, StateStore, StopReason, SuccessorOf};

/// Expansions between two looks at the clock.
const STRIDE: u64 = 64;
/// States whose successors are looked up together. PERF: the store fetches what it needs for all of them at once.
const BATCH: usize = 32;

/// What list is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Closing<'a, C> {
    /// All paths that cost less than this are to be followed; `None`: all paths.
    pub below: Option<C>,
    /// States are left out, too, whose path cost and estimate come to the bound, or whose estimate is infinite.
    pub informed: bool,
    /// What it may use.
    pub limits: &'a Limits,
}

/// Why there is no list.
#[derive(Debug)]
pub enum CloseError<C, E, W> {
    /// A path to a goal costs so much, which is less than the bound.
    Goal(C),
    /// A limit struck.
    Stopped(StopReason),
    /// The problem failed.
    Failed(E),
    /// The receiver failed.
    Unwritten(W),
}

/// A list in the making.
struct Open<'a, P: Problem> {
    closing: Closing<'a, P::Cost>,
    store: P::Store,
    /// The least path cost known of each state.
    costs: Vec<P::Cost>,
    /// By path cost, the states that are to be expanded. PERF: there are few costs, so that a heap would be slower.
    open: BTreeMap<P::Cost, Vec<StateId>>,
    /// How many these are.
    waiting: usize,
    began: Instant,
    expanded: u64,
    /// Scratch: what a state leads to.
    next: Vec<SuccessorOf<P>>,
}

type Ended<P, W> = CloseError<<P as Problem>::Cost, <P as Problem>::Error, W>;

/// Finds all states that paths below a bound lead to, each with the least cost of a path, in order of cost; none of them
/// is a goal. States of the same cost are handed over together: how many there are in all.
///
/// # Errors
/// See [`CloseError`]; states may have been handed over before.
pub fn close<P: Problem, W>(
    problem: &mut P,
    start: &P::State,
    closing: Closing<'_, P::Cost>,
    mut layer: impl FnMut(&mut P, P::Cost, Vec<P::State>) -> Result<(), W>,
) -> Result<u64, Ended<P, W>> {
    let mut open = Open::<P> {
        closing,
        store: problem.new_store(),
        costs: Vec::new(),
        open: BTreeMap::new(),
        waiting: 0,
        began: Instant::now(),
        expanded: 0,
        next: Vec::new(),
    };
    open.reach(problem, start, P::Cost::ZERO)?;
    let mut same: Vec<StateId> = Vec::new();
    let mut cost = P::Cost::ZERO;
    while let Some((g, ids)) = open.open.pop_first() {
        open.waiting -= ids.len();
        if g > cost && !same.is_empty() {
            let states = same.drain(..).map(|id| open.store.state(id)).collect();
            layer(problem, cost, states).map_err(CloseError::Unwritten)?;
        }
        cost = g;
        for ids in ids.chunks(BATCH) {
            open.expand(problem, g, ids, &mut same)?;
        }
    }
    if !same.is_empty() {
        let states = same.into_iter().map(|id| open.store.state(id)).collect();
        layer(problem, cost, states).map_err(CloseError::Unwritten)?;
    }
    Ok(open.expanded)
}

impl<P: Problem> Open<'_, P> {
    /// Expands states of a path cost, those that are reached for less left out; `same` are those that are.
    fn expand<W>(
        &mut self,
        problem: &mut P,
        g: P::Cost,
        ids: &[StateId],
        same: &mut Vec<StateId>,
    ) -> Result<(), Ended<P, W>> {
        let mut next = std::mem::take(&mut self.next);
        for &id in ids {
            if g > self.costs[id as usize] {
                continue;
            }
            self.look_at_limits()?;
            let state = self.store.state(id);
            if problem.is_goal(&state).map_err(CloseError::Failed)? {
                return Err(CloseError::Goal(g));
            }
            problem.successors(&state, &mut next).map_err(CloseError::Failed)?;
            same.push(id);
            self.expanded += 1;
        }
        self.store.prepare(next.iter().map(|successor| &successor.state));
        for successor in next.drain(..) {
            self.reach(problem, &successor.state, g.plus(successor.cost))?;
        }
        self.next = next;
        Ok(())
    }

    /// A path leads to a state.
    fn reach<W>(
        &mut self,
        problem: &mut P,
        state: &P::State,
        g: P::Cost,
    ) -> Result<(), Ended<P, W>> {
        let rounding = rounding(self.costs.len());
        let comes_to = |cost: P::Cost| {
            self.closing.below.is_some_and(|below| !below.exceeds_by(cost, rounding))
        };
        if comes_to(g) {
            return Ok(());
        }
        if self.closing.informed && self.store.find(state).is_none() {
            let estimate = problem.heuristic(state).map_err(CloseError::Failed)?;
            let Some(h) = estimate else { return Ok(()) };
            if comes_to(g.plus(h)) {
                return Ok(());
            }
        }
        let (id, new) = self.store.intern(state);
        if new {
            self.costs.push(g);
        } else if g < self.costs[id as usize] {
            self.costs[id as usize] = g;
        } else {
            return Ok(());
        }
        self.open.entry(g).or_default().push(id);
        self.waiting += 1;
        Ok(())
    }

    fn look_at_limits<W>(&self) -> Result<(), Ended<P, W>> {
        let limits = self.closing.limits;
        let bytes = self.store.bytes()
            + self.costs.capacity() * size_of::<P::Cost>()
            + self.open.len() * size_of::<(P::Cost, Vec<StateId>)>()
            + self.waiting * size_of::<StateId>();
        let reason = if limits.cancel.as_ref().is_some_and(|flag| flag.load(Relaxed)) {
            StopReason::Cancelled
        } else if limits.memory.is_some_and(|most| bytes > most) {
            StopReason::Memory
        } else if self.expanded.is_multiple_of(STRIDE)
            && limits.time.is_some_and(|time| self.began.elapsed() >= time)
        {
            StopReason::Time
        } else {
            return Ok(());
        };
        Err(CloseError::Stopped(reason))
    }
}

//! Making a closed list: [`close`].

use crate::closed::rounding;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use zug_search::{
    Batch, Cost, Failure, Limits, Row, Space, StateId, StateStore, StopReason, Successors,
};

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
pub enum CloseError<C, W> {
    /// A path to a goal costs so much, which is less than the bound.
    Goal(C),
    /// A limit struck.
    Stopped(StopReason),
    /// The problem failed.
    Failed(Failure),
    /// The receiver failed.
    Unwritten(W),
}

/// A list in the making.
struct Open<'a, R: Row, C: Cost> {
    closing: Closing<'a, C>,
    store: R::Store,
    /// The least path cost known of each state.
    costs: Vec<C>,
    /// By path cost, the states that are to be expanded. PERF: there are few costs, so that a heap would be slower.
    open: BTreeMap<C, Vec<StateId>>,
    /// How many these are.
    waiting: usize,
    began: Instant,
    expanded: u64,
    /// Scratch: what a state leads to.
    next: Successors<R, C>,
}

/// Finds all states that paths below a bound lead to, each with the least cost of a path, in order of cost; none of them
/// is a goal. States of the same cost are handed over together: how many there are in all.
///
/// # Errors
/// See [`CloseError`]; states may have been handed over before.
pub fn close<R: Row, C: Cost, P: Space<R, C>, W>(
    problem: &mut P,
    start: &R,
    closing: Closing<'_, C>,
    mut layer: impl FnMut(&mut P, C, Vec<R>) -> Result<(), W>,
) -> Result<u64, CloseError<C, W>> {
    let mut open = Open::<R, C> {
        closing,
        store: R::Store::default(),
        costs: Vec::new(),
        open: BTreeMap::new(),
        waiting: 0,
        began: Instant::now(),
        expanded: 0,
        next: Successors::default(),
    };
    open.reach(problem, start, C::ZERO)?;
    let mut same: Vec<StateId> = Vec::new();
    let mut cost = C::ZERO;
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

impl<R: Row, C: Cost> Open<'_, R, C> {
    /// Expands states of a path cost, those that are reached for less left out; `same` are those that are.
    fn expand<W>(
        &mut self,
        problem: &mut dyn Space<R, C>,
        g: C,
        ids: &[StateId],
        same: &mut Vec<StateId>,
    ) -> Result<(), CloseError<C, W>> {
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
            problem.expand(Batch::of(&state), &mut next).map_err(CloseError::Failed)?;
            same.push(id);
            self.expanded += 1;
        }
        self.store.prepare(next.rows.iter());
        for (head, state) in next.drain() {
            self.reach(problem, &state, g.plus(head.cost))?;
        }
        self.next = next;
        Ok(())
    }

    /// A path leads to a state.
    fn reach<W>(
        &mut self,
        problem: &mut dyn Space<R, C>,
        state: &R,
        g: C,
    ) -> Result<(), CloseError<C, W>> {
        let rounding = rounding(self.costs.len());
        let comes_to =
            |cost: C| self.closing.below.is_some_and(|below| !below.exceeds_by(cost, rounding));
        if comes_to(g) {
            return Ok(());
        }
        if self.closing.informed && self.store.find(state).is_none() {
            let estimate = problem.estimate(state, None).map_err(CloseError::Failed)?;
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

    fn look_at_limits<W>(&self) -> Result<(), CloseError<C, W>> {
        let limits = self.closing.limits;
        let bytes = self.store.bytes()
            + self.costs.capacity() * size_of::<C>()
            + self.open.len() * size_of::<(C, Vec<StateId>)>()
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

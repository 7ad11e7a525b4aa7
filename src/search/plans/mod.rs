//! All cheapest plans of a space, and how many there are: [`cheapest_plans`].
//!
//! Uniform-cost search goes on to the end of the least cost at which a goal is found; no estimate
//! is asked for, so the cost is proved. The moves that lie on a cheapest way form a graph, the
//! [`PlanGraph`]. Where it has no cycles the ways through it are counted from its end (the number
//! of a state is the sum of those its moves lead to), however many there are. Moves that cost
//! nothing can make cycles: their components are gone through path by path, the rest is counted.
//!
//! # What a plan is
//!
//! A sequence of moves that ends at the first goal it comes to and meets no state twice. Two plans
//! are different if at some place their moves have different labels or lead to different states.
//! Answers that repeat a move, its label and state, add no plan.
//!
//! With costs that are floats, plans are equally cheap that differ by no more than rounding does
//! ([`Cost::exceeds`]).
//!
//! ```
//! use num_bigint::BigUint;
//! use zug_search::{Digraph, Limits, cheapest_plans};
//!
//! // Two ways of cost 2 and one of cost 3.
//! let edges = [(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 1), (0, 3, 3)];
//! let mut space = Digraph::new(&edges, &[3]);
//! let found = cheapest_plans(&mut space, &0, true, &Limits::none(), None)?;
//! assert_eq!(found.cost, Some(2));
//! assert_eq!(found.count.map(|count| count.plans), Some(BigUint::from(2u8)));
//! # Ok::<(), zug_search::SearchError>(())
//! ```

mod count;
mod graph;

pub use count::PlanCount;
pub(crate) use graph::Link;
pub use graph::{PlanGraph, PlanMove, PlanWalk};

use super::cost::Cost;
use super::limits::{Limits, Observer};
use super::meter::{Halt, Meter};
use super::report::{Outcome, SearchError, Stats};
use super::space::{MoveId, Row, Space, StateId, StateStore, Successors};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What there is of cheapest plans.
pub struct CheapestPlans<R: Row, C: Cost> {
    /// How it ended. Stopped, there may be a cost nevertheless: it is the least then, and only how
    /// many plans there are is open.
    pub outcome: Outcome,
    /// The least cost of a plan.
    pub cost: Option<C>,
    /// No plan costs less.
    pub lower_bound: Option<C>,
    /// All that lies on cheapest plans, if all of it was found.
    pub graph: Option<PlanGraph<MoveId, R, C>>,
    /// How many there are, if that was asked for.
    pub count: Option<PlanCount>,
    /// The counts.
    pub stats: Stats,
}

/// Finds all cheapest plans from a start, and counts them if that is asked for.
///
/// # Errors
/// The failure of an operation of the space. No estimate is evaluated.
pub fn cheapest_plans<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    start: &R,
    counted: bool,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<CheapestPlans<R, C>, SearchError> {
    search(space, start, (counted, false), limits, observer)
}

/// Counts all cheapest plans from a start, guided by the heuristic: what is found is so if that
/// never overestimates. It need not be consistent.
///
/// # Errors
/// The failure of an operation of the space.
pub(crate) fn cheapest_plans_by_estimate<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    start: &R,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<CheapestPlans<R, C>, SearchError> {
    search(space, start, (true, true), limits, observer)
}

fn search<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    start: &R,
    (counted, informed): (bool, bool),
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<CheapestPlans<R, C>, SearchError> {
    let mut meter = Meter::new(limits, observer);
    let mut frontier = Frontier::new(informed);
    let ended = frontier.search(space, start, &mut meter);
    let mut found = CheapestPlans {
        outcome: Outcome::Exhausted,
        cost: frontier.best,
        lower_bound: frontier.best.or(meter.lower_bound),
        graph: None,
        count: None,
        stats: Stats::default(),
    };
    let ended = match ended {
        Ok(()) if found.cost.is_none() => Ok(()),
        Ok(()) => {
            found.outcome = Outcome::Solved;
            let graph = frontier.graph();
            let watch = &mut || meter.poll();
            let count = if counted { Some(graph.count(limits.nodes, watch)) } else { None };
            found.graph = Some(graph);
            match count {
                Some(Ok(count)) => {
                    if let Some(reason) = count.stopped {
                        found.outcome = Outcome::Stopped(reason);
                    }
                    found.count = Some(count);
                    Ok(())
                }
                Some(Err(halt)) => Err(halt),
                None => Ok(()),
            }
        }
        Err(halt) => Err(halt),
    };
    meter.finish();
    match ended {
        Ok(()) => {}
        Err(Halt::Stop(reason)) => found.outcome = Outcome::Stopped(reason),
        Err(Halt::Fail(failure)) => return Err(meter.failed(failure)),
    }
    found.stats = meter.stats;
    Ok(found)
}

/// Uniform-cost search, or A\*, that keeps every move which may lie on a cheapest way.
struct Frontier<R: Row, C: Cost> {
    store: R::Store,
    /// The heuristic is asked.
    informed: bool,
    /// What it says of each state, if it is asked; `None` where no goal can be reached.
    estimates: Vec<Option<C>>,
    /// The least cost known of each state.
    costs: Vec<C>,
    /// Moves that were on a cheapest way to their state when they were met; those of one state
    /// stand together, unless it was expanded several times.
    links: Vec<Link<MoveId, C>>,
    /// What each link's way costs up to its end.
    through: Vec<C>,
    /// The goals of the least cost.
    goals: Vec<StateId>,
    best: Option<C>,
    open: BinaryHeap<Reverse<(C, StateId)>>,
}

impl<R: Row, C: Cost> Frontier<R, C> {
    fn new(informed: bool) -> Self {
        Frontier {
            store: R::Store::default(),
            informed,
            estimates: Vec::new(),
            costs: Vec::new(),
            links: Vec::new(),
            through: Vec::new(),
            goals: Vec::new(),
            best: None,
            open: BinaryHeap::new(),
        }
    }

    fn search(
        &mut self,
        space: &mut dyn Space<R, C>,
        start: &R,
        meter: &mut Meter<'_, C>,
    ) -> Result<(), Halt> {
        let (id, _) = self.store.intern(start);
        self.costs.push(C::ZERO);
        self.estimate(space, meter, start)?;
        self.wait(id);
        meter.stats.iterations = 1;
        let mut out = Successors::default();
        let mut expanded: Vec<bool> = Vec::new();
        while let Some(Reverse((least, id))) = self.open.pop() {
            let at = id as usize;
            expanded.resize(self.costs.len(), false);
            // A cheaper way was found, or two of the same cost.
            if Some(least) != self.least(id) || expanded[at] {
                continue;
            }
            expanded[at] = true;
            if self.best.is_some_and(|best| least.exceeds(best)) {
                break;
            }
            if self.best.is_none() {
                meter.raise(least);
            }
            let state = self.store.state(id);
            let cost = self.costs[at];
            if meter.goal(space, &state)? {
                self.end_in(id, cost);
                continue;
            }
            let held = (self.store.len(), self.bytes());
            meter.expand_stored(space, &state, 0, held, &mut out)?;
            self.store.prepare(out.rows.iter());
            for (head, state) in out.drain() {
                let (to, new) = self.store.intern(&state);
                let through = cost.plus(head.cost);
                if new {
                    self.costs.push(through);
                    self.estimate(space, meter, &state)?;
                }
                let known = &mut self.costs[to as usize];
                if to == id || through.exceeds(*known) {
                    continue;
                }
                if new || through < *known {
                    *known = through;
                    if let Some(expanded) = expanded.get_mut(to as usize) {
                        *expanded = false;
                    }
                    self.wait(to);
                }
                self.links.push(Link { from: id, mv: head.mv, cost: head.cost, to });
                self.through.push(through);
            }
            meter.open(self.open.len());
        }
        meter.hold(self.bytes());
        Ok(())
    }

    /// Asks the heuristic of a new state, if it is to be asked.
    fn estimate(
        &mut self,
        space: &mut dyn Space<R, C>,
        meter: &mut Meter<'_, C>,
        state: &R,
    ) -> Result<(), Halt> {
        if self.informed {
            self.estimates.push(meter.evaluate(space, state)?);
        }
        Ok(())
    }

    /// The least that a plan through a state costs, as far as is known; `None` if there is none.
    fn least(&self, id: StateId) -> Option<C> {
        let cost = self.costs[id as usize];
        if self.informed { Some(cost.plus(self.estimates[id as usize]?)) } else { Some(cost) }
    }

    /// Puts a state on the open list, unless the heuristic says that no cheapest plan leads
    /// through it.
    fn wait(&mut self, id: StateId) {
        let Some(least) = self.least(id) else { return };
        let is_dearer = self.best.is_some_and(|best| least.exceeds(best));
        if !(self.informed && is_dearer) {
            self.open.push(Reverse((least, id)));
        }
    }

    /// Takes note of a goal. Only a heuristic that overestimates lets a cheaper one come later.
    fn end_in(&mut self, id: StateId, cost: C) {
        if self.best.is_some_and(|best| best.exceeds(cost)) {
            self.best = None;
            self.goals.clear();
        }
        let best = *self.best.get_or_insert(cost);
        if !cost.exceeds(best) {
            self.goals.push(id);
        }
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
            + self.costs.capacity() * size_of::<C>()
            + self.estimates.capacity() * size_of::<Option<C>>()
            + self.links.capacity() * size_of::<Link<MoveId, C>>()
            + self.through.capacity() * size_of::<C>()
            + self.open.capacity() * size_of::<Reverse<(C, StateId)>>()
    }

    /// What lies on cheapest ways to the goals.
    fn graph(self) -> PlanGraph<MoveId, R, C> {
        let Frontier { store, informed, costs, links, through, goals, .. } = self;
        let links = links
            .into_iter()
            .zip(through)
            .filter(|(link, through)| !through.exceeds(costs[link.to as usize]));
        let mut links: Vec<_> = links.map(|(link, _)| link).collect();
        if informed {
            links.sort_by_key(|link| link.from);
        }
        PlanGraph::new(costs.len(), links, &goals, |id| store.state(id))
    }
}

#[cfg(test)]
mod tests;

//! All cheapest plans of a problem, and how many there are: [`cheapest_plans`].
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
//! let mut problem = Digraph::new(&edges, &[3]);
//! let found = cheapest_plans(&mut problem, &0, true, &Limits::none(), None)?;
//! assert_eq!(found.cost, Some(2));
//! assert_eq!(found.count.map(|count| count.plans), Some(BigUint::from(2u8)));
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

mod count;
mod graph;

pub use count::PlanCount;
pub use graph::{PlanGraph, PlanMove, PlanWalk};

use super::cost::Cost;
use super::limits::{Limits, Observer};
use super::meter::{Halt, Meter};
use super::problem::{Problem, StateId, StateStore};
use super::report::{Outcome, SearchError, Stats};
use graph::Link;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What there is of cheapest plans.
pub struct CheapestPlans<P: Problem> {
    /// How it ended. Stopped, there may be a cost nevertheless: it is the least then, and only how
    /// many plans there are is open.
    pub outcome: Outcome,
    /// The least cost of a plan.
    pub cost: Option<P::Cost>,
    /// No plan costs less.
    pub lower_bound: Option<P::Cost>,
    /// All that lies on cheapest plans, if all of it was found.
    pub graph: Option<PlanGraph<P::Move, P::State, P::Cost>>,
    /// How many there are, if that was asked for.
    pub count: Option<PlanCount>,
    /// The counts.
    pub stats: Stats,
}

/// Finds all cheapest plans from a start, and counts them if that is asked for.
///
/// # Errors
/// The failure of an operation of the problem. No estimate is asked for.
pub fn cheapest_plans<P: Problem<Move: Eq>>(
    problem: &mut P,
    start: &P::State,
    counted: bool,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<CheapestPlans<P>, SearchError<P::Error>> {
    let mut meter = Meter::new(limits, observer);
    let mut frontier = Frontier::new(problem);
    let ended = frontier.search(problem, start, &mut meter);
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
            let watch = &mut || meter.poll::<P::Error>();
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
        Err(Halt::Fail((operation, error))) => {
            return Err(SearchError { error, operation, stats: Box::new(meter.stats) });
        }
    }
    found.stats = meter.stats;
    Ok(found)
}

/// Uniform-cost search that keeps every move which may lie on a cheapest way.
struct Frontier<P: Problem> {
    store: P::Store,
    /// The least cost known of each state.
    costs: Vec<P::Cost>,
    /// Moves that were on a cheapest way to their state when they were met; those of one state
    /// stand together.
    links: Vec<Link<P::Move, P::Cost>>,
    /// What each link's way costs up to its end.
    through: Vec<P::Cost>,
    /// The goals of the least cost.
    goals: Vec<StateId>,
    best: Option<P::Cost>,
    open: BinaryHeap<Reverse<(P::Cost, StateId)>>,
}

impl<P: Problem<Move: Eq>> Frontier<P> {
    fn new(problem: &P) -> Self {
        Frontier {
            store: problem.new_store(),
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
        problem: &mut P,
        start: &P::State,
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<(), Halt<P::Error>> {
        let (id, _) = self.store.intern(start);
        self.costs.push(P::Cost::ZERO);
        self.open.push(Reverse((P::Cost::ZERO, id)));
        meter.stats.iterations = 1;
        let mut out = Vec::new();
        let mut expanded: Vec<bool> = Vec::new();
        while let Some(Reverse((cost, id))) = self.open.pop() {
            let at = id as usize;
            expanded.resize(self.costs.len(), false);
            // A cheaper way was found, or two of the same cost.
            if cost != self.costs[at] || expanded[at] {
                continue;
            }
            expanded[at] = true;
            if self.best.is_some_and(|best| cost.exceeds(best)) {
                break;
            }
            if self.best.is_none() {
                meter.raise(cost);
            }
            let state = self.store.state(id);
            if meter.goal(problem, &state)? {
                self.best.get_or_insert(cost);
                self.goals.push(id);
                continue;
            }
            let held = (self.store.len(), self.bytes());
            meter.expand_stored(problem, &state, 0, held, &mut out)?;
            self.store.prepare(out.iter().map(|successor| &successor.state));
            for successor in out.drain(..) {
                let (to, new) = self.store.intern(&successor.state);
                let through = cost.plus(successor.cost);
                if new {
                    self.costs.push(through);
                }
                let known = &mut self.costs[to as usize];
                if to == id || through.exceeds(*known) {
                    continue;
                }
                if new || through < *known {
                    *known = through;
                    self.open.push(Reverse((through, to)));
                }
                self.links.push(Link { from: id, mv: successor.mv, cost: successor.cost, to });
                self.through.push(through);
            }
            meter.open(self.open.len());
        }
        meter.hold(self.bytes());
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
            + self.costs.capacity() * size_of::<P::Cost>()
            + self.links.capacity() * size_of::<Link<P::Move, P::Cost>>()
            + self.through.capacity() * size_of::<P::Cost>()
            + self.open.capacity() * size_of::<Reverse<(P::Cost, StateId)>>()
    }

    /// What lies on cheapest ways to the goals.
    fn graph(self) -> PlanGraph<P::Move, P::State, P::Cost> {
        let Frontier { store, costs, links, through, goals, .. } = self;
        let links = links
            .into_iter()
            .zip(through)
            .filter(|(link, through)| !through.exceeds(costs[link.to as usize]));
        let links = links.map(|(link, _)| link).collect();
        PlanGraph::new(costs.len(), links, &goals, |id| store.state(id))
    }
}

#[cfg(test)]
mod tests;

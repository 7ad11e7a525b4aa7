//! `lazy`: lazy greedy best-first search with preferred moves, some path where estimates are expensive.
//!
//! A state is estimated when it is expanded, not when it is found: until then it waits with the estimate of the state
//! that it was found from. Moves that an estimate itself suggests are *preferred*
//! ([`Space::is_preferred`](super::Space::is_preferred)); their states wait on a second open list too. The lists take
//! turns; whenever an expanded state has the least estimate so far, the preferred one is ahead by [`BOOST`] turns.
//! A [second estimate](super::Space::second_estimate) has two lists of its own. Heuristics without preferred moves, or
//! without another estimate, leave these lists empty.
//!
//! S. Richter, M. Helmert: *Preferred operators and deferred evaluation in satisficing planning*. ICAPS 2009; the turns
//! as in S. Richter, M. Westphal: *The LAMA planner*. JAIR 39, 2010.
//!
//! ```
//! use zug_search::{Claim, Digraph, Engine, Limits, Options, run};
//!
//! let mut graph = Digraph::new(&[(0, 1, 9), (1, 3, 9), (0, 2, 1), (2, 3, 1)], &[3])
//!     .with_heuristic(&[Some(2), Some(0), Some(1), Some(0)]);
//! let report = run(Engine::Lazy, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.claim, Claim::Nothing);
//! assert_eq!(report.states, [0, 2, 3]);
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::best_first::Order;
use super::cost::Cost;
use super::greedy::LeastH;
use super::info::{EngineInfo, Guarantee};
use super::limits::Options;
use super::meter::{Answer, Halt, Meter, Solution, Verdict};
use super::open_list::{Key, OpenList};
use super::report::StopReason;
use super::space::{MoveId, Row, Space, StateId, StateStore, Successors};
use super::team::Team;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "lazy",
    title: "lazy greedy best-first search",
    summary: "some path, with few estimates, first by the moves they prefer",
    guarantee: Guarantee::None,
    complete: true,
    informed: true,
    parameters: &[],
    memory: "all states found",
    threads: false,
    when: "any plan will do, and estimates take time",
    reference: "Richter, Helmert 2009",
};

/// The turns by which progress advances the list of preferred states.
const BOOST: u64 = 1000;

/// What is known of a stored state.
struct Node<C> {
    g: C,
    /// The cost of the move from the parent.
    cost: C,
    parent: StateId,
    depth: u32,
    is_closed: bool,
    is_dead: bool,
    is_preferred: bool,
}

/// An open list and the turns it had.
struct Waiting<K> {
    list: OpenList<K>,
    turns: u64,
}

impl<K: Key> Waiting<K> {
    fn new() -> Self {
        Waiting { list: OpenList::new(), turns: BOOST }
    }
}

/// A lazy search in some order.
pub(super) struct Search<'p, R: Row, C: Cost, O: Order<C>> {
    space: &'p mut dyn Space<R, C>,
    order: O,
    /// Only paths that cost less are of use.
    below: Option<C>,
    store: R::Store,
    /// By state number.
    nodes: Vec<Node<C>>,
    /// The move that leads to state `i + 1` from its parent; state 0 is the start.
    moves: Vec<MoveId>,
    /// By estimate, the first one or the second, all states that wait, and those that are preferred.
    lists: [[Waiting<O::Key>; 2]; 2],
    /// States neither expanded nor dead.
    open: usize,
    /// The least estimates of an expanded state.
    least: [Option<C>; 2],
}

pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    Search::new(&mut *team.main, LeastH, None).run(start, meter)
}

impl<'p, R: Row, C: Cost, O: Order<C>> Search<'p, R, C, O> {
    pub fn new(space: &'p mut dyn Space<R, C>, order: O, below: Option<C>) -> Self {
        Search {
            space,
            order,
            below,
            store: R::Store::default(),
            nodes: Vec::new(),
            moves: Vec::new(),
            lists: std::array::from_fn(|_| [Waiting::new(), Waiting::new()]),
            open: 0,
            least: [None; 2],
        }
    }

    /// Searches for a path that costs less than the bound. Exhausted: there is none, if closed states are opened again.
    pub fn run(&mut self, start: &R, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        let (id, _) = self.store.intern(start);
        self.record(id, (C::ZERO, C::ZERO), (id, 0));
        if self.below.is_none_or(|below| C::ZERO < below) && meter.goal(self.space, start)? {
            return Ok(self.solved(id, meter));
        }
        meter.stats.iterations += 1;
        self.lists[0][0].list.push(self.order.key(C::ZERO, C::ZERO), id);
        let (mut out, mut preferred) = (Successors::default(), Vec::new());
        let mut is_cut = false;
        while let Some(id) = self.next() {
            let state = self.store.state(id);
            let Node { parent, depth, .. } = self.nodes[id as usize];
            let before = (parent != id).then(|| self.store.state(parent));
            let Some(h) = meter.estimate(self.space, &state, None)? else {
                self.nodes[id as usize].is_dead = true;
                continue;
            };
            let estimates = [Some(h), self.space.second_estimate(&state, before.as_ref())];
            let is_progress = |(least, h): (&Option<C>, &Option<C>)| {
                h.is_some_and(|h| least.is_none_or(|least| h < least))
            };
            if self.least.iter().zip(&estimates).any(is_progress) {
                for [_, preferred] in &mut self.lists {
                    preferred.turns = preferred.turns.saturating_sub(BOOST);
                }
            }
            for (least, h) in self.least.iter_mut().zip(estimates) {
                *least = (*least).into_iter().chain(h).min();
            }
            if depth >= meter.depth_limit {
                is_cut = true;
                continue;
            }
            let held = (self.store.len(), self.bytes());
            meter.expand_stored(self.space, &state, depth, held, &mut out)?;
            // What is preferred is known of the state that was estimated last.
            preferred.clear();
            preferred.extend(out.rows.iter().map(|row| self.space.is_preferred(row)));
            if let Some(goal) =
                self.take_successors((id, estimates), &mut out, &preferred, meter)?
            {
                return Ok(self.solved(goal, meter));
            }
            meter.open(self.open);
        }
        Ok(match is_cut {
            true => Verdict::Incomplete(StopReason::Depth),
            false => Verdict::Exhausted,
        })
    }

    /// Takes the next state from the list whose turn it is.
    fn next(&mut self) -> Option<StateId> {
        loop {
            let mut lists: [_; 4] = std::array::from_fn(|at| at);
            let all = self.lists.as_flattened_mut();
            lists.sort_by_key(|&list| all[list].turns);
            let next = lists.into_iter().find_map(|list| Some((list, all[list].list.pop()?)));
            let (list, id) = next?;
            let node = &mut self.nodes[id as usize];
            if !std::mem::replace(&mut node.is_closed, true) {
                all[list].turns += 1;
                self.open -= 1;
                return Some(id);
            }
        }
    }

    /// Records the successors of a state that are of use, up to the first goal among them.
    fn take_successors(
        &mut self,
        (parent, estimates): (StateId, [Option<C>; 2]),
        out: &mut Successors<R, C>,
        preferred: &[bool],
        meter: &mut Meter<'_, C>,
    ) -> Result<Option<StateId>, Halt> {
        let Node { g, depth, .. } = self.nodes[parent as usize];
        for ((head, state), &is_preferred) in out.drain().zip(preferred) {
            let g = g.plus(head.cost);
            if self.below.is_some_and(|below| below <= g) {
                continue;
            }
            let (id, is_new) = self.store.intern(&state);
            if is_new {
                self.moves.push(head.mv);
                self.record(id, (g, head.cost), (parent, depth + 1));
            } else {
                let node = &mut self.nodes[id as usize];
                let is_cheaper = g < node.g && (O::REOPEN || !node.is_closed);
                // A state that waits may be found again by a move that is preferred.
                let is_better = is_preferred && !node.is_preferred && !node.is_closed;
                if node.is_dead || !(is_cheaper || is_better) {
                    continue;
                }
                if is_cheaper {
                    self.open += usize::from(node.is_closed);
                    let is_preferred = node.is_preferred && !node.is_closed;
                    *node = Node {
                        g,
                        cost: head.cost,
                        parent,
                        depth: depth + 1,
                        is_closed: false,
                        is_dead: false,
                        is_preferred,
                    };
                    self.moves[id as usize - 1] = head.mv;
                }
            }
            meter.reach(depth + 1);
            if meter.goal(self.space, &state)? {
                return Ok(Some(id));
            }
            let node = &mut self.nodes[id as usize];
            node.is_preferred |= is_preferred;
            for ([all, preferred], h) in self.lists.iter_mut().zip(estimates) {
                let Some(h) = h else { continue };
                let key = self.order.key(node.g, h);
                all.list.push(key, id);
                if node.is_preferred {
                    preferred.list.push(key, id);
                }
            }
        }
        Ok(None)
    }

    fn record(&mut self, id: StateId, (g, cost): (C, C), (parent, depth): (StateId, u32)) {
        debug_assert_eq!(id as usize, self.nodes.len(), "states are numbered as they are found");
        self.nodes.push(Node {
            g,
            cost,
            parent,
            depth,
            is_closed: false,
            is_dead: false,
            is_preferred: false,
        });
        self.open += 1;
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
            + self.nodes.capacity() * size_of::<Node<C>>()
            + self.moves.capacity() * size_of::<MoveId>()
            + self.lists.iter().flatten().map(|waiting| waiting.list.bytes()).sum::<usize>()
    }

    /// The path to a goal. A state on it may have been found to be cheaper since: moves are added up.
    fn solved(&self, goal: StateId, meter: &mut Meter<'_, C>) -> Verdict<R, C> {
        meter.hold(self.bytes());
        let (mut along, mut at) = (vec![goal], goal);
        while at != 0 {
            at = self.nodes[at as usize].parent;
            along.push(at);
        }
        along.reverse();
        let costs = along.iter().map(|&id| self.nodes[id as usize].cost);
        Verdict::Solved(Solution {
            cost: costs.fold(C::ZERO, C::plus),
            moves: along[1..].iter().map(|&id| self.moves[id as usize - 1]).collect(),
            states: along.iter().map(|&id| self.store.state(id)).collect(),
            lower_bound: None,
            overestimate: None,
            is_cheapest: false,
        })
    }
}

//! `lazy`: lazy greedy best-first search with preferred moves, some path where estimates are expensive.
//!
//! A state is estimated when it is expanded, not when it is found: until then it waits with the estimate of the state
//! that it was found from. Moves that an estimate itself suggests are *preferred*
//! ([`Space::is_preferred`](super::Space::is_preferred)); their states wait on a second open list too. The lists take
//! turns; whenever an expanded state has the least estimate so far, the preferred one is ahead by [`BOOST`] turns.
//! Heuristics without preferred moves leave the second list empty.
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

use super::cost::Cost;
use super::info::{EngineInfo, Guarantee};
use super::limits::Options;
use super::meter::{Answer, Halt, Meter, Solution, Verdict};
use super::open_list::OpenList;
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
    parent: StateId,
    depth: u32,
    is_closed: bool,
}

/// An open list and the turns it had.
struct Waiting<C: Cost> {
    list: OpenList<(C, C)>,
    turns: u64,
}

impl<C: Cost> Waiting<C> {
    fn new() -> Self {
        Waiting { list: OpenList::new(), turns: BOOST }
    }
}

struct Search<'p, R: Row, C: Cost> {
    space: &'p mut dyn Space<R, C>,
    store: R::Store,
    /// By state number.
    nodes: Vec<Node<C>>,
    /// The move that leads to state `i + 1` from its parent; state 0 is the start.
    moves: Vec<MoveId>,
    all: Waiting<C>,
    preferred: Waiting<C>,
    /// States neither expanded nor dead.
    open: usize,
    /// The least estimate of an expanded state.
    least: Option<C>,
}

pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    let mut search = Search {
        space: &mut *team.main,
        store: R::Store::default(),
        nodes: Vec::new(),
        moves: Vec::new(),
        all: Waiting::new(),
        preferred: Waiting::new(),
        open: 0,
        least: None,
    };
    search.run(start, meter)
}

impl<R: Row, C: Cost> Search<'_, R, C> {
    fn run(&mut self, start: &R, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        let (id, _) = self.store.intern(start);
        self.record(id, (C::ZERO, id, 0));
        if meter.goal(self.space, start)? {
            return Ok(self.solved(id, meter));
        }
        meter.stats.iterations = 1;
        self.all.list.push((C::ZERO, C::ZERO), id);
        let (mut out, mut preferred) = (Successors::default(), Vec::new());
        let mut is_cut = false;
        while let Some(id) = self.next() {
            let state = self.store.state(id);
            let Some(h) = meter.evaluate(self.space, &state)? else { continue };
            if self.least.is_none_or(|least| h < least) {
                self.least = Some(h);
                self.preferred.turns = self.preferred.turns.saturating_sub(BOOST);
            }
            let depth = self.nodes[id as usize].depth;
            if depth >= meter.depth_limit {
                is_cut = true;
                continue;
            }
            let held = (self.store.len(), self.bytes());
            meter.expand_stored(self.space, &state, depth, held, &mut out)?;
            // What is preferred is known of the state that was estimated last.
            preferred.clear();
            preferred.extend(out.rows.iter().map(|row| self.space.is_preferred(row)));
            if let Some(goal) = self.take_successors((id, h), &mut out, &preferred, meter)? {
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
            let [first, second] = match self.preferred.turns < self.all.turns {
                true => [&mut self.preferred, &mut self.all],
                false => [&mut self.all, &mut self.preferred],
            };
            let (id, from) = match first.list.pop() {
                Some(id) => (id, first),
                None => (second.list.pop()?, second),
            };
            let node = &mut self.nodes[id as usize];
            if !std::mem::replace(&mut node.is_closed, true) {
                from.turns += 1;
                self.open -= 1;
                return Some(id);
            }
        }
    }

    /// Records the successors of a state that are new, up to the first goal among them.
    fn take_successors(
        &mut self,
        (parent, h): (StateId, C),
        out: &mut Successors<R, C>,
        preferred: &[bool],
        meter: &mut Meter<'_, C>,
    ) -> Result<Option<StateId>, Halt> {
        let Node { g, depth, .. } = self.nodes[parent as usize];
        for ((head, state), &preferred) in out.drain().zip(preferred) {
            let (id, new) = self.store.intern(&state);
            if !new {
                continue;
            }
            let g = g.plus(head.cost);
            self.moves.push(head.mv);
            self.record(id, (g, parent, depth + 1));
            meter.reach(depth + 1);
            if meter.goal(self.space, &state)? {
                return Ok(Some(id));
            }
            self.all.list.push((h, g), id);
            if preferred {
                self.preferred.list.push((h, g), id);
            }
        }
        Ok(None)
    }

    fn record(&mut self, id: StateId, (g, parent, depth): (C, StateId, u32)) {
        debug_assert_eq!(id as usize, self.nodes.len(), "states are numbered as they are found");
        self.nodes.push(Node { g, parent, depth, is_closed: false });
        self.open += 1;
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
            + self.nodes.capacity() * size_of::<Node<C>>()
            + self.moves.capacity() * size_of::<MoveId>()
            + self.all.list.bytes()
            + self.preferred.list.bytes()
    }

    /// The path to a goal.
    fn solved(&self, goal: StateId, meter: &mut Meter<'_, C>) -> Verdict<R, C> {
        meter.hold(self.bytes());
        let (mut along, mut at) = (vec![goal], goal);
        while at != 0 {
            at = self.nodes[at as usize].parent;
            along.push(at);
        }
        along.reverse();
        Verdict::Solved(Solution {
            cost: self.nodes[goal as usize].g,
            moves: along[1..].iter().map(|&id| self.moves[id as usize - 1]).collect(),
            states: along.iter().map(|&id| self.store.state(id)).collect(),
            lower_bound: None,
            overestimate: None,
        })
    }
}

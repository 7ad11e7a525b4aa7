//! `beam`: beam search, some path in little time and memory, without a guarantee.
//!
//! Goes through the space layer by layer and keeps of each layer only the states of least h;
//! among equals those of least g, then those found first. A state that was discarded may come
//! back in a later layer; one that was expanded may not, so the search ends on a finite space.
//! If it ends without a goal and every state it ever saw was expanded, the space is exhausted;
//! otherwise it stops for want of width.
//!
//! Parameters: [`Options::width`](super::Options::width).
//!
//! B. T. Lowerre: *The Harpy speech recognition system*. Carnegie Mellon University, 1976.
//! Russell & Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, §4.1.3.
//!
//! ```
//! use std::num::NonZeroUsize;
//! use zug_search::{Digraph, Engine, Limits, Options, Outcome, StopReason, run};
//!
//! // The better estimate leads into a dead end.
//! let mut graph = Digraph::new(&[(0, 1, 1), (0, 2, 1), (2, 3, 1)], &[3])
//!     .with_heuristic(&[Some(2), Some(0), Some(1), Some(0)]);
//! let narrow = Options { width: NonZeroUsize::MIN, ..Options::default() };
//! let report = run(Engine::Beam, &mut graph, &0, &narrow, &Limits::none(), None)?;
//! assert_eq!(report.outcome, Outcome::Stopped(StopReason::Width));
//! let report = run(Engine::Beam, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.states, [0, 2, 3]);
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::cost::Cost;
use super::info::{EngineInfo, Guarantee};
use super::limits::Options;
use super::meter::{Answer, Halt, Meter, Solution, Verdict};
use super::report::StopReason;
use super::space::{MoveId, Row, Space, StateId, StateStore, Successors};
use super::team::Team;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "beam",
    title: "beam search",
    summary: "some path, keeping only the `width` best states of each layer",
    guarantee: Guarantee::None,
    complete: false,
    informed: true,
    parameters: &["width"],
    memory: "width times depth",
    threads: false,
    when: "the space is huge",
    reference: "Lowerre 1976",
};

/// Where a stored state stands.
#[derive(Clone, Copy, PartialEq)]
enum Status {
    /// Generated in a layer and discarded, unless that layer is the one being made.
    Seen,
    /// In the beam, now or before.
    Kept,
    /// No goal can be reached from it.
    Dead,
}

/// What is known of a stored state.
struct Node<C> {
    g: C,
    h: C,
    parent: StateId,
    /// The layer it was last a candidate for.
    layer: u32,
    status: Status,
}

struct Search<'p, R: Row, C: Cost> {
    space: &'p mut dyn Space<R, C>,
    store: R::Store,
    /// By state number.
    nodes: Vec<Node<C>>,
    /// The move that leads to state `i + 1` from its parent; state 0 is the start.
    moves: Vec<MoveId>,
    /// The layer being made, in order of arrival.
    candidates: Vec<StateId>,
    /// States neither expanded nor dead.
    unexpanded: usize,
}

pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    options: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    let store = R::Store::default();
    let (nodes, moves) = (Vec::new(), Vec::new());
    let mut search = Search {
        space: &mut *team.main,
        store,
        nodes,
        moves,
        candidates: Vec::new(),
        unexpanded: 0,
    };
    search.run(start, options.width.get(), meter)
}

impl<R: Row, C: Cost> Search<'_, R, C> {
    fn run(&mut self, start: &R, width: usize, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        let (id, _) = self.store.intern(start);
        if meter.goal(self.space, start)? {
            self.record(id, C::ZERO, Some(C::ZERO), id, 0);
            return Ok(self.solved(id));
        }
        let h = meter.evaluate(self.space, start)?;
        self.record(id, C::ZERO, h, id, 0);
        let mut out = Successors::default();
        let mut beam = Vec::new();
        let mut depth = 0;
        while self.select(width, &mut beam) {
            if depth >= meter.depth_limit {
                return Ok(Verdict::Incomplete(StopReason::Depth));
            }
            meter.stats.iterations += 1;
            for &id in &beam {
                let state = self.store.state(id);
                let held = (self.store.len(), self.bytes());
                meter.expand_stored(self.space, &state, depth, held, &mut out)?;
                self.unexpanded -= 1;
                if let Some(goal) = self.take_successors(id, depth + 1, &mut out, meter)? {
                    meter.hold(self.bytes());
                    return Ok(self.solved(goal));
                }
            }
            meter.open(self.candidates.len());
            depth += 1;
        }
        Ok(match self.unexpanded {
            0 => Verdict::Exhausted,
            _ => Verdict::Incomplete(StopReason::Width),
        })
    }

    /// Moves the best candidates to the beam; false if there are none.
    fn select(&mut self, width: usize, beam: &mut Vec<StateId>) -> bool {
        beam.clear();
        let nodes = &mut self.nodes;
        self.candidates.sort_by_key(|&id| (nodes[id as usize].h, nodes[id as usize].g));
        self.candidates.truncate(width);
        for &id in &self.candidates {
            nodes[id as usize].status = Status::Kept;
        }
        std::mem::swap(beam, &mut self.candidates);
        !beam.is_empty()
    }

    /// Records the successors of a state, up to the first goal among them.
    fn take_successors(
        &mut self,
        parent: StateId,
        layer: u32,
        out: &mut Successors<R, C>,
        meter: &mut Meter<'_, C>,
    ) -> Result<Option<StateId>, Halt> {
        for (head, state) in out.drain() {
            let g = self.nodes[parent as usize].g.plus(head.cost);
            let (id, new) = self.store.intern(&state);
            if new {
                self.moves.push(head.mv);
                meter.reach(layer);
                if meter.goal(self.space, &state)? {
                    self.record(id, g, Some(C::ZERO), parent, layer);
                    return Ok(Some(id));
                }
                let h = meter.evaluate(self.space, &state)?;
                self.record(id, g, h, parent, layer);
                continue;
            }
            let node = &mut self.nodes[id as usize];
            let comes_back = node.layer != layer;
            if node.status == Status::Seen && (comes_back || g < node.g) {
                (node.g, node.parent, node.layer) = (g, parent, layer);
                self.moves[id as usize - 1] = head.mv;
                if comes_back {
                    self.candidates.push(id);
                }
            }
        }
        Ok(None)
    }

    /// Records a new state, as a candidate unless it is hopeless.
    fn record(&mut self, id: StateId, g: C, h: Option<C>, parent: StateId, layer: u32) {
        let status = if h.is_some() { Status::Seen } else { Status::Dead };
        if h.is_some() {
            self.candidates.push(id);
            self.unexpanded += 1;
        }
        self.nodes.push(Node { g, h: h.unwrap_or(C::ZERO), parent, layer, status });
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
            + self.nodes.capacity() * size_of::<Node<C>>()
            + self.moves.capacity() * size_of::<MoveId>()
            + self.candidates.capacity() * size_of::<StateId>()
    }

    fn solved(&self, goal: StateId) -> Verdict<R, C> {
        let mut along = vec![goal];
        let mut at = goal;
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
            is_cheapest: false,
        })
    }
}

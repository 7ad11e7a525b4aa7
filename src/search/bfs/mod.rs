//! `bfs`: breadth-first search, a path of fewest moves.
//!
//! States are expanded in the order in which they were found, and a goal is recognised when
//! it is generated. The open list takes no memory of its own: it is the states numbered from
//! the next one on.
//!
//! A path of fewest moves is a cheapest path if it costs no more than its number of moves
//! times the least cost of a move. To know that least cost the search goes on, after a goal
//! is found at depth d, to expand the other states at depth d − 1, as long as the proof can
//! succeed; [`Problem::least_move_cost`] saves it that.
//!
//! E. F. Moore: The shortest path through a maze. *Proceedings of the International Symposium
//! on the Theory of Switching*, 1959. Russell & Norvig, *Artificial Intelligence: A Modern
//! Approach*, 4th edition, §3.4.1.
//!
//! ```
//! use zug_search::{Claim, Digraph, Engine, Limits, Options, run};
//!
//! let mut graph = Digraph::new(&[(0, 1, 1), (1, 2, 1), (0, 2, 5)], &[2]);
//! let report = run(Engine::Bfs, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.claim, Claim::Nothing);
//! assert_eq!((report.cost, report.states), (Some(5), vec![0, 2]));
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

mod by_crew;

use crate::cost::Cost;
use crate::fork::Crew;
use crate::limits::Options;
use crate::meter::{Answer, Halt, Meter, Solution, Verdict};
use crate::problem::{Problem, StateId, StateStore, SuccessorOf};
use crate::registry::{EngineInfo, Guarantee};
use crate::report::StopReason;

pub(crate) const INFO: EngineInfo = EngineInfo {
    name: "bfs",
    title: "breadth-first search",
    summary: "a path of fewest moves",
    guarantee: Guarantee::FewestMoves,
    complete: true,
    informed: false,
    parameters: &[],
    memory: "all states found",
    threads: true,
    when: "all moves cost the same",
    reference: "Moore 1959",
};

/// What is known of a stored state.
struct Node<C> {
    g: C,
    parent: StateId,
}

/// What is known of the costs of moves.
struct Costs<C> {
    /// No move costs less.
    least: C,
    /// The least cost of a move so far.
    cheapest: Option<C>,
}

impl<C: Cost> Costs<C> {
    fn of<P: Problem<Cost = C>>(problem: &P) -> Costs<C> {
        Costs { least: problem.least_move_cost(), cheapest: None }
    }

    /// Records the cost of a move.
    #[inline]
    fn see(&mut self, cost: C) {
        self.cheapest = Some(self.cheapest.map_or(cost, |least| least.min(cost)));
    }

    /// Whether going on cannot change what is proved of a goal of this cost at this depth.
    fn are_decisive(&self, cost: C, depth: u32) -> bool {
        let proved = self.lower_bound(depth, false) >= cost;
        let hopeless = self.cheapest.is_some_and(|seen| times(seen, depth) < cost);
        proved || hopeless
    }

    /// What a path to a goal costs at least, if the fewest moves are `depth`. The first
    /// `depth` moves of any path start above that depth, where all moves have been seen if
    /// the layer is finished, and all but the last have been seen if not.
    fn lower_bound(&self, depth: u32, finished: bool) -> C {
        let seen = self.cheapest.unwrap_or(self.least);
        match depth {
            0 => C::ZERO,
            _ if finished => times(seen, depth),
            _ => times(seen, depth - 1).plus(self.least).max(times(self.least, depth)),
        }
    }
}

struct Search<'p, P: Problem> {
    problem: &'p mut P,
    store: P::Store,
    /// By state number.
    nodes: Vec<Node<P::Cost>>,
    /// The move that leads to state `i + 1` from its parent; state 0 is the start.
    moves: Vec<P::Move>,
    costs: Costs<P::Cost>,
    /// The first goal, and its depth.
    goal: Option<(StateId, u32)>,
    /// All states above the goal have been expanded.
    finished: bool,
}

pub(crate) fn search<P: Problem>(
    problem: &mut P,
    start: &P::State,
    _: &Options,
    meter: &mut Meter<'_, P::Cost>,
) -> Answer<P> {
    let mut crew = Crew::of(problem);
    if !crew.is_alone() {
        let ended = by_crew::search(problem, &mut crew, start, meter);
        crew.disband(problem);
        return ended;
    }
    let (store, costs) = (problem.new_store(), Costs::of(problem));
    let mut search = Search {
        problem,
        store,
        nodes: Vec::new(),
        moves: Vec::new(),
        costs,
        goal: None,
        finished: false,
    };
    let ended = search.run(start, meter);
    meter.hold(search.bytes());
    match (ended, search.goal) {
        (Ok(_) | Err(Halt::Stop(_)), Some((goal, depth))) => Ok(search.solved(goal, depth)),
        (ended, _) => ended,
    }
}

impl<P: Problem> Search<'_, P> {
    /// Searches until a goal is found and nothing more can be proved of it, or to the end.
    fn run(&mut self, start: &P::State, meter: &mut Meter<'_, P::Cost>) -> Answer<P> {
        let (id, _) = self.store.intern(start);
        self.nodes.push(Node { g: P::Cost::ZERO, parent: id });
        if meter.goal(self.problem, start)? {
            self.goal = Some((id, 0));
            return Ok(Verdict::Exhausted);
        }
        meter.stats.iterations = 1;
        let mut out = Vec::new();
        let (mut next, mut depth, mut layer_end) = (0, 0, 1);
        while next < self.nodes.len() && self.goal.is_none_or(|(_, found)| depth < found) {
            if depth >= meter.depth_limit {
                return Ok(Verdict::Incomplete(StopReason::Depth));
            }
            let state = self.store.state(next as StateId);
            let held = (self.nodes.len(), self.bytes());
            meter.expand_stored(self.problem, &state, depth, held, &mut out)?;
            self.take_successors(next as StateId, depth + 1, &mut out, meter)?;
            if let Some((goal, found)) = self.goal
                && self.costs.are_decisive(self.nodes[goal as usize].g, found)
            {
                return Ok(Verdict::Exhausted);
            }
            next += 1;
            meter.open(self.nodes.len() - next);
            if next == layer_end {
                depth += 1;
                layer_end = self.nodes.len();
            }
        }
        self.finished = true;
        Ok(Verdict::Exhausted)
    }

    fn take_successors(
        &mut self,
        parent: StateId,
        depth: u32,
        out: &mut Vec<SuccessorOf<P>>,
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<(), Halt<P::Error>> {
        let before = self.store.state(self.nodes[parent as usize].parent);
        self.store.prepare(out.iter().map(|successor| &successor.state));
        for successor in out.drain(..) {
            let cost = successor.cost;
            self.costs.see(cost);
            // With a goal in hand only the costs still matter; the state before is known.
            if self.goal.is_some() || successor.state == before {
                continue;
            }
            let (id, new) = self.store.intern(&successor.state);
            if new {
                let g = self.nodes[parent as usize].g.plus(cost);
                self.nodes.push(Node { g, parent });
                self.moves.push(successor.mv);
                meter.reach(depth);
                if meter.goal(self.problem, &successor.state)? {
                    self.goal = Some((id, depth));
                }
            }
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
            + self.nodes.capacity() * size_of::<Node<P::Cost>>()
            + self.moves.capacity() * size_of::<P::Move>()
    }

    fn solved(&self, goal: StateId, depth: u32) -> Verdict<P> {
        let mut along = vec![goal];
        let mut at = goal;
        while at != 0 {
            at = self.nodes[at as usize].parent;
            along.push(at);
        }
        along.reverse();
        let cost = self.nodes[goal as usize].g;
        Verdict::Solved(Solution {
            cost,
            moves: along[1..].iter().map(|&id| self.moves[id as usize - 1].clone()).collect(),
            states: along.iter().map(|&id| self.store.state(id)).collect(),
            lower_bound: Some(self.costs.lower_bound(depth, self.finished)),
            overestimate: None,
        })
    }
}

/// `count` times `cost`.
pub(crate) fn times<C: Cost>(cost: C, count: u32) -> C {
    (0..count).fold(C::ZERO, |sum, _| sum.plus(cost))
}

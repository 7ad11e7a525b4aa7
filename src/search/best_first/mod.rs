//! Best-first search over interned states: the common body of `astar`, `wastar`, `greedy`
//! and `ucs`.
//!
//! Each of them is an [`Order`]: which open state comes next, and what may be concluded. The
//! [open list](crate::open_list) holds state numbers by key; where a cheaper path to an open
//! state is found the state is pushed again, and what is left of it on the list is dropped when
//! it surfaces (Russell & Norvig, *Artificial Intelligence: A Modern Approach*, §3.4; lazy
//! deletion). Among equal keys the state pushed last comes first.
//!
//! A state is described by one [`Node`] (24 bytes with 64-bit costs), its move, and its place
//! in the store.

mod by_crew;

use crate::cost::Cost;
use crate::fork::Crew;
use crate::meter::{Answer, Halt, Meter, Solution, Verdict, is_milestone};
use crate::open_list::{Key, OpenList};
use crate::path::{cheapest_steps, overestimate};
use crate::problem::{
    Problem, Refined, StateId, StateStore, SuccessorOf, VisitedSuccessors, Visitor,
};
use crate::report::{Operation, StopReason};
use crate::store::make_room;

/// An order of expansion and what follows from it.
pub(crate) trait Order<C: Cost>: Sync {
    /// Smaller keys first.
    type Key: Key;
    /// The heuristic is called.
    const INFORMED: bool;
    /// Closed states reached by a cheaper path are opened again. An order without it proves no
    /// bound.
    const REOPEN: bool;
    /// Keys order by g + h, so the state taken from the open list bounds the cost of every
    /// path from below.
    const BEST_BOUND: bool;
    /// The goal is tested when a state is generated instead of when it is expanded.
    const EARLY_GOAL: bool;

    /// The key of a state with cost `g` from the start and estimate `h`.
    fn key(&self, g: C, h: C) -> Self::Key;
}

/// After so many expansions, and whenever they have doubled, estimates may be refined.
const REFINED: u64 = 1 << 8;

/// Set in [`Node::flags`] while the state is not on the open list.
const CLOSED: u32 = 1 << 31;
/// Set in [`Node::flags`] if no goal can be reached from the state.
const DEAD: u32 = 1 << 30;
/// The number of moves from the start.
const DEPTH: u32 = DEAD - 1;

/// What is known of a stored state.
#[derive(Clone, Copy)]
struct Node<C> {
    /// The least cost from the start that is known.
    g: C,
    /// The estimate; zero in a blind search.
    h: C,
    /// The state before this one on that path; itself for the start.
    parent: StateId,
    /// Depth, [`CLOSED`] and [`DEAD`].
    flags: u32,
}

impl<C> Node<C> {
    fn depth(&self) -> u32 {
        self.flags & DEPTH
    }

    fn is_closed(&self) -> bool {
        self.flags & CLOSED != 0
    }
}

/// A successor whose estimate is known.
struct Valued<P: Problem> {
    mv: P::Move,
    cost: P::Cost,
    state: P::State,
    h: P::Cost,
}

/// Collects successors whose estimates are known, but for those that go straight back.
struct SuccessorCollector<'a, P: Problem> {
    found: &'a mut Vec<Valued<P>>,
    before: P::State,
    /// All of them.
    generated: u64,
}

impl<P: Problem> Visitor<P> for SuccessorCollector<'_, P> {
    #[inline(always)]
    fn visit(&mut self, mv: P::Move, cost: P::Cost, state: P::State, h: P::Cost) -> bool {
        self.generated += 1;
        let wanted = state != self.before;
        if wanted {
            self.found.push(Valued { mv, cost, state, h });
        }
        wanted
    }
}

/// A best-first search under way.
struct Search<'p, P: Problem, O: Order<P::Cost>> {
    problem: &'p mut P,
    order: O,
    store: P::Store,
    /// By state number.
    nodes: Vec<Node<P::Cost>>,
    /// The move that leads to state `i + 1` from its parent; state 0 is the start.
    moves: Vec<P::Move>,
    list: OpenList<O::Key>,
    /// States that are open: the list also holds remains.
    open: usize,
    /// The least f of a state that the depth bound kept from being expanded.
    cut: Option<P::Cost>,
}

/// Searches from `start` in the given order.
pub(crate) fn search<P: Problem, O: Order<P::Cost>>(
    problem: &mut P,
    start: &P::State,
    order: O,
    meter: &mut Meter<'_, P::Cost>,
) -> Answer<P> {
    if O::BEST_BOUND && !O::EARLY_GOAL {
        let mut crew = Crew::of(problem);
        if !crew.is_alone() {
            let answer = by_crew::search(problem, &mut crew, start, order, meter);
            crew.disband(problem);
            return answer;
        }
    }
    let store = problem.new_store();
    let mut search = Search {
        problem,
        order,
        store,
        nodes: Vec::new(),
        moves: Vec::new(),
        list: OpenList::new(),
        open: 0,
        cut: None,
    };
    search.run(start, meter)
}

impl<P: Problem, O: Order<P::Cost>> Search<'_, P, O> {
    fn run(&mut self, start: &P::State, meter: &mut Meter<'_, P::Cost>) -> Answer<P> {
        let (id, _) = self.store.intern(start);
        let goal = meter.goal(self.problem, start)?;
        if goal {
            self.nodes.push(Node { g: P::Cost::ZERO, h: P::Cost::ZERO, parent: id, flags: CLOSED });
            return self.solved(id, meter);
        }
        meter.stats.iterations = 1;
        let h =
            if O::INFORMED { meter.evaluate(self.problem, start)? } else { Some(P::Cost::ZERO) };
        self.discover(id, h, id, 0, P::Cost::ZERO);
        let (mut out, mut known) = (Vec::new(), Vec::new());
        while let Some(id) = self.next() {
            let node = self.nodes[id as usize];
            if O::BEST_BOUND && self.cut.is_none() {
                meter.raise(node.g.plus(node.h));
            }
            let state = self.store.state(id);
            if !O::EARLY_GOAL && id != 0 && meter.goal(self.problem, &state)? {
                let answer = self.solved(id, meter)?;
                if self.within_depth(&answer, meter.depth_limit) {
                    return Ok(answer);
                }
                continue;
            }
            if node.depth() >= meter.depth_limit {
                self.cut_off(node.g.plus(node.h));
                continue;
            }
            meter.admit(node.depth(), self.bytes())?;
            let expanded = meter.stats.expanded;
            if O::REOPEN && O::INFORMED && expanded >= REFINED && is_milestone(expanded) {
                match self.refine(start, meter)? {
                    Refined::Same => {}
                    Refined::More => self.evaluate_anew(meter)?,
                    Refined::NoPlan => return Ok(Verdict::NoPlan),
                }
            }
            let informed = O::INFORMED && !O::EARLY_GOAL;
            if !(informed && self.expand_known((id, &node), &state, &mut known, meter)?) {
                meter.generate_stored(self.problem, &state, self.store.len(), &mut out)?;
                if let Some(goal) = self.take_successors(id, &state, &mut out, meter)? {
                    return self.solved(goal, meter);
                }
            }
            meter.open(self.open);
        }
        Ok(match self.cut {
            Some(_) => Verdict::Incomplete(StopReason::Depth),
            None => Verdict::Exhausted,
        })
    }

    /// What the problem has found out meanwhile.
    #[cold]
    fn refine(
        &mut self,
        start: &P::State,
        meter: &Meter<'_, P::Cost>,
    ) -> Result<Refined, Halt<P::Error>> {
        let refined = self.problem.refine(meter.stats.expanded, start, Some(&self.store));
        refined.map_err(|error| Halt::Fail((Operation::Heuristic, error)))
    }

    /// Asks for the estimates of all open states again, since they say more now. That of a closed state stays
    /// what it was: if the state is opened again, for a cheaper path, it comes early.
    #[cold]
    fn evaluate_anew(&mut self, meter: &mut Meter<'_, P::Cost>) -> Result<(), Halt<P::Error>> {
        self.list = OpenList::new();
        for id in 0..self.nodes.len() {
            if self.nodes[id].is_closed() {
                continue;
            }
            let state = self.store.state(id as StateId);
            let node = &mut self.nodes[id];
            match meter.evaluate(self.problem, &state)? {
                Some(h) => {
                    node.h = h;
                    let g = node.g;
                    self.push(id as StateId, g, h);
                }
                None => {
                    node.flags |= CLOSED | DEAD;
                    self.open -= 1;
                }
            }
        }
        Ok(())
    }

    /// Whether a solution has no more moves than allowed. It can have more if a state on it was
    /// opened again and not expanded since, for a path that is cheaper but longer.
    fn within_depth(&mut self, answer: &Verdict<P>, depth_limit: u32) -> bool {
        match answer {
            Verdict::Solved(solution) if solution.moves.len() > depth_limit as usize => {
                self.cut_off(solution.cost);
                false
            }
            _ => true,
        }
    }

    /// Records that paths of cost `f` or more were left out for their depth.
    fn cut_off(&mut self, f: P::Cost) {
        self.cut = Some(self.cut.map_or(f, |cut| cut.min(f)));
    }

    /// Takes the next state from the open list and closes it.
    fn next(&mut self) -> Option<StateId> {
        while let Some(id) = self.list.pop() {
            let node = &mut self.nodes[id as usize];
            if !node.is_closed() {
                node.flags |= CLOSED;
                self.open -= 1;
                return Some(id);
            }
        }
        None
    }

    /// Expands a state whose successors the problem knows with their estimates; false, and
    /// nothing was recorded, if it does not know all of them.
    // PERF: the way of nearly all expansions where estimates are sums that moves change.
    #[inline(always)]
    fn expand_known(
        &mut self,
        (id, node): (StateId, &Node<P::Cost>),
        state: &P::State,
        found: &mut Vec<Valued<P>>,
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<bool, Halt<P::Error>> {
        found.clear();
        let before = self.store.state(node.parent);
        let mut collector = SuccessorCollector { found, before, generated: 0 };
        if self.problem.visit_successors(state, node.h, &mut collector) != VisitedSuccessors::All {
            return Ok(false);
        }
        let generated = collector.generated;
        meter.stats.expanded += 1;
        meter.number(generated, self.store.len())?;
        self.store.prepare(found.iter().map(|successor| &successor.state));
        let depth = (node.depth() + 1).min(DEPTH);
        let known = self.nodes.len();
        for Valued { mv, cost, state, h } in found.drain(..) {
            debug_assert!(cost >= P::Cost::ZERO, "a negative cost");
            let g = node.g.plus(cost);
            let (to, new) = self.store.intern(&state);
            if new {
                make_room(&mut self.moves);
                self.moves.push(mv);
                self.discover(to, Some(h), id, depth, g);
            } else if self.improves(to, g) {
                self.improve(to, mv, (id, depth, g), meter);
            }
        }
        if self.nodes.len() > known {
            meter.stats.evaluated += (self.nodes.len() - known) as u64;
            meter.reach(depth);
        }
        Ok(true)
    }

    /// Records the successors of a state; a goal among them, if goals are tested early.
    fn take_successors(
        &mut self,
        parent: StateId,
        state: &P::State,
        out: &mut Vec<SuccessorOf<P>>,
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<Option<StateId>, Halt<P::Error>> {
        let Node { g: parent_g, h: parent_h, parent: before, flags } = self.nodes[parent as usize];
        let depth = ((flags & DEPTH) + 1).min(DEPTH);
        self.store.prepare(out.iter().map(|successor| &successor.state));
        let before = self.store.state(before);
        for successor in out.drain(..) {
            // PERF: no path that goes straight back is cheaper.
            if successor.state == before {
                continue;
            }
            let g = parent_g.plus(successor.cost);
            let (id, new) = self.store.intern(&successor.state);
            if new {
                make_room(&mut self.moves);
                self.moves.push(successor.mv);
                meter.reach(depth);
                if O::EARLY_GOAL && meter.goal(self.problem, &successor.state)? {
                    self.nodes.push(Node { g, h: P::Cost::ZERO, parent, flags: depth | CLOSED });
                    return Ok(Some(id));
                }
                let h = if O::INFORMED {
                    let to = (&successor.state, &successor.hint);
                    meter.evaluate_after(self.problem, (state, parent_h), to)?
                } else {
                    Some(P::Cost::ZERO)
                };
                self.discover(id, h, parent, depth, g);
            } else if self.improves(id, g) {
                self.improve(id, successor.mv, (parent, depth, g), meter);
            }
        }
        Ok(None)
    }

    /// Whether a path of cost `g` to a known state is worth following.
    #[inline]
    fn improves(&self, id: StateId, g: P::Cost) -> bool {
        let node = &self.nodes[id as usize];
        g < node.g && node.flags & DEAD == 0 && (O::REOPEN || !node.is_closed())
    }

    /// Opens a known state for a cheaper path.
    fn improve(
        &mut self,
        id: StateId,
        mv: P::Move,
        (parent, depth, g): (StateId, u32, P::Cost),
        meter: &mut Meter<'_, P::Cost>,
    ) {
        let node = &mut self.nodes[id as usize];
        if node.is_closed() {
            meter.stats.reopened += 1;
            self.open += 1;
        }
        let h = node.h;
        *node = Node { g, h, parent, flags: depth };
        self.moves[id as usize - 1] = mv;
        self.push(id, g, h);
    }

    /// Records a new state and opens it unless it is hopeless.
    #[inline]
    fn discover(
        &mut self,
        id: StateId,
        estimate: Option<P::Cost>,
        parent: StateId,
        depth: u32,
        g: P::Cost,
    ) {
        make_room(&mut self.nodes);
        if let Some(h) = estimate {
            self.nodes.push(Node { g, h, parent, flags: depth });
            self.open += 1;
            self.push(id, g, h);
        } else {
            let flags = depth | CLOSED | DEAD;
            self.nodes.push(Node { g, h: P::Cost::ZERO, parent, flags });
        }
    }

    #[inline]
    fn push(&mut self, id: StateId, g: P::Cost, h: P::Cost) {
        self.list.push(self.order.key(g, h), id);
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
            + self.nodes.capacity() * size_of::<Node<P::Cost>>()
            + self.moves.capacity() * size_of::<P::Move>()
            + self.list.bytes()
    }

    /// The path to a goal, and what is proved of its cost.
    fn solved(&mut self, goal: StateId, meter: &mut Meter<'_, P::Cost>) -> Answer<P> {
        let mut along = vec![goal];
        let mut at = goal;
        while at != 0 {
            at = self.nodes[at as usize].parent;
            along.push(at);
        }
        along.reverse();
        meter.hold(self.bytes());
        if meter.stats.reopened > 0 {
            self.settle(&along)?;
        }
        let cost = self.nodes[goal as usize].g;
        let on_path = along.iter().map(|&id| self.nodes[id as usize]);
        let found =
            if O::INFORMED { overestimate(on_path.map(|n| (n.g, n.h)), cost) } else { None };
        let lower_bound = (O::REOPEN && found.is_none()).then(|| self.lower_bound(cost));
        Ok(Verdict::Solved(Solution {
            cost,
            moves: along[1..].iter().map(|&id| self.moves[id as usize - 1].clone()).collect(),
            states: along.iter().map(|&id| self.store.state(id)).collect(),
            lower_bound,
            overestimate: found,
        }))
    }

    /// Sets the true costs along a path: where a state was opened again and not expanded
    /// since, the states behind it still have the cost of the dearer path.
    fn settle(&mut self, along: &[StateId]) -> Result<(), Halt<P::Error>> {
        let states: Vec<P::State> = along.iter().map(|&id| self.store.state(id)).collect();
        let steps = cheapest_steps(self.problem, &states);
        let steps = steps.map_err(|error| Halt::Fail((Operation::Successors, error)))?;
        for (step, cheapest) in along.windows(2).zip(steps) {
            if let Some(successor) = cheapest {
                self.nodes[step[1] as usize].g =
                    self.nodes[step[0] as usize].g.plus(successor.cost);
                self.moves[step[1] as usize - 1] = successor.mv;
            }
        }
        Ok(())
    }

    /// The least g + h of the states not expanded, or `cost` if that is less: some path of
    /// least cost leads through one of them, and to it at least cost, since closed states are
    /// opened again.
    fn lower_bound(&self, cost: P::Cost) -> P::Cost {
        let open = self.list.states().map(|id| &self.nodes[id as usize]);
        let open = open.filter(|node| !node.is_closed()).map(|node| node.g.plus(node.h));
        open.chain(self.cut).fold(cost, Ord::min)
    }
}

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
use crate::meter::{Answer, Halt, Meter, Solution, Verdict, is_milestone};
use crate::open_list::{Key, OpenList};
use crate::path::{cheapest_steps, overestimate};
use crate::report::StopReason;
use crate::space::{Batch, MoveId, Refined, Row, Space, StateId, StateStore, Successors};
use crate::store::make_room;
use crate::team::Team;

/// An order of expansion and what follows from it.
pub(crate) trait Order<C: Cost>: Sync {
    /// Smaller keys first.
    type Key: Key;
    /// Closed states reached by a cheaper path are opened again. An order without it proves no
    /// bound.
    const REOPEN: bool;
    /// Keys order by g + h, so the state taken from the open list bounds the cost of every
    /// path from below.
    const BEST_BOUND: bool;
    /// The goal is tested when a state is generated instead of when it is expanded.
    const EARLY_GOAL: bool;

    /// The heuristic is called.
    fn informed(&self) -> bool {
        true
    }

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

/// A best-first search under way.
struct Search<'p, R: Row, C: Cost, O: Order<C>> {
    space: &'p mut dyn Space<R, C>,
    order: O,
    store: R::Store,
    /// By state number.
    nodes: Vec<Node<C>>,
    /// The move that leads to state `i + 1` from its parent; state 0 is the start.
    moves: Vec<MoveId>,
    list: OpenList<O::Key>,
    /// States that are open: the list also holds remains.
    open: usize,
    /// The least f of a state that the depth bound kept from being expanded.
    cut: Option<C>,
}

/// Searches from `start` in the given order.
pub(crate) fn search<R: Row, C: Cost, O: Order<C>>(
    team: &mut Team<'_, R, C>,
    start: &R,
    order: O,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    if O::BEST_BOUND && !O::EARLY_GOAL && !team.is_alone() {
        return by_crew::search(team, start, order, meter);
    }
    let mut search = Search {
        space: &mut *team.main,
        order,
        store: R::Store::default(),
        nodes: Vec::new(),
        moves: Vec::new(),
        list: OpenList::new(),
        open: 0,
        cut: None,
    };
    search.run(start, meter)
}

impl<R: Row, C: Cost, O: Order<C>> Search<'_, R, C, O> {
    fn run(&mut self, start: &R, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        let (id, _) = self.store.intern(start);
        let goal = meter.goal(self.space, start)?;
        if goal {
            self.nodes.push(Node { g: C::ZERO, h: C::ZERO, parent: id, flags: CLOSED });
            return self.solved(id, meter);
        }
        meter.stats.iterations = 1;
        let h =
            if self.order.informed() { meter.evaluate(self.space, start)? } else { Some(C::ZERO) };
        self.discover(id, h, id, 0, C::ZERO);
        let mut out = Successors::default();
        while let Some(id) = self.next() {
            let node = self.nodes[id as usize];
            if O::BEST_BOUND && self.cut.is_none() {
                meter.raise(node.g.plus(node.h));
            }
            let state = self.store.state(id);
            if !O::EARLY_GOAL && id != 0 && meter.goal(self.space, &state)? {
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
            if O::REOPEN && self.order.informed() && expanded >= REFINED && is_milestone(expanded) {
                match self.refine(start, meter)? {
                    Refined::Same => {}
                    Refined::More => self.evaluate_anew(meter)?,
                    Refined::NoPlan => return Ok(Verdict::NoPlan),
                }
            }
            if let Some(goal) = self.expand((id, &node), &state, &mut out, meter)? {
                return self.solved(goal, meter);
            }
            meter.open(self.open);
        }
        Ok(match self.cut {
            Some(_) => Verdict::Incomplete(StopReason::Depth),
            None => Verdict::Exhausted,
        })
    }

    /// What the space has found out meanwhile.
    #[cold]
    fn refine(&mut self, start: &R, meter: &Meter<'_, C>) -> Result<Refined, Halt> {
        Ok(self.space.refine(meter.stats.expanded, start, Some(&self.store))?)
    }

    /// Asks for the estimates of all open states again, since they say more now. That of a closed state stays
    /// what it was: if the state is opened again, for a cheaper path, it comes early.
    #[cold]
    fn evaluate_anew(&mut self, meter: &mut Meter<'_, C>) -> Result<(), Halt> {
        self.list = OpenList::new();
        for id in 0..self.nodes.len() {
            if self.nodes[id].is_closed() {
                continue;
            }
            let state = self.store.state(id as StateId);
            let node = &mut self.nodes[id];
            match meter.evaluate(self.space, &state)? {
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
    fn within_depth(&mut self, answer: &Verdict<R, C>, depth_limit: u32) -> bool {
        match answer {
            Verdict::Solved(solution) if solution.moves.len() > depth_limit as usize => {
                self.cut_off(solution.cost);
                false
            }
            _ => true,
        }
    }

    /// Records that paths of cost `f` or more were left out for their depth.
    fn cut_off(&mut self, f: C) {
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

    /// Expands a state and records its successors; a goal among them, if goals are tested early.
    #[inline(always)]
    fn expand(
        &mut self,
        (parent, node): (StateId, &Node<C>),
        state: &R,
        out: &mut Successors<R, C>,
        meter: &mut Meter<'_, C>,
    ) -> Result<Option<StateId>, Halt> {
        out.clear();
        // PERF: no path that goes straight back is cheaper.
        let (rows, before) = (std::slice::from_ref(state), self.store.state(node.parent));
        let before = std::slice::from_ref(&before);
        let informed = self.order.informed();
        let estimates =
            if informed && !O::EARLY_GOAL { std::slice::from_ref(&node.h) } else { &[] };
        meter.expand(self.space, Batch { rows, estimates, before }, out)?;
        meter.number(out.len() as u64 + out.returning, self.store.len())?;
        self.store.prepare(out.rows.iter());
        let depth = (node.depth() + 1).min(DEPTH);
        for (head, state) in out.iter() {
            let g = node.g.plus(head.cost);
            let (id, new) = self.store.intern(state);
            if !new {
                if self.improves(id, g) {
                    self.improve(id, head.mv, (parent, depth, g), meter);
                }
                continue;
            }
            make_room(&mut self.moves);
            self.moves.push(head.mv);
            meter.reach(depth);
            if O::EARLY_GOAL && meter.goal(self.space, state)? {
                self.nodes.push(Node { g, h: C::ZERO, parent, flags: depth | CLOSED });
                return Ok(Some(id));
            }
            let h = match head.estimate {
                _ if !informed => Some(C::ZERO),
                Some(h) => {
                    meter.stats.evaluated += 1;
                    Some(h)
                }
                None => meter.estimate(self.space, state, Some((&rows[0], node.h)))?,
            };
            self.discover(id, h, parent, depth, g);
        }
        Ok(None)
    }

    /// Whether a path of cost `g` to a known state is worth following.
    #[inline]
    fn improves(&self, id: StateId, g: C) -> bool {
        let node = &self.nodes[id as usize];
        g < node.g && node.flags & DEAD == 0 && (O::REOPEN || !node.is_closed())
    }

    /// Opens a known state for a cheaper path.
    fn improve(
        &mut self,
        id: StateId,
        mv: MoveId,
        (parent, depth, g): (StateId, u32, C),
        meter: &mut Meter<'_, C>,
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
    fn discover(&mut self, id: StateId, estimate: Option<C>, parent: StateId, depth: u32, g: C) {
        make_room(&mut self.nodes);
        if let Some(h) = estimate {
            self.nodes.push(Node { g, h, parent, flags: depth });
            self.open += 1;
            self.push(id, g, h);
        } else {
            let flags = depth | CLOSED | DEAD;
            self.nodes.push(Node { g, h: C::ZERO, parent, flags });
        }
    }

    #[inline]
    fn push(&mut self, id: StateId, g: C, h: C) {
        self.list.push(self.order.key(g, h), id);
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
            + self.nodes.capacity() * size_of::<Node<C>>()
            + self.moves.capacity() * size_of::<MoveId>()
            + self.list.bytes()
    }

    /// The path to a goal, and what is proved of its cost.
    fn solved(&mut self, goal: StateId, meter: &mut Meter<'_, C>) -> Answer<R, C> {
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
        let found = if self.order.informed() {
            overestimate(on_path.map(|n| (n.g, n.h)), cost)
        } else {
            None
        };
        let lower_bound = (O::REOPEN && found.is_none()).then(|| self.lower_bound(cost));
        Ok(Verdict::Solved(Solution {
            cost,
            moves: along[1..].iter().map(|&id| self.moves[id as usize - 1]).collect(),
            states: along.iter().map(|&id| self.store.state(id)).collect(),
            lower_bound,
            overestimate: found,
            is_cheapest: false,
        }))
    }

    /// Sets the true costs along a path: where a state was opened again and not expanded
    /// since, the states behind it still have the cost of the dearer path.
    fn settle(&mut self, along: &[StateId]) -> Result<(), Halt> {
        let states: Vec<R> = along.iter().map(|&id| self.store.state(id)).collect();
        let steps = cheapest_steps(self.space, &states)?;
        for (step, cheapest) in along.windows(2).zip(steps) {
            if let Some(head) = cheapest {
                self.nodes[step[1] as usize].g = self.nodes[step[0] as usize].g.plus(head.cost);
                self.moves[step[1] as usize - 1] = head.mv;
            }
        }
        Ok(())
    }

    /// The least g + h of the states not expanded, or `cost` if that is less: some path of
    /// least cost leads through one of them, and to it at least cost, since closed states are
    /// opened again.
    fn lower_bound(&self, cost: C) -> C {
        let open = self.list.states().map(|id| &self.nodes[id as usize]);
        let open = open.filter(|node| !node.is_closed()).map(|node| node.g.plus(node.h));
        open.chain(self.cut).fold(cost, Ord::min)
    }
}

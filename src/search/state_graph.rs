//! A space, or a part of it, written out: states by number and the moves between them.

use super::cost::Cost;
use super::meter::{Halt, Meter};
use super::space::{MoveId, Row, Space, StateId, StateStore, Successors};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A move of the graph.
pub(super) struct Edge<C> {
    pub mv: MoveId,
    pub cost: C,
    pub to: StateId,
}

/// States and the moves of those that were expanded.
pub(super) struct StateGraph<R: Row, C: Cost> {
    pub store: R::Store,
    edges: Vec<Edge<C>>,
    /// Where the moves of a state lie, if it was expanded.
    spans: Vec<Option<(usize, usize)>>,
    goals: Vec<bool>,
}

/// How far a state is from a goal, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance<C> {
    Unknown,
    /// No goal can be reached.
    Hopeless,
    /// A plan of this cost is known.
    Plan(C),
}

/// The moves into each state: the state before, and the number of the move.
pub(super) struct Reversed {
    /// Where those of a state begin; one more than there are states.
    starts: Vec<usize>,
    into: Vec<(StateId, usize)>,
}

impl Reversed {
    /// The moves into a state.
    pub fn moves_into(&self, id: StateId) -> &[(StateId, usize)] {
        &self.into[self.starts[id as usize]..self.starts[id as usize + 1]]
    }
}

/// Distances of all states, and the first edge of a plan from each.
pub(super) struct Distances<C> {
    pub cost: Vec<Distance<C>>,
    pub first: Vec<Option<usize>>,
}

impl<R: Row, C: Cost> StateGraph<R, C> {
    pub fn new() -> Self {
        Self { store: R::Store::default(), edges: Vec::new(), spans: Vec::new(), goals: Vec::new() }
    }

    /// The number of a state, which is tested for the goal when it is new.
    pub fn add(
        &mut self,
        space: &mut dyn Space<R, C>,
        meter: &mut Meter<'_, C>,
        state: &R,
    ) -> Result<StateId, Halt> {
        let (id, _) = self.store.intern(state);
        // A limit may have struck between a state's arrival and its test.
        while self.goals.len() < self.store.len() {
            let state = self.store.state(self.goals.len() as StateId);
            let goal = meter.goal(space, &state)?;
            self.goals.push(goal);
            self.spans.push(None);
        }
        Ok(id)
    }

    /// Finds the moves of a state, if that was not done before.
    pub fn expand(
        &mut self,
        space: &mut dyn Space<R, C>,
        meter: &mut Meter<'_, C>,
        id: StateId,
    ) -> Result<(), Halt> {
        if self.spans[id as usize].is_some() {
            return Ok(());
        }
        let mut out = Successors::default();
        let state = self.store.state(id);
        let held = (self.store.len(), self.bytes());
        meter.expand_stored(space, &state, 0, held, &mut out)?;
        let first = self.edges.len();
        self.store.prepare(out.rows.iter());
        for (head, state) in out.drain() {
            let to = self.add(space, meter, &state)?;
            self.edges.push(Edge { mv: head.mv, cost: head.cost, to });
        }
        self.spans[id as usize] = Some((first, self.edges.len()));
        Ok(())
    }

    /// Expands every state there is; false once there are more than `most`.
    pub fn fill(
        &mut self,
        space: &mut dyn Space<R, C>,
        meter: &mut Meter<'_, C>,
        most: usize,
    ) -> Result<bool, Halt> {
        let mut next = 0;
        while next < self.store.len() {
            if self.store.len() > most {
                return Ok(false);
            }
            self.expand(space, meter, next as StateId)?;
            next += 1;
            meter.open(self.store.len() - next);
        }
        Ok(true)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let spans = self.spans.len() * size_of::<Option<(usize, usize)>>();
        self.store.bytes() + self.edges.capacity() * size_of::<Edge<C>>() + spans
    }

    pub fn is_goal(&self, id: StateId) -> bool {
        self.goals[id as usize]
    }

    /// The moves of a state, with their numbers; none if it was not expanded.
    pub fn moves(&self, id: StateId) -> impl Iterator<Item = (usize, &Edge<C>)> {
        let (first, end) = self.spans[id as usize].unwrap_or((0, 0));
        (first..end).map(|at| (at, &self.edges[at]))
    }

    pub fn edge(&self, number: usize) -> &Edge<C> {
        &self.edges[number]
    }

    /// The moves of all states that were expanded, by the state they lead to.
    pub fn reversed(&self, meter: &mut Meter<'_, C>) -> Result<Reversed, Halt> {
        let states = self.store.len();
        let mut starts = vec![0usize; states + 1];
        for edge in &self.edges {
            starts[edge.to as usize + 1] += 1;
        }
        for at in 0..states {
            starts[at + 1] += starts[at];
        }
        let mut into = vec![(0 as StateId, 0usize); self.edges.len()];
        let mut filled = starts.clone();
        for from in 0..states as StateId {
            meter.poll()?;
            for (number, edge) in self.moves(from) {
                let slot = &mut filled[edge.to as usize];
                into[*slot] = (from, number);
                *slot += 1;
            }
        }
        Ok(Reversed { starts, into })
    }

    /// The cost of a cheapest plan from every state, and its first move. Every state must have
    /// been expanded.
    pub fn distances(&self, meter: &mut Meter<'_, C>) -> Result<Distances<C>, Halt> {
        let reversed = self.reversed(meter)?;
        self.distances_by(&reversed, meter)
    }

    /// As [`Self::distances`], from all goals at once backwards (E. W. Dijkstra, 1959).
    pub fn distances_by(
        &self,
        reversed: &Reversed,
        meter: &mut Meter<'_, C>,
    ) -> Result<Distances<C>, Halt> {
        let states = self.store.len();
        let mut found =
            Distances { cost: vec![Distance::Hopeless; states], first: vec![None; states] };
        let mut open = BinaryHeap::new();
        for id in (0..states).filter(|&id| self.goals[id]) {
            found.cost[id] = Distance::Plan(C::ZERO);
            open.push(Reverse((C::ZERO, id as StateId)));
        }
        while let Some(Reverse((cost, id))) = open.pop() {
            meter.poll()?;
            let id = id as usize;
            if found.cost[id] != Distance::Plan(cost) {
                continue;
            }
            for &(from, number) in reversed.moves_into(id as StateId) {
                let through = self.edges[number].cost.plus(cost);
                let better = match found.cost[from as usize] {
                    Distance::Plan(known) => through < known,
                    _ => true,
                };
                if better {
                    found.cost[from as usize] = Distance::Plan(through);
                    found.first[from as usize] = Some(number);
                    open.push(Reverse((through, from)));
                }
            }
        }
        Ok(found)
    }
}

//! Problems as a program states them: [`Problem`], and [`Explicit`], which makes a state space of one.

use super::cost::Cost;
use super::space::{Batch, Failure, Head, MoveId, Operation, Row, Space, Successors};
use super::store::HashStore;
use std::hash::Hash;

/// A search problem with one agent, whose operations can fail.
///
/// Two states are the same exactly if they are equal, so states have a canonical form. The same state must always get
/// the same answers in the same order.
pub trait Problem: Send {
    /// A state, by value. Tree searches move states about: the smaller, the better.
    type State: Clone + Eq + Hash + Send + Sync;
    /// What paths cost.
    type Cost: Cost;
    /// Why an operation failed.
    type Error: Send + 'static;

    /// Whether the state is a goal.
    fn is_goal(&mut self, state: &Self::State) -> Result<bool, Self::Error>;

    /// Appends the successors of `state` in the order of moves. The same state may be reached by several moves, and may
    /// be `state` itself. Costs are never negative.
    fn successors(
        &mut self,
        state: &Self::State,
        out: &mut Vec<Successor<Self::Cost, Self::State>>,
    ) -> Result<(), Self::Error>;

    /// An estimate of the cost from `state` to a nearest goal, or `None` if no goal can be reached from it, which
    /// engines trust. It is *admissible* if it never exceeds the true cost: only then is a path found by an informed
    /// engine optimal.
    fn heuristic(&mut self, _state: &Self::State) -> Result<Option<Self::Cost>, Self::Error> {
        Ok(Some(Self::Cost::ZERO))
    }

    /// A lower bound on the cost of every move, known beforehand; zero if nothing is known.
    fn least_move_cost(&self) -> Self::Cost {
        Self::Cost::ZERO
    }
}

/// A move from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor<C, S> {
    /// The label of the move.
    pub mv: MoveId,
    /// What the move costs; never negative.
    pub cost: C,
    /// The state it leads to.
    pub state: S,
}

/// A state of a [`Problem`] as engines carry it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plain<S>(pub S);

impl<S: Clone + Eq + Hash + Send + Sync> Row for Plain<S> {
    type Store = HashStore<Self>;

    fn write(&self, _: &mut Vec<u8>) -> bool {
        false
    }

    fn read(_: &[u8]) -> Option<Self> {
        None
    }
}

/// The state space of a [`Problem`].
pub struct Explicit<'p, P: Problem> {
    problem: &'p mut P,
    scratch: Vec<Successor<P::Cost, P::State>>,
}

impl<'p, P: Problem> Explicit<'p, P> {
    /// The space of a problem.
    pub fn new(problem: &'p mut P) -> Self {
        Explicit { problem, scratch: Vec::new() }
    }
}

impl<P: Problem> Space<Plain<P::State>, P::Cost> for Explicit<'_, P> {
    fn is_goal(&mut self, row: &Plain<P::State>) -> Result<bool, Failure> {
        self.problem.is_goal(&row.0).map_err(|error| Failure::new(Operation::Goal, error))
    }

    fn expand(
        &mut self,
        batch: Batch<'_, Plain<P::State>, P::Cost>,
        out: &mut Successors<Plain<P::State>, P::Cost>,
    ) -> Result<(), Failure> {
        for (from, row) in (0..).zip(batch.rows) {
            self.scratch.clear();
            let found = self.problem.successors(&row.0, &mut self.scratch);
            found.map_err(|error| Failure::new(Operation::Successors, error))?;
            for Successor { mv, cost, state } in self.scratch.drain(..) {
                let row = Plain(state);
                if batch.before.get(from as usize) == Some(&row) {
                    out.returning += 1;
                } else {
                    out.push(Head { from, mv, cost, estimate: None }, row);
                }
            }
            out.expanded += 1;
        }
        Ok(())
    }

    fn estimate(
        &mut self,
        row: &Plain<P::State>,
        _: Option<(&Plain<P::State>, P::Cost)>,
    ) -> Result<Option<P::Cost>, Failure> {
        self.problem.heuristic(&row.0).map_err(|error| Failure::new(Operation::Heuristic, error))
    }

    fn least_move_cost(&self) -> P::Cost {
        self.problem.least_move_cost()
    }
}

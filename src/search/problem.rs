//! The seam between a domain and the engines: [`Problem`], [`Successor`], [`StateStore`].

use std::hash::Hash;

use super::cost::Cost;
use super::fork::Fork;
use super::numbered::BoxedNumbers;

/// The number of a state in a [`StateStore`].
pub type StateId = u32;

/// A search problem with one agent, whose operations can fail.
///
/// Two states are the same exactly when they are equal, so states are kept in a canonical
/// form. Operations take `&mut self` so that a problem may run a machine or keep a cache,
/// but the same state must always get the same answers in the same order: iterative
/// deepening visits it again.
///
/// An operation that can take long watches time and cancellation itself, since an engine can
/// only do so between operations.
pub trait Problem: Fork {
    /// A state, by value. Tree searches move states about: the smaller, the better.
    type State: Clone + Eq + Hash + Send + Sync;
    /// What labels a move; small, for instance the number of a name.
    type Move: Clone + Send + Sync;
    /// What paths cost.
    type Cost: Cost;
    /// What is known of a move that makes the estimate of its successor cheaper: passed from
    /// [`Problem::successors`] to [`Problem::heuristic_after`]. `()` if there is nothing.
    type Hint: Send;
    /// Where graph searches keep states.
    type Store: StateStore<State = Self::State> + Send + Sync;
    /// Why an operation failed.
    type Error: Send;

    /// An empty store.
    fn new_store(&self) -> Self::Store;

    /// Whether the state is a goal.
    fn is_goal(&mut self, state: &Self::State) -> Result<bool, Self::Error>;

    /// Appends the successors of `state` to `out`, in move order, without touching what is
    /// already there. The same state may be reached by several moves, and may be `state`
    /// itself. Costs are never negative.
    fn successors(
        &mut self,
        state: &Self::State,
        out: &mut Vec<SuccessorOf<Self>>,
    ) -> Result<(), Self::Error>;

    /// An estimate of the cost from `state` to a nearest goal, or `None` where no goal can
    /// be reached. It is *admissible* if it never exceeds the true cost: only then is a path
    /// found by an informed engine optimal. `None` is trusted.
    ///
    /// Called by informed engines alone, and by graph searches once for each state.
    fn heuristic(&mut self, state: &Self::State) -> Result<Option<Self::Cost>, Self::Error>;

    /// The estimate of a successor of `before`, whose own estimate is `h`: equal to
    /// [`Problem::heuristic`], for problems that compute it faster from the difference.
    /// `hint` came with the successor.
    fn heuristic_after(
        &mut self,
        before: &Self::State,
        h: Self::Cost,
        state: &Self::State,
        hint: &Self::Hint,
    ) -> Result<Option<Self::Cost>, Self::Error> {
        let _ = (before, h, hint);
        self.heuristic(state)
    }

    /// Visits successors of `state`, whose estimate is `h`, each with its own estimate: the
    /// first ones, as [`Problem::successors`] has them, as far as both are known without
    /// anything that can fail.
    ///
    /// PERF: for problems that know both at once; successors that a search rejects need not
    /// be stored.
    fn visit_successors(
        &mut self,
        state: &Self::State,
        h: Self::Cost,
        visitor: &mut impl Visitor<Self>,
    ) -> VisitedSuccessors {
        let _ = (state, h, visitor);
        VisitedSuccessors::First(0)
    }

    /// What was found out meanwhile: asked from time to time by informed searches that can make use of it,
    /// after so many expansions from a start, with the states that are stored, if they are. All estimates are
    /// asked for anew if they say more.
    fn refine(
        &mut self,
        expanded: u64,
        start: &Self::State,
        store: Option<&Self::Store>,
    ) -> Result<Refined, Self::Error> {
        let _ = (expanded, start, store);
        Ok(Refined::Same)
    }

    /// Numbers for the states that a start may lead to, if the problem finds some with work that so many states
    /// are worth: asked for when a whole space has that many, and again when it has twice as many. The numbered
    /// states have the successors that [`Problem::successors`]
    /// tells.
    fn numbered(
        &mut self,
        start: &Self::State,
        states: usize,
    ) -> Result<Option<BoxedNumbers<'_, Self::State>>, Self::Error> {
        let _ = (start, states);
        Ok(None)
    }

    /// Appends bytes that are those of no other state: whether states have such. Then [`Problem::state_of`] reads
    /// them.
    fn write_state(&self, _state: &Self::State, _out: &mut Vec<u8>) -> bool {
        false
    }

    /// The state that has these bytes.
    fn state_of(&mut self, _bytes: &[u8]) -> Option<Self::State> {
        None
    }

    /// Told of a state that a [copy](Fork) found, before it asks about it.
    fn meet(&mut self, _state: &Self::State) {}

    /// A lower bound on the cost of every move of the problem, known beforehand; zero if
    /// nothing is known. With it `bfs` and `iddfs` prove sooner that a path of fewest moves
    /// is also a cheapest one.
    fn least_move_cost(&self) -> Self::Cost {
        Self::Cost::ZERO
    }

    /// Bytes that a typical state owns on the heap, beyond `size_of::<State>()`: what memory
    /// limits of tree searches count for each state carried by value.
    fn state_heap_bytes(&self) -> usize {
        0
    }
}

/// What a problem has found out while it was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refined {
    /// Nothing.
    Same,
    /// Estimates say more from now on than those given so far.
    More,
    /// From the start no goal can be reached, whatever estimates say.
    NoPlan,
}

/// Receives successors from [`Problem::visit_successors`].
// PERF: no closure, since the compiler is to put it where it is called.
pub trait Visitor<P: Problem> {
    /// A successor with its estimate; returns whether that counts as asked for.
    fn visit(&mut self, mv: P::Move, cost: P::Cost, state: P::State, h: P::Cost) -> bool;
}

/// Which successors [`Problem::visit_successors`] has visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitedSuccessors {
    /// All there are.
    All,
    /// So many from the first on; there may be more.
    First(usize),
}

/// A move from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor<M, C, S, H = ()> {
    /// The label of the move.
    pub mv: M,
    /// What the move costs; never negative.
    pub cost: C,
    /// The state it leads to.
    pub state: S,
    /// A [`Problem::Hint`].
    pub hint: H,
}

/// The successors of a problem.
pub type SuccessorOf<P> = Successor<
    <P as Problem>::Move,
    <P as Problem>::Cost,
    <P as Problem>::State,
    <P as Problem>::Hint,
>;

/// A set of states, each known by a number.
///
/// Numbers are given in the order of first arrival: 0, 1, 2, … without gaps. Engines rely on
/// that to keep what they know of a state in arrays.
pub trait StateStore {
    /// What is stored.
    type State;

    /// The number of `state`, and whether it is new.
    fn intern(&mut self, state: &Self::State) -> (StateId, bool);

    /// Announces the states that will be interned next, so that a store can prefetch what it
    /// needs for them.
    fn prepare<'a>(&self, states: impl Iterator<Item = &'a Self::State>)
    where
        Self::State: 'a,
    {
        let _ = states;
    }

    /// The number of `state`, if it is stored.
    fn find(&self, state: &Self::State) -> Option<StateId>;

    /// The state with number `id`, which `intern` has given.
    fn state(&self, id: StateId) -> Self::State;

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether nothing is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory held. Called at every expansion, so it takes constant time.
    fn bytes(&self) -> usize;
}

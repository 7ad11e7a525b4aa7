//! State spaces as engines see them: batches of packed states in, columns of successors out.
//!
//! Engines are generic over the form of a state, a [`Row`], and over the type of costs, and call a space through
//! `&mut dyn` [`Space`]: one call expands a batch. Everything that makes a space fast stays behind the call: code
//! that knows estimates from differences, caches, equivalent states. A space of a user's own is mostly a
//! [`Problem`](super::Problem), which [`Explicit`](super::Explicit) turns into one.

use super::cost::Cost;
use super::fork::{Fork, Lesson};
use super::numbered::BoxedNumbers;
use std::any::Any;
use std::hash::Hash;

/// The number of a state in a [`StateStore`].
pub type StateId = u32;

/// The number that labels a move, for instance that of a name.
pub type MoveId = u32;

/// The form in which engines carry and store states: equal exactly if the states are the same.
pub trait Row: Clone + Eq + Hash + Send + Sync {
    /// Where graph searches store rows.
    type Store: StateStore<State = Self> + Default + Send + Sync;

    /// Bytes owned on the heap, beyond `size_of::<Self>()`.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Appends an encoding that no other state has; false if states have none.
    fn write(&self, out: &mut Vec<u8>) -> bool;

    /// The state that [`Row::write`] wrote.
    fn read(bytes: &[u8]) -> Option<Self>;
}

/// Which operation of a space failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The goal test.
    Goal,
    /// The successors.
    Successors,
    /// The heuristic.
    Heuristic,
    /// An operation of a game.
    Rule,
}

/// The error of a failed operation of a space; the caller of the engine knows its type.
///
/// PERF: one pointer, so that answers of a word are returned in registers.
#[derive(Debug)]
pub struct Failure(Box<(Operation, Box<dyn Any + Send>)>);

impl Failure {
    /// A failed operation.
    pub fn new(operation: Operation, error: impl Any + Send) -> Failure {
        Failure(Box::new((operation, Box::new(error))))
    }

    /// The operation.
    pub fn operation(&self) -> Operation {
        self.0.0
    }

    /// The error, if it has this type.
    pub fn get<E: Any>(&self) -> Option<&E> {
        self.0.1.downcast_ref()
    }

    /// The error of a space whose errors have this type.
    ///
    /// # Panics
    /// The error has another type.
    pub fn error<E: Any>(self) -> E {
        *self.0.1.downcast().expect("each space has one type of errors")
    }
}

/// States to be expanded.
#[derive(Debug)]
pub struct Batch<'b, R, C> {
    /// The states.
    pub rows: &'b [R],
    /// Their estimates, if the space may derive those of successors from them; empty otherwise.
    pub estimates: &'b [C],
    /// The parent of each state, if successors equal to it are to be left out; empty otherwise.
    pub before: &'b [R],
}

impl<R, C> Clone for Batch<'_, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, C> Copy for Batch<'_, R, C> {}

impl<'b, R, C> Batch<'b, R, C> {
    /// One state, without estimates.
    pub fn of(row: &'b R) -> Self {
        Batch { rows: std::slice::from_ref(row), ..Batch::default() }
    }
}

impl<R, C> Default for Batch<'_, R, C> {
    fn default() -> Self {
        Batch { rows: &[], estimates: &[], before: &[] }
    }
}

/// A successor without its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<C> {
    /// The place of the expanded state in the batch.
    pub from: u32,
    /// The label of the move.
    pub mv: MoveId,
    /// What the move costs; never negative.
    pub cost: C,
    /// The estimate of the state, if the space knew it at once.
    pub estimate: Option<C>,
}

/// The successors of a batch, in order: those of a state in the order of its moves.
#[derive(Debug)]
pub struct Successors<R, C> {
    /// All but the states.
    pub heads: Vec<Head<C>>,
    /// The states.
    pub rows: Vec<R>,
    /// The number of successors left out since they equal the parent of the expanded state.
    pub returning: u64,
    /// States of the batch that were expanded: all of them, unless one failed.
    pub expanded: usize,
}

impl<R, C> Default for Successors<R, C> {
    fn default() -> Self {
        Successors { heads: Vec::new(), rows: Vec::new(), returning: 0, expanded: 0 }
    }
}

impl<R, C> Successors<R, C> {
    /// Removes everything.
    #[inline]
    pub fn clear(&mut self) {
        self.heads.clear();
        self.rows.clear();
        (self.returning, self.expanded) = (0, 0);
    }

    /// Appends a successor.
    #[inline]
    pub fn push(&mut self, head: Head<C>, row: R) {
        self.heads.push(head);
        self.rows.push(row);
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Keeps the first ones only.
    pub fn truncate(&mut self, length: usize) {
        self.heads.truncate(length);
        self.rows.truncate(length);
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.heads.capacity() * size_of::<Head<C>>() + self.rows.capacity() * size_of::<R>()
    }

    /// The successors.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (&Head<C>, &R)> {
        self.heads.iter().zip(&self.rows)
    }

    /// Takes all successors out.
    #[inline]
    pub fn drain(&mut self) -> impl Iterator<Item = (Head<C>, R)> {
        self.heads.drain(..).zip(self.rows.drain(..))
    }

    /// Removes and counts the successors from this place on that equal the parent of the expanded state.
    pub fn leave_out(&mut self, from: usize, before: &R)
    where
        R: PartialEq,
    {
        let mut kept = from;
        for at in from..self.rows.len() {
            if self.rows[at] != *before {
                if kept != at {
                    self.heads.swap(kept, at);
                    self.rows.swap(kept, at);
                }
                kept += 1;
            }
        }
        self.returning += (self.rows.len() - kept) as u64;
        self.truncate(kept);
    }
}

/// Runs a piece of work within limits of a space; false if one of them ended it.
pub type Scope = Box<dyn FnOnce(&mut dyn FnMut()) -> bool>;

/// A state space with one agent, whose operations can fail.
///
/// Operations take `&mut self`, so that a space may run a machine or keep a cache, but of the same state it must
/// always say the same in the same order: iterative deepening expands it again. An operation that can take long
/// watches time and cancellation itself, since an engine can do so between operations only.
pub trait Space<R: Row, C: Cost>: Send {
    /// Whether a state is a goal.
    fn is_goal(&mut self, row: &R) -> Result<bool, Failure>;

    /// Appends the successors of some states. The same state may be reached by several moves, and may be the
    /// expanded one itself.
    fn expand(&mut self, batch: Batch<'_, R, C>, out: &mut Successors<R, C>)
    -> Result<(), Failure>;

    /// An estimate of the cost from a state to a nearest goal, or `None` if no goal can be reached from it, which
    /// engines trust. It is *admissible* if it never exceeds the true cost: only then is a path found by an
    /// informed engine optimal. `after`: the parent and its estimate, where the engine knows them.
    fn estimate(&mut self, row: &R, after: Option<(&R, C)>) -> Result<Option<C>, Failure>;

    /// Another estimate of a state, of another kind, if there is one: engines that take some path follow both by turns.
    /// It may depend on the path by which the state was reached: on the state before, whose second estimate was asked for.
    fn second_estimate(&mut self, _row: &R, _before: Option<&R>) -> Option<C> {
        None
    }

    /// Whether the move to a successor of the state that was estimated last is one that the estimate itself suggests.
    fn is_preferred(&mut self, _successor: &R) -> bool {
        false
    }

    /// What the space has found out during the search. Informed engines call it as `expanded` grows, with the stored
    /// states if they store them.
    fn refine(
        &mut self,
        _expanded: u64,
        _start: &R,
        _store: Option<&R::Store>,
    ) -> Result<Refined, Failure> {
        Ok(Refined::Same)
    }

    /// The greatest number of states in a batch of [`Space::expand`]. Limits are checked between batches.
    fn batch(&self) -> usize {
        1
    }

    /// A perfect numbering of the states that may be reachable from the start, if the space finds one with work in
    /// proportion to `states`. [`enumerate`](super::enumerate()) calls it at this number of stored states, and again at
    /// twice as many.
    fn numbered(
        &mut self,
        _start: &R,
        _states: usize,
    ) -> Result<Option<BoxedNumbers<'_, R>>, Failure> {
        Ok(None)
    }

    /// The state with these bytes, which another process or thread wrote.
    fn read(&mut self, bytes: &[u8]) -> Option<R> {
        R::read(bytes)
    }

    /// A lower bound on the cost of every move, known beforehand; zero if nothing is known. With it `bfs` and
    /// `iddfs` prove sooner that a path of fewest moves is also a cheapest one.
    fn least_move_cost(&self) -> C {
        C::ZERO
    }

    /// The size of the dictionary with which the space packs states; any operation may add words.
    fn words(&self) -> u64 {
        0
    }

    /// What a worker needs to pack states with the same words.
    fn lesson(&mut self) -> Lesson {
        Box::new(())
    }

    /// Learns what the main space of a [team](super::Team) knows. `is_astray`: this one has used words of its own
    /// since the last lesson.
    fn learn(&mut self, _lesson: &Lesson, _is_astray: bool) {}

    /// The limits that hold inside of operations, to be put in force in any thread; `None` if one of them has struck.
    fn scope(&mut self) -> Option<Scope> {
        Some(Box::new(|work| {
            work();
            true
        }))
    }

    /// A limit of [`Space::scope`] ended an operation.
    fn abandon(&mut self) {}
}

impl<R: Row, C: Cost> Fork for &mut dyn Space<R, C> {
    fn words(&self) -> u64 {
        Space::words(&**self)
    }

    fn lesson(&mut self) -> Lesson {
        Space::lesson(&mut **self)
    }

    fn learn(&mut self, lesson: &Lesson, is_astray: bool) {
        Space::learn(&mut **self, lesson, is_astray);
    }

    fn within_limits<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let scope = self.scope()?;
        let (mut work, mut done) = (Some(work), None);
        let ended = scope(&mut || done = work.take().map(|work| work(self)));
        if !ended {
            self.abandon();
        }
        done.filter(|_| ended)
    }
}

/// What a space has found out while it was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refined {
    /// Nothing.
    Same,
    /// Estimates say more from now on than those given so far.
    More,
    /// From the start no goal can be reached, whatever estimates say.
    NoPlan,
}

/// A set of states, each known by a number.
///
/// Numbers are given in the order of first arrival: 0, 1, 2, … without gaps. Engines rely on that to keep what they
/// know of a state in arrays.
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

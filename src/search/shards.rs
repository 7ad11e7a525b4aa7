//! Graph searches by several threads: states lie in shards by their hash.
//!
//! A search goes on in rounds. Threads expand states, and sort what these lead to by the shard that it belongs to; then
//! each shard is filled by one thread, in the order in which one thread alone would have met the states. So numbers,
//! and what follows from the order, are the same for any number of threads.

use super::cost::Cost;
use super::fork::on_threads;
use super::meter::{Halt, Meter};
use super::space::{Batch, Head, MoveId, Row, Space, StateId, StateStore, Successors};
use super::store::hash_of;
use super::team::Team;
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// States that are asked about in one go.
pub(super) const PART: usize = 1 << 9;
/// States for each thread that are expanded in a round.
const ROUND: usize = 1 << 15;
/// Items that one thread puts into shards as soon as several do; with debug assertions several do it always.
pub(super) const FEW: usize = if cfg!(debug_assertions) { 1 } else { 1 << 10 };
/// Shards for each thread.
const SHARE: usize = 4;
/// The most shards.
const MOST: usize = 1 << 8;

/// Where a state is: its number in a shard, and in the low bits the shard.
pub(super) type Place = u32;

/// What is known of states, by the shard that they lie in.
pub(super) struct Shards<T> {
    all: Vec<T>,
    /// Bits of a place that are the shard's.
    bits: u32,
}

/// How places are numbered.
#[derive(Clone, Copy)]
pub(super) struct Numbering(u32);

impl Numbering {
    /// The place of a number in a shard.
    #[inline]
    pub fn place(self, shard: usize, id: StateId) -> Place {
        id << self.0 | shard as Place
    }
}

/// The places of states that are new, in the order in which they were met.
pub(super) struct New {
    /// By part: how many successors were before it.
    from: Vec<usize>,
    places: Vec<AtomicU32>,
}

/// No place.
const NOWHERE: Place = Place::MAX;

impl New {
    /// None yet, of parts with so many successors.
    pub fn of(parts: impl Iterator<Item = u32>) -> New {
        let (mut from, mut count) = (Vec::new(), 0);
        for successors in parts {
            from.push(count);
            count += successors as usize;
        }
        let mut places = Vec::new();
        places.resize_with(count, || AtomicU32::new(NOWHERE));
        New { from, places }
    }

    /// A successor of a part is new, and has this place.
    #[inline]
    pub fn put(&self, part: usize, at: u32, place: Place) {
        self.places[self.from[part] + at as usize].store(place, Relaxed);
    }

    /// All of them.
    pub fn places(self) -> impl Iterator<Item = Place> {
        let places = self.places.into_iter().map(AtomicU32::into_inner);
        places.filter(|&place| place != NOWHERE)
    }
}

impl<T> Shards<T> {
    /// As many as so many threads can use.
    pub fn new(threads: usize, shard: impl FnMut() -> T) -> Shards<T> {
        let share = if threads == 1 { 1 } else { SHARE };
        let count = (share * threads).next_power_of_two().min(MOST);
        let mut all = Vec::new();
        all.resize_with(count, shard);
        Shards { all, bits: count.trailing_zeros() }
    }

    /// Puts the first state into its shard: `put` is told its place.
    pub fn begin<S: Hash>(&mut self, state: &S, put: impl FnOnce(&mut T, Place)) -> Place {
        let shard = self.of(state);
        let place = self.numbering().place(shard, 0);
        put(&mut self.all[shard], place);
        place
    }

    /// The shard that a state belongs to.
    #[inline]
    pub fn of<S: Hash>(&self, state: &S) -> usize {
        // The low bits of the hash are the place in the shard's own table.
        (u64::from(hash_of(state)) >> (u32::BITS - self.bits)) as usize
    }

    /// How places are numbered.
    pub fn numbering(&self) -> Numbering {
        Numbering(self.bits)
    }

    /// The shard of a place, and the number there.
    #[inline]
    pub fn at(&self, place: Place) -> (&T, StateId) {
        (&self.all[place as usize & (self.all.len() - 1)], place >> self.bits)
    }

    /// What is known in a shard, and the number there, of a place.
    pub fn at_mut(&mut self, place: Place) -> (&mut T, StateId) {
        let shard = place as usize & (self.all.len() - 1);
        (&mut self.all[shard], place >> self.bits)
    }

    /// A shard.
    #[inline]
    pub fn at_shard(&self, number: usize) -> &T {
        &self.all[number]
    }

    /// The shard of a team of one.
    #[inline]
    pub fn only(&mut self) -> &mut T {
        &mut self.all[0]
    }

    /// How many shards there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// All shards, to be changed.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.all.iter_mut()
    }

    /// What a function says of each shard.
    pub fn each<R>(&mut self, ask: impl FnMut(&mut T) -> R) -> impl Iterator<Item = R> {
        self.all.iter_mut().map(ask)
    }

    /// The sum of a measure of all shards.
    pub fn sum(&self, measure: impl Fn(&T) -> usize) -> usize {
        self.all.iter().map(measure).sum()
    }

    /// As if all were as large as the largest of them: what limits the numbers of states.
    pub fn most(&self, measure: impl Fn(&T) -> usize) -> usize {
        self.all.len() * self.all.iter().map(measure).max().unwrap_or(0)
    }

    /// Fills each shard with what belongs to it, by one thread each: `put` gets what each part has for it, one part
    /// after the other, and empties it.
    pub fn fill<I: Send>(
        &mut self,
        threads: usize,
        parts: Vec<Buckets<I>>,
        spare: &Spare<I>,
        put: impl Fn((usize, &mut T), usize, &mut Vec<I>) + Sync,
    ) where
        T: Send,
    {
        let mut columns = Vec::new();
        columns.resize_with(self.all.len(), Vec::new);
        for part in parts {
            for (column, bucket) in columns.iter_mut().zip(part) {
                column.push(bucket);
            }
        }
        let items: usize = columns.iter().flatten().map(Vec::len).sum();
        let threads = if items < FEW { 1 } else { threads };
        let work = self.all.iter_mut().zip(columns).enumerate().collect();
        on_threads(
            work,
            threads,
            |(number, (shard, mut column)): (usize, (&mut T, Vec<Vec<I>>))| {
                for (part, bucket) in column.iter_mut().enumerate() {
                    put((number, &mut *shard), part, bucket);
                }
                spare.give(column);
            },
        );
    }
}

/// A shard of states that are linked to those before them.
pub(super) trait Linked {
    type Store: StateStore;
    /// What is known of a state, the state before it among that.
    type Node;

    /// The states, and what is known of each.
    fn states(&self) -> (&Self::Store, &[Self::Node]);
    fn before(node: &Self::Node) -> Place;
}

impl<T: Linked> Shards<T> {
    /// The state at a place.
    #[inline]
    pub fn state(&self, place: Place) -> <T::Store as StateStore>::State {
        let (shard, id) = self.at(place);
        shard.states().0.state(id)
    }

    /// What is known of the state at a place.
    #[inline]
    pub fn node(&self, place: Place) -> &T::Node {
        let (shard, id) = self.at(place);
        &shard.states().1[id as usize]
    }

    /// The places of a path from one state to another.
    pub fn path(&self, from: Place, to: Place) -> Vec<Place> {
        let mut along = vec![to];
        let mut at = to;
        while at != from {
            at = T::before(self.node(at));
            along.push(at);
        }
        along.reverse();
        along
    }
}

/// What belongs to each of the shards.
pub(super) type Buckets<I> = Vec<Vec<I>>;

/// Buckets that were emptied, to be used again.
// PERF: memory that goes from thread to thread is slow to allocate.
pub(super) struct Spare<I>(Mutex<Vec<Vec<I>>>);

impl<I> Spare<I> {
    /// None yet.
    pub fn new() -> Spare<I> {
        Spare(Mutex::new(Vec::new()))
    }

    fn all(&self) -> MutexGuard<'_, Vec<Vec<I>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Empty buckets, one for each shard.
    pub fn take<T>(&self, shards: &Shards<T>) -> Buckets<I> {
        let mut all = self.all();
        let left = all.len().saturating_sub(shards.count());
        let mut taken = all.split_off(left);
        taken.resize_with(shards.count(), Vec::new);
        taken
    }

    fn give(&self, emptied: Vec<Vec<I>>) {
        self.all().extend(emptied.into_iter().map(|mut bucket| {
            bucket.clear();
            bucket
        }));
    }
}

/// States that are expanded in a round, of those that wait: as many as workers and limits allow.
pub(super) fn round<'w, R: Row, C: Cost, T>(
    waiting: &'w [T],
    team: &Team<'_, R, C>,
    meter: &Meter<'_, C>,
) -> &'w [T] {
    let most = usize::try_from(meter.expansions_left()).unwrap_or(usize::MAX);
    &waiting[..waiting.len().min(ROUND * team.threads()).min(most)]
}

/// Expands states, on all threads: what `sort` makes of the states and successors of each batch, by part, in order.
pub(super) fn expand<R: Row, C: Cost, T: Send>(
    team: &mut Team<'_, R, C>,
    waiting: &[Place],
    row: impl Fn(Place) -> R + Sync,
    begin: impl Fn() -> T + Sync,
    sort: impl Fn(&mut T, &[Place], &mut Successors<R, C>) + Sync,
    meter: &mut Meter<'_, C>,
) -> Result<Vec<T>, Halt> {
    let batch = team.batch();
    let work = |space: &mut dyn Space<R, C>, _: usize, waiting: &[Place]| {
        let (mut found, mut out, mut rows) = (begin(), Successors::default(), Vec::new());
        for states in waiting.chunks(batch) {
            rows.clear();
            rows.extend(states.iter().map(|&place| row(place)));
            out.clear();
            space.expand(Batch { rows: &rows, ..Batch::default() }, &mut out)?;
            sort(&mut found, states, &mut out);
        }
        Ok(found)
    };
    team.map_items((waiting, PART), work, || meter.poll())
}

/// The moves along a path: each the first that leads from a state to the next, and costs what these differ by.
pub(super) fn moves_along<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    (states, costs): (&[R], &[C]),
    meter: &mut Meter<'_, C>,
) -> Result<Vec<MoveId>, Halt> {
    let (mut moves, mut out) = (Vec::new(), Successors::default());
    let counted = meter.stats;
    for (step, cost) in states.windows(2).zip(costs.windows(2)) {
        out.clear();
        meter.generate(space, &step[0], &mut out)?;
        let is_made =
            |(head, row): &(&Head<C>, &R)| **row == step[1] && cost[0].plus(head.cost) == cost[1];
        let made = out.iter().find(is_made);
        moves.extend(made.map(|(head, _)| head.mv));
    }
    meter.stats = counted;
    Ok(moves)
}

//! What alpha-beta finds out about states: bounds within windows, kept in a table.

use super::value::Value;
use crate::fork::Fork;
use crate::space::Row;
use crate::store::hash_of;
use std::hint::black_box;
use std::ops::Range;

/// What a value in the table says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

impl Bound {
    /// The same to the opponent.
    pub fn turned(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

/// What is known of a state.
#[derive(Clone, Copy)]
pub(super) struct Entry<V> {
    /// What the state was found to be worth.
    pub found: SubtreeValue<V>,
    /// The depth it was searched to.
    pub left: u32,
    /// The hash of the state that the move leads to that reaches the value; 0 for none. A state that is alike by a
    /// symmetry has other moves, and they lead to states that the table takes for the same.
    pub best: u32,
    /// What the value says.
    pub bound: Bound,
}

impl<V: Value> Entry<V> {
    /// Whether it counts for a search to this depth.
    #[inline]
    fn counts(&self, left: u32) -> bool {
        self.left == left || self.found.exact && left > self.found.height
    }

    /// What was found, if it is enough for a search to this depth within a window.
    #[inline]
    pub fn answer(&self, left: u32, window: Window<V>) -> Option<SubtreeValue<V>> {
        let enough = self.counts(left)
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.found.value >= window.beta,
                Bound::Upper => self.found.value <= window.alpha,
            };
        enough.then_some(self.found)
    }

    /// As [`Entry::answer`], where only wins within the depth count: what is won within so many moves is won within
    /// more, and what is not won is not won within fewer. `wins`: the player to move is the one who may win.
    #[inline]
    pub fn answer_before(
        &self,
        left: u32,
        window: Window<V>,
        wins: bool,
    ) -> Option<SubtreeValue<V>> {
        let high = self.found.value >= window.beta && self.bound != Bound::Upper;
        let low = self.found.value <= window.alpha && self.bound != Bound::Lower;
        let (won, not_won) = if wins { (high, low) } else { (low, high) };
        let holds = won && left >= self.left || not_won && left <= self.left;
        if holds { Some(self.found) } else { self.answer(left, window) }
    }
}

/// The value of a subtree.
#[derive(Clone, Copy)]
pub(super) struct SubtreeValue<V> {
    /// The value, or a bound on it.
    pub value: V,
    /// Moves of the longest play looked at.
    pub height: u32,
    /// No estimate went into it.
    pub exact: bool,
}

/// The bounds between which a value matters.
#[derive(Clone, Copy)]
pub(super) struct Window<V> {
    pub alpha: V,
    pub beta: V,
}

impl<V: Value> Window<V> {
    pub const WHOLE: Self = Self { alpha: V::LEAST, beta: V::GREATEST };

    /// Asks whether a value is greater than `alpha`.
    pub fn above(alpha: V) -> Self {
        Self { alpha, beta: alpha.negated().below().negated() }
    }

    /// Whether a move that is worth its upper bound ends the search of a node: of a root that is worth most
    /// it is still asked which move is the first.
    pub fn may_cut(self, is_root: bool) -> bool {
        !is_root || self.beta < V::GREATEST
    }

    /// Whether a value lies beyond it, on a side that it did not reach the end of: it does now.
    pub fn opens(&mut self, value: V) -> bool {
        let (low, high) = (value <= self.alpha, value >= self.beta);
        if low && self.alpha > V::LEAST {
            self.alpha = V::LEAST;
            return true;
        }
        if high && self.beta < V::GREATEST {
            self.beta = V::GREATEST;
            return true;
        }
        false
    }

    /// The same for the opponent.
    fn turned(self) -> Self {
        Self { alpha: self.beta.negated(), beta: self.alpha.negated() }
    }

    pub fn for_player(self, turns: bool) -> Self {
        if turns { self.turned() } else { self }
    }
}

/// A value of a successor to the player to move before it.
#[inline]
pub(super) fn for_player<V: Value>(value: V, turns: bool) -> V {
    if turns { value.negated() } else { value }
}

/// A state and its hash.
pub(super) struct StateKey<'s, S> {
    pub state: &'s S,
    pub hash: u32,
}

impl<S> Clone for StateKey<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for StateKey<'_, S> {}

impl<'s, S: std::hash::Hash> StateKey<'s, S> {
    pub fn of(state: &'s S) -> Self {
        Self { state, hash: hash_of(state) }
    }
}

/// What searches keep of the states that they met, for one thread or several.
pub(super) trait Entries<S, V> {
    /// Several threads fill it.
    const SHARED: bool;

    /// What is known of a state.
    fn get(&self, key: StateKey<'_, S>) -> Option<Entry<V>>;

    /// Told which hashes are asked for next.
    fn prepare(&self, hashes: &[u32]);

    /// Takes in what was found.
    fn insert(&mut self, key: StateKey<'_, S>, entry: Entry<V>);

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// Whether it is full, and there may be more.
    fn is_crowded(&self) -> bool;

    /// Makes it larger, with so many bytes at most.
    fn grow(&mut self, most: usize);

    /// Whether the search is to stop, as another thread has an answer.
    #[inline]
    fn stops(&self) -> bool {
        false
    }

    /// All threads are to stop.
    fn end(&self) {}

    /// Whether what a game has answered means the same to all threads.
    #[inline]
    fn admits(&self, _game: &impl Fork) -> bool {
        true
    }
}

/// Whether what is known of a state says more than what was found now.
pub(super) fn is_kept<V>(old: &Entry<V>, new: &Entry<V>) -> bool {
    old.bound == Bound::Exact && old.found.exact && !new.found.exact
}

/// What was found now, with what it does not say.
pub(super) fn better_of<V>(old: &Entry<V>, new: Entry<V>) -> Entry<V> {
    let best = if new.best == 0 { old.best } else { new.best };
    Entry { best, ..new }
}

/// Places of a bucket of the index; a state is named in that of its hash, or in the next one
/// that was not full. PERF: they lie in one line of the cache.
const WAYS: usize = 8;

/// Places of the index for each state that there is room for: few buckets are full.
const SPARSE: usize = 2;

/// Room for so many states at first; a power of two.
const FIRST: usize = 8;

/// A free place of the index.
const FREE: u64 = u64::MAX;

/// A state and its entry.
type StoredState<S, V> = (S, Entry<V>);

/// A transposition table: it grows to a bound in bytes, then states with large subtrees take
/// the places of those with small ones. Until then it forgets nothing, so that what a search
/// does is the same however states are packed.
pub(super) struct Table<S, V> {
    /// Hash in the high half, number of the state in the low one.
    index: Vec<u64>,
    states: Vec<StoredState<S, V>>,
    /// Room for so many states; a power of two.
    room: usize,
    /// Bytes that the states own beyond the table.
    owned: usize,
    /// It grows no more.
    is_bounded: bool,
}

impl<S: Row, V: Value> Table<S, V> {
    /// An empty table.
    pub fn new() -> Self {
        let index = vec![FREE; FIRST * SPARSE];
        let states = Vec::with_capacity(FIRST);
        Self { index, states, room: FIRST, owned: 0, is_bounded: false }
    }

    /// Bytes of a table with room for so many states.
    const fn bytes_for(room: usize) -> usize {
        room * (SPARSE * size_of::<u64>() + size_of::<StoredState<S, V>>())
    }

    /// The places of the bucket of a hash.
    #[inline]
    fn bucket(&self, hash: u32) -> Range<usize> {
        let first = (hash as usize * WAYS) & (self.index.len() - 1);
        first..first + WAYS
    }

    /// The next bucket, if one is full. There is always one that is not.
    #[inline]
    fn beyond(&self, bucket: Range<usize>) -> Option<Range<usize>> {
        let is_full = self.index[bucket.end - 1] != FREE;
        let next = bucket.end & (self.index.len() - 1);
        is_full.then_some(next..next + WAYS)
    }

    /// The number of a state.
    #[inline]
    fn find(&self, key: StateKey<'_, S>) -> Option<usize> {
        let mut bucket = self.bucket(key.hash);
        loop {
            let named = &self.index[bucket.clone()];
            let alike = named.iter().filter(|&&place| (place >> 32) as u32 == key.hash);
            let numbers = alike.map(|&place| place as u32 as usize);
            // A free place looks like one of a state with that hash.
            let mut states = numbers.filter(|&at| at < self.states.len());
            if let Some(at) = states.find(|&at| self.states[at].0 == *key.state) {
                return Some(at);
            }
            bucket = self.beyond(bucket)?;
        }
    }

    /// The first free place for a state with a hash.
    fn free(&self, hash: u32) -> usize {
        let mut bucket = self.bucket(hash);
        while let Some(next) = self.beyond(bucket.clone()) {
            bucket = next;
        }
        let free = bucket.clone().find(|&place| self.index[place] == FREE);
        free.expect("a bucket that is not full")
    }

    /// The state with the smallest subtree in a bucket: its place and its number.
    fn smallest(&self, bucket: Range<usize>) -> Option<(usize, usize)> {
        let used = bucket.filter(|&place| self.index[place] != FREE);
        let states = used.map(|place| (place, self.index[place] as u32 as usize));
        states.min_by_key(|&(_, at)| self.states[at].1.found.height)
    }
}

impl<S: Row, V: Value> Entries<S, V> for Table<S, V> {
    const SHARED: bool = false;

    #[inline]
    fn get(&self, key: StateKey<'_, S>) -> Option<Entry<V>> {
        self.find(key).map(|at| self.states[at].1)
    }

    /// PERF: fetches the buckets of some hashes from memory at the same time, which looked up
    /// one after the other would wait for each.
    #[inline]
    fn prepare(&self, hashes: &[u32]) {
        let first = |&hash| self.index[self.bucket(hash).start];
        black_box(hashes.iter().fold(0, |all, hash| all ^ first(hash)));
    }

    fn insert(&mut self, key: StateKey<'_, S>, entry: Entry<V>) {
        if let Some(at) = self.find(key) {
            let old = &mut self.states[at].1;
            if !is_kept(old, &entry) {
                *old = better_of(old, entry);
            }
            return;
        }
        let known = (key.state.clone(), entry);
        let (place, at) = if self.states.len() < self.room {
            self.owned += key.state.heap_bytes();
            self.states.push(known);
            (self.free(key.hash), self.states.len() - 1)
        } else {
            let Some((place, at)) = self.smallest(self.bucket(key.hash)) else { return };
            self.owned += key.state.heap_bytes();
            self.owned -= self.states[at].0.heap_bytes();
            self.states[at] = known;
            (place, at)
        };
        self.index[place] = u64::from(key.hash) << 32 | at as u64;
    }

    fn bytes(&self) -> usize {
        Self::bytes_for(self.room) + self.owned
    }

    #[inline]
    fn is_crowded(&self) -> bool {
        self.states.len() == self.room && !self.is_bounded
    }

    /// Doubles the table, unless that takes more bytes than `most` for a time.
    #[cold]
    fn grow(&mut self, most: usize) {
        let room = self.room * 2;
        if Self::bytes_for(room) + self.bytes() > most || room > 1 << 30 {
            self.is_bounded = true;
            return;
        }
        self.room = room;
        self.states.reserve_exact(room - self.states.len());
        let old = std::mem::replace(&mut self.index, vec![FREE; room * SPARSE]);
        for named in old.into_iter().filter(|&named| named != FREE) {
            let place = self.free((named >> 32) as u32);
            self.index[place] = named;
        }
    }
}

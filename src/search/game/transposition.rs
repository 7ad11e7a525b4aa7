//! What alpha-beta finds out about states: bounds within windows, kept in a table.

use super::graph::UNKNOWN;
use super::interface::Game;
use super::value::Value;
use crate::search::store::hash_of;
use std::hint::black_box;

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

/// What is known of a state.
#[derive(Clone, Copy)]
pub(super) struct Entry<V> {
    /// What the state was found to be worth.
    pub found: Found<V>,
    /// The depth it was searched to.
    pub left: u32,
    /// Which of its moves reaches the value.
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
    pub fn answer(&self, left: u32, window: Window<V>) -> Option<Found<V>> {
        let enough = self.counts(left)
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.found.value >= window.beta,
                Bound::Upper => self.found.value <= window.alpha,
            };
        enough.then_some(self.found)
    }
}

/// What a subtree was found to be worth.
#[derive(Clone, Copy)]
pub(super) struct Found<V> {
    /// The value, or a bound on it.
    pub value: V,
    /// Moves of the longest play looked at.
    pub height: u32,
    /// No estimate went into it.
    pub exact: bool,
}

/// Values between which the search matters.
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
pub(super) struct Key<'s, S> {
    pub state: &'s S,
    pub hash: u32,
}

impl<S> Clone for Key<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Key<'_, S> {}

impl<'s, S: std::hash::Hash> Key<'s, S> {
    pub fn of(state: &'s S) -> Self {
        Self { state, hash: hash_of(state) }
    }
}

/// Slots that a state may be in: the bucket of its hash.
const WAYS: usize = 2;

/// Slots of a table at first; a power of two.
const FIRST: usize = 8;

/// A state and what is known of it.
type Slot<G> = Option<(<G as Game>::State, Entry<<G as Game>::Value>)>;

/// A transposition table: it grows to a bound in bytes, then states with large subtrees take
/// the places of those with small ones.
pub(super) struct Table<G: Game> {
    /// A power of two of them.
    slots: Vec<Slot<G>>,
    /// Slots in use.
    used: usize,
    /// Bytes that the states own beyond the slots.
    owned: usize,
    /// It grows no more.
    is_bounded: bool,
}

impl<G: Game> Table<G> {
    /// An empty table.
    pub fn new() -> Self {
        Self { slots: vec![None; FIRST], used: 0, owned: 0, is_bounded: false }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<G>>() + self.owned
    }

    /// The first slot of a bucket.
    #[inline]
    fn bucket(&self, hash: u32) -> usize {
        hash as usize * WAYS & (self.slots.len() - 1)
    }

    /// What is known of a state.
    #[inline]
    pub fn get(&self, key: Key<'_, G::State>) -> Option<&Entry<G::Value>> {
        let at = self.bucket(key.hash);
        let known = self.slots[at..at + WAYS].iter().flatten();
        known.filter(|(state, _)| state == key.state).map(|(_, entry)| entry).next()
    }

    /// PERF: fetches the buckets of some hashes from memory at the same time, which looked up
    /// one after the other would wait for each.
    #[inline]
    pub fn prepare(&self, hashes: &[u32]) {
        let is_used = |&hash| self.slots[self.bucket(hash)].is_some();
        black_box(hashes.iter().fold(false, |any, hash| any ^ is_used(hash)));
    }

    /// Puts what was found into the table.
    pub fn keep(&mut self, game: &G, key: Key<'_, G::State>, mut entry: Entry<G::Value>) {
        let at = self.bucket(key.hash);
        let bucket = &mut self.slots[at..at + WAYS];
        let same = |slot: &&mut Slot<G>| matches!(slot, Some((state, _)) if state == key.state);
        if let Some(Some((_, old))) = bucket.iter_mut().find(same) {
            if old.bound == Bound::Exact && old.found.exact && !entry.found.exact {
                return;
            }
            if entry.best == UNKNOWN {
                entry.best = old.best;
            }
            *old = entry;
            return;
        }
        let height = |slot: &&mut Slot<G>| slot.as_ref().map(|(_, entry)| entry.found.height);
        let Some(slot) = bucket.iter_mut().min_by_key(height) else { return };
        match slot {
            Some((state, _)) => self.owned -= game.owned_bytes(state),
            None => self.used += 1,
        }
        self.owned += game.owned_bytes(key.state);
        *slot = Some((key.state.clone(), entry));
    }

    /// Whether states begin to find their buckets full, and there may be more.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.used * 3 >= self.slots.len() * 2 && !self.is_bounded
    }

    /// Doubles the table, unless that takes more bytes than `most` for a time.
    #[cold]
    pub fn grow(&mut self, game: &G, most: usize) {
        let slots = self.slots.len() * 2;
        if slots * size_of::<Slot<G>>() + self.bytes() > most {
            self.is_bounded = true;
            return;
        }
        let old = std::mem::replace(&mut self.slots, vec![None; slots]);
        (self.used, self.owned) = (0, 0);
        for (state, entry) in old.into_iter().flatten() {
            self.keep(game, Key::of(&state), entry);
        }
    }
}

//! A transposition table that several threads fill, and what they tell each other beside it.
//!
//! Places are in buckets, each behind a lock of its own that lies in one line of the cache with what tells its states
//! apart; so an entry is of just the state that it is asked for, as in a table of one thread. The table does not
//! grow while threads are at work: when much gives way they stop, and begin again with a larger one that has what was
//! known.

use super::interface::Game;
use super::transposition::{Entries, Entry, StateKey, better_of, is_kept};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Places of a bucket.
const WAYS: usize = 4;
/// Buckets to begin with.
const FIRST: usize = if cfg!(debug_assertions) { 1 << 3 } else { 1 << 15 };
/// It grows to so many times as many.
const GROWTH: usize = 4;
/// It grows when one state for so many places has given way to another.
const CROWDED: u64 = 4;
/// States that may be marked as being searched; a power of two.
const MARKS: usize = 1 << 12;

/// A state and what is known of it.
type Stored<G> = (<G as Game>::State, Entry<<G as Game>::Value>);

struct Bucket<G: Game> {
    /// The hashes of the states.
    hashes: [u32; WAYS],
    states: [Option<Stored<G>>; WAYS],
}

/// The table, and what its threads have in common.
pub(super) struct SharedTable<G: Game> {
    buckets: Box<[Mutex<Bucket<G>>]>,
    /// Bytes that the states own beyond the table.
    owned: AtomicU64,
    /// States that have given way to others.
    replaced: AtomicU64,
    /// It may grow.
    grows: AtomicBool,
    /// A thread has an answer, or wants the table to grow: all stop.
    ended: AtomicBool,
    /// Hashes of states that are being searched, by their low bits; 0 for none.
    marks: Box<[AtomicU32]>,
}

impl<G: Game> SharedTable<G> {
    /// A table of so many bytes at most.
    pub fn new(most: usize) -> Self {
        Self::with(FIRST, most)
    }

    fn with(buckets: usize, most: usize) -> Self {
        let size = size_of::<Mutex<Bucket<G>>>();
        let fit = (most / size).max(1);
        let bucket = || {
            let states = [const { None }; WAYS];
            Mutex::new(Bucket { hashes: [0; WAYS], states })
        };
        let mark = || AtomicU32::new(0);
        SharedTable {
            buckets: std::iter::repeat_with(bucket).take(buckets.min(fit)).collect(),
            owned: AtomicU64::new(0),
            replaced: AtomicU64::new(0),
            grows: AtomicBool::new(buckets < fit),
            ended: AtomicBool::new(false),
            marks: std::iter::repeat_with(mark).take(MARKS).collect(),
        }
    }

    /// A larger table that takes over what this one has; `most` bytes for both as long as there are both. `None` if that
    /// is not enough: then this one stays as large as it is.
    pub fn grown(&self, most: usize) -> Option<Self> {
        let size = size_of::<Mutex<Bucket<G>>>();
        let room = most.saturating_sub(self.bytes());
        if room / size <= self.buckets.len() {
            self.grows.store(false, Relaxed);
            return None;
        }
        let table = Self::with(self.buckets.len() * GROWTH, room);
        for bucket in &self.buckets {
            let mut bucket = locked(bucket);
            let Bucket { hashes, states } = &mut *bucket;
            for (hash, stored) in hashes.iter().zip(states) {
                if let Some(stored) = stored.take() {
                    table.bucket(*hash).put(*hash, stored);
                }
            }
        }
        table.owned.store(self.owned.load(Relaxed), Relaxed);
        Some(table)
    }

    /// Whether many states have given way, and a larger table is allowed.
    pub fn is_crowded(&self) -> bool {
        let places = (self.buckets.len() * WAYS) as u64;
        self.grows.load(Relaxed) && self.replaced.load(Relaxed) * CROWDED > places
    }

    /// Threads begin to work.
    pub fn begin(&self) {
        self.ended.store(false, Relaxed);
        self.marks.iter().for_each(|mark| mark.store(0, Relaxed));
    }

    /// All threads are to stop.
    pub fn end(&self) {
        self.ended.store(true, Relaxed);
    }

    /// Whether all threads are to stop.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Relaxed)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let own = self.buckets.len() * size_of::<Mutex<Bucket<G>>>();
        own + self.owned.load(Relaxed) as usize
    }

    #[inline]
    fn lock_of(&self, hash: u32) -> &Mutex<Bucket<G>> {
        let at = (u64::from(hash) * self.buckets.len() as u64) >> u32::BITS;
        &self.buckets[at as usize]
    }

    #[inline]
    fn bucket(&self, hash: u32) -> MutexGuard<'_, Bucket<G>> {
        locked(self.lock_of(hash))
    }
}

#[inline]
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game> Bucket<G> {
    /// The place of a state.
    #[inline]
    fn find(&self, key: StateKey<'_, G::State>) -> Option<usize> {
        let is_it = |&at: &usize| {
            self.hashes[at] == key.hash
                && self.states[at].as_ref().is_some_and(|(state, _)| state == key.state)
        };
        (0..WAYS).find(is_it)
    }

    /// Puts a state into a free place or that of the smallest subtree: what gives way.
    fn put(&mut self, hash: u32, stored: Stored<G>) -> Option<Stored<G>> {
        let size = |at: &usize| self.states[*at].as_ref().map(|(_, entry)| entry.found.height);
        let at = (0..WAYS).min_by_key(size).unwrap_or(0);
        self.hashes[at] = hash;
        self.states[at].replace(stored)
    }
}

/// The table as one of its threads sees it.
pub(super) struct Handle<G: Game> {
    table: Arc<SharedTable<G>>,
    /// Of a copy, the words that it was taught: with others it can't say what it has found.
    words: Option<u64>,
}

impl<G: Game> Handle<G> {
    pub fn new(table: &Arc<SharedTable<G>>, words: Option<u64>) -> Self {
        Handle { table: table.clone(), words }
    }

    /// The place of a mark; hash 0 stands for none.
    #[inline]
    fn mark(&self, hash: u32) -> &AtomicU32 {
        &self.table.marks[hash as usize % MARKS]
    }
}

impl<G: Game> Entries<G> for Handle<G> {
    fn get(&self, key: StateKey<'_, G::State>) -> Option<Entry<G::Value>> {
        let bucket = self.table.bucket(key.hash);
        let at = bucket.find(key)?;
        bucket.states[at].as_ref().map(|&(_, entry)| entry)
    }

    fn prepare(&self, hashes: &[u32]) {
        // Whether a lock is poisoned is written in its line of the cache.
        let touch = |&hash: &u32| self.table.lock_of(hash).is_poisoned();
        black_box(hashes.iter().fold(false, |all, hash| all ^ touch(hash)));
    }

    fn insert(&mut self, game: &G, key: StateKey<'_, G::State>, entry: Entry<G::Value>) {
        let mut bucket = self.table.bucket(key.hash);
        if let Some(at) = bucket.find(key) {
            if let Some((_, old)) = &mut bucket.states[at]
                && !is_kept(old, &entry)
            {
                *old = better_of(old, entry);
            }
            return;
        }
        let gone = bucket.put(key.hash, (key.state.clone(), entry));
        drop(bucket);
        let bytes = game.owned_bytes(key.state) as u64;
        let freed = gone.as_ref().map_or(0, |(state, _)| game.owned_bytes(state) as u64);
        if bytes != freed {
            self.table.owned.fetch_add(bytes.wrapping_sub(freed), Relaxed);
        }
        if gone.is_some() && self.table.grows.load(Relaxed) {
            self.table.replaced.fetch_add(1, Relaxed);
        }
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }

    fn is_crowded(&self) -> bool {
        false
    }

    fn grow(&mut self, _: usize) {}

    #[inline]
    fn stops(&self) -> bool {
        self.table.has_ended()
    }

    fn admits(&self, game: &G) -> bool {
        if self.table.is_crowded() {
            self.table.end();
        }
        self.words.is_none_or(|words| game.words() == words)
    }

    #[inline]
    fn is_searched(&self, hash: u32) -> bool {
        hash != 0 && self.mark(hash).load(Relaxed) == hash
    }

    #[inline]
    fn enter(&self, hash: u32) {
        self.mark(hash).store(hash, Relaxed);
    }

    #[inline]
    fn leave(&self, hash: u32) {
        // Another state may have taken its place.
        if self.is_searched(hash) {
            self.mark(hash).store(0, Relaxed);
        }
    }
}

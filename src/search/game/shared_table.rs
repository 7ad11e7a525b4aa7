//! A transposition table that several threads fill.
//!
//! Places are in buckets, each behind a lock of its own that lies in one line of the cache with the hashes of its
//! states; so an entry is of just the state that it is asked for, as in a table of one thread. Hashes are read without
//! the lock: most states that are asked for are in no place. The table does not
//! grow while threads are at work: when much gives way they stop, and begin again with a larger one that has what was
//! known.

use super::transposition::{Entries, Entry, StateKey, better_of, is_kept};
use super::value::Value;
use crate::fork::Fork;
use crate::space::Row;
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

/// A state and what is known of it.
type Stored<S, V> = (S, Entry<V>);

/// PERF: what is asked most lies in one line of the cache.
#[repr(align(64))]
struct Bucket<S, V> {
    /// The hashes of the states, written with the lock.
    hashes: [AtomicU32; WAYS],
    /// One more than the heights of their subtrees; 0 where the place is free. As the hashes.
    sizes: [AtomicU32; WAYS],
    states: Mutex<[Option<Stored<S, V>>; WAYS]>,
}

/// The places of a bucket, while no other thread has them.
struct Held<'b, S, V> {
    bucket: &'b Bucket<S, V>,
    states: MutexGuard<'b, [Option<Stored<S, V>>; WAYS]>,
}

/// The table, and what its threads have in common.
pub(super) struct SharedTable<S, V> {
    buckets: Box<[Bucket<S, V>]>,
    /// Bytes that the states own beyond the table.
    owned: AtomicU64,
    /// States that have given way to others.
    replaced: AtomicU64,
    /// It may grow.
    grows: AtomicBool,
    /// A thread has an answer, or wants the table to grow: all stop.
    ended: AtomicBool,
}

impl<S: Row, V: Value> SharedTable<S, V> {
    /// A table of so many bytes at most.
    pub fn new(most: usize) -> Self {
        Self::with(FIRST, most)
    }

    fn with(buckets: usize, most: usize) -> Self {
        let size = size_of::<Bucket<S, V>>();
        let fit = (most / size).max(1);
        let bucket = || Bucket {
            hashes: [const { AtomicU32::new(0) }; WAYS],
            sizes: [const { AtomicU32::new(0) }; WAYS],
            states: Mutex::new([const { None }; WAYS]),
        };
        SharedTable {
            buckets: std::iter::repeat_with(bucket).take(buckets.min(fit)).collect(),
            owned: AtomicU64::new(0),
            replaced: AtomicU64::new(0),
            grows: AtomicBool::new(buckets < fit),
            ended: AtomicBool::new(false),
        }
    }

    /// A larger table that takes over what this one has; `most` bytes for both as long as there are both. `None` if that
    /// is not enough: then this one stays as large as it is.
    pub fn grown(&self, most: usize) -> Option<Self> {
        let size = size_of::<Bucket<S, V>>();
        let room = most.saturating_sub(self.bytes());
        if room / size <= self.buckets.len() {
            self.grows.store(false, Relaxed);
            return None;
        }
        let table = Self::with(self.buckets.len() * GROWTH, room);
        for bucket in &self.buckets {
            let mut held = bucket.hold();
            for (hash, stored) in bucket.hashes.iter().zip(held.states.iter_mut()) {
                if let Some(stored) = stored.take() {
                    let hash = hash.load(Relaxed);
                    table.bucket(hash).hold().put(hash, stored);
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
        let own = self.buckets.len() * size_of::<Bucket<S, V>>();
        own + self.owned.load(Relaxed) as usize
    }

    #[inline]
    fn bucket(&self, hash: u32) -> &Bucket<S, V> {
        let at = (u64::from(hash) * self.buckets.len() as u64) >> u32::BITS;
        &self.buckets[at as usize]
    }
}

impl<S: Row, V: Value> Bucket<S, V> {
    /// Whether a state of this hash may be here.
    #[inline]
    fn may_have(&self, hash: u32) -> bool {
        self.hashes.iter().any(|of| of.load(Relaxed) == hash)
    }

    #[inline]
    fn hold(&self) -> Held<'_, S, V> {
        let states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        Held { bucket: self, states }
    }
}

impl<S: Row, V: Value> Held<'_, S, V> {
    /// The place of a state.
    #[inline]
    fn find(&self, key: StateKey<'_, S>) -> Option<usize> {
        let is_it = |&at: &usize| {
            self.bucket.hashes[at].load(Relaxed) == key.hash
                && self.states[at].as_ref().is_some_and(|(state, _)| state == key.state)
        };
        (0..WAYS).find(is_it)
    }

    /// Puts a state into a free place or that of the smallest subtree: what gives way.
    fn put(&mut self, hash: u32, stored: Stored<S, V>) -> Option<Stored<S, V>> {
        let at = (0..WAYS).min_by_key(|&at| self.bucket.sizes[at].load(Relaxed)).unwrap_or(0);
        self.bucket.hashes[at].store(hash, Relaxed);
        self.size(at, &stored.1);
        self.states[at].replace(stored)
    }

    fn size(&self, at: usize, entry: &Entry<V>) {
        self.bucket.sizes[at].store(entry.found.height.saturating_add(1), Relaxed);
    }
}

/// The table as one of its threads sees it.
pub(super) struct Handle<S, V> {
    table: Arc<SharedTable<S, V>>,
    /// Of a copy, the words that it was taught: with others it can't say what it has found.
    words: Option<u64>,
}

impl<S: Row, V: Value> Handle<S, V> {
    pub fn new(table: &Arc<SharedTable<S, V>>, words: Option<u64>) -> Self {
        Handle { table: table.clone(), words }
    }
}

impl<S: Row, V: Value> Entries<S, V> for Handle<S, V> {
    const SHARED: bool = true;

    #[inline]
    fn get(&self, key: StateKey<'_, S>) -> Option<Entry<V>> {
        let bucket = self.table.bucket(key.hash);
        if !bucket.may_have(key.hash) {
            return None;
        }
        let held = bucket.hold();
        let at = held.find(key)?;
        held.states[at].as_ref().map(|&(_, entry)| entry)
    }

    fn prepare(&self, hashes: &[u32]) {
        let touch = |&hash: &u32| self.table.bucket(hash).hashes[0].load(Relaxed);
        black_box(hashes.iter().fold(0, |all, hash| all ^ touch(hash)));
    }

    fn insert(&mut self, key: StateKey<'_, S>, entry: Entry<V>) {
        let mut bucket = self.table.bucket(key.hash).hold();
        if let Some(at) = bucket.find(key) {
            if let Some((_, old)) = &mut bucket.states[at]
                && !is_kept(old, &entry)
            {
                *old = better_of(old, entry);
                bucket.size(at, &entry);
            }
            return;
        }
        let gone = bucket.put(key.hash, (key.state.clone(), entry));
        drop(bucket);
        let bytes = key.state.heap_bytes() as u64;
        let freed = gone.as_ref().map_or(0, |(state, _)| state.heap_bytes() as u64);
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

    fn end(&self) {
        self.table.end();
    }

    fn admits(&self, game: &impl Fork) -> bool {
        if self.table.is_crowded() {
            self.table.end();
        }
        self.words.is_none_or(|words| game.words() == words)
    }
}

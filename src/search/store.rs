//! A state store for states that are plain Rust values.

use std::hash::{Hash, Hasher};

use super::space::{StateId, StateStore};

/// Marks a free slot of the table.
const FREE: u64 = u64::MAX;

/// An odd number with evenly mixed bits: the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hasher that stores and cycle checks share: one or two words at a time through a
/// multiplication whose halves are folded together.
struct Fold(u64);

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    wide as u64 ^ (wide >> 64) as u64
}

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.write_u64(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
        let rest = words.remainder().iter().fold(0, |rest, &byte| rest << 8 | u64::from(byte));
        self.write_u64(rest ^ (bytes.len() as u64) << 56);
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = fold(self.0 ^ n, MIX);
    }

    #[inline]
    fn write_u128(&mut self, n: u128) {
        self.0 = fold(self.0 ^ n as u64, MIX ^ (n >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// The hash that stores and cycle checks share.
#[inline]
pub(super) fn hash_of<S: Hash>(state: &S) -> u32 {
    let mut hasher = Fold(MIX.rotate_left(32));
    state.hash(&mut hasher);
    hasher.finish() as u32
}

/// Slots of a new table.
const FEWEST: usize = 1 << 6;
/// Tables and arrays below this grow to four times their size, not twice: much of a short
/// search would go into growing.
const SMALL: usize = 1 << 12;

/// Makes room for one more in an array of a search, whose capacity is at hand.
#[inline]
pub(super) fn make_room<T>(array: &mut Vec<T>) {
    let capacity = array.capacity();
    if array.len() == capacity && capacity < SMALL {
        array.reserve_exact((3 * capacity).max(FEWEST));
    }
}

/// States in an array in order of arrival, and an open-addressing table of their numbers.
///
/// `size_of::<S>()` + 11 to 21 bytes a state, more if they are few; heap memory that a state
/// owns is not counted in [`StateStore::bytes`].
#[derive(Clone, Debug)]
pub struct HashStore<S> {
    states: Vec<S>,
    /// Hash in the high half, number in the low one, at the slot of the hash or the next free
    /// one; a power of two long and at most three quarters full.
    slots: Vec<u64>,
}

impl<S> Default for HashStore<S> {
    fn default() -> Self {
        Self { states: Vec::new(), slots: vec![FREE; FEWEST] }
    }
}

impl<S: Clone + Eq + Hash> HashStore<S> {
    /// Makes the table larger. The hashes lie in it, so the states are not looked at.
    #[cold]
    fn grow(&mut self) {
        let times = if self.slots.len() < SMALL { 4 } else { 2 };
        let mask = self.slots.len() * times - 1;
        let old = std::mem::replace(&mut self.slots, vec![FREE; mask + 1]);
        for slot in old.into_iter().filter(|&slot| slot != FREE) {
            let mut at = (slot >> 32) as usize & mask;
            while self.slots[at] != FREE {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

impl<S: Clone + Eq + Hash> StateStore for HashStore<S> {
    type State = S;

    // PERF: out of line, moving the state and the answer takes a quarter of it.
    #[inline(always)]
    fn intern(&mut self, state: &S) -> (StateId, bool) {
        if self.states.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let hash = hash_of(state);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at & mask];
            if slot == FREE {
                let id = self.states.len() as StateId;
                self.slots[at & mask] = u64::from(hash) << 32 | u64::from(id);
                make_room(&mut self.states);
                self.states.push(state.clone());
                return (id, true);
            }
            if (slot >> 32) as u32 == hash && self.states[slot as u32 as usize] == *state {
                return (slot as u32, false);
            }
            at += 1;
        }
    }

    fn find(&self, state: &S) -> Option<StateId> {
        let (hash, mask) = (hash_of(state), self.slots.len() - 1);
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at & mask] {
                FREE => return None,
                slot if (slot >> 32) as u32 == hash
                    && self.states[slot as u32 as usize] == *state =>
                {
                    return Some(slot as u32);
                }
                _ => at += 1,
            }
        }
    }

    #[inline]
    fn prepare<'a>(&self, states: impl Iterator<Item = &'a S>)
    where
        S: 'a,
    {
        // A small table lies in the cache.
        if self.slots.len() <= 1 << 15 {
            return;
        }
        let mask = self.slots.len() - 1;
        let touched =
            states.fold(0, |slots, state| slots ^ self.slots[hash_of(state) as usize & mask]);
        std::hint::black_box(touched);
    }

    #[inline]
    fn state(&self, id: StateId) -> S {
        self.states[id as usize].clone()
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.slots.capacity() * size_of::<u64>()
    }
}

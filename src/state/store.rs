//! Packed terms in an arena, numbered in order of arrival.
//!
//! As long as all terms are equally long their places are a matter of multiplication; with the
//! first that is not, the store begins to remember where each one ends. A state of the 3x3
//! taquin takes ten bytes in the arena and nine to eighteen in the hash table.

use super::packed::{Packed, hash_of};
use zug_search::{StateId, StateStore};

/// A free slot of the table.
const FREE: u64 = u64::MAX;
/// Terms whose ends are counted from one base.
const BLOCK: usize = 1024;
/// Whether two runs of bytes are equal. PERF: most are of eight to sixteen bytes, two words
/// that may overlap.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    let ends = |bytes: &[u8]| -> Option<(u64, u64)> {
        let (first, last) = (bytes.first_chunk()?, bytes.last_chunk()?);
        Some((u64::from_le_bytes(*first), u64::from_le_bytes(*last)))
    };
    if a.len() == b.len() && a.len() <= 16 && a.len() >= 8 { ends(a) == ends(b) } else { a == b }
}

/// A set of packed terms.
#[derive(Clone, Debug)]
pub struct PackedStore {
    /// The bytes of all terms, one after another.
    arena: Vec<u8>,
    /// Number of terms.
    count: usize,
    /// The length of all terms, while they have one.
    stride: Option<usize>,
    /// Where each term ends, counted from the base of its block; empty while there is a stride.
    ends: Vec<u32>,
    /// Where each block of terms starts.
    bases: Vec<usize>,
    /// Hash in the high half, number in the low one; a power of two long.
    slots: Vec<u64>,
}

impl Default for PackedStore {
    fn default() -> Self {
        PackedStore {
            arena: Vec::new(),
            count: 0,
            stride: None,
            ends: Vec::new(),
            bases: Vec::new(),
            slots: vec![FREE; 16],
        }
    }
}

impl PackedStore {
    /// The bytes of a stored term.
    #[inline]
    pub fn bytes_of(&self, id: StateId) -> &[u8] {
        let id = id as usize;
        if let Some(stride) = self.stride {
            return &self.arena[id * stride..(id + 1) * stride];
        }
        let base = self.bases[id / BLOCK];
        let start = if id.is_multiple_of(BLOCK) { 0 } else { self.ends[id - 1] as usize };
        &self.arena[base + start..base + self.ends[id] as usize]
    }

    /// The number of the term with these bytes, if it is stored.
    #[inline]
    pub fn find_bytes(&self, bytes: &[u8]) -> Option<StateId> {
        let hash = hash_of(bytes);
        let mask = self.slots.len() - 1;
        let from = hash as usize & mask;
        let slots = self.slots[from..].iter().chain(&self.slots[..from]);
        let mut known = slots.take_while(|&&slot| slot != FREE);
        let same = |slot: &&u64| {
            (**slot >> 32) as u32 == hash && same(self.bytes_of(**slot as u32), bytes)
        };
        known.find(same).map(|&slot| slot as u32)
    }

    /// The number of the term with these bytes, and whether it is new.
    #[inline]
    pub fn intern_bytes(&mut self, bytes: &[u8]) -> (StateId, bool) {
        if self.count * 8 >= self.slots.len() * 7 {
            self.grow();
        }
        let hash = hash_of(bytes);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == FREE {
                let id = self.count as StateId;
                self.slots[at] = u64::from(hash) << 32 | u64::from(id);
                self.push(bytes);
                return (id, true);
            }
            if (slot >> 32) as u32 == hash && same(self.bytes_of(slot as u32), bytes) {
                return (slot as u32, false);
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        if self.count == 0 {
            self.stride = Some(bytes.len());
        }
        if self.stride != Some(bytes.len()) {
            self.remember_end(bytes.len());
        }
        self.arena.extend_from_slice(bytes);
        self.count += 1;
    }

    /// Notes where a term of this length will end, and with the first such one where all
    /// before it do.
    fn remember_end(&mut self, length: usize) {
        if let Some(stride) = self.stride.take() {
            for id in 0..self.count {
                self.push_end(id, id * stride, stride);
            }
        }
        self.push_end(self.count, self.arena.len(), length);
    }

    fn push_end(&mut self, id: usize, start: usize, length: usize) {
        if id.is_multiple_of(BLOCK) {
            self.bases.push(start);
        }
        let base = self.bases[id / BLOCK];
        self.ends.push((start + length - base) as u32);
    }

    /// Doubles the table. The hashes lie in it, so the terms are not looked at.
    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
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

impl StateStore for PackedStore {
    type State = Packed;

    #[inline]
    fn intern(&mut self, state: &Packed) -> (StateId, bool) {
        self.intern_bytes(state.bytes())
    }

    #[inline]
    fn prepare<'a>(&self, states: impl Iterator<Item = &'a Packed>) {
        // A small table lies in the cache.
        if self.slots.len() <= 1 << 15 {
            return;
        }
        let mask = self.slots.len() - 1;
        let touched = states
            .fold(0, |slots, state| slots ^ self.slots[hash_of(state.bytes()) as usize & mask]);
        std::hint::black_box(touched);
    }

    fn find(&self, state: &Packed) -> Option<StateId> {
        self.find_bytes(state.bytes())
    }

    #[inline]
    fn state(&self, id: StateId) -> Packed {
        Packed::new(self.bytes_of(id))
    }

    fn len(&self) -> usize {
        self.count
    }

    fn bytes(&self) -> usize {
        self.arena.capacity()
            + self.ends.capacity() * size_of::<u32>()
            + self.bases.capacity() * size_of::<usize>()
            + self.slots.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_in_order_and_kept() {
        let mut store = PackedStore::default();
        // All of one length, then others.
        let length = |i: u32| if i < 2000 { 2 } else { 1 + i as usize % 9 };
        let term = |i: u32| Packed::new(&i.to_le_bytes().repeat(length(i)));
        for i in 0..5000 {
            assert_eq!(store.intern(&term(i)), (i, true));
        }
        for i in 0..5000 {
            assert_eq!(store.intern(&term(i)), (i, false));
            assert_eq!(store.state(i), term(i));
        }
        assert_eq!(store.len(), 5000);
    }

    #[test]
    fn a_short_term_owns_nothing() {
        assert_eq!(size_of::<Packed>(), 24);
        assert_eq!(Packed::new(&[7; 22]).heap_bytes(), 0);
        assert_eq!(Packed::new(&[7; 23]).heap_bytes(), 23);
    }
}

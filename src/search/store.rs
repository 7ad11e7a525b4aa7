//! A state store for states that are plain Rust values.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::problem::{StateId, StateStore};

/// Marks a free slot of the table.
const FREE: StateId = StateId::MAX;

/// The hash that stores and cycle checks share: that of `rustc-hash`, with its high bits
/// folded into the low ones, which select the slot.
#[inline]
pub(super) fn hash_of<S: Hash>(state: &S) -> u32 {
    let hash = FxBuildHasher.hash_one(state).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> 32) as u32
}

/// States in an array in order of arrival, and an open-addressing table of their numbers.
///
/// `size_of::<S>()` + 8 to 16 bytes a state; heap memory that a state owns is not counted in
/// [`StateStore::bytes`].
#[derive(Clone, Debug)]
pub struct HashStore<S> {
    states: Vec<S>,
    /// State numbers at the slot of their hash or the next free one; a power of two long
    /// and at most half full.
    slots: Vec<StateId>,
}

impl<S> Default for HashStore<S> {
    fn default() -> Self {
        Self { states: Vec::new(), slots: vec![FREE; 16] }
    }
}

impl<S: Clone + Eq + Hash> HashStore<S> {
    /// Doubles the table.
    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![FREE; mask + 1];
        for (id, state) in self.states.iter().enumerate() {
            let mut at = hash_of(state) as usize & mask;
            while slots[at] != FREE {
                at = (at + 1) & mask;
            }
            slots[at] = id as StateId;
        }
        self.slots = slots;
    }
}

impl<S: Clone + Eq + Hash> StateStore for HashStore<S> {
    type State = S;

    #[inline]
    fn intern(&mut self, state: &S) -> (StateId, bool) {
        if self.states.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = hash_of(state) as usize & mask;
        loop {
            let id = self.slots[at];
            if id == FREE {
                let id = self.states.len() as StateId;
                self.slots[at] = id;
                self.states.push(state.clone());
                return (id, true);
            }
            if self.states[id as usize] == *state {
                return (id, false);
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn state(&self, id: StateId) -> S {
        self.states[id as usize].clone()
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.slots.capacity() * size_of::<StateId>()
    }
}

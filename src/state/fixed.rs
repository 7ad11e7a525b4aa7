//! Packed terms of bounded length: [`Fixed`], and what it has in common with [`Packed`].

use super::{Packed, PackedStore};
use std::fmt;
use std::hash::{Hash, Hasher};
#[cfg(test)]
use zug_search::StateStore;
use zug_search::{HashStore, Row};

/// What a search carries a packed term in.
pub trait PackedState: Row + fmt::Debug {
    /// The packed term with these bytes, if there is room for it.
    fn from_bytes(packed: &[u8]) -> Option<Self>;

    /// How many words of eight bytes each of them takes, from the first byte on and with the
    /// room behind the last; 0 if they differ.
    const WORDS: usize;

    /// The packed term with these words, which are [`Self::WORDS`] many.
    fn from_words(words: &[i64]) -> Option<Self>;

    /// The packed term with these words, whose bytes are as many as this one's.
    fn like(&self, words: &[i64]) -> Option<Self> {
        Self::from_words(words)
    }

    /// The bytes: the number of the shape, then the codes of the leaves.
    fn bytes(&self) -> &[u8];

    /// The bytes with the room behind them, at least [`Self::WORDS`] words.
    fn room(&self) -> &[u8];

    /// Calls `visit` with the place, this one's byte and the other's wherever they differ,
    /// until it returns false; whether it never did. False if the two differ in length.
    fn each_difference(&self, other: &Self, visit: impl FnMut(usize, u8, u8) -> bool) -> bool;

    /// Writes the byte at a place inside the term.
    fn set_byte(&mut self, at: usize, byte: u8);
}

/// The most bytes of a packed term that is made from words.
pub const LARGEST_LIKE: usize = 512;

impl Row for Packed {
    type Store = PackedStore;

    fn heap_bytes(&self) -> usize {
        Packed::heap_bytes(self)
    }

    fn write(&self, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(Packed::bytes(self));
        true
    }

    fn read(bytes: &[u8]) -> Option<Packed> {
        Some(Packed::new(bytes))
    }
}

impl PackedState for Packed {
    #[inline]
    fn from_bytes(packed: &[u8]) -> Option<Packed> {
        Some(Packed::new(packed))
    }

    const WORDS: usize = 0;

    fn from_words(_: &[i64]) -> Option<Packed> {
        None
    }

    fn like(&self, words: &[i64]) -> Option<Packed> {
        let mut bytes = [0; LARGEST_LIKE];
        let length = Packed::bytes(self).len();
        let room = bytes.get_mut(..8 * words.len()).filter(|room| room.len() >= length)?;
        for (bytes, word) in room.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        Some(Packed::new(&room[..length]))
    }

    #[inline]
    fn room(&self) -> &[u8] {
        Packed::bytes(self)
    }

    #[inline]
    fn each_difference(&self, other: &Packed, visit: impl FnMut(usize, u8, u8) -> bool) -> bool {
        let (old, new) = (Packed::bytes(self), Packed::bytes(other));
        let mut visit = visit;
        let mut pairs = old.iter().zip(new).enumerate();
        old.len() == new.len() && pairs.all(|(at, (&a, &b))| a == b || visit(at, a, b))
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        Packed::bytes(self)
    }

    #[inline]
    fn set_byte(&mut self, at: usize, byte: u8) {
        Packed::set_byte(self, at, byte);
    }
}

/// A packed term of fewer than `N` bytes, of which there are 8, 16, 24, … or 248.
///
/// The bytes, zeros, and in the last byte how many there are: equality and hashing are those
/// of a few words, and nothing is owned beyond them.
///
/// PERF: changes go through words. Bytes stored one by one, and loaded as words when the term
/// is copied or hashed, stall the processor until the stores are done.
#[derive(Clone, Copy)]
#[repr(align(8))]
pub struct Fixed<const N: usize>([u8; N]);

impl<const N: usize> Fixed<N> {
    const WORDS: usize = {
        assert!(N.is_multiple_of(8) && N > 0 && N < 256, "whole words, counted in a byte");
        N / 8
    };

    /// Whether terms of this many bytes fit.
    pub const fn holds(length: usize) -> bool {
        length < N
    }

    /// The byte at a place; zero behind the term.
    #[inline]
    pub fn byte(&self, at: usize) -> u8 {
        self.0[at]
    }

    /// The same term with the bytes at two places exchanged.
    #[inline]
    #[must_use]
    pub fn swapped(self, a: usize, b: usize) -> Self {
        let differ = self.0[a] ^ self.0[b];
        self.flipped(a, differ).flipped(b, differ)
    }

    /// The same term with another byte at a place.
    #[inline]
    #[must_use]
    pub fn with(self, at: usize, byte: u8) -> Self {
        self.flipped(at, self.0[at] ^ byte)
    }

    /// The same term with some bits of the byte at a place turned over.
    #[inline]
    #[must_use]
    pub fn flipped(mut self, at: usize, bits: u8) -> Self {
        debug_assert!(at < self.bytes().len(), "it lies in the term");
        for (word, bytes) in self.0.as_chunks_mut().0.iter_mut().enumerate() {
            let here = if at / 8 == word { u64::from(bits) << (at % 8 * 8) } else { 0 };
            *bytes = (u64::from_le_bytes(*bytes) ^ here).to_le_bytes();
        }
        self
    }

    /// How many words there are.
    pub const fn words() -> usize {
        Self::WORDS
    }

    /// Eight bytes, the first one lowest.
    #[inline]
    pub fn word(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.0.as_chunks().0[at])
    }
}

impl<const N: usize> Row for Fixed<N> {
    type Store = HashStore<Self>;

    fn write(&self, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(self.bytes());
        true
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        Self::from_bytes(bytes)
    }
}

impl<const N: usize> PackedState for Fixed<N> {
    #[inline]
    fn from_bytes(packed: &[u8]) -> Option<Self> {
        let mut bytes = [0; N];
        if packed.len() >= N {
            return None;
        }
        bytes[..packed.len()].copy_from_slice(packed);
        bytes[N - 1] = packed.len() as u8;
        Some(Fixed(bytes))
    }

    const WORDS: usize = Self::WORDS;

    #[inline(always)]
    fn from_words(words: &[i64]) -> Option<Self> {
        let mut all = [0; N];
        if words.len() != Self::WORDS {
            return None;
        }
        for (bytes, word) in all.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        Some(Fixed(all))
    }

    #[inline]
    fn room(&self) -> &[u8] {
        &self.0
    }

    #[inline(always)]
    fn each_difference(&self, other: &Self, mut visit: impl FnMut(usize, u8, u8) -> bool) -> bool {
        for word in 0..Self::WORDS {
            let mut differ = self.word(word) ^ other.word(word);
            while differ != 0 {
                let at = 8 * word + differ.trailing_zeros() as usize / 8;
                // Where lengths differ, so do the last bytes.
                if at == N - 1 || !visit(at, self.0[at], other.0[at]) {
                    return false;
                }
                differ &= !(0xFF << (at % 8 * 8));
            }
        }
        true
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        &self.0[..usize::from(self.0[N - 1]).min(N - 1)]
    }

    #[inline]
    fn set_byte(&mut self, at: usize, byte: u8) {
        *self = self.with(at, byte);
    }
}

impl<const N: usize> PartialEq for Fixed<N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        // PERF: one branch at the end is quicker than one for each word.
        (0..Self::WORDS).fold(0, |differ, at| differ | (self.word(at) ^ other.word(at))) == 0
    }
}

impl<const N: usize> Eq for Fixed<N> {}

impl<const N: usize> Hash for Fixed<N> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        for at in (0..Self::WORDS - 1).step_by(2) {
            state.write_u128(u128::from(self.word(at)) << 64 | u128::from(self.word(at + 1)));
        }
        if !Self::WORDS.is_multiple_of(2) {
            state.write_u64(self.word(Self::WORDS - 1));
        }
    }
}

impl<const N: usize> fmt::Debug for Fixed<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fixed({:02x?})", self.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_of_bounded_length() {
        let state = Fixed::<16>::from_bytes(&[1, 2, 3]).expect("it fits");
        assert_eq!(state.bytes(), [1, 2, 3]);
        assert_ne!(Some(state), Fixed::from_bytes(&[1, 2, 3, 0]));
        assert_eq!(state.swapped(0, 2).bytes(), [3, 2, 1]);
        assert_eq!(state.with(1, 9).bytes(), [1, 9, 3]);
        assert!(Fixed::<16>::from_bytes(&[7; 15]).is_some_and(|state| state.bytes() == [7; 15]));
        assert_eq!(Fixed::<16>::from_bytes(&[7; 16]), None);
    }

    #[test]
    fn each_is_stored_once() {
        let mut store = HashStore::<Fixed<8>>::default();
        let term = |i: u16| Fixed::from_bytes(&i.to_le_bytes()).expect("it fits");
        for round in 0..2 {
            for i in 0..5000 {
                assert_eq!(store.intern(&term(i)), (u32::from(i), round == 0));
            }
        }
        assert!((0..5000).all(|i| store.state(u32::from(i)) == term(i)));
    }
}

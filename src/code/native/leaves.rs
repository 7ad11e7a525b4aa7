//! What programs ask of leaves, in bytes of packed states or in words.

use super::program::Translator;
use crate::code::{Leaf, NOTHING};
use crate::program::PLACES;
use zug_jit::{Bit, Compare, Index, Int};
use zug_state::Word;

impl<'f> Translator<'_, 'f> {
    pub(super) fn byte(&mut self, leaf: Leaf) -> Index<'f> {
        if self.lying.is_wide {
            let word = self.word(leaf);
            return self.b.low_byte(word);
        }
        let byte = self.b.input_byte(self.lying.before + usize::from(leaf));
        self.b.widened(byte)
    }

    pub(super) fn word(&mut self, leaf: Leaf) -> Int<'f> {
        if self.lying.is_wide {
            return self.b.input_int(8 * usize::from(leaf));
        }
        let byte = self.byte(leaf);
        self.b.int_of(byte)
    }

    /// The integer that a leaf is; 0 if it is none.
    pub(super) fn number(&mut self, leaf: Leaf) -> Int<'f> {
        let word = self.word(leaf);
        let narrow = self.b.add_const(word, Word::FIRST_INT);
        if !self.program.wide[usize::from(leaf)] {
            return narrow;
        }
        let wide = self.b.add_const(word, -Word::WIDE_INT);
        let (zero, half) = (self.b.int(0), self.b.int(Word::HALF));
        let is_constant = self.b.compare(Compare::Less, word, half);
        let wide = self.b.select(is_constant, zero, wide);
        let is_narrow = self.b.compare_with(Compare::Less, word, Word::INTS);
        self.b.select(is_narrow, narrow, wide)
    }

    /// Whether a table has an entry for all that a leaf may be.
    pub(super) fn is_covered(&self, leaf: Leaf, table: &[i64; 256]) -> bool {
        let may = self.program.may.get(usize::from(leaf));
        let bytes = || (0..256usize).filter(|byte| table[*byte] == NOTHING);
        may.is_some_and(|may| bytes().all(|byte| may[byte / 64] >> (byte % 64) & 1 == 0))
    }

    pub(super) fn is_in(&mut self, leaf: Leaf, set: u32) -> Bit<'f> {
        let words = &self.program.sets[set as usize];
        let word = self.word(leaf);
        let bytes: Vec<i64> = words.iter().filter_map(|word| word.byte()).map(i64::from).collect();
        let mut any = self.is_byte_in(word, &bytes);
        if self.program.wide[usize::from(leaf)] {
            for wide in words.iter().filter(|word| word.byte().is_none()) {
                let is = self.b.compare_with(Compare::Equal, word, wide.0);
                any = self.b.or(any, is);
            }
        }
        any
    }

    pub(super) fn is_byte_in(&mut self, word: Int<'f>, bytes: &[i64]) -> Bit<'f> {
        match bytes[..] {
            [] => self.b.bit(false),
            [only] => self.b.compare_with(Compare::Equal, word, only),
            [first, .., last] if last - first < 64 => {
                let mut mask = 0u64;
                for &byte in bytes {
                    mask |= 1 << (byte - first);
                }
                let above = self.b.add_const(word, -first);
                let inside = self.b.compare_with(Compare::Below, above, last - first + 1);
                if mask.count_ones() as i64 == last - first + 1 {
                    return inside;
                }
                let one = self.b.int(1);
                let bit = self.b.shl(one, above);
                let bit = self.b.and_const(bit, mask as i64);
                let is = self.b.compare_with(Compare::NotEqual, bit, 0);
                self.b.and(inside, is)
            }
            _ => {
                let mut any = self.b.bit(false);
                for &byte in bytes {
                    let is = self.b.compare_with(Compare::Equal, word, byte);
                    any = self.b.or(any, is);
                }
                any
            }
        }
    }

    /// The places of a set, leaf by leaf.
    pub(super) fn cells_of_words(&mut self, set: u32, first: Leaf) -> Int<'f> {
        let mut found = self.b.int(0);
        for leaf in 0..self.program.leaves.saturating_sub(usize::from(first)).min(PLACES) {
            let is = self.is_in(first + leaf as Leaf, set);
            let is = self.b.int_of_bit(is);
            let bit = self.b.shl_const(is, leaf as i64);
            found = self.b.or(found, bit);
        }
        found
    }

    /// The places, from a leaf on, whose leaves are in a set.
    pub(super) fn cells(&mut self, set: u32, leaf: Leaf) -> Int<'f> {
        let count = self.program.leaves.saturating_sub(usize::from(leaf)).min(PLACES);
        let words = &self.program.sets[set as usize];
        let bytes: Vec<u8> = words.iter().filter_map(|word| word.byte()).collect();
        let room = 8 * self.lying.words;
        let first = self.lying.before + usize::from(leaf);
        let mut found = None;
        for byte in bytes {
            let wanted = self.b.lanes(byte);
            for at in (0..count).step_by(16) {
                // What is not a leaf is cut off. Where sixteen bytes would go beyond the state, those
                // that end with it are taken.
                let begin = (first + at).min(room.saturating_sub(16));
                let skipped = first + at - begin;
                let bits = if room < 16 {
                    let low = self.b.input_int(0);
                    let zero = self.b.int(0);
                    let lanes = self.b.lanes_of(low, zero);
                    self.b.equal_lanes(lanes, wanted)
                } else {
                    let lanes = self.b.input_lanes(begin);
                    self.b.equal_lanes(lanes, wanted)
                };
                let skipped = if room < 16 { first + at } else { skipped };
                let mut bits = match skipped {
                    0 => bits,
                    _ => self.b.shr_const(bits, skipped as i64),
                };
                let here = (count - at).min(16);
                if here + skipped < 16 {
                    bits = self.b.and_const(bits, (1i64 << here) - 1);
                }
                if at > 0 {
                    bits = self.b.shl_const(bits, at as i64);
                }
                found = Some(found.map_or(bits, |found| self.b.or(found, bits)));
            }
        }
        found.unwrap_or_else(|| self.b.int(0))
    }
}

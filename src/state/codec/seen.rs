//! What the leaves of the terms of a shape were: a bit for each that is of one byte, and constants and
//! a range of integers for those of more.

use super::{Codec, SHAPES_1};
use crate::word::Word;

/// The most constants of more than one byte that are told apart at one leaf.
const MOST_CONSTANTS: usize = 512;
/// Ranges of integers end at powers of two with these exponents, less one, so that a leaf whose values
/// grow has but few of them.
const EXPONENTS: [u32; 3] = [16, 32, 60];

/// What a leaf of the terms of a shape may be.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct May {
    /// What is of one byte, as bits.
    pub bytes: [u64; 4],
    /// What is of more, one by one, ascending.
    pub words: Vec<Word>,
    /// Any integer from the first to the last of these. Those of one byte are among the bytes, too.
    pub range: Option<(i64, i64)>,
}

impl May {
    /// Whether it may be of more than one byte.
    pub fn is_wide(&self) -> bool {
        !self.words.is_empty() || self.range.is_some()
    }

    /// It may be this, too.
    pub fn add(&mut self, word: Word) {
        match word.byte() {
            Some(byte) => self.bytes[usize::from(byte / 64)] |= 1 << (byte % 64),
            None if self.words.contains(&word) => {}
            None => self.words.push(word),
        }
    }

    /// It may be any of these integers, too.
    pub fn add_range(&mut self, low: i64, high: i64) {
        if low >= Word::FIRST_INT && high <= Word::LAST_INT {
            (low..=high).filter_map(Word::int).for_each(|word| self.add(word));
        } else if low <= high {
            let (from, to) = self.range.unwrap_or((low, high));
            self.range = Some((from.min(low), to.max(high)));
        }
    }

    /// It may be what another leaf may be, too.
    pub fn join(&mut self, other: &May) {
        self.bytes.iter_mut().zip(other.bytes).for_each(|(all, more)| *all |= more);
        other.words.iter().for_each(|&word| self.add(word));
        if let Some((low, high)) = other.range {
            self.add_range(low, high);
        }
    }
}

/// What a leaf was that is of more than one byte.
#[derive(Clone, Default, PartialEq)]
struct Wide {
    /// Constants, ascending.
    constants: Vec<Word>,
    /// The least and the greatest integer: one that was met, or a range that has room.
    integers: Option<(i64, i64)>,
    /// There were too many constants.
    many: bool,
}

/// What the leaves of the terms of a shape were.
#[derive(Clone, Default)]
pub(super) struct Seen {
    /// By leaf: the bytes that it was, as bits.
    bytes: Box<[[u64; 4]]>,
    /// By leaf: what it was that is of more than one byte; empty while there was none.
    wide: Box<[Wide]>,
    /// How often a leaf was what it had not been before.
    version: u32,
    /// The leaves of one byte each that were remembered last.
    last: Box<[u8]>,
}

/// Leaves that are looked at together.
const EIGHT: usize = 8;

impl Seen {
    /// Remembers leaves of one byte each; whether one of them is new.
    #[inline]
    fn see(&mut self, leaves: &[u8]) -> bool {
        let mut new = 0;
        if self.last.len() != leaves.len() {
            // What was never remembered differs from anything.
            self.last = leaves.iter().map(|leaf| !leaf).collect();
        }
        // PERF: states that follow one another differ in few leaves.
        let old = self.last.chunks_mut(EIGHT).zip(leaves.chunks(EIGHT));
        for ((old, now), all) in old.zip(self.bytes.chunks_mut(EIGHT)) {
            if old == now {
                continue;
            }
            old.copy_from_slice(now);
            for (bytes, &byte) in all.iter_mut().zip(now) {
                let (word, bit) = (usize::from(byte / 64), 1 << (byte % 64));
                new |= !bytes[word] & bit;
                bytes[word] |= bit;
            }
        }
        self.count(new != 0)
    }

    #[inline]
    fn count(&mut self, new: bool) -> bool {
        if new {
            self.version += 1;
            for leaf in 0..self.wide.len() {
                self.fill(leaf);
            }
        }
        new
    }

    /// Where a leaf is any integer of a range, those of one byte are nothing new.
    fn fill(&mut self, leaf: usize) {
        let Some((low, _)) = self.range(leaf) else { return };
        for value in low.max(Word::FIRST_INT)..=Word::LAST_INT {
            self.set(leaf, (value - Word::FIRST_INT) as u8);
        }
        self.wide[leaf].integers = self.range(leaf);
    }

    fn set(&mut self, leaf: usize, byte: u8) -> bool {
        let (word, bit) = (usize::from(byte / 64), 1 << (byte % 64));
        let new = self.bytes[leaf][word] & bit == 0;
        self.bytes[leaf][word] |= bit;
        new
    }

    /// Whether a leaf was an integer of one byte, and whether one below zero.
    fn small_integers(&self, leaf: usize) -> (bool, bool) {
        let bytes = &self.bytes[leaf];
        let negative = bytes[0] & ((1 << -Word::FIRST_INT) - 1) != 0;
        (bytes[0] != 0 || bytes[1] & ((1 << (Word::INTS - 64)) - 1) != 0, negative)
    }

    /// The range of the integers that a leaf was, with room, if it was several of which one at least is
    /// of more than one byte.
    fn range(&self, leaf: usize) -> Option<(i64, i64)> {
        let (low, high) = self.wide.get(leaf)?.integers?;
        let (any, negative) = self.small_integers(leaf);
        if low == high && !any {
            return None;
        }
        let most = |value: i64| {
            let ends = EXPONENTS.map(|exponent| (1 << exponent) - 1);
            ends.into_iter().find(|&end| value <= end).unwrap_or(Word::HALF - 1)
        };
        let low = match low {
            _ if low < Word::FIRST_INT => -most(-low),
            _ if low < 0 || negative => Word::FIRST_INT,
            _ => 0,
        };
        Some((low, most(high.max(Word::LAST_INT))))
    }

    /// Remembers a leaf; whether it is new.
    fn see_word(&mut self, leaf: usize, word: Word) -> bool {
        if let Some(byte) = word.byte() {
            return self.set(leaf, byte);
        }
        if self.wide.is_empty() {
            self.wide = vec![Wide::default(); self.bytes.len()].into();
        }
        let wide = &mut self.wide[leaf];
        if word.is_int() {
            let value = word.int_value();
            let (low, high) = wide.integers.unwrap_or((value, value));
            let new = wide.integers.is_none() || value < low || value > high;
            wide.integers = Some((low.min(value), high.max(value)));
            return new;
        }
        if wide.many {
            return false;
        }
        let Err(at) = wide.constants.binary_search(&word) else { return false };
        wide.constants.insert(at, word);
        wide.many = wide.constants.len() > MOST_CONSTANTS;
        true
    }

    /// Remembers what others remember of terms of the same shape; whether some of that is new.
    fn join(&mut self, other: &Seen) -> bool {
        let mut new = false;
        for (own, more) in self.bytes.iter_mut().flatten().zip(other.bytes.iter().flatten()) {
            new |= *more & !*own != 0;
            *own |= more;
        }
        for (leaf, wide) in other.wide.iter().enumerate() {
            for &word in &wide.constants {
                new |= self.see_word(leaf, word);
            }
            for value in wide.integers.into_iter().flat_map(|(low, high)| [low, high]) {
                new |= Word::int(value).is_some_and(|word| self.see_word(leaf, word));
            }
        }
        self.count(new)
    }

    /// Whether it is no more and no less than what others remember.
    fn is_alike(&self, other: &Seen) -> bool {
        let is_blank = |wide: &[Wide]| wide.iter().all(|wide| *wide == Wide::default());
        let wide = self.wide == other.wide || is_blank(&self.wide) && is_blank(&other.wide);
        wide && self.bytes == other.bytes
    }

    /// Remembers leaves, of which those without a word are passed over; whether one of them is new.
    fn see_words(&mut self, words: impl Iterator<Item = Option<Word>>) -> bool {
        let mut new = false;
        for (leaf, word) in words.enumerate().take(self.bytes.len()) {
            new |= word.is_some_and(|word| self.see_word(leaf, word));
        }
        self.count(new)
    }
}

impl Codec {
    /// The bytes that a leaf of terms of a shape was seen to be, as bits; `None` if it was seen to be of
    /// more than one byte.
    pub fn seen(&self, shape: u8, leaf: usize) -> Option<[u64; 4]> {
        let may = self.may(shape, leaf)?;
        (!may.is_wide()).then_some(may.bytes)
    }

    /// What a leaf of terms of a shape may be, from what it was seen to be; floats, texts, large integers
    /// and variables that occur twice are not in it. `None` if there are too many constants.
    pub fn may(&self, shape: u8, leaf: usize) -> Option<May> {
        let Some(seen) = self.seen.get(usize::from(shape)) else { return Some(May::default()) };
        let bytes = seen.bytes.get(leaf).copied().unwrap_or_default();
        let Some(wide) = seen.wide.get(leaf) else {
            return Some(May { bytes, ..May::default() });
        };
        if wide.many {
            return None;
        }
        let range = seen.range(leaf);
        let single = wide.integers.filter(|_| range.is_none());
        let single = single.and_then(|(value, _)| Word::int(value));
        let words = wide.constants.iter().copied().chain(single).collect();
        Some(May { bytes, words, range })
    }

    /// Changes whenever a leaf of a term of a shape is what it was not before.
    #[inline]
    pub fn seen_version(&self, shape: u8) -> u32 {
        self.seen.get(usize::from(shape)).map_or(0, |seen| seen.version)
    }

    /// Changes whenever the version of any shape does.
    #[inline]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Told that a leaf may be a byte, in terms that are put together without being packed here.
    pub fn expect(&mut self, shape: u8, leaf: usize, byte: u8) {
        self.expect_word(shape, leaf, Word(i64::from(byte)));
    }

    /// Told what a leaf may be, in terms that are put together without being packed here.
    pub fn expect_all(&mut self, shape: u8, leaf: usize, may: &May) {
        let seen = self.seen.get(usize::from(shape)).and_then(|seen| seen.bytes.get(leaf));
        let seen = seen.copied().unwrap_or_default();
        for (word, (bits, seen)) in may.bytes.into_iter().zip(seen).enumerate() {
            let mut new = bits & !seen;
            while new != 0 {
                self.expect(shape, leaf, (64 * word) as u8 + new.trailing_zeros() as u8);
                new &= new - 1;
            }
        }
        let ends = may.range.into_iter().flat_map(|(low, high)| [low, high]).filter_map(Word::int);
        for word in may.words.iter().copied().chain(ends) {
            self.expect_word(shape, leaf, word);
        }
    }

    /// Told what leaves were seen to be by another codec, whose [numbers are its own](Codec::extends).
    pub fn join_seen(&mut self, other: &Codec) {
        for (number, seen) in other.seen.iter().enumerate().filter(|(_, seen)| seen.version > 0) {
            let new = self.seen_of(number).join(seen);
            self.version += u32::from(new);
        }
        self.variables |= other.variables;
    }

    /// Whether leaves of terms of a shape were seen to be just what they were to another codec, whose
    /// [numbers are its own](Codec::extends).
    pub fn has_seen_alike(&self, shape: u8, other: &Codec) -> bool {
        let [own, others] = [self, other].map(|codec| codec.seen.get(usize::from(shape)));
        match (own, others) {
            (Some(own), Some(others)) => own.is_alike(others),
            (own, others) => own.or(others).is_none_or(|seen| seen.version == 0),
        }
    }

    fn expect_word(&mut self, shape: u8, leaf: usize, word: Word) {
        let seen = self.seen_of(usize::from(shape));
        let new = seen.see_word(leaf, word);
        self.version += u32::from(seen.count(new));
    }

    fn seen_of(&mut self, number: usize) -> &mut Seen {
        if self.seen.len() <= number {
            self.seen.resize_with(number + 1, Seen::default);
        }
        let leaves = self.shapes.get(number).leaves.len();
        let seen = &mut self.seen[number];
        if seen.bytes.len() != leaves {
            seen.bytes = vec![[0; 4]; leaves].into();
        }
        seen
    }

    /// A copy to which leaves of terms of a shape may be no more than what they are in these terms.
    #[must_use]
    pub fn with_seen<'a>(&self, shape: u8, packed: impl Iterator<Item = &'a [u8]>) -> Codec {
        let mut own = self.clone();
        if let Some(seen) = own.seen.get_mut(usize::from(shape)) {
            *seen = Seen::default();
        }
        let alike = packed.filter(|packed| Codec::shape_of(packed) == Some(shape));
        alike.for_each(|packed| own.see_packed(packed));
        own
    }

    /// Told of a term that was put together without being packed here, if its shape is of one byte.
    pub fn see_packed(&mut self, packed: &[u8]) {
        if let Some(shape) = Codec::shape_of(packed) {
            self.bytes.clear();
            self.bytes.push(0);
            self.bytes.extend_from_slice(packed);
            self.see(usize::from(shape));
        }
    }

    /// Remembers what the leaves in `bytes` are.
    #[inline]
    pub(super) fn see(&mut self, number: usize) {
        debug_assert!(number < SHAPES_1, "shapes of one byte alone are looked at");
        if self.seen.get(number).is_none_or(|seen| seen.bytes.is_empty()) {
            self.seen_of(number);
        }
        let (seen, leaves) = (&mut self.seen[number], &self.bytes[2..]);
        if seen.bytes.len() != leaves.len() {
            return self.see_wide(number);
        }
        let new = seen.see(leaves);
        self.version += u32::from(new);
    }

    fn see_wide(&mut self, number: usize) {
        let leaves = super::decode::leaves(&self.bytes[2..]);
        let words: Vec<Option<Word>> = leaves.map(|leaf| self.word(leaf).ok()).collect();
        let new = self.seen[number].see_words(words.into_iter());
        self.version += u32::from(new);
    }
}

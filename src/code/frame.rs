//! What a program runs on: the leaves of a state, and room for what it computes and puts down.

use super::code::{Leaf, Sum, ValueId};
use super::moves::{Form, HEAD, STATELESS, UNKNOWN_CHANGE, Write, Written};
use super::program::PLACES;
use zug_state::{Codec, Word};

/// A state as code sees it, and room to compute in.
#[derive(Default)]
pub struct Frame {
    pub words: Vec<i64>,
    pub temps: Vec<i64>,
    /// What code puts down: [moves](super::moves), behind [`HEAD`] words.
    pub exit: Vec<i64>,
    pub end: usize,
    /// The number that a run is given, for programs that are entered by it.
    pub chosen: usize,
    /// Blocks and steps that were interpreted.
    pub work: u64,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reply {
    /// No more answers.
    Done,
    /// Yes.
    True,
    /// A number.
    Int(i64),
    /// A float.
    Float(f64),
    /// The machine is asked; the number of the reason, if it is one of the code's own.
    Deopt(Option<u32>),
}

impl Frame {
    #[inline]
    pub fn load_bytes(&mut self, leaves: &[u8]) {
        // PERF: the length is mostly what it was.
        self.words.resize(leaves.len(), 0);
        for (word, &byte) in self.words.iter_mut().zip(leaves) {
            *word = i64::from(byte);
        }
    }

    /// Takes packed leaves; false if code can't work with one.
    #[inline]
    pub fn load(&mut self, leaves: &[u8], count: usize, codec: &Codec) -> bool {
        if is_narrow(leaves, count, codec) {
            self.load_bytes(leaves);
            return true;
        }
        self.words.clear();
        codec.words(leaves, &mut self.words).is_ok() && self.words.len() == count
    }

    /// Puts a move down, with the state it leads to if that can be.
    // PERF: much of what is interpreted in a short search.
    #[inline]
    pub fn put_move(&mut self, number: u32, form: &Form, packed: Option<&Packed<'_>>) {
        let (start, mut end) = (self.end, self.end + form.room());
        if self.exit.len() < end {
            self.make_room(end);
        }
        let [head, rest @ ..] = &mut self.exit[start..end] else { return };
        let (saved, state) = rest.split_at_mut(form.saved.len());
        *head = i64::from(number);
        for (value, &temp) in saved.iter_mut().zip(&form.saved) {
            *value = self.temps[temp as usize];
        }
        if let [words @ .., change] = state {
            match packed.and_then(|packed| packed.written(&form.writes, &self.temps, words)) {
                Some(differs) => *change = differs,
                None => {
                    *head |= STATELESS;
                    end -= form.words;
                }
            }
        }
        self.end = end;
    }

    /// Puts planes down, of those that were computed.
    pub fn put_planes(&mut self, planes: &[ValueId]) {
        let (start, end) = (self.end, self.end + planes.len());
        if self.exit.len() < end {
            self.make_room(end);
        }
        for (word, &plane) in self.exit[start..end].iter_mut().zip(planes) {
            *word = self.temps[plane as usize];
        }
        self.end = end;
    }

    /// Nothing is put down yet; there is room for N temporaries.
    #[inline]
    pub fn begin(&mut self, temps: usize) {
        if self.exit.len() < HEAD {
            self.make_room(HEAD);
        }
        self.end = HEAD;
        if self.temps.len() < temps {
            self.temps.resize(temps, 0);
        }
    }

    #[cold]
    fn make_room(&mut self, end: usize) {
        self.exit.resize(end, 0);
    }

    #[inline(always)]
    pub fn count(&mut self, work: usize) {
        self.work += work as u64;
    }

    #[inline]
    pub fn has_unbound(&self) -> bool {
        self.words.contains(&Word::VAR.0)
    }
}

/// Whether packed leaves are so many and of one byte each, which then is their word.
#[inline]
pub fn is_narrow(leaves: &[u8], count: usize, codec: &Codec) -> bool {
    leaves.len() == count && !codec.has_boxed()
}

pub trait Leaves {
    fn word(&self, leaf: Leaf) -> i64;

    /// A bit for each of the 64 leaves from `first` on: whether it is this word.
    fn which(&self, word: Word, first: Leaf) -> u64;

    /// The state, if it is packed and its leaves are of one byte each.
    fn packed(&self) -> Option<&Packed<'_>>;
}

impl Leaves for [i64] {
    #[inline]
    fn word(&self, leaf: Leaf) -> i64 {
        self[usize::from(leaf)]
    }

    fn which(&self, wanted: Word, first: Leaf) -> u64 {
        let are = self.iter().skip(usize::from(first)).take(PLACES).enumerate();
        are.fold(0, |found, (i, &word)| found | u64::from(word == wanted.0) << i)
    }

    fn packed(&self) -> Option<&Packed<'_>> {
        None
    }
}

/// A packed state with leaves of one byte each.
pub struct Packed<'s> {
    /// Its bytes and those behind it, at least as many words as the forms of moves have.
    pub room: &'s [u8],
    pub leaves: &'s [u8],
    pub sum: Option<&'s Sum>,
}

impl Packed<'_> {
    /// Makes the words of the next state: how much the sum differs. `None` if a leaf is no byte.
    #[inline]
    fn written(&self, writes: &[Write], temps: &[i64], words: &mut [i64]) -> Option<i64> {
        for (word, bytes) in words.iter_mut().zip(self.room.as_chunks().0) {
            *word = i64::from_le_bytes(*bytes);
        }
        let tables = self.sum.map_or(&[][..], |sum| &sum.tables);
        let (mut differs, mut known) = (0, self.sum.is_some());
        for write in writes {
            let old = *self.leaves.get(usize::from(write.leaf))?;
            let new = match write.what {
                Written::Byte(byte) => byte,
                Written::Leaf(leaf) => *self.leaves.get(usize::from(leaf))?,
                Written::Temp(temp) => Word::int(*temps.get(temp as usize)?)?.byte()?,
                Written::Value(temp) => Word(*temps.get(temp as usize)?).byte()?,
            };
            *words.get_mut(write.word)? ^= i64::from(new ^ old) << write.shift;
            if let Some(table) = tables.get(usize::from(write.leaf)) {
                let (new, old) = (table[usize::from(new)], table[usize::from(old)]);
                known &= new != Sum::UNKNOWN && old != Sum::UNKNOWN;
                differs += i64::from(new) - i64::from(old);
            } else {
                known = false;
            }
        }
        Some(if known { differs } else { UNKNOWN_CHANGE })
    }
}

impl Leaves for Packed<'_> {
    #[inline]
    fn word(&self, leaf: Leaf) -> i64 {
        i64::from(self.leaves[usize::from(leaf)])
    }

    #[inline]
    fn which(&self, word: Word, first: Leaf) -> u64 {
        let Some(byte) = word.byte() else { return 0 };
        let from = usize::from(first).min(self.leaves.len());
        let to = (from + PLACES).min(self.leaves.len());
        let (eights, rest) = self.leaves[from..to].as_chunks();
        let eights_are = eights.iter().map(|&eight| which_of_eight(eight, byte));
        let found = eights_are.zip(0..).fold(0, |found, (bits, i)| found | bits << (8 * i));
        let rest = rest.iter().zip(8 * eights.len()..);
        rest.fold(found, |found, (&leaf, i)| found | u64::from(leaf == byte) << i)
    }

    #[inline]
    fn packed(&self) -> Option<&Packed<'_>> {
        Some(self)
    }
}

/// Which of eight bytes are this one, as bits.
#[inline]
fn which_of_eight(bytes: [u8; 8], byte: u8) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const SEVEN: u64 = LOW * 0x7F;
    let differ = u64::from_le_bytes(bytes) ^ (LOW * u64::from(byte));
    // The highest bit of a byte is set where it differs; bits never carry into the next byte.
    let differ = ((differ & SEVEN) + SEVEN) | differ;
    // The eight bits meet in the highest byte.
    (!differ >> 7 & LOW).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A packed state whose leaves are of one byte each.
#[derive(Clone, Copy)]
pub struct Narrow<'s> {
    /// All of its bytes, and those behind it that belong to it.
    pub room: &'s [u8],
    pub leaves: &'s [u8],
}

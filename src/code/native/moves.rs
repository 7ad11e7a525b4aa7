//! Moves that programs put down.

use super::change::{Filled, Written, change};
use super::program::Translator;
use crate::code::{Hole, Leaf};
use crate::moves::UNKNOWN_CHANGE;
use zug_jit::{Builder, Index};

impl<'f> Translator<'_, 'f> {
    /// What fills a hole, as a byte.
    pub(super) fn filled(&mut self, hole: Hole) -> Filled<'f> {
        Filled::Index(match hole {
            Hole::Word(word) => {
                return Filled::Byte(word.byte().expect("words of one byte alone are put down"));
            }
            Hole::Leaf(leaf) => match self.fact(leaf) {
                Some(byte) => return Filled::Byte(byte),
                None => self.byte(leaf),
            },
            Hole::Value(value) | Hole::Temp(value) => {
                let value = self.int(value);
                self.b.low_byte(value)
            }
        })
    }

    /// What a leaf is known to be in this block.
    pub(super) fn fact(&self, leaf: Leaf) -> Option<u8> {
        let (known, byte) = self.facts[self.at as usize]?;
        (known == leaf).then_some(byte)
    }

    pub(super) fn put_down(&mut self, number: u32) {
        let form = &self.lying.forms[number as usize];
        for (at, &value) in form.saved.iter().enumerate() {
            let value = self.int(value);
            self.b.put(1 + at, value);
        }
        let mut words = 1 + form.saved.len();
        if form.words > 0
            && let Some(writes) = &self.moves[number as usize].writes
        {
            let mut written = Vec::with_capacity(writes.len());
            let mut changed = Vec::new();
            for &(leaf, hole) in writes {
                let new = self.filled(hole);
                let index = match new {
                    Filled::Byte(byte) => self.b.index(byte),
                    Filled::Index(index) => index,
                };
                written.push((self.lying.before + usize::from(leaf), index));
                if let Some(sum) = self.sum {
                    let old = match self.fact(leaf) {
                        Some(byte) => Filled::Byte(byte),
                        None => Filled::Index(self.byte(leaf)),
                    };
                    changed.push(Written { table: &sum.tables[usize::from(leaf)], new, old });
                }
            }
            put_bytes(self.b, self.lying.words, &written, words);
            let change = match self.sum {
                Some(_) => change(self.b, &changed),
                None => self.b.int(UNKNOWN_CHANGE),
            };
            self.b.put(words + self.lying.words, change);
            words += form.words;
        }
        let head = self.b.int(i64::from(number));
        self.b.put(0, head);
        self.b.advance(words, None);
    }
}

/// Puts down the words of the state with these bytes written.
fn put_bytes<'f>(b: &mut Builder<'f>, words: usize, written: &[(usize, Index<'f>)], behind: usize) {
    // PERF: as wide as it is read again, which is quicker by far.
    for word in (0..words.saturating_sub(1)).step_by(2) {
        let mut value = b.input_lanes(8 * word);
        for &(byte, new) in written {
            if byte / 16 == word / 2 {
                value = b.with_lane(value, byte % 16, new);
            }
        }
        b.put_lanes(behind + word, value);
    }
    if words % 2 == 1 {
        let last = words - 1;
        let mut value = b.input_int(8 * last);
        for &(byte, new) in written {
            if byte / 8 == last {
                let shift = (byte % 8 * 8) as i64;
                let kept = b.and_const(value, !(0xFF << shift));
                let new = b.int_of(new);
                let new = b.shl_const(new, shift);
                value = b.or(kept, new);
            }
        }
        b.put(behind + last, value);
    }
}

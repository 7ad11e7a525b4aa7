//! Runs straight code, block by block.

use super::code::{Code, End, Hole, NOTHING, Step, Sum, Temp};
use super::moves::{Form, HEAD, STATELESS, UNKNOWN_CHANGE};
use super::residual::{Amount, Operand};
use super::word::Word;
use crate::domain::codec::Codec;

/// A state as code sees it, and room to compute in.
#[derive(Default)]
pub struct Frame {
    /// The leaves.
    pub words: Vec<i64>,
    /// The temporaries.
    pub temps: Vec<i64>,
    /// What code puts down: [moves](super::moves), behind [`HEAD`] words.
    pub exit: Vec<i64>,
    /// Where the moves end.
    pub end: usize,
    /// Blocks and steps that were interpreted.
    #[cfg(feature = "native")]
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
    /// Takes leaves of one byte each.
    #[inline]
    pub fn load_bytes(&mut self, leaves: &[u8]) {
        // PERF: the length is mostly what it was.
        self.words.resize(leaves.len(), 0);
        for (word, &byte) in self.words.iter_mut().zip(leaves) {
            *word = i64::from(byte);
        }
    }

    /// Takes the leaves of a packed state, which begin behind its shape; false if there is one
    /// that code can't work with.
    #[inline]
    pub fn load(&mut self, leaves: &[u8], count: usize, codec: &Codec) -> bool {
        if is_narrow(leaves, count, codec) {
            self.load_bytes(leaves);
            return true;
        }
        self.words.clear();
        codec.words(leaves, &mut self.words) && self.words.len() == count
    }

    /// Puts a word down.
    fn put(&mut self, word: i64) {
        match self.exit.get_mut(self.end) {
            Some(place) => *place = word,
            None => self.exit.push(word),
        }
        self.end += 1;
    }

    /// Puts a move down, with the state it leads to if that can be.
    fn put_move(&mut self, number: u32, form: &Form, packed: Option<&Packed<'_>>) {
        let at = self.end;
        self.put(i64::from(number));
        for &temp in &form.saved {
            self.put(self.temps[usize::from(temp)]);
        }
        if form.words > 0 && packed.and_then(|packed| self.put_state(form, packed)).is_none() {
            self.exit[at] |= STATELESS;
        }
    }

    /// Puts the state down that a move leads to, and by how much the sum differs; `None`, and
    /// nothing is there, if a leaf does not fit a byte.
    fn put_state(&mut self, form: &Form, from: &Packed<'_>) -> Option<()> {
        let (first, end) = (self.end, self.end + form.words);
        if self.exit.len() < end {
            self.exit.resize(end, 0);
        }
        let (change, made) = self.exit[first..end].split_last_mut()?;
        for (word, bytes) in made.iter_mut().zip(from.room.as_chunks().0) {
            *word = i64::from_le_bytes(*bytes);
        }
        let tables = from.sum.map_or(&[][..], |sum| &sum.tables);
        let (mut differs, mut known) = (0, from.sum.is_some());
        for write in &form.writes {
            let new = match write.hole {
                Hole::Word(word) => word.byte()?,
                // It is a byte of the state.
                Hole::Leaf(leaf) => self.words[usize::from(leaf)] as u8,
                Hole::Temp(temp) => Word::int(self.temps[usize::from(temp)])?.byte()?,
            };
            let word = made.get_mut(write.word)?;
            let old = (*word >> write.shift) as u8;
            *word ^= i64::from(new ^ old) << write.shift;
            let Some(table) = tables.get(usize::from(write.leaf)) else {
                known = false;
                continue;
            };
            let (new, old) = (table[usize::from(new)], table[usize::from(old)]);
            known &= new != Sum::UNKNOWN && old != Sum::UNKNOWN;
            differs += i64::from(new) - i64::from(old);
        }
        *change = if known { differs } else { UNKNOWN_CHANGE };
        self.end = end;
        Some(())
    }

    /// Counts the work of the interpreter.
    #[inline(always)]
    #[cfg_attr(
        not(feature = "native"),
        expect(unused_variables, reason = "it is counted for native code")
    )]
    fn count(&mut self, work: usize) {
        #[cfg(feature = "native")]
        {
            self.work += work as u64;
        }
    }

    /// Whether a leaf is unbound.
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

/// A packed state with leaves of one byte each.
pub struct Packed<'s> {
    /// All of its bytes, and those behind it that belong to it, at least as many words as there
    /// are in the forms of moves.
    pub room: &'s [u8],
    /// What moves are told the differences of.
    pub sum: Option<&'s Sum>,
}

/// Runs code on the leaves of a frame, which may be those of a packed state. Its moves are put
/// down there in these forms.
pub fn run(code: &Code, forms: &[Form], frame: &mut Frame, packed: Option<&Packed<'_>>) -> Reply {
    frame.exit.resize(frame.exit.len().max(HEAD), 0);
    frame.end = HEAD;
    if frame.temps.len() < code.temps {
        frame.temps.resize(code.temps, 0);
    }
    let mut at = code.entry;
    loop {
        let block = &code.blocks[at as usize];
        frame.count(1 + block.steps.len());
        for step in &block.steps {
            match *step {
                Step::Const(to, value) => frame.temps[usize::from(to)] = value,
                Step::Leaf(to, leaf) => {
                    let word = Word(frame.words[usize::from(leaf)]);
                    frame.temps[usize::from(to)] = word.int_value();
                }
                Step::Binary(op, to, a, b) => {
                    let [a, b] = [a, b].map(|t: Temp| frame.temps[usize::from(t)]);
                    match op.apply(a, b) {
                        Some(value) => frame.temps[usize::from(to)] = value,
                        None => return Reply::Deopt(None),
                    }
                }
                Step::Add(to, value) => match frame.temps[usize::from(to)].checked_add(value) {
                    Some(sum) => frame.temps[usize::from(to)] = sum,
                    None => return Reply::Deopt(None),
                },
                Step::Table(to, leaf, table) => {
                    let word = frame.words[usize::from(leaf)];
                    let table = &code.tables[table as usize];
                    let found = table.get(word as usize).copied().unwrap_or(NOTHING);
                    let sum = frame.temps[usize::from(to)].checked_add(found);
                    match sum.filter(|_| found != NOTHING) {
                        Some(sum) => frame.temps[usize::from(to)] = sum,
                        None => return Reply::Deopt(None),
                    }
                }
                Step::Move(number) => frame.put_move(number, &forms[number as usize], packed),
            }
        }
        let word = |leaf: u16| frame.words[usize::from(leaf)];
        let pick = |holds: bool, then, other| if holds { then } else { other };
        at = match block.end {
            End::Goto(next) => next,
            End::Is(leaf, wanted, then, other) => pick(word(leaf) == wanted.0, then, other),
            End::Same(a, b, then, other) => pick(word(a) == word(b), then, other),
            End::Kind(leaf, kinds, then, other) => {
                pick(Word(word(leaf)).kind() & kinds != 0, then, other)
            }
            End::Compare(relation, a, b, then, other) => {
                let [a, b] = [a, b].map(|t: Temp| frame.temps[usize::from(t)]);
                pick(relation.holds(a, b), then, other)
            }
            End::Before(a, b, then, other) => {
                let rank = |operand| {
                    let word = match operand {
                        Operand::Leaf(leaf) => Word(word(leaf)),
                        Operand::Word(word) => word,
                    };
                    code.ranks.get(word.code() as usize).copied().filter(|_| !word.is_int())
                };
                match (rank(a), rank(b)) {
                    (Some(a), Some(b)) => pick(a < b, then, other),
                    _ => return Reply::Deopt(None),
                }
            }
            End::Switch(leaf, number) => {
                let switch = &code.switches[number as usize];
                let value = word(leaf);
                match switch.narrow.get(value as usize) {
                    Some(&block) => block,
                    None => {
                        let wide = switch.wide.iter().find(|(word, _)| word.0 == value);
                        wide.map_or(switch.other, |&(_, block)| block)
                    }
                }
            }
            End::Find(number) => {
                let find = &code.finds[number as usize];
                let mut found = 0u64;
                for (i, &word) in frame.words.iter().enumerate() {
                    found |= u64::from(word == find.word.0) << i;
                }
                found &= find.leaves;
                if found == 0 {
                    find.none
                } else if found & (found - 1) == 0 {
                    find.at[found.trailing_zeros() as usize]
                } else {
                    find.several
                }
            }
            End::Done => return Reply::Done,
            End::True => return Reply::True,
            End::Value(Amount::Expr(_), temp) => return Reply::Int(frame.temps[usize::from(temp)]),
            End::Value(Amount::Float(bits), _) => return Reply::Float(f64::from_bits(bits)),
            End::Deopt(reason) => return Reply::Deopt(Some(reason)),
        };
    }
}

//! Terms as shapes whose holes are values: names of moves and the states they lead to.

use super::{Growth, Lowering, Lowers};
use crate::code::{Hole, NOTHING, Template};
use crate::merging::UNBOUND;
use crate::program::{Op, PLACES, ValueId};
use crate::residual::Leaf;
use zug_state::Word;
use zug_symbolic::{Domain, Operation, Shape, Term};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// The greatest integer whose word is of one byte.
const LAST_INT: i64 = Word::FIRST_INT + Word::INTS - 1;

impl Lowering<'_, '_> {
    /// A term as a shape with holes.
    pub(super) fn template(&mut self, term: Term) -> Lowers<Template> {
        let mut leaves = Vec::new();
        self.unbound.clear();
        let example = self.heap.push(Cell::ZERO);
        let mut waiting = vec![(term, example, false)];
        while let Some((term, to, tail)) = waiting.pop() {
            let hole = match self.store.shape(term).clone() {
                Shape::Pair(head, rest) => {
                    let at = self.heap.push(Cell::ZERO);
                    self.heap.push(Cell::ZERO);
                    self.heap.set(to, Cell::list(at));
                    waiting.push((rest, at + 1, true));
                    waiting.push((head, at, false));
                    continue;
                }
                Shape::Struct(header, parts) => {
                    let at = self.heap.push(header);
                    for _ in 0..parts.len() {
                        self.heap.push(Cell::ZERO);
                    }
                    self.heap.set(to, Cell::structure(at));
                    for (place, &part) in parts.iter().enumerate().rev() {
                        waiting.push((part, at + 1 + place, false));
                    }
                    continue;
                }
                Shape::Constant(Cell::NIL) if tail => {
                    self.heap.set(to, Cell::NIL);
                    continue;
                }
                _ if tail && self.may_be_nil(term) => {
                    return Err("a leaf ends a list".to_owned());
                }
                _ => self.hole(term)?,
            };
            self.heap.set(to, Cell::atom(atoms::TRUE));
            leaves.push(hole);
        }
        self.store.spend(leaves.len());
        self.go_on()?;
        let example = self.heap.at(example);
        let shape = self.words.shape(self.heap, example);
        let shape = shape.ok_or("there are too many shapes of states")?;
        Ok(Template { shape, leaves })
    }

    /// A scalar as a hole.
    pub(super) fn hole(&mut self, term: Term) -> Lowers<Hole> {
        Ok(match self.store.shape(term).clone() {
            Shape::Constant(cell) => Hole::Word(self.word(cell)?),
            Shape::Variable(_) | Shape::Leaf(_) | Shape::Choice(_) => {
                let mut unbound = std::mem::take(&mut self.unbound);
                self.unbound_in(term, &mut unbound)?;
                self.unbound = unbound;
                match *self.store.shape(term) {
                    Shape::Variable(_) => Hole::Word(Word::VAR),
                    Shape::Leaf(leaf) => Hole::Leaf(leaf.0 as Leaf),
                    _ => Hole::Value(self.scalar(term)?),
                }
            }
            Shape::Integer(..) => Hole::Temp(self.int(term)?),
            Shape::Boxed(_) => return Err("a text or a number that no word holds".to_owned()),
            _ => return Err("a list of unknown length".to_owned()),
        })
    }

    /// A state that a move leads to: what its leaves may be is expected from now on. Integers
    /// beyond are for the machine.
    pub(super) fn expected(&mut self, to: Template) -> Lowers<Template> {
        let shape = to.shape;
        let seen_of = |this: &Self, shape: u8, leaf: usize| {
            this.words.0.seen(shape, leaf).ok_or("a leaf of a state is of more than one byte")
        };
        let mut leaves = Vec::with_capacity(to.leaves.len());
        for (leaf, hole) in to.leaves.into_iter().enumerate() {
            let mut bytes = [0u64; 4];
            let mut may = |word: Word| match word.byte() {
                Some(byte) => {
                    bytes[usize::from(byte / 64)] |= 1 << (byte % 64);
                    Ok(())
                }
                None => Err("a leaf of a state is of more than one byte".to_owned()),
            };
            let mut kept = hole;
            match hole {
                Hole::Word(word) => may(word)?,
                Hole::Leaf(from) => {
                    if shape == self.board.shape && usize::from(from) == leaf {
                        leaves.push(hole);
                        continue;
                    }
                    bytes = seen_of(self, self.board.shape, usize::from(from))?;
                }
                Hole::Value(value) => {
                    let met = self.met(shape, leaf)?;
                    let value = match met[..] {
                        [first, .., last] if self.board.growth == Growth::Settled => {
                            self.clamped(value, (first, last))
                        }
                        _ => value,
                    };
                    kept = Hole::Value(value);
                    let (mut words, mut from) = (Vec::new(), Vec::new());
                    self.words_of(value, &mut words, &mut from)?;
                    for word in words {
                        may(word)?;
                    }
                    for leaf in from {
                        let more = seen_of(self, self.board.shape, usize::from(leaf))?;
                        bytes.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
                    }
                }
                Hole::Temp(value) => {
                    let met = self.met(shape, leaf)?;
                    let (first, last) = (met.first().copied(), met.last().copied());
                    let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
                    let growth = if met.is_empty() { Growth::Bounded } else { self.board.growth };
                    let within = |(low, high): (i64, i64)| {
                        let (least, most) = match growth {
                            Growth::Settled => (first, last),
                            _ => (Word::FIRST_INT, LAST_INT),
                        };
                        (low.max(least), high.min(most))
                    };
                    let (mut from, mut to) = within(self.bounds(value));
                    if growth == Growth::Open {
                        to = if to > last { LAST_INT } else { to };
                        from = match from {
                            0.. if from < first => 0,
                            _ if from < first => Word::FIRST_INT,
                            _ => from,
                        };
                    }
                    for value in from..=to {
                        may(Word::int(value).ok_or("a number is too large")?)?;
                    }
                    // It may be computed before it is known that the move is one.
                    let (low, high) = within(self.bounds_anywhere(value));
                    let (from, to) = (low.min(from), high.max(to));
                    kept = Hole::Value(self.program.value(Op::Within(value, from, to)));
                }
            }
            for (word, mut bits) in bytes.into_iter().enumerate() {
                while bits != 0 {
                    let byte = 64 * word + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    self.words.0.expect(shape, leaf, byte as u8);
                    if byte as i64 == Word::VAR.0 {
                        self.words.0.expect_variables();
                    }
                }
            }
            leaves.push(kept);
        }
        Ok(Template { shape, leaves })
    }

    /// The words that a value may be: constants, and those of leaves.
    fn words_of(
        &mut self,
        value: ValueId,
        words: &mut Vec<Word>,
        leaves: &mut Vec<Leaf>,
    ) -> Lowers<()> {
        match *self.program.op(value) {
            Op::Word(word) => words.push(word),
            Op::Leaf(leaf) => leaves.push(leaf),
            Op::Choose(_, then, other) => {
                self.words_of(then, words, leaves)?;
                self.words_of(other, words, leaves)?;
            }
            Op::Within(value, low, high) => {
                let (least, most) = self.bounds(value);
                words.extend((low.max(least)..=high.min(most)).filter_map(Word::int));
            }
            _ => return Err("a leaf is computed in a way that is not for code".to_owned()),
        }
        Ok(())
    }

    /// Between which integers a value lies, whether the move that is lowered is one or not.
    fn bounds_anywhere(&mut self, value: ValueId) -> (i64, i64) {
        let allowed = std::mem::take(&mut self.allowed);
        let bounds = self.bounds(value);
        self.allowed = allowed;
        bounds
    }

    /// Between which integers a value lies where the move that is lowered is one.
    pub(super) fn bounds(&self, value: ValueId) -> (i64, i64) {
        const ANY: (i64, i64) = (i64::MIN, i64::MAX);
        match self.program.op(value) {
            Op::Int(value) => (*value, *value),
            Op::Number(leaf) => match self.store.domain(zug_symbolic::Leaf(u32::from(*leaf))) {
                Domain::Values(values) => {
                    let may = |value: &i64| {
                        let byte = Word::int(*value).and_then(Word::byte);
                        byte.is_none_or(|byte| self.may_be_byte(*leaf, byte))
                    };
                    let ints = || values.iter().filter_map(|value| value.as_int()).filter(may);
                    match (ints().min(), ints().max()) {
                        (Some(low), Some(high)) => (low, high),
                        _ => ANY,
                    }
                }
                &Domain::Range(low, high) => (low, high),
            },
            Op::Table(leaf, table) => {
                let table = (0..=u8::MAX).zip(&self.program.tables[*table as usize]);
                let known = || {
                    let may = table.clone().filter(|&(byte, _)| self.may_be_byte(*leaf, byte));
                    may.map(|(_, &value)| value).filter(|&value| value != NOTHING)
                };
                (known().min().unwrap_or(0), known().max().unwrap_or(0))
            }
            Op::Count(_) => (0, PLACES as i64),
            Op::Choose(_, then, other) => {
                let (then, other) = (self.bounds(*then), self.bounds(*other));
                (then.0.min(other.0), then.1.max(other.1))
            }
            Op::Integer(operation, operands) => {
                let of: Vec<(i64, i64)> = operands.iter().map(|&of| self.bounds(of)).collect();
                match (operation, &of[..]) {
                    (Operation::Add, [a, b]) => (a.0.saturating_add(b.0), a.1.saturating_add(b.1)),
                    (Operation::Subtract, [a, b]) => {
                        (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0))
                    }
                    (Operation::Minimum, [a, b]) => (a.0.min(b.0), a.1.min(b.1)),
                    (Operation::Maximum, [a, b]) => (a.0.max(b.0), a.1.max(b.1)),
                    (Operation::Modulo, [_, b]) if b.0 == b.1 && b.0 > 0 => (0, b.0 - 1),
                    _ => ANY,
                }
            }
            _ => ANY,
        }
    }

    /// The small integers that a leaf of states of a shape is expected to be, ascending.
    fn met(&self, shape: u8, leaf: usize) -> Lowers<Vec<i64>> {
        let seen = self.words.0.seen(shape, leaf);
        let seen = seen.ok_or("a leaf of a state is of more than one byte")?;
        let met = (0..Word::INTS as usize).filter(|at| seen[at / 64] >> (at % 64) & 1 != 0);
        Ok(met.map(|at| Word(at as i64).int_value()).collect())
    }

    /// A value whose computed parts are to stay within bounds.
    fn clamped(&mut self, value: ValueId, (first, last): (i64, i64)) -> ValueId {
        let op = match *self.program.op(value) {
            Op::Choose(holds, then, other) => {
                let [then, other] = [then, other].map(|part| self.clamped(part, (first, last)));
                Op::Choose(holds, then, other)
            }
            Op::Within(of, low, high) => Op::Within(of, low.max(first), high.min(last)),
            _ => return value,
        };
        self.program.value(op)
    }

    /// Whether a leaf may be a byte where the move is one that is lowered.
    fn may_be_byte(&self, leaf: Leaf, byte: u8) -> bool {
        let allowed = self.allowed.get(&leaf);
        allowed.is_none_or(|bytes| bytes[usize::from(byte / 64)] >> (byte % 64) & 1 != 0)
    }

    /// Collects the variables that a scalar may be, of which each stands in one place of a term.
    fn unbound_in(&self, term: Term, met: &mut Vec<Term>) -> Lowers<()> {
        let (mut waiting, mut own) = (vec![term], Vec::new());
        while let Some(term) = waiting.pop() {
            match self.store.shape(term) {
                Shape::Choice(ways) => waiting.extend(ways.iter().map(|&(_, way)| way)),
                Shape::Variable(_) | Shape::Leaf(_)
                    if self.may_be(term, UNBOUND) && !own.contains(&term) =>
                {
                    own.push(term);
                }
                _ => {}
            }
        }
        if own.iter().any(|one| met.contains(one)) {
            return Err("a variable stands in two places".to_owned());
        }
        met.extend(own);
        Ok(())
    }

    fn may_be_nil(&self, term: Term) -> bool {
        self.may_be(term, Cell::NIL)
    }

    fn may_be(&self, term: Term, value: Cell) -> bool {
        match self.store.shape(term) {
            Shape::Constant(cell) => *cell == value,
            Shape::Leaf(leaf) => match self.store.domain(*leaf) {
                Domain::Values(values) => values.contains(&value),
                Domain::Range(..) => false,
            },
            Shape::Choice(ways) => ways.iter().any(|&(_, way)| self.may_be(way, value)),
            Shape::Variable(_) => true,
            _ => false,
        }
    }

    /// The word of a scalar.
    pub(super) fn scalar(&mut self, term: Term) -> Lowers<ValueId> {
        match self.store.shape(term).clone() {
            Shape::Constant(cell) => {
                let word = self.word(cell)?;
                Ok(self.program.value(Op::Word(word)))
            }
            Shape::Variable(_) => Ok(self.program.value(Op::Word(Word::VAR))),
            Shape::Leaf(leaf) => Ok(self.program.value(Op::Leaf(leaf.0 as Leaf))),
            Shape::Choice(ways) => self.chosen(&ways, &mut |this, term| this.scalar(term)),
            Shape::Integer(..) => {
                let value = self.int(term)?;
                let (low, high) = self.bounds_anywhere(value);
                let (low, high) =
                    (low.max(Word::FIRST_INT), high.min(Word::FIRST_INT + Word::INTS - 1));
                Ok(self.program.value(Op::Within(value, low, high)))
            }
            _ => Err("a part of a state is a structure in some states only".to_owned()),
        }
    }
}

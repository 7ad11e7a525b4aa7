//! What the leaves of the states are that moves lead to, and that those are expected from then on.

use super::{Allowed, Growth, Lowering, Lowers, Ranges};
use crate::code::{Hole, Leaf, NOTHING, Template};
use crate::program::{Op, PLACES, ValueId};
use zug_state::{May, Word};
use zug_symbolic::{Domain, Operation};

/// Why there is no program where a leaf may be what is not told apart.
pub const MANY: &str = "a leaf of a state is one of too many constants";

impl Lowering<'_, '_> {
    /// Expects what a move makes of leaves; integers beyond are for the machine.
    pub(super) fn expected(&mut self, to: Template) -> Lowers<Template> {
        let shape = to.shape;
        let mut leaves = Vec::with_capacity(to.leaves.len());
        for (leaf, hole) in to.leaves.into_iter().enumerate() {
            if hole == Hole::Leaf(leaf as Leaf) && shape == self.board.shape {
                leaves.push(hole);
                continue;
            }
            let known = self.words.0.may(shape, leaf).ok_or(MANY)?;
            let mut may = May::default();
            let mut kept = hole;
            match hole {
                Hole::Word(word) => may.add(word),
                Hole::Leaf(from) => may = self.may_of(from)?,
                Hole::Value(value) => {
                    let met = small_integers(&known);
                    let value = match (known.range, &met[..]) {
                        (Some(range), _) => self.clamped(value, range),
                        (None, [first, .., last]) if self.board.growth == Growth::Settled => {
                            self.clamped(value, (*first, *last))
                        }
                        _ => self.clamped(value, (Word::FIRST_INT, Word::LAST_INT)),
                    };
                    kept = Hole::Value(value);
                    self.may_be_value(value, &mut may)?;
                }
                Hole::Temp(value) => {
                    let (least, most) = match known.range {
                        // All of it is expected already.
                        Some(range) => range,
                        None => {
                            let (kept, expected) = self.small_bounds(value, &known);
                            may.add_range(expected.0, expected.1);
                            kept
                        }
                    };
                    kept = Hole::Value(self.program.word_within(value, least, most));
                }
            }
            if may.bytes[Word::VAR.0 as usize / 64] >> (Word::VAR.0 % 64) & 1 != 0 {
                self.words.0.expect_variables();
            }
            self.words.0.expect_all(shape, leaf, &may);
            leaves.push(kept);
        }
        Ok(Template { shape, leaves })
    }

    /// The integers of one byte that a leaf is kept within, and those expected.
    fn small_bounds(&mut self, value: ValueId, known: &May) -> ((i64, i64), (i64, i64)) {
        let met = small_integers(known);
        let (first, last) = (met.first().copied(), met.last().copied());
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
        let growth = if met.is_empty() { Growth::Bounded } else { self.board.growth };
        let within = |(low, high): (i64, i64)| {
            let (least, most) = match growth {
                Growth::Settled => (first, last),
                _ => (Word::FIRST_INT, Word::LAST_INT),
            };
            (low.max(least), high.min(most))
        };
        let (mut from, mut to) = within(self.bounds(value));
        if growth == Growth::Open {
            to = if to > last { Word::LAST_INT } else { to };
            from = match from {
                0.. if from < first => 0,
                _ if from < first => Word::FIRST_INT,
                _ => from,
            };
        }
        // It may be computed before it is known that the move is one.
        let (low, high) = within(self.bounds_anywhere(value));
        ((low.min(from), high.max(to)), (from, to))
    }

    fn may_of(&self, leaf: Leaf) -> Lowers<May> {
        let may = self.words.0.may(self.board.shape, usize::from(leaf));
        Ok(may.ok_or(MANY)?)
    }

    fn may_be_value(&mut self, value: ValueId, may: &mut May) -> Lowers<()> {
        match *self.program.op(value) {
            Op::Word(word) => may.add(word),
            Op::Leaf(leaf) => may.join(&self.may_of(leaf)?),
            Op::Choose(_, then, other) => {
                self.may_be_value(then, may)?;
                self.may_be_value(other, may)?;
            }
            Op::Within(value, low, high) | Op::Fitting(value, low, high) => {
                let (least, most) = self.bounds(value);
                may.add_range(low.max(least), high.min(most));
            }
            Op::OfMove(table) => {
                for &word in &self.program.by_move[table as usize] {
                    may.add(Word(word));
                }
            }
            _ => return Err("a leaf is computed in a way that is not for code".to_owned()),
        }
        Ok(())
    }

    /// Between which integers a value lies, whether the move that is lowered is one or not.
    pub(super) fn bounds_anywhere(&mut self, value: ValueId) -> (i64, i64) {
        let allowed = std::mem::take(&mut self.allowed);
        let mut known = std::mem::take(&mut self.bounds.anywhere);
        let bounds = self.bounds_with(value, &mut known);
        self.bounds.anywhere = known;
        self.allowed = allowed;
        bounds
    }

    /// Between which integers a value lies where the move that is lowered is one.
    pub(super) fn bounds(&mut self, value: ValueId) -> (i64, i64) {
        let mut known = std::mem::take(&mut self.bounds.here);
        let bounds = self.bounds_with(value, &mut known);
        self.bounds.here = known;
        bounds
    }

    /// The bytes that leaves may be where the next move is one.
    pub(super) fn allow(&mut self, allowed: Allowed) {
        self.allowed = allowed;
        self.bounds.here.clear();
    }

    /// Bounds, with what was found out of parts: one may be a part of many others.
    fn bounds_with(&mut self, value: ValueId, known: &mut Ranges) -> (i64, i64) {
        const ANY: (i64, i64) = (i64::MIN, i64::MAX);
        if let Some(&bounds) = known.get(&value) {
            return bounds;
        }
        self.store.spend(1);
        let bounds = match self.program.op(value) {
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
                &(Domain::Range(low, high) | Domain::Mixed(_, low, high)) => (low, high),
            },
            Op::Table(leaf, table) => {
                let table = (0..=u8::MAX).zip(&self.program.tables[*table as usize]);
                let known = || {
                    let may = table.clone().filter(|&(byte, _)| self.may_be_byte(*leaf, byte));
                    may.map(|(_, &value)| value).filter(|&value| value != NOTHING)
                };
                (known().min().unwrap_or(0), known().max().unwrap_or(0))
            }
            Op::OfMove(table) => {
                let entries = &self.program.by_move[*table as usize];
                let bounds = (entries.iter().min(), entries.iter().max());
                (bounds.0.copied().unwrap_or(0), bounds.1.copied().unwrap_or(0))
            }
            Op::Count(_) => (0, PLACES as i64),
            Op::First(_, table) => {
                let table = &self.program.tables[*table as usize][..=PLACES];
                let known = || table.iter().copied();
                (known().min().unwrap_or(0), known().max().unwrap_or(0))
            }
            &Op::Choose(_, then, other) => {
                let [then, other] = [then, other].map(|part| self.bounds_with(part, known));
                (then.0.min(other.0), then.1.max(other.1))
            }
            Op::Integer(operation, operands) => {
                let (operation, operands) = (*operation, operands.clone());
                let of: Vec<(i64, i64)> =
                    operands.iter().map(|&of| self.bounds_with(of, known)).collect();
                match (operation, &of[..]) {
                    (Operation::Add, [a, b]) => (a.0.saturating_add(b.0), a.1.saturating_add(b.1)),
                    (Operation::Subtract, [a, b]) => {
                        (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0))
                    }
                    (Operation::Minimum, [a, b]) => (a.0.min(b.0), a.1.min(b.1)),
                    (Operation::Maximum, [a, b]) => (a.0.max(b.0), a.1.max(b.1)),
                    (Operation::Modulo, [_, b]) if b.0 == b.1 && b.0 > 0 => (0, b.0 - 1),
                    (operation, of) => operation.bounds(of).unwrap_or(ANY),
                }
            }
            _ => ANY,
        };
        known.insert(value, bounds);
        bounds
    }

    /// A value whose computed parts are to stay within bounds.
    fn clamped(&mut self, value: ValueId, (first, last): (i64, i64)) -> ValueId {
        let op = match *self.program.op(value) {
            Op::Choose(holds, then, other) => {
                let [then, other] = [then, other].map(|part| self.clamped(part, (first, last)));
                Op::Choose(holds, then, other)
            }
            Op::Within(of, low, high) => Op::Within(of, low.max(first), high.min(last)),
            Op::Fitting(of, low, high) => Op::Fitting(of, low.max(first), high.min(last)),
            _ => return value,
        };
        self.program.value(op)
    }

    /// Whether a leaf may be a byte where the move is one that is lowered.
    fn may_be_byte(&self, leaf: Leaf, byte: u8) -> bool {
        let allowed = self.allowed.get(&leaf);
        allowed.is_none_or(|bytes| bytes[usize::from(byte / 64)] >> (byte % 64) & 1 != 0)
    }
}

/// The integers of one byte that a leaf may be, ascending.
fn small_integers(may: &May) -> Vec<i64> {
    let met = (0..Word::INTS as usize).filter(|at| may.bytes[at / 64] >> (at % 64) & 1 != 0);
    met.map(|at| Word(at as i64).int_value()).collect()
}

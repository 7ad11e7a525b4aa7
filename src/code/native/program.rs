//! A program as a function of [`zug_jit`], block by block.
//!
//! It runs on packed states with leaves of one byte each, or on the words of leaves.

use super::change::{Filled, Written, change};
use crate::code::Leaf;
use crate::code::{BlockId, Code, Hole, Move, NOTHING, Sum};
use crate::moves::{Form, NO_WORD, UNKNOWN_CHANGE};
use crate::program::{End, Op, PLACES, Program, Step, ValueId};
use zug_jit::{Bit, Block, Builder, Compare, Index, Int, Loop};
use zug_state::Word;
use zug_symbolic::{Operation, Relation};
use zug_term::{MAX_INT, MIN_INT};

/// What a function returns; from [`status::DEOPT`] on, the number of a reason is added.
pub mod status {
    /// No more answers.
    pub const DONE: i64 = 0;
    /// Yes.
    pub const TRUE: i64 = 1;
    /// The integer in the exit.
    pub const INT: i64 = 2;
    /// The float whose bits are in the exit.
    pub const FLOAT: i64 = 3;
    /// A value is out of range.
    pub const RANGE: i64 = 4;
    /// The machine is asked.
    pub const DEOPT: i64 = 5;
}

/// How states lie there.
#[derive(Clone, Copy)]
pub struct Lying<'p> {
    /// How moves are put down.
    pub forms: &'p [Form],
    /// Bytes before the leaves.
    pub before: usize,
    /// Words of a state.
    pub words: usize,
    /// A word for each leaf.
    pub is_wide: bool,
}

/// A value.
#[derive(Clone, Copy)]
enum Known<'f> {
    Int(Int<'f>),
    Bit(Bit<'f>),
}

/// Translates one program.
pub(super) struct Translator<'t, 'f> {
    program: &'f Program,
    moves: &'f [Move],
    sum: Option<&'f Sum>,
    /// By block: the leaves whose bytes are known there.
    facts: Vec<Option<(Leaf, u8)>>,
    lying: Lying<'t>,
    pub(super) b: &'t mut Builder<'f>,
    blocks: Vec<Block<'f>>,
    /// By value: what was computed, and, if that holds there alone, in which block.
    known: Vec<Option<(Known<'f>, Option<BlockId>)>>,
    /// By block: the loop that it is in a body of.
    loops: Vec<Option<Loop<'f>>>,
    at: BlockId,
}

/// Translates the program of code, which tells by how much a sum differs behind its moves.
pub fn translate<'f>(code: &'f Code, sum: Option<&'f Sum>, lying: Lying<'_>, b: &mut Builder<'f>) {
    let program = &code.program;
    let moves = &code.moves[..];
    let blocks: Vec<Block<'f>> = program.blocks.iter().map(|_| b.block()).collect();
    b.jump(blocks[0]);
    let known = vec![None; program.values.len()];
    let loops = vec![None; blocks.len()];
    let facts = vec![None; blocks.len()];
    let mut translator =
        Translator { program, moves, sum, facts, lying, b, blocks, known, loops, at: 0 };
    for at in 0..program.blocks.len() {
        translator.block(at as BlockId);
    }
}

impl<'f> Translator<'_, 'f> {
    fn block(&mut self, at: BlockId) {
        self.at = at;
        self.b.enter(self.blocks[at as usize]);
        let program = self.program;
        let block = &program.blocks[at as usize];
        for step in &block.steps {
            match *step {
                Step::Let(value) => {
                    let op = program.op(value);
                    let computed = self.computed(op);
                    let here = op.is_cheap().then_some(at);
                    self.known[value as usize] = Some((computed, here));
                }
                Step::Move(number) => self.put_down(number),
            }
        }
        let within = self.loops[at as usize];
        let own = |this: &mut Self, block: BlockId| {
            this.loops[block as usize] = within;
            this.blocks[block as usize]
        };
        match &block.end {
            End::Goto(next) => {
                let next = own(self, *next);
                self.b.jump(next);
            }
            End::If(value, then, other) => {
                let holds = self.bit(*value);
                let [then, other] = [*then, *other].map(|block| own(self, block));
                self.b.branch(holds, then, other);
            }
            End::Each { plane, at, then } => {
                let plane = self.int(*plane);
                let then = own(self, *then);
                let places: Vec<(u8, Block<'f>)> =
                    at.iter().map(|&(place, block)| (place, self.blocks[block as usize])).collect();
                let this = self.b.each_bit(plane, &places, then);
                for &(_, block) in at {
                    self.loops[block as usize] = Some(this);
                }
                self.learn(&block.end);
            }
            End::Only { plane, at, none, several } => {
                let plane = self.int(*plane);
                let less = self.b.add_const(plane, -1);
                let more = self.b.and(plane, less);
                let [none, several] = [*none, *several].map(|block| own(self, block));
                let one = self.b.block();
                // A state without any comes through to the table, which has no entry for it.
                let is_more = self.b.compare_with(Compare::NotEqual, more, 0);
                self.b.branch(is_more, several, one);
                self.b.enter(one);
                let place = self.b.trailing_zeros(plane);
                let mut blocks = Vec::with_capacity(PLACES);
                for &(place, block) in at {
                    blocks.resize(usize::from(place), none);
                    blocks.push(own(self, block));
                }
                self.b.jump_table(place, &blocks, none);
                self.learn(&program.blocks[self.at as usize].end);
            }
            End::Next => {
                let within = within.expect("it is in a loop");
                self.b.next(within);
            }
            End::Done => self.b.leave(status::DONE),
            End::True => self.b.leave(status::TRUE),
            End::Int(value) => {
                let value = self.int(*value);
                self.b.answer(value);
                self.b.leave(status::INT);
            }
            End::Float(value) => {
                let value = self.int(*value);
                self.b.answer(value);
                self.b.leave(status::FLOAT);
            }
            End::GiveBack(reason) => self.b.leave(status::DEOPT + i64::from(*reason)),
            End::Planes(planes) => {
                for (at, &plane) in planes.iter().enumerate() {
                    let plane = self.int(plane);
                    self.b.put(at, plane);
                }
                self.b.advance(planes.len(), None);
                self.b.leave(status::DONE);
            }
            End::Enter(blocks) => {
                let number = self.b.given();
                let blocks: Vec<Block<'f>> = blocks.iter().map(|&at| own(self, at)).collect();
                let none = self.b.block();
                self.b.jump_table(number, &blocks, none);
                self.b.enter(none);
                self.b.leave(status::RANGE);
            }
        }
    }

    fn known(&mut self, value: ValueId) -> Known<'f> {
        match self.known[value as usize] {
            Some((known, here)) if here.is_none_or(|here| here == self.at) => known,
            _ => {
                let computed = self.computed(self.program.op(value));
                self.known[value as usize] = Some((computed, Some(self.at)));
                computed
            }
        }
    }

    pub(super) fn int(&mut self, value: ValueId) -> Int<'f> {
        match self.known(value) {
            Known::Int(value) => value,
            Known::Bit(bit) => self.b.int_of_bit(bit),
        }
    }

    fn bit(&mut self, value: ValueId) -> Bit<'f> {
        match self.known(value) {
            Known::Bit(bit) => bit,
            Known::Int(value) => self.b.compare_with(Compare::NotEqual, value, 0),
        }
    }

    /// Asks the machine if this holds.
    fn ask_if(&mut self, holds: Bit<'f>) {
        let [out, next] = [self.b.block(), self.b.block()];
        self.b.set_cold(out);
        self.b.branch(holds, out, next);
        self.b.enter(out);
        self.b.leave(status::RANGE);
        self.b.enter(next);
    }

    /// A leaf of one byte.
    fn byte(&mut self, leaf: Leaf) -> Index<'f> {
        if self.lying.is_wide {
            let word = self.word(leaf);
            return self.b.low_byte(word);
        }
        let byte = self.b.input_byte(self.lying.before + usize::from(leaf));
        self.b.widened(byte)
    }

    fn word(&mut self, leaf: Leaf) -> Int<'f> {
        if self.lying.is_wide {
            return self.b.input_int(8 * usize::from(leaf));
        }
        let byte = self.byte(leaf);
        self.b.int_of(byte)
    }

    /// The integer that a leaf is; 0 if it is none.
    fn number(&mut self, leaf: Leaf) -> Int<'f> {
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

    /// Whether an integer is beyond bounds.
    fn is_beyond(&mut self, value: Int<'f>, low: i64, high: i64) -> Bit<'f> {
        if low > high {
            return self.b.bit(true);
        }
        let above = self.b.add_const(value, low.wrapping_neg());
        let span = high.wrapping_sub(low).wrapping_add(1);
        self.b.compare_with(Compare::NotBelow, above, span)
    }

    /// The word of an integer within bounds.
    fn word_of(&mut self, value: Int<'f>, low: i64, high: i64) -> Int<'f> {
        let narrow = self.b.add_const(value, -Word::FIRST_INT);
        if low >= Word::FIRST_INT && high <= Word::LAST_INT {
            return narrow;
        }
        let wide = self.b.add_const(value, Word::WIDE_INT);
        let is_narrow = self.b.compare_with(Compare::Below, narrow, Word::INTS);
        self.b.select(is_narrow, narrow, wide)
    }

    fn computed(&mut self, op: &'f Op) -> Known<'f> {
        Known::Int(match op {
            Op::Int(value) => self.b.int(*value),
            Op::Word(word) => self.b.int(word.0),
            Op::Leaf(leaf) => self.word(*leaf),
            Op::Number(leaf) => self.number(*leaf),
            Op::Float(bits) => self.b.int(*bits as i64),
            Op::Floating(operation, operands) => self.floating(*operation, operands),
            Op::Rounded(rounding, of) => self.rounded(*rounding, *of),
            Op::CompareFloats(relation, one, other) => {
                return Known::Bit(self.compare_floats(*relation, *one, *other));
            }
            Op::Table(leaf, table) | Op::FloatTable(leaf, table) => {
                let table = &self.program.tables[*table as usize];
                let index = self.byte(*leaf);
                let found = self.b.look_up(table, index);
                if table.contains(&NOTHING) && !self.is_covered(*leaf, table) {
                    let nothing = self.b.compare_with(Compare::Equal, found, NOTHING);
                    self.ask_if(nothing);
                }
                found
            }
            Op::Integer(operation, operands) => self.integer(*operation, operands),
            Op::Within(value, low, high) => {
                let value = self.int(*value);
                let beyond = self.is_beyond(value, *low, *high);
                self.ask_if(beyond);
                self.word_of(value, *low, *high)
            }
            Op::Fitting(value, low, high) => {
                let value = self.int(*value);
                let beyond = self.is_beyond(value, *low, *high);
                let word = self.word_of(value, *low, *high);
                let none = self.b.int(NO_WORD);
                self.b.select(beyond, none, word)
            }
            Op::Choose(holds, then, other) => {
                let holds = self.bit(*holds);
                let [then, other] = [*then, *other].map(|value| self.int(value));
                self.b.select(holds, then, other)
            }
            Op::In(leaf, set) => return Known::Bit(self.is_in(*leaf, *set)),
            Op::Compare(relation, one, other) => {
                let [one, other] = [*one, *other].map(|value| self.int(value));
                let relation = match relation {
                    Relation::Less => Compare::Less,
                    Relation::Equal => Compare::Equal,
                };
                return Known::Bit(self.b.compare(relation, one, other));
            }
            Op::All(parts) => {
                let mut all = None;
                for &part in parts {
                    let part = self.bit(part);
                    all = Some(all.map_or(part, |all| self.b.and(all, part)));
                }
                return Known::Bit(all.unwrap_or_else(|| self.b.bit(true)));
            }
            Op::Any(parts) => {
                let mut any = None;
                for &part in parts {
                    let part = self.bit(part);
                    any = Some(any.map_or(part, |any| self.b.or(any, part)));
                }
                return Known::Bit(any.unwrap_or_else(|| self.b.bit(false)));
            }
            Op::Not(value) => {
                let value = self.bit(*value);
                return Known::Bit(self.b.not(value));
            }
            Op::Cells(set) if self.lying.is_wide => self.cells_of_words(*set),
            Op::Cells(set) => self.cells(*set),
            Op::Ones(bits) => self.b.int(*bits as i64),
            Op::Spread(holds) => {
                let holds = self.int(*holds);
                self.b.neg(holds)
            }
            Op::Shift(plane, by) => {
                let plane = self.int(*plane);
                let places = i64::from(by.unsigned_abs());
                match by {
                    _ if places >= 64 => self.b.int(0),
                    by if *by < 0 => self.b.shl_const(plane, places),
                    _ => self.b.shr_const(plane, places),
                }
            }
            Op::Meet(planes) => {
                let mut all = None;
                for &plane in planes {
                    let plane = self.int(plane);
                    all = Some(all.map_or(plane, |all| self.b.and(all, plane)));
                }
                all.unwrap_or_else(|| self.b.int(-1))
            }
            Op::Join(planes) => {
                let mut all = None;
                for &plane in planes {
                    let plane = self.int(plane);
                    all = Some(all.map_or(plane, |all| self.b.or(all, plane)));
                }
                all.unwrap_or_else(|| self.b.int(0))
            }
            Op::Flip(plane) => {
                let plane = self.int(*plane);
                self.b.complement(plane)
            }
            Op::Has(plane, at) => {
                let plane = self.int(*plane);
                let bit = self.b.and_const(plane, 1i64 << at);
                return Known::Bit(self.b.compare_with(Compare::NotEqual, bit, 0));
            }
            Op::Some(plane) => {
                let plane = self.int(*plane);
                return Known::Bit(self.b.compare_with(Compare::NotEqual, plane, 0));
            }
            Op::Count(plane) => {
                let plane = self.int(*plane);
                self.b.count_ones(plane)
            }
        })
    }

    /// Whether a table has an entry for all that a leaf may be.
    fn is_covered(&self, leaf: Leaf, table: &[i64; 256]) -> bool {
        let may = self.program.may.get(usize::from(leaf));
        let bytes = || (0..256usize).filter(|byte| table[*byte] == NOTHING);
        may.is_some_and(|may| bytes().all(|byte| may[byte / 64] >> (byte % 64) & 1 == 0))
    }

    fn is_in(&mut self, leaf: Leaf, set: u32) -> Bit<'f> {
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

    fn is_byte_in(&mut self, word: Int<'f>, bytes: &[i64]) -> Bit<'f> {
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
    fn cells_of_words(&mut self, set: u32) -> Int<'f> {
        let mut found = self.b.int(0);
        for leaf in 0..self.program.leaves.min(PLACES) {
            let is = self.is_in(leaf as Leaf, set);
            let is = self.b.int_of_bit(is);
            let bit = self.b.shl_const(is, leaf as i64);
            found = self.b.or(found, bit);
        }
        found
    }

    /// The places whose leaves are in a set.
    fn cells(&mut self, set: u32) -> Int<'f> {
        let count = self.program.leaves.min(PLACES);
        let words = &self.program.sets[set as usize];
        let bytes: Vec<u8> = words.iter().filter_map(|word| word.byte()).collect();
        let room = 8 * self.lying.words;
        let first = self.lying.before;
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
                if here < 16 - skipped {
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

    fn integer(&mut self, operation: Operation, operands: &[ValueId]) -> Int<'f> {
        let values: Vec<Int<'f>> = operands.iter().map(|&value| self.int(value)).collect();
        let zero = |this: &mut Self| this.b.int(0);
        match (operation, &values[..]) {
            (Operation::Add, &[a, b]) => {
                let (sum, over) = self.b.add_overflow(a, b);
                self.ask_unless_small(operands, (sum, over));
                sum
            }
            (Operation::Subtract, &[a, b]) => {
                let (difference, over) = self.b.sub_overflow(a, b);
                self.ask_unless_small(operands, (difference, over));
                difference
            }
            (Operation::Multiply, &[a, b]) => {
                let (product, over) = self.b.mul_overflow(a, b);
                self.ask_if(over);
                self.ask_unless_in_a_cell(product);
                product
            }
            (Operation::Negate, &[a]) => {
                let zero = zero(self);
                let (value, over) = self.b.sub_overflow(zero, a);
                self.ask_unless_small(operands, (value, over));
                value
            }
            (Operation::Absolute, &[a]) => {
                let zero = zero(self);
                let (opposite, over) = self.b.sub_overflow(zero, a);
                self.ask_unless_small(operands, (opposite, over));
                let less = self.b.compare_with(Compare::Less, a, 0);
                self.b.select(less, opposite, a)
            }
            (Operation::Minimum, &[a, b]) => {
                let less = self.b.compare(Compare::Less, a, b);
                self.b.select(less, a, b)
            }
            (Operation::Maximum, &[a, b]) => {
                let less = self.b.compare(Compare::Less, a, b);
                self.b.select(less, b, a)
            }
            (Operation::BitAnd, &[a, b]) => self.b.and(a, b),
            (Operation::BitOr, &[a, b]) => self.b.or(a, b),
            (Operation::BitXor, &[a, b]) => self.b.xor(a, b),
            (
                Operation::Truncate | Operation::Floor | Operation::Modulo | Operation::Remainder,
                &[a, b],
            ) => self.divided(operation, a, b),
            (Operation::ShiftRight, &[a, b]) => {
                let by = self.shifted_by(b);
                self.b.sar(a, by)
            }
            (Operation::ShiftLeft, &[a, b]) => {
                let by = self.shifted_by(b);
                let shifted = self.b.shl(a, by);
                // What is lost would come back otherwise.
                let back = self.b.sar(shifted, by);
                let is_lost = self.b.compare(Compare::NotEqual, back, a);
                self.ask_if(is_lost);
                self.ask_unless_in_a_cell(shifted);
                shifted
            }
            (Operation::PopCount, &[a]) => {
                let negative = self.b.compare_with(Compare::Less, a, 0);
                self.ask_if(negative);
                self.b.count_ones(a)
            }
            (Operation::HighestBit | Operation::LowestBit, &[a]) => {
                let one = self.b.int(1);
                let none = self.b.compare(Compare::Less, a, one);
                self.ask_if(none);
                if operation == Operation::LowestBit {
                    return self.b.trailing_zeros(a);
                }
                let zeros = self.b.leading_zeros(a);
                let last = self.b.int(63);
                self.b.sub(last, zeros)
            }
            // What the processor has in another form is for the interpreter of programs.
            _ => {
                let always = self.b.bit(true);
                self.ask_if(always);
                self.b.int(0)
            }
        }
    }

    /// Asks the machine about a sum that overflows, if it can.
    fn ask_unless_small(&mut self, operands: &[ValueId], (value, over): (Int<'f>, Bit<'f>)) {
        let small = operands.iter().all(|&value| self.program.is_small(value));
        if !small {
            self.ask_if(over);
            self.ask_unless_in_a_cell(value);
        }
    }

    /// Asks the machine about an integer that no cell holds.
    fn ask_unless_in_a_cell(&mut self, value: Int<'f>) {
        let above = self.b.add_const(value, MIN_INT.wrapping_neg());
        let beyond = self.b.compare_with(Compare::NotBelow, above, MAX_INT - MIN_INT + 1);
        self.ask_if(beyond);
    }

    /// How far an integer is shifted: not by less than nothing, and by all bits at most.
    fn shifted_by(&mut self, by: Int<'f>) -> Int<'f> {
        let negative = self.b.compare_with(Compare::Less, by, 0);
        self.ask_if(negative);
        let most = self.b.int(63);
        let is_less = self.b.compare(Compare::Less, by, most);
        self.b.select(is_less, by, most)
    }

    fn divided(&mut self, operation: Operation, a: Int<'f>, b: Int<'f>) -> Int<'f> {
        let none = self.b.compare_with(Compare::Equal, b, 0);
        self.ask_if(none);
        // The one quotient that is too large has this divisor: it is the opposite otherwise.
        let minus = self.b.compare_with(Compare::Equal, b, -1);
        let least = self.b.compare_with(Compare::Equal, a, i64::MIN);
        let out = self.b.and(minus, least);
        self.ask_if(out);
        let quotient = self.b.div(a, b);
        if operation == Operation::Truncate {
            self.ask_unless_in_a_cell(quotient);
            return quotient;
        }
        let rest = self.b.rem(a, b);
        if operation == Operation::Remainder {
            return rest;
        }
        let inexact = self.b.compare_with(Compare::NotEqual, rest, 0);
        let signs = self.b.xor(rest, b);
        let differ = self.b.compare_with(Compare::Less, signs, 0);
        let adjust = self.b.and(inexact, differ);
        if operation == Operation::Floor {
            let less = self.b.add_const(quotient, -1);
            let floor = self.b.select(adjust, less, quotient);
            self.ask_unless_in_a_cell(floor);
            return floor;
        }
        let more = self.b.add(rest, b);
        self.b.select(adjust, more, rest)
    }

    /// What fills a hole, as a byte.
    fn filled(&mut self, hole: Hole) -> Filled<'f> {
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
    fn fact(&self, leaf: Leaf) -> Option<u8> {
        let (known, byte) = self.facts[self.at as usize]?;
        (known == leaf).then_some(byte)
    }

    /// In the bodies of a loop through the leaves of one value, each is known.
    fn learn(&mut self, end: &End) {
        let (End::Each { plane, at, .. } | End::Only { plane, at, .. }) = end else { return };
        let mut cells = *plane;
        while let Op::Meet(parts) = self.program.op(cells) {
            let is_cells = |&&part: &&ValueId| matches!(self.program.op(part), Op::Cells(_));
            let Some(&part) = parts.iter().find(is_cells) else { return };
            cells = part;
        }
        let &Op::Cells(set) = self.program.op(cells) else { return };
        let &[word] = &self.program.sets[set as usize][..] else { return };
        let Some(byte) = word.byte() else { return };
        for &(place, block) in at {
            self.facts[block as usize] = Some((Leaf::from(place), byte));
        }
    }

    fn put_down(&mut self, number: u32) {
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

//! Integers of programs: the states in which they have no value deoptimise.

use super::program::Translator;
use crate::program::ValueId;
use zug_jit::{Bit, Compare, Int};
use zug_state::Word;
use zug_symbolic::Operation;
use zug_term::{MAX_INT, MIN_INT};

impl<'f> Translator<'_, 'f> {
    pub(super) fn is_beyond(&mut self, value: Int<'f>, low: i64, high: i64) -> Bit<'f> {
        if low > high {
            return self.b.bit(true);
        }
        let above = self.b.add_const(value, low.wrapping_neg());
        let span = high.wrapping_sub(low).wrapping_add(1);
        self.b.compare_with(Compare::NotBelow, above, span)
    }

    pub(super) fn word_of(&mut self, value: Int<'f>, low: i64, high: i64) -> Int<'f> {
        let narrow = self.b.add_const(value, -Word::FIRST_INT);
        if low >= Word::FIRST_INT && high <= Word::LAST_INT {
            return narrow;
        }
        let wide = self.b.add_const(value, Word::WIDE_INT);
        let is_narrow = self.b.compare_with(Compare::Below, narrow, Word::INTS);
        self.b.select(is_narrow, narrow, wide)
    }

    pub(super) fn integer(&mut self, operation: Operation, operands: &[ValueId]) -> Int<'f> {
        let values: Vec<Int<'f>> = operands.iter().map(|&value| self.int(value)).collect();
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
                let zero = self.b.int(0);
                let (value, over) = self.b.sub_overflow(zero, a);
                self.ask_unless_small(operands, (value, over));
                value
            }
            (Operation::Absolute, &[a]) => {
                let zero = self.b.int(0);
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
    pub fn ask_unless_small(&mut self, operands: &[ValueId], (value, over): (Int<'f>, Bit<'f>)) {
        let small = operands.iter().all(|&value| self.program.is_small(value));
        if !small {
            self.ask_if(over);
            self.ask_unless_in_a_cell(value);
        }
    }

    /// Asks the machine about an integer that no cell holds.
    pub(super) fn ask_unless_in_a_cell(&mut self, value: Int<'f>) {
        let above = self.b.add_const(value, MIN_INT.wrapping_neg());
        let beyond = self.b.compare_with(Compare::NotBelow, above, MAX_INT - MIN_INT + 1);
        self.ask_if(beyond);
    }

    /// How far an integer is shifted: not by less than nothing, and by all bits at most.
    pub(super) fn shifted_by(&mut self, by: Int<'f>) -> Int<'f> {
        let negative = self.b.compare_with(Compare::Less, by, 0);
        self.ask_if(negative);
        let most = self.b.int(63);
        let is_less = self.b.compare(Compare::Less, by, most);
        self.b.select(is_less, by, most)
    }

    pub(super) fn divided(&mut self, operation: Operation, a: Int<'f>, b: Int<'f>) -> Int<'f> {
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
}

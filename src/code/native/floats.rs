//! Floats of programs as values of [`zug_jit`]: they are kept as their bits.

use super::program::Translator;
use crate::program::ValueId;
use zug_jit::{Bit, Float, Int};
use zug_symbolic::{FloatOperation, Relation, Rounding};

impl<'f> Translator<'_, 'f> {
    fn float(&mut self, value: ValueId) -> Float<'f> {
        let bits = self.int(value);
        self.b.float_of_bits(bits)
    }

    /// The bits of what an operation computes.
    pub fn floating(&mut self, operation: FloatOperation, operands: &'f [ValueId]) -> Int<'f> {
        let result = match (operation, operands) {
            (FloatOperation::OfInteger, &[of]) => {
                let of = self.int(of);
                self.b.float_of_int(of)
            }
            (_, &[of]) => {
                let of = self.float(of);
                match operation {
                    FloatOperation::Negate => self.b.float_neg(of),
                    FloatOperation::Absolute => self.b.float_abs(of),
                    FloatOperation::SquareRoot => self.b.float_sqrt(of),
                    other => unreachable!("{other:?} is of two"),
                }
            }
            (_, &[one, other]) => {
                let (one, other) = (self.float(one), self.float(other));
                match operation {
                    FloatOperation::Add => self.b.float_add(one, other),
                    FloatOperation::Subtract => self.b.float_sub(one, other),
                    FloatOperation::Multiply => self.b.float_mul(one, other),
                    FloatOperation::Divide => self.b.float_div(one, other),
                    FloatOperation::Minimum => self.b.float_min(one, other),
                    FloatOperation::Maximum => self.b.float_max(one, other),
                    other => unreachable!("{other:?} is of one"),
                }
            }
            _ => unreachable!("operations have one operand or two"),
        };
        self.b.bits_of_float(result)
    }

    /// The integer that a float is rounded to.
    pub(super) fn rounded(&mut self, rounding: Rounding, of: ValueId) -> Int<'f> {
        let of = self.float(of);
        let towards_zero = self.b.int_of_float(of);
        let back = self.b.float_of_int(towards_zero);
        let (below, above) = match rounding {
            Rounding::Truncate => return towards_zero,
            Rounding::Floor => (Some(self.b.float_less(of, back)), None),
            Rounding::Ceiling => (None, Some(self.b.float_less(back, of))),
            Rounding::Nearest => {
                // What is left has no rounding error.
                let left = self.b.float_sub(of, back);
                let half = self.b.int(0.5f64.to_bits() as i64);
                let half = self.b.float_of_bits(half);
                let minus_half = self.b.float_neg(half);
                let less = self.b.float_less(minus_half, left);
                let more = self.b.float_less(left, half);
                (Some(self.b.not(less)), Some(self.b.not(more)))
            }
        };
        let mut value = towards_zero;
        for (holds, change) in [(below, -1), (above, 1)] {
            if let Some(holds) = holds {
                let changed = self.b.add_const(value, change);
                value = self.b.select(holds, changed, value);
            }
        }
        value
    }

    pub fn compare_floats(&mut self, relation: Relation, one: ValueId, other: ValueId) -> Bit<'f> {
        let (one, other) = (self.float(one), self.float(other));
        match relation {
            Relation::Less => self.b.float_less(one, other),
            Relation::Equal => self.b.float_equal(one, other),
        }
    }
}

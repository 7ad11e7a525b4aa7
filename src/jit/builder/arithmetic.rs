//! Constants, conversions, and operations that Cranelift has by that name.

use super::{Bit, Bits, Builder, Byte, Compare, Float, Index, Int, Value};
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};

/// Constants and conversions.
impl<'f> Builder<'f> {
    /// A constant.
    pub fn int(&mut self, value: i64) -> Int<'f> {
        Value::new(self.b.ins().iconst(I64, value))
    }

    /// A constant.
    pub fn bit(&mut self, value: bool) -> Bit<'f> {
        Value::new(self.b.ins().iconst(I8, i64::from(value)))
    }

    /// A constant.
    pub fn index(&mut self, value: u8) -> Index<'f> {
        Value::new(self.b.ins().iconst(I64, i64::from(value)))
    }

    /// A byte, without sign.
    pub fn widened(&mut self, byte: Byte<'f>) -> Index<'f> {
        Value::new(self.b.ins().uextend(I64, byte.0))
    }

    /// The lowest byte.
    pub fn low_byte(&mut self, value: Int<'f>) -> Index<'f> {
        Value::new(self.b.ins().band_imm(value.0, 0xFF))
    }

    /// The same number.
    pub fn int_of(&self, index: Index<'f>) -> Int<'f> {
        Value::new(index.0)
    }

    /// 1 for yes, 0 for no.
    pub fn int_of_bit(&mut self, bit: Bit<'f>) -> Int<'f> {
        Value::new(self.b.ins().uextend(I64, bit.0))
    }
}

/// Operations whose operands, and a constant behind them, are of the type of their value.
macro_rules! operations {
    ($($(#[$text:meta])* $name:ident = $operation:ident($($operand:ident),* $(; $by:ident)?) -> $kind:ident;)*) => {
        impl<'f> Builder<'f> {
            $($(#[$text])*
            pub fn $name(&mut self, $($operand: $kind<'f>,)* $($by: i64)?) -> $kind<'f> {
                Value::new(self.b.ins().$operation($($operand.0,)* $($by)?))
            })*
        }
    };
}

operations! {
    /// The sum.
    add = iadd(a, b) -> Int;
    /// The difference.
    sub = isub(a, b) -> Int;
    /// The product.
    mul = imul(a, b) -> Int;
    /// The quotient, rounded towards zero.
    ///
    /// # Traps
    /// The divisor is zero, or the quotient has more than 64 bits.
    div = sdiv(a, b) -> Int;
    /// The remainder, with the sign of the dividend.
    ///
    /// # Traps
    /// As [`Builder::div`].
    rem = srem(a, b) -> Int;
    /// The first shifted to the left by the second, modulo 64.
    shl = ishl(a, b) -> Int;
    /// The first shifted to the right by the second, modulo 64, with the sign from the left.
    sar = sshr(a, b) -> Int;
    /// The sum.
    add_const = iadd_imm(a; b) -> Int;
    /// The bits that both have.
    and_const = band_imm(a; b) -> Int;
    /// Shifted to the left.
    shl_const = ishl_imm(a; b) -> Int;
    /// Shifted to the right, with zeros from the left.
    shr_const = ushr_imm(a; b) -> Int;
    /// The negative.
    neg = ineg(a) -> Int;
    /// The bits that it does not have.
    complement = bnot(a) -> Int;
    /// The number of bits that are set.
    count_ones = popcnt(a) -> Int;
    /// The number of zeros behind the lowest bit that is set; 64 if none is.
    trailing_zeros = ctz(a) -> Int;
    /// The number of zeros before the highest bit that is set; 64 if none is.
    leading_zeros = clz(a) -> Int;
    /// The sum of floats.
    float_add = fadd(a, b) -> Float;
    /// The difference of floats.
    float_sub = fsub(a, b) -> Float;
    /// The product of floats.
    float_mul = fmul(a, b) -> Float;
    /// The quotient of floats.
    float_div = fdiv(a, b) -> Float;
    /// The lesser float; of two zeros the one with the sign.
    float_min = fmin(a, b) -> Float;
    /// The greater float; of two zeros the one without a sign.
    float_max = fmax(a, b) -> Float;
    /// The negative of a float.
    float_neg = fneg(a) -> Float;
    /// A float without its sign.
    float_abs = fabs(a) -> Float;
    /// The square root.
    float_sqrt = sqrt(a) -> Float;
}

/// Operations that say whether they went beyond 64 bits.
macro_rules! overflowing {
    ($($(#[$text:meta])* $name:ident = $operation:ident;)*) => {
        impl<'f> Builder<'f> {
            $($(#[$text])*
            pub fn $name(&mut self, a: Int<'f>, b: Int<'f>) -> (Int<'f>, Bit<'f>) {
                let (value, over) = self.b.ins().$operation(a.0, b.0);
                (Value::new(value), Value::new(over))
            })*
        }
    };
}

overflowing! {
    /// The sum, and whether it overflows.
    add_overflow = sadd_overflow;
    /// The difference, and whether it overflows.
    sub_overflow = ssub_overflow;
    /// The product, and whether it overflows.
    mul_overflow = smul_overflow;
}

/// Operations on several types.
impl<'f> Builder<'f> {
    /// The bits that both have.
    pub fn and<T: Bits>(&mut self, a: Value<'f, T>, b: Value<'f, T>) -> Value<'f, T> {
        Value::new(self.b.ins().band(a.0, b.0))
    }

    /// The bits that one of both has.
    pub fn or<T: Bits>(&mut self, a: Value<'f, T>, b: Value<'f, T>) -> Value<'f, T> {
        Value::new(self.b.ins().bor(a.0, b.0))
    }

    /// The bits that just one of both has.
    pub fn xor<T: Bits>(&mut self, a: Value<'f, T>, b: Value<'f, T>) -> Value<'f, T> {
        Value::new(self.b.ins().bxor(a.0, b.0))
    }

    /// The opposite.
    pub fn not(&mut self, a: Bit<'f>) -> Bit<'f> {
        Value::new(self.b.ins().bxor_imm(a.0, 1))
    }

    /// Whether two values are in a relation.
    pub fn compare<T: Bits>(
        &mut self,
        relation: Compare,
        a: Value<'f, T>,
        b: Value<'f, T>,
    ) -> Bit<'f> {
        Value::new(self.b.ins().icmp(IntCC::from(relation), a.0, b.0))
    }

    /// Whether a value and a constant are in a relation; a constant for a byte is from -128 to 127.
    pub fn compare_with<T: Bits>(&mut self, relation: Compare, a: Value<'f, T>, b: i64) -> Bit<'f> {
        Value::new(self.b.ins().icmp_imm(IntCC::from(relation), a.0, b))
    }

    /// The first if it holds, else the second.
    pub fn select<T: Bits>(
        &mut self,
        holds: Bit<'f>,
        a: Value<'f, T>,
        b: Value<'f, T>,
    ) -> Value<'f, T> {
        Value::new(self.b.ins().select(holds.0, a.0, b.0))
    }
}

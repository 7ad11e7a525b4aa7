//! Constants, conversions, and operations on integers and bits.

use super::{Bit, Bits, Builder, Byte, Compare, Index, Int, Value};
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

/// Operations that the compiler has by that name, of two values.
macro_rules! operations {
    ($($(#[$text:meta])* $name:ident = $operation:ident;)*) => {
        impl<'f> Builder<'f> {
            $($(#[$text])*
            pub fn $name(&mut self, a: Int<'f>, b: Int<'f>) -> Int<'f> {
                Value::new(self.b.ins().$operation(a.0, b.0))
            })*
        }
    };
}

operations! {
    /// The sum.
    add = iadd;
    /// The difference.
    sub = isub;
    /// The product.
    mul = imul;
    /// The quotient, rounded towards zero.
    ///
    /// # Traps
    /// The divisor is zero, or the quotient has more than 64 bits.
    div = sdiv;
    /// The remainder, with the sign of the dividend.
    ///
    /// # Traps
    /// As [`Builder::div`].
    rem = srem;
    /// The first shifted to the left by the second, modulo 64.
    shl = ishl;
    /// The first shifted to the right by the second, modulo 64, with the sign from the left.
    sar = sshr;
}

/// Operations with a constant.
macro_rules! constants {
    ($($(#[$text:meta])* $name:ident = $operation:ident;)*) => {
        impl<'f> Builder<'f> {
            $($(#[$text])*
            pub fn $name(&mut self, a: Int<'f>, b: i64) -> Int<'f> {
                Value::new(self.b.ins().$operation(a.0, b))
            })*
        }
    };
}

constants! {
    /// The sum.
    add_const = iadd_imm;
    /// The bits that both have.
    and_const = band_imm;
    /// Shifted to the left.
    shl_const = ishl_imm;
    /// Shifted to the right, with zeros from the left.
    shr_const = ushr_imm;
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

/// Other operations.
impl<'f> Builder<'f> {
    /// The negative.
    pub fn neg(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().ineg(a.0))
    }

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

    /// The bits that it does not have.
    pub fn complement(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().bnot(a.0))
    }

    /// The number of bits that are set.
    pub fn count_ones(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().popcnt(a.0))
    }

    /// The number of zeros behind the lowest bit that is set; 64 if none is.
    pub fn trailing_zeros(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().ctz(a.0))
    }

    /// The number of zeros before the highest bit that is set; 64 if none is.
    pub fn leading_zeros(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().clz(a.0))
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

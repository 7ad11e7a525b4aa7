//! Conversions and relations of floats, and operations on sixteen bytes at once.

use super::{Bit, Builder, Float, Index, Int, Lanes, Value};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64, I8, I8X16, I32, I64, I64X2};
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlags};

/// Floats.
impl<'f> Builder<'f> {
    /// The float that has these bits.
    pub fn float_of_bits(&mut self, bits: Int<'f>) -> Float<'f> {
        Value::new(self.b.ins().bitcast(F64, MemFlags::new(), bits.0))
    }

    /// The bits of a float.
    pub fn bits_of_float(&mut self, value: Float<'f>) -> Int<'f> {
        Value::new(self.b.ins().bitcast(I64, MemFlags::new(), value.0))
    }

    /// The float that is nearest to an integer.
    pub fn float_of_int(&mut self, value: Int<'f>) -> Float<'f> {
        Value::new(self.b.ins().fcvt_from_sint(F64, value.0))
    }

    /// A float rounded towards zero; the nearest integer of 64 bits, if it is beyond, and 0 if it is no number.
    pub fn int_of_float(&mut self, value: Float<'f>) -> Int<'f> {
        Value::new(self.b.ins().fcvt_to_sint_sat(I64, value.0))
    }

    /// Whether a float is less than another.
    pub fn float_less(&mut self, a: Float<'f>, b: Float<'f>) -> Bit<'f> {
        Value::new(self.b.ins().fcmp(FloatCC::LessThan, a.0, b.0))
    }

    /// Whether two floats are equal; zeros are, whatever their signs.
    pub fn float_equal(&mut self, a: Float<'f>, b: Float<'f>) -> Bit<'f> {
        Value::new(self.b.ins().fcmp(FloatCC::Equal, a.0, b.0))
    }
}

/// Operations on sixteen bytes.
impl<'f> Builder<'f> {
    /// The same byte sixteen times.
    pub fn lanes(&mut self, byte: u8) -> Lanes<'f> {
        let byte = self.b.ins().iconst(I8, i64::from(byte));
        Value::new(self.b.ins().splat(I8X16, byte))
    }

    /// The bytes of two integers, the lowest first.
    pub fn lanes_of(&mut self, low: Int<'f>, high: Int<'f>) -> Lanes<'f> {
        let both = self.b.ins().scalar_to_vector(I64X2, low.0);
        let both = self.b.ins().insertlane(both, high.0, 1);
        let flags = MemFlags::new().with_endianness(Endianness::Little);
        Value::new(self.b.ins().bitcast(I8X16, flags, both))
    }

    /// With another byte in one place of sixteen.
    ///
    /// # Panics
    /// There is no such place.
    pub fn with_lane(&mut self, lanes: Lanes<'f>, at: usize, byte: Index<'f>) -> Lanes<'f> {
        assert!(at < 16, "there are sixteen");
        let byte = self.b.ins().ireduce(I8, byte.0);
        Value::new(self.b.ins().insertlane(lanes.0, byte, at as u8))
    }

    /// Which bytes are the same, as bits, the first the lowest.
    pub fn equal_lanes(&mut self, a: Lanes<'f>, b: Lanes<'f>) -> Int<'f> {
        let equal = self.b.ins().icmp(IntCC::Equal, a.0, b.0);
        let bits = self.b.ins().vhigh_bits(I32, equal);
        Value::new(self.b.ins().uextend(I64, bits))
    }
}

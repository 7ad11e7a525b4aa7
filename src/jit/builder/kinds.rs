//! The types of values, and how integers compare.

use super::Brand;
use cranelift_codegen::ir;
use cranelift_codegen::ir::condcodes::IntCC;
use std::marker::PhantomData;

/// A value of some type, which is computed once.
#[derive(Debug)]
pub struct Value<'f, T>(pub(super) ir::Value, PhantomData<T>, Brand<'f>);

impl<T> Clone for Value<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Value<'_, T> {}

impl<T> Value<'_, T> {
    pub(super) fn new(value: ir::Value) -> Self {
        Value(value, PhantomData, PhantomData)
    }
}

/// The types of values.
mod marks {
    #[derive(Debug)]
    pub struct Index;
    #[derive(Debug)]
    pub struct Lanes;
}

/// An integer of 64 bits, with a sign; operations wrap around.
pub type Int<'f> = Value<'f, i64>;
/// A byte, as it lies in the input.
pub type Byte<'f> = Value<'f, i8>;
/// Yes or no.
pub type Bit<'f> = Value<'f, bool>;
/// An integer of 64 bits that is less than 256.
pub type Index<'f> = Value<'f, marks::Index>;
/// A float of 64 bits.
pub type Float<'f> = Value<'f, f64>;
/// Sixteen bytes.
pub type Lanes<'f> = Value<'f, marks::Lanes>;

/// Types whose values are compared, chosen from and joined bit by bit.
pub trait Bits: sealed::Sealed {}
impl Bits for i64 {}
impl Bits for i8 {}
impl Bits for bool {}

/// Types of the entries of tables, which are looked up as integers of 64 bits.
pub trait Entry: sealed::Entry {}
impl Entry for i64 {}
impl Entry for i32 {}
impl Entry for u32 {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i64 {}
    impl Sealed for i8 {}
    impl Sealed for bool {}

    pub trait Entry {
        /// The binary logarithm of its bytes.
        const SHIFT: i64;
        /// It is less than zero with its first bit.
        const SIGNED: bool;
    }
    impl Entry for i64 {
        const SHIFT: i64 = 3;
        const SIGNED: bool = true;
    }
    impl Entry for i32 {
        const SHIFT: i64 = 2;
        const SIGNED: bool = true;
    }
    impl Entry for u32 {
        const SHIFT: i64 = 2;
        const SIGNED: bool = false;
    }
}

/// A relation of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// The same bits.
    Equal,
    /// Other bits.
    NotEqual,
    /// Less, with signs.
    Less,
    /// Less or equal, with signs.
    LessEqual,
    /// Greater or equal, with signs.
    GreaterEqual,
    /// Less, without signs.
    Below,
    /// Greater or equal, without signs.
    NotBelow,
}

impl From<Compare> for IntCC {
    fn from(compare: Compare) -> IntCC {
        match compare {
            Compare::Equal => IntCC::Equal,
            Compare::NotEqual => IntCC::NotEqual,
            Compare::Less => IntCC::SignedLessThan,
            Compare::LessEqual => IntCC::SignedLessThanOrEqual,
            Compare::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
            Compare::Below => IntCC::UnsignedLessThan,
            Compare::NotBelow => IntCC::UnsignedGreaterThanOrEqual,
        }
    }
}

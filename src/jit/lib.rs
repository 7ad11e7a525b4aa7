//! Machine code from functions that are put together at run time: Cranelift behind an interface
//! through which no wild access can be expressed.
//!
//! A function reads an *input*, bytes of which the caller of the function has as many as it
//! reads; looks numbers up in *tables*, which live as long as the function; and writes an *exit*,
//! words of which the caller has room for as many as it can write. It calls nothing, and its only
//! loops go through the bits of a word. [`compile`] makes one; what it is given builds it with a [`Builder`], block by block.
//!
//! ```
//! # #[cfg(feature = "native")] {
//! use std::sync::Arc;
//! use zug_jit::{Compare, Effort, compile};
//!
//! // The square of the first byte, or 1 if it is less than 3.
//! let squares: Arc<[i64; 256]> = Arc::new(std::array::from_fn(|i| (i * i) as i64));
//! let function = compile(squares, false, Effort::Full, |b, squares: &[i64; 256]| {
//!     let byte = b.input_byte(0);
//!     let byte = b.widened(byte);
//!     let (small, large) = (b.block(), b.block());
//!     let value = b.int_of(byte);
//!     let less = b.compare_with(Compare::Less, value, 3);
//!     b.branch(less, small, large);
//!     b.enter(small);
//!     b.leave(1);
//!     b.enter(large);
//!     let square = b.look_up(squares, byte);
//!     b.answer(square);
//!     b.leave(0);
//! });
//! if let Some(function) = function {
//!     let mut exit = [0; 2];
//!     assert_eq!(function.call(&[12u8], &mut exit), 0);
//!     assert_eq!(exit[1], 144);
//!     assert_eq!(function.call(&[2u8], &mut exit), 1);
//! }
//! # }
//! ```
//!
//! # The exit
//!
//! Two words, then what is put down. The first is the address behind what was put down last ([`end`] makes it a number
//! of words), if the function puts anything down; the second is what it is [given](Builder::given) and
//! [answers](Builder::answer).
//!
//! # Soundness
//!
//! All that is `unsafe` is in `function`. It relies on what the builder sees to:
//!
//! - The input is read at constant places; the builder keeps the greatest, and [`Function::call`] asserts that the
//!   input has them.
//! - Tables are read at an [`Index`], which is less than 256. They are borrowed for the builder's lifetime, so they
//!   belong to what was given to [`compile`], which the function holds, or live for ever.
//! - Words are put down behind a cursor that moves by constants. The builder asserts that no block is left for one that
//!   was entered before, but for the next place of a [loop](Builder::each_bit), which has a body of its own for each
//!   place: each body runs once at most. So the greatest place of the cursor is known when a block is entered, and
//!   [`Function::call`] asserts that there is room.
//! - A value has its type in Rust's, and the lifetime of its builder, so it can't get into the function of another.
//!   Cranelift refuses, by a panic, a value that was not computed on all ways to where it is used; in debug builds its
//!   verifier looks at every function.
//!
//! # Errors
//!
//! [`compile`] gives nothing where the processor is not known or the compiler has met a bound of its own. A builder that
//! is used against its rules panics. Division traps where it has no value.

#![cfg(feature = "native")]

mod assembly;
mod builder;
mod function;
#[cfg(test)]
mod tests;

pub use assembly::{Assembly, Build, outer_convention};
pub use builder::{
    Bit, Bits, Block, Builder, Byte, Compare, Entry, Float, Index, Int, Kept, Lanes, Loop, Value,
};
pub use function::{Effort, Function, Plain, compile};
/// The parts of Cranelift that an [`Assembly`] is built with.
pub use {cranelift_codegen as codegen, cranelift_frontend as frontend};

/// Words of an exit before what is put down.
pub const HEAD: usize = 2;

/// How many words of an exit are written, after a function that puts down.
#[inline(always)]
pub fn end(exit: &[i64]) -> usize {
    (exit[0] as usize).wrapping_sub(exit.as_ptr() as usize) / 8
}

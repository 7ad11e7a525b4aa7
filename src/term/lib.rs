//! Terms as tagged 64-bit words, shared by the reader, the printer, the
//! compiler and the machine.
//!
//! A term is a [`Cell`] together with the [`Heap`] its addresses point into. The
//! machine's global stack is a `Heap`; so are the scratch buffer the reader
//! builds a clause in and the image a [`Record`] keeps. Copying between them is
//! [`copy`].
//!
//! ```text
//!  63                                              3 2  0
//! |  address of a cell                              | 000|  Ref     a variable: unbound when it points at itself
//! |  address of head; tail follows                  | 001|  List    '.'(Head, Tail)
//! |  address of a functor header; arguments follow  | 010|  Struct
//! |  atom number                                    | 011|  Atom
//! |  address of itself; attributes follow           | 100|  Attributed  a variable with attributes
//! |  address of a boxed header; payload follows     | 101|  Boxed   float, big integer, string
//! |  signed integer, 61 bits                        | 110|  Int
//! |  name (32 bits)         | arity (27 bits)   |k k| 111|  Header  never the value of a variable
//! ```
//!
//! Kinds `kk` of header: 0 functor, 1 float (one word of payload), 2 big integer
//! (bit 5: negative; high half: number of limbs, least significant first; bit 6: a rational number, whose
//! first word is the number of limbs of the numerator),
//! 3 string (bits 5..: length in bytes; payload: the bytes, zero padded).
//!
//! An attributed variable is two cells: itself, and its attributes, `att(Module, Value, More)` or
//! `[]`. Copies have plain variables in their place, but those of [`copy_attributed`].
//!
//! Invariants: a compound `'.'/2` is always a `List`, never a `Struct`; an
//! integer that fits an `Int` is never boxed; a `Header` is only ever read by
//! its address. Nothing here knows operators, clauses or execution.

mod cell;
mod compare;
mod copy;
pub mod diagnostic;
mod heap;
pub mod numeral;
mod rational;
mod record;
pub mod source;
pub mod spelling;
mod step_check;
pub mod symbol;
pub mod varint;
pub mod watchdog;

pub use cell::{Cell, HeaderKind, MAX_ARITY, MAX_INT, MIN_INT, Tag};
pub use compare::{
    compare, compare_at, float_to_integer, float_to_rational, is_variant, is_variant_at,
    structural_eq,
};
pub use copy::{
    are_acyclic_at, attributed_variables, copy, copy_attributed, is_acyclic, is_ground,
    is_ground_at, size, size_at, variables, variables_at,
};
pub use heap::{Heap, ListItems, Value};
pub use rational::{Rational, rational_of};
pub use record::Record;
pub use step_check::{NoCheck, PeriodicCheck, StepCheck};

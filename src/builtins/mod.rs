//! Built-in predicates written in Rust, grouped as the standard groups them.
//!
//! A built-in is deterministic: it gets its dereferenced arguments and says true,
//! false or a fault. It never calls back into the machine; predicates that call
//! goals or have several answers are written in the rule language
//! (`src/library`), over built-ins that do one step.

pub mod arith;
#[cfg(test)]
pub(crate) mod testing;

use crate::machine::{Machine, Outcome};
use crate::term::Cell;

/// A built-in predicate. Arguments are dereferenced; their number is the arity.
pub type Builtin = fn(&mut Machine, &mut World, &[Cell]) -> Outcome;

/// A row of a group's table: name, arity, function.
pub type Entry = (&'static str, usize, Builtin);

/// Every table of built-ins.
pub fn groups() -> &'static [&'static [Entry]] {
    &[arith::TABLE]
}

/// What built-ins know beyond the machine: operators, flags, streams.
#[derive(Default)]
pub struct World {}

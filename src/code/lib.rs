//! Rules specialised to the shapes of states: from clauses to programs over leaves.
//!
//! A state is a *shape*, its functor skeleton, and *leaves*: atoms, integers, or unbound. A
//! contract predicate run symbolically on a shape, with a symbol in each leaf, leaves behind
//! a program over the leaves (N. D. Jones, C. K. Gomard, P. Sestoft, *Partial
//! Evaluation and Automatic Program Generation*, 1993). The stages, in the order of their
//! modules:
//!
//! 1. the shape, found by the [codec](zug_state::Codec);
//! 2. the symbolic run, which merges ways where they meet ([`merging`]): guarded answers;
//! 3. the [`program`] of values and blocks, and its [`moves`](code);
//! 4. the [back ends](backend): an [interpreter](program::run) and, with the feature of that name,
//!    `native`.
//!
//! [`units`] and [`picked`] ask code, [`making`] makes it within a budget, and threads have it in common on a
//! [`shelf`].
//!
//! # Invariants
//!
//! - Code gives the machine's own answers, in order and number, or deoptimises.
//! - What changes anything, or depends on more than the state, is for the machine.

mod answers;
mod backend;
mod called;
mod calls;
mod code;
mod costs;
mod deopt;
mod examined;
mod filling;
mod frame;
pub mod grounding;
mod making;
mod merging;
mod mode;
mod moves;
#[cfg(feature = "native")]
mod native;
pub mod operators;
mod picked;
mod picker;
mod plain_words;
mod play;
mod play_state;
mod program;
mod reason;
mod report;
mod sharing;
mod shelf;
#[cfg(test)]
mod shelf_tests;
mod tally;
mod target;
mod units;
mod words;

pub use code::Layout;
pub use examined::{CodeFigures, Examined, ExaminedShape, Obstacle, Stage};
pub use frame::Reply;
pub use mode::Specialise;
pub use picked::Picked;
pub use picker::{NumberedMove, Numbering};
pub use play::{Course, Played, Players, Seat};
pub use shelf::Shelf;
pub use tally::{Counts, Tally};
pub use target::{Arg, Target, is_ignored};
pub use units::{Asked, Spent, Units};

#[cfg(all(any(test, feature = "compare"), feature = "native"))]
pub use native::compare::comparing;

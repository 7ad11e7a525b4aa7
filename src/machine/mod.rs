//! The abstract machine that runs compiled clauses.
pub mod arithmetic;
mod fault;
mod unify;

pub use fault::{Fault, Outcome, StopReason};
pub use unify::TrailEntry;

use crate::symbol::Symbols;
use crate::term::Heap;

/// The machine: heap, stacks, registers and the program.
pub struct Machine {
    /// The global stack: every term of a running goal.
    pub heap: Heap,
    /// Atoms.
    pub symbols: Symbols,
    /// Bindings to undo on backtracking.
    trail: Vec<TrailEntry>,
    /// Cells below this address are older than the newest choice point.
    hb: usize,
    /// Scratch of `unify`: runs of argument pairs still to do.
    unify_stack: Vec<(usize, usize, usize)>,
    /// Random numbers, clock, scratch of evaluation.
    pub arithmetic: arithmetic::Arithmetic,
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine {
    /// A machine with an empty program.
    pub fn new() -> Self {
        Machine {
            heap: Heap::new(),
            symbols: Symbols::new(),
            trail: Vec::new(),
            hb: 0,
            unify_stack: Vec::new(),
            arithmetic: arithmetic::Arithmetic::default(),
        }
    }
}

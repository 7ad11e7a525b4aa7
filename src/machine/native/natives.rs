//! The machine code of a program.

use crate::clause::PredId;
use crate::instr::Instr;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use zug_jit::Assembly;
use zug_term::Cell;

/// All machine code of a program.
#[derive(Clone, Default)]
pub(crate) struct Natives {
    /// Addresses of functions; 0 where one is still to be made.
    pub(super) functions: Vec<usize>,
    /// What each is for.
    pub(super) places: Vec<Place>,
    pub(super) plans: Vec<Arc<Plan>>,
    /// What holds the functions.
    pub(super) assemblies: Vec<Arc<Assembly>>,
    /// How often machine code has left for the loop.
    pub(super) exits: u32,
    /// How often each predicate was found running.
    pub(super) samples: FxHashMap<PredId, u32>,
    /// Predicates that were looked at.
    pub(super) seen: FxHashSet<PredId>,
    /// The stubs of places in clauses, by their addresses.
    pub(super) stubs: FxHashMap<u32, u32>,
}

impl Natives {
    /// The stub of a place in a clause; the place itself where there is none.
    pub(crate) fn stub_of(&self, origin: u32) -> u32 {
        self.stubs.get(&origin).copied().unwrap_or(origin)
    }
}

/// What a function is for.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The code address that it stands for.
    pub(super) origin: u32,
    pub(super) plan: u32,
    pub(super) function: Function,
    /// How often it was reached while there was none.
    pub(super) count: u32,
}

/// A clause of the predicate.
pub(super) struct Part {
    pub(super) start: u32,
    pub(super) code: Vec<Instr>,
    /// The stub for it, if there are others.
    pub(super) stub: u32,
    /// It decides by its head and tests.
    pub(super) decides: bool,
    /// The keys of its first arguments.
    pub(super) keys: Vec<Option<Cell>>,
    /// Tests of its arguments that come before all calls.
    pub(super) tests: Vec<Instr>,
    /// Arguments by whose key it is sure to match, as a rule: nothing is tried behind it.
    pub(super) settles: Vec<usize>,
}

/// A function to be made.
#[derive(Clone, Copy)]
pub(super) enum Function {
    /// The entry of the predicate.
    Entry,
    /// A clause that is reached by backtracking; or a place in it that is returned to, after a call or by backtracking.
    Part(usize, Option<usize>),
}

/// What is to be made of a predicate.
pub(super) struct Plan {
    pub(super) pred: PredId,
    pub(super) arity: usize,
    pub(super) parts: Vec<Part>,
    /// The stub for an address in the clauses.
    pub(super) stubs: FxHashMap<u32, u32>,
    /// The argument that tells clauses apart first.
    pub(super) by: Option<usize>,
    /// Where the stubs of some clauses stand in the tables of clauses.
    pub(super) rows: FxHashMap<Vec<usize>, u32>,
    /// Where the loop goes on in place of the entry.
    pub(super) origin: u32,
    /// The tables by which the loop selects clauses.
    pub(super) table: Option<u32>,
    /// The number of the entry's function.
    pub(super) number: u32,
}

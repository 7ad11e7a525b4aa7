//! The sandbox of built-ins: refusals of what reaches outside the session.
//!
//! The row of a built-in ([`Entry`](super::Entry)) says whether it reaches outside. In a sandbox those of
//! `Entry::outside` raise a refusal, and those of `Entry::guarded` go by [`World::files`], through which all files are
//! opened. All others touch nothing but the session. Predicates of the library are made of built-ins.
//!
//! A refusal costs nothing while it isn't used: the function behind the built-in's number
//! is another one.

use super::{World, args};
use zug_files::Access;
use zug_machine::{Fault, Machine};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// What is said in the context of each refusal.
pub const REFUSED: &str = "the rules run in a sandbox";

impl World {
    /// Has the built-ins that reach outside raise refusals, and bounds access to files; there is no way back. Without an
    /// effect if the access is free.
    pub fn enter_access(&mut self, access: Access) {
        if !access.is_sandbox() {
            return;
        }
        self.files = access;
        self.refuse_outside();
    }
}

/// The error of what is refused: about the first of the arguments, if there is one.
pub fn refusal(m: &mut Machine, action: &str, kind: &str, all: &[Cell]) -> Fault {
    let culprit = all.first().copied().unwrap_or(Cell::NIL);
    let [action, kind, message] = [action, kind, REFUSED].map(|text| args::atom_cell(m, text));
    let formal = m.heap.new_struct(atoms::PERMISSION_ERROR, &[action, kind, culprit]);
    let place = m.heap.new_var();
    let context = m.heap.new_struct(atoms::CONTEXT, &[place, message]);
    let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
    m.ball(ball)
}

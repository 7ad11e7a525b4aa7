//! The interface to the layers above the machine, and what a step of the loop leads to.

use super::{Fault, Machine, Outcome};
use zug_term::Cell;
use zug_term::symbol::Atom;

/// What the machine asks of the layers above it.
pub trait Host {
    /// Runs a built-in on its dereferenced arguments.
    fn builtin(&mut self, machine: &mut Machine, id: u16, args: &[Cell]) -> Outcome;
    /// Arity of a built-in.
    fn arity(&self, id: u16) -> usize;
    /// Name of a built-in, for errors.
    fn builtin_name(&self, id: u16) -> Atom;
    /// Compiles a clause: fills in its code.
    fn compile(&mut self, machine: &mut Machine, clause: super::ClauseId) -> Result<(), Fault>;
    /// What to do about a call of an undefined predicate: fault, or fail.
    fn undefined(&mut self, machine: &mut Machine, pred: super::PredId) -> Outcome;
    /// Asks a native module, by its number, about variables that have been bound: pairs of the attribute and
    /// the value, which may be a variable. It may bind others by [`Machine::bind_for`], and have goals called by
    /// [`Machine::call_soon`]; it must not run goals, collect garbage or touch registers.
    fn wake(&mut self, machine: &mut Machine, native: u16, bound: &[(Cell, Cell)]) -> Outcome;
    /// The goals of a native module that say what it knows about variables that have its attribute. It must not run
    /// goals or collect garbage.
    ///
    /// # Errors
    /// A limit, or what the module says.
    fn residual(
        &mut self,
        machine: &mut Machine,
        native: u16,
        variables: &[Cell],
    ) -> Result<Vec<Cell>, Fault>;
    /// Calls [`Machine::run_from`] with itself. The loop is the largest function there is: as a
    /// method of the host it is compiled once, in the host's crate, and not in each crate that asks.
    fn run(&mut self, machine: &mut Machine, start: u32) -> Outcome;
}

pub(super) enum Next {
    /// To a code address.
    Go(u32),
    /// Back.
    Fail,
}

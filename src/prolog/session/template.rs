//! Sessions that begin alike: the library is read once, and copied.
//!
//! PERF: [`Session::new`] reads the library, some milliseconds; a copy of what came of it
//! takes a small part of that, so a thousand small files cost no time worth speaking of.

use super::Session;
use crate::builtins::streams::{Incoming, Outgoing};
use crate::builtins::{Beginning, Extension};
use zug_machine::Machine;

/// What sessions begin with. Shared by threads; every session made from it is one of its own.
pub struct Template {
    machine: Machine,
    world: Beginning,
}

impl Template {
    /// Reads the library and what extensions add to it.
    pub fn new(extensions: &'static [Extension]) -> Template {
        let nowhere = || Box::new(std::io::empty());
        let session = Session::with_io(extensions, nowhere(), nowhere(), nowhere());
        session.machine.retire();
        Template { machine: session.machine, world: session.world.beginning() }
    }

    /// A new session on streams of the caller's, as [`Session::with_io`] makes it.
    pub fn session(&self, input: Incoming, output: Outgoing, error: Outgoing) -> Session {
        let mut machine = self.machine.fresh_copy();
        let world = self.world.world(&mut machine.symbols, input, output, error);
        Session { machine, world }
    }
}

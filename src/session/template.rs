//! Sessions that begin alike: the library is read once, and copied.
//!
//! PERF: [`Session::new`] reads the library, some milliseconds; a copy of what came of it
//! takes a small part of that, so a thousand small files cost no time worth speaking of.

use super::Session;
use crate::builtins::Beginning;
use crate::machine::Machine;
use std::io::{Read, Write};

/// What sessions begin with. Shared by threads; every session made from it is one of its own.
pub struct Template {
    machine: Machine,
    world: Beginning,
}

impl Default for Template {
    fn default() -> Self {
        Template::new()
    }
}

impl Template {
    /// Reads the library.
    pub fn new() -> Template {
        let nowhere = || Box::new(std::io::empty());
        let Session { machine, world } = Session::with_io(nowhere(), nowhere(), nowhere());
        machine.retire();
        Template { machine, world: world.beginning() }
    }

    /// A new session on streams of the caller's, as [`Session::with_io`] makes it.
    pub fn session(
        &self,
        input: Box<dyn Read + Send>,
        output: Box<dyn Write + Send>,
        error: Box<dyn Write + Send>,
    ) -> Session {
        let mut machine = self.machine.fresh_copy();
        let world = self.world.world(&mut machine.symbols, input, output, error);
        Session { machine, world }
    }
}

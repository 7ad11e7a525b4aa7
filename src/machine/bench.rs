//! A bench for tests: terms read from text, and shown.

#[path = "bench_text.rs"]
mod text;

use crate::{Fault, Machine};
use text::Variables;
use zug_syntax::Operators;
use zug_term::Cell;

/// A machine, and the variables of the term read last.
pub struct Bench {
    pub machine: Machine,
    operators: Operators,
    variables: Variables,
}

impl Default for Bench {
    fn default() -> Self {
        let mut machine = Machine::new();
        let operators = Operators::standard(&mut machine.symbols);
        Bench { machine, operators, variables: Vec::new() }
    }
}

impl Bench {
    /// Reads a term.
    #[track_caller]
    pub fn read(&mut self, text: &str) -> Cell {
        let (root, variables) = text::read(&mut self.machine, &self.operators, text);
        self.variables = variables;
        root
    }

    /// The term as text, with the names of variables of the term read last.
    pub fn show(&self, cell: Cell) -> String {
        text::show(&self.machine, &self.operators, &self.variables, cell)
    }

    /// The formal term of an error.
    pub fn show_fault(&mut self, fault: &Fault) -> String {
        match text::thrown(&mut self.machine, fault) {
            Ok(thrown) => self.show(thrown),
            Err(words) => words,
        }
    }
}

//! A bench for tests: terms read from text, and shown.

use crate::{Fault, Machine};
use std::sync::Arc;
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_syntax::{Operators, ReadOptions, Reader};
use zug_term::Cell;
use zug_term::source::Source;
use zug_term::symbol::atoms;

/// A machine, and the variables of the term read last.
pub struct Bench {
    pub machine: Machine,
    operators: Operators,
    variables: Vec<(Arc<str>, Cell)>,
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
        let mut reader = Reader::new(Source::new("test", &format!("{text} .")));
        let (heap, symbols) = (&mut self.machine.heap, &mut self.machine.symbols);
        let read = reader.next(heap, symbols, &self.operators, &ReadOptions::default());
        let term = read.unwrap_or_else(|fault| panic!("{text}: {fault:?}")).expect("a term");
        self.variables = term.variables;
        term.root
    }

    /// The term as text, with the names of variables of the term read last.
    pub fn show(&self, cell: Cell) -> String {
        let Machine { heap, symbols, .. } = &self.machine;
        let options = WriteOptions { variable_names: &self.variables, ..WriteOptions::writeq() };
        term_to_string(heap, symbols, &self.operators, cell, &options)
    }

    /// The formal term of an error.
    pub fn show_fault(&mut self, fault: &Fault) -> String {
        let Fault::Ball(record) = fault else { return format!("{fault:?}") };
        let ball = record.instantiate(&mut self.machine.heap);
        match self.machine.heap.match_struct::<2>(ball, atoms::ERROR) {
            Some([formal, _]) => self.show(formal),
            None => self.show(ball),
        }
    }
}

//! Terms of tests, read from text and shown as text. The tests of `zug-prolog` have this file too.

use super::{Fault, Machine};
use std::sync::Arc;
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_syntax::{Operators, ReadOptions, Reader};
use zug_term::Cell;
use zug_term::source::Source;
use zug_term::symbol::atoms;

/// Variables with their names.
pub type Variables = Vec<(Arc<str>, Cell)>;

/// Reads a term.
#[track_caller]
pub fn read(machine: &mut Machine, operators: &Operators, text: &str) -> (Cell, Variables) {
    let mut reader = Reader::new(Source::new("test", &format!("{text} .")));
    let (heap, symbols) = (&mut machine.heap, &mut machine.symbols);
    let read = reader.next(heap, symbols, operators, &ReadOptions::default());
    let term = read.unwrap_or_else(|fault| panic!("{text}: {fault:?}")).expect("a term");
    (term.root, term.variables)
}

/// A term as text, with names of variables.
pub fn show(machine: &Machine, operators: &Operators, names: &Variables, cell: Cell) -> String {
    let options = WriteOptions { variable_names: names, ..WriteOptions::writeq() };
    term_to_string(&machine.heap, &machine.symbols, operators, cell, &options)
}

/// The formal term of an error, or the ball; what is no exception as text.
pub fn thrown(machine: &mut Machine, fault: &Fault) -> Result<Cell, String> {
    let Fault::Ball(record) = fault else { return Err(format!("{fault:?}")) };
    let ball = record.instantiate(&mut machine.heap);
    let formal = machine.heap.match_struct::<2>(ball, atoms::ERROR);
    Ok(formal.map_or(ball, |[formal, _]| formal))
}

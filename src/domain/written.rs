//! Terms as text that reads back, the same for all variants of a term.

use crate::builtins::World;
use crate::machine::Machine;
use crate::syntax::{WriteOptions, term_to_string};
use crate::term::{Cell, Heap, Record};
use std::sync::Arc;

/// A term as text that reads back as a variant of it, and is the same for each of them: `_` for
/// a variable that occurs once, `X1`, `X2` for the others.
pub fn written(m: &Machine, w: &World, record: &Record) -> String {
    let (heap, root) = record.to_heap();
    written_cell(m, w, &heap, root)
}

/// The same for a term on a heap.
pub fn written_cell(m: &Machine, w: &World, heap: &Heap, root: Cell) -> String {
    let names = names(heap, root);
    let options = WriteOptions {
        quoted: true,
        variable_names: &names,
        priority: 999,
        ..WriteOptions::default()
    };
    term_to_string(heap, &m.symbols, &w.operators, root, &options)
}

fn names(heap: &Heap, root: Cell) -> Vec<(Arc<str>, Cell)> {
    let mut several = 0;
    let names = occurrences(heap, root).into_iter().map(|(variable, times)| {
        if times == 1 {
            return ("_".into(), variable);
        }
        several += 1;
        (format!("X{several}").into(), variable)
    });
    names.collect()
}

/// The variables of a term, each with how often it occurs, by first occurrence.
pub(super) fn occurrences(heap: &Heap, root: Cell) -> Vec<(Cell, usize)> {
    let mut times: Vec<(Cell, usize)> = Vec::new();
    let mut todo = vec![root];
    while let Some(cell) = todo.pop() {
        let cell = heap.deref(cell);
        if cell.is_ref() {
            match times.iter_mut().find(|(known, _)| *known == cell) {
                Some((_, times)) => *times += 1,
                None => times.push((cell, 1)),
            }
        } else if let Some((_, arity, args)) = heap.name_arity(cell) {
            todo.extend((0..arity).rev().map(|i| heap.at(args + i)));
        }
    }
    times
}

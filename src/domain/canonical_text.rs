//! Terms as text that reads back, the same for all variants of a term.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_syntax::{WriteOptions, term_to_string};
use zug_term::{Cell, Heap, Record};

/// A term as text that reads back as a variant of it, and is the same for each of them: `_` for
/// a variable that occurs once, `X1`, `X2` for the others.
pub fn canonical_text(m: &Machine, w: &World, record: &Record) -> String {
    let (heap, root) = record.to_heap();
    canonical_cell_text(m, w, &heap, root)
}

/// The same for a term on a heap.
pub fn canonical_cell_text(m: &Machine, w: &World, heap: &Heap, root: Cell) -> String {
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
    let names = occurrences(heap, root).into_iter().map(|(variable, again)| {
        if !again {
            return ("_".into(), variable);
        }
        several += 1;
        (format!("X{several}").into(), variable)
    });
    names.collect()
}

/// The variables of a term, by first occurrence, each with whether it occurs again.
///
/// A compound is entered twice at most: what occurs once in a term that occurs again is seen
/// again, and terms that share much of themselves, or are cyclic, come to an end.
pub(super) fn occurrences(heap: &Heap, root: Cell) -> Vec<(Cell, bool)> {
    let mut found: Vec<(Cell, bool)> = Vec::new();
    let mut places: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut entered: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut todo = vec![root];
    while let Some(cell) = todo.pop() {
        let cell = heap.deref(cell);
        if cell.is_var() {
            match places.entry(cell) {
                Entry::Occupied(place) => found[*place.get()].1 = true,
                Entry::Vacant(place) => {
                    place.insert(found.len());
                    found.push((cell, false));
                }
            }
        } else if let Some((_, arity, args)) = heap.name_arity(cell) {
            let times = entered.entry(cell).or_default();
            *times += 1;
            if *times <= 2 {
                todo.extend((0..arity).rev().map(|i| heap.at(args + i)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_term::Heap;
    use zug_term::symbol::Symbols;

    #[test]
    fn shared_terms_are_walked_in_linear_time() {
        let (mut heap, mut symbols) = (Heap::default(), Symbols::default());
        let heap = &mut heap;
        let f = symbols.intern("f");
        let [once, shared] = [heap.new_var(), heap.new_var()];
        let mut term = heap.new_struct(f, &[shared]);
        for _ in 0..64 {
            term = heap.new_struct(f, &[term, term]);
        }
        term = heap.new_struct(f, &[once, term]);
        assert_eq!(occurrences(heap, term), [(once, false), (shared, true)]);
    }
}

//! What variables of a model are called: the names that it gives them, with the places of those that are
//! parts of a list or a compound.

use rustc_hash::FxHashSet;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Value, watchdog};

/// Items of a list that have names of their own.
const MOST: usize = 20_000;

/// The values of a model in order: pairs of `Name` and `Value` of a list of `Name=Value`. `None` where it is no
/// such list.
pub fn pairs(heap: &Heap, list: Cell) -> Option<Vec<(Cell, Cell)>> {
    let items = heap.proper_list(list)?;
    let pair = |item| heap.match_struct::<2>(item, atoms::UNIFY).map(|[name, value]| (name, value));
    items.into_iter().map(pair).collect()
}

/// Calls `found` with the name of each variable and each integer in a term, as they occur.
pub fn leaves(heap: &Heap, name: &str, term: Cell, found: &mut impl FnMut(String, Cell)) {
    let mut todo = vec![(name.to_owned(), term)];
    let mut seen = FxHashSet::default();
    while let Some((name, term)) = todo.pop() {
        watchdog::step();
        match heap.value(term) {
            Value::Var(_) | Value::Int(_) | Value::Big(_) => found(name, heap.deref(term)),
            Value::List(_) => {
                let items: Vec<Cell> = heap.items(term).take(MOST).collect();
                for (place, item) in items.into_iter().enumerate().rev() {
                    todo.push((format!("{name}[{}]", place + 1), item));
                }
            }
            Value::Struct(_, arity, at) if seen.insert(at) => {
                for place in (0..arity).rev() {
                    todo.push((format!("{name}.{}", place + 1), heap.at(at + place)));
                }
            }
            _ => {}
        }
    }
}

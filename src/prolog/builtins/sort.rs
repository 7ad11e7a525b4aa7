//! Sorting (ISO 13211-1, 8.4.3 and 8.4.4; SWI-Prolog's `sort/4`): stable merge sorts
//! by the standard order.

use super::{Entry, OrFault, World, args};
use std::cmp::Ordering;
use zug_machine::{LimitCheck, Machine, Outcome};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, StepCheck, compare_at, watchdog};

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::pure("msort", 2, msort),
    Entry::pure("sort", 2, sort),
    Entry::pure("sort", 4, sort4),
    Entry::pure("keysort", 2, keysort),
    Entry::pure("list_to_set", 2, list_to_set),
];

/// Sorts items by a key each, stable.
///
/// # Errors
/// A limit of time, or an interrupt: keys may be long, and alike to their ends.
fn sort_by_key<T: Copy>(m: &mut Machine, keyed: &mut [(Cell, T)], descending: bool) -> OrFault<()> {
    m.walk_checked(|m, check| {
        merge_sort(keyed, |a, b| {
            let (a, b) = if descending { (b.0, a.0) } else { (a.0, b.0) };
            order(m, a, b, check)
        })
    })
}

/// Sorts stable by merging runs; ends at an error of `order`, with the items in no order.
// The standard library's sorts have to go on to their ends.
fn merge_sort<T: Copy, E>(
    items: &mut [T],
    mut order: impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<(), E> {
    /// Items of a run that are sorted by insertion.
    const RUN: usize = 8;
    for run in items.chunks_mut(RUN) {
        for end in 1..run.len() {
            let mut at = end;
            while at > 0 && order(&run[at - 1], &run[at])? == Ordering::Greater {
                run.swap(at - 1, at);
                at -= 1;
            }
        }
    }
    let (mut width, mut left) = (RUN, Vec::new());
    while width < items.len() {
        for pair in items.chunks_mut(2 * width).filter(|pair| pair.len() > width) {
            if order(&pair[width - 1], &pair[width])? == Ordering::Greater {
                merge(pair, width, &mut left, &mut order)?;
            }
        }
        width *= 2;
    }
    Ok(())
}

/// Merges two sorted runs, the second of which begins at `middle`; `left` is room for the first.
fn merge<T: Copy, E>(
    pair: &mut [T],
    middle: usize,
    left: &mut Vec<T>,
    order: &mut impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<(), E> {
    left.clear();
    left.extend_from_slice(&pair[..middle]);
    let (mut first, mut second) = (0, middle);
    for at in 0..pair.len() {
        let Some(&next) = left.get(first) else { break };
        match pair.get(second) {
            Some(&other) if order(&next, &other)? == Ordering::Greater => {
                pair[at] = other;
                second += 1;
            }
            _ => {
                pair[at] = next;
                first += 1;
            }
        }
    }
    Ok(())
}

/// The standard order, with a short cut for small integers.
#[inline]
fn order(m: &Machine, a: Cell, b: Cell, check: &mut LimitCheck<'_>) -> OrFault<Ordering> {
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => check.step().map(|()| a.cmp(&b)),
        _ => compare_at(&m.heap, &m.symbols, a, b, check),
    }
}

/// Keeps the first of each run of items whose keys are identical.
fn without_duplicates<T: Copy>(m: &mut Machine, keyed: &mut Vec<(Cell, T)>) -> OrFault<()> {
    m.walk_checked(|m, check| {
        let mut kept = 0usize;
        for at in 0..keyed.len() {
            let next = keyed[at];
            let last = kept.checked_sub(1).map(|last| keyed[last].0);
            let again = match last {
                Some(last) => order(m, last, next.0, check)? == Ordering::Equal,
                None => false,
            };
            if !again {
                keyed[kept] = next;
                kept += 1;
            }
        }
        keyed.truncate(kept);
        Ok(())
    })
}

fn unify_items(m: &mut Machine, cell: Cell, keyed: &[(Cell, Cell)]) -> Outcome {
    let items: Vec<Cell> = keyed.iter().map(|&(_, item)| item).collect();
    Ok(args::unify_list(m, cell, &items))
}

/// A list whose items are their own keys.
fn own_keys(m: &mut Machine, list: Cell) -> OrFault<Vec<(Cell, Cell)>> {
    Ok(unsorted(m, list)?.into_iter().map(|item| (item, item)).collect())
}

/// Bytes that sorting takes for each item: the item, its key beside it, half of both while runs are
/// merged, and the list of the sorted.
const SORTING: usize = 6 * size_of::<Cell>();

/// The items of a list that is to be sorted.
fn unsorted(m: &mut Machine, list: Cell) -> OrFault<Vec<Cell>> {
    let items = args::list(m, list)?;
    m.room_for(SORTING * items.len())?;
    Ok(items)
}

/// Checks what is to receive a list: a list, maybe partial.
pub(super) fn check_partial_list(m: &mut Machine, cell: Cell) -> OrFault<()> {
    let rest = list_end(&m.heap, cell).1;
    if rest.is_var() || rest == Cell::NIL { Ok(()) } else { Err(m.type_error("list", cell)) }
}

/// Number of items of a list and what stands at its end, dereferenced: `[]` for a
/// proper list, a variable for a partial one; a list cell for one that is cyclic.
pub fn list_end(heap: &Heap, list: Cell) -> (usize, Cell) {
    // Brent 1980: a second pointer waits at powers of two.
    let mut cell = heap.deref(list);
    let (mut waiting, mut limit, mut steps) = (cell, 1usize, 0usize);
    let mut length = 0;
    while cell.is_list() {
        watchdog::step();
        cell = heap.deref(heap.at(cell.addr() + 1));
        length += 1;
        steps += 1;
        if cell.is_list() && cell == waiting {
            break;
        }
        if steps == limit {
            (waiting, limit, steps) = (cell, limit * 2, 0);
        }
    }
    (length, cell)
}

fn msort(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let mut keyed = own_keys(m, a[0])?;
    sort_by_key(m, &mut keyed, false)?;
    unify_items(m, a[1], &keyed)
}

fn sort(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let mut keyed = own_keys(m, a[0])?;
    check_partial_list(m, a[1])?;
    sort_by_key(m, &mut keyed, false)?;
    without_duplicates(m, &mut keyed)?;
    unify_items(m, a[1], &keyed)
}

/// `sort(Key, Order, List, Sorted)`: Key is 0 for the whole term or the number of
/// an argument; `@<` and `@>` drop all but the first of equal keys.
fn sort4(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let path = sort_path(m, a[0])?;
    let (descending, unique) = sort_order(m, a[1])?;
    let items = unsorted(m, a[2])?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        let key = path.iter().try_fold(item, |part, &key| key_of(m, part, key))?;
        keyed.push((key, item));
    }
    sort_by_key(m, &mut keyed, descending)?;
    if unique {
        without_duplicates(m, &mut keyed)?;
    }
    unify_items(m, a[3], &keyed)
}

/// The arguments that lead to the key: one, or those of a list.
fn sort_path(m: &mut Machine, cell: Cell) -> OrFault<Vec<usize>> {
    if cell.is_list() {
        let keys = args::list(m, cell)?;
        return keys.into_iter().map(|key| sort_key(m, key)).collect();
    }
    if cell.is_struct() {
        return Err(m.type_error("sort_key", cell));
    }
    Ok(vec![sort_key(m, cell)?])
}

fn sort_key(m: &mut Machine, cell: Cell) -> OrFault<usize> {
    super::text::count(m, cell)?.ok_or_else(|| m.instantiation_error())
}

/// Whether an order is descending, and whether it drops duplicates.
fn sort_order(m: &mut Machine, cell: Cell) -> OrFault<(bool, bool)> {
    match cell.as_atom() {
        Some(atoms::TERM_LT) => Ok((false, true)),
        Some(atoms::TERM_LE) => Ok((false, false)),
        Some(atoms::TERM_GT) => Ok((true, true)),
        Some(atoms::TERM_GE) => Ok((true, false)),
        Some(_) => Err(m.domain_error("order", cell)),
        None => Err(m.type_error("atom", cell)),
    }
}

fn key_of(m: &mut Machine, item: Cell, key: usize) -> OrFault<Cell> {
    if key == 0 {
        return Ok(item);
    }
    match m.heap.name_arity(item) {
        Some((_, arity, args)) if key <= arity => Ok(m.heap.deref(m.heap.at(args + key - 1))),
        Some((_, arity, _)) if arity > 0 => {
            let argument = args::atom_cell(m, "argument");
            let formal =
                args::compound(m, "existence_error", &[argument, Cell::small(key as i64), item]);
            Err(m.error(formal))
        }
        _ => Err(m.type_error("compound", item)),
    }
}

fn keysort(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let items = unsorted(m, a[0])?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        match m.heap.match_struct::<2>(item, atoms::MINUS) {
            Some([key, _]) => keyed.push((m.heap.deref(key), item)),
            None => return Err(m.type_error("pair", item)),
        }
    }
    check_pairs(m, a[1])?;
    sort_by_key(m, &mut keyed, false)?;
    unify_items(m, a[1], &keyed)
}

/// Checks what is to receive pairs: a list, maybe partial, of variables and pairs.
fn check_pairs(m: &mut Machine, cell: Cell) -> OrFault<()> {
    check_partial_list(m, cell)?;
    let is_wrong = |item: &Cell| {
        !m.heap.deref(*item).is_var() && m.heap.match_struct::<2>(*item, atoms::MINUS).is_none()
    };
    let wrong = m.heap.items(cell).find(is_wrong);
    match wrong {
        Some(item) => Err(m.type_error("pair", item)),
        None => Ok(()),
    }
}

/// `list_to_set(List, Set)`: the first of each run of identical items, in order.
fn list_to_set(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let items = args::list(m, a[0])?;
    let mut numbered: Vec<(Cell, usize)> = items.iter().copied().zip(0..).collect();
    sort_by_key(m, &mut numbered, false)?;
    without_duplicates(m, &mut numbered)?;
    numbered.sort_by_key(|&(_, at)| at);
    let items: Vec<Cell> = numbered.into_iter().map(|(item, _)| item).collect();
    Ok(args::unify_list(m, a[1], &items))
}

#[cfg(test)]
mod tests {
    use crate::builtins::testing::Bench;
    use proptest::prelude::*;
    use std::time::Instant;
    use zug_machine::{Fault, StopReason};
    use zug_term::Cell;
    use zug_term::symbol::atoms;

    /// Two long keys that are alike to their ends take long to be compared, again and again.
    #[test]
    fn sorting_heeds_the_time() {
        let mut bench = Bench::default();
        let m = &mut bench.machine;
        let items: Vec<Cell> = (0..50_000).map(Cell::small).collect();
        let lists = [(); 2].map(|()| m.heap.list_from(&items, Cell::NIL));
        let terms: Vec<Cell> = lists.iter().cycle().take(300).copied().collect();
        let pairs: Vec<Cell> =
            terms.iter().map(|&key| m.heap.new_struct(atoms::MINUS, &[key, key])).collect();
        let [terms, pairs] = [terms, pairs].map(|items| m.heap.list_from(&items, Cell::NIL));
        let (zero, result) = (Cell::ZERO, m.heap.new_var());
        let ascending = Cell::atom(atoms::TERM_LT);
        for (name, args) in [
            ("msort", vec![terms, result]),
            ("sort", vec![terms, result]),
            ("sort", vec![zero, ascending, terms, result]),
            ("keysort", vec![pairs, result]),
            ("list_to_set", vec![terms, result]),
        ] {
            let known = |entry: &&super::Entry| (entry.name, entry.arity) == (name, args.len());
            let entry = super::TABLE.iter().find(known).expect("it is in the table");
            bench.machine.deadline = Some(Instant::now());
            let outcome = (entry.run)(&mut bench.machine, &mut bench.world, &args);
            let stopped = matches!(outcome, Err(Fault::Stopped(StopReason::Time)));
            assert!(stopped, "{name}/{}", args.len());
        }
    }

    proptest! {
        #[test]
        fn merging_sorts_as_the_standard_library(
            items in prop::collection::vec((0u8..20, any::<u16>()), 0..200),
        ) {
            let mut found = items.clone();
            super::merge_sort(&mut found, |a, b| Ok::<_, ()>(a.0.cmp(&b.0))).expect("no error");
            let mut expected = items;
            expected.sort_by_key(|item| item.0);
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn keysort_is_stable(keys in prop::collection::vec(0i64..10, 0..60)) {
            let mut bench = Bench::default();
            let heap = &mut bench.machine.heap;
            let pairs: Vec<Cell> = keys.iter().enumerate()
                .map(|(i, &key)| heap.new_struct(zug_term::symbol::atoms::MINUS, &[Cell::small(key), Cell::small(i as i64)]))
                .collect();
            let list = heap.list_from(&pairs, Cell::NIL);
            let result = heap.new_var();
            prop_assert!(super::keysort(&mut bench.machine, &mut bench.world, &[list, result]).unwrap_or(false));
            let mut expected: Vec<(i64, i64)> = keys.iter().copied().zip(0..).collect();
            expected.sort_by_key(|pair| pair.0);
            let heap = &bench.machine.heap;
            let found: Vec<(i64, i64)> = heap.items(result)
                .filter_map(|pair| heap.match_struct::<2>(pair, zug_term::symbol::atoms::MINUS))
                .map(|[key, value]| (key.int_value(), value.int_value()))
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}

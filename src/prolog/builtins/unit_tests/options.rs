//! Which options tests and units have, and what is wrong with those that are given.

use crate::builtins::args;
use zug_machine::Machine;
use zug_term::spelling::nearest;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap};

/// Options of tests that say what the test expects.
const EXPECTED: [&str; 6] = ["true", "all", "set", "bag", "fail", "throws"];
/// Forms that stand for one of them: `X == Y` for `true(X == Y)`, `error(E)` for `throws(...)`.
const COMPARISONS: [&str; 4] = ["==", "=", "=@=", "=:="];
/// Options of tests with one argument, other than those of units.
const OF_TESTS: [&str; 10] =
    ["true", "all", "set", "bag", "throws", "error", "exception", "fixme", "forall", "nondet"];
/// Options of units with one argument; tests have them too.
const OF_UNITS: &str = "blocked condition setup cleanup sto occurs_check concurrent timeout output";

/// The options in a list, or the one that stands alone, with the addresses of their cells.
pub fn elements(heap: &Heap, list: Cell, slot: usize) -> Vec<(Cell, Option<usize>)> {
    let mut list = heap.deref(list);
    if !list.is_list() && list != Cell::NIL {
        return vec![(list, Some(slot))];
    }
    let mut found = Vec::new();
    // A list that was read is as long as its text; a tail that is no list is an option too few.
    while list.is_list() {
        found.push((heap.deref(heap.at(list.addr())), Some(list.addr())));
        list = heap.deref(heap.at(list.addr() + 1));
    }
    found
}

/// What is wrong with an option of a test.
pub fn of_test(m: &Machine, heap: &Heap, option: Cell) -> Option<String> {
    let Some((name, arity, args)) = heap.name_arity(option) else {
        return Some(match option.is_var() {
            true => "an option is a variable".to_owned(),
            false => "an option is neither a name nor a term".to_owned(),
        });
    };
    let name = m.symbols.name(name);
    match (name, arity) {
        ("true" | "fail" | "nondet", 0) | ("error", 1 | 2) => None,
        (_, 2) if COMPARISONS.contains(&name) => None,
        ("all" | "set" | "bag", 1) => {
            let inner = heap.deref(heap.at(args));
            let compares = heap.name_arity(inner).is_some_and(|(op, arity, _)| {
                arity == 2 && COMPARISONS.contains(&m.symbols.name(op))
            });
            (!compares).then(|| format!("`{name}` takes a comparison, as in {name}(X == [a,b])"))
        }
        ("forall", 1) => callable(heap, name, args),
        (_, 1) if OF_TESTS.contains(&name) && name != "nondet" => None,
        _ => of_both(m, heap, option),
    }
}

/// What is wrong with an option of a unit, that a test may have as well.
fn of_both(m: &Machine, heap: &Heap, option: Cell) -> Option<String> {
    let (name, arity, args) = heap.name_arity(option)?;
    let name = m.symbols.name(name);
    match (name, arity) {
        ("condition" | "setup" | "cleanup", 1) => callable(heap, name, args),
        (_, 1) if args::is_among(OF_UNITS, name) => None,
        _ => {
            let known = OF_TESTS.into_iter().chain(OF_UNITS.split(' ')).chain(["fail"]);
            let meant = nearest(known, name).filter(|known| *known != name);
            let hint = meant.map_or(String::new(), |known| format!("; did you mean `{known}`?"));
            Some(format!("there is no option `{name}/{arity}`{hint}"))
        }
    }
}

fn callable(heap: &Heap, name: &str, args: usize) -> Option<String> {
    let goal = heap.deref(heap.at(args));
    let wrong = heap.name_arity(goal).is_none();
    wrong.then(|| format!("`{name}` takes a goal"))
}

/// What is wrong with the options of a unit.
pub fn of_unit(m: &Machine, list: Cell) -> Option<String> {
    if m.heap.proper_list(list).is_none() {
        return Some("the options of a unit are no list".to_owned());
    }
    let wrong = |(option, _): (Cell, _)| match m.heap.name_arity(option) {
        Some(_) => of_both(m, &m.heap, option),
        None => Some("an option of a unit is no term".to_owned()),
    };
    elements(&m.heap, list, 0).into_iter().find_map(wrong)
}

/// What is wrong with the options of a test as a whole.
pub fn together(m: &Machine, heap: &Heap, list: Cell) -> Option<String> {
    let list = heap.deref(list);
    let is_list = list.is_list() || list == Cell::NIL;
    if is_list && heap.proper_list(list).is_none() {
        return Some("the options end in something that is no list".to_owned());
    }
    let modes: Vec<&str> =
        elements(heap, list, 0).iter().filter_map(|(option, _)| mode(m, heap, *option)).collect();
    match modes[..] {
        [first, second, ..] => {
            Some(format!("`{first}` and `{second}` can't both be what the test expects"))
        }
        _ => None,
    }
}

/// What an option says the test expects, if it says so.
pub fn mode<'m>(m: &'m Machine, heap: &Heap, option: Cell) -> Option<&'m str> {
    let (name, arity, _) = heap.name_arity(option)?;
    let text = m.symbols.name(name);
    let known = match arity {
        0 => matches!(name, atoms::TRUE | atoms::FAIL),
        1 => EXPECTED.contains(&text) || matches!(text, "error" | "exception"),
        2 => COMPARISONS.contains(&text) || text == "error",
        _ => false,
    };
    known.then_some(text)
}

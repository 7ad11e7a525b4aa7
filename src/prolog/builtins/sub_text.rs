//! Parts of texts: `sub_atom/5`, `atom_concat/3` and their string forms.
//!
//! These predicates have many answers. A built-in here finds the answer when there
//! is only one, and otherwise says in a *plan* what the library has to try:
//!
//! - `done`: unified, no other answer;
//! - `at(Befores)`: the part is known and stands at these places;
//! - `before(N)`, `length(N)`: try 0 to N characters before the part, or in it.

use super::text::{self, Text};
use super::{Entry, OrFault, World, args};
use zug_machine::{Machine, Outcome};
use zug_term::symbol::atoms;
use zug_term::{Cell, watchdog};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::pure("$sub_text", 7, sub_text),
    Entry::pure("$concat", 5, concat),
    Entry::session("string_code", 3, string_code),
];

/// Whether a kind argument, `atom` or `string`, asks for strings.
fn is_string(kind: Cell) -> bool {
    kind.as_atom() == Some(atoms::STRING)
}

fn kind_name(string: bool) -> &'static str {
    if string { "string" } else { "atom" }
}

/// What is known of a part: characters before it, in it, after it.
#[derive(Clone, Copy)]
struct PartBounds {
    before: Option<usize>,
    length: Option<usize>,
    after: Option<usize>,
}

/// `$sub_text(Kind, Text, Before, Length, After, Part, Plan)`.
fn sub_text(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let string = is_string(a[0]);
    let whole = text::required(m, a[1], kind_name(string))?;
    let part = if a[5].is_var() { None } else { Some(text::required(m, a[5], kind_name(string))?) };
    let bounds = PartBounds {
        before: text::count(m, a[2])?,
        length: text::count(m, a[3])?,
        after: text::count(m, a[4])?,
    };
    match part {
        Some(part) => known_part(m, a, &whole, &part, bounds),
        None => unknown_part(m, a, &whole, bounds),
    }
}

fn plan(m: &mut Machine, a: &[Cell], name: &str, bound: usize) -> Outcome {
    let bound = Cell::small(bound as i64);
    let plan = args::compound(m, name, &[bound]);
    Ok(m.unify(a[6], plan))
}

/// Unifies the three numbers and says that this is the only answer.
fn place_at(m: &mut Machine, a: &[Cell], before: usize, length: usize, after: usize) -> bool {
    let done = args::atom_cell(m, "done");
    [before, length, after]
        .iter()
        .zip(&a[2..5])
        .all(|(&value, &cell)| m.unify(cell, Cell::small(value as i64)))
        && m.unify(a[6], done)
}

fn known_part(m: &mut Machine, a: &[Cell], whole: &str, part: &str, bounds: PartBounds) -> Outcome {
    let (total, length) = (text::length(whole), text::length(part));
    if length > total || bounds.length.is_some_and(|known| known != length) {
        return Ok(false);
    }
    let before =
        bounds.before.or(bounds.after.and_then(|after| (total - length).checked_sub(after)));
    if bounds.before.is_some() || bounds.after.is_some() {
        let Some(before) = before.filter(|&before| before <= total - length) else {
            return Ok(false);
        };
        let found = text::offset(whole, before).is_some_and(|at| whole[at..].starts_with(part));
        return Ok(found && place_at(m, a, before, length, total - length - before));
    }
    let places = occurrences(whole, part);
    match places[..] {
        [] => Ok(false),
        [before] => Ok(place_at(m, a, before, length, total - length - before)),
        _ => {
            let places: Vec<Cell> =
                places.into_iter().map(|before| Cell::small(before as i64)).collect();
            let places = m.heap.list_from(&places, Cell::NIL);
            let plan = args::compound(m, "at", &[places]);
            Ok(m.unify(a[6], plan))
        }
    }
}

/// Where a part stands in a text, in characters; places may overlap.
fn occurrences(whole: &str, part: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let (mut from, mut position) = (0, 0);
    while let Some(found) = whole[from..].find(part) {
        watchdog::steps(found + part.len());
        position += text::length(&whole[from..from + found]);
        places.push(position);
        from += found;
        match whole[from..].chars().next() {
            Some(c) => from += c.len_utf8(),
            None => break,
        }
        position += 1;
    }
    places
}

fn unknown_part(m: &mut Machine, a: &[Cell], whole: &str, bounds: PartBounds) -> Outcome {
    let total = text::length(whole);
    let rest = |known: usize| total.checked_sub(known);
    let rest2 = |x: usize, y: usize| rest(x).and_then(|rest| rest.checked_sub(y));
    let (before, length, after) = match (bounds.before, bounds.length, bounds.after) {
        (Some(before), Some(length), _) => (Some(before), Some(length), rest2(before, length)),
        (Some(before), None, Some(after)) => (Some(before), rest2(before, after), Some(after)),
        (None, Some(length), Some(after)) => (rest2(length, after), Some(length), Some(after)),
        (Some(before), None, None) => match rest(before) {
            Some(most) => return plan(m, a, "length", most),
            None => return Ok(false),
        },
        (None, Some(known), None) | (None, None, Some(known)) => match rest(known) {
            Some(most) => return plan(m, a, "before", most),
            None => return Ok(false),
        },
        (None, None, None) => return plan(m, a, "before", total),
    };
    let (Some(before), Some(length), Some(after)) = (before, length, after) else {
        return Ok(false);
    };
    let Some(start) = text::offset(whole, before) else { return Ok(false) };
    let Some(part) = text::offset(&whole[start..], length).map(|end| &whole[start..start + end])
    else {
        return Ok(false);
    };
    let part = text::make(m, part, is_string(a[0]));
    Ok(m.unify(a[5], part) && place_at(m, a, before, length, after))
}

/// The text of an argument of a concatenation, `None` for a variable.
fn operand(m: &mut Machine, cell: Cell) -> OrFault<Option<Text>> {
    if cell.is_var() {
        return Ok(None);
    }
    let expected = if m.is_iso() { "atom" } else { "atomic" };
    text::required(m, cell, expected).map(Some)
}

/// `$concat(Kind, A, B, C, Plan)`: C is A followed by B; `before(N)` when A and B
/// are unbound and C has N characters.
fn concat(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let string = is_string(a[0]);
    if a[3].is_var() && (a[1].is_var() || a[2].is_var()) {
        return Err(m.instantiation_error());
    }
    let (first, second, whole) = (operand(m, a[1])?, operand(m, a[2])?, operand(m, a[3])?);
    let found = match (first, second, whole) {
        (Some(first), Some(second), _) => {
            m.room_for(first.len() + second.len())?;
            let joined = format!("{}{}", &*first, &*second);
            text::unify_text(m, a[3], &joined, string)
        }
        (Some(first), None, Some(whole)) => match whole.strip_prefix(&*first) {
            Some(rest) => text::unify_text(m, a[2], rest, string),
            None => false,
        },
        (None, Some(second), Some(whole)) => match whole.strip_suffix(&*second) {
            Some(rest) => text::unify_text(m, a[1], rest, string),
            None => false,
        },
        (_, _, whole) => {
            let most = whole.map_or(0, |whole| text::length(&whole));
            let plan = args::compound(m, "before", &[Cell::small(most as i64)]);
            return Ok(m.unify(a[4], plan));
        }
    };
    let done = args::atom_cell(m, "done");
    Ok(found && m.unify(a[4], done))
}

/// `string_code(Index, Text, Code)`: characters count from 1.
fn string_code(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let text = text::any(m, a[1], "string")?;
    let Some(index) = text::count(m, a[0])? else { return Err(m.instantiation_error()) };
    let Some(index) = index.checked_sub(1) else { return Ok(false) };
    let found = text::offset(&text, index).and_then(|at| text[at..].chars().next());
    Ok(found.is_some_and(|c| m.unify(a[2], Cell::small(i64::from(u32::from(c))))))
}

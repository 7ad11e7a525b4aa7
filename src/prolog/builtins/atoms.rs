//! Atoms and their text (ISO 13211-1, 8.16), and SWI-Prolog's conversions.
//!
//! Where the standard wants an atom, a number or a string will do, as in
//! SWI-Prolog.

use super::text::{self, Items};
use super::{Entry, OrFault, World, args};
use zug_machine::{Machine, Outcome};
use zug_syntax::parse_number;
use zug_term::{Cell, Value};

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::pure("atom_length", 2, atom_length),
    Entry::pure("atom_chars", 2, |m, _, a| atom_list(m, a, Items::Chars)),
    Entry::pure("atom_codes", 2, |m, _, a| atom_list(m, a, Items::Codes)),
    Entry::pure("char_code", 2, char_code),
    Entry::pure("number_chars", 2, |m, _, a| number_list(m, a, Items::OnlyChars)),
    Entry::pure("number_codes", 2, |m, _, a| number_list(m, a, Items::OnlyCodes)),
    Entry::pure("atom_number", 2, atom_number),
    Entry::pure("name", 2, name),
    Entry::pure("upcase_atom", 2, |m, _, a| atom_case(m, a, true)),
    Entry::pure("downcase_atom", 2, |m, _, a| atom_case(m, a, false)),
    Entry::pure("atom_string", 2, atom_string),
    Entry::pure("atomic_list_concat", 2, atomic_list_concat),
    Entry::pure("atomic_list_concat", 3, atomic_list_concat_separated),
    Entry::pure("atomics_to_string", 2, atomics_to_string),
    Entry::pure("term_hash", 2, term_hash),
];

/// Checks what is to receive a length.
pub(super) fn check_length(m: &mut Machine, cell: Cell) -> OrFault<()> {
    text::count(m, cell).map(|_| ())
}

fn atom_length(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let text = text::required(m, a[0], "atom")?;
    check_length(m, a[1])?;
    Ok(args::unify_int(m, a[1], text::length(&text) as i64))
}

/// `atom_chars/2`, `atom_codes/2`.
fn atom_list(m: &mut Machine, a: &[Cell], items: Items) -> Outcome {
    let items = if m.is_iso() { items.strict() } else { items };
    if a[0].is_var() {
        let text = text::from_list(m, a[1], items)?;
        return Ok(args::unify_atom(m, a[0], &text));
    }
    let text = text::required(m, a[0], "atom")?;
    text::check_list(m, a[1], items)?;
    Ok(text::unify_list(m, a[1], &text, items))
}

fn char_code(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let known = a[0].as_atom().and_then(|atom| args::only_char(m.symbols.name(atom)));
    if known.is_none() && !a[0].is_var() {
        return Err(m.type_error("character", a[0]));
    }
    let code = match m.number_of(a[1]) {
        _ if a[1].is_var() => None,
        Some(number) if number.is_integer() => {
            let code = a[1].as_int().and_then(args::char_of);
            Some(code.ok_or_else(|| m.representation_error("character_code"))?)
        }
        _ => return Err(m.type_error("integer", a[1])),
    };
    match (known, code) {
        (Some(c), _) => Ok(m.unify(a[1], Cell::small(i64::from(u32::from(c))))),
        (None, Some(c)) => Ok(args::unify_atom(m, a[0], c.encode_utf8(&mut [0; 4]))),
        (None, None) => Err(m.instantiation_error()),
    }
}

/// `number_chars/2`, `number_codes/2`: the list decides when it is complete. What its first item is decides whether
/// it is read as codes or characters, but by the standard.
fn number_list(m: &mut Machine, a: &[Cell], items: Items) -> Outcome {
    let first = m.heap.items(a[1]).next().filter(|_| !m.is_iso());
    let items = match first.map(|first| m.heap.value(first)) {
        Some(Value::Int(_)) => Items::OnlyCodes,
        Some(Value::Atom(_)) => Items::OnlyChars,
        _ => items,
    };
    let number = m.number_of(a[0]);
    if number.is_none() && !a[0].is_var() {
        return Err(m.type_error("number", a[0]));
    }
    if number.is_some() && !text::is_complete(m, a[1]) {
        text::check_list(m, a[1], items)?;
        let text = text::required(m, a[0], "number")?;
        return Ok(text::unify_list(m, a[1], &text, items));
    }
    let text = text::from_list(m, a[1], items)?;
    let value = parse_number(&mut m.heap, &text).map_err(|_| m.syntax_error("illegal_number"))?;
    Ok(m.unify(a[0], value))
}

/// `atom_number(A, N)`: fails when A spells no number.
fn atom_number(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    match m.heap.value(a[0]) {
        Value::Var(_) if a[1].is_var() => Err(m.instantiation_error()),
        Value::Var(_) if m.number_of(a[1]).is_none() => Err(m.type_error("number", a[1])),
        Value::Var(_) => {
            let text = text::required(m, a[1], "number")?;
            Ok(args::unify_atom(m, a[0], &text))
        }
        Value::Atom(_) | Value::Str(_) => {
            let text = text::required(m, a[0], "atom")?;
            Ok(text::number(m, &text).is_some_and(|number| m.unify(a[1], number)))
        }
        _ => Err(m.type_error("atom", a[0])),
    }
}

/// `name(A, Codes)`: a number where the codes spell one, else an atom.
fn name(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_var() {
        let text = text::from_list(m, a[1], Items::Codes)?;
        let value = match text::number(m, &text) {
            Some(number) => number,
            None => args::atom_cell(m, &text),
        };
        return Ok(m.unify(a[0], value));
    }
    let text = text::required(m, a[0], "atomic")?;
    text::check_list(m, a[1], Items::Codes)?;
    Ok(text::unify_list(m, a[1], &text, Items::Codes))
}

fn atom_case(m: &mut Machine, a: &[Cell], upper: bool) -> Outcome {
    let text = text::required(m, a[0], "atomic")?;
    let mapped = text::map_case(&text, upper);
    Ok(text::unify_text(m, a[1], &mapped, false))
}

/// `atom_string(A, S)`: the same text, as an atom and as a string.
fn atom_string(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_var() {
        let text = text::any(m, a[1], "string")?;
        return Ok(args::unify_atom(m, a[0], &text));
    }
    let text = text::any(m, a[0], "atom")?;
    Ok(text::unify_text(m, a[1], &text, true))
}

/// The parts of a list joined, or `None` when some part or the end is unbound.
fn join(m: &mut Machine, list: Cell, separator: &str) -> OrFault<Option<String>> {
    let mut walk = m.heap.items(list);
    let limit = m.heap.top() + 1;
    let items: Vec<Cell> = walk.by_ref().take(limit).collect();
    let rest = m.heap.deref(walk.rest);
    if !rest.is_var() && rest != Cell::NIL {
        return Err(m.type_error("list", list));
    }
    let mut joined = String::new();
    let mut complete = rest == Cell::NIL;
    for (i, item) in items.into_iter().enumerate() {
        let item = m.heap.deref(item);
        if item.is_var() {
            complete = false;
            continue;
        }
        if i > 0 {
            joined.push_str(separator);
        }
        let part = text::required(m, item, "atomic")?;
        if joined.len() + part.len() > joined.capacity() {
            m.room_for(2 * (joined.len() + part.len()))?;
            m.keep_going()?;
        }
        joined.push_str(&part);
    }
    Ok(complete.then_some(joined))
}

fn atomic_list_concat(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    match join(m, a[0], "")? {
        Some(text) => Ok(args::unify_atom(m, a[1], &text)),
        None => Err(m.instantiation_error()),
    }
}

/// `atomic_list_concat(Parts, Separator, Atom)`: joins, or splits at a separator
/// that isn't empty.
fn atomic_list_concat_separated(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let separator = text::required(m, a[1], "atomic")?;
    if let Some(text) = join(m, a[0], &separator)? {
        return Ok(args::unify_atom(m, a[2], &text));
    }
    args::bound(m, a[2])?;
    if separator.is_empty() {
        return Err(m.domain_error("non_empty_atom", a[1]));
    }
    let whole = text::required(m, a[2], "atomic")?;
    m.room_for(whole.len())?;
    let parts: Vec<Cell> = whole.split(&*separator).map(|part| args::atom_cell(m, part)).collect();
    Ok(args::unify_list(m, a[0], &parts))
}

fn atomics_to_string(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    match join(m, a[0], "")? {
        Some(text) => Ok(text::unify_text(m, a[1], &text, true)),
        None => Err(m.instantiation_error()),
    }
}

/// `term_hash(T, H)`: the same for variants that are ground; H stays unbound else.
fn term_hash(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    use std::hash::{Hash, Hasher};
    if !zug_term::is_ground(&m.heap, a[0]) {
        return Ok(true);
    }
    let record = zug_term::Record::new(&mut m.heap, a[0]);
    let mut hasher = rustc_hash::FxHasher::default();
    record.hash(&mut hasher);
    let hash = Cell::small((hasher.finish() >> 40) as i64);
    Ok(m.unify(a[1], hash))
}

//! Text in terms: atoms, strings, numbers, lists of codes or characters, and what
//! predicates on text ask of their arguments.

use super::{OrFault, args};
use std::sync::Arc;
use zug_machine::{Fault, Machine};
use zug_syntax::parse_number;
use zug_syntax::printer::format_float;
use zug_term::{Cell, Value, watchdog};

/// The text of a term: an atom's is shared, not copied.
pub(super) enum Text {
    /// The name of an atom.
    Name(Arc<str>),
    /// Text made for the occasion.
    Made(String),
}

impl std::ops::Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Text::Name(name) => name,
            Text::Made(text) => text,
        }
    }
}

/// What a list of text is made of, and how strictly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Items {
    /// Characters; codes pass too.
    Chars,
    /// Codes; characters pass too.
    Codes,
    /// Characters only.
    OnlyChars,
    OnlyCodes,
}

impl Items {
    /// The same as the standard has it: nothing else passes.
    pub(super) fn strict(self) -> Items {
        match self {
            Items::Chars | Items::OnlyChars => Items::OnlyChars,
            Items::Codes | Items::OnlyCodes => Items::OnlyCodes,
        }
    }
}

/// The text of an atom, string or number.
pub(super) fn atomic(m: &Machine, cell: Cell) -> Option<Text> {
    Some(match m.heap.value(cell) {
        Value::Atom(atom) => Text::Name(m.symbols.shared(atom)),
        Value::Str(text) => Text::Made(text.to_owned()),
        Value::Int(value) => Text::Made(value.to_string()),
        Value::Big(value) => Text::Made(value.to_string()),
        Value::Float(value) => Text::Made(format_float(value)),
        Value::Rational(value) => Text::Made(format!("{}r{}", value.numer(), value.denom())),
        _ => return None,
    })
}

/// As [`atomic`]; an unbound variable is an instantiation error, anything else a
/// type error.
pub(super) fn required(m: &mut Machine, cell: Cell, expected: &str) -> OrFault<Text> {
    if let Value::Big(value) = m.heap.value(cell) {
        return m.integer_text(&value, 10).map(Text::Made);
    }
    if m.is_iso() && expected == "atom" && !cell.is_var() && !m.heap.deref(cell).is_atom() {
        return Err(m.type_error(expected, cell));
    }
    match atomic(m, cell) {
        Some(text) => {
            m.worked(text.len() / size_of::<Cell>());
            Ok(text)
        }
        None => Err(m.type_error(expected, cell)),
    }
}

/// As [`required`], with lists of codes and characters; `[]` is the empty text.
pub(super) fn any(m: &mut Machine, cell: Cell, expected: &str) -> OrFault<Text> {
    if cell.is_list() || cell == Cell::NIL {
        return from_list(m, cell, Items::Chars).map(Text::Made);
    }
    required(m, cell, expected)
}

/// The character an item of a text list stands for.
fn item_char(m: &Machine, item: Cell, items: Items) -> Option<char> {
    match m.heap.value(item) {
        Value::Int(code) if items != Items::OnlyChars => args::char_of(code),
        Value::Atom(atom) if items != Items::OnlyCodes => args::only_char(m.symbols.name(atom)),
        _ => None,
    }
}

fn item_error(m: &mut Machine, item: Cell, items: Items) -> Fault {
    if m.heap.deref(item).is_var() {
        return m.instantiation_error();
    }
    match items {
        Items::Chars | Items::OnlyChars => m.type_error("character", item),
        Items::Codes | Items::OnlyCodes => m.representation_error("character_code"),
    }
}

/// The text of a list of codes or characters, or of a string.
pub(super) fn from_list(m: &mut Machine, cell: Cell, items: Items) -> OrFault<String> {
    if let Value::Str(text) = m.heap.value(cell) {
        return Ok(text.to_owned());
    }
    let mut walk = m.heap.items(cell);
    let limit = m.heap.top() + 1;
    let list: Vec<Cell> = walk.by_ref().take(limit).collect();
    let rest = m.heap.deref(walk.rest);
    let mut text = String::with_capacity(list.len());
    let mut complete = !rest.is_var();
    // What is wrong with an element comes before what is wrong with the list.
    for item in list {
        match item_char(m, item, items) {
            Some(c) => text.push(c),
            None if m.heap.deref(item).is_var() => complete = false,
            None => return Err(item_error(m, item, items)),
        }
    }
    if !complete {
        return Err(m.instantiation_error());
    }
    if rest == Cell::NIL { Ok(text) } else { Err(m.type_error("list", cell)) }
}

/// Checks what is to receive a list of text: a variable, a string, or a list, maybe
/// partial, of variables and text items.
pub(super) fn check_list(m: &mut Machine, cell: Cell, items: Items) -> OrFault<()> {
    if matches!(m.heap.value(cell), Value::Str(_)) {
        return Ok(());
    }
    let mut walk = m.heap.items(cell);
    let limit = m.heap.top() + 1;
    let wrong = walk
        .by_ref()
        .take(limit)
        .find(|&item| !m.heap.deref(item).is_var() && item_char(m, item, items).is_none());
    let rest = m.heap.deref(walk.rest);
    match wrong {
        Some(item) => Err(item_error(m, item, items)),
        None if rest.is_var() || rest == Cell::NIL => Ok(()),
        None => Err(m.type_error("list", cell)),
    }
}

/// Whether a list of text, or string, has no unbound part.
pub(super) fn is_complete(m: &Machine, cell: Cell) -> bool {
    match m.heap.value(cell) {
        Value::Str(_) => true,
        _ => (m.heap.proper_list(cell))
            .is_some_and(|items| items.iter().all(|&item| !m.heap.deref(item).is_var())),
    }
}

/// Unifies a list of characters or codes with a term; a string stands for its list.
pub(super) fn unify_list(m: &mut Machine, cell: Cell, text: &str, items: Items) -> bool {
    if let Value::Str(found) = m.heap.value(cell) {
        return found == text;
    }
    let list = match items {
        Items::Chars | Items::OnlyChars => args::char_list(m, text, Cell::NIL),
        Items::Codes | Items::OnlyCodes => args::code_list(m, text, Cell::NIL),
    };
    m.unify(cell, list)
}

/// The number a text spells, with nothing around it.
pub(super) fn number(m: &mut Machine, text: &str) -> Option<Cell> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    parse_number(&mut m.heap, text).ok()
}

/// A text as an atom or a string.
pub(super) fn make(m: &mut Machine, text: &str, string: bool) -> Cell {
    if m.lacks_room(text.len()) {
        return Cell::NIL;
    }
    if string { m.heap.new_string(text) } else { args::atom_cell(m, text) }
}

/// Unifies a term with text: any bound text that spells the same will do.
pub(super) fn unify_text(m: &mut Machine, cell: Cell, text: &str, string: bool) -> bool {
    if cell.is_var() {
        let made = make(m, text, string);
        return m.unify(cell, made);
    }
    atomic(m, cell).is_some_and(|found| *found == *text)
}

/// A count: `None` for a variable; larger than memory is `usize::MAX`.
pub(super) fn count(m: &mut Machine, cell: Cell) -> OrFault<Option<usize>> {
    match m.number_of(cell) {
        Some(number) if number.is_integer() => {
            if number.is_negative() {
                return Err(m.domain_error("not_less_than_zero", cell));
            }
            let small = cell.as_int().and_then(|value| usize::try_from(value).ok());
            Ok(Some(small.unwrap_or(usize::MAX)))
        }
        None if cell.is_var() => Ok(None),
        _ => Err(m.type_error("integer", cell)),
    }
}

/// The byte where the character with this number begins; one past the last is the end.
pub(super) fn offset(text: &str, position: usize) -> Option<usize> {
    if text.is_ascii() {
        return (position <= text.len()).then_some(position);
    }
    let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    starts.into_iter().nth(position)
}

/// Number of characters.
pub(super) fn length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Another case, one character for one: `ß` has no capital.
pub(super) fn map_case(text: &str, upper: bool) -> String {
    text.chars()
        .inspect(|_| watchdog::step())
        .map(|c| if upper { to_upper(c) } else { to_lower(c) })
        .collect()
}

/// The capital of a character, if it is one character.
pub(super) fn to_upper(c: char) -> char {
    args::only(c.to_uppercase()).unwrap_or(c)
}

/// The small letter of a character, if it is one character.
pub(super) fn to_lower(c: char) -> char {
    args::only(c.to_lowercase()).unwrap_or(c)
}

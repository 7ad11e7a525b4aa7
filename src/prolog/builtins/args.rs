//! What built-ins for streams, flags and formats ask of their arguments.

use super::OrFault;
use zug_machine::Machine;
use zug_term::symbol::Atom;
use zug_term::{Cell, Value, watchdog};

/// An atom, or the standard's error.
pub(super) fn atom(m: &mut Machine, cell: Cell) -> OrFault<Atom> {
    let cell = m.heap.deref(cell);
    cell.as_atom().ok_or_else(|| m.type_error("atom", cell))
}

/// The value of an argument that must have one.
pub(super) fn bound(m: &mut Machine, cell: Cell) -> OrFault<Cell> {
    let cell = m.heap.deref(cell);
    if cell.is_var() { Err(m.instantiation_error()) } else { Ok(cell) }
}

/// Name, arity and address of the arguments of a callable term.
pub(super) fn callable(m: &mut Machine, cell: Cell) -> OrFault<(Atom, usize, usize)> {
    m.heap.name_arity(cell).ok_or_else(|| m.type_error("callable", cell))
}

/// An error unless an argument is a variable.
pub(super) fn unbound(m: &mut Machine, cell: Cell) -> OrFault<()> {
    if cell.is_var() { Ok(()) } else { Err(m.uninstantiation_error(cell)) }
}

/// Whether a word is among others, which are between spaces.
pub(super) fn is_among(words: &str, word: &str) -> bool {
    words.split(' ').any(|one| one == word)
}

/// An integer that fits a word, or the standard's error.
pub(super) fn integer(m: &mut Machine, cell: Cell) -> OrFault<i64> {
    match m.heap.value(cell) {
        Value::Int(value) => Ok(value),
        Value::Big(_) => Err(m.representation_error("max_tagged_integer")),
        _ => Err(m.type_error("integer", cell)),
    }
}

/// `true` or `false`, or a domain error of the option it stands in.
pub(super) fn boolean(m: &Machine, cell: Cell) -> Option<bool> {
    match m.symbols.name(m.heap.deref(cell).as_atom()?) {
        "true" | "on" => Some(true),
        "false" | "off" => Some(false),
        _ => None,
    }
}

/// The items of a proper list, dereferenced, or the standard's error.
pub(super) fn list(m: &mut Machine, cell: Cell) -> OrFault<Vec<Cell>> {
    if let Some(items) = m.heap.proper_list(cell) {
        return Ok(items.into_iter().map(|item| m.heap.deref(item)).collect());
    }
    let mut items = m.heap.items(cell);
    let limit = m.heap.top() + 1;
    items.by_ref().take(limit).for_each(drop);
    let rest = m.heap.deref(items.rest);
    Err(if rest.is_var() { m.instantiation_error() } else { m.type_error("list", cell) })
}

/// The text of a code list or a list of one-character atoms. The empty list is
/// the empty text.
pub(super) fn list_text(m: &Machine, cell: Cell) -> Option<String> {
    let items = m.heap.proper_list(cell)?;
    items.into_iter().map(|item| character(m, item)).collect()
}

/// The character of a code.
pub(super) fn char_of(code: i64) -> Option<char> {
    u32::try_from(code).ok().and_then(char::from_u32)
}

/// The character of a one-character atom or a code.
pub(super) fn character(m: &Machine, cell: Cell) -> Option<char> {
    match m.heap.value(cell) {
        Value::Int(code) => char_of(code),
        Value::Atom(atom) => only_char(m.symbols.name(atom)),
        _ => None,
    }
}

/// The character of a text of one character.
pub(super) fn only_char(text: &str) -> Option<char> {
    only(text.chars())
}

/// The text of an atom, a string, a code list or a character list.
pub(super) fn text(m: &Machine, cell: Cell) -> Option<String> {
    match m.heap.value(cell) {
        Value::Str(text) => Some(text.to_owned()),
        Value::List(_) => list_text(m, cell),
        Value::Atom(_) if m.heap.deref(cell) == Cell::NIL => Some(String::new()),
        Value::Atom(atom) => Some(m.symbols.name(atom).to_owned()),
        _ => None,
    }
}

pub(super) fn atom_cell(m: &mut Machine, text: &str) -> Cell {
    watchdog::steps(1 + text.len() / 8);
    Cell::atom(m.symbols.intern(text))
}

/// Unifies with an atom of this text.
pub(super) fn unify_atom(m: &mut Machine, cell: Cell, text: &str) -> bool {
    let atom = atom_cell(m, text);
    m.unify(cell, atom)
}

/// Unifies with a string of this text.
pub(super) fn unify_string(m: &mut Machine, cell: Cell, text: &str) -> bool {
    let string = m.heap.new_string(text);
    m.unify(cell, string)
}

/// Unifies with an integer.
pub(super) fn unify_int(m: &mut Machine, cell: Cell, value: i64) -> bool {
    let value = m.heap.new_int(value);
    m.unify(cell, value)
}

/// Unifies with a float.
pub(super) fn unify_float(m: &mut Machine, cell: Cell, value: f64) -> bool {
    let value = m.heap.new_float(value);
    m.unify(cell, value)
}

/// Unifies with a list of these items.
pub(super) fn unify_list(m: &mut Machine, cell: Cell, items: &[Cell]) -> bool {
    let list = m.heap.list_from(items, Cell::NIL);
    m.unify(cell, list)
}

/// A text of at most N characters, and `…` where more were.
pub(super) fn shortened(mut text: String, characters: usize) -> String {
    if let Some((at, _)) = text.char_indices().nth(characters) {
        text.truncate(at);
        text.push('…');
    }
    text
}

pub(super) fn compound(m: &mut Machine, name: &str, args: &[Cell]) -> Cell {
    let name = m.symbols.intern(name);
    m.heap.new_struct(name, args)
}

/// The characters of a text, each a step.
fn characters(text: &str) -> impl Iterator<Item = char> {
    text.chars().inspect(|_| watchdog::step())
}

/// Bytes that a list of text takes for each character while it is made.
const LIST_BYTES: usize = 3 * size_of::<Cell>();

/// The codes of a text as a list that ends in `tail`.
pub(super) fn code_list(m: &mut Machine, text: &str, tail: Cell) -> Cell {
    if m.lacks_room(LIST_BYTES * text.len()) {
        return Cell::NIL;
    }
    let codes: Vec<Cell> = characters(text).map(|c| Cell::small(i64::from(u32::from(c)))).collect();
    m.heap.list_from(&codes, tail)
}

/// The characters of a text as a list of atoms that ends in `tail`.
pub(super) fn char_list(m: &mut Machine, text: &str, tail: Cell) -> Cell {
    if m.lacks_room(LIST_BYTES * text.len()) {
        return Cell::NIL;
    }
    let chars: Vec<Cell> = characters(text).map(|c| Cell::atom(m.symbols.intern_char(c))).collect();
    m.heap.list_from(&chars, tail)
}

/// The one character that there is.
pub(super) fn only(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    mapped.next().filter(|_| mapped.next().is_none())
}

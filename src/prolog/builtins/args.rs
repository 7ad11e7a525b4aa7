//! What built-ins for streams, flags and formats ask of their arguments.

use zug_machine::{Fault, Machine};
use zug_term::symbol::Atom;
use zug_term::{Cell, Value, watchdog};

/// An atom, or the standard's error.
pub(super) fn atom(machine: &mut Machine, cell: Cell) -> Result<Atom, Fault> {
    let cell = machine.heap.deref(cell);
    cell.as_atom().ok_or_else(|| machine.type_error("atom", cell))
}

/// An integer that fits a word, or the standard's error.
pub(super) fn integer(machine: &mut Machine, cell: Cell) -> Result<i64, Fault> {
    match machine.heap.value(cell) {
        Value::Int(value) => Ok(value),
        Value::Big(_) => Err(machine.representation_error("max_tagged_integer")),
        _ => Err(machine.type_error("integer", cell)),
    }
}

/// `true` or `false`, or a domain error of the option it stands in.
pub(super) fn boolean(machine: &Machine, cell: Cell) -> Option<bool> {
    match machine.symbols.name(machine.heap.deref(cell).as_atom()?) {
        "true" | "on" => Some(true),
        "false" | "off" => Some(false),
        _ => None,
    }
}

/// The items of a proper list, dereferenced, or the standard's error.
pub(super) fn list(machine: &mut Machine, cell: Cell) -> Result<Vec<Cell>, Fault> {
    if let Some(items) = machine.heap.proper_list(cell) {
        return Ok(items.into_iter().map(|item| machine.heap.deref(item)).collect());
    }
    let mut items = machine.heap.items(cell);
    let limit = machine.heap.top() + 1;
    items.by_ref().take(limit).for_each(drop);
    let rest = machine.heap.deref(items.rest);
    Err(if rest.is_var() {
        machine.instantiation_error()
    } else {
        machine.type_error("list", cell)
    })
}

/// The text of a code list or a list of one-character atoms. The empty list is
/// the empty text.
pub(super) fn list_text(machine: &Machine, cell: Cell) -> Option<String> {
    let items = machine.heap.proper_list(cell)?;
    let one = |item: &Cell| match machine.heap.value(*item) {
        Value::Int(code) => u32::try_from(code).ok().and_then(char::from_u32),
        Value::Atom(atom) => only_char(machine.symbols.name(atom)),
        _ => None,
    };
    items.iter().map(one).collect()
}

/// The character of a text of one character.
pub(super) fn only_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// The text of an atom, a string, a code list or a character list.
pub(super) fn text(machine: &Machine, cell: Cell) -> Option<String> {
    match machine.heap.value(cell) {
        Value::Str(text) => Some(text.to_owned()),
        Value::List(_) => list_text(machine, cell),
        Value::Atom(_) if machine.heap.deref(cell) == Cell::NIL => Some(String::new()),
        Value::Atom(atom) => Some(machine.symbols.name(atom).to_owned()),
        _ => None,
    }
}

/// An atom with this text.
pub(super) fn atom_cell(machine: &mut Machine, text: &str) -> Cell {
    watchdog::steps(1 + text.len() / 8);
    Cell::atom(machine.symbols.intern(text))
}

/// A compound with this name.
pub(super) fn compound(machine: &mut Machine, name: &str, args: &[Cell]) -> Cell {
    let name = machine.symbols.intern(name);
    machine.heap.new_struct(name, args)
}

/// The characters of a text, each a step.
fn characters(text: &str) -> impl Iterator<Item = char> {
    text.chars().inspect(|_| watchdog::step())
}

/// Bytes that a list of text takes for each character while it is made.
const LIST_BYTES: usize = 3 * size_of::<Cell>();

/// The codes of a text as a list that ends in `tail`.
pub(super) fn code_list(machine: &mut Machine, text: &str, tail: Cell) -> Cell {
    if machine.lacks_room(LIST_BYTES * text.len()) {
        return Cell::NIL;
    }
    let codes: Vec<Cell> = characters(text).map(|c| Cell::small(i64::from(u32::from(c)))).collect();
    machine.heap.list_from(&codes, tail)
}

/// The characters of a text as a list of atoms that ends in `tail`.
pub(super) fn char_list(machine: &mut Machine, text: &str, tail: Cell) -> Cell {
    if machine.lacks_room(LIST_BYTES * text.len()) {
        return Cell::NIL;
    }
    let chars: Vec<Cell> =
        characters(text).map(|c| Cell::atom(machine.symbols.intern_char(c))).collect();
    machine.heap.list_from(&chars, tail)
}

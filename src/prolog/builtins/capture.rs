//! Output into a term: what `with_output_to/2` and `format/3` need.

use super::{Entry, OrFault, World, args};
use zug_machine::{Machine, Outcome};
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::session("$push_output", 1, push_output),
    Entry::session("$pop_output", 2, pop_output),
    Entry::session("$is_sink", 1, is_sink),
    // An error unless it is `atom(A)`, `string(S)`, …
    Entry::session("$check_sink", 1, |m, _, a| need_sink(m, a[0]).map(|_| true)),
    Entry::session("$fill_sink", 2, fill_sink),
];

/// `'$push_output'(Depth)`: output goes to memory from now on; `Depth` is what
/// [`pop_output`] wants back.
fn push_output(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let depth = Cell::small(w.streams.captures() as i64);
    w.streams.push_capture();
    Ok(m.unify(a[0], depth))
}

/// `'$pop_output'(Depth, Text)`: output goes where it went before; the text is a string.
fn pop_output(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let depth = args::integer(m, a[0])?;
    let text = w.streams.pop_captures(usize::try_from(depth).unwrap_or(0)).unwrap_or_default();
    m.outside = w.held();
    m.room_for(text.len())?;
    Ok(args::unify_string(m, a[1], &text))
}

/// What a sink makes of the text.
#[derive(Clone, Copy)]
enum Sink {
    Atom(Cell),
    String(Cell),
    /// Codes and the tail behind them.
    Codes(Cell, Cell),
    /// Characters and the tail behind them.
    Chars(Cell, Cell),
}

/// The sink in a term such as `atom(A)`, if it is one.
fn sink(m: &Machine, cell: Cell) -> Option<Sink> {
    let Value::Struct(name, arity, at) = m.heap.value(cell) else { return None };
    let argument = |i: usize| m.heap.at(at + i);
    Some(match (m.symbols.name(name), arity) {
        ("atom", 1) => Sink::Atom(argument(0)),
        ("string", 1) => Sink::String(argument(0)),
        ("codes", 1) => Sink::Codes(argument(0), Cell::NIL),
        ("codes", 2) => Sink::Codes(argument(0), argument(1)),
        ("chars", 1) => Sink::Chars(argument(0), Cell::NIL),
        ("chars", 2) => Sink::Chars(argument(0), argument(1)),
        _ => return None,
    })
}

fn need_sink(m: &mut Machine, cell: Cell) -> OrFault<Sink> {
    args::bound(m, cell)?;
    sink(m, cell).ok_or_else(|| m.domain_error("output_sink", cell))
}

/// `'$is_sink'(Output)`: whether it is a sink rather than a stream; a compound
/// that is neither is an error.
fn is_sink(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    match m.heap.value(a[0]) {
        Value::Struct(name, ..) if m.symbols.name(name) != "$stream" => {
            need_sink(m, a[0]).map(|_| true)
        }
        _ => Ok(false),
    }
}

/// `'$fill_sink'(Sink, Text)`: unifies what the sink holds with the text.
fn fill_sink(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let text = args::text(m, a[1]).unwrap_or_default();
    let (wanted, made) = match need_sink(m, a[0])? {
        Sink::Atom(wanted) => (wanted, args::atom_cell(m, &text)),
        Sink::String(wanted) => (wanted, m.heap.new_string(&text)),
        Sink::Codes(wanted, tail) => (wanted, args::code_list(m, &text, tail)),
        Sink::Chars(wanted, tail) => (wanted, args::char_list(m, &text, tail)),
    };
    Ok(m.unify(wanted, made))
}

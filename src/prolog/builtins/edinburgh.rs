//! Streams the Edinburgh way: `see/1`, `tell/1` and their kin.

use super::stream_predicates::{
    Unit, open_file, output, resolve, source_sink, stream_cell, written,
};
use super::streams::{Channel, Mode, Options, StreamId, USER_INPUT, USER_OUTPUT};
use super::{Entry, OrFault, World, args};
use zug_machine::{Machine, Outcome};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::guarded("see", 1, see),
    Entry::session("seen", 0, |m, w, _| close(m, w, w.streams.current_input)),
    Entry::session("seeing", 1, |m, w, a| current(m, a[0], w.streams.current_input)),
    Entry::guarded("tell", 1, |m, w, a| redirect(m, w, a, Mode::Write)),
    Entry::guarded("append", 1, |m, w, a| redirect(m, w, a, Mode::Append)),
    Entry::session("told", 0, |m, w, _| close(m, w, w.streams.current_output)),
    Entry::session("telling", 1, |m, w, a| current(m, a[0], w.streams.current_output)),
];

/// An open stream that the argument names: by its term, an alias or its file.
fn already_open(m: &mut Machine, w: &World, cell: Cell, input: bool) -> OrFault<Option<StreamId>> {
    let name = match m.heap.value(cell) {
        Value::Atom(atoms::USER) => return Ok(Some(if input { USER_INPUT } else { USER_OUTPUT })),
        Value::Struct(name, 1, _) if m.symbols.name(name) == "$stream" => {
            return resolve(m, &w.streams, cell).map(Some);
        }
        Value::Atom(atom) => m.symbols.shared(atom),
        _ => return Ok(None),
    };
    let path = w.path(&name);
    let fits = |id: &StreamId| {
        w.streams.get(*id).is_some_and(|stream| {
            let named = stream.aliases.contains(&name)
                || stream.file.as_deref().is_some_and(|file| w.path(file) == path);
            named && input == matches!(stream.channel, Channel::Input(_))
        })
    };
    Ok(w.streams.ids().into_iter().find(fits))
}

/// The stream that the argument names, opened if it is not open.
fn opened(m: &mut Machine, w: &mut World, cell: Cell, mode: Mode) -> OrFault<StreamId> {
    if let Some(id) = already_open(m, w, cell, mode == Mode::Read)? {
        return Ok(id);
    }
    let file = source_sink(m, cell)?;
    open_file(m, w, cell, &file, mode, Options::default())
}

fn see(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = opened(m, w, a[0], Mode::Read)?;
    if !matches!(w.streams.get(id).map(|stream| &stream.channel), Some(Channel::Input(_))) {
        return Err(m.permission_error("input", "stream", a[0]));
    }
    w.streams.current_input = id;
    Ok(true)
}

fn redirect(m: &mut Machine, w: &mut World, a: &[Cell], mode: Mode) -> Outcome {
    let id = opened(m, w, a[0], mode)?;
    let stream = stream_cell(m, id);
    w.streams.current_output = output(m, &w.streams, Some(stream), Unit::Any)?;
    Ok(true)
}

/// `seen/0`, `told/0`: closing a current stream makes the user's current.
fn close(m: &mut Machine, w: &mut World, id: StreamId) -> Outcome {
    let closed = w.streams.close(id);
    written(m, id, closed)
}

/// `seeing/1`, `telling/1`.
fn current(m: &mut Machine, cell: Cell, id: StreamId) -> Outcome {
    let stream = match id {
        USER_INPUT | USER_OUTPUT => args::atom_cell(m, "user"),
        id => stream_cell(m, id),
    };
    Ok(m.unify(cell, stream))
}

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
    Entry::session("seen", 0, seen),
    Entry::session("seeing", 1, seeing),
    Entry::guarded("tell", 1, |m, w, a| redirect(m, w, a, Mode::Write)),
    Entry::guarded("append", 1, |m, w, a| redirect(m, w, a, Mode::Append)),
    Entry::session("told", 0, told),
    Entry::session("telling", 1, telling),
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

fn see(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = match already_open(m, w, a[0], true)? {
        Some(id) => id,
        None => {
            let file = source_sink(m, a[0])?;
            open_file(m, w, a[0], &file, Mode::Read, Options::default())?
        }
    };
    if !matches!(w.streams.get(id).map(|stream| &stream.channel), Some(Channel::Input(_))) {
        return Err(m.permission_error("input", "stream", a[0]));
    }
    w.streams.current_input = id;
    Ok(true)
}

fn seen(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    let id = w.streams.current_input;
    let closed = w.streams.close(id);
    w.streams.current_input = USER_INPUT;
    written(m, id, closed)
}

fn seeing(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let stream = match w.streams.current_input {
        USER_INPUT => args::atom_cell(m, "user"),
        id => stream_cell(m, id),
    };
    Ok(m.unify(a[0], stream))
}

fn redirect(m: &mut Machine, w: &mut World, a: &[Cell], mode: Mode) -> Outcome {
    let id = match already_open(m, w, a[0], false)? {
        Some(id) => id,
        None => {
            let file = source_sink(m, a[0])?;
            open_file(m, w, a[0], &file, mode, Options::default())?
        }
    };
    let stream = stream_cell(m, id);
    w.streams.current_output = output(m, &w.streams, Some(stream), Unit::Any)?;
    Ok(true)
}

fn told(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    let id = w.streams.current_output;
    let closed = w.streams.close(id);
    w.streams.current_output = USER_OUTPUT;
    written(m, id, closed)
}

fn telling(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let stream = match w.streams.current_output {
        USER_OUTPUT => args::atom_cell(m, "user"),
        id => stream_cell(m, id),
    };
    Ok(m.unify(a[0], stream))
}

//! Streams the Edinburgh way: `see/1`, `tell/1` and their kin.

use super::stream_predicates::{
    Unit, open_file, output, resolve, source_sink, stream_cell, written,
};
use super::streams::{Channel, Mode, Options, StreamId, USER_INPUT, USER_OUTPUT};
use super::{Entry, World, args};
use zug_machine::{Fault, Machine, Outcome};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::guarded("see", 1, see),
    Entry::session("seen", 0, seen),
    Entry::session("seeing", 1, seeing),
    Entry::guarded("tell", 1, tell),
    Entry::guarded("append", 1, append),
    Entry::session("told", 0, told),
    Entry::session("telling", 1, telling),
];

/// An open stream that the argument names: by its term, an alias or its file.
fn already_open(
    machine: &mut Machine,
    world: &World,
    cell: Cell,
    input: bool,
) -> Result<Option<StreamId>, Fault> {
    let name = match machine.heap.value(cell) {
        Value::Atom(atoms::USER) => return Ok(Some(if input { USER_INPUT } else { USER_OUTPUT })),
        Value::Struct(name, 1, _) if machine.symbols.name(name) == "$stream" => {
            return resolve(machine, &world.streams, cell).map(Some);
        }
        Value::Atom(atom) => machine.symbols.shared(atom),
        _ => return Ok(None),
    };
    let path = world.path(&name);
    let fits = |id: &StreamId| {
        world.streams.get(*id).is_some_and(|stream| {
            let named = stream.aliases.contains(&name)
                || stream.file.as_deref().is_some_and(|file| world.path(file) == path);
            named && input == matches!(stream.channel, Channel::Input(_))
        })
    };
    Ok(world.streams.ids().into_iter().find(fits))
}

fn see(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let id = match already_open(machine, world, all[0], true)? {
        Some(id) => id,
        None => {
            let file = source_sink(machine, all[0])?;
            open_file(machine, world, all[0], &file, Mode::Read, Options::default())?
        }
    };
    if !matches!(world.streams.get(id).map(|stream| &stream.channel), Some(Channel::Input(_))) {
        return Err(machine.permission_error("input", "stream", all[0]));
    }
    world.streams.current_input = id;
    Ok(true)
}

fn seen(machine: &mut Machine, world: &mut World, _: &[Cell]) -> Outcome {
    let id = world.streams.current_input;
    let closed = world.streams.close(id);
    world.streams.current_input = USER_INPUT;
    written(machine, id, closed)
}

fn seeing(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let stream = match world.streams.current_input {
        USER_INPUT => args::atom_cell(machine, "user"),
        id => stream_cell(machine, id),
    };
    Ok(machine.unify(all[0], stream))
}

fn redirect(machine: &mut Machine, world: &mut World, all: &[Cell], mode: Mode) -> Outcome {
    let id = match already_open(machine, world, all[0], false)? {
        Some(id) => id,
        None => {
            let file = source_sink(machine, all[0])?;
            open_file(machine, world, all[0], &file, mode, Options::default())?
        }
    };
    let stream = stream_cell(machine, id);
    world.streams.current_output = output(machine, &world.streams, Some(stream), Unit::Any)?;
    Ok(true)
}

fn tell(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    redirect(machine, world, all, Mode::Write)
}

fn append(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    redirect(machine, world, all, Mode::Append)
}

fn told(machine: &mut Machine, world: &mut World, _: &[Cell]) -> Outcome {
    let id = world.streams.current_output;
    let closed = world.streams.close(id);
    world.streams.current_output = USER_OUTPUT;
    written(machine, id, closed)
}

fn telling(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let stream = match world.streams.current_output {
        USER_OUTPUT => args::atom_cell(machine, "user"),
        id => stream_cell(machine, id),
    };
    Ok(machine.unify(all[0], stream))
}

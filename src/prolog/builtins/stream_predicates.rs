//! `open/3,4`, `close/1,2` and what one can ask and set of a stream
//! (ISO 13211-1, 8.11).

use super::stream_text::Encoding;
use super::streams::{
    Buffering, Channel, EofAction, Mode, Options, OutputLimit, ReadEnded, Stream, StreamId, Streams,
};
use super::{Entry, World, args, sandbox};
use std::io;
use zug_files::{Access, Change};
use zug_machine::{Fault, Machine, Outcome, StopReason};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::guarded("open", 3, open),
    Entry::session("open_string", 2, open_string),
    Entry::guarded("open", 4, open),
    Entry::session("close", 1, close),
    Entry::session("close", 2, close),
    Entry::session("current_input", 1, current_input),
    Entry::session("current_output", 1, current_output),
    Entry::session("set_input", 1, set_input),
    Entry::session("set_output", 1, set_output),
    Entry::output("flush_output", 0, flush_output),
    Entry::output("flush_output", 1, flush_output),
    Entry::output("ttyflush", 0, ttyflush),
    Entry::session("is_stream", 1, is_stream),
    Entry::session("set_stream", 2, set_stream),
    Entry::session("$streams", 1, streams),
    Entry::session("prompt", 2, prompt),
];

/// The term for a stream.
pub(super) fn stream_cell(machine: &mut Machine, id: StreamId) -> Cell {
    args::compound(machine, "$stream", &[Cell::small(id as i64)])
}

/// The number in a stream term, open or closed.
pub(super) fn stream_number(machine: &Machine, cell: Cell) -> Option<StreamId> {
    let name = machine.symbols.lookup("$stream")?;
    let [number] = machine.heap.match_struct(cell, name)?;
    usize::try_from(machine.heap.deref(number).as_int()?).ok()
}

/// The open stream a term or an alias stands for.
pub(super) fn resolve(
    machine: &mut Machine,
    streams: &Streams,
    cell: Cell,
) -> Result<StreamId, Fault> {
    if machine.heap.deref(cell).is_var() {
        return Err(machine.instantiation_error());
    }
    let found = match machine.heap.value(cell) {
        Value::Atom(alias) => streams.by_alias(machine.symbols.name(alias)),
        _ => match stream_number(machine, cell) {
            Some(id) => streams.get(id).map(|_| id),
            None => return Err(machine.domain_error("stream_or_alias", cell)),
        },
    };
    found.ok_or_else(|| machine.existence_error("stream", cell))
}

/// Bytes or characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Characters.
    Text,
    /// Bytes.
    Byte,
    /// Whichever the stream has.
    Any,
}

impl Unit {
    /// The kind of stream that is refused.
    fn conflict(self, binary: bool) -> Option<&'static str> {
        match (self, binary) {
            (Unit::Text, true) => Some("binary_stream"),
            (Unit::Byte, false) => Some("text_stream"),
            _ => None,
        }
    }
}

/// The output stream an argument names, or the current one.
pub(super) fn output(
    machine: &mut Machine,
    streams: &Streams,
    named: Option<Cell>,
    unit: Unit,
) -> Result<StreamId, Fault> {
    let id = match named {
        Some(cell) => resolve(machine, streams, cell)?,
        None => streams.current_output,
    };
    let refused = match streams.get(id) {
        Some(Stream { channel: Channel::Output(_), options, .. }) => unit.conflict(options.binary),
        _ => Some("stream"),
    };
    refuse(machine, "output", refused, named, id)
}

/// The input stream an argument names, or the current one.
pub(super) fn input(
    machine: &mut Machine,
    streams: &Streams,
    named: Option<Cell>,
    unit: Unit,
) -> Result<StreamId, Fault> {
    let id = match named {
        Some(cell) => resolve(machine, streams, cell)?,
        None => streams.current_input,
    };
    streams.begin_read(machine);
    let refused = match streams.get(id) {
        Some(Stream { channel: Channel::Input(input), options, .. }) => {
            let past = input.past_end && options.eof_action == EofAction::Error;
            unit.conflict(options.binary).or(past.then_some("past_end_of_stream"))
        }
        _ => Some("stream"),
    };
    refuse(machine, "input", refused, named, id)
}

fn refuse(
    machine: &mut Machine,
    action: &str,
    refused: Option<&str>,
    named: Option<Cell>,
    id: StreamId,
) -> Result<StreamId, Fault> {
    match refused {
        None => Ok(id),
        Some(kind) => {
            let culprit = named.unwrap_or_else(|| stream_cell(machine, id));
            Err(machine.permission_error(action, kind, culprit))
        }
    }
}

/// `error(io_error(Action, Stream), context(_, Message))`.
pub(super) fn io_error(
    machine: &mut Machine,
    action: &str,
    id: StreamId,
    error: &io::Error,
) -> Fault {
    match error.get_ref().and_then(|error| error.downcast_ref::<ReadEnded>()) {
        Some(ReadEnded::Room) => return machine.resource_error("memory"),
        Some(ReadEnded::Stopped(reason)) => return Fault::Stopped(*reason),
        None if error.get_ref().is_some_and(|error| error.is::<OutputLimit>()) => {
            return Fault::Stopped(StopReason::Output);
        }
        None => {}
    }
    let action = args::atom_cell(machine, action);
    let stream = stream_cell(machine, id);
    let formal = args::compound(machine, "io_error", &[action, stream]);
    with_message(machine, formal, error)
}

/// `error(Formal, context(_, Message))`, the message being the system's.
pub(super) fn with_message(machine: &mut Machine, formal: Cell, error: &io::Error) -> Fault {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or("");
    let message = args::atom_cell(machine, text);
    let place = machine.heap.new_var();
    let context = machine.heap.new_struct(atoms::CONTEXT, &[place, message]);
    let ball = machine.heap.new_struct(atoms::ERROR, &[formal, context]);
    machine.ball(ball)
}

/// Writes a text to the current output.
///
/// # Errors
/// As `write/1`.
pub fn put_text(machine: &mut Machine, world: &mut World, text: &str) -> Outcome {
    let id = output(machine, &world.streams, None, Unit::Text)?;
    emit(machine, world, id, text)
}

/// Writes a text for the rules: what is captured takes of their memory, anything else of
/// the output they may make.
pub(super) fn emit(machine: &mut Machine, world: &mut World, id: StreamId, text: &str) -> Outcome {
    if world.streams.is_capture(id) {
        machine.room_for(text.len())?;
    }
    let result = world.streams.emit(id, text);
    machine.outside = world.held();
    written(machine, id, result)
}

/// The fault of a write that failed, if it failed.
pub(super) fn written(machine: &mut Machine, id: StreamId, result: io::Result<()>) -> Outcome {
    result.map(|()| true).map_err(|error| io_error(machine, "write", id, &error))
}

/// The result of a read, or its fault.
pub(super) fn was_read<T>(
    machine: &mut Machine,
    id: StreamId,
    result: io::Result<T>,
) -> Result<T, Fault> {
    result.map_err(|error| io_error(machine, "read", id, &error))
}

/// The stream argument of a predicate that has `n` arguments without it, and
/// those arguments.
pub(super) fn split(all: &[Cell], n: usize) -> (Option<Cell>, &[Cell]) {
    match all {
        [stream, rest @ ..] if rest.len() == n => (Some(*stream), rest),
        _ => (None, all),
    }
}

/// `open_string(Text, Stream)`: a stream to read Text from.
fn open_string(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let text = super::text::any(machine, all[0], "text")?.to_string();
    machine.room_for(text.len())?;
    let id = world.streams.add_input(None, text.into_bytes(), None, Options::default());
    machine.outside = world.held();
    let stream = stream_cell(machine, id);
    Ok(machine.unify(all[1], stream))
}

fn open(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let file = source_sink(machine, all[0])?;
    let mode = args::atom(machine, all[1])?;
    let mode = match machine.symbols.name(mode) {
        "read" => Mode::Read,
        "write" => Mode::Write,
        "append" => Mode::Append,
        "update" => Mode::Update,
        _ => return Err(machine.domain_error("io_mode", all[1])),
    };
    let (options, alias) = open_options(machine, world, all.get(3).copied().unwrap_or(Cell::NIL))?;
    if !all[2].is_var() {
        return Err(machine.uninstantiation_error(all[2]));
    }
    let id = open_file(machine, world, all[0], &file, mode, options)?;
    if let Some(alias) = alias {
        world.streams.add_alias(id, &alias);
    }
    let stream = stream_cell(machine, id);
    Ok(machine.unify(all[2], stream))
}

/// The name of a file.
pub(super) fn source_sink(machine: &mut Machine, cell: Cell) -> Result<String, Fault> {
    if machine.heap.deref(cell).is_var() {
        return Err(machine.instantiation_error());
    }
    let name = args::text(machine, cell).filter(|_| cell != Cell::NIL);
    name.ok_or_else(|| machine.domain_error("source_sink", cell))
}

/// Opens a file as a stream, with the standard's errors.
pub(super) fn open_file(
    machine: &mut Machine,
    world: &mut World,
    cell: Cell,
    file: &str,
    mode: Mode,
    options: Options,
) -> Result<StreamId, Fault> {
    if world.files.is_sandbox() {
        return Err(sandbox::refusal(machine, "open", "source_sink", &[cell]));
    }
    let path = world.path(file);
    if mode == Mode::Read {
        // A plain file is read whole.
        let bytes = world.files.metadata(&path).map_or(0, |facts| facts.len());
        machine.room_for(usize::try_from(bytes).unwrap_or(usize::MAX))?;
    }
    let opened = match mode {
        Mode::Read => open_input(&world.files, &path)
            .map(|(source, text)| world.streams.add_input(source, text, Some(file), options)),
        _ => {
            let opened = match mode {
                Mode::Append => world.files.open_to(Change::Append, &path),
                Mode::Update => world.files.open_to(Change::Overwrite, &path),
                _ => world.files.create(&path),
            };
            opened.map(|sink| {
                world.streams.add_output(Some(Box::new(sink)), Some(file), mode, options)
            })
        }
    };
    opened.map_err(|error| {
        let kind = args::atom_cell(machine, "source_sink");
        let formal = match error.kind() {
            io::ErrorKind::NotFound => {
                machine.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, cell])
            }
            _ => {
                let action = args::atom_cell(machine, "open");
                machine.heap.new_struct(atoms::PERMISSION_ERROR, &[action, kind, cell])
            }
        };
        with_message(machine, formal, &error)
    })
}

type Opened = (Option<Box<dyn io::Read + Send>>, Vec<u8>);

/// A plain file is read at once, so that one can go back in it; anything else
/// (a pipe, a device) as it comes.
fn open_input(files: &Access, path: &std::path::Path) -> io::Result<Opened> {
    let metadata = files.metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if metadata.is_file() && metadata.len() > 0 {
        return Ok((None, files.read(path)?));
    }
    Ok((Some(Box::new(files.open(path)?)), Vec::new()))
}

/// Options of `open/4` that are accepted and change nothing here.
const OPEN_IGNORED: &[&str] =
    &["lock", "create", "close_on_abort", "wait", "newline", "file_name", "locale", "tty"];

fn open_options(
    machine: &mut Machine,
    world: &World,
    list: Cell,
) -> Result<(Options, Option<String>), Fault> {
    let (mut options, mut alias) = (Options::default(), None);
    for option in args::list(machine, list)? {
        if option.is_var() {
            return Err(machine.instantiation_error());
        }
        let Some((name, value)) = option_parts(machine, option) else {
            return Err(machine.domain_error("stream_option", option));
        };
        if machine.is_iso() && !value.is_var() && !value.is_atom() {
            return Err(machine.domain_error("stream_option", option));
        }
        if name == "alias" {
            let wanted = args::atom(machine, value)?;
            let wanted = machine.symbols.name(wanted).to_owned();
            if world.streams.by_alias(&wanted).is_some() {
                return Err(machine.permission_error("open", "source_sink", option));
            }
            alias = Some(wanted);
        } else if !OPEN_IGNORED.contains(&&*name) {
            let value = args::atom(machine, value)?;
            let value = machine.symbols.name(value).to_owned();
            let known = match (&*name, &*value) {
                ("reposition", "true" | "false") => {
                    options.reposition = value == "true";
                    true
                }
                ("bom", "true" | "false") => {
                    options.mark = Some(value == "true");
                    true
                }
                _ => set_option(&mut options, &name, &value),
            };
            if !known {
                return Err(machine.domain_error("stream_option", option));
            }
        }
    }
    Ok((options, alias))
}

/// Name and argument of an option `name(Value)` or `name = Value`.
pub(super) fn option_parts(machine: &Machine, option: Cell) -> Option<(String, Cell)> {
    if let Some([name, value]) = machine.heap.match_struct(option, atoms::UNIFY) {
        let name = machine.heap.deref(name).as_atom()?;
        return Some((machine.symbols.name(name).to_owned(), machine.heap.deref(value)));
    }
    match machine.heap.value(option) {
        Value::Struct(name, 1, argument) => {
            let value = machine.heap.deref(machine.heap.at(argument));
            Some((machine.symbols.name(name).to_owned(), value))
        }
        _ => None,
    }
}

/// Sets an option that `open/4` and `set_stream/2` share; whether it exists.
fn set_option(options: &mut Options, name: &str, value: &str) -> bool {
    match (name, value) {
        ("type", "text") => options.binary = false,
        ("type", "binary") => options.binary = true,
        ("eof_action", "error") => options.eof_action = EofAction::Error,
        ("eof_action", "eof_code") => options.eof_action = EofAction::EofCode,
        ("eof_action", "reset") => options.eof_action = EofAction::Reset,
        ("buffer", "full") => options.buffering = Buffering::Full,
        ("buffer", "line") => options.buffering = Buffering::Line,
        ("buffer", "false") => options.buffering = Buffering::None,
        ("encoding", name) => match Encoding::named(name) {
            Some(encoding) => options.encoding = encoding,
            None => return false,
        },
        _ => return false,
    }
    true
}

fn close(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let id = resolve(machine, &world.streams, all[0])?;
    let mut force = false;
    if let Some(&list) = all.get(1) {
        for option in args::list(machine, list)? {
            if option.is_var() {
                return Err(machine.instantiation_error());
            }
            let value = option_parts(machine, option).filter(|(name, _)| name == "force");
            let value = value.and_then(|(_, value)| args::boolean(machine, value));
            force = value.ok_or_else(|| machine.domain_error("close_option", option))?;
        }
    }
    let closed = world.streams.close(id);
    machine.outside = world.held();
    if force { Ok(true) } else { written(machine, id, closed) }
}

/// Unifies an argument that must be a stream or unbound with a stream.
fn unify_stream(machine: &mut Machine, world: &World, cell: Cell, id: StreamId) -> Outcome {
    if !cell.is_var() {
        match stream_number(machine, cell) {
            None => return Err(machine.domain_error("stream", cell)),
            Some(number) if world.streams.get(number).is_none() => {
                return Err(machine.existence_error("stream", cell));
            }
            Some(_) => {}
        }
    }
    let stream = stream_cell(machine, id);
    Ok(machine.unify(cell, stream))
}

fn current_input(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    unify_stream(machine, world, all[0], world.streams.current_input)
}

fn current_output(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    unify_stream(machine, world, all[0], world.streams.current_output)
}

fn set_input(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let id = resolve(machine, &world.streams, all[0])?;
    if !matches!(world.streams.get(id).map(|stream| &stream.channel), Some(Channel::Input(_))) {
        return Err(machine.permission_error("input", "stream", all[0]));
    }
    world.streams.current_input = id;
    Ok(true)
}

fn set_output(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    world.streams.current_output = output(machine, &world.streams, Some(all[0]), Unit::Any)?;
    Ok(true)
}

fn flush_output(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let id = output(machine, &world.streams, all.first().copied(), Unit::Any)?;
    let flushed = world.streams.flush(id);
    written(machine, id, flushed)
}

fn ttyflush(machine: &mut Machine, world: &mut World, _: &[Cell]) -> Outcome {
    let flushed = world.streams.flush_standard();
    written(machine, super::streams::USER_OUTPUT, flushed)
}

fn is_stream(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    Ok(match machine.heap.value(all[0]) {
        Value::Atom(alias) => world.streams.by_alias(machine.symbols.name(alias)).is_some(),
        _ => stream_number(machine, all[0]).is_some_and(|id| world.streams.get(id).is_some()),
    })
}

/// `set_stream(S, Property)`: alias, encoding, type, eof_action, buffer.
fn set_stream(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let id = resolve(machine, &world.streams, all[0])?;
    let Some((name, value)) = option_parts(machine, all[1]) else {
        return Err(machine.domain_error("stream_property", all[1]));
    };
    if OPEN_IGNORED.contains(&&*name) {
        return Ok(true);
    }
    let value = args::atom(machine, value)?;
    let value = machine.symbols.name(value).to_owned();
    if name == "alias" {
        world.streams.add_alias(id, &value);
        return Ok(true);
    }
    let known = world
        .streams
        .get_mut(id)
        .is_some_and(|stream| set_option(&mut stream.options, &name, &value));
    if known { Ok(true) } else { Err(machine.domain_error("stream_property", all[1])) }
}

fn streams(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let ids = world.streams.ids();
    let cells: Vec<Cell> = ids.into_iter().map(|id| stream_cell(machine, id)).collect();
    let list = machine.heap.list_from(&cells, Cell::NIL);
    Ok(machine.unify(all[0], list))
}

fn prompt(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let old = args::atom_cell(machine, &world.streams.prompt);
    if !machine.unify(all[0], old) {
        return Ok(false);
    }
    let new = machine.heap.deref(all[1]);
    match args::text(machine, new) {
        Some(text) => world.streams.prompt = text.into(),
        None => return Err(machine.type_error("atom", new)),
    }
    Ok(true)
}

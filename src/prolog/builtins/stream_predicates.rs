//! `open/3,4`, `close/1,2` and what one can ask and set of a stream
//! (ISO 13211-1, 8.11).

use super::stream_text::Encoding;
use super::streams::{
    Buffering, Channel, EofAction, Mode, Options, OutputLimit, ReadEnded, Stream, StreamId, Streams,
};
use super::{Entry, OrFault, World, args, sandbox};
use std::io;
use zug_files::{Access, Change};
use zug_machine::{Fault, Machine, Outcome, StopReason};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::guarded("open", 3, open).up_to(4),
    Entry::session("open_string", 2, open_string),
    Entry::session("close", 1, close).up_to(2),
    Entry::session("current_input", 1, |m, w, a| unify_stream(m, w, a[0], w.streams.current_input)),
    Entry::session("current_output", 1, |m, w, a| {
        unify_stream(m, w, a[0], w.streams.current_output)
    }),
    Entry::session("set_input", 1, set_input),
    Entry::session("set_output", 1, set_output),
    Entry::output("flush_output", 0, flush_output).up_to(1),
    Entry::output("ttyflush", 0, ttyflush),
    Entry::session("is_stream", 1, is_stream),
    Entry::session("set_stream", 2, set_stream),
    Entry::session("$streams", 1, streams),
    Entry::session("prompt", 2, prompt),
];

/// The term for a stream.
pub(super) fn stream_cell(m: &mut Machine, id: StreamId) -> Cell {
    args::compound(m, "$stream", &[Cell::small(id as i64)])
}

/// The number in a stream term, open or closed.
pub(super) fn stream_number(m: &Machine, cell: Cell) -> Option<StreamId> {
    let name = m.symbols.lookup("$stream")?;
    let [number] = m.heap.match_struct(cell, name)?;
    usize::try_from(m.heap.deref(number).as_int()?).ok()
}

/// The open stream a term or an alias stands for.
pub(super) fn resolve(m: &mut Machine, streams: &Streams, cell: Cell) -> OrFault<StreamId> {
    args::bound(m, cell)?;
    let found = match m.heap.value(cell) {
        Value::Atom(alias) => streams.by_alias(m.symbols.name(alias)),
        _ => match stream_number(m, cell) {
            Some(id) => streams.get(id).map(|_| id),
            None => return Err(m.domain_error("stream_or_alias", cell)),
        },
    };
    found.ok_or_else(|| m.existence_error("stream", cell))
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
    m: &mut Machine,
    streams: &Streams,
    named: Option<Cell>,
    unit: Unit,
) -> OrFault<StreamId> {
    let id = match named {
        Some(cell) => resolve(m, streams, cell)?,
        None => streams.current_output,
    };
    let refused = match streams.get(id) {
        Some(Stream { channel: Channel::Output(_), options, .. }) => unit.conflict(options.binary),
        _ => Some("stream"),
    };
    refuse(m, "output", refused, named, id)
}

/// The input stream an argument names, or the current one.
pub(super) fn input(
    m: &mut Machine,
    streams: &Streams,
    named: Option<Cell>,
    unit: Unit,
) -> OrFault<StreamId> {
    let id = match named {
        Some(cell) => resolve(m, streams, cell)?,
        None => streams.current_input,
    };
    streams.begin_read(m);
    let refused = match streams.get(id) {
        Some(Stream { channel: Channel::Input(input), options, .. }) => {
            let past = input.past_end && options.eof_action == EofAction::Error;
            unit.conflict(options.binary).or(past.then_some("past_end_of_stream"))
        }
        _ => Some("stream"),
    };
    refuse(m, "input", refused, named, id)
}

fn refuse(
    m: &mut Machine,
    action: &str,
    refused: Option<&str>,
    named: Option<Cell>,
    id: StreamId,
) -> OrFault<StreamId> {
    match refused {
        None => Ok(id),
        Some(kind) => {
            let culprit = named.unwrap_or_else(|| stream_cell(m, id));
            Err(m.permission_error(action, kind, culprit))
        }
    }
}

/// `error(io_error(Action, Stream), context(_, Message))`.
pub(super) fn io_error(m: &mut Machine, action: &str, id: StreamId, error: &io::Error) -> Fault {
    match error.get_ref().and_then(|error| error.downcast_ref::<ReadEnded>()) {
        Some(ReadEnded::Room) => return m.resource_error("memory"),
        Some(ReadEnded::Stopped(reason)) => return Fault::Stopped(*reason),
        None if error.get_ref().is_some_and(|error| error.is::<OutputLimit>()) => {
            return Fault::Stopped(StopReason::Output);
        }
        None => {}
    }
    let action = args::atom_cell(m, action);
    let stream = stream_cell(m, id);
    let formal = args::compound(m, "io_error", &[action, stream]);
    with_message(m, formal, error)
}

/// `error(Formal, context(_, Message))`, the message being the system's.
fn with_message(m: &mut Machine, formal: Cell, error: &io::Error) -> Fault {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or("");
    let message = args::atom_cell(m, text);
    let place = m.heap.new_var();
    let context = m.heap.new_struct(atoms::CONTEXT, &[place, message]);
    let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
    m.ball(ball)
}

/// Writes a text to the current output.
pub fn put_text(m: &mut Machine, w: &mut World, text: &str) -> Outcome {
    let id = output(m, &w.streams, None, Unit::Text)?;
    emit(m, w, id, text)
}

/// Writes a text for the rules: what is captured takes of their memory, anything else of
/// the output they may make.
pub(super) fn emit(m: &mut Machine, w: &mut World, id: StreamId, text: &str) -> Outcome {
    if w.streams.is_capture(id) {
        m.room_for(text.len())?;
    }
    let result = w.streams.emit(id, text);
    m.outside = w.held();
    written(m, id, result)
}

/// The fault of a write that failed, if it failed.
pub(super) fn written(m: &mut Machine, id: StreamId, result: io::Result<()>) -> Outcome {
    result.map(|()| true).map_err(|error| io_error(m, "write", id, &error))
}

pub(super) fn was_read<T>(m: &mut Machine, id: StreamId, result: io::Result<T>) -> OrFault<T> {
    result.map_err(|error| io_error(m, "read", id, &error))
}

/// The stream argument of a predicate that has `n` arguments without it, and
/// those arguments.
pub(super) fn split(a: &[Cell], n: usize) -> (Option<Cell>, &[Cell]) {
    match a {
        [stream, rest @ ..] if rest.len() == n => (Some(*stream), rest),
        _ => (None, a),
    }
}

/// `open_string(Text, Stream)`: a stream to read Text from.
fn open_string(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let text = super::text::any(m, a[0], "text")?.to_string();
    m.room_for(text.len())?;
    let id = w.streams.add_input(None, text.into_bytes(), None, Options::default());
    m.outside = w.held();
    let stream = stream_cell(m, id);
    Ok(m.unify(a[1], stream))
}

fn open(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let file = source_sink(m, a[0])?;
    let mode = args::atom(m, a[1])?;
    let mode = match m.symbols.name(mode) {
        "read" => Mode::Read,
        "write" => Mode::Write,
        "append" => Mode::Append,
        "update" => Mode::Update,
        _ => return Err(m.domain_error("io_mode", a[1])),
    };
    let (options, alias) = open_options(m, w, a.get(3).copied().unwrap_or(Cell::NIL))?;
    args::unbound(m, a[2])?;
    let id = open_file(m, w, a[0], &file, mode, options)?;
    if let Some(alias) = alias {
        w.streams.add_alias(id, &alias);
    }
    let stream = stream_cell(m, id);
    Ok(m.unify(a[2], stream))
}

/// The name of a file.
pub(super) fn source_sink(m: &mut Machine, cell: Cell) -> OrFault<String> {
    args::bound(m, cell)?;
    let name = args::text(m, cell).filter(|_| cell != Cell::NIL);
    name.ok_or_else(|| m.domain_error("source_sink", cell))
}

/// Opens a file as a stream, with the standard's errors.
pub(super) fn open_file(
    m: &mut Machine,
    w: &mut World,
    cell: Cell,
    file: &str,
    mode: Mode,
    options: Options,
) -> OrFault<StreamId> {
    if w.files.is_sandbox() {
        return Err(sandbox::refusal(m, "open", "source_sink", &[cell]));
    }
    let path = w.path(file);
    if mode == Mode::Read {
        // A plain file is read whole.
        let bytes = w.files.metadata(&path).map_or(0, |facts| facts.len());
        m.room_for(usize::try_from(bytes).unwrap_or(usize::MAX))?;
    }
    let opened = match mode {
        Mode::Read => open_input(&w.files, &path)
            .map(|(source, text)| w.streams.add_input(source, text, Some(file), options)),
        _ => {
            let opened = match mode {
                Mode::Append => w.files.open_to(Change::Append, &path),
                Mode::Update => w.files.open_to(Change::Overwrite, &path),
                _ => w.files.create(&path),
            };
            opened.map(|sink| w.streams.add_output(Some(Box::new(sink)), Some(file), mode, options))
        }
    };
    opened.map_err(|error| system_error(m, "open", "source_sink", cell, &error))
}

/// The error for a file or folder with which the system refused to do something.
pub(super) fn system_error(
    m: &mut Machine,
    action: &str,
    kind: &str,
    culprit: Cell,
    error: &io::Error,
) -> Fault {
    let kind = args::atom_cell(m, kind);
    let missing = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists);
    let formal = if missing {
        m.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, culprit])
    } else {
        let action = args::atom_cell(m, action);
        m.heap.new_struct(atoms::PERMISSION_ERROR, &[action, kind, culprit])
    };
    with_message(m, formal, error)
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

fn open_options(m: &mut Machine, w: &World, list: Cell) -> OrFault<(Options, Option<String>)> {
    let (mut options, mut alias) = (Options::default(), None);
    for option in args::list(m, list)? {
        args::bound(m, option)?;
        let Some((name, value)) = option_parts(m, option) else {
            return Err(m.domain_error("stream_option", option));
        };
        if m.is_iso() && !value.is_var() && !value.is_atom() {
            return Err(m.domain_error("stream_option", option));
        }
        if name == "alias" {
            let wanted = args::atom(m, value)?;
            let wanted = m.symbols.name(wanted).to_owned();
            if w.streams.by_alias(&wanted).is_some() {
                return Err(m.permission_error("open", "source_sink", option));
            }
            alias = Some(wanted);
        } else if !OPEN_IGNORED.contains(&&*name) {
            let value = args::atom(m, value)?;
            let value = m.symbols.name(value).to_owned();
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
                return Err(m.domain_error("stream_option", option));
            }
        }
    }
    Ok((options, alias))
}

/// Name and argument of an option `name(Value)` or `name = Value`.
pub(super) fn option_parts(m: &Machine, option: Cell) -> Option<(String, Cell)> {
    if let Some([name, value]) = m.heap.match_struct(option, atoms::UNIFY) {
        let name = m.heap.deref(name).as_atom()?;
        return Some((m.symbols.name(name).to_owned(), m.heap.deref(value)));
    }
    match m.heap.value(option) {
        Value::Struct(name, 1, argument) => {
            let value = m.heap.deref(m.heap.at(argument));
            Some((m.symbols.name(name).to_owned(), value))
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

fn close(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = resolve(m, &w.streams, a[0])?;
    let mut force = false;
    if let Some(&list) = a.get(1) {
        for option in args::list(m, list)? {
            args::bound(m, option)?;
            let value = option_parts(m, option).filter(|(name, _)| name == "force");
            let value = value.and_then(|(_, value)| args::boolean(m, value));
            force = value.ok_or_else(|| m.domain_error("close_option", option))?;
        }
    }
    let closed = w.streams.close(id);
    m.outside = w.held();
    if force { Ok(true) } else { written(m, id, closed) }
}

/// Unifies an argument that must be a stream or unbound with a stream.
fn unify_stream(m: &mut Machine, w: &World, cell: Cell, id: StreamId) -> Outcome {
    if !cell.is_var() {
        match stream_number(m, cell) {
            None => return Err(m.domain_error("stream", cell)),
            Some(number) if w.streams.get(number).is_none() => {
                return Err(m.existence_error("stream", cell));
            }
            Some(_) => {}
        }
    }
    let stream = stream_cell(m, id);
    Ok(m.unify(cell, stream))
}

fn set_input(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = resolve(m, &w.streams, a[0])?;
    if !matches!(w.streams.get(id).map(|stream| &stream.channel), Some(Channel::Input(_))) {
        return Err(m.permission_error("input", "stream", a[0]));
    }
    w.streams.current_input = id;
    Ok(true)
}

fn set_output(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    w.streams.current_output = output(m, &w.streams, Some(a[0]), Unit::Any)?;
    Ok(true)
}

fn flush_output(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = output(m, &w.streams, a.first().copied(), Unit::Any)?;
    let flushed = w.streams.flush(id);
    written(m, id, flushed)
}

fn ttyflush(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    let flushed = w.streams.flush_standard();
    written(m, super::streams::USER_OUTPUT, flushed)
}

fn is_stream(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    Ok(match m.heap.value(a[0]) {
        Value::Atom(alias) => w.streams.by_alias(m.symbols.name(alias)).is_some(),
        _ => stream_number(m, a[0]).is_some_and(|id| w.streams.get(id).is_some()),
    })
}

/// `set_stream(S, Property)`: alias, encoding, type, eof_action, buffer.
fn set_stream(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = resolve(m, &w.streams, a[0])?;
    let Some((name, value)) = option_parts(m, a[1]) else {
        return Err(m.domain_error("stream_property", a[1]));
    };
    if OPEN_IGNORED.contains(&&*name) {
        return Ok(true);
    }
    let value = args::atom(m, value)?;
    let value = m.symbols.name(value).to_owned();
    if name == "alias" {
        w.streams.add_alias(id, &value);
        return Ok(true);
    }
    let known =
        w.streams.get_mut(id).is_some_and(|stream| set_option(&mut stream.options, &name, &value));
    if known { Ok(true) } else { Err(m.domain_error("stream_property", a[1])) }
}

fn streams(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let ids = w.streams.ids();
    let cells: Vec<Cell> = ids.into_iter().map(|id| stream_cell(m, id)).collect();
    Ok(args::unify_list(m, a[0], &cells))
}

fn prompt(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let old = args::atom_cell(m, &w.streams.prompt);
    if !m.unify(a[0], old) {
        return Ok(false);
    }
    let new = m.heap.deref(a[1]);
    match args::text(m, new) {
        Some(text) => w.streams.prompt = text.into(),
        None => return Err(m.type_error("atom", new)),
    }
    Ok(true)
}

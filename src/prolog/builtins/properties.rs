//! What `stream_property/2` says of a stream.

use super::characters::position_cell;
use super::stream_predicates::{stream_number, was_read};
use super::streams::{Channel, Stream};
use super::{Entry, World, args};
use zug_machine::{Machine, Outcome};
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::session("$stream_properties", 2, stream_properties),
    Entry::session("$check_stream_property", 1, check_stream_property),
];

/// The properties with an argument that one may ask for.
const PROPERTIES: &str = "alias buffer encoding end_of_stream eof_action file_name file_no mode newline nlink \
    position reposition timeout tty type bom buffer_size close_on_abort locale \
    representation_errors error";

/// `'$check_stream_property'(P)`: an error unless P is unbound or could be a property.
fn check_stream_property(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let known = match m.heap.value(a[0]) {
        Value::Var(_) => true,
        Value::Atom(name) => matches!(m.symbols.name(name), "input" | "output"),
        Value::Struct(name, 1, _) => args::is_among(PROPERTIES, m.symbols.name(name)),
        _ => false,
    };
    if known { Ok(true) } else { Err(m.domain_error("stream_property", a[0])) }
}

/// `'$stream_properties'(S, Ps)`: all properties of an open stream.
fn stream_properties(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let found = match m.heap.value(a[0]) {
        Value::Atom(alias) => w.streams.by_alias(m.symbols.name(alias)),
        _ => stream_number(m, a[0]),
    };
    let Some(id) = found else {
        return Err(m.domain_error("stream", a[0]));
    };
    let at_end = match w.streams.get(id) {
        None => return Err(m.existence_error("stream", a[0])),
        // Only asked where no user is kept waiting.
        Some(Stream { channel: Channel::Input(_), file: Some(_), .. }) => {
            let found = w.streams.at_end(id);
            was_read(m, id, found)?
        }
        Some(_) => false,
    };
    let Some(stream) = w.streams.get(id) else { return Ok(false) };
    let list = property_list(m, stream, at_end);
    Ok(m.unify(a[1], list))
}

fn property_list(m: &mut Machine, stream: &Stream, at_end: bool) -> Cell {
    let options = &stream.options;
    let mut found = Vec::new();
    let mut add = |name: &str, value: &str| {
        let value = args::atom_cell(m, value);
        found.push(args::compound(m, name, &[value]));
    };
    for alias in &stream.aliases {
        add("alias", alias);
    }
    if let Some(file) = &stream.file {
        add("file_name", file);
    }
    add("mode", stream.mode.name());
    add("type", if options.binary { "binary" } else { "text" });
    add("encoding", options.encoding.name());
    if !options.binary && stream.file.is_some() {
        add("bom", if stream.is_marked { "true" } else { "false" });
    }
    add("newline", "posix");
    add("buffer", options.buffering.name());
    let mut repositionable = false;
    if let Channel::Input(input) = &stream.channel {
        repositionable = options.reposition && input.is_complete();
        let end = if at_end { "at" } else { "not" };
        add("end_of_stream", if input.past_end { "past" } else { end });
        add("eof_action", options.eof_action.name());
    }
    add("reposition", if repositionable { "true" } else { "false" });
    let direction = if matches!(stream.channel, Channel::Input(_)) { "input" } else { "output" };
    found.push(args::atom_cell(m, direction));
    let position = position_cell(m, stream.place);
    found.push(args::compound(m, "position", &[position]));
    m.heap.list_from(&found, Cell::NIL)
}

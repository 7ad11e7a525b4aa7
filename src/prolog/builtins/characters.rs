//! One character, code or byte at a time (ISO 13211-1, 8.12 and 8.13), places in
//! streams, and reading whole lines.

use super::stream_predicates::{
    Unit, emit, input, io_error, output, resolve, split, was_read, written,
};
use super::stream_text::StreamPosition;
use super::streams::StreamId;
use super::{Entry, OrFault, World, args};
use zug_machine::{Machine, Outcome};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::session("get_char", 1, |m, w, a| one(m, w, a, Kind::Char, true)).up_to(2),
    Entry::session("peek_char", 1, |m, w, a| one(m, w, a, Kind::Char, false)).up_to(2),
    Entry::session("get_code", 1, get_code).up_to(2),
    Entry::session("get0", 1, get_code).up_to(2),
    Entry::session("peek_code", 1, |m, w, a| one(m, w, a, Kind::Code, false)).up_to(2),
    Entry::session("get_byte", 1, |m, w, a| one(m, w, a, Kind::Byte, true)).up_to(2),
    Entry::session("peek_byte", 1, |m, w, a| one(m, w, a, Kind::Byte, false)).up_to(2),
    Entry::session("get", 1, get_visible).up_to(2),
    Entry::session("skip", 1, skip).up_to(2),
    Entry::output("put_char", 1, put_char).up_to(2),
    Entry::output("put_code", 1, put_code).up_to(2),
    Entry::output("put_byte", 1, put_byte).up_to(2),
    Entry::output("nl", 0, |m, w, a| put(m, w, a.first().copied(), '\n')).up_to(1),
    Entry::output("$tab", 1, tab).up_to(2),
    Entry::session("at_end_of_stream", 0, at_end_of_stream).up_to(1),
    Entry::session("set_stream_position", 2, set_stream_position),
    Entry::session("character_count", 2, |m, w, a| count(m, w, a, |place| place.characters)),
    Entry::session("byte_count", 2, |m, w, a| count(m, w, a, |place| place.bytes)),
    Entry::session("line_count", 2, |m, w, a| count(m, w, a, |place| place.line)),
    Entry::session("line_position", 2, |m, w, a| count(m, w, a, |place| place.column)),
    Entry::session("read_line_to_string", 2, read_line_to_string),
    Entry::session("read_line_to_codes", 1, read_line_to_codes).up_to(2),
    Entry::session("read_line_to_codes", 3, read_line_to_codes_tail),
    Entry::session("read_stream_to_codes", 2, read_stream_to_codes).up_to(3),
    Entry::session("read_string", 3, read_string),
];

/// A character or the end, as one of the three kinds of predicate sees it.
#[derive(Clone, Copy)]
enum Kind {
    Char,
    Code,
    Byte,
}

impl Kind {
    fn cell(self, m: &mut Machine, found: Option<u32>) -> Cell {
        match (self, found) {
            (Kind::Char, None) => Cell::atom(atoms::END_OF_FILE),
            (_, None) => Cell::small(-1),
            (Kind::Char, Some(code)) => {
                Cell::atom(m.symbols.intern_char(char::from_u32(code).unwrap_or('\u{FFFD}')))
            }
            (_, Some(code)) => Cell::small(i64::from(code)),
        }
    }

    /// Refuses an argument that could never be what is read.
    fn check(self, m: &mut Machine, cell: Cell) -> OrFault<()> {
        let value = m.heap.value(cell);
        let fits = match (self, &value) {
            (_, Value::Var(_)) => true,
            (Kind::Char, Value::Atom(atom)) => {
                *atom == atoms::END_OF_FILE || args::only_char(m.symbols.name(*atom)).is_some()
            }
            (Kind::Code, Value::Int(code)) => *code == -1 || args::char_of(*code).is_some(),
            (Kind::Byte, Value::Int(byte)) => (-1..=255).contains(byte),
            _ => false,
        };
        match (self, value) {
            _ if fits => Ok(()),
            (Kind::Char, _) => Err(m.type_error("in_character", cell)),
            (Kind::Code, Value::Int(_) | Value::Big(_)) => {
                Err(m.representation_error("in_character_code"))
            }
            (Kind::Code, _) => Err(m.type_error("integer", cell)),
            (Kind::Byte, _) => Err(m.type_error("in_byte", cell)),
        }
    }
}

/// Takes or peeks at one character, code or byte.
fn one(m: &mut Machine, w: &mut World, a: &[Cell], kind: Kind, take: bool) -> Outcome {
    let (stream, rest) = split(a, 1);
    let unit = if matches!(kind, Kind::Byte) { Unit::Byte } else { Unit::Text };
    if stream.is_none() {
        kind.check(m, rest[0])?;
    }
    let id = input(m, &w.streams, stream, unit)?;
    kind.check(m, rest[0])?;
    let streams = &mut w.streams;
    let found = match (kind, take) {
        (Kind::Byte, true) => streams.next_byte(id).map(|byte| byte.map(u32::from)),
        (Kind::Byte, false) => streams.peek_byte(id).map(|byte| byte.map(u32::from)),
        (_, true) => streams.next_char(id).map(|c| c.map(u32::from)),
        (_, false) => streams.peek_char(id).map(|c| c.map(|(c, _)| u32::from(c))),
    };
    let found = was_read(m, id, found)?;
    let cell = kind.cell(m, found);
    Ok(m.unify(rest[0], cell))
}

fn get_code(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    one(m, w, a, Kind::Code, true)
}

/// `get/1`: the next code that isn't layout.
fn get_visible(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let id = input(m, &w.streams, stream, Unit::Text)?;
    let found = loop {
        let found = w.streams.next_char(id);
        match was_read(m, id, found)? {
            Some(c) if c.is_whitespace() => {}
            other => break other.map(u32::from),
        }
    };
    let cell = Kind::Code.cell(m, found);
    Ok(m.unify(rest[0], cell))
}

/// `skip/1`: reads up to and with a character, given as itself or its code.
fn skip(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let wanted = character(m, rest[0])?;
    let id = input(m, &w.streams, stream, Unit::Text)?;
    loop {
        let found = w.streams.next_char(id);
        match was_read(m, id, found)? {
            None => return Ok(true),
            Some(c) if c == wanted => return Ok(true),
            Some(_) => {}
        }
    }
}

/// A character from a one-character atom or a code.
fn character(m: &mut Machine, cell: Cell) -> OrFault<char> {
    match (args::character(m, cell), m.heap.value(cell)) {
        (Some(c), _) => Ok(c),
        (None, Value::Int(_)) => Err(m.representation_error("character_code")),
        _ => Err(m.type_error("character", cell)),
    }
}

fn put(m: &mut Machine, w: &mut World, stream: Option<Cell>, c: char) -> Outcome {
    let id = output(m, &w.streams, stream, Unit::Text)?;
    emit(m, w, id, c.encode_utf8(&mut [0; 4]))
}

fn put_char(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let c = match m.heap.value(rest[0]) {
        Value::Atom(_) => character(m, rest[0])?,
        _ => return Err(m.type_error("character", rest[0])),
    };
    put(m, w, stream, c)
}

fn put_code(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let c = match m.heap.value(rest[0]) {
        Value::Int(_) => character(m, rest[0])?,
        _ => return Err(m.type_error("integer", rest[0])),
    };
    put(m, w, stream, c)
}

fn put_byte(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let byte = rest[0].as_int().and_then(|byte| u8::try_from(byte).ok());
    let byte = byte.ok_or_else(|| m.type_error("byte", rest[0]))?;
    let id = output(m, &w.streams, stream, Unit::Byte)?;
    let result = w.streams.emit_byte(id, byte);
    written(m, id, result)
}

/// Blanks written at a time by `tab/1`.
const BLANKS: &str = "                                                                ";

/// Pieces that `tab/1` writes between two looks at limits.
const BLANKS_BETWEEN_LOOKS: usize = 1 << 12;

/// `'$tab'(N)`: N blanks, N already evaluated.
fn tab(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let mut left = usize::try_from(args::integer(m, rest[0])?).unwrap_or(0);
    let id = output(m, &w.streams, stream, Unit::Text)?;
    let mut since_look = 0_usize;
    while left > 0 {
        since_look += 1;
        if since_look.is_multiple_of(BLANKS_BETWEEN_LOOKS) {
            m.keep_going()?;
        }
        let count = left.min(BLANKS.len());
        emit(m, w, id, &BLANKS[..count])?;
        left -= count;
    }
    Ok(true)
}

fn at_end_of_stream(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = match a.first() {
        None => w.streams.current_input,
        Some(&stream) => resolve(m, &w.streams, stream)?,
    };
    let is_input = matches!(
        w.streams.get(id).map(|stream| &stream.channel),
        Some(super::streams::Channel::Input(_))
    );
    if let (false, Some(&stream)) = (is_input, a.first()) {
        return Err(m.permission_error("input", "stream", stream));
    }
    if w.streams.past_end(id) {
        return Ok(true);
    }
    let found = w.streams.at_end(id);
    was_read(m, id, found)
}

/// `'$stream_position'(Characters, Line, Column, Bytes)`.
pub(super) fn position_cell(m: &mut Machine, place: StreamPosition) -> Cell {
    let numbers =
        [place.characters, place.line, place.column, place.bytes].map(|n| Cell::small(n as i64));
    args::compound(m, "$stream_position", &numbers)
}

fn set_stream_position(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = resolve(m, &w.streams, a[0])?;
    args::bound(m, a[1])?;
    let name = m.symbols.intern("$stream_position");
    let numbers = m.heap.match_struct(a[1], name).and_then(|cells: [Cell; 4]| {
        let [characters, line, column, bytes] =
            cells.map(|cell| m.heap.deref(cell).as_int().and_then(|n| usize::try_from(n).ok()));
        Some(StreamPosition {
            characters: characters?,
            line: line?,
            column: column?,
            bytes: bytes?,
        })
    });
    let Some(place) = numbers else {
        return Err(m.domain_error("stream_position", a[1]));
    };
    if w.streams.seek(id, place) {
        Ok(true)
    } else {
        Err(m.permission_error("reposition", "stream", a[0]))
    }
}

fn count(m: &mut Machine, w: &World, a: &[Cell], what: fn(StreamPosition) -> usize) -> Outcome {
    let id = resolve(m, &w.streams, a[0])?;
    let count = w.streams.get(id).map_or(0, |stream| what(stream.place));
    Ok(m.unify(a[1], Cell::small(count as i64)))
}

fn next_line(m: &mut Machine, w: &mut World, stream: Option<Cell>) -> OrFault<Option<String>> {
    let id = input(m, &w.streams, stream, Unit::Text)?;
    let line = w.streams.read_line(id);
    was_read(m, id, line)
}

fn read_line_to_string(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let line = match next_line(m, w, Some(a[0]))? {
        Some(line) => m.heap.new_string(&line),
        None => Cell::atom(atoms::END_OF_FILE),
    };
    Ok(m.unify(a[1], line))
}

fn read_line_to_codes(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let line = match next_line(m, w, stream)? {
        Some(line) => args::code_list(m, &line, Cell::NIL),
        None => Cell::small(-1),
    };
    Ok(m.unify(rest[0], line))
}

/// `read_line_to_codes(S, Codes, Tail)`: with the line's end, as a difference list.
fn read_line_to_codes_tail(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = input(m, &w.streams, Some(a[0]), Unit::Text)?;
    let mut codes = Vec::new();
    loop {
        let found = w.streams.next_char(id);
        let Some(c) = was_read(m, id, found)? else { break };
        codes.push(Cell::small(i64::from(u32::from(c))));
        if c == '\n' {
            break;
        }
    }
    let tail = if codes.is_empty() { Cell::NIL } else { a[2] };
    let list = m.heap.list_from(&codes, tail);
    Ok(m.unify(a[1], list) && m.unify(a[2], tail))
}

/// The characters up to the end of the stream, or `limit` of them.
fn rest_of(m: &mut Machine, w: &mut World, id: StreamId, limit: usize) -> OrFault<String> {
    let mut text = String::new();
    let mut taken = 0;
    while taken < limit {
        match w.streams.next_char(id) {
            Ok(Some(c)) => text.push(c),
            Ok(None) => break,
            Err(error) => return Err(io_error(m, "read", id, &error)),
        }
        taken += 1;
    }
    Ok(text)
}

fn read_stream_to_codes(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = input(m, &w.streams, Some(a[0]), Unit::Text)?;
    let text = rest_of(m, w, id, usize::MAX)?;
    let list = args::code_list(m, &text, a.get(2).copied().unwrap_or(Cell::NIL));
    Ok(m.unify(a[1], list))
}

/// `read_string(S, Length, String)`: at most Length characters, or all there are.
fn read_string(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let id = input(m, &w.streams, Some(a[0]), Unit::Text)?;
    let limit = match m.heap.value(a[1]) {
        Value::Var(_) => usize::MAX,
        _ => usize::try_from(args::integer(m, a[1])?).unwrap_or(0),
    };
    let text = rest_of(m, w, id, limit)?;
    let length = Cell::small(text.chars().count() as i64);
    let text = m.heap.new_string(&text);
    Ok(m.unify(a[2], text) && (limit != usize::MAX || m.unify(a[1], length)))
}

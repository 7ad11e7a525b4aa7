//! `read_term/2,3`, `read/1,2`, and terms read from text.

use super::sort::list_end;
use super::stream_predicates::{Unit, input, io_error, option_parts, split, stream_cell};
use super::stream_text::StreamPosition;
use super::streams::StreamId;
use super::{Entry, OrFault, World, args, flags, loader, positions};
use std::sync::Arc;
use zug_machine::{Fault, Machine, Outcome};
use zug_syntax::{ReadOptions, ReadTerm, Reader, SyntaxFault};
use zug_term::source::Source;
use zug_term::symbol::atoms;
use zug_term::{Cell, Value, variables};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::session("read", 1, read).up_to(2),
    Entry::session("read_term", 2, read_term).up_to(3),
    Entry::pure("term_to_atom", 2, term_to_atom),
    Entry::pure("term_string", 2, term_string),
    Entry::pure("term_string", 3, term_string_by),
    Entry::session("atom_to_term", 3, atom_to_term),
];

/// The options of `read_term/2`.
#[derive(Default)]
struct ReadTermOptions {
    variable_names: Option<Cell>,
    variables: Option<Cell>,
    singletons: Option<Cell>,
    term_position: Option<Cell>,
    comments: Option<Cell>,
    subterm_positions: Option<Cell>,
    /// Whether a syntax error fails instead: `syntax_errors(fail)` or `quiet`.
    quiet: bool,
}

/// Options of `read_term/2` that are accepted and change nothing here.
const READ_IGNORED: &str =
    "module unicode_atoms cycles dotlists var_prefix process_comment backquoted_string";

fn read_options(m: &mut Machine, w: &World, list: Cell) -> OrFault<(ReadTermOptions, ReadOptions)> {
    let mut wanted = ReadTermOptions::default();
    let mut how = w.flags.read_options();
    for option in args::list(m, list)? {
        args::bound(m, option)?;
        let parts = option_parts(m, option);
        let known = parts.as_ref().is_some_and(|(name, value)| {
            let text = m.heap.deref(*value).as_atom().map(|atom| m.symbols.name(atom));
            match (&**name, text) {
                ("variable_names", _) => wanted.variable_names = Some(*value),
                ("variables", _) => wanted.variables = Some(*value),
                ("singletons", Some("warning")) => {}
                ("singletons", _) => wanted.singletons = Some(*value),
                ("term_position", _) => wanted.term_position = Some(*value),
                ("subterm_positions", _) => wanted.subterm_positions = Some(*value),
                ("comments", _) => wanted.comments = Some(*value),
                ("syntax_errors", Some(what)) => wanted.quiet = matches!(what, "fail" | "quiet"),
                ("double_quotes", Some(what)) => match flags::quotes_named(what) {
                    Some(quotes) => how.double_quotes = quotes,
                    None => return false,
                },
                (name, _) => return args::is_among(READ_IGNORED, name),
            }
            true
        });
        // The standard requires lists here; SWI-Prolog fails to unify instead.
        let answers = |name: &str| matches!(name, "variables" | "variable_names" | "singletons");
        let fits = !m.is_iso()
            || parts.is_none_or(|(name, value)| {
                let rest = list_end(&m.heap, value).1;
                let warns = value.as_atom().map(|atom| m.symbols.name(atom)) == Some("warning");
                !answers(&name)
                    || name == "singletons" && warns
                    || rest.is_var()
                    || rest == Cell::NIL
            });
        if !known || !fits {
            return Err(m.domain_error("read_option", option));
        }
    }
    Ok((wanted, how))
}

fn read(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let id = input(m, &w.streams, stream, Unit::Text)?;
    let how = w.flags.read_options();
    match next_term(m, w, id, &how)? {
        Some(found) => Ok(m.unify(rest[0], found.term.root)),
        None => Ok(m.unify(rest[0], Cell::atom(atoms::END_OF_FILE))),
    }
}

fn read_term(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 2);
    let id = input(m, &w.streams, stream, Unit::Text)?;
    let (wanted, how) = read_options(m, w, rest[1])?;
    let found = match next_term(m, w, id, &how) {
        Err(Fault::Ball(_)) if wanted.quiet => return Ok(false),
        other => other?,
    };
    match found {
        Some(found) => Ok(deliver(m, &wanted, &found) && m.unify(rest[0], found.term.root)),
        None => {
            let place = w.streams.get(id).map_or(StreamPosition::start(), |stream| stream.place);
            let term = ReadTerm {
                roles: Vec::new(),
                root: Cell::atom(atoms::END_OF_FILE),
                span: zug_term::source::Span::default(),
                variables: Vec::new(),
                singletons: Vec::new(),
                multiple: Vec::new(),
                spans: Vec::new(),
            };
            let found = FoundTerm { text: String::new(), start: place, place, term };
            Ok(deliver(m, &wanted, &found) && m.unify(rest[0], found.term.root))
        }
    }
}

/// A term that was read, and its text.
pub(super) struct FoundTerm {
    text: String,
    /// Where the text begins.
    start: StreamPosition,
    /// Where the term begins.
    place: StreamPosition,
    pub term: ReadTerm,
}

/// Unifies what was asked for with what was read.
fn deliver(m: &mut Machine, wanted: &ReadTermOptions, found: &FoundTerm) -> bool {
    let FoundTerm { text, start, place, term: read } = found;
    if let Some(names) = wanted.variable_names {
        let list = name_list(m, &read.variables, |_| true);
        if !m.unify(names, list) {
            return false;
        }
    }
    if let Some(names) = wanted.singletons {
        let counts = occurrences(m, read.root);
        let once = |cell: Cell| counts.get(&cell.addr()) == Some(&1);
        let list = name_list(m, &read.variables, once);
        if !m.unify(names, list) {
            return false;
        }
    }
    if let Some(a) = wanted.variables {
        let found = variables(&m.heap, read.root);
        let list = m.heap.list_from(&found, Cell::NIL);
        if !m.unify(a, list) {
            return false;
        }
    }
    if let Some(position) = wanted.term_position {
        let cell = super::characters::position_cell(m, *place);
        if !m.unify(position, cell) {
            return false;
        }
    }
    if let Some(position) = wanted.subterm_positions {
        let cell = positions::of_term(m, text, read, start.characters);
        if !m.unify(position, cell) {
            return false;
        }
    }
    let Some(comments) = wanted.comments else { return true };
    let found = positions::comments(m, text, *start);
    m.unify(comments, found)
}

/// `['X'=V, …]` of the variables for which `keep` holds, before any is bound.
fn name_list(m: &mut Machine, named: &[(Arc<str>, Cell)], keep: impl Fn(Cell) -> bool) -> Cell {
    let mut pairs = Vec::with_capacity(named.len());
    for (name, cell) in named.iter().filter(|(_, cell)| keep(*cell)) {
        let name = args::atom_cell(m, name);
        pairs.push(m.heap.new_struct(atoms::UNIFY, &[name, *cell]));
    }
    m.heap.list_from(&pairs, Cell::NIL)
}

/// How often each variable of a term occurs, by address.
pub(super) fn occurrences(m: &Machine, root: Cell) -> rustc_hash::FxHashMap<usize, usize> {
    super::output::count_variables(&m.heap, root)
}

/// Takes the next clause off a stream and reads it.
/// `None` at the end of the stream.
pub(super) fn next_term(
    m: &mut Machine,
    w: &mut World,
    id: StreamId,
    how: &ReadOptions,
) -> OrFault<Option<FoundTerm>> {
    let start = w.streams.get(id).map_or(StreamPosition::start(), |stream| stream.place);
    let Some(text) = clause_text(m, w, id)? else { return Ok(None) };
    let mut reader = Reader::at(Source::new("stream", &text), 0);
    reader.set_read_limit(loader::read_limit(m));
    let found = reader.next(&mut m.heap, &mut m.symbols, &w.operators, how);
    if reader.stopped() {
        return Err(loader::impatience(m));
    }
    match found {
        Ok(None) => Ok(None),
        Ok(Some(term)) => {
            let place = place_in(&text, term.span.start, start);
            Ok(Some(FoundTerm { text, start, place, term }))
        }
        Err(fault) => {
            let offset = fault.diagnostic.primary.as_ref().map_or(0, |label| label.span.start);
            let place = place_in(&text, offset, start);
            let context = stream_context(m, w, id, place);
            Err(syntax_error(m, &fault, context))
        }
    }
}

/// The place of a byte of `text`, which began at `start`.
fn place_in(text: &str, offset: u32, start: StreamPosition) -> StreamPosition {
    let mut place = start;
    let before = text.get(..offset as usize).unwrap_or(text);
    place.advance(before, before.len());
    place
}

/// The text of the next clause with its full stop, taken off the stream.
fn clause_text(m: &mut Machine, w: &mut World, id: StreamId) -> OrFault<Option<String>> {
    w.streams.read_clause(id).map_err(|error| io_error(m, "read", id, &error))
}

/// `file(Name, Line, Column, Character)`, or `stream(S, …)` without a file.
fn stream_context(m: &mut Machine, w: &World, id: StreamId, place: StreamPosition) -> Cell {
    let numbers = [place.line, place.column, place.characters].map(|n| Cell::small(n as i64));
    let (name, what) = match w.streams.get(id).and_then(|stream| stream.file.clone()) {
        Some(file) => ("file", args::atom_cell(m, &file)),
        None => ("stream", stream_cell(m, id)),
    };
    args::compound(m, name, &[what, numbers[0], numbers[1], numbers[2]])
}

/// `error(syntax_error(Message), Context)` for a fault the reader found.
pub fn syntax_error(m: &mut Machine, fault: &SyntaxFault, context: Cell) -> Fault {
    let (name, culprit) = fault.kind.iso();
    let message = match culprit {
        None => args::atom_cell(m, name),
        Some(c) => {
            let c = Cell::atom(m.symbols.intern_char(c));
            args::compound(m, name, &[c])
        }
    };
    let formal = m.heap.new_struct(atoms::SYNTAX_ERROR, &[message]);
    let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
    m.ball(ball)
}

/// Named variables, in order of first occurrence.
type Names = Vec<(Arc<str>, Cell)>;

/// Reads the one term a text holds, with or without a full stop. An empty text
/// holds `end_of_file`.
pub(super) fn term_from_text(m: &mut Machine, w: &World, text: &str) -> OrFault<(Cell, Names)> {
    let how = w.flags.read_options();
    Ok(match read_text(m, w, text, &how)? {
        Some(read) => (read.root, read.variables),
        None => (Cell::atom(atoms::END_OF_FILE), Vec::new()),
    })
}

/// The same with all that is known of the term; `None` of an empty text.
fn read_text(
    m: &mut Machine,
    w: &World,
    text: &str,
    how: &ReadOptions,
) -> OrFault<Option<ReadTerm>> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let ended = format!("{text}\n .");
    let mut reader = Reader::at(Source::new("string", &ended), 0);
    reader.set_read_limit(loader::read_limit(m));
    let found = reader.next(&mut m.heap, &mut m.symbols, &w.operators, how);
    if reader.stopped() {
        return Err(loader::impatience(m));
    }
    let rest = ended.get(reader.offset()..).unwrap_or("").trim();
    match found {
        Ok(Some(read)) if rest.is_empty() || rest == "." => Ok(Some(read)),
        Ok(Some(_)) => Err(text_error(m, None, text, ended.len() - rest.len())),
        Ok(None) => Ok(None),
        Err(fault) => {
            let at = fault.diagnostic.primary.as_ref().map_or(0, |label| label.span.start as usize);
            Err(text_error(m, Some(&fault), text, at.min(text.len())))
        }
    }
}

/// A syntax error in a text, at a byte of it: `string(Text, Character)` is the context.
fn text_error(m: &mut Machine, fault: Option<&SyntaxFault>, text: &str, at: usize) -> Fault {
    let string = m.heap.new_string(text);
    let at = text.get(..at).unwrap_or(text).chars().count();
    let context = args::compound(m, "string", &[string, Cell::small(at as i64)]);
    match fault {
        Some(fault) => syntax_error(m, fault, context),
        None => {
            let message = args::atom_cell(m, "end_of_clause_expected");
            let formal = m.heap.new_struct(atoms::SYNTAX_ERROR, &[message]);
            let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
            m.ball(ball)
        }
    }
}

/// The text of an atom, string, number, code or character list.
fn any_text(m: &mut Machine, w: &World, cell: Cell) -> OrFault<String> {
    match m.heap.value(cell) {
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Rational(_) => {
            super::output::Style::Write.text(m, w, cell)
        }
        _ if cell == Cell::NIL => Ok("[]".to_owned()),
        _ => args::text(m, cell).ok_or_else(|| m.type_error("text", cell)),
    }
}

fn term_to_atom(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if a[1].is_var() {
        args::bound(m, a[0])?;
        let text = super::output::Style::Quoted.text(m, w, a[0])?;
        return Ok(args::unify_atom(m, a[1], &text));
    }
    let text = any_text(m, w, a[1])?;
    let (term, _) = term_from_text(m, w, &text)?;
    Ok(m.unify(a[0], term))
}

/// `term_string(Term, Text, Options)`: reading takes the options of `read_term/2`.
fn term_string_by(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if a[1].is_var() {
        return term_string(m, w, a);
    }
    let (wanted, how) = read_options(m, w, a[2])?;
    let text = any_text(m, w, a[1])?;
    let term = match read_text(m, w, &text, &how) {
        Err(Fault::Ball(_)) if wanted.quiet => return Ok(false),
        other => other?,
    };
    let Some(term) = term else {
        return Ok(m.unify(a[0], Cell::atom(atoms::END_OF_FILE)));
    };
    let start = StreamPosition { line: 0, ..StreamPosition::start() };
    let place = place_in(&text, term.span.start, start);
    let found = FoundTerm { text, start, place, term };
    Ok(deliver(m, &wanted, &found) && m.unify(a[0], found.term.root))
}

fn term_string(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    if !a[1].is_var() {
        let text = any_text(m, w, a[1])?;
        let (term, _) = term_from_text(m, w, &text)?;
        return Ok(m.unify(a[0], term));
    }
    let text = super::output::Style::Quoted.text(m, w, a[0])?;
    m.room_for(text.len())?;
    Ok(args::unify_string(m, a[1], &text))
}

/// `atom_to_term(Text, Term, Bindings)`.
fn atom_to_term(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    args::bound(m, a[0])?;
    let text = any_text(m, w, a[0])?;
    let (term, named) = term_from_text(m, w, &text)?;
    let names = name_list(m, &named, |_| true);
    Ok(m.unify(a[2], names) && m.unify(a[1], term))
}

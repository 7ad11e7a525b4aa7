//! Terms as text: `write/1` and its kin (ISO 13211-1, 8.14.2).

use super::bounded::{self, Written};
use super::stream_predicates::{Unit, emit, option_parts, output, split};
use super::{Entry, OrFault, World, args};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use zug_machine::{Machine, Outcome, Space};
use zug_syntax::Operators;
use zug_syntax::printer::{self, WriteOptions, letter, term_to_string};
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, Record, Value, variables};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::output("write", 1, |m, w, a| styled(m, w, a, Style::Write, "")).up_to(2),
    Entry::output("writeln", 1, |m, w, a| styled(m, w, a, Style::Write, "\n")).up_to(2),
    Entry::output("$print", 1, |m, w, a| styled(m, w, a, Style::Print, "")).up_to(2),
    Entry::session("$portray", 0, |m, _, _| Ok(has_portray(m))),
    Entry::output("writeq", 1, |m, w, a| styled(m, w, a, Style::Quoted, "")).up_to(2),
    Entry::output("write_canonical", 1, write_canonical).up_to(2),
    Entry::output("write_term", 2, write_term).up_to(3),
    Entry::session("write_length", 3, write_length),
];

/// How the predicates without options write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `write/1`: for people.
    Write,
    /// `print/1`: as `writeq/1`.
    Print,
    /// `writeq/1`: quoted where needed.
    Quoted,
    /// `write_canonical/1`: what any reader reads back.
    Canonical,
}

impl Style {
    /// The options that `write_term/2` would be given.
    pub fn options(self) -> WriteOptions<'static> {
        let canonical = self == Style::Canonical;
        WriteOptions {
            quoted: self != Style::Write,
            ignore_ops: canonical,
            brace_terms: !canonical,
            numbervars: !canonical,
            ..WriteOptions::default()
        }
    }

    /// A term's text.
    pub fn text(self, m: &mut Machine, w: &World, cell: Cell) -> OrFault<String> {
        text_of(m, w, &self.options(), cell, usize::MAX).whole()
    }
}

/// The text of a term, at most N bytes of it.
fn text_of(
    m: &mut Machine,
    w: &World,
    options: &WriteOptions<'_>,
    cell: Cell,
    most: usize,
) -> Written {
    bounded::written(m, most, |m, out| {
        printer::write_term(out, &m.heap, &m.symbols, &w.operators, cell, options)
    })
}

/// Appends a term's text.
pub(super) fn append_term(
    heap: &Heap,
    symbols: &Symbols,
    operators: &Operators,
    options: &WriteOptions<'_>,
    cell: Cell,
    out: &mut String,
) {
    out.push_str(&printer::term_to_string(heap, symbols, operators, cell, options));
}

fn styled(m: &mut Machine, w: &mut World, a: &[Cell], style: Style, end: &str) -> Outcome {
    let (stream, rest) = split(a, 1);
    let id = output(m, &w.streams, stream, Unit::Text)?;
    let most = w.streams.may_emit(id);
    let mut found = text_of(m, w, &style.options(), rest[0], most);
    found.text.push_str(end);
    emit(m, w, id, &found.text)?;
    found.whole().map(|_| true)
}

/// Variables are named `A`, `B`, …, and `_` where they occur once.
fn write_canonical(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let names = names(&m.heap, rest[0]);
    let dotlists = m.is_iso();
    let options = WriteOptions { variable_names: &names, dotlists, ..Style::Canonical.options() };
    let text = text_of(m, w, &options, rest[0], usize::MAX).whole()?;
    let id = output(m, &w.streams, stream, Unit::Text)?;
    emit(m, w, id, &text)
}

/// Whether the program has clauses of `portray/1`.
pub(super) fn has_portray(m: &Machine) -> bool {
    let Some(name) = m.symbols.lookup("portray") else { return false };
    let pred = m.program.lookup(name, 1, Space::User);
    pred.is_some_and(|pred| !m.program.live_clauses(pred).is_empty())
}

/// Names for variables.
type Names = Vec<(Arc<str>, Cell)>;

/// The options of `write_term/2`.
pub struct WriteTermOptions {
    options: WriteOptions<'static>,
    names: Names,
    full_stop: bool,
    newline: bool,
}

impl WriteTermOptions {
    /// The text of a term.
    pub fn text(&self, m: &mut Machine, w: &World, cell: Cell) -> OrFault<String> {
        let options = WriteOptions { variable_names: &self.names, ..self.options };
        text_of(m, w, &options, cell, usize::MAX).whole()
    }
}

/// Options of `write_term/2` that are accepted and change nothing here.
const WRITE_IGNORED: &str = "portray portrayed portray_goal cycles attributes blobs character_escapes \
    character_escapes_unicode partial module quote_non_ascii no_lists back_quotes \
    portray_clause brace_terms float_format max_text";

/// The options of `write_term/2`.
pub fn write_options(m: &mut Machine, list: Cell) -> OrFault<WriteTermOptions> {
    let mut write = WriteTermOptions {
        options: WriteOptions { numbervars: false, ..Style::Write.options() },
        names: Names::new(),
        full_stop: false,
        newline: false,
    };
    for option in args::list(m, list)? {
        args::bound(m, option)?;
        let Some((name, value)) = option_parts(m, option) else {
            return Err(m.domain_error("write_option", option));
        };
        args::bound(m, value)?;
        if name == "variable_names" {
            write.names = variable_names(m, option, value)?;
        } else if !write_option(m, &mut write, &name, value) {
            return Err(m.domain_error("write_option", option));
        }
    }
    Ok(write)
}

/// Notes one option; false when its name or value isn't known.
fn write_option(m: &Machine, write: &mut WriteTermOptions, name: &str, value: Cell) -> bool {
    let options = &mut write.options;
    let flag = match name {
        "quoted" => &mut options.quoted,
        "ignore_ops" => &mut options.ignore_ops,
        "numbervars" => &mut options.numbervars,
        "dotlists" => &mut options.dotlists,
        "brace_terms" => &mut options.brace_terms,
        "fullstop" => &mut write.full_stop,
        "nl" => &mut write.newline,
        "max_depth" => {
            let depth = value.as_int().and_then(|depth| usize::try_from(depth).ok());
            options.max_depth = depth.unwrap_or(0);
            return depth.is_some();
        }
        "priority" => {
            let priority = value.as_int().and_then(|priority| u16::try_from(priority).ok());
            options.priority = priority.unwrap_or(1200);
            return priority.is_some_and(|priority| priority <= 1200);
        }
        "spacing" => {
            let text = m.heap.deref(value).as_atom().map(|atom| m.symbols.name(atom));
            options.spacing = text == Some("next_argument");
            return matches!(text, Some("standard" | "next_argument"));
        }
        _ => return args::is_among(WRITE_IGNORED, name),
    };
    match args::boolean(m, value) {
        Some(on) => {
            *flag = on;
            true
        }
        None => false,
    }
}

/// `['X'=V, …]`: names for variables.
fn variable_names(m: &mut Machine, option: Cell, list: Cell) -> OrFault<Names> {
    let mut names = Names::new();
    for pair in args::list(m, list)? {
        args::bound(m, pair)?;
        let Some([name, variable]) = m.heap.match_struct(pair, atoms::UNIFY) else {
            return Err(m.domain_error("write_option", option));
        };
        match m.heap.value(name) {
            Value::Var(_) => return Err(m.instantiation_error()),
            Value::Atom(atom) => names.push((m.symbols.shared(atom), m.heap.deref(variable))),
            _ => return Err(m.domain_error("write_option", option)),
        }
    }
    names.retain(|(_, variable)| variable.is_var());
    Ok(names)
}

fn write_term(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 2);
    let id = output(m, &w.streams, stream, Unit::Text)?;
    let write = write_options(m, rest[1])?;
    let mut text = write.text(m, w, rest[0])?;
    if write.full_stop {
        let symbol = text.chars().next_back().is_some_and(|c| "+-*/\\^<>=~:.?@#&$".contains(c));
        text.push_str(if symbol { " ." } else { "." });
        text.push_str(if write.newline { "\n" } else { " " });
    } else if write.newline {
        text.push('\n');
    }
    emit(m, w, id, &text)
}

/// `write_length(T, Length, Options)`: fails beyond `max_length(M)`.
fn write_length(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let mut limit = usize::MAX;
    let mut others = Vec::new();
    for option in args::list(m, a[2])? {
        match option_parts(m, option) {
            Some((name, value)) if name == "max_length" => {
                limit = usize::try_from(args::integer(m, value)?).unwrap_or(0);
            }
            _ => others.push(option),
        }
    }
    let list = m.heap.list_from(&others, Cell::NIL);
    let write = write_options(m, list)?;
    let text = write.text(m, w, a[0])?;
    let length = text.chars().count();
    Ok(length <= limit && m.unify(a[1], Cell::small(length as i64)))
}

/// A record as text.
pub fn term_text(m: &Machine, w: &World, record: &Record) -> String {
    let (heap, root) = record.to_heap();
    let options = WriteOptions { quoted: true, numbervars: true, ..WriteOptions::default() };
    term_to_string(&heap, &m.symbols, &w.operators, root, &options)
}

/// How often each variable occurs in a term, by address.
pub(super) fn count_variables(heap: &Heap, root: Cell) -> FxHashMap<usize, usize> {
    let mut counts = FxHashMap::default();
    let mut todo = vec![root];
    // A shared or cyclic term is looked at as long as it could be a tree.
    let mut left = heap.top().saturating_mul(2) + 64;
    while let Some(cell) = todo.pop() {
        left = left.saturating_sub(1);
        if left == 0 {
            break;
        }
        match heap.value(cell) {
            Value::Var(addr) => *counts.entry(addr).or_insert(0) += 1,
            Value::List(addr) => todo.extend([heap.at(addr), heap.at(addr + 1)]),
            Value::Struct(_, arity, args) => {
                todo.extend((args..args + arity).map(|at| heap.at(at)))
            }
            _ => {}
        }
    }
    counts
}

/// A name for each variable of a term: a letter for those that occur more than
/// once, `_` for the others.
pub(super) fn names(heap: &Heap, root: Cell) -> Vec<(Arc<str>, Cell)> {
    let found = variables(heap, root);
    if found.is_empty() {
        return Vec::new();
    }
    let counts = count_variables(heap, root);
    let mut next = 0;
    let named = found.into_iter().map(|variable| {
        if counts.get(&variable.addr()) == Some(&1) {
            return ("_".into(), variable);
        }
        next += 1;
        (letter(next - 1).into(), variable)
    });
    named.collect()
}

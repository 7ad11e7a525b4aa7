//! Terms as text: `write/1` and its kin (ISO 13211-1, 8.14.2).

use super::bounded::{self, Written};
use super::stream_predicates::{Unit, emit, option_parts, output, split};
use super::{Entry, World, args, portray};
use std::sync::Arc;
use zug_machine::{Fault, Machine, Outcome, Space};
use zug_syntax::Operators;
use zug_syntax::printer::{self, WriteOptions, term_to_string};
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, Record, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::output("write", 1, write),
    Entry::output("write", 2, write),
    Entry::output("writeln", 1, writeln),
    Entry::output("writeln", 2, writeln),
    Entry::output("$print", 1, print),
    Entry::output("$print", 2, print),
    Entry::session("$portray", 0, portrays),
    Entry::output("writeq", 1, writeq),
    Entry::output("writeq", 2, writeq),
    Entry::output("write_canonical", 1, write_canonical),
    Entry::output("write_canonical", 2, write_canonical),
    Entry::output("write_term", 2, write_term),
    Entry::output("write_term", 3, write_term),
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
    ///
    /// # Errors
    /// A limit ends it.
    pub fn text(self, m: &mut Machine, world: &World, cell: Cell) -> Result<String, Fault> {
        text_of(m, world, &self.options(), cell, usize::MAX).whole()
    }
}

/// The text of a term, at most so many bytes of it.
fn text_of(
    m: &mut Machine,
    world: &World,
    options: &WriteOptions<'_>,
    cell: Cell,
    most: usize,
) -> Written {
    bounded::written(m, most, |m, out| {
        printer::write_term(out, &m.heap, &m.symbols, &world.operators, cell, options)
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

fn styled(
    machine: &mut Machine,
    world: &mut World,
    all: &[Cell],
    style: Style,
    end: &str,
) -> Outcome {
    let (stream, rest) = split(all, 1);
    let id = output(machine, &world.streams, stream, Unit::Text)?;
    let most = world.streams.may_emit(id);
    let mut found = text_of(machine, world, &style.options(), rest[0], most);
    found.text.push_str(end);
    emit(machine, world, id, &found.text)?;
    found.whole().map(|_| true)
}

fn write(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    styled(machine, world, all, Style::Write, "")
}

fn writeln(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    styled(machine, world, all, Style::Write, "\n")
}

fn print(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    styled(machine, world, all, Style::Print, "")
}

fn writeq(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    styled(machine, world, all, Style::Quoted, "")
}

/// Variables are named `A`, `B`, …, and `_` where they occur once.
fn write_canonical(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let (stream, rest) = split(all, 1);
    let names = portray::names(&machine.heap, rest[0]);
    let dotlists = machine.is_iso();
    let options = WriteOptions { variable_names: &names, dotlists, ..Style::Canonical.options() };
    let text = text_of(machine, world, &options, rest[0], usize::MAX).whole()?;
    let id = output(machine, &world.streams, stream, Unit::Text)?;
    emit(machine, world, id, &text)
}

/// `'$portray'`: whether the program has a `portray/1`.
fn portrays(machine: &mut Machine, _: &mut World, _: &[Cell]) -> Outcome {
    Ok(has_portray(machine))
}

/// Whether the program has clauses of `portray/1`.
pub(super) fn has_portray(machine: &Machine) -> bool {
    let Some(name) = machine.symbols.lookup("portray") else { return false };
    let pred = machine.program.lookup(name, 1, Space::User);
    pred.is_some_and(|pred| !machine.program.live_clauses(pred).is_empty())
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
    ///
    /// # Errors
    /// A limit ends it.
    pub fn text(&self, m: &mut Machine, world: &World, cell: Cell) -> Result<String, Fault> {
        let options = WriteOptions { variable_names: &self.names, ..self.options };
        text_of(m, world, &options, cell, usize::MAX).whole()
    }
}

/// Options of `write_term/2` that are accepted and change nothing here.
const WRITE_IGNORED: &[&str] = &[
    "portray",
    "portrayed",
    "portray_goal",
    "cycles",
    "attributes",
    "blobs",
    "character_escapes",
    "character_escapes_unicode",
    "partial",
    "module",
    "quote_non_ascii",
    "no_lists",
    "back_quotes",
    "portray_clause",
    "brace_terms",
    "float_format",
    "max_text",
];

/// The options of `write_term/2`.
///
/// # Errors
/// An option is not as it should be.
pub fn write_options(machine: &mut Machine, list: Cell) -> Result<WriteTermOptions, Fault> {
    let mut write = WriteTermOptions {
        options: WriteOptions { numbervars: false, ..Style::Write.options() },
        names: Names::new(),
        full_stop: false,
        newline: false,
    };
    for option in args::list(machine, list)? {
        if option.is_var() {
            return Err(machine.instantiation_error());
        }
        let Some((name, value)) = option_parts(machine, option) else {
            return Err(machine.domain_error("write_option", option));
        };
        if value.is_var() {
            return Err(machine.instantiation_error());
        }
        if name == "variable_names" {
            write.names = variable_names(machine, option, value)?;
        } else if !write_option(machine, &mut write, &name, value) {
            return Err(machine.domain_error("write_option", option));
        }
    }
    Ok(write)
}

/// Notes one option; false when its name or value isn't known.
fn write_option(machine: &Machine, write: &mut WriteTermOptions, name: &str, value: Cell) -> bool {
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
            let text = machine.heap.deref(value).as_atom().map(|atom| machine.symbols.name(atom));
            options.spacing = text == Some("next_argument");
            return matches!(text, Some("standard" | "next_argument"));
        }
        _ => return WRITE_IGNORED.contains(&name),
    };
    match args::boolean(machine, value) {
        Some(on) => {
            *flag = on;
            true
        }
        None => false,
    }
}

/// `['X'=V, …]`: names for variables.
fn variable_names(machine: &mut Machine, option: Cell, list: Cell) -> Result<Names, Fault> {
    let mut names = Names::new();
    for pair in args::list(machine, list)? {
        if pair.is_var() {
            return Err(machine.instantiation_error());
        }
        let Some([name, variable]) = machine.heap.match_struct(pair, atoms::UNIFY) else {
            return Err(machine.domain_error("write_option", option));
        };
        match machine.heap.value(name) {
            Value::Var(_) => return Err(machine.instantiation_error()),
            Value::Atom(atom) => {
                names.push((machine.symbols.shared(atom), machine.heap.deref(variable)))
            }
            _ => return Err(machine.domain_error("write_option", option)),
        }
    }
    names.retain(|(_, variable)| variable.is_var());
    Ok(names)
}

fn write_term(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let (stream, rest) = split(all, 2);
    let id = output(machine, &world.streams, stream, Unit::Text)?;
    let write = write_options(machine, rest[1])?;
    let mut text = write.text(machine, world, rest[0])?;
    if write.full_stop {
        let symbol = text.chars().next_back().is_some_and(|c| "+-*/\\^<>=~:.?@#&$".contains(c));
        text.push_str(if symbol { " ." } else { "." });
        text.push_str(if write.newline { "\n" } else { " " });
    } else if write.newline {
        text.push('\n');
    }
    emit(machine, world, id, &text)
}

/// `write_length(T, Length, Options)`: fails beyond `max_length(M)`.
fn write_length(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let mut limit = usize::MAX;
    let mut others = Vec::new();
    for option in args::list(machine, all[2])? {
        match option_parts(machine, option) {
            Some((name, value)) if name == "max_length" => {
                limit = usize::try_from(args::integer(machine, value)?).unwrap_or(0);
            }
            _ => others.push(option),
        }
    }
    let list = machine.heap.list_from(&others, Cell::NIL);
    let write = write_options(machine, list)?;
    let text = write.text(machine, world, all[0])?;
    let length = text.chars().count();
    Ok(length <= limit && machine.unify(all[1], Cell::small(length as i64)))
}

/// A record as text.
pub fn term_text(m: &Machine, w: &World, record: &Record) -> String {
    let (heap, root) = record.to_heap();
    let options = WriteOptions { quoted: true, numbervars: true, ..WriteOptions::default() };
    term_to_string(&heap, &m.symbols, &w.operators, root, &options)
}

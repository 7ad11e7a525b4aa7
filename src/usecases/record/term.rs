//! Terms as JSON: as text, and as a structure.
//!
//! | term | structure |
//! |---|---|
//! | an atom | a string: `"tom"` |
//! | an integer to ±(2^53 - 1) | a number: `7` |
//! | a larger one | `{"integer":"123456789012345678901234567890"}` |
//! | a float | `{"float":1.5}`; `{"float":"inf"}`, `"-inf"`, `"nan"` |
//! | a string | `{"string":"text"}` |
//! | a list | an array: `[1,2,3]`; the empty list `[]` |
//! | a list with another tail | `{"list":[1,2],"tail":{"variable":"T"}}` |
//! | any other compound | `{"functor":"point","args":[1,2]}` |
//! | a variable | `{"variable":"X"}`: equal names, one variable; `_` is one by itself |
//! | what is left out | `{"truncated":true}` |
//!
//! Terms may be cyclic, share subterms so that they are exponentially large as text, or be
//! nested millions deep, while readers of JSON keep a stack. So text ends after [`TEXT`]
//! bytes, the structure has at most [`NODES`] nodes in [`DEPTH`] levels, and integers of more than
//! [`BITS`] bits are left out of it. Nothing recurses.

use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Borrow;
use std::fmt::{self, Write};
use std::sync::Arc;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_prolog::session::Session;
use zug_report::LARGEST_EXACT;
use zug_syntax::Operators;
use zug_syntax::printer::{WriteOptions, patient_beginning, write_term};
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, Record, Value};

/// Bytes of a term's text: 4 MiB.
pub const TEXT: usize = 4 << 20;
/// Nodes of a term's structure.
pub const NODES: usize = 250_000;
/// Bits of the largest integer that is written in the structure.
pub const BITS: u64 = 1 << 23;
/// Levels of a term's structure. Each takes two of JSON, of which some readers allow 128.
pub const DEPTH: usize = 50;

/// What stands for what is left out.
const CUT: &str = "{\"truncated\":true}";

/// A term as text and as a structure.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TermData {
    /// As it is written, with quotes and operators: reads back as a variant.
    pub text: String,
    /// The structure, as the module says.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Structure"))]
    pub term: Box<RawValue>,
    /// One of them is not whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    pub truncated: bool,
}

impl PartialEq for TermData {
    fn eq(&self, other: &TermData) -> bool {
        self.text == other.text && self.term.get() == other.term.get()
    }
}

/// As it is written.
impl fmt::Display for TermData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Its text, so that lists of terms are joined as those of texts are.
impl Borrow<str> for TermData {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl TermData {
    /// A term of a heap; variables are called as `names` says.
    pub fn new(
        heap: &Heap,
        symbols: &Symbols,
        operators: &Operators,
        cell: Cell,
        names: &[(Arc<str>, Cell)],
    ) -> TermData {
        TermData::within(TermData::bounds(TEXT), heap, symbols, operators, (cell, names))
    }

    /// Bounds of a text for which there is so much room: bytes, and steps of digits of a number.
    pub(super) fn bounds(room: usize) -> (usize, u32) {
        const PATIENCE: std::ops::Range<usize> = 64..4096;
        if room >= TEXT {
            return (TEXT, u32::MAX);
        }
        (room, (room >> 12).clamp(PATIENCE.start, PATIENCE.end) as u32)
    }

    /// As [`TermData::new`], within so many bytes and steps of digits for the text. Without
    /// the whole text there is no structure either, unless the text has [`TEXT`] bytes.
    pub(super) fn within(
        (most, patience): (usize, u32),
        heap: &Heap,
        symbols: &Symbols,
        operators: &Operators,
        (cell, names): (Cell, &[(Arc<str>, Cell)]),
    ) -> TermData {
        let (text, all) = text((most, patience), heap, symbols, operators, (cell, names));
        let mut json = String::new();
        let brief = !all && most < TEXT;
        let whole = !brief && put_term(&mut json, heap, symbols, cell, names);
        if brief {
            json.push_str(CUT);
        }
        let term = RawValue::from_string(json).unwrap_or_default();
        TermData { text, term, truncated: !(all && whole) }
    }

    /// An atom that is written without quotes.
    pub fn atom(name: &str) -> TermData {
        let mut json = String::new();
        put_string(&mut json, name);
        let term = RawValue::from_string(json).unwrap_or_default();
        TermData { text: name.to_owned(), term, truncated: false }
    }

    /// A term kept as a record.
    pub fn of(m: &Machine, w: &World, record: &Record) -> TermData {
        let (heap, root) = record.to_heap();
        let names = numbered(&heap, root, TEXT);
        TermData::new(&heap, &m.symbols, &w.operators, root, &names)
    }

    /// The text of a term of a session, as it stands among others.
    pub fn text_of(session: &Session, record: &Record) -> String {
        let (symbols, operators) = (&session.machine.symbols, &session.world.operators);
        let (heap, root) = record.to_heap();
        let names = numbered(&heap, root, TEXT);
        text(TermData::bounds(TEXT), &heap, symbols, operators, (root, &names)).0
    }

    /// A term that is only beside the point, in a tenth of a second: what would take longer is
    /// cut.
    pub fn brief(m: &Machine, w: &World, record: &Record) -> TermData {
        const STEPS: u32 = 64;
        let (heap, root) = record.to_heap();
        let names = numbered(&heap, root, TEXT / 4);
        TermData::within((TEXT / 4, STEPS), &heap, &m.symbols, &w.operators, (root, &names))
    }
}

/// A term as it is written, as an argument of others, within so many bytes and steps of digits;
/// whether all of it is there.
fn text(
    (most, patience): (usize, u32),
    heap: &Heap,
    symbols: &Symbols,
    operators: &Operators,
    (cell, names): (Cell, &[(Arc<str>, Cell)]),
) -> (String, bool) {
    let options = WriteOptions {
        quoted: true,
        numbervars: true,
        priority: 999,
        variable_names: names,
        ..WriteOptions::default()
    };
    patient_beginning(most, patience, |out| {
        write_term(out, heap, symbols, operators, cell, &options)
    })
}

/// Names for the variables in the first `most` nodes of a term, which are as much as is written:
/// `_1`, `_2`, … for those that occur several times, `_` for the others. A shared subterm is
/// looked at once.
fn numbered(heap: &Heap, root: Cell, most: usize) -> Vec<(Arc<str>, Cell)> {
    let mut times: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut order = Vec::new();
    let mut todo = vec![root];
    let mut left = most;
    while let Some(cell) = todo.pop() {
        let Some(less) = left.checked_sub(1) else { break };
        left = less;
        let cell = heap.deref(cell);
        if cell.is_var() {
            let times = times.entry(cell).or_default();
            if *times == 0 {
                order.push(cell);
            }
            *times += 1;
        } else if let Some((_, arity, args)) = heap.name_arity(cell)
            && arity > 0
            && seen.insert(args)
        {
            todo.extend((args..args + arity).rev().map(|at| heap.at(at)));
        }
    }
    let mut number = 0;
    let alone: Arc<str> = Arc::from("_");
    let named = order.into_iter().map(|cell| {
        if times.get(&cell) == Some(&1) {
            return (alone.clone(), cell);
        }
        number += 1;
        (Arc::from(format!("_{number}")), cell)
    });
    named.collect()
}

/// What is still to be written.
enum Task {
    Term(Cell, usize),
    /// Elements of a list from this list cell on, so many; then what closes it.
    Elements {
        cell: Cell,
        count: usize,
        depth: usize,
        end: ListEnd,
        first: bool,
    },
    /// Arguments from this address on, so many.
    Args {
        at: usize,
        count: usize,
        depth: usize,
        first: bool,
    },
    Text(&'static str),
}

/// What follows the elements of a list.
#[derive(Clone, Copy)]
enum ListEnd {
    Nil,
    Tail,
    /// The list is longer than what may be written.
    Cut,
}

/// Writes a term's structure behind `out`; whether all of it is there.
pub fn put_term(
    out: &mut String,
    heap: &Heap,
    symbols: &Symbols,
    cell: Cell,
    names: &[(Arc<str>, Cell)],
) -> bool {
    let named = names.iter().map(|(name, cell)| (heap.deref(*cell), name.clone())).collect();
    let mut writer = Writer { out, heap, symbols, names: named, left: NODES, whole: true };
    let mut tasks = vec![Task::Term(cell, 1)];
    while let Some(task) = tasks.pop() {
        writer.step(task, &mut tasks);
    }
    writer.whole
}

struct Writer<'w> {
    out: &'w mut String,
    heap: &'w Heap,
    symbols: &'w Symbols,
    names: FxHashMap<Cell, Arc<str>>,
    /// Nodes that may still be written.
    left: usize,
    whole: bool,
}

impl Writer<'_> {
    fn step(&mut self, task: Task, tasks: &mut Vec<Task>) {
        match task {
            Task::Text(text) => self.out.push_str(text),
            Task::Term(cell, depth) => self.term(cell, depth, tasks),
            Task::Args { count: 0, .. } => self.out.push_str("]}"),
            Task::Args { at, count, depth, first } => {
                if !first {
                    self.out.push(',');
                }
                tasks.push(Task::Args { at: at + 1, count: count - 1, depth, first: false });
                tasks.push(Task::Term(self.heap.at(at), depth));
            }
            Task::Elements { cell, count: 0, depth, end, .. } => match end {
                ListEnd::Nil => self.out.push(']'),
                ListEnd::Tail => {
                    self.out.push_str("],\"tail\":");
                    tasks.extend([Task::Text("}"), Task::Term(cell, depth)]);
                }
                ListEnd::Cut => {
                    self.out.push_str("],\"tail\":");
                    self.cut();
                    self.out.push('}');
                }
            },
            Task::Elements { cell, count, depth, end, first } => {
                if !first {
                    self.out.push(',');
                }
                let at = self.heap.deref(cell).addr();
                let rest = self.heap.at(at + 1);
                tasks.push(Task::Elements {
                    cell: rest,
                    count: count - 1,
                    depth,
                    end,
                    first: false,
                });
                tasks.push(Task::Term(self.heap.at(at), depth));
            }
        }
    }

    fn cut(&mut self) {
        self.whole = false;
        self.out.push_str(CUT);
    }

    fn term(&mut self, cell: Cell, depth: usize, tasks: &mut Vec<Task>) {
        if self.left == 0 {
            return self.cut();
        }
        self.left -= 1;
        match self.heap.value(cell) {
            Value::Var(_) => {
                let variable = self.heap.deref(cell);
                self.out.push_str("{\"variable\":");
                match self.names.get(&variable) {
                    Some(name) => put_string(self.out, name),
                    None => {
                        let _ = write!(self.out, "\"_G{}\"", variable.addr());
                    }
                }
                self.out.push('}');
            }
            Value::Atom(atoms::NIL) => self.out.push_str("[]"),
            Value::Atom(name) => put_string(self.out, self.symbols.name(name)),
            Value::Int(value) if value.unsigned_abs() <= LARGEST_EXACT as u64 => {
                let _ = write!(self.out, "{value}");
            }
            Value::Int(value) => {
                let _ = write!(self.out, "{{\"integer\":\"{value}\"}}");
            }
            // Its digits would take longer than anybody waits.
            Value::Big(value) if value.bits() > BITS => self.cut(),
            Value::Big(value) => {
                // Every integer beyond a word is beyond the exact ones too.
                debug_assert!(value.to_i64().is_none_or(|small| small.abs() > LARGEST_EXACT));
                let _ = write!(self.out, "{{\"integer\":\"{value}\"}}");
            }
            Value::Rational(value) if value.numer().bits() + value.denom().bits() > BITS => {
                self.cut();
            }
            Value::Rational(value) => {
                let (above, below) = (value.numer(), value.denom());
                let _ = write!(self.out, "{{\"rational\":\"{above}r{below}\"}}");
            }
            Value::Float(value) if value.is_finite() => {
                let text = serde_json::to_string(&value).unwrap_or_default();
                let _ = write!(self.out, "{{\"float\":{text}}}");
            }
            Value::Float(value) => {
                let name = match value {
                    f64::INFINITY => "inf",
                    f64::NEG_INFINITY => "-inf",
                    _ => "nan",
                };
                let _ = write!(self.out, "{{\"float\":\"{name}\"}}");
            }
            Value::Str(text) => {
                self.out.push_str("{\"string\":");
                put_string(self.out, text);
                self.out.push('}');
            }
            Value::List(_) | Value::Struct(..) if depth > DEPTH => self.cut(),
            Value::List(_) => self.list(cell, depth, tasks),
            Value::Struct(name, arity, args) => {
                self.out.push_str("{\"functor\":");
                put_string(self.out, self.symbols.name(name));
                self.out.push_str(",\"args\":[");
                // No more arguments than may be written: the others would be `truncated` each.
                let count = arity.min(self.left + 1);
                self.whole &= count == arity;
                tasks.push(Task::Args { at: args, count, depth: depth + 1, first: true });
            }
        }
    }

    fn list(&mut self, list: Cell, depth: usize, tasks: &mut Vec<Task>) {
        let (mut rest, mut count) = (self.heap.deref(list), 0);
        while rest.is_list() && count <= self.left {
            rest = self.heap.deref(self.heap.at(rest.addr() + 1));
            count += 1;
        }
        let end = match rest {
            rest if rest.is_list() => ListEnd::Cut,
            Cell::NIL => ListEnd::Nil,
            _ => ListEnd::Tail,
        };
        self.out.push_str(if matches!(end, ListEnd::Nil) { "[" } else { "{\"list\":[" });
        tasks.push(Task::Elements { cell: list, count, depth: depth + 1, end, first: true });
    }
}

/// Text as JSON.
fn put_string(out: &mut String, text: &str) {
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

//! Answers as a person reads them: `X = [1, 2, 3], Y = Z`.
//!
//! A variable keeps the name it was typed with; others are `_`, or `_A`, `_B`, …
//! where one occurs several times. Behind the bindings stand the goals that are left, if any. Long lists are cut short unless everything is
//! asked for; the length stands behind them.

use rustc_hash::FxHashSet;
use std::sync::Arc;
use zug_machine::Machine;
use zug_prolog::builtins::bounded;
use zug_prolog::session::{Left, Named, Query, Session, walk};
use zug_syntax::Operators;
use zug_syntax::printer::{VariableNames, WriteOptions, variable_names, write_named_term};
use zug_term::watchdog::LimitScope;
use zug_term::{Cell, Heap, Record};
use zug_tools::columns::most;

/// Lists longer than this are cut short.
const LONG_LIST: usize = 50;
/// Elements shown of a list that is cut short.
const ELEMENTS: usize = 10;
/// Goals shown of more than [`LONG_LIST`] that are left.
const GOALS: usize = 20;
/// Characters shown of a binding that is still long.
const LONG_TEXT: usize = 2000;
/// Bytes made of a binding that is to be cut short, and kept to be shown in full.
const LONGEST: usize = 1 << 24;
/// Columns up to which the bindings of an answer stand on one line.
const COLUMNS: usize = 78;

/// An answer in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The bindings, cut short where they are long; `true` without any.
    pub text: String,
    /// The bindings in full, where `text` is cut short.
    pub full: Option<String>,
    /// A limit of time or memory cut what was to be whole.
    pub broken: bool,
}

/// How an answer is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// All bindings on one line, nothing cut: for programs.
    Line,
    /// Cut short, over several lines if need be, with this advice on how to see
    /// all: for people.
    Cut {
        /// As `:full shows all`.
        advice: &'static str,
    },
}

/// The bindings of the current answer, under the limits of the query.
pub fn answer(session: &mut Session, query: &Query, layout: Layout) -> Answer {
    let machine = &session.machine;
    let armed = LimitScope::new(machine.deadline, &machine.interrupt, machine.memory_limit);
    let shown = armed.within(|| within_limits(session, query, layout));
    shown.unwrap_or_else(|_| Answer { text: "…".to_owned(), full: None, broken: true })
}

fn within_limits(session: &mut Session, query: &Query, layout: Layout) -> Answer {
    let (mut bindings, root) = bound(session, query);
    match layout {
        Layout::Line => {
            bindings.most = usize::MAX;
            let text = bindings.lines(&[], false, "");
            Answer { text, full: None, broken: bindings.broken.get() }
        }
        Layout::Cut { advice } => bindings.cut(root, advice),
    }
}

/// The bindings of the current answer on a heap of their own, their variables named; and the
/// list of the values.
fn bound<'s>(session: &'s mut Session, query: &Query) -> (Bindings<'s>, Cell) {
    let (shown, hidden) = (session.shown(query), session.hidden(query));
    let goals = session.goals(query);
    let machine = &mut session.machine;
    let variables = shown.iter().chain(&hidden).map(|(_, cell)| *cell);
    let cells: Vec<Cell> = variables.chain(goals.iter().copied()).collect();
    let list = machine.heap.list_from(&cells, Cell::NIL);
    let (heap, root) = Record::new(&mut machine.heap, list).into_heap();
    let mut items = heap.items(root);
    let mut named = |all: Vec<(String, Cell)>| -> Vec<(String, Cell)> {
        all.into_iter().map(|(name, _)| name).zip(items.by_ref()).collect()
    };
    let (values, hidden) = (named(shown), named(hidden));
    let goals: Vec<Cell> = items.collect();
    let left = Left { goals: &goals, hidden: &hidden };
    let named = Named::of(&heap, &values, &left, usize::MAX);
    let bindings = Bindings {
        names: variable_names(&heap, &named.names),
        named,
        goals,
        heap,
        machine,
        most: LONGEST,
        broken: std::cell::Cell::new(false),
        operators: &session.world.operators,
    };
    (bindings, root)
}

/// What is to be shown, on a heap of its own.
struct Bindings<'s> {
    heap: Heap,
    named: Named,
    /// The names of its variables.
    names: VariableNames,
    /// What is left behind the bindings.
    goals: Vec<Cell>,
    machine: &'s Machine,
    /// Bytes of a value that are made at most.
    most: usize,
    /// A value was cut by a limit.
    broken: std::cell::Cell<bool>,
    operators: &'s Operators,
}

impl Bindings<'_> {
    /// The text of a value, as the right side of `=`.
    fn text(&self, cell: Cell) -> String {
        self.text_at(cell, 699)
    }

    /// The text of a goal, as an operand of `,`.
    fn goal_text(&self, cell: Cell) -> String {
        self.text_at(cell, 999)
    }

    fn text_at(&self, cell: Cell, priority: u16) -> String {
        let options = WriteOptions {
            quoted: true,
            numbervars: true,
            spacing: true,
            priority,
            ..WriteOptions::default()
        };
        let (mut text, whole) = bounded::beginning(self.machine, self.most, |out| {
            let symbols = &self.machine.symbols;
            let with = (&options, &self.names);
            write_named_term(out, &self.heap, symbols, self.operators, cell, with)
        });
        if !whole {
            self.broken.set(true);
            text.push('…');
        }
        text
    }

    /// All bindings; `notes` stand behind the values of the groups. For people they are cut, with advice how to see all.
    fn lines(&self, notes: &[Option<String>], wrap: bool, advice: &str) -> String {
        let mut parts: Vec<(String, Option<&str>)> = Vec::new();
        for (i, (names, cell)) in self.named.groups.iter().enumerate() {
            let pairs = names.windows(2).map(|pair| (format!("{} = {}", pair[0], pair[1]), None));
            parts.extend(pairs);
            let note = notes.get(i).and_then(Option::as_deref);
            if !cell.is_var() {
                let mut text = self.text(*cell);
                if wrap {
                    cut_text(&mut text);
                }
                parts.push((format!("{} = {text}", names[0]), note));
            }
        }
        let shown = if wrap { self.goals_shown() } else { self.goals.len() };
        for goal in &self.goals[..shown] {
            let mut text = self.goal_text(*goal);
            if wrap {
                cut_text(&mut text);
            }
            parts.push((text, None));
        }
        if parts.is_empty() {
            return "true".to_owned();
        }
        let width: usize = parts.iter().map(|(text, _)| text.chars().count() + 2).sum();
        let notes = parts.iter().any(|(_, note)| note.is_some());
        let goals = !self.goals.is_empty();
        let one_line = !wrap || (width <= most(COLUMNS) && !notes && !goals);
        let last = parts.len() - 1;
        let more = self.goals.len() - shown;
        let mut text = String::new();
        for (i, (part, note)) in parts.iter().enumerate() {
            text += part;
            if let Some(note) = note {
                text += &format!(" ({note})");
            }
            text += match (i == last, one_line) {
                (true, _) => "",
                (false, true) => ", ",
                (false, false) => ",\n",
            };
        }
        if more > 0 {
            text += &format!(",\n… and {more} more goals ({advice})");
        }
        text
    }

    /// How many of the goals are shown to people.
    fn goals_shown(&self) -> usize {
        if self.goals.len() > LONG_LIST { GOALS } else { self.goals.len() }
    }

    /// The bindings cut short, and in full if something was cut.
    fn cut(mut self, root: Cell, advice: &str) -> Answer {
        let lengths = long_lists(&self.heap, root);
        let goals = self.goals_shown();
        if lengths.is_empty() && goals == self.goals.len() {
            let long = |cell: &Cell| self.text(*cell).chars().nth(LONG_TEXT).is_some();
            let values = self.named.groups.iter().map(|(_, cell)| cell);
            if !values.chain(&self.goals).any(long) {
                return Answer {
                    text: self.lines(&[], true, advice),
                    full: None,
                    broken: self.broken.get(),
                };
            }
        }
        let full = self.lines(&[], false, advice);
        for &(cell, _) in &lengths {
            self.shorten(cell);
        }
        let notes: Vec<Option<String>> = self
            .named
            .groups
            .iter()
            .map(|(_, value)| match lengths.iter().find(|(cell, _)| cell == value) {
                Some((_, length)) => Some(format!("{length} elements; {advice}")),
                None => {
                    let text = self.text(*value);
                    (text.contains('…') || text.chars().count() > LONG_TEXT)
                        .then(|| advice.to_owned())
                }
            })
            .collect();
        Answer {
            text: self.lines(&notes, true, advice),
            full: Some(full),
            broken: self.broken.get(),
        }
    }

    /// Cuts a list behind its first elements.
    fn shorten(&mut self, mut list: Cell) {
        for _ in 1..ELEMENTS {
            list = self.heap.deref(self.heap.at(list.addr() + 1));
        }
        let (more, rest) = (self.heap.new_var(), self.heap.new_var());
        let end = self.heap.new_list(more, rest);
        self.names.extend([(more, Arc::from("…")), (rest, Arc::from("…"))]);
        self.heap.set(list.addr() + 1, end);
    }
}

/// Cuts a text that is long.
fn cut_text(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(LONG_TEXT) {
        text.truncate(end);
        text.push('…');
    }
}

/// Lists with more than [`LONG_LIST`] elements and their lengths, outermost first.
fn long_lists(heap: &Heap, root: Cell) -> Vec<(Cell, usize)> {
    let mut tails: FxHashSet<Cell> = FxHashSet::default();
    let mut found = Vec::new();
    walk(heap, &[root], usize::MAX, |heap, cell| {
        let start = heap.deref(cell);
        if !start.is_list() || !tails.insert(start) {
            return;
        }
        let tail = |list: Cell| heap.deref(heap.at(list.addr() + 1));
        let (mut length, mut rest) = (1, tail(start));
        while rest.is_list() && tails.insert(rest) {
            length += 1;
            rest = tail(rest);
        }
        if length > LONG_LIST {
            found.push((start, length));
        }
    });
    // The root is the list of the values, which is ours.
    let root = heap.deref(root);
    found.retain(|(cell, _)| *cell != root);
    found
}

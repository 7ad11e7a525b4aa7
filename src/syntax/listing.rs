//! Clauses laid out to be read: `portray_clause/1` and `listing/1`.
//!
//! The layout is SWI-Prolog's: one goal a line, control structures as
//!
//! ```text
//! a :-
//!     b,
//!     (   c
//!     ->  d
//!     ;   e
//!     ).
//! ```
//!
//! Variables are named `A`, `B`, … in order of occurrence, and `_` if they occur
//! once only. As in the printer, what is still to be written waits on a stack.

use super::operators::Operators;
use super::printer::{Context, Printer, WriteOptions, write_term};
use crate::symbol::{Atom, Symbols, atoms};
use crate::term::{Cell, Heap, Value, is_acyclic};
use rustc_hash::FxHashMap;
use std::fmt::{Result, Write};
use std::sync::Arc;

/// Columns after which the arguments of a goal go on lines of their own.
const WIDTH: usize = 78;

/// Predicates with goals as arguments, and which these are: `0` a goal, `?` not.
const META: &[(&str, &str)] = &[
    ("call", "0"),
    ("once", "0"),
    ("ignore", "0"),
    ("not", "0"),
    ("forall", "00"),
    ("findall", "?0?"),
    ("findall", "?0??"),
    ("bagof", "?0?"),
    ("setof", "?0?"),
    ("aggregate_all", "?0?"),
    ("aggregate_all", "??0?"),
    ("catch", "0?0"),
    ("call_cleanup", "00"),
    ("setup_call_cleanup", "000"),
    ("with_output_to", "?0"),
];

/// What is still to be written.
#[derive(Clone, Copy)]
enum Task {
    Text(&'static str),
    /// A new line and this many spaces.
    Line(usize),
    /// A goal that begins at this column.
    Goal(Cell, usize),
    /// What stands between `(   ` and `)`.
    Alternatives(Cell, usize),
    /// An argument that is no goal.
    Argument(Cell),
}

/// Writes a clause, its full stop and a new line.
pub fn portray_clause(
    out: &mut dyn Write,
    heap: &Heap,
    symbols: &Symbols,
    operators: &Operators,
    cell: Cell,
) -> Result {
    let options = WriteOptions { spacing: true, ..WriteOptions::writeq() };
    if !is_acyclic(heap, cell) {
        write_term(out, heap, symbols, operators, cell, &options)?;
        return out.write_str(".\n");
    }
    let names = variable_names(heap, cell);
    let context = Context { heap, symbols, operators, options: &options, names: &names };
    Listing { out, context, last: None, tasks: Vec::new() }.clause(cell)
}

/// Names for the variables of a term: letters, `_` for those that occur once.
fn variable_names(heap: &Heap, cell: Cell) -> FxHashMap<Cell, Arc<str>> {
    let mut order: Vec<(Cell, usize)> = Vec::new();
    let mut index: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut next = Some(cell);
    while let Some(cell) = next {
        let cell = heap.deref(cell);
        if cell.is_ref() {
            let at = *index.entry(cell).or_insert(order.len());
            if at == order.len() {
                order.push((cell, 0));
            }
            order[at].1 += 1;
        } else if cell.is_compound()
            && let Some((_, arity, args)) = heap.name_arity(cell)
        {
            runs.push((args, args + arity));
        }
        while runs.last().is_some_and(|run| run.0 == run.1) {
            runs.pop();
        }
        next = runs.last_mut().map(|run| {
            run.0 += 1;
            heap.at(run.0 - 1)
        });
    }
    let mut named = 0;
    let name = |(cell, count)| {
        if count == 1 {
            return (cell, "_".into());
        }
        let letter = (b'A' + (named % 26) as u8) as char;
        let text = match named / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        };
        named += 1;
        (cell, text.into())
    };
    order.into_iter().map(name).collect()
}

struct Listing<'p> {
    out: &'p mut dyn Write,
    context: Context<'p>,
    /// The character written last.
    last: Option<char>,
    tasks: Vec<Task>,
}

impl Listing<'_> {
    fn clause(mut self, cell: Cell) -> Result {
        let heap = self.context.heap;
        if let Some([head, body]) = heap.match_struct(cell, atoms::NECK) {
            self.term(head, 1199)?;
            if heap.deref(body) != Cell::atom(atoms::TRUE) {
                self.text(" :-")?;
                self.body(body)?;
            }
        } else if let Some([head, body]) = heap.match_struct(cell, atoms::DCG_ARROW) {
            self.term(head, 1199)?;
            self.text(" -->")?;
            self.body(body)?;
        } else if let Some([directive]) = heap.match_struct(cell, atoms::NECK) {
            self.text(":- ")?;
            match heap.value(directive) {
                // `:- dynamic a/1.`
                Value::Struct(name, 1, _) if self.context.operators.prefix(name).is_some() => {
                    self.term(directive, 1199)?;
                }
                _ => {
                    self.tasks.push(Task::Goal(directive, 3));
                    self.run()?;
                }
            }
        } else {
            self.term(cell, 1200)?;
        }
        let context = self.context;
        Printer::new(self.out, context, &mut self.last).token(".")?;
        self.out.write_char('\n')
    }

    fn body(&mut self, body: Cell) -> Result {
        self.tasks.extend([Task::Goal(body, 4), Task::Line(4)]);
        self.run()
    }

    fn run(&mut self) -> Result {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Text(text) => self.text(text)?,
                Task::Line(indent) => {
                    write!(self.out, "\n{:indent$}", "")?;
                    self.last = Some(' ');
                }
                Task::Goal(cell, column) => self.goal(cell, column)?,
                Task::Alternatives(cell, column) => self.alternatives(cell, column),
                Task::Argument(cell) => self.term(cell, 999)?,
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result {
        self.last = text.chars().next_back().or(self.last);
        self.out.write_str(text)
    }

    fn term(&mut self, cell: Cell, priority: u16) -> Result {
        let options = WriteOptions { priority, ..*self.context.options };
        let context = Context { options: &options, ..self.context };
        Printer::new(self.out, context, &mut self.last).write(cell)
    }

    fn pair(&self, cell: Cell, name: Atom) -> Option<(Cell, Cell)> {
        self.context.heap.match_struct(cell, name).map(|[left, right]| (left, right))
    }

    /// The name of a control structure that needs lines of its own.
    fn control(&self, cell: Cell) -> Option<Atom> {
        match self.context.heap.value(cell) {
            Value::Struct(name, 2, _)
                if matches!(
                    name,
                    atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW
                ) =>
            {
                Some(name)
            }
            _ => None,
        }
    }

    /// A goal of a body; a conjunction goes on at the same column.
    fn goal(&mut self, cell: Cell, column: usize) -> Result {
        if let Some((left, right)) = self.pair(cell, atoms::COMMA) {
            self.tasks.extend([
                Task::Goal(right, column),
                Task::Line(column),
                Task::Text(","),
                Task::Goal(left, column),
            ]);
            return Ok(());
        }
        if self.control(cell).is_some() {
            self.group(cell, column);
            return Ok(());
        }
        let heap = self.context.heap;
        if let Some([inner]) = heap.match_struct(cell, atoms::NOT_PROVABLE) {
            self.text("\\+ ")?;
            match self.control(inner) {
                Some(_) => self.group(inner, column + 3),
                None => {
                    self.last = Some(' ');
                    self.tasks.push(Task::Goal(inner, column + 3));
                }
            }
            return Ok(());
        }
        if let Some([inner]) = heap.match_struct(cell, atoms::CURLY) {
            self.tasks.extend([
                Task::Text("}"),
                Task::Line(column),
                Task::Goal(inner, column + 2),
                Task::Text("{ "),
            ]);
            return Ok(());
        }
        self.plain_goal(cell, column)
    }

    /// A control structure in parentheses.
    fn group(&mut self, cell: Cell, column: usize) {
        let inner = match self.control(cell) {
            Some(atoms::COMMA) => [Task::Goal(cell, column + 2), Task::Text("( ")],
            _ => [Task::Alternatives(cell, column), Task::Text("(   ")],
        };
        self.tasks.extend([Task::Text(")"), Task::Line(column)]);
        self.tasks.extend(inner);
    }

    /// `A ; B`, `A -> B` or a goal, inside parentheses that stand at `column`.
    fn alternatives(&mut self, cell: Cell, column: usize) {
        let separated =
            [(atoms::SEMICOLON, ";   "), (atoms::ARROW, "->  "), (atoms::SOFT_ARROW, "*-> ")];
        for (name, separator) in separated {
            if let Some((left, right)) = self.pair(cell, name) {
                let part = |cell, alternatives| match alternatives {
                    true => Task::Alternatives(cell, column),
                    false => Task::Goal(cell, column + 4),
                };
                // Conditions go on without parentheses as alternatives only.
                let is_or = name == atoms::SEMICOLON;
                let condition = |cell| {
                    self.pair(cell, atoms::ARROW).or(self.pair(cell, atoms::SOFT_ARROW)).is_some()
                };
                let or = self.pair(right, atoms::SEMICOLON).is_some();
                let left = part(left, is_or && condition(left));
                let right = part(right, is_or && (or || condition(right)));
                self.tasks.extend([right, Task::Text(separator), Task::Line(column), left]);
                return;
            }
        }
        self.tasks.push(Task::Goal(cell, column + 4));
    }

    /// A goal that is no control structure: on one line, or with its arguments
    /// on lines of their own if it is too long or has bodies among them.
    fn plain_goal(&mut self, cell: Cell, column: usize) -> Result {
        let heap = self.context.heap;
        let Value::Struct(name, arity, at) = heap.value(cell) else {
            return self.term(cell, 999);
        };
        let meta = self.meta(name, arity);
        let is_body = |this: &Self, i: usize| {
            meta.is_some_and(|modes| modes.as_bytes()[i] == b'0')
                && this.control(heap.at(at + i)).is_some()
        };
        let any_body = (0..arity).any(|i| is_body(self, i));
        if !any_body && (self.context.operators.is_op(name) || !self.is_long(cell, column)) {
            return self.term(cell, 999);
        }
        self.term(Cell::atom(name), 999)?;
        self.text("(")?;
        let name = self.context.symbols.name(name);
        let inner = column + name.chars().count() + 1;
        self.tasks.push(Task::Text(")"));
        for i in (0..arity).rev() {
            match is_body(self, i) {
                true => self.group(heap.at(at + i), inner),
                false => self.tasks.push(Task::Argument(heap.at(at + i))),
            }
            if i > 0 {
                // `call((a;b))` has one argument, and no line of its own.
                self.tasks.extend([Task::Line(inner), Task::Text(",")]);
            }
        }
        Ok(())
    }

    fn meta(&self, name: Atom, arity: usize) -> Option<&'static str> {
        let name = self.context.symbols.name(name);
        let found = META.iter().find(|entry| entry.0 == name && entry.1.len() == arity);
        found.map(|entry| entry.1)
    }

    /// Whether a goal would reach beyond the last column.
    fn is_long(&self, cell: Cell, column: usize) -> bool {
        let mut measure = Measure { left: WIDTH.saturating_sub(column) };
        Printer::new(&mut measure, self.context, &mut None).write(cell).is_err()
    }
}

/// A writer that fails once too much has been written.
struct Measure {
    left: usize,
}

impl Write for Measure {
    fn write_str(&mut self, text: &str) -> Result {
        match self.left.checked_sub(text.chars().count()) {
            Some(left) => self.left = left,
            None => return Err(std::fmt::Error),
        }
        Ok(())
    }
}

//! `portray_clause/1,2` and the layout `listing/1` shares: a clause as a person
//! would write it, its variables named `A`, `B`, … and `_`.
//!
//! The layout is a stack of steps still to do, so a body of any depth is laid
//! out without recursion.

use super::output::{Style, append_term, count_variables};
use super::stream_predicates::{Unit, emit, output, split};
use super::{Entry, World};
use std::sync::Arc;
use zug_machine::{Machine, Outcome};
use zug_syntax::printer::WriteOptions;
use zug_syntax::{Operators, is_symbol};
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, Record, Value, size, variables};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[Entry::output("portray_clause", 1, portray_clause).up_to(2)];

/// The column lines should end before.
const MARGIN: usize = 78;
/// Deeper nesting is not shown by more blanks: they would outweigh the text.
const DEEPEST: usize = 400;
/// How far the body of a clause is indented.
const INDENT: usize = 4;

fn portray_clause(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 1);
    let id = output(m, &w.streams, stream, Unit::Text)?;
    // What is too long to be written is too long to be laid out.
    Style::Quoted.text(m, w, rest[0])?;
    let record = Record::new(&mut m.heap, rest[0]);
    let (heap, root) = record.to_heap();
    let text = clause_text(heap, root, &m.symbols, &w.operators);
    emit(m, w, id, &text)
}

/// A clause laid out, with its full stop and line end. The heap is the clause's
/// own: its variables are bound to their names.
pub fn clause_text(mut heap: Heap, root: Cell, symbols: &Symbols, operators: &Operators) -> String {
    name_variables(&mut heap, root);
    let mut layout = Layout {
        heap: &heap,
        symbols,
        operators,
        text: String::new(),
        steps: Vec::new(),
        underscore: "_".into(),
    };
    layout.clause(root);
    // The full stop must not become part of an atom of symbol characters.
    if layout.text.ends_with(is_symbol) {
        layout.text.push(' ');
    }
    layout.text.push_str(".\n");
    layout.text
}

/// Binds the variables that occur more than once to `'$VAR'(N)`; the others stay
/// unbound, and are written `_`.
fn name_variables(heap: &mut Heap, root: Cell) {
    let counts = count_variables(heap, root);
    let repeated = |variable: &Cell| counts.get(&variable.addr()).is_some_and(|&count| count > 1);
    for (number, variable) in variables(heap, root).into_iter().filter(repeated).enumerate() {
        let named = heap.new_struct(atoms::VARNAME, &[Cell::small(number as i64)]);
        heap.set(variable.addr(), named);
    }
}

/// A part of the layout that is still to be written.
enum LayoutTask {
    /// Text as it is.
    Text(&'static str),
    /// A new line, indented.
    Line(usize),
    /// A goal of a body; its first character stands in this column.
    Goal(Cell, usize),
    /// The alternatives of a disjunction whose bracket stands in this column.
    Alternatives(Cell, usize),
    GoalArgument(Cell, usize),
    /// An argument that may be too long for the line.
    Argument(Cell, usize),
}

struct Layout<'a> {
    heap: &'a Heap,
    symbols: &'a Symbols,
    operators: &'a Operators,
    text: String,
    steps: Vec<LayoutTask>,
    /// `_`, the name of every variable that is still unbound.
    underscore: Arc<str>,
}

/// What the layout tells apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Conjunction(Cell, Cell),
    /// `;`, `->`, `*->`
    Control,
    Negation(Cell),
    Braces(Cell),
    /// An operator that binds no tighter than a comma.
    Loose,
    Plain,
}

/// Predicates that take goals, and which of their arguments those are.
const META: &[(&str, usize, &[usize])] = &[
    ("call", 1, &[0]),
    ("once", 1, &[0]),
    ("ignore", 1, &[0]),
    ("not", 1, &[0]),
    ("forall", 2, &[0, 1]),
    ("findall", 3, &[1]),
    ("findall", 4, &[1]),
    ("bagof", 3, &[1]),
    ("setof", 3, &[1]),
    ("aggregate_all", 3, &[1]),
    ("aggregate_all", 4, &[2]),
    ("catch", 3, &[0, 2]),
    ("with_output_to", 2, &[1]),
    ("call_cleanup", 2, &[0, 1]),
    ("setup_call_cleanup", 3, &[0, 1, 2]),
    ("findnsols", 4, &[2]),
];

impl Layout<'_> {
    fn clause(&mut self, root: Cell) {
        let arrows = [
            (atoms::NECK, " :-"),
            (atoms::DCG_ARROW, " -->"),
            (atoms::RULE, " =>"),
            (atoms::CHOICE_RULE, " ?=>"),
            (atoms::DCG_RULE, " ==>"),
        ];
        for (name, arrow) in arrows {
            let Some([head, body]) = self.heap.match_struct(root, name) else { continue };
            let fact = name == atoms::NECK && self.heap.deref(body) == Cell::atom(atoms::TRUE);
            self.append(head, if fact { 1200 } else { 1199 });
            if !fact {
                self.text.push_str(arrow);
                self.steps.extend([LayoutTask::Goal(body, INDENT), LayoutTask::Line(INDENT)]);
                self.run();
            }
            return;
        }
        for (name, arrow) in [(atoms::NECK, ":- "), (atoms::QUERY, "?- ")] {
            if let Some([body]) = self.heap.match_struct(root, name) {
                self.text.push_str(arrow);
                match self.shape(body) {
                    Shape::Loose => self.append(body, 1199),
                    _ => self.steps.push(LayoutTask::Goal(body, arrow.len())),
                }
                return self.run();
            }
        }
        match self.shape(root) {
            Shape::Conjunction(..) | Shape::Control | Shape::Braces(_) => {
                self.steps.push(LayoutTask::Goal(root, 0));
                self.run();
            }
            _ => self.append(root, 1200),
        }
    }

    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            match step {
                LayoutTask::Text(text) => self.text.push_str(text),
                LayoutTask::Line(indent) => {
                    self.text.push('\n');
                    self.text.extend(std::iter::repeat_n(' ', indent.min(DEEPEST)));
                }
                LayoutTask::Goal(cell, column) => self.goal(cell, column),
                LayoutTask::Alternatives(cell, column) => self.alternatives(cell, column),
                LayoutTask::GoalArgument(cell, column) => self.goal_argument(cell, column),
                LayoutTask::Argument(cell, column) => self.argument(cell, column),
            }
        }
    }

    /// Pushes steps so that the first of them is done first.
    fn then(&mut self, steps: impl IntoIterator<Item = LayoutTask, IntoIter: DoubleEndedIterator>) {
        self.steps.extend(steps.into_iter().rev());
    }

    /// A part between brackets, of which the second stands in a line of its own.
    fn enclosed(&mut self, open: &'static str, part: LayoutTask, column: usize, end: &'static str) {
        self.then([LayoutTask::Text(open), part, LayoutTask::Line(column), LayoutTask::Text(end)]);
    }

    fn shape(&self, cell: Cell) -> Shape {
        match self.heap.value(cell) {
            Value::Struct(atoms::COMMA, 2, args) => {
                Shape::Conjunction(self.heap.at(args), self.heap.at(args + 1))
            }
            Value::Struct(atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW, 2, _) => {
                Shape::Control
            }
            Value::Struct(atoms::NOT_PROVABLE, 1, args) => Shape::Negation(self.heap.at(args)),
            Value::Struct(atoms::CURLY, 1, args) => Shape::Braces(self.heap.at(args)),
            Value::Struct(name, arity @ (1 | 2), _) => {
                let op = if arity == 2 {
                    self.operators.infix(name)
                } else {
                    self.operators.prefix(name)
                };
                if op.is_some_and(|op| op.priority > 999) { Shape::Loose } else { Shape::Plain }
            }
            _ => Shape::Plain,
        }
    }

    fn goal(&mut self, cell: Cell, column: usize) {
        match self.shape(cell) {
            Shape::Conjunction(left, right) => {
                self.then([
                    LayoutTask::Goal(left, column),
                    LayoutTask::Text(","),
                    LayoutTask::Line(column),
                    LayoutTask::Goal(right, column),
                ]);
            }
            Shape::Control => {
                self.enclosed("(   ", LayoutTask::Alternatives(cell, column), column, ")");
            }
            Shape::Negation(inner) => match self.shape(inner) {
                Shape::Plain | Shape::Negation(_) => {
                    self.then([LayoutTask::Text("\\+ "), LayoutTask::Goal(inner, column + 3)]);
                }
                _ => self
                    .then([LayoutTask::Text("\\+ "), LayoutTask::GoalArgument(inner, column + 3)]),
            },
            Shape::Braces(inner) => {
                self.enclosed("{ ", LayoutTask::Goal(inner, column + 2), column, "}");
            }
            Shape::Loose => {
                self.text.push_str("( ");
                self.append(cell, 1200);
                self.then([LayoutTask::Line(column), LayoutTask::Text(")")]);
            }
            Shape::Plain if self.has_long_goal(cell) => self.spread(cell, column),
            Shape::Plain => self.argument(cell, column),
        }
    }

    /// `C -> T ; E` below a bracket in this column.
    fn alternatives(&mut self, cell: Cell, column: usize) {
        let inner = column + 4;
        let (name, args) = match self.heap.value(cell) {
            Value::Struct(name, 2, args) => (name, args),
            _ => return self.goal(cell, inner),
        };
        let (left, right) = (self.heap.at(args), self.heap.at(args + 1));
        let branch = |layout: &Self, cell: Cell| match layout.heap.name_arity(cell) {
            Some((atoms::ARROW | atoms::SOFT_ARROW, 2, _)) => {
                LayoutTask::Alternatives(cell, column)
            }
            _ => LayoutTask::Goal(cell, inner),
        };
        let (first, mark, second) = match name {
            atoms::SEMICOLON => {
                let second = match self.heap.name_arity(right) {
                    Some((atoms::SEMICOLON, 2, _)) => LayoutTask::Alternatives(right, column),
                    _ => branch(self, right),
                };
                (branch(self, left), ";   ", second)
            }
            atoms::ARROW => (LayoutTask::Goal(left, inner), "->  ", LayoutTask::Goal(right, inner)),
            atoms::SOFT_ARROW => {
                (LayoutTask::Goal(left, inner), "*-> ", LayoutTask::Goal(right, inner))
            }
            _ => return self.goal(cell, inner),
        };
        self.then([first, LayoutTask::Line(column), LayoutTask::Text(mark), second]);
    }

    fn goal_argument(&mut self, cell: Cell, column: usize) {
        match self.shape(cell) {
            Shape::Conjunction(..) => {
                self.enclosed("( ", LayoutTask::Goal(cell, column + 2), column, ")");
            }
            _ => self.goal(cell, column),
        }
    }

    /// Which arguments of a goal are goals.
    fn goal_positions(&self, cell: Cell) -> &'static [usize] {
        let Some((name, arity, _)) = self.heap.name_arity(cell) else { return &[] };
        let name = self.symbols.name(name);
        META.iter().find(|row| row.0 == name && row.1 == arity).map_or(&[], |row| row.2)
    }

    /// Whether an argument is a goal that takes more than one line.
    fn has_long_goal(&self, cell: Cell) -> bool {
        let Some((_, _, args)) = self.heap.name_arity(cell) else { return false };
        self.goal_positions(cell).iter().any(|&at| {
            matches!(self.shape(self.heap.at(args + at)), Shape::Conjunction(..) | Shape::Control)
        })
    }

    /// A compound with one argument a line.
    fn spread(&mut self, cell: Cell, column: usize) {
        let Some((name, arity, args)) = self.heap.name_arity(cell) else { return };
        let goals = self.goal_positions(cell);
        let before = self.text.chars().count();
        self.append(Cell::atom(name), 0);
        let inner = column + self.text.chars().count() - before + 1;
        let mut steps = vec![LayoutTask::Text("(")];
        for i in 0..arity {
            if i > 0 {
                steps.extend([LayoutTask::Text(","), LayoutTask::Line(inner)]);
            }
            let argument = self.heap.at(args + i);
            steps.push(match goals.contains(&i) {
                true => LayoutTask::GoalArgument(argument, inner),
                false => LayoutTask::Argument(argument, inner),
            });
        }
        steps.push(LayoutTask::Text(")"));
        self.then(steps);
    }

    /// A term on one line if it fits, else one argument or item a line.
    fn argument(&mut self, cell: Cell, column: usize) {
        let start = self.text.len();
        let small = size(self.heap, cell, 4 * MARGIN) < 4 * MARGIN;
        if small {
            self.append(cell, 999);
            if column + self.text[start..].chars().count() <= MARGIN {
                return;
            }
        }
        match self.heap.value(cell) {
            Value::List(_) => {
                self.text.truncate(start);
                self.spread_list(cell, column);
            }
            Value::Struct(name, _, _) if !self.operators.is_op(name) && name != atoms::CURLY => {
                self.text.truncate(start);
                self.spread(cell, column);
            }
            _ if small => {}
            _ => self.append(cell, 999),
        }
    }

    fn spread_list(&mut self, cell: Cell, column: usize) {
        let mut steps = vec![LayoutTask::Text("[ ")];
        let mut items = self.heap.items(cell);
        for (i, item) in items.by_ref().take(self.heap.top()).enumerate() {
            if i > 0 {
                steps.extend([LayoutTask::Text(","), LayoutTask::Line(column + 2)]);
            }
            steps.push(LayoutTask::Argument(item, column + 2));
        }
        let rest = self.heap.deref(items.rest);
        if rest != Cell::NIL {
            steps.extend([
                LayoutTask::Line(column),
                LayoutTask::Text("| "),
                LayoutTask::Argument(rest, column + 2),
            ]);
        }
        steps.extend([LayoutTask::Line(column), LayoutTask::Text("]")]);
        self.then(steps);
    }

    /// A term on one line, in parentheses if it is an operator above this priority.
    fn append(&mut self, cell: Cell, priority: u16) {
        let single: Vec<(Arc<str>, Cell)> = variables(self.heap, cell)
            .into_iter()
            .map(|variable| (self.underscore.clone(), variable))
            .collect();
        let options = WriteOptions {
            priority,
            spacing: true,
            variable_names: &single,
            ..Style::Print.options()
        };
        append_term(self.heap, self.symbols, self.operators, &options, cell, &mut self.text);
    }
}

#[cfg(test)]
mod tests;

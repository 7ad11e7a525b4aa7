//! Boolean expressions as they are written, to diagrams.

use super::diagrams::{Diagrams, FALSE, Node, TRUE};
use super::session::Session;
use zug_machine::Fault;
use zug_prolog::builtins::list_end;
use zug_term::symbol::atoms;
use zug_term::{Cell, Value, is_acyclic, is_ground, watchdog};

/// An operation on two functions.
type Operation = fn(&mut Diagrams, Node, Node) -> Node;

fn at_most(diagrams: &mut Diagrams, a: Node, b: Node) -> Node {
    let not = diagrams.not(a);
    diagrams.or(not, b)
}

fn less(diagrams: &mut Diagrams, a: Node, b: Node) -> Node {
    let not = diagrams.not(a);
    diagrams.and(not, b)
}

/// The operations on two operands by name. Those on operands that are read the other way round are turned.
const OPERATIONS: [(&str, bool, Operation); 9] = [
    ("*", false, Diagrams::and),
    ("+", false, Diagrams::or),
    ("#", false, Diagrams::xor),
    ("=\\=", false, Diagrams::xor),
    ("=:=", false, |diagrams, a, b| {
        let differ = diagrams.xor(a, b);
        diagrams.not(differ)
    }),
    ("=<", false, at_most),
    (">=", true, at_most),
    ("<", false, less),
    (">", true, less),
];

/// What is to be done with the operands that were read.
enum Task {
    Read(Cell),
    /// The value of a leaf.
    Leaf(Cell),
    Not,
    Both(Operation),
    /// One operation on N operands; its value for none.
    All(Operation, Node, usize),
    /// So many of them are 1: ranges of numbers, and how many there are.
    Card(Vec<(i64, i64)>, usize),
    Exists(Cell),
}

impl Session<'_> {
    /// The items of a list within an expression.
    fn items(&mut self, list: Cell) -> Result<Vec<Cell>, Fault> {
        if let Some(items) = self.m.heap.proper_list(list) {
            return Ok(items);
        }
        let rest = list_end(&self.m.heap, list).1;
        if self.m.heap.deref(rest).is_var() {
            return Err(self.m.instantiation_error());
        }
        Err(self.m.type_error("list", list))
    }

    /// The parts of a conjunction, which are constraints of their own.
    pub fn conjuncts(&mut self, expression: Cell) -> Result<Vec<(Cell, bool)>, Fault> {
        if !is_acyclic(&self.m.heap, expression) {
            return Err(self.m.type_error("acyclic_term", expression));
        }
        let (mut found, mut todo) = (Vec::new(), vec![(expression, true)]);
        while let Some((cell, is_so)) = todo.pop() {
            watchdog::step();
            let Some((name, arity, args)) = self.m.heap.name_arity(cell) else {
                found.push((cell, is_so));
                continue;
            };
            let joins = if is_so { "*" } else { "+" };
            let part = |at| self.m.heap.at(args + at);
            match (self.m.symbols.name(name), arity) {
                (own, 2) if own == joins => {
                    todo.extend([part(1), part(0)].map(|part| (part, is_so)));
                }
                (own, 1) if own == joins => {
                    let items = self.items(part(0))?;
                    found.extend(items.into_iter().map(|item| (item, is_so)));
                }
                ("~", 1) if is_so => todo.push((part(0), false)),
                _ => found.push((cell, is_so)),
            }
        }
        Ok(found)
    }

    /// The function that an expression is.
    pub fn function(&mut self, expression: Cell) -> Result<Node, Fault> {
        if !is_acyclic(&self.m.heap, expression) {
            return Err(self.m.type_error("acyclic_term", expression));
        }
        // What is wrong is found before a variable is made.
        let mut todo = vec![expression];
        while let Some(cell) = todo.pop() {
            watchdog::step();
            let (_, mut parts, is_turned) = self.read(expression, cell)?;
            if is_turned {
                parts.reverse();
            }
            todo.extend(parts);
        }
        let mut tasks = vec![Task::Read(expression)];
        let mut values: Vec<Node> = Vec::new();
        while let Some(task) = tasks.pop() {
            watchdog::step();
            if let Task::Read(cell) = task {
                let (task, parts, _) = self.read(expression, cell)?;
                if let Task::Exists(variable) = task {
                    // Variables are made in the order in which they are written.
                    self.variable(variable);
                }
                tasks.push(task);
                tasks.extend(parts.into_iter().rev().map(Task::Read));
                continue;
            }
            let value = self.compute(task, &mut values);
            values.push(value);
        }
        Ok(values.pop().expect("one value"))
    }

    /// What is to be done with the parts of a part of an expression, the parts in the order in which they are read, and
    /// whether that is not the order in which they are written.
    fn read(&mut self, whole: Cell, cell: Cell) -> Result<(Task, Vec<Cell>, bool), Fault> {
        let heap = &self.m.heap;
        let refuse = |session: &mut Self| Err(session.m.domain_error("clpb_expr", whole));
        let (name, args) = match heap.value(cell) {
            Value::Var(_) if self.must_be_marked(cell) => return Err(self.m.instantiation_error()),
            Value::Var(_) | Value::Atom(_) | Value::Int(0 | 1) => {
                return Ok((Task::Leaf(cell), Vec::new(), false));
            }
            Value::Struct(name, arity, args) => {
                let args: Vec<Cell> = (0..arity).map(|at| heap.at(args + at)).collect();
                let name = self.m.symbols.name(name);
                let names = OPERATIONS.iter().map(|row| row.0).chain(["~", "v", "^", "card"]);
                match names.into_iter().find(|own| *own == name) {
                    Some(name) => (name, args),
                    None => return refuse(self),
                }
            }
            _ => return refuse(self),
        };
        if let (Some(&(_, is_turned, operation)), &[left, right]) =
            (OPERATIONS.iter().find(|(own, ..)| *own == name), &args[..])
        {
            let parts = if is_turned { vec![right, left] } else { vec![left, right] };
            return Ok((Task::Both(operation), parts, is_turned));
        }
        let (task, parts) = match (name, &args[..]) {
            // What is marked need not be known.
            ("v", &[part]) => match heap.value(part) {
                Value::Var(_) | Value::Int(0 | 1) => (Task::Leaf(part), Vec::new()),
                _ => return refuse(self),
            },
            ("~", &[part]) => (Task::Not, vec![part]),
            ("+" | "*", &[list]) => {
                let items = self.items(list)?;
                let (join, none): (Operation, Node) =
                    if name == "+" { (Diagrams::or, FALSE) } else { (Diagrams::and, TRUE) };
                (Task::All(join, none, items.len()), items)
            }
            ("^", &[variable, part]) if heap.deref(variable).is_var() => {
                (Task::Exists(variable), vec![part])
            }
            ("card", &[numbers, list]) => {
                let ranges = self.ranges(numbers)?;
                let items = self.items(list)?;
                (Task::Card(ranges, items.len()), items)
            }
            _ => return refuse(self),
        };
        Ok((task, parts, false))
    }

    fn compute(&mut self, task: Task, values: &mut Vec<Node>) -> Node {
        let mut pop = || values.pop().expect("an operand");
        match task {
            Task::Read(_) => unreachable!("done before"),
            Task::Leaf(cell) => {
                let var = match self.m.heap.value(cell) {
                    Value::Int(value) => return if value == 0 { FALSE } else { TRUE },
                    Value::Atom(atom) => self.store.of_atom(atom),
                    _ => self.variable(cell),
                };
                self.store.diagrams.variable(var)
            }
            Task::Not => self.store.diagrams.not(pop()),
            Task::Both(operation) => {
                let (b, a) = (pop(), pop());
                operation(&mut self.store.diagrams, a, b)
            }
            Task::All(operation, none, count) => {
                let mut parts = values.split_off(values.len() - count);
                while parts.len() > 1 {
                    let pairs = parts.chunks(2).map(|pair| match *pair {
                        [a, b] => operation(&mut self.store.diagrams, a, b),
                        _ => pair[0],
                    });
                    parts = pairs.collect();
                }
                parts.pop().unwrap_or(none)
            }
            Task::Card(ranges, count) => {
                let diagrams = &mut self.store.diagrams;
                let mut parts = values.split_off(values.len() - count);
                // From the last variable on, so that nodes are made on top of others.
                parts.sort_by_key(|&part| diagrams.var(part));
                let is_in = |number: usize| {
                    let number = number as i64;
                    ranges.iter().any(|&(low, high)| low <= number && number <= high)
                };
                let mut table: Vec<Node> =
                    (0..=count).map(|number| if is_in(number) { TRUE } else { FALSE }).collect();
                while let Some(part) = parts.pop() {
                    table = table
                        .windows(2)
                        .map(|pair| diagrams.choose(part, pair[1], pair[0]))
                        .collect();
                }
                table[0]
            }
            Task::Exists(variable) => {
                let var = self.variable(variable);
                self.store.diagrams.exists(pop(), var)
            }
        }
    }

    /// The numbers of `card/2`: integers and ranges `From-To`.
    fn ranges(&mut self, list: Cell) -> Result<Vec<(i64, i64)>, Fault> {
        let items = self.items(list)?;
        if items.iter().any(|&item| !is_ground(&self.m.heap, item)) {
            return Err(self.m.instantiation_error());
        }
        let mut ranges = Vec::with_capacity(items.len());
        for item in items {
            let (from, to) = match self.m.heap.match_struct::<2>(item, atoms::MINUS) {
                Some([from, to]) => (from, to),
                None => (item, item),
            };
            let [from, to] = [from, to].map(|end| self.m.heap.deref(end).as_int());
            ranges.extend(from.zip(to));
        }
        Ok(ranges)
    }
}

//! Boolean expressions as they are written, to diagrams.

use super::diagrams::{FALSE, Node, TRUE};
use super::session::Session;
use zug_machine::Fault;
use zug_prolog::builtins::list_end;
use zug_term::{Cell, Value, is_acyclic, watchdog};

/// What is to be done with the operands that were read.
#[derive(Clone)]
enum Task {
    Read(Cell),
    Not,
    And,
    Or,
    Xor,
    Equal,
    /// The first one is at most the second.
    AtMost,
    /// The first one is less than the second.
    Less,
    /// All of so many.
    All(usize),
    /// One of so many.
    Any(usize),
    /// So many of them are 1: ranges of numbers, and how many there are.
    Card(Vec<(i64, i64)>, usize),
    Exists(u32),
}

impl Session<'_> {
    /// Refuses what is no Boolean expression.
    fn refuse(&mut self, whole: Cell) -> Fault {
        self.m.domain_error("clpb_expr", whole)
    }

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
    ///
    /// # Errors
    /// A list in it is none.
    pub fn conjuncts(&mut self, expression: Cell) -> Result<Vec<(Cell, bool)>, Fault> {
        if !is_acyclic(&self.m.heap, expression) {
            return Err(self.m.type_error("acyclic_term", expression));
        }
        let (mut found, mut todo) = (Vec::new(), vec![(expression, true)]);
        while let Some((cell, is_so)) = todo.pop() {
            watchdog::step();
            let name = self
                .m
                .heap
                .name_arity(cell)
                .map(|(name, arity, args)| (self.m.symbols.name(name).to_owned(), arity, args));
            match name.as_ref().map(|(name, arity, args)| (&**name, *arity, *args)) {
                Some(("*", 2, args)) if is_so => {
                    todo.extend([1, 0].map(|at| (self.m.heap.at(args + at), true)));
                }
                Some(("+", 2, args)) if !is_so => {
                    todo.extend([1, 0].map(|at| (self.m.heap.at(args + at), false)));
                }
                Some(("*", 1, args)) if is_so => {
                    let items = self.items(self.m.heap.at(args))?;
                    found.extend(items.into_iter().map(|item| (item, true)));
                }
                Some(("+", 1, args)) if !is_so => {
                    let items = self.items(self.m.heap.at(args))?;
                    found.extend(items.into_iter().map(|item| (item, false)));
                }
                Some(("~", 1, args)) if is_so => todo.push((self.m.heap.at(args), false)),
                _ => found.push((cell, is_so)),
            }
        }
        Ok(found)
    }

    /// The function that an expression is.
    ///
    /// # Errors
    /// It is no Boolean expression.
    pub fn function(&mut self, expression: Cell) -> Result<Node, Fault> {
        if !is_acyclic(&self.m.heap, expression) {
            return Err(self.m.type_error("acyclic_term", expression));
        }
        // What is wrong is found before a variable is made.
        self.check(expression)?;
        let mut tasks = vec![Task::Read(expression)];
        let mut values: Vec<Node> = Vec::new();
        while let Some(task) = tasks.pop() {
            watchdog::step();
            if let Task::Read(cell) = task {
                self.read(cell, &mut tasks, &mut values)?;
                continue;
            }
            self.compute(task, &mut values);
        }
        Ok(values.pop().expect("one value"))
    }

    /// Reads a part: its value, or what is to be done for it.
    fn read(
        &mut self,
        cell: Cell,
        tasks: &mut Vec<Task>,
        values: &mut Vec<Node>,
    ) -> Result<(), Fault> {
        let (name, args) = match self.m.heap.value(cell) {
            Value::Var(_) => {
                let var = self.variable(cell);
                values.push(self.store.diagrams.variable(var));
                return Ok(());
            }
            Value::Int(value) => {
                values.push(if value == 0 { FALSE } else { TRUE });
                return Ok(());
            }
            Value::Atom(atom) => {
                let var = self.store.of_atom(atom);
                values.push(self.store.diagrams.variable(var));
                return Ok(());
            }
            Value::Struct(name, arity, args) => {
                let args: Vec<Cell> = (0..arity).map(|at| self.m.heap.at(args + at)).collect();
                (self.m.symbols.name(name).to_owned(), args)
            }
            _ => return Err(self.refuse(cell)),
        };
        let both = |task: Task| [vec![task], vec![Task::Read(args[1]), Task::Read(args[0])]];
        let turned = |task: Task| [vec![task], vec![Task::Read(args[0]), Task::Read(args[1])]];
        let steps = match (&*name, args.len()) {
            ("v", 1) => [vec![], vec![Task::Read(args[0])]],
            ("~", 1) => [vec![Task::Not], vec![Task::Read(args[0])]],
            ("*", 2) => both(Task::And),
            ("+", 2) => both(Task::Or),
            ("#" | "=\\=", 2) => both(Task::Xor),
            ("=:=", 2) => both(Task::Equal),
            ("=<", 2) => both(Task::AtMost),
            ("<", 2) => both(Task::Less),
            // As these are rewritten, with the operands the other way round.
            (">=", 2) => turned(Task::AtMost),
            (">", 2) => turned(Task::Less),
            ("+" | "*", 1) => {
                let items = self.items(args[0])?;
                let count = items.len();
                let join = if &*name == "+" { Task::Any(count) } else { Task::All(count) };
                [vec![join], items.into_iter().rev().map(Task::Read).collect()]
            }
            ("^", 2) => {
                let var = self.variable(args[0]);
                [vec![Task::Exists(var)], vec![Task::Read(args[1])]]
            }
            _ => {
                let ranges = self.ranges(args[0])?;
                let items = self.items(args[1])?;
                let card = Task::Card(ranges, items.len());
                [vec![card], items.into_iter().rev().map(Task::Read).collect()]
            }
        };
        tasks.extend(steps.into_iter().flatten());
        Ok(())
    }

    fn compute(&mut self, task: Task, values: &mut Vec<Node>) {
        let diagrams = &mut self.store.diagrams;
        let mut pop = || values.pop().expect("an operand");
        let made = match task {
            Task::Not => diagrams.not(pop()),
            Task::And => {
                let (b, a) = (pop(), pop());
                diagrams.and(a, b)
            }
            Task::Or => {
                let (b, a) = (pop(), pop());
                diagrams.or(a, b)
            }
            Task::Xor => {
                let (b, a) = (pop(), pop());
                diagrams.xor(a, b)
            }
            Task::Equal => {
                let (b, a) = (pop(), pop());
                let differ = diagrams.xor(a, b);
                diagrams.not(differ)
            }
            Task::AtMost => {
                let (b, a) = (pop(), pop());
                let not = diagrams.not(a);
                diagrams.or(not, b)
            }
            Task::Less => {
                let (b, a) = (pop(), pop());
                let not = diagrams.not(a);
                diagrams.and(not, b)
            }
            Task::All(count) | Task::Any(count) => {
                let is_all = matches!(task, Task::All(_));
                let mut parts = values.split_off(values.len() - count);
                while parts.len() > 1 {
                    let pairs = parts.chunks(2).map(|pair| match *pair {
                        [a, b] if is_all => diagrams.and(a, b),
                        [a, b] => diagrams.or(a, b),
                        _ => pair[0],
                    });
                    parts = pairs.collect();
                }
                parts.pop().unwrap_or(if is_all { TRUE } else { FALSE })
            }
            Task::Card(ranges, count) => {
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
            Task::Exists(var) => {
                let of = pop();
                diagrams.exists(of, var)
            }
            Task::Read(_) => unreachable!("done before"),
        };
        values.push(made);
    }

    /// The numbers of `card/2`: integers and ranges `From-To`.
    fn ranges(&mut self, list: Cell) -> Result<Vec<(i64, i64)>, Fault> {
        let items = self.items(list)?;
        let mut ranges = Vec::with_capacity(items.len());
        for item in items {
            let minus = zug_term::symbol::atoms::MINUS;
            match self.m.heap.match_struct::<2>(item, minus) {
                Some([from, to]) => {
                    let [from, to] = [from, to].map(|end| self.m.heap.deref(end).as_int());
                    ranges.extend(from.zip(to));
                }
                None => ranges.extend(self.m.heap.deref(item).as_int().map(|at| (at, at))),
            }
        }
        Ok(ranges)
    }

    /// Refuses what is no Boolean expression.
    fn check(&mut self, whole: Cell) -> Result<(), Fault> {
        let mut todo = vec![whole];
        while let Some(cell) = todo.pop() {
            watchdog::step();
            let (name, arity, args) = match self.m.heap.value(cell) {
                Value::Var(_) if self.must_be_marked(cell) => {
                    return Err(self.m.instantiation_error());
                }
                Value::Var(_) | Value::Atom(_) | Value::Int(0 | 1) => continue,
                Value::Struct(name, arity, args) => (name, arity, args),
                _ => return Err(self.refuse(whole)),
            };
            let part = |at| self.m.heap.at(args + at);
            match (self.m.symbols.name(name), arity) {
                ("v", 1) => match self.m.heap.value(part(0)) {
                    Value::Var(_) | Value::Int(0 | 1) => {}
                    _ => return Err(self.refuse(whole)),
                },
                ("~", 1) => todo.push(part(0)),
                ("*" | "+" | "#" | "=:=" | "=\\=" | "=<" | ">=" | "<" | ">", 2) => {
                    todo.extend([part(0), part(1)]);
                }
                ("+" | "*", 1) => {
                    let list = part(0);
                    todo.extend(self.items(list)?);
                }
                ("^", 2) if self.m.heap.deref(part(0)).is_var() => todo.push(part(1)),
                ("card", 2) => {
                    let (numbers, list) = (part(0), part(1));
                    let items = self.items(numbers)?;
                    if items.iter().any(|&item| !zug_term::is_ground(&self.m.heap, item)) {
                        return Err(self.m.instantiation_error());
                    }
                    todo.extend(self.items(list)?);
                }
                _ => return Err(self.refuse(whole)),
            }
        }
        Ok(())
    }
}

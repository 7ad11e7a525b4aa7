//! Answers: the bindings of a query's variables, with a name for each variable in them.
//!
//! A variable keeps the name it was typed with; others are `_`, or `_A`, `_B`, … where one occurs
//! several times. Behind the bindings stand the goals that are left, if any.

use super::{Query, Session};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use zug_syntax::printer::{
    LONGEST, VariableNames, WriteOptions, beginning, letter, variable_names, write_named_term,
};
use zug_term::{Cell, Heap, watchdog};

impl Session {
    /// The current answer of a query as text, `X = f(Y), Z = Y`; `true` if it has nothing to show.
    pub fn answer(&self, query: &Query) -> String {
        let heap = &self.machine.heap;
        let goals = self.goals(query);
        let left = Left { goals: &goals, hidden: &self.hidden(query) };
        let Named { groups, names } = Named::of(heap, &self.shown(query), &left, LONGEST);
        let names = variable_names(heap, &names);
        let mut parts = Vec::new();
        for (group, cell) in &groups {
            parts.extend(group.windows(2).map(|pair| format!("{} = {}", pair[0], pair[1])));
            if !cell.is_var() {
                parts.push(format!("{} = {}", group[0], self.show_at(*cell, &names, 699)));
            }
        }
        parts.extend(goals.iter().map(|goal| self.show_at(*goal, &names, 999)));
        if parts.is_empty() { "true".to_owned() } else { parts.join(", ") }
    }

    /// The variables of a query that an answer shows, those whose names don't begin with `_`, and
    /// their values.
    pub fn shown(&self, query: &Query) -> Vec<(String, Cell)> {
        let shown = self.bindings(query).filter(|(name, _)| !name.starts_with('_'));
        shown.map(|(name, cell)| (name.to_owned(), cell)).collect()
    }

    /// The variables of a query that an answer does not show, and their values.
    pub fn hidden(&self, query: &Query) -> Vec<(String, Cell)> {
        let hidden = self.bindings(query).filter(|(name, _)| name.starts_with('_'));
        hidden.map(|(name, cell)| (name.to_owned(), cell)).collect()
    }

    /// A term as an answer shows it: quoted, with operators, as the right side of `=`.
    pub fn show(&self, cell: Cell, names: &[(Arc<str>, Cell)]) -> String {
        self.show_at(cell, &variable_names(&self.machine.heap, names), 699)
    }

    /// The same as an operand of this priority.
    fn show_at(&self, cell: Cell, names: &VariableNames, priority: u16) -> String {
        let m = &self.machine;
        let options =
            WriteOptions { quoted: true, numbervars: true, priority, ..WriteOptions::default() };
        let operators = &self.world.operators;
        beginning(LONGEST, |out| {
            write_named_term(out, &m.heap, &m.symbols, operators, cell, (&options, names))
        })
    }
}

/// What stands behind the bindings of an answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Left<'a> {
    /// The goals.
    pub goals: &'a [Cell],
    /// Variables that are not shown with their values: they have their own names in goals.
    pub hidden: &'a [(String, Cell)],
}

/// The bindings of an answer, and names for the variables in them.
#[derive(Debug)]
pub struct Named {
    /// Names with the value they share; several names only for an unbound variable.
    pub groups: Vec<(Vec<String>, Cell)>,
    /// The variables' names.
    pub names: Vec<(Arc<str>, Cell)>,
}

impl Named {
    /// Names the variables in the first `most` nodes of values and goals.
    pub fn of(heap: &Heap, shown: &[(String, Cell)], left: &Left<'_>, most: usize) -> Named {
        let mut groups: Vec<(Vec<String>, Cell)> = Vec::new();
        let mut variables: FxHashMap<Cell, usize> = FxHashMap::default();
        for (name, cell) in shown {
            let value = heap.deref(*cell);
            if value.is_var()
                && let Some(&at) = variables.get(&value)
            {
                groups[at].0.push(name.clone());
                continue;
            }
            if value.is_var() {
                variables.insert(value, groups.len());
            }
            groups.push((vec![name.clone()], value));
        }
        let mut names: Vec<(Arc<str>, Cell)> = Vec::new();
        for (group, cell) in groups.iter().filter(|(_, cell)| cell.is_var()) {
            names.extend(group.last().map(|name| (Arc::from(name.as_str()), *cell)));
        }
        let mut taken: FxHashSet<&str> = shown.iter().map(|(name, _)| name.as_str()).collect();
        for (name, cell) in left.hidden.iter().filter(|_| !left.goals.is_empty()) {
            let value = heap.deref(*cell);
            if value.is_var() && !variables.contains_key(&value) {
                variables.insert(value, usize::MAX);
                names.push((Arc::from(name.as_str()), value));
                taken.insert(name);
            }
        }
        let letters = (0..).map(|n| format!("_{}", letter(n)));
        let mut letters = letters.filter(|name| !taken.contains(name.as_str()));
        let values = groups.iter().map(|(_, cell)| *cell).chain(left.goals.iter().copied());
        let values: Vec<Cell> = values.collect();
        let alone: Arc<str> = Arc::from("_");
        for (cell, again) in occurrences(heap, &values, most) {
            watchdog::step();
            if variables.contains_key(&cell) {
                continue;
            }
            let name = match again {
                true => Arc::from(letters.next().unwrap_or_default()),
                false => alone.clone(),
            };
            names.push((name, cell));
        }
        Named { groups, names }
    }
}

/// The variables in the first `most` nodes of terms, in the order they come, and whether each
/// comes again.
fn occurrences(heap: &Heap, roots: &[Cell], most: usize) -> Vec<(Cell, bool)> {
    let mut order: Vec<Cell> = Vec::new();
    let (mut once, mut again) = (Places::of(heap), Places::of(heap));
    walk(heap, roots, most, |heap, cell| {
        let variable = heap.deref(cell);
        if variable.is_var() {
            if once.insert(variable.addr()) {
                order.push(variable);
            } else {
                again.insert(variable.addr());
            }
        }
    });
    order.into_iter().map(|cell| (cell, again.contains(cell.addr()))).collect()
}

/// A set of places of a heap.
///
/// PERF: bits, since answers may have millions of variables.
struct Places(Vec<u64>);

impl Places {
    fn of(heap: &Heap) -> Places {
        Places(vec![0; heap.top() / 64 + 1])
    }

    fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// Adds a place; whether it is new.
    fn insert(&mut self, at: usize) -> bool {
        let new = !self.contains(at);
        self.0[at / 64] |= 1 << (at % 64);
        new
    }
}

/// Visits the first `most` cells of terms in order, a shared one once for each place but
/// not what is below it.
pub fn walk(heap: &Heap, roots: &[Cell], most: usize, mut visit: impl FnMut(&Heap, Cell)) {
    let mut seen = Places::of(heap);
    let mut todo: Vec<Cell> = roots.iter().rev().copied().collect();
    let mut left = most;
    while let Some(cell) = todo.pop() {
        watchdog::step();
        if left == 0 {
            return;
        }
        left -= 1;
        visit(heap, cell);
        let cell = heap.deref(cell);
        let Some((_, arity, args)) = heap.name_arity(cell) else { continue };
        if arity > 0 && seen.insert(args) {
            todo.extend((0..arity).rev().map(|i| heap.at(args + i)));
        }
    }
}

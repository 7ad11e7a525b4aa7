//! Answers as text: `X = f(Y), Z = Y`.

use super::{Query, Session};
use crate::syntax::printer::{LONGEST, WriteOptions, beginning, write_term};
use crate::term::Cell;
use std::sync::Arc;

impl Session {
    /// The current answer of a query: its bindings, `true` if it has none to show.
    pub fn answer(&self, query: &Query) -> String {
        self.answer_within(query, LONGEST)
    }

    /// As [`Session::answer`], with at most so many bytes of each value written; `…` stands for
    /// the rest. A value that is small in memory may be written as exabytes.
    pub fn answer_within(&self, query: &Query, most: usize) -> String {
        let heap = &self.machine.heap;
        let named: Vec<(&str, Cell)> = self
            .bindings(query)
            .map(|(name, cell)| (name, heap.deref(cell)))
            .filter(|(name, _)| !name.starts_with('_'))
            .collect();
        let mut groups: Vec<(Vec<&str>, Cell)> = Vec::new();
        for (name, cell) in named {
            match groups.iter_mut().find(|(_, value)| cell.is_ref() && *value == cell) {
                Some((names, _)) => names.push(name),
                None => groups.push((vec![name], cell)),
            }
        }
        let names: Vec<(Arc<str>, Cell)> = groups
            .iter()
            .filter(|(_, cell)| cell.is_ref())
            .filter_map(|(names, cell)| Some((Arc::from(*names.last()?), *cell)))
            .collect();
        let mut parts = Vec::new();
        for (group, cell) in &groups {
            if cell.is_ref() {
                parts.extend(group.windows(2).map(|pair| format!("{} = {}", pair[0], pair[1])));
            } else {
                parts.push(format!("{} = {}", group[0], self.shown(*cell, &names, most)));
            }
        }
        if parts.is_empty() { "true".to_owned() } else { parts.join(", ") }
    }

    /// A term as an answer shows it: quoted, with operators, as the right side of `=`.
    pub fn show(&self, cell: Cell, names: &[(Arc<str>, Cell)]) -> String {
        self.shown(cell, names, LONGEST)
    }

    fn shown(&self, cell: Cell, names: &[(Arc<str>, Cell)], most: usize) -> String {
        let m = &self.machine;
        let options = WriteOptions {
            quoted: true,
            numbervars: true,
            priority: 699,
            variable_names: names,
            ..WriteOptions::default()
        };
        let operators = &self.world.operators;
        beginning(most, |out| write_term(out, &m.heap, &m.symbols, operators, cell, &options))
    }
}

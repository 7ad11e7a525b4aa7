//! The named variables of the clause being read.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use zug_term::source::Span;
use zug_term::{Cell, Heap};

/// Variables of a clause before a lookup by hashing pays.
const FEW: usize = 12;

/// A name with its place, for warnings.
pub(super) type Named = (Arc<str>, Span);

/// The variables of a clause, as [`super::clause_read::ReadTerm`] has them.
pub(super) struct Finished {
    /// All of them.
    pub variables: Vec<(Arc<str>, Cell)>,
    /// Those named once without saying so.
    pub singletons: Vec<Named>,
    /// Those named more than once that say otherwise.
    pub multiple: Vec<Named>,
}

#[derive(Debug)]
struct Variable {
    name: Arc<str>,
    cell: Cell,
    /// The first occurrence.
    span: Span,
    count: usize,
}

/// Variables by name, in order of first occurrence.
#[derive(Debug, Default)]
pub(super) struct Variables {
    list: Vec<Variable>,
    /// Position by name, in use once there are more than [`FEW`].
    index: FxHashMap<Arc<str>, usize>,
}

impl Variables {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        if !self.index.is_empty() {
            self.index = FxHashMap::default();
        }
    }

    /// The variable of this name: a new one for `_` and at the first occurrence.
    pub(super) fn occurrence(&mut self, name: &str, span: Span, heap: &mut Heap) -> Cell {
        if name == "_" {
            return heap.new_var();
        }
        let known = if self.list.len() <= FEW {
            self.list.iter().position(|variable| &*variable.name == name)
        } else {
            self.index.get(name).copied()
        };
        if let Some(at) = known {
            self.list[at].count += 1;
            return self.list[at].cell;
        }
        let cell = heap.new_var();
        self.list.push(Variable { name: name.into(), cell, span, count: 1 });
        let len = self.list.len();
        if len > FEW {
            let from = if len == FEW + 1 { 0 } else { len - 1 };
            let names = self.list[from..].iter().enumerate();
            self.index.extend(names.map(|(i, variable)| (variable.name.clone(), from + i)));
        }
        cell
    }

    /// The variables of a clause that has been read.
    pub(super) fn finish(&self) -> Finished {
        let singletons =
            |variable: &&Variable| variable.count == 1 && !variable.name.starts_with('_');
        let multiple = |variable: &&Variable| {
            let mut chars = variable.name.chars();
            variable.count > 1
                && chars.next() == Some('_')
                && chars.next().is_some_and(char::is_uppercase)
        };
        let named = |variable: &Variable| (variable.name.clone(), variable.span);
        let all = self.list.iter();
        Finished {
            variables: all.clone().map(|found| (found.name.clone(), found.cell)).collect(),
            singletons: all.clone().filter(singletons).map(named).collect(),
            multiple: all.filter(multiple).map(named).collect(),
        }
    }
}

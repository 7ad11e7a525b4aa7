//! A goal that is asked about, with the names that its query has for the variables.

use std::sync::Arc;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record, variables};

/// Variables of a query that are given names.
const MOST_NAMES: usize = 64;

/// A goal off the heap.
#[derive(Clone, Debug)]
pub struct Question {
    /// `v(Goal, Variable, …)`.
    pub term: Record,
    /// The names of these variables.
    pub names: Vec<Arc<str>>,
}

impl Question {
    /// A goal on the machine's heap.
    pub fn new(m: &mut Machine, w: &World, goal: Cell) -> Question {
        let inside = variables(&m.heap, goal);
        let mut parts = vec![goal];
        let mut names = Vec::new();
        for (i, name) in w.query_names.iter().enumerate().take(MOST_NAMES) {
            let Some(&root) = m.roots.get(w.query_roots + i) else { break };
            let value = m.heap.deref(root);
            if value.is_var() && inside.contains(&value) {
                names.push(name.clone());
                parts.push(value);
            }
        }
        let term = m.heap.new_struct(atoms::CALL, &parts);
        Question { term: Record::new(&mut m.heap, term), names }
    }

    /// A goal that was made for the occasion.
    pub fn of(term: Record, names: Vec<Arc<str>>) -> Question {
        Question { term, names }
    }
}

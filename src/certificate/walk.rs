//! Traversal of the entries of a list by what the rules lead to: [`Walk`].
//!
//! Goals of the rules are called only with states that the rules gave. An entry to which nothing leads is no state of theirs, or
//! one that proves nothing.

use zug_search::StateId;

/// Entries that are reached, each once.
pub struct Walk {
    is_reached: Vec<bool>,
    open: Vec<usize>,
}

impl Walk {
    /// A traversal of a list of `entries` entries.
    pub fn new(entries: usize) -> Walk {
        Walk { is_reached: vec![false; entries], open: Vec::new() }
    }

    /// Marks an entry, given by its number in a store, as reached, and gives its place.
    pub fn reach(&mut self, id: Option<StateId>) -> Option<usize> {
        let at = id? as usize;
        if !std::mem::replace(&mut self.is_reached[at], true) {
            self.open.push(at);
        }
        Some(at)
    }

    /// The next entry that was reached.
    pub fn pop(&mut self) -> Option<usize> {
        self.open.pop()
    }

    /// The first entry that nothing leads to.
    pub fn unreached(&self) -> Option<usize> {
        self.is_reached.iter().position(|&reached| !reached)
    }
}

//! A clause's term as the compiler sees it: cells and addresses.

use crate::clause::deref;
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Tag, watchdog};

/// The cells of a clause's record.
#[derive(Clone, Copy)]
pub struct Image<'a>(pub &'a [Cell]);

impl Image<'_> {
    /// The cell at an address.
    pub fn at(&self, addr: usize) -> Cell {
        self.0[addr]
    }

    /// Follows references.
    pub fn deref(&self, cell: Cell) -> Cell {
        deref(self.0, cell)
    }

    /// Name, arity and address of the first argument of an atom or compound.
    pub fn functor(&self, cell: Cell) -> Option<(Atom, usize, usize)> {
        watchdog::step();
        match cell.tag() {
            Tag::Atom => cell.as_atom().map(|name| (name, 0, 0)),
            Tag::List => Some((atoms::DOT, 2, cell.addr())),
            Tag::Struct => {
                let header = self.0[cell.addr()];
                Some((header.functor_name(), header.functor_arity(), cell.addr() + 1))
            }
            _ => None,
        }
    }

    /// Calls `visit` on each variable occurrence (its address) in a term.
    pub fn for_each_variable(&self, cell: Cell, mut visit: impl FnMut(usize)) {
        let mut todo = vec![cell];
        while let Some(cell) = todo.pop() {
            let cell = self.deref(cell);
            if cell.is_var() {
                visit(cell.addr());
            } else if let Some((_, arity, args)) = self.functor(cell) {
                todo.extend((0..arity).rev().map(|i| self.0[args + i]));
            }
        }
    }

    /// Whether a term has more than `limit` subterms.
    pub fn larger_than(&self, cell: Cell, limit: usize) -> bool {
        let mut todo = vec![cell];
        let mut count = 0;
        while let Some(cell) = todo.pop() {
            count += 1;
            if count > limit {
                return true;
            }
            if let Some((_, arity, args)) = self.functor(self.deref(cell)) {
                if arity > limit {
                    return true;
                }
                todo.extend((0..arity).map(|i| self.0[args + i]));
            }
        }
        false
    }
}

//! Binding, the trail, and unification (Robinson 1965; WAM chapter 2).
//!
//! A binding always points from the younger variable (higher address) to the
//! older one. Bindings of cells older than the newest choice point are noted on
//! the trail, so that backtracking can undo them.

use super::Machine;
use crate::term::{Cell, Tag};
use rustc_hash::FxHashSet;

/// An entry of the trail: the address of a variable to reset, or [`VALUE`].
pub type TrailEntry = usize;

/// The trail entry that stands for the next entry of the value trail.
pub(super) const VALUE: TrailEntry = usize::MAX;

impl Machine {
    /// Binds the unbound variable at `addr`.
    #[inline(always)]
    pub fn bind(&mut self, addr: usize, value: Cell) {
        self.set_cell(addr, value);
        if addr < self.hb {
            self.trail.push(addr);
        }
    }

    /// Overwrites any cell; backtracking restores it.
    pub fn set_trailed(&mut self, addr: usize, value: Cell) {
        self.value_trail.push((addr, self.heap.at(addr)));
        self.trail.push(VALUE);
        self.heap.set(addr, value);
    }

    /// Undoes the bindings made since the trail had this length.
    #[inline]
    pub fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let entry = self.trail.pop().expect("longer than the mark");
            if entry == VALUE {
                self.undo_value();
            } else {
                self.set_cell(entry, Cell::reference(entry));
            }
        }
    }

    /// Restores the newest entry of the value trail.
    #[cold]
    fn undo_value(&mut self) {
        let (addr, old) = self.value_trail.pop().expect("an entry for each VALUE");
        if addr >= super::exceptions::CHOICE_ADDRESS {
            self.reactivate(addr);
        } else {
            self.heap.set(addr, old);
        }
    }

    /// Unifies two terms. On failure bindings already made stay: the caller
    /// fails, and backtracking undoes them.
    #[inline]
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        let a = self.deref(a);
        let b = self.deref(b);
        if a == b {
            return true;
        }
        if a.is_ref() {
            if b.is_ref() && b.addr() > a.addr() {
                self.bind(b.addr(), a);
            } else {
                self.bind(a.addr(), b);
            }
            return true;
        }
        if b.is_ref() {
            self.bind(b.addr(), a);
            return true;
        }
        if a.tag() != b.tag() || a.is_atom() || a.is_int() {
            return false;
        }
        self.unify_deep(a, b)
    }

    /// Unifies two different dereferenced terms of the same tag.
    fn unify_deep(&mut self, a: Cell, b: Cell) -> bool {
        const PATIENCE: usize = 1 << 20;
        let mut steps = 0usize;
        let mut seen: FxHashSet<(Cell, Cell)> = FxHashSet::default();
        let mut todo = std::mem::take(&mut self.unify_stack);
        todo.clear();
        let (mut a, mut b) = (a, b);
        let success = loop {
            if a != b {
                let same = match (a.tag(), b.tag()) {
                    (Tag::Ref, Tag::Ref) => {
                        if a.addr() < b.addr() {
                            self.bind(b.addr(), a);
                        } else {
                            self.bind(a.addr(), b);
                        }
                        true
                    }
                    (Tag::Ref, _) => {
                        self.bind(a.addr(), b);
                        true
                    }
                    (_, Tag::Ref) => {
                        self.bind(b.addr(), a);
                        true
                    }
                    (Tag::List, Tag::List) => {
                        steps += 1;
                        if steps <= PATIENCE || seen.insert((a, b)) {
                            todo.push((a.addr(), b.addr(), 2));
                        }
                        true
                    }
                    (Tag::Struct, Tag::Struct) => {
                        let header = self.heap.at(a.addr());
                        let same = header == self.heap.at(b.addr());
                        if same {
                            steps += 1;
                            if steps <= PATIENCE || seen.insert((a, b)) {
                                todo.push((a.addr() + 1, b.addr() + 1, header.functor_arity()));
                            }
                        }
                        same
                    }
                    (Tag::Boxed, Tag::Boxed) => crate::term::structural_eq(&self.heap, a, b),
                    _ => false,
                };
                if !same {
                    break false;
                }
            }
            let Some(run) = todo.last_mut() else { break true };
            let (x, y) = (run.0, run.1);
            if run.2 == 1 {
                todo.pop();
            } else {
                *run = (run.0 + 1, run.1 + 1, run.2 - 1);
            }
            a = self.deref(self.cell(x));
            b = self.deref(self.cell(y));
        };
        self.unify_stack = todo;
        success
    }

    /// Unifies with occurs check: fails rather than make a cyclic term.
    pub fn unify_occurs_check(&mut self, a: Cell, b: Cell) -> bool {
        // Unify, then look at what the new bindings built: sound and complete,
        // since a cycle can only run through a variable bound here.
        let hb = std::mem::replace(&mut self.hb, usize::MAX);
        let mark = self.trail.len();
        let mut success = self.unify(a, b);
        if success {
            success = self.trail[mark..]
                .iter()
                .all(|&addr| crate::term::is_acyclic(&self.heap, Cell::reference(addr)));
        }
        self.hb = hb;
        if !success {
            self.undo_to(mark);
        }
        success
    }

    /// Whether two terms unify; no binding is left.
    pub fn unifiable(&mut self, a: Cell, b: Cell) -> bool {
        let hb = std::mem::replace(&mut self.hb, usize::MAX);
        let mark = self.trail.len();
        let success = self.unify(a, b);
        self.hb = hb;
        self.undo_to(mark);
        success
    }
}

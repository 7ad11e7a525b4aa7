//! Values that outlive the goals that set them: global variables that backtracking
//! restores (`b_setval/2`), and assignments that it leaves alone (`nb_setarg/3`).

use super::Machine;
use super::unify::VALUE;
use crate::symbol::Atom;
use crate::term::{Cell, Record};
use rustc_hash::{FxHashMap, FxHashSet};

/// Value-trail addresses from here on, and below those of choice points, name
/// global variables.
pub(super) const GLOBAL_ADDRESS: usize = 1 << 59;

/// Global variables by name, each with its value on the heap; no value yet is
/// a `Header` word, which is never a value.
#[derive(Default)]
pub(super) struct Globals {
    slots: FxHashMap<Atom, usize>,
    values: Vec<Cell>,
}

/// What an unset variable holds.
const UNSET: Cell = Cell::functor(Atom(0), 0);

impl Globals {
    /// The values that are set.
    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.values.iter().filter(|cell| !cell.is_header())
    }

    /// The values that are set, to move them.
    pub(super) fn cells_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.values.iter_mut().filter(|cell| !cell.is_header())
    }
}

impl Machine {
    /// The value a global variable was given since the last choice points that are
    /// still there, if any.
    pub fn global(&self, name: Atom) -> Option<Cell> {
        let slot = *self.globals.slots.get(&name)?;
        Some(self.globals.values[slot]).filter(|cell| !cell.is_header())
    }

    /// Gives a global variable a value; backtracking restores the old one.
    pub fn set_global(&mut self, name: Atom, value: Cell) {
        let next = self.globals.values.len();
        let slot = *self.globals.slots.entry(name).or_insert(next);
        if slot == next {
            self.globals.values.push(UNSET);
        }
        self.value_trail.push((GLOBAL_ADDRESS | slot, self.globals.values[slot]));
        self.trail.push(VALUE);
        self.globals.values[slot] = value;
    }

    /// Takes a global variable's value away, for good.
    pub fn unset_global(&mut self, name: Atom) {
        if let Some(&slot) = self.globals.slots.get(&name) {
            self.globals.values[slot] = UNSET;
        }
    }

    /// Takes every value away: the heap is about to be emptied.
    pub fn unset_globals(&mut self) {
        self.globals.values.fill(UNSET);
    }

    /// Undoes one [`Machine::set_global`].
    pub(super) fn restore_global(&mut self, addr: usize, old: Cell) {
        self.globals.values[addr & !GLOBAL_ADDRESS] = old;
    }

    /// Overwrites a cell with a copy of a term; backtracking doesn't undo it.
    ///
    /// Choice points give up the part of the heap above them, so that the copy
    /// stays when they are backtracked into.
    pub fn set_for_good(&mut self, addr: usize, value: Cell) {
        let value = self.heap.deref(value);
        if !value.is_pointer() {
            self.heap.set(addr, value);
            return;
        }
        let copy = Record::new(&mut self.heap, value).instantiate(&mut self.heap);
        self.heap.set(addr, copy);
        let top = self.heap.top();
        for choice in &mut self.choices {
            choice.heap = top;
        }
        self.refresh_barrier();
    }

    /// Whether a substitution makes `general` identical to `specific`, which
    /// itself stays as it is. No binding is left.
    pub fn subsumes(&mut self, general: Cell, specific: Cell) -> bool {
        let before = crate::term::variables(&self.heap, specific);
        let hb = std::mem::replace(&mut self.hb, usize::MAX);
        let mark = self.trail.len();
        let mut success = self.unify(general, specific);
        // The variables of `specific` may have been renamed, not bound or joined.
        let mut renamed = FxHashSet::default();
        success = success && before.into_iter().map(|variable| self.heap.deref(variable)).all(|value| {
            value.is_ref() && renamed.insert(value)
        });
        self.hb = hb;
        self.undo_to(mark);
        success
    }

    /// The bindings that would make two terms equal, newest first, as pairs of
    /// variable and value; `None` when they don't unify. No binding is left.
    pub fn unifier(&mut self, a: Cell, b: Cell) -> Option<Vec<(Cell, Cell)>> {
        let hb = std::mem::replace(&mut self.hb, usize::MAX);
        let mark = self.trail.len();
        let success = self.unify(a, b);
        let bound = self.trail[mark..].iter().rev();
        let pairs = bound.map(|&addr| (Cell::reference(addr), self.heap.at(addr))).collect();
        self.hb = hb;
        self.undo_to(mark);
        success.then_some(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::testing::Bench;

    #[test]
    fn globals_are_restored() {
        let mut bench = Bench::default();
        let m = &mut bench.machine;
        let name = m.symbols.intern("g");
        assert_eq!(m.global(name), None);
        let mark = m.trail.len();
        m.set_global(name, Cell::small(1));
        let inner = m.trail.len();
        m.set_global(name, Cell::small(2));
        assert_eq!(m.global(name), Some(Cell::small(2)));
        m.undo_to(inner);
        assert_eq!(m.global(name), Some(Cell::small(1)));
        m.undo_to(mark);
        assert_eq!(m.global(name), None);
    }

    #[test]
    fn subsumption() {
        let mut bench = Bench::default();
        for (general, specific, expected) in [
            ("f(X)", "f(a)", true), ("f(a)", "f(X)", false), ("f(X,X)", "f(Y,Z)", false), ("f(X,Y)", "f(Z,Z)", true),
            ("X", "f(Y)", true), ("f(X,b)", "f(a,b)", true), ("f(X,X)", "f(a,b)", false),
        ] {
            let general = bench.read(general);
            let specific = bench.read(specific);
            let before = bench.machine.heap.cells.clone();
            assert_eq!(bench.machine.subsumes(general, specific), expected);
            assert_eq!(bench.machine.heap.cells, before);
        }
    }
}

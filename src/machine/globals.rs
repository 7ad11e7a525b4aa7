//! Values that outlive the goals that set them: global variables that backtracking
//! restores (`b_setval/2`), and assignments that it leaves alone (`nb_setarg/3`).

use super::{Fault, Machine};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_term::symbol::Atom;
use zug_term::{Cell, Record, variables_at};

/// Value-trail addresses from here on, and below those of choice points, name global variables.
pub(super) const GLOBAL_ADDRESS: usize = 1 << 59;

/// What an unset variable holds: a word that is never a value.
const UNSET: Cell = Cell::functor(Atom(0), 0);

#[derive(Default)]
pub(super) struct Globals {
    index: FxHashMap<Atom, usize>,
    slots: Vec<Slot>,
}

struct Slot {
    /// The value on the heap, or [`UNSET`].
    value: Cell,
    /// Where on the trail this slot was noted last; `None` when that isn't known.
    noted: Option<usize>,
    /// Notes of this slot on the value trail.
    notes: usize,
}

impl Globals {
    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.slots.iter().map(|slot| &slot.value).filter(|cell| !cell.is_header())
    }

    /// Moves the values that are set; the trail is about to change.
    pub(super) fn moved(&mut self, relocate: impl Fn(Cell) -> Cell) {
        for slot in &mut self.slots {
            slot.noted = None;
            if !slot.value.is_header() {
                slot.value = relocate(slot.value);
            }
        }
    }
}

impl Machine {
    /// The value a global variable was given since the choice points that are still there, if any.
    pub fn global(&self, name: Atom) -> Option<Cell> {
        let slot = *self.globals.index.get(&name)?;
        Some(self.globals.slots[slot].value).filter(|cell| !cell.is_header())
    }

    /// The global variables that [`Machine::global`] has a value for, in no order.
    pub fn globals(&self) -> impl Iterator<Item = (Atom, Cell)> {
        let value = |at: usize| self.globals.slots[at].value;
        let all = self.globals.index.iter().map(move |(&name, &at)| (name, value(at)));
        all.filter(|(_, value)| !value.is_header())
    }

    /// Gives a global variable a value; backtracking restores the old one.
    pub fn set_global(&mut self, name: Atom, value: Cell) {
        let next = self.globals.slots.len();
        let at = *self.globals.index.entry(name).or_insert(next);
        if at == next {
            self.globals.slots.push(Slot { value: UNSET, noted: None, notes: 0 });
        }
        let barrier = self.choices.last().map_or(0, |choice| choice.trail);
        let slot = &mut self.globals.slots[at];
        let old = std::mem::replace(&mut slot.value, value);
        // One note since the newest choice point is enough.
        if slot.noted.is_none_or(|noted| noted < barrier) {
            slot.noted = Some(self.trail.len());
            slot.notes += 1;
            self.note_value(GLOBAL_ADDRESS | at, old);
        }
    }

    /// Takes a global variable's value away; backtracking doesn't bring it back.
    pub fn unset_global(&mut self, name: Atom) {
        let Some(&at) = self.globals.index.get(&name) else { return };
        let slot = &mut self.globals.slots[at];
        slot.value = UNSET;
        if slot.notes > 0 {
            let notes = self.value_trail.iter_mut().filter(|note| note.0 == GLOBAL_ADDRESS | at);
            notes.for_each(|note| note.1 = UNSET);
        }
    }

    /// Takes every value away: heap and trail are about to be emptied.
    pub fn unset_globals(&mut self) {
        self.globals = Globals::default();
    }

    /// Undoes one [`Machine::set_global`].
    pub(super) fn restore_global(&mut self, addr: usize, old: Cell) {
        let slot = &mut self.globals.slots[addr & !GLOBAL_ADDRESS];
        slot.value = old;
        slot.noted = None;
        slot.notes -= 1;
    }

    /// Overwrites a cell with a copy of a term; backtracking doesn't undo it.
    ///
    /// Choice points give up the part of the heap above them, so that the copy stays when they are backtracked into.
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
    ///
    /// # Errors
    /// A limit of time, or an interrupt.
    pub fn subsumes(&mut self, general: Cell, specific: Cell) -> Result<bool, Fault> {
        let before = self.walk_checked(|m, check| variables_at(&m.heap, specific, check))?;
        let (mark, mut success) = self.unify_noted(general, specific);
        // The variables of `specific` may have been renamed, not bound or joined.
        let mut renamed = FxHashSet::default();
        success = success
            && before
                .into_iter()
                .map(|variable| self.heap.deref(variable))
                .all(|value| value.is_var() && renamed.insert(value));
        self.undo_to(mark);
        Ok(success)
    }

    /// The bindings that would make two terms equal, newest first, as pairs of
    /// variable and value; `None` when they don't unify. No binding is left.
    pub fn unifier(&mut self, a: Cell, b: Cell) -> Option<Vec<(Cell, Cell)>> {
        let (mark, success) = self.unify_noted(a, b);
        let bound = self.bound_since(mark).rev();
        let pairs: Vec<_> = bound.map(|cell| (cell, self.heap.at(cell.addr()))).collect();
        self.undo_to(mark);
        success.then_some(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Bench;

    #[test]
    fn globals_are_restored() {
        let mut bench = Bench::default();
        let m = &mut bench.machine;
        let name = m.symbols.intern("g");
        assert_eq!(m.global(name), None);
        let mark = m.trail.len();
        m.set_global(name, Cell::small(1));
        m.set_global(name, Cell::small(2));
        assert_eq!(m.global(name), Some(Cell::small(2)));
        m.undo_to(mark);
        assert_eq!(m.global(name), None, "one note was enough");
        m.set_global(name, Cell::small(3));
        m.unset_global(name);
        assert_eq!(m.global(name), None);
        m.undo_to(mark);
        assert_eq!(m.global(name), None);
    }

    #[test]
    fn subsumption() {
        let mut bench = Bench::default();
        for (general, specific, expected) in [
            ("f(X)", "f(a)", true),
            ("f(a)", "f(X)", false),
            ("f(X,X)", "f(Y,Z)", false),
            ("f(X,Y)", "f(Z,Z)", true),
            ("X", "f(Y)", true),
            ("f(X,b)", "f(a,b)", true),
            ("f(X,X)", "f(a,b)", false),
        ] {
            let general = bench.read(general);
            let specific = bench.read(specific);
            let before = bench.machine.heap.cells.clone();
            assert!(
                matches!(bench.machine.subsumes(general, specific), Ok(found) if found == expected)
            );
            assert_eq!(bench.machine.heap.cells, before);
        }
    }
}

//! Binding, the trail, and unification (Robinson 1965; WAM chapter 2).
//!
//! A binding always points from the younger variable (higher address) to the older one. Bindings of cells older than
//! the newest choice point are noted on the trail, so that backtracking can undo them.

use super::{Fault, Machine};
use rustc_hash::FxHashSet;
use zug_term::{Cell, are_acyclic_at, watchdog};

/// An entry of the trail: the address of a variable to reset, or [`VALUE`].
pub type TrailEntry = usize;

/// Value-trail addresses from here on name no cells of the heap.
pub(super) const SPECIAL_ADDRESS: usize = 1 << 56;
/// The trail entry that stands for the next entry of the value trail.
pub(super) const VALUE: TrailEntry = usize::MAX;

/// Cells to unify in pairs: where they start on the left and on the right, and how many there are.
pub(super) type Run = (usize, usize, usize);

/// Compounds compared that are no step of the usual length.
const LONG: usize = 1 << 10;

impl Machine {
    /// Binds an unbound variable, given as the cell that it is.
    #[inline(always)]
    pub fn bind(&mut self, variable: Cell, value: Cell) {
        if variable.is_ref() {
            self.bind_plain(variable.addr(), value);
        } else {
            self.bind_attributed(variable, value);
        }
    }

    /// Binds the unbound variable without attributes at `addr`.
    #[inline(always)]
    fn bind_plain(&mut self, addr: usize, value: Cell) {
        self.set_cell(addr, value);
        if addr < self.hb {
            self.push_trail(addr);
        }
    }

    /// Overwrites any cell; backtracking restores it.
    pub fn set_trailed(&mut self, addr: usize, value: Cell) {
        self.note_value(addr, self.heap.at(addr));
        self.heap.set(addr, value);
    }

    /// Notes an old value on the trail: that of a cell, or of what an address beyond the cells names.
    #[inline]
    pub(super) fn note_value(&mut self, addr: usize, old: Cell) {
        self.value_trail.push((addr, old));
        self.trail.push(VALUE);
    }

    /// Undoes the bindings made since the trail had this length.
    #[inline]
    pub fn undo_to(&mut self, mark: usize) {
        let mut end = self.trail.len();
        while end > mark {
            end -= 1;
            let entry = self.trail_entry(end);
            if entry == VALUE {
                self.undo_value();
            } else {
                self.set_cell(entry, Cell::reference(entry));
            }
        }
        self.trail.truncate(mark);
    }

    #[cold]
    fn undo_value(&mut self) {
        let (addr, old) = self.value_trail.pop().expect("an entry for each VALUE");
        if addr >= SPECIAL_ADDRESS {
            self.undo_special(addr, old);
            return;
        }
        self.heap.set(addr, old);
        if old == Cell::attributed(addr) {
            self.forget_pending(old);
        }
    }

    /// Unifies two terms. On failure bindings already made stay: the caller fails, and backtracking undoes them.
    #[inline(always)]
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        let (a, b) = (self.deref(a), self.deref(b));
        self.unify_shallow(a, b).unwrap_or_else(|| self.unify_deep(a, b))
    }

    /// Unifies two dereferenced cells; `None` if both are attributed, boxed, or compounds of one kind, and differ.
    #[inline(always)]
    fn unify_shallow(&mut self, a: Cell, b: Cell) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if a.is_ref() {
            if b.is_ref() && b.addr() > a.addr() {
                self.bind_plain(b.addr(), a);
            } else {
                self.bind_plain(a.addr(), b);
            }
            return Some(true);
        }
        if b.is_ref() {
            self.bind_plain(b.addr(), a);
            return Some(true);
        }
        if a.tag() != b.tag() || a.is_atom() || a.is_int() {
            let attributed = a.is_attributed() || b.is_attributed();
            return Some(attributed && self.unify_attributed(a, b));
        }
        None
    }

    /// Unifies different dereferenced terms of which one is an attributed variable, and none a plain one.
    #[cold]
    #[inline(never)]
    fn unify_attributed(&mut self, a: Cell, b: Cell) -> bool {
        if a.is_attributed() && !(b.is_attributed() && b.addr() > a.addr()) {
            self.bind_attributed(a, b);
        } else {
            self.bind_attributed(b, a);
        }
        true
    }

    /// Unifies what [`Machine::unify_shallow`] leaves; of compounds the arguments are left to be unified.
    #[inline(always)]
    fn unify_tagged(&mut self, a: Cell, b: Cell) -> Result<Run, bool> {
        if a.is_attributed() {
            return Err(self.unify_attributed(a, b));
        }
        if a.is_boxed() {
            return Err(zug_term::structural_eq(&self.heap, a, b));
        }
        self.argument_runs(a, b).ok_or(false)
    }

    fn unify_deep(&mut self, a: Cell, b: Cell) -> bool {
        let (left, right, count) = match self.unify_tagged(a, b) {
            Ok(run) => run,
            Err(unified) => return unified,
        };
        // PERF: most compounds hold no others that must be compared; they need no stack.
        for i in 0..count {
            let (a, b) = (self.deref(self.cell(left + i)), self.deref(self.cell(right + i)));
            match self.unify_shallow(a, b) {
                Some(true) => {}
                Some(false) => return false,
                None => return self.unify_rest(left + i, right + i, count - i),
            }
        }
        true
    }

    /// Unifies `count` cells from `left` on with those from `right` on.
    fn unify_rest(&mut self, left: usize, right: usize, count: usize) -> bool {
        let mut todo = std::mem::take(&mut self.unify_stack);
        let mut steps = 0;
        let success = self.unify_runs((left, right, count), &mut todo, &mut steps);
        if steps > LONG {
            self.worked(steps);
        }
        todo.clear();
        self.unify_stack = todo;
        success
    }

    /// Where the arguments of two compounds start, and how many there are; `None` if the functors differ.
    #[inline(always)]
    fn argument_runs(&self, a: Cell, b: Cell) -> Option<Run> {
        if a.is_list() {
            return Some((a.addr(), b.addr(), 2));
        }
        let header = self.cell(a.addr());
        (header == self.cell(b.addr()))
            .then(|| (a.addr() + 1, b.addr() + 1, header.functor_arity()))
    }

    /// Unifies the cells of a run, with a stack of runs left for later; `steps` counts the compounds compared.
    fn unify_runs(&mut self, run: Run, todo: &mut Vec<Run>, steps: &mut usize) -> bool {
        /// Compounds compared before pairs are remembered, so that cyclic terms end.
        const PATIENCE: usize = 1 << 20;
        let mut seen: FxHashSet<(Cell, Cell)> = FxHashSet::default();
        let (mut left, mut right, mut count) = run;
        loop {
            while count > 0 {
                let (a, b) = (self.deref(self.cell(left)), self.deref(self.cell(right)));
                left += 1;
                right += 1;
                count -= 1;
                match self.unify_shallow(a, b) {
                    Some(true) => continue,
                    Some(false) => return false,
                    None => {}
                }
                let run = match self.unify_tagged(a, b) {
                    Ok(run) => run,
                    Err(true) => continue,
                    Err(false) => return false,
                };
                *steps += 1;
                watchdog::step();
                if *steps > PATIENCE && !seen.insert((a, b)) {
                    continue;
                }
                if count > 0 {
                    todo.push((left, right, count));
                }
                (left, right, count) = run;
            }
            match todo.pop() {
                Some(run) => (left, right, count) = run,
                None => return true,
            }
        }
    }

    /// Unifies two terms and notes all bindings: the length of the trail before, and whether they unify.
    pub(super) fn unify_noted(&mut self, a: Cell, b: Cell) -> (usize, bool) {
        let mark = self.trail.len();
        let hb = std::mem::replace(&mut self.hb, usize::MAX);
        let success = self.unify(a, b);
        self.hb = hb;
        (mark, success)
    }

    /// Unifies with occurs check: fails rather than make a cyclic term.
    ///
    /// # Errors
    /// A limit of time, or an interrupt.
    pub fn unify_occurs_check(&mut self, a: Cell, b: Cell) -> Result<bool, Fault> {
        // Unify, then look at what the new bindings built: sound and complete,
        // since a cycle can only run through a variable bound here.
        let (mark, unified) = self.unify_noted(a, b);
        let mut success = Ok(unified);
        if unified {
            success =
                self.walk_checked(|m, check| are_acyclic_at(&m.heap, m.bound_since(mark), check));
        }
        if !matches!(success, Ok(true)) {
            self.undo_to(mark);
        }
        success
    }

    /// References to the variables bound since the trail had this length, the first first.
    pub(super) fn bound_since(&self, mark: usize) -> impl DoubleEndedIterator<Item = Cell> {
        let new = &self.trail[mark..];
        let values = new.iter().filter(|&&entry| entry == VALUE).count();
        let mut noted = self.value_trail[self.value_trail.len() - values..].iter();
        let addresses: Vec<usize> = new
            .iter()
            .map(|&entry| match entry {
                VALUE => noted.next().map_or(VALUE, |&(addr, _)| addr),
                addr => addr,
            })
            .filter(|&addr| addr < SPECIAL_ADDRESS)
            .collect();
        addresses.into_iter().map(Cell::reference)
    }

    /// Unifies two terms; if they don't unify, no binding is left.
    pub fn unify_or_undo(&mut self, a: Cell, b: Cell) -> bool {
        let (mark, success) = self.unify_noted(a, b);
        if !success {
            self.undo_to(mark);
        } else if self.trail.len() > mark {
            // Younger variables need no entry after all.
            let mut kept = mark;
            for i in mark..self.trail.len() {
                let addr = self.trail[i];
                self.trail[kept] = addr;
                kept += usize::from(addr < self.hb || addr == VALUE);
            }
            self.trail.truncate(kept);
        }
        success
    }

    /// Whether two terms don't unify, for a built-in that has this answer for its own: if attributed
    /// variables are bound on the way, what they say to that counts too, and its answer is given by that.
    pub fn not_unifiable(&mut self, a: Cell, b: Cell) -> bool {
        let values = self.value_trail.len();
        let (mark, success) = self.unify_noted(a, b);
        if success && self.value_trail.len() > values {
            self.undecided = Some((a, b));
        }
        self.undo_to(mark);
        !success
    }

    /// Whether two terms unify; no binding is left.
    pub fn unifiable(&mut self, a: Cell, b: Cell) -> bool {
        let (mark, success) = self.unify_noted(a, b);
        self.undo_to(mark);
        success
    }

    // --- the steps of `Get…` and `Unify…` -------------------------------------------

    /// Dereferences `X[a]` in place; the address of the head if it is a list cell.
    #[inline(always)]
    pub(super) fn get_list(&mut self, a: u16) -> Option<usize> {
        let cell = self.deref(self.x[a as usize]);
        self.x[a as usize] = cell;
        cell.is_list().then(|| cell.addr())
    }

    /// Reads the next argument of the current compound, or makes it a variable.
    #[inline(always)]
    pub(super) fn next_argument(&mut self) -> Cell {
        if self.write {
            self.push_var()
        } else {
            let cell = self.cell(self.s);
            self.s += 1;
            cell
        }
    }

    #[inline(always)]
    pub(super) fn unify_next(&mut self, cell: Cell) -> bool {
        if self.write {
            self.push(cell);
            true
        } else {
            let other = self.cell(self.s);
            self.s += 1;
            self.unify(cell, other)
        }
    }

    #[inline(always)]
    pub(super) fn unify_constant(&mut self, constant: Cell) -> bool {
        if self.write {
            self.push(constant);
            return true;
        }
        let cell = self.deref(self.cell(self.s));
        self.s += 1;
        if cell == constant {
            return true;
        }
        if cell.is_var() {
            self.bind(cell, constant);
            return true;
        }
        false
    }

    #[inline(always)]
    pub(super) fn unify_tail_list(&mut self) -> bool {
        if self.write {
            let next = self.heap.top() + 1;
            self.push(Cell::list(next));
            return true;
        }
        let cell = self.deref(self.cell(self.s));
        if cell.is_list() {
            self.s = cell.addr();
            return true;
        }
        if cell.is_var() {
            self.bind(cell, Cell::list(self.heap.top()));
            self.write = true;
            return true;
        }
        false
    }

    #[inline(always)]
    pub(super) fn unify_tail_struct(&mut self, f: u32) -> bool {
        let functor = self.functor(f);
        if self.write {
            let next = self.heap.top() + 1;
            self.push(Cell::structure(next));
            self.push(functor);
            return true;
        }
        let cell = self.deref(self.cell(self.s));
        if cell.is_struct() && self.cell(cell.addr()) == functor {
            self.s = cell.addr() + 1;
            return true;
        }
        if cell.is_var() {
            let addr = self.heap.top();
            self.push(functor);
            self.bind(cell, Cell::structure(addr));
            self.write = true;
            return true;
        }
        false
    }
}

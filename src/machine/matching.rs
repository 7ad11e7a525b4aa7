//! Matching the arguments of compounds: the steps of `Get…` and `Unify…`.

use super::Machine;
use zug_term::Cell;

impl Machine {
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

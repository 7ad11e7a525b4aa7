//! Access without bounds checks, for the loop.
//!
//! Soundness: addresses in heap cells and registers come only from the heap's own length at the time (`push`,
//! `new_var`); the heap is cut back only to lengths saved in choice points, together with everything that pointed
//! above; the collector rewrites them all. Code addresses come from `install` and stay within the code area, which
//! never shrinks. Environment addresses come from `allocate`, which makes room first. Debug builds check every
//! access.
//!
//! Measured on naive reverse: a quarter of the run time.

#![expect(unsafe_code, reason = "the accessors of the machine's inner loop; see the module's text")]

use super::frames::FRAME;
use super::instr::Instr;
use super::{Machine, TrailEntry};
use zug_term::Cell;

impl Machine {
    /// The instruction at a code address. PERF: by reference, so that each arm of the loop loads the fields it needs.
    #[inline(always)]
    pub(super) fn fetch(&self, pc: u32) -> &Instr {
        debug_assert!((pc as usize) < self.program.code.len());
        // SAFETY: see the module's text.
        unsafe { self.program.code.get_unchecked(pc as usize) }
    }

    #[inline(always)]
    pub(super) fn cell(&self, addr: usize) -> Cell {
        debug_assert!(addr < self.heap.cells.len());
        // SAFETY: see the module's text.
        unsafe { *self.heap.cells.get_unchecked(addr) }
    }

    #[inline(always)]
    pub(super) fn set_cell(&mut self, addr: usize, cell: Cell) {
        debug_assert!(addr < self.heap.cells.len());
        // SAFETY: see the module's text.
        unsafe { *self.heap.cells.get_unchecked_mut(addr) = cell }
    }

    #[inline(always)]
    pub(super) fn deref(&self, mut cell: Cell) -> Cell {
        while cell.is_var() {
            let next = self.cell(cell.addr());
            if next == cell {
                break;
            }
            cell = next;
        }
        cell
    }

    #[inline(always)]
    pub(super) fn y(&self, y: u16) -> Cell {
        let at = self.e + FRAME + y as usize;
        debug_assert!(at < self.frames.len());
        // SAFETY: see the module's text.
        Cell(unsafe { *self.frames.get_unchecked(at) })
    }

    #[inline(always)]
    pub(super) fn set_y(&mut self, y: u16, cell: Cell) {
        let at = self.e + FRAME + y as usize;
        debug_assert!(at < self.frames.len());
        // SAFETY: see the module's text.
        unsafe { *self.frames.get_unchecked_mut(at) = cell.0 }
    }

    #[inline(always)]
    pub(super) fn frame_word(&self, at: usize) -> u64 {
        debug_assert!(at < self.frames.len());
        // SAFETY: see the module's text.
        unsafe { *self.frames.get_unchecked(at) }
    }

    #[inline(always)]
    pub(super) fn set_frame_word(&mut self, at: usize, word: u64) {
        debug_assert!(at < self.frames.len());
        // SAFETY: see the module's text.
        unsafe { *self.frames.get_unchecked_mut(at) = word }
    }

    #[inline(always)]
    pub(super) fn entry_of(&self, pred: u32) -> u32 {
        debug_assert!((pred as usize) < self.program.entries.len());
        // SAFETY: predicate numbers come from `Program::pred`, and none is ever removed.
        unsafe { *self.program.entries.get_unchecked(pred as usize) }
    }

    #[inline(always)]
    pub(super) fn functor(&self, f: u32) -> Cell {
        debug_assert!((f as usize) < self.program.functors.len());
        // SAFETY: functor numbers come from `Program::functor`, and none is ever removed.
        unsafe { *self.program.functors.get_unchecked(f as usize) }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, cell: Cell) {
        let at = self.heap.cells.len();
        if at == self.heap.cells.capacity() {
            self.grow_heap();
        }
        // SAFETY: there is room for one more cell, written before it counts.
        unsafe {
            *self.heap.cells.as_mut_ptr().add(at) = cell;
            self.heap.cells.set_len(at + 1);
        }
    }

    #[inline(always)]
    pub(super) fn push_var(&mut self) -> Cell {
        let var = Cell::reference(self.heap.cells.len());
        self.push(var);
        var
    }

    /// Pushes two cells on the heap, as those of a list cell; the address of the first.
    #[inline(always)]
    pub(super) fn push_pair(&mut self, head: Cell, tail: Cell) -> usize {
        let at = self.heap.cells.len();
        if self.heap.cells.capacity() - at < 2 {
            self.grow_heap();
        }
        // SAFETY: there is room for two more cells, written before they count.
        unsafe {
            *self.heap.cells.as_mut_ptr().add(at) = head;
            *self.heap.cells.as_mut_ptr().add(at + 1) = tail;
            self.heap.cells.set_len(at + 2);
        }
        at
    }

    /// Pushes a list cell's head and tail: a value and a new variable. The tail.
    #[inline(always)]
    pub(super) fn push_head_and_var(&mut self, head: Cell) -> Cell {
        let tail = Cell::reference(self.heap.cells.len() + 1);
        self.push_pair(head, tail);
        tail
    }

    /// Makes room for more cells. PERF: out of the loop, which so needs nothing but the machine's address.
    #[cold]
    #[inline(never)]
    fn grow_heap(&mut self) {
        self.heap.cells.reserve(2);
    }

    /// Notes a variable on the trail.
    #[inline(always)]
    pub(super) fn push_trail(&mut self, addr: usize) {
        let at = self.trail.len();
        if at == self.trail.capacity() {
            self.grow_trail();
        }
        // SAFETY: there is room for one more entry, written before it counts.
        unsafe {
            *self.trail.as_mut_ptr().add(at) = addr;
            self.trail.set_len(at + 1);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_trail(&mut self) {
        self.trail.reserve(1);
    }

    #[inline(always)]
    pub(super) fn trail_entry(&self, at: usize) -> TrailEntry {
        debug_assert!(at < self.trail.len());
        // SAFETY: the caller counts down from the trail's length.
        unsafe { *self.trail.get_unchecked(at) }
    }

    /// Code address of the clause at a place in the tables of clauses.
    #[inline(always)]
    pub(super) fn target(&self, at: u32) -> u32 {
        debug_assert!((at as usize) < self.program.targets.len());
        // SAFETY: runs of targets come from `link`, and none is ever removed.
        unsafe { *self.program.targets.get_unchecked(at as usize) }
    }

    /// Appends `X[0..n]` to the arguments of choice points.
    #[inline(always)]
    pub(super) fn keep_args(&mut self, n: usize) {
        let at = self.choice_args.len();
        if self.choice_args.capacity() - at < n {
            self.grow_choice_args(n);
        }
        assert!(n <= self.x.len());
        // SAFETY: there is room for `n` more cells, written before they count, and as many registers. PERF: a call of
        // `memcpy` takes longer than the loop, as arguments are few.
        unsafe {
            let to = self.choice_args.as_mut_ptr().add(at);
            for i in 0..n {
                std::ptr::write_volatile(to.add(i), *self.x.get_unchecked(i));
            }
            self.choice_args.set_len(at + n);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_choice_args(&mut self, n: usize) {
        self.choice_args.reserve(n);
    }

    /// Loads the arguments of choice points from a place on into X.
    #[inline(always)]
    pub(super) fn load_args(&mut self, from: usize) {
        let n = self.choice_args.len() - from;
        assert!(from <= self.choice_args.len() && n <= self.x.len());
        // SAFETY: just checked.
        unsafe {
            for i in 0..n {
                let cell = *self.choice_args.get_unchecked(from + i);
                std::ptr::write_volatile(self.x.get_unchecked_mut(i), cell);
            }
        }
    }
}

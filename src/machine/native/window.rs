//! What machine code sees of the machine: the parts of vectors, whose layout Rust keeps to itself, at known places.
//!
//! It is filled in when machine code is entered and after each step that it calls, and what machine code
//! changed is put back when it leaves and before each step. Heap addresses are in bytes, as they are in cells.

use super::super::Machine;
use super::Shared;
use zug_term::Cell;

/// Cells that there is always room for on the heap behind a step, and entries on the trail.
pub(super) const SLACK: usize = 1 << 12;

#[derive(Default)]
#[repr(C)]
pub(crate) struct Window {
    /// The heap, in bytes.
    pub(super) heap: Part,
    /// The top above which the next call polls, in bytes.
    pub(super) limit: usize,
    /// Below it cells are older than the newest choice point, in bytes.
    pub(super) barrier: usize,
    pub(super) trail: Part,
    /// The words of the environments.
    pub(super) frames: Part,
    pub(super) choices: Part,
    /// The arguments of choice points.
    pub(super) args: Part,
    /// A cut to a height below this has to look after cleanups.
    pub(super) cleanups: usize,
    /// Open bags.
    pub(super) bags: usize,
    /// Address of the first entry of the tables of clauses.
    pub(super) targets: usize,
    /// Address of X[0].
    pub(super) x: usize,
    /// Address of the first entry of a predicate.
    pub(super) entries: usize,
    /// Address of the first instruction.
    pub(super) code: usize,
    /// Address of the first function.
    pub(super) functions: usize,
    /// The way out that `leave` takes.
    pub(super) exit: u64,
    /// The address of the call that a poll is due before.
    pub(super) called_at: u64,
    /// The function that leaves by it, …
    pub(super) leave: usize,
    /// … and the one that enters machine code; 0 where there is none.
    pub(super) enter: usize,
    /// The host of the loop, …
    pub(super) host: usize,
    /// … and what runs a built-in of it.
    pub(super) builtin: usize,
    /// What a step computed.
    pub(super) result: u64,
}

/// The parts of a vector.
#[derive(Default)]
#[repr(C)]
pub(super) struct Part {
    /// Address of the first element.
    pub at: usize,
    /// Number of elements.
    pub len: usize,
    /// Elements that there is room for.
    pub room: usize,
}

impl Part {
    #[inline]
    fn of<T>(vector: &mut Vec<T>) -> Part {
        Part { at: vector.as_mut_ptr() as usize, len: vector.len(), room: vector.capacity() }
    }
}

fn bytes(cells: usize) -> usize {
    cells.saturating_mul(size_of::<Cell>())
}

impl Machine {
    /// Makes room for [`SLACK`] cells, and entries of the trail. The heap may move.
    #[inline]
    pub(super) fn reserve_slack(&mut self) {
        if self.heap.cells.capacity() - self.heap.cells.len() < SLACK {
            self.heap.cells.reserve(SLACK);
        }
        self.reserve_trail();
    }

    #[inline]
    pub(super) fn reserve_trail(&mut self) {
        if self.trail.capacity() - self.trail.len() < SLACK {
            self.trail.reserve(SLACK);
        }
    }

    #[inline]
    pub(super) fn open_window(&mut self) {
        let window = &mut self.window;
        let Part { at, len, room } = Part::of(&mut self.heap.cells);
        window.heap = Part { at, len: bytes(len), room: bytes(room) };
        window.limit = bytes(self.heap_limit);
        window.barrier = bytes(self.hb);
        window.trail = Part::of(&mut self.trail);
        window.frames = Part::of(&mut self.frames);
        window.choices = Part::of(&mut self.choices);
        window.args = Part::of(&mut self.choice_args);
        window.cleanups = self.cleanups.last().map_or(0, |height| height + 1);
        window.bags = self.bags.len();
        window.targets = self.program.targets.as_ptr() as usize;
        window.x = self.x.as_mut_ptr() as usize;
        window.entries = self.program.entries.as_ptr() as usize;
        window.code = self.program.code.as_ptr() as usize;
        window.functions = self.program.natives.functions.as_ptr() as usize;
    }

    /// As [`Machine::open_window`], behind a step that only binds.
    #[inline]
    pub(super) fn open_bound(&mut self) {
        let window = &mut self.window;
        window.limit = bytes(self.heap_limit);
        window.trail = Part::of(&mut self.trail);
    }

    /// Takes over what machine code changed.
    #[inline]
    #[expect(unsafe_code, reason = "machine code has written what lies behind the old ends")]
    pub(super) fn close_window(&mut self) {
        let top = self.window.heap.len / size_of::<Cell>();
        debug_assert!(top <= self.heap.cells.capacity());
        debug_assert!(self.window.trail.len <= self.trail.capacity());
        debug_assert!(self.window.choices.len <= self.choices.capacity());
        debug_assert!(self.window.args.len <= self.choice_args.capacity());
        // SAFETY: machine code writes what lies below the tops that it sets, of cells, entries of the trail, choice
        // points and their arguments, and keeps each below the capacity.
        unsafe {
            self.heap.cells.set_len(top);
            self.trail.set_len(self.window.trail.len);
            self.choices.set_len(self.window.choices.len);
            self.choice_args.set_len(self.window.args.len);
        }
        self.hb = self.window.barrier / size_of::<Cell>();
    }

    #[inline]
    #[expect(unsafe_code, reason = "machine code is called")]
    pub(super) fn enter_native(&mut self, function: usize) -> u64 {
        if self.window.enter == 0 {
            // This machine was forked from the one that made the function.
            self.window.enter = Shared::ENTER.address().expect("there is another function");
            self.window.leave = Shared::LEAVE.address().expect("there is another function");
        }
        self.reserve_slack();
        self.open_window();
        // SAFETY: this function of `Shared` has this signature; `function` is the address of one of an assembly that
        // the program holds, and its text is what `emit` and `clause` say.
        let exit = unsafe {
            let enter = std::mem::transmute::<usize, extern "C" fn(*mut Machine, usize) -> u64>(
                self.window.enter,
            );
            enter(std::ptr::from_mut(self), function)
        };
        self.close_window();
        exit
    }
}

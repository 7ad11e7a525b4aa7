//! Garbage collection of the heap: mark, then slide.
//!
//! Cells are marked one by one in a bitmap; survivors slide down in order, so that the age of variables and the
//! segments of choice points stay true. The new address of a cell is the number of marked cells below it, found from
//! a sum per 64 cells and a population count (as in Abuaiadh et al., *Compressor*, 2004). Roots are the argument
//! registers, the live Y registers of every reachable environment, choice points, values on the trail, and the cells
//! on [`Machine::roots`].
//!
//! An environment is live as far as the `Call` before its continuation, or the `TryElse` of a choice point, says:
//! other Y registers may hold stale words and are never looked at.

use super::choices::Alt;
use super::frames::FRAME;
use super::instr::Instr;
use super::unify::{SPECIAL_ADDRESS, TrailEntry, VALUE};
use super::{Machine, fixed};
use std::ops::Range;
use zug_term::{Cell, Tag, watchdog};

/// Bit that makes the `live` field of an instruction an index into [`super::Program::live_sets`].
pub const LIVE_SET: u16 = 0x8000;
/// The `live` field of an instruction whose environment is live as a whole.
pub(super) const LIVE_ALL: u16 = 0xFFFF;

#[derive(Default)]
struct Marks {
    bits: Bits,
    /// Marked cells before each word of `bits`.
    before: Vec<usize>,
    stack: Vec<Cell>,
    /// Arguments of compounds with many that are still to be looked at.
    ranges: Vec<Range<usize>>,
}

/// Arguments of a compound that go on the stack at once: millions would take as much memory as the compound.
const ARGS: usize = 1 << 10;

impl Marks {
    #[inline(always)]
    fn set(&mut self, addr: usize) -> bool {
        self.bits.insert(addr)
    }
    #[inline(always)]
    fn later(&mut self, cell: Cell) {
        if cell.is_pointer() {
            self.stack.push(cell);
        }
    }
    fn mark(&mut self, cells: &[Cell], root: Cell) {
        self.stack.push(root);
        loop {
            self.mark_stack(cells);
            let Some(range) = self.ranges.last_mut() else { break };
            let part = range.start..range.end.min(range.start + ARGS);
            range.start = part.end;
            if range.start >= range.end {
                self.ranges.pop();
            }
            cells[part].iter().for_each(|&arg| self.later(arg));
        }
    }

    fn mark_stack(&mut self, cells: &[Cell]) {
        while let Some(cell) = self.stack.pop() {
            watchdog::step();
            let addr = cell.addr();
            match cell.tag() {
                Tag::Ref => {
                    if self.set(addr) {
                        self.later(cells[addr]);
                    }
                }
                // The attributes of a variable live as long as somebody knows that it has some.
                Tag::Attributed => {
                    if self.set(addr + 1) {
                        self.later(cells[addr + 1]);
                        self.set(addr);
                        if cells[addr] != cell {
                            self.later(cells[addr]);
                        }
                    }
                }
                Tag::List => {
                    // The head is looked at first, or all heads would wait on the stack.
                    if self.set(addr + 1) {
                        self.later(cells[addr + 1]);
                    }
                    if self.set(addr) {
                        self.later(cells[addr]);
                    }
                }
                Tag::Struct => {
                    if self.set(addr) {
                        let arity = cells[addr].functor_arity();
                        let args = &cells[addr + 1..=addr + arity];
                        if arity > ARGS {
                            watchdog::steps(arity);
                            for at in addr + 1..=addr + arity {
                                self.set(at);
                            }
                            self.ranges.push(addr + 1..addr + arity + 1);
                            continue;
                        }
                        for (i, &arg) in args.iter().enumerate() {
                            if self.set(addr + 1 + i) {
                                self.later(arg);
                            }
                        }
                    }
                }
                Tag::Boxed => {
                    for at in addr..=addr + cells[addr].payload_words() {
                        self.set(at);
                    }
                }
                Tag::Atom | Tag::Int | Tag::Header => {}
            }
        }
    }
    fn count(&mut self) {
        let mut sum = 0;
        self.before = self
            .bits
            .0
            .iter()
            .map(|word| {
                let before = sum;
                sum += word.count_ones() as usize;
                before
            })
            .collect();
    }
    /// Number of marked cells below an address: where it moves.
    #[inline(always)]
    fn moved(&self, addr: usize) -> usize {
        let below = self.bits.0[addr / 64] & ((1u64 << (addr % 64)) - 1);
        self.before[addr / 64] + below.count_ones() as usize
    }
    #[inline(always)]
    fn relocate(&self, cell: Cell) -> Cell {
        if cell.is_pointer() {
            Cell((self.moved(cell.addr()) as u64) << 3 | cell.0 & 7)
        } else {
            cell
        }
    }
}

#[derive(Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(end: usize) -> Bits {
        Bits(vec![0; end / 64 + 1])
    }

    #[inline(always)]
    fn contains(&self, n: usize) -> bool {
        self.0[n / 64] >> (n % 64) & 1 == 1
    }

    /// Adds a number; false if it was there.
    #[inline(always)]
    fn insert(&mut self, n: usize) -> bool {
        let (word, bit) = (&mut self.0[n / 64], 1 << (n % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

impl Machine {
    /// Collects garbage; `X[0..arity]` are the live registers.
    pub fn collect_garbage(&mut self, arity: usize) {
        let started = std::time::Instant::now();
        let _frees = watchdog::NoMemoryLimit::new();
        self.drop_young_notes();
        let top = self.heap.top();
        let mut marks = Marks { bits: Bits::new(top), ..Marks::default() };
        let slots = self.mark_roots(&mut marks, arity);
        marks.count();
        self.compact(&marks, top);
        for x in &mut self.x[..arity] {
            *x = marks.relocate(*x);
        }
        for slot in slots {
            self.frames[slot] = marks.relocate(Cell(self.frames[slot])).0;
        }
        for cell in self.choice_args.iter_mut().chain(&mut self.roots) {
            *cell = marks.relocate(*cell);
        }
        self.globals.moved(|cell| marks.relocate(cell));
        self.attributes.moved(|cell| marks.relocate(cell));
        self.move_trail(&marks);
        for choice in &mut self.choices {
            choice.heap = marks.moved(choice.heap);
        }
        self.refresh_barrier();
        self.collections += 1;
        self.collected += (top - self.heap.top()) as u64;
        self.collection_time += started.elapsed();
    }

    /// Marks everything alive; the Y registers to move afterwards, each once.
    fn mark_roots(&self, marks: &mut Marks, arity: usize) -> Vec<usize> {
        let cells = &self.heap.cells;
        let registers = self.x[..arity].iter();
        let kept = self.choice_args.iter().chain(&self.roots).chain(self.globals.cells());
        for &cell in registers.chain(kept).chain(self.attributes.cells()) {
            marks.mark(cells, cell);
        }
        self.mark_trail(marks);
        let mut slots = Vec::new();
        // PERF: bits, since a deep recursion has millions of environments.
        let mut seen_slots = Bits::new(self.frames.len());
        let mut seen_frames = Bits::new(self.frames.len());
        let mut slot = |at: usize, marks: &mut Marks| {
            if seen_slots.insert(at) {
                slots.push(at);
                marks.mark(cells, Cell(self.frames[at]));
            }
        };
        let starts = self.choices.iter().map(|choice| match choice.alt {
            Alt::Else { live, .. } => (choice.e as usize, choice.cp, Some(live)),
            Alt::Catch { .. } | Alt::Det => (choice.e as usize, choice.cp, Some(0)),
            _ => (choice.e as usize, choice.cp, None),
        });
        for (mut e, mut cp, own) in starts.chain([(self.e, self.cp, None)]) {
            if let Some(live) = own {
                self.live_registers(live, e, |at| slot(at, marks));
                (cp, e) = self.caller_of(e);
            }
            while cp > fixed::STOP {
                let live = match self.program.code[cp as usize - 1] {
                    Instr::Call { live, .. } => live,
                    _ => 0,
                };
                self.live_registers(live, e, |at| slot(at, marks));
                // The way on from an environment is the same wherever one comes from.
                if !seen_frames.insert(e) {
                    break;
                }
                (cp, e) = self.caller_of(e);
            }
        }
        slots
    }

    /// Calls `visit` with the address of each live Y register.
    fn live_registers(&self, live: u16, e: usize, mut visit: impl FnMut(usize)) {
        let base = e + FRAME;
        let mut word = |mut bits: u64, from: usize| {
            while bits != 0 {
                visit(base + from + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        };
        if live == LIVE_ALL {
            let size = self.frames[e + 1] as u32 as usize;
            (base..base + size).for_each(visit);
        } else if live & LIVE_SET == 0 {
            word(u64::from(live), 0);
        } else {
            let set = &self.program.live_sets[usize::from(live & !LIVE_SET)];
            for (i, &bits) in set.iter().enumerate() {
                word(bits, 64 * i);
            }
        }
    }

    fn mark_trail(&self, marks: &mut Marks) {
        for &(addr, old) in &self.value_trail {
            marks.mark(&self.heap.cells, old);
            if addr < SPECIAL_ADDRESS {
                marks.mark(&self.heap.cells, Cell::reference(addr));
            }
        }
    }

    fn compact(&mut self, marks: &Marks, top: usize) {
        let cells = &mut self.heap.cells;
        let mut to = 0;
        let mut raw_until = 0;
        for (i, &word) in marks.bits.0.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                let from = 64 * i + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                debug_assert!(from < top);
                let cell = cells[from];
                cells[to] = if from < raw_until {
                    cell
                } else if cell.is_header() {
                    raw_until = from + 1 + cell.payload_words();
                    cell
                } else {
                    marks.relocate(cell)
                };
                to += 1;
            }
        }
        cells.truncate(to);
    }

    /// Drops old values of cells younger than the newest choice point below their note: backtracking drops the cells.
    fn drop_young_notes(&mut self) {
        if self.value_trail.is_empty() {
            return;
        }
        let (mut value, mut kept_values) = (0, 0);
        self.sift_trail(|m, entry, old| {
            if entry == VALUE {
                let note = m.value_trail[value];
                value += 1;
                if note.0 < SPECIAL_ADDRESS && note.0 >= old {
                    return None;
                }
                m.value_trail[kept_values] = note;
                kept_values += 1;
            }
            Some(entry)
        });
        self.value_trail.truncate(kept_values);
    }

    /// Replaces each entry of the trail by what `keep` makes of it and of the heap top of the choice point below it.
    fn sift_trail(
        &mut self,
        mut keep: impl FnMut(&mut Machine, TrailEntry, usize) -> Option<TrailEntry>,
    ) {
        let (mut kept, mut choice, mut old) = (0, 0, 0);
        for i in 0..=self.trail.len() {
            while choice < self.choices.len() && self.choices[choice].trail <= i {
                old = self.choices[choice].heap;
                self.choices[choice].trail = kept;
                choice += 1;
            }
            let Some(&entry) = self.trail.get(i) else { break };
            if let Some(entry) = keep(self, entry, old) {
                self.trail[kept] = entry;
                kept += 1;
            }
        }
        self.trail.truncate(kept);
    }

    /// Moves trail entries, and drops those of cells that are gone.
    fn move_trail(&mut self, marks: &Marks) {
        for (addr, old) in &mut self.value_trail {
            *old = marks.relocate(*old);
            if *addr < SPECIAL_ADDRESS {
                *addr = marks.moved(*addr);
            }
        }
        self.sift_trail(|_, entry, _| match entry {
            VALUE => Some(entry),
            _ => marks.bits.contains(entry).then(|| marks.moved(entry)),
        });
    }
}

//! Shallow backtracking: while a clause decides by its head and tests whether it is the one, before a cut, no choice
//! point stands for the others (Van Roy, Demoen and Willems, "Improving the execution speed of compiled Prolog with
//! modes, clause selection, and determinism", 1987; Carlsson, "On the efficiency of optimising shallow backtracking
//! in compiled Prolog", ICLP 1989).
//!
//! The arguments are stored where a choice point would have them; the rest of it is known until the clause calls
//! something. The next clause is tried the same way if it decides like that too, else it gets a choice point for
//! those behind it, unless it is the last. Steps that run goals or look at choice points make a real one first
//! ([`Machine::settle_shallow`]).

use super::Machine;
use super::choices::{Alt, DECIDES};
use super::instr::{FAIL, Instr};

/// The clauses that are left to be tried, without a choice point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shallow {
    /// Entries of the target table; none are left where `end` is 0.
    next: u32,
    end: u32,
    args: u32,
    trail: usize,
    heap: usize,
}

impl Shallow {
    /// Whether clauses are left to be tried.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.end != 0
    }
}

/// Whether a clause decides by its head and tests: nothing is called before a cut.
pub(super) fn decides(code: &[Instr]) -> bool {
    for instr in code {
        match instr {
            Instr::CutNeck => return true,
            // Its environment is made before a part goes to a Y register: that one has ended the walk.
            part if part.is_part() => {}
            Instr::GetValX { .. }
            | Instr::GetAtom { .. }
            | Instr::GetInt { .. }
            | Instr::GetLiteral { .. }
            | Instr::GetList { .. }
            | Instr::GetStruct { .. }
            | Instr::GetListXX { .. }
            | Instr::GetListVX { .. }
            | Instr::Move { .. }
            | Instr::MoveMove { .. }
            | Instr::PutAtom { .. }
            | Instr::PutInt { .. }
            | Instr::Add { .. }
            | Instr::Subtract { .. }
            | Instr::Eval { .. }
            | Instr::Arith1 { .. }
            | Instr::Arith2 { .. } => {}
            Instr::Type { else_by, .. }
            | Instr::CompareNumbers { else_by, .. }
            | Instr::CompareTerms { else_by, .. }
                if *else_by == FAIL => {}
            _ => return false,
        }
    }
    false
}

impl Machine {
    /// Tries a clause that decides, with others behind it.
    #[inline(always)]
    pub(super) fn try_shallow(&mut self, next: u32, end: u32, arity: usize) {
        let args = self.choice_args.len() as u32;
        self.keep_args(arity);
        let (trail, heap) = (self.trail.len(), self.heap.top());
        self.shallow = Shallow { next, end, args, trail, heap };
        self.hb = heap;
    }

    /// Goes on with a clause that machine code was trying, whose arguments are in X: the places of the others in the target
    /// table, and the length of the trail and the top of the heap when it began.
    #[cfg(feature = "native")]
    pub(super) fn go_on_shallow(
        &mut self,
        (next, end): (u32, u32),
        (trail, heap): (usize, usize),
        arity: usize,
    ) {
        self.try_shallow(next, end, arity);
        (self.shallow.trail, self.shallow.heap) = (trail, heap);
        self.hb = heap;
    }

    /// The clause has decided that it is the one.
    #[inline(always)]
    pub(super) fn commit_shallow(&mut self) {
        self.shallow.end = 0;
        self.choice_args.truncate(self.shallow.args as usize);
        self.hb = self.choices.last().map_or(0, |choice| choice.heap);
    }

    /// The clause is not the one: the address of the next.
    #[inline(always)]
    pub(super) fn retry_shallow(&mut self) -> u32 {
        let Shallow { next, end, args, trail, heap } = self.shallow;
        self.undo_to(trail);
        self.heap.cells.truncate(heap);
        self.load_args(args as usize);
        let to = self.target(next);
        if next + 1 == end {
            self.commit_shallow();
        } else {
            self.shallow.next = next + 1;
            if to & DECIDES == 0 {
                self.settle_shallow();
            }
        }
        to & !DECIDES
    }

    /// Makes a choice point of what is left to be tried.
    #[cold]
    pub(super) fn settle_shallow(&mut self) {
        if !self.shallow.is_on() {
            return;
        }
        let Shallow { next, end, args, trail, heap } = self.shallow;
        self.shallow.end = 0;
        self.push_choice_at(Alt::Clauses { next, end }, args as usize, trail, heap);
    }

    /// Nothing is left to be tried: an exception goes by.
    pub(super) fn drop_shallow(&mut self) {
        if self.shallow.is_on() {
            self.commit_shallow();
        }
    }
}

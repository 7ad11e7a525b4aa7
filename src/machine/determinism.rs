//! Goals that must have exactly one answer: `det/1`, `$/1`, and what stands behind `$/0`.
//!
//! Such a goal runs in an environment of its own, over a choice point that stands for its failure. It
//! returns to [`fixed::DET_RETURN`], where nothing may be left above that choice point. What is called last
//! in such a goal takes its place, so that a recursion over guards needs no space.

use super::choices::{Alt, Choice};
use super::instr::Instr;
use super::{Fault, Machine, PredId, Program, fixed};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap};

/// Why a goal must have one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Demand {
    /// Its predicate was declared so.
    Property,
    /// It is the argument of `$/1`.
    Goal,
    /// It is called last behind `$/0`.
    Caller,
    /// It is behind `$/0`.
    Guard,
}

impl Demand {
    fn name(self) -> &'static str {
        match self {
            Demand::Property => "property",
            Demand::Goal => "goal",
            Demand::Caller => "guard_in_caller",
            Demand::Guard => "guard",
        }
    }
    fn of(cell: Cell) -> Demand {
        let all = [Demand::Property, Demand::Goal, Demand::Caller, Demand::Guard];
        all[cell.int_value() as usize]
    }
}

impl Program {
    /// Says whether calls of a predicate must have exactly one answer.
    pub fn set_det(&mut self, pred: PredId, det: bool) {
        if det && !self.is_det(pred) {
            self.code.push(Instr::DetEntry { pred });
            let (slot, behind) = (self.code.len() as u32 - 1, self.definition(pred));
            self.det.insert(pred, super::program::Det { slot, behind });
            self.set_entry(pred, behind);
        } else if !det && let Some(known) = self.det.remove(&pred) {
            self.set_entry(pred, known.behind);
        } else {
            return;
        }
        self.share_all(pred);
    }

    /// Whether calls of a predicate must have exactly one answer.
    pub fn is_det(&self, pred: PredId) -> bool {
        self.det.contains_key(&pred)
    }
}

impl Machine {
    /// What is called next must have one answer: `what` is the goal of `$/1`, else the number of a predicate.
    pub(super) fn enter_det(&mut self, what: Cell, demand: Demand) {
        let demand = Cell::small(demand as i64);
        let top = self.choices.len();
        if self.cp == fixed::DET_RETURN
            && let Some(choice) = self.choices.last()
            && matches!(choice.alt, Alt::Det)
            && self.y(0) == Cell::small(top as i64 - 1)
        {
            let at = choice.args as usize;
            self.choice_args[at..at + 2].copy_from_slice(&[what, demand]);
        } else {
            self.allocate(1);
            self.set_y(0, Cell::small(top as i64));
            self.push_choice(Alt::Det, 0);
            self.choice_args.extend([what, demand]);
            self.cp = fixed::DET_RETURN;
        }
        self.b0 = self.choices.len() as u32;
    }

    /// A goal that must have one answer has returned. Errors: another answer may come.
    pub(super) fn det_exit(&mut self) -> Result<(), Fault> {
        let height = self.y(0).int_value() as usize;
        if self.cut_last(height) { Ok(()) } else { Err(self.not_det(height, "nondet")) }
    }

    /// A goal that must have one answer, and whose choice point is at a height, had none or may have others.
    pub(super) fn not_det(&mut self, height: usize, observed: &str) -> Fault {
        let at = self.choices[height].args as usize;
        let [what, demand] = [self.choice_args[at], self.choice_args[at + 1]];
        let demand = Demand::of(demand);
        let what = match demand {
            Demand::Goal => what,
            _ => self.indicator_cell(what.int_value() as PredId),
        };
        self.determinism_error(what, observed, demand)
    }

    /// What is behind `$/0` in a clause of a predicate has not exactly one answer.
    pub(super) fn guard_error(&mut self, at: u32, observed: &str) -> Fault {
        let clause = self.program.clause_at(at);
        let what = match clause.map(|id| self.program.clauses[id as usize].pred) {
            Some(pred) => self.indicator_cell(pred),
            None => Cell::atom(atoms::CALL),
        };
        self.determinism_error(what, observed, Demand::Guard)
    }

    /// The height that a guard noted is the one below the newest choice point.
    pub(super) fn guard_exit(&mut self, y: u16, at: u32) -> Result<(), Fault> {
        let height = self.y(y).int_value() as usize;
        if self.cut_last(height) { Ok(()) } else { Err(self.guard_error(at, "nondet")) }
    }

    /// Drops the choice point above a height if it is the last; whether it is.
    fn cut_last(&mut self, height: usize) -> bool {
        let is_last = height + 1 == self.choices.len();
        if is_last {
            self.cut_to(height);
        }
        is_last
    }

    fn determinism_error(&mut self, what: Cell, observed: &str, demand: Demand) -> Fault {
        self.fault_in = name_of(&self.heap, what);
        let words = ["determinism_error", "det", observed, demand.name()];
        let [name, det, observed, demand] = words.map(|word| self.symbols.intern(word));
        let parts = [what, Cell::atom(det), Cell::atom(observed), Cell::atom(demand)];
        let formal = self.heap.new_struct(name, &parts);
        self.error(formal)
    }

    fn indicator_cell(&mut self, pred: PredId) -> Cell {
        let predicate = &self.program.preds[pred as usize];
        let indicator = self.indicator(predicate.name, predicate.arity);
        self.qualified(indicator, pred)
    }

    /// Backtracks into the failure of a goal that must have an answer.
    pub(super) fn det_failed(&mut self, choice: &Choice) -> Fault {
        let fault = self.not_det(self.choices.len() - 1, "fail");
        self.pop_choice(choice);
        fault
    }
}

/// Name and arity of a predicate by its indicator.
fn name_of(heap: &Heap, indicator: Cell) -> Option<(zug_term::symbol::Atom, usize)> {
    let [name, arity] = heap.match_struct::<2>(indicator, atoms::SLASH)?;
    Some((heap.deref(name).as_atom()?, heap.deref(arity).as_int()? as usize))
}

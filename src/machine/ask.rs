//! Queries from Rust: a run with all that belongs to it, from its opening to its end.
//!
//! [`Machine::ask`] opens a run, hands it to a closure that puts the question's terms on the heap,
//! calls a predicate and looks at the answers, and closes it however the closure comes back: at the
//! last answer, before it, or with an error. Heap, trail and [`Machine::roots`] are then as before,
//! so what is to be kept is copied (`zug_term::Record`) or packed while the answer stands.
//!
//! ```text
//! let sons = m.ask(host, |ask| {
//!     let father = father.instantiate(&mut ask.machine.heap);
//!     let [son] = ask.wanted();
//!     let mut sons = Vec::new();
//!     let mut answered = ask.call(pred, &[father, son])?;
//!     while answered {
//!         let [son] = ask.kept();
//!         sons.push(Record::new(&mut ask.machine.heap, son));
//!         answered = ask.redo()?;
//!     }
//!     Ok(sons)
//! });
//! ```
//!
//! Whoever keeps a run open beyond one function, or keeps the bindings of its answer, has a
//! [`Run`] by [`Machine::solve`] or [`Machine::open`] and closes it: queries of a session, leaves
//! of an explanation, built-ins that call a goal as `once/1` does.

use super::run::Host;
use super::solve::Run;
use super::{Machine, Outcome, PredId};
use zug_term::Cell;

/// A question to the program while it is open.
pub struct OpenQuery<'a, H> {
    /// The machine, whose heap takes the terms of the question.
    pub machine: &'a mut Machine,
    /// What the machine asks for what it can't do.
    pub host: &'a mut H,
    run: Run,
    /// Where the kept cells start on the roots.
    base: usize,
}

impl Machine {
    /// Opens a run for one question, and closes it when `work` is done with its answers.
    #[inline]
    pub fn ask<H: Host, T>(
        &mut self,
        host: &mut H,
        work: impl FnOnce(&mut OpenQuery<'_, H>) -> T,
    ) -> T {
        let (base, run) = (self.roots.len(), self.open());
        let found = work(&mut OpenQuery { machine: self, host, run, base });
        self.abandon(run);
        self.roots.truncate(base);
        found
    }

    /// Whether a goal has an answer; what it binds is undone.
    ///
    /// # Errors
    /// An exception, or a stop.
    pub fn holds<H: Host>(&mut self, host: &mut H, goal: Cell) -> Outcome {
        self.ask(host, |ask| ask.goal(goal))
    }

    /// Does something with terms that go from the heap when it is done.
    #[inline]
    pub fn scratch<T>(&mut self, work: impl FnOnce(&mut Machine) -> T) -> T {
        let run = self.open();
        let found = work(self);
        self.abandon(run);
        found
    }
}

impl<H: Host> OpenQuery<'_, H> {
    /// Fresh variables for what the answers say, kept behind those kept before.
    #[inline]
    pub fn wanted<const N: usize>(&mut self) -> [Cell; N] {
        let cells = std::array::from_fn(|_| self.machine.heap.new_var());
        self.machine.roots.extend(cells);
        cells
    }

    /// Keeps a cell: wherever the collector moves it, [`OpenQuery::kept`] has it.
    #[inline]
    pub fn keep(&mut self, cell: Cell) {
        self.machine.roots.push(cell);
    }

    /// The first kept cells, where they are now.
    #[inline]
    pub fn kept<const N: usize>(&self) -> [Cell; N] {
        std::array::from_fn(|i| self.machine.roots[self.base + i])
    }

    /// All kept cells, where they are now.
    pub fn all_kept(&self) -> &[Cell] {
        &self.machine.roots[self.base..]
    }

    /// Calls a predicate, once in a question: whether it has an answer. No goal term is built and
    /// nothing is looked up.
    ///
    /// # Errors
    /// An exception, or a stop; the question has no more answers then.
    #[inline]
    pub fn call(&mut self, pred: PredId, args: &[Cell]) -> Outcome {
        self.machine.call(self.host, self.run, pred, args)
    }

    /// As [`OpenQuery::call`], for a goal as a term.
    ///
    /// # Errors
    /// As [`OpenQuery::call`].
    pub fn goal(&mut self, goal: Cell) -> Outcome {
        self.machine.call_goal(self.host, self.run, goal)
    }

    /// Whether there is a further answer, which stands then in place of the one before. To be
    /// asked while an answer stands.
    ///
    /// # Errors
    /// As [`OpenQuery::call`].
    #[inline]
    pub fn redo(&mut self) -> Outcome {
        if !self.has_more() {
            return Ok(false);
        }
        self.machine.redo(self.host, self.run)
    }

    /// Whether there may be a further answer.
    #[inline]
    pub fn has_more(&self) -> bool {
        self.machine.has_more(self.run)
    }
}

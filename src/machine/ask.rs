//! Queries from Rust: a run from its opening to its end.
//!
//! [`Machine::ask`] opens a run, passes it to a closure that lays out the query's terms on the heap, calls a
//! predicate and reads the answers, and closes it however the closure returns. Heap, trail and [`Machine::roots`] are
//! then as before, so results are copied (`zug_term::Record`) or packed while the answer stands.
//!
//! ```text
//! let sons = m.ask(host, |ask| {
//!     let father = father.instantiate(&mut ask.machine.heap);
//!     let [son] = ask.outputs();
//!     let mut sons = Vec::new();
//!     let mut answered = ask.call(pred, &[father, son])?;
//!     while answered {
//!         let [son] = ask.rooted();
//!         sons.push(Record::new(&mut ask.machine.heap, son));
//!         answered = ask.redo()?;
//!     }
//!     Ok(sons)
//! });
//! ```
//!
//! Code that needs a run beyond one function, or the bindings of its answer, opens and closes a [`Run`] by
//! [`Machine::solve`] or [`Machine::open`].

use super::solve::Run;
use super::{Host, Machine, Outcome, PredId};
use zug_term::Cell;

/// An open query to the program.
pub struct OpenQuery<'a, H> {
    /// The machine, whose heap takes the terms of the query.
    pub machine: &'a mut Machine,
    /// The host of the machine.
    pub host: &'a mut H,
    run: Run,
    /// Where the query's cells start on the roots.
    base: usize,
}

impl Machine {
    /// Opens a run for one query, and closes it when `work` is done with its answers.
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

    /// Runs `work` and removes the terms that it has put on the heap.
    #[inline]
    pub fn scratch<T>(&mut self, work: impl FnOnce(&mut Machine) -> T) -> T {
        let run = self.open();
        let found = work(self);
        self.abandon(run);
        found
    }
}

impl<H: Host> OpenQuery<'_, H> {
    /// Fresh variables for the answers to bind, added to the roots of the query.
    #[inline]
    pub fn outputs<const N: usize>(&mut self) -> [Cell; N] {
        let cells = std::array::from_fn(|_| self.machine.heap.new_var());
        self.machine.roots.extend(cells);
        cells
    }

    /// Adds a root: the collector keeps it, and [`OpenQuery::rooted`] has it where it is then.
    #[inline]
    pub fn add_root(&mut self, cell: Cell) {
        self.machine.roots.push(cell);
    }

    /// The first roots of the query, where they are now.
    #[inline]
    pub fn rooted<const N: usize>(&self) -> [Cell; N] {
        std::array::from_fn(|i| self.machine.roots[self.base + i])
    }

    /// Calls a predicate, once in a query: whether it has an answer. No goal term is built and nothing is looked up.
    ///
    /// # Errors
    /// An exception, or a stop; the query has no more answers then.
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

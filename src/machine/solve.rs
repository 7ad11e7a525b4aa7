//! Runs: starting the machine on a goal, asking for more answers, ending it. Questions that are
//! done with in one function are asked by [`Machine::ask`], which opens and closes runs itself.

use super::choices::Alt;
use super::host::{Host, Next};
use super::{Fault, Machine, Outcome, PredId, fixed};
use zug_term::Cell;

/// A run in progress, to ask for more answers and to end it.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub(super) barrier: usize,
    e: usize,
    cp: u32,
    b0: u32,
    /// What is pending for the runs around it.
    pending: usize,
}

impl Machine {
    /// Runs a goal: whether it has an answer. While `run` is open the answer's bindings stand; [`Machine::redo`] asks
    /// for the next, [`Machine::finish`] or [`Machine::abandon`] closes it. Runs nest.
    pub fn solve<H: Host>(&mut self, host: &mut H, goal: Cell) -> (Run, Outcome) {
        let run = self.open();
        (run, self.call_goal(host, run, goal))
    }

    /// Opens a run: what is put on the heap from here on goes when it is abandoned. [`Machine::call`] comes next.
    #[inline]
    pub fn open(&mut self) -> Run {
        let run = self.at_rest();
        self.open_inner();
        self.push_choice(Alt::Barrier, 0);
        self.cp = fixed::STOP;
        run
    }

    /// Calls a predicate in a run just opened: whether it has an answer.
    #[inline]
    pub fn call<H: Host>(
        &mut self,
        host: &mut H,
        run: Run,
        pred: PredId,
        args: &[Cell],
    ) -> Outcome {
        debug_assert_eq!(self.program.preds[pred as usize].arity, args.len());
        debug_assert_eq!(self.choices.len(), run.barrier + 1);
        self.x[..args.len()].copy_from_slice(args);
        self.b0 = self.choices.len() as u32;
        let first = if self.tick() { self.poll_first(host, pred) } else { Ok(None) };
        self.begin(host, run, pred, first)
    }

    /// Runs a predicate, after what comes first.
    #[inline]
    fn begin<H: Host>(
        &mut self,
        host: &mut H,
        run: Run,
        pred: PredId,
        first: Result<Option<Next>, Fault>,
    ) -> Outcome {
        let outcome = first.and_then(|first| {
            let start = match first {
                None => self.entry_of(pred),
                Some(Next::Go(to)) => to,
                Some(Next::Fail) => fixed::FAIL,
            };
            self.run(host, start, run)
        });
        self.settle(run, outcome)
    }

    /// Polls before the first call of a run; where to go first, if anywhere.
    #[cold]
    fn poll_first<H: Host>(&mut self, host: &mut H, pred: PredId) -> Result<Option<Next>, Fault> {
        let first = if self.is_pending() { self.wake_at_call(host, pred)? } else { None };
        if first.is_none() {
            self.poll(pred)?;
        }
        Ok(first)
    }

    /// As [`Machine::call`], for a goal as a term.
    pub(super) fn call_goal<H: Host>(&mut self, host: &mut H, run: Run, goal: Cell) -> Outcome {
        debug_assert_eq!(self.choices.len(), run.barrier + 1);
        self.x[0] = goal;
        self.b0 = self.choices.len() as u32;
        let first = if self.is_pending() { self.wake_at_call(host, 0) } else { Ok(None) };
        self.begin(host, run, 0, first)
    }

    /// Where the machine stands, to come back to when runs are left open.
    #[inline]
    pub(super) fn at_rest(&self) -> Run {
        Run {
            barrier: self.choices.len(),
            e: self.e,
            cp: self.cp,
            b0: self.b0,
            pending: self.attributes.outer,
        }
    }

    /// Abandons runs that were not closed, from a height of the choice stack on.
    #[cold]
    pub(super) fn close_runs(&mut self, height: usize, at_rest: Run) {
        let above = self.choices.iter().skip(height);
        let barrier = above.take_while(|choice| !matches!(choice.alt, Alt::Barrier)).count();
        let barrier = height + barrier;
        if barrier < self.choices.len() {
            self.abandon(Run { barrier, ..at_rest });
        }
    }

    /// The next answer of an open run.
    pub fn redo<H: Host>(&mut self, host: &mut H, run: Run) -> Outcome {
        debug_assert!(self.choices.len() > run.barrier);
        let outcome = self.run(host, fixed::FAIL, run);
        self.settle(run, outcome)
    }

    /// Whether what runs now can be backtracked into, within the innermost run.
    pub fn has_alternatives(&self) -> bool {
        !matches!(self.choices.last().map(|choice| choice.alt), None | Some(Alt::Barrier))
    }

    /// Whether an open run may have further answers.
    #[inline]
    pub fn has_more(&self, run: Run) -> bool {
        self.choices.len() > run.barrier + 1
    }

    fn settle(&mut self, run: Run, outcome: Outcome) -> Outcome {
        if !matches!(outcome, Ok(true)) {
            self.abandon(run);
        }
        outcome
    }

    /// Ends a run and keeps the bindings of its last answer.
    pub fn finish(&mut self, run: Run) {
        if self.choices.len() > run.barrier {
            self.cut_to(run.barrier);
        }
        self.leave(run);
    }

    /// Ends a run and undoes everything it did.
    pub fn abandon(&mut self, run: Run) {
        if self.choices.len() > run.barrier {
            // What a cleanup refers to goes with the bindings.
            if self.cleanups.last().is_some_and(|&at| at >= run.barrier) {
                self.owe_cleanups(run.barrier);
            }
            let choice = self.choices[run.barrier];
            self.restore(&choice);
            self.cut_bags(choice.bags);
            self.cut_to(run.barrier);
            self.drop_evaluations(self.choices.len());
        }
        self.leave(run);
    }

    fn leave(&mut self, run: Run) {
        (self.e, self.cp, self.b0) = (run.e, run.cp, run.b0);
        self.close_inner(run.pending);
    }
}

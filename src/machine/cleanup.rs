//! Cleanups of `setup_call_cleanup/3`.
//!
//! The library handles success without alternatives, failure and an exception out of the goal itself. Under a goal
//! that has succeeded and may be asked again stands a marker choice point: when a cut or a later exception removes
//! it, its cleanup is *owed*. The cut runs it before the clause goes on, and raises what it throws. After an
//! exception, and where Rust code leaves a goal, the next call runs it before anything else, and what it throws is
//! dropped. It is a run of its own: what it binds is undone.

use super::choices::Alt;
use super::host::{Host, Next};
use super::limits::QUOTA;
use super::{Fault, Machine, PredId};
use zug_term::{Cell, Record};

impl Machine {
    /// Puts a choice point on the stack that waits with a cleanup; its height.
    pub fn push_cleanup(&mut self, cleanup: Cell) -> usize {
        let height = self.choices.len();
        let kept = std::mem::replace(&mut self.x[0], cleanup);
        self.push_choice(Alt::Cleanup, 1);
        self.x[0] = kept;
        self.cleanups.push(height);
        height
    }

    /// Whether nothing is left to try above a waiting cleanup.
    pub fn is_last_choice(&self, height: usize) -> bool {
        self.choices.len() == height + 1
    }

    /// Removes the pending cleanup at a height: the caller runs it.
    pub fn disarm_cleanup(&mut self, height: usize) {
        if let Some(choice) = self.choices.get_mut(height)
            && matches!(choice.alt, Alt::Cleanup)
        {
            choice.alt = Alt::Dead;
            self.cleanups.retain(|&at| at != height);
        }
    }

    /// The choice points from a height on are about to go.
    #[cold]
    pub(super) fn owe_cleanups(&mut self, height: usize) {
        while let Some(&at) = self.cleanups.last()
            && at >= height
        {
            self.cleanups.pop();
            let goal = self.choice_args[self.choices[at].args as usize];
            let goal = Record::new(&mut self.heap, goal);
            self.owed.push(goal);
        }
        self.poll_soon();
    }

    /// As [`Machine::poll`], before a call: does what is pending and runs the cleanups that are
    /// owed too. Where to go first, if anywhere.
    #[cold]
    pub(super) fn poll_call<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
    ) -> Result<Option<Next>, Fault> {
        if self.is_pending()
            && let Some(next) = self.wake_at_call(host, pred)?
        {
            // The call is not made now: the next one looks at the limits.
            if self.fuel == 0 {
                self.poll_after(1);
            }
            return Ok(Some(next));
        }
        if !self.owed.is_empty() {
            let arity = self.program.preds[pred as usize].arity;
            let base = self.roots.len();
            self.roots.extend_from_slice(&self.x[..arity]);
            let b0 = self.b0;
            let outcome = self.run_cleanups(host);
            self.b0 = b0;
            self.x[..arity].copy_from_slice(&self.roots[base..base + arity]);
            self.roots.truncate(base);
            outcome?;
        }
        self.poll(pred)?;
        Ok(None)
    }

    /// Runs the cleanups that are owed, the innermost first.
    ///
    /// # Errors
    /// `halt` and stops; what a cleanup throws is dropped.
    pub fn run_cleanups<H: Host>(&mut self, host: &mut H) -> Result<(), Fault> {
        match self.raise_cleanups(|m, goal| m.holds(host, goal)) {
            Err(Fault::Ball(_)) => Ok(()),
            ended => ended,
        }
    }

    /// Runs the cleanups that the cut at an address owes, the innermost first. Errors: `halt` and stops, else the
    /// first ball that a cleanup throws, when all have run.
    #[cold]
    #[inline(never)]
    pub(super) fn run_cut_cleanups<H: Host>(&mut self, host: &mut H, at: u32) -> Result<(), Fault> {
        self.raise_cleanups(|m, goal| m.holds_at(host, at, goal))
    }

    /// A body goal at run time, as [`Machine::meta_body`], with the cleanups that it owes if it is a cut. Errors: as
    /// of [`Machine::run_cut_cleanups`], or what the goal raises.
    pub(super) fn meta_body_cleanly<H: Host>(&mut self, host: &mut H) -> Result<Next, Fault> {
        let before = self.owed.len();
        let next = self.meta_body()?;
        if self.owed.len() > before {
            // No register is live behind a cut.
            self.raise_cleanups(|m, goal| m.holds(host, goal))?;
        }
        Ok(next)
    }

    fn raise_cleanups(
        &mut self,
        mut holds: impl FnMut(&mut Machine, Cell) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let mut thrown = Ok(());
        let b0 = self.b0;
        for cleanup in std::mem::take(&mut self.owed) {
            // Its first calls are made even where a limit is reached.
            if self.fuel < QUOTA {
                self.poll_after(QUOTA);
            }
            let goal = cleanup.instantiate(&mut self.heap);
            match holds(self, goal) {
                Ok(_) => {}
                Err(ball @ Fault::Ball(_)) => thrown = thrown.and(Err(ball)),
                Err(fault) => return Err(fault),
            }
        }
        self.b0 = b0;
        thrown
    }

    /// The limit on inferences and the deadline, counted from now, that a goal within this
    /// run may use; what was in force before.
    pub fn limit_inferences(&mut self, most: u64) -> u64 {
        let outer = self.inference_limit;
        let own = self.inferences().saturating_add(most);
        // The limit is looked at when the fuel is out.
        let fuel = u32::try_from(most.max(2)).unwrap_or(u32::MAX).min(self.fuel.max(2));
        self.poll_after(fuel);
        self.inference_limit = own.min(outer);
        outer
    }
}

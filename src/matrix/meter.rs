//! The meter of a computation: counts steps and polls the limits.

use zug_search::progress::{self, ProgressEvent};
use zug_search::{Clock, Limits, StopReason};

/// Steps between two readings of the clock, at most.
const MOST: u32 = 1 << 10;

/// Checks [`Limits`]; `nodes` are the steps of the computation: pivots, or rounds.
pub(super) struct Meter<'a> {
    clock: Clock<'a>,
    end_notice: progress::EndNotice,
    limit: Option<u64>,
    /// Steps made.
    pub steps: u64,
}

impl<'a> Meter<'a> {
    pub fn new(limits: &'a Limits) -> Self {
        let clock = Clock::new(limits, false, MOST);
        Self { clock, end_notice: progress::EndNotice::default(), limit: limits.nodes, steps: 0 }
    }

    /// Counts a step that is about to be made.
    ///
    /// # Errors
    /// A limit strikes.
    pub fn step(&mut self) -> Result<(), StopReason> {
        if self.clock.is_due() {
            let done = self.steps;
            let tell = |elapsed| {
                let work = progress::CountedWork { what: "step", done, of: None, elapsed };
                self.end_notice.notify(ProgressEvent::Counted(work));
            };
            self.clock.poll(tell)?;
        }
        if self.limit.is_some_and(|limit| self.steps >= limit) {
            return Err(StopReason::Nodes);
        }
        self.steps += 1;
        Ok(())
    }
}

//! Trials: runs on changed programs, within a budget for all of them.

use super::goals::{Budget, RunEnd};
use super::prover::Prover;
use zug_machine::Fault;

/// How much the goal itself may take.
pub const SEARCH: Budget =
    Budget { steps: 1_000_000, deadline: None, bytes: 256 << 20, depth: 50_000 };

/// Runs on changed programs: what each of them may take, and what is left for all.
pub struct Trials {
    pub each: u64,
    pub left: u64,
}

impl Trials {
    /// How the first run of the next one ends; nothing where all is used up.
    ///
    /// # Errors
    /// An interrupt, or the end of the time.
    pub fn first<'p>(
        &mut self,
        prover: impl FnOnce(Budget) -> Prover<'p>,
    ) -> Result<Option<RunEnd>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        let mut prover = prover(Budget { steps: self.each.min(self.left), ..SEARCH });
        let ended = prover.first()?;
        self.left = self.left.saturating_sub(prover.steps.max(1));
        Ok(Some(ended))
    }
}

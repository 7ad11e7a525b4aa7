//! Copies of a puzzle for other threads.

use super::{Moves, RuleProblem};
use crate::contract::{Contract, Heuristic};
use crate::error::RuleError;
use crate::fork::{ForkedRules, within_limits};
use zug_search::Fork;
use zug_state::{PackedState, RuleCost};

impl<'a, C: RuleCost, S: PackedState> RuleProblem<'a, C, S> {
    /// The same problem, which copies for other threads are made of.
    ///
    /// # Errors
    /// A predicate is missing.
    pub(crate) fn with_forks(
        mut self,
        rules: &'a mut [ForkedRules],
        contract: &Contract,
        heuristic: Option<Heuristic>,
    ) -> Result<Self, Box<RuleError>> {
        for ForkedRules { machine, world } in rules {
            let needs_goal = self.predicates.goal.is_some();
            let mut fork = RuleProblem::new(machine, world, contract, heuristic, needs_goal)?;
            (fork.is_decided, fork.is_copy) = (true, true);
            self.forks.push(fork);
        }
        Ok(self)
    }
}

impl<C: RuleCost, S: PackedState> Fork for RuleProblem<'_, C, S> {
    fn take_forks(&mut self) -> Vec<Self> {
        let mut forks = std::mem::take(&mut self.forks);
        forks.iter_mut().for_each(|fork| self.teach(fork, true));
        forks
    }

    fn return_forks(&mut self, mut forks: Vec<Self>) {
        for fork in &mut forks {
            self.machine.count_also(fork.machine);
            self.units.count_also(&mut fork.units);
        }
        self.forks.append(&mut forks);
    }

    fn words(&self) -> u64 {
        let words: usize = self.codec.counts().iter().sum();
        // What a copy writes is to be written by the main one.
        let written = if self.is_copy { self.world.streams.emitted() } else { 0 };
        words as u64 + written + self.derived.mark() + u64::from(self.alike.is_on())
    }

    fn teach(&mut self, fork: &mut Self, is_astray: bool) {
        fork.machine.take_symbols(&self.machine.symbols);
        fork.world.streams.limit_output(None);
        if fork.derived.mark() != self.derived.mark() {
            fork.derived = self.derived.copy();
        }
        if fork.alike.is_on() != self.alike.is_on() {
            fork.alike = self.alike.clone();
        }
        if is_astray {
            (fork.codec, fork.moves) = (self.codec.clone(), Moves::default());
            fork.units.restart(fork.machine);
        } else {
            fork.codec.catch_up(&self.codec);
        }
    }

    fn within_limits<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        within_limits(self, |problem| problem.machine, work)
    }
}

//! Copies of a puzzle for other threads.

use super::{Moves, RuleProblem};
use crate::contract::{Contract, DomainKind, Heuristic};
use crate::error::RuleError;
use crate::fork::{ForkedRules, forked, within_limits};
use zug_search::{Fork, Limits};
use zug_state::{PackedState, RuleCost};

impl<'a, C: RuleCost, S: PackedState> RuleProblem<'a, C, S> {
    /// Makes copies for all threads but one, if there may be any, where there is `room`: how many. It takes some
    /// milliseconds for each, so it is done when a search begins.
    ///
    /// # Errors
    /// A predicate is missing.
    pub(crate) fn make_copies(
        &mut self,
        room: &'a mut Vec<ForkedRules>,
        contract: &Contract,
        heuristic: Option<Heuristic>,
        limits: &Limits,
    ) -> Result<usize, Box<RuleError>> {
        *room = forked(self.machine, self.world, DomainKind::Puzzle, limits);
        for ForkedRules { machine, world } in room {
            let needs_goal = self.predicates.goal.is_some();
            let mut fork = RuleProblem::new(machine, world, contract, heuristic, needs_goal)?;
            (fork.is_decided, fork.is_copy) = (true, true);
            self.forks.push(fork);
        }
        Ok(self.forks.len())
    }
}

impl<C: RuleCost, S: PackedState> Fork for RuleProblem<'_, C, S> {
    fn take_forks(&mut self) -> Vec<Self> {
        let mut forks = std::mem::take(&mut self.forks);
        if !forks.is_empty() {
            let shelf = self.units.share(self.machine, &mut self.codec);
            for fork in &mut forks {
                self.teach(fork, true);
                fork.units.join(&shelf, fork.machine);
            }
        }
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

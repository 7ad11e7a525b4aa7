//! Copies of a puzzle for other threads.

use super::alike::Alike;
use super::derived::Derived;
use super::{Moves, RuleProblem};
use crate::contract::{Contract, DomainKind, Heuristic};
use crate::error::RuleError;
use crate::fork::{ForkedRules, forked};
use zug_search::{Limits, Space, Team};
use zug_state::{Codec, PackedState, RuleCost};
use zug_term::symbol::Symbols;

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
            fork.ignores_costs = self.ignores_costs;
            self.forks.push(fork);
        }
        Ok(self.forks.len())
    }
}

/// What a problem and its copies have to have in common.
pub(super) struct Words {
    symbols: Symbols,
    codec: Codec,
    derived: Derived,
    alike: Alike,
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Does something with a team of this problem and its copies.
    pub(crate) fn with_team<T>(&mut self, work: impl FnOnce(&mut Team<'_, S, C>) -> T) -> T {
        let mut forks = self.take_forks();
        let workers = forks.iter_mut().map(|fork| -> &mut dyn Space<S, C> { fork });
        let done = work(&mut Team::new(self, workers));
        self.return_forks(forks);
        done
    }

    /// Takes out the copies, which know what this problem knows.
    pub(crate) fn take_forks(&mut self) -> Vec<Self> {
        let mut forks = std::mem::take(&mut self.forks);
        self.has_team = !forks.is_empty();
        if self.has_team {
            let shelf = self.units.share(self.machine, &mut self.codec);
            let words = self.known_words();
            for fork in &mut forks {
                fork.learn_words(&words, true);
                fork.units.join(&shelf, fork.machine);
                fork.has_team = true;
            }
        }
        forks
    }

    /// Is given the copies back, with what they counted.
    pub(crate) fn return_forks(&mut self, mut forks: Vec<Self>) {
        for fork in &mut forks {
            self.machine.count_also(fork.machine);
            self.units.count_also(&mut fork.units);
        }
        (self.forks, self.has_team) = (forks, false);
    }

    /// How many words there are.
    pub(super) fn word_count(&self) -> u64 {
        let words: usize = self.codec.counts().iter().sum();
        // What a copy writes is to be written by the main one.
        let written = if self.is_copy { self.world.streams.emitted() } else { 0 };
        words as u64 + written + self.derived.mark() + u64::from(self.alike.is_on())
    }

    /// What copies have to know.
    pub(super) fn known_words(&self) -> Words {
        Words {
            symbols: self.machine.symbols.clone(),
            codec: self.codec.clone(),
            derived: self.derived.copy(),
            alike: self.alike.clone(),
        }
    }

    /// Learns what the main problem knows; `is_astray`: this one has used words of its own.
    pub(super) fn learn_words(&mut self, words: &Words, is_astray: bool) {
        self.machine.take_symbols(&words.symbols);
        self.world.streams.limit_output(None);
        if self.derived.mark() != words.derived.mark() {
            self.derived = words.derived.copy();
        }
        if self.alike.is_on() != words.alike.is_on() {
            self.alike = words.alike.clone();
        }
        if is_astray {
            (self.codec, self.moves) = (words.codec.clone(), Moves::default());
            self.units.restart(self.machine);
        } else {
            self.codec.catch_up(&words.codec);
        }
    }
}

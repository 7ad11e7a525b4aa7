//! Copies of a puzzle for other threads.

use super::alike::Alike;
use super::derived::Derived;
use super::{Moves, PuzzleCore, RuleProblem};
use crate::contract::{Contract, DomainKind, Heuristic};
use crate::error::RuleError;
use crate::fork::{ForkedRules, forked};
use crate::representing::Represented;
use std::sync::Arc;
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
        *room = forked(self.core.machine, self.core.world, DomainKind::Puzzle, limits);
        for ForkedRules { machine, world } in room {
            let needs_goal = self.core.predicates.goal.is_some();
            let mut fork = RuleProblem::new(machine, world, contract, heuristic, needs_goal)?;
            (fork.core.kit.is_decided, fork.core.is_copy) = (true, true);
            fork.core.ignores_costs = self.core.ignores_costs;
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
    representation: Option<Arc<Represented>>,
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
        self.core.has_team = !forks.is_empty();
        if self.core.has_team {
            let shelf = self.core.kit.units.share(self.core.machine, &mut self.core.kit.codec);
            let words = self.known_words();
            for fork in &mut forks {
                fork.learn_words(&words, true);
                fork.core.kit.units.join(&shelf, fork.core.machine);
                fork.core.has_team = true;
            }
        }
        forks
    }

    /// Is given the copies back, with what they counted.
    pub(crate) fn return_forks(&mut self, mut forks: Vec<Self>) {
        for fork in &mut forks {
            self.core.machine.count_also(fork.core.machine);
            self.core.kit.units.count_also(&mut fork.core.kit.units);
        }
        (self.forks, self.core.has_team) = (forks, false);
    }
}

impl PuzzleCore<'_> {
    /// How many words there are.
    pub(super) fn word_count(&self) -> u64 {
        let words: usize = self.kit.codec.counts().iter().sum();
        // What a copy writes is to be written by the main one.
        let written = if self.is_copy { self.world.streams.emitted() } else { 0 };
        words as u64 + written + self.kit.derived.mark() + u64::from(self.kit.alike.is_on())
    }

    /// What copies have to know.
    pub(super) fn known_words(&self) -> Words {
        Words {
            symbols: self.machine.symbols.clone(),
            codec: self.kit.codec.clone(),
            derived: self.kit.derived.copy(),
            alike: self.kit.alike.clone(),
            representation: self.kit.representation.clone(),
        }
    }

    /// Learns what the main problem knows; `is_astray`: this one has used words of its own.
    pub(super) fn learn_words(&mut self, words: &Words, is_astray: bool) {
        self.machine.take_symbols(&words.symbols);
        self.world.streams.limit_output(None);
        if self.kit.derived.mark() != words.derived.mark() {
            self.kit.derived = words.derived.copy();
        }
        if self.kit.alike.is_on() != words.alike.is_on() {
            self.kit.alike = words.alike.clone();
        }
        if is_astray {
            (self.kit.codec, self.kit.moves) = (words.codec.clone(), Moves::default());
            self.kit.representation = words.representation.clone();
            self.kit.grounding.forget();
            self.kit.units.restart(self.machine);
        } else {
            self.kit.codec.catch_up(&words.codec);
        }
    }
}

//! Copies of a game for other threads.

use super::chance::Distributions;
use super::rules::{Kit, RuleGame};
use super::value::RuleValue;
use crate::contract::DomainKind;
use crate::fork::{ForkedRules, forked, within_limits};
use crate::problem::Moves;
use zug_search::{Fork, Lesson, Limits, StateStore};
use zug_state::PackedState;
use zug_term::symbol::Symbols;

/// A copy of a game, with what it has found out.
pub(crate) struct ForkedGame {
    rules: ForkedRules,
    kit: Kit,
}

/// Where the copies of a game are, once a search wants them.
pub(super) struct Copies<'a> {
    all: &'a mut Vec<ForkedGame>,
    limits: &'a Limits,
}

impl<'a> Copies<'a> {
    /// Room for as many as the limits allow threads.
    pub fn new(all: &'a mut Vec<ForkedGame>, limits: &'a Limits) -> Self {
        Copies { all, limits }
    }

    /// The same for the time that this one is not used.
    pub fn reborrow(&mut self) -> Copies<'_> {
        Copies { all: self.all, limits: self.limits }
    }
}

impl Kit {
    /// Finds out what another one has, whose words it uses: who the players are, who takes turns, what they play for.
    fn follow(&mut self, main: &Kit) {
        if self.players.len() != main.players.len() {
            self.players = main.players.clone();
        }
        self.next.clone_from(&main.next);
        self.after_chance = main.after_chance;
        self.met_chance = main.met_chance;
        self.chance.clone_from(&main.chance);
        (self.shared.now, self.shared.shift) = (main.shared.now, main.shared.shift);
    }

    /// Knows what another one does, and nothing else; moves have other numbers.
    fn begin_with(&mut self, main: &Kit) {
        self.codec = main.codec.clone();
        self.players = main.players.clone();
        self.follow(main);
        (self.is_decided, self.is_padded) = (true, main.is_padded);
        (self.no_chance, self.bounds) = (main.no_chance, main.bounds);
        self.alike.clone_from(&main.alike);
        self.shared = main.shared.clone();
        self.moves = Moves::default();
        // What they are about may have had other numbers.
        (self.targets, self.seats) = (Vec::new(), Vec::new());
        self.distributions = Distributions::default();
    }
}

/// What a game and its copies have to have in common.
pub(super) struct Words {
    symbols: Symbols,
    kit: Kit,
}

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// What copies have to know.
    pub(super) fn known_words(&self) -> Words {
        let mut kit = Kit::default();
        kit.begin_with(self.kit);
        Words { symbols: self.machine.symbols.clone(), kit }
    }

    /// Learns what the main game knows; `is_astray`: this one has used words of its own.
    pub(super) fn learn_words(&mut self, words: &Words, is_astray: bool) {
        self.machine.take_symbols(&words.symbols);
        self.world.streams.limit_output(None);
        if is_astray {
            self.kit.begin_with(&words.kit);
            if let Some(units) = &mut self.kit.units {
                units.restart(self.machine);
            }
        } else {
            self.kit.codec.catch_up(&words.kit.codec);
            self.kit.follow(&words.kit);
        }
    }
}

impl<'a, S: PackedState, V: RuleValue> Fork for RuleGame<'a, S, V> {
    fn has_forks(&self) -> bool {
        let may_be_made = self.copies.as_ref().is_some_and(|copies| copies.limits.threads() > 1);
        may_be_made || !self.forks.is_empty()
    }

    /// They are made here: a search that asks for none does not pay for them.
    fn take_forks(&mut self) -> Vec<Self> {
        if let Some(Copies { all, limits }) = self.copies.take() {
            if all.iter().any(|game| game.rules.machine.is_abandoned) {
                all.clear();
            }
            if all.is_empty() {
                let rules = forked(self.machine, self.world, DomainKind::Game, limits).into_iter();
                all.extend(rules.map(|rules| ForkedGame { rules, kit: Kit::default() }));
            }
            for ForkedGame { rules: ForkedRules { machine, world }, kit } in all {
                let mut fork = RuleGame::new(machine, world, self.roles, kit);
                fork.is_copy = true;
                self.forks.push(fork);
            }
        }
        let mut forks = std::mem::take(&mut self.forks);
        if !forks.is_empty() {
            let horizon = self.units().horizon();
            let Kit { units, codec, .. } = &mut *self.kit;
            let shelf = units.as_mut().map(|units| units.share(self.machine, codec));
            let words = self.known_words();
            for fork in &mut forks {
                fork.learn_words(&words, true);
                fork.machine.deadline = self.machine.deadline;
                fork.units().set_horizon(horizon);
                if let (Some(units), Some(shelf)) = (&mut fork.kit.units, &shelf) {
                    units.join(shelf, fork.machine);
                }
            }
        }
        forks
    }

    fn return_forks(&mut self, mut forks: Vec<Self>) {
        for RuleGame { machine, kit, .. } in &mut forks {
            self.machine.count_also(machine);
            if let Some(units) = &mut kit.units {
                self.units().count_also(units);
            }
            self.kit.met_chance |= kit.met_chance;
            self.kit.shared.met_also(&kit.shared);
        }
        self.forks.append(&mut forks);
    }

    /// What states are packed into, and who the players are. Names of moves have numbers that are a copy's own.
    fn words(&self) -> u64 {
        let words: usize = self.kit.codec.counts().iter().sum();
        // What a copy writes is to be written by the main one.
        let written = if self.is_copy { self.world.streams.emitted() } else { 0 };
        (words + self.kit.players.len()) as u64 + written
    }

    fn lesson(&mut self) -> Lesson {
        Box::new(self.known_words())
    }

    fn learn(&mut self, lesson: &Lesson, is_astray: bool) {
        if let Some(words) = lesson.downcast_ref() {
            self.learn_words(words, is_astray);
        }
    }

    fn has_written(&self) -> bool {
        self.world.streams.emitted() > 0
    }

    fn within_limits<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        within_limits(self, |game| game.machine, work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::table::roles_of;
    use crate::game::tests::shipped;
    use crate::game::value::GameValue;
    use std::num::NonZeroUsize;
    use zug_machine::Machine;
    use zug_prolog::session::Session;
    use zug_state::Packed;

    /// Takes the copies of a game, and gives them back: which machines they have.
    fn taken(game: &mut RuleGame<'_, Packed, GameValue>) -> Vec<*const Machine> {
        let forks = game.take_forks();
        let machines =
            forks.iter().map(|fork| std::ptr::from_ref::<Machine>(&*fork.machine)).collect();
        game.return_forks(forks);
        machines
    }

    #[test]
    fn copies_are_made_once() {
        let Session { mut machine, mut world, .. } = shipped("tictactoe.pl", &[]);
        let limits = Limits { threads: NonZeroUsize::new(3), ..Limits::none() };
        let roles = roles_of(&machine).expect("a game");
        let (mut kit, mut all) = (Kit::default(), Vec::new());
        let game = RuleGame::<Packed, GameValue>::new(&mut machine, &mut world, roles, &mut kit);
        let mut game = game.with_copies(Copies::new(&mut all, &limits));
        let mut first = game.with();
        let machines = taken(&mut first);
        assert_eq!(machines.len(), 2);
        // Another search of the same game, and one after it.
        assert_eq!(taken(&mut first), machines);
        assert_eq!(taken(&mut game.with()), machines);
        // What a limit has ended is made anew.
        let forks = game.copies.as_mut().map(Copies::reborrow).expect("they are there");
        forks.all[0].rules.machine.is_abandoned = true;
        taken(&mut game.with());
        let forks = game.copies.as_mut().map(Copies::reborrow).expect("they are there");
        assert_eq!(forks.all.len(), 2);
        assert!(forks.all.iter().all(|game| !game.rules.machine.is_abandoned));
    }
}

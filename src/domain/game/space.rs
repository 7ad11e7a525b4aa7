//! The states of a game as a space to be enumerated: positions by the number of moves made.

use super::RuleGame;
use super::fork::Words;
#[cfg(feature = "cluster")]
use crate::ask;
use crate::bases::Terms;
use crate::error::RuleError;
use crate::game::{GameValue, RuleValue};
use crate::problem::BATCH;
#[cfg(feature = "cluster")]
use crate::problem::vocabulary::{spell, unspell, word_list};
use crate::{Packed, PackedState};
use zug_search::game::Game;
#[cfg(feature = "cluster")]
use zug_search::game::{CHANCE, Value};
use zug_search::{
    Batch, Failure, Fork, Head, Lesson, Operation, Scope, Space, StateId, StateStore, Successors,
    Team,
};
use zug_state::{Codec, Number, RuleCost};

/// A game whose moves anybody makes, to see where they lead; of states that count as one, to the one that stands for all.
/// Whether it has copies, so that states may come from others, is known while these are taken out.
pub struct GameSpace<'a, S = Packed, V = GameValue>(pub RuleGame<'a, S, V>, bool);

impl<'a, S: PackedState, V: RuleValue> GameSpace<'a, S, V> {
    /// The space of a game.
    pub fn of(game: &'a mut RuleGame<'_>) -> Self {
        GameSpace(game.with(), false)
    }
}

impl<S: PackedState, V: RuleValue> GameSpace<'_, S, V> {
    /// Does something with a team of this space and its copies.
    pub(crate) fn with_team<T>(&mut self, work: impl FnOnce(&mut Team<'_, S, i64>) -> T) -> T {
        let mut forks = self.take_forks();
        let workers = forks.iter_mut().map(|fork| -> &mut dyn Space<S, i64> { fork });
        let done = work(&mut Team::new(self, workers));
        self.return_forks(forks);
        done
    }

    /// Takes out the copies.
    pub(crate) fn take_forks(&mut self) -> Vec<Self> {
        let forks = self.0.take_forks();
        self.1 = !forks.is_empty();
        forks.into_iter().map(|fork| GameSpace(fork, true)).collect()
    }

    /// Is given the copies back.
    pub(crate) fn return_forks(&mut self, forks: Vec<Self>) {
        self.1 = false;
        self.0.return_forks(forks.into_iter().map(|fork| fork.0).collect());
    }

    /// Sees what a state is made of that another copy may have found.
    #[inline]
    fn meet(&mut self, row: &S) {
        if self.1 {
            self.0.meet(row);
        }
    }

    /// Appends the successors of a state, which is at this place of its batch. Every move costs one.
    ///
    /// # Errors
    /// An error in a rule, or an answer that breaks the contract.
    pub fn successors<C: RuleCost>(
        &mut self,
        from: u32,
        state: &S,
        out: &mut Successors<S, C>,
    ) -> Result<(), Box<RuleError>> {
        if self.0.is_over(state)? {
            return Ok(());
        }
        let mut moves = Vec::new();
        self.0.moves(state, &mut moves)?;
        let has_symmetry = self.0.has_symmetry();
        let cost = C::of(Number::Int(1)).unwrap_or(C::ZERO);
        for (mv, state) in moves {
            let state = if has_symmetry { self.0.canonical(&state)? } else { state };
            out.push(Head { from, mv, cost, estimate: None }, state);
        }
        Ok(())
    }
}

impl<S: PackedState, V: RuleValue, C: RuleCost> Space<S, C> for GameSpace<'_, S, V> {
    fn is_goal(&mut self, row: &S) -> Result<bool, Failure> {
        self.meet(row);
        self.0.is_over(row).map_err(|error| Failure::new(Operation::Goal, error))
    }

    fn expand(
        &mut self,
        batch: Batch<'_, S, C>,
        out: &mut Successors<S, C>,
    ) -> Result<(), Failure> {
        for (at, row) in batch.rows.iter().enumerate() {
            self.meet(row);
            let first = out.len();
            let found = self.successors(at as u32, row, out);
            found.map_err(|error| Failure::new(Operation::Successors, error))?;
            out.expanded += 1;
            if let Some(before) = batch.before.get(at) {
                out.leave_out(first, before);
            }
        }
        Ok(())
    }

    fn estimate(&mut self, _: &S, _: Option<(&S, C)>) -> Result<Option<C>, Failure> {
        Ok(Some(C::ZERO))
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn read(&mut self, bytes: &[u8]) -> Option<S> {
        self.0.kit.codec.see_packed(bytes.get(1..)?);
        S::from_bytes(bytes)
    }

    fn words(&self) -> u64 {
        self.0.words()
    }

    fn lesson(&mut self) -> Lesson {
        Box::new(self.0.known_words())
    }

    fn learn(&mut self, lesson: &Lesson, is_astray: bool) {
        if let Some(lesson) = lesson.downcast_ref::<Words>() {
            self.0.learn_words(lesson, is_astray);
        }
    }

    fn scope(&mut self) -> Option<Scope> {
        crate::fork::scope(self.0.machine)
    }

    fn abandon(&mut self) {
        self.0.machine.is_abandoned = true;
    }
}

impl GameSpace<'_> {
    /// What is needed to read packed states in another process.
    pub(crate) fn vocabulary(&mut self) -> Vec<u8> {
        let kit = &mut *self.0.kit;
        let players = 0..kit.players.len() as StateId;
        let players = players.map(|player| kit.players.bytes_of(player).to_vec()).collect();
        let codec = std::mem::replace(&mut kit.codec, Codec::new());
        let mut terms = Terms { codec, players };
        let words = terms.vocabulary(self.0.machine);
        self.0.kit.codec = terms.codec;
        words
    }

    /// Players, functors and constants in the order of their numbers, as bytes, and how many shapes and representations
    /// there are: the same where states are packed alike.
    #[cfg(feature = "cluster")]
    pub(crate) fn word_list(&mut self) -> Vec<u8> {
        let kit = &mut *self.0.kit;
        let mut list = word_list(&self.0.machine.symbols, &mut kit.codec);
        for player in 0..kit.players.len() as StateId {
            list.extend_from_slice(kit.players.bytes_of(player));
        }
        list
    }

    /// All states that count as one with a state; `None` if each counts for itself.
    #[cfg(feature = "cluster")]
    pub(crate) fn class_of(
        &mut self,
        state: &Packed,
    ) -> Result<Option<Vec<Packed>>, Box<RuleError>> {
        if !self.0.has_symmetry() {
            return Ok(None);
        }
        self.0.class_of(state).map(Some)
    }

    /// What an end is worth to the first player, on the scale on which the other one loses it.
    #[cfg(feature = "cluster")]
    pub(crate) fn worth(&mut self, end: &Packed) -> Result<GameValue, Box<RuleError>> {
        let player = self.0.valued_for(end);
        let value = self.0.utility(end, player)?;
        let value = self.0.balanced(value)?;
        Ok(if player == 0 { value } else { value.negated() })
    }

    /// How many players, functors, shapes and constants have numbers.
    #[cfg(feature = "cluster")]
    pub(crate) fn counts(&self) -> (usize, [usize; 3]) {
        (self.0.kit.players.len(), self.0.kit.codec.counts())
    }

    /// Whether a state has only words that there were when [`GameSpace::counts`] said so.
    #[cfg(feature = "cluster")]
    pub(crate) fn is_of(&self, state: &Packed, (players, words): (usize, [usize; 3])) -> bool {
        let &[player, ref packed @ ..] = state.bytes() else { return false };
        (player == CHANCE || usize::from(player) < players) && self.0.kit.codec.is_of(packed, words)
    }

    /// A state that has words of its own, in bytes that mean the same everywhere.
    #[cfg(feature = "cluster")]
    pub(crate) fn spell(&mut self, state: &Packed, out: &mut Vec<u8>) {
        let &[player, ref packed @ ..] = state.bytes() else { return };
        out.push(u8::from(player == CHANCE));
        let game = &mut self.0;
        if player != CHANCE {
            let named = game.kit.players.bytes_of(StateId::from(player)).to_vec();
            spell(game.machine, &game.kit.codec, &named, out);
        }
        spell(game.machine, &game.kit.codec, packed, out);
    }

    /// The state that was spelled so; `None` if the bytes make no sense.
    #[cfg(feature = "cluster")]
    pub(crate) fn unspell(&mut self, bytes: &[u8]) -> Option<Packed> {
        let (&is_chance, mut bytes) = bytes.split_first()?;
        let game = &mut self.0;
        let player = match is_chance {
            0 => {
                let player = unspell(game.machine, &mut bytes)?;
                game.seat(&player).ok()?
            }
            _ => CHANCE,
        };
        let term = unspell(game.machine, &mut bytes)?;
        let mut state = vec![player];
        state.extend(ask::pack(game.machine, &mut game.kit.codec, &term).ok()?);
        Some(Packed::new(&state))
    }
}

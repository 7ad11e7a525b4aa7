//! The states of a game as a space to be enumerated: positions by the number of moves made.

use super::RuleGame;
#[cfg(feature = "cluster")]
use crate::ask;
use crate::bases::Terms;
use crate::error::RuleError;
use crate::fork::within_limits;
#[cfg(feature = "cluster")]
use crate::game::GameValue;
#[cfg(feature = "cluster")]
use crate::problem::vocabulary::{spell, unspell, word_list};
use crate::{Packed, PackedState};
use zug_search::game::Game;
#[cfg(feature = "cluster")]
use zug_search::game::{CHANCE, Value};
use zug_search::{Fork, Problem, StateId, StateStore, Successor, SuccessorOf};
use zug_state::Codec;

/// A game whose moves anybody makes, to see where they lead; of states that count as one, to the one that stands for all.
pub struct GameSpace<'a, S = Packed>(pub RuleGame<'a, S>);

impl<'a, S: PackedState> GameSpace<'a, S> {
    /// The space of a game.
    pub fn of(game: &'a mut RuleGame<'_>) -> Self {
        GameSpace(game.with())
    }
}

impl<S: PackedState> Fork for GameSpace<'_, S> {
    fn take_forks(&mut self) -> Vec<Self> {
        self.0.take_forks().into_iter().map(GameSpace).collect()
    }

    fn return_forks(&mut self, forks: Vec<Self>) {
        self.0.return_forks(forks.into_iter().map(|fork| fork.0).collect());
    }

    fn words(&self) -> u64 {
        self.0.words()
    }

    fn teach(&mut self, fork: &mut Self, is_astray: bool) {
        self.0.teach(&mut fork.0, is_astray);
    }

    fn within_limits<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        within_limits(self, |space| space.0.machine, work)
    }
}

impl<S: PackedState> Problem for GameSpace<'_, S> {
    type State = S;
    type Move = StateId;
    type Cost = i64;
    type Hint = ();
    type Store = S::Store;
    type Error = Box<RuleError>;

    fn new_store(&self) -> S::Store {
        S::Store::default()
    }

    fn write_state(&self, state: &S, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(state.bytes());
        true
    }

    fn state_of(&mut self, bytes: &[u8]) -> Option<S> {
        self.0.kit.codec.see_packed(bytes.get(1..)?);
        S::from_bytes(bytes)
    }

    fn meet(&mut self, state: &S) {
        self.0.meet(state);
    }

    fn is_goal(&mut self, state: &S) -> Result<bool, Box<RuleError>> {
        self.0.is_over(state)
    }

    fn successors(
        &mut self,
        state: &S,
        out: &mut Vec<SuccessorOf<Self>>,
    ) -> Result<(), Box<RuleError>> {
        if self.0.is_over(state)? {
            return Ok(());
        }
        let mut moves = Vec::new();
        self.0.moves(state, &mut moves)?;
        let has_symmetry = self.0.has_symmetry();
        for (mv, state) in moves {
            let state = if has_symmetry { self.0.canonical(&state)? } else { state };
            out.push(Successor { mv, cost: 1, state, hint: () });
        }
        Ok(())
    }

    fn heuristic(&mut self, _: &S) -> Result<Option<i64>, Box<RuleError>> {
        Ok(Some(0))
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

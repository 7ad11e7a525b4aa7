//! The states of a game as a space to be enumerated: positions by the number of moves made.

use super::RuleGame;
use crate::bases::Terms;
use crate::error::RuleError;
use crate::fork::limits_of;
use crate::{Packed, PackedStore};
use zug_search::game::Game;
use zug_search::{Fork, Problem, StateId, StateStore, Successor, SuccessorOf};
use zug_state::Codec;

/// A game whose moves anybody makes, to see where they lead.
pub struct GameSpace<'a>(pub RuleGame<'a>);

impl<'a> GameSpace<'a> {
    /// The space of a game.
    pub fn of(game: &'a mut RuleGame<'_>) -> Self {
        GameSpace(game.with())
    }
}

impl Fork for GameSpace<'_> {
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
        limits_of(self.0.machine).within(|| work(self)).ok()
    }
}

impl Problem for GameSpace<'_> {
    type State = Packed;
    type Move = StateId;
    type Cost = i64;
    type Hint = ();
    type Store = PackedStore;
    type Error = Box<RuleError>;

    fn new_store(&self) -> PackedStore {
        PackedStore::default()
    }

    fn write_state(&self, state: &Packed, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(state.bytes());
        true
    }

    fn state_of(&mut self, bytes: &[u8]) -> Option<Packed> {
        self.0.kit.codec.see_packed(bytes.get(1..)?);
        Some(Packed::new(bytes))
    }

    fn meet(&mut self, state: &Packed) {
        self.0.meet(state);
    }

    fn is_goal(&mut self, state: &Packed) -> Result<bool, Box<RuleError>> {
        self.0.is_over(state)
    }

    fn successors(
        &mut self,
        state: &Packed,
        out: &mut Vec<SuccessorOf<Self>>,
    ) -> Result<(), Box<RuleError>> {
        if self.0.is_over(state)? {
            return Ok(());
        }
        let mut moves = Vec::new();
        self.0.moves(state, &mut moves)?;
        out.extend(moves.into_iter().map(|(mv, state)| Successor { mv, cost: 1, state, hint: () }));
        Ok(())
    }

    fn heuristic(&mut self, _: &Packed) -> Result<Option<i64>, Box<RuleError>> {
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
}

//! The states of a game as a space to be enumerated: positions by the number of moves made.

use super::RuleGame;
use crate::error::RuleError;
use crate::{Packed, PackedStore};
use zug_search::game::Game;
use zug_search::{Problem, StateId, Successor, SuccessorOf};

/// A game whose moves anybody makes, to see where they lead.
pub struct GameSpace<'g, 'a>(pub &'g mut RuleGame<'a>);

impl Problem for GameSpace<'_, '_> {
    type State = Packed;
    type Move = StateId;
    type Cost = i64;
    type Hint = ();
    type Store = PackedStore;
    type Error = Box<RuleError>;

    fn new_store(&self) -> PackedStore {
        PackedStore::default()
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

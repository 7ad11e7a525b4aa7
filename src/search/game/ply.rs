//! What alpha-beta asks of one state: its moves, or its value where there are none.

use super::interface::{Game, Player};
use super::meter::Halt;
use super::transposition::{StateKey, SubtreeValue, Table, Window, for_player};
use super::value::Value;
use crate::store::hash_of;

/// The moves of a node on the path.
pub(super) struct Ply<G: Game> {
    /// In move order, with the states they lead to.
    pub moves: Vec<(G::Move, G::State)>,
    /// The hashes of these states.
    pub hashes: Vec<u32>,
    /// The moves in the order in which they are tried.
    pub order: Vec<u32>,
}

impl<G: Game> Ply<G> {
    pub fn new() -> Self {
        Self { moves: Vec::new(), hashes: Vec::new(), order: Vec::new() }
    }

    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.moves.capacity() * size_of::<(G::Move, G::State)>()
            + (self.hashes.capacity() + self.order.capacity()) * size_of::<u32>()
    }

    /// Asks for the moves of a state where the game is not over.
    pub fn ask(&mut self, game: &mut G, state: &G::State) -> Result<(), Halt<G::Error>> {
        self.moves.clear();
        game.moves(state, &mut self.moves).map_err(Halt::Fail)?;
        debug_assert!(!self.moves.is_empty(), "a state that is not over has a move");
        if game.has_symmetry() {
            for (_, state) in &mut self.moves {
                *state = game.canonical(state).map_err(Halt::Fail)?;
            }
        }
        self.hashes.clear();
        self.hashes.extend(self.moves.iter().map(|(_, state)| hash_of(state)));
        Ok(())
    }

    /// A state that a move leads to.
    pub fn key(&self, at: u32) -> StateKey<'_, G::State> {
        StateKey { state: &self.moves[at as usize].1, hash: self.hashes[at as usize] }
    }

    /// A successor that is known to cut makes the search of a node needless.
    pub fn cut(
        &self,
        game: &G,
        table: &Table<G>,
        player: Player,
        left: u32,
        beta: G::Value,
    ) -> Option<SubtreeValue<G::Value>> {
        table.prepare(&self.hashes);
        let window = Window { alpha: beta.below(), beta };
        (0..self.moves.len() as u32).find_map(|at| {
            let key = self.key(at);
            let turns = game.player(key.state) != player;
            let found = table.get(key)?.answer(left, window.for_player(turns))?;
            let value = for_player(found.value, turns);
            (value >= beta).then_some(SubtreeValue { value, height: found.height + 1, ..found })
        })
    }
}

/// The value of a node at the depth or at the end of the game; `None` if play goes on.
#[inline]
pub(super) fn leaf<G: Game>(
    game: &mut G,
    state: &G::State,
    left: u32,
) -> Result<Option<SubtreeValue<G::Value>>, G::Error> {
    let player = game.player(state);
    let over = (left > 0 || game.heuristic_is_utility()) && game.is_over(state)?;
    let value = if over && (left > 0 || !game.has_heuristic()) {
        game.utility(state, player)?
    } else if left == 0 {
        game.heuristic(state, player)?
    } else {
        return Ok(None);
    };
    Ok(Some(SubtreeValue { value: game.balanced(value)?, height: 0, exact: over }))
}

//! The seam between a game and the engines: [`Game`].

use super::expected::Expected;
use super::value::Value;
use crate::fork::Fork;
use crate::report::StopReason;
use crate::space::{Failure, MoveId, Row};
use std::sync::Arc;

/// The number of a player, from 0.
pub type Player = u8;

/// The player at chance nodes: one of the moves comes up with its probability. No player of the
/// game has this number, and values of chance nodes are those to the first player.
pub const CHANCE: Player = Player::MAX;

/// The least and the greatest of values, if they are known.
pub type Bounds<V> = Option<(V, V)>;

/// A game of players in turn, whose operations can fail.
///
/// A state includes the player to move. Two states are the same exactly when they are equal.
/// Operations take `&mut self` so that a game may run a machine or keep a cache, but the same
/// state must always get the same answers in the same order: a [`Graph`](super::Graph) asks
/// once and keeps the answer.
pub trait Game: Fork {
    /// A state, with the player to move.
    type State: Row;
    /// The value of a state.
    type Value: Value;

    /// How many players take turns; chance is none of them.
    fn players(&self) -> usize;

    /// Whether chance moves somewhere, as far as it is known.
    fn has_chance(&self) -> bool {
        false
    }

    /// Who is to move, or [`CHANCE`].
    fn player(&self, state: &Self::State) -> Player;

    /// The player whose value a state has by default: who is to move, or the first player.
    fn valued_for(&self, state: &Self::State) -> Player {
        match self.player(state) {
            CHANCE => 0,
            player => player,
        }
    }

    /// Whether the game is over.
    fn is_over(&mut self, state: &Self::State) -> Result<bool, Failure>;

    /// The utility of a state where the game is over, to a player.
    fn utility(&mut self, state: &Self::State, player: Player) -> Result<Self::Value, Failure>;

    /// An estimate of the value of a state to a player.
    fn heuristic(&mut self, state: &Self::State, player: Player) -> Result<Self::Value, Failure>;

    /// Whether there is an estimate at all.
    fn has_heuristic(&self) -> bool;

    /// Whether the estimate of a state where the game is over is also its utility.
    fn heuristic_is_utility(&self) -> bool;

    /// Appends the moves and the states they lead to, in move order, without touching what is
    /// already there. Asked only where the game is not over, and never without an answer: a
    /// state without moves is over, or an error of the game.
    fn moves(
        &mut self,
        state: &Self::State,
        out: &mut Vec<(MoveId, Self::State)>,
    ) -> Result<(), Failure>;

    /// One of the moves, where the others are of no use: `choose` is told how many there are, at least
    /// one, and says which it wants, from 0 on in move order. Asked where [`Game::moves`] may be.
    fn pick(
        &mut self,
        state: &Self::State,
        choose: &mut dyn FnMut(u32) -> u32,
    ) -> Result<(MoveId, Self::State), Failure> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves)?;
        let at = choose(moves.len() as u32) as usize;
        Ok(moves.swap_remove(at))
    }

    /// Goes on from a state by moves that `choose` picks, at most so many, as far as that goes quickly: how
    /// many were made, and whether it is known that the game is over in the state reached. `choose` is
    /// told how many were made before, and how many moves there are; of a move that is not made in the end
    /// it may be asked again. Nothing is lost where none is made.
    fn play_on(
        &mut self,
        _state: &mut Self::State,
        _most: u32,
        _choose: &mut dyn FnMut(u32, u32) -> u32,
    ) -> Result<(u32, bool), Failure> {
        Ok((0, false))
    }

    /// How many moves there are, where they are of no use themselves. Asked where [`Game::moves`] may
    /// be.
    fn count_moves(&mut self, state: &Self::State) -> Result<u32, Failure> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves)?;
        Ok(moves.len() as u32)
    }

    /// The probabilities of the moves at a chance node: all positive, in move order, together 1.
    fn probabilities(
        &mut self,
        _state: &Self::State,
        moves: &[MoveId],
    ) -> Result<Arc<[Expected]>, Failure> {
        Ok(Expected::equally_likely(moves.len()).into())
    }

    /// A lower and an upper bound of all utilities and estimates, if they are known.
    fn bounds(&mut self) -> Result<Bounds<Self::Value>, Failure> {
        Ok(None)
    }

    /// Whether the game is general-sum, so that every player has utilities of their own: with more
    /// than two players, and with two whose utilities do not add up to a constant.
    fn is_general_sum(&self) -> bool {
        self.players() > 2
    }

    /// Whether the utilities of two players, as the rules give them, add up to 0.
    fn is_zero_sum(&self) -> bool {
        !self.is_general_sum()
    }

    /// A utility or an estimate on the scale on which its value to the opponent is its negation;
    /// the same value in a zero-sum game.
    ///
    /// # Errors
    /// It can't be represented there.
    #[inline]
    fn balanced(&mut self, value: Self::Value) -> Result<Self::Value, Failure> {
        Ok(value)
    }

    /// A number for what changes from a state to one that a move leads to, the same where the same changes;
    /// 0 if nothing is known of that.
    fn change(&self, _before: &Self::State, _after: &Self::State) -> u32 {
        0
    }

    /// The limit that an operation met, if it failed for that.
    fn limit_met(&self, _error: &Failure) -> Option<StopReason> {
        None
    }

    /// Told of a state that a [copy](Fork) found, before it asks about it.
    fn meet(&mut self, _state: &Self::State) {}

    /// Appends bytes by which [`Game::move_of`] knows a move of a [copy](Fork).
    fn write_move(&self, _mv: MoveId, _out: &mut Vec<u8>) {}

    /// The move that is another one to a copy, which has written these bytes; the same if moves of copies are.
    fn move_of(&mut self, theirs: MoveId, _name: &[u8]) -> MoveId {
        theirs
    }

    /// Whether [`Game::canonical`] ever gives another state.
    fn has_symmetry(&self) -> bool {
        false
    }

    /// Whether states of a symmetry class have the same estimates, beside the same values at the end of play.
    fn symmetry_keeps_estimates(&self) -> bool {
        true
    }

    /// The representative of the symmetry class of a state, for a game with symmetries: its moves lead to symmetrical states, and its values are the same.
    fn canonical(&mut self, state: &Self::State) -> Result<Self::State, Failure> {
        Ok(state.clone())
    }
}

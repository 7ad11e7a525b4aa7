//! The seam between a game and the engines: [`Game`].

use super::expected::Expected;
use super::value::Value;
use crate::problem::StateStore;
use crate::report::StopReason;
use std::hash::Hash;

/// The number of a player, from 0.
pub type Player = u8;

/// Who moves where nobody chooses: one of the moves comes up with its probability. No player
/// of the game has this number, and values where chance moves are asked for the first player.
pub const CHANCE: Player = Player::MAX;

/// The least and the greatest of values, if they are known.
pub type Bounds<V> = Option<(V, V)>;

/// A game of players in turn, whose operations can fail.
///
/// A state includes the player to move. Two states are the same exactly when they are equal.
/// Operations take `&mut self` so that a game may run a machine or keep a cache, but the same
/// state must always get the same answers in the same order: a [`Graph`](super::Graph) asks
/// once and keeps the answer.
pub trait Game {
    /// A state, with the player to move.
    type State: Clone + Eq + Hash;
    /// What labels a move; its number is small, for instance that of a name.
    type Move: Copy + Eq + Into<u32>;
    /// What a state is worth.
    type Value: Value;
    /// Where states are kept.
    type Store: StateStore<State = Self::State>;
    /// Why an operation failed.
    type Error;

    /// An empty store.
    fn new_store(&self) -> Self::Store;

    /// How many players take turns; chance is none of them.
    fn players(&self) -> usize;

    /// Who is to move, or [`CHANCE`].
    fn player(&self, state: &Self::State) -> Player;

    /// Whose value that of a state is, if nobody is named: who is to move, or the first player.
    fn valued_for(&self, state: &Self::State) -> Player {
        match self.player(state) {
            CHANCE => 0,
            player => player,
        }
    }

    /// Whether the game is over.
    fn is_over(&mut self, state: &Self::State) -> Result<bool, Self::Error>;

    /// What a state where the game is over is worth to a player.
    fn utility(&mut self, state: &Self::State, player: Player) -> Result<Self::Value, Self::Error>;

    /// An estimate of what a state is worth to a player.
    fn heuristic(
        &mut self,
        state: &Self::State,
        player: Player,
    ) -> Result<Self::Value, Self::Error>;

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
        out: &mut Vec<(Self::Move, Self::State)>,
    ) -> Result<(), Self::Error>;

    /// With which probability each of the moves comes up in a state where chance moves: all
    /// positive, one after the other as the moves are, together 1.
    fn probabilities(
        &mut self,
        _state: &Self::State,
        moves: &[Self::Move],
    ) -> Result<Vec<Expected>, Self::Error> {
        Ok(Expected::equally_likely(moves.len()))
    }

    /// What no utility and no estimate is less than, and what none is greater than, if it is
    /// known.
    fn bounds(&mut self) -> Result<Bounds<Self::Value>, Self::Error> {
        Ok(None)
    }

    /// Whether every player is asked for utilities of their own: with more than two, and with two
    /// where what one wins is not what the other loses.
    fn is_told_apart(&self) -> bool {
        self.players() > 2
    }

    /// Whether what one of two players wins is what the other loses, as utilities stand in the
    /// rules.
    fn sums_to_zero(&self) -> bool {
        !self.is_told_apart()
    }

    /// A utility or an estimate on the scale on which what it is worth to the opponent is its
    /// negation; the same value where what one wins the other loses.
    ///
    /// # Errors
    /// It has no place there.
    #[inline]
    fn balanced(&mut self, value: Self::Value) -> Result<Self::Value, Self::Error> {
        Ok(value)
    }

    /// The limit that an operation met, if it failed for that.
    fn limit_met(&self, _error: &Self::Error) -> Option<StopReason> {
        None
    }

    /// Bytes that a state owns beyond its own size.
    fn owned_bytes(&self, _state: &Self::State) -> usize {
        0
    }

    /// Whether [`Game::canonical`] ever gives another state.
    fn has_symmetry(&self) -> bool {
        false
    }

    /// The state that stands for all that are symmetrical to this one, for a game that says
    /// which are: its moves lead to symmetrical states, and its values are the same.
    fn canonical(&mut self, state: &Self::State) -> Result<Self::State, Self::Error> {
        Ok(state.clone())
    }
}

//! A game written down as a table, for examples and tests.

use super::expected::Expected;
use super::interface::{CHANCE, Game, Player};
use crate::fork::Fork;
use crate::space::{Failure, Row};
use crate::store::HashStore;
use std::sync::Arc;

/// A game of two or more players in turn whose states are numbers.
///
/// A state is `(player to move, number)`; state numbers index the table.
#[derive(Clone, Debug, Default)]
pub struct TableGame {
    /// How many players.
    pub players: usize,
    /// The moves of each state: a number for the move, the state it leads to.
    pub moves: Vec<Vec<(u32, u32)>>,
    /// Utilities of ends: to the player to move, to the next one, …
    pub utilities: Vec<Option<Vec<i64>>>,
    /// Estimates for the player to move, by state; none at all if empty.
    pub estimates: Vec<i64>,
    /// After a move to one of these states the same player moves again.
    pub moves_again: Vec<bool>,
    /// How likely the moves are, in proportion to one another, in a state where chance moves;
    /// nothing for others. Behind it moves who would have moved there.
    pub weights: Vec<Vec<u32>>,
    /// The least and the greatest of utilities and estimates, if they are to be known.
    pub bounds: Option<(i64, i64)>,
    /// Copies for other threads.
    pub copies: usize,
}

impl TableGame {
    /// The game of Nim: up to `most` matches are taken in turn, and who takes the last loses.
    pub fn nim(matches: u32, most: u32) -> Self {
        let takes = |n: u32| (1..=most.min(n)).map(|k| (k, n - k)).collect();
        // The player to move has not taken the last one.
        let over = |n: u32| (n == 0).then(|| vec![1, -1]);
        Self {
            players: 2,
            moves: (0..=matches).map(takes).collect(),
            utilities: (0..=matches).map(over).collect(),
            ..Self::default()
        }
    }

    fn weights_of(&self, state: &(Player, u32)) -> &[u32] {
        self.weights.get(state.1 as usize).map_or(&[], Vec::as_slice)
    }

    /// A state with the first player to move.
    pub fn start(&self, state: u32) -> (Player, u32) {
        (0, state)
    }
}

impl Row for (Player, u32) {
    type Store = HashStore<Self>;

    fn write(&self, out: &mut Vec<u8>) -> bool {
        out.push(self.0);
        out.extend(self.1.to_be_bytes());
        true
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (&player, number) = bytes.split_first()?;
        Some((player, u32::from_be_bytes(number.try_into().ok()?)))
    }
}

impl Fork for TableGame {
    fn has_forks(&self) -> bool {
        self.copies > 0
    }

    fn take_forks(&mut self) -> Vec<Self> {
        let copies = std::mem::take(&mut self.copies);
        vec![self.clone(); copies]
    }

    fn return_forks(&mut self, forks: Vec<Self>) {
        self.copies = forks.len();
    }
}

impl Game for TableGame {
    type State = (Player, u32);
    type Value = i64;

    fn players(&self) -> usize {
        self.players
    }

    fn player(&self, state: &Self::State) -> Player {
        if self.weights_of(state).is_empty() { state.0 } else { CHANCE }
    }

    fn is_over(&mut self, state: &Self::State) -> Result<bool, Failure> {
        Ok(self.utilities[state.1 as usize].is_some())
    }

    fn utility(&mut self, state: &Self::State, player: Player) -> Result<i64, Failure> {
        let values = self.utilities[state.1 as usize].as_ref();
        let seat = (self.players + usize::from(player) - usize::from(state.0)) % self.players;
        Ok(values.map_or(0, |values| values[seat]))
    }

    fn heuristic(&mut self, state: &Self::State, player: Player) -> Result<i64, Failure> {
        let value = self.estimates.get(state.1 as usize).copied().unwrap_or(0);
        Ok(if player == state.0 { value } else { -value })
    }

    fn has_heuristic(&self) -> bool {
        !self.estimates.is_empty()
    }

    fn heuristic_is_utility(&self) -> bool {
        self.estimates.is_empty()
    }

    fn moves(
        &mut self,
        state: &Self::State,
        out: &mut Vec<(u32, Self::State)>,
    ) -> Result<(), Failure> {
        let (player, number) = *state;
        let chance = !self.weights_of(state).is_empty();
        let next = ((usize::from(player) + usize::from(!chance)) % self.players) as Player;
        out.extend(self.moves[number as usize].iter().map(|&(mv, to)| {
            let again = self.moves_again.get(to as usize).copied().unwrap_or(false);
            (mv, (if again { player } else { next }, to))
        }));
        Ok(())
    }

    fn probabilities(
        &mut self,
        state: &Self::State,
        _: &[u32],
    ) -> Result<Arc<[Expected]>, Failure> {
        let weights = self.weights_of(state);
        let sum = Expected::integer(weights.iter().sum::<u32>());
        Ok(weights.iter().map(|&weight| Expected::integer(weight).over(&sum)).collect())
    }

    fn bounds(&mut self) -> Result<Option<(i64, i64)>, Failure> {
        Ok(self.bounds)
    }
}

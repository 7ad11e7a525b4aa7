//! Sliding-tile puzzles as a [`Problem`] over packed states.

use crate::tiles::{Tiles, distances, neighbours};
use std::convert::Infallible;
use zug_domain::{Fixed, PackedState};
use zug_search::{Fork, HashStore, Problem, Successor, SuccessorOf, VisitedSuccessors, Visitor};

/// A puzzle whose states are a byte for the shape and one for each square.
pub struct Sliding<const N: usize> {
    squares: usize,
    goal: Fixed<N>,
    away: [[u8; 16]; 16],
    neighbours: Vec<Vec<u8>>,
}

impl<const N: usize> Sliding<N> {
    pub fn new(side: usize, goal: &Tiles, manhattan: bool) -> Self {
        let squares = side * side;
        let (away, neighbours) = (distances(side, goal, manhattan), neighbours(side));
        Sliding { squares, goal: pack(&goal[..squares]), away, neighbours }
    }

    pub fn state(&self, tiles: &Tiles) -> Fixed<N> {
        pack(&tiles[..self.squares])
    }

    #[inline]
    fn away(&self, tile: u8, square: usize) -> i64 {
        i64::from(self.away[usize::from(tile) & 15][square & 15])
    }

    /// The place of the empty square among the bytes: the first zero.
    #[inline]
    fn empty(&self, state: &Fixed<N>) -> usize {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let mut zeros = 0;
        for at in (0..Fixed::<N>::words()).rev() {
            let word = state.word(at);
            let found = word.wrapping_sub(ONES) & !word & ONES << 7;
            zeros = if found == 0 { zeros } else { 8 * at + found.trailing_zeros() as usize / 8 };
        }
        zeros
    }
}

fn pack<const N: usize>(tiles: &[u8]) -> Fixed<N> {
    let mut bytes = vec![1];
    bytes.extend(tiles);
    Fixed::from_bytes(&bytes).expect("room for the tiles")
}

impl<const N: usize> Fork for Sliding<N> {}

impl<const N: usize> Problem for Sliding<N> {
    type State = Fixed<N>;
    type Move = u32;
    type Cost = i64;
    type Hint = ();
    type Store = HashStore<Fixed<N>>;
    type Error = Infallible;

    fn new_store(&self) -> Self::Store {
        HashStore::default()
    }

    #[inline]
    fn is_goal(&mut self, state: &Fixed<N>) -> Result<bool, Infallible> {
        Ok(*state == self.goal)
    }

    #[inline]
    fn successors(
        &mut self,
        state: &Fixed<N>,
        out: &mut Vec<SuccessorOf<Self>>,
    ) -> Result<(), Infallible> {
        let empty = self.empty(state);
        for (mv, &to) in self.neighbours[empty - 1].iter().enumerate() {
            let state = state.swapped(empty, usize::from(to) + 1);
            out.push(Successor { mv: mv as u32, cost: 1, state, hint: () });
        }
        Ok(())
    }

    #[inline]
    fn visit_successors(
        &mut self,
        state: &Fixed<N>,
        h: i64,
        visitor: &mut impl Visitor<Self>,
    ) -> VisitedSuccessors {
        let empty = self.empty(state);
        for (mv, &to) in self.neighbours[empty - 1].iter().enumerate() {
            let (to, tile) = (usize::from(to), state.byte(usize::from(to) + 1));
            let after = h + self.away(tile, empty - 1) - self.away(tile, to);
            visitor.visit(mv as u32, 1, state.swapped(empty, to + 1), after);
        }
        VisitedSuccessors::All
    }

    #[inline]
    fn heuristic(&mut self, state: &Fixed<N>) -> Result<Option<i64>, Infallible> {
        let tiles = state.bytes()[1..].iter().enumerate();
        Ok(Some(tiles.map(|(square, &tile)| self.away(tile, square)).sum()))
    }

    #[inline]
    fn heuristic_after(
        &mut self,
        before: &Fixed<N>,
        h: i64,
        state: &Fixed<N>,
        (): &(),
    ) -> Result<Option<i64>, Infallible> {
        let (from, to) = (self.empty(state), self.empty(before));
        let tile = before.byte(from);
        Ok(Some(h + self.away(tile, to - 1) - self.away(tile, from - 1)))
    }

    fn least_move_cost(&self) -> i64 {
        1
    }
}

//! Sliding-tile puzzles as a [`Space`] over packed states.

use crate::tiles::{Tiles, distances, neighbours};
use zug_domain::{Fixed, PackedState};
use zug_search::{Batch, Failure, Head, Space, Successors};

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

impl<const N: usize> Space<Fixed<N>, i64> for Sliding<N> {
    fn is_goal(&mut self, row: &Fixed<N>) -> Result<bool, Failure> {
        Ok(*row == self.goal)
    }

    fn expand(
        &mut self,
        batch: Batch<'_, Fixed<N>, i64>,
        out: &mut Successors<Fixed<N>, i64>,
    ) -> Result<(), Failure> {
        for (from, row) in batch.rows.iter().enumerate() {
            let (h, before) = (batch.estimates.get(from), batch.before.get(from));
            let empty = self.empty(row);
            for (mv, &to) in self.neighbours[empty - 1].iter().enumerate() {
                let (to, tile) = (usize::from(to), row.byte(usize::from(to) + 1));
                let after = row.swapped(empty, to + 1);
                if before == Some(&after) {
                    out.returning += 1;
                    continue;
                }
                let estimate = h.map(|h| h + self.away(tile, empty - 1) - self.away(tile, to));
                out.push(Head { from: from as u32, mv: mv as u32, cost: 1, estimate }, after);
            }
            out.expanded += 1;
        }
        Ok(())
    }

    fn batch(&self) -> usize {
        64
    }

    fn estimate(
        &mut self,
        row: &Fixed<N>,
        _: Option<(&Fixed<N>, i64)>,
    ) -> Result<Option<i64>, Failure> {
        let tiles = row.bytes()[1..].iter().enumerate();
        Ok(Some(tiles.map(|(square, &tile)| self.away(tile, square)).sum()))
    }

    fn least_move_cost(&self) -> i64 {
        1
    }
}

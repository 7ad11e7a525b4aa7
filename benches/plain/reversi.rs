//! Reversi on a board of `N` times `N` squares.

use super::Game;
use zug_search::Fork;

const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The rows, and who is to move, 1 or 2; an empty square is 0.
#[derive(Clone)]
pub struct Reversi<const N: usize> {
    rows: [[u8; N]; N],
    player: u8,
}

impl<const N: usize> Reversi<N> {
    /// The board with four discs.
    pub fn new() -> Self {
        let mut rows = [[0; N]; N];
        let half = N / 2;
        rows[half - 1][half - 1] = 2;
        rows[half][half] = 2;
        rows[half - 1][half] = 1;
        rows[half][half - 1] = 1;
        Reversi { rows, player: 1 }
    }

    fn at(&self, row: isize, column: isize) -> u8 {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        let disc = row.zip(usize::try_from(column).ok()).and_then(|(row, column)| row.get(column));
        disc.copied().unwrap_or(0)
    }

    /// How many discs a disc of a player would turn over in a direction.
    fn enclosed(&self, (row, column): (usize, usize), step: (isize, isize), player: u8) -> usize {
        let mut count = 0;
        loop {
            let far = count as isize + 1;
            match self.at(row as isize + far * step.0, column as isize + far * step.1) {
                0 => return 0,
                disc if disc == player => return count,
                _ => count += 1,
            }
        }
    }

    fn is_legal(&self, square: (usize, usize), player: u8) -> bool {
        self.rows[square.0][square.1] == 0
            && DIRECTIONS.iter().any(|&step| self.enclosed(square, step, player) > 0)
    }

    fn legal(&self, player: u8) -> impl Iterator<Item = (usize, usize)> + '_ {
        let all = (0..N).flat_map(|row| (0..N).map(move |column| (row, column)));
        all.filter(move |&square| self.is_legal(square, player))
    }
}

impl<const N: usize> Fork for Reversi<N> {}

impl<const N: usize> Game for Reversi<N> {
    /// A square, or pass.
    type Move = Option<(usize, usize)>;

    fn is_over(&self) -> bool {
        self.legal(1).next().is_none() && self.legal(2).next().is_none()
    }

    fn moves(&self, all: &mut Vec<Self::Move>) {
        all.extend(self.legal(self.player).map(Some));
        if all.is_empty() {
            all.push(None);
        }
    }

    fn play(&mut self, mv: &Self::Move) {
        if let Some(square @ (row, column)) = *mv {
            for step in DIRECTIONS {
                for far in 1..=self.enclosed(square, step, self.player) as isize {
                    let at = |from: usize, step: isize| (from as isize + far * step) as usize;
                    self.rows[at(row, step.0)][at(column, step.1)] = self.player;
                }
            }
            self.rows[row][column] = self.player;
        }
        self.player = 3 - self.player;
    }
}

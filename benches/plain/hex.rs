//! Hex on a board of `N` times `N` squares.

use super::Game;
use zug_search::Fork;

const NEIGHBOURS: [(isize, isize); 6] = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)];

/// The rows, and who is to move, 1 from top to bottom or 2; an empty square is 0.
#[derive(Clone)]
pub struct Hex<const N: usize> {
    rows: [[u8; N]; N],
    player: u8,
}

impl<const N: usize> Hex<N> {
    /// The empty board.
    pub fn new() -> Self {
        Hex { rows: [[0; N]; N], player: 1 }
    }
}

impl<const N: usize> Fork for Hex<N> {}

impl<const N: usize> Game for Hex<N> {
    /// A square.
    type Move = (usize, usize);

    /// Whether the other player has joined his sides.
    fn is_over(&self) -> bool {
        let other = 3 - self.player;
        let mut seen = [[false; N]; N];
        let side = (0..N).map(|at| if other == 1 { (0, at) } else { (at, 0) });
        let mut open: Vec<_> = side.filter(|&(row, at)| self.rows[row][at] == other).collect();
        for &(row, column) in &open {
            seen[row][column] = true;
        }
        while let Some((row, column)) = open.pop() {
            if (if other == 1 { row } else { column }) == N - 1 {
                return true;
            }
            for (down, right) in NEIGHBOURS {
                let next = row.checked_add_signed(down).zip(column.checked_add_signed(right));
                let Some((row, column)) = next.filter(|&(row, at)| row < N && at < N) else {
                    continue;
                };
                if self.rows[row][column] == other && !seen[row][column] {
                    seen[row][column] = true;
                    open.push((row, column));
                }
            }
        }
        false
    }

    fn moves(&self, all: &mut Vec<Self::Move>) {
        let squares = (0..N).flat_map(|row| (0..N).map(move |column| (row, column)));
        all.extend(squares.filter(|&(row, column)| self.rows[row][column] == 0));
    }

    fn play(&mut self, &(row, column): &Self::Move) {
        self.rows[row][column] = self.player;
        self.player = 3 - self.player;
    }
}

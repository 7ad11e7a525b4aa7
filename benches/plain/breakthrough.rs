//! Breakthrough on a board of any width and height.

use super::Game;
use zug_search::Fork;

/// The rows, and who is to move, 1 up the board or 2; an empty square is 0.
#[derive(Clone)]
pub struct Breakthrough<const W: usize, const H: usize> {
    rows: [[u8; W]; H],
    player: u8,
}

impl<const W: usize, const H: usize> Breakthrough<W, H> {
    /// Two rows of pawns each.
    pub fn new() -> Self {
        let mut rows = [[0; W]; H];
        for row in 0..2 {
            rows[row] = [2; W];
            rows[H - 1 - row] = [1; W];
        }
        Breakthrough { rows, player: 1 }
    }
}

impl<const W: usize, const H: usize> Fork for Breakthrough<W, H> {}

impl<const W: usize, const H: usize> Game for Breakthrough<W, H> {
    /// From a square to another.
    type Move = [(usize, usize); 2];

    fn is_over(&self) -> bool {
        let through = if self.player == 1 {
            self.rows[H - 1].contains(&2)
        } else {
            self.rows[0].contains(&1)
        };
        through || !self.rows.iter().any(|row| row.contains(&self.player))
    }

    fn moves(&self, all: &mut Vec<Self::Move>) {
        for (row, squares) in self.rows.iter().enumerate() {
            let ahead = if self.player == 1 { row.checked_sub(1) } else { Some(row + 1) };
            let Some(ahead) = ahead.filter(|&ahead| ahead < H) else { continue };
            for (column, _) in squares.iter().enumerate().filter(|&(_, &of)| of == self.player) {
                for to in column.saturating_sub(1)..=(column + 1).min(W - 1) {
                    let target = self.rows[ahead][to];
                    if target == 0 || to != column && target != self.player {
                        all.push([(row, column), (ahead, to)]);
                    }
                }
            }
        }
    }

    fn play(&mut self, &[from, to]: &Self::Move) {
        self.rows[from.0][from.1] = 0;
        self.rows[to.0][to.1] = self.player;
        self.player = 3 - self.player;
    }
}

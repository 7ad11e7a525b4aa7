//! Tic-tac-toe on nine squares.

use super::Game;
use zug_search::Fork;

/// Rows, columns and diagonals.
pub const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The squares, and who is to move, 1 or 2; an empty square is 0.
#[derive(Clone)]
pub struct TicTacToe {
    squares: [u8; 9],
    player: u8,
}

impl TicTacToe {
    /// The empty board.
    pub fn new() -> Self {
        TicTacToe { squares: [0; 9], player: 1 }
    }
}

impl Fork for TicTacToe {}

impl Game for TicTacToe {
    type Move = usize;

    fn is_over(&self) -> bool {
        let other = 3 - self.player;
        LINES.iter().any(|line| line.iter().all(|&at| self.squares[at] == other))
            || !self.squares.contains(&0)
    }

    fn moves(&self, all: &mut Vec<usize>) {
        all.extend((0..9).filter(|&at| self.squares[at] == 0));
    }

    fn play(&mut self, &at: &usize) {
        self.squares[at] = self.player;
        self.player = 3 - self.player;
    }
}

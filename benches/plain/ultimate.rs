//! Ultimate tic-tac-toe: nine boards that make up a large one.

use super::Game;
use super::tic_tac_toe::LINES;
use zug_search::Fork;

/// A small board that is full without a winner.
const DRAW: u8 = 3;

/// The boards, who has won each, the board to move on, and who is to move, 1 or 2; an empty
/// square and an open board are 0.
#[derive(Clone)]
pub struct Ultimate {
    boards: [[u8; 9]; 9],
    large: [u8; 9],
    next: Option<usize>,
    player: u8,
}

impl Ultimate {
    /// Nine empty boards.
    pub fn new() -> Self {
        Ultimate { boards: [[0; 9]; 9], large: [0; 9], next: None, player: 1 }
    }
}

fn has_three(board: &[u8; 9], player: u8) -> bool {
    LINES.iter().any(|line| line.iter().all(|&at| board[at] == player))
}

impl Fork for Ultimate {}

impl Game for Ultimate {
    /// A board and a square of it.
    type Move = (usize, usize);

    fn is_over(&self) -> bool {
        has_three(&self.large, 3 - self.player) || !self.large.contains(&0)
    }

    fn moves(&self, all: &mut Vec<Self::Move>) {
        let boards = self.next.map_or(0..9, |next| next..next + 1);
        for board in boards.filter(|&board| self.large[board] == 0) {
            let empty = (0..9).filter(|&square| self.boards[board][square] == 0);
            all.extend(empty.map(|square| (board, square)));
        }
    }

    fn play(&mut self, &(board, square): &Self::Move) {
        let squares = &mut self.boards[board];
        squares[square] = self.player;
        if has_three(squares, self.player) {
            self.large[board] = self.player;
        } else if !squares.contains(&0) {
            self.large[board] = DRAW;
        }
        self.next = Some(square).filter(|&square| self.large[square] == 0);
        self.player = 3 - self.player;
    }
}

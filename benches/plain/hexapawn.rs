//! Hexapawn on a board of any width and height.

use super::Game;
use zug_search::Fork;

/// The rows, and who is to move, 1 up the board or 2; an empty square is 0.
#[derive(Clone)]
pub struct Hexapawn<const W: usize, const H: usize> {
    rows: [[u8; W]; H],
    player: u8,
}

impl<const W: usize, const H: usize> Hexapawn<W, H> {
    /// The pawns face each other.
    pub fn new() -> Self {
        let mut rows = [[0; W]; H];
        rows[0] = [2; W];
        rows[H - 1] = [1; W];
        Hexapawn { rows, player: 1 }
    }
}

impl<const W: usize, const H: usize> Fork for Hexapawn<W, H> {}

impl<const W: usize, const H: usize> Game for Hexapawn<W, H> {
    /// From a square to another.
    type Move = [(usize, usize); 2];

    fn is_over(&self) -> bool {
        if self.rows[0].contains(&1) || self.rows[H - 1].contains(&2) {
            return true;
        }
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.is_empty()
    }

    fn moves(&self, all: &mut Vec<Self::Move>) {
        for (row, squares) in self.rows.iter().enumerate() {
            let ahead = if self.player == 1 { row.checked_sub(1) } else { Some(row + 1) };
            let Some(ahead) = ahead.filter(|&ahead| ahead < H) else { continue };
            for (column, _) in squares.iter().enumerate().filter(|&(_, &of)| of == self.player) {
                let beside = column.saturating_sub(1)..=(column + 1).min(W - 1);
                for to in beside {
                    let wanted = if to == column { 0 } else { 3 - self.player };
                    if self.rows[ahead][to] == wanted {
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

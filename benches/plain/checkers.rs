//! English checkers on eight times eight squares.

use super::Game;
use zug_search::Fork;

/// Added to the number of a player for a king.
const KING: u8 = 2;

/// The rows, and who is to move, 1 down the board or 2; an empty square is 0.
#[derive(Clone)]
pub struct Checkers {
    rows: [[u8; 8]; 8],
    player: u8,
}

type Square = (usize, usize);

/// The next square in a direction, if there is one.
fn ahead((row, column): Square, (down, right): (isize, isize)) -> Option<Square> {
    let next = row.checked_add_signed(down).zip(column.checked_add_signed(right));
    next.filter(|&(row, column)| row < 8 && column < 8)
}

impl Checkers {
    /// Twelve men each.
    pub fn new() -> Self {
        let mut rows = [[0; 8]; 8];
        for (row, squares) in rows.iter_mut().enumerate() {
            for (column, square) in squares.iter_mut().enumerate() {
                *square = match row {
                    _ if (row + column) % 2 == 0 => 0,
                    0..=2 => 1,
                    5.. => 2,
                    _ => 0,
                };
            }
        }
        Checkers { rows, player: 1 }
    }

    fn at(&self, square: Square) -> u8 {
        self.rows[square.0][square.1]
    }

    fn is_of(&self, square: Square, player: u8) -> bool {
        let piece = self.at(square);
        piece == player || piece == player + KING
    }

    fn directions(&self, piece: u8) -> impl Iterator<Item = (isize, isize)> + use<> {
        let forward = if self.player == 1 { 1 } else { -1 };
        let both = [forward, -forward];
        let count = if piece > KING { 2 } else { 1 };
        both.into_iter().take(count).flat_map(|down| [(down, -1), (down, 1)])
    }

    fn own(&self) -> impl Iterator<Item = Square> + '_ {
        let all = (0..8).flat_map(|row| (0..8).map(move |column| (row, column)));
        all.filter(|&square| self.is_of(square, self.player))
    }

    /// Squares that a piece can jump over, and those it comes to.
    fn jumps(&self, from: Square) -> impl Iterator<Item = (Square, Square)> + '_ {
        self.directions(self.at(from)).filter_map(move |way| {
            let over = ahead(from, way).filter(|&over| self.is_of(over, 3 - self.player))?;
            let to = ahead(over, way).filter(|&to| self.at(to) == 0)?;
            Some((over, to))
        })
    }

    /// Puts a piece down, crowned if it is on the far side; whether it was.
    fn put(&mut self, (row, column): Square, piece: u8) -> bool {
        let far = if self.player == 1 { 7 } else { 0 };
        let is_crowned = piece == self.player && row == far;
        self.rows[row][column] = if is_crowned { piece + KING } else { piece };
        is_crowned
    }

    /// The ways on for a piece that has come this far by jumps.
    fn go_on(&self, path: &mut Vec<Square>, all: &mut Vec<Vec<Square>>) {
        let from = *path.last().expect("where it began");
        let mut is_end = true;
        for (over, to) in self.jumps(from) {
            is_end = false;
            let mut next = self.clone();
            let is_crowned = next.jump(from, over, to);
            path.push(to);
            if is_crowned {
                all.push(path.clone());
            } else {
                next.go_on(path, all);
            }
            path.pop();
        }
        if is_end && path.len() > 1 {
            all.push(path.clone());
        }
    }

    fn jump(&mut self, from: Square, over: Square, to: Square) -> bool {
        let piece = std::mem::take(&mut self.rows[from.0][from.1]);
        self.rows[over.0][over.1] = 0;
        self.put(to, piece)
    }

    fn can_jump(&self) -> bool {
        self.own().any(|square| self.jumps(square).next().is_some())
    }

    fn steps(&self) -> impl Iterator<Item = [Square; 2]> + '_ {
        self.own().flat_map(move |from| {
            let ways = self.directions(self.at(from)).filter_map(move |way| ahead(from, way));
            ways.filter(|&to| self.at(to) == 0).map(move |to| [from, to])
        })
    }
}

impl Fork for Checkers {}

impl Game for Checkers {
    /// The squares that a piece comes to, with the one where it begins.
    type Move = Vec<Square>;

    fn is_over(&self) -> bool {
        !self.can_jump() && self.steps().next().is_none()
    }

    fn moves(&self, all: &mut Vec<Self::Move>) {
        if self.can_jump() {
            for from in self.own() {
                self.go_on(&mut vec![from], all);
            }
        } else {
            all.extend(self.steps().map(Vec::from));
        }
    }

    fn play(&mut self, mv: &Self::Move) {
        for pair in mv.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            if from.0.abs_diff(to.0) == 2 {
                let over = (from.0.midpoint(to.0), from.1.midpoint(to.1));
                self.jump(from, over, to);
            } else {
                let piece = std::mem::take(&mut self.rows[from.0][from.1]);
                self.put(to, piece);
            }
        }
        self.player = 3 - self.player;
    }
}

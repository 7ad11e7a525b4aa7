//! Connect Four on the real board, 7 wide and 6 high.

use super::Game;
use super::alpha_beta::Estimated;
use zug_search::Fork;

const WIDTH: usize = 7;
const HEIGHT: usize = 6;

/// Columns from the lowest square up, with how many discs each has.
#[derive(Clone)]
pub struct ConnectFour {
    columns: [[u8; HEIGHT]; WIDTH],
    heights: [usize; WIDTH],
    player: u8,
    is_won: bool,
    discs: usize,
}

impl ConnectFour {
    /// The empty board.
    pub fn new() -> Self {
        ConnectFour {
            columns: [[0; HEIGHT]; WIDTH],
            heights: [0; WIDTH],
            player: 1,
            is_won: false,
            discs: 0,
        }
    }

    fn at(&self, column: isize, row: isize) -> u8 {
        let column = usize::try_from(column).ok().and_then(|column| self.columns.get(column));
        let disc = column.zip(usize::try_from(row).ok()).and_then(|(column, row)| column.get(row));
        disc.copied().unwrap_or(0)
    }

    /// Whether a disc makes four.
    fn has_four(&self, column: usize, row: usize) -> bool {
        let (column, row) = (column as isize, row as isize);
        let disc = self.at(column, row);
        [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|&(right, up)| {
            let along = |sign: isize| {
                let steps = 1..4;
                let same = |&step: &isize| {
                    self.at(column + sign * step * right, row + sign * step * up) == disc
                };
                steps.take_while(same).count()
            };
            1 + along(1) + along(-1) >= 4
        })
    }
}

impl Fork for ConnectFour {}

impl Game for ConnectFour {
    type Move = usize;

    fn is_over(&self) -> bool {
        self.is_won || self.discs == WIDTH * HEIGHT
    }

    fn moves(&self, all: &mut Vec<usize>) {
        all.extend((0..WIDTH).filter(|&column| self.heights[column] < HEIGHT));
    }

    fn play(&mut self, &column: &usize) {
        let row = self.heights[column];
        self.columns[column][row] = self.player;
        self.heights[column] += 1;
        self.discs += 1;
        self.is_won = self.has_four(column, row);
        self.player = 3 - self.player;
    }
}

impl Estimated for ConnectFour {
    /// The sum over all fours of the squares of how many discs they have, those of one player alone.
    fn estimate(&self) -> i32 {
        if self.is_won {
            return -10_000;
        }
        if self.discs == WIDTH * HEIGHT {
            return 0;
        }
        let mut sum = 0;
        for column in 0..WIDTH as isize {
            for row in 0..HEIGHT as isize {
                for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let (end_column, end_row) = (column + 3 * right, row + 3 * up);
                    if end_column >= WIDTH as isize || !(0..HEIGHT as isize).contains(&end_row) {
                        continue;
                    }
                    let four = (0..4).map(|step| self.at(column + step * right, row + step * up));
                    let (mut own, mut others) = (0, 0);
                    for disc in four.filter(|&disc| disc != 0) {
                        if disc == self.player { own += 1 } else { others += 1 }
                    }
                    if own == 0 || others == 0 {
                        sum += own * own - others * others;
                    }
                }
            }
        }
        sum
    }
}

//! Tic-tac-toe and Connect Four as [`Game`]s over packed states: the player to move, a byte
//! for the shape, and one for each square.

use std::marker::PhantomData;
use zug_domain::PackedState;
use zug_search::game::{Game, Player};
use zug_search::{Failure, Fork};

/// Tic-tac-toe.
pub struct Squares<S>(PhantomData<S>);

/// Whether a player has three squares in a line.
fn has_three(squares: &[u8], player: u8) -> bool {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    LINES.iter().any(|line| line.iter().all(|&square| squares[square] == player))
}

impl<S: PackedState> Squares<S> {
    pub fn new() -> Self {
        Squares(PhantomData)
    }

    pub fn start(&self) -> S {
        S::from_bytes(&[0; 11]).expect("room")
    }
}

impl<S: PackedState> Fork for Squares<S> {}

impl<S: PackedState> Game for Squares<S> {
    type State = S;
    type Value = i64;

    fn players(&self) -> usize {
        2
    }

    fn player(&self, state: &S) -> Player {
        state.bytes()[0]
    }

    fn is_over(&mut self, state: &S) -> Result<bool, Failure> {
        let squares = &state.bytes()[2..];
        Ok(has_three(squares, 2 - self.player(state)) || squares.iter().all(|&s| s != 0))
    }

    fn utility(&mut self, state: &S, player: Player) -> Result<i64, Failure> {
        let squares = &state.bytes()[2..];
        let own = i64::from(has_three(squares, player + 1));
        Ok(own - i64::from(has_three(squares, 2 - player)))
    }

    fn heuristic(&mut self, state: &S, player: Player) -> Result<i64, Failure> {
        self.utility(state, player)
    }

    fn has_heuristic(&self) -> bool {
        true
    }

    fn heuristic_is_utility(&self) -> bool {
        true
    }

    fn moves(&mut self, state: &S, out: &mut Vec<(u32, S)>) -> Result<(), Failure> {
        let mut bytes = [0; 11];
        bytes.copy_from_slice(state.bytes());
        let player = bytes[0];
        bytes[0] = 1 - player;
        for square in 2..11 {
            if bytes[square] == 0 {
                bytes[square] = player + 1;
                out.push((square as u32, S::from_bytes(&bytes).expect("room")));
                bytes[square] = 0;
            }
        }
        Ok(())
    }
}

/// Connect Four.
pub struct Columns<S> {
    width: u32,
    height: u32,
    state: PhantomData<S>,
}

impl<S: PackedState> Columns<S> {
    pub fn new(width: u32, height: u32) -> Self {
        Columns { width, height, state: PhantomData }
    }

    pub fn start(&self) -> S {
        S::from_bytes(&vec![0; (self.width * self.height) as usize + 2]).expect("room")
    }

    fn has_four(&self, state: &S, player: Player) -> bool {
        let mut discs = 0u64;
        let mut square = 2;
        for column in 0..self.width {
            for row in 0..self.height {
                let own = state.bytes()[square] == player + 1;
                discs |= u64::from(own) << (column * (self.height + 1) + row);
                square += 1;
            }
        }
        [1, self.height, self.height + 1, self.height + 2].iter().any(|&step| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

impl<S: PackedState> Fork for Columns<S> {}

impl<S: PackedState> Game for Columns<S> {
    type State = S;
    type Value = i64;

    fn players(&self) -> usize {
        2
    }

    fn player(&self, state: &S) -> Player {
        state.bytes()[0]
    }

    fn is_over(&mut self, state: &S) -> Result<bool, Failure> {
        let full = state.bytes()[2..].iter().all(|&square| square != 0);
        Ok(full || self.has_four(state, 1 - self.player(state)))
    }

    fn utility(&mut self, state: &S, player: Player) -> Result<i64, Failure> {
        let own = i64::from(self.has_four(state, player));
        Ok(own - i64::from(self.has_four(state, 1 - player)))
    }

    fn heuristic(&mut self, state: &S, player: Player) -> Result<i64, Failure> {
        self.utility(state, player)
    }

    fn has_heuristic(&self) -> bool {
        true
    }

    fn heuristic_is_utility(&self) -> bool {
        true
    }

    fn moves(&mut self, state: &S, out: &mut Vec<(u32, S)>) -> Result<(), Failure> {
        let mut bytes = [0; 66];
        let bytes = &mut bytes[..state.bytes().len()];
        bytes.copy_from_slice(state.bytes());
        let player = bytes[0];
        bytes[0] = 1 - player;
        let height = self.height as usize;
        for column in 0..self.width as usize {
            let first = 2 + column * height;
            let Some(row) = (0..height).find(|row| bytes[first + row] == 0) else { continue };
            bytes[first + row] = player + 1;
            out.push((column as u32, S::from_bytes(bytes).expect("room")));
            bytes[first + row] = 0;
        }
        Ok(())
    }
}

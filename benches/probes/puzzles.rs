//! Sliding-tile puzzles as a [`Problem`] over packed states.

use crate::tiles::{Tiles, distances, neighbours};
use std::convert::Infallible;
use zug::domain::{Packed, PackedStore};
use zug::search::{Problem, Successor, SuccessorOf};

/// A puzzle whose states are a byte for the shape and one for each square.
pub struct Sliding {
    squares: usize,
    goal: Packed,
    away: [[u8; 16]; 16],
    neighbours: Vec<Vec<u8>>,
}

impl Sliding {
    pub fn new(side: usize, goal: &Tiles, manhattan: bool) -> Self {
        let squares = side * side;
        Sliding {
            squares,
            goal: pack(&goal[..squares]),
            away: distances(side, goal, manhattan),
            neighbours: neighbours(side),
        }
    }

    pub fn state(&self, tiles: &Tiles) -> Packed {
        pack(&tiles[..self.squares])
    }
}

fn pack(tiles: &[u8]) -> Packed {
    let mut bytes = [0; 17];
    bytes[1..=tiles.len()].copy_from_slice(tiles);
    Packed::new(&bytes[..=tiles.len()])
}

impl Problem for Sliding {
    type State = Packed;
    type Move = u32;
    type Cost = i64;
    type Store = PackedStore;
    type Error = Infallible;

    fn new_store(&self) -> PackedStore {
        PackedStore::default()
    }

    fn is_goal(&mut self, state: &Packed) -> Result<bool, Infallible> {
        Ok(*state == self.goal)
    }

    fn successors(
        &mut self,
        state: &Packed,
        out: &mut Vec<SuccessorOf<Self>>,
    ) -> Result<(), Infallible> {
        let mut bytes = [0; 17];
        let bytes = &mut bytes[..=self.squares];
        bytes.copy_from_slice(state.bytes());
        let empty = bytes.iter().skip(1).position(|&tile| tile == 0).unwrap_or(0);
        for (mv, &to) in self.neighbours[empty].iter().enumerate() {
            bytes.swap(empty + 1, to as usize + 1);
            out.push(Successor { mv: mv as u32, cost: 1, state: Packed::new(bytes) });
            bytes.swap(empty + 1, to as usize + 1);
        }
        Ok(())
    }

    fn heuristic(&mut self, state: &Packed) -> Result<Option<i64>, Infallible> {
        let tiles = state.bytes()[1..].iter().enumerate();
        let sum: i64 = tiles
            .map(|(square, &tile)| i64::from(self.away[usize::from(tile) & 15][square & 15]))
            .sum();
        Ok(Some(sum))
    }

    fn least_move_cost(&self) -> i64 {
        1
    }
}

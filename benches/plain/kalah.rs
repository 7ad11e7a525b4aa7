//! Kalah with any number of holes and seeds.

use super::Game;
use zug_search::Fork;

/// Holes and stores of the two players, and who is to move, 0 or 1.
#[derive(Clone)]
pub struct Kalah<const N: usize> {
    holes: [[u8; N]; 2],
    stores: [u8; 2],
    player: usize,
}

impl<const N: usize> Kalah<N> {
    /// So many seeds in each hole.
    pub fn new(seeds: u8) -> Self {
        Kalah { holes: [[seeds; N]; 2], stores: [0; 2], player: 0 }
    }
}

impl<const N: usize> Fork for Kalah<N> {}

impl<const N: usize> Game for Kalah<N> {
    /// The hole that is emptied.
    type Move = usize;

    fn is_over(&self) -> bool {
        self.holes == [[0; N]; 2]
    }

    fn moves(&self, all: &mut Vec<usize>) {
        all.extend((0..N).filter(|&hole| self.holes[self.player][hole] > 0));
    }

    fn play(&mut self, &hole: &usize) {
        let own = self.player;
        // Places along the ring: the player's holes, the store, the holes of the other one.
        let mut place = hole;
        for _ in 0..std::mem::take(&mut self.holes[own][hole]) {
            place = (place + 1) % (2 * N + 1);
            let seeds = match place {
                _ if place < N => &mut self.holes[own][place],
                _ if place == N => &mut self.stores[own],
                _ => &mut self.holes[1 - own][place - N - 1],
            };
            *seeds += 1;
        }
        if place < N && self.holes[own][place] == 1 && self.holes[1 - own][N - 1 - place] > 0 {
            let opposite = std::mem::take(&mut self.holes[1 - own][N - 1 - place]);
            self.stores[own] += opposite + std::mem::take(&mut self.holes[own][place]);
        }
        if self.holes.contains(&[0; N]) {
            for (holes, store) in self.holes.iter_mut().zip(&mut self.stores) {
                *store += holes.iter().sum::<u8>();
                *holes = [0; N];
            }
        }
        if place != N {
            self.player = 1 - own;
        }
    }
}

//! In which order alpha-beta tries moves: those that cut before come first.

use super::graph::{Edge, UNKNOWN};
use std::cmp::Reverse;

/// What moves did so far, by their numbers.
pub(super) struct Ordering {
    /// Moves that cut lately, by ply.
    killers: Vec<[u32; 2]>,
    /// How much each move was tried and how much of that it cut, larger subtrees counting
    /// for more (the relative history heuristic; Winands et al. 2006).
    history: Vec<[u64; 2]>,
}

impl Ordering {
    /// Nothing is known.
    pub fn new() -> Self {
        Self { killers: Vec::new(), history: Vec::new() }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.history.capacity() * 16 + self.killers.capacity() * 8
    }

    /// Sorts edges of a node at a ply: the one from the table, killers, history; equals stay
    /// in move order.
    pub fn sort<M: Copy + Into<u32>>(
        &mut self,
        ply: usize,
        table_edge: u32,
        edges: &[Edge<M>],
        order: &mut [u32],
    ) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [UNKNOWN; 2]);
        }
        let (killers, history) = (&self.killers[ply], &self.history);
        order.sort_by_cached_key(|&at| {
            let number: u32 = edges[at as usize].mv.into();
            let [tries, cuts] = history.get(number as usize).copied().unwrap_or([0, 0]);
            Reverse((at == table_edge, killers.contains(&number), (cuts << 16) / (tries + 1)))
        });
    }

    /// Notes a move that cut at a ply.
    pub fn cut_at(&mut self, ply: usize, number: u32) {
        let killers = &mut self.killers[ply];
        if killers[0] != number {
            killers[1] = killers[0];
            killers[0] = number;
        }
    }

    /// Notes a move that was tried above a subtree of this height, and whether it cut.
    #[inline]
    pub fn tried(&mut self, number: u32, height: u32, cut: bool) {
        let history = &mut self.history;
        let number = number as usize;
        if history.len() <= number {
            history.resize(number + 1, [0, 0]);
        }
        let weight = u64::from(height.min(1 << 10) + 1);
        let [tries, cuts] = &mut history[number];
        *tries += weight * weight;
        *cuts += weight * weight * u64::from(cut);
        if *tries >> 40 > 0 {
            (*tries, *cuts) = (*tries / 2, *cuts / 2);
        }
    }
}

//! In which order alpha-beta tries moves: those that cut before come first.

use super::graph::UNKNOWN;
use std::cmp::Reverse;

/// What a move did so far.
#[derive(Clone, Copy, Default)]
struct History {
    /// How much it was tried and how much of that it cut, larger subtrees counting for more
    /// (the relative history heuristic; Winands et al. 2006).
    tries: u64,
    cuts: u64,
    /// The one in the other, as a fixed-point number.
    ratio: u64,
}

/// Statistics of moves, by their numbers.
pub(super) struct Ordering {
    /// Moves that cut lately, by ply.
    killers: Vec<[u32; 2]>,
    history: Vec<History>,
    /// Scratch: how soon each move is to come.
    keys: Vec<u64>,
}

/// Moves sorted by insertion: more are sorted faster otherwise.
const FEW: usize = 24;

impl Ordering {
    /// Nothing is known.
    pub fn new() -> Self {
        Self { killers: Vec::new(), history: Vec::new(), keys: Vec::new() }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.history.capacity() * size_of::<History>()
            + self.killers.capacity() * 8
            + self.keys.capacity() * 8
    }

    /// Sorts the moves of a node at a ply: the one from the table, killers, history; equals
    /// stay in move order.
    pub fn sort<M: Copy + Into<u32>, S>(
        &mut self,
        ply: usize,
        table_move: u32,
        moves: &[(M, S)],
        order: &mut Vec<u32>,
    ) {
        order.clear();
        order.extend(0..moves.len() as u32);
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [UNKNOWN; 2]);
        }
        let (killers, history, keys) = (self.killers[ply], &self.history, &mut self.keys);
        keys.clear();
        keys.extend(moves.iter().zip(0..).map(|(&(mv, _), at)| {
            let number: u32 = mv.into();
            let ratio = history.get(number as usize).map_or(0, |history| history.ratio);
            let (first, killer) = (at == table_move, killers.contains(&number));
            u64::from(first) << 63 | u64::from(killer) << 62 | ratio
        }));
        if order.len() > FEW {
            order.sort_by_key(|&at| Reverse(keys[at as usize]));
            return;
        }
        for sorted in 1..order.len() {
            let (at, mut place) = (order[sorted], sorted);
            while place > 0 && keys[order[place - 1] as usize] < keys[at as usize] {
                order[place] = order[place - 1];
                place -= 1;
            }
            order[place] = at;
        }
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
            history.resize(number + 1, History::default());
        }
        let weight = u64::from(height.min(1 << 10) + 1);
        let History { tries, cuts, ratio } = &mut history[number];
        *tries += weight * weight;
        *cuts += weight * weight * u64::from(cut);
        if *tries >> 40 > 0 {
            (*tries, *cuts) = (*tries / 2, *cuts / 2);
        }
        *ratio = (*cuts << 16) / (*tries + 1);
    }
}

//! In which order alpha-beta tries moves: those that cut before come first.
//!
//! What a move is worth is learnt while the search runs, twice: by its name, and by what it changes in the
//! state. Where moves are named after the squares that they change the two are much the same; where a
//! name stands for another square each time, as that of a column does, the change is what tells.

use super::graph::UNKNOWN;
use super::interface::Game;
use super::ply::{MoveKey, Ply, Told};
use super::transposition::Bound;
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

impl History {
    fn note(&mut self, weight: u64, cut: bool) {
        let Self { tries, cuts, ratio } = self;
        *tries += weight;
        *cuts += weight * u64::from(cut);
        if *tries >> 40 > 0 {
            (*tries, *cuts) = (*tries / 2, *cuts / 2);
        }
        *ratio = (*cuts << 16) / (*tries + 1);
    }
}

const NO_MOVE: MoveKey = MoveKey { name: UNKNOWN, change: 0 };

/// Statistics of moves.
pub(super) struct Ordering {
    /// Moves that cut lately, by ply.
    killers: Vec<[MoveKey; 2]>,
    names: Vec<History>,
    /// By the lowest bits of what they change; none until a game tells. Those that meet there are taken
    /// for the same: only the order depends on it.
    changes: Vec<History>,
    /// Scratch: how soon each move is to come.
    keys: Vec<u64>,
}

/// Moves sorted by insertion: more are sorted faster otherwise.
const FEW: usize = 24;

/// Histories of changes; a power of two.
const CHANGES: usize = 1 << 12;

/// What a move changes tells more than its name: by so much.
const BY_CHANGE: u64 = 3;

/// Classes of moves, from the one that comes first.
const FROM_TABLE: u64 = 3 << 60;
const GUESSED: u64 = 2 << 60;

/// What a move that cut at the same ply lately counts more: as much as by a name that always cuts.
const KILLER: u64 = 1 << 16;

impl Ordering {
    /// Nothing is known.
    pub fn new() -> Self {
        Self { killers: Vec::new(), names: Vec::new(), changes: Vec::new(), keys: Vec::new() }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (self.names.capacity() + self.changes.capacity()) * size_of::<History>()
            + self.killers.capacity() * size_of::<[MoveKey; 2]>()
            + self.keys.capacity() * 8
    }

    /// Sorts the moves of a node at a ply whose values are not told: the one from the table, those that
    /// cut in another search of where they lead, then by history, in which killers count more; equals stay in move
    /// order.
    pub fn sort<G: Game>(
        &mut self,
        depth: usize,
        table_move: u32,
        beta: G::Value,
        ply: &mut Ply<G>,
    ) {
        if self.killers.len() <= depth {
            self.killers.resize(depth + 1, [NO_MOVE; 2]);
        }
        let killers = self.killers[depth];
        let (names, changes, keys) = (&self.names, &self.changes, &mut self.keys);
        ply.order.clear();
        keys.clear();
        for ((at, id), told) in (0..).zip(&ply.ids).zip(&ply.told) {
            let class = match *told {
                Told::Value(_) => {
                    keys.push(0);
                    continue;
                }
                _ if ply.hashes[at as usize] == table_move => FROM_TABLE,
                Told::Guess(value, bound) if bound != Bound::Upper && value >= beta => GUESSED,
                _ => 0,
            };
            let ratio = |of: Option<&History>| of.map_or(0, |history| history.ratio);
            let by_name = ratio(names.get(id.name as usize));
            let by_change = ratio(changes.get(id.change as usize % CHANGES));
            ply.order.push(at);
            let by_ply = if killers.contains(id) { KILLER } else { 0 };
            keys.push(class | (by_name + BY_CHANGE * by_change + by_ply));
        }
        let order = &mut ply.order;
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
    pub fn cut_at(&mut self, ply: usize, id: MoveKey) {
        let killers = &mut self.killers[ply];
        if killers[0] != id {
            killers[1] = killers[0];
            killers[0] = id;
        }
    }

    /// Notes a move that was tried above a subtree of this height, and whether it cut.
    #[inline]
    pub fn tried(&mut self, id: MoveKey, height: u32, cut: bool) {
        let name = id.name as usize;
        if self.names.len() <= name {
            self.names.resize(name + 1, History::default());
        }
        let weight = u64::from(height.min(1 << 10) + 1);
        self.names[name].note(weight * weight, cut);
        if id.change != 0 {
            if self.changes.is_empty() {
                self.changes.resize(CHANGES, History::default());
            }
            self.changes[id.change as usize % CHANGES].note(weight * weight, cut);
        }
    }
}

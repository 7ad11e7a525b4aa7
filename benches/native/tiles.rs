//! Sliding-tile puzzles by hand: what rules are compared with. Tiles in the fours of bits of
//! a word, estimates kept up to date move by move, and no knowledge beyond the puzzle.

use std::mem::replace;

/// A board of up to sixteen squares: the tile of square i in the ith four bits; 0 is empty.
pub type Tiles = [u8; 16];

/// Squares beside each square, in the order up, left, right, down.
pub fn neighbours(side: usize) -> Vec<Vec<u8>> {
    let beside = |square: usize| {
        let (row, column) = (square / side, square % side);
        let up = (row > 0).then(|| square - side);
        let left = (column > 0).then(|| square - 1);
        let right = (column + 1 < side).then(|| square + 1);
        let down = (row + 1 < side).then(|| square + side);
        [up, left, right, down].into_iter().flatten().map(|square| square as u8).collect()
    };
    (0..side * side).map(beside).collect()
}

/// How far each tile is from its place in each square.
pub fn distances(side: usize, goal: &Tiles, manhattan: bool) -> [[u8; 16]; 16] {
    let mut table = [[0; 16]; 16];
    for home in 0..side * side {
        let away = &mut table[goal[home] as usize];
        for (square, away) in away.iter_mut().enumerate().take(side * side) {
            let rows = (home / side).abs_diff(square / side);
            let columns = (home % side).abs_diff(square % side);
            let distance = if manhattan { rows + columns } else { usize::from(home != square) };
            *away = if goal[home] == 0 { 0 } else { distance as u8 };
        }
    }
    table
}

/// The tiles of nine squares, and the empty square in bits 36 to 40.
fn pack(tiles: &Tiles) -> u64 {
    let word = (0..9).fold(0, |word, square| word | u64::from(tiles[square]) << (4 * square));
    let empty = (0..9).find(|&square| tiles[square] == 0).unwrap_or(0);
    word | (empty as u64) << 36
}

#[inline]
fn tile(board: u64, square: u8) -> u64 {
    board >> (4 * square) & 15
}

#[inline]
fn slide(board: u64, empty: u8, to: u8) -> u64 {
    let tile = tile(board, to);
    let rest = board & ((1 << 36) - 1) & !(15 << (4 * to));
    rest | tile << (4 * empty) | u64::from(to) << 36
}

/// An open-addressing table of boards, none of which is 0.
struct Boards {
    keys: Vec<u64>,
    values: Vec<u32>,
    len: usize,
}

impl Boards {
    fn with_bits(bits: u32) -> Self {
        Boards { keys: vec![0; 1 << bits], values: vec![0; 1 << bits], len: 0 }
    }

    fn first(&self, key: u64) -> usize {
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash ^ hash >> 29) as usize & (self.keys.len() - 1)
    }

    /// The slot of a board, and whether it is new.
    #[inline]
    fn slot(&mut self, key: u64) -> (usize, bool) {
        if self.len * 4 > self.keys.len() * 3 {
            self.grow();
        }
        let mut at = self.first(key);
        while self.keys[at] != key {
            if self.keys[at] == 0 {
                self.keys[at] = key;
                self.len += 1;
                return (at, true);
            }
            at = (at + 1) & (self.keys.len() - 1);
        }
        (at, false)
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.keys.len() * 2;
        let keys = replace(&mut self.keys, vec![0; size]);
        let values = replace(&mut self.values, vec![0; size]);
        self.len = 0;
        for (key, value) in keys.into_iter().zip(values).filter(|(key, _)| *key != 0) {
            let (at, _) = self.slot(key);
            self.values[at] = value;
        }
    }
}

/// How many boards of nine squares can be reached from one, breadth first.
pub fn space(start: &Tiles) -> usize {
    let neighbours = neighbours(3);
    let mut seen = Boards::with_bits(19);
    let mut queue = vec![pack(start)];
    seen.slot(queue[0]);
    let mut head = 0;
    while let Some(&board) = queue.get(head) {
        head += 1;
        let empty = (board >> 36) as u8;
        for &to in &neighbours[empty as usize] {
            let next = slide(board, empty, to);
            if seen.slot(next).1 {
                queue.push(next);
            }
        }
    }
    queue.len()
}

/// A\* on nine squares, open list in buckets by f, then by g, greatest first: the cost and the
/// number of boards expanded.
pub fn astar(start: &Tiles, goal: &Tiles, manhattan: bool) -> (usize, u64) {
    const CLOSED: u32 = 1 << 31;
    let (away, neighbours) = (distances(3, goal, manhattan), neighbours(3));
    let (start, goal) = (pack(start), pack(goal));
    let h = (0..9).map(|square| away[tile(start, square) as usize][square as usize]).sum::<u8>();
    let mut boards = Boards::with_bits(16);
    boards.slot(start);
    let mut buckets: Vec<Vec<Vec<(u64, u8)>>> = vec![vec![Vec::new(); 40]; 80];
    let (mut f, mut g) = (h as usize, 0);
    buckets[f][g].push((start, h));
    let mut expanded = 0;
    loop {
        let Some((board, h)) = buckets[f][g].pop() else {
            (f, g) = if g == 0 { (f + 1, 39) } else { (f, g - 1) };
            continue;
        };
        let at = boards.slot(board).0;
        if boards.values[at] != g as u32 {
            continue;
        }
        if board == goal {
            return (g, expanded);
        }
        boards.values[at] |= CLOSED;
        expanded += 1;
        let empty = (board >> 36) as u8;
        let (from, mut deepest) = (g, g);
        for &to in &neighbours[empty as usize] {
            let next = slide(board, empty, to);
            let (at, new) = boards.slot(next);
            if new || boards.values[at] & !CLOSED > from as u32 + 1 {
                boards.values[at] = from as u32 + 1;
                let moved = &away[tile(board, to) as usize];
                let h = h + moved[empty as usize] - moved[to as usize];
                let next_f = from + 1 + h as usize;
                buckets[next_f][from + 1].push((next, h));
                if next_f == f {
                    deepest = from + 1;
                }
            }
        }
        g = deepest;
    }
}

/// IDA\* on sixteen squares with the distance of every tile from its place.
pub struct Idastar {
    board: Tiles,
    /// What a tile's move from a square to another adds to the estimate.
    gain: Vec<[[i8; 16]; 16]>,
    neighbours: [([u8; 4], usize); 16],
    empty: usize,
    h: i32,
    /// Boards generated.
    pub nodes: u64,
}

impl Idastar {
    /// From a board to the one with the tiles in order, the empty square first.
    pub fn new(board: &Tiles) -> Self {
        let goal: Tiles = std::array::from_fn(|square| square as u8);
        let away = distances(4, &goal, true);
        let gain = away.map(|away| away.map(|from| away.map(|to| to as i8 - from as i8)));
        let beside = neighbours(4);
        let neighbours = std::array::from_fn(|square| {
            let beside = &beside[square];
            (std::array::from_fn(|at| beside.get(at).copied().unwrap_or(0)), beside.len())
        });
        let h = (0..16).map(|square| i32::from(away[board[square] as usize][square])).sum();
        let empty = (0..16).find(|&square| board[square] == 0).unwrap_or(0);
        Idastar { board: *board, gain: gain.to_vec(), neighbours, empty, h, nodes: 0 }
    }

    /// The length of a shortest solution.
    pub fn solve(&mut self) -> i32 {
        let mut bound = self.h;
        while self.h > 0 && !self.search(self.empty, 16, 0, self.h, bound) {
            bound += 2;
        }
        bound
    }

    fn search(&mut self, empty: usize, before: usize, g: i32, h: i32, bound: i32) -> bool {
        let (beside, count) = self.neighbours[empty];
        for &to in &beside[..count] {
            let to = to as usize;
            if to == before {
                continue;
            }
            self.nodes += 1;
            let tile = self.board[to];
            let h = h + i32::from(self.gain[tile as usize][to][empty]);
            if g + 1 + h <= bound {
                self.board[empty] = tile;
                if h == 0 || self.search(to, empty, g + 1, h, bound) {
                    return true;
                }
                self.board[to] = tile;
            }
        }
        false
    }
}

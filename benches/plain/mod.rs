//! Games as plain programs: a board, moves into a vector, the end asked of every state. Nothing is
//! kept between moves that rules don't keep in a state too.

pub mod alpha_beta;
pub mod breakthrough;
pub mod checkers;
pub mod connect_four;
pub mod counts;
pub mod hex;
pub mod hexapawn;
pub mod kalah;
pub mod krk;
pub mod morris;
pub mod puzzles;
pub mod reversi;
pub mod spaces;
pub mod tic_tac_toe;
pub mod ultimate;

/// A state of a game, with who is to move.
pub trait Game: Clone {
    /// A move.
    type Move: Clone;
    /// Whether the game is over.
    fn is_over(&self) -> bool;
    /// The moves of who is to move, added to a list.
    fn moves(&self, all: &mut Vec<Self::Move>);
    /// Makes a move.
    fn play(&mut self, mv: &Self::Move);
}

/// How many lines of play of so many moves there are.
pub fn perft<G: Game>(state: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.is_over() {
        return 0;
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let after = |mv| {
        let mut next = state.clone();
        next.play(mv);
        perft(&next, depth - 1)
    };
    moves.iter().map(after).sum()
}

/// Plays games at random until so many are over: the moves made.
pub fn playouts<G: Game>(start: &G, games: u64) -> u64 {
    let mut random = Xorshift(88_172_645_463_325_252);
    let (mut moves, mut made) = (Vec::new(), 0);
    for _ in 0..games {
        let mut state = start.clone();
        while !state.is_over() {
            moves.clear();
            state.moves(&mut moves);
            state.play(&moves[random.below(moves.len())]);
            made += 1;
        }
    }
    made
}

/// A plain generator (G. Marsaglia, 2003).
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * count as u64) >> 32) as usize
    }
}

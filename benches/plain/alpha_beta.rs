//! Alpha-beta to a depth as a course would write it: moves in their order, no table.

use super::Game;

/// A game with estimates.
pub trait Estimated: Game {
    /// What a state is worth for who is to move: exact where the game is over.
    fn estimate(&self) -> i32;
}

/// The value of a state by search to a depth, and the nodes visited.
pub fn search(state: &impl Estimated, depth: u32) -> (i32, u64) {
    let mut nodes = 0;
    let value = visit(state, depth, -i32::MAX, i32::MAX, &mut nodes);
    (value, nodes)
}

fn visit(state: &impl Estimated, depth: u32, mut alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if depth == 0 || state.is_over() {
        return state.estimate();
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let mut best = -i32::MAX;
    for mv in &moves {
        let mut next = state.clone();
        next.play(mv);
        best = best.max(-visit(&next, depth - 1, -beta, -alpha, nodes));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

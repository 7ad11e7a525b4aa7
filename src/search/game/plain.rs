//! Every play followed to a depth: what minimax and negamax do alike.
//!
//! They differ in whose values they keep, which [`Sides`] says.

use super::graph::{GraphOf, NodeId};
use super::interface::{Game, Player};
use super::meter::{Halt, Meter};
use super::value::Value;
use crate::search::report::StopReason;

/// Whose values a search keeps, and who wants which.
pub(super) trait Sides<V> {
    /// The value of a leaf, given that to the player to move there.
    fn of_leaf(&self, value: V, player: Player) -> V;

    /// The value of a successor where `next` moves, as a value of a node where `player` does.
    fn of_successor(&self, value: V, next: Player, player: Player) -> V;

    /// Whether the player to move prefers a value to the best so far.
    fn is_better(&self, value: V, best: V, player: Player) -> bool;
}

/// Paths are looked at for the memory they take whenever they have grown by so much.
pub(super) const LONG_PATH: usize = 0x3FFF;

/// A node on the current path.
struct Frame<V> {
    node: NodeId,
    moves: u32,
    next: u32,
    left: u32,
    best: V,
    best_edge: u32,
    exact: bool,
}

/// What a subtree is worth.
#[derive(Clone, Copy)]
pub(super) struct Worth<V> {
    pub value: V,
    pub best_edge: Option<u32>,
    pub exact: bool,
}

/// The value of a node when plays are followed for `depth` moves.
pub(super) fn value<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    depth: u32,
    sides: &impl Sides<G::Value>,
    meter: &mut Meter<'_>,
) -> Result<Worth<G::Value>, Halt<G::Error>> {
    let mut path: Vec<Frame<G::Value>> = Vec::new();
    let (mut node, mut left) = (*root, depth);
    loop {
        // Down, to a node whose value is known at once.
        meter.visit(path.len())?;
        if path.len() & LONG_PATH == LONG_PATH {
            meter.hold(graph, path.capacity() * size_of::<Frame<G::Value>>())?;
        }
        if left > 0 && !graph.is_known(node) && meter.is_crowded(graph, 0) {
            let pinned = path.iter_mut().map(|frame| &mut frame.node);
            graph.forget(game, pinned.chain([&mut *root, &mut node]).collect(), |_| false)?;
            meter.hold(graph, 0)?;
        }
        let mut found = match leaf(game, graph, node, left)? {
            Ok(worth) => Worth { value: sides.of_leaf(worth.value, graph.player(node)), ..worth },
            Err(moves) => {
                if depth == u32::MAX && path.len() > graph.len() {
                    return Err(Halt::Stop(StopReason::Cycle));
                }
                let (best, best_edge) = (G::Value::ZERO, 0);
                path.push(Frame { node, moves, next: 0, left, best, best_edge, exact: true });
                (node, left) = (graph.edge(node, 0).to, left - 1);
                continue;
            }
        };
        // Up, as long as there are no more moves.
        loop {
            let Some(frame) = path.last_mut() else { return Ok(found) };
            let to = graph.edge(frame.node, frame.next).to;
            let player = graph.player(frame.node);
            let value = sides.of_successor(found.value, graph.player(to), player);
            if frame.next == 0 || sides.is_better(value, frame.best, player) {
                (frame.best, frame.best_edge) = (value, frame.next);
            }
            frame.exact &= found.exact;
            frame.next += 1;
            if frame.next < frame.moves {
                (node, left) = (graph.edge(frame.node, frame.next).to, frame.left - 1);
                break;
            }
            let best_edge = Some(frame.best_edge);
            found = Worth { value: frame.best, best_edge, exact: frame.exact };
            path.pop();
        }
    }
}

/// What a node is worth if that is known at once, else how many moves there are.
pub(super) type AtOnce<T, G> = Result<Result<T, u32>, Halt<<G as Game>::Error>>;

/// The value of a node at the depth or at the end of the game, else how many moves there are.
#[inline]
pub(super) fn leaf<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    node: NodeId,
    left: u32,
) -> AtOnce<Worth<G::Value>, G> {
    if left == 0 {
        let (value, exact) = graph.estimate(game, node)?;
        return Ok(Ok(Worth { value, best_edge: None, exact }));
    }
    Ok(match graph.moves(game, node)? {
        None => Ok(Worth { value: graph.utility(game, node)?, best_edge: None, exact: true }),
        Some(moves) => Err(moves),
    })
}

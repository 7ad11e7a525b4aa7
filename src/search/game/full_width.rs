//! Full-width search to a depth: what minimax and negamax have in common.
//!
//! They differ in whose values they back up, which [`Sides`] says.

use super::graph::{Graph, GraphOf, NodeId, UNKNOWN};
use super::interface::{Game, Player};
use super::meter::{Halt, Meter};
use super::report::Verdict;
use super::value::Value;
use crate::report::StopReason;
use crate::space::Row;
use std::ops::Range;

/// Whose values a search backs up, and which each player prefers.
pub(super) trait Sides<V> {
    /// The value of a leaf, given that to the player to move there.
    fn of_leaf(&self, value: V, player: Player) -> V;

    /// The value of a successor where `next` moves, as a value of a node where `player` does.
    fn of_successor(&self, value: V, next: Player, player: Player) -> V;

    /// Whether the player to move prefers a value to the best so far.
    fn is_better(&self, value: V, best: V, player: Player) -> bool;
}

/// The memory of a path is checked whenever it has grown by so much.
pub(super) const LONG_PATH: usize = 0x3FFF;

/// A node on the current path.
struct Frame<V> {
    node: NodeId,
    /// The edge whose turn it is, and where the node's edges end.
    edge: u32,
    end: u32,
    left: u32,
    best: V,
    best_edge: u32,
    player: Player,
    /// A move was searched.
    begun: bool,
    exact: bool,
}

/// The value of a subtree.
#[derive(Clone, Copy)]
pub(super) struct SubtreeValue<V> {
    pub value: V,
    pub best_edge: Option<u32>,
    pub exact: bool,
}

impl<V> Verdict<V> {
    /// The value of a root at a depth.
    pub(super) fn at_depth<S: Row>(
        graph: &Graph<S, V>,
        root: NodeId,
        worth: SubtreeValue<V>,
        depth: Option<u32>,
    ) -> Self {
        Self {
            value: Some(worth.value),
            best: worth.best_edge.map(|edge| graph.edge(root, edge).mv),
            exact: worth.exact,
            depth: depth.filter(|_| !worth.exact),
            ..Self::default()
        }
    }
}

/// The value of a node when plays are followed for `depth` moves.
pub(super) fn value<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    depth: u32,
    sides: &impl Sides<G::Value>,
    meter: &mut Meter<'_>,
) -> Result<SubtreeValue<G::Value>, Halt> {
    let mut path: Vec<Frame<G::Value>> = Vec::new();
    let (mut node, mut left) = (*root, depth);
    loop {
        // Down, to a node whose value is known at once.
        meter.visit(path.len())?;
        if left > 0 && !graph.is_known(node) && meter.is_crowded(graph, 0) {
            let pinned = path.iter_mut().map(|frame| &mut frame.node);
            graph.forget(game, pinned.chain([&mut *root, &mut node]).collect(), |_| false)?;
            for frame in &mut path {
                let edges = graph.edges_of(frame.node);
                frame.edge = edges.end - (frame.end - frame.edge);
                frame.end = edges.end;
            }
            meter.hold(graph, 0)?;
        }
        let mut player = graph.player(node);
        let (mut value, mut exact) = match leaf(game, graph, node, left)? {
            Ok((value, exact)) => (sides.of_leaf(value, player), exact),
            Err(edges) => {
                if depth == u32::MAX && path.len() > graph.len() {
                    return Err(Halt::Stop(StopReason::Cycle));
                }
                if path.len() & LONG_PATH == LONG_PATH {
                    meter.hold(graph, path.capacity() * size_of::<Frame<G::Value>>())?;
                }
                let Range { start: edge, end } = edges;
                let (best, best_edge) = (G::Value::ZERO, UNKNOWN);
                let (begun, exact) = (false, true);
                path.push(Frame { node, edge, end, left, best, best_edge, player, begun, exact });
                (node, left) = (graph.successor(edge), left - 1);
                continue;
            }
        };
        let mut best_edge = None;
        // Up, as long as there are no more moves.
        loop {
            let Some(frame) = path.last_mut() else {
                return Ok(SubtreeValue { value, best_edge, exact });
            };
            let value_here = sides.of_successor(value, player, frame.player);
            if !frame.begun || sides.is_better(value_here, frame.best, frame.player) {
                (frame.best, frame.best_edge) = (value_here, frame.end - frame.edge);
            }
            frame.begun = true;
            frame.exact &= exact;
            frame.edge += 1;
            if frame.edge < frame.end {
                (node, left) = (graph.successor(frame.edge), frame.left - 1);
                break;
            }
            (value, exact, player) = (frame.best, frame.exact, frame.player);
            let edges = graph.edges_of(frame.node);
            best_edge = Some(edges.end - edges.start - frame.best_edge);
            path.pop();
        }
    }
}

/// The value of a node that is a leaf, else the number of its moves.
pub(super) type LeafOrMoves<T> = Result<Result<T, u32>, Halt>;

/// What is known of a node at once: its value, and whether that is exact, or else its edges.
type Leaf<G> = Result<Result<(<G as Game>::Value, bool), Range<u32>>, Halt>;

/// The value of a node at the depth or at the end of the game, and whether it is exact; else
/// the moves.
#[inline(always)]
fn leaf<G: Game>(game: &mut G, graph: &mut GraphOf<G>, node: NodeId, left: u32) -> Leaf<G> {
    if left == 0 {
        return graph.estimate(game, node).map(Ok);
    }
    Ok(match graph.moves(game, node)? {
        None => Ok((graph.utility(game, node)?, true)),
        Some(_) => Err(graph.edges_of(node)),
    })
}

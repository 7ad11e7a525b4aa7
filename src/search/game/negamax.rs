//! `negamax`: the value of a state at a depth, every play followed. The reference.
//!
//! At the depth itself a state is worth its estimate, at the end of the game its utility, and
//! else the greatest of the values of its successors, negated where it is the opponent's turn
//! there. The move is the first that reaches it. No node is left out: the count of nodes is
//! that of the tree.
//!
//! Knuth & Moore, *An analysis of alpha-beta pruning*, Artificial Intelligence 6 (1975).
//!
//! ```
//! use zug::search::Limits;
//! use zug::search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(5, 3);
//! let start = nim.start(5);
//! let mut graph = Graph::new(&nim);
//! let options = GameOptions { depth: Some(9), ..GameOptions::default() };
//! let engine = GameEngine::Negamax;
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! assert_eq!(report.value, Some(-1));
//! # Ok::<(), zug::search::game::GameError<std::convert::Infallible>>(())
//! ```

use super::graph::{GraphOf, NodeId};
use super::interface::Game;
use super::meter::{Halt, Meter};
use super::registry::{Answer, GameEngineInfo, GameOptions, PlayersAllowed, Verdict};
use super::value::Value;
use crate::search::report::StopReason;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "negamax",
    title: "negamax",
    summary: "the value at a depth, every play followed; the reference",
    players: PlayersAllowed::Two,
    reference: "Knuth, Moore 1975",
};

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

/// What a subtree is worth to the player to move at its root.
#[derive(Clone, Copy)]
pub(super) struct Worth<V> {
    pub value: V,
    pub best_edge: Option<u32>,
    pub exact: bool,
}

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let depth = options.depth.unwrap_or(u32::MAX);
    meter.depth = options.depth;
    let worth = value(game, graph, root, depth, meter)?;
    Ok(Verdict::at_depth(graph, *root, worth, options.depth))
}

/// The value of a node when plays are followed for `depth` moves.
pub(super) fn value<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    depth: u32,
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
            Ok(worth) => worth,
            Err(moves) => {
                if depth == u32::MAX && path.len() > graph.len() {
                    return Err(Halt::Stop(StopReason::Cycle));
                }
                let (best, best_edge) = (G::Value::LEAST, 0);
                path.push(Frame { node, moves, next: 0, left, best, best_edge, exact: true });
                (node, left) = (graph.edge(node, 0).to, left - 1);
                continue;
            }
        };
        // Up, as long as there are no more moves.
        loop {
            let Some(frame) = path.last_mut() else { return Ok(found) };
            let to = graph.edge(frame.node, frame.next).to;
            let turns = graph.player(to) != graph.player(frame.node);
            let value = if turns { found.value.negated() } else { found.value };
            if frame.next == 0 || value > frame.best {
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

//! `minimax`: the value of a state at a depth, by the book.
//!
//! All values are those of one player, the one to move at the root: that player's nodes take
//! the greatest of their successors' values, the opponent's the least. What
//! [`negamax`](super::negamax) finds by changing sides at every move, this one finds by
//! keeping them.
//!
//! Shannon, *Programming a computer for playing chess*, Philosophical Magazine 41 (1950);
//! Russell & Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, §5.2.
//!
//! ```
//! use zug::search::Limits;
//! use zug::search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(7, 3);
//! let start = nim.start(7);
//! let mut graph = Graph::new(&nim);
//! let options = GameOptions { depth: Some(9), ..GameOptions::default() };
//! let engine = GameEngine::Minimax;
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! // Take two and leave five.
//! assert_eq!((report.value, report.best), (Some(1), Some(2)));
//! # Ok::<(), zug::search::game::GameError<std::convert::Infallible>>(())
//! ```

use super::graph::{GraphOf, NodeId};
use super::interface::Game;
use super::meter::{Halt, Meter};
use super::negamax::{LONG_PATH, Worth, leaf};
use super::registry::{Answer, GameEngineInfo, GameOptions, PlayersAllowed, Verdict};
use super::value::Value;
use crate::search::report::StopReason;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "minimax",
    title: "minimax",
    summary: "the value at a depth, by the book: one player's maximum, the other's minimum",
    players: PlayersAllowed::Two,
    reference: "Shannon 1950",
};

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

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let depth = options.depth.unwrap_or(u32::MAX);
    let max = graph.player(*root);
    meter.depth = options.depth;
    let mut path: Vec<Frame<G::Value>> = Vec::new();
    let (mut node, mut left) = (*root, depth);
    loop {
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
            Ok(worth) if graph.player(node) == max => worth,
            Ok(worth) => Worth { value: worth.value.negated(), ..worth },
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
        loop {
            let Some(frame) = path.last_mut() else {
                return Ok(Verdict::at_depth(graph, *root, found, options.depth));
            };
            let better = if graph.player(frame.node) == max {
                found.value > frame.best
            } else {
                found.value < frame.best
            };
            if frame.next == 0 || better {
                (frame.best, frame.best_edge) = (found.value, frame.next);
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

//! `maxn`: the values of a state at a depth, one for each player.
//!
//! Every player takes the move that is best for that player alone, the first of equals, and
//! nothing is assumed of the sum: games for three, and games where both can gain. At the depth
//! every player's own estimate counts, at the end every player's own utility.
//!
//! Luckhart & Irani, *An algorithmic solution of n-person games*, AAAI (1986).
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(5, 3);
//! let start = nim.start(5);
//! let mut graph = Graph::default();
//! let (options, engine) = (GameOptions::default(), GameEngine::Maxn);
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! assert_eq!(report.values, [-1, 1]);
//! # Ok::<(), zug_search::game::GameError>(())
//! ```

use super::full_width::LeafOrMoves;
use super::graph::{Graph, GraphOf, NodeId};
use super::info::{GameEngineInfo, PlayersAllowed};
use super::interface::{Game, Player};
use super::meter::{Answer, Halt, Meter};
use super::options::GameOptions;
use super::report::Verdict;
use crate::report::StopReason;
use crate::space::{MoveId, Row};
use rustc_hash::FxHashMap;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "maxn",
    title: "max^n",
    summary: "the values at a depth when each of two or more players looks after their own",
    players: PlayersAllowed::Any,
    chance: false,
    threads: false,
    when: "there are three players or more",
    reference: "Luckhart, Irani 1986",
};

/// A node on the current path.
struct Frame<V> {
    node: NodeId,
    moves: u32,
    next: u32,
    left: u32,
    /// The values of all players, and best play, after the best move so far.
    best: Outlook<V>,
    best_edge: u32,
    /// A move has the best value to the mover, and another one to other players.
    tied: bool,
}

/// The values of play from a node.
#[derive(Clone)]
struct Outlook<V> {
    values: Vec<V>,
    exact: bool,
    /// Somewhere below, moves of equal value to the mover differ for other players.
    ties: bool,
    /// Edges of best play, the last one first.
    line: Vec<(NodeId, u32)>,
}

/// Values of leaves, by node: at the depth, and at the end.
struct LeafValues<V> {
    estimates: FxHashMap<NodeId, Vec<V>>,
    utilities: FxHashMap<NodeId, Vec<V>>,
}

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    meter.depth = options.depth;
    let depth = options.depth.unwrap_or(u32::MAX);
    let mut leaf_values =
        LeafValues { estimates: FxHashMap::default(), utilities: FxHashMap::default() };
    let mut path: Vec<Frame<G::Value>> = Vec::new();
    let (mut node, mut left) = (*root, depth);
    loop {
        meter.visit(path.len())?;
        if left > 0 && !graph.is_known(node) {
            meter.hold(graph, leaf_values.bytes())?;
        }
        let mut found = match leaf(game, graph, &mut leaf_values, node, left)? {
            Ok(outlook) => outlook,
            Err(moves) => {
                if depth == u32::MAX && path.len() > graph.len() {
                    return Err(Halt::Stop(StopReason::Cycle));
                }
                let best =
                    Outlook { values: Vec::new(), exact: true, ties: false, line: Vec::new() };
                let (next, best_edge, tied) = (0, 0, false);
                path.push(Frame { node, moves, next, left, best, best_edge, tied });
                (node, left) = (graph.edge(node, 0).to, left - 1);
                continue;
            }
        };
        loop {
            let Some(frame) = path.last_mut() else {
                return Ok(verdict(graph, *root, found, options.depth));
            };
            let own = usize::from(graph.player(frame.node));
            let exact = frame.best.exact && found.exact;
            let ties = frame.best.ties || found.ties;
            if frame.next == 0 || found.values[own] > frame.best.values[own] {
                frame.best = found;
                frame.best_edge = frame.next;
                frame.tied = false;
            } else if found.values[own] == frame.best.values[own] {
                frame.tied |= found.values != frame.best.values;
            }
            (frame.best.exact, frame.best.ties) = (exact, ties);
            frame.next += 1;
            if frame.next < frame.moves {
                (node, left) = (graph.edge(frame.node, frame.next).to, frame.left - 1);
                break;
            }
            let frame = path.pop().expect("it is there");
            found = frame.best;
            found.ties |= frame.tied;
            found.line.push((frame.node, frame.best_edge));
        }
    }
}

fn verdict<S: Row, V: Copy>(
    graph: &Graph<S, V>,
    root: NodeId,
    found: Outlook<V>,
    depth: Option<u32>,
) -> Verdict<V> {
    let moves = found.line.iter().rev().map(|&(node, edge)| graph.edge(node, edge).mv);
    let line: Vec<MoveId> = moves.collect();
    Verdict {
        value: Some(found.values[usize::from(graph.player(root))]),
        values: found.values,
        best: line.first().copied(),
        played: Some(line),
        exact: found.exact,
        ties: found.ties,
        depth: depth.filter(|_| !found.exact),
        ..Verdict::default()
    }
}

/// The values of a node at the depth or at the end of the game, else how many moves there are.
fn leaf<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    leaf_values: &mut LeafValues<G::Value>,
    node: NodeId,
    left: u32,
) -> LeafOrMoves<Outlook<G::Value>> {
    let outlook = |values, exact| Outlook { values, exact, ties: false, line: Vec::new() };
    let over_at_depth = left == 0 && game.heuristic_is_utility() && graph.is_over(game, node)?;
    if left == 0 && (game.has_heuristic() || !over_at_depth) {
        if let Some(values) = leaf_values.estimates.get(&node) {
            return Ok(Ok(outlook(values.clone(), over_at_depth)));
        }
        let state = graph.state(node);
        let values = (0..game.players()).map(|player| game.heuristic(&state, player as Player));
        let values: Vec<G::Value> = values.collect::<Result<_, _>>()?;
        leaf_values.estimates.insert(node, values.clone());
        return Ok(Ok(outlook(values, over_at_depth)));
    }
    if left > 0
        && let Some(moves) = graph.moves(game, node)?
    {
        return Ok(Err(moves));
    }
    if let Some(values) = leaf_values.utilities.get(&node) {
        return Ok(Ok(outlook(values.clone(), true)));
    }
    let values = graph.utilities(game, node)?;
    leaf_values.utilities.insert(node, values.clone());
    Ok(Ok(outlook(values, true)))
}

impl<V> LeafValues<V> {
    fn bytes(&self) -> usize {
        let entries = self.estimates.capacity() + self.utilities.capacity();
        entries * (size_of::<Vec<V>>() + 8 + 2 * size_of::<V>())
    }
}

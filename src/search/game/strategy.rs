//! A winning strategy: one move for the winner, every answer of the opponent.
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{Graph, Solved, TableGame, strategy};
//!
//! let mut nim = TableGame::nim(6, 3);
//! let start = nim.start(6);
//! let mut graph = Graph::default();
//! let root = graph.intern(&nim, &start).expect("room for one");
//! let mut solved = Solved::new(&nim);
//! solved.solve(&mut nim, &mut graph, root, &Limits::none()).expect("no limits");
//! let steps = strategy::winning(&graph, &solved, root, 0).expect("six are won");
//! // Take one, leave five; then three answers, each with an answer of its own.
//! assert_eq!(steps[0].moves, [(1, 1)]);
//! assert_eq!(steps[1].moves.len(), 3);
//! ```

use super::graph::{Graph, NodeId};
use super::interface::Player;
use super::solved::Solved;
use super::value::Value;
use crate::space::{MoveId, Row};
use rustc_hash::FxHashMap;

/// A state of a strategy, with what is played there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyState {
    /// Who is to move.
    pub player: Player,
    /// The move of the winner, or all moves of an opponent, each with the number of the step
    /// it leads to; none where the game is over.
    pub moves: Vec<(MoveId, u32)>,
}

/// The strategy with which a player wins from a solved node, a state once however often it
/// comes up; the first step is that of the node. `None` if the player doesn't win.
pub fn winning<S: Row, V: Value>(
    graph: &Graph<S, V>,
    solved: &Solved<V>,
    root: NodeId,
    player: Player,
) -> Option<Vec<StrategyState>> {
    if solved.value_to(graph, root, player)? <= V::ZERO {
        return None;
    }
    let mut nodes = vec![root];
    let mut numbers = FxHashMap::from_iter([(root, 0)]);
    let mut steps = Vec::new();
    while let Some(&node) = nodes.get(steps.len()) {
        let edges = graph.known_edges(node);
        let own = graph.player(node) == player;
        let chosen = if own { solved.best_edge(graph, node) } else { None };
        let mut moves = Vec::new();
        for (edge, at) in edges.iter().zip(0..) {
            if own && chosen != Some(at) {
                continue;
            }
            let number = *numbers.entry(edge.to).or_insert_with(|| {
                nodes.push(edge.to);
                nodes.len() as u32 - 1
            });
            moves.push((edge.mv, number));
        }
        steps.push(StrategyState { player: graph.player(node), moves });
    }
    Some(steps)
}

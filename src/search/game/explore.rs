//! Some line of play that ends with a given value, all players helping: the naive exploration
//! of a first course, to be set against a strategy.
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{Graph, TableGame, explore};
//!
//! let mut nim = TableGame::nim(5, 3);
//! let start = nim.start(5);
//! let mut graph = Graph::default();
//! // The player to move should lose with five matches, but the other one may be kind.
//! let line = explore::reach(&mut nim, &mut graph, &start, 0, Some(1), true, &Limits::none());
//! assert_eq!(line.ok(), Some(Some((1, vec![2, 3]))));
//! ```

use super::graph::{Graph, GraphOf, NodeId};
use super::interface::{Game, Player};
use super::meter::{Halt, Meter};
use super::value::Value;
use crate::limits::Limits;
use crate::space::{MoveId, Row};

/// A line of play: the value of its end, and its moves.
pub type Line<G> = (<G as Game>::Value, Vec<MoveId>);

/// A line from the start to an end of this value to a player, or to any end: the first
/// in move order, depth first, or one of the shortest. `None` if there is none.
///
/// # Errors
/// A limit, or the failure of an operation of the game.
pub fn reach<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    player: Player,
    value: Option<G::Value>,
    shortest: bool,
    limits: &Limits,
) -> Result<Option<Line<G>>, Halt> {
    let mut meter = Meter::new(limits, None);
    let root = graph.enter(game, start)?;
    // States met, each with the one before it and the move from there; those to be
    // looked at, in a stack or a queue.
    let mut met = vec![VisitedNode { node: root, before: 0, edge: 0 }];
    let mut seen = vec![false; graph.len()];
    let mut open = std::collections::VecDeque::from([0u32]);
    while let Some(at) = if shortest { open.pop_front() } else { open.pop_back() } {
        let node = met[at as usize].node;
        meter.visit(0)?;
        meter.hold(graph, met.len() * 20)?;
        seen.resize(graph.len(), false);
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        let Some(moves) = graph.moves(game, node)? else {
            let own = worth_to(game, graph, node, player)?;
            if value.is_none_or(|value| value == own) {
                return Ok(Some((own, line(graph, &met, at))));
            }
            continue;
        };
        // A stack hands out the last one first.
        for i in 0..moves {
            let edge = if shortest { i } else { moves - 1 - i };
            let to = graph.edge(node, edge).to;
            if seen.get(to as usize) != Some(&true) {
                open.push_back(met.len() as u32);
                met.push(VisitedNode { node: to, before: at, edge });
            }
        }
    }
    Ok(None)
}

struct VisitedNode {
    node: NodeId,
    before: u32,
    edge: u32,
}

/// The value of an end to a player.
fn worth_to<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    node: NodeId,
    player: Player,
) -> Result<G::Value, Halt> {
    if !game.is_zero_sum() {
        return game.utility(&graph.state(node), player).map_err(Halt::Fail);
    }
    let value = graph.utility(game, node)?;
    Ok(if graph.valued_for(node) == player { value } else { value.negated() })
}

fn line<S: Row, V>(graph: &Graph<S, V>, met: &[VisitedNode], end: u32) -> Vec<MoveId> {
    let mut line = Vec::new();
    let mut at = end as usize;
    while at != 0 {
        let VisitedNode { before, edge, .. } = met[at];
        line.push(graph.edge(met[before as usize].node, edge).mv);
        at = before as usize;
    }
    line.reverse();
    line
}

//! How many states and plays a game has.
//!
//! Plays are counted over the graph, not the tree: a game of a thousand matches has a number
//! of plays with 265 digits and two thousand states.
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{Graph, TableGame, count};
//!
//! let mut nim = TableGame::nim(6, 3);
//! let start = nim.start(6);
//! let mut graph = Graph::default();
//! let plays = count::plays(&mut nim, &mut graph, &start, &Limits::none());
//! assert_eq!(plays.ok(), Some(24u32.into()));
//! ```

use super::graph::{GraphOf, NodeId};
use super::interface::Game;
use super::links::{Links, lay_out};
use super::meter::{Halt, Meter};
use crate::limits::Limits;
use crate::report::StopReason;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The number of states that can be reached, the start included.
///
/// # Errors
/// A limit, or the failure of an operation of the game.
pub fn states<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    limits: &Limits,
) -> Result<u64, Halt> {
    let mut meter = Meter::new(limits, None);
    let root = graph.enter(game, start)?;
    Ok(lay_out(game, graph, root, |_| false, (0, 4), &mut meter)?.len() as u64)
}

/// The number of different plays from the start to an end; [`StopReason::Cycle`] if there are
/// plays without one.
///
/// # Errors
/// A limit, or the failure of an operation of the game.
pub fn plays<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    limits: &Limits,
) -> Result<BigUint, Halt> {
    let mut meter = Meter::new(limits, None);
    let root = graph.enter(game, start)?;
    let nodes = lay_out(game, graph, root, |_| false, (0, 64), &mut meter)?;
    let order = Links::of(graph, &nodes).order(graph, &nodes);
    if order.len() < nodes.len() {
        return Err(Halt::Stop(StopReason::Cycle));
    }
    let mut plays: FxHashMap<NodeId, BigUint> = FxHashMap::default();
    let mut digits = 0;
    for node in order {
        meter.poll()?;
        meter.hold(graph, digits + plays.len() * 64)?;
        let edges = graph.known_edges(node);
        let sum = match edges {
            [] => BigUint::from(1u32),
            _ => edges.iter().map(|edge| &plays[&edge.to]).sum(),
        };
        digits += sum.bits() as usize / 8;
        plays.insert(node, sum);
    }
    Ok(plays.remove(&root).unwrap_or_default())
}

/// The number of sequences of `depth` moves from the start (*perft*): an oracle for move
/// generators.
///
/// # Errors
/// A limit, or the failure of an operation of the game.
pub fn perft<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    depth: u32,
    limits: &Limits,
) -> Result<BigUint, Halt> {
    let mut meter = Meter::new(limits, None);
    let root = graph.enter(game, start)?;
    let mut layer = vec![(root, BigUint::from(1u32))];
    for left in (0..depth).rev() {
        // What the last moves lead to is of no use.
        if left == 0 {
            let mut all = BigUint::default();
            for (node, ways) in &layer {
                meter.visit(0)?;
                all += ways * graph.count_moves(game, *node)?;
            }
            return Ok(all);
        }
        let mut next: Vec<(NodeId, BigUint)> = Vec::new();
        let mut places: FxHashMap<NodeId, usize> = FxHashMap::default();
        for (node, ways) in &layer {
            meter.visit(0)?;
            graph.moves(game, *node)?;
            meter.hold(graph, (layer.len() + next.len()) * 64)?;
            for edge in graph.known_edges(*node) {
                let place = *places.entry(edge.to).or_insert(next.len());
                if place == next.len() {
                    next.push((edge.to, BigUint::default()));
                }
                next[place].1 += ways;
            }
        }
        layer = next;
    }
    Ok(layer.iter().map(|(_, ways)| ways).sum())
}

//! The Sprague-Grundy value of a state of an impartial game: who cannot move loses.
//!
//! The value of a state is the least number that none of its successors has. The player to
//! move loses exactly where it is 0; the value of several games played side by side is the
//! exclusive or of theirs.
//!
//! Sprague 1935; Grundy 1939; Berlekamp, Conway & Guy, *Winning Ways for your Mathematical
//! Plays*, chapter 3.
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{Graph, TableGame, grundy};
//!
//! let mut nim = TableGame::nim(10, 3);
//! let start = nim.start(10);
//! let mut graph = Graph::default();
//! assert_eq!(grundy::value(&mut nim, &mut graph, &start, &Limits::none()).ok(), Some(10 % 4));
//! ```

use super::graph::GraphOf;
use super::interface::Game;
use super::links::{Links, lay_out};
use super::meter::{Halt, Meter};
use crate::limits::Limits;
use crate::report::StopReason;
use rustc_hash::FxHashMap;

/// The Grundy value of a state; [`StopReason::Cycle`] if play may go round.
///
/// # Errors
/// A limit, or the failure of an operation of the game.
pub fn value<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    limits: &Limits,
) -> Result<u32, Halt> {
    let mut meter = Meter::new(limits, None);
    let mut find = || {
        let root = graph.enter(game, start)?;
        let nodes = lay_out(game, graph, root, |_| false, (0, 64), &mut meter)?;
        let order = Links::of(graph, &nodes).order(graph, &nodes);
        if order.len() < nodes.len() {
            return Err(Halt::Stop(StopReason::Cycle));
        }
        let mut values: FxHashMap<u32, u32> = FxHashMap::default();
        let mut taken = Vec::new();
        for node in order {
            meter.poll()?;
            let edges = graph.known_edges(node);
            taken.clear();
            taken.resize(edges.len() + 1, false);
            for edge in edges {
                if let Some(taken) = taken.get_mut(values[&edge.to] as usize) {
                    *taken = true;
                }
            }
            let least = taken.iter().position(|taken| !taken).unwrap_or(edges.len());
            values.insert(node, least as u32);
        }
        Ok(values[&root])
    };
    find()
}

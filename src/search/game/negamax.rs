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
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(5, 3);
//! let start = nim.start(5);
//! let mut graph = Graph::default();
//! let options = GameOptions { depth: Some(9), ..GameOptions::default() };
//! let engine = GameEngine::Negamax;
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! assert_eq!(report.value, Some(-1));
//! # Ok::<(), zug_search::game::GameError>(())
//! ```

use super::full_width::{self, Sides};
use super::graph::{GraphOf, NodeId};
use super::info::{GameEngineInfo, PlayersAllowed};
use super::interface::{Game, Player};
use super::meter::{Answer, Meter};
use super::options::GameOptions;
use super::report::Verdict;
use super::value::Value;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "negamax",
    title: "negamax",
    summary: "the value at a depth, every play followed; the reference",
    players: PlayersAllowed::Two,
    chance: false,
    threads: false,
    when: "you want the reference",
    reference: "Knuth, Moore 1975",
};

/// Values are those of the player to move.
struct Mover;

impl<V: Value> Sides<V> for Mover {
    fn of_leaf(&self, value: V, _: Player) -> V {
        value
    }

    fn of_successor(&self, value: V, next: Player, player: Player) -> V {
        if next == player { value } else { value.negated() }
    }

    fn is_better(&self, value: V, best: V, _: Player) -> bool {
        value > best
    }
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
    let worth = full_width::value(game, graph, root, depth, &Mover, meter)?;
    Ok(Verdict::at_depth(graph, *root, worth, options.depth))
}

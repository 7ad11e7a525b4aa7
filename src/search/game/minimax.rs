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
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(7, 3);
//! let start = nim.start(7);
//! let mut graph = Graph::default();
//! let options = GameOptions { depth: Some(9), ..GameOptions::default() };
//! let engine = GameEngine::Minimax;
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! // Take two and leave five.
//! assert_eq!((report.value, report.best), (Some(1), Some(2)));
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
    name: "minimax",
    title: "minimax",
    summary: "the value at a depth, by the book: one player's maximum, the other's minimum",
    players: PlayersAllowed::Two,
    chance: false,
    threads: false,
    when: "you learn how it goes",
    reference: "Shannon 1950",
};

/// Values are those of one player, who wants the greatest; the other wants the least.
struct First(Player);

impl<V: Value> Sides<V> for First {
    fn of_leaf(&self, value: V, player: Player) -> V {
        if player == self.0 { value } else { value.negated() }
    }

    fn of_successor(&self, value: V, _: Player, _: Player) -> V {
        value
    }

    fn is_better(&self, value: V, best: V, player: Player) -> bool {
        if player == self.0 { value > best } else { value < best }
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
    let first = First(graph.player(*root));
    meter.depth = options.depth;
    let worth = full_width::value(game, graph, root, depth, &first, meter)?;
    Ok(Verdict::at_depth(graph, *root, worth, options.depth))
}

//! `ucs`: uniform-cost search, a cheapest path without a heuristic.
//!
//! Expands the open state of least g; among equals the one found last. This is Dijkstra's
//! algorithm on a graph that is generated as it is explored, up to the first goal.
//!
//! E. W. Dijkstra: A note on two problems in connexion with graphs. *Numerische Mathematik*
//! 1, 1959. Russell & Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition,
//! §3.4.2.
//!
//! ```
//! use zug_search::{Claim, Digraph, Engine, Limits, Options, run};
//!
//! let mut graph = Digraph::new(&[(0, 2, 5), (0, 1, 2), (1, 2, 2)], &[2]);
//! let report = run(Engine::Ucs, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.claim, Claim::Proved);
//! assert_eq!(report.states, [0, 1, 2]);
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::astar::LeastF;
use super::best_first;
use super::cost::Cost;
use super::info::{EngineInfo, Guarantee};
use super::limits::Options;
use super::meter::{Answer, Meter};
use super::space::Row;
use super::team::Team;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "ucs",
    title: "uniform-cost search",
    summary: "a cheapest path, without a heuristic",
    guarantee: Guarantee::Cheapest,
    complete: true,
    informed: false,
    parameters: &[],
    memory: "all states found",
    threads: true,
    when: "there is no heuristic",
    reference: "Dijkstra 1959",
};

/// The order of A* without estimates: least g first.
pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    best_first::search(team, start, LeastF { informed: false }, meter)
}

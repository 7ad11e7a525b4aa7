//! `greedy`: greedy best-first search, some path soon.
//!
//! Expands the open state of least h; among equals the one of least g, then the one found
//! last. A goal is recognised as soon as it is generated. Each state is expanded once, so a
//! finite space is exhausted, but nothing is known of the cost of the path.
//!
//! J. E. Doran, D. Michie: Experiments with the graph traverser program. *Proceedings of the
//! Royal Society A* 294, 1966. Russell & Norvig, *Artificial Intelligence: A Modern
//! Approach*, 4th edition, §3.5.1.
//!
//! ```
//! use zug_search::{Claim, Digraph, Engine, Limits, Options, run};
//!
//! let mut graph = Digraph::new(&[(0, 1, 9), (1, 3, 9), (0, 2, 1), (2, 3, 1)], &[3])
//!     .with_heuristic(&[Some(2), Some(0), Some(1), Some(0)]);
//! let report = run(Engine::Greedy, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.claim, Claim::Nothing);
//! assert_eq!(report.states, [0, 1, 3]);
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::best_first::{self, Order};
use super::cost::Cost;
use super::info::{EngineInfo, Guarantee};
use super::limits::Options;
use super::meter::{Answer, Meter};
use super::space::Row;
use super::team::Team;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "greedy",
    title: "greedy best-first search",
    summary: "some path, usually soon, whatever its cost",
    guarantee: Guarantee::None,
    complete: true,
    informed: true,
    parameters: &[],
    memory: "all states found",
    threads: false,
    when: "any plan will do",
    reference: "Doran, Michie 1966",
};

/// Least h first, then least g.
pub(super) struct LeastH;

impl<C: Cost> Order<C> for LeastH {
    type Key = (C, C);
    const REOPEN: bool = false;
    const BEST_BOUND: bool = false;
    const EARLY_GOAL: bool = true;

    #[inline]
    fn key(&self, g: C, h: C) -> Self::Key {
        (h, g)
    }
}

pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    best_first::search(team, start, LeastH, meter)
}

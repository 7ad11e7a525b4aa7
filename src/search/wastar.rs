//! `wastar`: weighted A\*, a path within a known factor of the cheapest.
//!
//! A\* with f = g + w·h for a weight w ≥ 1: the larger the weight, the fewer the states and
//! the dearer, possibly, the path. With an admissible heuristic the cost is at most w times
//! the least. What the search has really proved is often better and is reported as
//! [`Report::factor`](super::Report::factor): the cost divided by the least g + h on the open
//! list. Closed states are opened again when a cheaper path to them is found. Weight 1 is A\*.
//!
//! Parameters: [`Options::weight`](super::Options::weight).
//!
//! I. Pohl: Heuristic search viewed as path finding in a graph. *Artificial Intelligence*
//! 1(3), 1970. The bound from the open list: E. A. Hansen, R. Zhou: Anytime heuristic search.
//! *Journal of Artificial Intelligence Research* 28, 2007.
//!
//! ```
//! use zug_search::{Claim, Digraph, Engine, Limits, Options, Weight, run};
//!
//! // The heuristic lures the search over node 1.
//! let mut graph = Digraph::new(&[(0, 1, 2), (1, 3, 2), (0, 2, 1), (2, 3, 2)], &[3])
//!     .with_heuristic(&[Some(1), Some(0), Some(2), Some(0)]);
//! let weight = Weight::new(3.0).unwrap_or_default();
//! let options = Options { weight, ..Options::default() };
//! let report = run(Engine::Wastar, &mut graph, &0, &options, &Limits::none(), None)?;
//! assert_eq!(report.claim, Claim::Nothing);
//! assert_eq!(report.cost, Some(4));
//! assert_eq!(report.factor, Some(4.0 / 3.0));
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use std::cmp::Reverse;

use super::astar;
use super::best_first::{self, Order};
use super::cost::{Cost, Float};
use super::info::{EngineInfo, Guarantee};
use super::limits::{Options, Weight};
use super::meter::{Answer, Meter};
use super::space::Row;
use super::team::Team;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "wastar",
    title: "weighted A*",
    summary: "a path at most `weight` times as dear as the cheapest",
    guarantee: Guarantee::Factor,
    complete: true,
    informed: true,
    parameters: &["weight"],
    memory: "all states found",
    threads: false,
    when: "A* takes too long, and a little dearer will do",
    reference: "Pohl 1970",
};

/// Least g + w·h first, then greatest g.
pub(super) struct LeastWeightedF(pub f64);

impl<C: Cost> Order<C> for LeastWeightedF {
    type Key = (Float, Reverse<C>);
    const REOPEN: bool = true;
    const BEST_BOUND: bool = false;
    const EARLY_GOAL: bool = false;

    #[inline]
    fn key(&self, g: C, h: C) -> Self::Key {
        (Float(g.as_f64() + self.0 * h.as_f64()), Reverse(g))
    }
}

pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    options: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    if Some(options.weight) == Weight::new(1.0) {
        return astar::search(team, start, options, meter);
    }
    best_first::search(team, start, LeastWeightedF(options.weight.get()), meter)
}

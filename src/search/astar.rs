//! `astar`: A\*, a cheapest path with the help of a heuristic.
//!
//! Expands the open state of least f = g + h; among equals the one of greatest g, then the
//! one found last. The heuristic is evaluated once for each state. If it is inconsistent, a
//! cheaper path to a closed state opens the state again, so with an admissible heuristic the
//! path is always a cheapest one; [`Stats::reopened`](super::Stats::reopened) counts.
//!
//! If the heuristic overestimates, A\* still finds a path, and may not find a cheapest. What
//! can be seen of that on the path itself is reported, and then nothing is claimed.
//!
//! P. E. Hart, N. J. Nilsson, B. Raphael: A formal basis for the heuristic determination of
//! minimum cost paths. *IEEE Transactions on Systems Science and Cybernetics* 4(2), 1968.
//! Russell & Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, §3.5.2.
//!
//! Time and memory: in proportion to the states with f up to the optimal cost; exponential
//! re-opening is possible with a badly inconsistent heuristic.
//!
//! ```
//! use zug_search::{Digraph, Engine, Limits, Options, run};
//!
//! let mut graph = Digraph::new(&[(0, 1, 1), (1, 3, 5), (0, 2, 2), (2, 3, 2)], &[3])
//!     .with_heuristic(&[Some(4), Some(5), Some(2), Some(0)]);
//! let report = run(Engine::Astar, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!((report.cost, report.path), (Some(4), vec![2, 3]));
//! assert_eq!(report.stats.expanded, 2);
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use std::cmp::Reverse;

use super::best_first::{self, Order};
use super::cost::Cost;
use super::info::{EngineInfo, Guarantee};
use super::limits::Options;
use super::meter::{Answer, Meter};
use super::space::Row;
use super::team::Team;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "astar",
    title: "A*",
    summary: "a cheapest path, guided by a heuristic that never overestimates",
    guarantee: Guarantee::Cheapest,
    complete: true,
    informed: true,
    parameters: &[],
    memory: "all states found",
    threads: true,
    when: "there is a heuristic",
    reference: "Hart, Nilsson, Raphael 1968",
};

/// Least f first, then greatest g; f is g in a blind search.
pub(super) struct LeastF {
    pub informed: bool,
}

impl<C: Cost> Order<C> for LeastF {
    type Key = (C, Reverse<C>);
    const REOPEN: bool = true;
    const BEST_BOUND: bool = true;
    const EARLY_GOAL: bool = false;

    #[inline]
    fn informed(&self) -> bool {
        self.informed
    }

    #[inline]
    fn key(&self, g: C, h: C) -> Self::Key {
        (g.plus(h), Reverse(g))
    }
}

pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    best_first::search(team, start, LeastF { informed: true }, meter)
}

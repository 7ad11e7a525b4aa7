//! `dfs`: depth-first search, the first path in move order.
//!
//! Follows moves in their order, goes back where it must, and remembers nothing but the
//! current path: a state on it is not entered again, a state left behind is. A depth bound
//! ([`Limits::depth`](super::Limits::depth)) keeps it from running off. The path found can be
//! very long, and nothing is known of its cost.
//!
//! Russell & Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, §3.4.3.
//!
//! ```
//! use zug_search::{Digraph, Engine, Limits, Options, Outcome, StopReason, run};
//!
//! let mut graph = Digraph::new(&[(0, 1, 1), (1, 0, 1), (1, 2, 1), (2, 3, 1), (0, 3, 1)], &[3]);
//! let report = run(Engine::Dfs, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.states, [0, 1, 2, 3]);
//!
//! let limits = Limits { depth: Some(2), ..Limits::none() };
//! let report = run(Engine::Dfs, &mut graph, &0, &Options::default(), &limits, None)?;
//! assert_eq!(report.states, [0, 3]);
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::cost::Cost;
use super::info::{EngineInfo, Guarantee};
use super::limits::Options;
use super::meter::{Answer, Halt, Meter, Solution, Verdict};
use super::path::{AcceptAll, Path};
use super::report::StopReason;
use super::space::{Row, Space};
use super::team::Team;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "dfs",
    title: "depth-first search",
    summary: "the first path in move order, in memory for that path alone",
    guarantee: Guarantee::None,
    complete: false,
    informed: false,
    parameters: &[],
    memory: "one path",
    threads: false,
    when: "every way leads to a goal",
    reference: "Russell, Norvig §3.4.3",
};

/// The result of a search to a fixed depth.
pub(super) enum DiveEnd {
    /// The path ends in a goal.
    Goal,
    /// There is no goal down to that depth, but there are states at it.
    Cut,
    /// There is no goal at all.
    Empty,
}

pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    let (mut path, space) = (Path::new(start), &mut *team.main);
    if !meter.goal(space, start)? {
        meter.stats.iterations = 1;
        match dive::<false, R, C>(space, &mut path, 1, meter.depth_limit, meter)? {
            DiveEnd::Goal => {}
            DiveEnd::Cut => return Ok(Verdict::Incomplete(StopReason::Depth)),
            DiveEnd::Empty => return Ok(Verdict::Exhausted),
        }
    }
    Ok(Verdict::Solved(Solution {
        cost: path.cost(),
        moves: path.moves(),
        states: path.states(),
        lower_bound: None,
        overestimate: None,
        is_cheapest: false,
    }))
}

/// Searches depth first from the start, which `path` consists of, for a goal at a depth from
/// `shallowest` to `deepest`; a shortest plan, if that is said.
pub(super) fn dive<const SHORTEST: bool, R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    path: &mut Path<R, C>,
    shallowest: u32,
    deepest: u32,
    meter: &mut Meter<'_, C>,
) -> Result<DiveEnd, Halt> {
    let ended = descend::<SHORTEST, R, C>(space, path, shallowest, deepest, meter);
    path.settle(meter);
    ended
}

fn descend<const SHORTEST: bool, R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    path: &mut Path<R, C>,
    shallowest: u32,
    deepest: u32,
    meter: &mut Meter<'_, C>,
) -> Result<DiveEnd, Halt> {
    if deepest == 0 {
        return Ok(DiveEnd::Cut);
    }
    let mut cut = false;
    path.expand(space, meter, &mut AcceptAll::<SHORTEST>)?;
    loop {
        if !path.advance(|_| true) {
            if path.pop() {
                continue;
            }
            return Ok(if cut { DiveEnd::Cut } else { DiveEnd::Empty });
        }
        let depth = path.depth();
        meter.reach(depth);
        if depth >= shallowest && meter.goal(space, path.last())? {
            return Ok(DiveEnd::Goal);
        }
        if depth < deepest {
            path.expand(space, meter, &mut AcceptAll::<SHORTEST>)?;
        } else {
            cut = true;
            path.pop();
        }
    }
}

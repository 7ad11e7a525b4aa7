//! `iddfs`: depth-first search with iterative deepening, a path of fewest moves.
//!
//! Searches depth first to depth 1, 2, 3, … and so finds a goal of least depth in the memory
//! of one path. A state on the current path is not entered again. Where costs differ, a path
//! of fewest moves need not be a cheapest one; it is called optimal only if
//! [`Space::least_move_cost`](crate::Space::least_move_cost) proves it.
//!
//! R. E. Korf: Depth-first iterative-deepening: an optimal admissible tree search.
//! *Artificial Intelligence* 27(1), 1985. Russell & Norvig, *Artificial Intelligence: A
//! Modern Approach*, 4th edition, §3.4.4.
//!
//! Time: that of a depth-first search to the depth of the goal, times a small constant; states
//! with many paths to them are visited once for each.
//!
//! ```
//! use zug_search::{Digraph, Engine, Limits, Options, run};
//!
//! let mut graph = Digraph::new(&[(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 3, 9)], &[3]);
//! let report = run(Engine::Iddfs, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!((report.states, report.stats.iterations), (vec![0, 3], 1));
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::bfs::times;
use super::cost::Cost;
use super::dfs::{DiveEnd, dive};
use super::info::{EngineInfo, Guarantee};
use super::limits::Options;
use super::meter::{Answer, Meter, Solution, Verdict};
use super::path::Path;
use super::report::StopReason;
use super::space::Row;
use super::team::Team;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "iddfs",
    title: "iterative-deepening depth-first search",
    summary: "a path of fewest moves, in memory for that path alone",
    guarantee: Guarantee::FewestMoves,
    complete: true,
    informed: false,
    parameters: &[],
    memory: "one path",
    threads: false,
    when: "states are too many to be kept",
    reference: "Korf 1985",
};

pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    let (mut path, space) = (Path::new(start), &mut *team.main);
    let mut depth = 0;
    let mut found = meter.goal(space, start)?;
    while !found {
        if depth == meter.depth_limit {
            return Ok(Verdict::Incomplete(StopReason::Depth));
        }
        depth += 1;
        meter.stats.iterations += 1;
        path.restart(C::ZERO);
        // PERF: shallower states were tested in the iterations before.
        found = match dive::<true, R, C>(space, &mut path, depth, depth, meter)? {
            DiveEnd::Goal => true,
            DiveEnd::Cut => false,
            DiveEnd::Empty => return Ok(Verdict::Exhausted),
        };
    }
    Ok(Verdict::Solved(Solution {
        cost: path.cost(),
        moves: path.moves(),
        states: path.states(),
        lower_bound: Some(times(space.least_move_cost(), depth)),
        overestimate: None,
        is_cheapest: false,
    }))
}

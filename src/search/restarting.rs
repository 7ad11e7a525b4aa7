//! `restarting`: restarting weighted A\*, plans that become cheaper while there is time.
//!
//! [Lazy](super::lazy) greedy search finds a first path. Weighted A\* begins anew with smaller and smaller weights, 5, 3,
//! 2 and 1, each time for a path that costs less than the best one so far; it estimates lazily, too, and opens closed
//! states again. When nothing is left the best path is a cheapest one. A search that a limit ends keeps its best path.
//! Beginning anew forgets where the estimates of the weights before led.
//!
//! S. Richter, J. T. Thayer, W. Ruml: *The joy of forgetting: faster anytime search via restarting*. ICAPS 2010.
//!
//! ```
//! use zug_search::{Claim, Digraph, Engine, Limits, Options, run};
//!
//! // The heuristic lures the search over node 1.
//! let mut graph = Digraph::new(&[(0, 1, 9), (1, 3, 9), (0, 2, 1), (2, 3, 1)], &[3])
//!     .with_heuristic(&[Some(2), Some(0), Some(1), Some(0)]);
//! let report = run(Engine::Restarting, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.claim, Claim::Proved);
//! assert_eq!(report.cost, Some(2));
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::cost::Cost;
use super::greedy::LeastH;
use super::info::{EngineInfo, Guarantee};
use super::lazy::Search;
use super::limits::Options;
use super::meter::{Answer, Halt, Meter, Verdict};
use super::space::Row;
use super::team::Team;
use super::wastar::LeastWeightedF;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "restarting",
    title: "restarting weighted A*",
    summary: "some path, then cheaper ones, up to a cheapest",
    guarantee: Guarantee::None,
    complete: true,
    informed: true,
    parameters: &[],
    memory: "all states found",
    threads: false,
    when: "there is time for a better plan, with `--time`",
    reference: "Richter, Thayer, Ruml 2010",
};

/// The weights, of which the last one stays.
const WEIGHTS: [f64; 4] = [5.0, 3.0, 2.0, 1.0];

pub(super) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    let mut best = match Search::new(&mut *team.main, LeastH, None).run(start, meter)? {
        Verdict::Solved(solution) => solution,
        other => return Ok(other),
    };
    for round in 0.. {
        let order = LeastWeightedF(WEIGHTS[WEIGHTS.len().min(round + 1) - 1]);
        match Search::new(&mut *team.main, order, Some(best.cost)).run(start, meter) {
            Ok(Verdict::Solved(solution)) => best = solution,
            Ok(Verdict::Exhausted) => {
                best.is_cheapest = meter.stats.dead_ends == 0;
                break;
            }
            // What was found before stays.
            Ok(_) | Err(Halt::Stop(_)) => break,
            Err(failure) => return Err(failure),
        }
    }
    Ok(Verdict::Solved(best))
}

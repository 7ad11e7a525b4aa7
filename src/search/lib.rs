//! Generic search engines for one agent.
//!
//! A [`Problem`] gives a state's successors, the goal test and the heuristic; an [`Engine`] finds
//! a path. Below that simple interface engines search a [`Space`]: an object that expands batches of
//! states into columns of [`Successors`]. Engines are generic over the form of a state, a [`Row`], and
//! over the type of costs, not over spaces. Every operation can fail. Tree searches carry states by value;
//! graph searches intern them in a [`StateStore`], and their open list, closed list and parent links hold
//! 32-bit numbers. A [`Team`] is a space with workers for other threads; alone it is a team of one.
//!
//! | engine | finds | keeps |
//! |---|---|---|
//! | `astar` | a cheapest path | every state generated |
//! | `wastar` | a path within a proved factor of the cheapest | every state generated |
//! | `greedy` | some path, usually soon | every state generated |
//! | `ucs` | a cheapest path, without a heuristic | every state generated |
//! | `bfs` | a path of fewest moves | every state generated |
//! | `dfs` | the first path in move order | the current path |
//! | `iddfs` | a path of fewest moves | the current path |
//! | `idastar` | a cheapest path | the current path |
//! | `lazy` | some path, with few estimates | all states found |
//! | `restarting` | some path, then cheaper ones | all states found |
//! | `beam` | some path, without guarantee | the states generated, few of them |
//!
//! [`run`] runs any of them, [`engines`] describes them all, and [`enumerate()`] visits a
//! whole reachable space; [`cheapest_plans`] finds and counts all plans of the least cost; [`generate()`] finds
//! new starts; [`survey`] measures heuristics; a [`Recorder`] records what an engine does, and [`unfold()`] lays a space out for trees to be drawn. Games of players in turn
//! are in [`game`], games where all choose at once in the crate `zug-matrix`.
//!
//! # Invariants
//!
//! - The quality of a result is a [`Claim`]: proved, or proved if the heuristic is admissible; the
//!   two are never mixed up. [`check_claim`] checks it without the heuristic.
//! - [`Outcome::Exhausted`] is reported only when every state reachable from the start has been
//!   ruled out, by the moves, by the heuristic, or by what the problem has found out
//!   ([`Refined::NoPlan`]); a limit, a depth bound that cut or a beam
//!   that discarded gives [`Outcome::Stopped`].
//! - A search whose heuristic overestimates on its own solution reports that
//!   ([`Report::overestimate`]) and claims nothing.
//! - Results are deterministic: ties are broken by order of generation, and the clock
//!   decides nothing but when a time limit strikes.
//! - No recursion on the Rust stack, however deep the search.
//!
//! # Example
//!
//! ```
//! use zug_search::{Digraph, Claim, Engine, Limits, Options, run};
//!
//! // 0 -> 1 -> 3 costs 2 + 2, 0 -> 2 -> 3 costs 1 + 4.
//! let mut problem = Digraph::new(&[(0, 1, 2), (1, 3, 2), (0, 2, 1), (2, 3, 4)], &[3]);
//! let report = run(Engine::Ucs, &mut problem, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.claim, Claim::Proved);
//! assert_eq!(report.cost, Some(4));
//! assert_eq!(report.states, [0, 1, 3]);
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

mod branching;
mod cost;
mod digraph;
mod fork;
mod info;
mod limits;
mod numbered;
mod problem;
mod report;
mod restarting;
mod store;

mod best_first;
mod clock;
mod meter;
mod open_list;
mod path;
pub mod progress;
mod registry;
mod state_graph;

pub mod astar;
pub mod beam;
pub mod bfs;
mod commutative;
mod costs;
pub mod dfs;
mod enumerate;
mod estimates;
pub mod game;
mod generate;
pub mod greedy;
pub mod idastar;
pub mod iddfs;
mod layers;
mod lazy;
mod monitor;
pub mod options;
mod plans;
mod record;
mod shards;
mod space;
mod team;
pub mod ucs;
mod unfold;
mod verify;
pub mod wastar;

#[cfg(test)]
mod tests;

pub use branching::effective_branching;
pub use clock::Clock;
pub use cost::{Cost, Float};
pub use costs::{CostsToGo, costs_to_go};
pub use digraph::Digraph;
pub use enumerate::{Reachable, enumerate};
pub use estimates::{
    Estimated, Estimates, Inconsistency, Overestimated, SurveyOptions, SurveyReport, survey,
};
pub use fork::{Fork, Lesson};
pub use generate::{GenerateOptions, GenerateRequest, NewStart, NewStarts, generate};
pub use info::{EngineInfo, Guarantee};
pub use layers::{OnDiskError, Vocabulary, enumerate_on_disk};
pub use limits::{Limits, Observer, Options, Progress, Weight};
pub use numbered::{BoxedNumbers, Numbered, NumberedWalk, Walked};
pub use path::cheapest_steps;
pub use plans::{CheapestPlans, PlanCount, PlanGraph, PlanMove, PlanWalk, cheapest_plans};
pub use problem::{Explicit, Plain, Problem, Successor};
pub use record::{Event, Generated, Recorder, Recording, Tagged, UNRECORDED};
pub use registry::{HotEngine, run, search, search_hot};
pub use report::{Claim, Outcome, Overestimate, Report, SearchError, Stats, StopReason};
pub use space::{
    Batch, Failure, Head, MoveId, Operation, Refined, Row, Scope, Space, StateId, StateStore,
    Successors,
};
pub use store::HashStore;
pub use team::Team;
pub use unfold::{Arc, TreeSize, Unfolded, unfold};
pub use verify::{ClaimCheck, ClaimOutcome, ClaimToCheck, InadmissibleState, check_claim};

registry::registry! {
    /// A search engine.
    Engine: EngineInfo;
    /// All engines, in the order of the manual.
    engines;
    search<R: Row, C: Cost>(
        team: &mut Team<'_, R, C>,
        start: &R,
        options: &Options,
        meter: &mut meter::Meter<'_, C>,
    ) -> meter::Answer<R, C>, by (team, start, options, meter);
    /// A\*.
    Astar => astar,
    /// Weighted A\*.
    Wastar => wastar,
    /// Greedy best-first search.
    Greedy => greedy,
    /// Uniform-cost search.
    Ucs => ucs,
    /// Breadth-first search.
    Bfs => bfs,
    /// Depth-first search.
    Dfs => dfs,
    /// Iterative-deepening depth-first search.
    Iddfs => iddfs,
    /// Iterative-deepening A\*.
    Idastar => idastar,
    /// Lazy greedy best-first search.
    Lazy => lazy,
    /// Restarting weighted A\*.
    Restarting => restarting,
    /// Beam search.
    Beam => beam,
}

//! The run of an engine. Which there are, the list in `lib.rs` says.
//!
//! A new engine is a file with an `INFO` and a `search`, its module and a line of that list, and a
//! page. Command-line help, the tables of the manual and the engine predicates are made from
//! [`engines`], and tests go through all.

use super::cost::Cost;
use super::limits::{Limits, Observer, Options};
use super::meter::{Answer, Halt, Meter, Solution, Verdict};
use super::problem::{Explicit, Plain, Problem};
use super::report::{Claim, Outcome, Report, SearchError};
use super::space::Row;
use super::team::Team;
use crate::{Engine, astar, bfs, dfs, greedy, idastar, iddfs, ucs};

/// Defines a type of engines, their list and the choice of the search function, for puzzles here
/// and for games in [`game`](super::game).
macro_rules! registry {
    (
        $(#[$about:meta])* $type:ident: $info:ident;
        $(#[$listed:meta])* $list:ident;
        search<$($over:ident: $bound:ident),*>($($params:tt)*) -> $answer:ty, by $args:tt;
        $($(#[$doc:meta])* $engine:ident => $module:ident,)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$doc])* $engine,)*
        }

        impl $type {
            /// All engines, in the order of the manual.
            pub const ALL: &'static [Self] = &[$(Self::$engine,)*];

            /// What there is to know of the engine.
            pub fn info(self) -> &'static $info {
                match self {
                    $(Self::$engine => &$module::INFO,)*
                }
            }

            /// The engine of this name.
            pub fn by_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|engine| engine.info().name == name)
            }

            fn search<$($over: $bound),*>(engine: Self, $($params)*) -> $answer {
                match engine {
                    $(Self::$engine => $module::search $args,)*
                }
            }
        }

        $(#[$listed])*
        pub fn $list() -> impl ExactSizeIterator<Item = &'static $info> {
            $type::ALL.iter().map(|engine| engine.info())
        }
    };
}

pub(crate) use registry;

/// Searches for a path from `start` to a goal.
///
/// The observer, if there is one, is called now and then while the search runs.
///
/// # Errors
///
/// The failure of an operation of the problem, as soon as it happens, with the counts so far.
#[expect(clippy::type_complexity, reason = "the types of a problem, spelled out")]
pub fn run<P: Problem>(
    engine: Engine,
    problem: &mut P,
    start: &P::State,
    options: &Options,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<Report<P::State, P::Cost>, SearchError<P::Error>> {
    let mut space = Explicit::new(problem);
    let start = Plain(start.clone());
    let found = search(engine, &mut Team::of(&mut space), &start, options, limits, observer);
    found.map(Report::plain).map_err(SearchError::typed)
}

/// As [`run`], over a state space and its workers.
///
/// # Errors
/// As [`run`].
pub fn search<R: Row, C: Cost>(
    engine: Engine,
    team: &mut Team<'_, R, C>,
    start: &R,
    options: &Options,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<Report<R, C>, SearchError> {
    let mut meter = Meter::new(limits, observer);
    let answer = Engine::search(engine, team, start, options, &mut meter);
    report(engine, answer, meter)
}

/// The engines whose inner loop pays to be compiled for each form of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HotEngine {
    /// A\*.
    Astar,
    /// Uniform-cost search.
    Ucs,
    /// Iterative-deepening A\*.
    Idastar,
    /// Breadth-first search.
    Bfs,
    /// Depth-first search.
    Dfs,
    /// Iterative-deepening depth-first search.
    Iddfs,
}

impl HotEngine {
    /// The engine, if it is one of these.
    pub fn of(engine: Engine) -> Option<HotEngine> {
        Some(match engine {
            Engine::Astar => HotEngine::Astar,
            Engine::Ucs => HotEngine::Ucs,
            Engine::Idastar => HotEngine::Idastar,
            Engine::Bfs => HotEngine::Bfs,
            Engine::Dfs => HotEngine::Dfs,
            Engine::Iddfs => HotEngine::Iddfs,
            _ => return None,
        })
    }
}

/// As [`search`], without compiling the other engines.
///
/// # Errors
/// As [`run`].
pub fn search_hot<R: Row, C: Cost>(
    engine: HotEngine,
    team: &mut Team<'_, R, C>,
    start: &R,
    options: &Options,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<Report<R, C>, SearchError> {
    let mut meter = Meter::new(limits, observer);
    let (engine, answer) = match engine {
        HotEngine::Astar => (Engine::Astar, astar::search(team, start, options, &mut meter)),
        HotEngine::Ucs => (Engine::Ucs, ucs::search(team, start, options, &mut meter)),
        HotEngine::Idastar => (Engine::Idastar, idastar::search(team, start, options, &mut meter)),
        HotEngine::Bfs => (Engine::Bfs, bfs::search(team, start, options, &mut meter)),
        HotEngine::Dfs => (Engine::Dfs, dfs::search(team, start, options, &mut meter)),
        HotEngine::Iddfs => (Engine::Iddfs, iddfs::search(team, start, options, &mut meter)),
    };
    report(engine, answer, meter)
}

/// Greedy search, without compiling the other engines.
///
/// # Errors
/// As [`run`].
pub(crate) fn search_greedily<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    options: &Options,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<Report<R, C>, SearchError> {
    let mut meter = Meter::new(limits, observer);
    let answer = greedy::search(team, start, options, &mut meter);
    report(Engine::Greedy, answer, meter)
}

/// The result of a search.
fn report<R: Row, C: Cost>(
    engine: Engine,
    answer: Answer<R, C>,
    mut meter: Meter<'_, C>,
) -> Result<Report<R, C>, SearchError> {
    meter.finish();
    let mut report = Report {
        engine,
        outcome: Outcome::Exhausted,
        claim: Claim::Nothing,
        cost: None,
        path: Vec::new(),
        states: Vec::new(),
        lower_bound: None,
        factor: None,
        overestimate: None,
        stats: meter.stats,
    };
    match answer {
        Ok(Verdict::Solved(solution)) => solve(&mut report, solution, meter.lower_bound),
        // States that the heuristic calls hopeless were left out.
        Ok(Verdict::Exhausted) if meter.stats.dead_ends > 0 => report.claim = Claim::IfAdmissible,
        Ok(Verdict::Exhausted | Verdict::NoPlan) => report.claim = Claim::Proved,
        Ok(Verdict::Incomplete(reason)) | Err(Halt::Stop(reason)) => {
            report.outcome = Outcome::Stopped(reason);
            report.lower_bound = meter.lower_bound;
        }
        Err(Halt::Fail(failure)) => return Err(meter.failed(failure)),
    }
    Ok(report)
}

/// Fills in a solution and what its bounds prove.
fn solve<R: Row, C: Cost>(report: &mut Report<R, C>, solution: Solution<R, C>, proved: Option<C>) {
    let Solution { cost, moves, states, lower_bound, overestimate, is_cheapest } = solution;
    let admissible = overestimate.is_none();
    // Costs are not negative, so a path that costs nothing is a cheapest one.
    let free = (cost == C::ZERO || is_cheapest).then_some(cost);
    let bound = free.or(lower_bound).or(proved.filter(|_| admissible)).map(|bound| bound.min(cost));
    let optimal = bound == Some(cost);
    report.outcome = Outcome::Solved;
    report.claim = match optimal {
        false => Claim::Nothing,
        true if free.is_some() || !report.engine.info().informed => Claim::Proved,
        true => Claim::IfAdmissible,
    };
    report.cost = Some(cost);
    report.path = moves;
    report.states = states;
    report.lower_bound = bound;
    report.factor = match bound {
        Some(_) if optimal => Some(1.0),
        Some(bound) if bound > C::ZERO => Some(cost.as_f64() / bound.as_f64()),
        _ => None,
    };
    report.overestimate = overestimate;
}

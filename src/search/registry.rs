//! What there is to know of engines, and running one. Which there are, the list in `lib.rs` says.
//!
//! A new engine is a file with an `INFO` and a `search`, its module and a line of that list, and a
//! page. Command-line help, the tables of the manual and the engine predicates are made from
//! [`engines`], and tests go through all.

use super::cost::Cost;
use super::limits::{Limits, Observer, Options};
use super::meter::{Answer, Halt, Meter, Solution, Verdict};
use super::problem::Problem;
use super::report::{Claim, Outcome, Report, ReportOf, SearchError};
use crate::Engine;

/// What the path of an engine is known to be, given a heuristic that never overestimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// A cheapest path.
    Cheapest,
    /// A path dearer than the cheapest by a known factor at most.
    Factor,
    /// A path of fewest moves.
    FewestMoves,
    /// Any path.
    None,
}

/// What there is to know of an engine before using it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineInfo {
    /// The name in commands and queries.
    pub name: &'static str,
    /// The name in print.
    pub title: &'static str,
    /// What it finds, in half a line.
    pub summary: &'static str,
    /// What its path is known to be.
    pub guarantee: Guarantee,
    /// Without limits, it finds a path on every finite space where one exists.
    pub complete: bool,
    /// It calls the heuristic.
    pub informed: bool,
    /// The options it reads, by their names in [`PARAMETERS`](super::options::PARAMETERS); all
    /// engines observe all [`Limits`].
    pub parameters: &'static [&'static str],
    /// What it keeps in memory, in a few words.
    pub memory: &'static str,
    /// Several threads can work at it ([`Limits::threads`]).
    pub threads: bool,
    /// Take it when this is so.
    pub when: &'static str,
    /// Author and year.
    pub reference: &'static str,
}

/// Defines a type of engines, their list and the choice of the search function, for puzzles here
/// and for games in [`game`](super::game).
macro_rules! registry {
    (
        $(#[$about:meta])* $type:ident: $info:ident;
        $(#[$listed:meta])* $list:ident;
        search<$over:ident: $bound:ident>($($params:tt)*) -> $answer:ty, by $args:tt;
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

            fn search<$over: $bound>(engine: Self, $($params)*) -> $answer {
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
pub fn run<P: Problem>(
    engine: Engine,
    problem: &mut P,
    start: &P::State,
    options: &Options,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<ReportOf<P>, SearchError<P::Error>> {
    let mut meter = Meter::new(limits, observer);
    let answer = Engine::search(engine, problem, start, options, &mut meter);
    report(engine, answer, meter)
}

/// As [`run`] with [`Engine::Astar`]; the other engines are not compiled for this problem.
///
/// # Errors
/// As [`run`].
pub fn run_astar<P: Problem>(
    problem: &mut P,
    start: &P::State,
    options: &Options,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<ReportOf<P>, SearchError<P::Error>> {
    let mut meter = Meter::new(limits, observer);
    let answer = super::astar::search(problem, start, options, &mut meter);
    report(Engine::Astar, answer, meter)
}

/// The result of a search.
fn report<P: Problem>(
    engine: Engine,
    answer: Answer<P>,
    mut meter: Meter<'_, P::Cost>,
) -> Result<ReportOf<P>, SearchError<P::Error>> {
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
        Err(Halt::Fail((operation, error))) => {
            return Err(SearchError { error, operation, stats: Box::new(meter.stats) });
        }
    }
    Ok(report)
}

/// Fills in a solution and what its bounds prove.
fn solve<M, S, C: Cost, P>(report: &mut Report<M, C, S>, solution: Solution<P>, proved: Option<C>)
where
    P: Problem<Move = M, State = S, Cost = C>,
{
    let Solution { cost, moves, states, lower_bound, overestimate } = solution;
    let admissible = overestimate.is_none();
    // Costs are not negative, so a path that costs nothing is a cheapest one.
    let free = (cost == C::ZERO).then_some(cost);
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

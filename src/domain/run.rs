//! Running an engine, or an enumeration, on a rule program.
//!
//! Costs are counted as integers until a rule gives a float; the search then begins again
//! with floats. The machine gets the search's deadline, so that a rule or heuristic that does
//! not come to an end is stopped by the time limit too.

use super::claim::add_verdict;
use super::contract::{Contract, DomainKind, Heuristic};
use super::error::{RuleError, Violation, stopped_in};
use super::game::{GameSpace, Table, initial_player, with_plain_game};
use super::memory::{asking_time, engines, with_notes};
use super::problem::{Obstacle, RuleProblem, kept_if, represented};
use super::{Codec, Fixed, Packed, PackedState};
use crate::contract::indicator;
use std::time::Instant;
use zug_engines::{AnyEngine, HotRow, Run};
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_report::{CodeUse, DiagramUse, Overestimate, Solution, StoppedIn};
use zug_search::{
    Engine, HotEngine, Limits, Observer, Options, Outcome, Reachable, Report, SearchError, Stats,
    StopReason, Team,
};
use zug_state::RuleCost;
use zug_term::{Cell, Record, attributed_variables, watchdog};

/// What an engine is to do.
#[derive(Clone, Debug)]
pub struct Task {
    /// The engine.
    pub engine: Engine,
    /// The estimate; `None` for engines that use none.
    pub heuristic: Option<Heuristic>,
    /// The engine's parameters.
    pub options: Options,
    /// The engine was not asked for by name: it may end otherwise where the rules show that there is no plan.
    pub by_itself: bool,
    /// Limits. Memory is limited by what the machine may take if it is not here.
    pub limits: Limits,
}

/// The whole space reachable from a state.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The number of states at each depth.
    pub by_depth: Vec<u128>,
    /// The deepest states, a hundred at most.
    pub deepest: Vec<Record>,
    /// States without a successor.
    pub terminal: u128,
    /// How many states have a number, if bits were kept for these and not the states.
    pub numbered: Option<u64>,
    /// Bytes of the files that have the states, if they are in files.
    pub on_disk: Option<u64>,
    /// The diagrams that the layers were, if no state was kept.
    pub diagrams: Option<DiagramUse>,
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
    /// The predicate and state in which a limit struck, if it was inside a rule.
    pub stopped_in: Option<StoppedIn<Record>>,
    /// What answered the questions asked of the rules; `None` if no code was wanted.
    pub code: Option<CodeUse>,
    /// The counts.
    pub stats: Stats,
}

/// A start of a puzzle.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its name, from `initial_state/2`.
    pub name: Option<Record>,
    /// The state.
    pub state: Record,
}

/// The starts a program gives, those without names first, up to `most`.
///
/// # Errors
/// A predicate is missing, or an error in a rule.
pub fn instances(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    most: usize,
) -> Result<Vec<Instance>, Box<RuleError>> {
    let mut found = Vec::new();
    if contract.initial.is_none() && contract.named_initial.is_none() {
        let violation = Violation::Missing("initial_state(S)");
        return Err(RuleError::new(violation, indicator::INITIAL_STATE));
    }
    asking(m, w, |m, w| {
        for (pred, arity) in [(contract.initial, 1), (contract.named_initial, 2)] {
            if let Some(pred) = pred {
                starts(m, w, pred, arity, most, &mut found)?;
            }
        }
        Ok(found)
    })
}

/// The error that a program gives no initial state, with the first clause that should.
pub fn no_start(m: &Machine, contract: &Contract) -> Box<RuleError> {
    let predicates = [
        (contract.initial, indicator::INITIAL_STATE),
        (contract.named_initial, indicator::INITIAL_STATES),
        (contract.named_model, indicator::MODEL_2),
    ];
    let found = predicates.into_iter().find_map(|(pred, name)| Some((pred?, name)));
    let name = found.map_or(indicator::INITIAL_STATE, |(_, name)| name);
    let mut error = RuleError::new(Violation::NoStart, name);
    error.clause = found.and_then(|(pred, _)| m.program.live_clauses(pred).first().copied());
    error
}

fn starts(
    m: &mut Machine,
    w: &mut World,
    pred: PredId,
    arity: usize,
    most: usize,
    found: &mut Vec<Instance>,
) -> Result<(), Box<RuleError>> {
    let ended = m.ask(w, |ask| {
        let [name, state]: [Cell; 2] = ask.outputs();
        let arguments = if arity == 1 { &[state][..] } else { &[name, state] };
        let mut outcome = ask.call(pred, arguments);
        loop {
            match outcome {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(fault) => return Err(Violation::raised(ask.machine, fault)),
            }
            let ([name, state], heap) = (ask.rooted(), &mut ask.machine.heap);
            if heap.deref(state).is_var() {
                return Err(Violation::Unbound);
            }
            if !attributed_variables(heap, state).is_empty() {
                return Err(Violation::Attributed);
            }
            let state = Record::new(heap, state);
            let name = (arity == 2).then(|| Record::new(heap, name));
            found.push(Instance { name, state });
            outcome = if found.len() < most { ask.redo() } else { Ok(false) };
        }
    });
    let indicator = if arity == 1 { indicator::INITIAL_STATE } else { indicator::INITIAL_STATES };
    ended.map_err(|violation| RuleError::new(violation, indicator))
}

/// Runs an engine from a state.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract.
#[expect(clippy::needless_option_as_deref, reason = "the macro may attempt it several times")]
pub fn find(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    task: &Task,
    start: &Record,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<Solution<Record>, Box<RuleError>> {
    nested(m, w, &task.limits, move |m, w, limits| match HotEngine::of(task.engine) {
        Some(engine) => by_cost_and_state!(m, w, contract, start, <C, S> {
            let run = &|team: &mut Team<'_, S, C>, start: &S, run: Run<'_, '_>| {
                S::search_hot(engine, team, start, run)
            };
            find_as::<C, S>(m, w, contract, (task, limits, start), observer.as_deref_mut(), run)
        }),
        None => by_cost!(<C> {
            let run = &|team: &mut Team<'_, Packed, C>, start: &Packed, run: Run<'_, '_>| {
                C::search(task.engine, team, start, run)
            };
            find_as::<C, Packed>(m, w, contract, (task, limits, start), observer.as_deref_mut(), run)
        }),
    })
}

/// Whether costs or states have to be kept otherwise than they were.
pub(super) fn refused<T>(found: &Result<T, Box<RuleError>>, why: &Violation) -> bool {
    let why = std::mem::discriminant(why);
    found.as_ref().is_err_and(|error| std::mem::discriminant(&error.violation) == why)
}

/// Does something with costs as 64-bit integers; again with larger ones where they don't fit, and
/// with floats where a cost is one.
macro_rules! by_cost {
    (<$cost:ident> $attempt:expr) => {{
        type $cost = i64;
        by_cost!(@more <$cost> $attempt, $attempt)
    }};
    (@more <$cost:ident> $first:expr, $attempt:expr) => {{
        let mut found = $first;
        if $crate::run::refused(&found, &$crate::Violation::Beyond) {
            type $cost = $crate::Large;
            found = $attempt;
        }
        if $crate::run::refused(&found, &$crate::Violation::Fraction) {
            type $cost = zug_search::Float;
            found = $attempt;
        }
        found
    }};
}
pub(super) use by_cost;

/// As [`by_cost`], with states from a start kept in as few bytes as they have, and otherwise
/// where one is longer.
macro_rules! by_cost_and_state {
    ($m:expr, $w:expr, $contract:expr, $start:expr, <$cost:ident, $state:ident> $attempt:expr) => {{
        use $crate::{Fixed, Packed, Violation};
        type $cost = i64;
        let first = match $crate::run::packed_length($m, $w, $contract, $start) {
            0..16 => {
                type $state = Fixed<16>;
                $attempt
            }
            16..24 => {
                type $state = Fixed<24>;
                $attempt
            }
            24..64 => {
                type $state = Fixed<64>;
                $attempt
            }
            _ => {
                type $state = Packed;
                $attempt
            }
        };
        type $state = Packed;
        let first =
            if $crate::run::refused(&first, &Violation::Room) { $attempt } else { first };
        $crate::run::by_cost!(@more <$cost> first, $attempt)
    }};
}
pub(super) use by_cost_and_state;

/// The bytes that a state is packed into.
pub(super) fn packed_length(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    state: &Record,
) -> usize {
    let represented = represented(m, w, contract, state);
    if let Some(length) = represented.and_then(|represented| represented.length(state)) {
        return length;
    }
    let (mut heap, root) = state.to_heap();
    Codec::new().encode_bytes(&mut heap, root).map_or(0, <[u8]>::len)
}

/// Engines that may run inside each other's rules: each takes its part of the Rust stack.
const DEEPEST: u32 = 16;

/// As [`within`], for an engine that may have been called by the rules of another.
///
/// # Errors
/// Too many run inside each other; or what `run` says.
pub(super) fn nested<T>(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    run: impl FnOnce(&mut Machine, &mut World, &Limits) -> Result<T, Box<RuleError>>,
) -> Result<T, Box<RuleError>> {
    let (mut run, mut result) = (Some(run), None);
    nest(m, w, limits, &mut |m, w, limits| {
        result = run.take().map(|run| run(m, w, limits));
    })?;
    result.expect("what is not abandoned ends")
}

/// As [`nested`]; compiled once.
fn nest(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    run: &mut dyn FnMut(&mut Machine, &mut World, &Limits),
) -> Result<(), Box<RuleError>> {
    let running = engines(w).running + 1;
    if running > DEEPEST {
        return Err(RuleError::new(Violation::Nested(DEEPEST), "engines/0"));
    }
    engines(w).running = running;
    let mut search = |m: &mut Machine, w: &mut World| {
        within(m, limits, |m, limits| {
            let _states = watchdog::MemoryReserve::new(limits.memory.unwrap_or(m.memory_limit));
            m.within_limits_and_grace(|m| run(m, w, limits))
        })
    };
    let result = if running == 1 { with_notes(m, w, search) } else { search(m, w) };
    engines(w).running = running - 1;
    result.map_err(|fault| RuleError::abandoned(m, fault))
}

/// Runs something under a deadline for the machine too, which is then as before.
pub(super) fn within<T>(
    m: &mut Machine,
    limits: &Limits,
    run: impl FnOnce(&mut Machine, &Limits) -> T,
) -> T {
    let mut limits = limits.clone();
    limits.memory = limits.memory.or(Some(m.memory_limit));
    limits.cancel = limits.cancel.or_else(|| Some(m.interrupt.clone()));
    let outer = m.deadline;
    // A deadline from outside stops the engine too, not only the rules.
    limits.time = limits
        .time
        .or_else(|| outer.map(|deadline| deadline.saturating_duration_since(Instant::now())));
    let own = limits.time.and_then(|time| Instant::now().checked_add(time));
    m.deadline = match (outer, own) {
        (Some(outer), Some(own)) => Some(outer.min(own)),
        (outer, own) => outer.or(own),
    };
    let result = run(m, &limits);
    m.deadline = outer;
    result
}

/// Asks rules what has to be known before a search, in the time that there is for it.
pub(super) fn asking<T>(
    m: &mut Machine,
    w: &mut World,
    ask: impl FnOnce(&mut Machine, &mut World) -> T,
) -> T {
    let limits = Limits { time: asking_time(w), ..Limits::none() };
    within(m, &limits, |m, _| ask(m, w))
}

/// A search that a limit ended inside a rule.
pub(super) struct StoppedSearch {
    pub reason: StopReason,
    pub place: Option<StoppedIn<Record>>,
    pub stats: Stats,
}

/// The result of a search that failed: stopped by its own time limit or from outside, or an
/// error.
pub(super) fn stopped(
    (m, w): (&Machine, &World),
    error: SearchError,
    timed: bool,
) -> Result<StoppedSearch, Box<RuleError>> {
    let (reason, place) = stopped_in(m, w, error.error.error(), timed)?;
    Ok(StoppedSearch { reason, place, stats: *error.stats })
}

/// What is left of limits behind a search.
fn left_of(limits: &Limits, stats: &Stats) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(stats.expanded)),
        time: limits.time.map(|time| time.saturating_sub(stats.elapsed)),
        ..limits.clone()
    }
}

/// The counts of one search after the other.
fn both(first: &Stats, second: &Stats) -> Stats {
    let mut stats = Stats { elapsed: first.elapsed + second.elapsed, ..*first };
    stats.add(second);
    stats
}

/// Nothing found yet.
pub(super) fn nothing(
    m: &Machine,
    (engine, heuristic): (Engine, Option<Heuristic>),
    start: &Record,
) -> Solution<Record> {
    let heuristic = heuristic.map(|heuristic| heuristic.name(&m.symbols));
    Solution::nothing(engine.info().name, heuristic, start.clone())
}

/// What shows without a search that there is no plan from a state; see [`RuleProblem::obstacle`].
///
/// # Errors
/// An error in a rule.
pub(crate) fn obstacle_of(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    start: &Record,
) -> Result<Obstacle, Box<RuleError>> {
    nested(m, w, &Limits::none(), |m, w, _| by_cost!(<C> obstacle_as::<C>(m, w, contract, start)))
}

fn obstacle_as<C: RuleCost>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    start: &Record,
) -> Result<Obstacle, Box<RuleError>> {
    let mut problem = RuleProblem::<C, Packed>::resumed(m, w, contract, None, true, start)?;
    let packed = problem.pack(start)?;
    let seen = problem.obstacle(&packed);
    problem.keep();
    seen
}

/// A search by a team: dynamic, so that what goes before and after it is compiled once for each kind of state and cost.
type SearchOf<'f, C, S> =
    dyn Fn(&mut Team<'_, S, C>, &S, Run<'_, '_>) -> Result<Report<S, C>, SearchError> + 'f;

fn find_as<C: RuleCost, S: PackedState + HotRow<C>>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (task, limits, start): (&Task, &Limits, &Record),
    observer: Option<&mut Observer<'_>>,
    search: &SearchOf<'_, C, S>,
) -> Result<Solution<Record>, Box<RuleError>> {
    let began = Instant::now();
    let mut found = nothing(m, (task.engine, task.heuristic), start);
    let mut room = Vec::new();
    let mut problem = RuleProblem::<C, S>::resumed(m, w, contract, task.heuristic, true, start)?;
    problem.take_words_of_base();
    let start = problem.pack(start)?;
    if task.options.symmetry {
        problem.count_alike_as_one(&start)?;
    }
    if let Some(why) = problem.no_plan_at_once(&start) {
        (found.code, found.symmetries) = (problem.code_use(), problem.symmetries());
        (found.no_plan, found.stats.elapsed) = (Some(why), began.elapsed());
        problem.keep();
        add_verdict(m, w, contract, &mut found);
        return Ok(found);
    }
    if task.by_itself {
        problem.look_for_proof();
    }
    let mut observer = observer;
    let run = (&task.options, limits, observer.as_deref_mut());
    let report = match problem.search_with_base(task.engine, &start, run) {
        Some(searched) => searched.map(|(report, read_off)| {
            (found.from_base, found.base_if) = (read_off, kept_if(problem.machine().1));
            report
        }),
        None => {
            if task.engine.info().threads {
                problem.make_copies(&mut room, contract, task.heuristic, limits)?;
            }
            let observer = observer.as_deref_mut();
            let run = Run { options: &task.options, limits, observer };
            problem.with_team(|team| search(team, &start, run))
        }
    };
    let report = match report {
        // Nobody asked for this engine: with derived estimates another one goes on that needs no memory.
        Ok(ended)
            if task.heuristic == Some(Heuristic::DerivedInTime)
                && ended.outcome == Outcome::Stopped(StopReason::Memory)
                && problem.has_derived() =>
        {
            found.engine = Engine::Idastar.info().name;
            let stats = ended.stats;
            // What the first search holds is let go.
            drop(ended);
            problem.count_each_alone();
            let options = &task.options;
            let rest = left_of(limits, &stats);
            let run = Run { options, limits: &rest, observer };
            let report =
                problem.with_team(|team| S::search_hot(HotEngine::Idastar, team, &start, run));
            match report {
                Ok(mut report) => {
                    report.stats = both(&stats, &report.stats);
                    Ok(report)
                }
                Err(mut error) => {
                    *error.stats = both(&stats, &error.stats);
                    Err(error)
                }
            }
        }
        report => report,
    };
    (found.code, found.symmetries) = (problem.code_use(), problem.symmetries());
    (found.no_plan, found.derived_from_base) = (problem.why_no_plan(), problem.has_read_derived());
    let tables = problem.derived_bytes();
    if task.heuristic == Some(Heuristic::DerivedInTime) {
        match problem.relaxation() {
            Some(kind) => found.heuristic = Some(kind.name().to_owned()),
            // All estimates were 0.
            None if !problem.has_derived() => {
                (found.engine, found.heuristic) = (Engine::Ucs.info().name, None);
            }
            None => {}
        }
    }
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            let StoppedSearch { reason, place, stats } =
                stopped((m, w), error, limits.time.is_some())?;
            found.ending.outcome = Outcome::Stopped(reason);
            (found.stopped_in, found.stats) = (place, stats);
            found.stats.peak_memory_bytes += tables;
            add_verdict(m, w, contract, &mut found);
            return Ok(found);
        }
    };
    // Sums may have ended at the greatest cost of the type.
    if report.cost.is_some_and(C::is_saturated) {
        return Err(RuleError::new(Violation::Beyond, indicator::RULE));
    }
    (found.ending.outcome, found.ending.claim) = (report.outcome, report.claim);
    (found.factor, found.stats) = (report.factor, report.stats);
    found.stats.peak_memory_bytes += tables;
    let bound = report.lower_bound.filter(|bound| !bound.is_saturated());
    found.lower_bound = bound.map(|bound| bound.number().into());
    found.ending.overestimate = report.overestimate.map(|seen| Overestimate {
        state: problem.unpack(report.states[seen.step].bytes()),
        // Where states stand for others it is one that looks like a state of the plan.
        step: found.symmetries.is_none_or(|by| by.renamings == 1).then_some(seen.step),
        estimate: seen.estimate.number().into(),
        cost: seen.actual.number().into(),
    });
    if report.outcome == Outcome::Solved {
        let traced = problem.traced(&report.states)?;
        let (path, states) = traced.unwrap_or((report.path, report.states));
        let (cost, greatest) = problem.replay(&path, &states)?;
        let claimed = report.cost.unwrap_or(C::ZERO);
        let [least, greatest] = [cost, greatest].map(|cost| C::of(cost).unwrap_or(claimed));
        if claimed.exceeds(greatest) || least.exceeds(claimed) {
            let violation = Violation::Replay(path.len());
            return Err(RuleError::new(violation, indicator::RULE));
        }
        found.cost = Some(cost.into());
        found.path = Some(path.iter().map(|&mv| problem.move_term(mv)).collect());
        found.states = states.iter().map(|s| problem.unpack(s.bytes())).collect();
    }
    problem.keep();
    add_verdict(m, w, contract, &mut found);
    Ok(found)
}

/// Visits every state reachable from a state.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract.
pub fn explore(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    start: &Record,
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, Box<RuleError>> {
    if contract.kind() == DomainKind::Game {
        return explore_game(m, w, limits, start, observer);
    }
    nested(m, w, limits, |m, w, limits| {
        let mut observer = observer;
        let observed = observer.as_deref_mut();
        let space = match packed_length(m, w, contract, start) {
            0..16 => explore_as::<Fixed<16>>(m, w, contract, limits, start, observed),
            16..24 => explore_as::<Fixed<24>>(m, w, contract, limits, start, observed),
            _ => explore_as::<Packed>(m, w, contract, limits, start, observed),
        };
        match space {
            Err(error) if matches!(error.violation, Violation::Room) => {
                explore_as::<Packed>(m, w, contract, limits, start, observer)
            }
            space => space,
        }
    })
}

fn explore_as<S: PackedState + HotRow<i64>>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    start: &Record,
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, Box<RuleError>> {
    let mut room = Vec::new();
    let mut problem =
        RuleProblem::<i64, S>::resumed(m, w, contract, None, false, start)?.without_costs();
    let start = problem.pack(start)?;
    problem.make_copies(&mut room, contract, None, limits)?;
    let space = problem.with_team(|team| S::enumerate(team, &start, limits, observer));
    if let Ok(space) = &space
        && space.stopped.is_none()
        && problem.cross_checks()
    {
        problem.compare_by_numbers(&start, space, limits.memory)?;
    }
    let code = problem.code_use();
    let explored = match space {
        Ok(space) => explored(space, code, |state| problem.unpack(state.bytes())),
        Err(error) => unfinished(problem.machine(), error, limits, code)?,
    };
    problem.keep();
    Ok(explored)
}

/// Visits every state of a game that can be reached from one, whoever moves.
fn explore_game(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    start: &Record,
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, Box<RuleError>> {
    let player = initial_player(m, w)?;
    with_plain_game(m, w, limits, |table| {
        let start = table.position(player.as_ref(), start)?;
        let mut observer = observer;
        let observed = observer.as_deref_mut();
        // PERF: states that own no memory are quicker to keep, and to hand from thread to thread.
        let space = match start.bytes().len() {
            0..16 => explore_positions::<Fixed<16>>(table, &start, observed),
            16..24 => explore_positions::<Fixed<24>>(table, &start, observed),
            24..64 => explore_positions::<Fixed<64>>(table, &start, observed),
            _ => explore_positions::<Packed>(table, &start, observed),
        };
        match space {
            Err(error) if matches!(error.violation, Violation::Room) => {
                explore_positions::<Packed>(table, &start, observer)
            }
            space => space,
        }
    })
}

/// Visits the states of a game, kept as `S`.
fn explore_positions<S: PackedState + HotRow<i64>>(
    table: &mut Table<'_>,
    start: &Packed,
    observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, Box<RuleError>> {
    let before = table.game.counts();
    let start = S::from_bytes(start.bytes())
        .ok_or_else(|| RuleError::new(Violation::Room, indicator::INITIAL_STATE))?;
    let mut positions = GameSpace::<S, i64>::of(&mut table.game);
    let space = positions.with_team(|team| S::enumerate(team, &start, &table.limits, observer));
    let limits = table.limits.clone();
    let code = table.game.code_use(&before);
    match space {
        Ok(space) => {
            Ok(explored(space, code, |state| table.game.state_term(&Packed::new(state.bytes()))))
        }
        Err(error) => unfinished(table.game.machine(), error, &limits, code),
    }
}

/// The result of an enumeration, with states as terms.
pub(crate) fn explored<S>(
    space: Reachable<S>,
    code: Option<CodeUse>,
    unpack: impl FnMut(&S) -> Record,
) -> Enumeration {
    Enumeration {
        deepest: space.deepest.iter().map(unpack).collect(),
        by_depth: space.by_depth.into_iter().map(u128::from).collect(),
        terminal: u128::from(space.terminal),
        numbered: space.numbered,
        on_disk: space.on_disk,
        diagrams: None,
        stopped: space.stopped,
        stopped_in: None,
        code,
        stats: space.stats,
    }
}

/// What is left of an enumeration that a limit ended inside a rule.
pub(crate) fn unfinished(
    (m, w): (&mut Machine, &mut World),
    error: SearchError,
    limits: &Limits,
    code: Option<CodeUse>,
) -> Result<Enumeration, Box<RuleError>> {
    let StoppedSearch { reason, place, stats } = stopped((m, w), error, limits.time.is_some())?;
    Ok(Enumeration {
        by_depth: Vec::new(),
        deepest: Vec::new(),
        terminal: 0,
        numbered: None,
        on_disk: None,
        diagrams: None,
        stopped: Some(reason),
        stopped_in: place,
        code,
        stats,
    })
}

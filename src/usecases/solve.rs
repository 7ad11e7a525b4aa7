//! `solve`: a plan for each instance of a puzzle.
//!
//! Without an engine it takes A\* if the program has a heuristic and uniform-cost search
//! otherwise: a cheapest plan either way. Without a heuristic it takes the program's first
//! one; without an instance, the first one, or every one in order.

use super::base::{SaveTo, SavedReport, attach, close, keeper};
use super::claim::ClaimData;
use super::given::starts;
use super::record::{EXACT, TermData, seconds};
use super::{Failure, Named, load};
use serde::Serialize;
use std::path::{Path, PathBuf};
use zug_base::Start;
use zug_domain::{
    Contract, Effort, Found, Heuristic, KEPT_IF, Number, RuleError, Task, short_text, written,
};
use zug_prolog::builtins::{CodeUse, TooHigh, Verdict};
use zug_prolog::session::Session;
use zug_search::game::{Expected, GameEngine};
use zug_search::{Engine, Limits, Observer, Options, Outcome, StopReason};
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct SolveRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The engine's name.
    pub engine: Option<String>,
    /// The heuristic's name.
    pub heuristic: Option<String>,
    /// The instance's name, or its number if it has none.
    pub instance: Option<String>,
    /// The state to start from in the place of an instance, as a term.
    pub state: Option<String>,
    /// Every instance, where none is named; else the first.
    pub every: bool,
    /// Parameters of engines.
    pub options: Options,
    /// Limits, for each instance.
    pub limits: Limits,
    /// How much is done to find out whether a plan is a cheapest one.
    pub effort: Effort,
    /// Where cheapest plans are kept, and read off where they are there.
    pub save: Option<SaveTo>,
}

/// What became of it.
#[derive(Clone, Debug)]
pub struct SolveReport {
    /// Warnings of the load.
    pub findings: Vec<Diagnostic>,
    /// The instances that were worked on, in order.
    pub instances: Vec<InstanceReport>,
    /// The names of the instances that were not asked for.
    pub others: Vec<String>,
}

/// One instance as the command line writes it in JSON, with the terms themselves beside it.
#[derive(Clone, Debug, Serialize)]
pub struct InstanceReport {
    /// The rule file.
    pub file: String,
    /// The engine.
    pub engine: String,
    /// The heuristic, if the engine uses one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<String>,
    /// The instance.
    pub instance: String,
    /// `solved`, `exhausted` or `stopped`.
    pub outcome: &'static str,
    /// Which limit stopped it, if one did.
    pub reason: Option<String>,
    /// Where in the rules it struck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_in: Option<StoppedIn>,
    /// Whether no plan is cheaper, or there is none at all.
    #[serde(flatten)]
    pub claim: ClaimData,
    /// The cost of the plan.
    pub cost: Option<JsonNumber>,
    /// The moves of the plan.
    pub path: Option<Vec<TermData>>,
    /// The state the search began in.
    #[serde(rename = "start")]
    pub from: TermData,
    /// The state the plan leads to.
    #[serde(rename = "goal")]
    pub to: Option<TermData>,
    /// It was read from a base.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_base: bool,
    /// What was kept of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<SavedReport>,
    /// The counts.
    pub stats: JsonStats,
    /// What answered the questions asked of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeUse>,
    /// The report itself.
    #[serde(skip)]
    pub found: Found,
    /// The state the search began in.
    #[serde(skip)]
    pub start: Record,
    /// The instance's name is worth showing.
    #[serde(skip)]
    pub named: bool,
    /// The name is the start's own, from `initial_state/2`.
    #[serde(skip)]
    pub has_name: bool,
    /// Where the heuristic was seen to overestimate.
    #[serde(skip)]
    pub overestimate: Option<TooHigh>,
}

/// Where in the rules a limit struck.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoppedIn {
    /// The contract predicate that was asked, as `rule/4`.
    pub predicate: &'static str,
    /// The state it was asked about, …
    pub state: TermData,
    /// … and the beginning of its text.
    #[serde(skip)]
    pub short: String,
    /// The file and line of the call that came again and again, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl StoppedIn {
    /// What was found, as data.
    pub(super) fn of(session: &Session, found: &zug_domain::StoppedIn) -> StoppedIn {
        let (m, w) = (&session.machine, &session.world);
        let short = short_text(m, w, &found.state);
        let state = TermData::brief(m, w, &found.state);
        StoppedIn { predicate: found.predicate, state, short, at: found.line(m, w) }
    }
}

/// A number in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum JsonNumber {
    /// An integer; as text beyond 2^53.
    #[serde(serialize_with = "exact")]
    Int(i64),
    /// A float.
    Float(f64),
    /// `"inf"` or `"-inf"`, which JSON has no number for.
    Infinite(&'static str),
    /// A fraction as `"7/12"`, or an integer beyond 64 bits.
    Text(String),
}

/// An integer that every reader of JSON keeps as it is.
fn exact<S: serde::Serializer>(value: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.unsigned_abs() > EXACT as u64 {
        serializer.collect_str(value)
    } else {
        serializer.serialize_i64(*value)
    }
}

impl From<&Expected> for JsonNumber {
    fn from(value: &Expected) -> JsonNumber {
        match value {
            Expected::Float(value) => JsonNumber::from(Number::Float(*value)),
            Expected::Exact(_) => {
                let text = value.to_string();
                text.parse().map_or(JsonNumber::Text(text), JsonNumber::Int)
            }
        }
    }
}

impl From<Number> for JsonNumber {
    fn from(number: Number) -> JsonNumber {
        match number {
            Number::Int(value) => JsonNumber::Int(value),
            Number::Large(value) => JsonNumber::Text(value.to_string()),
            Number::Float(f64::INFINITY) => JsonNumber::Infinite("inf"),
            Number::Float(f64::NEG_INFINITY) => JsonNumber::Infinite("-inf"),
            Number::Float(value) => JsonNumber::Float(value),
        }
    }
}

/// The counts of a search in JSON.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct JsonStats {
    /// States whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// Closed states opened again.
    pub reopened: u64,
    /// The most states waiting.
    pub peak_open: u64,
    /// Wall-clock time.
    pub elapsed_seconds: f64,
    /// The most bytes held by states, nodes and the open list.
    pub peak_memory_bytes: usize,
}

impl From<&zug_search::Stats> for JsonStats {
    fn from(stats: &zug_search::Stats) -> JsonStats {
        JsonStats {
            expanded: stats.expanded,
            generated: stats.generated,
            reopened: stats.reopened,
            peak_open: stats.peak_open,
            elapsed_seconds: seconds(stats.elapsed),
            peak_memory_bytes: stats.peak_memory_bytes,
        }
    }
}

impl InstanceReport {
    /// The limit that stopped it and where it struck, in words.
    pub fn remark(&self) -> Option<String> {
        let place = self.stopped_in.as_ref()?;
        let reason = self.reason.as_deref().unwrap_or_default();
        let at = place.at.as_ref().map_or(String::new(), |line| format!(", at {line}"));
        Some(format!("{reason}, in {} of the state {}{at}", place.predicate, place.short))
    }

    /// The exit code this instance alone would give.
    pub fn exit_code(&self) -> i32 {
        match self.found.outcome {
            Outcome::Solved => 0,
            Outcome::Exhausted => 1,
            Outcome::Stopped(StopReason::Cancelled) => 130,
            Outcome::Stopped(_) => 4,
        }
    }
}

impl SolveReport {
    /// The gravest exit code of the instances.
    pub fn exit_code(&self) -> i32 {
        self.instances.iter().map(InstanceReport::exit_code).max().unwrap_or(1)
    }
}

/// Loads a file and solves what it poses. `each` is called with every report as it comes, and
/// says whether to go on.
///
/// # Errors
/// See [`Failure`]; an error in a rule ends it, with the instances before it seen by `each`.
pub fn solve(
    session: &mut Session,
    request: &SolveRequest,
    observer: Option<&mut Observer<'_>>,
    each: impl FnMut(&InstanceReport, &mut Session) -> bool,
) -> Result<SolveReport, Failure> {
    let findings = load(session, &request.file)?;
    let report = solve_loaded(session, request, observer, each)?;
    Ok(SolveReport { findings, ..report })
}

/// As [`solve`], with the file loaded already.
///
/// # Errors
/// See [`Failure`].
pub fn solve_loaded(
    session: &mut Session,
    request: &SolveRequest,
    mut observer: Option<&mut Observer<'_>>,
    mut each: impl FnMut(&InstanceReport, &mut Session) -> bool,
) -> Result<SolveReport, Failure> {
    let contract = Contract::of(&session.machine);
    let (engine, heuristic) = choose_engine(session, &contract, request)?;
    let given = (request.instance.as_deref(), request.state.as_deref());
    let mut instances = starts(session, &contract, given.0, given.1)?;
    let asked = if request.every { instances.len() } else { instances.len().min(1) };
    let others = instances.split_off(asked).into_iter().map(|other| other.name).collect();
    let mut reports = Vec::new();
    // What is wrong with it is better told before a long search than behind it.
    if let Some(to) = &request.save {
        keeper(session, to, &request.file)?.leave().map_err(Failure::Base)?;
    }
    for named in instances {
        let with = (engine, heuristic);
        let own = session.world.base.is_none().then_some(request.save.as_ref()).flatten();
        if let Some(to) = own.filter(|to| to.path.exists()) {
            attach(session, &to.path)?;
        }
        let report =
            solve_instance(session, request, &contract, with, named, observer.as_deref_mut());
        if own.is_some() {
            session.world.base = None;
        }
        let mut report = report.map_err(|error| Failure::rule(session, &error))?;
        if let Some(to) = &request.save {
            report.saved = keep(session, &contract, (to, &request.file), &report)?;
        }
        let cancelled = report.found.outcome == Outcome::Stopped(StopReason::Cancelled);
        let go_on = each(&report, session);
        reports.push(report);
        if cancelled || !go_on {
            break;
        }
    }
    Ok(SolveReport { findings: Vec::new(), instances: reports, others })
}

/// Keeps the plan of an instance, if it is said to be a cheapest one and was not read off.
fn keep(
    session: &mut Session,
    contract: &Contract,
    (to, file): (&SaveTo, &Path),
    report: &InstanceReport,
) -> Result<Option<SavedReport>, Failure> {
    // On what a plan rests is kept with it.
    let by = match &report.found.said.verdict {
        _ if report.found.outcome != Outcome::Solved || report.from_base => return Ok(None),
        Verdict::Proved(_) => report.engine.clone(),
        Verdict::If(condition) => format!("{}{KEPT_IF}{condition}", report.engine),
        Verdict::Refuted | Verdict::Open => return Ok(None),
    };
    let mut keeper = keeper(session, to, file)?;
    let (m, w) = (&mut session.machine, &mut session.world);
    let start = Start {
        instance: Some(report.instance.clone()),
        player: None,
        state: written(m, w, &report.start),
        by,
        complete: false,
    };
    let kept = zug_domain::keep_plan(m, w, contract, &report.found.states, &start, &mut keeper);
    close(session, keeper, kept).map(Some)
}

/// Solves one instance with an engine and its heuristic.
pub(super) fn solve_instance(
    session: &mut Session,
    request: &SolveRequest,
    contract: &Contract,
    (engine, heuristic): (Engine, Option<Heuristic>),
    named: Named,
    observer: Option<&mut Observer<'_>>,
) -> Result<InstanceReport, Box<RuleError>> {
    let (options, limits) = (request.options.clone(), request.limits.clone());
    let task = Task { engine, heuristic, options, limits };
    let (m, w) = (&mut session.machine, &mut session.world);
    let start = &named.instance.state;
    let mut found = zug_domain::find(m, w, contract, &task, start, observer)?;
    let how = (start, &task.limits, request.effort);
    zug_domain::verify_found(m, w, contract, how, &mut found);
    Ok(describe(session, request, named, found))
}

/// The engine and heuristic that a request means.
pub(super) fn choose_engine(
    session: &Session,
    contract: &Contract,
    request: &SolveRequest,
) -> Result<(Engine, Option<Heuristic>), Failure> {
    let m = &session.machine;
    let heuristics = contract.heuristics();
    let engine = match &request.engine {
        Some(name) => Engine::by_name(name).ok_or_else(|| match GameEngine::by_name(name) {
            Some(_) => Failure::NotForPuzzles(name.clone()),
            None => Failure::NoSuchEngine(name.clone()),
        })?,
        None if heuristics.is_empty() && request.heuristic.is_none() => Engine::Ucs,
        None => Engine::Astar,
    };
    let heuristic = match &request.heuristic {
        Some(name) => {
            let named = contract.heuristic_named(&m.symbols, name);
            let names = || heuristics.iter().map(|h| h.name(&m.symbols)).collect();
            let failure = || Failure::NoSuchHeuristic(name.clone(), names());
            Some(named.ok_or_else(failure)?)
        }
        None => heuristics.first().copied(),
    };
    let informed = engine.info().informed;
    if informed && heuristic.is_none() {
        let violation = zug_domain::Violation::Missing("heuristic(S, H)");
        let error = zug_domain::RuleError::new(violation, "heuristic/2");
        return Err(Failure::rule(session, &error));
    }
    Ok((engine, heuristic.filter(|_| informed)))
}

/// What became of an instance.
pub(super) fn describe(
    session: &Session,
    request: &SolveRequest,
    named: Named,
    found: Found,
) -> InstanceReport {
    let (m, w) = (&session.machine, &session.world);
    let outcome = match found.outcome {
        Outcome::Solved => "solved",
        Outcome::Exhausted => "exhausted",
        Outcome::Stopped(_) => "stopped",
    };
    let (reason, stopped_in) = match found.outcome {
        Outcome::Stopped(reason) => (Some(reason.to_string()), found.stopped_in.as_ref()),
        _ => (None, None),
    };
    let solved = outcome == "solved";
    let overestimate = found.said.overestimate.as_ref();
    let overestimate = overestimate.map(|seen| zug_domain::predicates::too_high(m, w, seen));
    InstanceReport {
        file: request.file.display().to_string(),
        engine: found.engine.info().name.to_owned(),
        heuristic: found.heuristic.map(|heuristic| heuristic.name(&m.symbols)),
        instance: named.name,
        outcome,
        reason,
        stopped_in: stopped_in.map(|place| StoppedIn::of(session, place)),
        claim: ClaimData::said(session, &found.said, found.outcome),
        cost: found.cost.map(JsonNumber::from),
        path: solved.then(|| found.path.iter().map(|mv| TermData::of(m, w, mv)).collect()),
        from: TermData::of(m, w, &named.instance.state),
        to: found.states.last().filter(|_| solved).map(|state| TermData::of(m, w, state)),
        from_base: found.from_base,
        saved: None,
        stats: JsonStats::from(&found.stats),
        code: found.code.clone(),
        found,
        has_name: named.instance.name.is_some(),
        start: named.instance.state,
        named: named.named,
        overestimate,
    }
}

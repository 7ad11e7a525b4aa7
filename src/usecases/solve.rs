//! `solve`: a plan for each instance of a puzzle.
//!
//! Without an engine it takes A\*. Without a heuristic it takes the program's first one; if there is none,
//! the search is uniform-cost search until it has gone on for so long that one that is derived from the
//! rules pays: a cheapest plan either way. Without an instance it takes the first one, or every one in order.

use super::base::{SaveTo, SavedReport, attach, close, keeper};
use super::certificate::{CertificateReport, CertificateTo, may_certify, of_plan};
use super::diagnosis::{diagnosed, diagnosis};
use super::exit::{CommandResult, Exit};
use super::given::starts;
use super::record::TermData;
use super::{Failure, Named, load};
use serde::Serialize;
use std::path::{Path, PathBuf};
use zug_base::Start;
use zug_domain::bases::{
    base_in_use, has_new_heuristics, leave_base, save_heuristics, want_heuristics,
};
use zug_domain::game::Saved;
use zug_domain::{
    Contract, DomainKind, Effort, Heuristic, KEPT_IF, RuleError, Task, canonical_text, why_alone,
};
use zug_prolog::session::Session;
use zug_report::{Outcome, Solution, StopReason, Verdict};
use zug_search::game::GameEngine;
use zug_search::{Engine, Limits, Observer, Options};
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;
use zug_tools::check;

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
    /// Where the proof of what is found is written.
    pub certificate: Option<CertificateTo>,
    /// Several workers search.
    #[cfg(feature = "cluster")]
    pub cluster: Option<super::cluster::ClusterWanted>,
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

/// What became of an instance.
#[derive(Clone, Debug)]
pub struct InstanceReport {
    /// The rule file.
    pub file: String,
    /// The instance.
    pub instance: String,
    /// What the search found.
    pub found: Solution<Record>,
    /// What was kept of it.
    pub saved: Option<SavedReport>,
    /// What became of its certificate, if one was wanted.
    pub certificate: Option<CertificateReport>,
    /// The instance's name is worth showing.
    pub named: bool,
    /// The name is the start's own, from `initial_state/2`.
    pub has_name: bool,
}

/// An instance as it is written for programs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InstanceRecord {
    /// The rule file.
    pub file: String,
    /// The instance.
    pub instance: String,
    /// What the search found.
    #[serde(flatten)]
    pub found: Solution<TermData>,
    /// What was kept of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<SavedReport>,
    /// What became of its certificate, if one was wanted.
    #[serde(flatten)]
    pub certificate: Option<CertificateReport>,
}

impl InstanceReport {
    /// The report for programs.
    pub fn record(&self, session: &Session) -> InstanceRecord {
        let (m, w) = (&session.machine, &session.world);
        InstanceRecord {
            file: self.file.clone(),
            instance: self.instance.clone(),
            found: self.found.map(|term| TermData::of(m, w, term)),
            saved: self.saved.clone(),
            certificate: self.certificate.clone(),
        }
    }

    /// Why a plan that was found is not in a base, if it was to be kept in one.
    pub fn not_kept(&self) -> Option<String> {
        let solved = self.found.outcome() == Outcome::Solved;
        let is_kept = self.saved.as_ref().is_some_and(|kept| kept.new + kept.known > 0);
        if !solved || is_kept || self.found.from_base {
            return None;
        }
        let condition = match &self.found.ending.verdict {
            Verdict::If(condition) => format!(": it is only if {condition}"),
            _ => String::new(),
        };
        Some(format!("the plan is not kept: it is not proved the cheapest{condition}"))
    }
}

/// Why one thread did what several were to do, if it did; an enumeration has no engine.
pub fn why_one_thread(session: &Session, limits: &Limits, engine: Option<&str>) -> Option<String> {
    if limits.threads() < 2 {
        return None;
    }
    let is_shared = |name: &str| {
        let puzzle = Engine::by_name(name).map(|engine| engine.info().threads);
        puzzle.or_else(|| GameEngine::by_name(name).map(|engine| engine.info().threads))
    };
    if let Some(engine) = engine.filter(|name| is_shared(name) == Some(false)) {
        return Some(format!("`{engine}` works on one thread"));
    }
    let kind = Contract::of(&session.machine).kind();
    let why = why_alone(&session.machine, &session.world, kind)?;
    Some(format!("one thread did it all: {why}"))
}

impl CommandResult for InstanceReport {
    fn exit(&self) -> Exit {
        self.found.outcome().into()
    }

    fn limit(&self) -> Option<StopReason> {
        self.found.outcome().reason()
    }
}

/// The gravest of the instances decides.
impl CommandResult for SolveReport {
    fn exit(&self) -> Exit {
        let all = self.instances.iter().map(CommandResult::exit);
        all.reduce(Exit::graver).unwrap_or(Exit::Failure)
    }

    fn limit(&self) -> Option<StopReason> {
        self.instances.iter().find_map(CommandResult::limit)
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
    let mut findings = load(session, &request.file)?;
    let mut report = solve_loaded(session, request, observer, each)?;
    findings.append(&mut report.findings);
    Ok(SolveReport { findings, ..report })
}

/// As [`solve`], with the file loaded already.
///
/// # Errors
/// See [`Failure`].
pub fn solve_loaded(
    session: &mut Session,
    request: &SolveRequest,
    observer: Option<&mut Observer<'_>>,
    each: impl FnMut(&InstanceReport, &mut Session) -> bool,
) -> Result<SolveReport, Failure> {
    let mut report = solve_each(session, request, observer, each)
        .map_err(|failure| diagnosed(session, failure))?;
    let is_solved = |report: &InstanceReport| matches!(report.found.outcome(), Outcome::Solved);
    let is_nothing =
        |report: &InstanceReport| report.found.path.as_ref().is_some_and(Vec::is_empty);
    let is_cancelled =
        |report: &InstanceReport| report.found.outcome() == Outcome::Stopped(StopReason::Cancelled);
    let is_odd = !report.instances.iter().all(is_solved) || report.instances.iter().any(is_nothing);
    if is_odd && !report.instances.iter().any(is_cancelled) {
        report.findings = diagnosis(session);
    } else if let Some(first) = report.instances.first() {
        let states = first.found.states.iter().cloned().enumerate();
        let states = states.map(|(at, state)| (state, at.checked_sub(1))).collect();
        report.findings.extend(check::of_states(session, states));
    }
    Ok(report)
}

fn solve_each(
    session: &mut Session,
    request: &SolveRequest,
    mut observer: Option<&mut Observer<'_>>,
    mut each: impl FnMut(&InstanceReport, &mut Session) -> bool,
) -> Result<SolveReport, Failure> {
    let contract = Contract::of(&session.machine);
    let parts = [contract.initial, contract.named_initial, contract.goal, contract.rule];
    if contract.kind() == DomainKind::Program && parts.iter().all(Option::is_none) {
        return Err(Failure::NoDomain);
    }
    let (engine, heuristic) = choose_engine(session, &contract, request)?;
    let given = (request.instance.as_deref(), request.state.as_deref());
    let mut instances = starts(session, &contract, given.0, given.1)?;
    let asked = if request.every { instances.len() } else { instances.len().min(1) };
    let others = instances.split_off(asked).into_iter().map(|other| other.name).collect();
    let mut reports = Vec::new();
    may_certify(request.certificate.as_ref())?;
    // What is wrong with it is better told before a long search than behind it.
    if let Some(to) = &request.save {
        keeper(session, to, &request.file)?.leave().map_err(Failure::Base)?;
    }
    want_heuristics(&mut session.world, request.save.is_some());
    for named in instances {
        let with = (engine, heuristic);
        let own = base_in_use(&session.world).is_none().then_some(request.save.as_ref()).flatten();
        if let Some(to) = own.filter(|to| to.path.exists()) {
            attach(session, &to.path)?;
        }
        let start = named.instance.clone();
        #[cfg(feature = "cluster")]
        if let Some(wanted) = &request.cluster {
            let observer = observer.as_deref_mut();
            let mut report = solve_by_workers(session, (request, wanted), with, named, observer)?;
            report.certificate = of_plan(session, request, &start, &report)?;
            let cancelled = report.found.outcome() == Outcome::Stopped(StopReason::Cancelled);
            let go_on = each(&report, session);
            reports.push(report);
            if cancelled || !go_on {
                break;
            }
            continue;
        }
        let report =
            solve_instance(session, request, &contract, with, named, observer.as_deref_mut());
        if own.is_some() {
            leave_base(&mut session.world);
        }
        let mut report = report.map_err(|error| Failure::rule(session, &error))?;
        if let Some(to) = &request.save {
            report.saved = keep(session, &contract, (to, &request.file), &report)?;
        }
        report.certificate = of_plan(session, request, &start, &report)?;
        let cancelled = report.found.outcome() == Outcome::Stopped(StopReason::Cancelled);
        let go_on = each(&report, session);
        reports.push(report);
        if cancelled || !go_on {
            break;
        }
    }
    want_heuristics(&mut session.world, false);
    Ok(SolveReport { findings: Vec::new(), instances: reports, others })
}

/// Keeps the plan of an instance, if it is said to be a cheapest one and was not read off, and heuristics that
/// were derived.
fn keep(
    session: &mut Session,
    contract: &Contract,
    (to, file): (&SaveTo, &Path),
    report: &InstanceReport,
) -> Result<Option<SavedReport>, Failure> {
    // On what a plan rests is kept with it.
    let found = &report.found;
    let by = match &found.ending.verdict {
        _ if found.outcome() != Outcome::Solved || found.from_base => None,
        Verdict::Proved(_) => Some(found.engine.to_owned()),
        Verdict::If(condition) => Some(format!("{}{KEPT_IF}{condition}", found.engine)),
        Verdict::Refuted | Verdict::Open => None,
    };
    if by.is_none() && !has_new_heuristics(&session.world) {
        return Ok(None);
    }
    let mut keeper = keeper(session, to, file)?;
    let (m, w) = (&mut session.machine, &mut session.world);
    let heuristics = save_heuristics(m, w, &mut keeper).map_err(Failure::Base)?;
    let with = |saved: SavedReport| Some(SavedReport { heuristics, ..saved });
    let Some(by) = by else {
        return close(session, keeper, Ok(Saved::default())).map(with);
    };
    let start = Start {
        instance: Some(report.instance.clone()),
        player: None,
        state: canonical_text(m, w, &found.start),
        by,
        complete: false,
    };
    let kept = zug_domain::save_plan(m, w, contract, &found.states, &start, &mut keeper);
    close(session, keeper, kept).map(with)
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
    let by_itself = request.engine.is_none();
    let task = Task { engine, heuristic, options, by_itself, limits };
    let (m, w) = (&mut session.machine, &mut session.world);
    let mut found = zug_domain::find(m, w, contract, &task, &named.instance.state, observer)?;
    zug_domain::verify(m, w, contract, (&task.limits, request.effort), &mut found);
    Ok(describe(request, named, found))
}

/// Solves one instance by several workers.
#[cfg(feature = "cluster")]
fn solve_by_workers(
    session: &mut Session,
    (request, wanted): (&SolveRequest, &super::cluster::ClusterWanted),
    (engine, heuristic): (Engine, Option<Heuristic>),
    named: Named,
    observer: Option<&mut Observer<'_>>,
) -> Result<InstanceReport, Failure> {
    let contract = Contract::of(&session.machine);
    let cluster = wanted.cluster(None)?;
    let (options, limits) = (request.options.clone(), request.limits.clone());
    let by_itself = request.engine.is_none();
    let task = Task { engine, heuristic, options, by_itself, limits };
    let (m, w) = (&mut session.machine, &mut session.world);
    let state = &named.instance.state;
    let found = zug_domain::find_on_cluster(m, w, &contract, &task, state, &cluster, observer);
    let mut found = found.map_err(|failure| super::cluster::failure(session, failure))?;
    let (m, w) = (&mut session.machine, &mut session.world);
    zug_domain::verify(m, w, &contract, (&task.limits, request.effort), &mut found);
    Ok(describe(request, named, found))
}

/// The engine and heuristic that a request means.
pub(super) fn choose_engine(
    session: &Session,
    contract: &Contract,
    request: &SolveRequest,
) -> Result<(Engine, Option<Heuristic>), Failure> {
    let m = &session.machine;
    if contract.goal.is_none() && contract.rule.is_some() {
        let violation = zug_domain::Violation::Missing("final_state(S)");
        let error = zug_domain::RuleError::new(violation, "final_state/1");
        return Err(Failure::rule(session, &error));
    }
    let heuristics = contract.heuristics();
    let engine = match &request.engine {
        Some(name) => Engine::by_name(name).ok_or_else(|| match GameEngine::by_name(name) {
            Some(_) => Failure::NotForPuzzles(name.clone()),
            None => Failure::NoSuchEngine(name.clone()),
        })?,
        None => Engine::Astar,
    };
    let heuristic = match &request.heuristic {
        Some(name) => {
            let named = contract.heuristic_named(&m.symbols, name);
            let names = || heuristics.iter().map(|h| h.name(&m.symbols)).collect();
            let failure = || Failure::NoSuchHeuristic(name.clone(), names());
            Some(named.ok_or_else(failure)?)
        }
        None => {
            let in_time = request.engine.is_none();
            heuristics.first().copied().or(in_time.then_some(Heuristic::DerivedInTime))
        }
    };
    let informed = engine.info().informed;
    if informed && heuristic.is_none() {
        let violation = zug_domain::Violation::Missing("heuristic(S, H)");
        let error = zug_domain::RuleError::new(violation, "heuristic/2");
        return Err(Failure::rule(session, &error));
    }
    Ok((engine, heuristic.filter(|_| informed)))
}

/// What a search is that is over before its estimates are derived.
pub(super) fn blind(chosen: (Engine, Option<Heuristic>)) -> (Engine, Option<Heuristic>) {
    match chosen {
        (_, Some(Heuristic::DerivedInTime)) => (Engine::Ucs, None),
        chosen => chosen,
    }
}

/// What became of an instance.
pub(super) fn describe(
    request: &SolveRequest,
    named: Named,
    found: Solution<Record>,
) -> InstanceReport {
    InstanceReport {
        file: request.file.display().to_string(),
        instance: named.name,
        found,
        saved: None,
        certificate: None,
        named: named.named,
        has_name: named.instance.name.is_some(),
    }
}

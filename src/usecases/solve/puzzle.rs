//! Plans for instances of a puzzle.
//!
//! Without an engine it takes A\*. Without a heuristic it takes the program's first one; if there is none,
//! the search is uniform-cost search until it has gone on for so long that one that is derived from the
//! rules pays: a cheapest plan either way.

use super::{SolveEvent, SolveObserver, SolveRequest};
use crate::asking::ask;
use crate::base::{SavedReport, attach, close, keeper};
use crate::certificate::CertificateReport;
use crate::record::TermData;
use crate::{Failure, FileTo, Named};
use serde::Serialize;
use std::path::Path;
use zug_base::Start;
use zug_domain::bases::{base_in_use, has_new_heuristics, leave_base, save_heuristics};
use zug_domain::game::Saved;
use zug_domain::{Contract, Heuristic, KEPT_IF, Task, canonical_text, why_alone};
use zug_prolog::session::Session;
use zug_report::{Outcome, Solution, Verdict};
use zug_search::game::GameEngine;
use zug_search::{Engine, Limits, Observer};
use zug_term::Record;

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

/// Solves one instance.
pub(super) fn solved(
    session: &mut Session,
    request: &SolveRequest,
    contract: &Contract,
    named: &Named,
    observer: Option<&mut SolveObserver<'_>>,
) -> Result<InstanceReport, Failure> {
    let (engine, heuristic) = choose_engine(session, contract, request)?;
    let own = base_in_use(&session.world).is_none().then_some(request.save.as_ref()).flatten();
    if let Some(to) = own.filter(|to| to.path.exists()) {
        attach(session, &to.path)?;
    }
    let (options, limits) = (request.options.clone(), request.limits.clone());
    let by_itself = request.engine.is_none();
    let task = Task { engine, heuristic, options, by_itself, limits };
    let found = search(session, request, contract, &task, &named.instance.state, observer);
    if own.is_some() {
        leave_base(&mut session.world);
    }
    let mut report = describe(request, named, found?);
    if let Some(to) = &request.save {
        report.saved = keep(session, contract, (to, &request.file), &report)?;
    }
    Ok(report)
}

/// Searches, here or by several workers, and finds out whether the plan is a cheapest one.
fn search(
    session: &mut Session,
    request: &SolveRequest,
    contract: &Contract,
    task: &Task,
    state: &Record,
    observer: Option<&mut SolveObserver<'_>>,
) -> Result<Solution<Record>, Failure> {
    let mut observer = observer.map(|observer| move |state: &_| observer(SolveEvent::Path(state)));
    let observer = observer.as_mut().map(|observer| observer as &mut Observer<'_>);
    #[cfg(feature = "cluster")]
    let mut found = match &request.cluster {
        Some(wanted) => {
            let cluster = wanted.cluster(None)?;
            let (m, w) = (&mut session.machine, &mut session.world);
            zug_domain::find_on_cluster(m, w, contract, task, state, &cluster, observer)
                .map_err(|failure| crate::cluster::failure(session, failure))?
        }
        None => ask(session, |m, w| zug_domain::find(m, w, contract, task, state, observer))?,
    };
    #[cfg(not(feature = "cluster"))]
    let mut found = ask(session, |m, w| zug_domain::find(m, w, contract, task, state, observer))?;
    let (m, w) = (&mut session.machine, &mut session.world);
    zug_domain::verify(m, w, contract, (&task.limits, request.effort), &mut found);
    Ok(found)
}

/// Keeps the plan of an instance, if it is said to be a cheapest one and was not read off, and heuristics that
/// were derived.
fn keep(
    session: &mut Session,
    contract: &Contract,
    (to, file): (&FileTo, &Path),
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

/// The engine and heuristic that a request means.
pub(crate) fn choose_engine(
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
pub(crate) fn blind(chosen: (Engine, Option<Heuristic>)) -> (Engine, Option<Heuristic>) {
    match chosen {
        (_, Some(Heuristic::DerivedInTime)) => (Engine::Ucs, None),
        chosen => chosen,
    }
}

/// The report on an instance.
pub(super) fn describe(
    request: &SolveRequest,
    named: &Named,
    found: Solution<Record>,
) -> InstanceReport {
    InstanceReport {
        file: request.file.display().to_string(),
        instance: named.name.clone(),
        found,
        saved: None,
        certificate: None,
        named: named.named,
        has_name: named.instance.name.is_some(),
    }
}

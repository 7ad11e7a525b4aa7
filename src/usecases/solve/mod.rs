//! `solve`: plans of puzzles, values of games, solutions of models, equilibria of games in which all choose at once.
//!
//! One request and one loop over starts serve all kinds of domain. Each kind has a file with its search, its report
//! and the record of it in JSON. A search ignores what does not concern its kind; [`misfit`] finds such options.

mod equilibria;
mod fits;
mod game;
mod model;
#[cfg(test)]
mod model_tests;
pub mod options;
mod plans;
mod puzzle;
mod tries;

pub use equilibria::{
    EquilibriumData, JointLearningData, LearningData, NashReport, RemovalData, Share,
};
pub use fits::{Given, misfit};
pub(super) use game::choose_engine as choose_game_engine;
pub use game::{GameRecord, GameReport};
pub use model::{ModelRecord, ModelReport};
pub use plans::{AllPlans, Count, PlansRecord, PlansReport};
pub use puzzle::{InstanceRecord, InstanceReport, why_one_thread};
pub(super) use puzzle::{blind, choose_engine};
pub use tries::{TriedPlayer, TryReport};

use super::base::keeper;
use super::certificate::{CertificateReport, certify, may_certify};
use super::diagnosis::{diagnosed, diagnosis};
use super::exit::{CommandResult, Exit};
use super::given::all_starts;
use super::{Failure, FileTo, Named};
use serde::Serialize;
use std::path::PathBuf;
use zug_domain::bases::want_heuristics;
use zug_domain::model::{Improvement, Labelling};
use zug_domain::{Contract, DomainKind, Effort};
use zug_matrix::Learning;
use zug_matrix::options::EquilibriumOptions;
use zug_prolog::session::Session;
use zug_report::{GameOutcome, Outcome, StopReason};
use zug_search::game::{GameProgress, Sampling, Storage};
use zug_search::{Limits, Options, Progress};
use zug_term::diagnostic::Diagnostic;
use zug_tools::check;

/// The request of a solve.
#[derive(Clone, Debug, Default)]
pub struct SolveRequest {
    /// The rule file.
    pub file: PathBuf,
    /// What is looked for.
    pub wanted: Wanted,
    /// The engine's name.
    pub engine: Option<String>,
    /// The heuristic's name.
    pub heuristic: Option<String>,
    /// The instance's name, or its number if it has none.
    pub instance: Option<String>,
    /// The state to start from in the place of an instance, as a term.
    pub state: Option<String>,
    /// The player to move, as a term.
    pub player: Option<String>,
    /// Every instance, where none is named; else the first.
    pub every: bool,
    /// Parameters of engines.
    pub options: Options,
    /// Limits, for each instance; in a game the depth says how far plays are followed.
    pub limits: Limits,
    /// How much is done to find out whether a plan is a cheapest one.
    pub effort: Effort,
    /// How plays at random are made.
    pub sampling: Sampling,
    /// How `solve_game` keeps states.
    pub storage: Storage,
    /// How variables of models are labelled.
    pub labelling: Labelling,
    /// The states along the line of best play are wanted.
    pub boards: bool,
    /// Where cheapest plans, and values of games, are kept, and read if they are there.
    pub save: Option<FileTo>,
    /// Where the proof of what is found is written.
    pub certificate: Option<FileTo>,
    /// Several workers search.
    #[cfg(feature = "cluster")]
    pub cluster: Option<super::cluster::ClusterWanted>,
    /// The folder in which several workers keep the layers of a game's positions.
    #[cfg(feature = "cluster")]
    pub disk: Option<PathBuf>,
}

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub enum Wanted {
    /// A plan, the value of a state, a solution or equilibria: one result for each start.
    #[default]
    Best,
    /// All cheapest plans of a puzzle: their number, and at most N of them.
    Plans(usize),
    /// All solutions of a model, with an objective all best ones: their number, and at most N of them.
    Solutions(usize),
    /// Whether a solution of a model is the only one, with an objective the only best one.
    Unique,
    /// Equilibria as these options say, or an approximation of one by learning.
    Equilibria(EquilibriumOptions, Option<Learning>),
}

/// A result: what was found from one start.
#[derive(Clone, Debug)]
pub enum Found {
    /// Of a puzzle.
    Plan(InstanceReport),
    /// All cheapest plans of a puzzle.
    Plans(PlansReport),
    /// Of a game.
    Value(GameReport),
    /// Of a model.
    Model(ModelReport),
    /// Of a game in which all choose at once.
    Equilibria(NashReport),
    /// Plays at random of such a game.
    Tries(TryReport),
}

/// All results.
#[derive(Clone, Debug)]
pub struct SolveReport {
    /// The results, in order.
    pub results: Vec<Found>,
    /// What `check` finds in the rules, if a search came to nothing, or in the states on the way.
    pub findings: Vec<Diagnostic>,
    /// The names of the instances of a puzzle or a model that were not asked for.
    pub others: Vec<String>,
}

/// An event of a search.
#[derive(Clone, Copy)]
pub enum SolveEvent<'a> {
    /// A search for plans goes on.
    Path(&'a Progress),
    /// A search of a game goes on.
    Game(&'a GameProgress),
    /// A better solution of a model was found.
    Better(&'a Improvement),
}

/// Called now and then while a search runs.
pub type SolveObserver<'o> = dyn FnMut(SolveEvent<'_>) + 'o;

/// A result as it is written for programs.
#[derive(Serialize)]
#[serde(untagged)]
pub enum FoundRecord<'f> {
    /// Of a puzzle.
    Plan(InstanceRecord),
    /// All cheapest plans of a puzzle.
    Plans(PlansRecord<'f>),
    /// Of a game.
    Value(GameRecord),
    /// Of a model.
    Model(ModelRecord),
    /// Of a game in which all choose at once.
    Equilibria(&'f NashReport),
    /// Plays at random of such a game.
    Tries(&'f TryReport),
}

impl Found {
    /// The report for programs; `conflict` are the explanations of a model as text.
    pub fn record(&self, session: &Session, conflict: Vec<String>) -> FoundRecord<'_> {
        match self {
            Found::Plan(report) => FoundRecord::Plan(report.record(session)),
            Found::Plans(report) => FoundRecord::Plans(report.record(session)),
            Found::Value(report) => FoundRecord::Value(report.record(session)),
            Found::Model(report) => FoundRecord::Model(report.record(session, conflict)),
            Found::Equilibria(report) => FoundRecord::Equilibria(report),
            Found::Tries(report) => FoundRecord::Tries(report),
        }
    }

    /// The report on an instance of a puzzle.
    pub fn plan(&self) -> Option<&InstanceReport> {
        if let Found::Plan(report) = self { Some(report) } else { None }
    }

    /// The report on a state of a game.
    pub fn value(&self) -> Option<&GameReport> {
        if let Found::Value(report) = self { Some(report) } else { None }
    }

    /// The report on a model.
    pub fn model(&self) -> Option<&ModelReport> {
        if let Found::Model(report) = self { Some(report) } else { None }
    }

    /// Whether the search came to nothing, or to a result that mistaken rules often have.
    fn is_odd(&self, request: &SolveRequest) -> bool {
        match self {
            Found::Plan(report) => {
                let is_nothing = report.found.path.as_ref().is_some_and(Vec::is_empty);
                report.found.outcome() != Outcome::Solved || is_nothing
            }
            Found::Value(report) => {
                let is_nothing = report.found.best.is_none() && request.state.is_none();
                let is_stopped = report.found.outcome.reason().is_some();
                is_nothing || is_stopped && report.remark.is_none()
            }
            _ => false,
        }
    }

    fn is_cancelled(&self) -> bool {
        self.limit() == Some(StopReason::Cancelled)
    }

    fn set_certificate(&mut self, made: Option<CertificateReport>) {
        match self {
            Found::Plan(report) => report.certificate = made,
            Found::Value(report) => report.certificate = made,
            Found::Model(report) => report.certificate = made,
            Found::Equilibria(report) => report.certificate = made,
            Found::Plans(_) | Found::Tries(_) => {}
        }
    }
}

impl CommandResult for Found {
    fn exit(&self) -> Exit {
        match self {
            Found::Plan(report) => report.found.outcome().into(),
            Found::Plans(report) => report.first.found.outcome().into(),
            Found::Model(report) => report.exit(),
            Found::Equilibria(report) if report.is_empty() => Exit::Failure,
            Found::Value(_) | Found::Equilibria(_) | Found::Tries(_) => Exit::stopped(self.limit()),
        }
    }

    fn limit(&self) -> Option<StopReason> {
        match self {
            Found::Plan(report) => report.found.outcome().reason(),
            Found::Plans(report) => report.first.found.outcome().reason(),
            Found::Value(report) => {
                let kept = report.saved.as_ref().and_then(|saved| saved.stopped);
                kept.or(report.found.outcome.reason())
            }
            Found::Model(report) => report.found.outcome.reason(),
            Found::Equilibria(report) => report.stopped,
            Found::Tries(report) => report.stopped,
        }
    }
}

/// The gravest of the results decides.
impl CommandResult for SolveReport {
    fn exit(&self) -> Exit {
        let all = self.results.iter().map(CommandResult::exit);
        all.reduce(Exit::graver).unwrap_or(Exit::Failure)
    }

    fn limit(&self) -> Option<StopReason> {
        self.results.iter().find_map(CommandResult::limit)
    }
}

/// Solves what the rules of a session pose. `each` gets every result as it comes, and decides whether to go on.
///
/// # Errors
/// See [`Failure`]; an error in a rule ends it, after `each` has seen the results before. A limit is no failure: the
/// report has what was found until then.
pub fn solve(
    session: &mut Session,
    request: &SolveRequest,
    observer: Option<&mut SolveObserver<'_>>,
    each: &mut dyn FnMut(&Found, &mut Session) -> bool,
) -> Result<SolveReport, Failure> {
    let kind = Contract::of(&session.machine).kind();
    let solved = solve_each(session, request, observer, each);
    // Also after an error.
    want_heuristics(&mut session.world, false);
    let mut report = solved.map_err(|failure| match (kind, &failure) {
        (DomainKind::Model, Failure::Rule(_)) => failure,
        _ => diagnosed(session, failure),
    })?;
    report.findings = findings(session, request, &report.results);
    Ok(report)
}

/// The loop over the starts.
fn solve_each(
    session: &mut Session,
    request: &SolveRequest,
    mut observer: Option<&mut SolveObserver<'_>>,
    each: &mut dyn FnMut(&Found, &mut Session) -> bool,
) -> Result<SolveReport, Failure> {
    let contract = Contract::of(&session.machine);
    let kind = contract.kind();
    must_apply(session, &contract, request)?;
    // A model has no states.
    let state = request.state.as_deref().filter(|_| kind != DomainKind::Model);
    let mut starts = all_starts(session, &contract, request.instance.as_deref(), state)?;
    let asked = if request.every { starts.len() } else { starts.len().min(1) };
    let left = starts.split_off(asked);
    may_certify(request.certificate.as_ref(), kind)?;
    if let (DomainKind::Puzzle, Some(to)) = (kind, &request.save) {
        // What is wrong with the base is better reported before a long search.
        keeper(session, to, &request.file)?.leave().map_err(Failure::Base)?;
        want_heuristics(&mut session.world, true);
    }
    let mut results = Vec::new();
    for start in starts {
        let start = start.as_ref();
        let mut found = solve_start(session, request, start, observer.as_deref_mut())?;
        found.set_certificate(certify(session, request, start, &found)?);
        let goes_on = each(&found, session) && !found.is_cancelled();
        results.push(found);
        if !goes_on {
            break;
        }
    }
    let is_named = matches!(kind, DomainKind::Puzzle | DomainKind::Program | DomainKind::Model);
    let others = left.into_iter().flatten().filter(|_| is_named).map(|other| other.name).collect();
    Ok(SolveReport { results, findings: Vec::new(), others })
}

/// Refuses a request that does not apply to the domain, before a start is known.
fn must_apply(
    session: &mut Session,
    contract: &Contract,
    request: &SolveRequest,
) -> Result<(), Failure> {
    let kind = contract.kind();
    let parts = [contract.initial, contract.named_initial, contract.goal, contract.rule];
    match (kind, &request.wanted) {
        (DomainKind::Simultaneous, _) => tries::must_apply(request),
        (_, Wanted::Equilibria(..)) => Err(Failure::NotAtOnce),
        (DomainKind::Program, _) if parts.iter().all(Option::is_none) => Err(Failure::NoDomain),
        (_, Wanted::Plans(_)) | (DomainKind::Game | DomainKind::Model, _) => Ok(()),
        (DomainKind::Puzzle | DomainKind::Program, _) => {
            choose_engine(session, contract, request).map(drop)
        }
    }
}

/// Solves from one start, without a diagnosis of the rules, a certificate or several starts.
pub(super) fn solve_start(
    session: &mut Session,
    request: &SolveRequest,
    start: Option<&Named>,
    observer: Option<&mut SolveObserver<'_>>,
) -> Result<Found, Failure> {
    let contract = Contract::of(&session.machine);
    let Some(named) = start.filter(|_| contract.kind() != DomainKind::Simultaneous) else {
        return match tries::are_wanted(request)? {
            true => tries::tried(session, request, start).map(Found::Tries),
            false => equilibria::found(session, request, start).map(Found::Equilibria),
        };
    };
    match (contract.kind(), &request.wanted) {
        (DomainKind::Model, _) => {
            model::solved(session, request, &contract, named, observer).map(Found::Model)
        }
        (DomainKind::Game, _) => game::solved(session, request, named, observer).map(Found::Value),
        (_, Wanted::Plans(most)) => {
            plans::found(session, request, &contract, (named, *most), observer).map(Found::Plans)
        }
        _ => puzzle::solved(session, request, &contract, named, observer).map(Found::Plan),
    }
}

/// What `check` finds in the rules, if a result is odd; otherwise in the states on the way of the first one.
fn findings(session: &mut Session, request: &SolveRequest, results: &[Found]) -> Vec<Diagnostic> {
    let is_odd = results.iter().any(|found| found.is_odd(request));
    if is_odd && !results.iter().any(Found::is_cancelled) {
        return diagnosis(session);
    }
    let states = match results.first() {
        Some(Found::Plan(report)) => {
            let states = report.found.states.iter().cloned().enumerate();
            states.map(|(at, state)| (state, at.checked_sub(1))).collect()
        }
        Some(Found::Value(report)) if report.found.outcome == GameOutcome::Solved => {
            game::around_the_line(session, &report.found)
        }
        _ => return Vec::new(),
    };
    check::of_states(session, states).into_iter().collect()
}

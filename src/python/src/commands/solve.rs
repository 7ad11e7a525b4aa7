//! Solving, with what is kept of it and proved by it; certificates checked.

use super::{Found, Reports, failed, limits, one};
use crate::asked::{Asked, take};
use crate::session::{Rules, loaded};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use zug::render::found::record;
use zug::usecases::certificate;
use zug::usecases::cluster::ClusterWanted;
use zug::usecases::solve::options::{
    ENGINE, FILES as WRITTEN, HEURISTIC, INSTANCES, PLANS, PLAYER, SOLUTIONS, STATE,
};
use zug::usecases::solve::{solve as solved, why_one_thread};
use zug::{SolveRequest, Wanted, record_line};
use zug_code::Specialise;
use zug_domain::model::LABELLING;
use zug_domain::options::EFFORT;
use zug_domain::{Contract, DomainKind};
use zug_matrix::options::{EQUILIBRIA, EquilibriumOptions, LESSONS, LearningOptions};
use zug_options::{Rejected, Row, Rows, Table, Within, row};
use zug_prolog::session::Session;
use zug_search::Limits;
use zug_search::options::{
    LIMITS, MEMORY, NODES, PARAMETERS, SAMPLING, STORAGE, SYMMETRY, THREADS, TIME,
};

/// A request, and where it is taken from and goes to.
#[derive(Clone, Debug, Default)]
struct Solving {
    request: SolveRequest,
    files: Files,
    workers: Workers,
    equilibria: EquilibriumOptions,
    lessons: LearningOptions,
}

/// The base that results come from, and whether files are replaced.
#[derive(Clone, Debug, Default)]
struct Files {
    db: Option<PathBuf>,
    force: bool,
}

const DB: Row<Files> = row!(file("db", "DB", "Answer from this base") => Some(Files.db));

static FILES: [Row<Files>; 2] = [DB.conflicts(&["save", "workers"]), FORCE[0]];
static FORCE: [Row<Files>; 1] =
    [row!(flag("force", "Replace files that are there") => Files.force)];
static BASE: [Row<Files>; 1] = [DB];

static KEPT: [Row<SolveRequest>; 2] =
    [WRITTEN[0].conflicts(&["workers"]), WRITTEN[1].conflicts(&["every"])];
// Every state of a game is kept for itself.
static GAME_KEPT: [Row<SolveRequest>; 2] =
    [WRITTEN[0].conflicts(&["workers", "symmetry"]), WRITTEN[1]];
static PROOF: [Row<SolveRequest>; 1] = [KEPT[1]];

static EVERY: Row<SolveRequest> = INSTANCES[1].name("every");
static INSTANCE: [Row<SolveRequest>; 1] = [INSTANCES[0].conflicts(&["state", "every"])];
static PLACE: [Row<SolveRequest>; 3] = [INSTANCE[0], STATE[0].conflicts(&["every"]), EVERY];
static MODELS: [Row<SolveRequest>; 4] =
    [INSTANCE[0], EVERY, SOLUTIONS[0].name("solutions").conflicts(&["unique"]), SOLUTIONS[1]];

/// Workers of a search, each with states of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Workers {
    workers: Option<NonZeroUsize>,
    disk: Option<PathBuf>,
}

impl Workers {
    /// What is asked of them, if there are any: threads of this process.
    pub(super) fn wanted(&self) -> Option<ClusterWanted> {
        let workers = self.workers?;
        Some(ClusterWanted { workers, hosts: None, wait: Duration::ZERO, notice: |_| {} })
    }
}

/// How many workers there are.
pub(super) static WORKERS: [Row<Workers>; 1] =
    [Row::whole("workers", "N", "Search by so many workers", |to: &mut Workers, workers| {
        match usize::try_from(workers).ok().and_then(NonZeroUsize::new) {
            Some(workers) => {
                to.workers = Some(workers);
                Ok(())
            }
            None => Rejected::out_of_range(),
        }
    })
    .conflicts(&["threads"])
    .wants("write a whole number from 1 on")];

static LAYERS: [Row<Workers>; 1] =
    [row!(file("disk", "DIR", "The folder that layers are kept in") => Some(Workers.disk))
        .requires("workers")];

static SOLVE_PUZZLE: Table<Solving> = Table(&[
    &Within(&ENGINE, |to: &mut Solving| &mut to.request),
    &Within(&HEURISTIC, |to: &mut Solving| &mut to.request),
    &Within(&PLACE, |to: &mut Solving| &mut to.request),
    &Within(&FILES, |to: &mut Solving| &mut to.files),
    &Within(&KEPT, |to: &mut Solving| &mut to.request),
    &Within(&WORKERS, |to: &mut Solving| &mut to.workers),
    &Within(&LIMITS, |to: &mut Solving| &mut to.request.limits),
    &Within(&PARAMETERS, |to: &mut Solving| &mut to.request.options),
    &Within(&SYMMETRY, |to: &mut Solving| &mut to.request.options),
    &Within(&EFFORT, |to: &mut Solving| &mut to.request.effort),
]);

/// Plans are looked for by a blind search, and are of any number of moves.
static ALL_PLANS: Table<Solving> = Table(&[
    &Within(&PLACE, |to: &mut Solving| &mut to.request),
    &Within(&PLANS, |to: &mut Solving| &mut to.request),
    &Within(&BASE, |to: &mut Solving| &mut to.files),
    &Within(&[NODES, TIME, MEMORY, THREADS], |to: &mut Solving| &mut to.request.limits),
]);

static SOLVE_GAME: Table<Solving> = Table(&[
    &Within(&ENGINE, |to: &mut Solving| &mut to.request),
    &Within(&INSTANCE, |to: &mut Solving| &mut to.request),
    &Within(&STATE, |to: &mut Solving| &mut to.request),
    &Within(&PLAYER, |to: &mut Solving| &mut to.request),
    &Within(&FILES, |to: &mut Solving| &mut to.files),
    &Within(&GAME_KEPT, |to: &mut Solving| &mut to.request),
    &Within(&WORKERS, |to: &mut Solving| &mut to.workers),
    &Within(&LAYERS, |to: &mut Solving| &mut to.workers),
    &Within(&LIMITS, |to: &mut Solving| &mut to.request.limits),
    &Within(&SYMMETRY, |to: &mut Solving| &mut to.request.options),
    &Within(&SAMPLING, |to: &mut Solving| &mut to.request.sampling),
    &Within(&STORAGE, |to: &mut Solving| &mut to.request.storage),
]);

static SOLVE_MODEL: Table<Solving> = Table(&[
    &Within(&MODELS, |to: &mut Solving| &mut to.request),
    &Within(&PROOF, |to: &mut Solving| &mut to.request),
    &Within(&FORCE, |to: &mut Solving| &mut to.files),
    &Within(&LABELLING, |to: &mut Solving| &mut to.request.labelling),
    &Within(&LIMITS, |to: &mut Solving| &mut to.request.limits),
]);

static SOLVE_STAGE: Table<Solving> = Table(&[
    &Within(&ENGINE, |to: &mut Solving| &mut to.request),
    &Within(&INSTANCE, |to: &mut Solving| &mut to.request),
    &Within(&STATE, |to: &mut Solving| &mut to.request),
    &Within(&PROOF, |to: &mut Solving| &mut to.request),
    &Within(&FORCE, |to: &mut Solving| &mut to.files),
    &Within(&SAMPLING, |to: &mut Solving| &mut to.request.sampling),
    &Within(&LIMITS, |to: &mut Solving| &mut to.request.limits),
]);

static NASH: Table<Solving> = Table(&[
    &Within(&INSTANCE, |to: &mut Solving| &mut to.request),
    &Within(&STATE, |to: &mut Solving| &mut to.request),
    &Within(&EQUILIBRIA, |to: &mut Solving| &mut to.equilibria),
    &Within(&LESSONS, |to: &mut Solving| &mut to.lessons),
    &Within(&LIMITS, |to: &mut Solving| &mut to.request.limits),
]);

/// A certificate to be checked.
#[derive(Clone, Debug, Default)]
struct Checking {
    certificate: PathBuf,
    limits: Limits,
}

static VERIFY: Table<Checking> = Table(&[
    &Rows(&[row!(file("certificate", "FILE", "The certificate") => Checking.certificate)]),
    &Within(&RESOURCES, |to: &mut Checking| &mut to.limits),
]);

/// What work may use that is counted in no nodes.
pub(super) static RESOURCES: [Row<Limits>; 2] = [TIME, MEMORY];

/// Solves what the rules pose.
pub(super) fn solve(rules: &mut Rules, asked: &Asked) -> Reports {
    let (what, table) = match Contract::of(&rules.session.machine).kind() {
        DomainKind::Game => ("solving a game", &SOLVE_GAME),
        DomainKind::Simultaneous => ("solving a game in which all choose at once", &SOLVE_STAGE),
        DomainKind::Model => ("solving a model", &SOLVE_MODEL),
        _ if asked.contains_key("all_plans") => ("finding all cheapest plans", &ALL_PLANS),
        DomainKind::Puzzle | DomainKind::Program => ("solving a puzzle", &SOLVE_PUZZLE),
    };
    let mut solving = Solving::default();
    take(asked, what, table, &mut solving)?;
    answered(rules, solving)
}

/// Equilibria of a game in which all choose at once.
pub(super) fn equilibria(rules: &mut Rules, asked: &Asked) -> Reports {
    let mut solving = Solving::default();
    take(asked, "nash", &NASH, &mut solving)?;
    solving.request.wanted = Wanted::Equilibria(solving.equilibria, solving.lessons.learning());
    answered(rules, solving)
}

fn answered(rules: &mut Rules, solving: Solving) -> Reports {
    let Solving { request, files, workers, .. } = solving;
    let save = request.save.clone().map(|save| save.forced(files.force));
    rules.with_base((files.db.as_deref(), save.as_ref()), |rules| {
        let file = rules.file();
        let session = &mut rules.session;
        let request = SolveRequest {
            file,
            limits: limits(session, request.limits),
            save: save.clone(),
            certificate: request
                .certificate
                .clone()
                .map(|certificate| certificate.forced(files.force)),
            cluster: workers.wanted(),
            disk: workers.disk.clone(),
            ..request
        };
        let mut found = Found::default();
        let mut each = |result: &zug::Found, session: &mut Session| {
            found.records.push(record_line("result", &record(result, session)));
            match result {
                zug::Found::Plan(report) if request.save.is_some() => {
                    found.remarks.extend(report.not_kept());
                }
                zug::Found::Value(report) => found.remarks.extend(report.remark.clone()),
                _ => {}
            }
            true
        };
        let report = solved(session, &request, None, &mut each).map_err(failed)?;
        found.remarks.extend(report.findings.iter().map(zug::diagnostic_text));
        let engine = match report.results.last() {
            Some(zug::Found::Plan(report)) => report.found.engine,
            Some(zug::Found::Value(report)) => report.found.engine,
            _ => return Ok(found),
        };
        found.remarks.extend(why_one_thread(session, &request.limits, Some(engine)));
        Ok(found)
    })
}

/// Checks a certificate. The machine alone is asked, in a session of its own: code made from the rules is part of
/// what is checked.
pub(super) fn verify(rules: &mut Rules, asked: &Asked) -> Reports {
    let mut checking = Checking::default();
    take(asked, "verify", &VERIFY, &mut checking)?;
    let file = rules.file();
    let limits = limits(&rules.session, checking.limits);
    let mut own = loaded(rules.origin(), Some(&rules.session.machine.interrupt), Specialise::Off)?;
    let paths = (file.as_path(), checking.certificate.as_path());
    Ok(one(&certificate::verify(&mut own.session, paths, &limits).map_err(failed)?))
}

//! Solving, with what is kept of it and proved by it; certificates checked.

use super::bases::save_to;
use super::{Found, Reports, failed, limits, one, texts};
use crate::asked::{Asked, refused, take};
use crate::session::{Rules, loaded};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use zug::usecases::certificate::{self, CertificateTo};
use zug::usecases::cluster::ClusterWanted;
use zug::usecases::model::{ModelReport, ModelRequest, solve_models};
use zug::usecases::nash::{NashRequest, nash};
use zug::usecases::plans::plans;
use zug::usecases::solve::why_one_thread;
use zug::usecases::try_actions::{TryRequest, try_all};
use zug::{GameRequest, SolveRequest, record_line};
use zug_code::Specialise;
use zug_domain::model::{LABELLING, SolutionsWanted};
use zug_domain::options::EFFORT;
use zug_domain::{Contract, DomainKind};
use zug_matrix::options::{EQUILIBRIA, EquilibriumOptions, LESSONS, LearningOptions};
use zug_options::{Rejected, Row, Rows, Table, Within};
use zug_prolog::session::Session;
use zug_search::Limits;
use zug_search::options::{
    LIMITS, MEMORY, NODES, PARAMETERS, SAMPLING, STORAGE, SYMMETRY, THREADS, TIME,
};

/// What else is asked for beside the settings of a request.
#[derive(Clone, Debug, Default)]
struct Wanted<T> {
    request: T,
    limits: Limits,
    files: Files,
    workers: Workers,
    /// Plans of all cheapest ones that are shown.
    all_plans: usize,
}

/// Files that results come from and go to.
#[derive(Clone, Debug, Default)]
struct Files {
    db: Option<PathBuf>,
    save: Option<PathBuf>,
    certificate: Option<PathBuf>,
    force: bool,
}

impl Files {
    fn certificate(&self) -> Option<CertificateTo> {
        let force = self.force;
        self.certificate.clone().map(|path| CertificateTo { path, force })
    }
}

const DB: Row<Files> = Row::file("db", "DB", "Answer from this base", |to: &mut Files, path| {
    to.db = Some(path.into());
    Ok(())
});
const SAVE: Row<Files> =
    Row::file("save", "DB", "The base that results are kept in", |to: &mut Files, path| {
        to.save = Some(path.into());
        Ok(())
    });
const CERTIFICATE: Row<Files> =
    Row::file("certificate", "FILE", "The file that the proof goes to", |to: &mut Files, path| {
        to.certificate = Some(path.into());
        Ok(())
    });
const FORCE: Row<Files> =
    Row::flag("force", "Replace files that are there", |to: &mut Files, on| {
        to.force = on;
        Ok(())
    });

static FILES: [Row<Files>; 4] = [
    DB.conflicts(&["save", "workers"]),
    SAVE.conflicts(&["workers"]),
    CERTIFICATE.conflicts(&["every"]),
    FORCE,
];
// Every state of a game is kept for itself.
static GAME_FILES: [Row<Files>; 4] =
    [FILES[0], SAVE.conflicts(&["workers", "symmetry"]), CERTIFICATE, FORCE];
static PROOF: [Row<Files>; 2] = [FILES[2], FORCE];
static BASE: [Row<Files>; 1] = [DB];

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
    [Row::file("disk", "DIR", "The folder that layers are kept in", |to: &mut Workers, path| {
        to.disk = Some(path.into());
        Ok(())
    })
    .requires("workers")];

static SOLVE: Table<Wanted<SolveRequest>> = Table(&[
    &Rows(texts!(Wanted<SolveRequest>:
        "engine" text "The engine" => request.engine;
        "heuristic" text "The heuristic" => request.heuristic;
    )),
    &Rows(&STARTS),
    &Within(&FILES, |to: &mut Wanted<SolveRequest>| &mut to.files),
    &Within(&WORKERS, |to: &mut Wanted<SolveRequest>| &mut to.workers),
    &Within(&LIMITS, |to: &mut Wanted<SolveRequest>| &mut to.limits),
    &Within(&PARAMETERS, |to: &mut Wanted<SolveRequest>| &mut to.request.options),
    &Within(&SYMMETRY, |to: &mut Wanted<SolveRequest>| &mut to.request.options),
    &Within(&EFFORT, |to: &mut Wanted<SolveRequest>| &mut to.request.effort),
]);

/// Where searches for plans begin.
static STARTS: [Row<Wanted<SolveRequest>>; 3] = [
    Row::text("instance", "NAME", "The instance", |to: &mut Wanted<SolveRequest>, name| {
        to.request.instance = Some(name.to_owned());
        Ok(())
    })
    .conflicts(&["state", "every"]),
    Row::term_text("state", "TERM", "The state to start from", |to, term| {
        let to: &mut Wanted<SolveRequest> = to;
        to.request.state = Some(term.to_owned());
        Ok(())
    })
    .conflicts(&["every"]),
    Row::flag("every", "Every instance", |to: &mut Wanted<SolveRequest>, on| {
        to.request.every = on;
        Ok(())
    }),
];

/// Plans are looked for by a blind search, and are of any number of moves.
static ALL_PLANS: Table<Wanted<SolveRequest>> = Table(&[
    &Rows(&STARTS),
    &Rows(&[Row::count(
        "all-plans",
        "N",
        "All cheapest plans are counted, and so many shown",
        |to: &mut Wanted<SolveRequest>, shown| {
            to.all_plans = usize::try_from(shown).unwrap_or(usize::MAX);
            Ok(())
        },
    )]),
    &Within(&BASE, |to: &mut Wanted<SolveRequest>| &mut to.files),
    &Within(&ANY_LENGTH, |to: &mut Wanted<SolveRequest>| &mut to.limits),
]);

static ANY_LENGTH: [Row<Limits>; 4] = [NODES, TIME, MEMORY, THREADS];

static SOLVE_GAME: Table<Wanted<GameRequest>> = Table(&[
    &Rows(texts!(Wanted<GameRequest>:
        "engine" text "The engine" => request.engine;
        "instance" text "The instance" => request.instance;
        "player" term_text "The player to move" => request.player;
    )),
    &Rows(&[
        Row::term_text("state", "TERM", "The state", |to: &mut Wanted<GameRequest>, term| {
            to.request.state = Some(term.to_owned());
            Ok(())
        })
        .conflicts(&["instance"]),
        Row::flag("symmetry", "Take states for one that are alike", |to, on| {
            let to: &mut Wanted<GameRequest> = to;
            to.request.symmetry = on;
            Ok(())
        }),
    ]),
    &Within(&GAME_FILES, |to: &mut Wanted<GameRequest>| &mut to.files),
    &Within(&WORKERS, |to: &mut Wanted<GameRequest>| &mut to.workers),
    &Within(&LAYERS, |to: &mut Wanted<GameRequest>| &mut to.workers),
    &Within(&LIMITS, |to: &mut Wanted<GameRequest>| &mut to.limits),
    &Within(&SAMPLING, |to: &mut Wanted<GameRequest>| &mut to.request.sampling),
    &Within(&STORAGE, |to: &mut Wanted<GameRequest>| &mut to.request.storage),
]);

static SOLVE_MODEL: Table<Wanted<ModelRequest>> = Table(&[
    &Rows(texts!(Wanted<ModelRequest>:
        "instance" text "The instance" => request.instance;
    )),
    &Rows(&[
        Row::flag("every", "Every instance", |to: &mut Wanted<ModelRequest>, on| {
            to.request.every = on;
            Ok(())
        })
        .conflicts(&["instance"]),
        Row::count(
            "solutions",
            "N",
            "All are counted, and so many shown",
            |to: &mut Wanted<ModelRequest>, shown| {
                to.request.wanted = SolutionsWanted::All;
                to.request.shown = usize::try_from(shown).unwrap_or(usize::MAX);
                Ok(())
            },
        )
        .conflicts(&["unique"]),
        Row::flag("unique", "Whether there is another solution", |to, on| {
            if on {
                (to.request.wanted, to.request.shown) = (SolutionsWanted::Second, 2);
            }
            Ok(())
        }),
    ]),
    &Within(&PROOF, |to: &mut Wanted<ModelRequest>| &mut to.files),
    &Within(&LABELLING, |to: &mut Wanted<ModelRequest>| &mut to.request.labelling),
    &Within(&LIMITS, |to: &mut Wanted<ModelRequest>| &mut to.limits),
]);

/// A certificate to be checked.
#[derive(Clone, Debug, Default)]
struct Checking {
    certificate: PathBuf,
    limits: Limits,
}

static VERIFY: Table<Checking> = Table(&[
    &Rows(&[Row::file("certificate", "FILE", "The certificate", |to: &mut Checking, path| {
        to.certificate = path.into();
        Ok(())
    })]),
    &Within(&RESOURCES, |to: &mut Checking| &mut to.limits),
]);

/// What work may use that is counted in no nodes.
pub(super) static RESOURCES: [Row<Limits>; 2] = [TIME, MEMORY];

/// What is asked of a game in which all choose at once.
#[derive(Clone, Debug, Default)]
struct Stage {
    engine: Option<String>,
    instance: Option<String>,
    state: Option<String>,
    files: Files,
    wanted: EquilibriumOptions,
    lessons: LearningOptions,
    sampling: zug::Sampling,
    limits: Limits,
}

const STAGE: &[Row<Stage>] = texts!(Stage:
    "instance" text "The instance" => instance;
    "state" term_text "The state" => state;
);

static SOLVE_STAGE: Table<Stage> = Table(&[
    &Rows(STAGE),
    &Rows(texts!(Stage:
        "engine" text "solve_game, or mcts" => engine;
    )),
    &Within(&PROOF, |to: &mut Stage| &mut to.files),
    &Within(&SAMPLING, |to: &mut Stage| &mut to.sampling),
    &Within(&LIMITS, |to: &mut Stage| &mut to.limits),
]);

static NASH: Table<Stage> = Table(&[
    &Rows(STAGE),
    &Within(&EQUILIBRIA, |to: &mut Stage| &mut to.wanted),
    &Within(&LESSONS, |to: &mut Stage| &mut to.lessons),
    &Within(&LIMITS, |to: &mut Stage| &mut to.limits),
]);

/// Solves what the rules pose.
pub(super) fn solve(rules: &mut Rules, asked: &Asked) -> Reports {
    match Contract::of(&rules.session.machine).kind() {
        DomainKind::Game => solve_game(rules, asked),
        DomainKind::Simultaneous => solve_stage(rules, asked),
        DomainKind::Model => solve_model(rules, asked),
        DomainKind::Puzzle | DomainKind::Program => solve_puzzle(rules, asked),
    }
}

fn solve_game(rules: &mut Rules, asked: &Asked) -> Reports {
    let mut wanted = Wanted::<GameRequest>::default();
    take(asked, "solving a game", &SOLVE_GAME, &mut wanted)?;
    let Wanted { request, limits: given, files, workers, .. } = wanted;
    let save = save_to(files.save.clone(), files.force);
    rules.with_base((files.db.as_deref(), save.as_ref()), |rules| {
        let file = rules.file();
        let session = &mut rules.session;
        let limits = limits(session, given);
        let (certificate, save) = (files.certificate(), save.clone());
        let cluster = workers.wanted().map(|wanted| (wanted, workers.disk.clone()));
        let request = GameRequest { file, limits, save, certificate, cluster, ..request };
        let solved = zug::solve_game(session, &request).map_err(failed)?;
        let engine = solved.found.engine;
        let mut found = one(&solved.record(session));
        found.remarks.extend(solved.remark.clone());
        found.remarks.extend(solved.findings.iter().map(zug::diagnostic_text));
        found.remarks.extend(why_one_thread(session, &request.limits, Some(engine)));
        Ok(found)
    })
}

fn solve_puzzle(rules: &mut Rules, asked: &Asked) -> Reports {
    let mut wanted = Wanted::<SolveRequest>::default();
    let all_plans = asked.contains_key("all_plans");
    match all_plans {
        true => take(asked, "finding all cheapest plans", &ALL_PLANS, &mut wanted)?,
        false => take(asked, "solving a puzzle", &SOLVE, &mut wanted)?,
    }
    let Wanted { request, limits: given, files, workers, all_plans: most } = wanted;
    let save = save_to(files.save.clone(), files.force);
    rules.with_base((files.db.as_deref(), save.as_ref()), |rules| {
        let file = rules.file();
        let session = &mut rules.session;
        let limits = limits(session, given);
        let (certificate, save) = (files.certificate(), save.clone());
        let cluster = workers.wanted();
        let request = SolveRequest { file, limits, save, certificate, cluster, ..request };
        let mut found = Found::default();
        if all_plans {
            let each = |report: &zug::usecases::plans::PlansReport, session: &mut Session| {
                found.records.push(record_line("result", &report.record(session)));
                true
            };
            plans(session, &request, most, None, each).map_err(failed)?;
            return Ok(found);
        }
        let solved = zug::solve(session, &request).map_err(failed)?;
        for report in &solved.instances {
            found.records.push(record_line("result", &report.record(session)));
            found.remarks.extend(request.save.as_ref().and_then(|_| report.not_kept()));
        }
        found.remarks.extend(solved.findings.iter().map(zug::diagnostic_text));
        let engine = solved.instances.last().map(|report| report.found.engine);
        found.remarks.extend(why_one_thread(session, &request.limits, engine));
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

fn solve_model(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut wanted =
        Wanted { request: ModelRequest { shown: 1, ..Default::default() }, ..Default::default() };
    take(asked, "solving a model", &SOLVE_MODEL, &mut wanted)?;
    let limits = limits(session, wanted.limits);
    let certificate = wanted.files.certificate();
    let request = ModelRequest { file, limits, certificate, ..wanted.request };
    let mut done = Found::default();
    let each = |found: &ModelReport, session: &mut Session| {
        let conflict = found.conflict.iter().map(|why| {
            let theme = zug::render::style::Theme::new(false);
            let shown = zug::render::explain::explanation(session, why, "", &theme);
            shown.full.unwrap_or(shown.text)
        });
        let conflict = conflict.collect();
        done.records.push(record_line("result", &found.record(session, conflict)));
        true
    };
    solve_models(session, &request, None, each).map_err(failed)?;
    Ok(done)
}

/// A game in which all choose at once: solved from its ends, or tried out by plays at random.
fn solve_stage(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut stage = Stage::default();
    take(asked, "solving a game in which all choose at once", &SOLVE_STAGE, &mut stage)?;
    let Stage { engine, instance, state, files, sampling, .. } = stage;
    let limits = limits(session, stage.limits);
    let tries = match engine.as_deref() {
        Some("mcts") => true,
        Some("solve_game") => false,
        None => sampling.playouts.is_some(),
        Some(engine) => {
            return Err(refused(format!(
                "`{engine}` does not know games in which all choose at once; solve_game and mcts do"
            )));
        }
    };
    if tries {
        if files.certificate.is_some() {
            let why = "`certificate` is for what is solved, and plays at random are not";
            return Err(refused(why));
        }
        let request = TryRequest { file, instance, state, sampling, limits };
        return Ok(one(&try_all(session, &request).map_err(failed)?));
    }
    let certificate = files.certificate();
    let request =
        NashRequest { file, instance, state, limits, certificate, ..NashRequest::default() };
    Ok(one(&nash(session, &request).map_err(failed)?))
}

/// Equilibria of a game in which all choose at once.
pub(super) fn equilibria(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut stage = Stage::default();
    take(asked, "nash", &NASH, &mut stage)?;
    let request = NashRequest {
        file,
        instance: stage.instance,
        state: stage.state,
        all: stage.wanted.all,
        eliminate: stage.wanted.eliminate,
        learn: stage.lessons.learning(),
        limits: limits(session, stage.limits),
        certificate: None,
    };
    Ok(one(&nash(session, &request).map_err(failed)?))
}

//! What the command line does with rules, for Python: a request in, records of JSON out.
//!
//! Each command has a table of the options that it takes; what they are called and what their values may be is
//! said where the settings are. The work is that of [`zug::usecases`], as for the command line.

use crate::asked::{Asked, read, refused, take};
use crate::errors::Trouble;
use crate::session::Rules;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use zug::usecases::Failure;
use zug::usecases::base::SaveTo;
use zug::usecases::certificate::CertificateTo;
use zug::usecases::compare::{CompareRequest, compare_loaded};
use zug::usecases::contest::{ContestRequest, play_all, play_one};
use zug::usecases::enumerate::{EnumerateRequest, enumerate_loaded};
use zug::usecases::generate::{GenerateRequest, generate_loaded};
use zug::usecases::heuristics::{HeuristicsRequest, heuristics_loaded};
use zug::usecases::model::{ModelRequest, solve_models};
use zug::usecases::nash::{NashRequest, nash};
use zug::usecases::new::Kind;
use zug::usecases::play::Agent;
use zug::usecases::train::options::{AGAINST, INSTANCE, RESULT, TrainOptions};
use zug::usecases::train::{Against, TrainRequest, Trainer};
use zug::usecases::try_actions::{TryRequest, try_all};
use zug::{GameRequest, SolveRequest, record_line};
use zug_domain::game::training::TrainingEnd;
use zug_domain::judge::{NODES, TIME};
use zug_domain::model::{LABELLING, SolutionsWanted};
use zug_domain::options::EFFORT;
use zug_domain::simultaneous::contests::{ROUNDS, WINS};
use zug_domain::{Contract, DomainKind};
use zug_matrix::options::{
    ContestOptions, EQUILIBRIA, EquilibriumOptions, LESSONS, LearningOptions, MATCH, TOURNAMENT,
};
use zug_matrix::repeated::{Tournament, Until};
use zug_options::{Rejected, Row, Rows, SetResult, Table, Within};
use zug_prolog::session::Session;
use zug_random::Random;
use zug_search::Limits;
use zug_search::options::{
    BEADS, GENERATING, LIMITS, METHOD, PARAMETERS, RATES, SAMPLING, SCHEDULE, STORAGE, SURVEY,
    SURVEY_NODES, SYMMETRY,
};

/// What a command comes to: records of JSON.
type Reports = Result<Vec<String>, Trouble>;

/// What else is asked for beside the settings of a request.
#[derive(Clone, Debug, Default)]
struct Wanted<T> {
    request: T,
    limits: Limits,
}

/// Rows that keep text in optional fields.
macro_rules! texts {
    ($type:ty: $($name:literal $make:ident $help:literal => $($field:ident).+;)*) => {
        &[$(Row::$make($name, "TEXT", $help, |to: &mut $type, text: &str| {
            to.$($field).+ = Some(text.into());
            Ok(())
        }),)*]
    };
}

static SOLVE: Table<Wanted<SolveRequest>> = Table(&[
    &Rows(texts!(Wanted<SolveRequest>:
        "engine" text "The engine" => request.engine;
        "heuristic" text "The heuristic" => request.heuristic;
        "instance" text "The instance" => request.instance;
        "state" term_text "The state to start from" => request.state;
    )),
    &Rows(&[
        Row::flag("every", "Every instance", |to: &mut Wanted<SolveRequest>, on| {
            to.request.every = on;
            Ok(())
        }),
        Row::file("save", "DB", "The base that plans are kept in", |to, path| {
            to.request.save = Some(SaveTo { path: path.into(), force: false });
            Ok(())
        }),
        Row::file("certificate", "FILE", "The file that the proof goes to", |to, path| {
            to.request.certificate = Some(CertificateTo { path: path.into(), force: false });
            Ok(())
        }),
    ]),
    &Within(&LIMITS, |to: &mut Wanted<SolveRequest>| &mut to.limits),
    &Within(&PARAMETERS, |to: &mut Wanted<SolveRequest>| &mut to.request.options),
    &Within(&SYMMETRY, |to: &mut Wanted<SolveRequest>| &mut to.request.options),
    &Within(&EFFORT, |to: &mut Wanted<SolveRequest>| &mut to.request.effort),
]);

static SOLVE_GAME: Table<Wanted<GameRequest>> = Table(&[
    &Rows(texts!(Wanted<GameRequest>:
        "engine" text "The engine" => request.engine;
        "instance" text "The instance" => request.instance;
        "player" term_text "The player to move" => request.player;
        "state" term_text "The state" => request.state;
    )),
    &Rows(&[
        Row::flag("symmetry", "Take states for one that are alike", |to, on| {
            let to: &mut Wanted<GameRequest> = to;
            to.request.symmetry = on;
            Ok(())
        }),
        Row::file("save", "DB", "The base that solved states are kept in", |to, path| {
            to.request.save = Some(SaveTo { path: path.into(), force: false });
            Ok(())
        }),
        Row::file("certificate", "FILE", "The file that the proof goes to", |to, path| {
            to.request.certificate = Some(CertificateTo { path: path.into(), force: false });
            Ok(())
        }),
    ]),
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
        }),
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
    &Within(&LABELLING, |to: &mut Wanted<ModelRequest>| &mut to.request.labelling),
    &Within(&LIMITS, |to: &mut Wanted<ModelRequest>| &mut to.limits),
]);

/// What is asked of a game in which all choose at once.
#[derive(Clone, Debug, Default)]
struct Stage {
    engine: Option<String>,
    instance: Option<String>,
    state: Option<String>,
    certificate: Option<PathBuf>,
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
        "certificate" file "The file that the proof goes to" => certificate;
    )),
    &Within(&SAMPLING, |to: &mut Stage| &mut to.sampling),
    &Within(&LIMITS, |to: &mut Stage| &mut to.limits),
]);

static NASH: Table<Stage> = Table(&[
    &Rows(STAGE),
    &Within(&EQUILIBRIA, |to: &mut Stage| &mut to.wanted),
    &Within(&LESSONS, |to: &mut Stage| &mut to.lessons),
    &Within(&LIMITS, |to: &mut Stage| &mut to.limits),
]);

static COMPARE: Table<CompareRequest> = Table(&[
    &Rows(&[
        Row::names("engines", "NAMES", "The engines", |to: &mut CompareRequest, names| {
            to.engines = names;
            Ok(())
        }),
        Row::names("heuristics", "NAMES", "The heuristics", |to, names| {
            to.heuristics = names;
            Ok(())
        }),
        Row::names("instances", "NAMES", "The instances", |to, names| {
            to.instances = names;
            Ok(())
        }),
        Row::term_text(
            "state",
            "TERM",
            "The state to start from",
            |to: &mut CompareRequest, text| {
                to.state = Some(text.to_owned());
                Ok(())
            },
        )
        .conflicts(&["instances"]),
        Row::count("random", "N", "Starts made by walks at random", |to, count| {
            to.random = count;
            Ok(())
        }),
        Row::small("steps", "K", "Moves of such a walk, at most", |to, steps| {
            to.steps = steps;
            Ok(())
        }),
    ]),
    &Within(&LIMITS, |to: &mut CompareRequest| &mut to.limits),
    &Within(&PARAMETERS, |to: &mut CompareRequest| &mut to.options),
    &Within(&SYMMETRY, |to: &mut CompareRequest| &mut to.options),
    &Within(&EFFORT, |to: &mut CompareRequest| &mut to.effort),
    &Within(&SAMPLING, |to: &mut CompareRequest| &mut to.sampling),
]);

static ENUMERATE: Table<EnumerateRequest> = Table(&[
    &Rows(texts!(EnumerateRequest:
        "instance" text "The instance" => instance;
        "state" term_text "The state to start from" => state;
        "disk" file "The folder that the states are kept in" => disk;
    )),
    &Rows(&[
        Row::flag("diagrams", "Layers are decision diagrams", |to, on| {
            let to: &mut EnumerateRequest = to;
            to.diagrams = on;
            Ok(())
        }),
        Row::file(
            "save",
            "DB",
            "The base that costs are kept in",
            |to: &mut EnumerateRequest, path| {
                to.save = Some(SaveTo { path: path.into(), force: false });
                Ok(())
            },
        )
        .conflicts(&["disk"]),
    ]),
    &Within(&LIMITS, |to: &mut EnumerateRequest| &mut to.limits),
]);

static HEURISTICS: Table<HeuristicsRequest> = Table(&[
    &Rows(&[
        Row::names("heuristics", "NAMES", "The heuristics", |to: &mut HeuristicsRequest, names| {
            to.heuristics = names;
            Ok(())
        }),
        Row::names("instances", "NAMES", "The instances", |to, names| {
            to.instances = names;
            Ok(())
        }),
    ]),
    &Within(&SURVEY, |to: &mut HeuristicsRequest| &mut to.survey),
    &Within(&SURVEY_NODES, |to: &mut HeuristicsRequest| &mut to.survey),
    &Within(&LIMITS, |to: &mut HeuristicsRequest| &mut to.limits),
]);

static GENERATE: Table<GenerateRequest> = Table(&[
    &Rows(texts!(GenerateRequest:
        "instance" text "The instance" => instance;
        "heuristic" text "The heuristic of searches" => heuristic;
    )),
    &Rows(&[Row::number("cost", "N", "What cheapest plans cost", cost)
        .wants("a cost is a number that is not negative")]),
    &Within(&GENERATING, |to: &mut GenerateRequest| &mut to.options),
    &Within(&LIMITS, |to: &mut GenerateRequest| &mut to.limits),
]);

fn cost(to: &mut GenerateRequest, cost: f64) -> SetResult {
    if !cost.is_finite() || cost < 0.0 {
        return Rejected::out_of_range();
    }
    to.cost = Some(cost);
    Ok(())
}

/// What is asked of a training.
#[derive(Clone, Debug, Default)]
struct Training {
    options: TrainOptions,
    resume: Option<PathBuf>,
    limits: Limits,
}

static TRAIN: Table<Training> = Table(&[
    &Within(&SCHEDULE, |to: &mut Training| &mut to.options.schedule),
    &Within(&AGAINST, |to: &mut Training| &mut to.options),
    &Within(&METHOD, |to: &mut Training| &mut to.options.rule),
    &Within(&BEADS, |to: &mut Training| &mut to.options.rule),
    &Within(&RATES, |to: &mut Training| &mut to.options.rule),
    &Within(&RESULT, |to: &mut Training| &mut to.options),
    &Within(&INSTANCE, |to: &mut Training| &mut to.options),
    &Rows(texts!(Training: "resume" file "Go on with what was learned before" => resume;)),
    &Within(&LIMITS, |to: &mut Training| &mut to.limits),
]);

/// What goes with `resume`: all else is in the file.
const RESUMED: [&str; 5] = ["resume", "games", "save", "time", "memory"];

/// What is asked of players of a repeated game.
#[derive(Clone, Debug, Default)]
struct Contest {
    players: Vec<String>,
    options: ContestOptions,
    limits: Limits,
}

const PLAYERS: &[Row<Contest>] =
    &[Row::names("players", "NAMES", "Who takes part", |to: &mut Contest, names| {
        to.players = names;
        Ok(())
    })];

static ONE_MATCH: Table<Contest> = Table(&[
    &Rows(PLAYERS),
    &Within(&MATCH, |to: &mut Contest| &mut to.options),
    &Within(&LIMITS, |to: &mut Contest| &mut to.limits),
]);

static ALL_MATCHES: Table<Contest> = Table(&[
    &Rows(PLAYERS),
    &Within(&MATCH, |to: &mut Contest| &mut to.options),
    &Within(&TOURNAMENT, |to: &mut Contest| &mut to.options),
    &Within(&LIMITS, |to: &mut Contest| &mut to.limits),
]);

/// Does what a command does: its records.
///
/// # Errors
/// There is no such command, or option of it; what the command comes to in the place of a report.
pub(crate) fn run(rules: &mut Rules, command: &str, request: &str) -> Reports {
    let asked = read(request)?;
    let done = match command {
        "solve" => solve(rules, &asked),
        "nash" => equilibria(rules, &asked),
        "compare" => compare(rules, &asked),
        "enumerate" => enumerate(rules, &asked),
        "heuristics" => heuristics(rules, &asked),
        "generate" => generate(rules, &asked),
        "train" => train(rules, &asked),
        "match" => contest(rules, &asked, true),
        "tournament" => contest(rules, &asked, false),
        _ => Err(refused(format!("there is no command `{command}`"))),
    };
    let _ = rules.session.world.streams.flush_standard();
    done
}

fn failed(failure: Failure) -> Trouble {
    Trouble::failure(&failure)
}

fn one(report: &impl serde::Serialize) -> Vec<String> {
    vec![record_line("result", report)]
}

/// The limits that were given, which Ctrl-C ends too.
fn limits(session: &Session, given: Limits) -> Limits {
    Limits { cancel: Some(session.machine.interrupt.clone()), ..given }
}

fn solve(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    match Contract::of(&session.machine).kind() {
        DomainKind::Game => {
            let mut wanted = Wanted::<GameRequest>::default();
            take(asked, "solving a game", &SOLVE_GAME, &mut wanted)?;
            let limits = limits(session, wanted.limits);
            let request = GameRequest { file, limits, ..wanted.request };
            let solved = zug::solve_game(session, &request).map_err(failed)?;
            Ok(one(&solved.record(session)))
        }
        DomainKind::Simultaneous => solve_stage(rules, asked),
        DomainKind::Model => solve_model(rules, asked),
        DomainKind::Puzzle | DomainKind::Program => {
            let mut wanted = Wanted::<SolveRequest>::default();
            take(asked, "solving a puzzle", &SOLVE, &mut wanted)?;
            let limits = limits(session, wanted.limits);
            let request = SolveRequest { file, limits, ..wanted.request };
            let solved = zug::solve(session, &request).map_err(failed)?;
            let records = solved.instances.iter().map(|found| found.record(session));
            Ok(records.map(|record| record_line("result", &record)).collect())
        }
    }
}

fn solve_model(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut wanted =
        Wanted { request: ModelRequest { shown: 1, ..Default::default() }, ..Default::default() };
    take(asked, "solving a model", &SOLVE_MODEL, &mut wanted)?;
    let request = ModelRequest { file, limits: limits(session, wanted.limits), ..wanted.request };
    let mut records = Vec::new();
    let each = |found: &zug::usecases::model::ModelReport, session: &mut Session| {
        let conflict = found.conflict.iter().map(|why| {
            let theme = zug::render::style::Theme::new(false);
            let shown = zug::render::explain::explanation(session, why, "", &theme);
            shown.full.unwrap_or(shown.text)
        });
        let conflict = conflict.collect();
        records.push(record_line("result", &found.record(session, conflict)));
        true
    };
    solve_models(session, &request, None, each).map_err(failed)?;
    Ok(records)
}

/// A game in which all choose at once: solved from its ends, or tried out by plays at random.
fn solve_stage(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut stage = Stage::default();
    take(asked, "solving a game in which all choose at once", &SOLVE_STAGE, &mut stage)?;
    let Stage { engine, instance, state, certificate, sampling, .. } = stage;
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
        if certificate.is_some() {
            let why = "`certificate` is for what is solved, and plays at random are not";
            return Err(refused(why));
        }
        let request = TryRequest { file, instance, state, sampling, limits };
        return Ok(one(&try_all(session, &request).map_err(failed)?));
    }
    let certificate = certificate.map(|path| CertificateTo { path, force: false });
    let request =
        NashRequest { file, instance, state, limits, certificate, ..NashRequest::default() };
    Ok(one(&nash(session, &request).map_err(failed)?))
}

fn equilibria(rules: &mut Rules, asked: &Asked) -> Reports {
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

fn compare(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut request = CompareRequest { file, steps: 50, ..CompareRequest::default() };
    take(asked, "compare", &COMPARE, &mut request)?;
    request.seed = request.sampling.seed;
    let limits = limits(session, std::mem::take(&mut request.limits));
    request.limits =
        Limits { nodes: limits.nodes.or(Some(NODES)), time: limits.time.or(Some(TIME)), ..limits };
    Ok(one(&compare_loaded(session, &request, &mut |_| {}).map_err(failed)?))
}

fn enumerate(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut request = EnumerateRequest { file, ..EnumerateRequest::default() };
    take(asked, "enumerate", &ENUMERATE, &mut request)?;
    request.limits = limits(session, request.limits);
    Ok(one(&enumerate_loaded(session, &request, None).map_err(failed)?))
}

fn heuristics(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut request = HeuristicsRequest { file, ..HeuristicsRequest::default() };
    take(asked, "heuristics", &HEURISTICS, &mut request)?;
    request.limits = limits(session, request.limits);
    Ok(one(&heuristics_loaded(session, &request, None).map_err(failed)?))
}

fn generate(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut request = GenerateRequest { file, ..GenerateRequest::default() };
    take(asked, "generate", &GENERATE, &mut request)?;
    request.limits = limits(session, request.limits);
    Ok(one(&generate_loaded(session, &request, None).map_err(failed)?))
}

fn train(rules: &mut Rules, asked: &Asked) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let mut training = Training::default();
    take(asked, "train", &TRAIN, &mut training)?;
    let Training { options, resume, limits: given } = training;
    if resume.is_some()
        && let Some(other) = asked.keys().find(|name| !RESUMED.contains(&name.as_str()))
    {
        return Err(refused(format!("`{other}` can't be given with `resume`: it is in the file")));
    }
    if options.against == Against::Agent(Agent::Human) {
        return Err(refused("a person is asked for moves by `zug train` alone"));
    }
    let request = TrainRequest {
        rules: file.display().to_string(),
        instance: options.instance,
        games: options.schedule.games,
        rule: options.rule,
        seed: options.schedule.seed,
        against: options.against,
        baseline: options.baseline,
        resume,
    };
    if let Some(path) = &options.save {
        Trainer::may_save(path).map_err(failed)?;
    }
    let mut trainer = Trainer::begin(session, &request).map_err(failed)?;
    let ended = trainer.run(session, &limits(session, given), &mut |_, _| {});
    // Ctrl-C was for the training: what was learned by then is kept.
    session.machine.interrupt.store(false, Ordering::Relaxed);
    if let Some(path) = &options.save {
        trainer.save(session, path).map_err(failed)?;
    }
    match &ended {
        TrainingEnd::Failed(error) => Err(Trouble::rule(session, error)),
        _ => Ok(one(&trainer.report(session, &ended).map_err(failed)?)),
    }
}

/// Players of a repeated game: two of them once, or every two.
fn contest(rules: &mut Rules, asked: &Asked, is_match: bool) -> Reports {
    let file = rules.file();
    let session = &mut rules.session;
    let (what, table, usual) = match is_match {
        true => ("match", &ONE_MATCH, Until::first_to(WINS)),
        false => ("tournament", &ALL_MATCHES, Until::Rounds(ROUNDS)),
    };
    let mut contest = Contest::default();
    take(asked, what, table, &mut contest)?;
    let Contest { players, options, limits: given } = contest;
    let how = Tournament {
        matches: if is_match { 1 } else { options.matches },
        until: options.until.unwrap_or(usual),
        seed: options.seed.unwrap_or_else(|| Random::from_clock().below(1_000_000)),
    };
    let request = ContestRequest { file, players, how, limits: limits(session, given) };
    let watch = &mut |_, _| {};
    Ok(match is_match {
        true => one(&play_one(session, &request, watch).map_err(failed)?),
        false => one(&play_all(session, &request, watch).map_err(failed)?),
    })
}

/// The engines that there are: a record of JSON for each.
pub(crate) fn engines() -> Vec<String> {
    let puzzles = zug_search::engines().map(|engine| {
        serde_json::json!({
            "name": engine.name, "title": engine.title, "summary": engine.summary,
            "games": false, "informed": engine.informed, "parameters": engine.parameters,
            "threads": engine.threads, "when": engine.when, "reference": engine.reference,
        })
    });
    let games = zug_search::game::game_engines().map(|engine| {
        serde_json::json!({
            "name": engine.name, "title": engine.title, "summary": engine.summary,
            "games": true, "chance": engine.chance, "threads": engine.threads,
            "when": engine.when, "reference": engine.reference,
        })
    });
    puzzles.chain(games).map(|engine| engine.to_string()).collect()
}

/// The text of a rule file to begin with, of a kind as `zug new` has it, that is called so.
///
/// # Errors
/// There is no such kind.
pub(crate) fn template(kind: &str, file: &str) -> Result<String, Trouble> {
    let known = match kind {
        "puzzle" => Kind::Puzzle,
        "game" => Kind::Game,
        "chance" => Kind::Chance,
        "simultaneous" => Kind::Simultaneous,
        "model" => Kind::Model,
        _ => {
            return Err(refused(format!(
                "there is no template of a `{kind}`; there are puzzle, game, chance, simultaneous, model"
            )));
        }
    };
    Ok(known.text(file))
}

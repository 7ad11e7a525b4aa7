//! What is asked for, and doing it.

use super::{CompareReport, judge};
use crate::asking::{Operation, ask, diagnosing, must_suit};
use crate::given::starts;
use crate::{Failure, choose_instances};
use std::path::PathBuf;
use zug_domain::judge::{
    self as beside, Comparison, ComparisonObserver, GameMatrix, NODES, PuzzleMatrix, Start, TIME,
    random_starts, usual_engines, usual_game_engines,
};
use zug_domain::{Contract, DomainKind, Effort, Heuristic};
use zug_options::{Row, row};
use zug_prolog::session::Session;
use zug_search::game::{GameEngine, Sampling};
use zug_search::{Engine, Limits, Options};

/// What is asked for. Lists that are empty mean all, or what is usual.
#[derive(Clone, Debug, Default)]
pub struct CompareRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The engines' names.
    pub engines: Vec<String>,
    /// The heuristics' names.
    pub heuristics: Vec<String>,
    /// The instances' names, or numbers if they have none.
    pub instances: Vec<String>,
    /// The state to start from in their place, as a term.
    pub state: Option<String>,
    /// Starts to be made by walks at random from the first of the instances.
    pub random: u64,
    /// Moves of a walk, at most [default: 50].
    pub steps: Option<u32>,
    /// The seed of the walks.
    pub seed: u64,
    /// Parameters of engines.
    pub options: Options,
    /// How much is done to find out whether plans are the cheapest.
    pub effort: Effort,
    /// How plays at random are made.
    pub sampling: Sampling,
    /// Limits of each search; time and nodes are limited anyway.
    pub limits: Limits,
}

/// What is compared.
pub static OPTIONS: [Row<CompareRequest>; 6] = [
    row!(
        names(
            "engines", "NAMES",
            "The engines, as astar,ucs [default: bfs, ucs, iddfs, astar, idastar and greedy; for games those that fit]",
        ) => CompareRequest.engines
    ),
    row!(names("heuristics", "NAMES", "The heuristics [default: all]") => CompareRequest.heuristics),
    row!(
        names(
            "instances", "NAMES",
            "The instances, by the names in initial_state(Name, S) or by number [default: all]",
        ) => CompareRequest.instances
    )
    .alias("instance"),
    row!(term_text("state", "TERM", "The state to start from, as a term") => Some(CompareRequest.state))
        .conflicts(&["instances"]),
    row!(
        whole("random", "N", "Make so many other starts, by walks at random from the first instance")
            => CompareRequest.random
    ),
    row!(small("steps", "K", "Moves of such a walk, at most") => Some(CompareRequest.steps))
        .default("50")
        .requires("random"),
];

impl CompareRequest {
    fn limits(&self) -> Limits {
        let Limits { nodes, time, .. } = self.limits;
        Limits { nodes: nodes.or(Some(NODES)), time: time.or(Some(TIME)), ..self.limits.clone() }
    }
}

/// Compares by the rules that a session has loaded.
///
/// # Errors
/// See [`Failure`]; an error in a rule is a row.
pub fn compare_loaded(
    session: &mut Session,
    request: &CompareRequest,
    watch: &mut ComparisonObserver<'_>,
) -> Result<CompareReport, Failure> {
    diagnosing(session, |session| {
        let contract = Contract::of(&session.machine);
        must_suit(&contract, Operation::Compare)?;
        match contract.kind() {
            DomainKind::Game => compare_game(session, &contract, request, watch),
            _ => compare_puzzle(session, &contract, request, watch),
        }
    })
}

fn compare_puzzle(
    session: &mut Session,
    contract: &Contract,
    request: &CompareRequest,
    watch: &mut ComparisonObserver<'_>,
) -> Result<CompareReport, Failure> {
    let engines = match request.engines.is_empty() {
        true => usual_engines(contract),
        false => each(&request.engines, |name| {
            Engine::by_name(name).ok_or_else(|| match GameEngine::by_name(name) {
                Some(_) => Failure::NotForPuzzles(name.to_owned()),
                None => Failure::NoSuchEngine(name.to_owned()),
            })
        })?,
    };
    let heuristics = choose_heuristics(session, contract, &request.heuristics)?;
    let informed = engines.iter().find(|engine| engine.info().informed);
    if let Some(engine) = informed.filter(|_| heuristics.is_empty()) {
        let name = engine.info().name;
        return Err(Failure::Players(format!("{name} needs a heuristic, and the file has none")));
    }
    let mut starts = starts_of(session, contract, request)?;
    if let Some(first) = starts.first().filter(|_| request.random > 0) {
        let how = (request.random, request.steps.unwrap_or(50), request.seed);
        let walks = ask(session, |m, w| random_starts(m, w, contract, &first.state, how))?;
        let named = walks.into_iter().zip(1..);
        starts.extend(named.map(|(state, at)| Start { name: format!("walk {at}"), state }));
    }
    let (options, limits) = (request.options.clone(), request.limits());
    let effort = request.effort;
    let matrix = PuzzleMatrix { engines, heuristics, starts, options, limits, effort };
    let runs = ask(session, |m, w| beside::compare(m, w, contract, &matrix, watch))?;
    Ok(judge(session, &request.file.display().to_string(), &Comparison::Puzzle(runs)))
}

fn compare_game(
    session: &mut Session,
    contract: &Contract,
    request: &CompareRequest,
    watch: &mut ComparisonObserver<'_>,
) -> Result<CompareReport, Failure> {
    if !request.heuristics.is_empty() || request.random > 0 {
        let words = "--heuristics and --random are for puzzles, and this file is a game";
        return Err(Failure::Players(words.to_owned()));
    }
    let starts = starts_of(session, contract, request)?;
    let Some(first) = starts.first() else {
        return Err(Failure::NoSuchInstance("1".to_owned(), Vec::new()));
    };
    let engines = match request.engines.is_empty() {
        true => ask(session, |m, w| usual_game_engines(m, w, &first.state))?,
        false => each(&request.engines, |name| {
            GameEngine::by_name(name).ok_or_else(|| match Engine::by_name(name) {
                Some(_) => Failure::NotForGames(name.to_owned()),
                None => Failure::NoSuchEngine(name.to_owned()),
            })
        })?,
    };
    let (sampling, limits) = (request.sampling.clone(), request.limits());
    let symmetry = request.options.symmetry;
    let matrix = GameMatrix { engines, starts, sampling, symmetry, limits };
    let runs = ask(session, |m, w| beside::compare_games(m, w, &matrix, watch))?;
    Ok(judge(session, &request.file.display().to_string(), &Comparison::Game(runs)))
}

fn each<T>(names: &[String], find: impl Fn(&str) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    names.iter().map(|name| find(name)).collect()
}

/// The heuristics of these names, or all.
///
/// # Errors
/// There is none of a name.
pub fn choose_heuristics(
    session: &Session,
    contract: &Contract,
    names: &[String],
) -> Result<Vec<Heuristic>, Failure> {
    let symbols = &session.machine.symbols;
    if names.is_empty() {
        return Ok(contract.heuristics());
    }
    each(names, |name| {
        contract.heuristic_named(symbols, name).ok_or_else(|| {
            let known = contract.heuristics();
            let known = known.iter().map(|heuristic| heuristic.name(symbols)).collect();
            Failure::NoSuchHeuristic(name.to_owned(), known)
        })
    })
}

/// The starts that are asked for.
fn starts_of(
    session: &mut Session,
    contract: &Contract,
    request: &CompareRequest,
) -> Result<Vec<Start>, Failure> {
    if request.state.is_none() {
        return choose_starts(session, contract, &request.instances);
    }
    let given = starts(session, contract, None, request.state.as_deref())?.into_iter();
    Ok(given.map(|named| Start { name: named.name, state: named.instance.state }).collect())
}

/// The starts of these names, or all.
///
/// # Errors
/// There is none of a name, or an error in a rule.
pub fn choose_starts(
    session: &mut Session,
    contract: &Contract,
    names: &[String],
) -> Result<Vec<Start>, Failure> {
    let wanted: Vec<Option<&str>> = match names {
        [] => vec![None],
        names => names.iter().map(|name| Some(&**name)).collect(),
    };
    let mut starts = Vec::new();
    for wanted in wanted {
        let found = choose_instances(session, contract, wanted)?;
        starts.extend(
            found.into_iter().map(|named| Start { name: named.name, state: named.instance.state }),
        );
    }
    Ok(starts)
}

//! Comparison of engines and heuristics: each of them from the same starts, under limits of its
//! own. A limit reached or an error in a rule is a result like others.

use crate::Packed;
use crate::contract::{Contract, Heuristic};
use crate::error::{RuleError, Violation};
use crate::game::{GameTask, find_game, forget_results, initial_player, with_plain_game};
use crate::problem::RuleProblem;
use crate::run::{Task, find, instances, nested, no_start};
use crate::verify::{Effort, verify};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::Duration;
use zug_machine::{Fault, Machine};
use zug_prolog::builtins::World;
use zug_prolog::term_text;
use zug_random::Random;
use zug_report::{GameOutcome, GameSolution, Outcome, Solution, StopReason};
use zug_search::game::{Game, GameEngine, GameProgress, Sampling};
use zug_search::{Engine, Float, Guarantee, Limits, Observer, Options, Progress, Successors};
use zug_term::Record;

/// Expansions of each search unless other limits are given: with a good heuristic enough for
/// most, without one soon over.
pub const NODES: u64 = 1_000_000;
/// Time of each search unless other limits are given.
pub const TIME: Duration = Duration::from_secs(10);

/// A start and what it is called.
#[derive(Clone, Debug)]
pub struct Start {
    /// The name that is shown.
    pub name: String,
    /// The state.
    pub state: Record,
}

/// What is put beside each other in a puzzle.
#[derive(Clone, Debug)]
pub struct PuzzleMatrix {
    /// The engines.
    pub engines: Vec<Engine>,
    /// The heuristics for engines that use one.
    pub heuristics: Vec<Heuristic>,
    /// The starts.
    pub starts: Vec<Start>,
    /// Parameters of engines.
    pub options: Options,
    /// Limits of each search.
    pub limits: Limits,
    /// How much is done to find out whether plans are the cheapest, where no search proves it.
    pub effort: Effort,
}

/// What is put beside each other in a game.
#[derive(Clone, Debug)]
pub struct GameMatrix {
    /// The engines.
    pub engines: Vec<GameEngine>,
    /// The starts.
    pub starts: Vec<Start>,
    /// How plays at random are made.
    pub sampling: Sampling,
    /// States that are alike by symmetries found in the rules count as one.
    pub symmetry: bool,
    /// Limits of each search; the depth says how far plays are followed.
    pub limits: Limits,
}

/// A search that was put beside others.
#[derive(Clone, Debug)]
pub struct Compared<R> {
    /// The engine.
    pub engine: &'static str,
    /// The heuristic, if it uses one.
    pub heuristic: Option<String>,
    /// Where it began.
    pub instance: String,
    /// Its result, or the error in a rule that ended it.
    pub run: Result<R, String>,
}

/// Searches beside each other, in the order in which they were made.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// Of a puzzle.
    Puzzle(Vec<Compared<Solution<Record>>>),
    /// Of a game.
    Game(Vec<Compared<GameSolution<Record>>>),
}

impl Comparison {
    /// The last search was interrupted: there are fewer than were asked for.
    pub fn is_interrupted(&self) -> bool {
        let last = match self {
            Comparison::Puzzle(all) => last(all).and_then(|found| found.outcome().reason()),
            Comparison::Game(all) => last(all).and_then(|found| found.outcome.reason()),
        };
        last == Some(StopReason::Cancelled)
    }
}

/// The last result.
fn last<R>(all: &[Compared<R>]) -> Option<&R> {
    all.last()?.run.as_ref().ok()
}

/// The progress of a comparison.
#[derive(Clone, Debug)]
pub struct ComparisonProgress<'a> {
    /// Searches that are done.
    pub done: usize,
    /// Searches in all.
    pub all: usize,
    /// The engine at work.
    pub engine: &'static str,
    /// Its heuristic.
    pub heuristic: Option<&'a str>,
    /// Where it began.
    pub instance: &'a str,
    /// Nodes so far in this search.
    pub nodes: u64,
}

/// Notified of the progress of a comparison, at the start of every search and now and then in it.
pub type ComparisonObserver<'a> = dyn FnMut(&ComparisonProgress<'_>) + 'a;

/// Starts made by walks at random from another one: `count` of them, of 1 to `steps` moves
/// each. No move goes straight back where another is possible.
///
/// # Errors
/// An error in a rule.
pub fn random_starts(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    from: &Record,
    (count, steps, seed): (u64, u32, u64),
) -> Result<Vec<Record>, Box<RuleError>> {
    nested(m, w, &Limits::none(), |m, w, _| {
        let mut problem = RuleProblem::<Float, Packed>::new(m, w, contract, None, false)?;
        let start = problem.pack(from)?;
        let mut random = Random::new(seed);
        let mut found = Vec::new();
        for _ in 0..count {
            let (mut before, mut at) = (None, start.clone());
            for _ in 0..=random.below(u64::from(steps.max(1))) {
                let mut next = Successors::default();
                problem.successors(&at, &mut next)?;
                let mut states = next.rows;
                if states.iter().any(|state| Some(state) != before.as_ref() && *state != at) {
                    states.retain(|state| Some(state) != before.as_ref() && *state != at);
                }
                if states.is_empty() {
                    break;
                }
                let chosen = states.swap_remove(random.below(states.len() as u64) as usize);
                before = Some(std::mem::replace(&mut at, chosen));
            }
            found.push(problem.unpack(at.bytes()));
        }
        Ok(found)
    })
}

/// The engines that are compared in a puzzle unless others are asked for.
pub fn usual_engines(contract: &Contract) -> Vec<Engine> {
    let all =
        [Engine::Bfs, Engine::Ucs, Engine::Iddfs, Engine::Astar, Engine::Idastar, Engine::Greedy];
    let informed = !contract.heuristics().is_empty();
    all.into_iter().filter(|engine| informed || !engine.info().informed).collect()
}

/// The same in the game that is loaded: those for so many players, with or without chance.
///
/// # Errors
/// An error in a rule.
pub fn usual_game_engines(
    m: &mut Machine,
    w: &mut World,
    start: &Record,
) -> Result<Vec<GameEngine>, Box<RuleError>> {
    let player = initial_player(m, w)?;
    let (chance, players) = with_plain_game(m, w, &Limits::none(), |table| {
        table.position(player.as_ref(), start)?;
        // Those who are told apart are as many as there are when it comes to engines.
        let players = table.game.players() + usize::from(table.is_general_sum()?);
        Ok((table.game.has_chance(), players))
    })?;
    let all = match (chance, players) {
        (true, _) => &[GameEngine::SolveGame, GameEngine::Expectiminimax, GameEngine::Mcts][..],
        (false, 2) => &[
            GameEngine::SolveGame,
            GameEngine::Alphabeta,
            GameEngine::Negamax,
            GameEngine::Minimax,
            GameEngine::Mcts,
        ],
        (false, _) => &[GameEngine::SolveGame, GameEngine::Maxn, GameEngine::Mcts],
    };
    Ok(all.iter().copied().filter(|engine| engine.info().players.allows(players)).collect())
}

/// The starts a program gives, by their names, or their numbers where they have none.
///
/// # Errors
/// A predicate is missing, or an error in a rule.
pub fn named_starts(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    most: usize,
) -> Result<Vec<Start>, Box<RuleError>> {
    let found = instances(m, w, contract, most)?;
    if found.is_empty() {
        return Err(no_start(m, contract));
    }
    let named = found.into_iter().enumerate().map(|(at, instance)| {
        let name = instance.name.map(|name| term_text(m, w, &name));
        Start { name: name.unwrap_or_else(|| (at + 1).to_string()), state: instance.state }
    });
    Ok(named.collect())
}

/// Whether an error ends the comparison: the program ends, the query is stopped, or a predicate
/// that every search needs is not there.
fn is_end(error: &RuleError) -> bool {
    let missing = matches!(error.violation, Violation::Missing(_));
    missing || matches!(error.fault(), Some(Fault::Halt(_) | Fault::Stopped(_)))
}

/// The starts under unique names.
fn distinct(starts: &[Start]) -> Vec<Start> {
    let mut named: Vec<Start> = Vec::with_capacity(starts.len());
    let mut seen: HashMap<&str, u32> = HashMap::new();
    for start in starts {
        let times = seen.entry(&start.name).or_default();
        *times += 1;
        let name = match *times {
            1 => start.name.clone(),
            times => format!("{} ({times})", start.name),
        };
        named.push(Start { name, state: start.state.clone() });
    }
    named
}

/// Runs every engine with every heuristic from every start, until an interrupt.
///
/// # Errors
/// The rules end the program, or a limit of the session strikes.
pub fn compare(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    matrix: &PuzzleMatrix,
    watch: &mut ComparisonObserver<'_>,
) -> Result<Vec<Compared<Solution<Record>>>, Box<RuleError>> {
    let mut methods: Vec<(Engine, Option<Heuristic>)> = Vec::new();
    for &engine in &matrix.engines {
        match engine.info().informed {
            true => methods.extend(matrix.heuristics.iter().map(|&h| (engine, Some(h)))),
            false => methods.push((engine, None)),
        }
    }
    let all = methods.len() * matrix.starts.len();
    let mut rows: Vec<Compared<Solution<Record>>> = Vec::new();
    for start in &distinct(&matrix.starts) {
        let first = rows.len();
        let mut best: Option<usize> = None;
        for &(engine, heuristic) in &methods {
            let name = heuristic.map(|heuristic| heuristic.name(&m.symbols));
            let mut standing = ComparisonProgress {
                done: rows.len(),
                all,
                engine: engine.info().name,
                heuristic: name.as_deref(),
                instance: &start.name,
                nodes: 0,
            };
            watch(&standing);
            let mut each = |progress: &Progress| {
                standing.nodes = progress.expanded;
                watch(&standing);
            };
            let observer: &mut Observer<'_> = &mut each;
            let options = matrix.options.clone();
            let (by_itself, limits) = (false, matrix.limits.clone());
            let task = Task { engine, heuristic, options, by_itself, limits };
            let found = find(m, w, contract, &task, &start.state, Some(observer));
            let run = match found {
                Err(error) if is_end(&error) => return Err(error),
                found => found.map_err(|error| error.message(m, w)),
            };
            let best_yet = best.and_then(|at: usize| rows[at].run.as_ref().ok());
            if run.as_ref().is_ok_and(|found| is_better(found, best_yet)) {
                best = Some(rows.len());
            }
            let cancelled = Outcome::Stopped(StopReason::Cancelled);
            let cancelled = run.as_ref().is_ok_and(|found| found.outcome() == cancelled);
            let (engine, instance) = (engine.info().name, start.name.clone());
            rows.push(Compared { engine, heuristic: name, instance, run });
            if cancelled {
                return Ok(rows);
            }
        }
        // One search that proves it proves it for all.
        let proved = |row: &Compared<Solution<Record>>| {
            row.run.as_ref().is_ok_and(|found| found.ending.is_proved_optimal())
        };
        if let Some(at) = best.filter(|_| !rows[first..].iter().any(proved))
            && let Ok(found) = &mut rows[at].run
        {
            verify(m, w, contract, (&matrix.limits, matrix.effort), found);
        }
    }
    Ok(rows)
}

/// Whether a search says more of the cheapest plans than the best one so far: its plan is cheaper,
/// or it claims that none is.
fn is_better(found: &Solution<Record>, best: Option<&Solution<Record>>) -> bool {
    let rank = |found: &Solution<Record>| match Engine::by_name(found.engine)
        .map(|engine| engine.info().guarantee)
    {
        Some(Guarantee::Cheapest) => 2,
        Some(Guarantee::Factor) => 1,
        _ => 0,
    };
    let Some(cost) = &found.cost else { return false };
    let Some((best, known)) = best.and_then(|best| Some((best, best.cost.as_ref()?))) else {
        return true;
    };
    match cost.compare(known) {
        Ordering::Less => true,
        Ordering::Equal => rank(found) > rank(best),
        Ordering::Greater => false,
    }
}

/// As [`compare`] for a game of players in turn.
///
/// # Errors
/// As [`compare`].
pub fn compare_games(
    m: &mut Machine,
    w: &mut World,
    matrix: &GameMatrix,
    watch: &mut ComparisonObserver<'_>,
) -> Result<Vec<Compared<GameSolution<Record>>>, Box<RuleError>> {
    let player = initial_player(m, w)?;
    let all = matrix.engines.len() * matrix.starts.len();
    let mut rows: Vec<Compared<GameSolution<Record>>> = Vec::new();
    for start in &distinct(&matrix.starts) {
        for &engine in &matrix.engines {
            let name = engine.info().name;
            let mut standing = ComparisonProgress {
                done: rows.len(),
                all,
                engine: name,
                heuristic: None,
                instance: &start.name,
                nodes: 0,
            };
            watch(&standing);
            let mut each = |progress: &GameProgress| {
                standing.nodes = progress.nodes;
                watch(&standing);
            };
            // What an engine before it has found out is not to help the next one.
            forget_results(w);
            let (sampling, limits) = (matrix.sampling.clone(), matrix.limits.clone());
            let (depth, symmetry) = (limits.depth, matrix.symmetry);
            let task = GameTask { depth, sampling, symmetry, limits, ..GameTask::of(engine) };
            let found = find_game(m, w, &task, player.as_ref(), &start.state, Some(&mut each));
            let run = match found {
                Err(error) if is_end(&error) => return Err(error),
                found => found.map_err(|error| error.message(m, w)),
            };
            let stopped = GameOutcome::Stopped(StopReason::Cancelled);
            let cancelled = run.as_ref().is_ok_and(|run| run.outcome == stopped);
            let instance = start.name.clone();
            rows.push(Compared { engine: name, heuristic: None, instance, run });
            if cancelled {
                return Ok(rows);
            }
        }
    }
    Ok(rows)
}

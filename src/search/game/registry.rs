//! The run of a game engine. Which there are, the list in `mod.rs` says.
//!
//! A new engine is a file with an `INFO` and a `search`, its module and a line of that list, and a
//! page. Command-line help, the tables of the manual and the engine predicates are made from
//! [`game_engines`], and tests go through all.

use super::graph::{GraphOf, NodeId};
use super::interface::Game;
use super::meter::{Answer, Halt, Meter};
use super::options::GameOptions;
use super::report::{GameError, GameObserver, GameOutcome, GameReport, Verdict};
use super::solved::Solved;
use super::{GameEngine, alphabeta, compact, soonest};
use crate::limits::Limits;
use crate::space::MoveId;

impl GameEngine {
    /// Whether what it asks of the rules is kept in the graph; else it keeps states by value.
    pub fn fills_graph(self) -> bool {
        self != Self::Alphabeta
    }

    /// Whether its move is that of the textbook, the first best one in move order, also where a person asks.
    pub fn is_reference(self) -> bool {
        matches!(self, Self::Minimax | Self::Negamax)
    }

    /// Whether it makes plays at random.
    pub fn is_sampling(self) -> bool {
        matches!(self, Self::Mcts | Self::Playouts)
    }
}

/// What [`run`] returns.
pub type RunResult<G> = Result<GameReport<<G as Game>::Value>, GameError>;

/// Finds the value of a state and a move that reaches it.
///
/// The graph is one of this game, new or from an earlier search. The observer, if there is
/// one, is called now and then while the search runs.
///
/// # Errors
/// The failure of an operation of the game, as soon as it happens, with the counts so far.
pub fn run<G: Game>(
    engine: GameEngine,
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    options: &GameOptions,
    limits: &Limits,
    observer: Option<&mut GameObserver<'_>>,
) -> RunResult<G> {
    let mut solved = Solved::new(game);
    run_keeping(engine, game, (graph, &mut solved), start, options, limits, observer)
}

/// As [`run`], with what is solved of the graph already; `solve_game` adds to it.
///
/// # Errors
/// As [`run`].
pub fn run_keeping<G: Game>(
    engine: GameEngine,
    game: &mut G,
    (graph, solved): (&mut GraphOf<G>, &mut Solved<G::Value>),
    start: &G::State,
    options: &GameOptions,
    limits: &Limits,
    observer: Option<&mut GameObserver<'_>>,
) -> RunResult<G> {
    let search = |game: &mut G,
                  graph: &mut GraphOf<G>,
                  root: &mut NodeId,
                  meter: &mut Meter<'_>| match engine {
        GameEngine::SolveGame => compact::search(game, (graph, solved), *root, options, meter),
        _ => GameEngine::search(engine, game, graph, root, options, meter),
    };
    // The other plain engines leave the line to alpha-beta: it finds the same moves.
    let plain = Some(alphabeta::line::<G> as LineOf<G>);
    run_from(engine, game, graph, start, (options, limits), observer, (search, plain))
}

/// As [`run`] with [`GameEngine::Alphabeta`]; the other engines are not compiled for this game.
///
/// # Errors
/// As [`run`].
pub fn run_alphabeta<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    options: &GameOptions,
    limits: &Limits,
    observer: Option<&mut GameObserver<'_>>,
) -> RunResult<G> {
    let engine = GameEngine::Alphabeta;
    let search =
        |game: &mut G, graph: &mut GraphOf<G>, root: &mut NodeId, meter: &mut Meter<'_>| {
            alphabeta::search(game, graph, root, options, meter)
        };
    run_from(engine, game, graph, start, (options, limits), observer, (search, None))
}

/// Best play from a node at a depth, for engines that find none; as a value, so that it is compiled only for games that
/// such engines search.
type LineOf<G> = fn(&mut G, &mut GraphOf<G>, NodeId, Option<u32>, &Limits) -> Vec<MoveId>;

/// Runs a search from the node of a state.
fn run_from<G: Game>(
    engine: GameEngine,
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    (options, limits): (&GameOptions, &Limits),
    observer: Option<&mut GameObserver<'_>>,
    (search, line_of): (
        impl FnOnce(&mut G, &mut GraphOf<G>, &mut NodeId, &mut Meter<'_>) -> Answer<G>,
        Option<LineOf<G>>,
    ),
) -> RunResult<G> {
    let before = graph.asked();
    let mut meter = Meter::new(limits, observer);
    let mut root = 0;
    let answer = match graph.intern(game, start) {
        Ok(number) => {
            root = number;
            search(game, graph, &mut root, &mut meter)
        }
        Err(reason) => Err(Halt::Stop(reason)),
    };
    meter.finish(graph, before);
    report(engine, game, graph, (root, answer, line_of), (options, limits), &meter)
}

/// The result of a search.
fn report<G: Game>(
    engine: GameEngine,
    game: &mut G,
    graph: &mut GraphOf<G>,
    (root, answer, line_of): (NodeId, Answer<G>, Option<LineOf<G>>),
    (options, limits): (&GameOptions, &Limits),
    meter: &Meter<'_>,
) -> RunResult<G> {
    let stats = meter.stats;
    let ended = |outcome, line, verdict| GameReport { engine, outcome, line, verdict, stats };
    let mut verdict = match answer {
        Ok(verdict) => verdict,
        Err(Halt::Stop(reason)) => {
            let outcome = GameOutcome::Stopped(reason);
            return Ok(ended(outcome, Vec::new(), Verdict::default()));
        }
        Err(Halt::Fail(error)) => {
            return Err(GameError { error, stats: Box::new(stats) });
        }
    };
    let time = limits.time.map(|time| time.saturating_sub(stats.elapsed));
    let limits = &Limits { time, ..limits.clone() };
    if options.soonest && verdict.distance.is_none() && engine != GameEngine::Playouts {
        let sign_only = engine == GameEngine::Pns;
        let depth = options.depth.filter(|_| !sign_only);
        let request = soonest::Request { depth, sign_only, nodes: stats.nodes, limits };
        soonest::settle(game, graph, root, &mut verdict, &request);
    }
    let depth = verdict.depth.or(options.depth);
    let line_of = || line_of.map(|line_of| line_of(game, graph, root, depth, limits));
    let mut line = verdict.played.take().or_else(line_of).unwrap_or_default();
    if line.is_empty() {
        line.extend(verdict.best);
    }
    let outcome = verdict.stopped.map_or(GameOutcome::Solved, GameOutcome::Stopped);
    Ok(ended(outcome, line, verdict))
}

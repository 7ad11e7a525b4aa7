//! What there is to know of game engines, and running one. Which there are, the list in `mod.rs`
//! says.
//!
//! A new engine is a file with an `INFO` and a `search`, its module and a line of that list, and a
//! page. Command-line help, the tables of the manual and the engine predicates are made from
//! [`game_engines`], and tests go through all.

use super::full_width::SubtreeValue;
use super::graph::{Graph, GraphOf, NodeId};
use super::interface::Game;
use super::meter::{Halt, Meter};
use super::report::{GameError, GameObserver, GameOutcome, GameReport, Verdict};
use super::retrograde::Solved;
use super::{GameEngine, alphabeta, compact, soonest};
use crate::limits::Limits;
use crate::space::{MoveId, Row};

/// For how many players an engine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayersAllowed {
    /// One, or two of whom one wins what the other loses.
    OneOrTwo,
    /// Two, and what one wins the other loses.
    Two,
    /// Any number.
    Any,
}

impl PlayersAllowed {
    /// Whether a game with so many players can be searched.
    pub fn allows(self, players: usize) -> bool {
        match self {
            Self::OneOrTwo => players <= 2,
            Self::Two => players == 2,
            Self::Any => true,
        }
    }

    /// Who they are, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::OneOrTwo => "one or two players",
            Self::Two => "two players",
            Self::Any => "any number of players",
        }
    }

    /// How many, in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneOrTwo => "1 or 2",
            Self::Two => "2",
            Self::Any => "any",
        }
    }
}

/// What there is to know of an engine before using it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEngineInfo {
    /// The name in commands and queries.
    pub name: &'static str,
    /// The name in print.
    pub title: &'static str,
    /// What it finds, in half a line.
    pub summary: &'static str,
    /// For how many players it is.
    pub players: PlayersAllowed,
    /// It can play games where chance moves.
    pub chance: bool,
    /// Several threads can work at it ([`Limits::threads`]).
    pub threads: bool,
    /// Take it when this is so.
    pub when: &'static str,
    /// Author and year.
    pub reference: &'static str,
}

/// Parameters of game engines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameOptions {
    /// Follow plays for so many moves and take the estimate there; else to their end.
    /// `solve_game` and `pns` always follow them to the end.
    pub depth: Option<u32>,
    /// How plays at random are made, for the engines that make some.
    pub sampling: Sampling,
    /// How `solve_game` keeps states.
    pub storage: Storage,
    /// Of moves of equal value take that of the shortest win or of the longest defence, in games of two players without
    /// chance; else the first in move order. `solve_game` always does.
    pub soonest: bool,
}

/// How `solve_game` keeps states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// Sorted, in a few bytes each, and without their moves; else so when there are millions from which no
    /// play comes back, or the graph takes all memory.
    pub compact: bool,
}

/// How plays at random are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// How many; [`Sampling::PLAYOUTS`] if neither this nor another limit is given.
    pub playouts: Option<u64>,
    /// The same seed makes the same plays.
    pub seed: u64,
    /// How much is given to moves that were tried little: the factor c of UCB1, for values
    /// between 0 and 1.
    pub exploration: f64,
    /// Follow a play at random for so many moves and take the estimate there; else to its end.
    pub cutoff: Option<u32>,
    /// How many plays through a state make what came of a move whenever it was made (RAVE)
    /// count as much as what came of it at once; `None` to leave that out.
    pub rave: Option<f64>,
}

impl Sampling {
    /// Plays unless something else is said.
    pub const PLAYOUTS: u64 = 10_000;
}

impl Default for Sampling {
    fn default() -> Self {
        let exploration = std::f64::consts::SQRT_2;
        Self { playouts: None, seed: 1, exploration, cutoff: None, rave: None }
    }
}

/// What the engine functions return.
pub(super) type Answer<G> = Result<Verdict<<G as Game>::Value>, Halt>;
/// As [`Answer`], of functions that may leave a game to another.
pub(super) type PerhapsAnswer<G> = Result<Option<Verdict<<G as Game>::Value>>, Halt>;

impl<V> Verdict<V> {
    /// The value of a root at a depth.
    pub(super) fn at_depth<S: Row>(
        graph: &Graph<S, V>,
        root: NodeId,
        worth: SubtreeValue<V>,
        depth: Option<u32>,
    ) -> Self {
        Self {
            value: Some(worth.value),
            best: worth.best_edge.map(|edge| graph.edge(root, edge).mv),
            exact: worth.exact,
            depth: depth.filter(|_| !worth.exact),
            ..Self::default()
        }
    }
}

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

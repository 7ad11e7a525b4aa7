//! What a game engine found, and what it took.

use super::GameEngine;
use super::expected::Expected;
use std::fmt;
use std::time::Duration;

pub use zug_report::{GameOutcome, GameStats, Proof, Tried};

/// Values that need not be among those of the game: means over what chance does, or over
/// plays at random.
#[derive(Clone, Debug, PartialEq)]
pub struct Means<M> {
    /// To each player, by number.
    pub values: Vec<Expected>,
    /// The values are right but for this much; `None` if they are exact or the error is unknown.
    pub error: Option<f64>,
    /// Who wins is proved, the value is not.
    pub proof: Option<Proof>,
    /// The moves that were tried, in move order, by engines that try them.
    pub tried: Vec<Tried<M>>,
}

impl<M> Means<M> {
    /// Values, and nothing else.
    pub fn new(values: Vec<Expected>) -> Self {
        Self { values, error: None, proof: None, tried: Vec::new() }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct GameReport<M, V> {
    /// The engine that searched.
    pub engine: GameEngine,
    /// How it ended.
    pub outcome: GameOutcome,
    /// The value to the player to move.
    pub value: Option<V>,
    /// The values to all players, where the engine computes them; else empty.
    pub values: Vec<V>,
    /// The first move in move order that reaches the value; none at the end of the game and
    /// at depth 0.
    pub best: Option<M>,
    /// Best play from the root on, as far as the engine knows it.
    pub line: Vec<M>,
    /// No estimate went into the value.
    pub exact: bool,
    /// Somewhere moves of equal value to the mover differ for other players: the values are
    /// those that follow if the first such move is made.
    pub ties: bool,
    /// Moves to the end with best play, if it is proved who wins: soonest for who wins, latest for who loses. The
    /// value is then at least so far from 0, also where it is not exact.
    pub distance: Option<u32>,
    /// The depth the value belongs to; `None` if every play was followed to its end.
    pub depth: Option<u32>,
    /// Values that need not be among those of the game, in the place of `value` and `values`.
    pub means: Option<Means<M>>,
    /// The counts.
    pub stats: GameStats,
}

impl<M, V> GameReport<M, V> {
    /// The same report with other values.
    pub fn map_values<W>(self, map: impl Fn(V) -> W) -> GameReport<M, W> {
        GameReport {
            engine: self.engine,
            outcome: self.outcome,
            value: self.value.map(&map),
            values: self.values.into_iter().map(map).collect(),
            best: self.best,
            line: self.line,
            exact: self.exact,
            ties: self.ties,
            distance: self.distance,
            depth: self.depth,
            means: self.means,
            stats: self.stats,
        }
    }
}

/// An operation of the game failed, and the search with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameError<E> {
    /// What the operation said.
    pub error: E,
    /// The counts up to then.
    pub stats: Box<GameStats>,
}

impl<E: fmt::Display> fmt::Display for GameError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the game failed: {}", self.error)
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for GameError<E> {}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameProgress {
    /// Nodes so far.
    pub nodes: u64,
    /// States asked about so far.
    pub states: u64,
    /// The depth that is being searched; `None` if there is none.
    pub depth: Option<u32>,
    /// Bytes held now.
    pub memory_bytes: usize,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Called now and then while a search runs: at most ten times a second.
pub type GameObserver<'a> = dyn FnMut(&GameProgress) + 'a;

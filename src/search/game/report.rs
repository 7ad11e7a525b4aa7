//! What a game engine found, and what it took.

use super::GameEngine;
use super::expected::Expected;
use crate::report::StopReason;
use crate::space::{Failure, MoveId};
use std::fmt;
use std::ops::Deref;
use std::time::Duration;

pub use zug_report::{GameOutcome, GameStats, Proof, Tried};

/// Values that need not be among those of the game: means over what chance does, or over
/// plays at random.
#[derive(Clone, Debug, PartialEq)]
pub struct Means {
    /// To each player, by number.
    pub values: Vec<Expected>,
    /// The values are right but for this much; `None` if they are exact or the error is unknown.
    pub error: Option<f64>,
    /// Who wins is proved, the value is not.
    pub proof: Option<Proof>,
    /// The moves that were tried, in move order, by engines that try them.
    pub tried: Vec<Tried<MoveId>>,
}

impl Means {
    /// Values, and nothing else.
    pub fn new(values: Vec<Expected>) -> Self {
        Self { values, error: None, proof: None, tried: Vec::new() }
    }
}

/// What an engine concluded of a state.
#[derive(Clone, Debug)]
pub struct Verdict<V> {
    /// The value to the player to move.
    pub value: Option<V>,
    /// The values to all players, where the engine computes them; else empty.
    pub values: Vec<V>,
    /// The first move in move order that reaches the value; none at the end of the game and
    /// at depth 0.
    pub best: Option<MoveId>,
    /// Best play from the root on, if the engine itself finds it.
    pub played: Option<Vec<MoveId>>,
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
    /// The limit that kept it from more.
    pub stopped: Option<StopReason>,
    /// Values that need not be among those of the game, in the place of `value` and `values`.
    pub means: Option<Means>,
}

impl<V> Default for Verdict<V> {
    /// Nothing.
    fn default() -> Self {
        Self {
            value: None,
            values: Vec::new(),
            best: None,
            played: None,
            exact: false,
            ties: false,
            distance: None,
            depth: None,
            stopped: None,
            means: None,
        }
    }
}

impl<V> Verdict<V> {
    /// A verdict in values that need not be among those of the game.
    pub(super) fn in_means(means: Means, best: Option<MoveId>) -> Self {
        Self { best, played: Some(Vec::new()), means: Some(means), ..Self::default() }
    }
}

/// The result of a search: a verdict, which is empty if a limit struck before, and what it took.
#[derive(Clone, Debug)]
pub struct GameReport<V> {
    /// The engine that searched.
    pub engine: GameEngine,
    /// How it ended.
    pub outcome: GameOutcome,
    /// Best play from the root on, as far as it is known.
    pub line: Vec<MoveId>,
    /// What it concluded.
    pub verdict: Verdict<V>,
    /// The counts.
    pub stats: GameStats,
}

impl<V> Deref for GameReport<V> {
    type Target = Verdict<V>;

    fn deref(&self) -> &Verdict<V> {
        &self.verdict
    }
}

impl<V> GameReport<V> {
    /// The same report with other values.
    pub fn map_values<W>(self, map: impl Fn(V) -> W) -> GameReport<W> {
        let GameReport { engine, outcome, line, verdict, stats } = self;
        let Verdict { best, played, exact, ties, distance, depth, stopped, means, .. } = verdict;
        let value = verdict.value.map(&map);
        let values = verdict.values.into_iter().map(map).collect();
        let verdict =
            Verdict { value, values, best, played, exact, ties, distance, depth, stopped, means };
        GameReport { engine, outcome, line, verdict, stats }
    }
}

/// An operation of the game failed, and the search with it.
#[derive(Debug)]
pub struct GameError {
    /// What the operation said.
    pub error: Failure,
    /// The counts up to then.
    pub stats: Box<GameStats>,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an operation of the game failed")
    }
}

impl std::error::Error for GameError {}

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

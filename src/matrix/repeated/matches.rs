//! A match: two models play rounds of a game.

use super::game::RepeatedGame;
use super::model::Model;
use super::spec::{ModelError, ModelSpec};
use crate::learn::draw;
use crate::meter::Meter;
use crate::rational::Rational;
use crate::tables::Bimatrix;
use std::cmp::Ordering;
use zug_random::Random;
use zug_search::{Limits, StopReason};

/// When a match is over, and who has won it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After so many rounds; who was paid more has won.
    Rounds(u64),
    /// When a player has won so many rounds, or after `rounds`; who won more has won.
    Wins {
        /// Rounds to win.
        wins: u64,
        /// Rounds at most.
        rounds: u64,
    },
}

/// Rounds that a match to a number of wins lasts at most, for each of them.
const ROUNDS_A_WIN: u64 = 100;

impl Until {
    /// Until a player has won so many rounds, but no longer than a hundred times as many rounds.
    pub fn first_to(wins: u64) -> Self {
        Until::Wins { wins, rounds: wins.saturating_mul(ROUNDS_A_WIN) }
    }
}

/// One round, by player.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// What each player expected of the other: a probability for each of the other's actions.
    pub expected: [Vec<f64>; 2],
    /// With which probabilities each chose.
    pub mixed: [Vec<f64>; 2],
    /// What each played.
    pub actions: [usize; 2],
    /// Who was paid more.
    pub winner: Option<usize>,
}

/// The score of a match, by player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Rounds played.
    pub rounds: u64,
    /// Rounds in which the player was paid more than the other.
    pub wins: [u64; 2],
    /// Rounds in which both were paid the same.
    pub draws: u64,
    /// What was paid in all rounds.
    pub payoffs: [Rational; 2],
}

/// A match in progress.
pub struct Match<'g> {
    game: &'g RepeatedGame,
    models: [Box<dyn Model>; 2],
    random: Random,
    score: Score,
}

impl<'g> Match<'g> {
    /// A match before its first round; `models[p]` sits in the seat of player `p`.
    pub fn new(game: &'g RepeatedGame, models: [Box<dyn Model>; 2], seed: u64) -> Self {
        Self { game, models, random: Random::new(seed), score: Score::default() }
    }

    /// The score so far.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// Plays a round.
    pub fn step(&mut self) -> Round {
        let expected = [0, 1].map(|player| self.models[player].expects());
        let mixed = [0, 1].map(|player| self.models[player].plays());
        let actions = [draw(&mixed[0], &mut self.random), draw(&mixed[1], &mut self.random)];
        let winner = self.score.count(self.game.game(), actions);
        for player in [0, 1] {
            self.models[player].observe(actions[player], actions[1 - player]);
        }
        Round { expected, mixed, actions, winner }
    }
}

impl Score {
    /// Counts a round; who was paid more in it.
    pub fn count(&mut self, game: &Bimatrix, actions: [usize; 2]) -> Option<usize> {
        let pays = [0, 1].map(|player| game.payoffs(player).at(actions[0], actions[1]));
        self.rounds += 1;
        self.payoffs.iter_mut().zip(pays).for_each(|(sum, pays)| *sum += pays);
        let winner = greater(pays[0], pays[1]);
        match winner {
            Some(player) => self.wins[player] += 1,
            None => self.draws += 1,
        }
        winner
    }

    /// Whether a match of this score is over.
    pub fn is_over(&self, until: Until) -> bool {
        match until {
            Until::Rounds(rounds) => self.rounds >= rounds,
            Until::Wins { wins, rounds } => {
                self.rounds >= rounds || self.wins.iter().any(|&won| won >= wins)
            }
        }
    }

    /// Who is ahead.
    pub fn leader(&self, until: Until) -> Option<usize> {
        match until {
            Until::Rounds(_) => greater(&self.payoffs[0], &self.payoffs[1]),
            Until::Wins { .. } => greater(&self.wins[0], &self.wins[1]),
        }
    }
}

/// The number of the greater one.
fn greater<T: Ord>(first: &T, second: &T) -> Option<usize> {
    match first.cmp(second) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal => None,
    }
}

/// The result of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchReport {
    /// The score at the end.
    pub score: Score,
    /// Who has won, or is ahead where a limit struck.
    pub winner: Option<usize>,
    /// The limit that ended the match early.
    pub stopped: Option<StopReason>,
}

/// Plays a match; `nodes` of the limits are rounds.
///
/// # Errors
/// A model can't be made.
///
/// ```
/// use zug_search::Limits;
/// use zug_matrix::repeated::{ModelSpec, RepeatedGame, Until, play};
/// use zug_matrix::{Matrix, MatrixGame};
///
/// let rps = Matrix::of_integers(&[[0, -1, 1], [1, 0, -1], [-1, 1, 0]])?;
/// let game = RepeatedGame::new(MatrixGame::new(rps).to_bimatrix());
/// let models = [&ModelSpec::history(1), &ModelSpec::fixed(0)];
/// let report = play(&game, models, Until::Rounds(100), 1, &Limits::none())?;
/// assert!(report.score.wins[0] >= 98);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play(
    game: &RepeatedGame,
    specs: [&ModelSpec; 2],
    until: Until,
    seed: u64,
    limits: &Limits,
) -> Result<MatchReport, ModelError> {
    play_asking(game, specs, until, seed, limits, &mut |_| Ok(()))
}

/// Called before each round; it may end the match.
pub type Before<'f> = &'f mut dyn FnMut(u64) -> Result<(), StopReason>;

/// As [`play`], with something to do before each round: guests may have to be asked.
///
/// # Errors
/// A model can't be made.
pub fn play_asking(
    game: &RepeatedGame,
    specs: [&ModelSpec; 2],
    until: Until,
    seed: u64,
    limits: &Limits,
    before: Before<'_>,
) -> Result<MatchReport, ModelError> {
    run(game, specs, (until, 0), seed, &mut Meter::new(limits), before)
}

pub(super) fn run(
    game: &RepeatedGame,
    specs: [&ModelSpec; 2],
    (until, number): (Until, u64),
    seed: u64,
    meter: &mut Meter<'_>,
    before: Before<'_>,
) -> Result<MatchReport, ModelError> {
    let models = [game.model(specs[0], 0)?, game.model(specs[1], 1)?];
    let mut played = Match::new(game, models, seed);
    let mut stopped = None;
    while !played.score.is_over(until) && stopped.is_none() {
        match meter.step().and_then(|()| before(number)) {
            Ok(()) => drop(played.step()),
            Err(reason) => stopped = Some(reason),
        }
    }
    Ok(MatchReport { winner: played.score.leader(until), score: played.score, stopped })
}

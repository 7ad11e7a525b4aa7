//! A round-robin tournament: every model meets every other one.

use super::game::RepeatedGame;
use super::matches::{Before, Until, run};
use super::spec::{ModelError, ModelSpec};
use crate::meter::Meter;
use crate::rational::Rational;
use num_traits::Zero;
use std::cmp::Reverse;
use zug_random::Random;
use zug_search::{Limits, StopReason};

/// The quantile of the normal distribution for two-sided intervals of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// How a tournament is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// Matches of every two models; they change seats after each.
    pub matches: u64,
    /// When a match is over.
    pub until: Until,
    /// What the seeds of all matches follow from.
    pub seed: u64,
}

/// How a model has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Matches won.
    pub won: u64,
    /// Matches without a winner.
    pub drawn: u64,
    /// Matches lost.
    pub lost: u64,
    /// What it was paid in all rounds.
    pub payoff: Rational,
}

impl Record {
    fn none() -> Self {
        Self { won: 0, drawn: 0, lost: 0, payoff: Rational::zero() }
    }

    /// Matches played.
    pub fn played(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// The interval that holds the part of matches the model wins in the long run, in 95 of
    /// 100 tournaments.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.won, self.played())
    }

    fn count(&mut self, won: Option<bool>, payoff: &Rational) {
        match won {
            Some(true) => self.won += 1,
            Some(false) => self.lost += 1,
            None => self.drawn += 1,
        }
        self.payoff += payoff;
    }
}

/// The result of a tournament; models have the numbers in which they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    /// The record of each model.
    pub records: Vec<Record>,
    /// The record of each model (first index) against each other one (second).
    pub against: Vec<Vec<Record>>,
    /// Models with the best first: by matches won, then by fewer lost, then by number.
    pub ranking: Vec<usize>,
    /// The limit that ended the tournament early; the match that it ended doesn't count.
    pub stopped: Option<StopReason>,
}

/// Plays a tournament; `nodes` of the limits are rounds of all matches together.
///
/// # Errors
/// A model can't be made, in one of the seats.
pub fn tournament(
    game: &RepeatedGame,
    specs: &[ModelSpec],
    how: &Tournament,
    limits: &Limits,
) -> Result<Standings, ModelError> {
    tournament_asking(game, specs, how, limits, &mut |_| Ok(()))
}

/// As [`tournament`], with something to do before each round.
///
/// # Errors
/// A model can't be made, in one of the seats.
pub fn tournament_asking(
    game: &RepeatedGame,
    specs: &[ModelSpec],
    how: &Tournament,
    limits: &Limits,
    before: Before<'_>,
) -> Result<Standings, ModelError> {
    let mut meter = Meter::new(limits);
    let mut seeds = Random::new(how.seed);
    let nothing = vec![Record::none(); specs.len()];
    let mut against = vec![nothing; specs.len()];
    let pairs = (0..specs.len()).flat_map(|a| (a + 1..specs.len()).map(move |b| (a, b)));
    let all = pairs.flat_map(|pair| (0..how.matches).map(move |number| (pair, number)));
    let mut stopped = None;
    for (done, ((a, b), number)) in (0..).zip(all) {
        let seats = if number % 2 == 0 { [a, b] } else { [b, a] };
        let models = seats.map(|at| &specs[at]);
        let report = run(game, models, (how.until, done), seeds.next_u64(), &mut meter, before)?;
        stopped = report.stopped;
        if stopped.is_some() {
            break;
        }
        for player in [0, 1] {
            let won = report.winner.map(|winner| winner == player);
            let record = &mut against[seats[player]][seats[1 - player]];
            record.count(won, &report.score.payoffs[player]);
        }
    }
    Ok(standings(against, stopped))
}

fn standings(against: Vec<Vec<Record>>, stopped: Option<StopReason>) -> Standings {
    let records: Vec<Record> = against.iter().map(|row| total(row)).collect();
    let mut ranking: Vec<usize> = (0..records.len()).collect();
    ranking.sort_by_key(|&at| (Reverse(records[at].won), records[at].lost, at));
    Standings { records, against, ranking, stopped }
}

fn total(records: &[Record]) -> Record {
    records.iter().fold(Record::none(), |sum, record| Record {
        won: sum.won + record.won,
        drawn: sum.drawn + record.drawn,
        lost: sum.lost + record.lost,
        payoff: sum.payoff + &record.payoff,
    })
}

/// The 95 % score interval of a probability, from `won` of `played` trials; from 0 to 1
/// without trials (Wilson, *Probable inference*, JASA 22, 1927).
///
/// ```
/// let (low, high) = zug_matrix::repeated::wilson(8, 10);
/// assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4);
/// ```
pub fn wilson(won: u64, played: u64) -> (f64, f64) {
    if played == 0 {
        return (0.0, 1.0);
    }
    let (trials, share) = (played as f64, won as f64 / played as f64);
    let square = Z * Z;
    let center = share + square / (2.0 * trials);
    let spread = Z * (share * (1.0 - share) / trials + square / (4.0 * trials * trials)).sqrt();
    let scale = 1.0 + square / trials;
    (((center - spread) / scale).max(0.0), ((center + spread) / scale).min(1.0))
}

//! Learning by playing against each other: approximate equilibria of larger games.
//!
//! Both players choose, see what every action of theirs would have paid, and choose again.
//! The result is their average play; [`LearningReport`] has its distance from
//! an equilibrium, so nothing has to be believed.
//!
//! | learner | source | average approaches |
//! |---|---|---|
//! | [`Learner::FictitiousPlay`] | Brown 1951, Robinson 1951 | an equilibrium, if payoffs add to zero; it may go round for ever elsewhere (Shapley 1964) |
//! | [`Learner::RegretMatching`] | Hart, Mas-Colell 2000 | the same, with error of order 1 over the root of the rounds |
//! | [`Learner::RegretMatchingPlus`] | Tammelin 2014 | the same, sooner as a rule |
//!
//! Where more than two play, [`learn_together`] returns their joint distribution.
//!
//! # Invariants
//!
//! - Only sums, products, quotients and comparisons of floats: the same input gives the same
//!   bytes on every platform.

mod floats;
mod joint;

pub use floats::draw;
pub(super) use floats::{FloatMatrix, best_replies, in_proportion, one, uniform};
pub use joint::{JointLearning, learn_together};

use super::meter::Meter;
use super::tables::Bimatrix;
use floats::{add_regret, dot, first_best, positive};
use zug_random::Random;
use zug_search::{Limits, StopReason};

/// How the players learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learner {
    /// The best reply to what the opponent has played on average, the first of equals.
    FictitiousPlay,
    /// Actions in proportion to what having always played them would have gained.
    RegretMatching,
    /// The same with losses forgotten at once, and later rounds weighing more in the average.
    RegretMatchingPlus,
}

/// Parameters of [`learn`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learning {
    /// How the players learn.
    pub learner: Learner,
    /// How many rounds are played; 1 at least.
    pub rounds: u64,
    /// In regret matching: actions are drawn with this seed, and a round costs time in
    /// proportion to rows and columns, not to cells. `None`: nothing is drawn, players meet
    /// the other's mixed strategy.
    pub seed: Option<u64>,
}

/// The average strategies of two learners, and how near they are to an equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct LearningReport {
    /// What each player has played on average: a probability for each action.
    pub profile: [Vec<f64>; 2],
    /// What the averages pay to each player against each other.
    pub payoffs: [f64; 2],
    /// What each player's best reply to the other's average gains over its own average.
    pub gains: [f64; 2],
    /// The mean of the gains: 0 exactly at an equilibrium.
    pub exploitability: f64,
    /// If payoffs add to zero: what the row player's average secures, and what the column
    /// player's holds it to. The value of the game is between them, up to rounding.
    pub value_bounds: Option<(f64, f64)>,
    /// Rounds played.
    pub rounds: u64,
    /// The limit that ended the rounds early.
    pub stopped: Option<StopReason>,
}

/// Lets two players learn. A limit ends the rounds early; the report says so.
///
/// ```
/// use zug_search::Limits;
/// use zug_matrix::{Learner, Learning, Matrix, MatrixGame, learn};
///
/// let pennies = MatrixGame::new(Matrix::of_integers(&[[2, -1], [-1, 1]])?);
/// let how = Learning { learner: Learner::RegretMatchingPlus, rounds: 1000, seed: None };
/// let report = learn(&pennies.to_bimatrix(), how, &Limits::none());
/// let (low, high) = report.value_bounds.expect("payoffs add to zero");
/// assert!(low <= 0.2 && 0.2 <= high && high - low < 0.01);
/// # Ok::<(), zug_matrix::TableError>(())
/// ```
pub fn learn(game: &Bimatrix, how: Learning, limits: &Limits) -> LearningReport {
    let tables = [0, 1].map(|player| FloatMatrix::new(&game.seen_by(player)));
    let mut learners = Learners {
        tables: &tables,
        rounds: how.rounds.max(1),
        meter: Meter::new(limits),
        played: [0, 1].map(|player| vec![0.0; tables[player].actions()]),
    };
    let plus = how.learner == Learner::RegretMatchingPlus;
    let stopped = match how.learner {
        Learner::FictitiousPlay => learners.fictitious_play(),
        _ => learners.match_regret(plus, how.seed.map(Random::new)),
    };
    let (played, rounds, stopped) = (learners.played, learners.meter.steps, stopped.err());
    let profile = played.map(|sums| in_proportion(&sums));
    let values = [0, 1].map(|player| tables[player].values(&profile[1 - player]));
    let best = [0, 1].map(|player| values[player][first_best(&values[player])]);
    let payoffs = [0, 1].map(|player| dot(&values[player], &profile[player]));
    let gains = [0, 1].map(|player| (best[player] - payoffs[player]).max(0.0));
    LearningReport {
        payoffs,
        gains,
        exploitability: (gains[0] + gains[1]) / 2.0,
        value_bounds: game.to_zero_sum().map(|_| (-best[1], best[0])),
        profile,
        rounds,
        stopped,
    }
}

/// Two players who learn.
struct Learners<'t, 'l> {
    /// For each player the payoffs by its own action and the other's.
    tables: &'t [FloatMatrix; 2],
    rounds: u64,
    meter: Meter<'l>,
    /// How much of each action was played.
    played: [Vec<f64>; 2],
}

impl Learners<'_, '_> {
    /// Fictitious play: each player takes the best reply to the other's past (Brown, *Iterative solution of games by
    /// fictitious play*, 1951); it converges where payoffs add to zero (Robinson, *An iterative method of solving a
    /// game*, 1951). Both players choose at the same time, the first of equal actions. A round costs time in
    /// proportion to rows and columns.
    fn fictitious_play(&mut self) -> Result<(), StopReason> {
        // What each action would have paid in all rounds so far.
        let mut totals = self.played.clone();
        for _ in 0..self.rounds {
            self.meter.step()?;
            let chosen = [first_best(&totals[0]), first_best(&totals[1])];
            for player in [0, 1] {
                self.played[player][chosen[player]] += 1.0;
                let pays = self.tables[player].against(chosen[1 - player]);
                totals[player].iter_mut().zip(pays).for_each(|(total, pays)| *total += pays);
            }
        }
        Ok(())
    }

    /// Regret matching (Hart, Mas-Colell, *A simple adaptive procedure leading to correlated equilibrium*, 2000): an
    /// action is played in proportion to its *regret*, what having always played it would have gained, where that is
    /// positive. Regret matching+ (Tammelin, *Solving large imperfect information games using CFR+*, 2014) never lets
    /// a regret fall below 0, weighs the strategy of round `t` by `t`, and lets the second player meet what the first
    /// has just learnt.
    fn match_regret(&mut self, plus: bool, mut random: Option<Random>) -> Result<(), StopReason> {
        let mut regrets = self.played.clone();
        let mut mixed = [positive(&regrets[0]), positive(&regrets[1])];
        for round in 0..self.rounds {
            self.meter.step()?;
            let weight = if plus { (round + 1) as f64 } else { 1.0 };
            let before = mixed.clone();
            for player in [0, 1] {
                let met = if plus { &mixed[1 - player] } else { &before[1 - player] };
                let values = match &mut random {
                    Some(random) => self.tables[player].against(draw(met, random)).to_vec(),
                    None => self.tables[player].values(met),
                };
                let payoff = dot(&values, &before[player]);
                add_regret(&mut regrets[player], &values, payoff, plus);
                mixed[player] = positive(&regrets[player]);
                let shares = self.played[player].iter_mut().zip(&before[player]);
                shares.for_each(|(sum, share)| *sum += weight * share);
            }
        }
        Ok(())
    }
}

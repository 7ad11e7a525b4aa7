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

mod fictitious;
mod floats;
mod joint;
mod regret;
mod report;

pub use joint::{JointLearning, learn_together};
pub use report::LearningReport;

pub use floats::draw;
pub(super) use floats::{FloatMatrix, best_replies, in_proportion, uniform};

use super::meter::Meter;
use super::tables::Bimatrix;
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
    let mut meter = Meter::new(limits);
    let tables = [0, 1].map(|player| FloatMatrix::new(&game.seen_by(player)));
    let mut play = Play { tables: &tables, rounds: how.rounds.max(1), meter: &mut meter };
    let plus = how.learner == Learner::RegretMatchingPlus;
    let mut random = how.seed.map(Random::new);
    let (sums, stopped) = match how.learner {
        Learner::FictitiousPlay => fictitious::play(&mut play),
        Learner::RegretMatching | Learner::RegretMatchingPlus => {
            regret::play(&mut play, plus, random.as_mut())
        }
    };
    let rounds = meter.steps;
    report::report(game, &tables, sums, rounds, stopped)
}

/// What a learner is given.
struct Play<'p, 'w> {
    /// For each player the payoffs by its own action and the other's.
    tables: &'p [FloatMatrix; 2],
    rounds: u64,
    meter: &'p mut Meter<'w>,
}

/// How much of each action was played, and what ended the rounds early.
type Played = ([Vec<f64>; 2], Option<StopReason>);

//! The result of learning.

use super::floats::{FloatMatrix, dot, first_best, in_proportion};
use crate::tables::Bimatrix;
use zug_search::StopReason;

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

pub(super) fn report(
    game: &Bimatrix,
    tables: &[FloatMatrix; 2],
    played: [Vec<f64>; 2],
    rounds: u64,
    stopped: Option<StopReason>,
) -> LearningReport {
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

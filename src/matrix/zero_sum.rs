//! The value of a matrix game and a strategy that reaches it for each player, exactly.
//!
//! Dantzig's reduction (1951): with payoffs `A > 0`, the column player maximises the sum of
//! `y` where `A y <= 1` and `y >= 0`. The value is the inverse of the greatest sum, `y` in
//! proportion is an optimal strategy of the column player, and the prices of the rows in
//! proportion are one of the row player.

use super::linear::maximise;
use super::meter::Meter;
use super::positive::Positive;
use super::rational::Rational;
use super::strategy::MixedStrategy;
use super::tables::{Matrix, MatrixGame};
use num_bigint::BigInt;
use num_traits::One;
use zug_search::{Limits, StopReason};

/// The solution of a matrix game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZeroSumSolution {
    /// What the row player can secure and the column player can hold it to.
    pub value: Rational,
    /// An optimal strategy of the row player, and one of the column player.
    pub profile: [MixedStrategy; 2],
    /// Steps of the simplex method.
    pub pivots: u64,
}

/// Solves a matrix game.
///
/// # Errors
/// A limit struck; `nodes` are pivots.
///
/// ```
/// use zug_search::Limits;
/// use zug_matrix::{Matrix, MatrixGame, ratio, solve_zero_sum, verify};
///
/// // Two fingers, Morra: the row player wins even sums, the column player odd ones.
/// let morra = MatrixGame::new(Matrix::of_integers(&[[2, -3], [-3, 4]])?);
/// let solution = solve_zero_sum(&morra, &Limits::none()).expect("no limits");
/// assert_eq!(solution.value, ratio(-1, 12));
/// assert_eq!(solution.profile[0].probabilities(), [ratio(7, 12), ratio(5, 12)]);
/// assert!(verify(&morra, &solution.profile)?.holds());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_zero_sum(game: &MatrixGame, limits: &Limits) -> Result<ZeroSumSolution, StopReason> {
    solve(game.payoffs(), &mut Meter::new(limits))
}

/// Solves the game whose payoffs to the row player are given.
pub(super) fn solve(
    payoffs: &Matrix,
    meter: &mut Meter<'_>,
) -> Result<ZeroSumSolution, StopReason> {
    let positive = Positive::new(payoffs);
    let sum = vec![BigInt::one(); payoffs.columns()];
    let before = meter.steps;
    let optimum = maximise(positive.constraints(), &sum, meter)?;
    let optimum = optimum.expect("positive payoffs bound the sum");
    Ok(ZeroSumSolution {
        value: positive.payoff(optimum.value.recip()),
        profile: [optimum.prices, optimum.variables].map(MixedStrategy::in_proportion),
        pivots: meter.steps - before,
    })
}

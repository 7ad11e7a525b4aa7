//! Published games, and laws on random ones.

mod decoupled;
mod dominance;
mod general;
mod joint;
mod laws;
mod learning;
mod repeated;
mod zero_sum;

use super::{
    Bimatrix, Matrix, MatrixGame, MixedStrategy, NormalForm, Rational, ZeroSumSolution, ratio,
    solve_zero_sum, verify,
};
use zug_search::Limits;

/// Rock, paper, scissors.
pub const RPS: [[i64; 3]; 3] = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]];

pub fn zero_sum<R: AsRef<[i64]>>(rows: &[R]) -> MatrixGame {
    MatrixGame::new(Matrix::of_integers(rows).expect("a matrix"))
}

pub fn bimatrix<R: AsRef<[i64]>>(row: &[R], column: &[R]) -> Bimatrix {
    let matrix = |rows| Matrix::of_integers(rows).expect("a matrix");
    Bimatrix::new(matrix(row), matrix(column)).expect("one shape")
}

/// The solution of a matrix game, verified.
pub fn solved(game: &MatrixGame) -> ZeroSumSolution {
    let solution = solve_zero_sum(game, &Limits::none()).expect("no limits");
    let certificate = verify(game, &solution.profile).expect("a profile of the game");
    assert!(certificate.holds(), "{certificate:?}");
    assert_eq!(certificate.payoffs, [solution.value.clone(), -&solution.value]);
    solution
}

pub fn ratios(fractions: &[(i64, i64)]) -> Vec<Rational> {
    fractions.iter().map(|&(numerator, denominator)| ratio(numerator, denominator)).collect()
}

pub fn mixed(fractions: &[(i64, i64)]) -> MixedStrategy {
    MixedStrategy::new(ratios(fractions)).expect("probabilities")
}

pub fn normal_form(game: &Bimatrix) -> NormalForm {
    NormalForm::from(game)
}

/// Shapley's game (1964), where fictitious play goes round for ever.
pub fn shapley() -> Bimatrix {
    bimatrix(&[[1, 0, 0], [0, 1, 0], [0, 0, 1]], &[[0, 1, 0], [0, 0, 1], [1, 0, 0]])
}

//! Rock, paper, scissors; and two prisoners.

use zug_matrix::{
    Bimatrix, Matrix, MatrixGame, NormalForm, TableError, pure_equilibria, solve_zero_sum,
};
use zug_search::Limits;

#[expect(clippy::print_stdout, reason = "an example")]
fn main() -> Result<(), TableError> {
    let limits = Limits::none();
    let game = MatrixGame::new(Matrix::of_integers(&[[0, -1, 1], [1, 0, -1], [-1, 1, 0]])?);
    if let Ok(solution) = solve_zero_sum(&game, &limits) {
        println!("value {}, {:?}", solution.value, solution);
    }
    let dilemma = Bimatrix::symmetric(Matrix::of_integers(&[[3, 0], [5, 1]])?)?;
    println!("pure equilibria {:?}", pure_equilibria(&NormalForm::from(&dilemma), &limits));
    Ok(())
}

//! Pure equilibria of a game of any number of players.

use super::meter::Meter;
use super::normal_form::NormalForm;
use zug_search::{Limits, StopReason};

/// All profiles where no player gains by another action, in order.
///
/// # Errors
/// A limit struck; `nodes` are profiles.
///
/// ```
/// use zug_search::Limits;
/// use zug_matrix::{Bimatrix, Matrix, NormalForm, pure_equilibria};
///
/// let dilemma = Bimatrix::symmetric(Matrix::of_integers(&[[3, 0], [5, 1]])?)?;
/// let found = pure_equilibria(&NormalForm::from(&dilemma), &Limits::none());
/// assert_eq!(found, Ok(vec![vec![1, 1]]));
/// # Ok::<(), zug_matrix::TableError>(())
/// ```
pub fn pure_equilibria(game: &NormalForm, limits: &Limits) -> Result<Vec<Vec<usize>>, StopReason> {
    let mut meter = Meter::new(limits);
    let mut found = Vec::new();
    for profile in game.profiles() {
        meter.step()?;
        if game.shape().iter().enumerate().all(|(player, _)| is_best(game, &profile, player)) {
            found.push(profile);
        }
    }
    Ok(found)
}

/// A player has no better action against the others of the profile.
fn is_best(game: &NormalForm, profile: &[usize], player: usize) -> bool {
    let payoff = game.payoff(profile, player);
    let mut deviation = profile.to_vec();
    (0..game.shape()[player]).all(|action| {
        deviation[player] = action;
        game.payoff(&deviation, player) <= payoff
    })
}

//! The certificate of an equilibrium: no player gains by another action.
//!
//! A profile is an equilibrium exactly when no *pure* deviation gains (Nash 1951); the check
//! needs the table and the profile alone, not how they were found.

use super::rational::Rational;
use super::strategy::MixedStrategy;
use super::tables::Payoffs;
use num_traits::Zero;
use thiserror::Error;

/// What a profile pays and what deviating from it would gain, both by player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The expected payoff to each player.
    pub payoffs: Vec<Rational>,
    /// What each player's best pure deviation gains; never negative.
    pub gains: Vec<Rational>,
}

impl Certificate {
    /// No player gains by deviating.
    pub fn holds(&self) -> bool {
        self.gains.iter().all(Zero::is_zero)
    }
}

/// The profile doesn't belong to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the profile has not one strategy of the right length for each player")]
pub struct WrongProfile;

/// The certificate of a profile, one strategy for each player.
///
/// # Errors
/// Strategies are missing or too many, or one has not a probability for each action.
///
/// ```
/// use zug_matrix::{Matrix, MatrixGame, MixedStrategy, verify};
///
/// let pennies = MatrixGame::new(Matrix::of_integers(&[[1, -1], [-1, 1]])?);
/// let heads = MixedStrategy::pure(0, 2);
/// let certificate = verify(&pennies, &[heads.clone(), heads])?;
/// assert!(!certificate.holds());
/// assert_eq!(certificate.gains[1], zug_matrix::ratio(2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify<G: Payoffs + ?Sized>(
    game: &G,
    profile: &[MixedStrategy],
) -> Result<Certificate, WrongProfile> {
    let fits =
        |(player, own): (usize, &MixedStrategy)| own.probabilities().len() == game.actions(player);
    if profile.len() != game.players() || !profile.iter().enumerate().all(fits) {
        return Err(WrongProfile);
    }
    let mut certificate = Certificate { payoffs: Vec::new(), gains: Vec::new() };
    for (player, own) in profile.iter().enumerate() {
        let values = game.action_values(player, profile);
        let payoff = super::rational::dot(&values, own.probabilities());
        let best = values.into_iter().max().unwrap_or_else(Rational::zero);
        certificate.gains.push(best - &payoff);
        certificate.payoffs.push(payoff);
    }
    Ok(certificate)
}

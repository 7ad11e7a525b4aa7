//! The two polytopes of a game of two players, as tableaux.
//!
//! With payoffs `A`, `B` made positive, the row player's is `{x >= 0 : Bᵀx <= 1}`, the column
//! player's `{y >= 0 : Ay <= 1}`. Each inequality has a label: actions of the row player come
//! first, then those of the column player. A point has the labels of the inequalities that are
//! tight: actions that are not played, and best replies of the opponent. Two points that have
//! all labels between them, other than the two origins, are an equilibrium in proportion
//! (von Stengel, *Computing Equilibria for Two-Person Games*, Handbook of Game Theory 3,
//! 2002). Variables and slacks carry the numbers of their labels.

use super::positive::Positive;
use super::rational::Rational;
use super::strategy::MixedStrategy;
use super::tableau::Tableau;
use super::tables::{Bimatrix, Payoffs};
use std::ops::Range;

/// The labels of a player's actions.
pub(super) fn labels(game: &Bimatrix, player: usize) -> Range<usize> {
    let rows = game.actions(0);
    if player == 0 { 0..rows } else { rows..rows + game.actions(1) }
}

/// The polytope of a player, at the origin.
pub(super) fn polytope(game: &Bimatrix, player: usize) -> Tableau {
    let opponent = 1 - player;
    let payoffs = game.seen_by(opponent);
    let rows = Positive::new(&payoffs).constraints();
    Tableau::new(rows, labels(game, opponent).collect(), labels(game, player).collect())
}

/// The strategy of a player at a vertex other than the origin.
pub(super) fn strategy(game: &Bimatrix, player: usize, vertex: &Tableau) -> MixedStrategy {
    let numerators = labels(game, player).map(|label| vertex.value(label));
    MixedStrategy::in_proportion(numerators.map(Rational::from_integer).collect())
}

//! Mixed strategies.

use super::rational::Rational;
use num_traits::{One, Signed, Zero};

/// A probability for each action of a player, by number; together 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MixedStrategy(Vec<Rational>);

impl MixedStrategy {
    /// The strategy with these probabilities, if none is negative and their sum is 1.
    pub fn new(probabilities: Vec<Rational>) -> Option<Self> {
        let sum: Rational = probabilities.iter().fold(Rational::zero(), |sum, p| sum + p);
        let valid = sum.is_one() && !probabilities.iter().any(Signed::is_negative);
        valid.then_some(Self(probabilities))
    }

    /// One action for sure, out of `actions`.
    pub fn pure(action: usize, actions: usize) -> Self {
        debug_assert!(action < actions);
        let chosen = |at| if at == action { Rational::one() } else { Rational::zero() };
        Self((0..actions).map(chosen).collect())
    }

    /// Probabilities in proportion to weights; the weights are not negative, and one of them
    /// is positive.
    pub(super) fn in_proportion(weights: Vec<Rational>) -> Self {
        let sum: Rational = weights.iter().fold(Rational::zero(), |sum, weight| sum + weight);
        Self(weights.into_iter().map(|weight| weight / &sum).collect())
    }

    /// The probabilities, by number of the action.
    pub fn probabilities(&self) -> &[Rational] {
        &self.0
    }

    /// The actions of positive probability with their probabilities, in order.
    pub fn support(&self) -> impl Iterator<Item = (usize, &Rational)> {
        self.0.iter().enumerate().filter(|(_, probability)| !probability.is_zero())
    }

    /// The action that is certain, if there is one.
    pub fn as_pure(&self) -> Option<usize> {
        self.0.iter().position(One::is_one)
    }
}

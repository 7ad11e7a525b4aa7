//! Payoffs as positive whole numbers, as the simplex method and the polytopes want them.

use super::rational::{Rational, common_denominator, whole};
use super::tables::Matrix;
use num_bigint::BigInt;
use num_traits::One;

/// A matrix whose cells stand for `cell * scale + shift`, the least of them for 1. Who plays
/// what for the best does not change by that.
pub(super) struct Positive<'m> {
    payoffs: &'m Matrix,
    scale: BigInt,
    shift: BigInt,
}

impl<'m> Positive<'m> {
    pub fn new(payoffs: &'m Matrix) -> Self {
        let scale = common_denominator(payoffs.cells());
        let least = payoffs.cells().iter().map(|cell| whole(cell, &scale)).min();
        Self { payoffs, scale, shift: BigInt::one() - least.unwrap_or_default() }
    }

    /// For each row its numbers, and 1 as the bound of their weighted sum.
    pub fn constraints(&self) -> Vec<Vec<BigInt>> {
        let number = |cell| whole(cell, &self.scale) + &self.shift;
        let rows = self.payoffs.cells().chunks(self.payoffs.columns());
        rows.map(|row| row.iter().map(number).chain([BigInt::one()]).collect()).collect()
    }

    /// The payoff that a number stands for.
    pub fn payoff(&self, number: Rational) -> Rational {
        (number - Rational::from_integer(self.shift.clone()))
            / Rational::from_integer(self.scale.clone())
    }
}

//! Exact fractions.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Zero};

pub use zug_report::to_float;

/// A fraction in lowest terms, of any size.
pub type Rational = Ratio<BigInt>;

/// The fraction `numerator / denominator`; the denominator is not zero.
pub fn ratio(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

/// The least common multiple of the denominators: what makes all of them whole.
pub(super) fn common_denominator<'a>(values: impl IntoIterator<Item = &'a Rational>) -> BigInt {
    values.into_iter().fold(BigInt::one(), |common, value| common.lcm(value.denom()))
}

/// `value * scale` for a scale that is a multiple of its denominator.
pub(super) fn whole(value: &Rational, scale: &BigInt) -> BigInt {
    value.numer() * (scale / value.denom())
}

/// The sum of the products of two rows of equal length.
pub(super) fn dot<'a>(
    left: impl IntoIterator<Item = &'a Rational>,
    right: impl IntoIterator<Item = &'a Rational>,
) -> Rational {
    left.into_iter()
        .zip(right)
        .filter(|(a, b)| !a.is_zero() && !b.is_zero())
        .fold(Rational::zero(), |sum, (a, b)| sum + a * b)
}

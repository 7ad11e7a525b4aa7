//! Exact fractions, and their nearest floats.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A fraction in lowest terms, of any size.
pub type Rational = Ratio<BigInt>;

/// The fraction `numerator / denominator`; the denominator is not zero.
pub fn ratio(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

/// The float nearest to a fraction, up to two units in the last place; infinite if it is
/// beyond the range of floats.
pub fn to_float(value: &Rational) -> f64 {
    // As many bits of the quotient as a float holds, then the power of two they stand for.
    let numerator = value.numer().abs();
    let shift = 64 + value.denom().bits() as i64 - numerator.bits() as i64;
    let quotient = if shift >= 0 {
        (numerator << shift as u64) / value.denom()
    } else {
        numerator / (value.denom() << shift.unsigned_abs())
    };
    let magnitude = scaled(quotient.to_f64().unwrap_or(f64::INFINITY), -shift);
    if value.is_negative() { -magnitude } else { magnitude }
}

/// `value * 2^power`, by exact steps.
fn scaled(mut value: f64, mut power: i64) -> f64 {
    const STEP: i64 = 512;
    let up = f64::from_bits(((1023 + STEP) as u64) << 52);
    let down = f64::from_bits(((1023 - STEP) as u64) << 52);
    while power >= STEP && value.is_finite() && value != 0.0 {
        (value, power) = (value * up, power - STEP);
    }
    while power <= -STEP && value != 0.0 {
        (value, power) = (value * down, power + STEP);
    }
    if value == 0.0 || value.is_infinite() {
        return value;
    }
    value * f64::from_bits(((1023 + power) as u64) << 52)
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

//! Fractions as floats.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::float::FloatCore;
use num_traits::{One, Signed, ToPrimitive};

/// Integers up to here are floats, and quotients of them are rounded once.
const EXACT: u64 = 53;

/// The fraction that a finite float is.
pub fn of_float(float: f64) -> Option<Ratio<BigInt>> {
    let (mantissa, exponent, sign) = float.integer_decode();
    let whole = Ratio::from_integer(BigInt::from(mantissa) * sign);
    let power = BigInt::one() << exponent.unsigned_abs();
    let fraction = if exponent < 0 { whole / power } else { whole * power };
    float.is_finite().then_some(fraction)
}

/// The float nearest to a fraction, however long its integers are, up to a unit in the last place;
/// infinite if it is beyond the range of floats.
pub fn to_float(value: &Ratio<BigInt>) -> f64 {
    let (numerator, denominator) = (value.numer(), value.denom());
    if numerator.bits() <= EXACT && denominator.bits() <= EXACT {
        let float = |part: &BigInt| part.to_f64().unwrap_or(f64::NAN);
        return float(numerator) / float(denominator);
    }
    // As many bits of the quotient as a float holds, then the power of two they stand for.
    let numerator = numerator.abs();
    let shift = 64 + denominator.bits() as i64 - numerator.bits() as i64;
    let quotient = if shift >= 0 {
        (numerator << shift as u64) / denominator
    } else {
        numerator / (denominator << shift.unsigned_abs())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(numerator: BigInt, denominator: BigInt, expect: f64) {
        let float = to_float(&Ratio::new(numerator, denominator));
        assert!((float - expect).abs() <= expect.abs() * 2.0 * f64::EPSILON, "{float} {expect}");
    }

    #[test]
    fn fractions_of_any_length_have_a_float() {
        check(1.into(), 10.into(), 0.1);
        check((-7).into(), 3.into(), -7.0 / 3.0);
        let huge = BigInt::from(10).pow(400);
        check(&huge * 2, &huge * 3, 2.0 / 3.0);
        check(BigInt::from(10).pow(300), 1.into(), 1e300);
        check(1.into(), BigInt::from(10).pow(300), 1e-300);
        assert_eq!(to_float(&Ratio::from_integer(huge.clone())), f64::INFINITY);
        assert_eq!(to_float(&Ratio::new(1.into(), huge)), 0.0);
    }
}

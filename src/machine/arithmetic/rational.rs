//! Rational numbers: what `rdiv`, `rational`, `rationalize` and powers make of numbers.

use super::number::{Computed, Failure, MAX_BITS, Number, UNDEFINED, ZERO_DIVISOR};
use num_bigint::BigInt;
use num_traits::{Pow, Signed, Zero};
use zug_term::{Rational, rational_of};

/// `x rdiv y`.
pub fn divide(x: Number, y: Number) -> Computed {
    let (x, y) = (x.into_rational()?, y.into_rational()?);
    if y.is_zero() {
        return Err(ZERO_DIVISOR);
    }
    Ok(Number::from_rational(x / y))
}

/// The exact value of a number.
pub fn exact(x: Number) -> Computed {
    let Number::Float(value) = x else { return Ok(x) };
    match rational_of(value) {
        Some(exact) => Ok(Number::from_rational(exact)),
        None => Err(no_value(value)),
    }
}

fn no_value(value: f64) -> Failure {
    if value.is_nan() { UNDEFINED } else { Failure::Evaluation("rational_overflow") }
}

/// The first convergent of the continued fraction of a float that is read as that float.
pub fn rationalize(x: Number) -> Computed {
    let Number::Float(value) = x else { return Ok(x) };
    let Some(exact) = rational_of(value.abs()) else { return Err(no_value(value)) };
    let one = BigInt::from(1);
    let (mut before, mut last) = ((BigInt::ZERO, one.clone()), (one, BigInt::ZERO));
    let mut rest = exact;
    loop {
        let whole = rest.floor().into_raw().0;
        let next = (&whole * &last.0 + &before.0, &whole * &last.1 + &before.1);
        (before, last) = (last, next);
        let found = Rational::new_raw(last.0.clone(), last.1.clone());
        rest -= Rational::from(whole);
        let same = Number::from_rational(found.clone()).to_float() == Ok(value.abs());
        if same || rest.is_zero() {
            return Ok(Number::from_rational(if value < 0.0 { -found } else { found }));
        }
        rest = rest.recip();
    }
}

/// A power one of whose parts is a rational number; `None` if it is not rational.
pub fn power(x: &Number, y: &Number) -> Option<Computed> {
    let base = x.clone().into_rational().ok()?;
    match y {
        Number::Int(by) => Some(integer_power(base, *by)),
        Number::Rational(by) => root_power(base, by),
        Number::Big(_) => Some(Err(Failure::TooLarge)),
        Number::Float(_) => None,
    }
}

fn integer_power(base: Rational, by: i64) -> Computed {
    if base.is_zero() && by < 0 {
        return Err(ZERO_DIVISOR);
    }
    let times = by.unsigned_abs();
    if (base.numer().bits() + base.denom().bits()).saturating_mul(times) > MAX_BITS {
        return Err(Failure::TooLarge);
    }
    let (above, below) = base.into_raw();
    let power = Rational::new_raw(above.pow(times), below.pow(times));
    Ok(Number::from_rational(if by < 0 { power.recip() } else { power }))
}

/// A power by a fraction, if the root is exact.
fn root_power(base: Rational, by: &Rational) -> Option<Computed> {
    let degree = u32::try_from(by.denom().clone()).ok()?;
    if base.is_negative() && degree % 2 == 0 {
        return None;
    }
    let root = |part: &BigInt| {
        let found = part.nth_root(degree);
        (BigInt::pow(&found, degree) == *part).then_some(found)
    };
    let root = Rational::new_raw(root(base.numer())?, root(base.denom())?);
    match i64::try_from(by.numer().clone()) {
        Ok(by) => Some(integer_power(root, by)),
        Err(_) => Some(Err(Failure::TooLarge)),
    }
}

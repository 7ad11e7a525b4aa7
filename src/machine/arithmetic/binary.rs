//! Operations of two arguments, on numbers apart from any heap.

use super::number::{Computed, Failure, Number, UNDEFINED, ZERO_DIVISOR, divide_inexact, negate};
use super::ops::Op2;
use super::{integer, power, rational};
use num_bigint::BigInt;
use std::cmp::Ordering;
use zug_term::Rational;

/// The value of `op(x, y)`; the random operations are the machine's.
pub fn apply(op: Op2, x: Number, y: Number) -> Computed {
    match op {
        Op2::Add => sum(x, y, i64::checked_add, |a, b| a + b, |a, b| a + b, |a, b| a + b),
        Op2::Subtract => sum(x, y, i64::checked_sub, |a, b| a - b, |a, b| a - b, |a, b| a - b),
        Op2::RationalDivide => rational::divide(x, y),
        Op2::Multiply => multiply(x, y),
        Op2::Divide => divide(x, y),
        Op2::Power => power::power(x, y),
        Op2::IntPower => power::int_power(x, y),
        Op2::Min => Ok(extreme(x, y, Ordering::Less)),
        Op2::Max => Ok(extreme(x, y, Ordering::Greater)),
        Op2::Atan2 => atan2(x.to_float()?, y.to_float()?),
        Op2::LogBase => log_base(x.to_float()?, y.to_float()?),
        Op2::CopySign if x.is_exact() => {
            let negative = y.to_float()?.is_sign_negative();
            if negative == x.is_negative() { Ok(x) } else { Ok(negate(x)) }
        }
        Op2::CopySign => Ok(Number::Float(x.to_float()?.copysign(y.to_float()?))),
        Op2::NextToward => next_toward(x.to_float()?, &y),
        Op2::RandomRange => unreachable!("drawn by the machine"),
        _ => integer::apply(op, x.integer()?, y.integer()?),
    }
}

/// A sum, a difference or a product: in words, then in big integers, exact in rational numbers, or in floats.
fn sum(
    x: Number,
    y: Number,
    small: fn(i64, i64) -> Option<i64>,
    big: fn(BigInt, BigInt) -> BigInt,
    exact: fn(Rational, Rational) -> Rational,
    float: fn(f64, f64) -> f64,
) -> Computed {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) => Ok(match small(a, b) {
            Some(value) => Number::Int(value),
            None => Number::from_big(big(a.into(), b.into())),
        }),
        (x, y) if x.is_integer() && y.is_integer() => {
            Ok(Number::from_big(big(x.into_big()?, y.into_big()?)))
        }
        (x, y) if x.is_exact() && y.is_exact() => {
            Ok(Number::from_rational(exact(x.into_rational()?, y.into_rational()?)))
        }
        (x, y) => Number::checked_float(float(x.to_float()?, y.to_float()?)),
    }
}

fn multiply(x: Number, y: Number) -> Computed {
    if x.bits() + y.bits() > super::number::MAX_BITS {
        return Err(Failure::TooLarge);
    }
    sum(x, y, i64::checked_mul, |a, b| a * b, |a, b| a * b, |a, b| a * b)
}

/// `/`: exact for integers that divide, and for rational numbers; else a float.
fn divide(x: Number, y: Number) -> Computed {
    if x.is_exact() && y.is_exact() && !(x.is_integer() && y.is_integer()) {
        return rational::divide(x, y);
    }
    if x.is_integer() && y.is_integer() {
        if y == Number::Int(0) {
            return Err(ZERO_DIVISOR);
        }
        if let (Number::Int(a), Number::Int(b)) = (&x, &y)
            && let (Some(0), Some(quotient)) = (a.checked_rem(*b), a.checked_div(*b))
        {
            return Ok(Number::Int(quotient));
        }
        if !matches!((&x, &y), (Number::Int(_), Number::Int(_))) || y == Number::Int(-1) {
            let (quotient, rest) =
                num_integer::Integer::div_rem(&x.clone().into_big()?, &y.clone().into_big()?);
            if rest == BigInt::ZERO {
                return Ok(Number::from_big(quotient));
            }
        }
        return divide_inexact(x, y);
    }
    let (a, b) = (x.to_float()?, y.to_float()?);
    if b == 0.0 {
        return Err(if a == 0.0 || a.is_nan() { UNDEFINED } else { ZERO_DIVISOR });
    }
    Number::checked_float(a / b)
}

/// The smaller or larger; a NaN loses, and of an equal integer and float the float wins.
fn extreme(x: Number, y: Number, wanted: Ordering) -> Number {
    let is_nan = |n: &Number| matches!(n, Number::Float(value) if value.is_nan());
    match x.compare(&y) {
        Some(Ordering::Equal) => match (&x, &y) {
            (Number::Float(a), Number::Float(b)) if a.total_cmp(b) != wanted => y,
            (Number::Float(_), _) => x,
            _ => y,
        },
        Some(order) if order == wanted => x,
        Some(_) => y,
        None if is_nan(&x) => y,
        None => x,
    }
}

fn atan2(y: f64, x: f64) -> Computed {
    if y == 0.0 && x == 0.0 {
        return Err(UNDEFINED);
    }
    Number::checked_float(y.atan2(x))
}

fn log_base(base: f64, x: f64) -> Computed {
    if base <= 0.0 || x <= 0.0 {
        return Err(UNDEFINED);
    }
    if base == 1.0 {
        return Err(ZERO_DIVISOR);
    }
    Number::checked_float(x.ln() / base.ln())
}

fn next_toward(x: f64, y: &Number) -> Computed {
    Number::checked_float(match Number::Float(x).compare(y) {
        None => return Err(UNDEFINED),
        Some(Ordering::Less) => x.next_up(),
        Some(Ordering::Equal) => x,
        Some(Ordering::Greater) => x.next_down(),
    })
}

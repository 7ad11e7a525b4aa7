//! Operations of one argument, on numbers apart from any heap.

use super::number::{Computed, Failure, Number, UNDEFINED, negate};
use super::ops::Op1;
use super::rational;
use zug_term::Rational;

/// The value of `op(x)`; the random operations are the machine's.
pub fn apply(op: Op1, x: Number) -> Computed {
    match op {
        Op1::Negate => Ok(negate(x)),
        Op1::Plus | Op1::Eval => Ok(x),
        Op1::Abs => Ok(abs(x)),
        Op1::Sign => Ok(sign(x)),
        Op1::BitNot | Op1::Succ | Op1::Msb | Op1::Lsb | Op1::PopCount => {
            on_integer(op, x.integer()?)
        }
        Op1::Truncate => Ok(to_integer(x, f64::trunc, Rational::trunc)),
        Op1::Integer | Op1::Round => Ok(to_integer(x, f64::round, Rational::round)),
        Op1::Floor => Ok(to_integer(x, f64::floor, Rational::floor)),
        Op1::Ceiling => Ok(to_integer(x, f64::ceil, Rational::ceil)),
        Op1::Float => x.to_float().map(Number::Float),
        Op1::IntegerPart => Ok(match x {
            Number::Float(value) => Number::Float(value.trunc()),
            Number::Rational(value) => Number::from_rational(value.trunc()),
            integer => integer,
        }),
        Op1::FractionalPart => Ok(match x {
            Number::Float(value) => Number::Float(value.fract()),
            Number::Rational(value) => Number::from_rational(value.fract()),
            _ => Number::Int(0),
        }),
        Op1::Numerator => x.into_rational().map(|x| Number::from_big(x.into_raw().0)),
        Op1::Denominator => x.into_rational().map(|x| Number::from_big(x.into_raw().1)),
        Op1::Rational => rational::exact(x),
        Op1::Rationalize => rational::rationalize(x),
        Op1::Random | Op1::RandomFloat => unreachable!("drawn by the machine"),
        _ => on_float(op, x.to_float()?),
    }
}

fn abs(x: Number) -> Number {
    match x {
        Number::Float(value) => Number::Float(value.abs()),
        exact if exact.is_negative() => negate(exact),
        exact => exact,
    }
}

fn sign(x: Number) -> Number {
    match x {
        Number::Float(0.0) => Number::Float(0.0),
        Number::Float(value) if value.is_nan() => Number::Float(value),
        Number::Float(value) => Number::Float(value.signum()),
        Number::Int(value) => Number::Int(value.signum()),
        Number::Big(_) | Number::Rational(_) => Number::Int(if x.is_negative() { -1 } else { 1 }),
    }
}

fn to_integer(x: Number, round: fn(f64) -> f64, exact: fn(&Rational) -> Rational) -> Number {
    match x {
        Number::Float(value) => Number::from_integral(round(value)),
        Number::Rational(value) => Number::from_rational(exact(&value)),
        integer => integer,
    }
}

fn on_integer(op: Op1, x: Number) -> Computed {
    let below = |x: Number, domain| Err(Failure::Domain(domain, x));
    match op {
        Op1::BitNot => Ok(match x {
            Number::Int(value) => Number::Int(!value),
            other => Number::from_big(!other.into_big()?),
        }),
        Op1::Succ if x.is_negative() => below(x, "not_less_than_zero"),
        Op1::Succ => super::binary::apply(super::ops::Op2::Add, x, Number::Int(1)),
        Op1::PopCount if x.is_negative() => below(x, "not_less_than_zero"),
        Op1::PopCount => Ok(Number::Int(match x {
            Number::Int(value) => i64::from(value.count_ones()),
            other => {
                other.into_big()?.iter_u64_digits().map(|limb| i64::from(limb.count_ones())).sum()
            }
        })),
        _ if x.is_negative() || x == Number::Int(0) => below(x, "not_less_than_one"),
        Op1::Msb => Ok(Number::Int(x.bits() as i64 - 1)),
        _ => Ok(Number::Int(x.into_big()?.trailing_zeros().unwrap_or(0) as i64)),
    }
}

fn on_float(op: Op1, x: f64) -> Computed {
    let value = match op {
        Op1::Sqrt if x < 0.0 => return Err(UNDEFINED),
        Op1::Log | Op1::Log2 | Op1::Log10 if x <= 0.0 => return Err(UNDEFINED),
        Op1::Cot if x == 0.0 => return Err(UNDEFINED),
        Op1::Sqrt => x.sqrt(),
        Op1::Sin => x.sin(),
        Op1::Cos => x.cos(),
        Op1::Tan => x.tan(),
        Op1::Asin => x.asin(),
        Op1::Acos => x.acos(),
        Op1::Atan => x.atan(),
        Op1::Sinh => x.sinh(),
        Op1::Cosh => x.cosh(),
        Op1::Tanh => x.tanh(),
        Op1::Asinh => x.asinh(),
        Op1::Acosh => x.acosh(),
        Op1::Atanh => x.atanh(),
        Op1::Cot => x.tan().recip(),
        Op1::Acot => x.recip().atan(),
        Op1::Exp => x.exp(),
        Op1::Log => x.ln(),
        Op1::Log2 => x.log2(),
        Op1::Log10 => x.log10(),
        _ => unreachable!("not an operation on floats"),
    };
    Number::checked_float(value)
}

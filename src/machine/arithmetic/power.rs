//! Powers: `**` and `^` (ISO 13211-1, 9.3.1 and Cor. 2, 9.3.10), and `powm`.

use super::number::{Computed, Failure, MAX_BITS, Number, UNDEFINED, ZERO_DIVISOR};
use num_traits::Pow;

/// `x ** y`: an integer for integers with `y >= 0`, exact where a part is a rational number, else a float.
pub fn power(x: Number, y: Number) -> Computed {
    power_or(x, y, |x, y| float_power(x.to_float()?, y.to_float()?))
}

/// `x ^ y`: an integer for integers, or a type error when there is none.
pub fn int_power(x: Number, y: Number) -> Computed {
    power_or(x, y, |x, _| Err(Failure::Type("float", x)))
}

/// A power; `inexact` computes that of two integers which is no integer.
fn power_or(x: Number, y: Number, inexact: fn(Number, Number) -> Computed) -> Computed {
    let is_rational = |number: &Number| matches!(number, Number::Rational(_));
    if (is_rational(&x) || is_rational(&y))
        && let Some(exact) = super::rational::power(&x, &y)
    {
        return exact;
    }
    if x.is_integer() && y.is_integer() {
        return integer_power(&x, &y).unwrap_or_else(|| inexact(x, y));
    }
    float_power(x.to_float()?, y.to_float()?)
}

/// The power of two integers, `None` when it is not an integer.
fn integer_power(x: &Number, y: &Number) -> Option<Computed> {
    let odd = match y {
        Number::Int(value) => value & 1 == 1,
        Number::Big(value) => value.bit(0),
        Number::Float(_) | Number::Rational(_) => false,
    };
    match x {
        Number::Int(1) => return Some(Ok(Number::Int(1))),
        Number::Int(-1) => return Some(Ok(Number::Int(if odd { -1 } else { 1 }))),
        Number::Int(0) if y.is_negative() => return Some(Err(ZERO_DIVISOR)),
        Number::Int(0) => return Some(Ok(Number::Int(i64::from(*y == Number::Int(0))))),
        _ if y.is_negative() => return None,
        _ => {}
    }
    // |x| >= 2: the result has at least (bits - 1) * y bits.
    let exponent = match y {
        Number::Int(value) if (x.bits() - 1).saturating_mul(*value as u64) <= MAX_BITS => {
            *value as u32
        }
        _ => return Some(Err(Failure::TooLarge)),
    };
    if let Number::Int(value) = x
        && let Some(small) = value.checked_pow(exponent)
    {
        return Some(Ok(Number::Int(small)));
    }
    Some(x.clone().into_big().map(|base| Number::from_big(base.pow(exponent))))
}

fn float_power(x: f64, y: f64) -> Computed {
    if x == 0.0 && y < 0.0 {
        return Err(ZERO_DIVISOR);
    }
    if x < 0.0 && y.is_finite() && y.fract() != 0.0 {
        return Err(UNDEFINED);
    }
    Number::checked_float(x.powf(y))
}

/// `powm(base, exponent, modulus)`.
pub fn powm(base: Number, exponent: Number, modulus: Number) -> Computed {
    let (base, exponent, modulus) = (base.integer()?, exponent.integer()?, modulus.integer()?);
    for operand in [&base, &exponent] {
        if operand.is_negative() {
            return Err(Failure::Domain("not_less_than_zero", operand.clone()));
        }
    }
    if modulus.is_negative() || modulus == Number::Int(0) {
        return Err(Failure::Domain("not_less_than_one", modulus));
    }
    let value = base.into_big()?.modpow(&exponent.into_big()?, &modulus.into_big()?);
    Ok(Number::from_big(value))
}

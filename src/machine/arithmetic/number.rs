//! Numbers taken off the heap, and what an operation on them can run into.
//!
//! Invariant: a [`Number::Big`] never fits an `i64`; [`Number::from_big`] is the
//! way to make one. A [`Number::Rational`] is no integer, by [`Number::from_rational`].

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use std::cmp::Ordering;
use zug_term::Rational;

/// An integer, a float or a rational number, apart from any heap.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An integer of one machine word.
    Int(i64),
    /// A larger integer.
    Big(BigInt),
    /// A float.
    Float(f64),
    /// A rational number that is no integer.
    Rational(Box<Rational>),
}

/// Why an operation has no value; becomes the standard's error term.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// `type_error(Expected, Culprit)`.
    Type(&'static str, Number),
    /// `domain_error(Domain, Culprit)`.
    Domain(&'static str, Number),
    /// `evaluation_error(What)`.
    Evaluation(&'static str),
    /// `resource_error(memory)`: the result would be larger than [`MAX_BITS`].
    TooLarge,
}

/// Result of an operation on numbers.
pub type Computed = Result<Number, Failure>;

/// The largest integer that is computed, in bits (8 MiB): a larger result is a
/// resource error before any time is spent on it.
pub const MAX_BITS: u64 = 1 << 26;

/// `evaluation_error(undefined)`.
pub const UNDEFINED: Failure = Failure::Evaluation("undefined");
/// `evaluation_error(zero_divisor)`.
pub const ZERO_DIVISOR: Failure = Failure::Evaluation("zero_divisor");
/// `evaluation_error(float_overflow)`.
pub const FLOAT_OVERFLOW: Failure = Failure::Evaluation("float_overflow");

impl Number {
    /// An integer of any size, as an `Int` when it fits.
    pub fn from_big(value: BigInt) -> Number {
        match value.to_i64() {
            Some(small) => Number::Int(small),
            None => Number::Big(value),
        }
    }

    /// A rational number, as an integer when it is one.
    pub fn from_rational(value: Rational) -> Number {
        if value.is_integer() {
            Number::from_big(value.into_raw().0)
        } else {
            Number::Rational(Box::new(value))
        }
    }

    /// The exact value of an integer or a rational number; a float is a type error.
    pub fn into_rational(self) -> Result<Rational, Failure> {
        match self {
            Number::Int(value) => Ok(BigInt::from(value).into()),
            Number::Big(value) => Ok(value.into()),
            Number::Rational(value) => Ok(*value),
            Number::Float(_) => Err(Failure::Type("rational", self)),
        }
    }

    /// Whether this is an integer or a rational number.
    pub fn is_exact(&self) -> bool {
        !matches!(self, Number::Float(_))
    }

    /// A float result: infinite is an overflow, not-a-number undefined.
    pub fn checked_float(value: f64) -> Computed {
        if value.is_finite() {
            Ok(Number::Float(value))
        } else if value.is_nan() {
            Err(UNDEFINED)
        } else {
            Err(FLOAT_OVERFLOW)
        }
    }

    /// The nearest float; an integer beyond the range of floats overflows.
    pub fn to_float(&self) -> Result<f64, Failure> {
        match self {
            Number::Int(value) => Ok(*value as f64),
            Number::Float(value) => Ok(*value),
            Number::Big(value) => match value.to_f64() {
                Some(float) if float.is_finite() => Ok(float),
                _ => Err(FLOAT_OVERFLOW),
            },
            Number::Rational(value) => {
                let [above, below] =
                    [value.numer(), value.denom()].map(|part| Number::from_big(part.clone()));
                match divide_inexact(above, below)? {
                    Number::Float(value) => Ok(value),
                    _ => unreachable!("a float"),
                }
            }
        }
    }

    /// The integral value of a float as an integer; infinities and NaN stay as they are.
    pub fn from_integral(value: f64) -> Number {
        // Every float below 2^63 in magnitude is exact as an i64.
        if value.abs() < 9.0e18 {
            return Number::Int(value as i64);
        }
        match BigInt::from_f64(value) {
            Some(big) => Number::from_big(big),
            None => Number::Float(value),
        }
    }

    /// The integer as a `BigInt`; all else is a type error.
    pub fn into_big(self) -> Result<BigInt, Failure> {
        match self {
            Number::Int(value) => Ok(BigInt::from(value)),
            Number::Big(value) => Ok(value),
            other => Err(Failure::Type("integer", other)),
        }
    }

    /// Whether this is an integer.
    pub fn is_integer(&self) -> bool {
        matches!(self, Number::Int(_) | Number::Big(_))
    }

    /// This number if it is an integer, else a type error.
    pub fn integer(self) -> Computed {
        if self.is_integer() { Ok(self) } else { Err(Failure::Type("integer", self)) }
    }

    /// Whether the value is below zero (`-0.0` and NaN are not).
    pub fn is_negative(&self) -> bool {
        match self {
            Number::Int(value) => *value < 0,
            Number::Big(value) => value.sign() == num_bigint::Sign::Minus,
            Number::Float(value) => *value < 0.0,
            Number::Rational(value) => value.numer().sign() == num_bigint::Sign::Minus,
        }
    }

    /// Number of bits of the magnitude of an integer, or of both parts of a rational number; 0 for a float.
    pub fn bits(&self) -> u64 {
        match self {
            Number::Int(value) => u64::from(u64::BITS - value.unsigned_abs().leading_zeros()),
            Number::Big(value) => value.bits(),
            Number::Float(_) => 0,
            Number::Rational(value) => value.numer().bits() + value.denom().bits(),
        }
    }

    /// Order by value; `None` with a NaN. Beside a float another number is the nearest float, as in the standard
    /// (9.3 of Cor. 2); the order of terms is exact.
    pub fn compare(&self, other: &Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Some(a.cmp(b)),
            (Number::Float(_), _) | (_, Number::Float(_)) => {
                self.nearest_float().partial_cmp(&other.nearest_float())
            }
            (Number::Rational(_), _) | (_, Number::Rational(_)) => {
                let [a, b] = [self, other].map(|number| number.clone().into_rational());
                Some(a.ok()?.cmp(&b.ok()?))
            }
            // A larger integer is beyond all of a word.
            (Number::Int(_), Number::Big(_)) if other.is_negative() => Some(Ordering::Greater),
            (Number::Int(_), Number::Big(_)) => Some(Ordering::Less),
            (Number::Big(_), Number::Int(_)) => other.compare(self).map(Ordering::reverse),
            (Number::Big(a), Number::Big(b)) => Some(a.cmp(b)),
        }
    }

    /// The nearest float; an infinity beyond the range of floats.
    fn nearest_float(&self) -> f64 {
        let beyond = || if self.is_negative() { f64::NEG_INFINITY } else { f64::INFINITY };
        self.to_float().unwrap_or_else(|_| beyond())
    }
}

pub fn negate(x: Number) -> Number {
    match x {
        Number::Int(value) => match value.checked_neg() {
            Some(negated) => Number::Int(negated),
            None => Number::Big(-BigInt::from(value)),
        },
        Number::Big(value) => Number::from_big(-value),
        Number::Float(value) => Number::Float(-value),
        Number::Rational(value) => Number::from_rational(-*value),
    }
}

/// The float nearest to the quotient of two integers that may be too large for floats.
pub(super) fn divide_inexact(x: Number, y: Number) -> Computed {
    const WORD: u64 = 64;
    let (bits_x, bits_y) = (x.bits(), y.bits());
    if bits_x < 1000 && bits_y < 1000 {
        return Number::checked_float(x.to_float()? / y.to_float()?);
    }
    // Scale so that the integer quotient has 64 bits or more, keep a sticky bit
    // for what the division leaves, and scale back.
    let negative = x.is_negative() != y.is_negative();
    let (a, b) = (x.into_big()?.into_parts().1, y.into_big()?.into_parts().1);
    let scale = bits_y as i64 - bits_x as i64 + WORD as i64 + 1;
    let (a, b) = if scale >= 0 { (a << scale, b) } else { (a, b << -scale) };
    let (mut quotient, rest) = num_integer::Integer::div_rem(&a, &b);
    if rest.bits() > 0 {
        quotient |= num_bigint::BigUint::from(1u32);
    }
    let value = num_traits::ToPrimitive::to_f64(&quotient).ok_or(FLOAT_OVERFLOW)?;
    let value = scale_by_power_of_two(value, -scale);
    Number::checked_float(if negative { -value } else { value })
}

/// `value * 2^exponent`, in steps that stay within the range of floats.
fn scale_by_power_of_two(mut value: f64, mut exponent: i64) -> f64 {
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        value *= 2f64.powi(step as i32);
        exponent -= step;
    }
    value
}

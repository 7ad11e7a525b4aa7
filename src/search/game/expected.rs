//! Probabilities, and values that are means of others: [`Expected`].

use super::value::Value;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::fmt;
use zug_report::{Number, of_float, to_float};

/// A number that is a fraction of integers as long as all that goes into it is exact, and a
/// float from the first float on.
#[derive(Clone, Debug)]
pub enum Expected {
    /// A fraction in lowest terms.
    Exact(Ratio<BigInt>),
    /// A float.
    Float(f64),
}

/// Floats that add up to 1 but for this do.
pub const TOLERANCE: f64 = 1e-9;
/// Floats below this are integers if they have no fraction.
const WHOLE: f64 = 9e15;

impl Expected {
    /// An integer.
    pub fn integer(value: impl Into<BigInt>) -> Self {
        Self::Exact(Ratio::from_integer(value.into()))
    }

    /// A fraction; `None` if the denominator is 0.
    pub fn fraction(numerator: BigInt, denominator: BigInt) -> Option<Self> {
        (!denominator.is_zero()).then(|| Self::Exact(Ratio::new(numerator, denominator)))
    }

    /// A value of a game.
    pub fn of<V: Value>(value: V) -> Self {
        match value.as_integer() {
            Some(value) => Self::integer(value),
            None => Self::Float(value.as_f64()),
        }
    }

    /// An integer if a float is one, else the float.
    pub fn near(value: f64) -> Self {
        let whole = value.fract() == 0.0 && value.abs() < WHOLE;
        if whole { Self::integer(value as i64) } else { Self::Float(value) }
    }

    /// The probabilities of so many things of which none is likelier than another.
    pub fn equally_likely(count: usize) -> Vec<Self> {
        let each = Self::fraction(BigInt::one(), BigInt::from(count.max(1)));
        vec![each.unwrap_or_else(|| Self::integer(1)); count]
    }

    /// Nothing.
    pub fn zero() -> Self {
        Self::integer(0)
    }

    /// Whether it is a fraction.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// Whether it is greater than zero.
    pub fn is_positive(&self) -> bool {
        match self {
            Self::Exact(value) => value.is_positive(),
            Self::Float(value) => *value > 0.0,
        }
    }

    /// Whether it is 1, a float nearly so.
    pub fn is_one(&self) -> bool {
        match self {
            Self::Exact(value) => value.is_one(),
            Self::Float(value) => (value - 1.0).abs() <= TOLERANCE,
        }
    }

    /// The nearest float, or one beside it.
    pub fn as_f64(&self) -> f64 {
        match self {
            Self::Exact(value) => to_float(value),
            Self::Float(value) => *value,
        }
    }

    fn combine(
        &self,
        other: &Self,
        exact: impl Fn(&Ratio<BigInt>, &Ratio<BigInt>) -> Ratio<BigInt>,
        float: impl Fn(f64, f64) -> f64,
    ) -> Self {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => Self::Exact(exact(a, b)),
            (a, b) => Self::Float(float(a.as_f64(), b.as_f64())),
        }
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a + b, |a, b| a + b)
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a - b, |a, b| a - b)
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a * b, |a, b| a * b)
    }

    /// The quotient by a number that is not zero.
    #[must_use]
    pub fn over(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a / b, |a, b| a / b)
    }

    /// The value to the opponent.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(-value),
            Self::Float(value) => Self::Float(0.0 - value),
        }
    }

    /// The mean of values with these probabilities.
    pub fn mean<'v>(chances: &[Self], values: impl IntoIterator<Item = &'v Self>) -> Self {
        let parts = chances.iter().zip(values).map(|(chance, value)| chance.times(value));
        parts.fold(Self::zero(), |sum, part| sum.plus(&part))
    }
}

impl From<Expected> for Number {
    fn from(value: Expected) -> Number {
        match value {
            Expected::Exact(value) => Number::exact(value),
            Expected::Float(value) => Number::Float(value),
        }
    }
}

impl From<&Number> for Expected {
    fn from(value: &Number) -> Expected {
        match value {
            Number::Int(value) => Expected::integer(*value),
            Number::Exact(value) => Expected::Exact(value.clone()),
            Number::Float(value) => Expected::Float(*value),
        }
    }
}

impl Ord for Expected {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => a.cmp(b),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (Self::Exact(a), Self::Float(b)) => exact_with_float(a, *b),
            (Self::Float(a), Self::Exact(b)) => exact_with_float(b, *a).reverse(),
        }
    }
}

/// Compares without rounding: a finite float is a fraction.
fn exact_with_float(exact: &Ratio<BigInt>, float: f64) -> Ordering {
    match of_float(float) {
        Some(fraction) => exact.cmp(&fraction),
        None if float > 0.0 => Ordering::Less,
        None if float < 0.0 => Ordering::Greater,
        // No rule gives a value that is not a number.
        None => Ordering::Equal,
    }
}

impl PartialOrd for Expected {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Expected {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Expected {}

/// As the rule language writes it.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i64, denominator: i64) -> Expected {
        Expected::fraction(numerator.into(), denominator.into()).expect("a denominator")
    }

    #[test]
    fn fractions_stay_exact_and_floats_spread() {
        let third = fraction(2, 6);
        assert_eq!(third.to_string(), "1/3");
        assert_eq!(third.times(&Expected::integer(3)).to_string(), "1");
        assert_eq!(third.plus(&Expected::Float(0.5)).to_string(), "0.8333333333333333");
        assert!(third < fraction(1, 2) && third > Expected::Float(0.25));
        assert!(Expected::fraction(1.into(), 0.into()).is_none());
        let die = Expected::equally_likely(6);
        let faces: Vec<Expected> = (1..=6).map(Expected::integer).collect();
        assert_eq!(Expected::mean(&die, &faces), fraction(7, 2));
    }

    #[test]
    fn long_fractions_have_floats() {
        let three = BigInt::from(3).pow(2000);
        let long = Expected::fraction(three.clone(), three * 2 + 1).expect("a denominator");
        assert!((long.as_f64() - 0.5).abs() < 1e-12);
        let small = Expected::fraction((-1).into(), BigInt::from(2).pow(60)).expect("one");
        assert_eq!(small.as_f64(), -(2f64.powi(-60)));
        assert_eq!(Expected::zero().as_f64(), 0.0);
    }
}

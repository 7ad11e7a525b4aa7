//! Numbers of reports: costs, values, probabilities.

use crate::fraction::to_float;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::ToPrimitive;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// The largest integer that every reader of JSON keeps exact: 2^53 - 1.
pub const LARGEST_EXACT: i64 = (1 << 53) - 1;

/// The most characters of a fraction that is shown as such.
const LONGEST_FRACTION: usize = 24;

/// A number, exact as long as all that went into it was.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i64),
    /// A fraction in lowest terms, or an integer beyond 64 bits.
    Exact(Ratio<BigInt>),
    /// A float; costs and estimates may be infinite.
    Float(f64),
}

impl Number {
    /// The number nearest to nothing: what is said where nothing was added up.
    pub const ZERO: Number = Number::Int(0);
    /// An estimate without bound.
    pub const INFINITE: Number = Number::Float(f64::INFINITY);

    /// A fraction, as an integer if it is one of 64 bits.
    pub fn exact(value: Ratio<BigInt>) -> Number {
        match value.numer().to_i64().filter(|_| value.is_integer()) {
            Some(value) => Number::Int(value),
            None => Number::Exact(value),
        }
    }

    /// The nearest float.
    pub fn as_f64(&self) -> f64 {
        match self {
            Number::Int(value) => *value as f64,
            Number::Exact(value) => to_float(value),
            Number::Float(value) => *value,
        }
    }

    /// Whether it is nothing.
    pub fn is_zero(&self) -> bool {
        self.as_f64() == 0.0
    }

    /// Which of two is less; exactly unless one is a float.
    pub fn compare(&self, other: &Number) -> Ordering {
        match (self.ratio(), other.ratio()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => self.as_f64().total_cmp(&other.as_f64()),
        }
    }

    /// Whether two mean the same: exactly, or, with a float among them, up to the order in which
    /// floats were added up.
    pub fn is_near(&self, other: &Number) -> bool {
        match (self.ratio(), other.ratio()) {
            (Some(a), Some(b)) => a == b,
            _ => {
                let (a, b) = (self.as_f64(), other.as_f64());
                a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
            }
        }
    }

    /// The difference; exact unless one is a float.
    #[must_use]
    pub fn minus(&self, other: &Number) -> Number {
        match (self.ratio(), other.ratio()) {
            (Some(a), Some(b)) => Number::exact(a - b),
            _ => Number::Float(self.as_f64() - other.as_f64()),
        }
    }

    /// As people read it, who care for the size of a fraction too; of a float so many digits behind
    /// the point, or all.
    pub fn shown(&self, digits: Option<usize>) -> String {
        match (self, digits) {
            (Number::Float(value), Some(digits)) => format!("{value:.digits$}"),
            (Number::Exact(fraction), _) if !fraction.is_integer() => {
                let (text, near) = (fraction.to_string(), self.as_f64());
                if text.len() > LONGEST_FRACTION {
                    format!("about {near:.9}")
                } else {
                    format!("{text} (about {near:.4})")
                }
            }
            _ => self.to_string(),
        }
    }

    fn ratio(&self) -> Option<Ratio<BigInt>> {
        match self {
            Number::Int(value) => Some(Ratio::from_integer(BigInt::from(*value))),
            Number::Exact(value) => Some(value.clone()),
            Number::Float(_) => None,
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::Int(value)
    }
}

/// As the rule language writes it.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(value) => write!(f, "{value}"),
            Number::Exact(value) => write!(f, "{value}"),
            Number::Float(value) => write!(f, "{value:?}"),
        }
    }
}

/// An integer as a number of JSON, or as text where readers of JSON don't keep it exact.
fn exact_or_text<S: Serializer>(
    value: impl TryInto<i64> + fmt::Display + Copy,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value.try_into() {
        Ok(small) if small.unsigned_abs() <= LARGEST_EXACT as u64 => {
            serializer.serialize_i64(small)
        }
        _ => serializer.collect_str(&value),
    }
}

/// A number of states, which may be a large one. In JSON it is a number, and text beyond 2^53.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count(pub u128);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Count> for u128 {
    fn from(count: Count) -> u128 {
        count.0
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        exact_or_text(self.0, serializer)
    }
}

/// The seed of what happens at random. In JSON it is a number, and text beyond 2^53.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seed(pub u64);

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        exact_or_text(self.0, serializer)
    }
}

/// As a number of JSON; as text `"7/12"` for a fraction, for an integer beyond 2^53 and for
/// `"inf"` and `"-inf"`, which JSON has no number for.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Number::Int(value) => exact_or_text(*value, serializer),
            Number::Exact(value) => serializer.collect_str(value),
            Number::Float(f64::INFINITY) => serializer.serialize_str("inf"),
            Number::Float(f64::NEG_INFINITY) => serializer.serialize_str("-inf"),
            Number::Float(value) => serializer.serialize_f64(*value),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Number {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "An exact number or a float: a number; as text a fraction (7/12), an \
                integer beyond 2^53, inf or -inf; null if it is undefined.",
            "anyOf": [
                {"type": "number"},
                {"type": "string", "pattern": "^(-?[0-9]+(/[0-9]+)?|-?inf)$"},
                {"type": "null"},
            ],
        })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Count {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        exact_or_text_schema("A number of states; as text beyond 2^53.", 39)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Seed {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seed".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        exact_or_text_schema("The seed of what happens at random; as text beyond 2^53.", 20)
    }
}

/// The schema of [`exact_or_text`] of an integer that is not negative, of at most N digits.
#[cfg(feature = "schema")]
fn exact_or_text_schema(description: &str, digits: u32) -> schemars::Schema {
    schemars::json_schema!({
        "description": description,
        "anyOf": [
            {"type": "integer", "minimum": 0, "maximum": LARGEST_EXACT},
            {"type": "string", "pattern": format!("^[0-9]{{16,{digits}}}$")},
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i64, denominator: i64) -> Number {
        Number::exact(Ratio::new(numerator.into(), denominator.into()))
    }

    fn check(number: &Number, json: &str, text: &str) {
        assert_eq!(serde_json::to_string(number).expect("JSON"), json);
        assert_eq!(number.to_string(), text);
    }

    #[test]
    fn numbers_stay_numbers_where_json_has_them() {
        check(&Number::Int(-5), "-5", "-5");
        check(&Number::Int(1 << 53), "\"9007199254740992\"", "9007199254740992");
        check(&fraction(6, 2), "3", "3");
        check(&fraction(7, 12), "\"7/12\"", "7/12");
        check(&Number::Float(5.0), "5.0", "5.0");
        check(&Number::INFINITE, "\"inf\"", "inf");
    }

    #[test]
    fn seeds_are_text_where_numbers_would_be_rounded() {
        let json = |seed| serde_json::to_string(&Seed(seed)).expect("JSON");
        assert_eq!(json(LARGEST_EXACT as u64), "9007199254740991");
        assert_eq!(json(1 << 53), "\"9007199254740992\"");
        assert_eq!(json(u64::MAX), "\"18446744073709551615\"");
    }

    #[test]
    fn integers_are_compared_exactly_and_floats_nearly() {
        let large = Number::Int(i64::MAX);
        assert_eq!(large.compare(&Number::Int(i64::MAX - 1)), Ordering::Greater);
        assert!(!large.is_near(&Number::Int(i64::MAX - 1)));
        assert!(Number::Float(0.1 + 0.2).is_near(&Number::Float(0.3)));
        assert!(Number::Int(3).is_near(&Number::Float(3.0)));
        assert_eq!(fraction(1, 2).minus(&fraction(1, 3)), fraction(1, 6));
    }
}

//! What rules say a state is worth.

use crate::Number;
use std::cmp::Ordering;
use zug_search::game::Value;

/// A value given by a rule: an integer or a float, compared by value.
#[derive(Clone, Copy, Debug)]
pub struct GameValue(pub Number);

#[cfg(feature = "cluster")]
impl GameValue {
    /// Appends bytes that mean the same in every process: a kind and 64 bits.
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let (kind, bits) = match self.0 {
            Number::Int(value) => (0, value as u64),
            number => (1, number.as_f64().to_bits()),
        };
        out.push(kind);
        out.extend(bits.to_le_bytes());
    }

    /// What was written by [`GameValue::write`]; `None` if it makes no sense.
    pub(crate) fn read(bytes: &[u8]) -> Option<GameValue> {
        let (&kind, bits) = bytes.split_first()?;
        let bits = u64::from_le_bytes(bits.try_into().ok()?);
        match kind {
            0 => Some(GameValue(Number::Int(bits as i64))),
            1 => Some(GameValue(Number::Float(f64::from_bits(bits))))
                .filter(|value| !value.as_f64().is_nan()),
            _ => None,
        }
    }
}

/// A type that engines can keep a rule program's values in.
pub trait RuleValue: Value {
    /// The number as a value, if the type can hold it.
    fn of(number: Number) -> Option<Self>;
    /// The value as a number.
    fn number(self) -> Number;
}

/// Everything.
impl RuleValue for GameValue {
    #[inline]
    fn of(number: Number) -> Option<GameValue> {
        Some(GameValue(number))
    }

    fn number(self) -> Number {
        self.0
    }
}

/// Integers alone, but for the two that are bounds.
impl RuleValue for i64 {
    #[inline]
    fn of(number: Number) -> Option<i64> {
        match number {
            Number::Int(value) => Some(value).filter(|&v| Self::LEAST < v && v < Self::GREATEST),
            _ => None,
        }
    }

    fn number(self) -> Number {
        Number::Int(self)
    }
}

/// Integers up to here are floats too.
const EXACT: i64 = 1 << 53;

impl Ord for GameValue {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0, other.0) {
            (Number::Int(a), Number::Int(b)) => a.cmp(&b),
            (Number::Int(a), b) => int_with_float(a, b.as_f64()),
            (a, Number::Int(b)) => int_with_float(b, a.as_f64()).reverse(),
            (a, b) => by_value(a.as_f64(), b.as_f64()),
        }
    }
}

/// No rule gives a value that is not a number.
fn by_value(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

fn int_with_float(a: i64, b: f64) -> Ordering {
    let near = by_value(a as f64, b);
    if near != Ordering::Equal || a.abs() <= EXACT {
        return near;
    }
    // Both are large, so the float has no fraction.
    i128::from(a).cmp(&(b as i128))
}

impl PartialOrd for GameValue {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for GameValue {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for GameValue {}

impl Value for GameValue {
    const ZERO: Self = GameValue(Number::Int(0));
    const WIN: Self = GameValue(Number::Int(1));
    const LEAST: Self = GameValue(Number::Float(f64::NEG_INFINITY));
    const GREATEST: Self = GameValue(Number::Float(f64::INFINITY));

    #[inline]
    fn negated(self) -> Self {
        GameValue(match self.0 {
            Number::Int(value) => match value.checked_neg() {
                Some(value) => Number::Int(value),
                None => Number::Float(-(value as f64)),
            },
            number => Number::Float(0.0 - number.as_f64()),
        })
    }

    fn below(self) -> Self {
        match self.0 {
            Number::Int(value) if value.abs() > EXACT => {
                GameValue(Number::Int(value.saturating_sub(1)))
            }
            number => GameValue(Number::Float(number.as_f64().next_down())),
        }
    }

    fn as_f64(self) -> f64 {
        self.0.as_f64()
    }

    fn as_integer(self) -> Option<i64> {
        match self.0 {
            Number::Int(value) => Some(value),
            _ => None,
        }
    }
}

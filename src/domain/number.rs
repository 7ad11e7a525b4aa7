//! Costs and estimates as rules give them, and as engines count them.

use crate::machine::Machine;
use crate::search::{Cost, Float};
use crate::term::{Cell, Heap, Value};
use std::fmt;

/// A cost or estimate given by a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

/// What is wrong with a value that should be a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoNumber {
    /// It has no value.
    Unbound,
    /// It is something else.
    Other,
}

impl Number {
    /// The number that a term is or evaluates to.
    #[inline]
    pub(super) fn read(m: &mut Machine, cell: Cell) -> Result<Number, NoNumber> {
        let cell = m.heap.deref(cell);
        match cell.as_int() {
            Some(value) => Ok(Number::Int(value)),
            None => Number::read_other(m, cell),
        }
    }

    fn read_other(m: &mut Machine, cell: Cell) -> Result<Number, NoNumber> {
        if cell.is_ref() {
            return Err(NoNumber::Unbound);
        }
        // A textbook `H` may be a sum that nobody evaluated.
        let value = m.eval(cell).map_err(|_| NoNumber::Other)?;
        match m.heap.value(value) {
            Value::Int(value) => Ok(Number::Int(value)),
            Value::Float(value) if !value.is_nan() => Ok(Number::Float(value)),
            Value::Big(value) => {
                use num_traits::ToPrimitive;
                Ok(match value.to_i64() {
                    Some(value) => Number::Int(value),
                    None => Number::Float(value.to_f64().unwrap_or(f64::INFINITY)),
                })
            }
            _ => Err(NoNumber::Other),
        }
    }

    /// The number as a term.
    pub fn to_cell(self, heap: &mut Heap) -> Cell {
        match self {
            Number::Int(value) => heap.new_int(value),
            Number::Float(value) => heap.new_float(value),
        }
    }

    /// Whether it is less than zero.
    #[inline]
    pub fn is_negative(self) -> bool {
        match self {
            Number::Int(value) => value < 0,
            Number::Float(value) => value < 0.0,
        }
    }

    /// Whether it is a float without bound.
    #[inline]
    pub fn is_infinite(self) -> bool {
        matches!(self, Number::Float(value) if value.is_infinite())
    }

    /// The nearest float.
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        }
    }

    /// The sum: an integer if both are, unless it is too large.
    #[must_use]
    pub fn plus(self, other: Number) -> Number {
        if let (Number::Int(a), Number::Int(b)) = (self, other)
            && let Some(sum) = a.checked_add(b)
        {
            return Number::Int(sum);
        }
        Number::Float(self.as_f64() + other.as_f64())
    }
}

/// As the rule language writes it.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(value) => write!(f, "{value}"),
            Number::Float(value) => write!(f, "{value:?}"),
        }
    }
}

/// A cost type that engines can count a rule program's costs in.
pub trait RuleCost: Cost {
    /// The number as a cost, if the type can hold it.
    fn of(number: Number) -> Option<Self>;
    /// The cost as a number.
    fn number(self) -> Number;
}

/// Integers alone: exact, and half the memory of anything that may also be a float.
impl RuleCost for i64 {
    #[inline]
    fn of(number: Number) -> Option<i64> {
        match number {
            Number::Int(value) => Some(value),
            Number::Float(_) => None,
        }
    }

    fn number(self) -> Number {
        Number::Int(self)
    }
}

/// Everything, as floats.
impl RuleCost for Float {
    #[inline]
    fn of(number: Number) -> Option<Float> {
        Some(Float(number.as_f64() + 0.0))
    }

    fn number(self) -> Number {
        Number::Float(self.0)
    }
}

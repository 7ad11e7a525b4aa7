//! Costs and estimates as rules give them, and as engines count them.

use super::large::Large;
use num_bigint::Sign;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::fmt;
use zug_machine::Machine;
use zug_search::{Cost, Float};
use zug_term::{Cell, Heap, Value};

/// Why a type can't hold a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncounted {
    /// It is a float.
    Fraction,
    /// It is an integer beyond the type.
    Beyond,
}

/// A cost or estimate given by a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i64),
    /// An integer beyond 64 bits that is not negative: a cost or an estimate, no value of a game.
    Large(Large),
    /// A float.
    Float(f64),
}

/// Why a value is no number of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoNumber {
    /// It has no value.
    Unbound,
    /// It is something else.
    Other,
    /// It is an integer that is too large.
    Huge,
}

impl Number {
    /// The number that a term is or evaluates to.
    #[inline]
    pub fn read(m: &mut Machine, cell: Cell) -> Result<Number, NoNumber> {
        let cell = m.heap.deref(cell);
        match cell.as_int() {
            Some(value) => Ok(Number::Int(value)),
            None => Number::read_other(m, cell, false),
        }
    }

    /// As [`Number::read`], of a cost or an estimate, which stay exact beyond 64 bits.
    #[inline]
    pub fn read_cost(m: &mut Machine, cell: Cell) -> Result<Number, NoNumber> {
        let cell = m.heap.deref(cell);
        match cell.as_int() {
            Some(value) => Ok(Number::Int(value)),
            None => Number::read_other(m, cell, true),
        }
    }

    #[cold]
    fn read_other(m: &mut Machine, cell: Cell, is_cost: bool) -> Result<Number, NoNumber> {
        if cell.is_var() {
            return Err(NoNumber::Unbound);
        }
        // A textbook `H` may be a sum that nobody evaluated.
        let value = m.eval(cell).map_err(|_| NoNumber::Other)?;
        match m.heap.value(value) {
            Value::Int(value) => Ok(Number::Int(value)),
            Value::Float(value) if !value.is_nan() => Ok(Number::Float(value)),
            // What is less than zero is no cost, however large.
            Value::Big(value) if is_cost && value.sign() == Sign::Minus => {
                Ok(Number::Float(value.to_f64().unwrap_or(f64::NEG_INFINITY)))
            }
            Value::Big(value) => {
                let large = || Large::of_big(&value).filter(|_| is_cost).map(Number::Large);
                value.to_i64().map(Number::Int).or_else(large).ok_or(NoNumber::Huge)
            }
            Value::Rational(_) => match m.number_of(value).map(|value| value.to_float()) {
                Some(Ok(value)) => Ok(Number::Float(value)),
                _ => Err(NoNumber::Other),
            },
            _ => Err(NoNumber::Other),
        }
    }

    /// The number as a term.
    pub fn to_cell(self, heap: &mut Heap) -> Cell {
        match self {
            Number::Int(value) => heap.new_int(value),
            Number::Large(value) => heap.new_big(&value.to_big()),
            Number::Float(value) => heap.new_float(value),
        }
    }

    /// Whether it is less than zero.
    #[inline]
    pub fn is_negative(self) -> bool {
        match self {
            Number::Int(value) => value < 0,
            Number::Large(_) => false,
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
            Number::Large(value) => value.as_f64(),
            Number::Float(value) => value,
        }
    }

    /// A cost of a report as it is counted.
    pub fn of(number: &zug_report::Number) -> Number {
        use zug_report::Number as Reported;
        match number {
            Reported::Int(value) => Number::Int(*value),
            Reported::Float(value) => Number::Float(*value),
            Reported::Exact(value) => match Large::of_big(value.numer()) {
                Some(large) if value.is_integer() => Number::Large(large),
                _ => Number::Float(number.as_f64()),
            },
        }
    }

    /// The sum: an integer if both are.
    #[must_use]
    pub fn plus(self, other: Number) -> Number {
        if let (Number::Int(a), Number::Int(b)) = (self, other)
            && let Some(sum) = a.checked_add(b)
        {
            return Number::Int(sum);
        }
        if let (Some(a), Some(b)) = (Large::of(self), Large::of(other)) {
            return a.plus(b).number();
        }
        Number::Float(self.as_f64() + other.as_f64())
    }
}

/// As the rule language writes it.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(value) => write!(f, "{value}"),
            Number::Large(value) => write!(f, "{value}"),
            Number::Float(value) => write!(f, "{value:?}"),
        }
    }
}

impl From<Number> for zug_report::Number {
    fn from(number: Number) -> zug_report::Number {
        match number {
            Number::Int(value) => zug_report::Number::Int(value),
            Number::Large(value) => zug_report::Number::exact(value.to_big().into()),
            Number::Float(value) => zug_report::Number::Float(value),
        }
    }
}

/// A cost type that engines can count a rule program's costs in.
pub trait RuleCost: Cost {
    /// The number as a cost, if the type can hold it.
    fn of(number: Number) -> Option<Self>;
    /// The cost as a number.
    fn number(self) -> Number;
    /// It is the greatest of the type: sums end here, and this may be one that is greater.
    fn is_saturated(self) -> bool;

    /// The number as a cost.
    ///
    /// # Errors
    /// The type can't hold it: costs have to be counted otherwise.
    #[inline]
    fn count(number: Number) -> Result<Self, Uncounted> {
        match (Self::of(number), number) {
            (Some(cost), _) if !cost.is_saturated() => Ok(cost),
            (_, Number::Float(_)) => Err(Uncounted::Fraction),
            _ => Err(Uncounted::Beyond),
        }
    }
}

/// Integers alone: exact, and half the memory of anything that may also be a float.
impl RuleCost for i64 {
    #[inline]
    fn of(number: Number) -> Option<i64> {
        match number {
            Number::Int(value) => Some(value),
            Number::Large(_) | Number::Float(_) => None,
        }
    }

    fn number(self) -> Number {
        Number::Int(self)
    }

    fn is_saturated(self) -> bool {
        self == i64::MAX
    }
}

/// Integers up to 2^256, exact.
impl RuleCost for Large {
    fn of(number: Number) -> Option<Large> {
        match number {
            Number::Int(value) => Large::of_int(value),
            Number::Large(value) => Some(value),
            Number::Float(_) => None,
        }
    }

    fn number(self) -> Number {
        match self.limbs() {
            [0, 0, 0, low] if i64::try_from(low).is_ok() => Number::Int(low as i64),
            _ => Number::Large(self),
        }
    }

    fn is_saturated(self) -> bool {
        self == Self::GREATEST
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

    fn is_saturated(self) -> bool {
        false
    }
}

/// A cost of any kind, for where few are counted: a sum of integers is one, exact up to 2^256, and
/// any other sum is a float. It takes five words.
#[derive(Clone, Copy, Debug)]
pub struct AnyCost(Number);

impl PartialEq for AnyCost {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for AnyCost {}

impl PartialOrd for AnyCost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AnyCost {
    fn cmp(&self, other: &Self) -> Ordering {
        match (Large::of(self.0), Large::of(other.0)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => self.as_f64().total_cmp(&other.as_f64()),
        }
    }
}

impl Cost for AnyCost {
    const ZERO: Self = AnyCost(Number::Int(0));

    fn plus(self, other: Self) -> Self {
        AnyCost(self.0.plus(other.0))
    }

    fn minus(self, other: Self) -> Self {
        AnyCost(match (Large::of(self.0), Large::of(other.0)) {
            (Some(a), Some(b)) => a.minus(b).number(),
            _ => Number::Float(self.as_f64() - other.as_f64()),
        })
    }

    fn as_f64(self) -> f64 {
        self.0.as_f64()
    }

    fn as_small(self) -> Option<u32> {
        match self.0 {
            Number::Int(value) => value.as_small(),
            Number::Large(_) => None,
            Number::Float(value) => Float(value).as_small(),
        }
    }

    fn exceeds_by(self, other: Self, part: f64) -> bool {
        match (self.0, other.0) {
            (Number::Float(_), _) | (_, Number::Float(_)) => {
                Float(self.as_f64()).exceeds_by(Float(other.as_f64()), part)
            }
            _ => self > other,
        }
    }
}

impl RuleCost for AnyCost {
    fn of(number: Number) -> Option<AnyCost> {
        Some(AnyCost(match number {
            // Zero has one sign.
            Number::Float(value) => Number::Float(value + 0.0),
            exact => exact,
        }))
    }

    fn number(self) -> Number {
        self.0
    }

    fn is_saturated(self) -> bool {
        self.0 == Number::Large(Large::GREATEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cost() -> impl Strategy<Value = Number> {
        let large = proptest::array::uniform4(any::<u64>())
            .prop_map(|[_, b, c, d]| Large::of_limbs([0, b, c, d]).number());
        prop_oneof![
            (0..9i64).prop_map(Number::Int),
            (0..=i64::MAX).prop_map(Number::Int),
            large,
            (0..99u32).prop_map(|half| Number::Float(f64::from(half) / 2.0)),
        ]
    }

    proptest! {
        /// As all integers are counted together, and as all floats are.
        #[test]
        fn any_cost_counts_as_the_types_of_one_kind(a in cost(), b in cost()) {
            let [x, y] = [a, b].map(|number| AnyCost::of(number).expect("it holds all"));
            match (Large::of(a), Large::of(b)) {
                (Some(c), Some(d)) => {
                    prop_assert_eq!(x.cmp(&y), c.cmp(&d));
                    prop_assert_eq!(x.plus(y).number(), c.plus(d).number());
                    if c >= d {
                        prop_assert_eq!(x.minus(y).number(), c.minus(d).number());
                    }
                }
                _ => {
                    let [c, d] = [a, b].map(|number| Float(number.as_f64()));
                    prop_assert_eq!(x.cmp(&y), c.cmp(&d));
                    prop_assert_eq!(x.plus(y).as_f64(), c.plus(d).as_f64());
                    prop_assert_eq!(x.exceeds(y), c.exceeds(d));
                }
            }
            prop_assert_eq!(x.plus(AnyCost::ZERO), x);
        }
    }
}

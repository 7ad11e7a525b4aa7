//! Values of states: [`Value`].

use crate::cost::Float;
use std::fmt::Debug;

/// A value: totally ordered, with a zero and negation.
pub trait Value: Copy + Ord + Debug + Send + Sync {
    /// A draw.
    const ZERO: Self;
    /// A win, where nothing more is known.
    const WIN: Self;
    /// No value is less.
    const LEAST: Self;
    /// No value is greater.
    const GREATEST: Self;

    /// The value to the opponent.
    #[must_use]
    fn negated(self) -> Self;

    /// The greatest value that is less, so that nothing lies between.
    #[must_use]
    fn below(self) -> Self;

    /// The nearest floating-point number, for display.
    fn as_f64(self) -> f64;

    /// The value, if it is known exactly: an integer.
    fn as_integer(self) -> Option<i64>;
}

/// From -(2⁶³-1) to 2⁶³-1.
impl Value for i64 {
    const ZERO: Self = 0;
    const WIN: Self = 1;
    const LEAST: Self = -i64::MAX;
    const GREATEST: Self = i64::MAX;

    #[inline]
    fn negated(self) -> Self {
        -self
    }

    #[inline]
    fn below(self) -> Self {
        self.saturating_sub(1).max(Self::LEAST)
    }

    fn as_f64(self) -> f64 {
        self as f64
    }

    fn as_integer(self) -> Option<i64> {
        Some(self)
    }
}

impl Value for Float {
    const ZERO: Self = Self(0.0);
    const WIN: Self = Self(1.0);
    const LEAST: Self = Self(f64::NEG_INFINITY);
    const GREATEST: Self = Self(f64::INFINITY);

    #[inline]
    fn negated(self) -> Self {
        // Not -0.0, which the total order takes for less.
        Self(0.0 - self.0)
    }

    #[inline]
    fn below(self) -> Self {
        Self(self.0.next_down() + 0.0)
    }

    fn as_f64(self) -> f64 {
        self.0
    }

    fn as_integer(self) -> Option<i64> {
        None
    }
}

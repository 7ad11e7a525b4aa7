//! Path costs: what engines need to know of a number.
//!
//! An engine adds costs, compares them, and now and then shows one. Integers are exact;
//! with floating-point numbers sums depend on the order of addition, so comparisons that
//! would accuse a heuristic allow for rounding ([`Cost::exceeds`]).

use std::cmp::Ordering;
use std::fmt::Debug;

/// A path cost: non-negative, totally ordered, closed under addition.
///
/// For all `a`, `b` and `c`: `a.plus(Self::ZERO) == a`, and `b <= c` implies
/// `a.plus(b) <= a.plus(c)`.
pub trait Cost: Copy + Ord + Debug + Send + Sync {
    /// The cost of the empty path.
    const ZERO: Self;

    /// The sum of two costs.
    fn plus(self, other: Self) -> Self;

    /// The difference of two costs, `other` being no greater up to rounding.
    fn minus(self, other: Self) -> Self;

    /// The nearest floating-point number, for weights and for display.
    fn as_f64(self) -> f64;

    /// The cost as a small integer, if it is one that is not negative: equal costs give equal
    /// integers, greater ones greater.
    fn as_small(self) -> Option<u32> {
        None
    }

    /// Whether `self` is greater than `other` by more than rounding can explain.
    fn exceeds(self, other: Self) -> bool {
        self.exceeds_by(other, ROUNDING)
    }

    /// Whether `self` is greater than `other`: a float by more than this part of it.
    fn exceeds_by(self, other: Self, _part: f64) -> bool {
        self > other
    }
}

/// Floats that differ by no more than this part of them may be sums of the same numbers.
const ROUNDING: f64 = 1e-9;

/// Exact costs. Sums saturate at the greatest integer.
impl Cost for i64 {
    const ZERO: Self = 0;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self.saturating_sub(other)
    }

    #[inline]
    fn as_f64(self) -> f64 {
        self as f64
    }

    #[inline]
    fn as_small(self) -> Option<u32> {
        u32::try_from(self).ok()
    }
}

/// A floating-point cost under the total order of [`f64::total_cmp`].
#[derive(Clone, Copy, Debug)]
pub struct Float(pub f64);

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Float {}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Float {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Cost for Float {
    const ZERO: Self = Self(0.0);

    #[inline]
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    #[inline]
    fn as_f64(self) -> f64 {
        self.0
    }

    #[inline]
    fn as_small(self) -> Option<u32> {
        let small = self.0 as u32;
        (f64::from(small).to_bits() == self.0.to_bits()).then_some(small)
    }

    fn exceeds_by(self, other: Self, part: f64) -> bool {
        self.0 - other.0 > part * self.0.abs().max(other.0.abs())
    }
}

//! Floats that mean a fraction: [`simplest_between`].

use super::expected::Expected;
use num_bigint::BigInt;

/// What is taken to be rounding on both sides of an interval, as a part of its place.
const ROUNDING: f64 = 1e-12;
/// The greatest denominator that is tried: its square times the rounding is still small, so that
/// few floats have such a fraction beside them by chance.
const LARGEST: i64 = 100_000;
/// Beyond this floats have no place for a fraction.
const FARTHEST: f64 = 1e9;

/// The fraction with the smallest denominator between two floats, if it is small: by the
/// Stern-Brocot tree, as continued fractions go down it.
pub(super) fn simplest_between(low: f64, high: f64) -> Option<Expected> {
    let slack = ROUNDING * low.abs().max(high.abs()).max(1.0);
    let (low, high) = (low - slack, high + slack);
    if !(low.abs() < FARTHEST && high.abs() < FARTHEST) {
        return None;
    }
    if low <= 0.0 && high >= 0.0 {
        return Some(Expected::zero());
    }
    let negative = high < 0.0;
    let (mut low, mut high) = if negative { (-high, -low) } else { (low, high) };
    // The convergents before the last one and the last one.
    let (mut before, mut last) = ((0i64, 1i64), (1i64, 0i64));
    loop {
        let whole = low.ceil();
        let step = if whole <= high { whole } else { low.floor() };
        let next = |before: i64, last: i64| (step as i64).checked_mul(last)?.checked_add(before);
        let (above, below) = (next(before.0, last.0)?, next(before.1, last.1)?);
        if below > LARGEST {
            return None;
        }
        if whole <= high {
            let above = if negative { -above } else { above };
            return Expected::fraction(BigInt::from(above), BigInt::from(below));
        }
        (before, last) = (last, (above, below));
        (low, high) = (1.0 / (high - step), 1.0 / (low - step));
        if !(low.is_finite() && high.is_finite() && high < 1e15) {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simplest_fraction_is_found() {
        let fraction = |above: i64, below: i64| Expected::fraction(above.into(), below.into());
        let near = |value: f64| simplest_between(value - 1e-10, value + 1e-10);
        assert_eq!(near(0.0), fraction(0, 1));
        assert_eq!(near(1.0), fraction(1, 1));
        assert_eq!(near(-2.0), fraction(-2, 1));
        assert_eq!(near(1.0 / 3.0), fraction(1, 3));
        assert_eq!(near(-22.0 / 7.0), fraction(-22, 7));
        assert_eq!(near(35.0 / 36.0), fraction(35, 36));
        assert_eq!(near(1e12), None);
        assert_eq!(simplest_between(f64::NEG_INFINITY, 0.0), None);
        // None of a small denominator.
        let value = std::f64::consts::PI;
        assert_eq!(simplest_between(value, value), None);
    }
}

//! Integer costs beyond 64 bits: exact sums up to 2^256.
//!
//! An engine copies costs about, so they are of one size. What 64 bits hold is counted in them;
//! a search whose costs don't fit begins again with these, and it is an error if they don't
//! either: no cost is ever rounded.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;
use std::fmt;
use zug_search::Cost;

const LIMBS: usize = 4;

/// An integer that is not negative: limbs of 64 bits, the greatest first.
// The order of the limbs makes the derived order that of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Large([u64; LIMBS]);

impl Large {
    /// Sums end here; a cost that is as great is none.
    pub const GREATEST: Large = Large([u64::MAX; LIMBS]);

    /// The integer, if it is not negative and fits.
    pub fn of_big(value: &BigInt) -> Option<Large> {
        let (sign, digits) = value.to_u64_digits();
        if sign == Sign::Minus || digits.len() > LIMBS {
            return None;
        }
        let mut limbs = [0; LIMBS];
        for (limb, digit) in limbs.iter_mut().rev().zip(digits) {
            *limb = digit;
        }
        Some(Large(limbs)).filter(|&large| large != Self::GREATEST)
    }

    /// The integer as one of any size.
    pub fn to_big(self) -> BigInt {
        let bytes: Vec<u8> = self.0.iter().flat_map(|limb| limb.to_be_bytes()).collect();
        BigUint::from_bytes_be(&bytes).into()
    }

    /// The integer, if it is not negative.
    pub(crate) fn of_int(value: i64) -> Option<Large> {
        Some(Large([0, 0, 0, u64::try_from(value).ok()?]))
    }

    /// The limbs, the greatest first.
    pub fn limbs(self) -> [u64; LIMBS] {
        self.0
    }

    /// The integer with these limbs.
    pub fn of_limbs(limbs: [u64; LIMBS]) -> Large {
        Large(limbs)
    }
}

impl fmt::Display for Large {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_big())
    }
}

/// Exact costs. Sums saturate at [`Large::GREATEST`].
impl Cost for Large {
    const ZERO: Self = Large([0; LIMBS]);

    fn plus(self, other: Self) -> Self {
        let (mut sum, mut carry) = ([0; LIMBS], false);
        for at in (0..LIMBS).rev() {
            let (low, first) = self.0[at].overflowing_add(other.0[at]);
            let (low, second) = low.overflowing_add(u64::from(carry));
            (sum[at], carry) = (low, first || second);
        }
        if carry { Self::GREATEST } else { Large(sum) }
    }

    fn minus(self, other: Self) -> Self {
        let (mut difference, mut borrow) = ([0; LIMBS], false);
        for at in (0..LIMBS).rev() {
            let (low, first) = self.0[at].overflowing_sub(other.0[at]);
            let (low, second) = low.overflowing_sub(u64::from(borrow));
            (difference[at], borrow) = (low, first || second);
        }
        if borrow { Self::ZERO } else { Large(difference) }
    }

    fn as_f64(self) -> f64 {
        self.to_big().to_f64().unwrap_or(f64::INFINITY)
    }

    fn as_small(self) -> Option<u32> {
        match self.0 {
            [0, 0, 0, low] => u32::try_from(low).ok(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Sums, differences and order are those of integers of any size.
        #[test]
        fn as_integers_of_any_size(a: [u64; 4], b: [u64; 4], small in 0..4usize) {
            // Some are short.
            let short = |mut limbs: [u64; 4]| {
                limbs[..small].fill(0);
                Large::of_limbs(limbs)
            };
            let (a, b) = (short(a), short(b));
            let (x, y) = (a.to_big(), b.to_big());
            prop_assert_eq!(a.cmp(&b), x.cmp(&y));
            prop_assert_eq!(Large::of_big(&x), Some(a));
            prop_assert_eq!(a.plus(b), Large::of_big(&(&x + &y)).unwrap_or(Large::GREATEST));
            let (more, less) = (a.max(b), a.min(b));
            prop_assert_eq!(more.minus(less).to_big(), more.to_big() - less.to_big());
            prop_assert_eq!(a.to_string(), x.to_string());
        }
    }
}

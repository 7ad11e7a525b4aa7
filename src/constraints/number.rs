//! Bounds of domains: integers of any size, and the two infinities; and what propagators compute
//! with, which is one trait with two forms.
//!
//! Where all domains that a propagator looks at are finite and small, it computes with `i128`, in
//! which no sum or product of theirs overflows; else with [`Bound`], exactly.

use super::domain::{Domain, Small};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Finite values of small domains lie between `-LIMIT` and `LIMIT`.
pub const LIMIT: i64 = 1 << 61;

/// An integer of any size or an infinity; the order is that of numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    Inf,
    Fin(BigInt),
    Sup,
}

impl Bound {
    /// The integer as a small one, if it is one.
    pub fn small(&self) -> Option<i64> {
        match self {
            Bound::Fin(value) => value.to_i64().filter(|value| (-LIMIT..=LIMIT).contains(value)),
            _ => None,
        }
    }

    pub fn finite(&self) -> Option<&BigInt> {
        match self {
            Bound::Fin(value) => Some(value),
            _ => None,
        }
    }

    /// The next integer up; an infinity stays.
    #[must_use]
    pub fn succ(&self) -> Bound {
        match self {
            Bound::Fin(value) => Bound::Fin(value + 1),
            other => other.clone(),
        }
    }

    /// The next integer down; an infinity stays.
    #[must_use]
    pub fn pred(&self) -> Bound {
        match self {
            Bound::Fin(value) => Bound::Fin(value - 1),
            other => other.clone(),
        }
    }
}

impl From<i64> for Bound {
    fn from(value: i64) -> Bound {
        Bound::Fin(value.into())
    }
}

/// What propagators compute bounds with.
pub trait Number: Clone + Ord {
    fn int(value: i64) -> Self;
    fn bound(&self) -> Bound;
    /// The sum; of infinities of opposite signs, which no propagator adds, either.
    #[must_use]
    fn plus(&self, other: &Self) -> Self;
    #[must_use]
    fn negated(&self) -> Self;
    /// The product; 0 times an infinity is 0.
    #[must_use]
    fn times(&self, other: &Self) -> Self;
    /// The quotient by a number that is not 0, rounded down; by an infinity, 0 or -1.
    #[must_use]
    fn floor_div(&self, other: &Self) -> Self;
    /// -1, 0 or 1.
    fn sign(&self) -> i32;
    fn is_finite(&self) -> bool;
    fn lo(domain: &Domain) -> Self;
    fn hi(domain: &Domain) -> Self;
    fn between(domain: &Domain, lo: &Self, hi: &Self) -> Option<Domain>;

    #[must_use]
    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }
    /// The quotient by a number that is not 0, rounded up.
    #[must_use]
    fn ceil_div(&self, other: &Self) -> Self {
        self.negated().floor_div(other).negated()
    }
    /// The quotient by a number that is not 0, rounded towards 0.
    #[must_use]
    fn trunc_div(&self, other: &Self) -> Self {
        if self.sign() * other.sign() < 0 { self.ceil_div(other) } else { self.floor_div(other) }
    }
    #[must_use]
    fn abs(&self) -> Self {
        if self.sign() < 0 { self.negated() } else { self.clone() }
    }
}

impl Number for i128 {
    #[inline(always)]
    fn int(value: i64) -> i128 {
        value.into()
    }
    fn bound(&self) -> Bound {
        Bound::Fin((*self).into())
    }
    #[inline(always)]
    fn plus(&self, other: &i128) -> i128 {
        self + other
    }
    #[inline(always)]
    fn negated(&self) -> i128 {
        -self
    }
    #[inline(always)]
    fn times(&self, other: &i128) -> i128 {
        self * other
    }
    #[inline(always)]
    fn floor_div(&self, other: &i128) -> i128 {
        // PERF: division of 128 bits is a call of some hundred instructions.
        if let (Ok(a), Ok(b)) = (i64::try_from(*self), i64::try_from(*other)) {
            let quotient = a.wrapping_div(b);
            let inexact = quotient.wrapping_mul(b) != a;
            return i128::from(quotient) - i128::from(inexact && (a < 0) != (b < 0));
        }
        Integer::div_floor(self, other)
    }
    fn sign(&self) -> i32 {
        self.signum() as i32
    }
    fn is_finite(&self) -> bool {
        true
    }
    #[inline(always)]
    fn lo(domain: &Domain) -> i128 {
        small(domain).lo().into()
    }
    #[inline(always)]
    fn hi(domain: &Domain) -> i128 {
        small(domain).hi().into()
    }
    #[inline(always)]
    fn between(domain: &Domain, lo: &i128, hi: &i128) -> Option<Domain> {
        let nearest = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        small(domain).between(nearest(*lo), nearest(*hi)).map(Domain::Small)
    }
}

/// A domain that is known to be small.
#[inline(always)]
fn small(domain: &Domain) -> &Small {
    domain.as_small().expect("small domains are asked for before")
}

impl Number for Bound {
    fn int(value: i64) -> Bound {
        value.into()
    }
    fn bound(&self) -> Bound {
        self.clone()
    }
    fn plus(&self, other: &Bound) -> Bound {
        match (self, other) {
            (Bound::Fin(a), Bound::Fin(b)) => Bound::Fin(a + b),
            (Bound::Fin(_), infinite) | (infinite, _) => infinite.clone(),
        }
    }
    fn negated(&self) -> Bound {
        match self {
            Bound::Inf => Bound::Sup,
            Bound::Fin(value) => Bound::Fin(-value),
            Bound::Sup => Bound::Inf,
        }
    }
    fn times(&self, other: &Bound) -> Bound {
        if let (Bound::Fin(a), Bound::Fin(b)) = (self, other) {
            return Bound::Fin(a * b);
        }
        match self.sign() * other.sign() {
            0 => Bound::Fin(BigInt::zero()),
            1 => Bound::Sup,
            _ => Bound::Inf,
        }
    }
    fn floor_div(&self, other: &Bound) -> Bound {
        match (self, other) {
            (Bound::Fin(a), Bound::Fin(b)) => Bound::Fin(a.div_floor(b)),
            (Bound::Fin(a), infinite) => {
                let below = a.is_negative() != (*infinite == Bound::Inf) && !a.is_zero();
                Bound::Fin(if below { -BigInt::one() } else { BigInt::zero() })
            }
            (infinite, _) if other.sign() >= 0 => infinite.clone(),
            (infinite, _) => infinite.negated(),
        }
    }
    fn sign(&self) -> i32 {
        match self {
            Bound::Inf => -1,
            Bound::Sup => 1,
            Bound::Fin(value) if value.is_zero() => 0,
            Bound::Fin(value) if value.is_negative() => -1,
            Bound::Fin(_) => 1,
        }
    }
    fn is_finite(&self) -> bool {
        matches!(self, Bound::Fin(_))
    }
    fn lo(domain: &Domain) -> Bound {
        domain.lo()
    }
    fn hi(domain: &Domain) -> Bound {
        domain.hi()
    }
    fn between(domain: &Domain, lo: &Bound, hi: &Bound) -> Option<Domain> {
        domain.between(lo, hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_agree() {
        for a in -20..=20 {
            for b in -7..=7 {
                let (x, y) = (i128::int(a), i128::int(b));
                let (big, other) = (Bound::int(a), Bound::int(b));
                assert_eq!(x.plus(&y).bound(), big.plus(&other));
                assert_eq!(x.times(&y).bound(), big.times(&other));
                assert_eq!(x.cmp(&y), big.cmp(&other));
                if b != 0 {
                    assert_eq!(x.floor_div(&y).bound(), big.floor_div(&other));
                    assert_eq!(
                        x.floor_div(&y),
                        i128::from(a).div_euclid(y) - i128::from(b < 0 && a % b != 0)
                    );
                    assert_eq!(x.ceil_div(&y).bound(), big.ceil_div(&other));
                    assert_eq!(x.trunc_div(&y), i128::from(a / b));
                    assert_eq!(big.trunc_div(&other), Bound::int(a / b));
                }
            }
        }
    }

    #[test]
    fn infinities() {
        let (inf, sup, three) = (Bound::Inf, Bound::Sup, Bound::int(3));
        assert!(inf < three && three < sup);
        assert_eq!(three.plus(&sup), sup);
        assert_eq!(sup.times(&Bound::int(-2)), inf);
        assert_eq!(sup.times(&Bound::int(0)), Bound::int(0));
        assert_eq!(inf.floor_div(&Bound::int(-5)), sup);
        assert_eq!(three.floor_div(&sup), Bound::int(0));
        assert_eq!(three.floor_div(&inf), Bound::int(-1));
        assert_eq!(three.ceil_div(&sup), Bound::int(1));
        assert_eq!(three.trunc_div(&inf), Bound::int(0));
    }
}

//! Sums of variables times numbers, and truths, of which inequalities are made.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::borrow::Borrow;
use zug_proof::VarId;
use zug_term::watchdog;

/// Why something has no linear form here: the end of a sentence that begins with a constraint.
pub(crate) type Unsupported = String;

pub(crate) type Built<T = ()> = Result<T, Unsupported>;

/// Numbers of sums, and the least and the greatest value of one, are between this and its negative: what is computed of two
/// of them has room in 64 bits.
pub(super) const LARGEST: i64 = 1 << 60;

fn large() -> Unsupported {
    "has numbers of more than 60 bits".to_owned()
}

/// A number that may be part of a sum.
pub(super) fn limited(number: i128) -> Built<i64> {
    let found = i64::try_from(number).ok();
    found.filter(|number| (-LARGEST..=LARGEST).contains(number)).ok_or_else(large)
}

/// An integer that may be part of a sum.
pub(super) fn small(value: &BigInt) -> Built<i64> {
    limited(value.to_i128().unwrap_or(i128::MAX))
}

/// A sum of variables times numbers, and a number: each variable once, in their order, and none times 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    terms: Vec<(i64, VarId)>,
    constant: i64,
}

impl Sum {
    /// A number, which is a small one or was looked at by [`limited`].
    pub fn number(constant: i64) -> Sum {
        Sum { terms: Vec::new(), constant }
    }

    pub fn var(var: VarId) -> Sum {
        Sum { terms: vec![(1, var)], constant: 0 }
    }

    pub fn terms(&self) -> &[(i64, VarId)] {
        &self.terms
    }

    pub fn constant(&self) -> i64 {
        self.constant
    }

    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The sum of sums, each times a number.
    pub fn total<S: Borrow<Sum>>(parts: impl IntoIterator<Item = (i64, S)>) -> Built<Sum> {
        let mut all: Vec<(VarId, i128)> = Vec::new();
        let mut constant: i128 = 0;
        for (by, part) in parts {
            watchdog::step();
            let (by, part) = (i128::from(by), part.borrow());
            all.extend(part.terms.iter().map(|&(own, var)| (var, by * i128::from(own))));
            // Each product has 122 bits, and what comes to less than 60 bits in the end may have more before.
            let sum = constant.checked_add(by * i128::from(part.constant));
            constant = sum.ok_or_else(large)?;
        }
        all.sort_unstable_by_key(|&(var, _)| var);
        let mut terms: Vec<(i64, VarId)> = Vec::with_capacity(all.len());
        for of_one in all.chunk_by(|one, other| one.0 == other.0) {
            let mut sum: i128 = 0;
            for &(_, by) in of_one {
                sum = sum.checked_add(by).ok_or_else(large)?;
            }
            if sum != 0 {
                terms.push((limited(sum)?, of_one[0].0));
            }
        }
        Ok(Sum { terms, constant: limited(constant)? })
    }

    /// The sum divided by the greatest common divisor of its terms, and rounded up: it is at most 0 where the sum is.
    #[must_use]
    pub fn reduced(&self) -> Sum {
        let divisor = self.terms.iter().fold(0, |gcd, &(by, _)| num_integer::gcd(gcd, by));
        if divisor < 2 {
            return self.clone();
        }
        let terms = self.terms.iter().map(|&(by, var)| (by / divisor, var)).collect();
        Sum { terms, constant: -((-self.constant).div_euclid(divisor)) }
    }

    /// `self + by * other`
    pub fn plus(&self, by: i64, other: &Sum) -> Built<Sum> {
        Sum::total([(1, self), (by, other)])
    }

    pub fn minus(&self, other: &Sum) -> Built<Sum> {
        self.plus(-1, other)
    }

    pub fn times(&self, by: i64) -> Built<Sum> {
        Sum::total([(by, self)])
    }

    pub fn more(&self, by: i64) -> Built<Sum> {
        self.plus(by, &Sum::number(1))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Truth {
    Known(bool),
    /// That of a 0/1 variable, or its contrary.
    Of(VarId, bool),
}

impl Truth {
    #[must_use]
    pub fn not(self) -> Truth {
        match self {
            Truth::Known(truth) => Truth::Known(!truth),
            Truth::Of(var, is_same) => Truth::Of(var, !is_same),
        }
    }

    /// 1 if it holds, or else 0.
    pub fn sum(self) -> Sum {
        match self {
            Truth::Known(truth) => Sum::number(truth.into()),
            Truth::Of(var, true) => Sum::var(var),
            Truth::Of(var, false) => Sum { terms: vec![(-1, var)], constant: 1 },
        }
    }
}

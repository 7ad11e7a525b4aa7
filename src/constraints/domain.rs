//! Sets of integers that variables can still have.
//!
//! A domain is never empty: operations that would leave nothing give `None`. Equal sets have equal
//! forms. Finite sets of small integers, nearly all there are in practice, are an interval, bits of
//! one word, or shared intervals; all others are intervals of [`Bound`]s.

use super::number::{Bound, LIMIT, Number};
use num_bigint::BigInt;
use std::sync::Arc;

/// A set of integers, not empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// Finite, of small integers.
    Small(Small),
    /// Any other: intervals in order, with a gap between neighbours.
    Wide(Arc<[(Bound, Bound)]>),
}

/// A finite set of small integers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Small {
    lo: i64,
    hi: i64,
    set: Set,
}

/// What of an interval belongs to a set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Set {
    All,
    /// The bits that are set, counted from the lower bound, of an interval of 64 at most.
    Bits(u64),
    /// Intervals in order, with a gap between neighbours, of a longer one.
    Parts(Arc<[(i64, i64)]>),
}

/// So many bits of a word, from the lowest on; 64 at most.
const fn ones(count: u64) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl Small {
    pub fn interval(lo: i64, hi: i64) -> Small {
        debug_assert!(lo <= hi);
        Small { lo, hi, set: Set::All }
    }

    #[inline(always)]
    pub fn lo(&self) -> i64 {
        self.lo
    }

    #[inline(always)]
    pub fn hi(&self) -> i64 {
        self.hi
    }

    pub fn size(&self) -> u64 {
        match &self.set {
            Set::All => (self.hi - self.lo) as u64 + 1,
            Set::Bits(bits) => u64::from(bits.count_ones()),
            Set::Parts(parts) => parts.iter().map(|&(lo, hi)| (hi - lo) as u64 + 1).sum(),
        }
    }

    #[inline]
    pub fn contains(&self, value: i64) -> bool {
        if value < self.lo || value > self.hi {
            return false;
        }
        match &self.set {
            Set::All => true,
            Set::Bits(bits) => bits >> (value - self.lo) & 1 == 1,
            Set::Parts(parts) => {
                let at = parts.partition_point(|&(_, hi)| hi < value);
                parts.get(at).is_some_and(|&(lo, _)| lo <= value)
            }
        }
    }

    #[must_use]
    pub fn between(&self, lo: i64, hi: i64) -> Option<Small> {
        if lo <= self.lo && hi >= self.hi {
            return Some(self.clone());
        }
        let (lo, hi) = (lo.max(self.lo), hi.min(self.hi));
        if lo > hi {
            return None;
        }
        match &self.set {
            Set::All => Some(Small::interval(lo, hi)),
            Set::Bits(bits) => {
                let kept = bits >> (lo - self.lo) & ones((hi - lo) as u64 + 1);
                Small::of_bits(lo, kept)
            }
            Set::Parts(parts) => {
                let cut = parts.iter().map(|&(a, b)| (a.max(lo), b.min(hi)));
                Small::of_parts(cut.filter(|(a, b)| a <= b).collect())
            }
        }
    }

    #[must_use]
    pub fn without(&self, value: i64) -> Option<Small> {
        if !self.contains(value) {
            return Some(self.clone());
        }
        if self.lo == self.hi {
            return None;
        }
        if value == self.lo {
            return self.between(value + 1, self.hi);
        }
        if value == self.hi {
            return self.between(self.lo, value - 1);
        }
        if self.hi - self.lo < 64 {
            let bits = self.bits() & !(1 << (value - self.lo));
            return Small::of_bits(self.lo, bits);
        }
        let mut parts = Vec::with_capacity(self.parts().count() + 1);
        for (lo, hi) in self.parts() {
            if value < lo || value > hi {
                parts.push((lo, hi));
                continue;
            }
            parts.extend((lo < value).then_some((lo, value - 1)));
            parts.extend((value < hi).then_some((value + 1, hi)));
        }
        Small::of_parts(parts)
    }

    #[must_use]
    pub fn and(&self, other: &Small) -> Option<Small> {
        if let Set::All = other.set {
            return self.between(other.lo, other.hi);
        }
        if let Set::All = self.set {
            return other.between(self.lo, self.hi);
        }
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo > hi {
            return None;
        }
        if hi - lo < 64
            && let (Some(a), Some(b)) = (self.between(lo, hi), other.between(lo, hi))
        {
            // Bits of both from `lo` on.
            let shifted = |part: &Small| part.bits() << (part.lo - lo);
            return Small::of_bits(lo, shifted(&a) & shifted(&b));
        }
        let own: Vec<_> = self.parts().collect();
        let others: Vec<_> = other.parts().collect();
        Small::of_parts(common(&own, &others))
    }

    /// Its bits from the lower bound on, of an interval of 64 at most.
    fn bits(&self) -> u64 {
        match &self.set {
            Set::All => ones((self.hi - self.lo) as u64 + 1),
            Set::Bits(bits) => *bits,
            Set::Parts(_) => unreachable!("parts are of long intervals"),
        }
    }

    /// The set of bits from an integer on.
    fn of_bits(base: i64, bits: u64) -> Option<Small> {
        if bits == 0 {
            return None;
        }
        let skipped = bits.trailing_zeros();
        let bits = bits >> skipped;
        let width = 64 - bits.leading_zeros();
        let lo = base + i64::from(skipped);
        let hi = lo + i64::from(width) - 1;
        let set = if bits == ones(width.into()) { Set::All } else { Set::Bits(bits) };
        Some(Small { lo, hi, set })
    }

    /// The set of intervals in order, with a gap between neighbours.
    fn of_parts(parts: Vec<(i64, i64)>) -> Option<Small> {
        let (&(lo, end), &(_, hi)) = (parts.first()?, parts.last()?);
        let set = if end == hi {
            Set::All
        } else if hi - lo < 64 {
            let bit = |&(a, b): &(i64, i64)| ones((b - a) as u64 + 1) << (a - lo);
            Set::Bits(parts.iter().map(bit).fold(0, |all, part| all | part))
        } else {
            Set::Parts(parts.into())
        };
        Some(Small { lo, hi, set })
    }

    pub fn parts(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let mut bits = match &self.set {
            Set::Bits(bits) => *bits,
            _ => 0,
        };
        let mut base = self.lo;
        let of_bits = std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let skipped = bits.trailing_zeros();
            bits >>= skipped;
            base += i64::from(skipped);
            let width = bits.trailing_ones();
            let part = (base, base + i64::from(width) - 1);
            bits = if width == 64 { 0 } else { bits >> width };
            base += i64::from(width);
            Some(part)
        });
        let all = matches!(self.set, Set::All).then_some((self.lo, self.hi));
        let listed = match &self.set {
            Set::Parts(parts) => &**parts,
            _ => &[],
        };
        all.into_iter().chain(of_bits).chain(listed.iter().copied())
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = i64> + '_ {
        let parts: Vec<_> = self.parts().collect();
        parts.into_iter().flat_map(|(lo, hi)| lo..=hi)
    }
}

/// A point of an interval.
trait Point: Ord + Clone {
    /// Whether nothing lies between it and a greater one.
    fn touches(&self, next: &Self) -> bool;
}

impl Point for i64 {
    fn touches(&self, next: &i64) -> bool {
        self.saturating_add(1) >= *next
    }
}

impl Point for Bound {
    fn touches(&self, next: &Bound) -> bool {
        self.succ() >= *next
    }
}

/// What two lists of intervals in order have in common.
fn common<P: Point>(a: &[(P, P)], b: &[(P, P)]) -> Vec<(P, P)> {
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some(left), Some(right)) = (a.get(i), b.get(j)) {
        let lo = left.0.clone().max(right.0.clone());
        let hi = left.1.clone().min(right.1.clone());
        if lo <= hi {
            found.push((lo, hi));
        }
        if left.1 < right.1 { i += 1 } else { j += 1 }
    }
    found
}

/// Intervals in any order as intervals in order with gaps between them.
fn in_order<P: Point>(mut parts: Vec<(P, P)>) -> Vec<(P, P)> {
    parts.retain(|(lo, hi)| lo <= hi);
    parts.sort();
    let mut merged: Vec<(P, P)> = Vec::with_capacity(parts.len());
    for (lo, hi) in parts {
        match merged.last_mut() {
            Some(last) if last.1.touches(&lo) => {
                if hi > last.1 {
                    last.1 = hi;
                }
            }
            _ => merged.push((lo, hi)),
        }
    }
    merged
}

impl Domain {
    pub fn all() -> Domain {
        Domain::Wide([(Bound::Inf, Bound::Sup)].into())
    }

    pub fn interval(lo: &Bound, hi: &Bound) -> Option<Domain> {
        match (lo.small(), hi.small()) {
            (Some(lo), Some(hi)) => Domain::small(lo, hi),
            _ => (lo <= hi).then(|| Domain::Wide([(lo.clone(), hi.clone())].into())),
        }
    }

    pub fn small(lo: i64, hi: i64) -> Option<Domain> {
        (lo <= hi).then(|| Domain::Small(Small::interval(lo, hi)))
    }

    pub fn value(value: &BigInt) -> Domain {
        let bound = Bound::Fin(value.clone());
        Domain::interval(&bound, &bound).expect("one integer")
    }

    /// The set of intervals in any order.
    pub fn of_parts(parts: Vec<(Bound, Bound)>) -> Option<Domain> {
        let parts = in_order(parts);
        let (first, last) = (parts.first()?, parts.last()?);
        if first.0.small().is_none() || last.1.small().is_none() {
            return Some(Domain::Wide(parts.into()));
        }
        let small = |bound: &Bound| bound.small().expect("between small integers");
        let parts = parts.iter().map(|(lo, hi)| (small(lo), small(hi))).collect();
        Small::of_parts(parts).map(Domain::Small)
    }

    /// The set of small integers in any order.
    pub fn of_values(values: impl IntoIterator<Item = i64>) -> Option<Domain> {
        let parts = in_order(values.into_iter().map(|value| (value, value)).collect());
        Small::of_parts(parts).map(Domain::Small)
    }

    pub fn lo(&self) -> Bound {
        match self {
            Domain::Small(small) => small.lo.into(),
            Domain::Wide(parts) => parts[0].0.clone(),
        }
    }

    pub fn hi(&self) -> Bound {
        match self {
            Domain::Small(small) => small.hi.into(),
            Domain::Wide(parts) => parts[parts.len() - 1].1.clone(),
        }
    }

    #[inline(always)]
    pub fn is_single(&self) -> bool {
        match self {
            Domain::Small(small) => small.lo == small.hi,
            wide => wide.single().is_some(),
        }
    }

    pub fn single(&self) -> Option<Bound> {
        match self {
            Domain::Small(small) => (small.lo == small.hi).then(|| small.lo.into()),
            Domain::Wide(parts) => {
                let [(lo, hi)] = &**parts else { return None };
                (lo == hi).then(|| lo.clone())
            }
        }
    }

    /// The number of elements; `Sup` where there is no end of them.
    pub fn size(&self) -> Bound {
        match self {
            Domain::Small(small) => Bound::Fin(small.size().into()),
            Domain::Wide(parts) => {
                parts.iter().fold(Bound::int(0), |sum, (lo, hi)| sum.plus(&hi.minus(lo).succ()))
            }
        }
    }

    pub fn parts(&self) -> Vec<(Bound, Bound)> {
        match self {
            Domain::Small(small) => small.parts().map(|(lo, hi)| (lo.into(), hi.into())).collect(),
            Domain::Wide(parts) => parts.to_vec(),
        }
    }

    pub fn contains(&self, value: &Bound) -> bool {
        match self {
            Domain::Small(small) => value.small().is_some_and(|value| small.contains(value)),
            Domain::Wide(parts) => parts.iter().any(|(lo, hi)| lo <= value && value <= hi),
        }
    }

    pub fn has(&self, value: i64) -> bool {
        match self {
            Domain::Small(small) => small.contains(value),
            Domain::Wide(_) => self.contains(&value.into()),
        }
    }

    #[must_use]
    pub fn between(&self, lo: &Bound, hi: &Bound) -> Option<Domain> {
        if let Domain::Small(small) = self {
            // A bound beyond all small integers leaves all or nothing.
            let lo = lo.small().or((lo.sign() <= 0).then_some(i64::MIN))?;
            let hi = hi.small().or((hi.sign() >= 0).then_some(i64::MAX))?;
            return small.between(lo, hi).map(Domain::Small);
        }
        self.and(&Domain::interval(lo, hi)?)
    }

    #[must_use]
    pub fn and(&self, other: &Domain) -> Option<Domain> {
        match (self, other) {
            (Domain::Small(a), Domain::Small(b)) => a.and(b).map(Domain::Small),
            _ => Domain::of_parts(common(&self.parts(), &other.parts())),
        }
    }

    #[must_use]
    pub fn or(&self, other: &Domain) -> Domain {
        let mut parts = self.parts();
        parts.extend(other.parts());
        Domain::of_parts(parts).expect("neither is empty")
    }

    #[must_use]
    pub fn complement(&self) -> Option<Domain> {
        let mut gaps = Vec::new();
        let mut from = Bound::Inf;
        for (lo, hi) in self.parts() {
            if lo > from {
                gaps.push((from, lo.pred()));
            }
            if hi == Bound::Sup {
                return Domain::of_parts(gaps);
            }
            from = hi.succ();
        }
        gaps.push((from, Bound::Sup));
        Domain::of_parts(gaps)
    }

    #[must_use]
    pub fn without(&self, value: &Bound) -> Option<Domain> {
        match self {
            Domain::Small(small) => match value.small() {
                Some(value) => small.without(value).map(Domain::Small),
                None => Some(self.clone()),
            },
            Domain::Wide(_) => {
                let mut parts = Vec::new();
                for (lo, hi) in self.parts() {
                    if lo <= *value && *value <= hi {
                        parts.push((lo, value.pred()));
                        parts.push((value.succ(), hi));
                    } else {
                        parts.push((lo, hi));
                    }
                }
                Domain::of_parts(parts)
            }
        }
    }

    /// The intervals with both ends changed by a function that keeps, or turns round, their order.
    #[must_use]
    pub fn mapped(&self, change: impl Fn(&Bound) -> Bound) -> Domain {
        self.mapped_parts(|lo, hi| {
            let (a, b) = (change(lo), change(hi));
            if a <= b { (a, b) } else { (b, a) }
        })
        .expect("no part vanishes")
    }

    /// The union of what a function makes of each interval; a pair that is not in order is nothing.
    #[must_use]
    pub fn mapped_parts(
        &self,
        change: impl Fn(&Bound, &Bound) -> (Bound, Bound),
    ) -> Option<Domain> {
        Domain::of_parts(self.parts().iter().map(|(lo, hi)| change(lo, hi)).collect())
    }

    #[must_use]
    pub fn negated(&self) -> Domain {
        match self {
            Domain::Small(small) => {
                let parts: Vec<_> = small.parts().map(|(lo, hi)| (-hi, -lo)).collect();
                let parts = parts.into_iter().rev().collect();
                Domain::Small(Small::of_parts(parts).expect("not empty"))
            }
            Domain::Wide(_) => self.mapped(Bound::negated),
        }
    }

    #[must_use]
    pub fn shifted(&self, by: &Bound) -> Domain {
        if let (Domain::Small(small), Some(by)) = (self, by.small())
            && small.lo + by >= -LIMIT
            && small.hi + by <= LIMIT
        {
            let set = match &small.set {
                Set::Parts(parts) => {
                    Set::Parts(parts.iter().map(|&(lo, hi)| (lo + by, hi + by)).collect())
                }
                set => set.clone(),
            };
            return Domain::Small(Small { lo: small.lo + by, hi: small.hi + by, set });
        }
        self.mapped(|bound| bound.plus(by))
    }

    pub fn as_small(&self) -> Option<&Small> {
        match self {
            Domain::Small(small) => Some(small),
            Domain::Wide(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set_of(domain: Option<&Domain>) -> BTreeSet<i64> {
        let Some(domain) = domain else { return BTreeSet::new() };
        domain.as_small().expect("small").values().collect()
    }

    fn values() -> impl Strategy<Value = BTreeSet<i64>> {
        // Near each other, within a word, and far apart.
        prop_oneof![
            prop::collection::btree_set(-9i64..9, 1..12),
            prop::collection::btree_set(-40i64..40, 1..40),
            prop::collection::btree_set(-500i64..500, 1..60),
        ]
    }

    proptest! {
        #[test]
        fn operations_are_those_of_sets(a in values(), b in values(), lo in -60i64..60, hi in -60i64..60, value in -60i64..60) {
            let x = Domain::of_values(a.iter().copied()).unwrap();
            let y = Domain::of_values(b.iter().copied()).unwrap();
            prop_assert_eq!(set_of(Some(&x)), a.clone());
            prop_assert_eq!(x.size(), Bound::int(a.len() as i64));
            prop_assert_eq!(set_of(x.and(&y).as_ref()), a.intersection(&b).copied().collect());
            prop_assert_eq!(set_of(Some(&x.or(&y))), a.union(&b).copied().collect());
            let between = x.between(&lo.into(), &hi.into());
            prop_assert_eq!(set_of(between.as_ref()), a.iter().copied().filter(|v| lo <= *v && *v <= hi).collect());
            let mut less = a.clone();
            less.remove(&value);
            prop_assert_eq!(set_of(x.without(&value.into()).as_ref()), less);
            prop_assert_eq!(x.has(value), a.contains(&value));
            prop_assert_eq!(set_of(Some(&x.negated())), a.iter().map(|v| -v).collect());
            prop_assert_eq!(set_of(Some(&x.shifted(&value.into()))), a.iter().map(|v| v + value).collect());
            let outside = x.complement().unwrap();
            prop_assert!(x.and(&outside).is_none());
            prop_assert_eq!(x.or(&outside), Domain::all());
            // Equal sets have equal forms.
            prop_assert_eq!(x.or(&y).and(&x), Some(x.clone()));
            prop_assert_eq!(outside.complement(), Some(x));
        }
    }

    #[test]
    fn wide_domains() {
        let all = Domain::all();
        let positive = all.between(&1.into(), &Bound::Sup).unwrap();
        assert_eq!(positive.size(), Bound::Sup);
        assert_eq!(positive.without(&1.into()).unwrap().lo(), 2.into());
        let holed = all.without(&0.into()).unwrap();
        assert_eq!(holed.parts().len(), 2);
        assert!(!holed.has(0) && holed.has(-1));
        let small = holed.between(&Bound::int(-3), &3.into()).unwrap();
        assert_eq!(small.as_small().unwrap().values().collect::<Vec<_>>(), [-3, -2, -1, 1, 2, 3]);
        let big = Bound::Fin(BigInt::from(10).pow(30));
        let few = Domain::interval(&Bound::int(0), &big).unwrap();
        assert_eq!(few.between(&big, &Bound::Sup).unwrap().single(), Some(big.clone()));
        assert_eq!(Domain::small(0, 5).unwrap().between(&Bound::int(2), &big), Domain::small(2, 5));
        assert_eq!(Domain::small(0, 5).unwrap().between(&big, &Bound::Sup), None);
        assert_eq!(Domain::small(0, 5).unwrap().between(&Bound::Inf, &big.negated()), None);
    }
}

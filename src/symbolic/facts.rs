//! Facts of a conjunction, and the intervals in which they place its integers.

use crate::sets::Set;
use crate::store::{Condition, Formula, Leaf, LeafFilter, Relation, Store, Term};
use std::collections::BTreeMap;

/// What is known of the parts of a conjunction.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) literals: Literals,
    pub(crate) others: Others,
    /// There are comparisons among them.
    pub(crate) compares: bool,
    /// Between which integers those lie that are compared with constants.
    pub(crate) spans: BTreeMap<Term, Span>,
    /// Leaves of which more is known than one of the parts says.
    pub(crate) news: LeafFilter,
}

/// Literals by leaf, ascending. PERF: mostly a few.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Literals(pub(crate) Vec<(Leaf, Set)>);

impl Literals {
    pub(crate) fn get(&self, leaf: Leaf) -> Option<Set> {
        let place = self.0.binary_search_by_key(&leaf, |&(of, _)| of).ok()?;
        Some(self.0[place].1)
    }

    pub(crate) fn insert(&mut self, leaf: Leaf, set: Set) {
        match self.0.binary_search_by_key(&leaf, |&(of, _)| of) {
            Ok(place) => self.0[place].1 = set,
            Err(place) => self.0.insert(place, (leaf, set)),
        }
    }
}

/// Comparisons and disjunctions, ascending. PERF: mostly a few.
#[derive(Default)]
pub(crate) struct Others(pub(crate) Vec<Condition>);

impl Others {
    pub(crate) fn contains(&self, condition: Condition) -> bool {
        self.0.binary_search(&condition).is_ok()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Condition> {
        self.0.iter().copied()
    }

    pub(crate) fn remove(&mut self, condition: Condition) {
        if let Ok(place) = self.0.binary_search(&condition) {
            self.0.remove(place);
        }
    }

    pub(crate) fn insert(&mut self, condition: Condition) {
        if let Err(place) = self.0.binary_search(&condition) {
            self.0.insert(place, condition);
        }
    }
}

/// Between which integers one lies, and which of them it is not.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    low: i64,
    high: i64,
    not: Vec<i64>,
}

/// What a comparison says of an integer.
#[derive(Clone, Copy)]
enum Bound {
    Most(i64),
    Least(i64),
    Is(i64),
    /// It is another.
    Not(i64),
}

impl Span {
    /// Takes a bound into account; `false` if no integer is left.
    fn take(&mut self, bound: Bound) -> bool {
        match bound {
            Bound::Most(most) => self.high = self.high.min(most),
            Bound::Least(least) => self.low = self.low.max(least),
            Bound::Is(value) => (self.low, self.high) = (self.low.max(value), self.high.min(value)),
            Bound::Not(value) => self.not.push(value),
        }
        while self.low <= self.high && self.not.contains(&self.low) {
            self.low += 1;
        }
        while self.low <= self.high && self.not.contains(&self.high) {
            self.high -= 1;
        }
        self.low <= self.high
    }

    /// Whether a bound is known to hold, or not to.
    fn says(&self, bound: Bound) -> Option<bool> {
        let inside = |value: i64| self.low <= value && value <= self.high;
        match bound {
            Bound::Most(most) if self.high <= most => Some(true),
            Bound::Most(most) if self.low > most => Some(false),
            Bound::Least(least) if self.low >= least => Some(true),
            Bound::Least(least) if self.high < least => Some(false),
            Bound::Is(value) if self.low == value && self.high == value => Some(true),
            Bound::Is(value) if !inside(value) || self.not.contains(&value) => Some(false),
            Bound::Not(value) => self.says(Bound::Is(value)).map(|is| !is),
            _ => None,
        }
    }
}

impl Store {
    /// The integer that a condition compares with a constant, and what it says of it.
    fn bound_of(&self, condition: Condition) -> Option<(Term, Bound)> {
        let &Formula::Comparison { relation, left, right, negated } = self.says(condition) else {
            return None;
        };
        let known = (self.as_integer(left), self.as_integer(right));
        Some(match (relation, known, negated) {
            (Relation::Less, (None, Some(value)), false) => (left, Bound::Most(value - 1)),
            (Relation::Less, (None, Some(value)), true) => (left, Bound::Least(value)),
            (Relation::Less, (Some(value), None), false) => (right, Bound::Least(value + 1)),
            (Relation::Less, (Some(value), None), true) => (right, Bound::Most(value)),
            (Relation::Equal, (None, Some(value)), false) => (left, Bound::Is(value)),
            (Relation::Equal, (None, Some(value)), true) => (left, Bound::Not(value)),
            (Relation::Equal, (Some(value), None), false) => (right, Bound::Is(value)),
            (Relation::Equal, (Some(value), None), true) => (right, Bound::Not(value)),
            _ => return None,
        })
    }

    /// Joins comparisons with constants among facts, dropping implied ones; `false` if they contradict.
    pub(crate) fn compare_with_constants(&mut self, facts: &mut Facts) -> bool {
        let mut by_term: BTreeMap<Term, Vec<(Condition, Bound)>> = BTreeMap::new();
        for condition in facts.others.iter() {
            if let Some((term, bound)) = self.bound_of(condition) {
                by_term.entry(term).or_default().push((condition, bound));
            }
        }
        facts.spans.clear();
        for (term, bounds) in by_term {
            self.spend(bounds.len() + bounds.len().pow(2) / 4);
            let Some((low, high)) = self.bounds(term) else { continue };
            let mut span = Span { low, high, not: Vec::new() };
            if !bounds.iter().all(|&(_, bound)| span.take(bound)) {
                return false;
            }
            // One bound from each side is left, and what is excluded between them.
            for (at, &(condition, bound)) in bounds.iter().enumerate() {
                let mut others = Span { low, high, not: Vec::new() };
                let kept = bounds.iter().enumerate().filter(|&(other, (condition, _))| {
                    other != at && facts.others.contains(*condition)
                });
                let is_left = kept.fold(true, |left, (_, &(_, bound))| left && others.take(bound));
                if is_left && others.says(bound) == Some(true) {
                    facts.others.remove(condition);
                }
            }
            facts.spans.insert(term, span);
        }
        true
    }

    /// Whether what is known of an integer says that a comparison holds, or that it does not.
    pub(crate) fn known_of_integer(&self, condition: Condition, facts: &Facts) -> Option<bool> {
        let (term, bound) = self.bound_of(condition)?;
        facts.spans.get(&term)?.says(bound)
    }
}

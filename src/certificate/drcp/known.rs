//! Atoms, and what is known where some hold.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How a variable compares with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    AtLeast,
    AtMost,
    Equal,
    NotEqual,
}

/// A variable, by its number, compared with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub var: usize,
    pub relation: Relation,
    pub value: i64,
}

impl Atom {
    #[must_use]
    pub fn negated(self) -> Atom {
        let (relation, value) = match self.relation {
            Relation::AtLeast => (Relation::AtMost, self.value - 1),
            Relation::AtMost => (Relation::AtLeast, self.value + 1),
            Relation::Equal => (Relation::NotEqual, self.value),
            Relation::NotEqual => (Relation::Equal, self.value),
        };
        Atom { relation, value, ..self }
    }
}

/// The values that a variable may have: its bounds, if there are any, are no holes.
#[derive(Clone, Debug, Default)]
pub(super) struct Range {
    pub lo: Option<i64>,
    pub hi: Option<i64>,
    pub holes: BTreeSet<i64>,
}

impl Range {
    fn raise(&mut self, value: i64) {
        let mut lo = self.lo.map_or(value, |lo| lo.max(value));
        while self.holes.contains(&lo) {
            lo += 1;
        }
        self.lo = Some(lo);
    }

    fn lower(&mut self, value: i64) {
        let mut hi = self.hi.map_or(value, |hi| hi.min(value));
        while self.holes.contains(&hi) {
            hi -= 1;
        }
        self.hi = Some(hi);
    }

    /// Both bounds, and what is missing between them.
    pub fn finite(&self) -> Option<(i64, i64)> {
        self.lo.zip(self.hi)
    }

    fn is_empty(&self) -> bool {
        self.finite().is_some_and(|(lo, hi)| lo > hi)
    }
}

/// What is known of variables, by their numbers.
#[derive(Default)]
pub(super) struct Known {
    ranges: FxHashMap<usize, Range>,
}

impl Known {
    /// An atom holds too; false if it can't.
    pub fn apply(&mut self, atom: Atom) -> bool {
        let range = self.ranges.entry(atom.var).or_default();
        match atom.relation {
            Relation::AtLeast => range.raise(atom.value),
            Relation::AtMost => range.lower(atom.value),
            Relation::Equal => {
                range.raise(atom.value);
                range.lower(atom.value);
            }
            Relation::NotEqual => {
                range.holes.insert(atom.value);
                if let Some(lo) = range.lo {
                    range.raise(lo);
                }
                if let Some(hi) = range.hi {
                    range.lower(hi);
                }
            }
        }
        !range.is_empty()
    }

    pub fn holds(&self, atom: Atom) -> bool {
        let Some(range) = self.ranges.get(&atom.var) else { return false };
        let at_least = |value| range.lo.is_some_and(|lo| lo >= value);
        let at_most = |value| range.hi.is_some_and(|hi| hi <= value);
        match atom.relation {
            Relation::AtLeast => at_least(atom.value),
            Relation::AtMost => at_most(atom.value),
            Relation::Equal => at_least(atom.value) && at_most(atom.value),
            Relation::NotEqual => {
                at_least(atom.value + 1)
                    || at_most(atom.value - 1)
                    || range.holes.contains(&atom.value)
            }
        }
    }

    /// What is known of a variable.
    pub fn range(&self, var: usize) -> Option<&Range> {
        self.ranges.get(&var)
    }
}

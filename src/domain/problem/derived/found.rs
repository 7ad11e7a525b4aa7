//! What was derived, and what it says of states.

use super::relaxed::RelaxedStates;
use std::sync::Arc;
use zug_derived::{Budget, Cursor, Operators, Value};
use zug_state::{Codec, Word};

/// The factor by which the budget grows when a heuristic is derived again.
const GROWTH: u64 = 4;

/// What was derived, for states of one shape.
#[derive(Default)]
pub(crate) struct Derived {
    pub(in crate::problem) shape: u8,
    /// The rules, once they were read.
    pub(in crate::problem) operators: Option<Arc<Operators>>,
    /// The [version](Codec::seen_version) of what leaves may be, as they were read.
    pub(super) version: u32,
    /// There may be states with values that were not expected then.
    pub(super) has_escapes: bool,
    /// States are asked about that can't be reached from where it was derived for.
    pub(super) several_starts: bool,
    /// It is of an earlier search.
    is_kept: bool,
    /// Inferences of the machine when the search was young.
    pub(super) begun: Option<u64>,
    pub(in crate::problem) found: Option<Arc<zug_derived::Derived>>,
    /// What was looked at for it at most; 0 if nothing was tried.
    pub(in crate::problem) budget: u64,
    /// Expansions of the search, as far as it told them.
    pub(super) expanded: u64,
    /// Expansions of searches before it.
    pub(super) before: u64,
    /// The leaves of the state that was asked of last, where they are not bytes.
    leaves: Vec<Value>,
    /// The state whose successors are asked about.
    pub(super) cursor: Cursor,
    /// It was read from a base.
    pub(in crate::problem) is_from_base: bool,
    /// The delete relaxations that states were estimated by, by shape.
    pub(super) relaxed: RelaxedStates,
    /// Landmark cuts were compared with what was derived.
    pub(super) has_tried_cuts: bool,
    /// How often estimates may be derived anew for states that can't be reached from where they were derived
    /// for; `None` where there is one start.
    pub(super) anew: Option<u32>,
}

impl Derived {
    /// What is of use to a search from another start.
    pub fn kept(self) -> Derived {
        let is_for_all = self.found.as_ref().is_some_and(|found| found.is_for_all_starts());
        let (found, budget) = if is_for_all { (self.found, self.budget) } else { (None, 0) };
        Derived {
            found,
            budget,
            is_kept: true,
            is_from_base: false,
            begun: None,
            cursor: Cursor::default(),
            relaxed: RelaxedStates::default(),
            anew: None,
            has_tried_cuts: false,
            expanded: 0,
            before: self.before + self.expanded,
            ..self
        }
    }

    /// The same, for a copy of the puzzle.
    pub fn copy(&self) -> Derived {
        Derived {
            shape: self.shape,
            operators: self.operators.clone(),
            version: self.version,
            has_escapes: self.has_escapes,
            several_starts: self.several_starts,
            found: self.found.clone(),
            budget: self.budget,
            anew: self.anew,
            relaxed: self.relaxed.copy(),
            ..Derived::default()
        }
    }

    /// A number that is another one when there are other estimates.
    pub fn mark(&self) -> u64 {
        self.found.as_ref().map_or(0, |found| Arc::as_ptr(found) as u64)
    }

    /// States that are looked at to derive more; `None` if the budget does not allow for more.
    pub(super) fn work_for_more(&self, budget: Budget) -> Option<u64> {
        let next = self.found.as_ref().and_then(|found| found.next());
        // What was tried already, and said no more, is not tried again at once.
        let (needs, takes) = match next.filter(|next| next.states > self.budget) {
            Some(next) => (next, next.states),
            None => (Budget { states: GROWTH * self.budget, bytes: 0, threads: 1 }, budget.states),
        };
        needs.is_within(budget).then_some(takes)
    }

    /// Forgets what an earlier search left, if leaves may be something else by now, or nothing is known of
    /// the start.
    pub(in crate::problem) fn begin(&mut self, codec: &Codec, start: &[u8]) {
        if !std::mem::take(&mut self.is_kept) {
            return;
        }
        let mut leaves = Vec::new();
        let is_expected = |operators: &Arc<Operators>| {
            values(codec, &start[1..], operators, &mut leaves) && operators.expects(&leaves)
        };
        if codec.seen_version(self.shape) != self.version
            || start.first() != Some(&self.shape)
            || !self.operators.as_ref().is_none_or(is_expected)
        {
            let Derived { anew, several_starts, .. } = *self;
            *self = Derived { anew, several_starts, ..Derived::default() };
        }
        if self.found.as_ref().is_some_and(|found| !found.knows(&start[1..])) {
            (self.found, self.budget) = (None, 0);
        }
    }

    /// A lower bound of what a plan costs, where something is known of such a state.
    pub(super) fn estimate(&mut self, codec: &Codec, packed: &[u8]) -> Option<u32> {
        let Some(found) = &self.found else { return Some(0) };
        let Some((&shape, leaves)) = packed.split_first() else { return Some(0) };
        if shape != self.shape {
            return Some(0);
        }
        let Some(operators) = &self.operators else { return Some(0) };
        let leaves = match leaves.len() == operators.leaves() {
            true => leaves,
            false if values(codec, leaves, operators, &mut self.leaves) => &self.leaves,
            false => return Some(0),
        };
        if (self.has_escapes || self.several_starts) && !operators.expects(leaves) {
            return Some(0);
        }
        found.estimate(leaves)
    }

    /// Whether a state that is called hopeless was met when estimates were derived.
    pub(super) fn knows(&self, codec: &Codec, packed: &[u8]) -> bool {
        let (Some(found), Some(operators)) = (&self.found, &self.operators) else { return true };
        let packed = &packed[1..];
        if packed.len() == operators.leaves() {
            return found.knows(packed);
        }
        let mut leaves = Vec::new();
        values(codec, packed, operators, &mut leaves) && found.knows(&leaves)
    }

    /// The estimate of a successor of another state, which is faster.
    #[inline]
    pub(super) fn estimate_after(
        &mut self,
        codec: &Codec,
        before: &[u8],
        after: &[u8],
    ) -> Option<u32> {
        let Some(found) = &self.found else { return Some(0) };
        let count = self.operators.as_ref().map_or(0, |operators| operators.leaves());
        match (before.split_first(), after.split_first()) {
            (Some((&old, from)), Some((&new, to)))
                if old == self.shape
                    && new == old
                    && !self.has_escapes
                    && !self.several_starts
                    && [from.len(), to.len()] == [count; 2] =>
            {
                found.estimate_near(&mut self.cursor, from, to)
            }
            _ => self.estimate(codec, after),
        }
    }
}

/// The values of packed leaves, 0 for what is not of one byte in a leaf of which nothing is known. False where a leaf
/// whose values are known has another one.
pub(super) fn values(
    codec: &Codec,
    leaves: &[u8],
    operators: &Operators,
    values: &mut Vec<Value>,
) -> bool {
    let mut words = Vec::with_capacity(leaves.len());
    if codec.words(leaves, &mut words).is_err() {
        return false;
    }
    values.clear();
    for (at, word) in words.into_iter().enumerate() {
        match (Word(word).byte(), operators.domains.get(at)) {
            (Some(byte), _) => values.push(byte),
            (None, Some(domain)) if !domain.is_empty() => return false,
            (None, _) => values.push(0),
        }
    }
    true
}

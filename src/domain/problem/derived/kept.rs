//! Derived estimates that are kept in a base, or read from there.

use crate::bases::{Terms, concerns_heuristics, kept_words, note_heuristic};
use crate::problem::{PuzzleCore, RuleProblem};
use zug_state::{PackedState, RuleCost};

impl PuzzleCore<'_> {
    /// Has constants in states the numbers that they have in the base which is read, where derived estimates
    /// may be kept, unless states were packed already or are represented otherwise.
    pub(crate) fn take_words_of_base(&mut self) {
        if !self.derives_at_once()
            || self.kit.representation.is_some()
            || self.kit.codec.counts() != [0; 3]
        {
            return;
        }
        let words = kept_words(self.machine, self.world);
        if let Some(terms) = words.and_then(|words| Terms::of_vocabulary(self.machine, &words)) {
            self.kit.codec = terms.codec;
        }
    }

    /// Notes derived estimates, which are to be kept, by the key of what they come from.
    pub(super) fn note_derived(&mut self, key: u128) {
        let (about, words) = (self.explain_derived().unwrap_or_default(), self.vocabulary());
        if let Some(found) = &self.kit.derived.found {
            note_heuristic(self.world, key, about, found, words);
        }
    }

    /// Whether derived estimates were read from a base.
    pub(crate) fn has_read_derived(&self) -> bool {
        self.kit.derived.is_from_base
    }

    /// Bytes that derived estimates take.
    pub(crate) fn derived_bytes(&self) -> usize {
        self.kit.derived.found.as_ref().map_or(0, |found| found.bytes())
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Derives estimates before a search that was asked to, where a base may have them.
    pub(crate) fn derive_by_base(&mut self, start: &S) {
        if self.derives_at_once()
            && concerns_heuristics(self.core.world)
            && self.derived_estimate(start).is_err()
        {
            // The search comes by what is wrong again.
            self.core.kit.derived.budget = 0;
        }
    }
}

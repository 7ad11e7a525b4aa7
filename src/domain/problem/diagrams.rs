//! A puzzle as operators of which nothing is left open, for a search over sets of states.

use super::{RuleError, RuleProblem, in_words};
use zug_code::Specialise;
use zug_code::operators::Question;
use zug_derived::Operators;
use zug_search::Successors;
use zug_state::{PackedState, RuleCost};

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// The moves from a state and from all that they lead to, with so many steps of making code at most. An
    /// error says why they are not known.
    pub(crate) fn moves_in_full(&mut self, start: &S, steps: u64) -> Result<Operators, String> {
        if self.core.kit.units.mode() == Specialise::Off {
            return Err("code is not wanted".to_owned());
        }
        let asker = (&mut *self.core.machine, &mut *self.core.world, &mut self.core.kit.codec);
        let questions = [Question::Moves(self.core.kit.code.rule, None)];
        let told = self
            .core
            .kit
            .units
            .answers_in_full(&questions, start, asker, steps)
            .map_err(in_words)?;
        told.into_iter().next().map(|(operators, _)| operators).ok_or_else(String::new)
    }

    /// Has leaves be expected to be what they are in states that are met at random, from a state on.
    ///
    /// # Errors
    /// An error in a rule.
    pub(crate) fn expect_met(&mut self, start: &S) -> Result<(), Box<RuleError>> {
        let (_, met) = self.walks(start)?;
        met.iter().for_each(|state| self.core.kit.codec.see_packed(state.bytes()));
        Ok(())
    }

    /// Has leaves be expected to be what they are in the successors of a state; whether they were not before.
    ///
    /// # Errors
    /// An error in a rule.
    pub(crate) fn expect_behind(&mut self, state: &S) -> Result<bool, Box<RuleError>> {
        let before = self.core.kit.codec.version();
        let mut successors = Successors::default();
        self.successors(state, &mut successors)?;
        successors.rows.iter().for_each(|after| self.core.kit.codec.see_packed(after.bytes()));
        Ok(self.core.kit.codec.version() != before)
    }

    /// The values of the leaves of a packed state, if each is one of a byte.
    pub(crate) fn leaf_values(&self, state: &S) -> Option<Vec<u8>> {
        let leaves = state.bytes().get(1..)?;
        (leaves.len() == self.core.kit.codec.leaves_of(*state.bytes().first()?))
            .then(|| leaves.to_vec())
    }
}

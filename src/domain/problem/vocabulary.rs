//! States whose bytes mean the same in every process.

use super::RuleProblem;
use crate::bases::Terms;
use crate::contract::Contract;
use crate::error::RuleError;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::{Codec, PackedState, RuleCost};

impl<'a, C: RuleCost, S: PackedState> RuleProblem<'a, C, S> {
    /// The problem that a program poses, without a goal, with states packed by the words that
    /// [`RuleProblem::vocabulary`] wrote; `None` if they make no sense.
    ///
    /// # Errors
    /// A predicate is missing.
    pub(crate) fn with_vocabulary(
        machine: &'a mut Machine,
        world: &'a mut World,
        contract: &Contract,
        vocabulary: &[u8],
    ) -> Result<Option<Self>, Box<RuleError>> {
        let Some(terms) = Terms::of_vocabulary(machine, vocabulary) else { return Ok(None) };
        let mut problem = RuleProblem::new(machine, world, contract, None, false)?;
        // What lists are taken for would have to be written too.
        problem.is_decided = true;
        problem.codec = terms.codec;
        Ok(Some(problem))
    }

    /// What is needed to read packed states in another process.
    pub(crate) fn vocabulary(&mut self) -> Vec<u8> {
        let codec = std::mem::replace(&mut self.codec, Codec::new());
        let mut terms = Terms { codec, players: Vec::new() };
        let words = terms.vocabulary(self.machine);
        self.codec = terms.codec;
        words
    }
}

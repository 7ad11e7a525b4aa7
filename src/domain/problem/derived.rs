//! A heuristic derived from the rules themselves.

use super::RuleProblem;
use crate::contract::indicator::RULE;
use crate::error::{RuleError, Violation};
use zug_code::operators::NoOperators;
use zug_derived::{Budget, NoPermutations, PatternDatabases, Permutations};
use zug_state::{Number, PackedState, RuleCost};

/// Steps that making the code of a rule may take, from which operators are read.
const STEPS: u64 = 500_000;
/// What tables may take: some seconds, and as many bytes.
const BUDGET: Budget = Budget { states: 12_000_000 };

/// What is derived, for states of one shape.
pub(super) struct Derived {
    shape: u8,
    tables: PatternDatabases,
}

impl Derived {
    /// A lower bound of what a plan costs, where something is known of such a state.
    fn estimate(&self, packed: &[u8]) -> Option<u32> {
        match packed.split_first() {
            Some((&shape, leaves)) if shape == self.shape => self.tables.estimate(leaves),
            _ => Some(0),
        }
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// The estimate of a state by what is derived from the rules, which is done when it is asked for first.
    ///
    /// # Errors
    /// Nothing can be derived.
    pub(super) fn derived_estimate(&mut self, state: &S) -> Result<Option<C>, Box<RuleError>> {
        if self.derived.is_none() {
            let derived = self.derive(state).map_err(|why| {
                let mut error = RuleError::new(Violation::NotDerived(why), RULE);
                error.state = Some(self.unpack(state.bytes()));
                error
            })?;
            self.derived = Some(derived);
        }
        let estimate = self.derived.as_ref().and_then(|derived| derived.estimate(state.bytes()));
        Ok(estimate.and_then(|estimate| C::of(Number::Int(i64::from(estimate)))))
    }

    /// Derives a heuristic for states like this one.
    fn derive(&mut self, state: &S) -> Result<Derived, String> {
        let goal = self.code.goal.ok_or("there is no goal")?;
        let asker = (&mut *self.machine, &mut *self.world, &mut self.codec);
        let operators = self.units.operators((self.code.rule, goal), state, asker, STEPS);
        let operators = operators.map_err(in_words)?;
        let puzzle = Permutations::of(&operators).map_err(|why: NoPermutations| why.to_string())?;
        let shape = state.bytes()[0];
        if !puzzle.has(&state.bytes()[1..]) {
            return Err("the state has other values than the goal".to_owned());
        }
        Ok(Derived { shape, tables: PatternDatabases::derive(&puzzle, BUDGET) })
    }
}

/// Why rules are no operators.
fn in_words(why: NoOperators) -> String {
    match why {
        NoOperators::NoCode => {
            "there is no code for rule/4 and final_state/1 (`zug check --code` says why)"
        }
        NoOperators::Leaves => "parts of a state are unbound, or large numbers, or very many",
        NoOperators::Conditions => "when a move applies is more than which values are where",
        NoOperators::Writes => {
            "a move computes what it writes, or leads to a state of another form"
        }
        NoOperators::Cost => "the cost of a move depends on the state, or is no integer",
    }
    .to_owned()
}

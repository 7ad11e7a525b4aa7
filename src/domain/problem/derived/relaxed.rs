//! Estimates by the delete relaxation of the rules ([`RelaxedStates`]).

use super::STEPS;
use super::found::{Derived, values};
use crate::Packed;
use crate::contract::indicator::RULE;
use crate::error::{RuleError, Violation};
use crate::problem::RuleProblem;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use zug_derived::{Operators, Relaxation, Relaxed, RelaxedKind, Value};
use zug_state::{Codec, Number, PackedState, RuleCost};

/// What is more than plans cost that were not ruled out, where a state has values that no operator expects.
const FAR: u32 = u32::MAX / 4;

/// The operators of states of one shape, with the heuristic that is made of them.
struct OfShape {
    operators: Arc<Operators>,
    heuristic: Relaxed,
}

/// The relaxations that states were estimated by, by shape; `None` where there are no operators.
#[derive(Default)]
pub(super) struct RelaxedStates {
    of: FxHashMap<u8, Option<OfShape>>,
    leaves: Vec<Value>,
}

impl RelaxedStates {
    /// The same for a copy of the puzzle.
    pub fn copy(&self) -> RelaxedStates {
        let copy = |of: &OfShape| OfShape {
            operators: of.operators.clone(),
            heuristic: of.heuristic.copy(),
        };
        let of = self.of.iter().map(|(&shape, of)| (shape, of.as_ref().map(copy)));
        RelaxedStates { of: of.collect(), leaves: Vec::new() }
    }

    /// What a plan from a state costs; `None` if there is none. 0 of states of which nothing is known.
    fn estimate(&mut self, codec: &Codec, packed: &[u8]) -> Option<u32> {
        let Some((shape, leaves)) = packed.split_first() else { return Some(0) };
        let Some(Some(of)) = self.of.get_mut(shape) else { return Some(0) };
        if !values(codec, leaves, &mut self.leaves) {
            return Some(0);
        }
        let is_admissible = of.heuristic.kind().is_admissible();
        match of.operators.expects(&self.leaves) {
            true => of.heuristic.estimate(&self.leaves),
            false if is_admissible => Some(0),
            false => Some(of.heuristic.estimate(&self.leaves).unwrap_or(FAR)),
        }
    }

    /// Whether a relaxed plan of the state that was estimated last begins with what a successor has.
    fn prefers(&mut self, codec: &Codec, packed: &[u8]) -> bool {
        let Some((shape, leaves)) = packed.split_first() else { return false };
        let Some(Some(of)) = self.of.get_mut(shape) else { return false };
        values(codec, leaves, &mut self.leaves) && of.heuristic.prefers(&self.leaves)
    }
}

impl Derived {
    /// Whether the move to a successor of the state that was estimated last is preferred.
    pub(in crate::problem) fn prefers(&mut self, codec: &Codec, packed: &[u8]) -> bool {
        !self.relaxed.of.is_empty() && self.relaxed.prefers(codec, packed)
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// The estimate of a state. The rules are relaxed when the first state of a shape is met.
    ///
    /// # Errors
    /// Nothing can be relaxed from where the search begins.
    pub(super) fn relaxed_estimate(
        &mut self,
        kind: RelaxedKind,
        state: &S,
    ) -> Result<Option<C>, Box<RuleError>> {
        let shape = state.bytes()[0];
        let known = &self.core.kit.derived.relaxed.of;
        if !known
            .get(&shape)
            .is_some_and(|of| of.as_ref().is_none_or(|of| of.heuristic.kind() == kind))
        {
            let is_first = known.is_empty();
            let of = match self.relax(kind, state) {
                Ok(of) => Some(of),
                Err(why) if is_first => {
                    return Err(self.core.about(Violation::NotDerived(why), RULE, state.bytes()));
                }
                Err(_) => None,
            };
            self.core.kit.derived.relaxed.of.insert(shape, of);
        }
        let (codec, relaxed) = (&self.core.kit.codec, &mut self.core.kit.derived.relaxed);
        let estimate = relaxed.estimate(codec, state.bytes());
        Ok(estimate.and_then(|estimate| C::of(Number::Int(i64::from(estimate)))))
    }

    /// Reads the rules for states of one shape, as they were met on walks, or as they may be where moves lead beyond.
    fn relax(&mut self, kind: RelaxedKind, state: &S) -> Result<OfShape, String> {
        let walks = self.walks(state).unwrap_or_default();
        let start = Packed::new(state.bytes());
        let mut why = String::new();
        for met in [&walks.1[..], &[]] {
            self.core.kit.derived.operators = None;
            match self.core.read_operators(&start, met, STEPS) {
                Ok(()) => {}
                Err(new) => {
                    why = new;
                    continue;
                }
            }
            let is_open = self.core.kit.derived.has_escapes;
            if !is_open || met.is_empty() {
                break;
            }
        }
        let operators = self.core.kit.derived.operators.clone().ok_or(why)?;
        let of = Relaxation::of(&operators, kind.is_admissible());
        let of = of.ok_or("the relaxation of the rules is too large")?;
        Ok(OfShape { operators, heuristic: Relaxed::new(Arc::new(of), kind) })
    }
}

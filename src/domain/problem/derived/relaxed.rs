//! Estimates by the delete relaxation of the rules ([`RelaxedStates`]).

use super::found::{Derived, values};
use super::{STEPS, Walks};
use crate::Packed;
use crate::contract::indicator::RULE;
use crate::error::{RuleError, Violation};
use crate::problem::RuleProblem;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;
use zug_derived::{Operators, Relaxation, Relaxed, RelaxedKind, Value};
use zug_state::{Codec, Number, PackedState, RuleCost};

/// The most shapes of states that have a relaxation.
const MOST_SHAPES: usize = 16;

/// The operators of states of one shape, with the heuristic that is made of them.
struct OfShape {
    operators: Arc<Operators>,
    heuristic: Relaxed,
}

/// The relaxations that states were estimated by, by shape; `None` where there are no operators.
#[derive(Default)]
pub(super) struct RelaxedStates {
    of: FxHashMap<u8, Option<OfShape>>,
    /// The shape of the state that was estimated last, if it was by its relaxation.
    last: Option<u8>,
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
        RelaxedStates { of: of.collect(), ..RelaxedStates::default() }
    }

    /// An estimate of what a plan from a state costs; `None` if there is none. If nothing is known of the state it is 0
    /// by an admissible heuristic, and [`Relaxed::FAR`] by another one.
    fn estimate(&mut self, codec: &Codec, kind: RelaxedKind, packed: &[u8]) -> Option<u32> {
        let unknown = if kind.is_admissible() { 0 } else { Relaxed::FAR };
        self.last = None;
        let Some((&shape, leaves)) = packed.split_first() else { return Some(unknown) };
        let Some(Some(of)) = self.of.get_mut(&shape) else { return Some(unknown) };
        if !values(codec, leaves, &of.operators, &mut self.leaves) {
            return Some(unknown);
        }
        self.last = Some(shape);
        match of.operators.expects(&self.leaves) {
            true => of.heuristic.estimate(&self.leaves),
            false if kind.is_admissible() => Some(0),
            false => Some(of.heuristic.estimate(&self.leaves).unwrap_or(Relaxed::FAR)),
        }
    }

    /// Whether a relaxed plan of the state that was estimated last begins with what a successor has.
    fn prefers(&mut self, codec: &Codec, packed: &[u8]) -> bool {
        let Some((shape, leaves)) = packed.split_first() else { return false };
        if self.last != Some(*shape) {
            return false;
        }
        let Some(Some(of)) = self.of.get_mut(shape) else { return false };
        of.heuristic.kind() == RelaxedKind::Ff
            && values(codec, leaves, &of.operators, &mut self.leaves)
            && of.heuristic.prefers(&self.leaves)
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
            let of = match self.relax(kind, state, is_first) {
                Ok(of) => Some(of),
                Err(why) if is_first => {
                    return Err(self.core.about(Violation::NotDerived(why), RULE, state.bytes()));
                }
                Err(_) => None,
            };
            self.core.kit.derived.relaxed.of.insert(shape, of);
        }
        let (codec, relaxed) = (&self.core.kit.codec, &mut self.core.kit.derived.relaxed);
        let estimate = relaxed.estimate(codec, kind, state.bytes());
        Ok(estimate.and_then(|estimate| C::of(Number::Int(i64::from(estimate)))))
    }

    /// Reads the rules for states of one shape: for the first one as they were met on walks, or as they may be where
    /// moves lead beyond. An error says why that is not possible.
    fn relax(&mut self, kind: RelaxedKind, state: &S, is_first: bool) -> Result<OfShape, String> {
        let known = self.core.kit.derived.relaxed.of.len();
        let is_late = self.core.machine.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if known >= MOST_SHAPES || is_late {
            return Err("states have too many shapes".to_owned());
        }
        let walks = if is_first { self.walks(state).unwrap_or_default() } else { Walks::default() };
        let start = Packed::new(state.bytes());
        let mut operators = self.core.operators(&start, &walks.1, STEPS);
        let is_open = operators.as_ref().map_or(true, |found| found.has_escapes());
        if is_open && !walks.1.is_empty() {
            let general = self.core.operators(&start, &[], STEPS);
            if operators.is_err() || general.as_ref().is_ok_and(|found| !found.has_escapes()) {
                operators = general;
            }
        }
        let operators = operators?;
        let of = Relaxation::of(&operators, kind.is_admissible());
        let of = of.ok_or("the relaxation of the rules is too large")?;
        Ok(OfShape { operators, heuristic: Relaxed::new(Arc::new(of), kind) })
    }
}

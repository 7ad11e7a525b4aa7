//! Estimates by the delete relaxation of the rules ([`RelaxedStates`]).

use super::found::{Derived, values};
use super::{Deriving, STEPS};
use crate::Packed;
use crate::contract::indicator::RULE;
use crate::error::{RuleError, Violation};
use crate::problem::RuleProblem;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;
use zug_derived::{Operators, Relaxation, Relaxed, RelaxedKind, Value};
use zug_state::{Codec, Number, PackedState, RuleCost};

/// States that landmark cuts are judged by.
const CUT_SAMPLES: usize = 16;
/// Moves that a state counts for which landmark cuts call hopeless.
const HOPELESS_CUT: f64 = 4.0;
/// Parts of rules that are looked at in the time that a state takes to be made and stored.
const LOOKED_AT: f64 = 100.0;
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

    /// The landmarks that a path to a state has still to reach, if relaxed plans are found.
    pub(in crate::problem) fn landmarks_left(
        &mut self,
        codec: &Codec,
        before: Option<&[u8]>,
        packed: &[u8],
    ) -> Option<u32> {
        let (shape, leaves) = packed.split_first()?;
        let of = self.relaxed.of.get_mut(shape)?.as_mut()?;
        let known = values(codec, leaves, &of.operators, &mut self.relaxed.leaves);
        if !known || of.heuristic.kind() != RelaxedKind::Ff {
            return None;
        }
        let mut other = Vec::new();
        let before = before.filter(|before| {
            before[0] == *shape && values(codec, &before[1..], &of.operators, &mut other)
        });
        let before = before.map(|_| &other[..]);
        of.heuristic.landmarks_left(before, &self.relaxed.leaves)
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
        let sorted = self.core.kit.sorted(state.bytes());
        let packed = sorted.as_ref().map_or(state.bytes(), |packed| packed.bytes());
        let known = &self.core.kit.derived.relaxed.of;
        if !known
            .get(&packed[0])
            .is_some_and(|of| of.as_ref().is_none_or(|of| of.heuristic.kind() == kind))
        {
            let is_first = known.is_empty();
            let met =
                if is_first { self.walks(state).unwrap_or_default().1 } else { Vec::default() };
            let of = match self.relax(kind, packed, &met) {
                Ok(of) => Some(of),
                Err(why) if is_first => {
                    return Err(self.core.about(Violation::NotDerived(why), RULE, state.bytes()));
                }
                Err(_) => None,
            };
            self.core.kit.derived.relaxed.of.insert(packed[0], of);
        }
        let (codec, relaxed) = (&self.core.kit.codec, &mut self.core.kit.derived.relaxed);
        let mut estimate = relaxed.estimate(codec, kind, packed);
        // The moves of an unsorted state may differ: the estimate of its sorted form is no bound and proves no dead end.
        if sorted.is_some() && (kind.is_admissible() || estimate.is_none()) {
            estimate = Some(0);
        }
        Ok(estimate.and_then(|estimate| C::of(Number::Int(i64::from(estimate)))))
    }

    /// Estimates by landmark cuts from here on, if they say so much more of samples than what was derived that they pay
    /// for their time; whether they do. It is tried once.
    pub(super) fn choose_landmark_cuts(&mut self, start: &Packed, samples: &[Packed]) -> bool {
        let derived = &mut self.core.kit.derived;
        if std::mem::replace(&mut derived.has_tried_cuts, true) || self.core.has_team {
            return false;
        }
        let Some(operators) = &derived.operators else { return false };
        let costs: u64 = operators.operators.iter().map(|of| u64::from(of.cost)).sum();
        let mean_cost = costs as f64 / operators.operators.len().max(1) as f64;
        let kind = RelaxedKind::LandmarkCut;
        let Ok(mut of) = self.relax(kind, start.bytes(), &[]) else { return false };
        let step = samples.len().div_ceil(CUT_SAMPLES).max(1);
        let (mut more, mut tested, mut leaves) = (0.0, 0.0, Vec::new());
        for sample in samples.iter().step_by(step) {
            let codec = &self.core.kit.codec;
            let known = self.core.kit.derived.estimate(codec, sample.bytes());
            let is_of_shape = sample.bytes()[0] == start.bytes()[0];
            if let Some(known) = known
                && is_of_shape
                && values(codec, &sample.bytes()[1..], &of.operators, &mut leaves)
            {
                tested += 1.0;
                // What is called hopeless is worth a few moves.
                let cuts =
                    of.heuristic.estimate(&leaves).map_or(HOPELESS_CUT * mean_cost, f64::from);
                more += cuts - f64::from(known);
            }
        }
        let work = of.heuristic.work() as f64 / f64::max(tested, 1.0);
        // With each move that estimates say more a search has half as many states.
        let moves = more / f64::max(tested, 1.0) / mean_cost.max(1.0);
        let pays = moves.exp2() > 1.0 + work / LOOKED_AT;
        if pays {
            self.core.kit.derived.relaxed.of.insert(start.bytes()[0], Some(of));
            self.core.kit.derived.found = None;
            self.core.deriving = Deriving::Relaxed(kind);
        }
        pays
    }

    /// Relaxes the rules for states of one shape: specialised to the values of states that were met if moves stay among
    /// these, else for all expected values. An error says why that is impossible.
    fn relax(
        &mut self,
        kind: RelaxedKind,
        state: &[u8],
        met: &[Packed],
    ) -> Result<OfShape, String> {
        let known = self.core.kit.derived.relaxed.of.len();
        let is_late = self.core.machine.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if known >= MOST_SHAPES || is_late {
            return Err("states have too many shapes".to_owned());
        }
        let start = Packed::new(state);
        let mut operators = self.core.operators(&start, met, STEPS);
        let is_open = operators.as_ref().map_or(true, |found| found.has_escapes());
        if is_open && !met.is_empty() {
            let general = self.core.operators(&start, &[], STEPS);
            if operators.is_err() || general.as_ref().is_ok_and(|found| !found.has_escapes()) {
                operators = general;
            }
        }
        let operators = operators?;
        let of = Relaxation::of(&operators, kind.is_admissible());
        let of = of.ok_or("the relaxation of the rules is too large")?;
        let heuristic = Relaxed::new(Arc::new(of), kind);
        Ok(OfShape { operators, heuristic })
    }
}

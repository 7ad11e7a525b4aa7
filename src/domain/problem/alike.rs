//! States that are alike by symmetries of the rules: a graph search that knows them looks at one of each
//! class.
//!
//! The successors of a state are replaced by the states that stand for them, so a path that is found may lead
//! through images of states. It is traced back to one of the states themselves: where a state on the path is
//! the image of one under a renaming, so are the moves from it (C. Domshlak, M. Katz, A. Shleyfman, *Enhanced
//! Symmetry Breaking in Cost-Optimal Planning as Forward Search*, ICAPS 2012).

use super::{PuzzleCore, RULE, RuleProblem, derived};
use crate::Packed;
use crate::error::{RuleError, Violation};
use zug_derived::{Part, Renaming, Symmetries};
use zug_search::{StateId, StateStore, Successors};
use zug_state::{PackedState, RuleCost};

/// Steps of looking for symmetries that were asked for: some tenths of a second.
const ASKED_FOR: u64 = 100_000_000;
/// The most steps of looking for others.
const MOST: u64 = 1 << 24;
/// States that are looked at to find out whether symmetries pay.
const SAMPLES: usize = 256;
/// They pay if one state in so many is the image of another.
const WORTH: usize = 4;

/// What is known of symmetries, for states of one shape.
#[derive(Clone, Default)]
pub(crate) struct Alike {
    shape: u8,
    found: Option<Symmetries>,
    /// They were looked for with so many steps.
    tried: u64,
    /// States stand for those that are alike.
    is_on: bool,
    /// They are to, if any are.
    is_asked_for: bool,
    leaves: Vec<u8>,
    scratch: Vec<u8>,
}

impl Alike {
    /// Whether states stand for those that are alike.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// In how many ways the rules may be renamed, if states stand for others.
    pub fn ways(&self) -> Option<zug_report::Symmetries> {
        let none = zug_report::Symmetries { renamings: 1, all: true };
        let Some(found) = self.found.as_ref().filter(|_| self.is_on) else {
            return self.is_asked_for.then_some(none);
        };
        let renamings = found.elements().len() as u64 + 1;
        Some(zug_report::Symmetries { renamings, all: found.is_group() })
    }

    /// What is of use to another search.
    pub fn kept(self) -> Alike {
        Alike { is_on: false, is_asked_for: false, ..self }
    }

    /// The state that stands for one, if it is another.
    fn standing<S: PackedState>(&mut self, state: &S) -> Option<S> {
        let (&shape, leaves) = state.bytes().split_first()?;
        let found = self.found.as_ref().filter(|_| shape == self.shape)?;
        self.leaves.clear();
        self.leaves.extend_from_slice(leaves);
        if !found.stand_for(&mut self.leaves, &mut self.scratch) {
            return None;
        }
        image(shape, &self.leaves)
    }

    /// The renaming that leads from a state to the one that stands for it.
    fn renaming<S: PackedState>(&self, state: &S) -> Option<Renaming> {
        let (&shape, leaves) = state.bytes().split_first()?;
        self.found.as_ref().filter(|_| shape == self.shape).map(|found| found.standing(leaves))
    }
}

/// The state of these leaves.
fn image<S: PackedState>(shape: u8, leaves: &[u8]) -> Option<S> {
    let mut bytes = Vec::with_capacity(leaves.len() + 1);
    bytes.push(shape);
    bytes.extend_from_slice(leaves);
    S::from_bytes(&bytes)
}

/// A plan: moves and states, the start first.
type Plan<S> = (Vec<StateId>, Vec<S>);

impl PuzzleCore<'_> {
    /// Has every state stand for itself again.
    pub(crate) fn count_each_alone(&mut self) {
        self.kit.alike.is_on = false;
    }

    /// Looks for symmetries that some states tell apart, unless that was done with as many steps.
    fn look_for_symmetries(&mut self, start: &[u8], samples: &[Packed], steps: u64) {
        let (shape, leaves) = (start[0], start.len() - 1);
        if shape != self.kit.alike.shape {
            self.kit.alike = Alike { shape, ..Alike::default() };
        }
        // With a few more steps no more is found.
        if self.kit.alike.found.is_some() || steps < 2 * self.kit.alike.tried {
            return;
        }
        self.kit.alike.tried = steps;
        let padded = self.kit.representation.as_ref().is_some_and(|found| found.has_padded_lists());
        let Some(operators) = self.derived_operators() else { return };
        // The image of a state has to be one, whatever its leaves are, and each of these is a byte.
        if !padded && operators.leaves() == leaves {
            let part = Part { operators, outcomes: &[] };
            let states = [start].into_iter().chain(samples.iter().map(PackedState::bytes));
            let states = states.filter(|bytes| bytes[0] == shape && bytes.len() == leaves + 1);
            let states: Vec<&[u8]> = states.map(|bytes| &bytes[1..]).collect();
            self.kit.alike.found = Symmetries::of(&[part], &states, steps);
        }
    }

    /// The symmetries by which states stand for others.
    pub(crate) fn symmetries(&self) -> Option<zug_report::Symmetries> {
        self.kit.alike.ways()
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Has states stand for those that are alike.
    ///
    /// # Errors
    /// The rules are not known well enough to tell.
    pub(crate) fn count_alike_as_one(&mut self, start: &S) -> Result<(), Box<RuleError>> {
        let (samples, met) = self.walks(start)?;
        let read = self.core.read_operators(&Packed::new(start.bytes()), &met, derived::STEPS);
        read.map_err(|why| RuleError::new(Violation::NoSymmetries(why), RULE))?;
        self.core.look_for_symmetries(start.bytes(), &samples, ASKED_FOR);
        self.core.kit.alike.is_on = self.core.kit.alike.found.is_some();
        self.core.kit.alike.is_asked_for = true;
        Ok(())
    }

    /// Has states stand for those that are alike if that pays, as far as it can be told of the states that a
    /// search has stored, with no more steps of looking than that.
    pub(super) fn count_alike_in_time(&mut self, start: &S, store: &S::Store, steps: u64) {
        if self.core.kit.alike.is_on || self.derived_operators().is_none() {
            return;
        }
        let ids = (0..store.len()).step_by((store.len() / SAMPLES).max(1));
        let samples: Vec<S> = ids.map(|id| store.state(id as StateId)).collect();
        let bytes: Vec<Packed> = samples.iter().map(|state| Packed::new(state.bytes())).collect();
        self.core.look_for_symmetries(start.bytes(), &bytes, steps.min(MOST));
        if self.core.kit.alike.found.is_none() {
            return;
        }
        let mut is_image = |state: &S| {
            let standing = self.core.kit.alike.standing(state);
            standing.is_some_and(|other| store.find(&other).is_some())
        };
        let images = samples.iter().filter(|state| is_image(state)).count();
        self.core.kit.alike.is_on = images * WORTH >= samples.len();
    }

    /// Replaces successors from a place on by the states that stand for them.
    #[inline(never)]
    pub(super) fn stand_for(&mut self, first: usize, found: &mut Successors<S, C>) {
        for (head, row) in found.heads.iter_mut().zip(&mut found.rows).skip(first) {
            if let Some(other) = self.core.kit.alike.standing(row) {
                (*row, head.estimate) = (other, None);
            }
        }
    }

    /// The plan that a path through states which stand for others tells of, from the same start.
    ///
    /// # Errors
    /// An error in a rule, or a step that no move is for.
    pub(crate) fn traced(&mut self, states: &[S]) -> Result<Option<Plan<S>>, Box<RuleError>> {
        if !self.core.kit.alike.is_on {
            return Ok(None);
        }
        let Some(start) = states.first() else { return Ok(None) };
        let (mut moves, mut real) = (Vec::new(), vec![start.clone()]);
        // What makes the state on the path the real one.
        let mut back = Renaming::identity(start.bytes().len() - 1);
        for (step, pair) in states.windows(2).enumerate() {
            let broken = || RuleError::new(Violation::Replay(step), RULE);
            let (raw, by) = self.step_between(&pair[0], &pair[1])?.ok_or_else(broken)?;
            let next = image(self.core.kit.alike.shape, &back.applied(&raw.bytes()[1..]));
            let next: S = next.ok_or_else(broken)?;
            let mut successors = Successors::default();
            self.raw_successors(&real[step], &mut successors)?;
            let same = successors.drain().filter(|(_, row)| *row == next);
            let (cheapest, _) = same.min_by_key(|(head, _)| head.cost).ok_or_else(broken)?;
            moves.push(cheapest.mv);
            real.push(next);
            if let Some(by) = by {
                back = by.inverse().then(&back).ok_or_else(broken)?;
            }
        }
        Ok(Some((moves, real)))
    }

    /// The cheapest successor of a state for which another one stands, and the renaming between them, if they
    /// are not the same.
    fn step_between(
        &mut self,
        from: &S,
        to: &S,
    ) -> Result<Option<(S, Option<Renaming>)>, Box<RuleError>> {
        let mut successors = Successors::default();
        self.raw_successors(from, &mut successors)?;
        let mut best: Option<(C, S, Option<Renaming>)> = None;
        for (head, row) in successors.drain() {
            let by = if row == *to {
                None
            } else if self.core.kit.alike.standing(&row).as_ref() == Some(to) {
                self.core.kit.alike.renaming(&row)
            } else {
                continue;
            };
            if best.as_ref().is_none_or(|(cost, ..)| head.cost < *cost) {
                best = Some((head.cost, row, by));
            }
        }
        Ok(best.map(|(_, state, by)| (state, by)))
    }

    /// The successors themselves, whatever stands for them.
    fn raw_successors(
        &mut self,
        state: &S,
        out: &mut Successors<S, C>,
    ) -> Result<(), Box<RuleError>> {
        let is_on = std::mem::take(&mut self.core.kit.alike.is_on);
        let done = self.successors(state, out);
        self.core.kit.alike.is_on = is_on;
        done
    }
}

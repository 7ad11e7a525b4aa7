//! Moves of states that are values of variables, by ground operators.

use super::RuleProblem;
use super::code::counted;
use crate::Packed;
use zug_code::grounding::Grounded;
use zug_search::{Head, StateId, Successors};
use zug_state::representation::Part;
use zug_state::{PackedState, RuleCost};
use zug_term::Heap;

/// What is of use from one state to the next.
#[derive(Default)]
pub(super) struct Grounding {
    /// By move: the number of its name, once it was made.
    names: Vec<Option<StateId>>,
    found: Vec<u32>,
    after: Vec<u8>,
    bytes: Vec<u8>,
}

impl Grounding {
    /// Forgets the numbers of names.
    pub fn forget(&mut self) {
        self.names.clear();
    }
}

impl super::core::Kit {
    /// Whether rules are ground operators.
    #[inline]
    pub(super) fn is_grounded(&self) -> bool {
        self.representation.as_ref().is_some_and(|found| found.grounded().is_some())
    }

    /// The ground operators, if a state is for them.
    #[inline]
    pub(super) fn grounded(&self, state: &[u8]) -> Option<&Grounded> {
        let grounded = self.representation.as_ref()?.grounded()?;
        let (shape, _) = self.codec.representations().first()?;
        (state.first() == Some(shape)).then_some(grounded)
    }

    /// The sorted form of a state whose sets are unsorted, if ground operators apply to that. The rules may give the state
    /// itself other moves.
    pub(super) fn sorted(&self, state: &[u8]) -> Option<Packed> {
        let &(shape, ref part) = self.codec.representations().first()?;
        let Part::Variables(variables) = &**part else { return None };
        if state.first() == Some(&shape) {
            return None;
        }
        let (mut heap, mut bytes) = (Heap::new(), vec![shape]);
        let term = self.codec.decode(state, &mut heap);
        variables.encode(&heap, term, true, &mut bytes).then(|| Packed::new(&bytes))
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Whether a state is a goal, if its moves are ground operators.
    #[inline]
    pub(super) fn is_grounded_goal(&mut self, state: &S) -> Option<bool> {
        let target = self.core.kit.code.goal?;
        let found = self.core.kit.grounded(state.bytes())?.is_goal(&state.bytes()[1..]);
        self.core.kit.units.told(Some(target), 1);
        Some(found)
    }

    /// Appends the successors of a state whose moves are ground operators, without those that lead to the state before,
    /// if it is given; false, with nothing added, if it has others.
    pub(super) fn grounded_successors(
        &mut self,
        from: u32,
        state: &S,
        before: Option<&S>,
        out: &mut Successors<S, C>,
    ) -> bool {
        let Some(representation) = self.core.kit.representation.clone() else { return false };
        if self.core.kit.grounded(state.bytes()).is_none() {
            return false;
        }
        let Some(grounded) = representation.grounded() else { return false };
        let (first, returning, ignores) = (out.len(), out.returning, self.core.ignores_costs);
        let Grounding { mut names, mut found, mut after, mut bytes } =
            std::mem::take(&mut self.core.kit.grounding);
        names.resize(grounded.moves(), None);
        let (shape, values) = (state.bytes()[0], &state.bytes()[1..]);
        let all = grounded.each(values, (&mut found, &mut after), |number, cost, after| {
            bytes.clear();
            bytes.push(shape);
            bytes.extend_from_slice(after);
            let name = names[number as usize];
            let mv = name.or_else(|| self.name_of(grounded, number));
            names[number as usize] = mv;
            let (Some(cost), Some(mv), Some(row)) =
                (counted(cost, ignores), mv, S::from_bytes(&bytes))
            else {
                return false;
            };
            if before == Some(&row) {
                out.returning += 1;
            } else {
                out.push(Head { from, mv, cost, estimate: None }, row);
            }
            true
        });
        self.core.kit.grounding = Grounding { names, found, after, bytes };
        if all {
            self.core.kit.units.told(Some(self.core.kit.code.rule), 1);
        } else {
            out.truncate(first);
            out.returning = returning;
        }
        all
    }

    #[cold]
    fn name_of(&mut self, grounded: &Grounded, number: u32) -> Option<StateId> {
        let (codec, moves) = (&mut self.core.kit.codec, &mut self.core.kit.moves);
        self.core.machine.scratch(|m| {
            let name = grounded.name(number).instantiate(&mut m.heap);
            moves.intern(codec, &mut m.heap, name).ok()
        })
    }
}

//! Symmetries of a game's states, by symmetry/2.

use super::rules::{Answered, RuleGame, pack_into};
use super::value::RuleValue;
use crate::contract::indicator::SYMMETRY;
use crate::error::Violation;
use crate::symmetry;
use zug_machine::PredId;
use zug_search::game::Player;
use zug_state::PackedState;

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// The least, by bytes, of the states that symmetry/2 leads to.
    pub(super) fn standing_for(&mut self, state: &S) -> Answered<S> {
        if self.roles.symmetry.is_none() {
            let other = if self.has_alike() { self.standing_for_alike(state) } else { None };
            return Ok(other.unwrap_or_else(|| state.clone()));
        }
        let least = symmetry::least(self.class_of(state)?);
        Ok(least.unwrap_or_else(|| state.clone()))
    }

    /// All states that symmetry/2 leads to, the state itself first.
    pub(super) fn class_of(&mut self, state: &S) -> Answered<Vec<S>> {
        let Some(pred) = self.roles.symmetry else { return Ok(vec![state.clone()]) };
        let player = state.bytes()[0];
        let class = symmetry::class_of(state, |from| self.images(pred, player, from));
        class.map_err(|error| match error.violation {
            violation @ Violation::LargeClass(_) => self.about(violation, SYMMETRY, state),
            _ => error,
        })
    }

    /// The states that symmetry/2 gives for a state.
    pub fn images(&mut self, symmetry: PredId, player: Player, state: &S) -> Answered<Vec<S>> {
        let scratch = &mut self.scratch;
        let asker = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
        let images = symmetry::images(asker, symmetry, &state.bytes()[1..], |m, codec, to| {
            pack_into(scratch, m, codec, player, to)
        });
        images.map_err(|violation| self.error(violation, SYMMETRY, player, state))
    }
}

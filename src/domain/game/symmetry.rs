//! Symmetries of a game's states, by symmetry/2.

use super::rules::{Answered, RuleGame};
use super::worth::RuleValue;
use crate::error::Violation;
use zug_machine::PredId;
use zug_search::game::Player;
use zug_state::PackedState;

/// The most states of one symmetry class.
const LARGEST_CLASS: usize = 400;

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// The least, by bytes, of the states that symmetry/2 leads to.
    pub(super) fn standing_for(&mut self, state: &S) -> Answered<S> {
        if self.roles.symmetry.is_none() {
            return Ok(state.clone());
        }
        let least = self.class_of(state)?.into_iter().min_by(|a, b| a.bytes().cmp(b.bytes()));
        Ok(least.unwrap_or_else(|| state.clone()))
    }

    /// All states that symmetry/2 leads to, the state itself first.
    pub(super) fn class_of(&mut self, state: &S) -> Answered<Vec<S>> {
        let Some(symmetry) = self.roles.symmetry else { return Ok(vec![state.clone()]) };
        let player = state.bytes()[0];
        let mut class = vec![state.clone()];
        let mut next = 0;
        while let Some(from) = class.get(next).cloned() {
            next += 1;
            if class.len() > LARGEST_CLASS {
                let violation = Violation::LargeClass(LARGEST_CLASS);
                return Err(self.error(violation, "symmetry/2", player, state));
            }
            for image in self.images(symmetry, player, &from)? {
                if !class.contains(&image) {
                    class.push(image);
                }
            }
        }
        Ok(class)
    }

    /// The states that symmetry/2 gives for a state.
    pub fn images(&mut self, symmetry: PredId, player: Player, state: &S) -> Answered<Vec<S>> {
        let base = self.machine.roots.len();
        let run = self.machine.open();
        let from = self.decode(state);
        let to = self.machine.heap.new_var();
        self.machine.roots.push(to);
        let mut images = Vec::new();
        let mut outcome = self.machine.call(self.world, run, symmetry, &[from, to]);
        let ended = loop {
            match outcome {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(fault) => {
                    break Err(Violation::Fault(fault, Box::new(self.machine.trace.clone())));
                }
            }
            let to = self.machine.roots[base];
            let image = if self.machine.heap.deref(to).is_ref() {
                Err(Violation::NoSuccessor)
            } else if images.len() >= LARGEST_CLASS {
                Err(Violation::TooManyMoves(LARGEST_CLASS))
            } else {
                self.pack_cell(player, to)
            };
            match image {
                Ok(image) => images.push(image),
                Err(violation) => {
                    self.machine.abandon(run);
                    break Err(violation);
                }
            }
            if !self.machine.has_more(run) {
                self.machine.abandon(run);
                break Ok(());
            }
            outcome = self.machine.redo(self.world, run);
        };
        self.machine.roots.truncate(base);
        match ended {
            Ok(()) => Ok(images),
            Err(violation) => Err(self.error(violation, "symmetry/2", player, state)),
        }
    }
}

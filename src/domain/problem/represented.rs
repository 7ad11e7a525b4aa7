//! How the states of a puzzle are represented.

use super::PuzzleCore;
use crate::contract::{Contract, DomainKind};
use crate::representing::{Moving, Represented, representation};
use std::sync::Arc;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_term::Record;

/// The representation of the states of a puzzle that can be reached from one, if they have one.
pub(crate) fn represented(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    start: &Record,
) -> Option<Arc<Represented>> {
    representation(m, w, DomainKind::Puzzle, &Moving::Rule(contract.rule?, contract.goal), start)
}

impl PuzzleCore<'_> {
    /// Decides how states are represented, by the first one that is packed.
    #[cold]
    pub(super) fn represent(&mut self, start: &Record) {
        self.kit.is_decided = true;
        let moving = Moving::Rule(self.predicates.rule, self.predicates.goal);
        let (m, w) = (&mut *self.machine, &mut *self.world);
        if let Some(found) = representation(m, w, DomainKind::Puzzle, &moving, start) {
            found.declare(&mut self.kit.codec);
            self.kit.representation = Some(found);
        }
    }
}

//! Where in the rules of the user the run is.

use zug_machine::{ClauseId, Space};
use zug_term::symbol::Atom;

/// The last goal in a clause of the user: it is named for what the library does in it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Site {
    pub clause: Option<ClauseId>,
    pub goal: Option<(Atom, usize)>,
    in_library: bool,
}

impl Site {
    pub(super) fn enter(&mut self, clause: ClauseId, space: Space) {
        *self = match space {
            Space::System => Site { in_library: true, ..*self },
            _ => Site { clause: Some(clause), goal: None, in_library: false },
        };
    }

    pub(super) fn call(&mut self, name: Atom, arity: usize) {
        if !self.in_library {
            self.goal = Some((name, arity));
        }
    }
}

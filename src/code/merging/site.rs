//! Where in the rules of the user the run is.

use zug_machine::{ClauseId, Space};
use zug_term::symbol::Atom;

/// A goal of a clause of the user, the last one on the way to where the run is: what the library does
/// is told of the goal that calls it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Site {
    pub clause: Option<ClauseId>,
    /// Name and arity of the goal.
    pub goal: Option<(Atom, usize)>,
    /// The run is in a clause of the library.
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

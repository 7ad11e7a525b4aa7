//! Searches of roots by alpha-beta: [`RootSearch`].

use super::interface::Game;
use super::meter::{Halt, Meter};
use super::pvs::Search;
use super::transposition::{Entries, Window};
use crate::space::MoveId;

/// The value of a root, and a move that reaches it with the state it leads to.
pub(super) struct Rooted<G: Game> {
    pub value: G::Value,
    pub best: Option<(MoveId, G::State)>,
    /// No estimate went into either.
    pub exact: bool,
}

/// Searches roots, by one thread or several.
pub(super) trait RootSearch<G: Game> {
    /// The value of a root at a depth, and the first move that reaches it. Where the value lies beyond the
    /// window, that side of it is opened.
    fn root(
        &mut self,
        game: &mut G,
        root: &G::State,
        depth: u32,
        window: Window<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Rooted<G>, Halt>;
}

impl<G: Game, B: Entries<G::State, G::Value>> RootSearch<G> for Search<G, B> {
    fn root(
        &mut self,
        game: &mut G,
        root: &G::State,
        depth: u32,
        mut window: Window<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Rooted<G>, Halt> {
        loop {
            let found = self.value(game, root, depth, window, meter)?;
            if !window.opens(found.value) {
                let best = self.best_of_root();
                return Ok(Rooted { value: found.value, best, exact: found.exact });
            }
        }
    }
}

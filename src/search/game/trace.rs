//! What alpha-beta did, note by note: [`Trace`].
//!
//! The engine is generic over its tracer. None, `()`, costs nothing: every note is made by a
//! closure that is never called.

use super::interface::Game;
use super::transposition::Window;

/// Something that alpha-beta did. Between an [`Note::Open`] and its [`Note::Close`] are the
/// visits of its moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Note<M, S, V> {
    /// It comes to a node: the number of the move among those of the node above, how many moves
    /// are left to look ahead, and the window.
    Visit {
        /// The number of the move, in move order.
        at: u32,
        /// Depth left.
        left: u32,
        /// Values up to this don't matter.
        alpha: V,
        /// Values from this on don't matter.
        beta: V,
    },
    /// The node's value is known at once.
    Known {
        /// The value, for the player to move.
        value: V,
        /// Where it is from.
        from: Source,
    },
    /// The node is searched: its moves in move order, with the states they lead to.
    Open(Vec<(M, S)>),
    /// The node is done.
    Close {
        /// The value found, or a bound on it, for the player to move.
        value: V,
        /// It reached beta: other moves were left out.
        cut: bool,
    },
}

/// Where a value is from that needed no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The transposition table.
    Table,
    /// A successor that the table knows to cut.
    Successor,
    /// The end of play, or the heuristic at the depth.
    Leaf,
}

/// A note about a game.
pub type NoteOf<G> = Note<<G as Game>::Move, <G as Game>::State, <G as Game>::Value>;

/// A tracer of alpha-beta.
pub(super) trait SearchTracer<G: Game> {
    /// A search of the root to a depth begins.
    fn begin(&mut self, _depth: u32) {}
    /// The search of the root is over.
    fn end(&mut self) {}
    /// No more searches follow: the principal variation is looked up.
    fn finish(&mut self) {}
    /// Takes a note.
    fn note(&mut self, _note: impl FnOnce() -> NoteOf<G>) {}
}

/// No tracer.
impl<G: Game> SearchTracer<G> for () {}

/// The notes of the last search of the root.
#[derive(Clone, Debug)]
pub struct Trace<M, S, V> {
    /// The depth of the search.
    pub depth: u32,
    /// How many searches there were, one deeper than the other.
    pub searches: u32,
    /// What was done.
    pub notes: Vec<Note<M, S, V>>,
    /// Notes for which there was no room.
    pub missing: u64,
    most: usize,
    on: bool,
    finished: bool,
}

/// The trace of a game.
pub type TraceOf<G> = Trace<<G as Game>::Move, <G as Game>::State, <G as Game>::Value>;

impl<M, S, V> Trace<M, S, V> {
    /// An empty trace with room for so many notes.
    pub fn new(most: usize) -> Self {
        Self {
            depth: 0,
            searches: 0,
            notes: Vec::new(),
            missing: 0,
            most,
            on: false,
            finished: false,
        }
    }
}

impl<G: Game> SearchTracer<G> for &mut TraceOf<G> {
    fn begin(&mut self, depth: u32) {
        if self.finished {
            return;
        }
        (self.depth, self.on, self.missing) = (depth, true, 0);
        self.searches += 1;
        self.notes.clear();
    }

    fn end(&mut self) {
        self.on = false;
    }

    fn finish(&mut self) {
        self.finished = true;
    }

    fn note(&mut self, note: impl FnOnce() -> NoteOf<G>) {
        if !self.on {
        } else if self.notes.len() < self.most {
            self.notes.push(note());
        } else {
            self.missing += 1;
        }
    }
}

/// The note of a visit.
pub(super) fn visit<G: Game>(at: u32, left: u32, window: Window<G::Value>) -> NoteOf<G> {
    Note::Visit { at, left, alpha: window.alpha, beta: window.beta }
}

//! Conversion between states of a game and their sorted bytes.

use crate::game::interface::Game;
use crate::game::meter::Halt;
use crate::space::{Failure, MoveId, Row};
use std::sync::Arc;
use zug_sorted::{Coding, Number};

/// Why there is no space.
pub(super) enum Refused {
    /// State numbers do not fit into this many words.
    TooLong,
    /// States have no bytes, or chance moves.
    Unfit,
    /// A limit, or a failure of the game.
    Halt(Halt),
}

impl From<Halt> for Refused {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self::Halt(failure.into())
    }
}

/// The converter.
pub(super) struct Bytes<const W: usize> {
    pub coding: Arc<Coding<W>>,
    pub key: Vec<u8>,
}

impl<const W: usize> Bytes<W> {
    pub fn new(coding: Arc<Coding<W>>) -> Self {
        Self { coding, key: Vec::new() }
    }

    /// The state that has a number in a coding.
    #[inline]
    pub fn state<S: Row>(&mut self, coding: &Coding<W>, number: Number<W>) -> Result<S, Refused> {
        coding.key(number, &mut self.key);
        S::read(&self.key).ok_or(Refused::Unfit)
    }

    /// The number of a state, if its bytes are known.
    #[inline]
    pub fn number<S: Row>(&mut self, state: &S) -> Option<Number<W>> {
        self.key.clear();
        state.write(&mut self.key);
        self.coding.number(&self.key)
    }
}

/// The moves of a state and the states they lead to, or those that stand for their classes.
#[inline]
pub(super) fn moves<G: Game>(
    game: &mut G,
    state: &G::State,
    out: &mut Vec<(MoveId, G::State)>,
) -> Result<(), Halt> {
    out.clear();
    game.moves(state, out)?;
    if game.has_symmetry() {
        for (_, state) in out {
            *state = game.canonical(state)?;
        }
    }
    Ok(())
}

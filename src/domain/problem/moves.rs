//! The names of moves.

use crate::PackedStore;
use crate::error::Violation;
use zug_search::StateId;
use zug_state::Codec;
use zug_term::{Cell, Heap};

/// The names of moves, by number.
#[derive(Default)]
pub(crate) struct Moves {
    pub(crate) store: PackedStore,
    /// Numbers of atoms and small integers met lately, by the low bits of their number.
    recent: [Option<(Cell, StateId)>; 16],
}

impl Moves {
    /// A move's name, packed.
    pub(crate) fn bytes_of(&self, mv: StateId) -> &[u8] {
        self.store.bytes_of(mv)
    }

    /// The number of a move's name.
    #[inline]
    pub(crate) fn intern(
        &mut self,
        codec: &mut Codec,
        heap: &mut Heap,
        name: Cell,
    ) -> Result<StateId, Violation> {
        let name = heap.deref(name);
        let at = (name.0 >> 3) as usize % self.recent.len();
        if let Some((cell, number)) = self.recent[at]
            && cell == name
        {
            return Ok(number);
        }
        let (number, _) = self.store.intern_bytes(codec.encode_plain(heap, name)?);
        if name.is_atom() || name.is_int() {
            self.recent[at] = Some((name, number));
        }
        Ok(number)
    }
}

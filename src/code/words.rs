//! Between the words of leaves, constants of the rules, and the codec's bytes.

use zug_state::{Codec, Word};
use zug_term::{Cell, Heap};

/// The constants and shapes of a codec, as the symbolic run needs them.
pub struct Words<'a>(pub &'a mut Codec);

impl Words<'_> {
    pub fn cell(&self, word: Word) -> Cell {
        self.0.word_cell(word)
    }

    /// As [`Words::cell`], for a leaf that may be unbound.
    pub fn cell_or_unbound(&self, word: Word) -> Cell {
        if word == Word::VAR { crate::merging::UNBOUND } else { self.cell(word) }
    }

    /// The word of an atom or integer; `None` for what no leaf of compiled code can be.
    pub fn word(&mut self, cell: Cell) -> Option<Word> {
        match (cell.as_atom(), cell.as_int()) {
            (Some(atom), _) => Some(Word::constant(self.0.atom_code(atom))),
            (None, Some(value)) => Word::int(value),
            _ => None,
        }
    }

    /// The number of the shape of a term whose leaves are atoms, if it has one byte.
    pub fn shape(&mut self, heap: &mut Heap, term: Cell) -> Option<u8> {
        self.0.shape_of_term(heap, term)
    }
}

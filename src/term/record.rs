//! A term kept outside any heap: results, clauses, exceptions, globals.

use super::{Cell, Heap, copy};

/// A copied term: an image of its cells and its root. Takes no part in garbage
/// collection and may be put back into any heap of the same symbol table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// The cells, addresses counted from 0.
    pub cells: Box<[Cell]>,
    /// The term.
    pub root: Cell,
}

impl Record {
    /// A copy of a term, with fresh variables.
    pub fn new(heap: &mut Heap, cell: Cell) -> Record {
        let mut image = Vec::new();
        let root = copy::copy(heap, cell, &mut image);
        Record { cells: image.into(), root }
    }

    /// A term without cells: an atom or small integer.
    pub fn atomic(cell: Cell) -> Record {
        debug_assert!(!cell.is_pointer());
        Record { cells: Box::default(), root: cell }
    }

    /// Puts the term into a heap.
    pub fn instantiate(&self, heap: &mut Heap) -> Cell {
        heap.instantiate(&self.cells, self.root)
    }

    /// A heap of its own that holds just this term, to look at it.
    pub fn to_heap(&self) -> (Heap, Cell) {
        (Heap { cells: self.cells.to_vec() }, self.root)
    }

    /// As [`Record::to_heap`], of a record that is needed no more.
    pub fn into_heap(self) -> (Heap, Cell) {
        (Heap { cells: self.cells.into_vec() }, self.root)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of::<Record>() + self.cells.len() * size_of::<Cell>()
    }
}

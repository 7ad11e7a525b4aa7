//! Representations: how terms whose lists grow and shrink are packed into leaves of a fixed number.
//!
//! A list that is always an ordered set over some elements is a leaf for each of them, 1 where it is
//! in the set and 0 where it is not. Another list is padded: its length, and leaves for as many
//! elements as it may have. What is the same in all terms, as the keys of a list of pairs, is no leaf. A
//! term has this form if it fits, and has a functor skeleton of its own
//! otherwise; it always fits or never does, since a representation does not change.

use crate::variables::Variables;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use zug_term::{Cell, Heap, Record};

/// The most elements of a padded list: its length is a leaf of one byte.
pub const MOST_CAPACITY: usize = 64;
/// The most elements of which there are sets.
pub const MOST_ELEMENTS: usize = 256;
/// The most leaves of a representation.
pub const MOST_LEAVES: usize = 480;
/// Cells up to which a term is an element of a set.
pub const LARGEST_ELEMENT: usize = 32;

/// A part of a term, as it is represented.
#[derive(Clone, Debug)]
pub enum Part {
    /// A leaf, and what it is where there is no element that it belongs to.
    Leaf(Cell),
    /// An atom or an integer that is the same in all terms.
    Constant(Cell),
    /// A list of a fixed number of parts.
    List(Box<[Part]>),
    /// A structure: the header and the arguments.
    Struct(Cell, Box<[Part]>),
    /// A list whose elements ascend in the standard order and are of a universe: a leaf for each
    /// element of that.
    Set(Universe),
    /// A list of any length up to a bound: a leaf for the length, and the leaves of as many elements.
    Padded(Box<Part>, usize),
    /// A whole state as values of variables: a leaf for each.
    Variables(Arc<Variables>),
}

impl Part {
    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        match self {
            Part::Leaf(_) => 1,
            Part::Constant(_) => 0,
            Part::List(parts) | Part::Struct(_, parts) => parts.iter().map(Part::leaves).sum(),
            Part::Set(universe) => universe.elements.len(),
            Part::Padded(element, capacity) => 1 + capacity * element.leaves(),
            Part::Variables(variables) => variables.count(),
        }
    }

    /// Whether a list in it is a set.
    pub fn has_set(&self) -> bool {
        self.has(&|part| matches!(part, Part::Set(_)))
    }

    /// Whether a list in it is padded.
    pub fn has_padded(&self) -> bool {
        self.has(&|part| matches!(part, Part::Padded(..)))
    }

    /// Whether a list in it is a set or padded.
    pub fn has_lists(&self) -> bool {
        self.has(&|part| matches!(part, Part::Set(_) | Part::Padded(..) | Part::Variables(_)))
    }

    /// Whether a list in it is a set or padded, or something in it is a constant: if not, a skeleton
    /// does as well.
    pub(crate) fn is_of_use(&self) -> bool {
        self.has_lists() || self.has(&|part| matches!(part, Part::Constant(_)))
    }

    fn has(&self, is_one: &dyn Fn(&Part) -> bool) -> bool {
        is_one(self)
            || match self {
                Part::List(parts) | Part::Struct(_, parts) => {
                    parts.iter().any(|part| part.has(is_one))
                }
                Part::Padded(element, _) => element.has(is_one),
                Part::Leaf(_) | Part::Constant(_) | Part::Set(_) | Part::Variables(_) => false,
            }
    }

    /// By leaf: whether it is a part of the term, and not the length of a list or whether an element
    /// is there.
    pub fn values(&self) -> Vec<bool> {
        match self {
            Part::Leaf(_) => vec![true],
            Part::Constant(_) => Vec::new(),
            Part::List(parts) | Part::Struct(_, parts) => {
                parts.iter().flat_map(Part::values).collect()
            }
            Part::Set(universe) => vec![false; universe.elements.len()],
            Part::Padded(element, capacity) => {
                [vec![false], element.values().repeat(*capacity)].concat()
            }
            Part::Variables(variables) => vec![false; variables.count()],
        }
    }

    /// Of a part without sets and padded lists, by place of a leaf or a constant: whether it is a
    /// constant.
    pub fn constants(&self) -> Vec<bool> {
        match self {
            Part::Leaf(_) => vec![false],
            Part::Constant(_) => vec![true],
            Part::List(parts) | Part::Struct(_, parts) => {
                parts.iter().flat_map(Part::constants).collect()
            }
            Part::Set(_) | Part::Padded(..) | Part::Variables(_) => Vec::new(),
        }
    }
}

/// The elements that a set may have.
#[derive(Clone, Debug)]
pub struct Universe {
    /// In the standard order.
    elements: Box<[Record]>,
    /// The skeletons and leaves of the elements, in preorder, as a trie: where a letter leads from a
    /// place. The first place is 0.
    steps: FxHashMap<(u32, Cell), u32>,
    /// By place: the number of the element that ends there, plus one.
    ends: Vec<u32>,
}

impl Universe {
    /// A universe of ground elements, which are in the standard order, each once. `None` if one of
    /// them is large, or has numbers or texts in it that no cell holds.
    pub fn new(elements: Vec<Record>) -> Option<Universe> {
        let (mut steps, mut ends) = (FxHashMap::default(), vec![0]);
        for (number, element) in elements.iter().enumerate() {
            let (heap, root) = element.to_heap();
            let mut at = 0;
            let read = letters(&heap, root, |letter| {
                let next = ends.len() as u32;
                at = *steps.entry((at, letter)).or_insert(next);
                if at == next {
                    ends.push(0);
                }
                true
            });
            if !read {
                return None;
            }
            ends[at as usize] = number as u32 + 1;
        }
        Some(Universe { elements: elements.into(), steps, ends })
    }

    /// The elements, in the standard order.
    pub fn elements(&self) -> &[Record] {
        &self.elements
    }

    /// The number of a term among the elements.
    pub fn find(&self, heap: &Heap, term: Cell) -> Option<usize> {
        let mut at = 0;
        let known = letters(heap, term, |letter| match self.steps.get(&(at, letter)) {
            Some(&next) => {
                at = next;
                true
            }
            None => false,
        });
        let end = self.ends[at as usize];
        (known && end > 0).then(|| end as usize - 1)
    }
}

/// Calls `visit` with the list cells, headers, atoms and integers of a ground term in preorder, as
/// long as it returns true; whether it always did, and the term is not too large for an element.
pub fn letters(heap: &Heap, term: Cell, mut visit: impl FnMut(Cell) -> bool) -> bool {
    // Runs of arguments: the first address, and how many.
    let (mut waiting, mut cell) = (Vec::new(), heap.deref(term));
    for _ in 0..LARGEST_ELEMENT {
        let letter = if cell.is_list() {
            waiting.push((cell.addr(), 2));
            Cell::list(0)
        } else if cell.is_struct() {
            let header = heap.at(cell.addr());
            waiting.push((cell.addr() + 1, header.functor_arity()));
            header
        } else if cell.is_atom() || cell.is_int() {
            cell
        } else {
            return false;
        };
        if !visit(letter) {
            return false;
        }
        let next = loop {
            match waiting.last_mut() {
                None => return true,
                Some((_, 0)) => {
                    waiting.pop();
                }
                Some((at, count)) => {
                    (*at, *count) = (*at + 1, *count - 1);
                    break *at - 1;
                }
            }
        };
        cell = heap.deref(heap.at(next));
    }
    false
}

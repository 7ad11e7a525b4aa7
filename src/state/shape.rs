//! Shapes: the functor skeletons of packed terms, found as terms arrive.
//!
//! The skeleton of a term is read in preorder as a string over list cell, functor, leaf, and
//! the `[]` that ends a list; such a string ends exactly where the term does. The strings
//! met so far form a trie. A term is known by the path it takes; the end of the path names
//! the shape.
//!
//! A shape keeps a *template*: the cells of the term, addresses counted from 0, with the
//! places of the leaves. Putting a term on a heap is a copy of the template and a write for
//! each leaf.
//!
//! The number of shapes, the size of the trie and of all templates are bounded. Once a bound
//! is met no shape is ever added, so that a term which had none then never gets one, and its
//! packed form stays the same.

use zug_term::{Cell, Heap};

/// The most shapes: what two bytes can number without the escape.
pub(crate) const MOST_SHAPES: usize = 240 + 15 * 256;
/// The most nodes of the trie (16 bytes each).
const MOST_NODES: usize = 1 << 18;
/// The most cells of all templates together.
const MOST_CELLS: usize = 1 << 18;

/// The letter for a leaf. No functor header looks like it: arity 0.
pub(crate) const LEAF: Cell = Cell(7);
/// The letter for a list cell.
pub(crate) const LIST: Cell = Cell::list(0);
/// The letter for the end of a list.
pub(crate) const END: Cell = Cell::NIL;

/// A node of the trie: what the last letter was and where to go on.
#[derive(Clone)]
struct TrieNode {
    letter: Cell,
    /// The first of the next letters; at the end of a shape, its number.
    next: u32,
    /// Another letter in the place of this one.
    sibling: u32,
}

/// A functor skeleton.
#[derive(Clone)]
pub(crate) struct Shape {
    /// The cells of a term of this shape, addresses counted from 0; none of a represented one.
    pub template: Box<[Cell]>,
    /// The addresses of the leaves, in preorder.
    pub leaves: Box<[u32]>,
}

/// The shapes met so far.
#[derive(Clone)]
pub(crate) struct Shapes {
    nodes: Vec<TrieNode>,
    shapes: Vec<Shape>,
    cells: usize,
    /// A bound was met: nothing is added any more.
    pub(crate) full: bool,
}

/// Where a walk through the trie stands.
pub(crate) type At = u32;

impl Shapes {
    /// Where walks begin.
    pub const START: At = 0;

    pub fn new() -> Shapes {
        let root = TrieNode { letter: Cell(0), next: 0, sibling: 0 };
        Shapes { nodes: vec![root], shapes: Vec::new(), cells: 0, full: false }
    }

    pub fn get(&self, number: usize) -> &Shape {
        &self.shapes[number]
    }

    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<TrieNode>() + self.cells * (size_of::<Cell>() + 4)
    }

    /// Takes one letter; `None` if it leads nowhere and nothing can be added.
    #[inline(always)]
    pub fn step(&mut self, at: At, letter: Cell) -> Option<At> {
        let first = self.nodes[at as usize].next;
        // PERF: nearly every place of nearly every puzzle has one letter only.
        if first != 0 && self.nodes[first as usize].letter == letter {
            return Some(first);
        }
        self.step_aside(at, letter)
    }

    fn step_aside(&mut self, at: At, letter: Cell) -> Option<At> {
        let mut last = 0;
        let mut next = self.nodes[at as usize].next;
        while next != 0 {
            if self.nodes[next as usize].letter == letter {
                return Some(next);
            }
            last = next;
            next = self.nodes[next as usize].sibling;
        }
        self.full |= self.nodes.len() >= MOST_NODES;
        if self.full {
            return None;
        }
        let new = self.nodes.len() as At;
        self.nodes.push(TrieNode { letter, next: 0, sibling: 0 });
        if last == 0 {
            self.nodes[at as usize].next = new;
        } else {
            self.nodes[last as usize].sibling = new;
        }
        Some(new)
    }

    /// The shape whose path ends here.
    #[inline(always)]
    pub fn end(&self, at: At) -> Option<usize> {
        (self.nodes[at as usize].next as usize).checked_sub(1)
    }

    /// Makes a shape of the path that ends here and the term that took it.
    #[cold]
    pub fn add(&mut self, at: At, heap: &Heap, term: Cell) -> Option<usize> {
        self.full |= self.shapes.len() >= MOST_SHAPES;
        if self.full {
            return None;
        }
        let Some(shape) = Shape::of(heap, term, MOST_CELLS - self.cells) else {
            self.full = true;
            return None;
        };
        self.cells += shape.template.len();
        self.shapes.push(shape);
        self.nodes[at as usize].next = self.shapes.len() as u32;
        Some(self.shapes.len() - 1)
    }
}

impl Shapes {
    /// Adds the shape of terms that are represented, with N leaves; `None` if it would have a
    /// number of more than one byte.
    pub fn add_represented(&mut self, leaves: usize) -> Option<u8> {
        let number = u8::try_from(self.shapes.len()).ok().filter(|&number| number < 240)?;
        self.shapes.push(Shape { template: Box::default(), leaves: vec![0; leaves].into() });
        Some(number)
    }
}

impl Shape {
    /// The shape of a term, if it has at most N cells.
    fn of(heap: &Heap, term: Cell, most: usize) -> Option<Shape> {
        let mut template = vec![Cell::ZERO];
        let mut leaves = Vec::new();
        // Source, destination, whether a `[]` there ends a list.
        let mut stack = vec![(term, 0, false)];
        while let Some((cell, to, tail)) = stack.pop() {
            let cell = heap.deref(cell);
            let at = template.len();
            if at > most {
                return None;
            }
            if cell.is_list() {
                template[to] = Cell::list(at);
                template.extend([Cell::ZERO; 2]);
                stack.push((heap.at(cell.addr() + 1), at + 1, true));
                stack.push((heap.at(cell.addr()), at, false));
            } else if cell.is_struct() {
                let header = heap.at(cell.addr());
                let arity = header.functor_arity();
                template[to] = Cell::structure(at);
                template.push(header);
                template.resize(at + 1 + arity, Cell::ZERO);
                let arguments = (1..=arity).rev();
                stack.extend(arguments.map(|i| (heap.at(cell.addr() + i), at + i, false)));
            } else if tail && cell == Cell::NIL {
                template[to] = Cell::NIL;
            } else {
                leaves.push(to as u32);
            }
        }
        Some(Shape { template: template.into(), leaves: leaves.into() })
    }
}

//! Terms to packed bytes and back.
//!
//! ```text
//! shape   one or two bytes: the number of the functor skeleton; FF: no shape, the skeleton
//!         is written between the leaves (for terms of too many shapes)
//! leaf    00..5F  the integer -16..79          E0..E7 +1  constant 128..2175
//!         60..DF  constant 0..127              E8 +4      constant
//!         E9..F0  an integer of 1..8 bytes     F1 +8      float
//!         F2      a variable met first here    F3 +4      the nth variable again
//! inside  F4      a list cell                  F5 +4      a functor, by number
//! ```
//!
//! Constants are atoms, big integers and strings, numbered in order of arrival. A value has
//! one code and always the same one, variables are known by the order of their first
//! occurrence, and a term has one shape: so two terms are variants exactly when their bytes
//! are equal. Numbers are never handed back; a codec lives as long as its stores.
//!
//! Nothing here recurses. While a term is packed its variables are marked on the heap, as
//! [`zug_term::copy`] does.

mod decode;
mod dictionary;
mod represented;
#[cfg(test)]
mod represented_tests;
mod seen;
#[cfg(test)]
mod seen_tests;

use super::Packed;
use super::representation::Part;
use super::shape::{END, LEAF, LIST, Shapes};
use crate::Word;
use decode::Leaves;
use rustc_hash::FxHashMap;
pub use seen::May;
use seen::Seen;
use std::sync::Arc;
use zug_term::symbol::Atom;
use zug_term::{Cell, HeaderKind, Heap, Tag, is_acyclic};

const FIRST_INT: i64 = -16;
const LAST_INT: i64 = 79;
const CONSTANT: u8 = 0x60;
const CONSTANT_2: u8 = 0xE0;
const CONSTANT_4: u8 = 0xE8;
const INT: u8 = 0xE9;
const FLOAT: u8 = 0xF1;
const VARIABLE: u8 = 0xF2;
const AGAIN: u8 = 0xF3;
const IN_LIST: u8 = 0xF4;
const IN_STRUCT: u8 = 0xF5;
/// Shape numbers of one byte.
const SHAPES_1: usize = 240;
const NO_SHAPE: u8 = 0xFF;
/// Cells up to which a term gets a shape.
const LARGEST_SHAPE: usize = 1 << 16;
/// Subterms up to which a term is packed that unfolds larger than the heap it stands in: a tenth
/// of a second.
const LARGEST: usize = 1 << 23;

/// Why a term can't be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpackable {
    /// It contains itself.
    Cyclic,
    /// It is too large.
    TooLarge,
    /// It has a variable with attributes.
    Attributed,
}

/// A run of arguments still to be packed.
#[derive(Clone)]
struct Rest {
    addr: usize,
    count: usize,
    /// The one argument left is the tail of a list cell.
    tail: bool,
}

enum WalkEnd {
    Shape(usize),
    /// In no shape, and none can be added.
    NoShape,
}

/// Packs terms of one heap and symbol table.
#[derive(Clone)]
pub struct Codec {
    shapes: Shapes,
    /// Representations, with the numbers of their shapes.
    represented: Vec<(u8, Arc<Part>)>,
    /// By shape, which leaves are expected to be always the same.
    fixed: Vec<(u8, Box<[bool]>)>,
    /// The codes of atoms, plus one, by atom number; 0 where there is none.
    atoms: Vec<u32>,
    /// The codes of big integers and strings, by their words.
    boxed: FxHashMap<Box<[Cell]>, u32>,
    /// The constants by code; words of boxed ones in `boxed_words`.
    constants: Vec<Cell>,
    boxed_words: Vec<Box<[Cell]>>,
    functors: FxHashMap<Cell, u32>,
    functor_headers: Vec<Cell>,
    /// A packed term may have a variable in it.
    variables: bool,
    /// The term that is packed has a variable with attributes.
    attributed: bool,
    one_byte: [Cell; 256],
    /// By shape of one byte: what leaves of packed terms were.
    seen: Vec<Seen>,
    /// The sum of their versions.
    version: u32,
    // Scratch.
    bytes: Vec<u8>,
    stack: Vec<Rest>,
    marked: Vec<usize>,
}

/// Writes an integer that has no code of one byte.
fn push_int(value: i64, bytes: &mut Vec<u8>) {
    // As few bytes as show the sign.
    let spare = if value < 0 { value.leading_ones() } else { value.leading_zeros() };
    let length = (65 - spare).div_ceil(8) as usize;
    bytes.push(INT + (length - 1) as u8);
    bytes.extend_from_slice(&value.to_le_bytes()[..length]);
}

fn push_constant(code: u32, bytes: &mut Vec<u8>) {
    match code {
        0..128 => bytes.push(CONSTANT + code as u8),
        128..2176 => {
            let rest = code - 128;
            bytes.extend([CONSTANT_2 + (rest >> 8) as u8, rest as u8]);
        }
        _ => {
            bytes.push(CONSTANT_4);
            bytes.extend(code.to_le_bytes());
        }
    }
}

impl Default for Codec {
    fn default() -> Self {
        let mut one_byte = [Cell::ZERO; 256];
        for value in FIRST_INT..=LAST_INT {
            one_byte[(value - FIRST_INT) as usize] = Cell::small(value);
        }
        Codec {
            shapes: Shapes::new(),
            represented: Vec::new(),
            fixed: Vec::new(),
            atoms: Vec::new(),
            boxed: FxHashMap::default(),
            constants: Vec::new(),
            boxed_words: Vec::new(),
            functors: FxHashMap::default(),
            functor_headers: Vec::new(),
            variables: false,
            attributed: false,
            one_byte,
            seen: Vec::new(),
            version: 0,
            bytes: Vec::new(),
            stack: Vec::new(),
            marked: Vec::new(),
        }
    }
}

impl Codec {
    /// A codec that knows nothing yet.
    pub fn new() -> Codec {
        Codec::default()
    }

    /// Learns the numbers that another codec has given since this one was a copy of it; none has been given by this one
    /// meanwhile. What leaves were seen to be stays.
    pub fn catch_up(&mut self, other: &Codec) {
        let (seen, version) = (std::mem::take(&mut self.seen), self.version);
        *self = Codec { seen, version, ..other.clone() };
    }

    /// How many shapes were met.
    pub fn shapes(&self) -> usize {
        self.shapes.len()
    }

    /// Bytes held, approximately.
    pub fn bytes(&self) -> usize {
        let words: usize = self.boxed_words.iter().map(|words| words.len() * 16).sum();
        self.shapes.bytes() + self.atoms.capacity() * 4 + self.constants.capacity() * 8 + words
    }

    /// The code of an atom, which it gets if it has none.
    pub fn atom_code(&mut self, atom: Atom) -> u32 {
        match self.atoms.get(atom.0 as usize) {
            Some(&known) if known != 0 => known - 1,
            _ => self.new_atom(atom),
        }
    }

    /// The constant with a code; for one that is no atom, nothing that can be used.
    pub fn constant_cell(&self, code: u32) -> Cell {
        self.constants[code as usize]
    }

    /// The atom or integer of a word.
    pub fn word_cell(&self, word: Word) -> Cell {
        match word.is_int() {
            true => Cell::small(word.int_value()),
            false => self.constant_cell(word.code()),
        }
    }

    /// The constants so far, in the order of their codes.
    pub fn constants(&self) -> &[Cell] {
        &self.constants
    }

    /// Whether there are constants that are no atoms.
    #[inline]
    pub fn has_boxed(&self) -> bool {
        !self.boxed_words.is_empty()
    }

    /// Whether the constants are atoms, and no packed term has variables in it.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.boxed_words.is_empty() && !self.variables
    }

    /// Whether packed terms may have variables in them.
    #[inline]
    pub fn has_variables(&self) -> bool {
        self.variables
    }

    /// Told that terms with variables are put together without being packed here.
    pub fn expect_variables(&mut self) {
        self.variables = true;
    }

    /// The number of the shape of a packed term, and its leaves; `None` if it has no shape.
    #[inline(always)]
    fn split(packed: &[u8]) -> Option<(usize, &[u8])> {
        match packed[0] {
            NO_SHAPE => None,
            first if usize::from(first) < SHAPES_1 => Some((usize::from(first), &packed[1..])),
            first => {
                let high = usize::from(first) - SHAPES_1;
                Some((SHAPES_1 + (high << 8) + usize::from(packed[1]), &packed[2..]))
            }
        }
    }

    /// The number of the shape of a packed term, if it is of one byte.
    #[inline]
    pub fn shape_of(packed: &[u8]) -> Option<u8> {
        packed.first().copied().filter(|&shape| usize::from(shape) < SHAPES_1)
    }

    /// How many leaves a shape has.
    pub fn leaves_of(&self, shape: u8) -> usize {
        self.shapes.get(usize::from(shape)).leaves.len()
    }

    /// Packs a term. The heap is as before when this returns.
    ///
    /// # Errors
    /// The term is cyclic, or larger than can be, or has attributed variables.
    #[inline]
    pub fn encode(&mut self, heap: &mut Heap, term: Cell) -> Result<Packed, Unpackable> {
        Ok(Packed::new(self.encode_bytes(heap, term)?))
    }

    /// As [`Codec::encode`]: the bytes, until the next call.
    pub fn encode_bytes(&mut self, heap: &mut Heap, term: Cell) -> Result<&[u8], Unpackable> {
        if self.represents()
            && let Some(number) = self.walk_represented(heap, term)
        {
            self.unmark(heap);
            self.no_attributes()?;
            self.bytes[1] = number;
            self.see(usize::from(number));
            return Ok(&self.bytes[1..]);
        }
        let start = self.pack(heap, term)?;
        if start == 1 {
            self.see(usize::from(self.bytes[1]));
        }
        Ok(&self.bytes[start..])
    }

    /// As [`Codec::encode_bytes`], without representations, and what its leaves are does not count as seen:
    /// for what is no state.
    pub fn encode_plain(&mut self, heap: &mut Heap, term: Cell) -> Result<&[u8], Unpackable> {
        let start = self.pack(heap, term)?;
        Ok(&self.bytes[start..])
    }

    /// Packs a term into `bytes`: where it begins there, 1 if its shape is of one byte.
    fn pack(&mut self, heap: &mut Heap, term: Cell) -> Result<usize, Unpackable> {
        let walked = self.walk(heap, term);
        self.unmark(heap);
        self.no_attributes()?;
        Ok(match walked {
            WalkEnd::Shape(number) if number < SHAPES_1 => {
                self.bytes[1] = number as u8;
                1
            }
            WalkEnd::Shape(number) => {
                let rest = number - SHAPES_1;
                self.bytes[0] = (SHAPES_1 + (rest >> 8)) as u8;
                self.bytes[1] = rest as u8;
                0
            }
            WalkEnd::NoShape => {
                let walked = self.walk_inside(heap, term);
                self.unmark(heap);
                walked?;
                self.no_attributes()?;
                0
            }
        })
    }

    /// The number of the shape of a term without a representation, if it is of one byte; what its
    /// leaves are does not count as seen.
    pub fn shape_of_term(&mut self, heap: &mut Heap, term: Cell) -> Option<u8> {
        let walked = self.walk(heap, term);
        self.unmark(heap);
        match walked {
            WalkEnd::Shape(number) if number < SHAPES_1 => Some(number as u8),
            _ => None,
        }
    }

    /// Puts the leaves of a term into `bytes`, behind two bytes for the shape.
    fn walk(&mut self, heap: &mut Heap, term: Cell) -> WalkEnd {
        self.bytes.clear();
        self.bytes.extend([0, 0]);
        self.stack.clear();
        let mut at = Shapes::START;
        let mut cell = heap.deref(term);
        let mut steps = 0;
        loop {
            steps += 1;
            let next = match cell.tag() {
                Tag::List => self.shapes.step(at, LIST),
                Tag::Struct => self.shapes.step(at, heap.at(cell.addr())),
                _ => self.shapes.step(at, LEAF),
            };
            let Some(next) = next else { return WalkEnd::NoShape };
            at = next;
            if let Some(inner) = self.enter(heap, cell) {
                if steps > LARGEST_SHAPE {
                    return WalkEnd::NoShape;
                }
                cell = inner;
                continue;
            }
            // The next subterm that is not the end of a list.
            cell = loop {
                match self.next(heap) {
                    None => return self.shape_at(at, heap, term),
                    Some((END, true)) => match self.shapes.step(at, END) {
                        Some(next) => at = next,
                        None => return WalkEnd::NoShape,
                    },
                    Some((cell, _)) => break cell,
                }
            };
        }
    }

    #[inline(always)]
    fn shape_at(&mut self, at: u32, heap: &mut Heap, term: Cell) -> WalkEnd {
        if let Some(number) = self.shapes.end(at) {
            return WalkEnd::Shape(number);
        }
        self.unmark(heap);
        match self.shapes.add(at, heap, term) {
            Some(number) => WalkEnd::Shape(number),
            None => WalkEnd::NoShape,
        }
    }

    /// The first argument of a compound, the others put aside; a leaf is written.
    #[inline(always)]
    fn enter(&mut self, heap: &mut Heap, cell: Cell) -> Option<Cell> {
        let addr = cell.addr();
        match cell.tag() {
            Tag::List => {
                self.stack.push(Rest { addr: addr + 1, count: 1, tail: true });
                Some(heap.deref(heap.at(addr)))
            }
            Tag::Struct => {
                let arity = heap.at(addr).functor_arity();
                if arity > 1 {
                    self.stack.push(Rest { addr: addr + 2, count: arity - 1, tail: false });
                }
                Some(heap.deref(heap.at(addr + 1)))
            }
            _ => {
                self.leaf(heap, cell);
                None
            }
        }
    }

    /// The next argument put aside, and whether it is the tail of a list cell.
    #[inline(always)]
    fn next(&mut self, heap: &Heap) -> Option<(Cell, bool)> {
        let rest = self.stack.last_mut()?;
        let (cell, tail) = (heap.deref(heap.at(rest.addr)), rest.tail);
        if rest.count == 1 {
            self.stack.pop();
        } else {
            rest.addr += 1;
            rest.count -= 1;
        }
        Some((cell, tail))
    }

    #[inline(always)]
    fn leaf(&mut self, heap: &mut Heap, cell: Cell) {
        if let Some(atom) = cell.as_atom() {
            let known = self.atoms.get(atom.0 as usize).copied().unwrap_or(0);
            let code = if known != 0 { known - 1 } else { self.new_atom(atom) };
            if code < 128 {
                self.bytes.push(CONSTANT + code as u8);
            } else {
                push_constant(code, &mut self.bytes);
            }
        } else if let Some(value) = cell.as_int() {
            if (FIRST_INT..=LAST_INT).contains(&value) {
                self.bytes.push((value - FIRST_INT) as u8);
            } else {
                push_int(value, &mut self.bytes);
            }
        } else {
            self.other_leaf(heap, cell);
        }
    }

    fn other_leaf(&mut self, heap: &mut Heap, cell: Cell) {
        let addr = cell.addr();
        match cell.tag() {
            Tag::Header => {
                self.bytes.push(AGAIN);
                self.bytes.extend((addr as u32).to_le_bytes());
            }
            Tag::Boxed if heap.at(addr).header_kind() == HeaderKind::Float => {
                self.bytes.push(FLOAT);
                self.bytes.extend(heap.at(addr + 1).0.to_le_bytes());
            }
            Tag::Boxed => {
                let words = &heap.cells[addr..=addr + heap.at(addr).payload_words()];
                let code = match self.boxed.get(words) {
                    Some(&code) => code,
                    None => self.new_boxed(words.into()),
                };
                push_constant(code, &mut self.bytes);
            }
            Tag::Attributed => {
                self.attributed = true;
                self.bytes.push(VARIABLE);
            }
            _ => {
                self.variables = true;
                self.bytes.push(VARIABLE);
                heap.set(addr, Cell((self.marked.len() as u64) << 3 | Tag::Header as u64));
                self.marked.push(addr);
            }
        }
    }

    /// Whether no variable with attributes was met.
    #[inline(always)]
    fn no_attributes(&mut self) -> Result<(), Unpackable> {
        match std::mem::take(&mut self.attributed) {
            true => Err(Unpackable::Attributed),
            false => Ok(()),
        }
    }

    fn unmark(&mut self, heap: &mut Heap) {
        for addr in self.marked.drain(..) {
            heap.set(addr, Cell::reference(addr));
        }
    }

    #[cold]
    fn new_atom(&mut self, atom: Atom) -> u32 {
        let at = atom.0 as usize;
        if self.atoms.len() <= at {
            self.atoms.resize(at + 1, 0);
        }
        let code = self.new_constant(Cell::atom(atom));
        self.atoms[at] = code + 1;
        code
    }

    #[cold]
    fn new_boxed(&mut self, words: Box<[Cell]>) -> u32 {
        let code = self.new_constant(Cell::boxed(self.boxed_words.len()));
        self.boxed_words.push(words.clone());
        self.boxed.insert(words, code);
        code
    }

    fn new_constant(&mut self, cell: Cell) -> u32 {
        let code = self.constants.len() as u32;
        self.constants.push(cell);
        if code < 128 && cell.is_atom() {
            self.one_byte[usize::from(CONSTANT) + code as usize] = cell;
        }
        code
    }

    /// Packs a term without a shape: the skeleton between the leaves.
    #[cold]
    fn walk_inside(&mut self, heap: &mut Heap, term: Cell) -> Result<(), Unpackable> {
        if self.walk_tokens(heap, term, heap.top() + 63) {
            return Ok(());
        }
        // It unfolds larger than its heap.
        self.unmark(heap);
        if !is_acyclic(heap, term) {
            return Err(Unpackable::Cyclic);
        }
        match self.walk_tokens(heap, term, LARGEST) {
            true => Ok(()),
            false => Err(Unpackable::TooLarge),
        }
    }

    /// False if the term has more subterms than that.
    fn walk_tokens(&mut self, heap: &mut Heap, term: Cell, most: usize) -> bool {
        self.bytes.clear();
        self.bytes.push(NO_SHAPE);
        self.stack.clear();
        let mut cell = heap.deref(term);
        for _ in 0..most {
            self.token(heap, cell);
            let inner = self.enter(heap, cell);
            match inner.or_else(|| self.next(heap).map(|(cell, _)| cell)) {
                Some(next) => cell = next,
                None => return true,
            }
        }
        false
    }

    /// Writes what a compound is.
    fn token(&mut self, heap: &Heap, cell: Cell) {
        if cell.is_list() {
            self.bytes.push(IN_LIST);
        } else if cell.is_struct() {
            let number = self.functor_number(heap.at(cell.addr()));
            self.bytes.push(IN_STRUCT);
            self.bytes.extend(number.to_le_bytes());
        }
    }
}

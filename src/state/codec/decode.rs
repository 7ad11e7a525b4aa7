//! Packed bytes back to terms on a heap.

use super::{
    AGAIN, CONSTANT, CONSTANT_2, CONSTANT_4, Codec, FIRST_INT, FLOAT, IN_LIST, IN_STRUCT, INT,
    VARIABLE, push_constant, push_int,
};
use crate::Word;
use zug_term::symbol::atoms;
use zug_term::{Cell, HeaderKind, Heap};

/// What an integer is that code can't work with.
const LARGE: &str = "an integer beyond 2^60";

impl Codec {
    /// Puts a packed term on a heap, with fresh variables.
    #[inline]
    pub fn decode(&self, packed: &[u8], heap: &mut Heap) -> Cell {
        let Some((number, leaves)) = Codec::split(packed) else {
            return self.decode_inside(&packed[1..], heap);
        };
        let shape = self.shapes.get(number);
        if shape.template.is_empty() {
            return self.decode_represented(number, leaves, heap);
        }
        let base = heap.top();
        // Bit t is set if a cell with tag t holds an address.
        const POINTERS: u64 = 0b0011_0111;
        let moved = shape.template.iter().map(|cell| {
            let pointer = POINTERS >> (cell.0 & 7) & 1;
            Cell(cell.0 + (((base as u64) << 3) & pointer.wrapping_neg()))
        });
        heap.cells.extend(moved);
        let cells = &mut heap.cells[base..];
        if leaves.len() == shape.leaves.len() {
            // PERF: the usual case, a byte for each leaf.
            for (&slot, &byte) in shape.leaves.iter().zip(leaves) {
                let known = self.one_byte[usize::from(byte)];
                let variable = Cell::reference(base + slot as usize);
                cells[slot as usize] = if byte == VARIABLE { variable } else { known };
            }
            if self.boxed_words.is_empty() {
                return cells[0];
            }
        }
        let mut reader = Leaves { codec: self, bytes: leaves, variables: Vec::new() };
        for &slot in &shape.leaves {
            let cell = reader.next(heap, base + slot as usize);
            heap.set(base + slot as usize, cell);
        }
        heap.at(base)
    }

    /// A term of a shape on a heap, whose leaves `leaf` gives by their number; of a represented one a
    /// term that shows the leaves.
    pub fn skeleton(
        &self,
        shape: u8,
        heap: &mut Heap,
        mut leaf: impl FnMut(&mut Heap, usize) -> Cell,
    ) -> Cell {
        if let Some(whole) = self.representation(shape) {
            let mut number = 0;
            return Codec::shown_part(whole, heap, &mut |heap| {
                number += 1;
                leaf(heap, number - 1)
            });
        }
        let shape = self.shapes.get(usize::from(shape));
        let base = heap.top();
        for cell in &shape.template {
            let pointer = cell.is_compound() || cell.is_var();
            heap.push(if pointer { cell.relocated(base) } else { *cell });
        }
        for (number, &slot) in shape.leaves.iter().enumerate() {
            let cell = leaf(heap, number);
            heap.set(base + slot as usize, cell);
        }
        heap.at(base)
    }

    /// The leaves of a packed term, if it is of a shape of one byte, without a representation, and each leaf is a
    /// constant of one byte.
    pub fn short_leaves<'p>(&self, packed: &'p [u8]) -> Option<(u8, &'p [u8])> {
        let shape = Codec::shape_of(packed)?;
        let leaves = &packed[1..];
        let short = self.shapes.get(usize::from(shape)).leaves.len() == leaves.len();
        let constant = short && self.representation(shape).is_none() && !leaves.contains(&VARIABLE);
        constant.then_some((shape, leaves))
    }

    /// The constant that such a leaf is.
    pub fn short_leaf(&self, byte: u8, heap: &mut Heap) -> Cell {
        Leaves { codec: self, bytes: &[byte], variables: Vec::new() }.next(heap, 0)
    }

    /// A term of a shape on a heap in which leaves that are known are `*` and all others are variables. Of a
    /// set, elements are there of which it is known whether they are in it.
    pub fn known_parts(&self, shape: u8, heap: &mut Heap, known: &[bool]) -> Cell {
        let mark = Cell::atom(atoms::STAR);
        let Some(whole) = self.representation(shape) else {
            return self.skeleton(shape, heap, |heap, leaf| match known.get(leaf) {
                Some(true) => mark,
                _ => heap.new_var(),
            });
        };
        Codec::known_part(whole, heap, &mut known.iter().copied())
    }

    /// The leaves of a packed term as words, from behind its shape.
    ///
    /// # Errors
    /// What a leaf is that has no word.
    #[cold]
    pub fn words(&self, leaves: &[u8], words: &mut Vec<i64>) -> Result<(), &'static str> {
        for leaf in self::leaves(leaves) {
            words.push(self.word(leaf)?.0);
        }
        Ok(())
    }

    /// The word of a leaf.
    ///
    /// # Errors
    /// What it is that has none.
    pub(super) fn word(&self, leaf: Leaf) -> Result<Word, &'static str> {
        match leaf {
            Leaf::Int(value) => Word::int(value).ok_or(LARGE),
            Leaf::Constant(code) => self.constant_word(code),
            Leaf::Variable => Ok(Word::VAR),
            Leaf::Float(_) => Err("a float"),
            Leaf::Again(_) => Err("a variable that occurs twice"),
            Leaf::Inside => Err("inside a term of a shape of its own"),
        }
    }

    fn constant_word(&self, code: u32) -> Result<Word, &'static str> {
        let constant = self.constants[code as usize];
        if constant.is_atom() {
            return Ok(Word::constant(code));
        }
        let words = constant.is_boxed().then(|| &self.boxed_words[constant.addr()]);
        match words.and_then(|words| words.first()).map(|header| header.header_kind()) {
            Some(HeaderKind::String) => Err("a string"),
            _ => Err(LARGE),
        }
    }

    /// Writes the leaf of a word behind others.
    #[inline]
    pub fn push_word(word: Word, out: &mut Vec<u8>) {
        match word.byte() {
            Some(byte) => out.push(byte),
            None => push_wide(word, out),
        }
    }

    #[cold]
    fn decode_inside(&self, packed: &[u8], heap: &mut Heap) -> Cell {
        let mut reader = Leaves { codec: self, bytes: packed, variables: Vec::new() };
        let root = heap.push(Cell::ZERO);
        let mut slots = vec![(root, 1)];
        while let Some((slot, count)) = slots.pop() {
            if count > 1 {
                slots.push((slot + 1, count - 1));
            }
            let cell = match reader.bytes[0] {
                IN_LIST => {
                    reader.bytes = &reader.bytes[1..];
                    let addr = heap.push(Cell::ZERO);
                    heap.push(Cell::ZERO);
                    slots.push((addr, 2));
                    Cell::list(addr)
                }
                IN_STRUCT => {
                    reader.bytes = &reader.bytes[1..];
                    let number = u32::from_le_bytes(take(&mut reader.bytes));
                    let header = self.functor_headers[number as usize];
                    let addr = heap.push(header);
                    let arity = header.functor_arity();
                    heap.cells.resize(addr + 1 + arity, Cell::ZERO);
                    slots.push((addr + 1, arity));
                    Cell::structure(addr)
                }
                _ => reader.next(heap, slot),
            };
            heap.set(slot, cell);
        }
        heap.at(root)
    }
}

#[cold]
fn push_wide(word: Word, out: &mut Vec<u8>) {
    if word.is_int() {
        push_int(word.int_value(), out);
    } else {
        push_constant(word.code(), out);
    }
}

/// A leaf as it is packed.
pub(super) enum Leaf {
    Int(i64),
    Constant(u32),
    Float(f64),
    Variable,
    /// The variable that was met as the nth.
    Again(u32),
    /// No leaf, but a compound of a term without a shape.
    Inside,
}

#[inline(always)]
fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (head, rest) = bytes.split_first_chunk().expect("leaves are whole");
    *bytes = rest;
    *head
}

#[inline(always)]
fn take_leaf(bytes: &mut &[u8]) -> Leaf {
    let [first] = take(bytes);
    match first {
        0..CONSTANT => Leaf::Int(i64::from(first) + FIRST_INT),
        CONSTANT..CONSTANT_2 => Leaf::Constant(u32::from(first - CONSTANT)),
        CONSTANT_2..CONSTANT_4 => {
            let [low] = take(bytes);
            Leaf::Constant(128 + (u32::from(first - CONSTANT_2) << 8 | u32::from(low)))
        }
        CONSTANT_4 => Leaf::Constant(u32::from_le_bytes(take(bytes))),
        INT..FLOAT => {
            let (head, rest) = bytes.split_at(usize::from(first - INT) + 1);
            *bytes = rest;
            let mut word = if head[head.len() - 1] & 0x80 != 0 { [0xFF; 8] } else { [0; 8] };
            word[..head.len()].copy_from_slice(head);
            Leaf::Int(i64::from_le_bytes(word))
        }
        FLOAT => Leaf::Float(f64::from_bits(u64::from_le_bytes(take(bytes)))),
        VARIABLE => Leaf::Variable,
        AGAIN => Leaf::Again(u32::from_le_bytes(take(bytes))),
        _ => Leaf::Inside,
    }
}

/// All of some packed leaves.
pub(super) fn leaves(mut bytes: &[u8]) -> impl Iterator<Item = Leaf> {
    std::iter::from_fn(move || (!bytes.is_empty()).then(|| take_leaf(&mut bytes)))
}

/// Reads leaves.
pub(super) struct Leaves<'c> {
    pub(super) codec: &'c Codec,
    pub(super) bytes: &'c [u8],
    /// Where each variable first occurs.
    pub(super) variables: Vec<usize>,
}

impl Leaves<'_> {
    /// The next leaf, which will stand at an address.
    pub(super) fn next(&mut self, heap: &mut Heap, at: usize) -> Cell {
        match take_leaf(&mut self.bytes) {
            Leaf::Int(value) => Cell::small(value),
            Leaf::Constant(code) => self.constant(code, heap),
            Leaf::Float(value) => heap.new_float(value),
            Leaf::Variable => {
                self.variables.push(at);
                Cell::reference(at)
            }
            Leaf::Again(number) => Cell::reference(self.variables[number as usize]),
            Leaf::Inside => unreachable!("what is no leaf is read as such"),
        }
    }

    fn constant(&self, code: u32, heap: &mut Heap) -> Cell {
        let cell = self.codec.constants[code as usize];
        if cell.is_atom() {
            return cell;
        }
        let at = heap.top();
        heap.cells.extend_from_slice(&self.codec.boxed_words[cell.addr()]);
        Cell::boxed(at)
    }
}

//! Packed bytes back to terms on a heap.

use super::{
    AGAIN, CONSTANT, CONSTANT_2, CONSTANT_4, Codec, FLOAT, IN_LIST, IN_STRUCT, INT, NO_SHAPE,
    SHAPES_1, VARIABLE, push_constant, push_int,
};
use crate::Word;
use zug_term::symbol::atoms;
use zug_term::{Cell, HeaderKind, Heap};

/// An integer of eight bytes.
const INT_8: u8 = INT + 7;

/// What an integer is that code can't work with.
const LARGE: &str = "an integer beyond 2^60";

impl Codec {
    /// Puts a packed term on a heap, with fresh variables.
    #[inline]
    pub fn decode(&self, packed: &[u8], heap: &mut Heap) -> Cell {
        let (number, leaves) = match packed[0] {
            NO_SHAPE => return self.decode_inside(&packed[1..], heap),
            first if usize::from(first) < SHAPES_1 => (usize::from(first), &packed[1..]),
            first => {
                let high = usize::from(first) - SHAPES_1;
                (SHAPES_1 + (high << 8) + usize::from(packed[1]), &packed[2..])
            }
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
        let mut rest = leaves;
        while !rest.is_empty() {
            let (word, length) = self.word_at(rest);
            words.push(word?.0);
            rest = &rest[length..];
        }
        Ok(())
    }

    /// The word of the first of packed leaves, or what it is that has none, and how many bytes it takes.
    pub(super) fn word_at(&self, leaves: &[u8]) -> (Result<Word, &'static str>, usize) {
        let (first, more) = (leaves[0], &leaves[1..]);
        let (word, length) = match first {
            0..CONSTANT | VARIABLE => (Ok(Word(i64::from(first))), 0),
            CONSTANT..CONSTANT_4 => {
                let wide = usize::from(first >= CONSTANT_2);
                let high = u32::from(first - CONSTANT_2.min(first)) << 8;
                let code = match wide {
                    0 => u32::from(first - CONSTANT),
                    _ => 128 + (high | u32::from(more[0])),
                };
                (self.constant_word(code), wide)
            }
            CONSTANT_4 => {
                let code = [more[0], more[1], more[2], more[3]];
                (self.constant_word(u32::from_le_bytes(code)), 4)
            }
            INT..=INT_8 => {
                let length = usize::from(first - INT) + 1;
                let sign = if more[length - 1] & 0x80 != 0 { 0xFF } else { 0 };
                let mut word = [sign; 8];
                word[..length].copy_from_slice(&more[..length]);
                (Word::int(i64::from_le_bytes(word)).ok_or(LARGE), length)
            }
            FLOAT => (Err("a float"), 8),
            AGAIN => (Err("a variable that occurs twice"), 4),
            _ => (Err("inside a term of a shape of its own"), 0),
        };
        (word, 1 + length)
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
                    let header = self.functor_headers[reader.number() as usize];
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

/// Reads leaves.
pub(super) struct Leaves<'c> {
    pub(super) codec: &'c Codec,
    pub(super) bytes: &'c [u8],
    /// Where each variable first occurs.
    pub(super) variables: Vec<usize>,
}

impl Leaves<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.bytes.split_at(N);
        self.bytes = rest;
        head.try_into().expect("split there")
    }

    fn number(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    /// The next leaf, which will stand at an address.
    pub(super) fn next(&mut self, heap: &mut Heap, at: usize) -> Cell {
        let [first] = self.take();
        match first {
            0..CONSTANT => self.codec.one_byte[usize::from(first)],
            CONSTANT..CONSTANT_2 => self.constant(u32::from(first - CONSTANT), heap),
            CONSTANT_2..CONSTANT_4 => {
                let [low] = self.take();
                let code = 128 + (u32::from(first - CONSTANT_2) << 8 | u32::from(low));
                self.constant(code, heap)
            }
            CONSTANT_4 => {
                let code = self.number();
                self.constant(code, heap)
            }
            INT..FLOAT => {
                let length = usize::from(first - INT) + 1;
                let (head, rest) = self.bytes.split_at(length);
                self.bytes = rest;
                let mut word = if head[length - 1] & 0x80 != 0 { [0xFF; 8] } else { [0; 8] };
                word[..length].copy_from_slice(head);
                Cell::small(i64::from_le_bytes(word))
            }
            FLOAT => heap.new_float(f64::from_bits(u64::from_le_bytes(self.take()))),
            VARIABLE => {
                self.variables.push(at);
                Cell::reference(at)
            }
            _ => {
                debug_assert_eq!(first, AGAIN);
                let number = self.number() as usize;
                Cell::reference(self.variables[number])
            }
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

//! What a codec numbers, as bytes that mean the same in every session.
//!
//! A codec that learned the functors, shapes and constants of another one, in the order of their
//! numbers, packs terms into the same bytes.
//!
//! ```text
//! functor    varint     the arity, then the name
//! shape      preorder   0 a leaf, 1 a list cell, 2 the end of a list, 3 a compound:
//!                       the number of its functor as a varint
//! constant   a s b      then the text of an atom or of a string, or the bytes of a large
//!                       integer, least significant first
//! ```

use super::decode::Leaf;
use super::{Codec, Shapes};
use crate::representation::Part;
use num_bigint::BigInt;
use std::sync::Arc;
use zug_term::symbol::{Atom, Symbols};
use zug_term::{Cell, Heap, MAX_ARITY, Value, varint};

const A_LEAF: u8 = 0;
const A_LIST: u8 = 1;
const AN_END: u8 = 2;
const A_STRUCT: u8 = 3;
/// Cells of the largest shape that is read.
const MOST_CELLS: usize = 1 << 18;

impl Codec {
    /// How many functors, shapes and constants have numbers.
    pub fn counts(&self) -> [usize; 3] {
        [self.functor_headers.len(), self.shapes.len(), self.constants.len()]
    }

    /// Whether all numbers that another codec has given mean the same to this one, if atoms of the same number are the
    /// same: then what that one packs means the same to this one.
    pub fn extends(&self, other: &Codec) -> bool {
        let identity = |(shape, part): &(u8, Arc<Part>)| (*shape, Arc::as_ptr(part));
        self.counts().iter().zip(other.counts()).all(|(own, others)| *own >= others)
            && self.constants.starts_with(&other.constants)
            && self.boxed_words.starts_with(&other.boxed_words)
            && self.functor_headers.starts_with(&other.functor_headers)
            && self.shapes.extends(&other.shapes)
            && self.represented.iter().map(identity).eq(other.represented.iter().map(identity))
    }

    /// The atoms that have numbers, or are names of functors that have some; an atom may come several times.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> {
        let headers = self.headers_of_shapes().chain(&self.functor_headers);
        let constants = self.constants.iter().filter_map(|cell| cell.as_atom());
        headers.map(|cell| cell.functor_name()).chain(constants)
    }

    fn headers_of_shapes(&self) -> impl Iterator<Item = &Cell> {
        let shapes = (0..self.shapes.len()).map(|shape| self.shapes.get(shape));
        shapes.flat_map(|shape| &shape.template).filter(|cell| cell.is_header())
    }

    /// Whether a packed term has a shape, and neither this nor a constant in it has a number beyond those that there
    /// were when [`Codec::counts`] said so.
    pub fn is_of(&self, packed: &[u8], counts: [usize; 3]) -> bool {
        let [_, shapes, constants] = counts;
        let is_known = |leaves| {
            let mut all = super::decode::leaves(leaves);
            all.all(|leaf| !matches!(leaf, Leaf::Constant(code) if code as usize >= constants))
        };
        Codec::split(packed).is_some_and(|(shape, leaves)| {
            shape < shapes && (self.constants.len() == constants || is_known(leaves))
        })
    }

    /// Whether no shape is added any more.
    pub fn is_full(&self) -> bool {
        self.shapes.full
    }

    /// Adds no shape any more.
    pub fn fill(&mut self) {
        self.shapes.full = true;
    }

    /// Gives numbers to the functors of all shapes, which [`Codec::shape_words`] writes.
    pub fn number_functors(&mut self) {
        let headers: Vec<Cell> = self.headers_of_shapes().copied().collect();
        for header in headers {
            self.functor_number(header);
        }
    }

    pub(super) fn functor_number(&mut self, header: Cell) -> u32 {
        let new = self.functors.len() as u32;
        let number = *self.functors.entry(header).or_insert(new);
        if number == new {
            self.functor_headers.push(header);
        }
        number
    }

    /// The functors from a number on.
    pub fn functor_words(&self, symbols: &Symbols, from: usize) -> Vec<Vec<u8>> {
        let word = |header: &Cell| {
            let mut word = Vec::new();
            varint::push(header.functor_arity() as u64, &mut word);
            word.extend_from_slice(symbols.name(header.functor_name()).as_bytes());
            word
        };
        self.functor_headers[from..].iter().map(word).collect()
    }

    /// The shapes from a number on, whose functors have numbers.
    pub fn shape_words(&self, from: usize) -> Vec<Vec<u8>> {
        (from..self.shapes.len()).map(|number| self.shape_word(number)).collect()
    }

    fn shape_word(&self, number: usize) -> Vec<u8> {
        let shape = self.shapes.get(number);
        let mut leaves = shape.leaves.iter().peekable();
        let (mut word, mut todo) = (Vec::new(), vec![0]);
        while let Some(at) = todo.pop() {
            let cell = shape.template[at];
            if leaves.next_if(|&&leaf| leaf as usize == at).is_some() {
                word.push(A_LEAF);
            } else if cell.is_list() {
                word.push(A_LIST);
                todo.extend([cell.addr() + 1, cell.addr()]);
            } else if cell.is_struct() {
                let header = shape.template[cell.addr()];
                word.push(A_STRUCT);
                let functor = self.functors.get(&header).copied().unwrap_or(u32::MAX);
                varint::push(u64::from(functor), &mut word);
                todo.extend((1..=header.functor_arity()).rev().map(|i| cell.addr() + i));
            } else {
                word.push(AN_END);
            }
        }
        word
    }

    /// The constants from a number on.
    pub fn constant_words(&self, symbols: &Symbols, from: usize) -> Vec<Vec<u8>> {
        let word = |cell: &Cell| {
            if let Some(atom) = cell.as_atom() {
                return [b"a", symbols.name(atom).as_bytes()].concat();
            }
            let heap = Heap { cells: self.boxed_words[cell.addr()].to_vec() };
            match heap.value(Cell::boxed(0)) {
                Value::Big(value) => [&b"b"[..], &value.to_signed_bytes_le()].concat(),
                Value::Str(text) => [b"s", text.as_bytes()].concat(),
                _ => Vec::new(),
            }
        };
        self.constants[from..].iter().map(word).collect()
    }

    /// Gives the next number to a functor; `None` if the bytes are none, or of one that has a
    /// number.
    pub fn learn_functor(&mut self, symbols: &mut Symbols, mut word: &[u8]) -> Option<()> {
        let arity = varint::take_size(&mut word)?;
        let name = std::str::from_utf8(word).ok()?;
        if arity > MAX_ARITY {
            return None;
        }
        let number = self.functor_headers.len();
        let header = Cell::functor(symbols.intern(name), arity);
        (self.functor_number(header) as usize == number).then_some(())
    }

    /// As [`Codec::learn_functor`], for a shape whose functors are known.
    pub fn learn_shape(&mut self, mut word: &[u8]) -> Option<()> {
        let mut heap = Heap::new();
        let root = heap.push(Cell::ZERO);
        let mut todo = vec![root];
        while let Some(slot) = todo.pop() {
            let (&letter, rest) = word.split_first()?;
            word = rest;
            let at = heap.top();
            let cell = match letter {
                A_LEAF => Cell::small(0),
                A_LIST => {
                    heap.cells.extend([Cell::ZERO; 2]);
                    todo.extend([at + 1, at]);
                    Cell::list(at)
                }
                AN_END => Cell::NIL,
                A_STRUCT => {
                    let number = varint::take_size(&mut word)?;
                    let header = *self.functor_headers.get(number)?;
                    let arity = header.functor_arity();
                    // Every argument takes a letter.
                    if arity > word.len() {
                        return None;
                    }
                    heap.cells.push(header);
                    heap.cells.resize(at + 1 + arity, Cell::ZERO);
                    todo.extend((1..=arity).rev().map(|i| at + i));
                    Cell::structure(at)
                }
                _ => return None,
            };
            heap.set(slot, cell);
            if heap.top() > MOST_CELLS {
                return None;
            }
        }
        let number = self.shapes.len();
        let term = heap.at(root);
        self.encode_bytes(&mut heap, term).ok()?;
        (word.is_empty() && self.shapes.len() == number + 1).then_some(())
    }

    /// As [`Codec::learn_functor`], for a constant.
    pub fn learn_constant(&mut self, symbols: &mut Symbols, word: &[u8]) -> Option<()> {
        let (&kind, text) = word.split_first()?;
        let number = self.constants.len();
        if kind == b'a' {
            let atom = symbols.intern(std::str::from_utf8(text).ok()?);
            return (self.atom_code(atom) as usize == number).then_some(());
        }
        let mut heap = Heap::new();
        let cell = match kind {
            b's' => heap.new_string(std::str::from_utf8(text).ok()?),
            b'b' => heap.new_big(&BigInt::from_signed_bytes_le(text)),
            _ => return None,
        };
        if !cell.is_boxed() || self.boxed.contains_key(&heap.cells[..]) {
            return None;
        }
        (self.new_boxed(heap.cells.into()) as usize == number).then_some(())
    }
}

impl Shapes {
    fn extends(&self, other: &Shapes) -> bool {
        let mut pairs = (0..other.len()).map(|number| (self.get(number), other.get(number)));
        pairs.all(|(own, others)| own.template == others.template && own.leaves == others.leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_syntax::{Operators, ReadOptions, Reader};
    use zug_term::source::Source;

    #[test]
    fn a_codec_that_learned_packs_alike() {
        let terms = [
            "[[x,_,o],[_,x,_],[o,_,_]]",
            "f(a, \"text\", 123456789012345678901234567890, g(-7, 2.5), A, B, A)",
            "[]",
            "[a|b]",
            "point{}",
            "f(f(f(x)))",
            "'an atom'",
            "[[],[[]],x]",
            "'[]'(1)",
            "-170141183460469231731687303715884105728",
        ];
        let read = |symbols: &mut Symbols, heap: &mut Heap, text: &str| {
            let operators = Operators::standard(symbols);
            let mut reader = Reader::new(Source::new("test", &format!("{text} .")));
            let options = ReadOptions::default();
            reader.next(heap, symbols, &operators, &options).ok().flatten().map(|read| read.root)
        };
        let (mut symbols, mut heap, mut codec) = (Symbols::new(), Heap::new(), Codec::new());
        let mut packed = Vec::new();
        for text in terms {
            let Some(term) = read(&mut symbols, &mut heap, text) else { continue };
            packed.push((text, codec.encode(&mut heap, term).expect("it is finite")));
        }
        assert!(packed.len() > 7);
        codec.number_functors();
        let mut others = Symbols::new();
        others.intern("another");
        let mut learned = Codec::new();
        for word in codec.functor_words(&symbols, 0) {
            learned.learn_functor(&mut others, &word).expect("a functor");
        }
        for word in codec.shape_words(0) {
            learned.learn_shape(&word).expect("a shape");
        }
        for word in codec.constant_words(&symbols, 0) {
            learned.learn_constant(&mut others, &word).expect("a constant");
        }
        assert_eq!(learned.counts(), codec.counts());
        let mut heap = Heap::new();
        for (text, known) in packed {
            let term = read(&mut others, &mut heap, text).expect("it was read before");
            assert_eq!(learned.encode(&mut heap, term).expect("it is finite"), known, "{text}");
        }
        assert_eq!(learned.counts(), codec.counts());
        // What is new is told from what was known.
        let counts = codec.counts();
        let mut is_of = |text: &str| {
            let term = read(&mut symbols, &mut heap, text).expect("a term");
            let packed = codec.encode(&mut heap, term).expect("it is finite");
            codec.is_of(packed.bytes(), counts)
        };
        assert!(is_of("[[x,_,o],[_,x,_],[x,_,_]]") && is_of("'an atom'") && is_of("[x|o]"));
        assert!(!is_of("[[x,_,new],[_,x,_],[o,_,_]]") && !is_of("unheard(x)"));
        let known = "f(a, 300, 123456789012345678901234567890, g(-70000, 2.5), A, B, A)";
        assert!(is_of(known) && !is_of(&known.replace("300", "\"other\"")));
        for nonsense in [&[][..], &[3, 99], &[1, 0], &[2, 2], &[9], &[0, 0]] {
            assert_eq!(Codec::new().learn_shape(nonsense), None, "{nonsense:?}");
        }
    }
}

//! Terms that have a [representation](crate::representation), and their bytes.

use super::{Codec, Leaves};
use crate::representation::Part;
use crate::variables::Place;
use std::sync::Arc;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap};

/// Of the elements of a set: those that are not in it, and those that are.
const ABSENT: Cell = Cell::ZERO;
const THERE: Cell = Cell::small(1);

impl Codec {
    /// Packs terms that fit into a representation by it from now on: for a codec by which none of
    /// them was packed. The number of its shape, if there is room for one.
    pub fn represent(&mut self, whole: Arc<Part>) -> Option<u8> {
        let number = self.shapes.add_represented(whole.leaves())?;
        self.represented.push((number, whole));
        Some(number)
    }

    /// Whether there are representations.
    #[inline]
    pub fn represents(&self) -> bool {
        !self.represented.is_empty()
    }

    /// The representations, with the numbers of their shapes: a term has the first that it fits.
    pub fn representations(&self) -> &[(u8, Arc<Part>)] {
        &self.represented
    }

    /// The representation of the terms of a shape.
    pub fn representation(&self, shape: u8) -> Option<&Arc<Part>> {
        let mut all = self.represented.iter();
        all.find(|(number, _)| *number == shape).map(|(_, whole)| whole)
    }

    /// The leaves of terms that have the shape of this one are expected to be always the same where a
    /// part has constants. They are terms that fit the part, but for that.
    pub fn expect_constants(&mut self, heap: &mut Heap, term: Cell, whole: &Part) {
        let Ok(&[shape, ..]) = self.encode_plain(heap, term) else { return };
        let fixed = whole.constants();
        if self.leaves_of(shape) == fixed.len() {
            self.fixed.push((shape, fixed.into()));
        }
    }

    /// Whether a leaf is expected to be always the same.
    pub fn is_fixed(&self, shape: u8, leaf: usize) -> bool {
        self.fixed.iter().any(|(of, fixed)| *of == shape && fixed[leaf])
    }

    /// What the leaves of a representation are expected to be: of padded lists, every length, and in
    /// each place what any place was seen to be; where few terms were seen, of sets, that elements go
    /// which were always there.
    pub fn expect_of_lists(&mut self, shape: u8, few: bool) {
        let Some(whole) = self.representation(shape).cloned() else { return };
        self.expect_of_part(shape, &whole, (0, few));
    }

    fn expect_of_part(&mut self, shape: u8, part: &Part, (first, few): (usize, bool)) {
        let byte = |cell: Cell| (cell.int_value() - super::FIRST_INT) as u8;
        match part {
            Part::Leaf(_) | Part::Constant(_) => {}
            Part::Set(universe) => {
                for leaf in first..first + universe.elements().len() {
                    if few && self.may_be(shape, leaf, byte(THERE)) {
                        self.expect(shape, leaf, byte(ABSENT));
                    }
                }
            }
            Part::List(parts) | Part::Struct(_, parts) => {
                let mut first = first;
                for part in parts {
                    self.expect_of_part(shape, part, (first, few));
                    first += part.leaves();
                }
            }
            Part::Variables(variables) => {
                for (variable, (values, _)) in variables.values.iter().enumerate() {
                    (0..*values).for_each(|value| self.expect(shape, first + variable, value));
                }
            }
            Part::Padded(element, capacity) => {
                for length in 0..=*capacity as i64 {
                    self.expect(shape, first, byte(Cell::small(length)));
                }
                let leaves = element.leaves();
                let of = |place: usize| first + 1 + place * leaves;
                for place in 0..*capacity {
                    self.expect_of_part(shape, element, (of(place), few));
                }
                for leaf in 0..leaves {
                    for byte in 0..=u8::MAX {
                        let may =
                            |codec: &Codec, place| codec.may_be(shape, of(place) + leaf, byte);
                        if (0..*capacity).any(|place| may(self, place)) {
                            (0..*capacity).for_each(|at| self.expect(shape, of(at) + leaf, byte));
                        }
                    }
                }
            }
        }
    }

    fn may_be(&self, shape: u8, leaf: usize, byte: u8) -> bool {
        let seen = self.seen(shape, leaf);
        seen.is_some_and(|seen| seen[usize::from(byte / 64)] >> (byte % 64) & 1 != 0)
    }

    /// The number of the shape of a term that fits into a representation, whose leaves are put into
    /// `bytes` behind two bytes for it. Variables are left marked.
    pub(super) fn walk_represented(&mut self, heap: &mut Heap, term: Cell) -> Option<u8> {
        for at in 0..self.represented.len() {
            let (number, whole) = self.represented[at].clone();
            self.bytes.clear();
            self.bytes.extend([0, 0]);
            if self.put(heap, term, &whole) {
                return Some(number);
            }
            self.unmark(heap);
        }
        None
    }

    fn put(&mut self, heap: &mut Heap, term: Cell, part: &Part) -> bool {
        let mut cell = heap.deref(term);
        match part {
            Part::Leaf(_) if cell.is_compound() => false,
            Part::Leaf(_) => {
                self.leaf(heap, cell);
                true
            }
            Part::Constant(constant) => cell == *constant,
            Part::List(parts) => {
                for part in parts {
                    if !cell.is_list() || !self.put(heap, heap.at(cell.addr()), part) {
                        return false;
                    }
                    cell = heap.deref(heap.at(cell.addr() + 1));
                }
                cell == Cell::NIL
            }
            Part::Struct(header, parts) => {
                let first = cell.addr() + 1;
                cell.is_struct()
                    && heap.at(cell.addr()) == *header
                    && (parts.iter().enumerate())
                        .all(|(place, part)| self.put(heap, heap.at(first + place), part))
            }
            Part::Set(universe) => {
                let first = self.bytes.len();
                while cell.is_list() {
                    let Some(at) = universe.find(heap, heap.at(cell.addr())) else { return false };
                    if first + at < self.bytes.len() {
                        return false;
                    }
                    self.absent(first + at);
                    self.leaf(heap, THERE);
                    cell = heap.deref(heap.at(cell.addr() + 1));
                }
                self.absent(first + universe.elements().len());
                cell == Cell::NIL
            }
            Part::Padded(element, capacity) => {
                let (at, mut length) = (self.bytes.len(), 0);
                self.leaf(heap, Cell::ZERO);
                while cell.is_list() {
                    if length == *capacity || !self.put(heap, heap.at(cell.addr()), element) {
                        return false;
                    }
                    length += 1;
                    cell = heap.deref(heap.at(cell.addr() + 1));
                }
                self.bytes[at] += length as u8;
                self.filled_to(heap, element, capacity - length);
                cell == Cell::NIL
            }
            Part::Variables(variables) => variables.encode(heap, cell, false, &mut self.bytes),
        }
    }

    /// Elements that are not there, until there are N bytes.
    fn absent(&mut self, end: usize) {
        if self.bytes.len() < end {
            self.bytes.resize(end, (ABSENT.int_value() - super::FIRST_INT) as u8);
        }
    }

    fn filled_to(&mut self, heap: &mut Heap, element: &Part, count: usize) {
        if count == 0 {
            return;
        }
        // PERF: all are the same.
        let first = self.bytes.len();
        self.filled(heap, element);
        let end = self.bytes.len();
        for _ in 1..count {
            self.bytes.extend_from_within(first..end);
        }
    }

    /// The leaves of an element that is not there.
    fn filled(&mut self, heap: &mut Heap, part: &Part) {
        match part {
            Part::Leaf(filler) => self.leaf(heap, *filler),
            Part::Constant(_) => {}
            Part::List(parts) | Part::Struct(_, parts) => {
                parts.iter().for_each(|part| self.filled(heap, part));
            }
            Part::Set(universe) => self.absent(self.bytes.len() + universe.elements().len()),
            Part::Padded(element, capacity) => {
                self.leaf(heap, Cell::ZERO);
                self.filled_to(heap, element, *capacity);
            }
            // It is no part of another one.
            Part::Variables(_) => {}
        }
    }

    /// The term of leaves by the representation of their shape.
    #[cold]
    pub(super) fn decode_represented(&self, number: usize, leaves: &[u8], heap: &mut Heap) -> Cell {
        let whole = self.representation(number as u8);
        let whole = whole.expect("shapes without a template are represented");
        if let Part::Variables(variables) = &**whole {
            return variables.decode(leaves, heap);
        }
        let mut reader = Leaves { codec: self, bytes: leaves, variables: Vec::new() };
        let root = heap.push(Cell::ZERO);
        reader.take_part(heap, root, whole);
        heap.at(root)
    }

    /// A representation with something in the place of each leaf: of a set the elements besides what
    /// is there for them, of a padded list the length and all elements.
    pub(super) fn shown_part(
        part: &Part,
        heap: &mut Heap,
        leaf: &mut dyn FnMut(&mut Heap) -> Cell,
    ) -> Cell {
        match part {
            Part::Leaf(_) => leaf(heap),
            Part::Set(universe) => {
                let mut items = Vec::with_capacity(universe.elements().len());
                for element in universe.elements() {
                    let pair = [element.instantiate(heap), leaf(heap)];
                    items.push(heap.new_struct(atoms::COLON, &pair));
                }
                heap.list_from(&items, Cell::NIL)
            }
            Part::Padded(element, capacity) => {
                let length = leaf(heap);
                let items: Vec<Cell> =
                    (0..*capacity).map(|_| Codec::shown_part(element, heap, leaf)).collect();
                let items = heap.list_from(&items, Cell::NIL);
                heap.new_struct(atoms::COLON, &[length, items])
            }
            Part::Variables(variables) => {
                let leaves: Vec<Cell> = variables.values.iter().map(|_| leaf(heap)).collect();
                variables.shown(heap, &mut |heap, element, place| match place {
                    Place::Always => element,
                    Place::Value(variable, value) => {
                        let is = [leaves[usize::from(variable)], byte_cell(value)];
                        let is = heap.new_struct(atoms::UNIFY, &is);
                        heap.new_struct(atoms::COLON, &[element, is])
                    }
                })
            }
            _ => compound(part, heap, &mut |heap, part| Codec::shown_part(part, heap, leaf)),
        }
    }

    /// A part in which leaves that are known are `*` and all others variables; of a set, `*(Element)` for each of
    /// which it is known whether it is there.
    pub(super) fn known_part(
        part: &Part,
        heap: &mut Heap,
        known: &mut dyn Iterator<Item = bool>,
    ) -> Cell {
        match part {
            Part::Leaf(_) if known.next() == Some(true) => Cell::atom(atoms::STAR),
            Part::Leaf(_) => heap.new_var(),
            Part::Set(universe) => {
                let elements = universe.elements().iter().filter(|_| known.next() == Some(true));
                let elements: Vec<Cell> = elements
                    .map(|element| {
                        let element = element.instantiate(heap);
                        heap.new_struct(atoms::STAR, &[element])
                    })
                    .collect();
                let rest = heap.new_var();
                heap.list_from(&elements, rest)
            }
            Part::Padded(element, capacity) => {
                let length_known = known.next() == Some(true);
                let mut elements = Vec::with_capacity(*capacity);
                let mut last = 0;
                for _ in 0..*capacity {
                    let all: Vec<bool> = known.take(element.leaves()).collect();
                    elements.push(Codec::known_part(element, heap, &mut all.iter().copied()));
                    last = if all.contains(&true) { elements.len() } else { last };
                }
                let rest = match length_known {
                    true => heap.new_struct(atoms::LENGTH, &[Cell::atom(atoms::STAR)]),
                    false => heap.new_var(),
                };
                heap.list_from(&elements[..last], rest)
            }
            Part::Variables(variables) => {
                let known: Vec<bool> = known.take(variables.count()).collect();
                variables.shown(heap, &mut |heap, element, place| match place {
                    Place::Value(variable, _) if known[usize::from(variable)] => {
                        heap.new_struct(atoms::STAR, &[element])
                    }
                    _ => element,
                })
            }
            _ => compound(part, heap, &mut |heap, part| Codec::known_part(part, heap, known)),
        }
    }
}

/// The integer whose byte is a value.
fn byte_cell(value: u8) -> Cell {
    Cell::small(i64::from(value) + super::FIRST_INT)
}

/// A constant, or a list or structure whose parts `each` makes.
fn compound(part: &Part, heap: &mut Heap, each: &mut dyn FnMut(&mut Heap, &Part) -> Cell) -> Cell {
    match part {
        Part::Constant(constant) => *constant,
        Part::List(parts) => {
            let parts: Vec<Cell> = parts.iter().map(|part| each(heap, part)).collect();
            heap.list_from(&parts, Cell::NIL)
        }
        Part::Struct(header, parts) => {
            let parts: Vec<Cell> = parts.iter().map(|part| each(heap, part)).collect();
            heap.new_struct(header.functor_name(), &parts)
        }
        Part::Leaf(_) | Part::Set(_) | Part::Padded(..) | Part::Variables(_) => Cell::NIL,
    }
}

impl Leaves<'_> {
    /// Puts a part at an address.
    fn take_part(&mut self, heap: &mut Heap, at: usize, part: &Part) {
        let cell = match part {
            Part::Leaf(_) => self.next(heap, at),
            Part::Constant(constant) => *constant,
            Part::List(parts) => {
                let mut end = at;
                for part in parts {
                    end = self.take_element(heap, end, part);
                }
                heap.set(end, Cell::NIL);
                return;
            }
            Part::Struct(header, parts) => {
                let first = heap.push(*header) + 1;
                heap.cells.resize(first + parts.len(), Cell::ZERO);
                for (place, part) in parts.iter().enumerate() {
                    self.take_part(heap, first + place, part);
                }
                Cell::structure(first - 1)
            }
            Part::Set(universe) => {
                let mut end = at;
                for element in universe.elements() {
                    if self.next(heap, at) == THERE {
                        let pair = heap.top();
                        heap.cells.extend([Cell::ZERO; 2]);
                        heap.set(end, Cell::list(pair));
                        let element = element.instantiate(heap);
                        heap.set(pair, element);
                        end = pair + 1;
                    }
                }
                heap.set(end, Cell::NIL);
                return;
            }
            Part::Padded(element, capacity) => {
                let length = self.next(heap, at).int_value() as usize;
                let mut end = at;
                for _ in 0..length {
                    end = self.take_element(heap, end, element);
                }
                heap.set(end, Cell::NIL);
                for _ in 0..(capacity - length) * element.leaves() {
                    self.next(heap, at);
                }
                return;
            }
            // It is no part of another one.
            Part::Variables(_) => Cell::NIL,
        };
        heap.set(at, cell);
    }

    /// Puts an element of a list at an address, which is that of a tail: that of the next one.
    fn take_element(&mut self, heap: &mut Heap, at: usize, part: &Part) -> usize {
        let pair = heap.top();
        heap.cells.extend([Cell::ZERO; 2]);
        heap.set(at, Cell::list(pair));
        self.take_part(heap, pair, part);
        pair + 1
    }
}

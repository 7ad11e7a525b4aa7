//! A growing array of cells and the terms in it.

use super::{Cell, HeaderKind, Rational, Tag, watchdog};
use crate::symbol::{Atom, atoms};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

/// Cells that are made without a look at the limits.
pub(super) const CHUNK: usize = 1 << 12;

/// Cells, addressed from 0. Terms only ever point into their own heap.
#[derive(Default, Clone)]
pub struct Heap {
    /// The words themselves.
    pub cells: Vec<Cell>,
}

/// A dereferenced term, one level deep, for code that takes terms apart.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'h> {
    /// An unbound variable at this address.
    Var(usize),
    /// An atom.
    Atom(Atom),
    /// An integer that fits a word.
    Int(i64),
    /// A larger integer.
    Big(BigInt),
    /// A float.
    Float(f64),
    /// A rational number that is no integer.
    Rational(Box<Rational>),
    /// A string.
    Str(&'h str),
    /// A list cell: address of its head; the tail is one further.
    List(usize),
    /// A compound: name, arity and the address of its first argument.
    Struct(Atom, usize, usize),
}

impl Heap {
    /// An empty heap.
    pub fn new() -> Self {
        Heap::default()
    }

    /// Number of cells in use; the address of the next one.
    #[inline(always)]
    pub fn top(&self) -> usize {
        self.cells.len()
    }

    /// The cell at an address.
    #[inline(always)]
    pub fn at(&self, addr: usize) -> Cell {
        self.cells[addr]
    }

    /// Overwrites the cell at an address (no trail).
    #[inline(always)]
    pub fn set(&mut self, addr: usize, cell: Cell) {
        self.cells[addr] = cell;
    }

    /// Appends a cell; its address.
    #[inline(always)]
    pub fn push(&mut self, cell: Cell) -> usize {
        let addr = self.cells.len();
        self.cells.push(cell);
        addr
    }

    /// Follows references to a variable or a value.
    #[inline(always)]
    pub fn deref(&self, mut cell: Cell) -> Cell {
        while cell.is_var() {
            let next = self.at(cell.addr());
            if next == cell {
                break;
            }
            cell = next;
        }
        cell
    }

    /// A new unbound variable.
    #[inline(always)]
    pub fn new_var(&mut self) -> Cell {
        let cell = Cell::reference(self.cells.len());
        self.cells.push(cell);
        cell
    }

    /// A new unbound variable with attributes, `att(Module, Value, More)` or `[]`.
    pub fn new_attributed(&mut self, attributes: Cell) -> Cell {
        let cell = Cell::attributed(self.cells.len());
        self.cells.extend([cell, attributes]);
        cell
    }

    /// The attributes of an attributed variable, bound or not.
    #[inline]
    pub fn attributes(&self, variable: Cell) -> Cell {
        debug_assert!(variable.is_attributed());
        self.at(variable.addr() + 1)
    }

    /// A new compound from its arguments; `'.'/2` becomes a list cell, arity 0 an atom.
    pub fn new_struct(&mut self, name: Atom, args: &[Cell]) -> Cell {
        if args.is_empty() {
            return Cell::atom(name);
        }
        let addr = self.cells.len();
        if name == atoms::DOT && args.len() == 2 {
            self.cells.extend_from_slice(args);
            return Cell::list(addr);
        }
        self.cells.push(Cell::functor(name, args.len()));
        self.extend_slowly(args, |&arg| arg);
        Cell::structure(addr)
    }

    /// A new list cell.
    #[inline(always)]
    pub fn new_list(&mut self, head: Cell, tail: Cell) -> Cell {
        let addr = self.cells.len();
        self.cells.push(head);
        self.cells.push(tail);
        Cell::list(addr)
    }

    /// A list of the given items that ends in `tail`.
    pub fn list_from(&mut self, items: &[Cell], tail: Cell) -> Cell {
        items.chunks(CHUNK).rev().fold(tail, |tail, chunk| {
            watchdog::steps(chunk.len());
            chunk.iter().rev().fold(tail, |tail, &item| self.new_list(item, tail))
        })
    }

    /// A new compound with so many unbound variables for arguments, at least one.
    pub fn new_general(&mut self, name: Atom, arity: usize) -> Cell {
        let addr = self.cells.len();
        let (cell, first) = if name == atoms::DOT && arity == 2 {
            (Cell::list(addr), addr)
        } else {
            self.cells.push(Cell::functor(name, arity));
            (Cell::structure(addr), addr + 1)
        };
        for arg in first..first + arity {
            watchdog::step();
            self.cells.push(Cell::reference(arg));
        }
        cell
    }

    /// Appends cells made of some words, with steps between parts of them: what millions of words
    /// take is noticed while they are made.
    #[inline]
    fn extend_slowly<T>(&mut self, words: &[T], cell: impl Fn(&T) -> Cell) {
        for chunk in words.chunks(CHUNK) {
            watchdog::steps(chunk.len());
            self.cells.extend(chunk.iter().map(&cell));
        }
    }

    /// An integer of any `i64`.
    #[inline]
    pub fn new_int(&mut self, value: i64) -> Cell {
        match Cell::try_small(value) {
            Some(cell) => cell,
            None => self.push_big(value < 0, &[value.unsigned_abs()]),
        }
    }

    /// An integer of any size, in the word when it fits.
    pub fn new_big(&mut self, value: &BigInt) -> Cell {
        if let Some(cell) = value.to_i64().and_then(Cell::try_small) {
            return cell;
        }
        let (sign, limbs) = value.to_u64_digits();
        self.push_big(sign == Sign::Minus, &limbs)
    }

    /// A rational number in lowest terms; an integer when it is one.
    pub fn new_rational(&mut self, value: &Rational) -> Cell {
        if value.is_integer() {
            return self.new_big(value.numer());
        }
        let (sign, above) = value.numer().to_u64_digits();
        let (_, below) = value.denom().to_u64_digits();
        let words = 1 + above.len() + below.len();
        let addr = self.push(Cell::rational_header(sign == Sign::Minus, words));
        self.push(Cell(above.len() as u64));
        for limbs in [above, below] {
            self.extend_slowly(&limbs, |&limb| Cell(limb));
        }
        Cell::boxed(addr)
    }

    fn push_big(&mut self, negative: bool, limbs: &[u64]) -> Cell {
        let addr = self.push(Cell::big_header(negative, limbs.len()));
        self.extend_slowly(limbs, |&limb| Cell(limb));
        Cell::boxed(addr)
    }

    /// A float.
    #[inline]
    pub fn new_float(&mut self, value: f64) -> Cell {
        let addr = self.push(Cell::float_header());
        self.cells.push(Cell(value.to_bits()));
        Cell::boxed(addr)
    }

    /// A string.
    pub fn new_string(&mut self, text: &str) -> Cell {
        let addr = self.push(Cell::string_header(text.len()));
        for part in text.as_bytes().chunks(8 * CHUNK) {
            watchdog::steps(1 + part.len() / 8);
            for bytes in part.chunks(8) {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                self.cells.push(Cell(u64::from_le_bytes(word)));
            }
        }
        Cell::boxed(addr)
    }

    /// The term one level deep, after dereferencing.
    pub fn value(&self, cell: Cell) -> Value<'_> {
        watchdog::step();
        let cell = self.deref(cell);
        match cell.tag() {
            Tag::Ref | Tag::Attributed => Value::Var(cell.addr()),
            Tag::Atom => Value::Atom(Atom(cell.addr() as u32)),
            Tag::Int => Value::Int(cell.int_value()),
            Tag::List => Value::List(cell.addr()),
            Tag::Struct => {
                let header = self.at(cell.addr());
                Value::Struct(header.functor_name(), header.functor_arity(), cell.addr() + 1)
            }
            Tag::Boxed => match self.at(cell.addr()).header_kind() {
                HeaderKind::Float => Value::Float(self.float_at(cell.addr())),
                HeaderKind::Big => Value::Big(self.big_at(cell.addr())),
                HeaderKind::Rational => Value::Rational(Box::new(self.rational_at(cell.addr()))),
                _ => Value::Str(self.str_at(cell.addr())),
            },
            Tag::Header => unreachable!("a header is never a value"),
        }
    }

    /// Name, arity and address of the first argument of an atom, compound or
    /// list cell: what `functor/3` sees. `None` for anything else.
    pub fn name_arity(&self, cell: Cell) -> Option<(Atom, usize, usize)> {
        watchdog::step();
        let cell = self.deref(cell);
        match cell.tag() {
            Tag::Atom => cell.as_atom().map(|name| (name, 0, 0)),
            Tag::List => Some((atoms::DOT, 2, cell.addr())),
            Tag::Struct => {
                let header = self.at(cell.addr());
                Some((header.functor_name(), header.functor_arity(), cell.addr() + 1))
            }
            _ => None,
        }
    }

    /// The arguments of a compound with this name and arity.
    pub fn match_struct<const N: usize>(&self, cell: Cell, name: Atom) -> Option<[Cell; N]> {
        match self.name_arity(cell) {
            Some((found, arity, args)) if found == name && arity == N => {
                Some(std::array::from_fn(|i| self.at(args + i)))
            }
            _ => None,
        }
    }

    /// The float whose header stands at `addr`.
    #[inline]
    pub fn float_at(&self, addr: usize) -> f64 {
        f64::from_bits(self.at(addr + 1).0)
    }

    /// The big integer whose header stands at `addr`.
    pub fn big_at(&self, addr: usize) -> BigInt {
        let header = self.at(addr);
        let words = &self.cells[addr + 1..addr + 1 + header.payload_words()];
        integer_of(words, header.big_negative())
    }

    /// The rational number whose header stands at `addr`.
    pub fn rational_at(&self, addr: usize) -> Rational {
        let header = self.at(addr);
        let words = &self.cells[addr + 2..addr + 1 + header.payload_words()];
        let (above, below) = words.split_at(self.at(addr + 1).0 as usize);
        Rational::new_raw(integer_of(above, header.big_negative()), integer_of(below, false))
    }

    /// The string whose header stands at `addr`.
    pub fn str_at(&self, addr: usize) -> &str {
        std::str::from_utf8(self.bytes_at(addr)).expect("strings are made from UTF-8 text")
    }

    /// The bytes of the string whose header stands at `addr`.
    #[expect(unsafe_code, reason = "a string's words seen as the bytes they hold")]
    fn bytes_at(&self, addr: usize) -> &[u8] {
        let header = self.at(addr);
        let words = &self.cells[addr + 1..addr + 1 + header.payload_words()];
        // SAFETY: `Cell` is a transparent u64, so `words` is initialised memory of
        // 8 * len bytes, and u8 has no alignment; the length in the header is at
        // most that, by `new_string`. Words hold the bytes in little-endian order.
        const { assert!(cfg!(target_endian = "little")) };
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), header.string_bytes()) }
    }

    /// Walks a list: an iterator over its items, in order.
    pub fn items(&self, list: Cell) -> ListItems<'_> {
        ListItems { heap: self, rest: list }
    }

    /// The items of a proper list, or `None` when it is partial, improper or cyclic.
    pub fn proper_list(&self, list: Cell) -> Option<Vec<Cell>> {
        self.is_list(list).then(|| self.items(list).collect())
    }

    /// Whether a term is a proper list; a cyclic one is none.
    pub fn is_list(&self, list: Cell) -> bool {
        let mut fast = self.deref(list);
        let mut slow = fast;
        let mut odd = false;
        while fast.is_list() {
            watchdog::step();
            fast = self.deref(self.at(fast.addr() + 1));
            if odd {
                slow = self.deref(self.at(slow.addr() + 1));
                if slow == fast && fast.is_list() {
                    return false;
                }
            }
            odd = !odd;
        }
        fast == Cell::NIL
    }

    /// The words two compounds or boxed values compare equal by, for `Boxed` cells.
    pub(super) fn boxed_words(&self, addr: usize) -> &[Cell] {
        &self.cells[addr..=addr + self.at(addr).payload_words()]
    }
}

/// The integer whose limbs these are.
fn integer_of(limbs: &[Cell], negative: bool) -> BigInt {
    let digits = limbs.iter().flat_map(|word| [word.0 as u32, (word.0 >> 32) as u32]).collect();
    BigInt::new(if negative { Sign::Minus } else { Sign::Plus }, digits)
}

/// Iterator over the items of a list; [`ListItems::rest`] is what is left.
pub struct ListItems<'h> {
    heap: &'h Heap,
    /// The tail not walked yet: after the last item the end of the list,
    /// `[]` for a proper one.
    pub rest: Cell,
}

impl Iterator for ListItems<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        watchdog::step();
        let cell = self.heap.deref(self.rest);
        self.rest = cell;
        if !cell.is_list() {
            return None;
        }
        self.rest = self.heap.at(cell.addr() + 1);
        Some(self.heap.at(cell.addr()))
    }
}

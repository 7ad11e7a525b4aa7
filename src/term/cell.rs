//! One tagged word. The layout is drawn in the [module above](super).

use crate::symbol::{Atom, atoms};

/// The least significant three bits of a [`Cell`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Tag {
    /// A variable or a reference to another cell.
    Ref = 0,
    /// A list cell: the address of its head.
    List = 1,
    /// A compound: the address of its header.
    Struct = 2,
    /// An atom.
    Atom = 3,
    /// A variable with attributes, which stand behind it: unbound when it points at itself.
    Attributed = 4,
    /// A float, a big integer, a rational number or a string: the address of its header.
    Boxed = 5,
    /// An integer of 61 bits.
    Int = 6,
    /// A header; never a value.
    Header = 7,
}

/// What a header word introduces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum HeaderKind {
    /// Name and arity of a compound; the arguments follow.
    Functor = 0,
    /// A float; its bits follow.
    Float = 1,
    /// A big integer; its limbs follow.
    Big = 2,
    /// A string; its bytes follow.
    String = 3,
    /// A rational number that is no integer: the limbs of its numerator, behind their number, and those of its
    /// denominator follow. In the word it is a big integer with a mark.
    Rational = 4,
}

/// The largest integer kept in a word.
pub const MAX_INT: i64 = (1 << 60) - 1;
/// The smallest integer kept in a word.
pub const MIN_INT: i64 = -(1 << 60);
/// The largest arity of a compound (27 bits).
pub const MAX_ARITY: usize = (1 << 27) - 1;

/// A tagged word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Cell(pub u64);

impl Cell {
    /// The atom `[]`.
    pub const NIL: Cell = Cell::atom(atoms::NIL);
    /// The integer 0; also what unused slots hold.
    pub const ZERO: Cell = Cell::small(0);

    /// A reference to the cell at `addr`; a variable when stored at `addr`.
    #[inline(always)]
    pub const fn reference(addr: usize) -> Cell {
        Cell((addr as u64) << 3)
    }
    /// An attributed variable when stored at `addr`; its attributes stand at `addr + 1`.
    #[inline(always)]
    pub const fn attributed(addr: usize) -> Cell {
        Cell((addr as u64) << 3 | Tag::Attributed as u64)
    }
    /// A list cell whose head stands at `addr` and tail at `addr + 1`.
    #[inline(always)]
    pub const fn list(addr: usize) -> Cell {
        Cell((addr as u64) << 3 | Tag::List as u64)
    }
    /// A compound whose header stands at `addr`.
    #[inline(always)]
    pub const fn structure(addr: usize) -> Cell {
        Cell((addr as u64) << 3 | Tag::Struct as u64)
    }
    /// A boxed value whose header stands at `addr`.
    #[inline(always)]
    pub const fn boxed(addr: usize) -> Cell {
        Cell((addr as u64) << 3 | Tag::Boxed as u64)
    }
    /// An atom.
    #[inline(always)]
    pub const fn atom(atom: Atom) -> Cell {
        Cell((atom.0 as u64) << 3 | Tag::Atom as u64)
    }
    /// An integer known to lie in [`MIN_INT`]`..=`[`MAX_INT`].
    #[inline(always)]
    pub const fn small(value: i64) -> Cell {
        debug_assert!(value >= MIN_INT && value <= MAX_INT);
        Cell((value as u64) << 3 | Tag::Int as u64)
    }
    /// An integer, if it fits a word.
    #[inline(always)]
    pub const fn try_small(value: i64) -> Option<Cell> {
        if value >= MIN_INT && value <= MAX_INT { Some(Cell::small(value)) } else { None }
    }
    /// The header of a compound.
    #[inline(always)]
    pub const fn functor(name: Atom, arity: usize) -> Cell {
        debug_assert!(arity <= MAX_ARITY);
        Cell((name.0 as u64) << 32 | (arity as u64) << 5 | Tag::Header as u64)
    }
    pub(super) const fn float_header() -> Cell {
        Cell((HeaderKind::Float as u64) << 3 | Tag::Header as u64)
    }
    pub(super) const fn big_header(negative: bool, limbs: usize) -> Cell {
        Cell(
            (limbs as u64) << 32
                | (negative as u64) << 5
                | (HeaderKind::Big as u64) << 3
                | Tag::Header as u64,
        )
    }
    pub(super) const fn rational_header(negative: bool, words: usize) -> Cell {
        Cell(Cell::big_header(negative, words).0 | Self::RATIONAL)
    }
    /// The mark of a rational number in the header of a big integer.
    const RATIONAL: u64 = 1 << 6;
    pub(super) const fn string_header(bytes: usize) -> Cell {
        Cell((bytes as u64) << 5 | (HeaderKind::String as u64) << 3 | Tag::Header as u64)
    }

    /// The tag.
    #[inline(always)]
    pub const fn tag(self) -> Tag {
        match self.0 & 7 {
            0 => Tag::Ref,
            1 => Tag::List,
            2 => Tag::Struct,
            3 => Tag::Atom,
            4 => Tag::Attributed,
            5 => Tag::Boxed,
            6 => Tag::Int,
            _ => Tag::Header,
        }
    }
    /// The address in a `Ref`, `List`, `Struct` or `Boxed`.
    #[inline(always)]
    pub const fn addr(self) -> usize {
        (self.0 >> 3) as usize
    }
    /// Whether this is a reference.
    #[inline(always)]
    pub const fn is_ref(self) -> bool {
        self.0 & 7 == Tag::Ref as u64
    }
    /// Whether this is a variable, with attributes or without, of a dereferenced cell.
    #[inline(always)]
    pub const fn is_var(self) -> bool {
        const { assert!(Tag::Ref as u64 & 3 == 0 && Tag::Attributed as u64 & 3 == 0) };
        self.0 & 3 == 0
    }
    /// Whether this is an attributed variable, of a dereferenced cell.
    #[inline(always)]
    pub const fn is_attributed(self) -> bool {
        self.0 & 7 == Tag::Attributed as u64
    }
    /// Whether this is a list cell.
    #[inline(always)]
    pub const fn is_list(self) -> bool {
        self.0 & 7 == Tag::List as u64
    }
    /// Whether this is a compound other than a list cell.
    #[inline(always)]
    pub const fn is_struct(self) -> bool {
        self.0 & 7 == Tag::Struct as u64
    }
    /// Whether this is an atom.
    #[inline(always)]
    pub const fn is_atom(self) -> bool {
        self.0 & 7 == Tag::Atom as u64
    }
    /// Whether this is an integer kept in the word.
    #[inline(always)]
    pub const fn is_int(self) -> bool {
        self.0 & 7 == Tag::Int as u64
    }
    /// Whether this is a float, big integer, rational number or string.
    #[inline(always)]
    pub const fn is_boxed(self) -> bool {
        self.0 & 7 == Tag::Boxed as u64
    }
    /// Whether this is a compound or list cell.
    #[inline(always)]
    pub const fn is_compound(self) -> bool {
        self.is_list() || self.is_struct()
    }
    /// Whether this is a header.
    #[inline(always)]
    pub const fn is_header(self) -> bool {
        self.0 & 7 == Tag::Header as u64
    }
    /// Whether the value holds an address (and must be relocated when copied).
    #[inline(always)]
    pub const fn is_pointer(self) -> bool {
        matches!(self.tag(), Tag::Ref | Tag::List | Tag::Struct | Tag::Boxed | Tag::Attributed)
    }
    /// The atom of an `Atom` cell.
    #[inline(always)]
    pub const fn as_atom(self) -> Option<Atom> {
        if self.is_atom() { Some(Atom((self.0 >> 3) as u32)) } else { None }
    }
    /// The integer of an `Int` cell.
    #[inline(always)]
    pub const fn as_int(self) -> Option<i64> {
        if self.is_int() { Some((self.0 as i64) >> 3) } else { None }
    }
    /// The integer of a cell known to be an `Int`.
    #[inline(always)]
    pub const fn int_value(self) -> i64 {
        debug_assert!(self.is_int());
        (self.0 as i64) >> 3
    }

    /// The kind of a header.
    #[inline(always)]
    pub const fn header_kind(self) -> HeaderKind {
        debug_assert!(self.is_header());
        match self.0 >> 3 & 3 {
            0 => HeaderKind::Functor,
            1 => HeaderKind::Float,
            2 if self.0 & Self::RATIONAL != 0 => HeaderKind::Rational,
            2 => HeaderKind::Big,
            _ => HeaderKind::String,
        }
    }
    /// The name in a functor header.
    #[inline(always)]
    pub const fn functor_name(self) -> Atom {
        Atom((self.0 >> 32) as u32)
    }
    /// The arity in a functor header.
    #[inline(always)]
    pub const fn functor_arity(self) -> usize {
        (self.0 >> 5 & MAX_ARITY as u64) as usize
    }
    pub(super) const fn big_negative(self) -> bool {
        self.0 >> 5 & 1 == 1
    }
    pub(super) const fn string_bytes(self) -> usize {
        (self.0 >> 5) as usize
    }
    /// Whether this header is a string's.
    #[inline(always)]
    pub const fn is_string_header(self) -> bool {
        matches!(self.header_kind(), HeaderKind::String)
    }
    /// Words that follow a header and are raw data, not cells: 0 for a functor.
    #[inline(always)]
    pub const fn payload_words(self) -> usize {
        match self.header_kind() {
            HeaderKind::Functor => 0,
            HeaderKind::Float => 1,
            HeaderKind::Big | HeaderKind::Rational => (self.0 >> 32) as usize,
            HeaderKind::String => self.string_bytes().div_ceil(8),
        }
    }
    /// The same word with its address moved by `delta` cells (wrapping).
    #[inline(always)]
    pub const fn relocated(self, delta: usize) -> Cell {
        Cell(self.0.wrapping_add((delta as u64) << 3))
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.tag() {
            Tag::Atom => write!(f, "Atom({})", self.addr()),
            Tag::Int => write!(f, "Int({})", self.int_value()),
            Tag::Header => write!(f, "Header({:#x})", self.0),
            tag => write!(f, "{tag:?}@{}", self.addr()),
        }
    }
}

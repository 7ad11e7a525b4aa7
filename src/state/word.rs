//! Leaves as words: what compiled code loads, compares and writes.
//!
//! A leaf whose packed form is one byte is the word of that byte; the others lie above.

/// A leaf as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Word(pub i64);

impl Word {
    /// The integer that has the word 0.
    pub const FIRST_INT: i64 = -16;
    /// Small integers have words below this.
    pub const INTS: i64 = 0x60;
    /// One-byte constants have words below this.
    const CONSTANTS: i64 = 0xE0;
    /// Constants of more bytes stand behind this.
    pub const WIDE_CONSTANT: i64 = 0x1000;
    /// Integers of more bytes stand around this.
    pub const WIDE_INT: i64 = 1 << 61;
    /// Less far from it than this: all but one of the integers that a cell holds. Other words lie
    /// below it.
    pub const HALF: i64 = 1 << 60;
    /// The greatest integer whose word is of one byte.
    pub const LAST_INT: i64 = Word::FIRST_INT + Word::INTS - 1;
    /// An unbound leaf.
    pub const VAR: Word = Word(0xF2);

    /// The word of an integer, unless it is too large.
    #[inline(always)]
    pub const fn int(value: i64) -> Option<Word> {
        let narrow = value.wrapping_sub(Word::FIRST_INT);
        if narrow >= 0 && narrow < Word::INTS {
            Some(Word(narrow))
        } else if value > -Word::HALF && value < Word::HALF {
            Some(Word(value + Word::WIDE_INT))
        } else {
            None
        }
    }

    /// The word of the constant with a number.
    #[inline(always)]
    pub const fn constant(code: u32) -> Word {
        let code = code as i64;
        Word(if code < Word::CONSTANTS - Word::INTS {
            Word::INTS + code
        } else {
            Word::WIDE_CONSTANT + code
        })
    }

    /// Whether it is an integer.
    #[inline(always)]
    pub const fn is_int(self) -> bool {
        self.0 < Word::INTS || self.0 >= Word::HALF
    }

    /// The value of an integer.
    #[inline(always)]
    pub const fn int_value(self) -> i64 {
        if self.0 < Word::INTS { self.0 + Word::FIRST_INT } else { self.0 - Word::WIDE_INT }
    }

    /// The number of a constant.
    #[inline(always)]
    pub const fn code(self) -> u32 {
        (if self.0 < Word::WIDE_CONSTANT {
            self.0 - Word::INTS
        } else {
            self.0 - Word::WIDE_CONSTANT
        }) as u32
    }

    /// The byte it is packed into, if it is one.
    #[inline(always)]
    pub const fn byte(self) -> Option<u8> {
        if self.0 < 0x100 { Some(self.0 as u8) } else { None }
    }

    /// A bit of [`kind`].
    #[inline(always)]
    pub const fn kind(self) -> u8 {
        if self.is_int() {
            kind::INT
        } else if self.0 == Word::VAR.0 {
            kind::VAR
        } else {
            kind::CONST
        }
    }
}

/// What a leaf may be.
pub mod kind {
    /// Unbound.
    pub const VAR: u8 = 1;
    /// An integer.
    pub const INT: u8 = 2;
    /// An atom, or another constant that is no integer.
    pub const CONST: u8 = 4;
    /// Any of these.
    pub const ANY: u8 = 7;
}

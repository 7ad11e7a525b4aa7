//! Leaves as words: what compiled code loads, compares and writes.
//!
//! A leaf whose packed form is one byte is the word of that byte; the others lie above.

/// A leaf as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Word(pub i64);

/// The integer -16 has the word 0.
const FIRST_INT: i64 = -16;
/// Small integers have words below this.
const INTS: i64 = 0x60;
/// One-byte constants have words below this.
const CONSTANTS: i64 = 0xE0;
/// Constants of more bytes stand behind this.
const WIDE_CONSTANT: i64 = 0x1000;
/// Integers of more bytes stand around this.
const WIDE_INT: i64 = 1 << 40;
const HALF: i64 = 1 << 39;

impl Word {
    /// An unbound leaf.
    pub const VAR: Word = Word(0xF2);

    /// The word of an integer, unless it is too large.
    #[inline(always)]
    pub const fn int(value: i64) -> Option<Word> {
        let narrow = value.wrapping_sub(FIRST_INT);
        if narrow >= 0 && narrow < INTS {
            Some(Word(narrow))
        } else if value > -HALF && value < HALF {
            Some(Word(value + WIDE_INT))
        } else {
            None
        }
    }

    /// The word of the constant with a number.
    #[inline(always)]
    pub const fn constant(code: u32) -> Word {
        let code = code as i64;
        Word(if code < CONSTANTS - INTS { INTS + code } else { WIDE_CONSTANT + code })
    }

    /// Whether it is an integer.
    #[inline(always)]
    pub const fn is_int(self) -> bool {
        self.0 < INTS || self.0 >= HALF
    }

    /// The value of an integer.
    #[inline(always)]
    pub const fn int_value(self) -> i64 {
        if self.0 < INTS { self.0 + FIRST_INT } else { self.0 - WIDE_INT }
    }

    /// The number of a constant.
    #[inline(always)]
    pub const fn code(self) -> u32 {
        (if self.0 < WIDE_CONSTANT { self.0 - INTS } else { self.0 - WIDE_CONSTANT }) as u32
    }

    /// The byte it is packed into, if it is one.
    #[inline(always)]
    pub const fn byte(self) -> Option<u8> {
        if self.0 < 0x100 { Some(self.0 as u8) } else { None }
    }

    /// A bit of [`super::residual::kind`].
    #[inline(always)]
    pub const fn kind(self) -> u8 {
        use super::residual::kind;
        if self.is_int() {
            kind::INT
        } else if self.0 == Word::VAR.0 {
            kind::VAR
        } else {
            kind::CONST
        }
    }
}

//! Options of reading, and a clause as read.

use std::sync::Arc;
use zug_term::Cell;
use zug_term::source::Span;

/// What a text between quotes is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quotes {
    /// A list of character codes.
    Codes,
    /// A list of one-character atoms.
    Chars,
    /// An atom.
    Atom,
    /// A string.
    String,
}

/// The flags that change how text reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadOptions {
    /// The flag `double_quotes`.
    pub double_quotes: Quotes,
    /// The flag `back_quotes`.
    pub back_quotes: Quotes,
    /// The flag `iso`: what the standard has not is no number, and no quoted item.
    pub iso: bool,
}

impl Default for ReadOptions {
    /// As SWI-Prolog: `"…"` is a string, `` `…` `` a list of codes.
    fn default() -> Self {
        ReadOptions { double_quotes: Quotes::String, back_quotes: Quotes::Codes, iso: false }
    }
}

/// What a name is in the clause that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A constant.
    Atom,
    /// Its arguments stand in brackets behind it.
    Functor,
    /// The sign of a number.
    Sign,
    /// A prefix operator.
    Prefix {
        /// Its priority.
        priority: u16,
    },
    /// An infix operator.
    Infix {
        /// Its priority.
        priority: u16,
        /// Where its left argument begins.
        left: u32,
    },
    /// A postfix operator.
    Postfix,
}

/// A clause, as read.
#[derive(Clone, Debug)]
pub struct ReadTerm {
    /// The term.
    pub root: Cell,
    /// Where the term stands, without its full stop.
    pub span: Span,
    /// The named variables, in order of first occurrence; `_` isn't among them.
    pub variables: Vec<(Arc<str>, Cell)>,
    /// Variables named once only, and where: names that don't begin with `_`.
    pub singletons: Vec<(Arc<str>, Span)>,
    /// Variables marked as named once (`_Name`) that are named again, and where.
    pub multiple: Vec<(Arc<str>, Span)>,
    /// Where the arguments stand: heap address of the argument's cell and its
    /// place, in order of address. See [`ReadTerm::span_of`].
    pub spans: Vec<(usize, Span)>,
    /// What each name is, by the offset of its first byte, in order of place; commas and bars among
    /// them where they are operators. Empty unless asked for by [`super::Reader::note_roles`].
    pub roles: Vec<(u32, Role)>,
}

impl ReadTerm {
    /// The place of the term in the argument cell at `addr`.
    pub fn span_of(&self, addr: usize) -> Option<Span> {
        let found = self.spans.binary_search_by_key(&addr, |entry| entry.0).ok()?;
        Some(self.spans[found].1)
    }
}

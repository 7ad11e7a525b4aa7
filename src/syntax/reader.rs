//! From text to terms: reads clause by clause, with the operators in force.
//!
//! Where the standard is silent or strict, SWI-Prolog is followed: an argument
//! may have a priority up to 1200 (`f(a:-b)`), an atom that is an operator may be
//! an operand without parentheses, `foo()` is read as `foo`, `a|b` as `a;b`.
//!
//! A fault ends the clause. The reader has then already moved behind it (see
//! [`super::recover`]), so that calling again goes on and one run finds the
//! faults of all clauses.

use super::clause::{Clause, Input};
use super::fault::SyntaxFault;
use super::operators::Operators;
use super::stacks::Stacks;
use super::stored;
use super::token::{ReadLimit, TokenKind, Tokens};
use std::sync::Arc;
use zug_term::source::{Source, Span};
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap};

/// Faults reported in one text before reading stops.
pub const MAX_FAULTS: usize = 50;

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
    /// them where they are operators. Empty unless asked for by [`Reader::note_roles`].
    pub roles: Vec<(u32, Role)>,
}

impl ReadTerm {
    /// The place of the term in the argument cell at `addr`.
    pub fn span_of(&self, addr: usize) -> Option<Span> {
        let found = self.spans.binary_search_by_key(&addr, |entry| entry.0).ok()?;
        Some(self.spans[found].1)
    }
}

/// Reads the clauses of one source in order.
#[derive(Debug)]
pub struct Reader {
    pub(super) source: Source,
    pub(super) tokens: Tokens,
    pub(super) faults: usize,
    /// Where the next clause may begin.
    pub(super) offset: usize,
    pub(super) done: bool,
    pub(super) stacks: Stacks,
}

impl Reader {
    /// A reader at the start of a source; a first line that begins with `#!` is
    /// skipped.
    pub fn new(source: Source) -> Reader {
        let offset = match source.text.starts_with("#!") {
            true => source.text.find('\n').unwrap_or(source.text.len()),
            false => 0,
        };
        Reader::at(source, offset)
    }

    /// A reader that starts at a byte offset, which must be where a clause or
    /// layout begins: how `read/1` goes on in a text that has grown.
    pub fn at(source: Source, offset: usize) -> Reader {
        let tokens = Tokens::new(offset, false);
        Reader { source, tokens, faults: 0, offset, done: false, stacks: Stacks::default() }
    }

    /// A reader of a text whose tokens, if any, were [`stored`].
    pub fn of_tokens(source: Source, tokens: &[u8]) -> Reader {
        if tokens.is_empty() {
            return Reader::new(source);
        }
        let tokens = Tokens::found(stored::unpack(tokens), &source.text);
        Reader { tokens, ..Reader::at(source, 0) }
    }

    /// Has clauses bring the roles of their names: for those that work on the text itself.
    pub fn note_roles(&mut self) {
        self.stacks.roles.get_or_insert_default();
    }

    /// Sets a limit that is polled now and then; see [`Reader::stopped`].
    pub fn set_read_limit(&mut self, read_limit: ReadLimit) {
        self.tokens.read_limit = Some(read_limit);
    }

    /// Whether reading ended since the read limit was reached: what was found after that tells
    /// nothing about the text.
    pub fn stopped(&self) -> bool {
        self.tokens.stopped
    }

    /// The source being read.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// How far the text is used up: behind the full stop of the clause read last
    /// (or the place where reading goes on after a fault).
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Reads the next clause; `None` at the end of the text.
    ///
    /// After a fault the reader stands where the next clause begins, as well as
    /// that can be told; the heap is as it was before.
    pub fn next(
        &mut self,
        heap: &mut Heap,
        symbols: &mut Symbols,
        operators: &Operators,
        options: &ReadOptions,
    ) -> Result<Option<ReadTerm>, Box<SyntaxFault>> {
        let text = self.source.text.clone();
        self.tokens.count = 0;
        let first = self.tokens.peek(&text, 0);
        if first.kind == TokenKind::Eof || self.done {
            self.done = true;
            self.offset = text.len();
            return Ok(None);
        }
        if self.faults >= MAX_FAULTS {
            self.done = true;
            return Err(Box::new(self.too_many(first)));
        }
        let top = heap.top();
        self.stacks.clear();
        let input = Input { text: &text, source: &self.source, operators, options };
        let mut clause =
            Clause::new(input, &mut self.tokens, &mut self.stacks, heap, symbols, first);
        match clause.read() {
            Ok(root) => {
                let end = clause.last;
                self.offset = end.end as usize;
                Ok(Some(self.stacks.finish(root)))
            }
            Err(found) => {
                let place = clause.place();
                let found = *found;
                self.faults += 1;
                let source = self.source.clone();
                let input = Input { text: &text, source: &source, operators, options };
                let (further, resume) = self.further(input, heap, symbols, &found, place);
                heap.cells.truncate(top);
                self.recover(&text, first, resume);
                Err(Box::new(SyntaxFault {
                    kind: found.kind,
                    diagnostic: found.diagnostic,
                    further,
                }))
            }
        }
    }
}

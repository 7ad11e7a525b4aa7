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
use super::clause_read::{ReadOptions, ReadTerm};
use super::fault::SyntaxFault;
use super::operators::Operators;
use super::stacks::Stacks;
use super::stored;
use super::token::{ReadLimit, TokenKind, Tokens};
use zug_term::Heap;
use zug_term::source::Source;
use zug_term::symbol::Symbols;

/// Faults reported in one text before reading stops.
pub const MAX_FAULTS: usize = 50;

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

//! Going on after a fault: where the next clause begins.
//!
//! A clause ends with its full stop. Where a full stop is missing, the layout
//! tells: a name at the start of a line that is indented no deeper than the
//! faulty clause, behind something a clause can end with, begins the next clause.
//! The goals behind a faulty one are read for their own faults, which one look
//! at the clause then tells.

use super::clause::{Clause, Input};
use super::fault::{FaultKind, SyntaxFault};
use super::reader::{MAX_FAULTS, Reader};
use super::stacks::{ParseFailure, Place, Resume};
use super::token::{Token, TokenKind};
use zug_term::Heap;
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_term::symbol::Symbols;

impl Reader {
    /// Findings about the goals of the body behind a fault, and where reading resumes after them.
    ///
    /// Prose and other languages are a fault, not one for each comma: only the goals of what has a `:-` are read.
    pub(super) fn further(
        &mut self,
        input: Input,
        heap: &mut Heap,
        symbols: &mut Symbols,
        found: &ParseFailure,
        mut place: Place,
    ) -> (Vec<Diagnostic>, Resume) {
        let (mut further, mut resume) = (Vec::new(), found.resume);
        while let Resume::From(offset) = resume
            && self.faults < MAX_FAULTS
        {
            self.tokens.seek(offset);
            let Some(comma) = self.goal_end(input.text, place) else { break };
            let (tokens, stacks) = (&mut self.tokens, &mut self.stacks);
            let mut rest = Clause::new(input, tokens, stacks, heap, symbols, comma);
            rest.last = comma;
            match rest.read() {
                Ok(_) => resume = Resume::At(rest.last.end as usize),
                // Its opening one may stand in what was passed over.
                Err(next) if next.kind == FaultKind::UnmatchedBracket => break,
                Err(next) => {
                    place = Place { in_body: true, ..rest.place() };
                    self.faults += 1;
                    resume = next.resume;
                    further.push(next.diagnostic);
                }
            }
        }
        (further, resume)
    }

    /// Takes tokens up to the `,` that ends the goal, or the `:-` that ends the head, in which a fault stands.
    fn goal_end(&mut self, text: &str, place: Place) -> Option<Token> {
        let mut depth = place.depth;
        loop {
            let token = self.tokens.peek(text, 0);
            let starts_line = indent(text, token.start) == Some(0);
            if matches!(token.kind, TokenKind::End | TokenKind::Eof) || starts_line {
                return None;
            }
            self.tokens.next(text);
            match token.kind {
                TokenKind::Comma if depth == 0 && place.in_body => return Some(token),
                TokenKind::Symbol
                    if depth == 0 && !place.in_body && matches!(token.text(text), ":-" | "-->") =>
                {
                    return Some(token);
                }
                TokenKind::Open
                | TokenKind::OpenCt
                | TokenKind::OpenList
                | TokenKind::OpenCurly => depth += 1,
                TokenKind::Close | TokenKind::CloseList | TokenKind::CloseCurly => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::OpenQuoted => return None,
                _ => {}
            }
        }
    }

    /// Moves behind the faulty clause that begins with `first`.
    pub(super) fn recover(&mut self, text: &str, first: Token, resume: Resume) {
        match resume {
            Resume::At(offset) => self.tokens.seek(offset),
            Resume::From(offset) => {
                self.tokens.seek(offset);
                self.skip_clause(text, first);
            }
            Resume::Nowhere => self.tokens.seek(text.len()),
        }
        self.offset = self.tokens.peek(text, 0).start as usize;
    }

    fn skip_clause(&mut self, text: &str, first: Token) {
        let mut before = None;
        loop {
            let token = self.tokens.peek(text, 0);
            let after_end = before.is_some_and(|before: Token| can_end_clause(before, text));
            if token.kind == TokenKind::Eof || (after_end && begins_clause(token, first, text)) {
                return;
            }
            self.tokens.next(text);
            match token.kind {
                TokenKind::End => return,
                // A quote that isn't closed on its line hides the rest of it only.
                TokenKind::OpenQuoted
                | TokenKind::Quoted
                | TokenKind::String
                | TokenKind::BackQuoted
                    if token.text(text).contains('\n') || token.kind == TokenKind::OpenQuoted =>
                {
                    self.tokens.seek(next_line(text, token.start));
                }
                _ => {}
            }
            before = Some(token);
        }
    }

    pub(super) fn too_many(&self, first: Token) -> SyntaxFault {
        let diagnostic = Diagnostic::new(
            Severity::Error,
            FaultKind::TooManyFaults.code(),
            format!("more than {MAX_FAULTS} faults; the rest of the text isn't read"),
        )
        .at(&self.source, first.span(), "reading stops here");
        SyntaxFault { kind: FaultKind::TooManyFaults, diagnostic, further: Vec::new() }
    }
}

/// The offset of the line after the one in which `offset` stands.
pub(super) fn next_line(text: &str, offset: u32) -> usize {
    let rest = &text.as_bytes()[offset as usize..];
    rest.iter().position(|&b| b == b'\n').map_or(text.len(), |at| offset as usize + at + 1)
}

/// How far a token that is the first on its line is indented; `None` if it isn't
/// the first.
pub(super) fn indent(text: &str, start: u32) -> Option<usize> {
    let before = &text.as_bytes()[..start as usize];
    let blank = before.iter().rev().take_while(|b| matches!(b, b' ' | b'\t')).count();
    match before.len().checked_sub(blank + 1).map(|at| before[at]) {
        None | Some(b'\n') => Some(blank),
        // A byte-order mark may come first.
        Some(0xBF) if before.len() - blank == 3 => Some(blank),
        Some(_) => None,
    }
}

/// Whether a token looks like the beginning of the clause after the one that
/// begins with `first`.
pub(super) fn begins_clause(token: Token, first: Token, text: &str) -> bool {
    let begins = match token.kind {
        TokenKind::Name | TokenKind::Quoted => true,
        TokenKind::Symbol => matches!(token.text(text), ":-" | "?-"),
        _ => false,
    };
    begins
        && token.start > first.start
        && indent(text, token.start)
            .is_some_and(|column| column <= indent(text, first.start).unwrap_or(0))
}

/// Whether a clause could end with the token, were a full stop behind it.
fn can_end_clause(token: Token, text: &str) -> bool {
    match token.kind {
        TokenKind::Symbol => false,
        TokenKind::Solo => token.text(text) == "!",
        TokenKind::Comma
        | TokenKind::Bar
        | TokenKind::Open
        | TokenKind::OpenCt
        | TokenKind::OpenList
        | TokenKind::OpenCurly => false,
        _ => true,
    }
}

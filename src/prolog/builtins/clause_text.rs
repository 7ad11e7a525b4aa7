//! Where the next clause of a stream ends.
//!
//! `read/1` takes from a stream exactly the text of one clause, its full stop
//! included, and gives that to the reader. So a file of many clauses is read in
//! linear time, and a user at a terminal is asked for no more than is needed.
//! The scan knows just enough of the tokens (quotes, comments, `0'c`) to tell a
//! full stop from a dot; whatever is wrong with the text is for the reader to say.

use super::streams::{StreamId, Streams};
use std::io;

impl Streams {
    /// Takes the next clause off an input, its full stop included; without one
    /// when the input ends in the middle of it. `None` if nothing but layout and
    /// comments is left.
    pub fn read_clause(&mut self, id: StreamId) -> io::Result<Option<String>> {
        let mut scan = ClauseText::new();
        let mut text = String::new();
        loop {
            let Some(c) = self.next_char(id)? else { return Ok(scan.begun().then_some(text)) };
            text.push(c);
            let next = if scan.wants_next(c) { self.peek_char(id)?.map(|(c, _)| c) } else { None };
            if scan.push(c, next) {
                return Ok(Some(text));
            }
        }
    }
}

/// What the scan is in the middle of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Between tokens, or in one where nothing special can begin.
    Plain,
    /// A run of symbol characters, where a dot is one of them.
    Symbol,
    /// A number; whether it is just `0` so far.
    Number { zero: bool },
    /// A name or variable.
    Word,
    /// Quoted text that ends with this character.
    Quoted(char),
    /// Behind a backslash in quoted text.
    Escape(char),
    /// In the digits of `\x41\` or `\101\` in quoted text.
    EscapeDigits(char),
    /// Behind `0'`.
    CharacterCode,
    /// Behind `0''`.
    CodeQuote,
    /// Behind `0'\`.
    CodeEscape,
    /// In the digits of `0'\x41\`.
    CodeDigits,
    /// Behind `%`.
    LineComment,
    /// Between `/*` and `*/`; whether a star came last.
    BlockComment { star: bool },
}

/// Finds the end of a clause, fed one character at a time.
pub(super) struct ClauseText {
    state: State,
    /// Whether anything but layout and comments came.
    begun: bool,
}

/// Whether a character is one of those symbol names are made of.
fn is_symbol(c: char) -> bool {
    "+-*/\\^<>=~:.?@#&$".contains(c)
}

impl ClauseText {
    /// Before the first character.
    pub(super) fn new() -> ClauseText {
        ClauseText { state: State::Plain, begun: false }
    }

    /// Whether a clause, or an unclosed comment, has begun: what an end of the
    /// stream cuts off.
    pub(super) fn begun(&self) -> bool {
        self.begun || matches!(self.state, State::BlockComment { .. })
    }

    /// Whether the character after this one must be known: a dot may end the
    /// clause, a slash may open a comment.
    pub(super) fn wants_next(&self, c: char) -> bool {
        matches!(c, '.' | '/') && self.outside() && self.state != State::Symbol
    }

    fn outside(&self) -> bool {
        let in_token = matches!(self.state, State::Symbol | State::Number { .. } | State::Word);
        in_token || matches!(self.state, State::Plain | State::CodeQuote | State::CodeDigits)
    }

    /// Takes a character, and what follows it if [`ClauseText::wants_next`];
    /// true when it is the clause's full stop.
    pub(super) fn push(&mut self, c: char, next: Option<char>) -> bool {
        let ends = next.is_none_or(|next| next.is_whitespace() || next == '%');
        if c == '.' && self.wants_next(c) && ends {
            self.begun = true;
            return true;
        }
        self.state = match self.state {
            State::Quoted(quote) if c == quote => State::Plain,
            State::Quoted(quote) if c == '\\' => State::Escape(quote),
            State::Escape(quote) if c == 'x' || c.is_ascii_digit() => State::EscapeDigits(quote),
            State::Escape(quote) => State::Quoted(quote),
            State::EscapeDigits(quote) if c.is_ascii_hexdigit() => State::EscapeDigits(quote),
            // The backslash that may end the digits, or what stands behind them.
            State::EscapeDigits(quote) if c == quote => State::Plain,
            State::EscapeDigits(quote) => State::Quoted(quote),
            State::CharacterCode if c == '\\' => State::CodeEscape,
            State::CharacterCode if c == '\'' => State::CodeQuote,
            State::CodeEscape if c == 'x' || c.is_ascii_digit() => State::CodeDigits,
            State::CharacterCode | State::CodeEscape => State::Plain,
            State::CodeQuote if c == '\'' => State::Plain,
            State::CodeDigits if c.is_ascii_hexdigit() => State::CodeDigits,
            State::CodeDigits if c == '\\' => State::Plain,
            State::LineComment if c == '\n' => State::Plain,
            State::BlockComment { star: true } if c == '/' => State::Plain,
            State::BlockComment { .. } => State::BlockComment { star: c == '*' },
            state if self.outside() => self.outside_state(state, c, next),
            state => state,
        };
        false
    }

    /// The state behind a character outside quotes and comments.
    fn outside_state(&mut self, state: State, c: char, next: Option<char>) -> State {
        if c.is_whitespace() {
            return State::Plain;
        }
        if c == '%' {
            return State::LineComment;
        }
        if c == '/' && state != State::Symbol && next == Some('*') {
            return State::BlockComment { star: false };
        }
        self.begun = true;
        match (state, c) {
            (State::Number { zero: true }, '\'') => State::CharacterCode,
            // 16'FF
            (State::Number { .. }, '\'') => State::Word,
            (_, '\'' | '"' | '`') => State::Quoted(c),
            (State::Word, c) if c.is_alphanumeric() || c == '_' => State::Word,
            (State::Number { .. }, c) if c.is_alphanumeric() || c == '_' => {
                State::Number { zero: false }
            }
            (_, c) if c.is_ascii_digit() => State::Number { zero: c == '0' },
            (_, c) if c.is_alphabetic() || c == '_' => State::Word,
            (_, c) if is_symbol(c) => State::Symbol,
            _ => State::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clause at the start of a text, and whether one had begun.
    fn check(text: &str, expect: &str) {
        let mut scan = ClauseText::new();
        let mut chars = text.char_indices().peekable();
        let mut end = text.len();
        while let Some((at, c)) = chars.next() {
            if scan.push(c, chars.peek().map(|&(_, c)| c)) {
                end = at + 1;
                break;
            }
        }
        assert_eq!(&text[..end], expect, "in {text:?}");
        assert_eq!(
            scan.begun(),
            !expect.trim().is_empty() && !expect.trim_start().starts_with('%'),
            "{text:?}"
        );
    }

    /// `⏎` stands for the end of a line.
    #[test]
    fn a_clause_ends_at_its_full_stop() {
        for line in include_str!("tests/clause_ends.txt").lines().skip(1) {
            let text = line.replace('⏎', "\n");
            let end = text.find('¦').unwrap_or(text.len());
            check(&text.replace('¦', ""), &text[..end]);
        }
    }
}

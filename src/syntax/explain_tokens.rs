//! The words for faults in single tokens: quotes, escapes, numbers, characters.

use super::clause::Clause;
use super::explain::{NO_DICTS, shorten};
use super::fault::FaultKind;
use super::literal::{self, LiteralFault};
use super::recover::next_line;
use super::stacks::{ParseFailure, Resume};
use super::token::{Token, TokenKind};
use zug_term::source::Span;

/// Characters that word processors put in place of others.
const LOOKALIKES: &[(&str, &str)] = &[
    ("‘’‚´", "'"),
    ("“”„«»", "\""),
    ("–—−", "-"),
    ("…", "..."),
    ("，", ","),
    ("。", "."),
    ("（", "("),
    ("）", ")"),
];

/// What comments begin with in other languages.
const COMMENTS: [&str; 3] = ["#", "//", "--"];

/// Whether a token looks like the beginning of a comment of another language.
fn begins_comment(text: &str) -> bool {
    let begins = COMMENTS.iter().any(|mark| text.starts_with(mark));
    // `#=` is of library(clpfd).
    let operator = text.starts_with("#=") || text.starts_with("#<") || text.starts_with("#>");
    begins && text != "-->" && !operator && !text.starts_with("#\\") && !text.starts_with("#/\\")
}

impl Clause<'_> {
    /// A comment as other languages have it, somewhere before `token`, where the reader gave up:
    /// at the beginning of the clause or of a line, or where a term is expected.
    pub(super) fn foreign_comment(&mut self, token: Token) -> Option<Box<ParseFailure>> {
        let (at, after) = (self.peek(0).start as usize, token.start);
        self.tokens.seek(self.first.start as usize);
        let mut before: Option<Token> = None;
        let mark = loop {
            let next = self.tokens.next(self.text);
            if next.kind == TokenKind::Eof || next.start > after {
                break None;
            }
            if next.kind == TokenKind::Symbol
                && begins_comment(next.text(self.text))
                && self.is_comment(before, next, token)
            {
                break Some(next);
            }
            before = Some(next);
        };
        self.tokens.seek(at);
        let mark = mark?;
        let text = mark.text(self.text);
        let mark_length = COMMENTS.iter().find(|m| text.starts_with(**m)).map_or(1, |m| m.len());
        let next = next_line(self.text, mark.start);
        // Behind a comment before a clause the clause is whole.
        let resume =
            if mark.start == self.first.start { Resume::At(next) } else { Resume::From(next) };
        let message = format!("a comment does not begin with `{}`", &text[..mark_length]);
        let span = Span { start: mark.start, end: mark.start + mark_length as u32 };
        let found = self.found(FaultKind::OperatorExpected, message, resume, span, "");
        let hint = "a comment begins with `%` and ends with its line, or stands in `/* … */`";
        Some(found.with(|it| it.hint(hint).mend(self.source, span, "%")))
    }

    fn is_comment(&self, before: Option<Token>, mark: Token, fault: Token) -> bool {
        let line = self.text[..mark.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let starts_line = self.text[line..mark.start as usize].trim().is_empty();
        let same_line = !self.text[mark.start as usize..fault.start as usize].contains('\n');
        let Some(before) = before else { return true };
        let wants_term = matches!(
            before.kind,
            TokenKind::Comma | TokenKind::Open | TokenKind::OpenCt | TokenKind::OpenList
        ) || matches!(before.text(self.text), ":-" | "->" | ";" | "-->");
        let spaced = before.end < mark.start;
        let alone = COMMENTS.contains(&mark.text(self.text)) && mark.text(self.text) != "//";
        same_line && (starts_line || wants_term) || spaced && alone && fault.start == mark.start
    }

    /// A full stop with no space behind it.
    pub(super) fn tight_full_stop(&mut self, token: Token) -> Box<ParseFailure> {
        let is_field = self.last.kind == TokenKind::Variable && self.last.end == token.start;
        let end = token.end as usize;
        let (resume, hint) = match is_field {
            true => (Resume::From(end), NO_DICTS),
            false => (Resume::At(end), "a full stop must be followed by a space or a new line"),
        };
        let message =
            format!("unexpected {} after {}", self.describe(token), self.describe(self.last));
        let (kind, label) = (FaultKind::OperatorExpected, "does the clause end here?");
        self.found(kind, message, resume, token.span(), label).with(|it| it.hint(hint))
    }

    /// `12abc`
    pub(super) fn number_runs_on(&mut self, token: Token) -> Box<ParseFailure> {
        let (number, name) = (self.last.text(self.text), token.text(self.text));
        let message = format!("`{}{}` is no number", shorten(number), shorten(name));
        let hint = match token.kind {
            TokenKind::Variable => format!("to multiply, write `{number} * {}`", shorten(name)),
            _ => "a name begins with a small letter or stands in single quotes".into(),
        };
        let (kind, span) = (FaultKind::IllegalNumber, self.last.span().to(token.span()));
        let label = "a number followed by something else";
        self.found(kind, message, self.onward(token), span, label).with(|it| it.hint(hint))
    }

    /// A quoted item that runs over several lines right before the fault: its
    /// closing quote is likely the opening one of another.
    pub(super) fn long_quote(&mut self) -> Option<Box<ParseFailure>> {
        let last = self.last;
        if !matches!(last.kind, TokenKind::Quoted | TokenKind::String | TokenKind::BackQuoted) {
            return None;
        }
        let text = last.text(self.text);
        let line = text.find('\n')?;
        let quote = text.chars().next()?;
        if text[..line].trim_end_matches('\r').ends_with('\\') {
            return None;
        }
        let resume = self.behind_open_quote(last);
        let kind = FaultKind::EndOfFileInQuoted(quote);
        let message = format!("this `{quote}` isn't closed on its line");
        let opening = Span { start: last.start, end: last.start + 1 };
        let closing = Span { start: last.end - 1, end: last.end };
        let found = self.found(kind, message, resume, opening, "opened here");
        Some(found.with(|it| {
            it.also(self.source, closing, "the next such quote is here").hint(quote_hint(quote))
        }))
    }

    /// A name right behind a closing quote: the quote was to be an apostrophe.
    pub(super) fn apostrophe(&mut self, token: Token) -> Option<Box<ParseFailure>> {
        let last = self.last;
        if last.kind != TokenKind::Quoted
            || token.kind != TokenKind::Name
            || token.start != last.end
        {
            return None;
        }
        let message = format!("unexpected {} after {}", self.describe(token), self.describe(last));
        let resume = self.behind_open_quote(token);
        let quote = Span { start: last.end - 1, end: last.end };
        let (kind, label) = (FaultKind::OperatorExpected, "the quoted name ends here");
        let hint = "an apostrophe inside quotes is written `''` or `\\'`";
        Some(self.found(kind, message, resume, quote, label).with(|it| it.hint(hint)))
    }

    /// Where to go on when a quote isn't closed: at the next line, a new clause if
    /// this line ends with a full stop.
    fn behind_open_quote(&self, quoted: Token) -> Resume {
        let next = next_line(self.text, quoted.start);
        let line = self.text.get(quoted.start as usize..next).unwrap_or("");
        match line.trim_end().ends_with('.') {
            true => Resume::At(next),
            false => Resume::From(next),
        }
    }

    /// A token that is none.
    pub(super) fn lexical(&mut self, token: Token) -> Option<Box<ParseFailure>> {
        let opening = Span { start: token.start, end: token.start + 1 };
        match token.kind {
            TokenKind::OpenQuoted => {
                let quote = token.text(self.text).chars().next()?;
                let kind = FaultKind::EndOfFileInQuoted(quote);
                let resume = self.behind_open_quote(token);
                let message = format!("this `{quote}` is never closed");
                let found = self.found(kind, message, resume, opening, "opened here");
                Some(found.with(|it| it.hint(quote_hint(quote))))
            }
            TokenKind::OpenComment => {
                let kind = FaultKind::EndOfFileInComment;
                let (message, span) =
                    ("this comment is never closed", Span { end: token.start + 2, ..opening });
                let found = self.found(kind, message, Resume::Nowhere, span, "opened here");
                Some(found.with(|it| it.hint("end the comment with `*/`")))
            }
            TokenKind::BadEscape => {
                let text = token.text(self.text);
                let fault = match text.starts_with("0'") {
                    true => {
                        let c = text.chars().next_back().unwrap_or('\\');
                        LiteralFault { kind: FaultKind::UndefinedEscape(c), span: token.span() }
                    }
                    false => literal::unquote(self.text, token).err()?,
                };
                Some(self.bad_literal(fault))
            }
            TokenKind::Unknown => Some(self.unknown(token)),
            _ => None,
        }
    }

    fn unknown(&mut self, token: Token) -> Box<ParseFailure> {
        let c = token.text(self.text).chars().next().unwrap_or('\0');
        let shown = match c {
            '\0' => "a NUL character".into(),
            c if c.is_control() => format!("the control character U+{:04X}", c as u32),
            char::REPLACEMENT_CHARACTER => "a damaged character".into(),
            c => format!("the character `{c}`"),
        };
        let resume = Resume::From(token.end as usize);
        let message = format!("{shown} has no meaning here");
        let span = Span { start: token.start, end: token.start + c.len_utf8() as u32 };
        let hint = match LOOKALIKES.iter().find(|entry| entry.0.contains(c)) {
            Some((_, plain)) => format!("write `{plain}` in place of `{c}`"),
            None if c.is_control() => "is this a text file?".into(),
            None => format!("as a name it must be quoted: '{c}'"),
        };
        let (kind, label) = (FaultKind::IllegalCharacter, "not part of the language");
        self.found(kind, message, resume, span, label).with(|it| it.hint(hint))
    }

    /// A quoted item or number whose value can't be told.
    pub(super) fn bad_literal(&mut self, fault: LiteralFault) -> Box<ParseFailure> {
        let (what, hint) = match fault.kind {
            FaultKind::UndefinedEscape(_) => (
                "no escape sequence",
                "a backslash itself is written `\\\\`; others are \\n \\t \\' \\x41\\ …",
            ),
            FaultKind::IllegalCode => (
                "no character",
                "characters have numbers from 0 to 10FFFF (hexadecimal), without D800 to DFFF",
            ),
            FaultKind::FloatOverflow => ("too large for a float", "the largest is about 1.8e308"),
            _ => {
                ("no number", "in `R'digits` R is a base from 2 to 36, and each digit less than R")
            }
        };
        let message = format!("`{}` is {what}", shorten(self.text_of(fault.span)));
        let end = self.after_token(fault.span).unwrap_or(fault.span.end as usize);
        let found = self.found(fault.kind, message, Resume::From(end), fault.span, "");
        found.with(|it| it.hint(hint))
    }

    /// The end of the token around a span: searching goes on behind it, so that
    /// a quote in its midst isn't taken for an opening one.
    fn after_token(&mut self, span: Span) -> Option<usize> {
        let last = self.last;
        if last.start <= span.start && span.end <= last.end {
            return Some(last.end as usize);
        }
        let next = self.peek(0);
        (next.start <= span.start && span.end <= next.end).then_some(next.end as usize)
    }
}

fn quote_hint(quote: char) -> String {
    match quote {
        '\'' => "close it with `'`; an apostrophe inside is written `''` or `\\'`".into(),
        _ => format!("close it with `{quote}`; inside it is written `\\{quote}`"),
    }
}

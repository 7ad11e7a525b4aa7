//! The words for faults: from the reader's state at a fault to a message that
//! points at the true place and says what to do.

use super::clause::{Clause, MAX_DEPTH};
use super::fault::FaultKind;
use super::recover::{begins_clause, indent};
use super::stacks::{FrameKind, Operand, ParseFailure, Resume};
use super::token::{Token, TokenKind};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Span;
use zug_term::symbol::atoms;

/// What people write who come from other languages, and what to write here.
const FOREIGN: &[(&str, &str)] = &[
    ("&&", "\"and\" is written `,`"),
    ("&", "\"and\" is written `,`"),
    ("||", "\"or\" is written `;`"),
    ("!=", "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
    ("<>", "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
    ("≠", "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
    ("<=", "\"at most\" is written `=<`"),
    ("≤", "\"at most\" is written `=<`"),
    ("≥", "\"at least\" is written `>=`"),
    ("=>=", "\"at least\" is written `>=`"),
    ("+=", "a variable doesn't change; bind a new one: `Y is X + 1`"),
    ("-=", "a variable doesn't change; bind a new one: `Y is X - 1`"),
    ("++", "a variable doesn't change; bind a new one: `Y is X + 1`"),
    ("%", "\"modulo\" is written `mod`"),
    (":=", "a number is computed by `X is …`, a term given by `X = …`; a variable doesn't change"),
    ("/=", "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
    ("~=", "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
    ("=/=", "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
    ("**=", "a variable doesn't change; bind a new one: `Y is X * X`"),
    ("*=", "a variable doesn't change; bind a new one: `Y is X * 2`"),
    ("--", "a variable doesn't change; bind a new one: `Y is X - 1`"),
    ("-:", "\"if\" is written `:-`"),
    ("::-", "\"if\" is written `:-`"),
    (":--", "\"if\" is written `:-`"),
    (";-", "\"if\" is written `:-`"),
    ("<-", "\"if\" is written `:-`"),
    ("←", "\"if\" is written `:-`"),
    (":=:", "\"if\" is written `:-`"),
    ("===", "\"the same term\" is written `==`, \"equal numbers\" `=:=`"),
    (">==", "\"at least\" is written `>=`"),
    ("=!", "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
    ("and", "\"and\" is written `,`"),
    ("or", "\"or\" is written `;`"),
    ("elif", "\"if A then B else C\" is written `( A -> B ; C )`"),
    ("elseif", "\"if A then B else C\" is written `( A -> B ; C )`"),
    ("endif", "\"if A then B else C\" is written `( A -> B ; C )`"),
    ("then", "\"if A then B else C\" is written `( A -> B ; C )`"),
    ("else", "\"if A then B else C\" is written `( A -> B ; C )`"),
];
/// Words of other languages before a term, and how that is written.
const FOREIGN_BEFORE: &[(&str, &str)] = &[
    ("not", "\"not\" is written `\\+`, or `not(…)`"),
    ("if", "\"if A then B else C\" is written `( A -> B ; C )`"),
    ("return", "delete it: a predicate gives nothing back, its results are arguments"),
    ("for", "repetition is a recursion, or `forall(member(X, L), …)`, `between(1, 9, X)`"),
    ("foreach", "repetition is a recursion, or `forall(member(X, L), …)`"),
    ("while", "repetition is a recursion: a predicate whose last goal calls it again"),
    ("let", "a number is computed by `X is …`, a term given by `X = …`"),
    ("var", "variables need no declaration; they begin with a capital letter"),
    ("def", "delete `def`: a clause is written `head :- goals.`"),
    ("function", "delete `function`: a clause is written `head :- goals.`"),
    ("fun", "delete `fun`: a clause is written `head :- goals.`"),
    ("print", "arguments stand in parentheses: `print(…)`"),
    ("write", "arguments stand in parentheses: `write(…)`"),
    ("writeln", "arguments stand in parentheses: `writeln(…)`"),
    ("import", "a file is loaded by `:- consult('file.pl').`"),
    ("=!", "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
];

/// What is written here in the place of dicts.
pub(super) const NO_DICTS: &str = "there are no dicts: a state is a term, as `state(X, Y)`, or a list, as \
    `[x-1, y-2]`; its parts are taken by giving them names in a clause's head";

/// What takes the place of an operator of another language, where it can be nothing else.
const REPLACED: &[(&str, &str)] = &[
    ("&&", ","),
    ("||", ";"),
    ("<=", "=<"),
    ("≤", "=<"),
    ("≥", ">="),
    ("<-", ":-"),
    ("←", ":-"),
    ("-:", ":-"),
    ("::-", ":-"),
    (":--", ":-"),
];

impl Clause<'_> {
    pub(super) fn found(
        &self,
        kind: FaultKind,
        message: impl Into<String>,
        resume: Resume,
    ) -> Box<ParseFailure> {
        let diagnostic = Diagnostic::error(kind.code(), message);
        Box::new(ParseFailure { kind, diagnostic, resume })
    }

    pub(super) fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Eof => "the end of the text".into(),
            TokenKind::End => "the full stop".into(),
            _ => format!("`{}`", shorten(token.text(self.text))),
        }
    }

    /// The gap right behind the token taken last.
    fn gap(&self) -> Span {
        Span { start: self.last.end, end: self.last.end }
    }

    /// Where the search for the clause's end begins.
    pub(super) fn onward(&self, token: Token) -> Resume {
        Resume::From(token.start as usize)
    }

    /// `token` stands where an operator or the clause's end is expected.
    pub(super) fn no_operator(&mut self, token: Token) -> Box<ParseFailure> {
        if let Some(found) = self.foreign_comment(token) {
            return found;
        }
        if let Some(found) = self.lexical(token) {
            return found;
        }
        if let Some(found) = self.long_quote() {
            return found;
        }
        if let Some(found) = self.apostrophe(token) {
            return found;
        }
        if matches!(token.kind, TokenKind::Eof | TokenKind::End) || self.new_clause(token) {
            return self.early_end(token);
        }
        if token.kind == TokenKind::Symbol && token.text(self.text).starts_with('.') {
            return self.tight_full_stop(token);
        }
        if self.lacks_neck(token) {
            let message = "`:-` is missing between the head of this clause and its body";
            let mut found = self.found(FaultKind::OperatorExpected, message, self.onward(token));
            found.diagnostic = found
                .diagnostic
                .at(self.source, self.gap(), "expected `:-` here")
                .mend(self.source, self.gap(), " :-");
            return found;
        }
        let last = self.describe(self.last);
        if self.last.kind.is_number() && token.start == self.last.end {
            return self.number_runs_on(token);
        }
        let here = self.describe(token);
        let message = format!("unexpected {here} after {last}");
        let mut found = self.found(FaultKind::OperatorExpected, message, self.onward(token));
        found.diagnostic = found.diagnostic.at(
            self.source,
            token.span(),
            "an operator, `,` or the end of the clause is expected here",
        );
        found.diagnostic.hint = Some(self.operator_hint(token));
        if let Some((span, text)) = self.operator_fix(token) {
            found.diagnostic = found.diagnostic.mend(self.source, span, text);
        }
        found
    }

    /// Whether a token begins an indented line behind what looks like the head of a clause.
    fn lacks_neck(&self, token: Token) -> bool {
        let column = |token: Token| indent(self.text, token.start);
        let is_head = self.depth() == 0
            && self.stacks.ops.is_empty()
            && self.last.kind == TokenKind::Close
            && self.last_operand().is_some_and(|head| head.start == self.first.start);
        is_head
            && column(token).is_some_and(|at| column(self.first).is_some_and(|first| at > first))
    }

    /// The change that mends an unexpected token, where there is but one.
    fn operator_fix(&mut self, token: Token) -> Option<(Span, String)> {
        let last = self.last.text(self.text);
        let adjacent = self.last.end == token.start;
        if self.last.kind == TokenKind::Variable && token.kind == TokenKind::OpenCt {
            let first = last.chars().next().filter(|c| c.is_uppercase())?;
            let is_head = self.last.start == self.first.start;
            let small = first.to_lowercase().chain(last.chars().skip(1)).collect();
            return is_head.then(|| (self.last.span(), small));
        }
        if self.last.kind == TokenKind::Name && token.kind == TokenKind::Open && !adjacent {
            let gap = &self.text[self.last.end as usize..token.start as usize];
            let blank = gap.chars().all(|c| c == ' ');
            return blank.then(|| (Span { start: self.last.end, end: token.start }, String::new()));
        }
        self.tokens.seek(token.start as usize);
        self.tokens.next(self.text);
        let next = self.peek(0);
        let symbol =
            next.start == token.end && matches!(next.kind, TokenKind::Symbol | TokenKind::Bar);
        let end = if symbol { next.end } else { token.end };
        let text = &self.text[token.start as usize..end as usize];
        let meant = REPLACED.iter().find(|entry| entry.0 == text)?.1;
        Some((Span { start: token.start, end }, meant.to_owned()))
    }

    fn operator_hint(&mut self, token: Token) -> String {
        let next = {
            self.tokens.seek(token.start as usize);
            self.tokens.next(self.text);
            self.peek(0)
        };
        let mut text = token.text(self.text).to_string();
        if next.start == token.end && matches!(next.kind, TokenKind::Symbol | TokenKind::Bar) {
            text.push_str(next.text(self.text));
        }
        let foreign = |text: &str| FOREIGN.iter().find(|entry| entry.0 == text);
        if let Some((_, hint)) = foreign(&text).or_else(|| foreign(token.text(self.text))) {
            return (*hint).into();
        }
        let before = self.last.text(self.text);
        if let Some((_, hint)) = FOREIGN_BEFORE.iter().find(|entry| entry.0 == before) {
            return (*hint).into();
        }
        if self.last.kind == TokenKind::Name
            && token.kind.starts_term()
            && let Some(operator) = self.prefix_operator_like(before)
        {
            return format!("did you mean `{operator}`?");
        }
        match (self.last.kind, token.kind) {
            (TokenKind::Variable | TokenKind::Name, _)
                if self.last.end == token.start && token.text(self.text) == "{" =>
            {
                NO_DICTS.into()
            }
            (TokenKind::Variable, TokenKind::OpenCt) if self.last.start == self.first.start => {
                format!(
                    "the name of a predicate begins with a small letter: `{}(…)`",
                    small(self.last.text(self.text))
                )
            }
            (TokenKind::Variable, TokenKind::OpenCt)
                if self.last.text(self.text).starts_with(char::is_uppercase) =>
            {
                format!(
                    "the name of a predicate begins with a small letter: `{}(…)`; to call what a \
                     variable stands for, write `call({}, …)`",
                    small(self.last.text(self.text)),
                    self.last.text(self.text)
                )
            }
            (TokenKind::Variable, TokenKind::OpenCt) => format!(
                "a variable can't stand for a predicate's name; write `call({}, …)`",
                self.last.text(self.text)
            ),
            (TokenKind::Name | TokenKind::Quoted | TokenKind::Symbol, TokenKind::Open) => {
                "no space may stand between a name and the `(` of its arguments".into()
            }
            (_, TokenKind::Open | TokenKind::OpenCt) => {
                "is a `,` or an operator missing before the `(`?".into()
            }
            (_, TokenKind::Symbol) if token.text(self.text).starts_with('#') => format!(
                "`{}` is an operator of library(clpfd): write `:- use_module(library(clpfd)).` at the \
                 beginning of the file",
                shorten(token.text(self.text))
            ),
            (_, TokenKind::Name) if matches!(token.text(self.text), "in" | "ins") => format!(
                "`{}` is an operator of library(clpfd): write `:- use_module(library(clpfd)).` at the \
                 beginning of the file",
                token.text(self.text)
            ),
            (_, TokenKind::Symbol) => format!(
                "`{}` is no operator; one can be declared with `:- op(700, xfx, {0})`",
                shorten(token.text(self.text))
            ),
            _ => format!("is a `,` missing before {}?", self.describe(token)),
        }
    }

    /// `token`, just taken, stands where a term is expected.
    pub(super) fn no_term(&mut self, token: Token) -> Box<ParseFailure> {
        if let Some(found) = self.foreign_comment(token) {
            return found;
        }
        if let Some(found) = self.lexical(token) {
            return found;
        }
        let resume = Resume::From(token.start as usize);
        let previous = self.before;
        self.last = previous;
        if matches!(token.kind, TokenKind::End | TokenKind::Eof) {
            return self.term_missing_at_end(token, previous);
        }
        let close =
            matches!(token.kind, TokenKind::Close | TokenKind::CloseList | TokenKind::CloseCurly);
        if close && !self.closes(token) {
            return self.unmatched(token);
        }
        let here = self.describe(token);
        let message = if previous.kind == TokenKind::End {
            format!("a clause can't begin with {here}")
        } else {
            format!("a term is missing between {} and {here}", self.describe(previous))
        };
        let mut found = self.found(FaultKind::CannotStartTerm, message, resume);
        found.diagnostic =
            found.diagnostic.at(self.source, token.span(), "a term is expected here");
        if previous.kind == TokenKind::Comma && close {
            found.diagnostic.hint = Some(format!("remove the `,` before {here}"));
        } else if matches!(token.kind, TokenKind::Comma | TokenKind::Bar) {
            found.diagnostic.hint = Some(format!(
                "write the missing term; {here} as a name must be quoted: '{}'",
                token.text(self.text)
            ));
        }
        found
    }

    fn term_missing_at_end(&mut self, token: Token, previous: Token) -> Box<ParseFailure> {
        if previous.kind == TokenKind::End {
            let mut found = self.found(
                FaultKind::EndOfClause,
                "a full stop with nothing before it",
                Resume::From(token.start as usize),
            );
            found.diagnostic =
                found.diagnostic.at(self.source, token.span(), "no clause ends here");
            return found;
        }
        if self.depth() > 0 {
            return self.unclosed(token);
        }
        let last = self.describe(previous);
        let (kind, resume) = match token.kind {
            TokenKind::End => (FaultKind::EndOfClause, Resume::At(token.end as usize)),
            _ => (FaultKind::EndOfFile, Resume::Nowhere),
        };
        let message = match token.kind {
            TokenKind::End => format!("a term is missing between {last} and the full stop"),
            _ => format!("the text ends in the middle of a clause, after {last}"),
        };
        let mut found = self.found(kind, message, resume);
        found.diagnostic = found.diagnostic.at(self.source, self.gap(), "a term is expected here");
        if previous.kind == TokenKind::Comma {
            found.diagnostic.hint = Some(
                "end the clause with `.` in place of this `,`, or write the missing goal".into(),
            );
            if token.kind == TokenKind::End {
                found.diagnostic = found.diagnostic.mend(self.source, previous.span(), "");
            }
        }
        if matches!(previous.text(self.text), ":-" | "-->") {
            found.diagnostic.hint = Some(format!(
                "goals stand behind {}; a fact is written without it",
                self.describe(previous)
            ));
        }
        found
    }

    fn closes(&self, token: Token) -> bool {
        match self.frame().kind {
            FrameKind::Clause => false,
            FrameKind::Paren | FrameKind::Args => token.kind == TokenKind::Close,
            FrameKind::List | FrameKind::Tail => token.kind == TokenKind::CloseList,
            FrameKind::Curly => token.kind == TokenKind::CloseCurly,
        }
    }

    /// Whether a new clause seems to begin with `token`.
    fn new_clause(&self, token: Token) -> bool {
        begins_clause(token, self.first, self.text)
    }

    /// The clause ends, or another seems to begin, behind a complete term.
    fn early_end(&mut self, token: Token) -> Box<ParseFailure> {
        if self.depth() > 0 {
            return self.unclosed(token);
        }
        let (kind, message, resume) = if token.kind == TokenKind::Eof {
            (FaultKind::EndOfFile, "the last clause has no full stop", Resume::Nowhere)
        } else {
            let resume = Resume::At(token.start as usize);
            (FaultKind::EndOfClauseExpected, "this clause has no full stop", resume)
        };
        let mut found = self.found(kind, message, resume);
        found.diagnostic = found.diagnostic.at(self.source, self.gap(), "expected `.` here").mend(
            self.source,
            self.gap(),
            ".",
        );
        if token.kind != TokenKind::Eof {
            found.diagnostic =
                found.diagnostic.also(self.source, token.span(), "the next clause begins here");
        }
        found
    }

    /// The innermost bracket isn't closed where the clause ends.
    fn unclosed(&mut self, token: Token) -> Box<ParseFailure> {
        let frame = self.frame();
        let open = Span { start: frame.open, end: frame.open + 1 };
        let opener = self.text.get(frame.open as usize..frame.open as usize + 1).unwrap_or("(");
        let closer = closer_of(opener);
        let resume = match token.kind {
            TokenKind::Eof => Resume::Nowhere,
            TokenKind::End => Resume::At(token.end as usize),
            _ => Resume::At(token.start as usize),
        };
        let message = format!("this `{opener}` is never closed");
        let mut found = self.found(FaultKind::UnclosedBracket, message, resume);
        found.diagnostic =
            found.diagnostic.at(self.source, open, format!("`{closer}` is missing")).also(
                self.source,
                self.gap(),
                match token.kind {
                    TokenKind::Eof => "the text ends here",
                    TokenKind::End => "the clause ends here",
                    _ => "the next clause seems to begin behind this",
                },
            );
        found
    }

    /// A closing bracket that closes nothing, or not what is open.
    pub(super) fn unmatched(&mut self, token: Token) -> Box<ParseFailure> {
        let here = self.describe(token);
        let frame = self.frame();
        let resume = Resume::From(token.end as usize);
        if frame.kind == FrameKind::Clause {
            let message = format!("{here} closes nothing");
            let mut found = self.found(FaultKind::UnmatchedBracket, message, resume);
            found.diagnostic = found
                .diagnostic
                .at(self.source, token.span(), "no bracket is open here")
                .hint(format!("remove {here}, or add the opening bracket that belongs to it"));
            return found;
        }
        let opener = self.text.get(frame.open as usize..frame.open as usize + 1).unwrap_or("(");
        let closer = closer_of(opener);
        let message = format!("{here} can't close `{opener}`");
        let mut found = self.found(FaultKind::UnmatchedBracket, message, resume);
        found.diagnostic = found
            .diagnostic
            .at(self.source, token.span(), format!("expected `{closer}` here"))
            .also(self.source, Span { start: frame.open, end: frame.open + 1 }, "to close this");
        found
    }

    /// More than one term after `|`.
    pub(super) fn list_rest(&mut self, token: Token) -> Box<ParseFailure> {
        let mut found = self.found(
            FaultKind::ListRest,
            "only one term may stand between `|` and `]`",
            self.onward(token),
        );
        found.diagnostic = found
            .diagnostic
            .at(self.source, token.span(), "expected `]` here")
            .hint("`[H | T]`: T is the rest of the list, itself a list");
        found
    }

    /// Operators whose priorities don't fit; `left` is the term before the second.
    pub(super) fn clash(&mut self, token: Token, left: Option<Operand>) -> Box<ParseFailure> {
        if let Some(found) = self.foreign_comment(token) {
            return found;
        }
        // `a :- b,` and on the next line `c :- d.`: the `,` was to be a full stop.
        if let Some(left) = left
            && matches!(token.text(self.text), ":-" | "-->")
            && self.depth() == 0
        {
            let start = Token { kind: TokenKind::Name, start: left.start, end: left.end };
            if begins_clause(start, self.first, self.text) {
                self.last = self.previous_of(start);
                let resume = Resume::At(left.start as usize);
                let kind = FaultKind::EndOfClauseExpected;
                let last = self.describe(self.last);
                let mut found = self.found(kind, "this clause has no full stop", resume);
                found.diagnostic = found
                    .diagnostic
                    .at(self.source, self.last.span(), format!("expected `.` in place of {last}"))
                    .mend(self.source, self.last.span(), ".")
                    .also(self.source, left.span(), "the next clause begins here");
                return found;
            }
        }
        let here = self.describe(token);
        let pending = self.pending();
        let message = match pending {
            Some(op) => format!(
                "{here} can't stand beside `{}` without parentheses",
                self.symbols.name(op.name)
            ),
            None => format!("{here} can't take what stands before it without parentheses"),
        };
        let mut found = self.found(FaultKind::OperatorClash, message, self.onward(token));
        found.diagnostic = found.diagnostic.at(self.source, token.span(), "here").hint(match token
            .text(self.text)
        {
            "=>" => "\"at least\" is written `>=`; put parentheses around what belongs together",
            _ => "put parentheses around the part that belongs together",
        });
        if let Some(op) = pending.filter(|op| op.name == atoms::NECK)
            && token.text(self.text) == ":-"
        {
            found.diagnostic.message =
                "a clause has one `:-`, between its head and its body".to_owned();
            found.diagnostic.hint = Some("write `,` in the place of this one".to_owned());
            let place = Span { start: op.start, end: op.end };
            found.diagnostic = found.diagnostic.mend(self.source, token.span(), ",").also(
                self.source,
                place,
                "the body begins here",
            );
            return found;
        }
        if let Some(op) = pending {
            let span = Span { start: op.start, end: op.end };
            found.diagnostic = found.diagnostic.also(self.source, span, "because of this operator");
        }
        found
    }

    /// The prefix operator that a word is a letter or two away from.
    fn prefix_operator_like(&self, word: &str) -> Option<String> {
        let all = self.operators.all(self.symbols);
        let mut names = all.iter().map(|&(name, _)| name).filter(|&name| {
            let text = self.symbols.name(name);
            text.len() > 3
                && zug_term::spelling::distance(text, word).is_some()
                && self.operators.prefix(name).is_some()
        });
        names.next().map(|name| self.symbols.name(name).to_owned())
    }

    /// The token right before `token`, which is in this clause and not its first.
    fn previous_of(&mut self, token: Token) -> Token {
        self.tokens.seek(self.first.start as usize);
        let mut before = self.first;
        loop {
            let next = self.tokens.next(self.text);
            if next.start >= token.start {
                return before;
            }
            before = next;
        }
    }

    pub(super) fn too_deep(&mut self) -> Box<ParseFailure> {
        let mut found = self.found(
            FaultKind::TooDeep,
            format!("nested more than {MAX_DEPTH} levels deep"),
            Resume::Nowhere,
        );
        found.diagnostic = found
            .diagnostic
            .at(self.source, self.last.span(), "too deep here")
            .also(self.source, self.first.span(), "the clause begins here")
            .hint("are closing brackets missing?");
        found
    }
}

/// A name with a small first letter.
fn small(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

fn closer_of(opener: &str) -> &'static str {
    match opener {
        "[" => "]",
        "{" => "}",
        _ => ")",
    }
}

/// A piece of the user's text, short enough for a message.
pub(super) fn shorten(text: &str) -> String {
    const LONGEST: usize = 30;
    let mut short: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '␣' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

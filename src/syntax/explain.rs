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
    ("&& & and", "\"and\" is written `,`"),
    ("|| or", "\"or\" is written `;`"),
    ("!= <> ≠ /= ~= =/= =!", "\"not equal\" is written `\\=` for terms, `=\\=` for numbers"),
    ("<= ≤", "\"at most\" is written `=<`"),
    ("≥ =>= >==", "\"at least\" is written `>=`"),
    ("+= ++", "a variable doesn't change; bind a new one: `Y is X + 1`"),
    ("-= --", "a variable doesn't change; bind a new one: `Y is X - 1`"),
    ("%", "\"modulo\" is written `mod`"),
    (":=", "a number is computed by `X is …`, a term given by `X = …`; a variable doesn't change"),
    ("**=", "a variable doesn't change; bind a new one: `Y is X * X`"),
    ("*=", "a variable doesn't change; bind a new one: `Y is X * 2`"),
    ("-: ::- :-- ;- <- ← :=:", "\"if\" is written `:-`"),
    ("===", "\"the same term\" is written `==`, \"equal numbers\" `=:=`"),
    ("elif elseif endif then else", "\"if A then B else C\" is written `( A -> B ; C )`"),
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

/// What a row of a table has for a word.
fn entry(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(words, _)| words.split(' ').any(|one| one == word)).map(|row| row.1)
}

/// What is written here in the place of dicts.
pub(super) const NO_DICTS: &str = "there are no dicts: a state is a term, as `state(X, Y)`, or a list, as \
    `[x-1, y-2]`; its parts are taken by giving them names in a clause's head";

/// What takes the place of an operator of another language, where it can be nothing else.
const REPLACED: &[(&str, &str)] =
    &[("&&", ","), ("||", ";"), ("<= ≤", "=<"), ("≥", ">="), ("<- ← -: ::- :--", ":-")];

impl Clause<'_> {
    /// A fault, by what is said about its place.
    pub(super) fn found(
        &self,
        kind: FaultKind,
        message: impl Into<String>,
        resume: Resume,
        span: Span,
        label: impl Into<String>,
    ) -> Box<ParseFailure> {
        let diagnostic = Diagnostic::error(kind.code(), message).at(self.source, span, label);
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
        let special = self.foreign_comment(token).or_else(|| self.lexical(token));
        let special = special.or_else(|| self.long_quote()).or_else(|| self.apostrophe(token));
        if let Some(found) = special {
            return found;
        }
        if matches!(token.kind, TokenKind::Eof | TokenKind::End)
            || begins_clause(token, self.first, self.text)
        {
            return self.early_end(token);
        }
        if token.kind == TokenKind::Symbol && token.text(self.text).starts_with('.') {
            return self.tight_full_stop(token);
        }
        let (kind, resume) = (FaultKind::OperatorExpected, self.onward(token));
        if self.lacks_neck(token) {
            let message = "`:-` is missing between the head of this clause and its body";
            let found = self.found(kind, message, resume, self.gap(), "expected `:-` here");
            return found.with(|it| it.mend(self.source, self.gap(), " :-"));
        }
        let last = self.describe(self.last);
        if self.last.kind.is_number() && token.start == self.last.end {
            return self.number_runs_on(token);
        }
        let message = format!("unexpected {} after {last}", self.describe(token));
        let label = "an operator, `,` or the end of the clause is expected here";
        let found = self.found(kind, message, resume, token.span(), label);
        let written = self.operator_written(token);
        let hint = self.operator_hint(token, written);
        let fix = self.operator_fix(token, written);
        found.with(|it| match fix {
            Some((span, text)) => it.hint(hint).mend(self.source, span, text),
            None => it.hint(hint),
        })
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

    /// A token, with the symbol right behind it, as other languages have `&&` or `||`.
    fn operator_written(&mut self, token: Token) -> Span {
        self.tokens.seek(token.start as usize);
        self.tokens.next(self.text);
        let next = self.peek(0);
        let symbol =
            next.start == token.end && matches!(next.kind, TokenKind::Symbol | TokenKind::Bar);
        Span { start: token.start, end: if symbol { next.end } else { token.end } }
    }

    /// The change that mends an unexpected token, where there is but one.
    fn operator_fix(&self, token: Token, written: Span) -> Option<(Span, String)> {
        let last = self.last.text(self.text);
        if self.last.kind == TokenKind::Variable && token.kind == TokenKind::OpenCt {
            last.chars().next().filter(|c| c.is_uppercase())?;
            let is_head = self.last.start == self.first.start;
            return is_head.then(|| (self.last.span(), small(last)));
        }
        let gap = Span { start: self.last.end, end: token.start };
        if self.last.kind == TokenKind::Name && token.kind == TokenKind::Open && gap.start < gap.end
        {
            let blank = self.text_of(gap).chars().all(|c| c == ' ');
            return blank.then(|| (gap, String::new()));
        }
        let meant = entry(REPLACED, self.text_of(written))?;
        Some((written, meant.to_owned()))
    }

    /// The text of a place.
    pub(super) fn text_of(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn operator_hint(&self, token: Token, written: Span) -> String {
        let (before, text) = (self.last.text(self.text), token.text(self.text));
        let foreign = entry(FOREIGN, self.text_of(written)).or_else(|| entry(FOREIGN, text));
        if let Some(hint) = foreign.or_else(|| entry(FOREIGN_BEFORE, before)) {
            return hint.into();
        }
        if self.last.kind == TokenKind::Name
            && token.kind.starts_term()
            && let Some(operator) = self.prefix_operator_like(before)
        {
            return format!("did you mean `{operator}`?");
        }
        let of_clpfd = |text: &str| {
            format!(
                "`{text}` is an operator of library(clpfd): write `:- use_module(library(clpfd)).` at the \
                 beginning of the file"
            )
        };
        match (self.last.kind, token.kind) {
            (TokenKind::Variable | TokenKind::Name, _)
                if self.last.end == token.start && text == "{" =>
            {
                NO_DICTS.into()
            }
            (TokenKind::Variable, TokenKind::OpenCt) => {
                let named = || {
                    let name = small(before);
                    format!("the name of a predicate begins with a small letter: `{name}(…)`")
                };
                if self.last.start == self.first.start {
                    named()
                } else if before.starts_with(char::is_uppercase) {
                    let call = "to call what a variable stands for, write";
                    format!("{}; {call} `call({before}, …)`", named())
                } else {
                    format!(
                        "a variable can't stand for a predicate's name; write `call({before}, …)`"
                    )
                }
            }
            (TokenKind::Name | TokenKind::Quoted | TokenKind::Symbol, TokenKind::Open) => {
                "no space may stand between a name and the `(` of its arguments".into()
            }
            (_, TokenKind::Open | TokenKind::OpenCt) => {
                "is a `,` or an operator missing before the `(`?".into()
            }
            (_, TokenKind::Symbol) if text.starts_with('#') => of_clpfd(&shorten(text)),
            (_, TokenKind::Name) if matches!(text, "in" | "ins") => of_clpfd(text),
            (_, TokenKind::Symbol) => format!(
                "`{}` is no operator; one can be declared with `:- op(700, xfx, {0})`",
                shorten(text)
            ),
            _ => format!("is a `,` missing before {}?", self.describe(token)),
        }
    }

    /// `token`, just taken, stands where a term is expected.
    pub(super) fn no_term(&mut self, token: Token) -> Box<ParseFailure> {
        if let Some(found) = self.foreign_comment(token).or_else(|| self.lexical(token)) {
            return found;
        }
        let previous = self.before;
        self.last = previous;
        if matches!(token.kind, TokenKind::End | TokenKind::Eof) {
            return self.term_missing_at_end(token, previous);
        }
        let close =
            matches!(token.kind, TokenKind::Close | TokenKind::CloseList | TokenKind::CloseCurly);
        if close && self.frame().kind.closed_by() != Some(token.kind) {
            return self.unmatched(token);
        }
        let here = self.describe(token);
        let message = if previous.kind == TokenKind::End {
            format!("a clause can't begin with {here}")
        } else {
            format!("a term is missing between {} and {here}", self.describe(previous))
        };
        let kind = FaultKind::CannotStartTerm;
        let label = "a term is expected here";
        let found = self.found(kind, message, self.onward(token), token.span(), label);
        found.with(|it| {
            if previous.kind == TokenKind::Comma && close {
                it.hint(format!("remove the `,` before {here}"))
            } else if matches!(token.kind, TokenKind::Comma | TokenKind::Bar) {
                let quoted = token.text(self.text);
                it.hint(format!(
                    "write the missing term; {here} as a name must be quoted: '{quoted}'"
                ))
            } else {
                it
            }
        })
    }

    fn term_missing_at_end(&mut self, token: Token, previous: Token) -> Box<ParseFailure> {
        if previous.kind == TokenKind::End {
            let (kind, resume) = (FaultKind::EndOfClause, self.onward(token));
            let message = "a full stop with nothing before it";
            return self.found(kind, message, resume, token.span(), "no clause ends here");
        }
        if self.depth() > 0 {
            return self.unclosed(token);
        }
        let last = self.describe(previous);
        let is_end = token.kind == TokenKind::End;
        let (kind, resume, message) = if is_end {
            let message = format!("a term is missing between {last} and the full stop");
            (FaultKind::EndOfClause, Resume::At(token.end as usize), message)
        } else {
            let message = format!("the text ends in the middle of a clause, after {last}");
            (FaultKind::EndOfFile, Resume::Nowhere, message)
        };
        let found = self.found(kind, message, resume, self.gap(), "a term is expected here");
        found.with(|it| match previous.text(self.text) {
            _ if previous.kind == TokenKind::Comma => {
                let it = it.hint(
                    "end the clause with `.` in place of this `,`, or write the missing goal",
                );
                if is_end { it.mend(self.source, previous.span(), "") } else { it }
            }
            ":-" | "-->" => {
                it.hint(format!("goals stand behind {last}; a fact is written without it"))
            }
            _ => it,
        })
    }

    /// The clause ends, or another seems to begin, behind a complete term.
    fn early_end(&mut self, token: Token) -> Box<ParseFailure> {
        if self.depth() > 0 {
            return self.unclosed(token);
        }
        let (source, gap) = (self.source, self.gap());
        let mended = |found: Box<ParseFailure>| found.with(|it| it.mend(source, gap, "."));
        if token.kind == TokenKind::Eof {
            let (kind, resume) = (FaultKind::EndOfFile, Resume::Nowhere);
            let message = "the last clause has no full stop";
            return mended(self.found(kind, message, resume, gap, "expected `.` here"));
        }
        let (kind, resume) = (FaultKind::EndOfClauseExpected, Resume::At(token.start as usize));
        let found = self.found(kind, NO_FULL_STOP, resume, gap, "expected `.` here");
        mended(found).with(|it| it.also(source, token.span(), NEXT_CLAUSE))
    }

    /// The innermost open bracket, where it stands, and what closes it.
    fn open_bracket(&self) -> (&str, Span, &'static str) {
        let open = self.frame().open;
        let span = Span { start: open, end: open + 1 };
        let opener = self.text.get(open as usize..open as usize + 1).unwrap_or("(");
        let closer = match opener {
            "[" => "]",
            "{" => "}",
            _ => ")",
        };
        (opener, span, closer)
    }

    /// The innermost bracket isn't closed where the clause ends.
    fn unclosed(&mut self, token: Token) -> Box<ParseFailure> {
        let (opener, open, closer) = self.open_bracket();
        let (resume, end) = match token.kind {
            TokenKind::Eof => (Resume::Nowhere, "the text ends here"),
            TokenKind::End => (Resume::At(token.end as usize), "the clause ends here"),
            _ => {
                let end = "the next clause seems to begin behind this";
                (Resume::At(token.start as usize), end)
            }
        };
        let (message, label) =
            (format!("this `{opener}` is never closed"), format!("`{closer}` is missing"));
        let found = self.found(FaultKind::UnclosedBracket, message, resume, open, label);
        found.with(|it| it.also(self.source, self.gap(), end))
    }

    /// A closing bracket that closes nothing, or not what is open.
    pub(super) fn unmatched(&mut self, token: Token) -> Box<ParseFailure> {
        let here = self.describe(token);
        let (kind, resume) = (FaultKind::UnmatchedBracket, Resume::From(token.end as usize));
        if self.frame().kind == FrameKind::Clause {
            let message = format!("{here} closes nothing");
            let label = "no bracket is open here";
            let found = self.found(kind, message, resume, token.span(), label);
            let hint = format!("remove {here}, or add the opening bracket that belongs to it");
            return found.with(|it| it.hint(hint));
        }
        let (opener, open, closer) = self.open_bracket();
        let message = format!("{here} can't close `{opener}`");
        let label = format!("expected `{closer}` here");
        let found = self.found(kind, message, resume, token.span(), label);
        found.with(|it| it.also(self.source, open, "to close this"))
    }

    /// More than one term after `|`.
    pub(super) fn list_rest(&mut self, token: Token) -> Box<ParseFailure> {
        let message = "only one term may stand between `|` and `]`";
        let (kind, resume) = (FaultKind::ListRest, self.onward(token));
        let found = self.found(kind, message, resume, token.span(), "expected `]` here");
        found.with(|it| it.hint("`[H | T]`: T is the rest of the list, itself a list"))
    }

    /// Operators whose priorities don't fit; `left` is the term before the second.
    pub(super) fn clash(&mut self, token: Token, left: Option<Operand>) -> Box<ParseFailure> {
        if let Some(found) = self.foreign_comment(token) {
            return found;
        }
        let text = token.text(self.text);
        // `a :- b,` and on the next line `c :- d.`: the `,` was to be a full stop.
        if let Some(left) = left
            && matches!(text, ":-" | "-->")
            && self.depth() == 0
        {
            let start = Token { kind: TokenKind::Name, start: left.start, end: left.end };
            if begins_clause(start, self.first, self.text) {
                self.last = self.previous_of(start);
                let (kind, resume) =
                    (FaultKind::EndOfClauseExpected, Resume::At(left.start as usize));
                let label = format!("expected `.` in place of {}", self.describe(self.last));
                let comma = self.last.span();
                let found = self.found(kind, NO_FULL_STOP, resume, comma, label);
                return found.with(|it| {
                    it.mend(self.source, comma, ".").also(self.source, left.span(), NEXT_CLAUSE)
                });
            }
        }
        let here = self.describe(token);
        let (kind, resume) = (FaultKind::OperatorClash, self.onward(token));
        let Some(op) = self.pending() else {
            let message = format!("{here} can't take what stands before it without parentheses");
            let found = self.found(kind, message, resume, token.span(), "here");
            return found.with(|it| it.hint(clash_hint(text)));
        };
        let place = Span { start: op.start, end: op.end };
        if op.name == atoms::NECK && text == ":-" {
            let message = "a clause has one `:-`, between its head and its body";
            let found = self.found(kind, message, resume, token.span(), "here");
            return found.with(|it| {
                let it = it.hint("write `,` in the place of this one");
                let it = it.mend(self.source, token.span(), ",");
                it.also(self.source, place, "the body begins here")
            });
        }
        let name = self.symbols.name(op.name);
        let message = format!("{here} can't stand beside `{name}` without parentheses");
        let found = self.found(kind, message, resume, token.span(), "here");
        found.with(|it| {
            it.hint(clash_hint(text)).also(self.source, place, "because of this operator")
        })
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
        let message = format!("nested more than {MAX_DEPTH} levels deep");
        let (kind, resume) = (FaultKind::TooDeep, Resume::Nowhere);
        let found = self.found(kind, message, resume, self.last.span(), "too deep here");
        found.with(|it| {
            it.also(self.source, self.first.span(), "the clause begins here")
                .hint("are closing brackets missing?")
        })
    }
}

const NO_FULL_STOP: &str = "this clause has no full stop";
const NEXT_CLAUSE: &str = "the next clause begins here";

fn clash_hint(operator: &str) -> &'static str {
    match operator {
        "=>" => "\"at least\" is written `>=`; put parentheses around what belongs together",
        _ => "put parentheses around the part that belongs together",
    }
}

/// A name with a small first letter.
fn small(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
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

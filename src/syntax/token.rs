//! The token stream: what `grammars/rules.pest` matches, in bounded pieces.
//!
//! The text is matched a window at a time, so a large file never needs a tree of
//! the whole. A token that ends within [`MARGIN`] bytes of the window's end might
//! look different with more text behind it; it is matched again in the next
//! window, which grows until the token fits.
//!
//! Invariant: tokens are in order of place and don't overlap; between two of them
//! is only layout (and comments, where the stream leaves them out).

use pest::Parser;
use zug_term::source::Span;

/// The matcher generated from the grammar, and its rules.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "../../grammars/rules.pest"]
    pub struct Grammar;
}
use grammar::{Grammar, Rule};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TokenKind {
    /// `taquin`
    Name,
    /// `:-`
    Symbol,
    /// `!` or `;`
    Solo,
    /// `'hello world'`
    Quoted,
    /// `X`
    Variable,
    /// `42`
    Integer,
    /// `1.5e3`
    Float,
    /// `1.0Inf`
    SpecialFloat,
    /// `1r3`
    Rational,
    /// `0'a`
    CharacterCode,
    /// `0xFF`
    Hexadecimal,
    /// `0o17`
    Octal,
    /// `0b101`
    Binary,
    /// `16'FF`
    Radix,
    /// `"text"`
    String,
    /// `` `text` ``
    BackQuoted,
    /// `(` right behind the token before it
    OpenCt,
    /// `(` behind layout
    Open,
    /// `)`
    Close,
    /// `[`
    OpenList,
    /// `]`
    CloseList,
    /// `{`
    OpenCurly,
    /// `}`
    CloseCurly,
    /// `,`
    Comma,
    /// `|`
    Bar,
    /// The full stop at the end of a clause
    End,
    /// `% …`
    LineComment,
    /// `/* … */`
    BlockComment,
    /// A quoted item or character code with an escape that isn't one
    BadEscape,
    /// A quoted item that is never closed
    OpenQuoted,
    /// A block comment that is never closed
    OpenComment,
    /// Characters no token has
    Unknown,
    /// The end of the text
    Eof,
}

impl TokenKind {
    /// All kinds, in order of their numbers.
    pub const ALL: [TokenKind; 33] = [
        TokenKind::Name,
        TokenKind::Symbol,
        TokenKind::Solo,
        TokenKind::Quoted,
        TokenKind::Variable,
        TokenKind::Integer,
        TokenKind::Float,
        TokenKind::SpecialFloat,
        TokenKind::Rational,
        TokenKind::CharacterCode,
        TokenKind::Hexadecimal,
        TokenKind::Octal,
        TokenKind::Binary,
        TokenKind::Radix,
        TokenKind::String,
        TokenKind::BackQuoted,
        TokenKind::OpenCt,
        TokenKind::Open,
        TokenKind::Close,
        TokenKind::OpenList,
        TokenKind::CloseList,
        TokenKind::OpenCurly,
        TokenKind::CloseCurly,
        TokenKind::Comma,
        TokenKind::Bar,
        TokenKind::End,
        TokenKind::LineComment,
        TokenKind::BlockComment,
        TokenKind::BadEscape,
        TokenKind::OpenQuoted,
        TokenKind::OpenComment,
        TokenKind::Unknown,
        TokenKind::Eof,
    ];

    /// Whether the token is an atom's text: it may be an operator or a functor.
    pub fn is_name(self) -> bool {
        matches!(self, TokenKind::Name | TokenKind::Symbol | TokenKind::Solo | TokenKind::Quoted)
    }

    /// Whether the token is a comment, closed or not.
    pub fn is_comment(self) -> bool {
        matches!(self, TokenKind::LineComment | TokenKind::BlockComment | TokenKind::OpenComment)
    }

    /// Whether the token is a number.
    pub fn is_number(self) -> bool {
        matches!(
            self,
            TokenKind::Integer
                | TokenKind::Float
                | TokenKind::SpecialFloat
                | TokenKind::Rational
                | TokenKind::CharacterCode
                | TokenKind::Hexadecimal
                | TokenKind::Octal
                | TokenKind::Binary
                | TokenKind::Radix
        )
    }

    /// Whether a term can begin with the token.
    pub fn starts_term(self) -> bool {
        self.is_name()
            || self.is_number()
            || matches!(
                self,
                TokenKind::Variable
                    | TokenKind::String
                    | TokenKind::BackQuoted
                    | TokenKind::OpenCt
                    | TokenKind::Open
                    | TokenKind::OpenList
                    | TokenKind::OpenCurly
                    | TokenKind::BadEscape
                    | TokenKind::OpenQuoted
            )
    }

    fn from_rule(rule: Rule) -> TokenKind {
        match rule {
            Rule::name | Rule::other_name => TokenKind::Name,
            Rule::symbol => TokenKind::Symbol,
            Rule::solo => TokenKind::Solo,
            Rule::quoted => TokenKind::Quoted,
            Rule::variable | Rule::other_variable => TokenKind::Variable,
            Rule::plain_integer | Rule::integer => TokenKind::Integer,
            Rule::float => TokenKind::Float,
            Rule::special_float => TokenKind::SpecialFloat,
            Rule::rational => TokenKind::Rational,
            Rule::character_code => TokenKind::CharacterCode,
            Rule::hexadecimal => TokenKind::Hexadecimal,
            Rule::octal => TokenKind::Octal,
            Rule::binary => TokenKind::Binary,
            Rule::radix => TokenKind::Radix,
            Rule::string => TokenKind::String,
            Rule::back_quoted => TokenKind::BackQuoted,
            Rule::open_ct => TokenKind::OpenCt,
            Rule::open => TokenKind::Open,
            Rule::close => TokenKind::Close,
            Rule::open_list => TokenKind::OpenList,
            Rule::close_list => TokenKind::CloseList,
            Rule::open_curly => TokenKind::OpenCurly,
            Rule::close_curly => TokenKind::CloseCurly,
            Rule::comma => TokenKind::Comma,
            Rule::bar => TokenKind::Bar,
            Rule::end => TokenKind::End,
            Rule::line_comment => TokenKind::LineComment,
            Rule::block_comment => TokenKind::BlockComment,
            Rule::bad_quoted | Rule::bad_character_code => TokenKind::BadEscape,
            Rule::open_quoted => TokenKind::OpenQuoted,
            _ => TokenKind::Unknown,
        }
    }
}

/// A token: its kind and the bytes it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset behind its last byte.
    pub end: u32,
}

impl Token {
    /// The token's place.
    pub fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }

    /// The token's text.
    pub fn text(self, source: &str) -> &str {
        &source[self.start as usize..self.end as usize]
    }
}

/// Bytes matched at a time.
const WINDOW: usize = 1 << 13;
/// How far a token's matching may look beyond its end.
const MARGIN: usize = 16;

/// A function that says whether to go on reading; called now and then with the number of tokens the
/// clause has so far.
pub struct ReadLimit(pub Box<dyn Fn(usize) -> bool + Send>);

impl std::fmt::Debug for ReadLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReadLimit")
    }
}

/// Tokens of a text from some offset on.
#[derive(Debug)]
pub(crate) struct Tokens {
    pub(super) read_limit: Option<ReadLimit>,
    /// The read limit was reached: the text ends here.
    pub(super) stopped: bool,
    /// Tokens since this was last set to 0.
    pub(super) count: usize,
    buffer: Vec<Token>,
    next: usize,
    /// Where matching goes on.
    offset: usize,
    comments: bool,
    window: usize,
}

impl Tokens {
    /// A stream that starts at `offset`; with or without comments.
    pub(crate) fn new(offset: usize, comments: bool) -> Tokens {
        Tokens {
            read_limit: None,
            stopped: false,
            count: 0,
            buffer: Vec::new(),
            next: 0,
            offset,
            comments,
            window: 256,
        }
    }

    /// A stream of tokens that were found before, which are all the text has.
    pub(crate) fn found(tokens: Vec<Token>, text: &str) -> Tokens {
        Tokens { buffer: tokens, ..Tokens::new(text.len(), false) }
    }

    /// Goes to another place, which must be the start of a token or layout.
    pub(crate) fn seek(&mut self, offset: usize) {
        self.buffer.clear();
        self.next = 0;
        self.offset = offset;
    }

    /// The token `ahead` places after the next one.
    #[inline]
    pub(crate) fn peek(&mut self, text: &str, ahead: usize) -> Token {
        while self.next + ahead >= self.buffer.len() {
            if self.offset >= text.len() {
                let end = text.len() as u32;
                return Token { kind: TokenKind::Eof, start: end, end };
            }
            self.fill(text);
        }
        self.buffer[self.next + ahead]
    }

    /// Takes the next token.
    #[inline]
    pub(crate) fn next(&mut self, text: &str) -> Token {
        let token = self.peek(text, 0);
        if token.kind != TokenKind::Eof {
            self.next += 1;
        }
        token
    }

    /// Asks whether to go on.
    fn is_over(&mut self) -> bool {
        self.stopped |= self.read_limit.as_ref().is_some_and(|ReadLimit(go_on)| !go_on(self.count));
        self.stopped
    }

    /// Matches one more window of text.
    fn fill(&mut self, text: &str) {
        self.count += self.next;
        self.buffer.drain(..self.next);
        self.next = 0;
        if self.is_over() {
            self.offset = text.len();
            return;
        }
        let mut size = self.window;
        // Short texts (a query, a number) take one small window, files large ones.
        self.window = WINDOW;
        loop {
            let end = floor_char_boundary(text, self.offset.saturating_add(size));
            let reached = self.match_window(&text[self.offset..end], end == text.len());
            if reached > 0 {
                self.offset += reached;
                return;
            }
            if self.is_over() {
                self.offset = text.len();
                return;
            }
            size = size.saturating_mul(2);
        }
    }

    /// Appends the tokens of a window that can be trusted; how far they reach,
    /// 0 if the window is too small for even one.
    fn match_window(&mut self, window: &str, last: bool) -> usize {
        let pairs = match Grammar::parse(Rule::chunk, window) {
            Ok(pairs) => pairs,
            // `chunk` matches any text; were it not so, the text is unknown.
            Err(_) => {
                self.push(TokenKind::Unknown, 0, window.len());
                return window.len();
            }
        };
        let mut reached = 0;
        let mut start = 0;
        // PERF: starts and ends as they were matched; pairs would count references.
        for mark in pairs.tokens() {
            let (rule, end) = match mark {
                pest::Token::Start { pos, .. } => {
                    start = pos.pos();
                    continue;
                }
                pest::Token::End { rule: Rule::chunk, .. } => continue,
                pest::Token::End { rule, pos } => (rule, pos.pos()),
            };
            if !last && end + MARGIN > window.len() {
                // Layout before an untrusted token is done with, unless the
                // token is a `(` whose kind depends on it.
                return reached;
            }
            let mut kind = TokenKind::from_rule(rule);
            if kind == TokenKind::BlockComment && !is_closed(&window[start..end]) {
                kind = TokenKind::OpenComment;
            }
            if self.comments || !matches!(kind, TokenKind::LineComment | TokenKind::BlockComment) {
                self.push(kind, start, end);
            }
            reached = end;
        }
        if last { window.len() } else { reached.max(blank_end(window)) }
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        let (start, end) = ((self.offset + start) as u32, (self.offset + end) as u32);
        self.buffer.push(Token { kind, start, end });
    }
}

/// Whether a block comment has its end.
fn is_closed(comment: &str) -> bool {
    comment.len() >= 4 && comment.ends_with("*/")
}

/// Where a window of nothing but layout may be cut: one character before its end,
/// so that a `(` behind it still counts as behind layout; 0 if it isn't all layout.
fn blank_end(window: &str) -> usize {
    if window.chars().all(|c| c.is_whitespace() || c == '\u{FEFF}') {
        window.char_indices().next_back().map_or(0, |(at, _)| at)
    } else {
        0
    }
}

/// The largest character boundary that is at most `at`.
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// All tokens of a text with their places, comments among them: for highlighting.
/// Never fails; what is no token comes as [`TokenKind::Unknown`],
/// [`TokenKind::OpenQuoted`] and the like.
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Tokens::new(0, true);
    let mut found = Vec::new();
    loop {
        let token = tokens.next(text);
        if token.kind == TokenKind::Eof {
            return found;
        }
        found.push(token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    fn check(text: &str, expect: &str) {
        let mut shown = String::new();
        for token in tokenize(text) {
            let _ = write!(shown, "{:?} ", token.kind);
        }
        assert_eq!(shown.trim_end(), expect, "tokens of {text:?}");
    }

    #[test]
    fn kinds() {
        check("foo(X) :- bar.", "Name OpenCt Variable Close Symbol Name End");
        check("foo (X", "Name Open Variable");
        check("a.b. c.% x\n.", "Name Symbol Name End Name End LineComment End");
        check("été Été 中文 _x ≤+", "Name Variable Name Variable Symbol");
        check(
            "0'a 0''' 0'' 0'\\n 0' .",
            "CharacterCode CharacterCode CharacterCode CharacterCode CharacterCode End",
        );
        check("0xFF 0o17 0b101 16'FF", "Hexadecimal Octal Binary Radix");
        check("1.5 1e10 1.0Inf 1_000 1. 5", "Float Float SpecialFloat Integer Integer End Integer");
        check("'a''b' \"x\" `y` '\\x41\\'", "Quoted String BackQuoted Quoted");
        check("'\\q' 'abc", "BadEscape OpenQuoted");
        check("/* a */ b /* c", "BlockComment Name OpenComment");
        check("“a”", "Unknown Name Unknown");
        check("!;,|{}[]", "Solo Solo Comma Bar OpenCurly CloseCurly OpenList CloseList");
        check("\u{FEFF}a", "Name");
        check("'a\\\nb'.", "Quoted End");
        check("\0\u{1}a", "Unknown Name");
    }

    #[test]
    fn windows_cut_no_token() {
        let long = "x".repeat(3 * WINDOW);
        let text =
            format!("'{long}'(a). %{long}\n/*{long}*/ {} (b) {long}.", " ".repeat(3 * WINDOW));
        let kinds: Vec<_> = tokenize(&text).into_iter().map(|token| token.kind).collect();
        use TokenKind::*;
        assert_eq!(
            kinds,
            [
                Quoted,
                OpenCt,
                Name,
                Close,
                End,
                LineComment,
                BlockComment,
                Open,
                Name,
                Close,
                Name,
                End
            ]
        );
        let facts = "foo(bar, 12.5, [x|Y], 'q') .\n".repeat(5000);
        let whole = tokenize(&facts);
        let one = tokenize("foo(bar, 12.5, [x|Y], 'q') .\n");
        assert_eq!(whole.len(), 5000 * one.len());
        for (i, token) in whole.iter().enumerate() {
            assert_eq!(token.kind, one[i % one.len()].kind);
        }
    }
}

//! A text as clauses: their tokens, what each name is, and the operators in force.

use crate::directives::{Directives, Files};
use zug_syntax::{Operators, ReadOptions, ReadTerm, Reader, Role, Token, TokenKind};
use zug_term::Heap;
use zug_term::source::{Source, Span};
use zug_term::symbol::Symbols;

/// A clause of a text, or a piece of it that can't be read.
#[derive(Clone, Debug, Default)]
pub struct Clause {
    /// From its first token to behind its full stop. Of what can't be read, to where the
    /// next clause begins.
    pub span: Span,
    /// Its tokens in order, comments among them; the last one is its full stop. Those of a piece
    /// that can't be read may be of any kind.
    pub tokens: Vec<Token>,
    /// What its names are; `None` if it can't be read.
    pub roles: Option<Vec<(u32, Role)>>,
}

/// A text, taken apart.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Its clauses in order.
    pub clauses: Vec<Clause>,
    /// The comments that stand between clauses, in order.
    pub comments: Vec<Token>,
}

/// What a clause is read into.
pub struct Room<'a> {
    /// The terms.
    pub heap: &'a Heap,
    /// Their names.
    pub symbols: &'a Symbols,
}

impl Reading {
    /// The text as clauses.
    pub fn of(source: &Source, files: &dyn Files) -> Reading {
        Reading::with(source, files, |_, _, _| ())
    }

    /// The text as clauses; `see` is shown each that can be read, as a term.
    pub fn with(
        source: &Source,
        files: &dyn Files,
        mut see: impl FnMut(Room<'_>, &ReadTerm, &Clause),
    ) -> Reading {
        let mut reading = Reading::default();
        let mut symbols = Symbols::new();
        let mut operators = Operators::standard(&mut symbols);
        let mut directives = Directives::new(files);
        let mut reader = Reader::new(source.clone());
        reader.note_roles();
        let options = ReadOptions::default();
        loop {
            let from = reader.offset();
            let mut heap = Heap::new();
            let read = reader.next(&mut heap, &mut symbols, &operators, &options);
            let to = reader.offset();
            let mut tokens = tokens_of(&source.text, from, to);
            let first = tokens.iter().position(|token| !token.kind.is_comment());
            let first = first.unwrap_or(tokens.len());
            reading.comments.extend(tokens.drain(..first));
            match read {
                Ok(None) => return reading,
                Ok(Some(mut term)) => {
                    let span = Span::new(term.span.start as usize, to);
                    let roles = Some(std::mem::take(&mut term.roles));
                    let clause = Clause { span, tokens, roles };
                    directives.follow(&heap, &mut symbols, &mut operators, term.root);
                    see(Room { heap: &heap, symbols: &symbols }, &term, &clause);
                    reading.clauses.push(clause);
                }
                Err(_) => {
                    let Some(first) = tokens.first() else { continue };
                    let span = Span::new(first.start as usize, to);
                    reading.clauses.push(Clause { span, tokens, roles: None });
                }
            }
        }
    }
}

/// The tokens of a part of a text.
fn tokens_of(text: &str, from: usize, to: usize) -> Vec<Token> {
    let tokens = zug_syntax::tokenize(&text[from..to]).into_iter();
    let place = |token: Token| Token {
        start: token.start + from as u32,
        end: token.end + from as u32,
        ..token
    };
    tokens.map(place).collect()
}

/// Whether tokens are of the same kind, but for layout before a bracket.
pub fn alike(one: TokenKind, other: TokenKind) -> bool {
    let plain = |kind| if kind == TokenKind::OpenCt { TokenKind::Open } else { kind };
    plain(one) == plain(other)
}

//! The stacks of the parser, and the failures it returns.

use super::clause_read::{ReadTerm, Role};
use super::fault::FaultKind;
use super::token::TokenKind;
use super::variables::{Finished, Variables};
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Span;
use zug_term::symbol::Atom;

/// The stacks of the parser; reused from clause to clause.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    pub operands: Vec<Operand>,
    pub ops: Vec<Pending>,
    pub frames: Vec<Frame>,
    pub cells: Vec<Cell>,
    pub spans: Vec<(usize, Span)>,
    pub variables: Variables,
    /// What each name is, by its place; `None` if no caller asks.
    pub roles: Option<Vec<(u32, Role)>>,
}

impl Stacks {
    pub(super) fn clear(&mut self) {
        self.operands.clear();
        self.ops.clear();
        self.frames.clear();
        self.spans.clear();
        self.variables.clear();
        self.roles.iter_mut().for_each(Vec::clear);
    }

    pub(super) fn finish(&mut self, root: Operand) -> ReadTerm {
        let Finished { variables, singletons, multiple } = self.variables.finish();
        ReadTerm {
            root: root.cell,
            span: root.span(),
            variables,
            singletons,
            multiple,
            spans: self.spans.clone(),
            roles: self.roles.clone().unwrap_or_default(),
        }
    }
}

/// Where reading resumes after a fault.
#[derive(Clone, Copy, Debug)]
pub(super) enum Resume {
    /// A clause begins here.
    At(usize),
    /// The end of the faulty clause is searched from here on.
    From(usize),
    /// Nowhere: the rest of the text is part of the fault.
    Nowhere,
}

/// Where in a clause a fault stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// How many brackets are open.
    pub depth: usize,
    /// Whether the clause's `:-` stands before it.
    pub in_body: bool,
}

/// A syntax fault and where reading resumes.
#[derive(Debug)]
pub(super) struct ParseFailure {
    pub kind: FaultKind,
    pub diagnostic: Diagnostic,
    pub resume: Resume,
}

impl ParseFailure {
    /// The same with more in its finding.
    pub(super) fn with(
        mut self: Box<Self>,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) -> Box<ParseFailure> {
        self.diagnostic = more(self.diagnostic);
        self
    }
}

/// What a step of the parser returns.
pub(super) type Parsed<T> = Result<T, Box<ParseFailure>>;

/// A term that waits for its operator or closing bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub cell: Cell,
    pub start: u32,
    pub end: u32,
    pub priority: u16,
}

impl Operand {
    pub(super) fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }
}

/// An operator that waits for its right argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub name: Atom,
    pub start: u32,
    pub end: u32,
    pub priority: u16,
    /// The highest priority of its right argument.
    pub right: u16,
    pub prefix: bool,
}

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameKind {
    /// Nothing: the clause itself.
    Clause,
    /// `(` of a group.
    Paren,
    /// `(` of arguments.
    Args,
    /// `[` before a `|`.
    List,
    /// `[` behind the `|`.
    Tail,
    /// `{`
    Curly,
}

impl FrameKind {
    pub(super) fn closed_by(self) -> Option<TokenKind> {
        match self {
            FrameKind::Clause => None,
            FrameKind::Paren | FrameKind::Args => Some(TokenKind::Close),
            FrameKind::List | FrameKind::Tail => Some(TokenKind::CloseList),
            FrameKind::Curly => Some(TokenKind::CloseCurly),
        }
    }
}

/// An open bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub kind: FrameKind,
    /// The functor of `Args`.
    pub name: Atom,
    /// Where the term with the bracket starts.
    pub start: u32,
    /// Where the bracket stands.
    pub open: u32,
    /// Lengths of the stacks when it was opened.
    pub ops: u32,
    pub operands: u32,
}

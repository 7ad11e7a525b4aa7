//! Clauses as they are stored, and what identifies them.

use std::sync::Arc;
use zug_term::source::Span;
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record, Tag};

/// Number of a predicate.
pub type PredId = u32;
/// Number of a clause.
pub type ClauseId = u32;

/// The owner of a predicate: see [`super::program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// Built-ins, library, engines.
    System,
    /// Everything consulted or asserted.
    User,
    /// Of a module, by its number.
    Module(u16),
}

impl Space {
    /// Whether what is in it was written by the user.
    pub fn is_users(self) -> bool {
        self != Space::System
    }
}

/// What stood between head and body of a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Neck {
    /// `:-`
    #[default]
    Clause,
    /// `=>`
    Commit,
    /// `=>` behind head and guard: the body is `Guard, !, Body`.
    Guard,
    /// `?=>`: further rules are tried when the body fails.
    Choice,
}

impl Neck {
    /// Whether the head matches, and does not unify.
    pub fn is_rule(self) -> bool {
        self != Neck::Clause
    }
}

/// Where a clause was read, with its text's spans and variable names.
#[derive(Clone, Debug)]
pub struct ClauseSource {
    /// Source, in the session's numbering.
    pub source: u32,
    /// The whole clause.
    pub span: Span,
    /// Spans of goals: address of the image cell that holds the goal, and span; sorted.
    pub goals: Box<[(u32, Span)]>,
    /// Variables by name, with their image addresses.
    pub variables: Box<[(Arc<str>, u32)]>,
}

/// A clause, kept as the image of the term `Head :- Body` (a fact has the body `true`).
#[derive(Clone)]
pub struct Clause {
    /// Its predicate.
    pub pred: PredId,
    /// The image; its root is the compound `:-`/2.
    pub record: Record,
    /// Address of its code; 0 when not compiled.
    pub code: u32,
    /// Length of its code.
    pub code_len: u32,
    /// Generation that added it.
    pub born: u64,
    /// Generation that erased it; `u64::MAX` while alive.
    pub died: u64,
    /// Index key of its first argument.
    pub key: Option<Cell>,
    /// Where it was read, if from a text.
    pub place: Option<Box<ClauseSource>>,
    /// Instruction offset to source span, for errors.
    pub goal_spans: Box<[(u32, Span)]>,
    /// Code that was made for the other way to run: see [`super::hooks`].
    pub other: Option<Box<OtherCode>>,
    /// What stood between head and body.
    pub neck: Neck,
}

impl Clause {
    /// Head of the clause, in its image.
    pub fn head(&self) -> Cell {
        self.resolve(self.record.root.addr() + 1)
    }
    /// Body of the clause, in its image.
    pub fn body(&self) -> Cell {
        self.resolve(self.record.root.addr() + 2)
    }
    fn resolve(&self, addr: usize) -> Cell {
        deref(&self.record.cells, self.record.cells[addr])
    }
}

/// Code of a clause that is not the one in use: plain code while the fast one runs, and the other way about.
#[derive(Clone, Debug, Default)]
pub struct OtherCode {
    /// Address; 0 when not compiled.
    pub start: u32,
    /// Length.
    pub len: u32,
    /// As [`super::Clause::goal_spans`].
    pub goal_spans: Box<[(u32, Span)]>,
}

/// Follows references among some cells.
#[inline]
pub(super) fn deref(cells: &[Cell], mut cell: Cell) -> Cell {
    while cell.is_ref() && cells[cell.addr()] != cell {
        cell = cells[cell.addr()];
    }
    cell
}

/// The index key of a dereferenced cell: the cell itself for atoms and small integers, the header for compounds, one
/// key each for lists and for boxed values; `None` for a variable.
#[inline(always)]
pub fn key_of(cells: &[Cell], cell: Cell) -> Option<Cell> {
    match cell.tag() {
        Tag::Ref | Tag::Attributed => None,
        Tag::Atom | Tag::Int => Some(cell),
        Tag::List => Some(Cell::list(0)),
        Tag::Struct => Some(cells[cell.addr()]),
        Tag::Boxed => Some(Cell::boxed(0)),
        Tag::Header => unreachable!("a header is never a value"),
    }
}

/// Whether a name and arity make a control construct that `call/1` runs as a body.
pub(super) fn is_control(name: Atom, arity: usize) -> bool {
    arity == 2 && is_connective(name) || arity == 0 && name == atoms::CUT
}

/// Whether a name with two arguments joins goals.
pub(super) fn is_connective(name: Atom) -> bool {
    matches!(name, atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW)
}

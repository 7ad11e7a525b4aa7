//! What the interpreter works with: goals, what comes after them, what is left to try.

use super::places::Site;
use super::terms::Mark;
use std::rc::Rc;
use std::time::Instant;
use zug_machine::{ClauseId, PredId, Run, Space};
use zug_term::{Cell, Record};

/// No call, no place, no continuation.
pub const NONE: u32 = u32::MAX;

/// In place of the height for a cut: that at which the goal is called.
pub const OPAQUE: usize = usize::MAX;

/// How much an explanation may do.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Clauses and built-ins tried.
    pub steps: u64,
    pub deadline: Option<Instant>,
    /// Bytes of the heap and of the calls.
    pub bytes: usize,
    /// Calls inside each other.
    pub depth: u32,
}

/// What is done about goals that do more than answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effects {
    /// They are run, as the query itself would run them.
    Perform,
    /// What writes is passed over; anything else ends the explanation.
    Skip,
    /// They, and searches, end the explanation.
    Refuse,
}

/// A change of the program to be tried.
#[derive(Clone, Copy, Debug)]
pub enum Hypothesis {
    Nothing,
    /// This cut, by clause and place, is passed over.
    WithoutCut(ClauseId, u32),
    /// A goal of the text is taken to be true where it is a variant of this one.
    Assume(Site, Cell),
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum RunEnd {
    Proved,
    Failed,
    /// Nothing catches this exception.
    Raised(Box<Record>),
    /// It did not end.
    Bounded(Bound),
    /// This predicate was not called, because it does more than answer.
    Refused(PredId),
}

/// What ended a run before it had a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    Steps,
    Time,
    Depth,
    Memory,
    /// A call calls itself again.
    Loop,
}

/// Whether the failure of a goal is a failure of the query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polarity {
    Normal,
    /// It helps the query: the goal is negated.
    Negated,
    /// The query goes on otherwise: a condition, a goal whose answers are collected.
    Soft,
}

impl Polarity {
    pub(super) fn negated(self) -> Polarity {
        match self {
            Polarity::Normal => Polarity::Negated,
            Polarity::Negated => Polarity::Normal,
            Polarity::Soft => Polarity::Soft,
        }
    }

    pub(super) fn soft(self) -> Polarity {
        if self == Polarity::Normal { Polarity::Soft } else { self }
    }
}

/// A goal to be called.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    pub cell: Cell,
    /// The cell that holds it, if it stands in the body of its frame's clause.
    pub slot: usize,
    /// The call whose clause it stands in.
    pub frame: u32,
    /// The height of the choice stack that a cut in it goes back to.
    pub(super) cut: usize,
    pub space: Space,
    pub polarity: Polarity,
}

/// What is to be done when all before it is proved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Continuation {
    Goal(Goal),
    /// Shows that a goal has no proof.
    Negate(Goal),
    /// Commits to what was proved.
    CutTo(usize),
    /// Forgets the other branch of `*->`, kept at this height.
    SoftCut(usize),
    /// A negated goal was proved: the negation, kept at this height, fails.
    Refuted(usize),
    /// The goal of the `catch/3` at this height was left.
    LeaveCatch(usize),
    /// An answer for the `findall` with this bag.
    Collect(usize),
}

pub(super) struct ContinuationCell {
    pub(super) work: Continuation,
    pub(super) then: u32,
}

/// How a call was proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Justification {
    Clause(ClauseId),
    BuiltIn,
    /// By having no proof of the goal inside.
    NoProof,
    /// By collecting this many answers.
    Collected(u32),
    /// It was passed over, since it writes.
    Skipped,
    /// It is an answer of a table.
    Tabled,
}

/// A call that the proof consists of.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub goal: Cell,
    /// The call whose clause the goal stands in.
    pub frame: u32,
    /// Where it stands there: an address in the clause's image.
    pub site: u32,
    pub pred: PredId,
    pub how: Justification,
    /// Where the image of the clause stands on the heap.
    pub(super) base: usize,
    /// Cells of the image.
    pub(super) len: usize,
    pub depth: u32,
    /// Whose text the goal stands in.
    pub from: Space,
    /// Whose text the clause stands in.
    pub space: Space,
}

pub(super) enum Alternative {
    /// Nothing: what `*->` leaves, and the bottom.
    Dead,
    Bottom,
    /// With the generation of the program that the call sees.
    Clauses {
        goal: Goal,
        pred: PredId,
        clauses: Rc<[ClauseId]>,
        at: usize,
        seen: u64,
    },
    Else(Goal),
    Leaf {
        goal: Goal,
        pred: PredId,
        run: Run,
        root: usize,
    },
    Catch {
        catcher: Cell,
        recovery: Goal,
    },
    Negation(Goal),
    /// The answer of a table whose clauses show no proof that ends.
    Table(Goal, PredId),
    Findall {
        goal: Goal,
        template: Cell,
        list: Cell,
        tail: Option<Cell>,
        bag: usize,
    },
}

pub(super) struct Choice {
    pub(super) what: Alternative,
    pub(super) mark: Mark,
    pub(super) calls: usize,
    pub(super) nexts: usize,
    pub(super) then: u32,
}

/// The clauses that a call may take.
pub(super) struct Candidates {
    pub(super) pred: PredId,
    pub(super) clauses: Rc<[ClauseId]>,
    /// The generation of the program that the call sees.
    pub(super) seen: u64,
}

/// A cut that took alternatives away.
#[derive(Clone, Debug)]
pub struct CutSeen {
    pub clause: ClauseId,
    pub site: u32,
    /// The first clause of the same predicate that was kept from being tried.
    pub kept_from: Option<ClauseId>,
}

pub(super) enum StepResult {
    /// On with this continuation.
    On(u32),
    Fail,
    Raise(Box<Record>),
    Stop(RunEnd),
}

//! Unit tests in a rule file, in the form of SWI-Prolog's plunit.
//!
//! ```prolog
//! :- begin_tests(lists).
//! test(append, X == [a,b]) :- append([a], [b], X).
//! :- end_tests(lists).
//! ```
//!
//! The loader keeps each test as a predicate of its own, `'test NAME'(Name, Options)`, in the
//! space of its unit ([`zug_machine::Space::Module`]); other clauses of the unit are helpers in
//! the same space. `library/plunit.pl` runs them over the steps in [`running`]; what each came to
//! is described by [`outcome`] and stored in [`Tests::runs`] for the caller.

mod loading;
mod options;
mod outcome;
mod running;

pub(super) use loading::{removed, stray, test_head, unfinished};
pub use outcome::{line, summary};
pub use running::{REENTRANT, TABLE};

use std::time::{Duration, Instant};
use zug_machine::{ClauseId, PredId, Space};
use zug_syntax::Quotes;
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::Atom;

/// Events of running tests.
pub enum TestEvent<'a> {
    /// It begins: `unit:name`.
    Begun(&'a str),
    /// It is over.
    Ended(&'a TestRun),
}

/// Who hears of each test when it begins and when it is over.
pub type Listener = Box<dyn FnMut(&TestEvent<'_>) + Send>;

/// The tests that are loaded, and their results.
#[derive(Default)]
pub struct Tests {
    /// Units in the order of their files.
    pub units: Vec<Unit>,
    /// Results of the tests that were run, oldest first; [`Tests::keep`] says how long.
    pub runs: Vec<TestRun>,
    /// The runs are taken by a caller; else they are dropped when `run_tests` has reported.
    pub keep: bool,
    /// Time that each test may take.
    pub time: Option<Duration>,
    /// Inferences that each test may take.
    pub inferences: Option<u64>,
    /// Bytes that each test may write.
    pub bytes: Option<u64>,
    /// Takes what a test writes, so that it can be told which test wrote it.
    pub output: Option<super::SharedBuffer>,
    /// Called when a test begins and when it is over.
    pub listener: Option<Listener>,
    /// What is odd around units: a cleanup that fails.
    pub warnings: Vec<Diagnostic>,
    /// Units whose condition or setup went wrong.
    pub unit_errors: usize,
    /// The test that ran when the tests were interrupted.
    pub interrupted: Option<String>,
    /// The test that runs; tests may run others.
    running: Vec<Running>,
    /// What ended goals of tests otherwise than by true or false, by the number that the
    /// library knows it by.
    troubles: Vec<outcome::Trouble>,
}

/// The test that runs.
pub(super) struct Running {
    /// Numbers of unit and test.
    pub unit: usize,
    pub test: usize,
    /// The values of the variables of `forall`.
    pub instance: Option<String>,
    pub started: Instant,
    /// Time that its option gives it.
    pub time: Option<Duration>,
    /// Its goal, as it was before it was run, if it has no answer.
    pub unproved: Option<Record>,
    /// Assertions that failed, gravest first.
    pub assertions: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

impl Running {
    /// The time it may take: what its option says, but no more than tests may at all.
    pub fn allowed(&self, all: Option<Duration>) -> Option<Duration> {
        self.time.into_iter().chain(all).min()
    }
}

/// A unit of tests.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name.
    pub name: Atom,
    /// Its space.
    pub space: Space,
    /// Its options, a list.
    pub options: Record,
    /// What is wrong with the options.
    pub problem: Option<String>,
    /// The file that it stands in, in the session's numbering; `None` for typed text.
    pub file: Option<u32>,
    /// What text between double and back quotes is in it.
    quotes: [Quotes; 2],
    /// The load that it was made in.
    load: u64,
    /// Where it begins.
    pub place: (Source, Span),
    /// Its tests, in the order of the text.
    pub tests: Vec<Test>,
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// The predicate that is the test, with one clause.
    pub pred: PredId,
    /// Its clause: the head has the name and, if there are any, the options as arguments.
    pub clause: ClauseId,
    /// Where it stands.
    pub source: Source,
    /// The whole clause.
    pub span: Span,
    /// The head.
    pub head: Span,
    /// Its options, in their order, where they stand.
    pub options: Vec<Span>,
    /// Why it can't be run.
    pub problem: Option<(String, Span)>,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestOutcome {
    /// It came out as expected.
    Passed,
    /// It did not.
    Failed,
    /// An unexpected error, in the test or around it.
    #[default]
    Error,
    /// Not run, as its option `blocked` asks.
    Blocked,
    /// It is known to fail (`fixme`), whether it did or not.
    Fixme,
    /// Not run, since its condition does not hold.
    Skipped,
    /// It took longer than it may.
    Timeout,
    /// It took more inferences or memory than it may.
    Limit,
}

/// One run of a test: one of several of a test with `forall`.
#[derive(Clone, Debug)]
pub struct TestRun {
    /// The unit.
    pub unit: String,
    /// The name.
    pub name: String,
    /// The values of the variables of `forall`.
    pub instance: Option<String>,
    /// Where the test stands.
    pub source: Source,
    /// Its head there.
    pub head: Span,
    /// The result.
    pub outcome: TestOutcome,
    /// It had an answer, and perhaps would have had more.
    pub choice_point: bool,
    /// Why it is blocked, known to fail or left out; which limit struck.
    pub reason: Option<String>,
    /// What went wrong, the gravest first.
    pub findings: Vec<Diagnostic>,
    /// What is odd: choice points left, a cleanup that fails.
    pub warnings: Vec<Diagnostic>,
    /// What it wrote.
    pub output: String,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// The goal, if its body has no answer though it should: for an explanation.
    pub unproved: Option<Record>,
    /// Its body had no answer though it should have one.
    pub was_unproved: bool,
    /// The space of the unit.
    pub space: Space,
}

impl TestOutcome {
    /// In one word.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 8] =
            ["passed", "failed", "error", "blocked", "fixme", "skipped", "timeout", "limit"];
        NAMES[self as usize]
    }

    /// Whether the tests as a whole did not pass because of it.
    pub fn is_failure(self) -> bool {
        use TestOutcome::{Error, Failed, Limit, Timeout};
        matches!(self, Failed | Error | Timeout | Limit)
    }
}

fn label(unit: &str, name: &str, instance: Option<&str>) -> String {
    match instance {
        Some(instance) => format!("{unit}:{name} ({instance})"),
        None => format!("{unit}:{name}"),
    }
}

impl TestRun {
    /// `unit:name`, with the instance of `forall`.
    pub fn label(&self) -> String {
        label(&self.unit, &self.name, self.instance.as_deref())
    }

    /// The line that it stands at, counted from 1.
    pub fn line(&self) -> u32 {
        self.source.position(self.head.start).line
    }
}

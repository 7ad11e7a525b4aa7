//! `test`: runs the unit tests of a rule file (plunit's form).
//!
//! [`run_tests_loaded`] runs those of a session that has the file loaded, and gives a
//! [`TestReport`]; [`test_file`] loads the file before. [`record`] has the same as records for
//! JSON.

pub mod record;

use super::Failure;
use super::batch::Outcome;
use crate::exit::Exit;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use zug_machine::{Fault, StopReason};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::builtins::unit_tests::TestRun;
pub use zug_prolog::builtins::unit_tests::{TestOutcome, summary};
use zug_prolog::session::Session;
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::diagnostic::{Diagnostic, Severity};

/// Which tests to run, and how.
#[derive(Clone, Default)]
pub struct TestRequest {
    /// Run the tests of these units; of all if this and `tests` are empty.
    pub units: Vec<String>,
    /// Run these tests, each with its unit.
    pub tests: Vec<(String, String)>,
    /// Time that each test may take.
    pub time: Option<Duration>,
    /// Inferences that each test may take.
    pub inferences: Option<u64>,
    /// Bytes that each test may write.
    pub bytes: Option<u64>,
    /// Look for the goal that is to blame when the body of a test has no answer.
    pub explain: bool,
    /// What the session writes to: what each test wrote is taken from it.
    pub output: Option<SharedBuffer>,
}

/// What the tests of a file came to.
#[derive(Debug, Default)]
pub struct TestReport {
    /// The tests that were run, in the order of the file.
    pub runs: Vec<TestRun>,
    /// What is odd around units: a cleanup that fails.
    pub warnings: Vec<Diagnostic>,
    /// Units of tests that the file has.
    pub units: usize,
    /// Tests that were wanted and not reached, since `ended` came before.
    pub not_run: usize,
    /// Units whose condition or setup went wrong, so that their tests were not run.
    pub unit_errors: usize,
    /// What ended the run before its end: a limit of the whole, or Ctrl-C.
    pub ended: Option<Fault>,
    /// The test that ran when an interrupt ended the run.
    pub interrupted: Option<String>,
    /// Wall-clock time of the whole.
    pub elapsed: Duration,
}

impl TestReport {
    /// Whether no test failed, and all of them were run.
    pub fn passed(&self) -> bool {
        self.ended.is_none() && !self.runs.iter().any(|run| run.outcome.is_failure())
    }

    /// Tests of an outcome.
    pub fn count(&self, outcome: TestOutcome) -> usize {
        self.runs.iter().filter(|run| run.outcome == outcome).count()
    }

    /// Whether the file has no tests that were asked for.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.not_run == 0
    }

    /// Notes that the file called `halt` while it was loaded: there may be tests that nobody saw.
    pub fn halted(&mut self, status: Option<i32>) {
        self.ended = self.ended.take().or(status.map(Fault::Halt));
    }

    /// How the tests ended: as the gravest of them, or as what ended the run.
    pub fn outcome(&self) -> Outcome {
        let each = self.runs.iter().map(|run| match run.outcome {
            TestOutcome::Failed | TestOutcome::Error => Outcome::Failed,
            TestOutcome::Timeout | TestOutcome::Limit => Outcome::Stopped,
            _ => Outcome::Passed,
        });
        let ended = self.ended.as_ref().map_or(Outcome::Passed, |fault| match fault {
            Fault::Stopped(StopReason::Interrupted) => Outcome::Interrupted,
            Fault::Stopped(_) => Outcome::Stopped,
            Fault::Halt(_) => Outcome::Halted,
            Fault::Ball(_) => Outcome::Error,
        });
        let unit = if self.unit_errors > 0 { Outcome::Error } else { Outcome::Passed };
        each.fold(ended.max(unit), Outcome::max)
    }
}

/// What testing a file came to.
#[derive(Debug)]
pub struct FileReport {
    /// The file.
    pub file: String,
    /// What the load found, if there were no errors.
    pub load: Vec<Diagnostic>,
    /// The tests, or why there is no saying.
    pub result: Result<TestReport, Failure>,
}

impl FileReport {
    /// How the file ended.
    pub fn outcome(&self) -> Outcome {
        match &self.result {
            Ok(report) => report.outcome(),
            Err(Failure::Stopped(Fault::Halt(_), _)) => Outcome::Halted,
            Err(failure) => match failure.exit() {
                Exit::Usage => Outcome::Usage,
                Exit::Rules => Outcome::Faults,
                Exit::Limit => Outcome::Stopped,
                Exit::Interrupted => Outcome::Interrupted,
                _ => Outcome::Error,
            },
        }
    }

    /// Why the tests were not run, or not to the end.
    pub fn reason(&self) -> Option<String> {
        match &self.result {
            Ok(report) => report.ended.as_ref().map(|ended| match ended {
                Fault::Stopped(reason) => match &report.interrupted {
                    Some(test) => format!("{reason} in {test}"),
                    None => reason.to_string(),
                },
                Fault::Halt(status) => called_halt(*status),
                Fault::Ball(_) => "an error outside of the tests".to_owned(),
            }),
            Err(failure) => Some(why_not_tested(failure)),
        }
    }
}

/// What is said of a file that calls `halt`.
fn called_halt(status: i32) -> String {
    format!("the file called halt({status}) while it was loaded; what stands behind it was not run")
}

/// Why a file was not tested, in a sentence.
pub fn why_not_tested(failure: &Failure) -> String {
    match failure {
        Failure::Unreadable(_, error) => format!("the file can't be read: {error}"),
        Failure::Faults(found) => {
            let first = found.iter().find(|finding| finding.is_error());
            let words = first.map_or("", |finding| &finding.message);
            format!("the file has errors: {words}")
        }
        Failure::Stopped(Fault::Halt(status), _) => called_halt(*status),
        Failure::Stopped(Fault::Stopped(reason), _) => format!("loading it was stopped: {reason}"),
        Failure::NoSuchTest(name, _) => format!("there is no test `{name}`"),
        _ => "loading it ended with an error".to_owned(),
    }
}

/// Loads a file and runs its tests: what the load found, and the report.
///
/// # Errors
/// The file can't be read, has errors, stops the load, or has no such unit or test.
pub fn test_file(
    session: &mut Session,
    file: &Path,
    request: &TestRequest,
) -> Result<(Vec<Diagnostic>, TestReport), Failure> {
    let (findings, halted) = load(session, file)?;
    let mut report = run_tests_loaded(session, request)?;
    report.halted(halted);
    Ok((findings, report))
}

/// Loads a file for its tests: what the load found, and the status of `halt`, if it called that.
/// Tests that stood before it are there.
///
/// # Errors
/// The file can't be read, has errors, or stops the load otherwise.
pub fn load(session: &mut Session, file: &Path) -> Result<(Vec<Diagnostic>, Option<i32>), Failure> {
    let mut first = match tested_by(file) {
        Some(rules) => super::load(session, &rules)?,
        None => Vec::new(),
    };
    match super::load(session, file) {
        Ok(mut findings) => {
            first.append(&mut findings);
            Ok((first, None))
        }
        Err(Failure::Stopped(Fault::Halt(status), findings))
            if !findings.iter().any(Diagnostic::is_error) =>
        {
            Ok((findings, Some(status)))
        }
        Err(failure) => Err(failure),
    }
}

/// The rule file beside a file of tests: `x.pl` beside `x.plt` or `x_tests.plt`.
fn tested_by(tests: &Path) -> Option<PathBuf> {
    let name = tests.file_name()?.to_str()?.strip_suffix(".plt")?;
    let names = [Some(name), name.strip_suffix("_tests"), name.strip_suffix("_test")];
    let mut rules =
        names.into_iter().flatten().map(|name| tests.with_file_name(format!("{name}.pl")));
    rules.find(|rules| rules.is_file())
}

/// Runs the tests of the file that is loaded. Limits of the session count for all tests
/// together; `request` may have others for each test.
///
/// # Errors
/// [`Failure::NoSuchTest`].
pub fn run_tests_loaded(
    session: &mut Session,
    request: &TestRequest,
) -> Result<TestReport, Failure> {
    let started = Instant::now();
    let (goal, wanted) = goal(session, request)?;
    let tests = &mut session.world.tests;
    let outer = std::mem::take(&mut tests.runs);
    tests.keep = true;
    tests.warnings.clear();
    tests.unit_errors = 0;
    tests.interrupted = None;
    (tests.time, tests.inferences, tests.bytes) = (request.time, request.inferences, request.bytes);
    tests.output.clone_from(&request.output);
    let mut report = TestReport { units: tests.units.len(), ..TestReport::default() };
    if let Ok(mut query) = session.query(&goal) {
        report.ended = session.next(&mut query).err();
        session.close(query);
    }
    let tests = &mut session.world.tests;
    report.runs = std::mem::replace(&mut tests.runs, outer);
    report.warnings = std::mem::take(&mut tests.warnings);
    report.interrupted = tests.interrupted.take();
    report.unit_errors = std::mem::take(&mut tests.unit_errors);
    tests.keep = false;
    tests.listener = None;
    (tests.time, tests.inferences, tests.bytes, tests.output) = (None, None, None, None);
    if report.ended.is_some() {
        report.not_run = wanted.saturating_sub(tests_run(&report.runs));
    }
    if request.explain && report.ended.is_none() {
        explain_failures(session, &mut report.runs);
    }
    report.elapsed = started.elapsed();
    Ok(report)
}

/// Tests among runs: those with `forall` run several times.
fn tests_run(runs: &[TestRun]) -> usize {
    let mut places: Vec<(&str, u32)> =
        runs.iter().map(|run| (&*run.source.name, run.head.start)).collect();
    places.dedup();
    places.len()
}

/// The goal that runs the tests wanted, as text, and how many those are.
fn goal(session: &Session, request: &TestRequest) -> Result<(String, usize), Failure> {
    let units = &session.world.tests.units;
    let symbols = &session.machine.symbols;
    let quoted = |unit: &str| format!("'{}'", unit.replace('\\', "\\\\").replace('\'', "\\'"));
    let mut specs = Vec::new();
    let mut wanted = 0;
    for unit in units {
        let name = symbols.name(unit.name);
        let all = request.units.is_empty() && request.tests.is_empty();
        if all || request.units.iter().any(|asked| asked == name) {
            specs.push(quoted(name));
            wanted += unit.tests.len();
            continue;
        }
        let asked = request.tests.iter().filter(|(unit, _)| unit == name);
        let asked: Vec<&str> = asked.map(|(_, test)| test.as_str()).collect();
        let mut names: Vec<String> = Vec::new();
        for test in &unit.tests {
            let text = test_name(session, test.clause);
            if asked.contains(&text.as_str()) || asked.contains(&text.trim_matches('\'')) {
                wanted += 1;
                names.push(text);
            }
        }
        if !names.is_empty() {
            specs.push(format!("{}:[{}]", quoted(name), names.join(",")));
        }
    }
    let missing = request
        .units
        .iter()
        .find(|asked| !units.iter().any(|unit| symbols.name(unit.name) == asked.as_str()));
    if let Some(missing) = missing {
        let known = units.iter().map(|unit| symbols.name(unit.name).to_owned()).collect();
        return Err(Failure::NoSuchTest(missing.clone(), known));
    }
    for (unit, test) in &request.tests {
        let own = units.iter().find(|known| symbols.name(known.name) == unit);
        let names: Vec<String> = own.map_or(Vec::new(), |unit| {
            unit.tests.iter().map(|test| test_name(session, test.clause)).collect()
        });
        let known = names.iter().any(|name| name == test || name.trim_matches('\'') == test);
        if !known {
            let all = match own {
                Some(_) => names.into_iter().map(|name| format!("{unit}:{name}")).collect(),
                None => units.iter().map(|unit| symbols.name(unit.name).to_owned()).collect(),
            };
            return Err(Failure::NoSuchTest(format!("{unit}:{test}"), all));
        }
    }
    Ok((format!("'$run_tests'([{}])", specs.join(",")), wanted))
}

/// The name of a test as the rules write it.
fn test_name(session: &Session, clause: zug_machine::ClauseId) -> String {
    let m = &session.machine;
    let Some(clause) = m.program.clauses.get(clause as usize) else { return String::new() };
    let (heap, root) = clause.record.to_heap();
    let Some((_, _, args)) = heap.name_arity(heap.at(root.addr() + 1)) else {
        return String::new();
    };
    let options = WriteOptions { priority: 999, ..WriteOptions::writeq() };
    term_to_string(&heap, &m.symbols, &session.world.operators, heap.at(args), &options)
}

/// Failures that are looked at for a goal to blame.
const EXPLAINED: usize = 20;

/// Says of tests whose bodies have no answer which goal stands in the way.
fn explain_failures(session: &mut Session, runs: &mut [TestRun]) {
    let unproved = runs.iter_mut().filter(|run| run.unproved.is_some());
    for run in unproved.take(EXPLAINED) {
        if session.machine.interrupt.load(Ordering::Relaxed) {
            return;
        }
        let Some(goal) = run.unproved.take() else { continue };
        if let Some(mut finding) = zug_explain::in_way(session, &goal, run.space) {
            finding.severity = Severity::Note;
            run.findings.push(finding);
        }
    }
}

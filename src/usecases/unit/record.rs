//! Tests as records for JSON.

use super::{FileReport, TestOutcome, TestReport};
use crate::builtins::unit_tests::TestRun;
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::usecases::Failure;
use serde::Serialize;
use std::time::Duration;

/// One test that was run.
#[derive(Debug, Clone, Serialize)]
pub struct TestRecord {
    /// The unit.
    pub unit: String,
    /// The name of the test.
    pub name: String,
    /// The values of the variables of `forall`, if it has them.
    pub instance: Option<String>,
    /// The rule file, …
    pub file: String,
    /// … and where the test stands in it, counted from 1.
    pub line: u32,
    /// Characters from the beginning of the line, counted from 1.
    pub column: u32,
    /// `passed`, `failed`, `error`, `blocked`, `fixme`, `skipped`, `timeout` or `limit`.
    pub outcome: &'static str,
    /// It left a choice point, and has no option `nondet`.
    pub choice_point: bool,
    /// Why it did not pass, or was left out, in a sentence.
    pub message: Option<String>,
    /// Everything that was found, with places.
    pub findings: Vec<FindingRecord>,
    /// What it wrote.
    pub output: String,
    /// Wall-clock time.
    pub elapsed_seconds: f64,
}

/// A finding with its place.
#[derive(Debug, Clone, Serialize)]
pub struct FindingRecord {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// Its stable code.
    pub code: &'static str,
    /// What it is.
    pub message: String,
    /// The text it stands in, …
    pub file: Option<String>,
    /// … the line, …
    pub line: Option<u32>,
    /// … and the column.
    pub column: Option<u32>,
    /// Words beside the place.
    pub label: Option<String>,
    /// Advice.
    pub hint: Option<String>,
}

/// Tests by outcome.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Counts {
    /// Came out as expected.
    pub passed: usize,
    /// Did not.
    pub failed: usize,
    /// Raised an error that nobody expected.
    pub error: usize,
    /// Took longer than they may.
    pub timeout: usize,
    /// Took more inferences or memory than they may.
    pub limit: usize,
    /// Left out by their option `blocked`.
    pub blocked: usize,
    /// Known to fail.
    pub fixme: usize,
    /// Their condition does not hold.
    pub skipped: usize,
    /// Not reached.
    pub not_run: usize,
}

impl TestRecord {
    /// The record of a test.
    pub fn new(run: &TestRun) -> TestRecord {
        let at = run.source.position(run.head.start);
        let findings = run.findings.iter().chain(&run.warnings);
        TestRecord {
            unit: run.unit.clone(),
            name: run.name.clone(),
            instance: run.instance.clone(),
            file: run.source.name.to_string(),
            line: at.line,
            column: at.column,
            outcome: run.outcome.name(),
            choice_point: run.choice_point,
            message: message(run),
            findings: findings.map(FindingRecord::new).collect(),
            output: run.output.clone(),
            elapsed_seconds: run.elapsed.as_secs_f64(),
        }
    }
}

/// Why a test did not pass, or was left out.
pub fn message(run: &TestRun) -> Option<String> {
    run.findings.first().map(|finding| finding.message.clone()).or_else(|| run.reason.clone())
}

impl FindingRecord {
    /// The record of a finding.
    pub fn new(finding: &Diagnostic) -> FindingRecord {
        let place = finding.primary.as_ref();
        let at = |label: &Label| label.source.position(label.span.start);
        FindingRecord {
            severity: match finding.severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Error => "error",
            },
            code: finding.code,
            message: finding.message.clone(),
            file: place.map(|label| label.source.name.to_string()),
            line: place.map(|label| at(label).line),
            column: place.map(|label| at(label).column),
            label: place.map(|label| label.text.clone()).filter(|text| !text.is_empty()),
            hint: finding.hint.clone(),
        }
    }
}

impl Counts {
    /// Counts the tests of a report.
    pub fn of(report: &TestReport) -> Counts {
        let mut counts = Counts { not_run: report.not_run, ..Counts::default() };
        for run in &report.runs {
            *match run.outcome {
                TestOutcome::Passed => &mut counts.passed,
                TestOutcome::Failed => &mut counts.failed,
                TestOutcome::Error => &mut counts.error,
                TestOutcome::Timeout => &mut counts.timeout,
                TestOutcome::Limit => &mut counts.limit,
                TestOutcome::Blocked => &mut counts.blocked,
                TestOutcome::Fixme => &mut counts.fixme,
                TestOutcome::Skipped => &mut counts.skipped,
            } += 1;
        }
        counts
    }

    /// Adds those of another file.
    pub fn add(&mut self, other: &Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.error += other.error;
        self.timeout += other.timeout;
        self.limit += other.limit;
        self.blocked += other.blocked;
        self.fixme += other.fixme;
        self.skipped += other.skipped;
        self.not_run += other.not_run;
    }

    /// All tests.
    pub fn total(&self) -> usize {
        self.passed
            + self.failed
            + self.error
            + self.timeout
            + self.limit
            + self.blocked
            + self.fixme
            + self.skipped
    }
}

/// Version of the records' form.
const SCHEMA: &str = "zug/1";

/// What a file came to.
#[derive(Debug, Clone, Serialize)]
pub struct FileRecord {
    /// The file.
    pub file: String,
    /// `passed`, `failed`, `stopped`, `interrupted`, `faults`, `error` or `usage`.
    pub outcome: &'static str,
    /// Why not, if it is neither `passed` nor `failed`.
    pub reason: Option<String>,
    /// Units of tests in it.
    pub units: usize,
    /// Its tests by outcome.
    pub counts: Counts,
    /// What is wrong with the file, and what is odd around its units.
    pub findings: Vec<FindingRecord>,
    /// Wall-clock time.
    pub elapsed_seconds: f64,
}

impl FileRecord {
    /// The record of a file.
    pub fn new(report: &FileReport) -> FileRecord {
        let faults: &[Diagnostic] = match &report.result {
            Err(Failure::Faults(found) | Failure::Stopped(_, found)) => found,
            _ => &[],
        };
        let done = report.result.as_ref().ok();
        let warnings = done.map_or(&[][..], |done| &done.warnings);
        let found = report.load.iter().chain(faults).chain(warnings);
        FileRecord {
            file: report.file.clone(),
            outcome: outcome_of(report.exit_code()),
            reason: report.reason(),
            units: done.map_or(0, |done| done.units),
            counts: done.map_or_else(Counts::default, Counts::of),
            findings: found.map(FindingRecord::new).collect(),
            elapsed_seconds: done.map_or(0.0, |done| done.elapsed.as_secs_f64()),
        }
    }
}

/// The outcome that an exit code stands for.
fn outcome_of(exit: i32) -> &'static str {
    match exit {
        0 => "passed",
        1 => "failed",
        2 => "usage",
        3 => "faults",
        4 => "stopped",
        5 => "error",
        130 => "interrupted",
        _ => "halted",
    }
}

/// A record on a line of its own.
#[derive(Serialize)]
struct Line<'a, R> {
    schema: &'static str,
    record: &'static str,
    #[serde(flatten)]
    content: &'a R,
}

/// What kind of record something is.
pub trait Named: Serialize {
    /// Its name in the field `record`.
    const RECORD: &'static str;
}

impl Named for TestRecord {
    const RECORD: &'static str = "test";
}

impl Named for FileRecord {
    const RECORD: &'static str = "file";
}

/// A record as a line of JSON.
pub fn line<R: Named>(content: &R) -> String {
    json(&Line { schema: SCHEMA, record: R::RECORD, content })
}

/// Only maps with other keys than strings can fail.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The first line of a stream.
pub fn start(files: &[String]) -> String {
    json(&serde_json::json!({
        "schema": SCHEMA, "record": "start", "command": "test", "files": files,
    }))
}

fn end_value(reports: &[FileReport], exit: i32, elapsed: Duration) -> serde_json::Value {
    let mut counts = Counts::default();
    for done in reports.iter().filter_map(|report| report.result.as_ref().ok()) {
        counts.add(&Counts::of(done));
    }
    let reason = reports.iter().find_map(FileReport::reason);
    serde_json::json!({
        "schema": SCHEMA, "record": "end", "command": "test",
        "outcome": outcome_of(exit), "reason": reason, "exit": exit,
        "files": reports.len(), "counts": counts, "elapsed_seconds": elapsed.as_secs_f64(),
    })
}

/// The last line of a stream.
pub fn end(reports: &[FileReport], exit: i32, elapsed: Duration) -> String {
    json(&end_value(reports, exit, elapsed))
}

/// Everything as one object.
pub fn report(reports: &[FileReport], exit: i32, elapsed: Duration) -> String {
    let runs = reports.iter().filter_map(|report| report.result.as_ref().ok());
    let tests: Vec<_> = runs.flat_map(|done| &done.runs).map(TestRecord::new).collect();
    let results: Vec<_> = tests
        .iter()
        .map(|content| Line { schema: SCHEMA, record: TestRecord::RECORD, content })
        .collect();
    let files: Vec<FileRecord> = reports.iter().map(FileRecord::new).collect();
    let files: Vec<_> = files
        .iter()
        .map(|content| Line { schema: SCHEMA, record: FileRecord::RECORD, content })
        .collect();
    json(&serde_json::json!({
        "schema": SCHEMA, "record": "report", "command": "test",
        "results": results, "files": files, "end": end_value(reports, exit, elapsed),
    }))
}

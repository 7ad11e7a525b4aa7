//! Tests as records for JSON: `test` for each test, `file` for each file.

use super::{FileReport, TestOutcome, TestReport};
use crate::Failure;
use crate::record::Finding;
use serde::Serialize;
use zug_prolog::builtins::unit_tests::TestRun;
use zug_term::diagnostic::Diagnostic;

/// One test that was run.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestRecord {
    /// The unit.
    pub unit: String,
    /// The name of the test.
    pub name: String,
    /// The values of the variables of `forall`, if it has them.
    pub instance: Option<String>,
    /// The rule file.
    pub file: String,
    /// The line of the file in which the test begins, counted from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: u32,
    /// Characters from the beginning of the line, counted from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub column: u32,
    /// `passed`, `failed`, `error`, `blocked`, `fixme`, `skipped`, `timeout` or `limit`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed", "error", "blocked", "fixme", "skipped", "timeout", "limit"])))]
    pub outcome: &'static str,
    /// It left a choice point, and has no option `nondet`.
    pub choice_point: bool,
    /// Why it did not pass, or was left out, in a sentence.
    pub message: Option<String>,
    /// Everything that was found, with places.
    pub findings: Vec<Finding>,
    /// What it wrote.
    pub output: String,
    /// Wall-clock time, in seconds.
    pub elapsed_seconds: f64,
}

/// Tests by outcome.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
            findings: findings.map(Finding::from).collect(),
            output: run.output.clone(),
            elapsed_seconds: zug_report::round_seconds(run.elapsed),
        }
    }
}

/// Why a test did not pass, or was left out.
pub fn message(run: &TestRun) -> Option<String> {
    run.findings.first().map(|finding| finding.message.clone()).or_else(|| run.reason.clone())
}

impl Counts {
    /// Counts the tests of a report.
    pub fn of(report: &TestReport) -> Counts {
        let mut counts = Counts::default();
        counts.add(report);
        counts
    }

    /// Adds the tests of another report.
    pub fn add(&mut self, report: &TestReport) {
        self.not_run += report.not_run;
        for run in &report.runs {
            *match run.outcome {
                TestOutcome::Passed => &mut self.passed,
                TestOutcome::Failed => &mut self.failed,
                TestOutcome::Error => &mut self.error,
                TestOutcome::Timeout => &mut self.timeout,
                TestOutcome::Limit => &mut self.limit,
                TestOutcome::Blocked => &mut self.blocked,
                TestOutcome::Fixme => &mut self.fixme,
                TestOutcome::Skipped => &mut self.skipped,
            } += 1;
        }
    }
}

/// What a file came to.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileRecord {
    /// The file.
    pub file: String,
    /// `passed`, `failed`, `stopped`, `interrupted`, `faults`, `halted`, `error` or `usage`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed", "stopped", "interrupted", "faults", "error", "usage", "halted"])))]
    pub outcome: &'static str,
    /// Why not, if it is neither `passed` nor `failed`.
    pub reason: Option<String>,
    /// Units of tests in it.
    pub units: usize,
    /// Its tests by outcome.
    pub counts: Counts,
    /// What is wrong with the file, and what is odd around its units.
    pub findings: Vec<Finding>,
    /// Wall-clock time, in seconds.
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
            outcome: report.outcome().name(),
            reason: report.reason(),
            units: done.map_or(0, |done| done.units),
            counts: done.map_or_else(Counts::default, Counts::of),
            findings: found.map(Finding::from).collect(),
            elapsed_seconds: done.map_or(0.0, |done| zug_report::round_seconds(done.elapsed)),
        }
    }
}

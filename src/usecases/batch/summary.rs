//! What a batch comes to in all.

use super::lines::{EndLine, Group, points};
use super::outcome::Outcome;
use super::{BatchProgress, Counts};
use std::num::NonZeroUsize;
use std::time::Duration;

/// Files that are named as the slowest.
const SLOWEST: usize = 5;

/// Counts over the files of a batch.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// All files there are.
    pub files: usize,
    /// Files whose lines are there.
    pub done: usize,
    /// Files whose lines were there from an earlier run.
    pub resumed: usize,
    /// Result lines.
    pub results: usize,
    /// Files that were begun or not even that, and are to be run again.
    pub unfinished: usize,
    /// Files by outcome.
    pub outcomes: Counts,
    /// The slowest files of this run, the slowest first.
    pub slowest: Vec<(Duration, String)>,
    /// The limit that stopped the first file of those that were stopped.
    pub stopped_by: Option<String>,
    /// Points reached.
    pub points: f64,
    /// Points there were.
    pub points_of: f64,
    /// Files for which nothing was expected, in a grading run.
    pub ungraded: usize,
    /// Files with queries or tests that nobody asked for.
    pub not_asked: usize,
    grading: bool,
    /// Files that were run now, given on or not, …
    pub run: usize,
    /// … and those of them that did not end well.
    bad: usize,
}

/// What a batch came to.
#[derive(Clone, Debug)]
pub struct BatchReport {
    /// The last line.
    pub end: EndLine,
    /// The counts.
    pub summary: Summary,
    /// The time it took.
    pub elapsed: Duration,
    /// How many files were run at once.
    pub workers: NonZeroUsize,
}

impl Summary {
    pub(super) fn new(files: usize, grading: bool) -> Summary {
        Summary { files, grading, ..Summary::default() }
    }

    /// Takes note of a file that was run just now.
    pub(super) fn took(&mut self, group: &Group, time: Duration) {
        self.run += 1;
        self.bad += usize::from(group.file.outcome > Outcome::Exhausted);
        self.slowest.push((time, group.file.file.clone()));
        self.slowest.sort_by_key(|slow| std::cmp::Reverse(slow.0));
        self.slowest.truncate(SLOWEST);
    }

    /// Takes note of the lines of a file.
    pub(super) fn add(&mut self, group: &Group) {
        let file = &group.file;
        self.done += 1;
        self.results += group.results.len();
        if file.outcome == Outcome::Stopped && self.stopped_by.is_none() {
            self.stopped_by.clone_from(&file.reason);
        }
        self.unfinished += usize::from(file.unfinished);
        *self.outcomes.entry(file.outcome).or_default() += 1;
        self.not_asked += usize::from(file.not_asked > 0);
        let number = |points: &Option<serde_json::Number>| points.as_ref().and_then(|n| n.as_f64());
        self.points += number(&file.points).unwrap_or(0.0);
        self.points_of += number(&file.points_of).unwrap_or(0.0);
        self.ungraded += usize::from(self.grading && file.points_of.is_none());
    }

    pub(super) fn standing(&self, elapsed: Duration) -> BatchProgress {
        BatchProgress { done: self.resumed + self.run, of: self.files, elapsed, bad: self.bad }
    }

    /// The last line.
    pub(super) fn end(&self, interrupted: bool, elapsed: Option<Duration>) -> EndLine {
        let gravest = self.outcomes.keys().max().copied().unwrap_or(Outcome::Program);
        let outcome = if interrupted { Outcome::Interrupted } else { gravest };
        let missing = self.files - self.done;
        let total_time = !interrupted && self.unfinished > 0;
        let count = |(outcome, &count): (&Outcome, &usize)| (outcome.name().to_owned(), count);
        EndLine {
            outcome,
            reason: total_time.then(|| "total_time".to_owned()),
            exit: i32::from(outcome.exit().code()),
            files: self.done,
            results: self.results,
            unfinished: self.unfinished + missing,
            outcomes: self.outcomes.iter().map(count).collect(),
            points: self.grading.then(|| points(self.points)),
            points_of: self.grading.then(|| points(self.points_of)),
            elapsed_seconds: elapsed.map(|time| time.as_secs_f64()),
        }
    }
}

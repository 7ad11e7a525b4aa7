//! What a batch came to: as a table, as comma-separated values, in JUnit's form, and in a few
//! words.

use super::number::{counted, grouped, time};
use super::style::{Theme, paint};
use super::svg::escaped;
use super::table::{Table, cell};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;
use zug_usecases::batch::{
    BatchProgress, BatchReport, FileLine, GradedExpectation, Group, Outcome, ResultLine,
};
use zug_usecases::exit::Exit;

/// The longest cell of the table for people, in characters.
const LONGEST: usize = 60;

/// The longest message in JUnit's form, in characters.
const MESSAGE: usize = 1000;

/// A column: the heading, the cell of a result and that of a file.
type Column = (&'static str, fn(&ResultLine) -> String, fn(&FileLine) -> String);

/// The columns of the table for people.
const PEOPLE: [Column; 12] = [
    ("file", |line| line.file.clone(), |file| file.file.clone()),
    ("instance", |line| cell(line.instance.as_deref().map(brief)), nothing),
    (
        "query or test",
        |line| cell(line.query.as_deref().or(line.test.as_deref()).map(brief)),
        nothing,
    ),
    ("engine", |line| cell(line.engine.as_ref()), nothing),
    ("outcome", |line| line.outcome.name().to_owned(), |file| file.outcome.name().to_owned()),
    ("reason", |line| cell(line.reason.as_deref().map(brief)), |file| cell(file.reason.as_ref())),
    ("result", worth, nothing),
    ("moves", |line| cell(line.moves), nothing),
    ("nodes", |line| cell(line.expanded.or(line.nodes).map(grouped)), nothing),
    ("answers", answers, nothing),
    ("points", |_| String::new(), points),
    (
        "time",
        |line| seconds(line.elapsed_seconds),
        |file| seconds(file.elapsed_seconds.filter(|_| file.results == 0)),
    ),
];

/// The columns of the comma-separated values.
const CSV: [Column; 20] = [
    ("file", |line| line.file.clone(), |file| file.file.clone()),
    ("record", |_| "result".to_owned(), |_| "file".to_owned()),
    ("number", |line| line.number.to_string(), nothing),
    ("instance", |line| cell(line.instance.as_ref()), nothing),
    ("query", |line| cell(line.query.as_ref()), nothing),
    ("test", |line| cell(line.test.as_ref()), nothing),
    ("engine", |line| cell(line.engine.as_ref()), nothing),
    ("heuristic", |line| cell(line.heuristic.as_ref()), nothing),
    ("outcome", |line| line.outcome.name().to_owned(), |file| file.outcome.name().to_owned()),
    ("reason", |line| cell(line.reason.as_ref()), |file| cell(file.reason.as_ref())),
    ("message", |line| cell(line.message.as_ref()), |file| cell(why(file))),
    ("cost", |line| cell(line.cost.as_ref().map(plain)), nothing),
    ("value", |line| cell(line.value.as_ref().map(plain)), nothing),
    ("move", |line| cell(line.mv.as_ref()), nothing),
    ("moves", |line| cell(line.moves), nothing),
    ("expanded", |line| cell(line.expanded.or(line.nodes)), nothing),
    ("answers", |line| cell(line.answers.as_ref().map(Vec::len)), nothing),
    ("points", |_| String::new(), |file| cell(file.points.as_ref())),
    ("points_of", |_| String::new(), |file| cell(file.points_of.as_ref())),
    ("elapsed_seconds", |line| cell(line.elapsed_seconds), |file| cell(file.elapsed_seconds)),
];

fn nothing(_: &FileLine) -> String {
    String::new()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// On one line, and not too long for a table.
fn brief(text: &str) -> String {
    shortened(text, LONGEST)
}

/// On one line, of at most so many characters.
fn shortened(text: &str, most: usize) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

/// A row for each result; for a file without results, one for the file.
pub fn table(groups: &[Group], theme: &Theme) -> String {
    let headings = PEOPLE.map(|(heading, ..)| heading).to_vec();
    let mut table = Table { headings, left: 7, spare: &[], rows: Vec::new() };
    for group in groups {
        let row = |line| PEOPLE.map(|(_, cell, _)| cell(line)).to_vec();
        table.rows.extend(group.results.iter().map(row));
        if group.results.is_empty() || group.file.points_of.is_some() {
            table.rows.push(PEOPLE.map(|(.., cell)| cell(&group.file)).to_vec());
        }
    }
    if table.rows.is_empty() {
        return String::new();
    }
    let text = table.without_empty_columns().text();
    let Some((head, rows)) = text.split_once('\n') else { return text };
    let mut text = format!("{}\n{rows}", paint(theme.strong, head));
    for group in groups {
        for judged in group.file.expected.iter().filter(|judged| !judged.passed) {
            let _ = writeln!(text, "{}: {}", group.file.file, unmet(judged));
        }
        for error in &group.file.errors {
            let shown = format!("{}: ", group.file.file);
            let place = if error.starts_with(&group.file.file) { "" } else { &*shown };
            let _ = writeln!(text, "{place}{error}");
        }
        for result in &group.results {
            if let Some(message) = &result.message {
                let what =
                    result.about().map_or(String::new(), |what| format!(", {}", brief(what)));
                let _ = writeln!(text, "{}{what}: {message}", group.file.file);
            }
        }
    }
    text
}

/// The cost or the value of a result.
fn worth(line: &ResultLine) -> String {
    match (&line.cost, &line.value) {
        (Some(cost), _) => format!("cost {}", plain(cost)),
        (None, Some(value)) => match &line.mv {
            Some(mv) => format!("value {}, {}", plain(value), brief(&mv.text)),
            None => format!("value {}", plain(value)),
        },
        (None, None) => String::new(),
    }
}

fn answers(line: &ResultLine) -> String {
    let more = if line.more.is_some() { "+" } else { "" };
    cell(line.answers.as_ref().map(|answers| format!("{}{more}", answers.len())))
}

fn points(file: &FileLine) -> String {
    let points = file.points.as_ref().zip(file.points_of.as_ref());
    cell(points.map(|(points, of)| format!("{points}/{of}")))
}

fn seconds(value: Option<f64>) -> String {
    let duration = value.and_then(|value| Duration::try_from_secs_f64(value).ok());
    duration.map(time).unwrap_or_default()
}

/// The line of headings of the comma-separated values.
pub fn csv_headings() -> String {
    csv_line(&CSV.map(|(heading, ..)| heading.to_owned()))
}

/// The lines of a file as comma-separated values (RFC 4180): one for each result, one for the
/// file.
pub fn csv(group: &Group) -> String {
    let results = group.results.iter();
    let mut all: String =
        results.map(|line| csv_line(&CSV.map(|(_, cell, _)| cell(line)))).collect();
    all += &csv_line(&CSV.map(|(.., cell)| cell(&group.file)));
    all
}

/// The first expectation that is not met, or else the first error.
fn why(file: &FileLine) -> Option<String> {
    let missed = file.expected.iter().find(|judged| !judged.passed);
    missed.map(unmet).or_else(|| file.errors.first().cloned())
}

/// What was expected in vain, and what came.
fn unmet(judged: &GradedExpectation) -> String {
    let of = judged.instance.as_ref().map_or(String::new(), |name| format!(" of {name}"));
    format!("expected {}{of}, came {}", brief(&judged.expected), brief(&judged.came))
}

fn csv_line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| super::table::csv_cell(cell)).collect();
    cells.join(",") + "\r\n"
}

/// All results in JUnit's form, as build servers read it: a suite for each file, a case for each
/// result, or in a grading run for each expectation.
pub fn junit(groups: &[Group]) -> String {
    let mut suites = String::new();
    let mut total = JunitCounts::default();
    for group in groups {
        let mut tally = JunitCounts::default();
        let mut cases = String::new();
        if group.file.expected.is_empty() {
            for result in &group.results {
                let name = result.about().map_or_else(|| result.number.to_string(), brief);
                let why = result.reason.as_ref().or(result.message.as_ref());
                tally.case(&mut cases, group, &name, (result.outcome, why), result.elapsed_seconds);
            }
            if group.results.is_empty() {
                let why = group.file.errors.first().or(group.file.reason.as_ref());
                let time = group.file.elapsed_seconds;
                tally.case(&mut cases, group, "load", (group.file.outcome, why), time);
            }
        }
        for judged in &group.file.expected {
            let instance =
                judged.instance.as_ref().map_or(String::new(), |name| format!("{name}: "));
            let name = format!("{instance}{}", judged.expected);
            let outcome = if judged.passed { Outcome::Passed } else { Outcome::Failed };
            let why = format!("expected {}, came {}", judged.expected, judged.came);
            tally.case(&mut cases, group, &name, (outcome, Some(&why)), None);
        }
        let output: String = std::iter::once(&group.file.output)
            .chain(group.results.iter().map(|result| &result.output))
            .map(String::as_str)
            .collect();
        if !output.is_empty() {
            let _ = writeln!(cases, "    <system-out>{}</system-out>", escaped(&output));
        }
        let name = escaped(&group.file.file);
        let time = junit_time(group.file.elapsed_seconds);
        let _ =
            write!(suites, "  <testsuite name=\"{name}\" {tally}{time}>\n{cases}  </testsuite>\n");
        total.add(&tally);
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"zug batch\" {total}>\n\
         {suites}</testsuites>\n"
    )
}

fn junit_time(seconds: Option<f64>) -> String {
    seconds.map_or(String::new(), |seconds| format!(" time=\"{seconds:.3}\""))
}

/// Cases by how they ended.
#[derive(Clone, Copy, Default)]
struct JunitCounts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl std::fmt::Display for JunitCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let JunitCounts { tests, failures, errors, skipped } = self;
        write!(
            f,
            "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\""
        )
    }
}

impl JunitCounts {
    fn add(&mut self, other: &JunitCounts) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
    }

    fn case(
        &mut self,
        cases: &mut String,
        group: &Group,
        name: &str,
        (outcome, why): (Outcome, Option<&String>),
        seconds: Option<f64>,
    ) {
        self.tests += 1;
        let why = escaped(&shortened(why.map_or(outcome.name(), |why| why), MESSAGE));
        let kind = outcome.name();
        let (class, name) = (escaped(&group.file.file), escaped(name));
        let begin =
            format!("    <testcase classname=\"{class}\" name=\"{name}\"{}", junit_time(seconds));
        let inside = match outcome {
            Outcome::True | Outcome::Solved | Outcome::Passed => {
                let _ = writeln!(cases, "{begin}/>");
                return;
            }
            Outcome::Program | Outcome::Skipped => {
                self.skipped += 1;
                format!("<skipped message=\"{why}\"/>")
            }
            Outcome::False | Outcome::Exhausted | Outcome::Failed => {
                self.failures += 1;
                format!("<failure type=\"{kind}\" message=\"{why}\"/>")
            }
            _ => {
                self.errors += 1;
                format!("<error type=\"{kind}\" message=\"{why}\"/>")
            }
        };
        let _ = writeln!(cases, "{begin}>{inside}</testcase>");
    }
}

/// How far a batch is, on a line.
pub fn progress(standing: &BatchProgress) -> String {
    const WIDTH: usize = 20;
    let full = (standing.done * WIDTH).checked_div(standing.of).unwrap_or(0);
    let bar: String = (0..WIDTH).map(|at| if at < full { '█' } else { '░' }).collect();
    let done = standing.done.max(1);
    let left =
        standing.elapsed.mul_f64(standing.of.saturating_sub(standing.done) as f64 / done as f64);
    let bad =
        if standing.bad == 0 { String::new() } else { format!(", {} not well", standing.bad) };
    format!(
        "{bar} {} of {}{bad}; {}, about {} left",
        grouped(standing.done as u64),
        counted(standing.of as u64, "file"),
        time(standing.elapsed),
        time(left)
    )
}

/// What a batch came to, in a few lines.
pub fn summary(report: &BatchReport, out: Option<&Path>, theme: &Theme) -> String {
    let summary = &report.summary;
    let counts: Vec<String> = summary
        .outcomes
        .iter()
        .map(|(outcome, &count)| {
            let style = match outcome.exit() {
                Exit::Success => theme.good,
                Exit::Failure | Exit::Limit => theme.warning,
                _ => theme.error,
            };
            format!("{} {}", grouped(count as u64), paint(style, outcome.name()))
        })
        .collect();
    let mut text = format!("{}: {}", counted(summary.done as u64, "file"), counts.join(", "));
    if summary.results > 0 {
        let _ = write!(text, "; {}", counted(summary.results as u64, "result"));
    }
    text += "\n";
    if let (Some(points), Some(of)) = (&report.end.points, &report.end.points_of) {
        let _ = write!(text, "points: {points} of {of}");
        if summary.ungraded > 0 {
            let _ =
                write!(text, "; nothing expected of {}", counted(summary.ungraded as u64, "file"));
        }
        text += "\n";
    }
    if summary.not_asked > 0 {
        let have = if summary.not_asked == 1 { "has" } else { "have" };
        let files = counted(summary.not_asked as u64, "file");
        let _ = writeln!(text, "{files} {have} queries or tests: --queries runs them");
    }
    if report.end.unfinished > 0 {
        let why = if report.end.reason.is_some() { "the time is over" } else { "interrupted" };
        let how = if out.is_some() { "; --resume runs them" } else { "" };
        let _ = writeln!(
            text,
            "{why}: {} not done{how}",
            counted(report.end.unfinished as u64, "file")
        );
    }
    let slow: Vec<String> = summary
        .slowest
        .iter()
        .filter(|(elapsed, _)| *elapsed >= Duration::from_secs(1))
        .map(|(elapsed, file)| format!("{file} {}", time(*elapsed)))
        .collect();
    if !slow.is_empty() {
        let _ = writeln!(text, "{}", paint(theme.dim, &format!("slowest: {}", slow.join(", "))));
    }
    let run = summary.run;
    let known = match summary.resumed {
        0 => String::new(),
        n => format!(", {} known before", grouped(n as u64)),
    };
    let took = format!(
        "{} run{known}; {}, {}",
        counted(run as u64, "file"),
        time(report.elapsed),
        counted(report.workers.get() as u64, "worker")
    );
    let _ = writeln!(text, "{}", paint(theme.dim, &took));
    text
}

//! Tests as text for people and as JUnit's XML for build servers.

use super::diagnostic::{RenderOptions, render};
use super::number::{counted, time};
use super::style::{Theme, paint};
use std::fmt::Write;
use std::time::Duration;
use zug_prolog::builtins::unit_tests::TestRun;
use zug_usecases::exit::Exit;
use zug_usecases::unit::record::{Counts, message};
use zug_usecases::unit::{FileReport, TestOutcome, TestReport, summary};

/// Lines shown of what a test wrote.
const LINES: usize = 20;

/// The tests of a file: those that did not pass with the reason, the others if `verbose`; then
/// the counts.
pub fn file(name: &str, report: &TestReport, verbose: bool, theme: &Theme) -> String {
    let mut text = String::new();
    for run in &report.runs {
        text += &one(run, verbose, theme);
    }
    let options = RenderOptions { colour: theme.colour };
    for warning in &report.warnings {
        // Writing to a string doesn't fail.
        let _ = render(&mut text, warning, options);
        text.push('\n');
    }
    let style = match (report.passed(), report.is_empty()) {
        (_, true) => theme.dim,
        (true, _) => theme.good,
        (false, _) => theme.error,
    };
    let mut counts = match report.is_empty() {
        true => "no tests".to_owned(),
        false => summary(&report.runs),
    };
    if report.not_run > 0 {
        let _ = write!(counts, ", {} not run", report.not_run);
    }
    if let Some(ended) = &report.ended {
        let _ = write!(counts, ": {}", why_ended(ended));
        if let Some(test) = &report.interrupted {
            let _ = write!(counts, " in {test}");
        }
    }
    let _ = writeln!(text, "{name}: {} ({})", paint(style, &counts), time(report.elapsed));
    text
}

/// What ended the tests of a file.
pub fn why_ended(fault: &zug_machine::Fault) -> String {
    use zug_machine::{Fault, StopReason};
    match fault {
        Fault::Stopped(StopReason::Time) => "the time of the file is over".to_owned(),
        Fault::Stopped(reason) => reason.to_string(),
        Fault::Halt(status) => format!("the file called halt({status}) while it was loaded"),
        Fault::Ball(_) => "an error outside of the tests".to_owned(),
    }
}

fn one(run: &TestRun, verbose: bool, theme: &Theme) -> String {
    let mut text = String::new();
    let options = RenderOptions { colour: theme.colour };
    let failed = run.outcome.is_failure();
    for (i, finding) in run.findings.iter().chain(&run.warnings).enumerate() {
        let mut finding = finding.clone();
        if i == 0 && failed {
            let how = match run.outcome {
                TestOutcome::Failed => "failed: ",
                _ => "",
            };
            finding.message = format!("{}: {how}{}", run.label(), finding.message);
        } else if !failed {
            finding.message = format!("{}: {}", run.label(), finding.message);
        }
        let _ = render(&mut text, &finding, options);
    }
    let line = match run.outcome {
        TestOutcome::Passed => verbose.then(|| {
            format!("{} {} ({})", paint(theme.good, "passed"), run.label(), time(run.elapsed))
        }),
        TestOutcome::Skipped if !verbose => None,
        _ if failed => None,
        outcome => Some(format!(
            "{} {} at {}:{}: {}",
            paint(theme.warning, outcome.name()),
            run.label(),
            run.source.name,
            run.line(),
            run.reason.as_deref().unwrap_or("")
        )),
    };
    if let Some(line) = line {
        text.push_str(&line);
        text.push('\n');
    }
    if (failed || verbose) && !run.output.is_empty() {
        let lines: Vec<&str> = run.output.lines().collect();
        let _ = writeln!(text, "{}", paint(theme.dim, "it wrote:"));
        for line in lines.iter().take(LINES) {
            let _ = writeln!(text, "  {}", shown(line));
        }
        if lines.len() > LINES {
            let more = counted((lines.len() - LINES) as u64, "line");
            let _ = writeln!(text, "  and {more} more");
        }
    }
    if failed {
        text.push('\n');
    }
    text
}

/// Characters shown of a line that a test wrote.
const WIDTH: usize = 200;

/// A line without characters that play tricks on the terminal.
fn shown(line: &str) -> String {
    let safe = |c: char| if c.is_control() && c != '\t' { '\u{fffd}' } else { c };
    let mut text: String = line.chars().take(WIDTH).map(safe).collect();
    if line.chars().nth(WIDTH).is_some() {
        text.push('…');
    }
    text
}

/// The last line where there are several files.
pub fn total(reports: &[FileReport], elapsed: Duration, theme: &Theme) -> String {
    if reports.len() < 2 {
        return String::new();
    }
    let runs: Vec<TestRun> = reports
        .iter()
        .flat_map(|report| report.result.iter().flat_map(|done| done.runs.iter().cloned()))
        .collect();
    let broken = reports.iter().filter(|report| report.result.is_err()).count();
    let failed =
        broken > 0 || reports.iter().any(|report| report.outcome().exit() != Exit::Success);
    let mut counts = summary(&runs);
    if broken > 0 {
        let _ = write!(counts, "; {} not tested", counted(broken as u64, "file"));
    }
    let style = if failed { theme.error } else { theme.good };
    let files = counted(reports.len() as u64, "file");
    format!("{files}: {} ({})\n", paint(style, &counts), time(elapsed))
}

/// JUnit's XML, as Jenkins, GitLab and GitHub read it: a suite for each unit of each file.
pub fn junit(reports: &[FileReport], elapsed: Duration) -> String {
    let mut suites = String::new();
    let mut all = Counts::default();
    for report in reports {
        match &report.result {
            Ok(done) => {
                all.add(done);
                for unit in units(&done.runs) {
                    suites += &suite(&report.file, unit);
                }
                if let Some(ended) = &done.ended {
                    all.error += 1;
                    suites += &broken(&report.file, &why_ended(ended));
                }
            }
            Err(failure) => {
                all.error += 1;
                suites += &broken(&report.file, &zug_usecases::unit::why_not_tested(failure));
            }
        }
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"zug test\" {} time=\"{:.6}\">\n{suites}</testsuites>\n",
        attributes(&all),
        elapsed.as_secs_f64()
    )
}

/// Runs of the same unit together: they follow each other.
fn units(runs: &[TestRun]) -> impl Iterator<Item = &[TestRun]> {
    runs.chunk_by(|one, other| one.unit == other.unit)
}

fn attributes(counts: &Counts) -> String {
    let errors = counts.error + counts.timeout + counts.limit;
    let skipped = counts.blocked + counts.fixme + counts.skipped;
    let tests = counts.passed + counts.failed + errors + skipped;
    format!(
        "tests=\"{tests}\" failures=\"{}\" errors=\"{errors}\" skipped=\"{skipped}\"",
        counts.failed
    )
}

fn suite(file: &str, runs: &[TestRun]) -> String {
    let report = TestReport { runs: runs.to_vec(), ..TestReport::default() };
    let unit = runs.first().map_or("", |run| run.unit.as_str());
    let time: Duration = runs.iter().map(|run| run.elapsed).sum();
    let mut text = format!(
        "  <testsuite name=\"{}\" file=\"{}\" {} time=\"{:.6}\">\n",
        escaped(unit),
        escaped(file),
        attributes(&Counts::of(&report)),
        time.as_secs_f64()
    );
    for run in runs {
        text += &case(run);
    }
    text + "  </testsuite>\n"
}

fn case(run: &TestRun) -> String {
    let name = match &run.instance {
        Some(instance) => format!("{} ({instance})", run.name),
        None => run.name.clone(),
    };
    let mut text = format!(
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\" time=\"{:.6}\">",
        escaped(&run.unit),
        escaped(&name),
        escaped(&run.source.name),
        run.line(),
        run.elapsed.as_secs_f64()
    );
    let why = escaped(&message(run).unwrap_or_default());
    let element = match run.outcome {
        TestOutcome::Passed => None,
        TestOutcome::Failed => Some("failure"),
        TestOutcome::Error | TestOutcome::Timeout | TestOutcome::Limit => Some("error"),
        TestOutcome::Blocked | TestOutcome::Fixme | TestOutcome::Skipped => Some("skipped"),
    };
    match element {
        Some("skipped") => {
            let _ = write!(text, "\n      <skipped message=\"{why}\"/>");
        }
        Some(element) => {
            let mut details = String::new();
            for finding in &run.findings {
                let _ = render(&mut details, finding, RenderOptions::default());
            }
            let _ = write!(
                text,
                "\n      <{element} type=\"{}\" message=\"{why}\">{}</{element}>",
                run.outcome.name(),
                escaped(&details)
            );
        }
        None => {}
    }
    if !run.output.is_empty() {
        let _ = write!(text, "\n      <system-out>{}</system-out>", escaped(&run.output));
    }
    text += if text.ends_with('>') && text.contains('\n') {
        "\n    </testcase>\n"
    } else {
        "</testcase>\n"
    };
    text
}

/// A file whose tests were not run, or not to the end: a suite with one error.
fn broken(file: &str, why: &str) -> String {
    let (file, why) = (escaped(file), escaped(why));
    format!(
        "  <testsuite name=\"{file}\" file=\"{file}\" tests=\"1\" failures=\"0\" errors=\"1\" \
         skipped=\"0\" time=\"0\">\n    <testcase classname=\"{file}\" name=\"load\" time=\"0\">\n\
         \x20     <error type=\"file\" message=\"{why}\"/>\n    </testcase>\n  </testsuite>\n"
    )
}

/// Text in XML: what has a meaning there is escaped, what can't stand there is replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            '\'' => out += "&apos;",
            '\n' => out += "&#10;",
            '\t' => out += "&#9;",
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}');
            }
            c => out.push(c),
        }
    }
    out
}

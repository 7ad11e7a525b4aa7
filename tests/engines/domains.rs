//! Rule files as many hands would write them, `tests/domains`: what they answer, and that the
//! engines and the domain answer the same. `tests/domains/README.md` says how to renew
//! `expected.txt`.

use crate::support::ask::record_text;
use crate::support::compare::{difference, differences};
use crate::support::explore::{Asker, transcript};
use crate::support::{full, root, session};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use zug::usecases::Failure;
use zug::usecases::enumerate::{EnumerateRequest, enumerate_loaded};
use zug::usecases::record::TermData;
use zug::{Found, SolveRequest};
use zug_code::Specialise;
use zug_prolog::session::Session;
use zug_search::Limits;

/// States of a file whose answers are written down.
const WRITTEN: usize = 20;
/// States of a file on which the domain is held against queries.
fn compared() -> usize {
    if full() { 3_000 } else { 40 }
}

/// Files with more states are not searched.
fn searched() -> u64 {
    if full() { u64::MAX } else { 700 }
}

/// There are more rule files than this, and more of corners.
const FEWEST: (usize, usize) = (80, 5);
/// States counted at most.
const COUNTED: u64 = 30_000;

fn folder() -> PathBuf {
    root().join("tests/domains")
}

/// The rule files, by name.
fn files() -> Vec<String> {
    let mut names = Vec::new();
    for part in ["", "faulty/"] {
        for entry in std::fs::read_dir(folder().join(part)).expect("the folder is there") {
            let name = entry.expect("it can be read").file_name().into_string().expect("UTF-8");
            if let Some(name) = name.strip_suffix(".pl") {
                names.push(format!("{part}{name}"));
            }
        }
    }
    assert!(names.len() > FEWEST.0, "only {} files", names.len());
    names.sort();
    names
}

/// A session for each file of one half of them: tests run side by side.
fn each_session(half: usize, mut work: impl FnMut(&str, &mut Session)) {
    for name in files().into_iter().skip(half).step_by(2) {
        let (mut session, _) = zug_tools::language::captured("");
        let path = folder().join(format!("{name}.pl"));
        let findings = session.load_file(&path).expect("it can be read");
        if !name.starts_with("faulty/") {
            assert!(findings.is_empty(), "{name}: {findings:?}");
        }
        work(&name, &mut session);
    }
}

/// What `expected.txt` says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    /// The number of states, a `+` behind it if there are more.
    states: String,
    /// A digest of what the rules answer about the first states.
    answers: String,
    /// What the engine that is taken without a word found.
    found: String,
}

impl Row {
    fn parse(line: &str) -> Option<(String, Row)> {
        let mut fields = line.splitn(4, ' ').map(str::to_owned);
        let name = fields.next()?;
        let (states, answers, found) = (fields.next()?, fields.next()?, fields.next()?);
        Some((name, Row { states, answers, found }))
    }

    fn searched(&self) -> bool {
        self.states.parse().is_ok_and(|states: u64| states <= searched())
    }
}

fn expected() -> BTreeMap<String, Row> {
    let text = std::fs::read_to_string(folder().join("expected.txt")).unwrap_or_default();
    text.lines().filter_map(Row::parse).collect()
}

fn failed(failure: &Failure) -> String {
    match failure {
        Failure::Rule(raised) => format!("error: {}", raised.finding.message),
        Failure::Diagnosed(failure, _) => failed(failure),
        other => format!("error: {other:?}"),
    }
}

/// How many states there are.
fn count(session: &mut Session) -> String {
    let limits = Limits { nodes: Some(COUNTED), ..Limits::none() };
    let request = EnumerateRequest { limits, ..EnumerateRequest::default() };
    match enumerate_loaded(session, &request, None) {
        Ok(report) if report.outcome == "complete" => report.states.to_string(),
        Ok(report) => format!("{}+", report.states),
        Err(_) => "error".to_owned(),
    }
}

/// What the engine that is taken without a word finds.
fn solve(session: &mut Session) -> String {
    let report = match zug::solve(session, &SolveRequest::default()) {
        Ok(report) => report,
        Err(failure) => return failed(&failure),
    };
    let found = match &report.results[0] {
        Found::Plan(report) => &report.found,
        Found::Value(report) => {
            let found = &report.found;
            let value = serde_json::to_string(&found.value).expect("a number");
            let mv = found.best.as_ref().map(|mv| TermData::text_of(session, mv));
            return format!("{} value {value} by {}", found.engine, mv.unwrap_or_default());
        }
        other => panic!("{other:?}"),
    };
    let Some(path) = &found.path else {
        return format!("{} {}", found.engine, found.outcome().name());
    };
    let path: Vec<String> = path.iter().map(|mv| record_text(session, mv)).collect();
    let cost = serde_json::to_string(&found.cost).expect("a number");
    format!("{} cost {cost} by {}", found.engine, path.join(" "))
}

fn answers(session: &mut Session) -> (Asker, String) {
    let asker = Asker::new(session);
    let text = transcript(&asker.explore(session, WRITTEN));
    // FNV-1a.
    let digest = text.bytes().fold(0xcbf2_9ce4_8422_2325, |digest: u64, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (asker, format!("{digest:016x}"))
}

fn hold(half: usize) {
    let expected = expected();
    let mut report = String::new();
    each_session(half, |name, session| {
        let Some(row) = expected.get(name) else {
            let _ = writeln!(report, "{name} is not in expected.txt");
            return;
        };
        let mut found = Row { answers: answers(session).1, ..row.clone() };
        if row.searched() || row.states == "error" {
            found.states = count(session);
            found.found = solve(session);
        }
        if found != *row {
            let _ = writeln!(report, "{name}\n  expected {row:?}\n  found    {found:?}");
        }
    });
    assert!(report.is_empty(), "{report}");
}

fn compare(half: usize) {
    let mut report = String::new();
    each_session(half, |name, session| {
        let asker = Asker::new(session);
        let nodes = asker.explore(session, compared());
        if let Some(difference) = difference(session, &asker, &nodes) {
            let _ = writeln!(report, "{name}: {difference}");
        }
    });
    assert!(report.is_empty(), "{report}");
}

#[test]
fn answers_are_as_expected_1() {
    hold(0);
}

#[test]
fn answers_are_as_expected_2() {
    hold(1);
}

#[test]
fn the_domain_answers_as_queries_do_1() {
    compare(0);
}

#[test]
fn the_domain_answers_as_queries_do_2() {
    compare(1);
}

/// States by depth, with code and with the machine alone: states that code puts together, and that
/// no rule was asked for, are known to nothing but code when it is asked about them.
#[test]
fn states_are_counted_as_by_the_machine() {
    const EXPANDED: u64 = 1_000;
    let mut report = String::new();
    for name in files() {
        let by_depth = [Specialise::On, Specialise::Off].map(|mode| {
            let mut session = session(folder().join(format!("{name}.pl")));
            mode.set(&mut session.world);
            let limits = Limits { nodes: Some(EXPANDED), ..Limits::none() };
            let request = EnumerateRequest { limits, ..EnumerateRequest::default() };
            match enumerate_loaded(&mut session, &request, None) {
                Ok(found) => format!("{:?}", found.by_depth),
                Err(failure) => failed(&failure),
            }
        });
        let [code, machine] = by_depth;
        if code != machine {
            let _ = writeln!(report, "{name}\n  by code    {code}\n  by machine {machine}");
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Rules in which every clause is a corner: `tests/domains/corners`.
#[test]
fn corners_are_answered_as_queries_are() {
    let (mut report, mut count) = (String::new(), 0);
    for entry in std::fs::read_dir(folder().join("corners")).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        count += 1;
        let (mut session, _) = zug_tools::language::captured("");
        let findings = session.load_file(&path).expect("it can be read");
        let bad = findings.iter().find(|finding| finding.is_error());
        assert!(bad.is_none(), "{path:?}: {bad:?}");
        let asker = Asker::new(&mut session);
        let nodes = asker.explore(&mut session, compared().max(80));
        for difference in differences(&mut session, &asker, &nodes) {
            let _ = writeln!(report, "{path:?}: {difference}");
        }
    }
    assert!(count > FEWEST.1, "only {count} files");
    assert!(report.is_empty(), "{report}");
}

/// Writes `expected.txt` anew: `cargo test --release --test all -- --ignored domains::record`.
#[test]
#[ignore = "writes a file"]
fn record() {
    let mut rows = BTreeMap::new();
    for half in [0, 1] {
        each_session(half, |name, session| {
            let (_, answers) = answers(session);
            let states = count(session);
            rows.insert(name.to_owned(), format!("{states} {answers} {}", solve(session)));
        });
    }
    let mut text =
        String::from("# file, states, digest of answers, what the default engine finds\n");
    for (name, row) in rows {
        let _ = writeln!(text, "{name} {row}");
    }
    std::fs::write(folder().join("expected.txt"), text).expect("it can be written");
}

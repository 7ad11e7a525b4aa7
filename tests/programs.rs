//! Runs `tests/programs/*.pl`: each file is loaded, and each query in its comments must write and answer what the
//! comments behind it say. The format is described in `tests/programs/README.md`. Each runs as it would for a user, with
//! a heap that is collected all the time, and with machine code for all predicates. A failure names file and line.

use crate::support::files;
use std::fmt::Write;
use std::path::Path;
use zug_machine::{Fault, NativeCode};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::session::{Query, Session};
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::diagnostic::Diagnostic;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, variables};

/// Answers compared at most.
const ANSWERS: usize = 20;
/// Cells between two collections of a heap that is collected all the time.
const TINY_NURSERY: usize = 64;

/// A query and the lines that are to come of it.
struct Case {
    line: usize,
    goal: String,
    expected: Vec<String>,
}

impl Case {
    /// The most answers asked for.
    fn answers(&self) -> usize {
        match self.expected.last().is_some_and(|last| last == "%...") {
            true => self.expected.iter().filter(|line| line.starts_with("%=")).count(),
            false => ANSWERS,
        }
    }

    /// Whether a query wrote and answered what is expected.
    fn is_met(&self, found: &[String]) -> bool {
        found.len() == self.expected.len()
            && found.iter().zip(&self.expected).all(|(found, expected)| {
                if expected.starts_with("%! error(syntax_error(") {
                    return found.starts_with("%! error(syntax_error(");
                }
                let words = expected.strip_prefix("%~ ");
                words.map_or(found == expected, |words| found.contains(words))
            })
    }
}

/// Clauses of a file up to the next line `%#`, with their queries.
#[derive(Default)]
struct Part {
    clauses: String,
    cases: Vec<Case>,
}

/// The clauses that all parts of a file share, and its parts. A file without a line `%#` has no parts.
fn parts(text: &str) -> (Part, Vec<Part>) {
    let (mut common, mut parts) = (Part::default(), Vec::new());
    for (i, line) in text.lines().enumerate() {
        if line.starts_with("%#") {
            parts.push(Part::default());
        }
        let part = parts.last_mut().unwrap_or(&mut common);
        part.clauses += &format!("{line}\n");
        if let Some(goal) = line.strip_prefix("%? ") {
            part.cases.push(Case { line: i + 1, goal: goal.to_owned(), expected: Vec::new() });
        } else if let Some(case) = part.cases.last_mut()
            && ["%=", "%>", "%!", "%~", "%..."].iter().any(|mark| line.starts_with(mark))
        {
            case.expected.push(line.trim_end().to_owned());
        }
    }
    (common, parts)
}

/// A term as the expectations write it.
fn show(session: &Session, heap: &Heap, cell: Cell) -> String {
    let names: Vec<_> = variables(heap, cell).into_iter().map(|cell| ("_".into(), cell)).collect();
    let options = WriteOptions {
        quoted: true,
        numbervars: true,
        priority: 699,
        variable_names: &names,
        ..WriteOptions::default()
    };
    term_to_string(heap, &session.machine.symbols, &session.world.operators, cell, &options)
}

fn answer(session: &Session, query: &Query) -> String {
    let parts: Vec<String> = session
        .bindings(query)
        .filter(|(name, _)| !name.starts_with('_'))
        .map(|(name, cell)| format!("{name} = {}", show(session, &session.machine.heap, cell)))
        .collect();
    if parts.is_empty() { "true".into() } else { parts.join(", ") }
}

fn error_line(session: &Session, fault: &Fault) -> String {
    let Fault::Ball(ball) = fault else { return format!("%! {fault:?}") };
    let (heap, root) = ball.to_heap();
    match heap.match_struct::<2>(root, atoms::ERROR) {
        Some([formal, _]) => {
            let formal = show(session, &heap, formal);
            if formal.starts_with("syntax_error(") {
                return "%! error(syntax_error(_))".into();
            }
            format!("%! error({formal})")
        }
        None => format!("%! {}", show(session, &heap, root)),
    }
}

/// Answers and error of a query, as lines. Where the message of an error is expected, it stands for the error.
fn run(session: &mut Session, case: &Case) -> Vec<String> {
    let mut lines = Vec::new();
    let mut query = match session.query(&case.goal) {
        Ok(query) => query,
        Err(_) => return vec!["%! error(syntax_error(_))".into()],
    };
    loop {
        match session.next(&mut query) {
            Ok(true) if lines.len() == case.answers() => {
                lines.push("%...".to_owned());
                break;
            }
            Ok(true) => lines.push(format!("%= {}", answer(session, &query))),
            Ok(false) => {
                if lines.is_empty() {
                    lines.push("%= false".to_owned());
                }
                break;
            }
            Err(fault) => {
                lines.push(match case.expected.last().is_some_and(|line| line.starts_with("%~")) {
                    true => format!("%~ {}", session.describe(&fault)),
                    false => error_line(session, &fault),
                });
                break;
            }
        }
        if !session.has_more(&query) {
            break;
        }
    }
    session.close(query);
    let left = (session.machine.roots.len(), session.machine.heap.top());
    assert_eq!(left, (0, 0), "roots and cells that a query leaves: {}", case.goal);
    lines
}

/// How programs run.
#[derive(Clone, Copy)]
struct Way {
    nursery: Option<usize>,
    code: NativeCode,
}

impl Way {
    fn session(self) -> (Session, SharedBuffer) {
        let (mut session, output) = zug_tools::language::captured("");
        session.machine.set_native_code(self.code);
        if let Some(cells) = self.nursery {
            session.machine.set_nursery(cells);
        }
        (session, output)
    }
}

/// What is wrong with a file: nothing, or a paragraph for each query, which names its line.
fn check(path: &Path, way: Way) -> String {
    let text = std::fs::read_to_string(path).expect("it can be read");
    let (common, parts) = parts(&text);
    let mut report = String::new();
    if parts.is_empty() {
        let (mut session, output) = way.session();
        let findings = session.load_file(path).expect("it can be read");
        check_queries(path, (&mut session, &output), &findings, &common.cases, &mut report);
    }
    for part in parts {
        let (mut session, output) = way.session();
        let mut findings = session.load_text("common", &common.clauses);
        findings.extend(session.load_text("part", &part.clauses));
        check_queries(path, (&mut session, &output), &findings, &part.cases, &mut report);
    }
    report
}

fn check_queries(
    path: &Path,
    (session, output): (&mut Session, &SharedBuffer),
    findings: &[Diagnostic],
    cases: &[Case],
    report: &mut String,
) {
    for finding in findings.iter().filter(|finding| finding.is_error()) {
        let _ = writeln!(report, "{}: {finding:?}", path.display());
    }
    output.take();
    for case in cases {
        let mut found = run(session, case);
        session.world.streams.flush_standard().expect("written");
        let written = output.take();
        found.splice(0..0, written.lines().map(|line| format!("%> {line}").trim_end().to_owned()));
        if !case.is_met(&found) {
            let _ = writeln!(
                report,
                "{}:{}: {}\n  expected {}\n  found    {}",
                path.display(),
                case.line,
                case.goal,
                case.expected.join("\n           "),
                found.join("\n           ")
            );
        }
    }
}

/// Runs the programs of a folder, or the one that `ZUG_PROGRAM` names.
#[expect(clippy::print_stdout, reason = "the last file shown is the one in which a test panics")]
fn check_all(folder: &str, way: Way) {
    let mut programs = files(&[folder]);
    assert!(!programs.is_empty(), "{folder}");
    if let Ok(name) = std::env::var("ZUG_PROGRAM") {
        programs.retain(|path| path.file_stem().is_some_and(|stem| *stem == *name));
    }
    let mut wrong = String::new();
    for path in programs {
        println!("{}", path.display());
        wrong += &check(&path, way);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn as_users_run_them() {
    check_all("tests/programs", Way { nursery: None, code: NativeCode::Often });
}

#[test]
fn with_a_tiny_nursery() {
    check_all("tests/programs", Way { nursery: Some(TINY_NURSERY), code: NativeCode::Never });
}

#[test]
fn in_machine_code() {
    check_all("tests/programs", Way { nursery: None, code: NativeCode::Always });
}

#[test]
fn in_machine_code_with_a_tiny_nursery() {
    check_all("tests/programs", Way { nursery: Some(TINY_NURSERY), code: NativeCode::Always });
}

/// Once, as most are puzzles and games: `tests/engines` compares the ways to run these.
#[test]
fn in_parts() {
    check_all("tests/programs/parts", Way { nursery: None, code: NativeCode::Often });
}

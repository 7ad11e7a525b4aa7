//! Runs `tests/programs/*.pl`: each file is loaded, and each query in its comments must write and answer what the
//! comments behind it say. The format is described in `tests/programs/README.md`. Each runs as it would for a user, with
//! a heap that is collected all the time, and with machine code for all predicates. A failure names file and line.

use crate::support::files;
use std::fmt::Write;
use std::path::Path;
use zug_machine::{Fault, NativeCode};
use zug_prolog::session::{Query, Session};
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, variables};

/// Answers compared at most.
const ANSWERS: usize = 20;
/// Cells between two collections of a heap that is collected all the time.
const TINY_NURSERY: usize = 64;

/// There are more programs than this.
const FEWEST: usize = 30;

/// A query and the lines that are to come of it.
struct Case {
    line: usize,
    goal: String,
    expected: Vec<String>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if let Some(goal) = line.strip_prefix("%? ") {
            cases.push(Case { line: i + 1, goal: goal.to_owned(), expected: Vec::new() });
        } else if let Some(case) = cases.last_mut()
            && ["%=", "%>", "%!", "%..."].iter().any(|mark| line.starts_with(mark))
        {
            case.expected.push(line.trim_end().to_owned());
        }
    }
    cases
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

/// Answers and error of a query, as lines.
fn run(session: &mut Session, goal: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut query = match session.query(goal) {
        Ok(query) => query,
        Err(_) => return vec!["%! error(syntax_error(_))".into()],
    };
    loop {
        match session.next(&mut query) {
            Ok(true) if lines.len() == ANSWERS => {
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
                lines.push(error_line(session, &fault));
                break;
            }
        }
        if !session.has_more(&query) {
            break;
        }
    }
    session.close(query);
    lines
}

/// What is wrong with a file: nothing, or a paragraph for each query, which names its line.
fn check(path: &Path, nursery: Option<usize>, code: NativeCode) -> String {
    let text = std::fs::read_to_string(path).expect("it can be read");
    let (mut session, output) = zug_tools::language::captured("");
    session.machine.set_native_code(code);
    if let Some(cells) = nursery {
        session.machine.set_nursery(cells);
    }
    let findings = session.load_file(path).expect("it can be read");
    let mut report = String::new();
    for finding in findings.iter().filter(|finding| finding.is_error()) {
        let _ = writeln!(report, "{}: {finding:?}", path.display());
    }
    output.take();
    for case in cases(&text) {
        let mut found = run(&mut session, &case.goal);
        session.world.streams.flush_standard().expect("written");
        let written = output.take();
        let written: Vec<String> =
            written.lines().map(|line| format!("%> {line}").trim_end().to_owned()).collect();
        let expected: Vec<String> = case
            .expected
            .iter()
            .map(|line| match line.starts_with("%! error(syntax_error(") {
                true => "%! error(syntax_error(_))".to_owned(),
                false => line.clone(),
            })
            .collect();
        found.splice(0..0, written);
        if found != expected {
            let _ = writeln!(
                report,
                "{}:{}: {}\n  expected {}\n  found    {}",
                path.display(),
                case.line,
                case.goal,
                expected.join("\n           "),
                found.join("\n           ")
            );
        }
    }
    report
}

/// Runs all programs, or the one that `ZUG_PROGRAM` names.
#[expect(clippy::print_stdout, reason = "the last file shown is the one in which a test panics")]
fn check_all(nursery: Option<usize>, code: NativeCode) {
    let mut programs = files(&["tests/programs"]);
    assert!(programs.len() > FEWEST, "only {} programs", programs.len());
    if let Ok(name) = std::env::var("ZUG_PROGRAM") {
        programs.retain(|path| path.file_stem().is_some_and(|stem| *stem == *name));
        assert!(!programs.is_empty(), "there is no tests/programs/{name}.pl");
    }
    let mut wrong = String::new();
    for path in programs {
        println!("{}", path.display());
        wrong += &check(&path, nursery, code);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn as_users_run_them() {
    check_all(None, NativeCode::Often);
}

#[test]
fn with_a_tiny_nursery() {
    check_all(Some(TINY_NURSERY), NativeCode::Never);
}

#[test]
fn in_machine_code() {
    check_all(None, NativeCode::Always);
}

#[test]
fn in_machine_code_with_a_tiny_nursery() {
    check_all(Some(TINY_NURSERY), NativeCode::Always);
}

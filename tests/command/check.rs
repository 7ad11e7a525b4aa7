//! `zug check` on files with mistakes in them, each with what is to be found inside, and on the
//! files that are shipped, where nothing of the kind is to be found.
//!
//! A file of `tests/check` says in lines `%! CODE LINE` which findings are expected, in any order, and in
//! lines `%= TEXT` which lines there are when the certain changes are made.

use crate::support::{Folder, files, zug};
use std::path::Path;
use zug_term::diagnostic::Diagnostic;
use zug_tools::check::{self, FileCheck, fixes};

fn checked(path: &Path) -> FileCheck {
    let (mut session, _) = zug_tools::language::captured("");
    let findings = match session.load_file(path) {
        Ok(findings) => findings,
        Err(error) => panic!("{}: {error:?}", path.display()),
    };
    check::program(&mut session, findings)
}

fn line(finding: &Diagnostic) -> u32 {
    finding.primary.as_ref().map_or(0, |label| label.source.position(label.span.start).line)
}

#[test]
fn mistakes_are_found_at_their_lines() {
    let mut wrong = Vec::new();
    for path in files(&["tests/check"]) {
        let text = std::fs::read_to_string(&path).expect("a text");
        let mut expected: Vec<String> =
            text.lines().filter_map(|line| line.strip_prefix("%! ")).map(str::to_owned).collect();
        let checked = checked(&path);
        let told = checked.findings.iter().map(|f| format!("{} {}", f.code, line(f)));
        let mut found: Vec<String> = told.collect();
        expected.sort();
        found.sort();
        let name = path.file_name().expect("a name").to_string_lossy();
        if found != expected {
            let messages: Vec<&str> = checked.findings.iter().map(|f| f.message.as_str()).collect();
            wrong.push(format!("{name}: {found:?}, expected {expected:?}; {messages:#?}"));
        }
        let mended = fixes::fixed(&checked.findings);
        let after = mended.first().map_or(text.clone(), |fixed| fixed.text.clone());
        for wanted in text.lines().filter_map(|line| line.strip_prefix("%= ")) {
            if !after.lines().any(|line| line == wanted) {
                wrong.push(format!("{name}: mended there is no line `{wanted}` in\n{after}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Estimates of these say too much on purpose.
const OVERESTIMATE: [&str; 4] =
    ["closures.pl", "dungeon.pl", "setof_sets.pl", "tiles_positions.pl"];

/// These have no solution, on purpose, and few states.
const UNSOLVABLE: [&str; 4] = ["coins_flip.pl", "miu.pl", "peg_list.pl", "rushhour.pl"];

fn nothing_in(folder: &str) {
    let mut wrong = Vec::new();
    for path in files(&[folder]) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for finding in checked(&path).findings {
            let known = matches!(finding.code, "N0601" | "W0401" | "W0402" | "W0403")
                || finding.code == "W0519" && OVERESTIMATE.contains(&name.as_str())
                || matches!(finding.code, "N0605" | "N0801") && UNSOLVABLE.contains(&name.as_str())
                || finding.code == "W0533" && name == "red_cuts.pl"
                || finding.code == "W0408" && name == "missing_library.pl";
            if !known {
                let (code, message) = (finding.code, &finding.message);
                wrong.push(format!("{name}:{}: {code} {message}", line(&finding)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What `--fix` does to a text that stands in a file of its own.
fn mended(name: &str, text: &[u8]) -> (Vec<u8>, std::process::Output) {
    let folder = Folder::new(name);
    let file = folder.write("rules.pl", text);
    let output = zug(&["check", "--fix", &file]).output().expect("zug runs");
    (std::fs::read(&file).expect("a text"), output)
}

#[test]
fn ends_of_lines_and_wide_characters_stay() {
    let rules = "% gr\u{f6}\u{df}er \u{2264} \u{4e16}\u{1d518}\nname('\u{4e16}'). # \u{4e16}\u{754c}\n\
                 initial_state(0). final_state(5).\n\
                 rule(up, 1, N, M) :- N <= 4, M = N + 1.\n";
    let expected = rules.replace("). #", "). %").replace("<=", "=<").replace("M =", "M is");
    let (text, output) = mended("wide", rules.as_bytes());
    assert_eq!(
        (String::from_utf8(text).expect("UTF-8"), output.status.code()),
        (expected.clone(), Some(0))
    );
    let (text, _) = mended("crlf", rules.replace('\n', "\r\n").as_bytes());
    assert_eq!(String::from_utf8(text).expect("UTF-8"), expected.replace('\n', "\r\n"));
}

#[test]
fn changes_of_a_dry_run_are_in_the_record_and_standard_input_is_refused() {
    use std::io::Write as _;
    use std::process::Stdio;
    let run = |arguments: &[&str]| {
        let mut command = zug(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("zug starts");
        let rules =
            b"initial_state(0). final_state(5).\nrule(up, 1, N, M) :- N <= 4, M is N + 1.\n";
        child.stdin.take().expect("a pipe").write_all(rules).expect("it reads");
        child.wait_with_output().expect("it ends")
    };
    let output = run(&["check", "--fix", "--dry-run", "--format", "json", "-"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("\"certain\":true") && text.contains("\"fixed\":0"), "{text}");
    assert_ne!(output.status.code(), Some(70));
    assert_eq!(run(&["check", "--fix", "-"]).status.code(), Some(2));
}

#[test]
fn nothing_is_found_in_the_shipped_rules() {
    nothing_in("rules");
}

#[test]
fn nothing_is_found_in_the_test_domains() {
    nothing_in("tests/domains");
}

#[test]
fn nothing_is_found_in_the_test_programs() {
    nothing_in("tests/programs");
}

//! `zug check` on files with mistakes in them, each with what is to be found inside, and on the
//! files that are shipped, where nothing of the kind is to be found.
//!
//! A file of `tests/check` says in lines `%! CODE LINE` which findings are expected, in any order, and in
//! lines `%= TEXT` which lines there are when the certain changes are made.

use std::path::{Path, PathBuf};
use std::time::Duration;
use zug::check::{self, Checked, fixes};
use zug::diagnostic::Diagnostic;
use zug::session::Session;

fn checked(path: &Path, patience: Option<Duration>) -> Checked {
    let (mut session, _) = Session::captured("");
    session.world.asking_time = patience;
    let findings = match session.load_file(path) {
        Ok(findings) => findings,
        Err(error) => panic!("{}: {error:?}", path.display()),
    };
    check::program(&mut session, findings)
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|p| p.extension().is_some_and(|e| e == "pl")).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn line(finding: &Diagnostic) -> u32 {
    finding.primary.as_ref().map_or(0, |label| label.source.position(label.span.start).line)
}

#[test]
fn mistakes_are_found_at_their_lines() {
    let mut wrong = Vec::new();
    for path in files("tests/check") {
        let text = std::fs::read_to_string(&path).expect("a text");
        let mut expected: Vec<String> =
            text.lines().filter_map(|line| line.strip_prefix("%! ")).map(str::to_owned).collect();
        let checked = checked(&path, None);
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

fn nothing_in(folder: &str) {
    let mut wrong = Vec::new();
    for path in files(folder) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for finding in checked(&path, Some(Duration::from_secs(100))).findings {
            let known = matches!(finding.code, "N0601" | "W0401" | "W0402" | "W0403")
                || finding.code == "W0519" && OVERESTIMATE.contains(&name.as_str());
            if !known {
                let (code, message) = (finding.code, &finding.message);
                wrong.push(format!("{name}:{}: {code} {message}", line(&finding)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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

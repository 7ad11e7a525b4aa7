//! Findings about games and planning tasks, held against what their texts expect.
//!
//! In the files of `faults` a comment `;! CODE words` says that a finding with this code, and these words in its
//! message, stands on its line; `;! CODE -2 words` says so of the line two above. No others may be found. A line
//! `;;; file NAME` begins another file.

use crate::{Format, import};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;

/// A finding: file, line, code and what its message has.
type Expected = (String, u32, String, String);

/// The files that a text is of.
fn files(name: &str, text: &str) -> Vec<Source> {
    let mut files: Vec<(String, String)> = vec![(name.to_owned(), String::new())];
    for line in text.lines() {
        match line.strip_prefix(";;; file ") {
            Some(name) => files.push((name.to_owned(), String::new())),
            None => files.last_mut().expect("there is a first").1 += &format!("{line}\n"),
        }
    }
    files.retain(|(_, text)| !text.trim().is_empty());
    files.iter().map(|(name, text)| Source::new(name, text)).collect()
}

fn expected(source: &Source) -> Vec<Expected> {
    let mut found = Vec::new();
    for (nth, line) in (1..).zip(source.text.lines()) {
        for words in line.split(";!").skip(1) {
            let (code, mut message) = words.trim().split_once(' ').expect("a code and words");
            let mut line = nth;
            if let Some((above, words)) = message.split_once(' ')
                && let Ok(above) = above.parse::<i64>()
                && above < 0
            {
                line -= above.unsigned_abs() as u32;
                message = words;
            }
            found.push((source.name.to_string(), line, code.to_owned(), message.to_owned()));
        }
    }
    found
}

/// What is not as it is expected.
fn differences(sources: &[Source], format: Format) -> Vec<String> {
    let (found, imported) = match import(sources, format) {
        Ok(imported) => (imported.findings, true),
        Err(findings) => (findings, false),
    };
    let mut differences = Vec::new();
    if imported == found.iter().any(Diagnostic::is_error) {
        differences.push(format!("imported: {imported}"));
    }
    let mut expected: Vec<Expected> = sources.iter().flat_map(expected).collect();
    for finding in &found {
        let Some(place) = &finding.primary else {
            differences.push(format!("{}, without a place: {}", finding.code, finding.message));
            continue;
        };
        let line = place.source.position(place.span.start).line;
        let fits = |(file, at, code, words): &Expected| {
            *place.source.name == **file
                && *at == line
                && code == finding.code
                && finding.message.contains(words.as_str())
        };
        match expected.iter().position(fits) {
            Some(nth) => drop(expected.swap_remove(nth)),
            None => differences.push(format!(
                "{}:{line}: not expected: {} {}",
                place.source.name, finding.code, finding.message
            )),
        }
    }
    let missing = |(file, line, code, words): Expected| {
        format!("{file}:{line}: expected and not found: {code} {words}")
    };
    differences.extend(expected.into_iter().map(missing));
    differences
}

fn check_folder(folder: &str, format: Format) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("faults").join(folder);
    let mut count = 0;
    let mut differences = Vec::new();
    for file in std::fs::read_dir(folder).expect("a folder") {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        differences.extend(self::differences(&files(&name, &text), format));
        count += 1;
    }
    assert!(count > 10, "{count} files");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn faults_of_games() {
    check_folder("gdl", Format::Gdl);
}

#[test]
fn what_is_not_expected_is_told() {
    let fails = |text: &str| differences(&files("game.kif", text), Format::Gdl);
    let game = "(role r)\n(init a)\n(legal r go)\n(<= terminal (true a))\n(goal r 100)\n";
    assert_eq!(fails(game), [""; 0]);
    assert_eq!(fails(&format!("{game}(init (p ?x))")).len(), 1);
    assert_eq!(fails(&format!("{game}(init (p ?x)) ;! E0808 `?x`")).len(), 2);
    assert_eq!(fails(&format!("{game}(init (p ?x)) ;! E0809 `?y`")).len(), 2);
    assert_eq!(fails(&format!("{game}(init (p ?x)) ;! E0809 `?x`")), [""; 0]);
}

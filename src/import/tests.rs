//! Findings about games and planning tasks, held against what their texts expect.
//!
//! In the files of `faults` a comment `;! CODE words` says that a finding with this code, and these words in its
//! message, stands on its line; `;! CODE -2 words` says so of the line two above; `;? words` behind it, that its hint
//! has them. No others may be found. A line `;;; file NAME` begins another file.

use crate::{Format, import};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;
use zug_term::watchdog::{AbortReason, LimitScope, StepBudget};

/// Steps after which each of these imports is not done.
const STEPS: u64 = 400_000;

/// A finding: file, line, code, and what its message and its hint have.
type Expected = (String, u32, String, String, String);

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
            let (message, hint) = message.split_once(" ;? ").unwrap_or((message, ""));
            let [code, message, hint] = [code, message, hint].map(str::to_owned);
            found.push((source.name.to_string(), line, code, message, hint));
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
        let fits = |(file, at, code, words, hint): &Expected| {
            *place.source.name == **file
                && *at == line
                && code == finding.code
                && finding.message.contains(words.as_str())
                && finding.hint.as_deref().unwrap_or_default().contains(hint.as_str())
        };
        match expected.iter().position(fits) {
            Some(nth) => drop(expected.swap_remove(nth)),
            None => differences.push(format!(
                "{}:{line}: not expected: {} {}",
                place.source.name, finding.code, finding.message
            )),
        }
    }
    let missing = |(file, line, code, words, hint): Expected| {
        format!("{file}:{line}: expected and not found: {code} {words} {hint}")
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
fn faults_of_tasks() {
    check_folder("pddl", Format::Pddl);
}

/// Texts whose import takes long, of each format, and for what.
fn long() -> Vec<(&'static str, Format, String)> {
    let many = |count: usize, word: &dyn Fn(usize) -> String| -> String {
        (0..count).map(word).collect::<Vec<_>>().join(" ")
    };
    let game = |rules: &str| {
        format!(
            "(role r) (init a) (legal r go) (next a) (<= terminal (true a)) (goal r 100) {rules}"
        )
    };
    let task = |domain: &str, problem: &str| {
        format!(
            "(define (domain d) (:predicates (p ?x) (q ?x ?y)) {domain}) (define (problem e) (:domain d) {problem})"
        )
    };
    let digits = many(10, &|n| format!("(digit {n})"));
    let row = many(7, &|n| format!("(digit ?x{n})"));
    let vars = many(7, &|n| format!("?x{n}"));
    let facts = many(50_000, &|n| format!("(p o{n})"));
    vec![
        ("words", Format::Gdl, "a ".repeat(2_000_000)),
        ("rules", Format::Gdl, game(&many(200_000, &|n| format!("(<= (next b{n}) (true a))")))),
        (
            "conditions",
            Format::Gdl,
            game(
                &format!("(<= (next b) {})", many(2_000, &|n| format!("(not (true b{n}))")))
                    .repeat(5),
            ),
        ),
        (
            "variables",
            Format::Gdl,
            game(&format!("(<= (next b) {})", many(1_900, &|n| format!("(p ?x{n})"))).repeat(20)),
        ),
        (
            "rows",
            Format::Gdl,
            game(&format!("{digits} (<= (row {vars}) {row}) (<= (next b) (row {vars}))")),
        ),
        ("states", Format::Gdl, game(&format!("{digits} (<= (next (b {vars})) (true a) {row})"))),
        (
            "terms",
            Format::Gdl,
            game(&format!(
                "{} (f 0 a) (<= (f ?n (t ?x ?x)) (f ?m ?x) (succ ?m ?n)) (<= (next ?x) (true a) (f 40 ?x)) (<= (init ?x) (f 40 ?x))",
                many(40, &|n| format!("(succ {n} {})", n + 1))
            )),
        ),
        (
            "objects",
            Format::Pddl,
            task(
                "",
                &format!(
                    "(:objects {}) (:init) (:goal (and))",
                    many(200_000, &|n| format!("o{n}"))
                ),
            ),
        ),
        (
            "facts",
            Format::Pddl,
            task(
                &many(200, &|n| {
                    format!(
                        "(:action a{n} :parameters (?x ?y ?z) :precondition (and (p ?x) (q ?x ?y) (q ?y ?z)) :effect (not (p ?x)))"
                    )
                }),
                &format!(
                    "(:objects {}) (:init {facts}) (:goal (and))",
                    many(50_000, &|n| format!("o{n}"))
                ),
            ),
        ),
        ("levels", Format::Sokoban, "#####\n#@$.#\n#####\n\n".repeat(50_000)),
    ]
}

#[test]
fn imports_heed_limits() {
    for (name, format, text) in long() {
        let flag = Arc::new(AtomicBool::new(true));
        let sources = [Source::new(name, &text)];
        let import = || import(&sources, format).is_ok();
        let stopped = LimitScope::new(None, &flag, 0).within(import);
        assert_eq!(stopped, Err(AbortReason::Interrupted), "{name}");
        // It takes steps all the way.
        flag.store(false, Ordering::Relaxed);
        let budget = StepBudget::new(STEPS);
        let stopped = LimitScope::new(None, &flag, 0).within(import);
        assert_eq!(stopped, Err(AbortReason::Steps), "{name}");
        drop(budget);
    }
}

/// What is large and simple takes steps in proportion to it.
#[test]
fn large_texts_are_imported_in_time() {
    let many =
        |count: usize, text: &dyn Fn(usize) -> String| -> String { (0..count).map(text).collect() };
    let game = format!(
        "(role r) (init a) {} (<= (legal r (m ?n)) (d ?n)) (<= (next b) (true a)) (<= terminal (true b)) (goal r 100)",
        many(10_000, &|n| format!("(d {n})"))
    );
    let task = format!(
        "(define (domain d) (:predicates (at ?x) (way ?x ?y) (seen ?x))
           (:action go :parameters (?x ?y) :precondition (and (at ?x) (way ?x ?y))
             :effect (and (not (at ?x)) (at ?y) (seen ?y))))
         (define (problem p) (:domain d) (:objects {}) (:init (at o0) {}) (:goal (and {})))",
        many(3_000, &|n| format!("o{n} ")),
        many(2_999, &|n| format!("(way o{n} o{})", n + 1)),
        many(3_000, &|n| format!("(seen o{n})")),
    );
    for (text, format) in [(game, Format::Gdl), (task, Format::Pddl)] {
        let budget = StepBudget::new(3_000_000);
        let sources = [Source::new("large", &text)];
        let import = || import(&sources, format).is_ok();
        let flag = Arc::new(AtomicBool::new(false));
        assert_eq!(LimitScope::new(None, &flag, 0).within(import), Ok(true), "{format:?}");
        drop(budget);
    }
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

//! The command line and the REPL on a pipe, as transcripts: see `tests/cmd` and
//! `docs/compare.md`, `docs/constraints.md`, `docs/generate.md`, `docs/learning.md`, `docs/simultaneous.md`, `docs/trace.md`.

#[test]
fn transcripts() {
    // What commands write in them goes there; it is missing where Cargo builds in another place.
    std::fs::create_dir_all("target").expect("a folder in the checkout");
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("ZUG_HISTORY", "")
        .case("tests/cmd/*.md")
        .case("docs/batch.md")
        .case("docs/constraints.md")
        .case("docs/learning.md")
        .case("docs/why.md")
        .case("docs/trace.md")
        .case("docs/compare.md")
        .case("docs/generate.md")
        .case("docs/play.md")
        .case("tests/cmd/repl/*.toml")
        .case("tests/cmd/play/*.toml")
        .case("tests/cmd/given/*.toml")
        .case("docs/simultaneous.md")
        .case("tests/cmd/train/*.toml");
}

/// A seed says everything about what is drawn: two runs are the same, byte for byte.
#[test]
fn the_same_seed_gives_the_same_run() {
    use std::process::Command;
    let run = |arguments: &[&str], seed: &str| {
        let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
        zug.args(arguments).args(["--seed", seed]).env("NO_COLOR", "1");
        let text = String::from_utf8(zug.output().expect("zug starts").stdout).expect("UTF-8");
        let mut report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        // The seed and the time stand in reports too, and are not what is drawn.
        report["seed"].take();
        report["options"].take();
        report["end"]["elapsed_seconds"].take();
        if text.starts_with('{') { report.to_string() } else { text }
    };
    let rules = "rules/rock_paper_scissors.pl";
    let runs: [&[&str]; 5] = [
        &["generate", "rules/taquin.pl"],
        &["generate", "rules/taquin.pl", "--limit", "100", "--samples", "20"],
        &["match", rules, "uniform", "mixture([1,2])", "--rounds", "500"],
        &["tournament", rules, "uniform", "nash", "copycat", "history(2)", "--format", "json"],
        &["nash", rules, "--learn", "regret", "--iterations", "300"],
    ];
    for arguments in runs {
        let first = run(arguments, "7");
        assert_eq!(first, run(arguments, "7"), "{arguments:?}");
        assert_ne!(first, run(arguments, "8"), "{arguments:?}");
    }
}

/// A reader that goes away ends the command without a word.
#[cfg(unix)]
#[test]
fn closed_output() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(["query", "tests/cmd/rules.pl", "repeat"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("zug starts");
    let mut line = [0; 5];
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut line).expect("a first answer");
    assert_eq!(&line, b"true\n");
    drop(stdout);
    let output = child.wait_with_output().expect("zug ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(141));
}

//! The command line and the REPL on a pipe, as transcripts: see `tests/cmd` and
//! `docs/learning.md`.

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("ZUG_HISTORY", "")
        .case("tests/cmd/*.md")
        .case("docs/learning.md")
        .case("tests/cmd/repl/*.toml")
        .case("tests/cmd/play/*.toml")
        .case("tests/cmd/train/*.toml");
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

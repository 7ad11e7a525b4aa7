//! `zug fmt` on files and on a pipe.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn fmt(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
        .arg("fmt")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("zug runs");
    let written = child.stdin.take().expect("piped").write_all(input);
    // One that reads no input may have ended.
    assert!(written.is_ok() || input.is_empty());
    child.wait_with_output().expect("it ends")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("zug-fmt-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn files_are_written_when_they_change() {
    let folder = folder("files");
    std::fs::write(folder.join("a.pl"), "a:-b.\n").expect("written");
    std::fs::write(folder.join("b.pl"), "a :- b.\n").expect("written");
    let checked = fmt(&folder, &["--check", "a.pl", "b"], b"");
    assert_eq!(checked.status.code(), Some(1));
    let told = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(told.contains("a.pl") && !told.contains("b.pl"), "{told}");
    assert_eq!(std::fs::read(folder.join("a.pl")).expect("read"), b"a:-b.\n");
    assert_eq!(fmt(&folder, &["a.pl", "b.pl"], b"").status.code(), Some(0));
    assert_eq!(std::fs::read(folder.join("a.pl")).expect("read"), b"a :- b.\n");
    assert_eq!(fmt(&folder, &["--check", "a.pl", "b.pl"], b"").status.code(), Some(0));
    assert_eq!(fmt(&folder, &["nothing.pl"], b"").status.code(), Some(2));
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn texts_go_through_a_pipe() {
    let folder = folder("pipe");
    let done = fmt(&folder, &["-"], b"a:-b.\n");
    assert_eq!((done.status.code(), &done.stdout[..]), (Some(0), &b"a :- b.\n"[..]));
    assert_eq!(fmt(&folder, &["--check", "-"], b"a:-b.\n").status.code(), Some(1));
    assert_eq!(fmt(&folder, &["--check", "-"], b"a :- b.\n").status.code(), Some(0));
    // A text that can't be read is written as it came.
    let broken = fmt(&folder, &["-"], b"a( :-   b.\n");
    assert_eq!((broken.status.code(), &broken.stdout[..]), (Some(0), &b"a( :-   b.\n"[..]));
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn marks_and_bytes_that_are_no_text_stay() {
    let folder = folder("bytes");
    std::fs::write(folder.join("mark.pl"), "\u{FEFF}a:-b.\r\n").expect("written");
    assert_eq!(fmt(&folder, &["mark.pl"], b"").status.code(), Some(0));
    let text = std::fs::read_to_string(folder.join("mark.pl")).expect("read");
    assert_eq!(text, "\u{FEFF}a :- b.\r\n");
    std::fs::write(folder.join("latin.pl"), b"a:-b('\xe9').\n").expect("written");
    assert_eq!(fmt(&folder, &["latin.pl"], b"").status.code(), Some(2));
    assert_eq!(std::fs::read(folder.join("latin.pl")).expect("read"), b"a:-b('\xe9').\n");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn operators_of_files_that_are_loaded_are_known() {
    let folder = folder("operators");
    let module = ":- module(ops, [op(700, xfx, ===>)]).\n";
    std::fs::write(folder.join("ops.pl"), module).expect("written");
    let text = ":- use_module(ops).\na:-b===>c.\n";
    std::fs::write(folder.join("user.pl"), text).expect("written");
    assert_eq!(fmt(&folder, &["user.pl"], b"").status.code(), Some(0));
    let text = std::fs::read_to_string(folder.join("user.pl")).expect("read");
    assert_eq!(text, ":- use_module(ops).\na :- b ===> c.\n");
    std::fs::remove_dir_all(folder).expect("removed");
}

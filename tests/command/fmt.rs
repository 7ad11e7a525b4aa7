//! `zug fmt` on files and on a pipe.

use crate::support::Folder;
use std::io::Write as _;
use std::path::Path;
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

#[test]
fn files_are_written_when_they_change() {
    let folder = Folder::new("fmt-files");
    folder.write("a.pl", "a:-b.\n");
    folder.write("b.pl", "a :- b.\n");
    let checked = fmt(&folder, &["--check", "a.pl", "b"], b"");
    assert_eq!(checked.status.code(), Some(1));
    let told = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(told.contains("a.pl") && !told.contains("b.pl"), "{told}");
    assert_eq!(std::fs::read(folder.join("a.pl")).expect("read"), b"a:-b.\n");
    assert_eq!(fmt(&folder, &["a.pl", "b.pl"], b"").status.code(), Some(0));
    assert_eq!(std::fs::read(folder.join("a.pl")).expect("read"), b"a :- b.\n");
    assert_eq!(fmt(&folder, &["--check", "a.pl", "b.pl"], b"").status.code(), Some(0));
    assert_eq!(fmt(&folder, &["nothing.pl"], b"").status.code(), Some(2));
}

#[test]
fn texts_go_through_a_pipe() {
    let folder = Folder::new("fmt-pipe");
    let done = fmt(&folder, &["-"], b"a:-b.\n");
    assert_eq!((done.status.code(), &done.stdout[..]), (Some(0), &b"a :- b.\n"[..]));
    assert_eq!(fmt(&folder, &["--check", "-"], b"a:-b.\n").status.code(), Some(1));
    assert_eq!(fmt(&folder, &["--check", "-"], b"a :- b.\n").status.code(), Some(0));
    // A text that can't be read is written as it came.
    let broken = fmt(&folder, &["-"], b"a( :-   b.\n");
    assert_eq!((broken.status.code(), &broken.stdout[..]), (Some(0), &b"a( :-   b.\n"[..]));
}

#[test]
fn marks_and_bytes_that_are_no_text_stay() {
    let folder = Folder::new("fmt-bytes");
    folder.write("mark.pl", "\u{FEFF}a:-b.\r\n");
    assert_eq!(fmt(&folder, &["mark.pl"], b"").status.code(), Some(0));
    let text = std::fs::read_to_string(folder.join("mark.pl")).expect("read");
    assert_eq!(text, "\u{FEFF}a :- b.\r\n");
    folder.write("latin.pl", b"a:-b('\xe9').\n");
    assert_eq!(fmt(&folder, &["latin.pl"], b"").status.code(), Some(2));
    assert_eq!(std::fs::read(folder.join("latin.pl")).expect("read"), b"a:-b('\xe9').\n");
}

#[test]
fn operators_of_files_that_are_loaded_are_known() {
    let folder = Folder::new("fmt-operators");
    let module = ":- module(ops, [op(700, xfx, ===>)]).\n";
    folder.write("ops.pl", module);
    let text = ":- use_module(ops).\na:-b===>c.\n";
    folder.write("user.pl", text);
    assert_eq!(fmt(&folder, &["user.pl"], b"").status.code(), Some(0));
    let text = std::fs::read_to_string(folder.join("user.pl")).expect("read");
    assert_eq!(text, ":- use_module(ops).\na :- b ===> c.\n");
}

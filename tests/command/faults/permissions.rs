//! What may not be read or written is said, file by file, with the exit code for it.

use super::{ended, finish, is_root, read, skipped, text, zug};
use crate::support::Folder;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Output;

/// `nobody`, where there is no other user.
const NOBODY: u32 = 65534;

fn allow(path: &Path, mode: u32) {
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, permissions).expect("it is ours");
}

/// Runs a command as somebody who may not do everything.
fn run(arguments: &[&str]) -> Output {
    let mut command = zug(arguments);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    finish(command.spawn().expect("zug starts"), &format!("{arguments:?}"))
}

/// Whether another user can run the binary at all.
fn can_run() -> bool {
    let mut command = zug(&["--version"]);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().is_ok_and(|output| output.status.success())
}

#[test]
fn what_may_not_be_read_or_written() {
    if !can_run() {
        return skipped("permissions: no other user can run the binary here");
    }
    let folder = Folder::new("permissions");
    allow(&folder, 0o755);
    let jugs = read(Path::new("rules/jugs.pl"));
    let (good, bad) = (folder.write("files/good.pl", &jugs), folder.write("files/bad.pl", &jugs));
    allow(Path::new(&bad), 0);
    let files = folder.text("files");

    let output = run(&["batch", &files, "--format", "jsonl"]);
    ended("an unreadable file in a batch", &output, &[2]);
    let lines = text(&output.stdout);
    assert!(
        lines.contains("\"outcome\":\"usage\"") && lines.contains("ermission denied"),
        "{lines}"
    );
    assert!(lines.contains("\"outcome\":\"solved\""), "the others are solved: {lines}");
    for command in ["solve", "check", "test", "enumerate", "tree", "doc"] {
        let output = run(&[command, &bad]);
        ended(command, &output, &[2]);
        let errors = text(&output.stderr);
        assert!(errors.contains("ermission denied") && errors.contains("bad.pl"), "{errors}");
    }
    let output = run(&["query", &bad, "true", "--format", "json"]);
    ended("query", &output, &[2]);
    assert!(text(&output.stdout).contains("ermission denied"));

    // A folder in which nothing may be made.
    std::fs::create_dir(folder.join("shut")).expect("a folder");
    allow(&folder.join("shut"), 0o555);
    let there = |name: &str| folder.text(&format!("shut/{name}"));
    let output = run(&["batch", &good, "--out", &there("out")]);
    ended("--out", &output, &[5]);
    let unwritten: &[&[&str]] = &[
        &["solve", "rules/nim.pl", "--save", &there("nim.db")],
        &["enumerate", &good, "--save", &there("jugs.db")],
        &["train", "rules/nim.pl", "--games", "20", "--save", &there("nim.policy")],
        &["train", "rules/nim.pl", "--games", "20", "--save", &there("policy.db")],
        &["tree", &good, "--engine", "ucs", "-o", &there("tree.svg")],
        &["doc", &good, "-o", &there("doc.md")],
        &["solve", &good, "--draw", &there("plan.svg")],
        &["compare", &good, "--plot", "svg", &there("plot.svg")],
    ];
    for command in unwritten {
        let output = run(command);
        ended(&format!("{command:?}"), &output, &[2, 5]);
        let errors = text(&output.stderr);
        assert!(
            errors.contains("ermission denied") && errors.contains("shut/"),
            "{command:?}: {errors}"
        );
    }
    allow(&folder.join("shut"), 0o755);

    // Results that may be read only.
    let out = folder.write("out", "");
    allow(Path::new(&out), 0o444);
    ended("--resume", &run(&["batch", &good, "--out", &out, "--resume"]), &[5]);
    assert_eq!(read(Path::new(&out)), "");
}

/// A folder that can't be looked into is an error before anything runs.
#[test]
fn a_folder_that_is_shut() {
    if !can_run() {
        return skipped("permissions: no other user can run the binary here");
    }
    let folder = Folder::new("shut-folder");
    allow(&folder, 0o755);
    std::fs::create_dir_all(folder.join("files/inner")).expect("a folder");
    folder.write("files/good.pl", "p.\n");
    allow(&folder.join("files/inner"), 0);
    let output = run(&["batch", &folder.text("files")]);
    allow(&folder.join("files/inner"), 0o755);
    ended("a folder that is shut", &output, &[2]);
    assert!(text(&output.stderr).contains("inner"), "{}", text(&output.stderr));
}

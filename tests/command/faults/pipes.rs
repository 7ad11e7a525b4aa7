//! The reader of the output goes away: zug ends at once and without a word, with the status of a
//! closed pipe. What a batch has done by then is on the disk.

use super::{ended, finish, text, zug};
use crate::support::Folder;
use std::io::{BufRead, BufReader};
use std::process::Child;

/// The status of a process that a closed pipe ended, as a shell reports it.
const CLOSED: i32 = 141;

const MANY: &str = "initial_state(0).\nfinal_state(3000).\nrule(one, 1, N, M) :- M is N + 1.\n\
    some(X) :- between(1, 9, X).\nmany(X) :- between(1, inf, X).\nwrites :- repeat, write(more), nl, fail.\n";

/// What writes, in all its formats.
fn commands(file: &str, files: &str) -> Vec<Vec<String>> {
    let plain: &[&[&str]] = &[
        &["query", file, "some(X)"],
        &["solve", file],
        &["enumerate", file, "--nodes", "100"],
        &["tree", file, "--engine", "ucs", "--depth", "9"],
        &["compare", file, "--engines", "ucs,bfs"],
        &["check", file],
        &["doc", file],
        &["batch", files],
    ];
    let mut all = Vec::new();
    for command in plain {
        let formats: &[&str] = match command[0] {
            "batch" => &["table", "json", "jsonl", "csv", "junit"],
            "doc" => &[""],
            _ => &["", "json", "jsonl"],
        };
        for format in formats {
            let mut given: Vec<String> = command.iter().map(|&part| part.to_owned()).collect();
            if !format.is_empty() {
                given.extend(["--format".to_owned(), (*format).to_owned()]);
            }
            all.push(given);
        }
    }
    all
}

fn start(given: &[String]) -> Child {
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    zug(&given).spawn().expect("zug starts")
}

#[test]
fn nobody_reads() {
    let folder = Folder::new("pipes");
    let file = folder.write("many.pl", MANY);
    for at in 0..9 {
        folder.write(
            &format!("files/f{at}.pl"),
            "initial_state(a).\nfinal_state(b).\nrule(x, 1, a, b).\n",
        );
    }
    for given in commands(&file, &folder.text("files")) {
        let mut child = start(&given);
        drop(child.stdout.take());
        let output = finish(child, &format!("{given:?}"));
        ended(&format!("{given:?}, closed at once"), &output, &[CLOSED]);
        // Of a report the summary of a batch is told before it.
        let told = if given[0] == "batch" { "files run" } else { "" };
        let errors = text(&output.stderr);
        assert!(
            errors.is_empty() || !told.is_empty() && errors.contains(told),
            "{given:?}: {errors}"
        );
    }
}

#[test]
fn the_reader_leaves_after_a_line() {
    let folder = Folder::new("lines");
    let file = folder.write("many.pl", MANY);
    for at in 0..200 {
        // Longer together than what a pipe holds.
        let text = format!("?- numlist(1, 300, L).\n% {at}\n");
        folder.write(&format!("files/f{at:03}.pl"), &text);
    }
    let files = folder.text("files");
    let streams: &[&[&str]] = &[
        &["query", &file, "many(X)"],
        &["query", &file, "many(X)", "--format", "jsonl"],
        &["query", &file, "writes"],
        &["query", &file, "writes", "--format", "jsonl"],
        &["batch", &files, "--queries", "--format", "jsonl"],
        &["batch", &files, "--queries", "--format", "csv"],
    ];
    for given in streams {
        let mut child = zug(given).spawn().expect("zug starts");
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        assert!(reader.read_line(&mut line).expect("a line") > 0, "{given:?}");
        drop(reader);
        let output = finish(child, &format!("{given:?}"));
        ended(&format!("{given:?}, closed after a line"), &output, &[CLOSED]);
    }
}

/// A batch goes on with what it has, whoever stopped reading.
#[test]
fn a_batch_nobody_reads_is_resumed() {
    let folder = Folder::new("unread");
    for at in 0..60 {
        folder.write(&format!("files/f{at:02}.pl"), "?- numlist(1, 900, L).\n");
    }
    let (files, out) = (folder.text("files"), folder.text("out"));
    let batch = ["batch", &files, "--queries", "--out", &out, "--format", "jsonl"];
    let mut child = zug(&batch).spawn().expect("zug starts");
    drop(child.stdout.take());
    let output = finish(child, "a batch that nobody reads");
    ended("a batch that nobody reads", &output, &[CLOSED]);
    let again = super::run(&[&batch[..], &["--resume"]].concat());
    ended("the batch resumed", &again, &[0]);
    assert_eq!(crate::command::mixed::kept(&folder.join("out")).len(), 60);
}

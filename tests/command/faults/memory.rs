//! Less memory than the machine has: a limit of address space, as `ulimit -v` sets it.

use super::{ended, finish, run, text};
use crate::support::Folder;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs a command in an address space of so many MiB.
fn within(mebibytes: usize, arguments: &[&str]) -> Output {
    let script = format!("ulimit -v {} && exec \"$@\"", mebibytes << 10);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_zug")]).args(arguments);
    shell.env("NO_COLOR", "1").env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    shell.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = shell.spawn().expect("a shell");
    finish(child, &format!("{arguments:?} within {mebibytes} MiB"))
}

const GROWS: &str = "grows(L) :- grows([L, L|L]).\n?- grows([]).\n";
const BAG: &str = "?- findall(X-Y, (repeat, length(X, 1000), Y = X), L).\n";
const SPACE: &str = "initial_state(0-[]).\nfinal_state(-1).\n\
    rule(one, 1, N-L, M-[N|L]) :- M is N + 1.\n";

/// Where nothing is said about memory, rules get what there is, and zug stays alive.
#[test]
fn what_there_is_is_shared() {
    if !Path::new("/proc/self/limits").exists() {
        return super::skipped("memory: the system doesn't tell the limit of address space");
    }
    let folder = Folder::new("memory");
    let grows = folder.write("files/a.pl", GROWS);
    folder.write("files/b.pl", BAG);
    folder.write("files/c.pl", "?- X = 1.\n");
    let files = folder.text("files");
    let output = within(600, &["batch", &files, "--queries", "-j", "2", "--format", "jsonl"]);
    ended("a batch in 600 MiB", &output, &[4]);
    let lines = text(&output.stdout);
    assert_eq!(lines.matches("\"reason\":\"memory\"").count(), 5, "{lines}");
    assert!(lines.contains("X = 1"), "{lines}");
    let output = within(500, &["query", &grows, "true"]);
    ended("a query in 500 MiB", &output, &[3, 4]);
    assert!(text(&output.stderr).contains("out of memory"), "{}", text(&output.stderr));
    let space = folder.write("space.pl", SPACE);
    let output = within(340, &["solve", &space]);
    ended("a search in 340 MiB", &output, &[4]);
}

/// Where more is allowed than there is, the process may die: then nothing is lost but the
/// files it was at.
#[test]
fn death_loses_only_what_was_in_progress() {
    let folder = Folder::new("death");
    for at in 0..20 {
        folder.write(&format!("files/f{at:02}.pl"), format!("?- X = {at}.\n"));
    }
    folder.write("files/f10.pl", GROWS);
    let (files, out) = (folder.text("files"), folder.join("out"));
    let path = out.display().to_string();
    let batch = ["batch", &files, "--queries", "-j", "1", "--out", &path, "--memory", "4G"];
    let output = within(400, &batch);
    assert_eq!(output.status.code(), None, "more is allowed than there is");
    assert_eq!(crate::command::mixed::kept(&out).len(), 10, "all files before it are there");
    // With a file that takes less it goes on where it was.
    folder.write("files/f10.pl", "?- X = 10.\n");
    let output = run(&[&batch[..], &["--resume"]].concat());
    ended("the batch resumed", &output, &[0]);
    assert!(text(&output.stderr).contains("10 known before"), "{}", text(&output.stderr));
    assert_eq!(crate::command::mixed::kept(&out).len(), 20);
}

/// A file that holds little comes to its end, whatever its neighbours take.
#[test]
fn no_file_pays_for_its_neighbours() {
    let folder = Folder::new("neighbours");
    for number in 0..12 {
        // One call takes all memory: how much is not known before it ends.
        let large = "?- repeat, length(L, 10000000), fail.\n";
        let small = "count(0) :- !.\ncount(N) :- M is N - 1, count(M).\n?- count(90000).\n";
        folder.write(&format!("files/{number}_large.pl"), large);
        folder.write(&format!("files/{number}_small.pl"), small);
    }
    let texts = ["1", "4"].map(|workers| {
        let (files, out) = (folder.text("files"), folder.text(workers));
        let limits = ["--memory", "48M", "--inferences", "100k"];
        let given = [&["batch", &files, "--queries", "-j", workers, "--out", &out], &limits[..]];
        ended("a batch", &run(&given.concat()), &[4]);
        std::fs::read_to_string(out).expect("results")
    });
    assert_eq!(texts[0].matches(r#""outcome":"true""#).count(), 24, "{}", texts[0]);
    assert!(texts[0] == texts[1], "{}\n{}", texts[0], texts[1]);
}

//! A folder of mixed files: each comes to what is due, whatever the number of workers is, and
//! however often the batch is killed.

use super::{ended, finish, read, text, zug};
use crate::command::mixed::{Mixed, Random, Size, Way, faults, files, kept, write};
use crate::support::Folder;
use std::path::Path;
use std::time::{Duration, Instant};

/// The arguments of a batch over a folder.
fn arguments<'a>(files: &'a str, out: &'a str, way: Way) -> Vec<&'a str> {
    [vec!["batch", files, "--out", out], way.options()].concat()
}

/// Holds every file against what is due.
fn judge(files: &[Mixed], text: &str, way: Way) {
    let faults = faults(files, text, way);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Nothing was written beside the folder.
fn nothing_escaped(folder: &Path, there: &[&str]) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().display().to_string();
        assert!(there.contains(&&*name), "`{name}` was not there");
    }
}

#[test]
fn each_file_comes_to_what_is_due() {
    let folder = Folder::new("due");
    let mixed = files(2, Size { files: 66, clocked: Some(60), huge: false });
    write(&folder.join("files"), &mixed);
    let below = folder.text("files");
    for way in [Way::Solve, Way::Ask] {
        let mut texts = Vec::new();
        for workers in ["1", "2"] {
            let out = folder.text(&format!("{way:?}{workers}"));
            let given = [arguments(&below, &out, way), vec!["-j", workers]].concat();
            let output = super::run(&given);
            // Files that halt and raise errors are the gravest.
            ended("mixed files", &output, &[5]);
            let found = read(Path::new(&out));
            judge(&mixed, &found, way);
            texts.push(found);
        }
        let differing = texts[0].lines().zip(texts[1].lines()).find(|(one, two)| one != two);
        assert_eq!(differing, None, "-j 1 and -j 2 differ");
        assert!(texts[0] == texts[1], "-j 1 and -j 2 differ in length");
    }
    nothing_escaped(&folder, &["files", "Solve1", "Solve2", "Ask1", "Ask2"]);
}

/// Killed twenty times at random moments and resumed: nothing is lost that was there, nothing is
/// run again, and in the end all is as if nothing had happened.
#[test]
fn killed_and_resumed() {
    let folder = Folder::new("killed");
    let mixed = files(3, Size { files: 124, clocked: None, huge: false });
    write(&folder.join("files"), &mixed);
    let (below, whole, out) = (folder.text("files"), folder.text("whole"), folder.join("out"));
    let began = Instant::now();
    ended("a whole run", &super::run(&arguments(&below, &whole, Way::Ask)), &[5]);
    let took = began.elapsed();
    let whole = read(Path::new(&whole));
    judge(&mixed, &whole, Way::Ask);
    let mut random = Random::new(4);
    let (mut kills, mut ends) = (0, 0);
    while kills < 20 || ends == 0 {
        let before = kept(&out);
        let path = out.display().to_string();
        let given = [arguments(&below, &path, Way::Ask), vec!["--resume", "-j", "2"]].concat();
        let mut child = zug(&given).spawn().expect("zug starts");
        if kills < 20 {
            let part = random.range(2, 100) as f64 / 100.0;
            std::thread::sleep(took.mul_f64(part / 5.0) + Duration::from_millis(20));
            let _ = child.kill();
        }
        let output = finish(child, "a resumed batch");
        let after = kept(&out);
        assert!(before.is_subset(&after), "something was lost");
        if output.status.code().is_none() {
            kills += 1;
            continue;
        }
        ended("a resumed batch", &output, &[5]);
        let errors = text(&output.stderr);
        let resumed = format!("{} known before", before.len());
        assert!(before.is_empty() || errors.contains(&resumed), "{resumed}: {errors}");
        assert!(read(&out) == whole, "the results differ from those of an undisturbed run");
        std::fs::remove_file(&out).expect("it is there");
        ends += 1;
    }
    nothing_escaped(&folder, &["files", "whole", "out", "out.journal"]);
}

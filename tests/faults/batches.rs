//! A folder of mixed files: each comes to what is due, whatever the number of workers is, and
//! however often the batch is killed.

use super::mixed::{Group, Mixed, Random, Size, Way, files, groups, write};
use super::{Folder, ended, finish, read, text, zug};
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// The arguments of a batch over a folder.
fn arguments<'a>(files: &'a str, out: &'a str, way: Way) -> Vec<&'a str> {
    [vec!["batch", files, "--out", out], way.options()].concat()
}

/// Holds every group against what is due.
fn judge(files: &[Mixed], groups: &[Group], way: Way) {
    assert_eq!(files.len(), groups.len());
    for (file, group) in files.iter().zip(groups) {
        assert_eq!(file.name, group.name());
        if let Some(fault) = file.due(way).fault(group) {
            let text = text(&file.text);
            panic!("{way:?} {}: {fault}\n{text:.1000}\n{:.2000}", file.name, group.lines);
        }
    }
    // Random numbers are the same for each file.
    let drawn = |(file, group): (&Mixed, &Group)| {
        let last = group.results.last().map(|line| line["answers"].to_string());
        last.filter(|_| way == Way::Ask && file.kind == "looks_for_traces")
    };
    let drawn: HashSet<String> = files.iter().zip(groups).filter_map(drawn).collect();
    assert!(drawn.len() <= 1, "{drawn:?}");
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
    write(&folder.path("files"), &mixed);
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
            judge(&mixed, &groups(&found), way);
            texts.push(found);
        }
        assert!(texts[0] == texts[1], "-j 1 and -j 2 differ");
    }
    nothing_escaped(&folder.0, &["files", "Solve1", "Solve2", "Ask1", "Ask2"]);
}

/// The files whose groups are whole in a results file and its journal.
fn kept(out: &Path) -> HashSet<String> {
    let mut names = HashSet::new();
    let journal = out.with_extension("journal");
    for path in [out, &journal] {
        let bytes = std::fs::read(path).unwrap_or_default();
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        for line in text(&bytes[..whole]).lines() {
            let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
            if record["record"] == "file" {
                names.insert(record["file"].to_string());
            }
        }
    }
    names
}

/// Killed twenty times at random moments and resumed: nothing is lost that was there, nothing is
/// run again, and in the end all is as if nothing had happened.
#[test]
fn killed_and_resumed() {
    let folder = Folder::new("killed");
    let mixed = files(3, Size { files: 124, clocked: None, huge: false });
    write(&folder.path("files"), &mixed);
    let (below, whole, out) = (folder.text("files"), folder.text("whole"), folder.path("out"));
    let began = Instant::now();
    ended("a whole run", &super::run(&arguments(&below, &whole, Way::Ask)), &[5]);
    let took = began.elapsed();
    let whole = read(Path::new(&whole));
    judge(&mixed, &groups(&whole), Way::Ask);
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
    super::batches::nothing_escaped(&folder.0, &["files", "whole", "out", "out.journal"]);
}

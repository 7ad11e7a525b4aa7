//! The disk is full: what is on it stays whole, the message says so, and with more room the same
//! command goes on.

use super::{ended, finish, read, run, skipped, text, zug};
use crate::command::mixed::{Size, Way, faults, files, kept, write};
use crate::support::Folder;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Output};

/// A small file system of its own, where one may be mounted.
struct Disk(Folder);

impl Disk {
    fn new(name: &str, kibibytes: usize) -> Option<Disk> {
        let disk = Disk(Folder::new(name));
        let size = format!("size={kibibytes}k");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "zug-faults"])
            .arg(&*disk.0)
            .output()
            .is_ok_and(|output| output.status.success());
        if !mounted {
            skipped("a full disk: only root may mount one, and only outside of containers");
            // There is nothing to unmount.
            let _ = std::fs::remove_dir_all(&*disk.0);
            std::mem::forget(disk);
            return None;
        }
        Some(disk)
    }

    fn grow(&self, mebibytes: usize) {
        let size = format!("remount,size={mebibytes}m");
        let done = Command::new("mount").args(["-o", &size]).arg(&*self.0).status();
        assert!(done.expect("mount runs").success());
    }

    fn text(&self, name: &str) -> String {
        self.0.text(name)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&*self.0).status();
    }
}

/// Holds that a command ended since there was no room, and says so.
fn full(what: &str, output: &Output) {
    ended(what, output, &[5]);
    let errors = text(&output.stderr).to_lowercase();
    assert!(
        errors.contains("no space left") || errors.contains("disk is full"),
        "{what}: {errors}"
    );
}

#[test]
fn a_batch_goes_on_when_there_is_room() {
    let Some(disk) = Disk::new("disk-batch", 24) else { return };
    let folder = Folder::new("disk-files");
    let mixed = files(9, Size { files: 61, clocked: None, huge: false });
    write(&folder.join("files"), &mixed);
    let (below, out) = (folder.text("files"), disk.text("out"));
    let batch = [vec!["batch", &below, "--out", &out, "-j", "2"], Way::Ask.options()].concat();
    full("batch --out", &run(&batch));
    let done = kept(Path::new(&out));
    assert!(!done.is_empty() && done.len() < 61, "{}", done.len());
    // Still full: the same again, and nothing is lost.
    let resumed = [batch, vec!["--resume"]].concat();
    full("batch --resume", &run(&resumed));
    assert!(done.is_subset(&kept(Path::new(&out))), "something was lost");
    disk.grow(16);
    ended("batch --resume with room", &run(&resumed), &[5]);
    let found = faults(&mixed, &read(Path::new(&out)), Way::Ask);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn bases_and_pictures_are_whole_or_not_there() {
    let Some(disk) = Disk::new("disk-bases", 56) else { return };
    let folder = Folder::new("disk-rules");
    let wide = (0..9).map(|at| format!("initial_state({at}).\n")).collect::<String>();
    let text = "final_state(4000).\nrule(one, 1, N, M) :- N < 4000, M is N + 1.\n\
                rule(two, 1, N, M) :- N < 3999, M is N + 2.\n";
    let rules = folder.write("wide.pl", &(wide + text));
    let base = disk.text("wide.db");
    let enumerate = ["enumerate", &rules, "--save", &base];
    full("enumerate --save", &run(&enumerate));
    disk.grow(16);
    if Path::new(&base).exists() {
        ended("db check", &run(&["db", "check", &base]), &[0, 2]);
    }
    ended("enumerate --save with room", &run(&enumerate), &[0]);
    ended("db check", &run(&["db", "check", &base]), &[0]);

    let Some(disk) = Disk::new("disk-files2", 100) else { return };
    std::fs::write(disk.text("filler"), vec![b'x'; 98 << 10]).expect("there is room");
    let nim = "rules/nim.pl";
    let commands: &[(&str, &[&str])] = &[
        ("nim.db", &["solve", nim, "--save"]),
        ("nim.policy", &["train", nim, "--games", "300", "--seed", "1", "--save"]),
        ("policy.db", &["train", nim, "--games", "300", "--seed", "1", "--save"]),
        ("tree.svg", &["tree", "rules/wolf.pl", "--engine", "ucs", "-o"]),
        ("tree.html", &["tree", "rules/wolf.pl", "--engine", "ucs", "-o"]),
        ("plan.svg", &["solve", "rules/taquin.pl", "--draw"]),
        ("plot.svg", &["compare", "rules/wolf.pl", "--engines", "ucs,bfs", "--plot", "svg"]),
        ("doc.md", &["doc", "rules/taquin.pl", "-o"]),
        ("flame.svg", &["profile", "rules/nim.pl", "winning(a, 12)", "--flame"]),
        ("report.json", &["test", "tests/cmd/test/family.pl", "--format", "json", "--out"]),
    ];
    for (name, command) in commands {
        let path = disk.text(name);
        let given = [*command, &[&path]].concat();
        full(name, &run(&given));
        let left = std::fs::metadata(&path).map_or(0, |data| data.len());
        let is_base = name.ends_with(".db");
        assert!(is_base || left == 0, "{name}: {left} bytes of it are there");
        // What was begun goes away, or is a base to go on with.
        let beside = std::fs::read_dir(&*disk.0).expect("a folder").count();
        assert!(beside <= 2, "{name}: something is left over");
        let _ = std::fs::remove_file(&path);
    }
    std::fs::remove_file(disk.text("filler")).expect("it is there");
    disk.grow(16);
    for (name, command) in commands {
        let path = disk.text(name);
        ended(name, &run(&[*command, &[&path]].concat()), &[0, 1]);
        assert!(Path::new(&path).exists(), "{name}");
    }
}

/// Standard output on a device that is always full.
#[test]
fn standard_output_is_full() {
    if !Path::new("/dev/full").exists() {
        return skipped("a full device: there is no /dev/full");
    }
    let commands: &[&[&str]] = &[
        &["query", "rules/nim.pl", "winning(a, 5)"],
        &["query", "rules/nim.pl", "between(1, 5, X)"],
        &["solve", "rules/taquin.pl"],
        &["solve", "rules/nim.pl"],
        &["enumerate", "rules/wolf.pl"],
        &["check", "rules/wolf.pl"],
        &["compare", "rules/wolf.pl", "--engines", "ucs,bfs"],
        &["heuristics", "rules/taquin.pl", "--limit", "100", "--samples", "3"],
        &["generate", "rules/wolf.pl"],
        &["tree", "rules/wolf.pl", "--engine", "ucs"],
        &["train", "rules/nim.pl", "--games", "20"],
        &["batch", "rules/wolf.pl", "rules/nim.pl"],
        &["nash", "rules/matching_pennies.pl"],
        &["play", "rules/nim.pl", "--against", "random", "--against", "random", "--games", "3"],
    ];
    for command in commands {
        for format in [&[][..], &["--format", "json"], &["--format", "jsonl"]] {
            let given = [*command, format].concat();
            let device = File::create("/dev/full").expect("it can be opened");
            let child = zug(&given).stdout(device).spawn().expect("zug starts");
            full(&format!("{given:?}"), &finish(child, &format!("{given:?}")));
        }
    }
    for command in [&["schema"][..], &["engines"], &["tutorial"], &["doc", "rules/wolf.pl"]] {
        let device = File::create("/dev/full").expect("it can be opened");
        let child = zug(command).stdout(device).spawn().expect("zug starts");
        full(&format!("{command:?}"), &finish(child, &format!("{command:?}")));
    }
}

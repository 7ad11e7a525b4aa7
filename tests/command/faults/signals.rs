//! Ctrl-C and SIGTERM in every phase: exit code 130, and all that was written is whole.

use super::{HANGS, ended, finish, read, run, text, zug};
use crate::command::mixed::{Random, Size, Way, files, write};
use crate::support::Folder;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

/// What never ends, phase by phase.
const RULES: &[(&str, &str)] = &[
    ("load.pl", ":- repeat, fail.\np.\n"),
    (
        "loop.pl",
        "loop :- loop.\nwrites :- repeat, write(more), nl, fail.\n\
      shared(0, a) :- !.\nshared(N, f(T, T)) :- M is N - 1, shared(M, T).\n\
      ?- true.\n",
    ),
    ("query.pl", "?- repeat, fail.\n?- true.\n"),
    (
        "sum.pl",
        "initial_state(0).\nfinal_state(-1).\nrule(one, 1, S, T) :- T is S + 1.\n\
      rule(two, 1, S, T) :- T is S * 2 + 3.\nheuristic(_, 0).\n",
    ),
    (
        "within.pl",
        "initial_state(0).\nfinal_state(9).\nrule(one, 1, S, T) :- loop, T is S + 1.\n\
      loop :- loop.\nheuristic(_, 0).\n",
    ),
    (
        "game.pl",
        "initial_state(0).\ninitial_player(a).\nopponent(a, b).\nopponent(b, a).\n\
      move(_, N, S, T) :- between(1, 3, N), T is S + N.\nterminal(_, -1).\nutility(_, _, 0).\n\
      heuristic(_, S, H) :- H is S mod 7.\n",
    ),
    (
        "tests.pl",
        ":- begin_tests(u).\ntest(a) :- true.\ntest(b) :- repeat, fail.\n:- end_tests(u).\n",
    ),
    (
        "once.pl",
        "players([row, column]).\naction(_, _, a).\naction(_, _, b).\n\
      payoff([a, a], [1, -1]).\npayoff([a, b], [0, 0]).\npayoff([b, a], [0, 0]).\n\
      payoff([b, b], [2, -2]).\n",
    ),
];

/// Waits until a process takes signals itself.
fn listens(child: &mut Child) {
    let began = Instant::now();
    loop {
        let path = format!("/proc/{}/status", child.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        // Signals 2 and 15; elsewhere than on Linux nobody tells.
        if caught.is_some_and(|mask| mask & 0x4002 == 0x4002) || !Path::new("/proc/1").exists() {
            return;
        }
        if child.try_wait().expect("a child").is_some() {
            // What it ended with tells more.
            return;
        }
        assert!(began.elapsed() < HANGS, "it never listens");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn send(child: &Child, signal: &str) {
    // It may be gone already.
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).output();
    sent.expect("kill runs");
}

/// Starts a command, waits so long, sends a signal.
fn signalled(arguments: &[&str], wait: Duration, signal: &str) -> Output {
    let mut child = zug(arguments).spawn().expect("zug starts");
    listens(&mut child);
    std::thread::sleep(wait);
    send(&child, signal);
    finish(child, &format!("{arguments:?} after {signal}"))
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    for (name, text) in RULES {
        folder.write(name, text);
    }
    let facts: String = (0..200_000).map(|at| format!("fact({at}, [a, b|C], C).\n")).collect();
    folder.write("long.pl", &facts);
    folder
}

#[test]
fn every_phase_can_be_interrupted() {
    let folder = folder("phases");
    let mut random = Random::new(5);
    let commands: &[(&str, &[&str])] = &[
        ("load.pl", &["query", "FILE", "p"]),
        ("load.pl", &["check", "FILE"]),
        ("load.pl", &["solve", "FILE"]),
        ("long.pl", &["query", "FILE", "repeat, fail"]),
        ("loop.pl", &["query", "FILE", "loop"]),
        ("loop.pl", &["query", "FILE", "repeat"]),
        ("loop.pl", &["query", "FILE", "writes"]),
        ("loop.pl", &["query", "FILE", "shared(200, T), print(T)"]),
        ("loop.pl", &["query", "FILE", "X is 7**20000000, Y is 3**15000000, Z is X // Y"]),
        ("loop.pl", &["query", "FILE", "numlist(1, 300000, L), repeat, msort(L, _), fail"]),
        ("loop.pl", &["trace", "FILE", "loop"]),
        ("loop.pl", &["profile", "FILE", "loop"]),
        ("sum.pl", &["solve", "FILE"]),
        ("sum.pl", &["solve", "FILE", "--engine", "idastar"]),
        ("sum.pl", &["enumerate", "FILE"]),
        ("sum.pl", &["generate", "FILE", "--limit", "100", "--samples", "1M"]),
        ("sum.pl", &["compare", "FILE"]),
        ("sum.pl", &["tree", "FILE", "--engine", "ucs"]),
        ("within.pl", &["solve", "FILE"]),
        ("within.pl", &["heuristics", "FILE"]),
        ("within.pl", &["tree", "FILE", "--engine", "ucs"]),
        ("game.pl", &["solve", "FILE"]),
        ("game.pl", &["solve", "FILE", "--engine", "alphabeta", "--depth", "9000"]),
        ("game.pl", &["solve", "FILE", "--engine", "mcts", "--playouts", "1000000000"]),
        ("game.pl", &["train", "FILE", "--games", "1000000000"]),
        ("game.pl", &["play", "FILE", "--against", "alphabeta:60", "--against", "random"]),
        ("game.pl", &["play", "FILE", "--against", "alphabeta:2", "--against", "random"]),
        ("game.pl", &["play", "FILE", "--against", "random", "--against", "random"]),
        (
            "game.pl",
            &["play", "FILE", "--against", "level:5", "--against", "random", "--games", "9"],
        ),
        (
            "once.pl",
            &[
                "tournament",
                "FILE",
                "uniform",
                "uniform",
                "--rounds",
                "9",
                "--matches",
                "1000000000",
            ],
        ),
        ("once.pl", &["match", "FILE", "uniform", "uniform", "--rounds", "1000000000"]),
        ("tests.pl", &["test", "FILE"]),
        ("query.pl", &["batch", "FILE", "--queries"]),
        ("within.pl", &["batch", "FILE"]),
    ];
    for (at, (file, command)) in commands.iter().enumerate() {
        let path = folder.text(file);
        let place =
            |part: &&'static str| if *part == "FILE" { path.clone() } else { (*part).into() };
        let mut given: Vec<String> = command.iter().map(place).collect();
        let format = ["text", "json", "jsonl"][at % 3];
        if format != "text" {
            given.extend(["--format".to_owned(), format.to_owned()]);
        }
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let signal = if random.once_in(2) { "-INT" } else { "-TERM" };
        let wait = Duration::from_millis(random.range(0, 400) as u64);
        let output = signalled(&given, wait, signal);
        let what = format!("{given:?} {signal} after {wait:?}");
        ended(&what, &output, &[130]);
        if format != "text" {
            records_are_whole(&what, &output);
        }
    }
}

/// The last record is there, and says what happened.
fn records_are_whole(what: &str, output: &Output) {
    let text = text(&output.stdout);
    assert!(text.ends_with('\n'), "{what}: half a line");
    let records = text.lines().map(serde_json::from_str::<serde_json::Value>);
    let records: Vec<_> = records.map(|record| record.expect("JSON")).collect();
    let last = records.last().expect("a record");
    let end = if last["record"] == "report" { &last["end"] } else { last };
    assert_eq!((&end["outcome"], &end["exit"]), (&"interrupted".into(), &130.into()), "{what}");
}

/// What is being written when the signal comes is whole, and can be gone on with.
#[test]
fn what_is_written_stays_whole() {
    let folder = folder("writing");
    let mut random = Random::new(6);
    let base = folder.text("taquin.db");
    let enumerate = ["enumerate", "rules/taquin.pl", "--save", &base];
    let (mut begun, mut at) = (false, 0);
    // The last ones come when positions are written, however slow the machine is.
    while at < 5 || (!begun && at < 30) {
        at += 1;
        let wait = Duration::from_millis(random.range(0, 1500) as u64 + 1500 * (at - 1));
        let signal = if random.once_in(2) { "-INT" } else { "-TERM" };
        let output = signalled(&enumerate, wait, signal);
        ended("enumerate --save", &output, &[130, 0]);
        if Path::new(&base).exists() {
            begun = true;
            let checked = run(&["db", "check", &base]);
            // With nothing in it yet it is no base.
            ended("db check", &checked, &[0, 2]);
        }
    }
    assert!(begun, "nothing was ever written");
    let policy = folder.text("game.policy");
    let game = "rules/nim.pl";
    let train = ["train", game, "--games", "1000000000", "--save", &policy];
    let output = signalled(&train, Duration::from_millis(500), "-INT");
    ended("train --save", &output, &[130]);
    if Path::new(&policy).exists() {
        let against = format!("policy:{policy}");
        let play = ["play", game, "--against", &against, "--against", "random", "--games", "1"];
        let output = signalled(&play, Duration::from_millis(300), "-TERM");
        ended("play with a policy", &output, &[130, 0]);
    }
    let picture = folder.text("tree.svg");
    let sum = folder.text("sum.pl");
    let tree = ["tree", &sum, "--engine", "ucs", "-o", &picture];
    ended("tree -o", &signalled(&tree, Duration::from_millis(300), "-INT"), &[130]);
    if Path::new(&picture).exists() {
        assert!(read(Path::new(&picture)).trim_end().ends_with("</svg>"), "half a picture");
    }
}

fn whole_lines(text: &str) {
    assert!(text.ends_with('\n'), "half a line");
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    }
}

/// A batch that is interrupted again and again comes to the same as one that is not.
#[test]
fn an_interrupted_batch_goes_on() {
    let folder = Folder::new("batch-signals");
    let mixed = files(7, Size { files: 61, clocked: None, huge: false });
    write(&folder.join("files"), &mixed);
    let (below, whole, out) = (folder.text("files"), folder.text("whole"), folder.text("out"));
    let batch = |out| [vec!["batch", &below, "--out", out], Way::Solve.options()].concat();
    ended("a whole batch", &run(&batch(&whole)), &[5]);
    let mut random = Random::new(8);
    let resumed = [batch(&out), vec!["--resume", "--format", "jsonl"]].concat();
    for _ in 0..6 {
        let wait = Duration::from_millis(random.range(0, 700) as u64);
        let signal = if random.once_in(2) { "-INT" } else { "-TERM" };
        let output = signalled(&resumed, wait, signal);
        ended("an interrupted batch", &output, &[130, 5]);
        whole_lines(&read(Path::new(&out)));
        // A line that says how it ended, every time.
        let last = text(&output.stdout).lines().last().map(str::to_owned).expect("a line");
        let last: serde_json::Value = serde_json::from_str(&last).expect("JSON");
        assert_eq!(
            (&last["record"], last["exit"].as_i64()),
            (&"end".into(), output.status.code().map(i64::from))
        );
    }
    ended("the end of it", &run(&resumed), &[5]);
    assert!(read(Path::new(&out)) == read(Path::new(&whole)), "the results differ");
}

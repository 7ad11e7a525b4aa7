//! zug beside SWI-Prolog, in turn and in the same run: `cargo bench --bench peers`.
//!
//! Each work is run by both, several times alternately; the table shows the
//! median of the user seconds of the whole process, the ratio of the medians,
//! and checks what each printed. Without `swipl` on the path zug runs alone.
//! The programs are in `benches/prolog`: the same text for both, but for the
//! searches, where SWI-Prolog runs a textbook A* or breadth-first search in
//! Prolog and zug its engine, over the same rules.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "native/connect_four.rs"]
mod connect_four;

use connect_four::ConnectFour;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs of each program.
const RUNS: usize = 5;

/// A piece of work: what both systems run, and what each must print.
struct Work {
    name: &'static str,
    /// Files of `benches/prolog` that SWI-Prolog loads as one.
    swi: &'static [&'static str],
    /// More clauses for SWI-Prolog.
    swi_more: &'static str,
    swi_prints: &'static str,
    /// Files that zug loads as one.
    zug: &'static [&'static str],
    zug_more: &'static str,
    /// Arguments; `FILE` stands for the file.
    arguments: &'static [&'static str],
    zug_prints: &'static str,
}

const fn same(name: &'static str, file: &'static [&'static str], prints: &'static str) -> Work {
    Work {
        name,
        swi: file,
        swi_more: "",
        swi_prints: prints,
        zug: file,
        zug_more: "",
        arguments: &["query", "FILE", "main"],
        zug_prints: prints,
    }
}

const WORKS: &[Work] = &[
    same("nrev30 x 100,000", &["nrev.pl"], "done(100000)"),
    same("tak 24 16 8 x 6", &["tak.pl"], "9"),
    same("queens-8 all x 100", &["queens.pl"], "ok"),
    same("zebra x 1,001", &["zebra.pl"], "japanese"),
    Work {
        name: "taquin A*, 31 moves, manhattan",
        swi: &["avl.pl", "taquin.pl", "astar.pl", "inst_31.pl"],
        swi_more: "heuristic(S, H) :- heuristic2(S, H).",
        swi_prints: "cost(31)",
        zug: &["taquin.pl", "inst_31.pl"],
        zug_more: "heuristic(S, H) :- heuristic2(S, H).",
        arguments: &["solve", "FILE", "--engine", "astar", "--format", "json"],
        zug_prints: "\"cost\":31",
    },
    Work {
        name: "taquin A*, 31 moves, misplaced",
        swi: &["avl.pl", "taquin.pl", "astar.pl", "inst_31.pl"],
        swi_more: "heuristic(S, H) :- heuristic1(S, H).",
        swi_prints: "cost(31)",
        zug: &["taquin.pl", "inst_31.pl"],
        zug_more: "heuristic(S, H) :- heuristic1(S, H).",
        arguments: &["solve", "FILE", "--engine", "astar", "--format", "json"],
        zug_prints: "\"cost\":31",
    },
    Work {
        name: "taquin whole space, 181,440 states",
        swi: &["avl.pl", "taquin.pl", "inst_31.pl", "bfs.pl"],
        swi_more: "",
        swi_prints: "states(181440)",
        zug: &["taquin.pl", "inst_31.pl"],
        zug_more: "",
        arguments: &["enumerate", "FILE"],
        zug_prints: "181,440 states",
    },
    same("the same textbook A*, manhattan, in both", ASTAR, "cost(31)"),
    Work {
        name: "tic-tac-toe, negamax to depth 9",
        swi: &["tictactoe.pl", "negamax.pl"],
        swi_more: "",
        swi_prints: "[[1,1],0]",
        zug: &["tictactoe.pl", "tictactoe_contract.pl"],
        zug_more: "",
        arguments: &["solve", "FILE", "--engine", "negamax", "--depth", "9", "--format", "json"],
        zug_prints: "\"nodes\":549946",
    },
    same("the same textbook negamax in both", &["tictactoe.pl", "negamax.pl"], "[[1,1],0]"),
];

/// Boards of Connect Four, width and height, that rules and a program by hand solve.
const BOARDS: &[(u32, u32)] = &[(4, 4), (5, 4), (5, 5)];

const ASTAR: &[&str] = &["avl.pl", "taquin.pl", "astar.pl", "inst_31.pl", "manhattan.pl"];

fn main() {
    let folder = std::env::temp_dir().join(format!("zug-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let has_swi = Command::new("swipl").arg("--version").output().is_ok();
    println!("{:<42} {:>8} {:>8} {:>7}", "work", "SWI s", "zug s", "ratio");
    for work in WORKS {
        let swi_file = join(&folder, "swi.pl", work.swi, work.swi_more);
        let zug_file = join(&folder, "zug.pl", work.zug, work.zug_more);
        let mut swi = Vec::new();
        let mut zug = Vec::new();
        for _ in 0..RUNS {
            if has_swi {
                let mut command = Command::new("swipl");
                command.args(["--stack-limit=8g", "-g", "main", "-t", "halt"]).arg(&swi_file);
                swi.push(run(command, work.swi_prints));
            }
            let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
            for argument in work.arguments {
                match *argument {
                    "FILE" => command.arg(&zug_file),
                    other => command.arg(other),
                };
            }
            zug.push(run(command, work.zug_prints));
        }
        let zug = median(&mut zug);
        match has_swi {
            true => {
                let swi = median(&mut swi);
                println!("{:<42} {swi:>8.2} {zug:>8.2} {:>7.1}", work.name, swi / zug);
            }
            false => println!("{:<42} {:>8} {zug:>8.2} {:>7}", work.name, "-", "-"),
        }
    }
    connect_four(&folder);
    // The folder is temporary: nothing is lost if it stays.
    let _ = std::fs::remove_dir_all(folder);
}

/// Solves boards of Connect Four by `rules/connect4.pl` and by hand.
fn connect_four(folder: &Path) {
    println!(
        "\n{:<18} {:>12} {:>8} {:>12} {:>8} {:>7} {:>7}",
        "Connect Four", "native", "s", "zug", "s", "nodes x", "time x"
    );
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/connect4.pl");
    let rules = std::fs::read_to_string(rules).expect("a rule file");
    for &(width, height) in BOARDS {
        let began = Instant::now();
        let mut native = ConnectFour::new(width, height);
        let value = native.solve();
        let by_hand = began.elapsed().as_secs_f64();
        let sized = rules
            .replace("\nwidth(7).", &format!("\nwidth({width})."))
            .replace("\nheight(6).", &format!("\nheight({height})."));
        let file = folder.join("connect4.pl");
        std::fs::write(&file, sized).expect("a temporary file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
        command.args(["solve", "--engine", "alphabeta", "--format", "json"]).arg(&file);
        let began = Instant::now();
        let output = command.stdin(Stdio::null()).output().expect("zug runs");
        let by_rules = began.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(&format!("\"value\":{value},")), "{text}");
        let nodes = text.split("\"nodes\":").nth(1).and_then(|rest| rest.split(',').next());
        let nodes: u64 = nodes.and_then(|nodes| nodes.parse().ok()).expect("a number of nodes");
        println!(
            "{:<18} {:>12} {by_hand:>8.3} {nodes:>12} {by_rules:>8.2} {:>7.1} {:>7.0}",
            format!("{width} x {height}"),
            native.nodes,
            nodes as f64 / native.nodes as f64,
            by_rules / by_hand
        );
    }
}

/// Writes several files of `benches/prolog` as one.
fn join(folder: &Path, name: &str, files: &[&str], more: &str) -> PathBuf {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/prolog");
    let mut text = String::new();
    for file in files {
        text += &std::fs::read_to_string(programs.join(file)).expect("a program of the benchmark");
        text.push('\n');
    }
    text += more;
    text.push('\n');
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a temporary file");
    path
}

/// User seconds of one run, whose output must contain what is expected.
fn run(mut command: Command, prints: &str) -> f64 {
    let before = children_seconds();
    let output = command.stdin(Stdio::null()).output().expect("the program runs");
    let seconds = children_seconds() - before;
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(prints), "{command:?} printed {text}");
    seconds
}

/// User seconds of the finished children of this process, in steps of 10 ms.
fn children_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux's /proc");
    let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
    fields[13].parse::<f64>().expect("a number of ticks") / 100.0
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2].max(0.01)
}

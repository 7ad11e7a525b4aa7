//! Rule files beside programs written by hand: `cargo bench --bench native`.
//!
//! For each work both run in turn, several times; the table shows the medians of the processor
//! seconds, for zug those of the search alone and those of the whole process, start-up and
//! reading included, and the ratios for each node and of the whole times.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "native/connect_four.rs"]
mod connect_four;
#[path = "native/nim.rs"]
mod nim;
#[path = "native/tic_tac_toe.rs"]
mod tic_tac_toe;
#[path = "native/tiles.rs"]
mod tiles;

use connect_four::ConnectFour;
use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tiles::Tiles;

/// Runs of each program; fewer of those that take long.
const RUNS: usize = 5;
/// Seconds after which a program is not run again.
const LONG: f64 = 20.0;

/// The eight-puzzle of `rules/taquin.pl` with the tiles a to h as 1 to 8.
const RING: Tiles = [1, 2, 3, 8, 0, 4, 7, 6, 5, 0, 0, 0, 0, 0, 0, 0];
const THIRTY: Tiles = [5, 6, 7, 4, 0, 8, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0];

/// Of Korf's hundred.
const KORF_12: Tiles = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15];
const KORF_9: Tiles = [3, 14, 9, 11, 5, 4, 8, 2, 13, 12, 6, 7, 10, 1, 15, 0];
const KORF_2: Tiles = [13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6];
/// Number 2 as an instance of `rules/taquin15.pl`.
const KORF_2_RULES: &str = "initial_state(k2, [[13,5,4,10],[9,12,8,14],[2,3,7,1],[b,15,11,6]]).";

/// A piece of work: rules that zug is to search, and the same by hand.
struct Work {
    name: &'static str,
    /// A file of `rules`, what is to be replaced in it, and clauses to be added.
    rules: &'static str,
    replace: &'static [(&'static str, &'static str)],
    more: &'static str,
    /// Arguments; `FILE` stands for the file.
    arguments: &'static [&'static str],
    /// The count among zug's statistics that the program by hand counts too.
    count: &'static str,
    by_hand: fn() -> u64,
}

const PLAIN: Work = Work {
    name: "",
    rules: "",
    replace: &[],
    more: "",
    arguments: &[],
    count: "nodes",
    by_hand: || 0,
};

const ASTAR: &[&str] =
    &["solve", "FILE", "--engine", "astar", "--instance", "thirty", "--heuristic"];
const IDASTAR: &[&str] =
    &["solve", "FILE", "--engine", "idastar", "--heuristic", "manhattan", "--instance"];

/// The work, with the last argument where there is one.
const WORKS: &[(Work, &str)] = &[
    (
        Work {
            name: "8-puzzle, whole space",
            rules: "taquin.pl",
            arguments: &["enumerate", "FILE", "--instance"],
            count: "expanded",
            by_hand: || tiles::space(&THIRTY) as u64,
            ..PLAIN
        },
        "thirty",
    ),
    (
        Work {
            name: "8-puzzle, A* manhattan",
            rules: "taquin.pl",
            arguments: ASTAR,
            count: "expanded",
            by_hand: || tiles::astar(&THIRTY, &RING, true).1,
            ..PLAIN
        },
        "manhattan",
    ),
    (
        Work {
            name: "8-puzzle, A* misplaced",
            rules: "taquin.pl",
            arguments: ASTAR,
            count: "expanded",
            by_hand: || tiles::astar(&THIRTY, &RING, false).1,
            ..PLAIN
        },
        "misplaced",
    ),
    (fifteen("15-puzzle, IDA* manhattan, Korf #12", || idastar(&KORF_12)), "k12"),
    (fifteen("15-puzzle, IDA* manhattan, Korf #9", || idastar(&KORF_9)), "k9"),
    (fifteen("15-puzzle, IDA* manhattan, Korf #2", || idastar(&KORF_2)), "k2"),
    (
        Work {
            name: "tic-tac-toe, negamax to depth 9",
            rules: "tictactoe.pl",
            arguments: &["solve", "FILE", "--engine", "negamax", "--depth"],
            by_hand: || tic_tac_toe::tic_tac_toe().1,
            ..PLAIN
        },
        "9",
    ),
    (
        Work {
            name: "Nim 3, 4, 5, negamax",
            rules: "nim_heaps.pl",
            replace: &[("\nheaps([1,3,5,7]).", "\nheaps([3,4,5]).")],
            arguments: &["solve", "FILE", "--engine"],
            by_hand: || nim::nim([3, 4, 5]).1,
            ..PLAIN
        },
        "negamax",
    ),
    (
        Work {
            name: "Connect Four 5 x 5, alphabeta",
            rules: "connect4.pl",
            replace: &[("\nwidth(5).", "\nwidth(5)."), ("\nheight(4).", "\nheight(5).")],
            arguments: &["solve", "FILE", "--engine"],
            by_hand: || {
                let mut game = ConnectFour::new(5, 5);
                game.solve();
                game.nodes
            },
            ..PLAIN
        },
        "alphabeta",
    ),
];

const fn fifteen(name: &'static str, by_hand: fn() -> u64) -> Work {
    Work {
        name,
        rules: "taquin15.pl",
        more: KORF_2_RULES,
        arguments: IDASTAR,
        count: "generated",
        by_hand,
        ..PLAIN
    }
}

fn idastar(board: &Tiles) -> u64 {
    let mut search = tiles::Idastar::new(board);
    search.solve();
    search.nodes
}

fn main() {
    let folder = std::env::temp_dir().join(format!("zug-native-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let only = std::env::args().nth(1).filter(|name| !name.starts_with('-'));
    println!(
        "{:<36} {:>9} {:>10} {:>9} {:>10} {:>10} {:>9} {:>6} {:>6}",
        "", "nodes", "by hand s", "nodes", "search s", "making s", "whole s", "node x", "time x"
    );
    for (work, last) in WORKS {
        if only.as_ref().is_none_or(|only| work.name.contains(only.as_str())) {
            compare(work, last, &folder);
        }
    }
    // The folder is temporary: nothing is lost if it stays.
    let _ = std::fs::remove_dir_all(folder);
}

/// Runs both programs of a work and prints its row.
fn compare(work: &Work, last: &str, folder: &Path) {
    let file = rules(work, folder);
    let [mut by_hand, mut search, mut making, mut whole] = [const { Vec::new() }; 4];
    let (mut hand_nodes, mut nodes) = (0, 0);
    while by_hand.len() < RUNS && whole.last().is_none_or(|&seconds| seconds < LONG) {
        let began = own_seconds();
        hand_nodes = (work.by_hand)();
        by_hand.push(own_seconds() - began);
        let run = zug(work, last, &file);
        nodes = run.nodes;
        search.push(run.search);
        making.push(run.making);
        whole.push(run.whole);
    }
    let [by_hand, search, making, whole] = [by_hand, search, making, whole].map(median);
    let node = ((search - making) / nodes as f64) / (by_hand / hand_nodes as f64);
    let time = whole / by_hand;
    let hand = format!("{hand_nodes:>9} {by_hand:>10.4}");
    let own = format!("{nodes:>9} {search:>10.4} {making:>10.4} {whole:>9.3}");
    println!("{:<36} {hand} {own} {node:>6.1} {time:>6.1}", work.name);
}

/// Writes the rules of a work to a file.
fn rules(work: &Work, folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(work.rules);
    let mut text = std::fs::read_to_string(source).expect("a rule file");
    for (old, new) in work.replace {
        assert!(text.contains(old), "{} has {old}", work.rules);
        text = text.replace(old, new);
    }
    // New instances go where the others are.
    if !work.more.is_empty() {
        text = text.replacen("\ninitial_state(", &format!("\n{}\ninitial_state(", work.more), 1);
    }
    let file = folder.join(work.rules);
    std::fs::write(&file, text).expect("a temporary file");
    file
}

/// What one run of zug took.
struct Run {
    nodes: u64,
    /// Seconds of the search, by the clock, …
    search: f64,
    /// … and those of them in which code was made.
    making: f64,
    /// Processor seconds of the whole process.
    whole: f64,
}

fn zug(work: &Work, last: &str, file: &Path) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    for argument in work.arguments {
        match *argument {
            "FILE" => command.arg(file),
            other => command.arg(other),
        };
    }
    command.args([last, "--format", "json"]).stdin(Stdio::null());
    let before = children_seconds();
    let output = command.output().expect("zug runs");
    let whole = children_seconds() - before;
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?} printed {text}");
    let number = |name: &str| -> f64 {
        let rest = text.split(&format!("\"{name}\":")).nth(1).expect("a number of that name");
        let end = rest.find([',', '}']).expect("an end of it");
        rest[..end].parse().expect("a number")
    };
    let [search, making] = ["elapsed_seconds", "making_seconds"].map(number);
    Run { nodes: number(work.count) as u64, search, making, whole }
}

/// Processor seconds of this thread: the machine may be shared.
fn own_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Processor seconds of the finished children of this process, in steps of 10 ms.
fn children_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux's /proc");
    let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
    let ticks: f64 = fields[13..15].iter().map(|ticks| ticks.parse::<f64>().expect("ticks")).sum();
    ticks / 100.0
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

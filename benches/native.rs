//! Rule files beside programs written by hand: `cargo bench --bench native`.
//!
//! For each work both run in turn, several times, each in a new process: what is cold for one
//! is cold for the other. The table shows the medians of the seconds of the search alone, for
//! zug also those of making code among them and the processor seconds of the whole process,
//! start-up and reading included, and the ratios for each node and of the whole times.
//!
//! Seconds of programs by hand are of the processor, those of zug's searches by the clock, which
//! is no less. Rows with "again" are searches repeated in one process: the medians without the
//! first, so without making code, and a share of the whole.

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
const RUNS: usize = 7;
/// Searches in one process where they are repeated.
const AGAIN: usize = 20;
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
    /// The only start, in as many instances as there are to be searches in one process.
    again: Option<&'static str>,
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
    again: None,
    count: "nodes",
    by_hand: || 0,
};

const ASTAR: &[&str] =
    &["solve", "FILE", "--no-verify", "--engine", "astar", "--instance", "thirty", "--heuristic"];
const ASTAR_AGAIN: &[&str] =
    &["solve", "FILE", "--no-verify", "--engine", "astar", "--all", "--heuristic"];
/// Instance `thirty` of `rules/taquin.pl`.
const THIRTY_RULES: &str = "[[e,f,g],[d,vide,h],[c,b,a]]";
const IDASTAR: &[&str] = &[
    "solve",
    "FILE",
    "--no-verify",
    "--engine",
    "idastar",
    "--heuristic",
    "manhattan",
    "--instance",
];

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
            name: "8-puzzle, A* manhattan, again",
            rules: "taquin.pl",
            arguments: ASTAR_AGAIN,
            again: Some(THIRTY_RULES),
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
            replace: &[("\nwidth(7).", "\nwidth(5)."), ("\nheight(6).", "\nheight(5).")],
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
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next();
    if first.as_deref() == Some(BY_HAND) {
        return run_by_hand(&arguments.next().expect("a name"));
    }
    let folder = std::env::temp_dir().join(format!("zug-native-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let only = first.filter(|name| !name.starts_with('-'));
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

/// The argument with which this program runs the one by hand of the work named next.
const BY_HAND: &str = "by-hand";

/// Prints the nodes of a program by hand and the seconds of its searches.
fn run_by_hand(name: &str) {
    let (work, _) = WORKS.iter().find(|(work, _)| work.name == name).expect("a work");
    let mut nodes = 0;
    let mut search = || {
        let began = own_seconds();
        nodes = (work.by_hand)();
        own_seconds() - began
    };
    let seconds: Vec<f64> = (0..work.searches()).map(|_| search()).collect();
    println!("{nodes}");
    for seconds in seconds {
        println!("{seconds:.9}");
    }
}

/// Runs the program by hand of a work in a process of its own: its nodes, and the seconds of a
/// search.
fn by_hand(work: &Work) -> (u64, f64) {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new(program).args([BY_HAND, work.name]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{} by hand printed {text}", work.name);
    let mut lines = text.lines();
    let nodes = lines.next().and_then(|line| line.parse().ok()).expect("a number of nodes");
    let seconds = lines.map(|line| line.parse().expect("seconds")).collect();
    (nodes, of_searches(seconds))
}

/// The seconds of the only search, or the median of those behind the first.
fn of_searches(mut seconds: Vec<f64>) -> f64 {
    if seconds.len() > 1 {
        seconds.remove(0);
    }
    median(seconds)
}

impl Work {
    /// How many searches run in one process.
    fn searches(&self) -> usize {
        if self.again.is_some() { AGAIN } else { 1 }
    }
}

/// Runs both programs of a work and prints its row.
fn compare(work: &Work, last: &str, folder: &Path) {
    let file = rules(work, folder);
    let [mut hand, mut search, mut making, mut whole] = [const { Vec::new() }; 4];
    let (mut hand_nodes, mut nodes) = (0, 0);
    while hand.len() < RUNS && whole.last().is_none_or(|&seconds| seconds < LONG) {
        let (count, seconds) = by_hand(work);
        hand_nodes = count;
        hand.push(seconds);
        let run = zug(work, last, &file);
        nodes = run.nodes;
        search.push(run.search);
        making.push(run.making);
        whole.push(run.whole);
    }
    let [hand, search, making, whole] = [hand, search, making, whole].map(median);
    let node = ((search - making) / nodes as f64) / (hand / hand_nodes as f64);
    let time = whole / hand / work.searches() as f64;
    let hand = format!("{hand_nodes:>9} {hand:>10.5}");
    let own = format!("{nodes:>9} {search:>10.5} {making:>10.5} {whole:>9.3}");
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
    if let Some(start) = work.again {
        let is_start = |line: &&str| line.starts_with("initial_state(");
        let (starts, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(is_start);
        assert!(!starts.is_empty(), "{} has starts, each on a line", work.rules);
        let again = (0..work.searches()).map(|i| format!("initial_state(again{i}, {start}).\n"));
        text = again.collect::<String>() + &lines.join("\n");
    }
    let file = folder.join(work.rules);
    std::fs::write(&file, text).expect("a temporary file");
    file
}

/// What one run of zug took.
struct Run {
    nodes: u64,
    /// Seconds of a search, by the clock, …
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
    // By search; what follows is of all of them.
    let numbers = |name: &str| -> Vec<f64> {
        let label = format!("\"{name}\":");
        let found = text.split(&label).skip(1).map(|rest| {
            let end = rest.find([',', '}']).expect("an end of it");
            rest[..end].parse().expect("a number")
        });
        let found: Vec<f64> = found.take(work.searches()).collect();
        assert_eq!(found.len(), work.searches(), "{name} in {text}");
        found
    };
    let [nodes, search, making] = [work.count, "elapsed_seconds", "making_seconds"].map(numbers);
    Run { nodes: nodes[0] as u64, search: of_searches(search), making: of_searches(making), whole }
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

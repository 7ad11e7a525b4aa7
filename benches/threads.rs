//! What a search gains by several threads: `cargo bench --bench threads`, and a part of a row's name behind `--` for
//! those rows alone.
//!
//! Each row is a search of a natural rule file by one thread and by as many as there are processors (or as
//! `ZUG_THREADS` says), in turn, five times, each in a process of its own. What is compared are the medians of the
//! states, nodes or plays a second; where what is done differs each time, as in alpha-beta, those of the seconds to the
//! answer.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// Times that each row is run.
const TIMES: usize = 5;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// States, nodes or plays a second.
    Rate,
    /// Seconds to the answer.
    Time,
}

/// A row: the name, what is compared, the command, and what is replaced in its file.
type Row = (&'static str, By, &'static str, &'static [(&'static str, &'static str)]);

/// As the file is.
const NOTHING: &[(&str, &str)] = &[];
/// Boards of Connect Four.
const FIVE_BY_FIVE: &[(&str, &str)] =
    &[("\nwidth(7).", "\nwidth(5)."), ("\nheight(6).", "\nheight(5).")];
/// A board of domineering.
const SIX_BY_FIVE: &[(&str, &str)] =
    &[("\nrows(4).", "\nrows(5)."), ("\ncolumns(4).", "\ncolumns(6).")];

const ROWS: &[Row] = &[
    ("enumerate, 15-puzzle", By::Rate, "enumerate rules/taquin15.pl --depth 23", NOTHING),
    ("enumerate, klotski", By::Rate, "enumerate rules/klotski.pl", NOTHING),
    ("enumerate, Connect Four", By::Rate, "enumerate rules/connect4.pl --depth 10", NOTHING),
    (
        "bfs, 15-puzzle",
        By::Rate,
        "solve rules/taquin15.pl --engine bfs --nodes 8M --state KORF",
        NOTHING,
    ),
    (
        "ucs, 15-puzzle",
        By::Rate,
        "solve rules/taquin15.pl --engine ucs --nodes 5M --state KORF",
        NOTHING,
    ),
    (
        "A*, 15-puzzle, manhattan",
        By::Rate,
        "solve rules/taquin15.pl --engine astar --heuristic manhattan --nodes 5M --state KORF",
        NOTHING,
    ),
    (
        "A*, 15-puzzle, misplaced",
        By::Rate,
        "solve rules/taquin15.pl --engine astar --heuristic misplaced --nodes 5M --state KORF",
        NOTHING,
    ),
    ("A*, klotski", By::Rate, "solve rules/klotski.pl --engine astar", NOTHING),
    (
        "IDA*, 15-puzzle",
        By::Rate,
        "solve rules/taquin15.pl --engine idastar --heuristic manhattan --state HARD",
        NOTHING,
    ),
    (
        "playouts, Connect Four",
        By::Rate,
        "solve rules/connect4.pl --engine playouts --playouts 500k",
        NOTHING,
    ),
    (
        "playouts, reversi 8 x 8",
        By::Rate,
        "solve rules/reversi.pl --engine playouts --playouts 20k --instance eight",
        NOTHING,
    ),
    (
        "mcts, Connect Four",
        By::Rate,
        "solve rules/connect4.pl --engine mcts --playouts 200k",
        NOTHING,
    ),
    (
        "mcts, reversi 8 x 8",
        By::Rate,
        "solve rules/reversi.pl --engine mcts --playouts 10k --instance eight",
        NOTHING,
    ),
    (
        "solve_game, Connect Four",
        By::Rate,
        "solve rules/connect4.pl --instance small --engine solve_game",
        NOTHING,
    ),
    (
        "solve_game, king and rook",
        By::Rate,
        "solve rules/krk.pl --engine solve_game --instance eight",
        NOTHING,
    ),
    (
        "alpha-beta, Connect Four",
        By::Time,
        "solve rules/connect4.pl --engine alphabeta",
        FIVE_BY_FIVE,
    ),
    (
        "the same, 7 x 6, depth 18",
        By::Time,
        "solve rules/connect4.pl --engine alphabeta --depth 18",
        NOTHING,
    ),
    (
        "alpha-beta, breakthrough",
        By::Time,
        "solve rules/breakthrough.pl --engine alphabeta --depth 7 --instance eight",
        NOTHING,
    ),
    (
        "alpha-beta, reversi 8 x 8",
        By::Time,
        "solve rules/reversi.pl --engine alphabeta --depth 8 --instance eight",
        NOTHING,
    ),
    (
        "pns, Connect Four",
        By::Time,
        "solve rules/connect4.pl --instance small --engine pns",
        NOTHING,
    ),
    ("pns, domineering", By::Time, "solve rules/domineering.pl --engine pns", SIX_BY_FIVE),
];

/// Instances of R. Korf, Depth-first iterative-deepening, 1985: no. 5 and no. 1.
const KORF: &str = "[[4,7,14,13],[10,3,9,12],[11,5,6,15],[1,2,8,b]]";
const HARD: &str = "[[14,13,15,7],[11,12,9,5],[6,b,2,1],[4,8,10,3]]";

/// What a search came to.
struct Run {
    done: f64,
    seconds: f64,
    value: String,
}

fn main() {
    let only = std::env::args().skip(1).find(|name| !name.starts_with('-'));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let named = std::env::var("ZUG_THREADS").ok().and_then(|threads| threads.parse().ok());
    let threads: usize = named.unwrap_or(processors);
    println!("{:<28} {:>12} {:>9} {:>12} {:>9} {:>6}", "", "done", "s, -j 1", "done", "s", "x");
    let folder = std::env::temp_dir().join(format!("zug-threads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    for &(name, by, command, replace) in ROWS {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let command = &in_folder(command, replace, &folder);
        let (mut one, mut several) = (Vec::new(), Vec::new());
        for _ in 0..TIMES {
            one.push(run(command, 1));
            several.push(run(command, threads));
        }
        let same = one.iter().chain(&several).all(|run| run.value == one[0].value);
        assert!(same, "{name}: {} and {}", one[0].value, several[0].value);
        let [one, several] = [one, several].map(|mut runs| {
            runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
            runs.swap_remove(TIMES / 2)
        });
        let gain = match by {
            By::Rate => (several.done / several.seconds) / (one.done / one.seconds),
            By::Time => one.seconds / several.seconds,
        };
        println!(
            "{name:<28} {:>12} {:>9.3} {:>12} {:>9.3} {gain:>6.2}",
            one.done, one.seconds, several.done, several.seconds,
        );
    }
    println!("{threads} threads, {processors} processors");
    // The folder is temporary: nothing is lost if it stays.
    let _ = std::fs::remove_dir_all(&folder);
}

/// The command on a copy of its file in which something is replaced.
fn in_folder(command: &str, replace: &[(&str, &str)], folder: &Path) -> String {
    let Some(file) = command.split(' ').nth(1) else { return command.to_owned() };
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let mut text = std::fs::read_to_string(&from).expect("the rule file");
    for (old, new) in replace {
        assert!(text.contains(old), "{file} has no {old}");
        text = text.replace(old, new);
    }
    let to = folder.join(file.rsplit('/').next().unwrap_or(file));
    std::fs::write(&to, text).expect("a copy");
    command.replace(file, &to.display().to_string())
}

/// Runs a command with so many threads.
fn run(command: &str, threads: usize) -> Run {
    let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
    zug.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    zug.args(command.split(' ').map(|word| match word {
        "KORF" => KORF,
        "HARD" => HARD,
        word => word,
    }));
    zug.args(["--memory", "4G", "-j", &threads.to_string(), "--format", "json"]);
    let output = zug.output().expect("zug runs");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{command}: {}", String::from_utf8_lossy(&output.stderr)));
    let result = if report["results"].is_array() { &report["results"][0] } else { &report };
    let stats = &result["stats"];
    let done = ["expanded", "nodes"].into_iter().find_map(|what| stats[what].as_f64());
    let seconds = stats["elapsed_seconds"].as_f64();
    let (Some(done), Some(seconds)) = (done, seconds) else { panic!("{command}: {report}") };
    // What is found may differ where only a part is looked at, or at random.
    let is_whole = result["outcome"] == "solved" && !command.contains("playouts");
    let value = if is_whole { &result["value"] } else { &Value::Null };
    Run { done, seconds, value: format!("{value} {}", result["cost"]) }
}

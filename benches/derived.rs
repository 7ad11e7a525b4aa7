//! What heuristics derived from the rules are worth: `cargo bench --bench derived`, and a part of a row's
//! name behind `--` for those rows alone.
//!
//! Rule files of `benches/derived`, which have no heuristic of their own, are solved
//! blindly, with `--heuristic derived`, and as `zug solve` does by itself, in turn, each in a process of its own
//! with the same limits. Rows have the states expanded, the seconds of the whole process (start-up and
//! deriving included), and the ratios to the blind search. All three must come to the same cost; a blind
//! search that a limit ends is a lower bound, and has a `>`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Limits of each search.
const LIMITS: [&str; 4] = ["--time", "60", "--memory", "4GiB"];

/// Rows: the name, the file, the instance if it is not the first.
const ROWS: &[(&str, &str, Option<&str>)] = &[
    ("pancakes, 14", "benches/derived/pancakes.pl", Some("p14")),
    ("pancakes, 16", "benches/derived/pancakes.pl", Some("p16")),
    ("pancakes, 18", "benches/derived/pancakes.pl", Some("p18")),
    ("pancakes, 20", "benches/derived/pancakes.pl", Some("p20")),
    ("ring of 12", "benches/derived/ring.pl", Some("t12")),
    ("ring of 18", "benches/derived/ring.pl", Some("t18")),
    ("cube 2 x 2 x 2", "benches/derived/cube.pl", None),
    ("cube 2 x 2 x 2, colours", "benches/derived/cube_colours.pl", None),
    ("15-puzzle, Korf #12", "benches/derived/tiles15.pl", Some("k12")),
    ("15-puzzle, Korf #9", "benches/derived/tiles15.pl", Some("k9")),
    ("24-puzzle, 60 moves", "benches/derived/tiles24.pl", Some("w0")),
    ("24-puzzle, 72 moves", "benches/derived/tiles24.pl", Some("w1")),
    ("Hanoi, four pegs, discs", "benches/derived/hanoi_discs.pl", None),
    ("Hanoi, four pegs, lists", "benches/derived/hanoi_lists.pl", None),
    ("blocks, 10", "benches/derived/blocks.pl", None),
    ("blocks, 12", "benches/derived/blocks12.pl", None),
    ("Rush Hour, the hardest", "benches/derived/rush_hour.pl", None),
    ("Sokoban, four boxes", "benches/derived/sokoban.pl", Some("four")),
    ("Sokoban, a store", "benches/derived/sokoban.pl", Some("store")),
    ("Sokoban, a hall", "benches/derived/sokoban.pl", Some("hall")),
];

/// What a search came to.
struct Run {
    cost: Option<String>,
    expanded: u64,
    seconds: f64,
}

fn main() {
    let only = std::env::args().skip(1).find(|name| !name.starts_with('-'));
    println!(
        "{:<26} {:>11} {:>8} | {:>10} {:>8} {:>8} {:>6} | {:>10} {:>8} {:>6}",
        "", "blind", "s", "derived", "s", "nodes x", "s x", "by itself", "s", "s x"
    );
    let mut ratios = Vec::new();
    for (name, file, instance) in ROWS {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let run = |with: &[&str]| solve(file, *instance, with);
        let blind = run(&["--engine", "ucs"]);
        let derived = run(&["--engine", "astar", "--heuristic", "derived"]);
        let itself = run(&[]);
        for other in [&derived, &itself] {
            if let (Some(one), Some(other)) = (&blind.cost, &other.cost) {
                assert_eq!(one, other, "{name}");
            }
        }
        let nodes = derived.expanded as f64 / blind.expanded as f64;
        ratios.push(nodes.ln());
        let limit = if blind.cost.is_none() { ">" } else { "" };
        println!(
            "{name:<26} {limit:>1}{:>10} {:>8.2} | {:>10} {:>8.2} {nodes:>8.4} {:>6.2} | {:>10} {:>8.2} {:>6.2}",
            blind.expanded,
            blind.seconds,
            derived.expanded,
            derived.seconds,
            derived.seconds / blind.seconds,
            itself.expanded,
            itself.seconds,
            itself.seconds / blind.seconds,
        );
    }
    let mean = (ratios.iter().sum::<f64>() / ratios.len().max(1) as f64).exp();
    println!("geometric mean of the nodes: {mean:.4}");
}

/// Solves an instance in a process of its own.
fn solve(file: &str, instance: Option<&str>, with: &[&str]) -> Run {
    let folder = env!("CARGO_MANIFEST_DIR");
    let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
    zug.arg("solve").arg(format!("{folder}/{file}")).args(with).args(LIMITS);
    zug.args(["--no-verify", "--format", "json"]).stdin(Stdio::null());
    if let Some(instance) = instance {
        zug.args(["--instance", instance]);
    }
    let begun = Instant::now();
    let output = zug.output().expect("zug runs");
    let seconds = begun.elapsed().as_secs_f64();
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let result = &report["results"][0];
    let cost = (result["outcome"] == "solved").then(|| result["cost"].to_string());
    let expanded = result["stats"]["expanded"].as_u64();
    let expanded = expanded.unwrap_or_else(|| panic!("{file} {with:?}: {report}"));
    Run { cost, expanded, seconds }
}

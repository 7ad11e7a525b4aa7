//! Imported games beside natural rule files: `cargo bench --bench imported`, and a part of a row's name behind `--` for
//! those rows alone.
//!
//! Each game is in GDL in `src/import/gdl/games`, becomes a rule file by `zug import`, and is held against the file of
//! `rules/` on a board of the same size, without its heuristic. `enumerate` lists the same states of both, which is
//! checked; alpha-beta searches for eight seconds. What is compared are the medians of three runs in turn: states and
//! nodes a second, making code included.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Times that each row is run.
const TIMES: usize = 3;

/// A game in both forms.
struct Game {
    name: &'static str,
    /// Its rules in GDL.
    kif: &'static str,
    /// The natural rule file, and what is replaced in it.
    natural: &'static str,
    replace: &'static [(&'static str, &'static str)],
    /// The instance of the natural file.
    instance: Option<&'static str>,
    /// To which depth states are listed.
    depth: &'static str,
}

const NO_HEURISTIC: (&str, &str) = ("\nheuristic(J, S, H)", "\nestimate(J, S, H)");

const GAMES: &[Game] = &[
    Game {
        name: "Connect Four",
        kif: "connect_four.kif",
        natural: "connect4.pl",
        replace: &[NO_HEURISTIC],
        instance: None,
        depth: "10",
    },
    Game {
        name: "Connect Four of squares",
        kif: "connect_four_cells.kif",
        natural: "connect4.pl",
        replace: &[NO_HEURISTIC],
        instance: None,
        depth: "10",
    },
    Game {
        name: "breakthrough",
        kif: "breakthrough.kif",
        natural: "breakthrough.pl",
        replace: &[NO_HEURISTIC],
        instance: Some("eight"),
        depth: "5",
    },
    Game {
        name: "Reversi",
        kif: "outflank.kif",
        natural: "reversi.pl",
        replace: &[NO_HEURISTIC],
        instance: Some("eight"),
        depth: "7",
    },
];

/// What is asked of both.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("enumerate", &["enumerate", "FILE", "--depth", "DEPTH"]),
    ("alpha-beta", &["solve", "FILE", "--engine", "alphabeta", "--time", "8"]),
];

fn main() {
    let only = std::env::args().skip(1).find(|name| !name.starts_with('-'));
    let folder = std::env::temp_dir().join(format!("zug-imported-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    println!("{:<28} {:>12} {:>12} {:>6}", "", "natural /s", "imported /s", "ratio");
    for game in GAMES {
        let natural = natural(game, &folder);
        let imported = imported(game, &folder);
        for (question, command) in QUESTIONS {
            let name = format!("{question}, {}", game.name);
            if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
                continue;
            }
            let [natural, imported] = compare(game, command, [&natural, &imported]);
            println!("{name:<28} {natural:>12.0} {imported:>12.0} {:>6.2}", natural / imported);
        }
    }
    // The folder is temporary: nothing is lost if it stays.
    let _ = std::fs::remove_dir_all(&folder);
}

/// A copy of the natural file in which something is replaced.
fn natural(game: &Game, folder: &Path) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(game.natural);
    let mut text = std::fs::read_to_string(&from).expect("the rule file");
    for (old, new) in game.replace {
        assert!(text.contains(old), "{} has no {old}", game.natural);
        text = text.replace(old, new);
    }
    let to = folder.join(game.natural);
    std::fs::write(&to, text).expect("a copy");
    to
}

/// The rule file that the game in GDL becomes.
fn imported(game: &Game, folder: &Path) -> PathBuf {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/import/gdl/games");
    let to = folder.join(format!("imported_{}", game.kif)).with_extension("pl");
    let output = Command::new(env!("CARGO_BIN_EXE_zug"))
        .arg("import")
        .arg(games.join(game.kif))
        .arg("-o")
        .arg(&to)
        .output()
        .expect("zug runs");
    assert!(output.status.success(), "{}", game.kif);
    to
}

/// States or nodes a second of both files.
fn compare(game: &Game, command: &[&str], files: [&PathBuf; 2]) -> [f64; 2] {
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..TIMES {
        let runs = [(files[0], game.instance), (files[1], None)]
            .map(|(file, instance)| run(game, command, file, instance));
        assert_eq!(runs[0].0, runs[1].0, "{}: the same states", game.name);
        rates.iter_mut().zip(runs).for_each(|(rates, (_, rate))| rates.push(rate));
    }
    rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[TIMES / 2]
    })
}

/// The number of states, where all are listed, and what was done in a second.
fn run(game: &Game, command: &[&str], file: &Path, instance: Option<&str>) -> (Option<u64>, f64) {
    let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
    for &word in command {
        match word {
            "FILE" => zug.arg(file),
            "DEPTH" => zug.arg(game.depth),
            word => zug.arg(word),
        };
    }
    if let Some(instance) = instance {
        zug.args(["--instance", instance]);
    }
    let output = zug.args(["--format", "json"]).stdin(Stdio::null()).output().expect("zug runs");
    let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
    let result = &record["results"][0];
    let states = result["states"].as_u64();
    let done = states.or(result["stats"]["nodes"].as_u64()).expect("a count");
    let seconds = result["stats"]["elapsed_seconds"].as_f64().expect("seconds");
    (states, done as f64 / seconds)
}

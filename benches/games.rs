//! Games and spaces by rules beside plain programs: `cargo bench --bench games`.
//!
//! The plain programs in `benches/plain` do what the rules say and no more: a board of bytes, moves
//! into a vector, a hash set of states. Both run in turn, several times: the table has the medians
//! of what each did in a second of its search, making code included, and their ratio. Before that
//! both count lines of play or states, which must be the numbers that stand here: reversi and pegs as
//! published, hexapawn as the rules count without code.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod plain;

use plain::connect_four::ConnectFour;
use plain::hexapawn::Hexapawn;
use plain::reversi::Reversi;
use plain::tic_tac_toe::TicTacToe;
use plain::{Game, perft, playouts, spaces};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs of each program.
const RUNS: usize = 5;

/// Rules that zug runs.
struct Rules {
    name: &'static str,
    file: &'static str,
    /// What is replaced in them.
    replace: &'static [(&'static str, &'static str)],
    /// The goal for the start of a game, with `S`; nothing for a space.
    start: &'static str,
    /// Further arguments.
    arguments: &'static [&'static str],
}

impl Rules {
    const fn of(
        name: &'static str,
        file: &'static str,
        arguments: &'static [&'static str],
    ) -> Rules {
        Rules { name, file, replace: &[], start: "initial_state(S)", arguments }
    }
}

const PLAYOUTS: &[&str] = &["--engine", "playouts", "--playouts"];

fn main() {
    let folder = std::env::temp_dir().join(format!("zug-games-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let only = std::env::args().nth(1).filter(|name| !name.starts_with('-'));
    let bench = Bench { folder, only };
    println!("{:<28} {:>9} {:>12} {:>12} {:>7}", "", "", "by hand /s", "by rules /s", "ratio");
    bench.game(
        &Rules::of("tic-tac-toe", "rules/tictactoe.pl", &[]),
        TicTacToe::new(),
        &[9, 72, 504, 3024, 15120, 54720],
        20_000,
    );
    bench.game(
        &Rules {
            replace: &[("\nwidth(5).", "\nwidth(7)."), ("\nheight(4).", "\nheight(6).")],
            ..Rules::of("Connect Four 7 x 6", "rules/connect4.pl", &[])
        },
        ConnectFour::new(),
        &[7, 49, 343, 2401, 16807],
        500,
    );
    bench.game(
        &Rules {
            start: "initial_state(six, S)",
            ..Rules::of("reversi 6 x 6", "rules/reversi.pl", &["--instance", "six"])
        },
        Reversi::<6>::new(),
        &[4, 12, 56, 244, 1364],
        100,
    );
    bench.game(
        &Rules {
            start: "initial_state(eight, S)",
            ..Rules::of("reversi 8 x 8", "rules/reversi.pl", &["--instance", "eight"])
        },
        Reversi::<8>::new(),
        &[4, 12, 56, 244, 1396],
        30,
    );
    bench.game(
        &Rules {
            replace: &[("\nwidth(3).", "\nwidth(5)."), ("\nheight(3).", "\nheight(5).")],
            ..Rules::of("hexapawn 5 x 5", "rules/hexapawn.pl", &[])
        },
        Hexapawn::<5, 5>::new(),
        &[5, 25, 125, 628, 3180],
        2_000,
    );
    bench.space(
        &Rules {
            replace: &[(
                "between(1, 4, X), between(1, 3, Y)",
                "between(1, 5, X), between(1, 5, Y)",
            )],
            ..Rules::of("domineering 5 x 5", "tests/domains/domineering.pl", &["--depth", "4"])
        },
        || spaces::domineering(4),
        &[1, 20, 336, 2424, 14020],
    );
    bench.space(
        &Rules {
            replace: &[
                ("between(1, 5, X), between(1, 5, Y),", "between(1, 7, X), between(1, 7, Y),"),
                (
                    "Dx is abs(X - 3), Dy is abs(Y - 3), Dx + Dy =< 2.",
                    "( X >= 3, X =< 5 -> true ; Y >= 3, Y =< 5 ).",
                ),
                ("P \\== 3-3", "P \\== 4-4"),
            ],
            ..Rules::of("pegs, English board", "tests/domains/peg_list.pl", &["--depth", "6"])
        },
        || spaces::pegs(6),
        &[1, 4, 12, 60, 296, 1338, 5648],
    );
    // The folder is temporary: nothing is lost if it stays.
    let _ = std::fs::remove_dir_all(&bench.folder);
}

struct Bench {
    folder: PathBuf,
    /// Rows whose names contain this.
    only: Option<String>,
}

impl Bench {
    fn is_wanted(&self, rules: &Rules) -> bool {
        self.only.as_ref().is_none_or(|only| rules.name.contains(only.as_str()))
    }

    /// A row: so many games played at random; `counts` are lines of play by length.
    fn game(&self, rules: &Rules, start: impl Game, counts: &[u64], games: u64) {
        if !self.is_wanted(rules) {
            return;
        }
        let file = self.rules(rules);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&start, depth), count, "{} by hand to depth {depth}", rules.name);
            let goal = format!("{}, perft(S, {depth}, {count})", rules.start);
            let status = Command::new(env!("CARGO_BIN_EXE_zug"))
                .arg("query")
                .arg(&file)
                .arg(&goal)
                .stdout(Stdio::null())
                .status();
            assert!(status.expect("zug runs").success(), "{goal}");
        }
        // The plain program is many times faster: it plays more, to be measured at all.
        let more = 50 * games;
        let by_hand = || {
            let began = Instant::now();
            let moves = playouts(&start, more);
            moves as f64 / began.elapsed().as_secs_f64()
        };
        let games = games.to_string();
        let by_rules = || {
            let text = self.zug("solve", &file, &[PLAYOUTS, &[&games], rules.arguments].concat());
            number(&text, "nodes") / number(&text, "elapsed_seconds")
        };
        row(rules.name, "moves", by_hand, by_rules);
    }

    /// A row: a space; `counts` are its states by depth.
    fn space(&self, rules: &Rules, by_hand: impl Fn() -> Vec<u64>, counts: &[u64]) {
        if !self.is_wanted(rules) {
            return;
        }
        let file = self.rules(rules);
        let states: u64 = counts.iter().sum();
        let by_hand = || {
            let began = Instant::now();
            assert_eq!(by_hand(), counts, "{} by hand", rules.name);
            states as f64 / began.elapsed().as_secs_f64()
        };
        let by_depth: Vec<String> = counts.iter().map(u64::to_string).collect();
        let by_depth = format!("\"by_depth\":[{}]", by_depth.join(","));
        let by_rules = || {
            let text = self.zug("enumerate", &file, rules.arguments);
            assert!(text.contains(&by_depth), "{} by rules: {text}", rules.name);
            states as f64 / number(&text, "elapsed_seconds")
        };
        row(rules.name, "states", by_hand, by_rules);
    }

    /// Writes rules to a file.
    fn rules(&self, rules: &Rules) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(rules.file);
        let mut text = std::fs::read_to_string(source).expect("a rule file");
        for (old, new) in rules.replace {
            assert!(text.contains(old), "{} has {old}", rules.file);
            text = text.replace(old, new);
        }
        let file = self.folder.join("rules.pl");
        std::fs::write(&file, text).expect("a temporary file");
        file
    }

    /// What zug prints.
    fn zug(&self, command: &str, file: &Path, arguments: &[&str]) -> String {
        let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
        zug.arg(command).arg(file).args(arguments).args(["--format", "json"]);
        let output = zug.stdin(Stdio::null()).output().expect("zug runs");
        String::from_utf8(output.stdout).expect("JSON")
    }
}

/// Runs both in turn and prints the medians of what each does in a second.
fn row(name: &str, what: &str, by_hand: impl Fn() -> f64, by_rules: impl Fn() -> f64) {
    let (hand, rules): (Vec<f64>, Vec<f64>) = (0..RUNS).map(|_| (by_hand(), by_rules())).unzip();
    let [hand, rules] = [hand, rules].map(median);
    println!("{name:<28} {what:>9} {hand:>12.0} {rules:>12.0} {:>7.1}", hand / rules);
}

/// The first number of this name in JSON.
fn number(text: &str, name: &str) -> f64 {
    let label = format!("\"{name}\":");
    let found = text.split(&label).nth(1).and_then(|rest| rest.split([',', '}']).next());
    found.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name} in {text}"))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

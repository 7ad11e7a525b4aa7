//! Games and spaces by rules beside plain programs: `cargo bench --bench games`, and a part of a row's
//! name behind `--` for those rows alone.
//!
//! The plain programs in `benches/plain` do what the rules say and no more: a board of bytes, moves
//! into a vector, a hash set of states. Both run in turn, several times: the table has the medians
//! of what each did in a second of its search, making code included, their ratio, how long making
//! took and how many of the questions code answered. The faster rules are, the more games are
//! played and the deeper spaces are searched, so that making code weighs as in a search of three
//! seconds. Both count lines of play or states, which must be the numbers that stand here: as
//! published for reversi, checkers, breakthrough, nine men's morris, ultimate tic-tac-toe, Connect
//! Four, pegs, klotski, blocks and lights, the rest as the rules count without code.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod plain;

use plain::breakthrough::Breakthrough;
use plain::checkers::Checkers;
use plain::connect_four::ConnectFour;
use plain::counts::{BLOCKS, BY_HAND, DOMINEERING, KLOTSKI, KRK, LIGHTS, PEGS, RUSH_HOUR, SOKOBAN};
use plain::hex::Hex;
use plain::hexapawn::Hexapawn;
use plain::kalah::Kalah;
use plain::morris::Morris;
use plain::reversi::Reversi;
use plain::tic_tac_toe::TicTacToe;
use plain::ultimate::Ultimate;
use plain::{Game, alpha_beta, krk, perft, playouts, puzzles, spaces};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each program, fewer where they take long.
const RUNS: usize = 3;

/// Rules work at least so long where they can: a row plays more games or goes deeper until they do.
const ENOUGH: Duration = Duration::from_secs(3);

/// A program by hand repeats its work for so long: nothing is made there that has to pay.
const BY_HAND_ENOUGH: Duration = Duration::from_millis(500);

/// After this time a row is not run once more.
const LONG: Duration = Duration::from_secs(30);

/// Rules that zug runs.
struct Rules {
    name: &'static str,
    file: &'static str,
    /// What is replaced in them.
    replace: &'static [(&'static str, &'static str)],
    /// The instance, if there are several.
    instance: Option<&'static str>,
}

impl Rules {
    const fn of(name: &'static str, file: &'static str) -> Rules {
        Rules { name, file, replace: &[], instance: None }
    }

    const fn at(self, instance: &'static str) -> Rules {
        Rules { instance: Some(instance), ..self }
    }

    const fn with(self, replace: &'static [(&'static str, &'static str)]) -> Rules {
        Rules { replace, ..self }
    }

    /// The goal for the start of a game.
    fn start(&self) -> String {
        self.instance.map_or_else(
            || "initial_state(S)".to_owned(),
            |instance| format!("initial_state({instance}, S)"),
        )
    }

    /// The arguments that choose the instance.
    fn arguments(&self) -> Vec<&'static str> {
        self.instance.map_or_else(Vec::new, |instance| vec!["--instance", instance])
    }
}

/// As deep as alpha-beta goes.
const DEEPEST: u32 = 9;

/// Lines of play of reversi by length, from 1 on.
const REVERSI: [u64; 9] = [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288];

fn main() {
    let folder = std::env::temp_dir().join(format!("zug-games-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let only = std::env::args().skip(1).find(|name| !name.starts_with('-'));
    let bench = Bench { folder, only };
    println!(
        "{:<30} {:>7} {:>12} {:>12} {:>7} {:>10} {:>8}",
        "", "", "by hand /s", "by rules /s", "ratio", "making ms", "by code"
    );
    small_games(&bench);
    large_games(&bench);
    boards(&bench);
    moving(&bench);
    engines(&bench);
    // The folder is temporary: nothing is lost if it stays.
    let _ = std::fs::remove_dir_all(&bench.folder);
}

fn small_games(bench: &Bench) {
    let lines = &[9, 72, 504, 3024, 15120, 54720];
    let rules = Rules::of("tic-tac-toe", "rules/tictactoe.pl");
    bench.game(&rules, TicTacToe::new(), lines, 20_000);
    let rules = Rules::of("tic-tac-toe, flat", "tests/domains/ttt_flat.pl");
    bench.game(&rules, TicTacToe::new(), lines, 20_000);
    let rules = Rules::of("hexapawn 5 x 5", "rules/hexapawn.pl")
        .with(&[("\nwidth(3).", "\nwidth(5)."), ("\nheight(3).", "\nheight(5).")]);
    bench.game(&rules, Hexapawn::<5, 5>::new(), &[5, 25, 125, 628, 3180], 2_000);
    let kalah = |name, instance| Rules::of(name, "rules/kalah.pl").at(instance);
    let lines = &[4, 15, 50, 158, 488, 1510, 4637];
    bench.game(&kalah("kalah (4,3)", "small"), Kalah::<4>::new(3), lines, 2_000);
    let lines = &[6, 35, 185, 942, 4690, 23233];
    bench.game(&kalah("kalah (6,4)", "six"), Kalah::<6>::new(4), lines, 500);
}

fn large_games(bench: &Bench) {
    let lines = &[7, 49, 343, 2401, 16807];
    let rules = Rules::of("Connect Four 7 x 6", "rules/connect4.pl");
    bench.game(&rules, ConnectFour::new(), lines, 500);
    let rules = Rules::of("Connect Four 7 x 6, flat", "tests/domains/connect4_flat.pl")
        .with(&[("\ncolumns(4).", "\ncolumns(7)."), ("\nrows(3).", "\nrows(6).")]);
    bench.game(&rules, ConnectFour::new(), lines, 100);
    let rules = Rules::of("reversi 6 x 6", "rules/reversi.pl").at("six");
    bench.game(&rules, Reversi::<6>::new(), &[4, 12, 56, 244, 1364], 100);
    let rules = Rules::of("reversi 8 x 8", "rules/reversi.pl").at("eight");
    bench.game(&rules, Reversi::<8>::new(), &REVERSI[..5], 30);
    let rules = Rules::of("othello 8 x 8, flat", "tests/domains/othello_flat.pl")
        .with(&[("\nsize(4).", "\nsize(8).")]);
    bench.game(&rules, Reversi::<8>::new(), &REVERSI[..5], 30);
    let rules = Rules::of("breakthrough 8 x 8", "rules/breakthrough.pl").at("eight");
    bench.game(&rules, Breakthrough::<8, 8>::new(), &[22, 484, 11132], 100);
    let rules = Rules::of("nine men's morris", "rules/nine_mens_morris.pl");
    bench.game(&rules, Morris::new(), &[24, 552, 12144], 30);
    let rules = Rules::of("hex 7 x 7", "rules/hex.pl").at("seven");
    bench.game(&rules, Hex::<7>::new(), &[49, 2352], 100);
    let rules = Rules::of("checkers 8 x 8", "rules/checkers.pl").at("start");
    bench.game(&rules, Checkers::new(), &[7, 49, 302, 1469, 7361], 30);
    let rules = Rules::of("ultimate tic-tac-toe", "rules/ultimate_tictactoe.pl").at("start");
    bench.game(&rules, Ultimate::new(), &[81, 720, 6336], 200);
}

/// Spaces in which squares, lamps and pegs come and go, each in the style of sets and in that of rows.
fn boards(bench: &Bench) {
    let rules = Rules::of("domineering 5 x 5, set", "tests/domains/domineering.pl")
        .with(&[("between(1, 4, X), between(1, 3, Y)", "between(1, 5, X), between(1, 5, Y)")]);
    bench.space(&rules, spaces::domineering, DOMINEERING);
    let rules = Rules::of("domineering 5 x 5, rows", "rules/domineering.pl")
        .with(&[("\nrows(4).", "\nrows(5)."), ("\ncolumns(4).", "\ncolumns(5).")]);
    bench.space(&rules, spaces::domineering, DOMINEERING);
    let rules = Rules::of("pegs, English board, set", "tests/domains/peg_list.pl").with(&[
        ("between(1, 5, X), between(1, 5, Y),", "between(1, 7, X), between(1, 7, Y),"),
        (
            "Dx is abs(X - 3), Dy is abs(Y - 3), Dx + Dy =< 2.",
            "( X >= 3, X =< 5 -> true ; Y >= 3, Y =< 5 ).",
        ),
        ("P \\== 3-3", "P \\== 4-4"),
    ]);
    bench.space(&rules, spaces::pegs, PEGS);
    let rules = Rules::of("pegs, English board, rows", "rules/peg_solitaire.pl").at("english");
    bench.space(&rules, spaces::pegs, PEGS);
    let rules = Rules::of("lights 5 x 5, set", "tests/domains/lights_set.pl")
        .with(&[("size(3)", "size(5)"), ("[1/1, 1/3, 2/2, 3/1, 3/2]", "[]")]);
    bench.space(&rules, puzzles::lights, LIGHTS);
    let rules = Rules::of("lights 5 x 5, rows", "tests/domains/lights_rows.pl").with(&[
        ("[[1,0,1],", "[[0,0,0,0,0], [0,0,0,0,0],"),
        ("[0,1,0],", "[0,0,0,0,0], [0,0,0,0,0],"),
        ("[1,1,0]]", "[0,0,0,0,0]]"),
    ]);
    bench.space(&rules, puzzles::lights, LIGHTS);
    let rules = Rules::of("lights 5 x 5, flat", "tests/domains/lights_out.pl").with(&[
        ("[1,0,1, 0,1,0, 1,1,0]", "[0,0,0,0,0, 0,0,0,0,0, 0,0,0,0,0, 0,0,0,0,0, 0,0,0,0,0]"),
        ("between(0, 8, I)", "between(0, 24, I)"),
        ("J =:= I + 3 ; J =:= I - 3", "J =:= I + 5 ; J =:= I - 5"),
        ("I // 3 =:= J // 3", "I // 5 =:= J // 5"),
    ]);
    bench.space(&rules, puzzles::lights, LIGHTS);
}

/// Spaces in which things move.
fn moving(bench: &Bench) {
    let rules = Rules::of("blocks, 8 and a hand, STRIPS", "rules/blocks.pl").at("eight");
    bench.space(&rules, puzzles::blocks_by_hand::<8>, BY_HAND);
    let rules = Rules::of("blocks, 8, set", "tests/domains/blocks_on.pl").with(&[
        ("block(d).", "block(d). block(e). block(f). block(g). block(h)."),
        (
            "[on(a,b), on(b,table), on(c,d), on(d,table)]",
            "[on(a,table), on(b,table), on(c,table), on(d,table), on(e,table), on(f,table), \
             on(g,table), on(h,table)]",
        ),
    ]);
    bench.space(&rules, puzzles::blocks::<8>, BLOCKS);
    let rules = Rules::of("blocks, 8, stacks", "tests/domains/blocks_stacks.pl")
        .with(&[("[[c,b,a],[d,e]]", "[[a],[b],[c],[d],[e],[f],[g],[h]]")]);
    bench.space(&rules, puzzles::blocks::<8>, BLOCKS);
    let rules = Rules::of("rush hour, loose", "rules/rush_hour.pl").at("loose");
    let by_hand = |deepest| puzzles::rush_hour(&puzzles::LOOSE, deepest);
    bench.space(&rules, by_hand, RUSH_HOUR);
    let rules = Rules::of("klotski", "rules/klotski.pl");
    bench.space(&rules, puzzles::klotski, KLOTSKI);
    let rules = Rules::of("sokoban, 8 x 7", "rules/sokoban.pl").at("corner").with(&[(
        "      ['######',
       '#.  .#',
       '# $$ #',
       '#  $.#',
       '# @  #',
       '######']",
        "      ['########',
       '#.    .#',
       '#  $$  #',
       '#   $ .#',
       '# @    #',
       '#      #',
       '########']",
    )]);
    let by_hand = |deepest| puzzles::sokoban(puzzles::WAREHOUSE, deepest);
    bench.space(&rules, by_hand, SOKOBAN);
    let rules = Rules::of("king and rook against king", "rules/krk.pl").at("eight");
    bench.space(&rules, krk::by_moves, KRK);
}

/// Engines that do more than make moves.
fn engines(bench: &Bench) {
    let rules = Rules::of("reversi 8 x 8, perft", "rules/reversi.pl").at("eight");
    bench.perft(&rules, &Reversi::<8>::new(), &REVERSI, 7..=9);
    let rules = Rules::of("Connect Four, alphabeta", "rules/connect4.pl");
    bench.alpha_beta(&rules, &ConnectFour::new());
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
            perft_by_rules(rules, &file, depth, count);
        }
        let by_rules = |games: u64| {
            let games = games.to_string();
            let engine = ["--engine", "playouts", "--playouts", &games];
            self.zug("solve", &file, &[&engine, &*rules.arguments()].concat())
        };
        let mut games = games;
        while seconds(&by_rules(games)) < ENOUGH.as_secs_f64() {
            games *= 4;
        }
        let by_hand = || rate(|| playouts(&start, games));
        let by_rules = || Measured::of(&by_rules(games), |text| number(text, "nodes"));
        row(rules.name, "moves", by_hand, by_rules);
    }

    /// A row: a space; `counts` are its states by depth.
    fn space(&self, rules: &Rules, by_hand: impl Fn(usize) -> Vec<u64>, counts: &[u64]) {
        if !self.is_wanted(rules) {
            return;
        }
        let file = self.rules(rules);
        let by_rules = |deepest: usize| {
            let limit = deepest.to_string();
            let text =
                self.zug("enumerate", &file, &[&["--depth", &limit], &*rules.arguments()].concat());
            let by_depth: Vec<String> = counts[..=deepest].iter().map(u64::to_string).collect();
            let by_depth = format!("\"by_depth\":[{}]", by_depth.join(","));
            assert!(text.contains(&by_depth), "{} by rules: {text}", rules.name);
            text
        };
        let mut deepest = 4;
        while deepest + 1 < counts.len() && seconds(&by_rules(deepest)) < ENOUGH.as_secs_f64() {
            deepest += 1;
        }
        let counts = &counts[..=deepest];
        let states: u64 = counts.iter().sum();
        let by_hand = || {
            rate(|| {
                assert_eq!(by_hand(deepest), counts, "{} by hand", rules.name);
                states
            })
        };
        let by_rules = || Measured::of(&by_rules(deepest), |_| states as f64);
        row(rules.name, &format!("to {deepest}"), by_hand, by_rules);
    }

    /// Rows: lines of play counted, of the lengths asked for; a length that takes long is the last one.
    fn perft(
        &self,
        rules: &Rules,
        start: &impl Game,
        counts: &[u64],
        depths: std::ops::RangeInclusive<u32>,
    ) {
        if !self.is_wanted(rules) {
            return;
        }
        let file = self.rules(rules);
        for depth in depths {
            let count = counts[depth as usize - 1];
            let by_hand = || {
                rate(|| {
                    assert_eq!(perft(start, depth), count, "{} by hand", rules.name);
                    count
                })
            };
            let by_rules = || {
                let began = Instant::now();
                perft_by_rules(rules, &file, depth, count);
                let rate = count as f64 / began.elapsed().as_secs_f64();
                Measured { rate, making: None, by_code: None }
            };
            let began = Instant::now();
            row(rules.name, &format!("to {depth}"), by_hand, by_rules);
            if began.elapsed() > LONG {
                break;
            }
        }
    }

    /// A row: the nodes of alpha-beta to some depth; both find the same value.
    fn alpha_beta(&self, rules: &Rules, start: &impl alpha_beta::Estimated) {
        if !self.is_wanted(rules) {
            return;
        }
        let file = self.rules(rules);
        let by_rules = |depth: u32| {
            let depth = depth.to_string();
            let engine = ["--engine", "alphabeta", "--depth", &depth];
            self.zug("solve", &file, &[&engine, &*rules.arguments()].concat())
        };
        let mut depth = 5;
        while depth < DEEPEST && seconds(&by_rules(depth)) < ENOUGH.as_secs_f64() {
            depth += 1;
        }
        let (value, _) = alpha_beta::search(start, depth);
        let by_hand = || rate(|| alpha_beta::search(start, depth).1);
        let by_rules = || {
            let text = by_rules(depth);
            assert_eq!(number(&text, "value"), f64::from(value), "{}", rules.name);
            Measured::of(&text, |text| number(text, "nodes"))
        };
        row(rules.name, &format!("to {depth}"), by_hand, by_rules);
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

/// Has zug count lines of play, which must be so many.
fn perft_by_rules(rules: &Rules, file: &Path, depth: u32, count: u64) {
    let goal = format!("{}, perft(S, {depth}, {count})", rules.start());
    let mut zug = Command::new(env!("CARGO_BIN_EXE_zug"));
    let status = zug.arg("query").arg(file).arg(&goal).stdout(Stdio::null()).status();
    assert!(status.expect("zug runs").success(), "{goal}");
}

/// What is done in a second, of what `work` says it did each time.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let (mut done, began) = (0, Instant::now());
    while done == 0 || began.elapsed() < BY_HAND_ENOUGH {
        done += work();
    }
    done as f64 / began.elapsed().as_secs_f64()
}

/// What zug did in a second of its search.
struct Measured {
    rate: f64,
    /// Seconds of making code.
    making: Option<f64>,
    /// The percentage of questions that code answered.
    by_code: Option<f64>,
}

impl Measured {
    /// By a report, and what was done.
    fn of(text: &str, done: impl Fn(&str) -> f64) -> Measured {
        let rate = done(text) / seconds(text);
        if !text.contains("\"by_code\":") {
            return Measured { rate, making: None, by_code: None };
        }
        let [code, machine] = ["by_code", "by_machine"].map(|name| number(text, name));
        let by_code = Some(100.0 * code / (code + machine).max(1.0));
        Measured { rate, making: Some(number(text, "making_seconds")), by_code }
    }
}

/// Runs both in turn and prints the medians of what each does in a second.
fn row(name: &str, what: &str, by_hand: impl Fn() -> f64, by_rules: impl Fn() -> Measured) {
    let began = Instant::now();
    let (mut hand, mut rules) = (Vec::new(), Vec::new());
    while hand.len() < RUNS && (hand.is_empty() || began.elapsed() < LONG) {
        hand.push(by_hand());
        rules.push(by_rules());
    }
    let text = |of: fn(&Measured) -> Option<f64>, unit| {
        let all: Option<Vec<f64>> = rules.iter().map(of).collect();
        all.map_or_else(String::new, |all| format!("{:.1}{unit}", median(all)))
    };
    let making = text(|run| run.making.map(|seconds| 1000.0 * seconds), "");
    let by_code = text(|run| run.by_code, "%");
    let hand = median(hand);
    let rules = median(rules.iter().map(|run| run.rate).collect());
    let ratio = hand / rules;
    println!(
        "{name:<30} {what:>7} {hand:>12.0} {rules:>12.0} {ratio:>7.1} {making:>10} {by_code:>8}"
    );
}

/// How long a search took, as its report says.
fn seconds(text: &str) -> f64 {
    number(text, "elapsed_seconds")
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

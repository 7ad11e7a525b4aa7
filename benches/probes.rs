//! The engines' own cost: `cargo bench --bench probes`.
//!
//! Problems and games written by hand over packed states, which cost next to nothing to ask,
//! under the engines that rule files run under, beside programs written by hand throughout.
//! What is over is the engines' part.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "native/connect_four.rs"]
mod connect_four;
#[path = "probes/games.rs"]
mod games;
#[path = "probes/puzzles.rs"]
mod puzzles;
#[path = "native/tic_tac_toe.rs"]
mod tic_tac_toe;
#[path = "native/tiles.rs"]
mod tiles;

use connect_four::ConnectFour;
use games::{Columns, Squares};
use puzzles::Sliding;
use rustix::time::{ClockId, clock_gettime};
use zug_domain::Fixed;
use zug_search::game::{Game, GameEngine, GameOptions, GameStats, Graph, run as play};
use zug_search::{Engine, Limits, Options, Stats, Team, enumerate};

/// Runs of each program.
const RUNS: usize = 7;

/// The hardest eight-puzzle for the goal with the empty square last.
const HARDEST: tiles::Tiles = [8, 6, 7, 2, 5, 4, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0];
const EIGHT: tiles::Tiles = [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0];
/// Number 12, 9 and 2 of Korf's hundred.
const KORF: [(&str, tiles::Tiles); 3] = [
    ("15-puzzle IDA*, Korf #12", [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]),
    ("15-puzzle IDA*, Korf #9", [3, 14, 9, 11, 5, 4, 8, 2, 13, 12, 6, 7, 10, 1, 15, 0]),
    ("15-puzzle IDA*, Korf #2", [13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6]),
];

/// The states of tic-tac-toe and Connect Four.
type Small = Fixed<16>;
type Large = Fixed<32>;

fn main() {
    let only = std::env::args().nth(1).filter(|name| !name.starts_with('-'));
    let wanted = |name: &str| only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    println!(
        "{:<34} {:>10} {:>8} {:>10} {:>8} {:>6}",
        "", "by hand n", "ns", "engine n", "ns", "ratio"
    );
    if wanted("8-puzzle, whole space") {
        row("8-puzzle, whole space", || tiles::space(&HARDEST) as u64, space);
    }
    for (name, manhattan) in [("8-puzzle A*, manhattan", true), ("8-puzzle A*, misplaced", false)] {
        if wanted(name) {
            row(
                name,
                || tiles::astar(&HARDEST, &EIGHT, manhattan).1,
                || {
                    search(Engine::Astar, Sliding::<16>::new(3, &EIGHT, manhattan), &HARDEST)
                        .expanded
                },
            );
        }
    }
    for (name, board) in KORF {
        if wanted(name) {
            let by_hand = || {
                let mut search = tiles::Idastar::new(&board);
                search.solve();
                search.nodes
            };
            let goal = std::array::from_fn(|square| square as u8);
            row(name, by_hand, || {
                search(Engine::Idastar, Sliding::<24>::new(4, &goal, true), &board).generated
            });
        }
    }
    if wanted("tic-tac-toe, negamax") {
        let whole = GameOptions { depth: Some(9), ..GameOptions::default() };
        row(
            "tic-tac-toe, negamax",
            || tic_tac_toe::tic_tac_toe().1,
            || solve(GameEngine::Negamax, Squares::<Small>::new(), Squares::start, &whole).nodes,
        );
    }
    for (width, height) in [(4, 4), (5, 4), (5, 5)] {
        let name = format!("Connect Four {width} x {height}, alphabeta");
        if wanted(&name) {
            let by_hand = || {
                let mut native = ConnectFour::new(width, height);
                native.solve();
                native.nodes
            };
            let whole = GameOptions::default();
            row(&name, by_hand, || {
                solve(
                    GameEngine::Alphabeta,
                    Columns::<Large>::new(width, height),
                    Columns::start,
                    &whole,
                )
                .nodes
            });
        }
    }
}

/// Prints the nodes and the time for each of both programs.
fn row(name: &str, by_hand: impl FnMut() -> u64, engine: impl FnMut() -> u64) {
    let (hand_nodes, hand) = median(by_hand);
    let (nodes, own) = median(engine);
    println!("{name:<34} {hand_nodes:>10} {hand:>8.1} {nodes:>10} {own:>8.1} {:>6.1}", own / hand);
}

/// Nodes, and the median of the nanoseconds for one of them.
fn median(mut program: impl FnMut() -> u64) -> (u64, f64) {
    let mut nodes = 0;
    let mut times = Vec::new();
    let first = seconds();
    while times.len() < RUNS && (times.len() < 3 || seconds() - first < 5.0) {
        let began = seconds();
        nodes = program();
        times.push((seconds() - began) * 1e9 / nodes as f64);
    }
    times.sort_by(f64::total_cmp);
    (nodes, times[0])
}

/// Processor time of this thread: the machine may be shared.
fn seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn search<const N: usize>(engine: Engine, mut problem: Sliding<N>, start: &tiles::Tiles) -> Stats {
    let start = problem.state(start);
    let team = &mut Team::of(&mut problem);
    let found =
        zug_search::search(engine, team, &start, &Options::default(), &Limits::none(), None);
    let report = found.expect("nothing fails");
    assert!(report.cost.is_some(), "a solution");
    report.stats
}

fn space() -> u64 {
    let mut problem = Sliding::<16>::new(3, &EIGHT, true);
    let start = problem.state(&HARDEST);
    let space = enumerate(&mut Team::of(&mut problem), &start, &Limits::none(), None);
    space.expect("nothing fails").total()
}

fn solve<G: Game>(
    engine: GameEngine,
    mut game: G,
    start: impl Fn(&G) -> G::State,
    options: &GameOptions,
) -> GameStats {
    let (start, mut graph) = (start(&game), Graph::default());
    let report = play(engine, &mut game, &mut graph, &start, options, &Limits::none(), None)
        .expect("nothing fails");
    assert!(report.value.is_some(), "a value");
    report.stats
}

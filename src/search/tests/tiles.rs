//! The sliding-tile puzzle, written by hand, and the published numbers of its spaces.

use std::convert::Infallible;

use super::{
    Engine, Limits, Options, Outcome, Problem, Successor, check_path, is_cheapest, reachable, run,
    search,
};

/// Which estimate to use.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Estimate {
    Manhattan,
    Misplaced,
}

/// A puzzle of `side` by `side` squares; square i of a state is its i-th group of four bits,
/// and tile 0 is the blank.
pub(super) struct Tiles {
    side: usize,
    goal: u64,
    estimate: Estimate,
    /// Where each tile belongs.
    home: [usize; 16],
}

pub(super) fn pack(tiles: &[u64]) -> u64 {
    tiles.iter().enumerate().fold(0, |state, (square, tile)| state | tile << (4 * square))
}

impl Tiles {
    pub(super) fn new(side: usize, goal: &[u64], estimate: Estimate) -> Self {
        let mut home = [0; 16];
        for (square, &tile) in goal.iter().enumerate() {
            home[tile as usize] = square;
        }
        Self { side, goal: pack(goal), estimate, home }
    }

    /// The 8-puzzle with the blank last.
    pub(super) fn eight(estimate: Estimate) -> Self {
        Self::new(3, &[1, 2, 3, 4, 5, 6, 7, 8, 0], estimate)
    }

    fn away(&self, tile: usize, square: usize) -> i64 {
        let home = self.home[tile];
        let rows = (home / self.side).abs_diff(square / self.side);
        let columns = (home % self.side).abs_diff(square % self.side);
        match self.estimate {
            Estimate::Manhattan => (rows + columns) as i64,
            Estimate::Misplaced => i64::from(home != square),
        }
    }
}

impl Problem for Tiles {
    type State = u64;
    type Cost = i64;
    type Error = Infallible;

    fn is_goal(&mut self, state: &u64) -> Result<bool, Infallible> {
        Ok(*state == self.goal)
    }

    fn successors(
        &mut self,
        state: &u64,
        out: &mut Vec<Successor<i64, u64>>,
    ) -> Result<(), Infallible> {
        let squares = self.side * self.side;
        let blank = (0..squares).find(|square| state >> (4 * square) & 15 == 0).unwrap_or(0);
        let (row, column) = (blank / self.side, blank % self.side);
        let targets = [
            (row > 0).then(|| blank - self.side),
            (column > 0).then(|| blank - 1),
            (column + 1 < self.side).then(|| blank + 1),
            (row + 1 < self.side).then(|| blank + self.side),
        ];
        for (mv, target) in targets.into_iter().enumerate() {
            if let Some(target) = target {
                let tile = state >> (4 * target) & 15;
                let state = state ^ tile << (4 * target) ^ tile << (4 * blank);
                out.push(Successor { mv: mv as u32, cost: 1, state });
            }
        }
        Ok(())
    }

    fn heuristic(&mut self, state: &u64) -> Result<Option<i64>, Infallible> {
        let squares = 0..self.side * self.side;
        let tiles = squares.map(|square| ((state >> (4 * square) & 15) as usize, square));
        Ok(Some(tiles.filter(|&(t, _)| t != 0).map(|(t, square)| self.away(t, square)).sum()))
    }

    fn least_move_cost(&self) -> i64 {
        1
    }
}

/// The hardest instance for the goal with the blank last: 31 moves.
pub(super) const HARDEST: [u64; 9] = [8, 6, 7, 2, 5, 4, 3, 0, 1];

/// The number of states at each depth, from a goal with the blank in a corner.
const PROFILE: [u64; 32] = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878,
    16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
];

#[test]
fn the_space_of_the_eight_puzzle() {
    let mut puzzle = Tiles::eight(Estimate::Manhattan);
    let goal = puzzle.goal;
    let space = reachable(&mut puzzle, &goal, &Limits::none());
    assert_eq!(space.by_depth, PROFILE);
    assert_eq!(space.total(), 181_440);
    assert_eq!((space.stopped, space.terminal), (None, 0));
    assert_eq!(space.deepest.len(), 2);
    assert!(space.deepest.contains(&super::Plain(pack(&HARDEST))));
    assert_eq!(space.stats.expanded, 181_440);
    assert_eq!(space.stats.generated, 483_840);
    assert!(space.stats.peak_memory_bytes < 40_000_000);
}

#[test]
fn the_hardest_eight_puzzle() {
    let start = pack(&HARDEST);
    for estimate in [Estimate::Manhattan, Estimate::Misplaced] {
        for engine in [Engine::Astar, Engine::Ucs, Engine::Bfs, Engine::Idastar] {
            if engine == Engine::Idastar && estimate == Estimate::Misplaced {
                continue; // Millions of nodes.
            }
            let mut puzzle = Tiles::eight(estimate);
            let report = search(engine, &mut puzzle, &start, &Limits::none());
            check_path(&mut puzzle, &start, &report);
            assert!(is_cheapest(&report));
            assert_eq!((report.cost, report.factor), (Some(31), Some(1.0)));
            assert_eq!(report.stats.reopened, 0);
            assert!(report.stats.peak_memory_bytes < 40_000_000);
        }
        for engine in [Engine::Wastar, Engine::Greedy, Engine::Beam] {
            let mut puzzle = Tiles::eight(estimate);
            let report = search(engine, &mut puzzle, &start, &Limits::none());
            check_path(&mut puzzle, &start, &report);
            assert!(report.cost >= Some(31));
            assert!(engine != Engine::Wastar || report.cost <= Some(62));
        }
    }
}

#[test]
fn an_eight_puzzle_of_the_wrong_parity_is_exhausted() {
    let start = pack(&[2, 1, 3, 4, 5, 6, 7, 8, 0]);
    for engine in [Engine::Astar, Engine::Wastar, Engine::Greedy, Engine::Ucs, Engine::Bfs] {
        let mut puzzle = Tiles::eight(Estimate::Misplaced);
        let report = search(engine, &mut puzzle, &start, &Limits::none());
        assert_eq!(report.outcome, Outcome::Exhausted);
        assert_eq!(report.stats.expanded - report.stats.reopened, 181_440);
    }
}

/// Two instances of Korf's hundred, in his order of moves, and his counts of nodes: 546,343,
/// and 1,650,695, of which 13 lie behind cycles of twelve moves, which are not followed here.
#[test]
fn fifteen_puzzles_by_iterative_deepening() {
    let goal: Vec<u64> = (0..16).collect();
    let ninth = [3, 14, 9, 11, 5, 4, 8, 2, 13, 12, 6, 7, 10, 1, 15, 0];
    let twelfth = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15];
    for (tiles, cost, generated) in [(twelfth, 45, 546_343), (ninth, 46, 1_650_695 - 13)] {
        let start = pack(&tiles);
        let mut puzzle = Tiles::new(4, &goal, Estimate::Manhattan);
        let report = search(Engine::Idastar, &mut puzzle, &start, &Limits::none());
        check_path(&mut puzzle, &start, &report);
        assert_eq!((report.cost, report.stats.generated), (Some(cost), generated));
        assert!(is_cheapest(&report));
    }
}

/// Measures; run with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout)]
fn speed() {
    let start = pack(&HARDEST);
    for estimate in [Estimate::Manhattan, Estimate::Misplaced] {
        for &engine in &[Engine::Astar, Engine::Ucs, Engine::Bfs, Engine::Wastar, Engine::Greedy] {
            let mut puzzle = Tiles::eight(estimate);
            let Ok(r) =
                run(engine, &mut puzzle, &start, &Options::default(), &Limits::none(), None);
            println!(
                "{:8} {:>9?} expanded {:6} generated {:6} bytes {}",
                engine.info().name,
                r.stats.elapsed,
                r.stats.expanded,
                r.stats.generated,
                r.stats.peak_memory_bytes
            );
        }
    }
    let mut puzzle = Tiles::eight(Estimate::Manhattan);
    let space = reachable(&mut puzzle, &start, &Limits::none());
    println!("enumerate {:?} bytes {}", space.stats.elapsed, space.stats.peak_memory_bytes);
    let goal: Vec<u64> = (0..16).collect();
    let korf12 = pack(&[14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]);
    let mut puzzle = Tiles::new(4, &goal, Estimate::Manhattan);
    let r = search(Engine::Idastar, &mut puzzle, &korf12, &Limits::none());
    println!("idastar 15 {:?} generated {}", r.stats.elapsed, r.stats.generated);
}

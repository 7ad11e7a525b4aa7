//! Two jugs of 5 and 3 litres: how to measure 4? A problem of one's own, and three engines.

use std::convert::Infallible;
use zug_search::{Engine, Limits, Options, Problem, SearchError, Successor, run};

/// Litres that each jug holds when it is full.
const FULL: [u8; 2] = [5, 3];
/// Names of the moves, by number.
const MOVES: [&str; 6] = [
    "fill the large one",
    "fill the small one",
    "empty the large one",
    "empty the small one",
    "pour into the small one",
    "pour into the large one",
];

struct Jugs {
    wanted: u8,
}

impl Problem for Jugs {
    type State = [u8; 2];
    type Cost = i64;
    type Error = Infallible;

    fn is_goal(&mut self, state: &[u8; 2]) -> Result<bool, Infallible> {
        Ok(state.contains(&self.wanted))
    }

    fn successors(
        &mut self,
        &[a, b]: &[u8; 2],
        out: &mut Vec<Successor<i64, [u8; 2]>>,
    ) -> Result<(), Infallible> {
        let (right, left) = (a.min(FULL[1] - b), b.min(FULL[0] - a));
        let states = [
            [FULL[0], b],
            [a, FULL[1]],
            [0, b],
            [a, 0],
            [a - right, b + right],
            [a + left, b - left],
        ];
        out.extend((0..).zip(states).map(|(mv, state)| Successor { mv, cost: 1, state }));
        Ok(())
    }

    fn heuristic(&mut self, state: &[u8; 2]) -> Result<Option<i64>, Infallible> {
        Ok(Some(i64::from(!state.contains(&self.wanted))))
    }
}

#[expect(clippy::print_stdout, reason = "an example")]
fn main() -> Result<(), SearchError<Infallible>> {
    for engine in [Engine::Astar, Engine::Bfs, Engine::Idastar] {
        let (options, limits) = (Options::default(), Limits::none());
        let report = run(engine, &mut Jugs { wanted: 4 }, &[0, 0], &options, &limits, None)?;
        println!("{engine:?}: {:?} moves, {:?}", report.cost, report.claim);
        for (&mv, state) in report.path.iter().zip(&report.states[1..]) {
            println!("  {}: {state:?}", MOVES[mv as usize]);
        }
    }
    Ok(())
}

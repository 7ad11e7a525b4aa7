//! Two jugs of 5 and 3 litres: how to measure 4? A problem of one's own, and three engines.

use std::convert::Infallible;
use zug_search::{
    Engine, Fork, HashStore, Limits, Options, Problem, SearchError, Successor, SuccessorOf, run,
};

/// Litres that each jug holds when it is full.
const FULL: [u8; 2] = [5, 3];

struct Jugs {
    wanted: u8,
}

impl Fork for Jugs {}

impl Problem for Jugs {
    type State = [u8; 2];
    type Move = &'static str;
    type Cost = i64;
    type Hint = ();
    type Store = HashStore<[u8; 2]>;
    type Error = Infallible;

    fn new_store(&self) -> Self::Store {
        HashStore::default()
    }

    fn is_goal(&mut self, state: &[u8; 2]) -> Result<bool, Infallible> {
        Ok(state.contains(&self.wanted))
    }

    fn successors(
        &mut self,
        &[a, b]: &[u8; 2],
        out: &mut Vec<SuccessorOf<Self>>,
    ) -> Result<(), Infallible> {
        let (right, left) = (a.min(FULL[1] - b), b.min(FULL[0] - a));
        for (mv, state) in [
            ("fill the large one", [FULL[0], b]),
            ("fill the small one", [a, FULL[1]]),
            ("empty the large one", [0, b]),
            ("empty the small one", [a, 0]),
            ("pour into the small one", [a - right, b + right]),
            ("pour into the large one", [a + left, b - left]),
        ] {
            out.push(Successor { mv, cost: 1, state, hint: () });
        }
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
        for (mv, state) in report.path.iter().zip(&report.states[1..]) {
            println!("  {mv}: {state:?}");
        }
    }
    Ok(())
}

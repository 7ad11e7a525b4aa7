//! A failure of any operation ends the search at once.

use super::super::{Explicit, Operation, Plain, Team, enumerate};
use super::{Digraph, Engine, Limits, Options, Problem, Successor, run};

/// A chain of ten states whose goal is the last, and which fails at one of them.
struct Fragile {
    operation: Operation,
    at: u32,
    /// Operations called after the failure.
    after: u32,
    failed: bool,
}

impl Fragile {
    fn call(&mut self, operation: Operation, state: u32) -> Result<(), String> {
        self.after += u32::from(self.failed);
        if operation == self.operation && state == self.at {
            self.failed = true;
            return Err(format!("at {state}"));
        }
        Ok(())
    }
}

impl Problem for Fragile {
    type State = u32;
    type Cost = i64;
    type Error = String;

    fn is_goal(&mut self, state: &u32) -> Result<bool, String> {
        self.call(Operation::Goal, *state)?;
        Ok(*state == 9)
    }

    fn successors(
        &mut self,
        state: &u32,
        out: &mut Vec<Successor<i64, u32>>,
    ) -> Result<(), String> {
        // A successor that was produced before the failure does no harm.
        out.push(Successor { mv: 0, cost: 1, state: (state + 1).min(9) });
        self.call(Operation::Successors, *state)
    }

    fn heuristic(&mut self, state: &u32) -> Result<Option<i64>, String> {
        self.call(Operation::Heuristic, *state)?;
        Ok(Some(i64::from(9 - state)))
    }
}

#[test]
fn every_operation_of_every_engine() {
    for &engine in Engine::ALL {
        for operation in [Operation::Goal, Operation::Successors, Operation::Heuristic] {
            for at in [0, 1, 5] {
                let mut problem = Fragile { operation, at, after: 0, failed: false };
                let (options, limits) = (Options::default(), Limits::none());
                let result = run(engine, &mut problem, &0, &options, &limits, None);
                let info = engine.info();
                if operation == Operation::Heuristic && !info.informed {
                    assert!(result.is_ok(), "{} called the heuristic", info.name);
                    continue;
                }
                let Err(error) = result else { panic!("{}: no error", info.name) };
                assert_eq!((error.operation, error.error), (operation, format!("at {at}")));
                assert_eq!(problem.after, 0, "{} went on", info.name);
                assert!(error.stats.expanded >= u64::from(at).saturating_sub(1));
            }
        }
    }
}

#[test]
fn enumeration() {
    let mut problem = Fragile { operation: Operation::Successors, at: 4, after: 0, failed: false };
    let mut space = Explicit::new(&mut problem);
    let found = enumerate(&mut Team::of(&mut space), &Plain(0), &Limits::none(), None);
    let error: Option<String> = found.err().map(|error| error.error.error());
    assert_eq!(error, Some("at 4".to_string()));
}

#[test]
fn messages() {
    let mut problem = Fragile { operation: Operation::Goal, at: 2, after: 0, failed: false };
    let (options, limits) = (Options::default(), Limits::none());
    let result = run(Engine::Bfs, &mut problem, &0, &options, &limits, None);
    assert_eq!(result.err().map(|e| e.to_string()), Some("the goal test failed: at 2".to_string()));
    // A state outside a graph is one without moves.
    let mut graph = Digraph::new(&[], &[]);
    assert!(run(Engine::Bfs, &mut graph, &7, &options, &limits, None).is_ok());
}

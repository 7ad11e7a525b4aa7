//! A failure of any operation ends the search at once.

use super::super::{Fork, HashStore, Operation, enumerate};
use super::{Digraph, Engine, Limits, Options, Problem, Successor, SuccessorOf, run};

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

impl Fork for Fragile {}

impl Problem for Fragile {
    type State = u32;
    type Move = ();
    type Cost = i64;
    type Hint = ();
    type Store = HashStore<u32>;
    type Error = String;

    fn new_store(&self) -> Self::Store {
        HashStore::default()
    }

    fn is_goal(&mut self, state: &u32) -> Result<bool, String> {
        self.call(Operation::Goal, *state)?;
        Ok(*state == 9)
    }

    fn successors(&mut self, state: &u32, out: &mut Vec<SuccessorOf<Self>>) -> Result<(), String> {
        // A successor that was produced before the failure does no harm.
        out.push(Successor { mv: (), cost: 1, state: (state + 1).min(9), hint: () });
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
    let error = enumerate(&mut problem, &0, &Limits::none(), None).err();
    assert_eq!(error.map(|e| (e.error, e.stats.expanded)), Some(("at 4".to_string(), 4)));
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

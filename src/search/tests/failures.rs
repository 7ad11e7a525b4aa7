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
    let error = found.err().map(|failed| (failed.stats.expanded, failed.error.error::<String>()));
    assert_eq!(error, Some((4, "at 4".to_string())));
}

/// A binary tree: operations on states after its goal fail.
struct Tree {
    goal: u32,
    /// The goal test of this state, and of those from here on the successors, fail.
    fails: (u32, u32),
}

impl Problem for Tree {
    type State = u32;
    type Cost = i64;
    type Error = u32;

    fn is_goal(&mut self, state: &u32) -> Result<bool, u32> {
        if *state == self.fails.0 { Err(*state) } else { Ok(*state == self.goal) }
    }

    fn successors(&mut self, state: &u32, out: &mut Vec<Successor<i64, u32>>) -> Result<(), u32> {
        if *state >= self.fails.1 {
            return Err(*state);
        }
        out.extend([0, 1].map(|mv| Successor { mv, cost: 1, state: 2 * state + mv }));
        Ok(())
    }

    fn least_move_cost(&self) -> i64 {
        1
    }
}

#[test]
fn in_a_wide_layer() {
    let (options, limits) = (Options::default(), Limits::none());
    // State 37 comes before 38, and fails.
    let mut tree = Tree { goal: 38, fails: (37, 1000) };
    let failed = run(Engine::Bfs, &mut tree, &1, &options, &limits, None).err();
    assert_eq!(failed.map(|failed| (failed.operation, failed.error)), Some((Operation::Goal, 37)));
    // The goal is found when state 16 is expanded, and no operation is called for 17.
    let mut tree = Tree { goal: 33, fails: (0, 17) };
    let found = run(Engine::Bfs, &mut tree, &1, &options, &limits, None).expect("it is found");
    assert_eq!((found.cost, found.stats.expanded), (Some(5), 16));
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

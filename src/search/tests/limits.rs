//! Each limit stops every engine, for the right reason and soon.

use std::cell::RefCell;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::super::{Progress, Reachable, StopReason};
use super::{
    Claim, Digraph, Engine, Limits, Options, Outcome, Plain, Problem, Successor, check_path,
    reachable, run, search,
};

/// The integers from zero up: move 0 adds one, move 1 adds two. There is no goal.
#[derive(Default)]
struct Endless {
    /// How long an expansion takes.
    delay: Duration,
    /// Set at the hundredth expansion.
    cancel: Option<Arc<AtomicBool>>,
    expansions: u32,
}

impl Problem for Endless {
    type State = u64;
    type Cost = i64;
    type Error = Infallible;

    fn is_goal(&mut self, _: &u64) -> Result<bool, Infallible> {
        Ok(false)
    }

    fn successors(
        &mut self,
        state: &u64,
        out: &mut Vec<Successor<i64, u64>>,
    ) -> Result<(), Infallible> {
        if !self.delay.is_zero() {
            sleep(self.delay);
        }
        self.expansions += 1;
        if self.expansions == 100
            && let Some(cancel) = &self.cancel
        {
            cancel.store(true, Ordering::Relaxed);
        }
        for (mv, step) in [1, 2].into_iter().enumerate() {
            out.push(Successor { mv: mv as u32, cost: 1, state: state + step });
        }
        Ok(())
    }

    fn heuristic(&mut self, _: &u64) -> Result<Option<i64>, Infallible> {
        Ok(Some(1))
    }
}

fn stopped(engine: Engine, problem: &mut Endless, limits: &Limits) -> StopReason {
    match search(engine, problem, &0, limits).outcome {
        Outcome::Stopped(reason) => reason,
        outcome => panic!("{}: {outcome:?}", engine.info().name),
    }
}

fn space(problem: &mut Endless, limits: &Limits) -> Reachable<Plain<u64>> {
    reachable(problem, &0, limits)
}

#[test]
fn nodes() {
    for nodes in [0, 1, 500] {
        let limits = Limits { nodes: Some(nodes), ..Limits::none() };
        for &engine in Engine::ALL {
            let mut problem = Endless::default();
            let report = search(engine, &mut problem, &0, &limits);
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Nodes));
            assert_eq!(report.stats.expanded, nodes, "{}", engine.info().name);
            assert_eq!(problem.expansions as u64, nodes);
        }
        let space = space(&mut Endless::default(), &limits);
        assert_eq!((space.stopped, space.stats.expanded), (Some(StopReason::Nodes), nodes));
    }
}

#[test]
fn depth() {
    for depth in [0, 1, 7] {
        let limits = Limits { depth: Some(depth), ..Limits::none() };
        for &engine in Engine::ALL {
            let report = search(engine, &mut Endless::default(), &0, &limits);
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Depth));
            assert_eq!(report.stats.max_depth, depth, "{}", engine.info().name);
        }
        let space = space(&mut Endless::default(), &limits);
        assert_eq!(space.stopped, Some(StopReason::Depth));
        assert_eq!(space.by_depth.len() as u32, depth + 1);
    }
}

/// A goal at the depth bound itself is within it.
#[test]
fn a_goal_at_the_depth_bound() {
    for &engine in Engine::ALL {
        for (depth, solved) in [(2, false), (3, true)] {
            let mut graph = Digraph::new(&[(0, 1, 1), (1, 2, 1), (2, 3, 1)], &[3]);
            let limits = Limits { depth: Some(depth), ..Limits::none() };
            let report = search(engine, &mut graph, &0, &limits);
            check_path(&mut graph, &0, &report);
            assert_eq!(report.cost, solved.then_some(3), "{}", engine.info().name);
            assert!(solved || report.outcome == Outcome::Stopped(StopReason::Depth));
        }
    }
}

/// A cheaper path that the depth bound cuts off takes the proof away.
#[test]
fn optimal_is_not_claimed_when_the_depth_bound_cut() {
    let edges = [(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 3, 9)];
    let limits = Limits { depth: Some(2), ..Limits::none() };
    for &engine in Engine::ALL {
        let mut graph = Digraph::new(&edges, &[3]);
        let report = search(engine, &mut graph, &0, &limits);
        check_path(&mut graph, &0, &report);
        let name = engine.info().name;
        let found = (report.outcome, report.claim, report.cost);
        assert_eq!(found, (Outcome::Solved, Claim::Nothing, Some(9)), "{name}");
        assert!(report.lower_bound.is_none_or(|bound| bound <= 3));
    }
}

#[test]
fn time() {
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::none() };
    for &engine in Engine::ALL {
        for delay in [Duration::ZERO, Duration::from_millis(3)] {
            let began = Instant::now();
            let mut problem = Endless { delay, ..Endless::default() };
            assert_eq!(stopped(engine, &mut problem, &limits), StopReason::Time);
            assert!(began.elapsed() < Duration::from_secs(2), "{}", engine.info().name);
        }
    }
    assert_eq!(space(&mut Endless::default(), &limits).stopped, Some(StopReason::Time));
    let none = Limits { time: Some(Duration::ZERO), ..Limits::none() };
    assert_eq!(stopped(Engine::Astar, &mut Endless::default(), &none), StopReason::Time);
}

#[test]
fn memory() {
    let limits = Limits { memory: Some(1 << 20), ..Limits::none() };
    // The others keep one path, which here grows too slowly or not at all.
    let keep = [Engine::Astar, Engine::Wastar, Engine::Greedy, Engine::Ucs, Engine::Bfs];
    for engine in keep.into_iter().chain([Engine::Dfs, Engine::Beam]) {
        let report = search(engine, &mut Endless::default(), &0, &limits);
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
        let bytes = report.stats.peak_memory_bytes;
        assert!((1 << 20..4 << 20).contains(&bytes), "{}: {bytes}", engine.info().name);
    }
    assert_eq!(space(&mut Endless::default(), &limits).stopped, Some(StopReason::Memory));
}

#[test]
fn cancellation() {
    for &engine in Engine::ALL {
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::none() };
        let mut problem = Endless { cancel: Some(cancel), ..Endless::default() };
        assert_eq!(stopped(engine, &mut problem, &limits), StopReason::Cancelled);
        assert_eq!(problem.expansions, 100, "{}", engine.info().name);
    }
}

#[test]
fn the_observer_is_called_at_a_bounded_rate() {
    let limits = Limits { time: Some(Duration::from_millis(350)), ..Limits::none() };
    for engine in [Engine::Astar, Engine::Idastar, Engine::Dfs] {
        let seen: RefCell<Vec<Progress>> = RefCell::default();
        let mut note = |progress: &Progress| seen.borrow_mut().push(*progress);
        let mut problem = Endless { delay: Duration::from_millis(1), ..Endless::default() };
        let options = Options::default();
        let Ok(report) = run(engine, &mut problem, &0, &options, &limits, Some(&mut note));
        let seen = seen.into_inner();
        assert!((1..=3).contains(&seen.len()), "{} calls", seen.len());
        assert!(seen.windows(2).all(|two| two[0].expanded < two[1].expanded));
        assert!(seen.iter().all(|progress| progress.expanded <= report.stats.expanded));
        assert_eq!(seen[0].lower_bound.is_some(), engine != Engine::Dfs);
    }
}

/// Depth costs no stack.
#[test]
fn a_path_of_a_million_moves() {
    let limits = Limits { depth: Some(1_000_000), ..Limits::none() };
    let limits = Limits { nodes: Some(1_000_000), ..limits };
    let report = search(Engine::Dfs, &mut Endless::default(), &0, &limits);
    assert_eq!(report.stats.max_depth, 1_000_000);
}

//! Laws of every engine on random graphs, against relaxation.

use std::convert::Infallible;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::{Batch, Failure, Float, Guarantee, Space, Stats, Successors};
use super::{
    Digraph, Engine, Limits, Outcome, Problem, Report, Successor, Team, check_path, distances,
    is_cheapest, oracle, search, search_space,
};

pub(super) const NODES: u32 = 8;

/// As many cases as `PROPTEST_CASES` says, and no files of failures.
pub(super) fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

pub(super) type Edges = Vec<(u32, u32, i64)>;

pub(super) fn edges() -> impl Strategy<Value = Edges> {
    vec((0..NODES, 0..NODES, 0..6i64), 0..20)
}

pub(super) fn goals() -> impl Strategy<Value = Vec<u32>> {
    vec(1..NODES, 1..3)
}

/// For each node, the part of the true distance that the heuristic knows, in quarters.
pub(super) fn parts() -> impl Strategy<Value = Vec<i64>> {
    vec(0..=4i64, NODES as usize)
}

/// Admissible and mostly inconsistent estimates. Where there is no way to a goal anything may
/// be said, also that there is none.
pub(super) fn admissible(edges: &Edges, goals: &[u32], parts: &[i64]) -> Vec<Option<i64>> {
    let distance = distances(edges, goals, NODES);
    let known = |(distance, part): (Option<i64>, &i64)| match distance {
        Some(distance) => Some(distance * part / 4),
        None => (*part < 3).then_some(part * 7),
    };
    distance.into_iter().zip(parts).map(known).collect()
}

fn check(engine: Engine, edges: &Edges, goals: &[u32], h: &[Option<i64>], limits: &Limits) {
    let info = engine.info();
    let mut graph = Digraph::new(edges, goals).with_heuristic(h);
    let report = search(engine, &mut graph, &0, limits);
    check_path(&mut graph, &0, &report);
    let truth = oracle(edges, goals, 0, NODES);
    let limited = limits.depth.is_some() || limits.nodes.is_some();
    match (report.outcome, truth) {
        (Outcome::Solved, Some((cost, moves))) => {
            let optimal = is_cheapest(&report);
            let found = report.cost.unwrap_or(-1);
            assert!(found >= cost);
            assert!(!optimal || found == cost, "{}: {found} instead of {cost}", info.name);
            assert!(report.lower_bound.is_none_or(|bound| bound <= cost), "{}", info.name);
            assert!(report.factor.is_none_or(|f| f * cost as f64 >= found as f64 - 1e-9));
            assert_eq!(report.overestimate, None);
            assert!(limits.depth.is_none_or(|depth| report.path.len() <= depth as usize));
            match info.guarantee {
                Guarantee::Cheapest => assert!(optimal || limited, "{}", info.name),
                Guarantee::Factor => assert!(found <= 2 * cost || limited),
                Guarantee::FewestMoves => assert_eq!(report.path.len(), moves),
                Guarantee::None => {}
            }
        }
        (Outcome::Solved, None) => panic!("{}: no such path", info.name),
        (Outcome::Exhausted, truth) => assert_eq!(truth, None, "{}: not exhausted", info.name),
        (Outcome::Stopped(reason), truth) => {
            assert!(limited, "{}: {reason}", info.name);
            if let (Some(bound), Some((cost, _))) = (report.lower_bound, truth) {
                assert!(bound <= cost, "{}: bound {bound}", info.name);
            }
        }
    }
}

/// A graph whose costs and estimates are tenths, so that sums are inexact.
struct Tenths(Digraph);

impl Problem for Tenths {
    type State = u32;
    type Cost = Float;
    type Error = Infallible;

    fn is_goal(&mut self, state: &u32) -> Result<bool, Infallible> {
        Problem::is_goal(&mut self.0, state)
    }

    fn successors(
        &mut self,
        state: &u32,
        out: &mut Vec<Successor<Float, u32>>,
    ) -> Result<(), Infallible> {
        let mut whole = Vec::new();
        self.0.successors(state, &mut whole)?;
        out.extend(whole.into_iter().map(|Successor { mv, cost, state }| Successor {
            mv,
            cost: Float(cost as f64 / 10.0),
            state,
        }));
        Ok(())
    }

    fn heuristic(&mut self, state: &u32) -> Result<Option<Float>, Infallible> {
        Ok(self.0.heuristic(state)?.map(|h| Float(h as f64 / 10.0)))
    }
}

/// A graph that knows estimates beforehand, but not behind every third edge.
struct Knowing(Digraph);

impl Space<u32, i64> for Knowing {
    fn is_goal(&mut self, row: &u32) -> Result<bool, Failure> {
        Space::is_goal(&mut self.0, row)
    }

    fn expand(
        &mut self,
        batch: Batch<'_, u32, i64>,
        out: &mut Successors<u32, i64>,
    ) -> Result<(), Failure> {
        let from = out.len();
        self.0.expand(batch, out)?;
        for (row, h) in batch.rows.iter().zip(batch.estimates) {
            assert_eq!(self.0.heuristic(row), Ok(Some(*h)));
        }
        if batch.estimates.is_empty() {
            return Ok(());
        }
        for (head, row) in out.heads[from..].iter_mut().zip(&out.rows[from..]) {
            let Ok(h) = self.0.heuristic(row);
            head.estimate = h.filter(|_| !head.mv.is_multiple_of(3));
        }
        Ok(())
    }

    fn estimate(&mut self, row: &u32, after: Option<(&u32, i64)>) -> Result<Option<i64>, Failure> {
        self.0.estimate(row, after)
    }
}

/// What is the same however estimates are found.
fn gist(report: Report<u32, i64>) -> impl PartialEq + std::fmt::Debug {
    let stats = Stats { elapsed: Duration::ZERO, peak_memory_bytes: 0, ..report.stats };
    (report.outcome, report.cost, report.path, report.states, report.lower_bound, stats)
}

proptest! {
    #![proptest_config(config())]

    /// Estimates known beforehand change nothing, not even the counts.
    #[test]
    fn known_estimates(
        edges in edges(), goals in goals(), parts in parts(),
        depth in proptest::option::of(0..6u32), nodes in proptest::option::of(0..12u64),
    ) {
        let h = admissible(&edges, &goals, &parts);
        let limits = Limits { depth, nodes, ..Limits::none() };
        let graph = || Digraph::new(&edges, &goals).with_heuristic(&h);
        for engine in [Engine::Idastar, Engine::Astar, Engine::Wastar, Engine::Greedy] {
            let plain = search(engine, &mut graph(), &0, &limits);
            let mut knowing = Knowing(graph());
            let knowing = search_space(engine, Team::of(&mut knowing), &0, &limits);
            prop_assert_eq!(gist(plain), gist(knowing));
        }
    }

    #[test]
    fn claims_are_true(edges in edges(), goals in goals(), parts in parts()) {
        let h = admissible(&edges, &goals, &parts);
        for &engine in Engine::ALL {
            check(engine, &edges, &goals, &h, &Limits::none());
        }
    }

    #[test]
    fn claims_are_true_within_limits(
        edges in edges(), goals in goals(), parts in parts(),
        depth in proptest::option::of(0..6u32), nodes in proptest::option::of(0..12u64),
    ) {
        let h = admissible(&edges, &goals, &parts);
        let limits = Limits { depth, nodes, ..Limits::none() };
        for &engine in Engine::ALL {
            check(engine, &edges, &goals, &h, &limits);
        }
    }

    /// Estimates that are too high spoil the optimum, but not the path, its cost, or a proof
    /// that there is none.
    #[test]
    fn wild_estimates(edges in edges(), goals in goals(), h in vec(0..30i64, NODES as usize)) {
        let h: Vec<_> = h.into_iter().map(Some).collect();
        let truth = oracle(&edges, &goals, 0, NODES);
        for &engine in Engine::ALL {
            let mut graph = Digraph::new(&edges, &goals).with_heuristic(&h);
            let report = search(engine, &mut graph, &0, &Limits::none());
            check_path(&mut graph, &0, &report);
            match truth {
                Some((cost, _)) => prop_assert!(report.cost >= Some(cost)),
                None => prop_assert_eq!(report.outcome, Outcome::Exhausted),
            }
        }
    }

    #[test]
    fn inexact_costs(edges in edges(), goals in goals(), parts in parts()) {
        let h = admissible(&edges, &goals, &parts);
        let truth = oracle(&edges, &goals, 0, NODES);
        for engine in [Engine::Astar, Engine::Ucs, Engine::Idastar] {
            let mut graph = Tenths(Digraph::new(&edges, &goals).with_heuristic(&h));
            let report = search(engine, &mut graph, &0, &Limits::none());
            check_path(&mut graph, &0, &report);
            match (truth, report.cost) {
                (Some((cost, _)), Some(found)) => {
                    prop_assert!(is_cheapest(&report));
                    prop_assert!((found.0 - cost as f64 / 10.0).abs() < 1e-9);
                }
                (truth, found) => prop_assert!(truth.is_none() && found.is_none()),
            }
        }
    }

    #[test]
    fn results_are_deterministic(edges in edges(), goals in goals(), parts in parts()) {
        let h = admissible(&edges, &goals, &parts);
        for &engine in Engine::ALL {
            let run = || {
                let mut graph = Digraph::new(&edges, &goals).with_heuristic(&h);
                let mut report = search(engine, &mut graph, &0, &Limits::none());
                report.stats.elapsed = std::time::Duration::ZERO;
                (report.outcome, report.cost, report.path, report.states, report.stats)
            };
            prop_assert_eq!(run(), run());
        }
    }
}

/// Costs of many different values: iterative deepening skips ahead and still finds a cheapest
/// path.
#[test]
fn skipping_ahead() {
    let side = 7u32;
    let mut edges = Vec::new();
    for from in 0..side * side {
        let (row, column) = (from / side, from % side);
        for to in [(row, column + 1), (row + 1, column), (row, column.wrapping_sub(1))] {
            if to.0 < side && to.1 < side {
                let to = to.0 * side + to.1;
                edges.push((from, to, 1000 + i64::from((from * 31 + to) * 7919 % 997)));
            }
        }
    }
    let goals = [side * side - 1];
    let mut graph = Tenths(Digraph::new(&edges, &goals));
    let cheapest = search(Engine::Ucs, &mut graph, &0, &Limits::none());
    let report = search(Engine::Idastar, &mut graph, &0, &Limits::none());
    check_path(&mut graph, &0, &report);
    assert!(is_cheapest(&report));
    let costs = report.cost.zip(cheapest.cost);
    assert!(costs.is_some_and(|(found, least)| (found.0 - least.0).abs() < 1e-9));
    assert!(report.stats.iterations < 600, "{} iterations", report.stats.iterations);
}

//! All engines on small graphs with known answers.

use std::collections::HashSet;

use super::super::{Guarantee, StopReason, Weight, engines};
use super::{
    Claim, Digraph, Engine, Limits, Options, Outcome, check_path, is_cheapest, oracle, run, search,
};

/// A graph and what is known of it.
struct Case {
    name: &'static str,
    edges: Vec<(u32, u32, i64)>,
    goals: Vec<u32>,
    /// Admissible estimates.
    estimates: Vec<Option<i64>>,
}

fn case(name: &'static str, edges: &[(u32, u32, i64)], goals: &[u32], h: &[i64]) -> Case {
    let estimates = h.iter().map(|&h| Some(h)).collect();
    Case { name, edges: edges.to_vec(), goals: goals.to_vec(), estimates }
}

/// A square grid of `side`, entered at the corner, left at the other; the cost of a move
/// depends on the square entered.
fn grid(side: u32) -> Case {
    let mut edges = Vec::new();
    for from in 0..side * side {
        let (row, column) = (from / side, from % side);
        let mut edge = |row: u32, column: u32| {
            let to = row * side + column;
            edges.push((from, to, 1 + i64::from(to * 7919 % 5)));
        };
        if column + 1 < side {
            edge(row, column + 1);
        }
        if row + 1 < side {
            edge(row + 1, column);
        }
        if column > 0 {
            edge(row, column - 1);
        }
    }
    let left = |n| i64::from(2 * (side - 1) - n / side - n % side);
    let estimates = (0..side * side).map(|n| Some(left(n))).collect();
    Case { name: "grid", edges, goals: vec![side * side - 1], estimates }
}

fn cases() -> Vec<Case> {
    // Martelli's graph: A* opens states again and again.
    let martelli = [
        (0, 4, 8),
        (0, 3, 7),
        (0, 2, 5),
        (0, 1, 1),
        (1, 2, 1),
        (1, 3, 2),
        (1, 4, 1),
        (2, 3, 1),
        (3, 4, 1),
        (4, 5, 20),
    ];
    vec![
        case("goal at the start", &[(0, 1, 1)], &[0], &[0]),
        case("goal at the start and beyond", &[(0, 1, 0), (1, 0, 0)], &[0, 1], &[0, 0]),
        case("no moves", &[], &[1], &[0, 0]),
        case("a loop", &[(0, 0, 0)], &[1], &[0, 0]),
        case("unreachable", &[(0, 1, 1), (1, 0, 1), (2, 3, 1)], &[3], &[0; 4]),
        case("a cycle for nothing", &[(0, 1, 0), (1, 0, 0), (1, 2, 0), (2, 3, 1)], &[3], &[0; 4]),
        case("parallel moves", &[(0, 1, 5), (0, 1, 2), (0, 1, 3)], &[1], &[2, 0]),
        case(
            "dearer but shorter",
            &[(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 3, 4)],
            &[3],
            &[3, 2, 1, 0],
        ),
        case(
            "the last move is free",
            &[(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 0)],
            &[3],
            &[1, 1, 0, 0],
        ),
        case("two goals", &[(0, 1, 3), (0, 2, 1), (2, 3, 1)], &[1, 3], &[2, 0, 1, 0]),
        case("inconsistent", &martelli, &[5], &[0, 20, 16, 8, 4, 0]),
        case("reopened", &[(0, 1, 1), (0, 2, 3), (1, 2, 1), (2, 3, 5)], &[3], &[0, 6, 0, 0]),
        grid(4),
    ]
}

#[test]
fn every_engine_on_every_case() {
    for Case { name, edges, goals, estimates } in cases() {
        let nodes = estimates.len().max(2) as u32;
        let truth = oracle(&edges, &goals, 0, nodes);
        for &engine in Engine::ALL {
            let info = engine.info();
            let label = format!("{} on {name}", info.name);
            let mut graph = Digraph::new(&edges, &goals).with_heuristic(&estimates);
            let report = search(engine, &mut graph, &0, &Limits::none());
            check_path(&mut graph, &0, &report);
            let Some((cost, moves)) = truth else {
                assert_eq!(report.outcome, Outcome::Exhausted, "{label}");
                continue;
            };
            assert_eq!(report.outcome, Outcome::Solved, "{label}");
            let optimal = is_cheapest(&report);
            let found = report.cost.unwrap_or(-1);
            assert!(found >= cost && (!optimal || found == cost), "{label}: {found}");
            match info.guarantee {
                Guarantee::Cheapest => assert!(optimal, "{label}"),
                Guarantee::Factor => assert!(found <= 2 * cost, "{label}"),
                Guarantee::FewestMoves => assert_eq!(report.path.len(), moves, "{label}"),
                Guarantee::None => {}
            }
            assert!(report.lower_bound.is_none_or(|bound| bound <= cost), "{label}");
            assert_eq!(report.overestimate, None, "{label}");
        }
    }
}

#[test]
fn a_closed_state_is_opened_again() {
    let edges = [(0, 1, 1), (0, 2, 3), (1, 2, 1), (2, 3, 5)];
    let mut graph =
        Digraph::new(&edges, &[3]).with_heuristic(&[Some(0), Some(6), Some(0), Some(0)]);
    let report = search(Engine::Astar, &mut graph, &0, &Limits::none());
    assert_eq!((report.cost, report.stats.reopened), (Some(7), 1));
    assert!(is_cheapest(&report));
    // Each state is evaluated once, however often it is opened.
    assert_eq!(report.stats.evaluated, 4);
}

#[test]
fn an_overestimate_on_the_solution_is_reported() {
    let edges = [(0, 1, 1), (1, 3, 1), (0, 2, 1), (2, 3, 3)];
    for engine in [Engine::Astar, Engine::Idastar, Engine::Wastar] {
        let h = [Some(9), Some(9), Some(0), Some(0)];
        let mut graph = Digraph::new(&edges, &[3]).with_heuristic(&h);
        let report = search(engine, &mut graph, &0, &Limits::none());
        assert_eq!((report.outcome, report.claim), (Outcome::Solved, Claim::Nothing));
        assert_eq!((report.factor, report.lower_bound), (None, None));
        let Some(over) = report.overestimate else { panic!("{}", engine.info().name) };
        assert_eq!((over.step, over.estimate, Some(over.actual)), (0, 9, report.cost));
    }
}

/// States behind one that was opened again keep the dearer cost until it is expanded: the
/// cost reported is that of the path all the same.
#[test]
fn the_cost_is_that_of_the_path() {
    let edges = [(0, 1, 10), (1, 3, 1), (0, 2, 1), (2, 1, 1)];
    let h = [Some(0), Some(0), Some(9), Some(0)];
    for (engine, cost) in [(Engine::Astar, 3), (Engine::Wastar, 11)] {
        let mut graph = Digraph::new(&edges, &[3]).with_heuristic(&h);
        let report = search(engine, &mut graph, &0, &Limits::none());
        check_path(&mut graph, &0, &report);
        assert_eq!(report.cost, Some(cost));
    }
}

#[test]
fn dead_ends_are_not_followed() {
    let edges = [(0, 1, 1), (0, 2, 2), (1, 1, 1), (2, 3, 1)];
    for engine in Engine::ALL.iter().copied().filter(|engine| engine.info().informed) {
        let h = [Some(0), None, Some(1), Some(0)];
        let mut graph = Digraph::new(&edges, &[3]).with_heuristic(&h);
        let report = search(engine, &mut graph, &0, &Limits::none());
        assert_eq!(report.states, [0, 2, 3], "{}", engine.info().name);
        assert!(report.stats.dead_ends >= 1);
        let mut graph = Digraph::new(&edges, &[3]).with_heuristic(&[None]);
        let report = search(engine, &mut graph, &0, &Limits::none());
        assert_eq!(report.outcome, Outcome::Exhausted);
    }
}

#[test]
fn a_narrow_beam_proves_nothing_but_what_it_has_seen() {
    let narrow = Options { width: std::num::NonZeroUsize::MIN, ..Options::default() };
    let chain = [(0, 1, 1), (1, 2, 1), (2, 0, 1)];
    let fork = [(0, 1, 1), (0, 2, 1)];
    let cases = [(&chain[..], Outcome::Exhausted), (&fork, Outcome::Stopped(StopReason::Width))];
    for (edges, outcome) in cases {
        let mut graph = Digraph::new(edges, &[9]);
        let Ok(report) = run(Engine::Beam, &mut graph, &0, &narrow, &Limits::none(), None);
        assert_eq!(report.outcome, outcome);
    }
}

#[test]
fn weight_one_is_optimal() {
    let Case { edges, goals, estimates, .. } = grid(6);
    let mut last = 0;
    for weight in [1.0, 1.5, 3.0, 50.0] {
        let mut graph = Digraph::new(&edges, &goals).with_heuristic(&estimates);
        let weight = Weight::new(weight).unwrap_or_default();
        let options = Options { weight, ..Options::default() };
        let Ok(report) = run(Engine::Wastar, &mut graph, &0, &options, &Limits::none(), None);
        check_path(&mut graph, &0, &report);
        assert!(weight.get() > 1.0 || is_cheapest(&report));
        assert!(report.factor.is_some_and(|factor| (1.0..=weight.get()).contains(&factor)));
        assert!(report.cost >= Some(last));
        last = if weight.get() == 1.0 { report.cost.unwrap_or(0) } else { last };
    }
    for wrong in [0.99, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Weight::new(wrong), None);
    }
}

#[test]
fn the_registry() {
    let names: HashSet<_> = engines().map(|info| info.name).collect();
    assert_eq!(names.len(), Engine::ALL.len());
    for &engine in Engine::ALL {
        assert_eq!(Engine::by_name(engine.info().name), Some(engine));
    }
    assert_eq!(Engine::by_name("a*"), None);
}

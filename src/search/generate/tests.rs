//! New starts against brute force on random graphs, and on the sliding tiles.

use super::*;
use crate::plans::cheapest_plans_by_estimate;
use crate::{Digraph, cheapest_plans};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

const NODES: u32 = 8;

type Edges = Vec<(u32, u32, i64)>;
type Found = NewStarts<u32, i64>;

fn edges() -> impl Strategy<Value = Edges> {
    vec((0..NODES, 0..NODES, 0..4i64), 0..24)
}

fn goals() -> impl Strategy<Value = Vec<u32>> {
    vec(0..NODES, 1..3)
}

/// All there are: as many as there are nodes.
fn all() -> GenerateOptions {
    GenerateOptions { count: NODES as usize, ..GenerateOptions::default() }
}

fn make(graph: &mut Digraph, cost: Option<i64>, how: &GenerateOptions, limits: &Limits) -> Found {
    let asked = GenerateRequest { starts: &[0], taken: &[0], cost, how };
    generate(graph, asked, limits, None, &|_| None).expect("nothing fails")
}

/// The nodes that can be reached from the first one.
fn reached(edges: &Edges) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([0]);
    for _ in 0..NODES {
        for &(from, to, _) in edges {
            if found.contains(&from) {
                found.insert(to);
            }
        }
    }
    found
}

/// Every node that may be a new start, with the cost and the number of its cheapest plans, each
/// found by a search of its own.
fn expected(edges: &Edges, goals: &[u32]) -> Vec<(u32, i64, u64)> {
    let mut found = Vec::new();
    for node in reached(edges) {
        if node == 0 || goals.contains(&node) {
            continue;
        }
        let mut graph = Digraph::new(edges, goals);
        let plans = cheapest_plans(&mut graph, &node, true, &Limits::none(), None);
        let plans = plans.expect("nothing fails");
        if let (Some(cost), Some(count)) = (plans.cost, plans.count) {
            found.push((node, cost, u64::try_from(count.plans).expect("a few")));
        }
    }
    found
}

/// What was found, by the nodes' numbers.
fn sorted(found: &Found) -> Vec<(u32, i64, u64)> {
    let start = |start: &NewStart<u32, i64>| {
        let plans = start.plans.as_ref().expect("they were counted");
        (start.state, start.cost, u64::try_from(&plans.plans).expect("a few"))
    };
    let mut found: Vec<_> = found.starts.iter().map(start).collect();
    found.sort_unstable();
    found
}

/// Asserts that the plans of new starts are plans of that cost.
fn check_plans(edges: &Edges, goals: &[u32], found: &Found) {
    for start in &found.starts {
        assert_eq!(start.states.len(), start.path.len() + 1);
        assert_eq!(start.states[0], start.state);
        assert!(goals.contains(start.states.last().expect("there is one")));
        let steps = start.states.windows(2).zip(&start.path);
        let costs = steps.map(|(step, &mv)| {
            let (from, to, cost) = edges[mv as usize];
            assert_eq!([from, to], step);
            cost
        });
        assert_eq!(costs.sum::<i64>(), start.cost);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Of a space that is looked at as a whole, all states, their costs and the numbers of their
    /// plans are known.
    #[test]
    fn whole_spaces(edges in edges(), goals in goals()) {
        let expected = expected(&edges, &goals);
        let found = make(&mut Digraph::new(&edges, &goals), None, &all(), &Limits::none());
        check_plans(&edges, &goals, &found);
        prop_assert!(found.whole && found.stopped.is_none());
        prop_assert_eq!(found.states as usize, reached(&edges).len());
        prop_assert_eq!(sorted(&found), expected.clone());
        let costs: Vec<i64> = found.starts.iter().map(|start| start.cost).collect();
        prop_assert!(costs.is_sorted_by(|a, b| a >= b));
        let unique = GenerateOptions { unique: true, ..all() };
        let found = make(&mut Digraph::new(&edges, &goals), None, &unique, &Limits::none());
        let alone = |&(_, _, plans): &(u32, i64, u64)| plans == 1;
        prop_assert_eq!(sorted(&found), expected.iter().copied().filter(alone).collect::<Vec<_>>());
        for cost in 0..6 {
            let found = make(&mut Digraph::new(&edges, &goals), Some(cost), &all(), &Limits::none());
            let right = |&(_, known, _): &(u32, i64, u64)| known == cost;
            let right: Vec<_> = expected.iter().copied().filter(right).collect();
            prop_assert_eq!(sorted(&found), right);
        }
    }

    /// What is found in samples holds, and with samples enough nothing that can be walked to is
    /// missed in a space where every move can be undone.
    #[test]
    fn sampled_spaces(edges in edges(), goals in goals(), seed in 0..1000u64, unique: bool) {
        let both: Edges = edges.iter().flat_map(|&(a, b, cost)| [(a, b, cost), (b, a, cost)]).collect();
        for (edges, undone) in [(&edges, false), (&both, true)] {
            let expected = expected(edges, &goals);
            let how = GenerateOptions { states: 0, seed, unique, samples: 1000, ..all() };
            let found = make(&mut Digraph::new(edges, &goals), None, &how, &Limits::none());
            check_plans(edges, &goals, &found);
            prop_assert!(!found.whole);
            let fits = |&(_, _, plans): &(u32, i64, u64)| plans == 1 || !unique;
            let fitting: Vec<_> = expected.into_iter().filter(fits).collect();
            let sorted = sorted(&found);
            prop_assert!(sorted.iter().all(|start| fitting.contains(start)));
            if undone {
                prop_assert_eq!(sorted, fitting);
            }
        }
    }

    /// A search that asks the heuristic finds all cheapest plans as well, however little or
    /// unevenly an admissible one knows.
    #[test]
    fn counting_by_estimates(
        edges in edges(), goals in goals(), parts in vec(0..=4i64, NODES as usize),
    ) {
        let distance = |node: u32| {
            let mut graph = Digraph::new(&edges, &goals);
            cheapest_plans(&mut graph, &node, false, &Limits::none(), None).expect("no error").cost
        };
        let h: Vec<Option<i64>> = (0..NODES)
            .zip(&parts)
            .map(|(node, part)| distance(node).map(|cost| cost * part / 4))
            .collect();
        let mut graph = Digraph::new(&edges, &goals).with_heuristic(&h);
        for node in 0..NODES {
            let blind = cheapest_plans(&mut graph, &node, true, &Limits::none(), None);
            let blind = blind.expect("nothing fails");
            let found = cheapest_plans_by_estimate(&mut graph, &node, &Limits::none(), None);
            let found = found.expect("nothing fails");
            prop_assert_eq!(found.outcome, blind.outcome);
            prop_assert_eq!((found.cost, found.count), (blind.cost, blind.count));
        }
    }
}

/// A line of nodes that all can be walked back, with a goal at its beginning.
fn line(length: u32) -> Digraph {
    let edges: Vec<_> = (1..length).flat_map(|at| [(at - 1, at, 1), (at, at - 1, 1)]).collect();
    Digraph::new(&edges, &[0])
}

fn states(found: &Found) -> Vec<u32> {
    found.starts.iter().map(|start| start.state).collect()
}

#[test]
fn what_costs_the_same_is_drawn_by_the_seed() {
    let edges: Vec<_> = (1..100).flat_map(|at| [(0, at, 1), (at, 0, 1)]).collect();
    let draw = |seed| {
        let how = GenerateOptions { seed, ..GenerateOptions::default() };
        states(&make(&mut Digraph::new(&edges, &[0]), None, &how, &Limits::none()))
    };
    assert_eq!(draw(1), draw(1));
    let drawn: BTreeSet<Vec<u32>> = (0..10).map(draw).collect();
    assert_eq!(drawn.len(), 10);
    for states in drawn {
        assert_eq!(states.iter().collect::<BTreeSet<_>>().len(), 5);
    }
}

#[test]
fn circles_of_moves_that_cost_nothing() {
    // 1 and 2 lead to each other for nothing, and both to the goal; 3 leads to 1 alone. From 4 on
    // there is a circle with one way out.
    let edges = [(0, 3, 1), (0, 4, 1), (3, 1, 0), (1, 2, 0), (2, 1, 0), (1, 9, 1), (2, 9, 1)];
    let circle = [(4, 5, 0), (5, 4, 0), (5, 9, 1)];
    let edges: Edges = edges.into_iter().chain(circle).collect();
    let how = GenerateOptions { unique: true, ..GenerateOptions::default() };
    let found = make(&mut Digraph::new(&edges, &[9]), None, &how, &Limits::none());
    assert_eq!(sorted(&found), [(4, 1, 1), (5, 1, 1)]);
    let found = make(&mut Digraph::new(&edges, &[9]), None, &all(), &Limits::none());
    assert_eq!(sorted(&found), [(1, 1, 2), (2, 1, 2), (3, 1, 2), (4, 1, 1), (5, 1, 1)]);
}

#[test]
fn climbs_go_farther_than_walks() {
    let how = GenerateOptions { states: 100, steps: 3, count: 1, ..GenerateOptions::default() };
    let found = make(&mut line(500), None, &how, &Limits::none());
    assert!(found.from_goals);
    assert!(found.greatest >= Some(190), "{:?}", found.greatest);
    assert_eq!(found.starts[0].cost, i64::from(states(&found)[0]));
    // Near a cost that is wanted it stops.
    let found = make(&mut line(500), Some(60), &how, &Limits::none());
    assert_eq!(states(&found), [60]);
    assert!(found.states < 100, "{}", found.states);
}

#[test]
fn what_no_search_solves_is_none() {
    let how = GenerateOptions { states: 100, search_nodes: 20, ..GenerateOptions::default() };
    let found = make(&mut line(500), None, &how, &Limits::none());
    assert!(found.unsolved > 0);
    assert!(found.greatest <= Some(20) && !found.starts.is_empty(), "{:?}", found.greatest);
}

#[test]
fn limits_keep_what_was_found() {
    let how = GenerateOptions { states: 100, ..GenerateOptions::default() };
    let limits = Limits { nodes: Some(2000), ..Limits::none() };
    let found = make(&mut line(500), None, &how, &limits);
    assert_eq!(found.stopped, Some(StopReason::Nodes));
    assert!(!found.starts.is_empty() && found.stats.expanded <= 2000);
    // What is left after the attempt to look at all states is too little for anything.
    let limits = Limits { nodes: Some(1), ..Limits::none() };
    let found = make(&mut line(500), None, &how, &limits);
    assert_eq!((found.stopped, found.starts.len()), (Some(StopReason::Nodes), 0));
    // A space that fits is not half of it.
    let limits = Limits { nodes: Some(2000), ..Limits::none() };
    let how = GenerateOptions::default();
    let found = make(&mut line(500), None, &how, &limits);
    assert_eq!((found.stopped, found.whole, found.greatest), (None, true, Some(499)));
}

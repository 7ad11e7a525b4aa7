//! All plans against brute force on random graphs, with moves that cost nothing, parallel moves of
//! one label and of several, and several goals.

use super::*;
use crate::{Batch, Digraph, Failure, StopReason};
use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

const NODES: u32 = 7;

/// A graph whose edges have labels that are not always their own.
struct Labelled {
    graph: Digraph,
    labels: Vec<u32>,
}

impl Space<u32, i64> for Labelled {
    fn is_goal(&mut self, row: &u32) -> Result<bool, Failure> {
        Space::is_goal(&mut self.graph, row)
    }

    fn expand(
        &mut self,
        batch: Batch<'_, u32, i64>,
        out: &mut Successors<u32, i64>,
    ) -> Result<(), Failure> {
        let from = out.len();
        self.graph.expand(batch, out)?;
        for head in &mut out.heads[from..] {
            head.mv = self.labels[head.mv as usize];
        }
        Ok(())
    }

    fn estimate(&mut self, _: &u32, _: Option<(&u32, i64)>) -> Result<Option<i64>, Failure> {
        Ok(Some(0))
    }
}

/// An edge: from, to, cost, label.
type Edge = (u32, u32, i64, u32);

fn problem(edges: &[Edge], goals: &[u32]) -> Labelled {
    let plain: Vec<_> = edges.iter().map(|&(from, to, cost, _)| (from, to, cost)).collect();
    let labels = edges.iter().map(|edge| edge.3).collect();
    Labelled { graph: Digraph::new(&plain, goals), labels }
}

/// A plan: labels and the states they lead to.
type Plan = Vec<(u32, u32)>;

/// All plans that meet no state twice and end at their first goal, with what they cost.
fn all_plans(edges: &[Edge], goals: &[u32]) -> Vec<(i64, Plan)> {
    fn go(
        edges: &[Edge],
        goals: &[u32],
        seen: &mut Vec<u32>,
        (cost, plan): (i64, &mut Plan),
        found: &mut Vec<(i64, Plan)>,
    ) {
        let at = *seen.last().expect("it begins with the start");
        if goals.contains(&at) {
            found.push((cost, plan.clone()));
            return;
        }
        for &(from, to, price, label) in edges {
            if from == at && !seen.contains(&to) {
                seen.push(to);
                plan.push((label, to));
                go(edges, goals, seen, (cost + price, plan), found);
                plan.pop();
                seen.pop();
            }
        }
    }
    let mut found = Vec::new();
    go(edges, goals, &mut vec![0], (0, &mut Vec::new()), &mut found);
    found
}

fn check(edges: &[Edge], goals: &[u32]) {
    let found = cheapest_plans(&mut problem(edges, goals), &0, true, &Limits::none(), None)
        .expect("nothing fails");
    let all = all_plans(edges, goals);
    let least = all.iter().map(|(cost, _)| *cost).min();
    assert_eq!(found.cost, least);
    let Some(least) = least else {
        assert_eq!(found.outcome, Outcome::Exhausted);
        return;
    };
    assert_eq!(found.outcome, Outcome::Solved);
    let wanted: BTreeSet<Plan> =
        all.into_iter().filter(|(cost, _)| *cost == least).map(|(_, plan)| plan).collect();
    let lines: BTreeSet<Vec<u32>> =
        wanted.iter().map(|plan| plan.iter().map(|step| step.1).collect()).collect();
    let count = found.count.expect("it was asked for");
    assert_eq!(count.stopped, None);
    assert_eq!(count.plans, BigUint::from(wanted.len()));
    assert_eq!(count.lines, BigUint::from(lines.len()));
    let graph = found.graph.expect("there are plans");
    let (mut walk, mut walked) = (PlanWalk::default(), Vec::new());
    while let Some(plan) = walk.next(&graph) {
        let moves = plan.iter().map(|&number| graph.numbered(number));
        assert_eq!(moves.clone().map(|mv| mv.cost).sum::<i64>(), least);
        walked.push(moves.map(|mv| (mv.mv, *graph.state(mv.to))).collect::<Plan>());
    }
    let once: BTreeSet<Plan> = walked.iter().cloned().collect();
    assert_eq!(once.len(), walked.len(), "a plan came twice");
    assert_eq!(once, wanted);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn as_brute_force_says(
        edges in vec((0..NODES, 0..NODES, 0..3i64, 0..3u32), 0..18),
        goals in vec(0..NODES, 1..3),
    ) {
        check(&edges, &goals);
    }

    #[test]
    fn as_brute_force_says_where_most_is_free(
        edges in vec((0..NODES, 0..NODES, (0..8i64).prop_map(|c| c / 6), 0..2u32), 6..22),
        goals in vec(1..NODES, 1..3),
    ) {
        check(&edges, &goals);
    }
}

#[test]
fn corners() {
    // The start is a goal; there is no way; a goal behind a goal is not reached.
    check(&[(0, 1, 0, 0)], &[0]);
    check(&[(1, 0, 0, 0)], &[1]);
    check(&[(0, 1, 1, 0), (1, 2, 0, 0)], &[1, 2]);
    // The same answer twice, the same move to two states, two moves to one.
    check(&[(0, 1, 1, 0), (0, 1, 1, 0), (0, 2, 1, 0), (0, 1, 1, 1), (0, 1, 2, 1)], &[1, 2]);
    // Round and round for nothing.
    check(&[(0, 1, 0, 0), (1, 2, 0, 0), (2, 0, 0, 0), (2, 1, 0, 1), (1, 3, 1, 0)], &[3]);
}

/// Diamonds in a row: two to the power of their number.
fn diamonds(count: u32) -> Labelled {
    let mut edges = Vec::new();
    for at in (0..3 * count).step_by(3) {
        edges.extend([(at, at + 1), (at, at + 2), (at + 1, at + 3), (at + 2, at + 3)]);
    }
    let edges: Vec<Edge> = edges.into_iter().map(|(from, to)| (from, to, 1, 0)).collect();
    problem(&edges, &[3 * count])
}

#[test]
fn more_plans_than_anybody_walks_through() {
    let found =
        cheapest_plans(&mut diamonds(300), &0, true, &Limits::none(), None).expect("nothing fails");
    let count = found.count.expect("it was asked for");
    assert_eq!((count.plans, count.stopped), (BigUint::from(1u32) << 300, None));
}

/// All states joined to each other for nothing, in which there are far too many paths.
#[test]
fn counting_paths_round_a_cycle_stops_at_a_limit() {
    let mut edges = Vec::new();
    for from in 0..20 {
        edges.extend((0..20).map(|to| (from, to, 0, 0)));
    }
    edges.push((19, 20, 1, 0));
    let limits = Limits { nodes: Some(1000), ..Limits::none() };
    let found = cheapest_plans(&mut problem(&edges, &[20]), &0, true, &limits, None)
        .expect("nothing fails");
    assert_eq!(found.outcome, Outcome::Stopped(StopReason::Nodes));
    assert_eq!(found.cost, Some(1));
    let count = found.count.expect("it was asked for");
    assert_eq!(count.stopped, Some(StopReason::Nodes));
    let plans = &count.plans;
    assert!(*plans > BigUint::from(1u32) && *plans <= BigUint::from(1001u32), "{plans}");
    // Walking through them one by one goes on at a steady pace.
    let graph = found.graph.expect("all of it was found");
    let mut walk = PlanWalk::default();
    let walked: BTreeSet<_> = (0..2000).map_while(|_| walk.next(&graph)).collect();
    assert_eq!(walked.len(), 2000);
}

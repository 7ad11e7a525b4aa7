//! Claims of engines, and what a check makes of them, against relaxation: with heuristics that
//! are admissible, and with such as say anything.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::super::{ClaimOutcome, ClaimToCheck, check_claim};
use super::random::{Edges, NODES, config, edges, goals};
use super::{Claim, Digraph, Engine, Limits, Outcome, distances, oracle, search};

/// Estimates that say anything, also that no goal can be reached.
fn wild() -> impl Strategy<Value = Vec<Option<i64>>> {
    vec(option::weighted(0.9, 0..30i64), NODES as usize)
}

/// Whether the heuristic is admissible in all states.
fn is_admissible(edges: &Edges, goals: &[u32], h: &[Option<i64>]) -> bool {
    let truth = distances(edges, goals, NODES);
    truth.iter().zip(h).all(|(truth, h)| match (truth, h) {
        (Some(truth), Some(h)) => h <= truth,
        (truth, None) => truth.is_none(),
        (None, Some(_)) => true,
    })
}

proptest! {
    #![proptest_config(config())]

    /// A proof is one whatever the heuristic says, and a claim on a condition holds if it does.
    #[test]
    fn claims_hold_on_their_conditions(edges in edges(), goals in goals(), h in wild()) {
        let truth = oracle(&edges, &goals, 0, NODES).map(|(cost, _)| cost);
        let admissible = is_admissible(&edges, &goals, &h);
        for &engine in Engine::ALL {
            let mut graph = Digraph::new(&edges, &goals).with_heuristic(&h);
            let report = search(engine, &mut graph, &0, &Limits::none());
            let binding = match report.claim {
                Claim::Proved => true,
                Claim::IfAdmissible => admissible,
                Claim::Nothing => false,
            };
            match report.outcome {
                Outcome::Solved => {
                    prop_assert!(truth.is_some() && report.cost >= truth);
                    prop_assert!(!binding || report.cost == truth, "{:?}", engine);
                }
                Outcome::Exhausted => prop_assert!(!binding || truth.is_none(), "{:?}", engine),
                Outcome::Stopped(_) => prop_assert_eq!(report.claim, Claim::Nothing),
            }
        }
    }

    /// A check says what is so, or that a limit came first; what it catches is a lie.
    #[test]
    fn checks_are_right(
        edges in edges(), goals in goals(), h in wild(), claimed in option::of(0..40i64),
        nodes in option::of(0..9u64),
    ) {
        let truth = oracle(&edges, &goals, 0, NODES).map(|(cost, _)| cost);
        let distance = distances(&edges, &goals, NODES);
        // Nobody claims a plan where there is none, or one that costs less than the least.
        let claimed = match (claimed, truth) {
            (Some(more), Some(truth)) => Some(truth + more % 7),
            _ => None,
        };
        let mut graph = Digraph::new(&edges, &goals).with_heuristic(&h);
        let limits = Limits { nodes, ..Limits::none() };
        let goal = goals.first().filter(|_| claimed.is_some());
        let claim = ClaimToCheck { cost: claimed, goal };
        let checked = check_claim(&mut graph, &0, claim, true, &limits).expect("nothing fails");
        match checked.truth {
            ClaimOutcome::AsClaimed => prop_assert_eq!(claimed, truth),
            ClaimOutcome::Cheaper(cost) => {
                prop_assert_eq!(Some(cost), truth);
                prop_assert!(claimed.is_none_or(|claimed| cost < claimed));
            }
            ClaimOutcome::Open => prop_assert!(nodes.is_some()),
        }
        prop_assert!(nodes.is_none_or(|nodes| checked.states <= nodes));
        if let Some(lie) = checked.inadmissible {
            let least = distance[lie.state as usize];
            prop_assert!(least.is_some_and(|least| least <= lie.cost), "{:?}", lie);
            prop_assert!(lie.estimate.is_none_or(|estimate| estimate > lie.cost), "{:?}", lie);
            prop_assert_eq!(lie.estimate, h[lie.state as usize]);
        }
    }

    /// An engine that is misled is caught, with a state of which too much is said.
    #[test]
    fn who_is_misled_is_caught(edges in edges(), goals in goals(), h in wild()) {
        for engine in [Engine::Astar, Engine::Idastar] {
            let mut graph = Digraph::new(&edges, &goals).with_heuristic(&h);
            let report = search(engine, &mut graph, &0, &Limits::none());
            let truth = oracle(&edges, &goals, 0, NODES).map(|(cost, _)| cost);
            let claim = ClaimToCheck { cost: report.cost, goal: report.states.last() };
            let checked = check_claim(&mut graph, &0, claim, true, &Limits::none()).expect("nothing fails");
            let right = report.cost == truth;
            prop_assert_eq!(checked.truth == ClaimOutcome::AsClaimed, right);
            prop_assert!(right || checked.inadmissible.is_some());
        }
    }
}

/// The least there is: nothing is looked at, and nothing is said.
#[test]
fn without_a_budget_nothing_is_known() {
    let mut graph = Digraph::new(&[(0, 1, 1)], &[1]);
    let limits = Limits { nodes: Some(0), ..Limits::none() };
    let claim = ClaimToCheck { cost: Some(1), goal: Some(&1) };
    let checked = check_claim(&mut graph, &0, claim, true, &limits).expect("nothing fails");
    assert_eq!((checked.truth, checked.states), (ClaimOutcome::Open, 0));
}

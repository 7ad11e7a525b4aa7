//! What is said of searches in random graphs, as rules, against relaxation.

use super::run::{Task, find};
use super::{Contract, Effort, verify};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::fmt::Write;
use zug_report::{Number, Verdict};
use zug_search::{Engine, Limits, Options, Outcome, StopReason};

const NODES: usize = 6;

/// A cost of rules with integers.
fn int(number: &Number) -> i64 {
    match number {
        Number::Int(value) => *value,
        other => panic!("{other:?}"),
    }
}

type Edges = Vec<(usize, usize, i64)>;

/// The costs from every node to the last one (Bellman, Ford).
fn distances(edges: &Edges) -> Vec<Option<i64>> {
    let mut left = vec![None; NODES];
    left[NODES - 1] = Some(0);
    for _ in 0..NODES {
        for &(from, to, cost) in edges {
            if let Some(rest) = left[to] {
                left[from] = Some(left[from].map_or(rest + cost, |l: i64| l.min(rest + cost)));
            }
        }
    }
    left
}

fn rules(edges: &Edges, h: &[Option<i64>]) -> String {
    let mut text = format!("initial_state(0).\nfinal_state({}).\n", NODES - 1);
    for (number, (from, to, cost)) in edges.iter().enumerate() {
        let _ = writeln!(text, "rule(m{number}, {cost}, {from}, {to}).");
    }
    // A graph without moves has a predicate for them all the same.
    text += "rule(none, 0, none, none).\n";
    for (node, h) in h.iter().enumerate() {
        let h = h.map_or("inf".to_owned(), |h| h.to_string());
        let _ = writeln!(text, "heuristic({node}, {h}).");
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 24,
        ..ProptestConfig::default()
    })]

    /// "Proved" never stands beside a plan that is not a cheapest one, "refuted" only where there
    /// is a cheaper one, and a condition only where the claim holds if it does.
    #[test]
    fn claims_are_true(
        edges in vec((0..NODES, 0..NODES, 0..9i64), 1..16),
        h in vec(option::weighted(0.9, 0..14i64), NODES),
        states in prop_oneof![Just(0u64), 0..5u64, Just(1000u64)],
    ) {
        let truth = distances(&edges);
        let admissible = truth.iter().zip(&h).all(|pair| match pair {
            (Some(left), Some(h)) => h <= left,
            (left, None) => left.is_none(),
            _ => true,
        });
        let (mut session, _) = crate::language::captured("");
        session.load_text("graph.pl", &rules(&edges, &h));
        let contract = Contract::of(&session.machine);
        let (m, w) = (&mut session.machine, &mut session.world);
        let start = super::instances(m, w, &contract, 1).expect("a start").remove(0).state;
        for &engine in Engine::ALL {
            let heuristic = contract.heuristics().first().copied();
            let heuristic = heuristic.filter(|_| engine.info().informed);
            let (options, limits) = (Options::default(), Limits::none());
            let task = Task { engine, heuristic, options, by_itself: false, limits: limits.clone() };
            let mut found = find(m, w, &contract, &task, &start, None).expect("no errors");
            let before = found.stats;
            verify(m, w, &contract, (&limits, Effort::states(states)), &mut found);
            prop_assert_eq!(found.stats, before);
            let cost = found.cost.as_ref().map(int);
            let holds = cost == truth[0];
            match &found.ending.verdict {
                Verdict::Proved(_) => prop_assert!(holds, "{:?}", found),
                Verdict::If(_) => prop_assert!(holds || !admissible, "{:?}", found),
                Verdict::Refuted => {
                    prop_assert!(!holds, "{:?}", found);
                    prop_assert_eq!(&found.ending.cheapest, &truth[0].map(Number::Int));
                    let hidden = Outcome::Stopped(StopReason::Heuristic);
                    prop_assert!(cost.is_some() || found.outcome() == hidden);
                }
                Verdict::Open => {}
            }
            let claims = matches!(engine, Engine::Astar | Engine::Idastar);
            if claims && states == 1000 {
                // A budget for all there is leaves nothing open.
                let known = matches!(found.ending.verdict, Verdict::Proved(_) | Verdict::Refuted);
                prop_assert!(known, "{:?}", found);
                prop_assert!(holds || found.ending.overestimate.is_some());
            }
            if let Some(seen) = &found.ending.overestimate {
                let cost = int(&seen.cost);
                let node = seen.state.root.as_int().and_then(|node| usize::try_from(node).ok());
                let node = node.expect("a node");
                prop_assert!(truth[node].is_some_and(|left| left <= cost));
                let estimate = h[node].map_or(Number::INFINITE, Number::Int);
                prop_assert_eq!(&seen.estimate, &estimate);
                prop_assert!(h[node].is_none_or(|h| h > cost));
            }
        }
    }
}

/// A verdict of A\* by these rules, with so many states to look at.
fn verdict(rules: &str, effort: Effort, limits: Limits) -> (Outcome, Verdict) {
    let (mut session, _) = crate::language::captured("");
    session.load_text("rules.pl", rules);
    let contract = Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let start = super::instances(m, w, &contract, 1).expect("a start").remove(0).state;
    let heuristic = contract.heuristics().first().copied();
    let engine = Engine::Astar;
    let task = Task {
        engine,
        heuristic,
        options: Options::default(),
        by_itself: false,
        limits: limits.clone(),
    };
    let mut found = find(m, w, &contract, &task, &start, None).expect("no errors");
    verify(m, w, &contract, (&limits, effort), &mut found);
    (found.outcome(), found.ending.verdict)
}

/// What is met only in a look without the heuristic, an error, a loop, more memory than there is,
/// leaves the result as it was.
#[test]
fn trouble_on_the_way_changes_nothing() {
    let given = Verdict::If("the heuristic never overestimates".to_owned());
    for trouble in ["X = 1, atom_length(X, 1), Y is foo", "repeat, fail", "length(_, Y), fail"] {
        let rules = format!(
            "initial_state(0). final_state(9).
             rule(go, 1, X, Y) :- integer(X), X >= 0, X < 9, Y is X + 1.
             rule(off, 1, 0, -1).
             rule(bad, 1, -1, Y) :- {trouble}.
             heuristic(X, H) :- ( X < 0 -> H = 50 ; H is 9 - X )."
        );
        let (outcome, verdict) = verdict(&rules, Effort::default(), Limits::none());
        assert_eq!((outcome, verdict), (Outcome::Solved, given.clone()), "{trouble}");
    }
    // A limit of nodes that was enough for the search is one for the look too.
    let rules = "initial_state(0). final_state(9).
        rule(go, 1, X, Y) :- X < 9, Y is X + 1.
        rule(off, 1, X, Y) :- X < 5, Y is X - 1.
        heuristic(X, H) :- H is abs(9 - X).";
    let limits = Limits { nodes: Some(9), ..Limits::none() };
    assert_eq!(verdict(rules, Effort::default(), limits), (Outcome::Solved, given));
    let (_, proved) = verdict(rules, Effort::default(), Limits::none());
    assert!(matches!(proved, Verdict::Proved(_)), "{proved:?}");
}

/// Rules that go by more than the state are never called proved.
#[test]
fn impure_rules_prove_nothing() {
    for goal in [
        "random(3) < 5",
        "(retract(seen(A)) -> true ; A = 0), B is A + 1, assertz(seen(B))",
        "get_time(_)",
    ] {
        let rules = format!(
            ":- dynamic(seen/1).
             initial_state(0). final_state(2).
             rule(go, 1, X, Y) :- {goal}, X < 2, Y is X + 1.
             heuristic(X, H) :- H is 2 - X."
        );
        let rules = rules.replace("random(3) < 5", "N is random(3), N < 5");
        let (_, verdict) = verdict(&rules, Effort::default(), Limits::none());
        let Verdict::If(condition) = &verdict else { panic!("{goal}: {verdict:?}") };
        assert!(condition.contains("`rule/4` always gives the same answers"), "{condition}");
        assert!(condition.contains("rules.pl:3"), "{condition}");
    }
    // Goals that no clause shows.
    for goal in ["G = random(_), G", "G =.. [get_time, _], call(G)", "E = random(3), N is E, N < 5"]
    {
        let rules = format!(
            "initial_state(0). final_state(2).\nrule(go, 1, X, Y) :- {goal}, X < 2, Y is X + 1.\n\
             heuristic(X, H) :- H is 2 - X."
        );
        let (_, verdict) = verdict(&rules, Effort::default(), Limits::none());
        let Verdict::If(condition) = &verdict else { panic!("{goal}: {verdict:?}") };
        assert!(condition.contains("a goal known only when it is called"), "{condition}");
    }
}

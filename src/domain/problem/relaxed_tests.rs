//! Searches by heuristics of the delete relaxation: what they claim, and where they find plans.

use super::no_plan_tests::{board, solved, solved_in_turn};
use super::represented::represented;
use crate::{Contract, Heuristic, instances};
use zug_derived::RelaxedKind;
use zug_report::{Claim, Outcome, Verdict};
use zug_search::Engine;

/// Costs are those of a search without a heuristic where that is claimed, and nothing is claimed where estimates may say
/// too much.
#[test]
fn only_admissible_ones_prove_what_plans_cost() {
    let rules = board(3, 2, "[1,2,3,4,5,b]");
    for start in ["[b,1,2,3,4,5]", "[5,4,3,2,1,b]", "[4,2,b,1,5,3]", "[1,2,3,4,b,5]"] {
        let searched = solved(&rules, start, (Engine::Ucs, None), (false, 1000));
        for kind in RelaxedKind::ALL {
            for engine in [Engine::Astar, Engine::Wastar, Engine::Greedy, Engine::Lazy] {
                let heuristic = Some(Heuristic::Relaxed(kind));
                let found = solved(&rules, start, (engine, heuristic), (false, 1000));
                assert_eq!(found.outcome(), searched.outcome(), "{start} {engine:?} {kind:?}");
                if found.outcome() != Outcome::Solved {
                    assert!(matches!(found.ending.verdict, Verdict::Proved(_)));
                } else if !kind.is_admissible() {
                    let said = (found.ending.claim, found.ending.verdict, found.factor);
                    assert_eq!(said, (Claim::Nothing, Verdict::Open, None), "{engine:?} {kind:?}");
                } else if engine == Engine::Astar {
                    assert!(matches!(found.ending.verdict, Verdict::Proved(_)), "{kind:?}");
                    assert_eq!(found.cost, searched.cost, "{start} {kind:?}");
                }
            }
        }
    }
}

/// A search that is stopped by estimates that may say too much has no lower bound.
#[test]
fn what_may_be_too_much_bounds_nothing() {
    let rules = board(3, 2, "[1,2,3,4,5,b]");
    for engine in [Engine::Astar, Engine::Idastar] {
        for kind in RelaxedKind::ALL {
            let by = (engine, Some(Heuristic::Relaxed(kind)));
            let found = solved(&rules, "[5,4,b,3,2,1]", by, (false, 4));
            assert!(matches!(found.outcome(), Outcome::Stopped(_)), "{engine:?} {kind:?}");
            assert_eq!(found.lower_bound.is_some(), kind.is_admissible(), "{engine:?} {kind:?}");
        }
    }
}

/// What an earlier search of the session derived is not what a later one asks for.
#[test]
fn searches_of_a_session_have_heuristics_of_their_own() {
    let (rules, start) = (board(3, 2, "[1,2,3,4,5,b]"), "[4,2,b,1,5,3]");
    let searches = [Heuristic::Derived, Heuristic::Relaxed(RelaxedKind::Max)]
        .into_iter()
        .chain(RelaxedKind::ALL.map(Heuristic::Relaxed))
        .chain([Heuristic::Derived]);
    let searches: Vec<_> = searches.map(|heuristic| (Engine::Astar, Some(heuristic))).collect();
    let in_turn = solved_in_turn(&rules, start, &searches, (false, 1000));
    for (found, by) in in_turn.iter().zip(searches) {
        let alone = solved(&rules, start, by, (false, 1000));
        assert_eq!(found.stats.expanded, alone.stats.expanded, "{by:?}");
    }
    assert!(in_turn[0].stats.expanded < in_turn[1].stats.expanded);
}

/// States of a second shape, from which no goal is reached, say nothing of those of the first one.
#[test]
fn each_shape_has_a_relaxation_of_its_own() {
    let rules = "final_state(s(6,0)).
        rule(up, 1, s(N,K), s(M,K)) :- N < 6, M is N+1.
        rule(down, 1, s(N,K), s(M,K)) :- N > 0, M is N-1.
        rule(leave, 1, s(N,K), t(N,K,0)).
        rule(on, 1, t(N,K,I), t(N,K,J)) :- I < 3, J is I+1.";
    for kind in RelaxedKind::ALL {
        for engine in [Engine::Astar, Engine::Greedy, Engine::Lazy, Engine::Idastar] {
            let by = (engine, Some(Heuristic::Relaxed(kind)));
            for by_itself in [false, true] {
                let found = solved(rules, "s(0,0)", by, (by_itself, 1000));
                assert_eq!(found.outcome(), Outcome::Solved, "{engine:?} {kind:?}");
                let moves = found.path.map(|path| path.len());
                assert_eq!((found.no_plan, moves), (None, Some(6)), "{engine:?} {kind:?}");
            }
        }
    }
}

/// Parcels in three cities of five places, a truck in each, and a plane between the first places; a state is the sorted
/// list of what is where.
const PARCELS: &str = "
    final_state(S) :- memberchk(at(p1,place(c,3)), S), memberchk(at(p2,place(b,2)), S),
        memberchk(at(p3,place(a,2)), S), memberchk(at(p4,place(c,2)), S).
    city(a). city(b). city(c).
    parcel(p1). parcel(p2). parcel(p3). parcel(p4).
    parcel(p5). parcel(p6). parcel(p7). parcel(p8).
    truck(ta). truck(tb). truck(tc).
    carries(V) :- truck(V).
    carries(plane).
    rule(load(P,V), 1, S, T) :- member(at(P,L), S), parcel(P), member(at(V,L), S), carries(V),
        exchange(at(P,L), in(P,V), S, T).
    rule(unload(P,V), 1, S, T) :- member(in(P,V), S), member(at(V,L), S),
        exchange(in(P,V), at(P,L), S, T).
    rule(drive(V,N), 1, S, T) :- truck(V), member(at(V,place(C,M)), S), member(N, [1,2,3,4,5]), N =\\= M,
        exchange(at(V,place(C,M)), at(V,place(C,N)), S, T).
    rule(fly(C), 1, S, T) :- member(at(plane,place(B,1)), S), city(C), C \\== B,
        exchange(at(plane,place(B,1)), at(plane,place(C,1)), S, T).
    exchange(X, Y, S, T) :- selectchk(X, S, R), sort([Y|R], T).
";

/// Most of what can be where is met by no walk at random, but moves can reach it.
#[test]
fn facts_that_moves_can_reach_are_values_of_variables() {
    let start = "[at(p1,place(a,2)),at(p2,place(a,3)),at(p3,place(b,3)),at(p4,place(b,2)),\
        at(p5,place(a,1)),at(p6,place(c,1)),at(p7,place(b,1)),at(p8,place(c,3)),\
        at(plane,place(a,1)),at(ta,place(a,1)),at(tb,place(b,1)),at(tc,place(c,1))]";
    let (mut session, _) = crate::language::captured("");
    session.load_text("rules.pl", &format!("{PARCELS} initial_state({start})."));
    let contract = Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let first = instances(m, w, &contract, 1).expect("no error").remove(0).state;
    let found = represented(m, w, &contract, &first).expect("a set");
    // Eight parcels, three trucks, a plane.
    assert_eq!(found.length(&first), Some(1 + 8 + 3 + 1));
    for engine in [Engine::Greedy, Engine::Lazy] {
        let heuristic = Some(Heuristic::Relaxed(RelaxedKind::Ff));
        let found = solved(PARCELS, start, (engine, heuristic), (false, 200));
        assert_eq!(found.outcome(), Outcome::Solved, "{engine:?}");
    }
}

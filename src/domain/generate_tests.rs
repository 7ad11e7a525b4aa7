//! New starts of rule programs.

use super::contract::{Contract, Heuristic};
use super::generate::{RuleStarts, StartsWanted, generate};
use super::plans::{PlansWanted, find_plans};
use super::run::instances;
use std::sync::atomic::Ordering;
use zug_prolog::session::Session;
use zug_report::Number;
use zug_search::{GenerateOptions, Limits, Progress, StopReason};
use zug_term::Record;

const TILES: &str = include_str!("../../rules/taquin.pl");

fn session(rules: &str) -> Session {
    let mut session = crate::language::captured("").0;
    let found = session.load_text("rules", rules);
    assert!(found.iter().all(|finding| !finding.is_error()), "{found:?}");
    session
}

fn starts(session: &mut Session) -> Vec<Record> {
    let contract = Contract::of(&session.machine);
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = instances(m, w, &contract, 100).unwrap_or_else(|_| panic!("there are some"));
    found.into_iter().map(|instance| instance.state).collect()
}

fn make(session: &mut Session, cost: Option<f64>, how: &GenerateOptions) -> RuleStarts {
    make_while(session, cost, how, |_| true)
}

/// As [`make`], until progress is told that is enough.
fn make_while(
    session: &mut Session,
    cost: Option<f64>,
    how: &GenerateOptions,
    mut goes_on: impl FnMut(&Progress) -> bool,
) -> RuleStarts {
    let contract = Contract::of(&session.machine);
    let states = starts(session);
    let first = contract.heuristics().first().copied();
    let wanted = StartsWanted {
        heuristic: Some(first.unwrap_or(Heuristic::DerivedInTime)),
        starts: &states,
        taken: &states,
        cost,
        how,
    };
    let (m, w) = (&mut session.machine, &mut session.world);
    let flag = m.interrupt.clone();
    let mut observer = |progress: &Progress| flag.store(!goes_on(progress), Ordering::Relaxed);
    let made = generate(m, w, &contract, &wanted, &Limits::none(), Some(&mut observer));
    made.unwrap_or_else(|error| panic!("{}", error.message(&session.machine, &session.world)))
}

fn text(session: &Session, term: &Record) -> String {
    zug_prolog::term_text(&session.machine, &session.world, term)
}

/// Asserts that a blind search from each start finds as many plans of that cost.
fn check_plans(session: &mut Session, made: &RuleStarts) {
    let contract = Contract::of(&session.machine);
    let wanted = PlansWanted { most: 1, counted: true };
    for start in &made.found.starts {
        let (m, w) = (&mut session.machine, &mut session.world);
        let found = find_plans(m, w, &contract, wanted, &Limits::none(), &start.state, None);
        let found = found.unwrap_or_else(|_| panic!("it has plans"));
        assert_eq!(found.first.cost.as_ref(), Some(&start.cost));
        assert_eq!(found.count, start.plans);
        let lasts = [start.states.last(), found.plans[0].states.last()];
        let [own, other] = lasts.map(|state| state.map(|state| text(session, state)));
        assert_eq!(own, other);
    }
}

/// With the blank in a corner of the goal, two states are 31 moves away and none is farther
/// (A. Reinefeld, *Complete solution of the eight-puzzle*, IJCAI 1993).
#[test]
fn the_hardest_of_the_eight_puzzle() {
    let goal = "final_state([[a,b,c],\n             [h,vide,d],\n             [g,f,e]]).";
    let corner = "final_state([[a,b,c],[d,e,f],[g,h,vide]]).";
    assert!(TILES.contains(goal));
    let mut session = session(&TILES.replace(goal, corner));
    let how = GenerateOptions { count: 3, ..GenerateOptions::default() };
    let made = make(&mut session, None, &how);
    assert!(made.found.whole && made.trusted.is_empty());
    assert_eq!((made.found.greatest.clone(), made.found.at_greatest), (Some(Number::Int(31)), 2));
    let costs: Vec<_> = made.found.starts.iter().map(|start| start.cost.clone()).collect();
    assert_eq!(costs, [31, 31, 30].map(Number::Int));
    assert!(made.found.starts[..2].iter().all(|start| start.path.len() == 31));
}

#[test]
fn numbers_of_plans_are_those_of_a_search() {
    let mut session = session(TILES);
    let how = GenerateOptions { count: 8, ..GenerateOptions::default() };
    let made = make(&mut session, Some(9.0), &how);
    assert_eq!(made.found.starts.len(), 8);
    check_plans(&mut session, &made);
    let unique = GenerateOptions { unique: true, ..how };
    let made = make(&mut session, Some(14.0), &unique);
    assert_eq!(made.found.starts.len(), 8);
    assert!(made.found.starts.iter().all(|start| start.path.len() == 14));
    check_plans(&mut session, &made);
    // Costs are whole.
    assert!(make(&mut session, Some(8.5), &how).found.starts.is_empty());
}

#[test]
fn samples_rest_on_the_heuristic() {
    let mut session = session(TILES);
    let how = GenerateOptions { states: 100, samples: 40, count: 2, ..GenerateOptions::default() };
    let made = make(&mut session, None, &how);
    assert!(!made.found.whole && made.found.from_goals);
    assert_eq!(made.heuristic.as_deref(), Some("manhattan"));
    assert_eq!(made.trusted, ["`manhattan` never overestimates"]);
    assert_eq!(made.found.starts.len(), 2);
    check_plans(&mut session, &made);
}

/// Of rules without a heuristic one is derived; nothing has to be taken on trust then.
#[test]
fn samples_of_rules_without_a_heuristic() {
    let without = TILES.replace("heuristic(", "estimate(");
    let mut session = session(&without);
    let how = GenerateOptions { states: 100, samples: 30, count: 2, ..GenerateOptions::default() };
    let made = make(&mut session, None, &how);
    assert_eq!(made.heuristic.as_deref(), Some("derived"));
    assert!(made.trusted.is_empty());
    check_plans(&mut session, &made);
    // There is no code for atoms that are put together.
    let line = "initial_state(''). final_state('').
        rule(on, 1, N, M) :- atom_concat(N, a, M). rule(back, 1, N, M) :- atom_concat(M, a, N).";
    let mut session = self::session(line);
    let made = make(&mut session, None, &how);
    assert_eq!(made.heuristic, None);
    assert!(made.found.greatest.is_some_and(|most| most.as_f64() > 10.0));
}

#[test]
fn what_was_found_before_an_interruption() {
    let mut session = session(TILES);
    let how = GenerateOptions { states: 100, samples: u64::MAX, ..GenerateOptions::default() };
    let made = make_while(&mut session, None, &how, |progress| progress.expanded < 150_000);
    assert_eq!(made.found.stopped, Some(StopReason::Cancelled));
    assert_eq!(made.found.starts.len(), 5);
    assert!(made.found.starts.iter().all(|start| start.plans.is_none()));
    assert!(session.machine.interrupt.load(Ordering::Relaxed), "it is still known");
}

#[test]
fn costs_of_any_kind() {
    let rules = |cost: &str| {
        format!(
            "initial_state(4). final_state(0).
             rule(down, {cost}, N, M) :- N > 0, M is N - 1.
             rule(up, {cost}, N, M) :- N < 6, M is N + 1."
        )
    };
    let how = GenerateOptions { count: 1, ..GenerateOptions::default() };
    for (cost, wanted) in [("0.5", 3.0), ("0.1", 0.6), ("1", 6.0), ("36893488147419103232", 6.0)] {
        let mut session = session(&rules(cost));
        let hardest = make(&mut session, None, &how);
        assert_eq!(text(&session, &hardest.found.starts[0].state), "6", "{cost}");
        let wanted = if cost.len() > 9 { 6.0 * 36893488147419103232.0 } else { wanted };
        let made = make(&mut session, Some(wanted), &how);
        assert_eq!(text(&session, &made.found.starts[0].state), "6", "{cost}");
    }
}

//! Tables and equilibria of rules. `tests/programs/parts` has those that queries find, and faults of rules.

use super::{Extent, NashTask, find_nash};
use crate::{Contract, DomainKind};
use zug_matrix::{Elimination, Rational, ratio};
use zug_prolog::session::Session;
use zug_search::StopReason;

pub(super) fn session(rules: &str) -> Session {
    let (mut session, _) = crate::language::captured("");
    let findings = session.load_text("rules", rules);
    assert!(!findings.iter().any(|finding| finding.is_error()), "{findings:?}");
    session
}

/// A game of two players with these payoffs, actions by number.
fn two(payoffs: &str) -> String {
    format!("players([a, b]). action(_, _, 0). action(_, _, 1). {payoffs}")
}

const PENNIES: &str = "payoff([X, X], [1, -1]). payoff([X, Y], [-1, 1]) :- X \\== Y.";
#[test]
fn kinds_are_told_by_predicates() {
    let kind = |rules: &str| Contract::of(&session(rules).machine).kind();
    assert_eq!(kind(&two(PENNIES)), DomainKind::Simultaneous);
    assert_eq!(kind("payoff(_, 3)."), DomainKind::Program);
    assert_eq!(kind("players([a]). move(a, x, 1, 2). action(1, 2, 3)."), DomainKind::Game);
    assert_eq!(kind("players([a]). action(a, _, x)."), DomainKind::Simultaneous);
}

#[test]
fn payoffs_are_exact() {
    let rules = two("payoff([0, _], [1/3, -1/3]). payoff([1, _], [0.1, X]) :- X is -0.1.");
    let mut session = session(&rules);
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = find_nash(m, w, None, &NashTask::default()).expect("rules");
    let table = found.table.expect("no limits");
    assert_eq!(*table.game.payoff(&[0, 0], 0), ratio(1, 3));
    let tenth = Rational::new(3_602_879_701_896_397_i64.into(), (1_i64 << 55).into());
    assert_eq!(*table.game.payoff(&[1, 0], 0), tenth);
    assert!(table.is_zero_sum());
}

#[test]
fn three_players_have_pure_equilibria() {
    let rules = "players([a, b, c]). action(_, _, X) :- member(X, [0, 1]).
        payoff([X, Y, Z], [U, U, U]) :- U is X + Y + Z.";
    let mut session = session(rules);
    let (m, w) = (&mut session.machine, &mut session.world);
    let eliminate = Some(Elimination::default());
    let task = NashTask { eliminate, ..NashTask::default() };
    let found = find_nash(m, w, None, &task).expect("rules");
    let found = found.nash.expect("no limits");
    assert_eq!((found.removed.len(), found.equilibria.len()), (3, 1));
    assert_eq!(found.extent, Extent::Pure);
    assert_eq!(found.equilibria[0].certificate.payoffs, vec![ratio(3, 1); 3]);
    assert!(found.equilibria[0].certificate.holds());
}

#[test]
fn limits_strike() {
    let mut session = session(&two(PENNIES));
    let (m, w) = (&mut session.machine, &mut session.world);
    let mut task = NashTask::default();
    task.limits.nodes = Some(1);
    let found = find_nash(m, w, None, &task).expect("rules");
    assert_eq!(found.nash.map(|_| ()), Err(StopReason::Nodes));
}

#[test]
fn an_error_in_the_rules_names_predicate_and_place() {
    let mut session =
        session("players([a, b]). action(_, _, X) :- foo(X), X = 1. payoff(_, [1,1]).");
    let (m, w) = (&mut session.machine, &mut session.world);
    let error = find_nash(m, w, None, &NashTask::default()).expect_err("an error");
    let said = "action/3 raised an error: unknown procedure foo/1, rules:1:37";
    assert_eq!(error.message(m, w), said);
}

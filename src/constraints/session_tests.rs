//! What the store keeps for backtracking while constraints are posted.

use crate::store::Store;
use zug_prolog::Session;

const PROGRAM: &str = "
    :- use_module(library(clpfd)).
    holes(_, 0) :- !.
    holes(X, N) :- V is 2 * N, X #\\= V, N1 is N - 1, holes(X, N1).
";

/// How many domains are saved, and how long the trail is, when a goal has its first answer.
fn kept(goal: &str) -> (usize, usize) {
    let (mut session, _) = Session::captured(&[crate::EXTENSION], "");
    let found = session.load_text("holes.pl", PROGRAM);
    assert!(found.is_empty(), "{found:?}");
    let mut query = session.query(goal).expect("it can be read");
    assert!(matches!(session.next(&mut query), Ok(true)), "{goal}");
    let store = session.world.slots.get::<Store>().expect("a store");
    (store.saved_domains(), store.trail_len())
}

#[test]
fn a_domain_is_saved_once_between_choice_points() {
    let holes = |count: usize| kept(&format!("X in 0..1000, holes(X, {count})."));
    let (few, many) = (holes(50), holes(400));
    assert_eq!(few.0, many.0);
    // What is left grows with the number of constraints.
    assert!(many.1 <= 8 * few.1, "{few:?} {many:?}");
}

#[test]
fn a_choice_point_has_a_domain_saved_again() {
    let without = kept("X in 0..1000, holes(X, 5), holes(X, 4).");
    let with = kept("X in 0..1000, holes(X, 5), ( true ; fail ), X #\\= 1, holes(X, 4).");
    assert_eq!(with.0, without.0 + 1);
}

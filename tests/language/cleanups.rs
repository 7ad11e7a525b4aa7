//! Cleanups of goals that are left with alternatives: by a query that is ended, by an engine
//! that takes the first answer, by a limit.

use super::captured::{first, session};
use crate::support::Folder;
use std::time::Duration;
use zug_prolog::session::Allowance;

const TELL: &str = "tell(X) :- write(X), nl.
    leave(X) :- setup_call_cleanup(X = foo, member(_, [1, 2]), tell(left(X))).
    nested(L) :- setup_call_cleanup(L = [a|T], (T = [b], leave(_), repeat), tell(outer(L))).
    far(X, N) :- numlist(1, N, L), setup_call_cleanup(X = s(L, Y), (Y = y, repeat), far(X)).
    far(s(L, Y)) :- length(L, N), tell(N-Y).
    caught(T) :- catch(call_with_time_limit(0.05, slow), E, true), E = T.
    slow :- setup_call_cleanup(X = s, (member(_, [1, 2]), repeat, fail), tell(X)).";

#[test]
fn what_a_query_leaves_is_cleaned_up_with_its_bindings() {
    let (mut session, shown) = session(TELL);
    for (goal, told) in [
        ("leave(_)", "left(foo)\n"),
        ("nested(_)", "left(foo)\nouter([a,b])\n"),
        ("far(_, 100000)", "100000-y\n"),
        ("leave(_), fail", "left(foo)\n"),
        ("(leave(_), throw(x))", "left(foo)\n"),
        ("call_with_inference_limit(leave(_), 1000, _)", "left(foo)\n"),
        ("forall(limit(1, leave(_)), true)", "left(foo)\n"),
    ] {
        first(&mut session, goal);
        assert_eq!(shown.take(), told, "{goal}");
    }
}

#[test]
fn an_open_file_is_closed_when_the_query_ends() {
    let folder = Folder::new("cleanup");
    let file = folder.write("facts.pl", "a. b. c.\n");
    let (mut session, _) = session(
        "first(F, T, S) :- setup_call_cleanup(open(F, read, S), (repeat, read(S, T)), close(S)).",
    );
    for _ in 0..50 {
        let goal = format!("first('{file}', T, S), nb_setval(s, S), T == a");
        assert_eq!(first(&mut session, &goal), "true");
        let found = first(&mut session, "nb_getval(s, S), is_stream(S)");
        assert_eq!(found, "false");
    }
}

#[test]
fn the_first_answer_of_an_engine_leaves_a_cleanup() {
    let (mut session, shown) = session(
        ":- dynamic count/1.
         count(0).
         initial_state(0).
         final_state(3) :- setup_call_cleanup(X = 3, member(_, [1, 2]), told(X)).
         told(X) :- ( integer(X) -> true ; throw(unbound) ),
             retract(count(N)), N1 is N + 1, assertz(count(N1)).
         rule(up, 1, S, T) :- S < 5, T is S + 1.
         heuristic(S, H) :- setup_call_cleanup(H is 3 - S, member(_, [1, 2]), told(H)).",
    );
    for goal in ["bfs(_, _)", "astar(_, _)", "idastar(_, _)"] {
        assert_eq!(first(&mut session, "retractall(count(_)), assertz(count(0))"), "true");
        assert_eq!(first(&mut session, goal), "true", "{goal}");
        assert_eq!(first(&mut session, "count(N), N > 0"), "true", "{goal}");
    }
    assert_eq!(shown.take(), "");
}

#[test]
fn a_limit_leaves_a_cleanup_that_is_run_with_its_bindings() {
    let (mut session, shown) = session(TELL);
    session.allow(&Allowance { time: Some(Duration::from_millis(50)), ..Allowance::default() });
    first(&mut session, "slow");
    assert_eq!(shown.take(), "s\n");
    session.allow(&Allowance::default());
    assert_eq!(first(&mut session, "caught(time_limit_exceeded)"), "true");
    assert_eq!(shown.take(), "s\n");
}

//! Tables within limits of memory and inferences. `tests/programs/parts/tables.pl` has those that change during a query.

use super::captured::{first, session};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::session::{Allowance, Session};

/// How a goal ends, with what it wrote in front.
fn asked(session: &mut Session, shown: &SharedBuffer, goal: &str) -> String {
    let found = first(session, goal);
    format!("{}{found}", shown.take())
}

fn all(session: &mut Session, shown: &SharedBuffer, goal: &str) -> String {
    let told = asked(session, shown, &format!("findall(X, ({goal}), L), print(L)"));
    told.strip_suffix("true").map_or(told.clone(), str::to_owned)
}

#[test]
fn tables_abolished_in_a_loop_hold_no_memory() {
    let (mut session, shown) = session(
        ":- table n/1. n(X) :- numlist(1, 20000, L), member(X, L).
         loop(N) :- between(1, N, _), abolish_all_tables, n(5000), n(X), X > 100, fail.
         loop(_).",
    );
    session.allow(&Allowance { memory: Some(48 << 20), ..Allowance::default() });
    assert_eq!(asked(&mut session, &shown, "loop(12)"), "true");
}

#[test]
fn the_last_value_is_the_one_at_the_end_of_a_pass() {
    let (mut session, shown) = session(
        ":- table l(last), pair(_, last), inner(_, last), outer(_, last), both(last, max).
         l(1). l(2). l(X) :- l(Y), Y > 5, X = Y.
         pair(a, 1). pair(b, 2). pair(a, 3). pair(K, V) :- pair(K, W), W > 7, V = W.
         outer(a, 1). outer(K, V) :- inner(K, V). outer(a, 2).
         inner(K, V) :- outer(K, W), W < 10, V is W + 10. inner(K, 5) :- outer(K, _).
         both(1, 1). both(2, 5). both(3, 4). both(X, M) :- both(X, N), N < 9, M is N + 1.",
    );
    let mut limited = |goal: &str| {
        session.allow(&Allowance { inferences: Some(200_000), ..Allowance::default() });
        all(&mut session, &shown, goal)
    };
    assert_eq!(limited("l(X)"), "[2]");
    assert_eq!(limited("pair(K, V), X = K-V"), "[b-2,a-3]");
    assert_eq!(limited("outer(K, V), X = K-V"), "[a-2]");
    assert_eq!(limited("both(_, X)"), "[9]");
}

#[test]
fn answers_that_were_replaced_hold_no_memory() {
    let (mut session, shown) = session(
        ":- table best(max), few(_, max).
         best(V) :- between(1, 100000, V).
         few(K, V) :- between(1, 50000, V), K is V mod 2. few(k, 0).",
    );
    session.allow(&Allowance { memory: Some(8 << 20), ..Allowance::default() });
    assert_eq!(all(&mut session, &shown, "best(X)"), "[100000]");
    assert_eq!(all(&mut session, &shown, "few(1, X)"), "[49999]");
}

#[test]
fn large_calls_are_made_within_the_limits() {
    let (mut session, shown) = session(":- table t/1. t(_).");
    session.allow(&Allowance { memory: Some(64 << 20), ..Allowance::default() });
    let told = asked(&mut session, &shown, "numlist(1, 1300000, L), t(L)");
    assert!(told.starts_with("out of memory"), "{told}");
}

#[test]
fn a_load_that_redefines_a_tabled_predicate_takes_it_off_its_tables() {
    let (mut session, shown) = session(":- table p/1, q/1. p(1). q(1).");
    session.load_text("again", "p(2). p(2).");
    assert_eq!(all(&mut session, &shown, "p(X)"), "[2,2]");
    assert_eq!(asked(&mut session, &shown, "predicate_property(p(_), tabled)"), "false");
    assert_eq!(asked(&mut session, &shown, "predicate_property(q(_), tabled)"), "true");
    session.load_text("third", ":- table p/1. p(3). p(3).");
    assert_eq!(all(&mut session, &shown, "p(X)"), "[3]");
}

#[test]
fn each_answer_meets_each_call_in_progress_once() {
    let (mut session, shown) = session(
        ":- table d/1, e/1, one/1, two/1, three/1, left/2, right/1, fib/2.
         d(X) :- e(Y), Y < 5000, X is Y + 1. d(0).
         e(X) :- d(Y), Y < 5000, X is Y + 1. e(0).
         one(0). one(X) :- two(Y), Y < 5000, X is Y + 1.
         two(X) :- three(X).
         three(X) :- one(X).
         next(X, Y) :- ( X < 5000 -> Y is X + 1 ; Y = 1 ).
         left(X, Y) :- next(X, Y).
         left(X, Y) :- left(X, Z), next(Z, Y).
         right(2500).
         right(X) :- next(X, Y), right(Y).
         fib(0, 0). fib(1, 1).
         fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, G), fib(B, H), F is (G + H) mod 1009.",
    );
    for (goal, count) in [
        ("d(_)", 5001),
        ("one(_)", 5001),
        ("left(1, _)", 5000),
        ("right(2501)", 1),
        ("fib(5000, _)", 1),
    ] {
        session.allow(&Allowance { inferences: Some(400_000), ..Allowance::default() });
        let asked = format!("aggregate_all(count, {goal}, N), print(N)");
        assert_eq!(asked_text(&mut session, &shown, &asked), count.to_string(), "{goal}");
    }
}

/// What a goal writes.
fn asked_text(session: &mut Session, shown: &SharedBuffer, goal: &str) -> String {
    let told = asked(session, shown, goal);
    told.strip_suffix("true").map_or(told.clone(), str::to_owned)
}

#[test]
fn calls_that_cannot_wait_are_made_again() {
    let (mut session, shown) = session(
        ":- table a/1, c/1, e/1, f/1, w/1, v/1.
         a(X) :- once(b(X)). a(3).
         b(X) :- a(X). b(1).
         c(X) :- ( c(Y), Y < 3 -> X is Y + 1 ; X = 0 ). c(1).
         e(X) :- member(X, [1, 2]). e(X) :- catch(e(Y), _, true), Y < 5, X is Y + 1.
         f(1). f(X) :- freeze(Z, Z > 1), f(Y), Y < 3, Z is Y + 1, X = Z.
         w(X) :- with_output_to(string(_), w(Y)), Y < 3, X is Y + 1. w(0).
         v(X) :- \\+ with_output_to(string(_), v(1)), X = 2. v(1).",
    );
    // The first answer of b/1 is the one that a/1 has in the end, not the one of a pass in which a/1 has none yet;
    // c/1 has an answer that is less than 3, so its else branch is none.
    for (goal, found) in [
        ("a(X)", "[3]"),
        ("c(X)", "[1,2]"),
        ("e(X)", "[1,2,3,4,5]"),
        ("f(X)", "[1,2,3]"),
        ("w(X)", "[0,1]"),
        ("v(X)", "[1]"),
    ] {
        session.allow(&Allowance { inferences: Some(100_000), ..Allowance::default() });
        let sorted = format!("setof(X, {goal}, L), member(X, L)");
        assert_eq!(all(&mut session, &shown, &sorted), found, "{goal}");
    }
}

#[test]
fn reads_that_need_a_complete_table_are_an_error_in_its_own_clauses() {
    let (mut session, shown) = session(
        ":- table g/1, h/1, best/1, m(_, min).
         g(0). g(X) :- findall(Y, g(Y), L), member(Y, L), Y < 4, X is Y + 1.
         h(0). h(X) :- setof(Y, h(Y), L), length(L, X).
         best(1). best(X) :- aggregate_all(max(Y), best(Y), M), M < 3, X is M + 1.
         m(a, 5). m(a, 3) :- \\+ m(a, 4).",
    );
    for goal in ["g(_)", "h(_)", "best(_)", "m(a, _)"] {
        session.allow(&Allowance { inferences: Some(100_000), ..Allowance::default() });
        let caught = format!("catch({goal}, error(permission_error(_, T, _), _), print(T))");
        assert_eq!(asked_text(&mut session, &shown, &caught), "tabled_procedure", "{goal}");
    }
}

#[test]
fn tables_in_progress_count_as_memory() {
    let (mut session, shown) = session(
        ":- table p/2.
         p(0, _). p(N, X) :- N > 0, M is N - 1, numlist(1, 1000, L), p(M, _), p(N, Y), X = L-Y.",
    );
    session.allow(&Allowance { memory: Some(16 << 20), ..Allowance::default() });
    let told = asked(&mut session, &shown, "p(5000, _)");
    assert!(told.starts_with("out of memory"), "{told}");
}

#[test]
fn tables_of_modules_wait_for_each_other() {
    let (mut session, shown) = session(
        ":- table one:p/1, two:q/1, r/1.
         one:p(0). one:p(X) :- two:q(Y), Y < 2000, X is Y + 1.
         two:q(X) :- user:r(X).
         r(X) :- one:p(X).",
    );
    session.allow(&Allowance { inferences: Some(200_000), ..Allowance::default() });
    let goal = "aggregate_all(count, r(_), N), aggregate_all(count, two:q(_), M), print(N-M)";
    assert_eq!(asked_text(&mut session, &shown, goal), "2001-2001");
}

//! Tables while the program changes them under the feet of a query, and in little memory.

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
fn an_enumeration_goes_on_with_the_answers_of_a_table_that_was_abolished() {
    let (mut session, shown) = session(
        ":- table p/1, q/1, r/1.
         p(1). p(2). p(3). q(a). q(b). q(c). q(d). r(X) :- p(X). r(X) :- r(Y), Y < 9, X is Y + 3.
         t(X, Do) :- p(X), ( X == 1 -> call(Do), q(_) -> true ; true ).
         loaded :- table(other/2).
         taken :- untable(q/1).",
    );
    for goal in ["abolish_all_tables", "loaded", "(abolish_all_tables, abolish_all_tables)"] {
        assert_eq!(all(&mut session, &shown, &format!("t(X, {goal})")), "[1,2,3]", "{goal}");
    }
    assert_eq!(all(&mut session, &shown, "q(X)"), "[a,b,c,d]");
    assert_eq!(
        all(&mut session, &shown, "p(Y), abolish_all_tables, q(Z), abolish_all_tables, X = Y-Z"),
        "[1-a,1-b,1-c,1-d,2-a,2-b,2-c,2-d,3-a,3-b,3-c,3-d]"
    );
    let goal = "r(X), ( X == 2 -> abolish_all_tables ; true ), once(q(_))";
    assert_eq!(all(&mut session, &shown, goal), "[1,2,3,4,5,6,7,8,9,10,11]");
    assert_eq!(all(&mut session, &shown, "t(X, taken)"), "[1,2,3]");
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
fn answers_of_an_evaluation_that_was_given_up_go() {
    let text = ":- dynamic flag_/0, fact/1. :- table p/1, q/1, own/1.
         flag_. fact(1). fact(2).
         p(X) :- flag_, member(X, [1, 2, 3]). p(X) :- q(X).
         q(_) :- p(_), flag_, throw(stop). q(9).
         own(X) :- fact(X). own(X) :- own(_), change, fact(X).
         change :- retract(fact(1)), !, abolish_all_tables.
         change.";
    let (mut session, shown) = session(text);
    assert_eq!(asked(&mut session, &shown, "catch(p(_), stop, true), retract(flag_)"), "true");
    assert_eq!(all(&mut session, &shown, "p(X)"), "[9]");
    asked(&mut session, &shown, "own(_)");
    assert_eq!(all(&mut session, &shown, "own(X)"), "[2]");
}

#[test]
fn an_evaluation_that_abolishes_tables_ends() {
    let (mut session, shown) = session(
        ":- table p/1, q/1, both/1, more/1.
         q(1). q(2).
         p(X) :- abolish_all_tables, q(X). p(X) :- p(Y), Y < 5, X is Y + 1.
         both(X) :- more(X). both(X) :- both(Y), Y < 4, X is Y + 1.
         more(X) :- both(Y), abolish_all_tables, Y < 6, X is Y + 2. more(0).",
    );
    assert_eq!(all(&mut session, &shown, "p(X)"), "[1,2,3,4,5]");
    let found = all(&mut session, &shown, "setof(Y, both(Y), L), member(X, L)");
    assert_eq!(found, "[0,1,2,3,4,5,6,7]");
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
fn a_predicate_says_that_it_is_tabled() {
    let (mut session, shown) = session(
        ":- table path/2, cheap(_, _, min), route(_, lattice(better/3)), up(po(less/2), _).
         path(a, b). cheap(a, b, 1). route(a, [b]). up(1, 2). plain(1).",
    );
    assert_eq!(asked(&mut session, &shown, "predicate_property(path(_, _), tabled)"), "true");
    assert_eq!(asked(&mut session, &shown, "predicate_property(plain(_), tabled)"), "false");
    for (spec, first) in [
        ("path/2", ":- table path/2.\n\npath(a, b)."),
        ("cheap/3", ":- table cheap(_, _, min).\n\n"),
        ("route/2", ":- table route(_, lattice(better/3)).\n\n"),
        ("up/2", ":- table up(po(less/2), _).\n\n"),
        ("plain/1", "plain(1)."),
    ] {
        let listed = asked(&mut session, &shown, &format!("listing({spec})"));
        assert!(listed.starts_with(first), "{listed}");
    }
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

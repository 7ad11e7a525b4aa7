//! A call that only one clause can match leaves no choice point, whatever argument tells it.

use std::fmt::Write;
use zug_prolog::Session;

/// Facts of a predicate: its second to fifth arguments tell each apart, the sixth and seventh together do.
fn facts(name: &str, numbers: std::ops::Range<u32>) -> String {
    let mut text = String::new();
    for i in numbers {
        let (row, column) = (i / 20, i % 20);
        writeln!(text, "{name}(x, {i}, f({i}, x), [h{i}, a], \"text {i}\", {row}, c{column}).")
            .expect("text takes all");
    }
    text
}

/// Whether the first answer is the last one, for all that the machine knows.
fn is_single(session: &mut Session, goal: &str) -> bool {
    let mut query = session.query(goal).expect("a query that reads");
    assert!(session.next(&mut query).expect("no error"), "{goal} has an answer");
    let more = session.has_more(&query);
    session.close(query);
    !more
}

fn assert_single(session: &mut Session, name: &str) {
    for call in [
        "(_, 77, _, _, _, _, _)",
        "(_, _, f(77, _), _, _, _, _)",
        "(_, _, _, [h77|_], _, _, _)",
        "(_, _, _, _, \"text 77\", _, _)",
        "(_, _, _, _, _, 3, c17)",
    ] {
        let goal = format!("{name}{call}");
        assert!(is_single(session, &goal), "{goal}");
    }
}

#[test]
fn any_argument_selects_static_clauses() {
    let mut session = Session::new();
    assert_eq!(session.load_text("facts", &facts("p", 0..400)), []);
    assert_single(&mut session, "p");
}

#[test]
fn any_argument_selects_dynamic_clauses() {
    let mut session = Session::new();
    let text = format!(":- dynamic p/7.\n{}", facts("p", 0..400));
    assert_eq!(session.load_text("facts", &text), []);
    assert_single(&mut session, "p");
}

#[test]
fn clauses_that_come_later_are_told_apart_too() {
    let mut session = Session::new();
    // Nothing tells these apart when they are called for the first time.
    let text = ":- dynamic p/2. n(N) :- between(0, N, I), assertz(p(x, a)), I >= N, !.";
    assert_eq!(session.load_text("facts", text), []);
    assert!(is_single(&mut session, "n(20)"));
    assert!(!is_single(&mut session, "p(_, a)"));
    assert!(is_single(&mut session, "forall(between(1, 400, I), assertz(p(x, I)))"));
    assert!(is_single(&mut session, "p(_, 77)"));
}

#[test]
fn clauses_with_variables_are_found_in_their_order() {
    let mut session = Session::new();
    let text = ":- dynamic p/2.
        make(N) :- forall(between(1, N, I), ( assertz(p(I, I)), ignore(( I mod 7 =:= 0, assertz(p(_, v(I))) )) )).
        all(I, L) :- findall(X, p(I, X), L).";
    assert_eq!(session.load_text("facts", text), []);
    assert!(is_single(&mut session, "make(100), all(50, L), length(L, 15), nth1(8, L, 50)"));
    // More with variables than a table is kept for.
    assert!(is_single(
        &mut session,
        "make(3000), all(50, L), length(L, 444), asserta(p(50, 0)), all(50, [0|_])"
    ));
}

//! The ports of the box (L. Byrd 1980), on small programs: what the tracer shows, in order.

use zug_prolog::session::Session;

const PROGRAM: &str = "
edge(a, b).
edge(b, c).
edge(b, d).
path(X, X).
path(X, Z) :- edge(X, Y), path(Y, Z).
first(X) :- edge(b, X), !.
neck(_) :- !, fail.
neck(_).
last(N) :- N > 0, M is N - 1, last(M).
last(0).
sink(X) :- \\+ edge(X, _).
size(X, Y) :- ( X > 3 -> Y = big ; Y = small ).
soft(X) :- ( edge(b, X) *-> true ; X = none ).
some(X) :- once(edge(b, X)).
broken(X) :- Y is X + foo, write(Y).
safe :- catch(broken(1), error(type_error(_, _), _), true).
after :- catch(broken(1), _, edge(a, _)), edge(b, c).
all(L) :- findall(X, edge(b, X), L).
every :- forall(edge(b, X), atom(X)).
each(L) :- maplist(edge(b), L).
later(X) :- G = edge(b, X), call(G).
unknown :- nowhere(1).
:- dynamic(counted/1).
counted(1).
counted(2).
bump :- retract(counted(1)), assertz(counted(3)).
";

/// What is written while a goal is asked for so many answers.
fn trace(goal: &str, answers: usize) -> String {
    let (mut session, output) = zug_tools::language::captured("");
    let found = session.load_text("test", PROGRAM);
    assert!(found.is_empty(), "{found:?}");
    ask(&mut session, goal, answers);
    session.world.streams.flush_standard().expect("memory can be written");
    output.take()
}

fn ask(session: &mut Session, goal: &str, answers: usize) {
    let mut query = session.query(goal).expect("it reads");
    for _ in 0..answers {
        if !matches!(session.next(&mut query), Ok(true)) {
            break;
        }
    }
    session.close(query);
}

/// The ports in short: `C1 path(a, c)`; places are left out.
#[track_caller]
fn check(goal: &str, answers: usize, expected: &str) {
    let shown = trace(&format!("trace, {goal}"), answers);
    let lines = shown.lines().map(|line| {
        let line = line.trim_start();
        let (port, rest) = line.split_once(": (").unwrap_or((line, ") "));
        let (depth, goal) = rest.split_once(") ").unwrap_or(("", rest));
        let port = if port == "Exception" { "X" } else { &port[..1] };
        let goal = goal.split(" at ").next().unwrap_or(goal);
        format!("{port}{depth} {goal}")
    });
    let found: Vec<String> = lines.collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(found, expected, "{goal}\n{shown}");
}

#[test]
fn calls_answers_and_backtracking() {
    check(
        "path(b, c)",
        2,
        "C1 path(b, c)
         C2 edge(b, _)
         E2 edge(b, c)
         C2 path(c, c)
         E2 path(c, c)
         E1 path(b, c)
         R1 path(b, c)
         R2 path(c, c)
         C3 edge(c, _)
         F3 edge(c, _)
         F2 path(c, c)
         R2 edge(b, c)
         E2 edge(b, d)
         C2 path(d, c)
         C3 edge(d, _)
         F3 edge(d, _)
         F2 path(d, c)
         F1 path(b, c)",
    );
}

#[test]
fn cuts_take_the_way_back() {
    check("first(X)", 2, "C1 first(_)\nC2 edge(b, _)\nE2 edge(b, c)\nE1 first(c)");
    check("neck(1)", 1, "C1 neck(1)\nC2 fail\nF2 fail\nF1 neck(1)");
    check("some(X)", 2, "C1 some(_)\nC2 edge(b, _)\nE2 edge(b, c)\nE1 some(c)");
}

#[test]
fn last_calls_return() {
    check(
        "last(1)",
        1,
        "C1 last(1)
         C2 1>0
         E2 1>0
         C2 _ is 1-1
         E2 0 is 1-1
         C2 last(0)
         C3 0>0
         F3 0>0
         E2 last(0)
         E1 last(1)",
    );
}

#[test]
fn negation_and_conditions() {
    check("sink(c)", 1, "C1 sink(c)\nC2 edge(c, _)\nF2 edge(c, _)\nE1 sink(c)");
    check("sink(a)", 1, "C1 sink(a)\nC2 edge(a, _)\nE2 edge(a, b)\nF1 sink(a)");
    check("size(5, Y)", 1, "C1 size(5, _)\nC2 5>3\nE2 5>3\nC2 _=big\nE2 big=big\nE1 size(5, big)");
    check(
        "size(1, Y)",
        1,
        "C1 size(1, _)\nC2 1>3\nF2 1>3\nC2 _=small\nE2 small=small\nE1 size(1, small)",
    );
    check(
        "soft(X)",
        2,
        "C1 soft(_)\nC2 edge(b, _)\nE2 edge(b, c)\nE1 soft(c)
         R1 soft(c)\nR2 edge(b, c)\nE2 edge(b, d)\nE1 soft(d)",
    );
}

#[test]
fn exceptions_fly_through_every_box_up_to_their_catch() {
    let ball = "raised error(type_error(evaluable, foo/0), context((is)/2, _))";
    check(
        "safe",
        1,
        &format!(
            "C1 safe
             C2 catch(broken(1), error(type_error(_, _), _), true)
             C3 broken(1)
             C4 _ is 1+foo
             X4 _ is 1+foo {ball}
             X3 broken(1) {ball}
             E2 catch(broken(1), error(type_error(evaluable, foo/0), context((is)/2, _)), true)
             E1 safe"
        ),
    );
    // Behind the catch the depth is that of its caller again.
    let shown = trace("trace, after", 1);
    assert!(shown.contains("Call: (3) edge(a, _)"), "{shown}");
    assert!(shown.contains("Call: (2) edge(b, c) at test:"), "{shown}");
    check(
        "unknown",
        1,
        "C1 unknown
         C2 nowhere(1)
         X2 nowhere(1) raised error(existence_error(procedure, nowhere/1), context(nowhere/1, _))
         X1 unknown raised error(existence_error(procedure, nowhere/1), context(nowhere/1, _))",
    );
}

#[test]
fn goals_that_library_predicates_call() {
    check(
        "all(L)",
        1,
        "C1 all(_)
         C2 findall(_A, edge(b, _A), _)
         C3 edge(b, _)
         E3 edge(b, c)
         R3 edge(b, c)
         E3 edge(b, d)
         E2 findall(_A, edge(b, _A), [c, d])
         E1 all([c, d])",
    );
    check(
        "each([c])",
        1,
        "C1 each([c])\nC2 maplist(edge(b), [c])\nC3 edge(b, c)\nE3 edge(b, c)
         E2 maplist(edge(b), [c])\nE1 each([c])",
    );
    check(
        "later(X)",
        1,
        "C1 later(_)\nC2 _=edge(b, _)\nE2 edge(b, _A)=edge(b, _A)\nC2 call(edge(b, _))
         C3 edge(b, _)\nE3 edge(b, c)\nE2 call(edge(b, c))\nE1 later(c)",
    );
}

#[test]
fn dynamic_predicates() {
    check("counted(X)", 3, "C1 counted(_)\nE1 counted(1)\nR1 counted(1)\nE1 counted(2)");
    let shown = trace("trace, bump, counted(X), X > 2", 1);
    assert!(shown.contains("Exit: (1) counted(3)"), "{shown}");
}

/// Every answer of every goal is the same with the tracer and without it.
#[test]
fn tracing_changes_no_answer() {
    let goals = [
        "path(a, X)",
        "first(X)",
        "neck(X)",
        "last(3)",
        "sink(d)",
        "size(3, Y)",
        "soft(X)",
        "some(X)",
        "safe",
        "after",
        "all(L)",
        "every",
        "each([A, B])",
        "later(X)",
        "bump",
        "counted(X)",
        "edge(X, Y), \\+ sink(Y)",
        "path(a, X), !",
        "( path(X, c), X \\== c ; X = z )",
        "between(1, 3, X), X > 1",
        "catch(broken(1), error(E, _), true)",
        "forall(edge(b, X), sink(X))",
        "setof(X-Y, edge(X, Y), L)",
        "phrase(([a], [b]), L)",
        "atom_length(abc, N), N > 2",
    ];
    let answers = |goal: &str, before: &str| {
        let (mut session, _) = zug_tools::language::captured("");
        assert!(session.load_text("test", PROGRAM).is_empty());
        if !before.is_empty() {
            ask(&mut session, before, 1);
        }
        let mut query = session.query(goal).expect("it reads");
        let mut found = Vec::new();
        loop {
            match session.next(&mut query) {
                Ok(true) => found.push(session.answer(&query)),
                Ok(false) => break,
                Err(fault) => {
                    found.push(format!("{fault:?}"));
                    break;
                }
            }
        }
        session.close(query);
        // And again when the tracer is off.
        ask(&mut session, "nodebug", 1);
        let mut query = session.query("edge(b, X)").expect("it reads");
        assert!(matches!(session.next(&mut query), Ok(true)));
        session.close(query);
        found
    };
    for goal in goals {
        let plain = answers(goal, "");
        assert_eq!(plain, answers(goal, "trace"), "{goal}");
        assert_eq!(plain, answers(goal, "spy(edge/2)"), "{goal}");
    }
}

#[test]
fn spy_points_and_their_conditions() {
    let shown = trace("spy(path(_, Y), Y == c), path(b, c)", 1);
    assert_eq!(shown.lines().count(), 4, "{shown}");
    assert!(shown.lines().all(|line| line.starts_with(" * ")), "{shown}");
    let shown = trace("spy(path(X, _), X == c), path(b, X)", 9);
    assert!(shown.contains(" * Call: (2) path(c, _)"), "{shown}");
    assert!(!shown.contains("path(b,"), "{shown}");
    // A condition that is an error doesn't hold, and ends nothing.
    assert_eq!(trace("spy(edge(X, _), X > 1), edge(a, _)", 1), "");
    let shown = trace("trace(edge/2, [exit, -call]), path(a, c)", 1);
    assert_eq!(shown, "   Exit: (2) edge(a, b)\n   Exit: (3) edge(b, c)\n");
}

#[test]
fn what_is_switched_off_is_off() {
    assert_eq!(trace("trace, nodebug, path(a, X)", 3), "");
    assert_eq!(trace("spy(edge/2), nospy(edge/2), path(a, X)", 3), "");
    assert_eq!(trace("trace, notrace, path(a, X)", 3), "");
    assert_eq!(trace("trace(edge(a, _)), path(b, c)", 1).lines().count(), 2);
    let fails = |goal: &str| {
        let (mut session, _) = zug_tools::language::captured("");
        let mut query = session.query(goal).expect("it reads");
        let outcome = session.next(&mut query);
        session.close(query);
        outcome.is_err()
    };
    for goal in ["spy(nowhere/3)", "spy(_)", "leash(sometimes)", "trace(edge/2, foo)", "spy(1)"] {
        assert!(fails(goal), "{goal}");
    }
}

/// Many boxes inside each other, and many after each other.
#[test]
fn deep_and_long_runs() {
    let (mut session, _) = zug_tools::language::captured("");
    let program = "len([], 0). len([_|T], N) :- len(T, M), N is M + 1.
                   loop(0) :- !. loop(N) :- M is N - 1, loop(M).";
    assert!(session.load_text("test", program).is_empty());
    ask(&mut session, "debug", 1);
    for goal in
        ["numlist(1, 20000, L), len(L, 20000)", "loop(20000)", "between(1, 20000, X), X >= 20000"]
    {
        let mut query = session.query(goal).expect("it reads");
        assert!(matches!(session.next(&mut query), Ok(true)), "{goal}");
        session.close(query);
    }
}

//! Programs that never end: each must stop at the memory limit with an error that
//! names a predicate, and leave the session as it was.

use zug::machine::Fault;
use zug::session::Session;
use zug::syntax::printer::{WriteOptions, term_to_string};

const LIMIT: usize = 32 << 20;

const PROGRAM: &str = "
    :- dynamic fact/1.
    frames :- frames, here.
    choices :- choices.
    choices.
    either :- either ; here.
    negation :- \\+ negation.
    bags(X) :- findall(Y, bags(Y), X).
    called(X) :- call(called, X), here.
    deeper(X) :- deeper(f(X)).
    both(X) :- both(f(X)), here.
    caught :- catch(caught, none, true), here.
    trailed(X) :- member(X, [a, b|_]), trailed(_).
    facts(N) :- assertz(fact(N)), M is N+1, facts(M).
    atoms(A) :- atom_concat(A, A, B), atoms(B).
    squares(N) :- M is N*N, squares(M).
    here.
";

/// The error of a goal, as text.
fn error(session: &mut Session, goal: &str) -> String {
    let mut query = session.query(goal).expect("it reads");
    let text = match session.next(&mut query) {
        Ok(success) => success.to_string(),
        Err(Fault::Ball(ball)) => {
            let (heap, root) = ball.to_heap();
            let (symbols, operators) = (&session.machine.symbols, &session.world.operators);
            term_to_string(&heap, symbols, operators, root, &WriteOptions::default())
        }
        Err(fault) => format!("{fault:?}"),
    };
    session.close(query);
    text
}

#[test]
fn runaway_programs_run_out_of_memory() {
    let (mut session, _) = Session::captured("");
    session.load_text("runaway", PROGRAM);
    session.machine.memory_limit = LIMIT;
    for (goal, culprit) in [
        ("frames", "frames/0"),
        ("choices", "choices/0"),
        ("either", "either/0"),
        ("negation", "negation/0"),
        ("bags(_)", "bags/1"),
        ("called(1)", "called/1"),
        ("deeper(a)", "deeper/1"),
        ("both(a)", "both/1"),
        ("caught", "caught/0"),
        ("trailed(_)", "/"),
        ("squares(3)", "memory"),
        ("atoms(abc)", "memory"),
        ("facts(1)", "memory"),
    ] {
        let found = error(&mut session, goal);
        assert!(
            found.starts_with("error(resource_error(memory)") && found.contains(culprit),
            "{goal}: {found}"
        );
        if !goal.starts_with("atoms") && !goal.starts_with("facts") {
            assert_eq!(error(&mut session, "here"), "true", "after {goal}");
        }
    }
}

#[test]
fn failure_driven_loops_run_in_constant_memory() {
    let (mut session, _) = Session::captured("");
    session.load_text(
        "loops",
        "
        :- dynamic count/1.
        count(0).
        flagged(N) :- repeat, flag(k, X, X+1), X >= N, !.
        counted(N) :- repeat, retract(count(X)), Y is X+1, assertz(count(Y)), Y >= N, !.
        ",
    );
    session.machine.memory_limit = 16 << 20;
    for goal in ["flagged(300000)", "counted(100000)"] {
        assert_eq!(error(&mut session, goal), "true", "{goal}");
    }
}

#[test]
fn loops_without_calls_can_be_stopped() {
    let (mut session, _) = Session::captured("");
    session.load_text(
        "loops",
        "
        integers :- between(1, inf, X), X < 0.
        lengths :- length(_, _), fail.
        bag :- findall(X, between(1, inf, X), _).
        ",
    );
    session.machine.memory_limit = LIMIT;
    let bag = error(&mut session, "bag");
    assert!(bag.starts_with("error(resource_error(memory)"), "{bag}");
    for goal in ["integers", "lengths"] {
        session.machine.deadline =
            Some(std::time::Instant::now() + std::time::Duration::from_millis(200));
        assert_eq!(error(&mut session, goal), "Stopped(Time)");
    }
}

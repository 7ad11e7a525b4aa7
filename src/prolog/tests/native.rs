//! Machine code says what the loop says: goals with each, call by call.

use proptest::prelude::*;
use zug_machine::{Fault, NativeCode};
use zug_prolog::Session;

const FEW: usize = 12;

/// Answers of a goal, then how it ends.
fn told(session: &mut Session, goal: &str) -> Vec<String> {
    let mut told = Vec::new();
    let mut query = session.query(goal).expect("it reads");
    loop {
        match session.next(&mut query) {
            Ok(true) => told.push(session.answer(&query)),
            Ok(false) => break,
            Err(fault) => {
                told.push(describe(session, &fault));
                break;
            }
        }
        if !session.has_more(&query) || told.len() == FEW {
            break;
        }
    }
    session.close(query);
    told
}

fn describe(session: &Session, fault: &Fault) -> String {
    session.describe(fault).message
}

fn session(program: &str, code: NativeCode, nursery: Option<usize>) -> Session {
    let mut session = Session::new();
    session.machine.set_native_code(code);
    if let Some(cells) = nursery {
        session.machine.set_nursery(cells);
    }
    session.load_text("rules", program);
    session
}

/// Asks goals one after the other in both ways.
fn compare(program: &str, goals: &[&str]) {
    for nursery in [None, Some(64)] {
        let mut by_loop = session(program, NativeCode::Never, nursery);
        let mut native = session(program, NativeCode::Always, nursery);
        // Twice: functions for the places in clauses are made when they are reached.
        for goal in goals.iter().chain(goals) {
            assert_eq!(told(&mut native, goal), told(&mut by_loop, goal), "{goal}");
        }
        let (calls, own) = (by_loop.machine.inferences(), native.machine.inferences());
        assert_eq!(own, calls, "inferences");
    }
}

/// Files have a program, then goals.
#[test]
fn programs_of_files() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/native"));
    let paths = folder.expect("the folder").map(|entry| entry.expect("a file").path());
    std::thread::scope(|scope| {
        for path in paths {
            scope.spawn(move || {
                let text = std::fs::read_to_string(&path).expect("a program");
                let (program, goals) = text.split_once("\n?- ").expect("goals");
                compare(program, &goals.trim_end().split("\n?- ").collect::<Vec<_>>());
            });
        }
    });
}

#[test]
fn definitions_that_change_take_their_machine_code_with_them() {
    let mut session = session("p(1). p(2). q(X) :- p(X), r(X). r(_).", NativeCode::Always, None);
    for _ in 0..3 {
        assert_eq!(told(&mut session, "q(X)"), ["X = 1", "X = 2"]);
    }
    session.load_text("more", "p(3). r(3).");
    for _ in 0..3 {
        assert_eq!(told(&mut session, "q(X)"), ["X = 3"]);
    }
    assert_eq!(told(&mut session, "abolish(r/1)").len(), 1);
}

/// A clause of a small program: a head with arguments of some kind, and a body.
fn clause() -> impl Strategy<Value = String> {
    let arguments = "X Y Z _ 0 1 2 a [] [X|Y] [a,X|Z] f(X) f(Y,[X]) g(f(Z),X)";
    let argument = prop::sample::select(arguments.split(' ').collect::<Vec<_>>());
    let goal = prop::sample::select(vec![
        "!",
        "X = Y",
        "Z = f(X)",
        "Y == a",
        "var(X)",
        "atomic(Y)",
        "integer(X), X > 0",
        "integer(X), Z is X-1",
        "( X == a -> Y = b ; Y = c )",
        "\\+ X = f(_)",
        "q(X, Z)",
        "p(Z, Y)",
        "arg(1, Y, Z)",
        "functor(X, Y, Z)",
        "call(q, X, Z)",
        "( q(X, Z), Z \\== a -> true ; Y = Z )",
        "findall(A, q(A, X), Y)",
    ]);
    let head = (prop_oneof![Just("p"), Just("q")], argument.clone(), argument);
    (head, prop::collection::vec(goal, 0..3)).prop_map(|((name, first, second), goals)| {
        let head = format!("{name}({first}, {second})");
        match goals.as_slice() {
            [] => format!("{head}."),
            goals => format!("{head} :- {}.", goals.join(", ")),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Of random programs both ways have the same answers, faults and stops.
    #[test]
    fn random_programs(clauses in prop::collection::vec(clause(), 1..14), rules in any::<bool>()) {
        let facts = ["p(none, none).".to_owned(), "q(none, none).".to_owned()];
        let clauses = clauses.iter().chain(&facts).map(|clause| match rules {
            true if clause.contains(":-") => clause.replace(":-", "=>"),
            true => clause.trim_end_matches('.').to_owned() + " => true.",
            false => clause.clone(),
        });
        let clauses: Vec<String> = clauses.collect();
        let program = format!(":- discontiguous p/2, q/2.\n:- dynamic never/0.\n{}\n", clauses.join("\n"));
        let goals = [
            "p(X, Y)", "p(a, Y)", "p(X, [1,a])", "p(f(1), Y)", "p(1, Y)", "q([a,b], Y)", "q(X, X)", "p([a|T], f(T))",
        ];
        let limited: Vec<String> = goals
            .iter()
            // All answers at once: code leaves fewer choice points, and each answer that may be the last is counted.
            .map(|goal| format!("call_with_inference_limit(findall(v(X,Y,T), {goal}, L), 3000, _)"))
            .collect();
        let limited: Vec<&str> = limited.iter().map(String::as_str).collect();
        compare(&program, &limited);
    }
}

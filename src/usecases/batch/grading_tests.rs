//! Grading: expectations in files, beside them, and of a teacher's.

use super::tests::{Folder, request, run};
use super::*;

fn grade(name: &str, files: &[(&str, &str)], queries: bool) -> Group {
    let folder = Folder::new(name, files);
    let request = BatchRequest { expect: Some(Grading::Own), queries, ..request() };
    let (mut groups, _) = run(&request, &folder.inputs());
    groups.remove(0)
}

/// What was expected and did not come: `expectation <- what came`.
fn missed(group: &Group) -> Vec<String> {
    let missed = group.file.expected.iter().filter(|judged| !judged.passed);
    missed.map(|judged| format!("{} <- {}", judged.expected, judged.came)).collect()
}

const STEPS: &str = "initial_state(near, 2). initial_state(far, 9). initial_state(never, -1).
    final_state(0). rule(down, 1, S, T) :- S > 0, T is S - 1.\n";

#[test]
fn of_plans() {
    let right = ":- expect(cost(2)).
        :- expect(near, solved). :- expect(near, cost(2.0)). :- expect(near, plan([down,down])).
        :- expect(far, moves(9), points(3)). :- expect(never, unsolvable). :- expect(2, cost(9)).\n";
    let group = grade("right", &[("a.pl", &format!("{STEPS}{right}"))], false);
    assert_eq!(missed(&group), [""; 0]);
    assert_eq!(group.file.outcome, Outcome::Passed);
    assert_eq!((group.file.points, group.file.points_of), (Some(9.into()), Some(9.into())));
    let wrong = ":- expect(near, cost(3)). :- expect(near, plan([down])). :- expect(never, solved).
        :- expect(nobody, solved, points(0.5)). :- expect(far, value(0)).\n";
    let group = grade("wrong", &[("a.pl", &format!("{STEPS}{wrong}"))], false);
    let expected = [
        "cost(3) <- 2",
        "plan([down]) <- [down,down]",
        "solved <- exhausted",
        "solved <- there is none of this name",
        "value(0) <- solved",
    ];
    assert_eq!(missed(&group), expected);
    assert_eq!(group.file.outcome, Outcome::Failed);
    assert_eq!(group.file.points_of.as_ref().and_then(serde_json::Number::as_f64), Some(4.5));
}

#[test]
fn of_games_and_queries() {
    let game = "initial_state(6). initial_player(a). opponent(a, b). opponent(b, a).
        move(_, take(N), S, T) :- between(1, 3, N), N =< S, T is S - N.
        terminal(_, 0). utility(_, 0, -1).
        :- expect(value(1)). :- expect(best(take(2))). :- expect(best(take(1))).\n";
    assert_eq!(missed(&grade("game", &[("a.pl", game)], false)), ["best(take(1)) <- take(2)"]);
    let queries = "p(1). p(2). q(X, X).
        ?- p(X). ?- p(3). ?- X is foo + 1. ?- q(A, B). ?- atom_length(X, Y). ?- true.
        :- expect(p(_), answers([1, 2])). :- expect(1, true). :- expect(p(3), false).
        :- expect(3, error(type_error(evaluable, foo/0))). :- expect(4, answers([[V, V]])).
        :- expect(4, answers([[_, _]])). :- expect(5, error(instantiation_error)).
        :- expect(5, error(type_error(_, _))). :- expect(6, answers([true])).\n";
    let missed = missed(&grade("asked", &[("a.pl", queries)], true));
    assert_eq!(missed.len(), 2, "{missed:?}");
    assert!(missed[0].starts_with("answers([[_"), "{missed:?}");
    assert!(missed[1].starts_with("error(type_error("), "{missed:?}");
}

#[test]
fn beside_the_file() {
    let expect = "% with an operator of its own\n:- op(700, xfx, gives).\nexpect(near, cost(2)).
        :- expect(far, plan([a gives b])).\n";
    let group = grade("beside", &[("a.pl", STEPS), ("a.expect", expect)], false);
    assert_eq!(group.file.expected.len(), 2);
    assert!(group.file.expected[0].passed && !group.file.expected[1].passed);
    let group =
        grade("unread", &[("a.pl", STEPS), ("a.expect", "expect(near, cots(2)).\nfoo.\n")], false);
    assert_eq!(group.file.outcome, Outcome::Faults);
    assert_eq!(group.file.errors.len(), 2, "{:?}", group.file.errors);
    assert!(group.file.errors[0].contains("a.expect:1:1: "), "{:?}", group.file.errors);
}

#[test]
fn a_teacher_is_not_overruled() {
    let cheat = ":- op(200, xfy, cost). expect(_, _). :- expect(near, cost(1000)).\n";
    let folder =
        Folder::new("teacher", &[("hw/a.pl", &format!("{STEPS}{cheat}")), ("hw/b.pl", "p(")]);
    folder.write("hw/a.expect", "expect(near, cost(1000)).\n");
    folder.write("key/a.expect", "expect(near, cost(2)).\nexpect(far, cost(1)).\n");
    folder.write("key/b.expect", "expect(solved).\n");
    folder.write("one.expect", "expect(never, unsolvable).\n");
    let inputs = inputs(&[folder.path("hw")], &mut std::io::empty()).expect("files");
    let grade = |from: &str| {
        let expect = Some(Grading::From(folder.path(from)));
        run(&BatchRequest { expect, ..request() }, &inputs)
    };
    let (groups, report) = grade("key");
    assert_eq!(missed(&groups[0]), ["cost(1) <- 9"]);
    assert_eq!(groups[1].file.outcome, Outcome::Failed);
    assert_eq!((report.end.points, report.end.points_of), (Some(1.into()), Some(3.into())));
    assert_eq!(report.end.exit, 1);
    let (groups, _) = grade("one.expect");
    assert_eq!(groups[0].file.outcome, Outcome::Passed);
}

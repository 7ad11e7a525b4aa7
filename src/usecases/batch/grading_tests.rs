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
        "solved <- nothing: the file has no such instance",
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
fn answers_are_all_or_none() {
    let folder = Folder::new(
        "cut",
        &[
            ("a.pl", "?- member(X, [1, 2, 3]). :- expect(answers([1])).\n"),
            ("b.pl", "?- member(X, [1, 2, 3]). :- expect(answers([1, 2, 3])).\n"),
            ("c.pl", "p(1). p(2). p(a) :- fail. ?- p(X). :- expect(answers([1, 2])).\n"),
        ],
    );
    let grade = |answers: usize, kept_output: usize| {
        let expect = Some(Grading::Own);
        let request = BatchRequest { expect, answers, kept_output, ..request() };
        run(&request, &folder.inputs()).0.iter().map(missed).collect::<Vec<_>>()
    };
    let cut = "answers([1]) <- [1] and more".to_owned();
    let all = "answers([1]) <- [1,2,3]".to_owned();
    let none = Vec::new();
    assert_eq!(grade(1, 1000)[0], [cut]);
    // What is shown of answers doesn't matter.
    assert_eq!(grade(100, 1), [vec![all], none.clone(), none.clone()]);
    assert_eq!(grade(2, 1000)[2], none);
}

#[test]
fn what_is_expected_is_run() {
    let all = "?- X = 1. ?- fail.
        :- begin_tests(u). test(a) :- true. test(b) :- fail. :- end_tests(u).
        :- expect(far, cost(9)). :- expect(answers([1])). :- expect(2, false).
        :- expect(u:a, passed). :- expect(u:b, failed). :- expect(2, failed).\n";
    let group = grade("all", &[("a.pl", &format!("{STEPS}{all}"))], false);
    assert_eq!(missed(&group), [""; 0]);
    let numbers: Vec<usize> = group.results.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7]);
    // Nothing but what is asked for.
    let some = "?- repeat, fail. :- expect(near, cost(2)).\n";
    let group = grade("some", &[("a.pl", &format!("{STEPS}{some}"))], false);
    assert_eq!((group.file.outcome, group.results.len()), (Outcome::Passed, 3));
    let none = "p. :- expect(answers([1])). :- expect(cost(1)). :- expect(passed).\n";
    assert_eq!(
        missed(&grade("none", &[("a.pl", none)], false)),
        ["answers([1]) <- program", "cost(1) <- program", "passed <- program"]
    );
}

#[test]
fn loads_that_end_early() {
    let loads = [
        (":- expect(stopped(inferences)).\n:- repeat, fail.", "stopped(inferences)"),
        (":- expect(faults).\np(.\n:- repeat, fail.", "faults"),
        (":- expect(faults).\n:- throw('out of memory').", "faults"),
        (":- expect(stopped(memory)).\n:- length(L, 100000000).", "stopped(memory)"),
        (":- expect(faults).\n:- length(L, 100000000).\n:- throw(a).", "faults"),
        (":- expect(halted).\np(.\n:- halt.", "halted"),
    ];
    for (at, (text, what)) in loads.into_iter().enumerate() {
        let folder = Folder::new(&format!("early{at}"), &[("a.pl", text)]);
        let expect = Some(Grading::Own);
        let request = BatchRequest { expect, inferences: Some(100_000), ..request() };
        let (groups, _) = run(&request, &folder.inputs());
        assert_eq!(missed(&groups[0]), [""; 0], "{what}: {:?}", groups[0].file);
        assert_eq!(groups[0].file.outcome, Outcome::Passed, "{what}");
    }
}

#[test]
fn tests_beside_a_file_in_the_sandbox() {
    let tests = ":- begin_tests(u). test(a) :- p(1). :- end_tests(u).\n";
    let files =
        [("a.pl", "p(1).\n:- load_test_files([]).\n:- expect(u:a, passed).\n"), ("a.plt", tests)];
    let group = grade("plt", &files, false);
    assert_eq!((missed(&group), group.file.outcome), (Vec::new(), Outcome::Passed));
    assert_eq!(group.file.loaded.len(), 1);
}

#[test]
fn limits_are_for_each_test() {
    let text = "spin(0). spin(N) :- N > 0, M is N - 1, spin(M).
        :- begin_tests(u). test(a) :- spin(2000). test(b) :- spin(2000). test(c) :- spin(100000).
        test(d) :- repeat, write(text), fail. test(e) :- length(_, 100000000). :- end_tests(u).\n";
    let folder = Folder::new("each", &[("a.pl", text)]);
    let request =
        BatchRequest { queries: true, inferences: Some(20_000), output: 5000, ..request() };
    let (groups, _) = run(&request, &folder.inputs());
    let ends: Vec<(Outcome, Option<&str>)> =
        groups[0].results.iter().map(|line| (line.outcome, line.reason.as_deref())).collect();
    let stopped = |reason| (Outcome::Stopped, Some(reason));
    let passed = (Outcome::Passed, None);
    let expected = [passed, passed, stopped("inferences"), stopped("output"), stopped("memory")];
    assert_eq!(ends, expected);
    assert_eq!(groups[0].file.errors, [""; 0]);
}

#[test]
fn a_test_takes_no_more_time_than_all_may() {
    let text = ":- begin_tests(u). test(a, timeout(3600)) :- repeat, fail. :- end_tests(u).\n";
    let folder = Folder::new("hour", &[("a.pl", text)]);
    let time = Some(Duration::from_millis(50));
    let (groups, _) = run(&BatchRequest { queries: true, time, ..request() }, &folder.inputs());
    assert_eq!(groups[0].results[0].reason.as_deref(), Some("time"));
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
    assert_eq!(group.file.outcome, Outcome::Usage);
    assert_eq!(group.file.errors.len(), 2, "{:?}", group.file.errors);
    assert!(group.file.errors[0].contains("a.expect:1:1: "), "{:?}", group.file.errors);
    let advice = "`cots(2)` is not a valid expectation; did you mean `cost(C)`?";
    assert!(group.file.errors[0].ends_with(advice), "{:?}", group.file.errors);
}

#[test]
fn names_of_variables_stay() {
    let own = "p(a, b). ?- p(a, Y). :- expect(p(a, Who), answers([c])).\n";
    let beside = "expect(p(_, Who), true).\n";
    let group = grade("names", &[("a.pl", own), ("a.expect", beside)], true);
    let named: Vec<_> = group.file.expected.iter().map(|one| one.instance.as_deref()).collect();
    assert_eq!(named, [Some("p(_,Who)"), Some("p(a,Who)")]);
}

#[test]
fn what_can_be_expected_is_said() {
    let group = grade("said", &[("a.pl", "p.\n:- expect(frobnicate(3)).\n")], true);
    let error = group.file.errors.concat();
    let all = "is not a valid expectation, in expect/1 [E0301] (what can be expected: solved, ";
    assert!(error.contains(all), "{error}");
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

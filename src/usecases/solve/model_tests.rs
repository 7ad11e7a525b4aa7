//! Models: solutions, best values, limits.

use super::{ModelReport, SolveRequest, Wanted, solve};
use crate::exit::Exit;
use crate::{Failure, choose_instances};
use zug_domain::Contract;
use zug_domain::model::Labelling;
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_report::{Outcome, StopReason};
use zug_search::Limits;

const LIBRARY: &str = ":- use_module(library(clpfd)).\n";

fn session(text: &str) -> Session {
    let (mut session, _) = zug_tools::language::captured("");
    let found = session.load_text("model.pl", &format!("{LIBRARY}{text}"));
    assert!(!found.iter().any(zug_term::diagnostic::Diagnostic::is_error), "{found:?}");
    session
}

fn solved(text: &str, request: &SolveRequest) -> (Session, Result<ModelReport, Failure>) {
    let mut session = session(text);
    let ended = solve(&mut session, request, None, &mut |_, _| true);
    let report = ended.map(|report| report.results[0].model().expect("a model").clone());
    (session, report)
}

fn all(text: &str) -> (Session, ModelReport) {
    let request = SolveRequest { wanted: Wanted::Solutions(100), ..SolveRequest::default() };
    let (session, report) = solved(text, &request);
    (session, report.expect("it is solved"))
}

fn lists(session: &Session, report: &ModelReport) -> Vec<String> {
    let (m, w) = (&session.machine, &session.world);
    report.found.solutions.iter().map(|one| term_text(m, w, &one.list)).collect()
}

#[test]
fn a_solution_counts_once_however_often_the_model_gives_it() {
    let (session, report) = all("model([x=X]) :- X in 1..3, member(Y, [1,2,3]), X #>= Y.");
    assert_eq!(lists(&session, &report), ["[x=1]", "[x=2]", "[x=3]"]);
    assert!(report.found.complete);
}

#[test]
fn variables_that_are_not_in_the_list_must_have_values() {
    // Each pair is different, which propagators of two variables do not find to be impossible.
    let text = "model([x=X]) :- X in 1..3, [A,B,C] ins 0..1, A #\\= B, B #\\= C, A #\\= C.";
    let (_, report) = all(text);
    assert_eq!(report.found.outcome, Outcome::Exhausted);
    assert_eq!(report.exit(), Exit::Failure);
    let (session, report) = all("model([x=X]) :- X in 0..9, Y in 2..3, X #= Y*Y.");
    assert_eq!(lists(&session, &report), ["[x=4]", "[x=9]"]);
}

#[test]
fn the_best_value_is_that_of_all_tried_values() {
    let model = "model([x=X, y=Y]) :- [X,Y] ins 0..9, X + 2*Y #=< 13, X #\\= Y.\n";
    for (objective, expected) in [("max(X*Y)", 21), ("min(X - Y)", -6), ("max(X - Y*Y)", 9)] {
        let text = format!("{model}objective([x=X, y=Y], {objective}).");
        for labels in [["ff", "up", "step"], ["max", "down", "bisect"], ["ffc", "up", "enum"]] {
            let [selection, order, choice] = labels;
            let labelling = Labelling { selection, order, choice };
            let request = SolveRequest { labelling, ..SolveRequest::default() };
            let (session, report) = solved(&text, &request);
            let found = report.expect("it is solved").found;
            let value = found.value.expect("a value");
            let value = term_text(&session.machine, &session.world, &value);
            assert_eq!(value, expected.to_string(), "{objective} {labels:?}");
            assert_eq!((found.optimal, found.outcome), (Some(true), Outcome::Solved));
        }
    }
}

#[test]
fn an_objective_of_variables_that_are_not_in_the_list_is_the_best_one_there_is() {
    let text = "model([x=X]) :- X in 1..3.\nobjective([x=X], max(X + Z)) :- Z in 4..6, Z #\\= 6.";
    let (session, report) = all(text);
    let value = report.found.value.as_ref().expect("a value");
    assert_eq!(term_text(&session.machine, &session.world, value), "8");
    assert_eq!(lists(&session, &report), ["[x=3]"]);
}

#[test]
fn all_best_solutions_of_several_answers_of_a_model() {
    let text = "model([x=X, y=Y]) :- member(L, [1,2]), [X,Y] ins L..4, X #< Y.\n\
                objective([x=X, y=Y], max(Y)).";
    let (session, report) = all(text);
    assert_eq!(lists(&session, &report), ["[x=1,y=4]", "[x=2,y=4]", "[x=3,y=4]"]);
    assert_eq!((report.found.count, report.found.optimal), (3, Some(true)));
}

#[test]
fn whether_a_solution_is_the_only_one() {
    let unique = |text: &str| {
        let request = SolveRequest { wanted: Wanted::Unique, ..SolveRequest::default() };
        let report = solved(text, &request).1.expect("it is solved");
        (report.found.unique, report.exit())
    };
    assert_eq!(unique("model([x=X]) :- X in 1..3, X #> 2."), (Some(true), Exit::Success));
    assert_eq!(unique("model([x=X]) :- X in 1..3."), (Some(false), Exit::Failure));
    assert_eq!(unique("model([x=X]) :- X in 1..3, X #> 3."), (None, Exit::Failure));
}

#[test]
fn a_limit_leaves_what_was_found() {
    let text =
        "model([x=X, y=Y]) :- [X,Y] ins 0..99, X #\\= Y.\nobjective([x=X, y=Y], max(X + Y)).";
    let limits = Limits { nodes: Some(50), ..Limits::none() };
    let request = SolveRequest { limits, ..SolveRequest::default() };
    let report = solved(text, &request).1.expect("a report");
    assert_eq!(report.found.outcome, Outcome::Stopped(StopReason::Nodes));
    assert_eq!((report.found.optimal, report.exit()), (None, Exit::Limit));
    assert!(report.found.value.is_some());
    assert_eq!(report.found.stats.nodes, 50);
}

#[test]
fn variables_without_bounds_are_named() {
    let (_, report) =
        solved("model([x=X, q=[Y,Z]]) :- X in 1..3, Z in 1..2, Y #> X.", &SolveRequest::default());
    let failure = report.expect_err("Y has no bounds");
    assert!(failure.to_string().contains("q[1]"), "{failure}");
    assert_eq!(failure.exit(), Exit::Rules);
    let (_, report) =
        solved("model([x=X]) :- X in 1..3, Y #> Z, Z #> X.", &SolveRequest::default());
    assert!(report.expect_err("Y has no bounds").to_string().contains("not in the model's list"));
}

#[test]
fn names_of_models_are_known_though_they_have_no_solution() {
    let mut session = session("model(N, [x=X]) :- member(N, [one,two]), X in 1..2, X #> 2.");
    let contract = Contract::of(&session.machine);
    let names: Vec<String> = choose_instances(&mut session, &contract, None)
        .expect("there are some")
        .into_iter()
        .map(|named| named.name)
        .collect();
    assert_eq!(names, ["one", "two"]);
}

#[test]
fn rule_files_that_are_models_have_the_solutions_that_are_known() {
    let count = |file: &str, instance: Option<&str>| {
        let (mut session, _) = zug_tools::language::captured("");
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(file);
        session.load_file(&path).expect("it loads");
        let request = SolveRequest {
            instance: instance.map(str::to_owned),
            wanted: Wanted::Solutions(0),
            ..SolveRequest::default()
        };
        let report = solve(&mut session, &request, None, &mut |_, _| true).expect("it is solved");
        let found = &report.results[0].model().expect("a model").found;
        let value = found.value.as_ref();
        let value = value.map(|value| term_text(&session.machine, &session.world, value));
        (found.count, value.unwrap_or_default())
    };
    let plain = |count| (count, String::new());
    assert_eq!(count("send_more.pl", None), plain(1));
    for name in ["easy", "few", "hard"] {
        assert_eq!(count("sudoku.pl", Some(name)), plain(1), "{name}");
    }
    assert_eq!(count("queens_model.pl", Some("8")), plain(92));
    assert_eq!(count("queens_model.pl", Some("6")), plain(4));
    assert_eq!(count("queens_model.pl", Some("3")), plain(0));
    assert_eq!(count("magic_square.pl", Some("3")), plain(8));
    for name in ["heart", "cup"] {
        assert_eq!(count("nonogram.pl", Some(name)), plain(1), "{name}");
    }
    for (name, solutions) in [("both", 1), ("either", 1), ("three", 1), ("liar", 0)] {
        assert_eq!(count("knights_and_knaves.pl", Some(name)), plain(solutions), "{name}");
    }
    // Golomb rulers and their number up to turning: 0 1 4 6; 0 1 4 9 11, 0 2 7 8 11; four of 17.
    assert_eq!(count("golomb.pl", Some("4")), (1, "6".to_owned()));
    assert_eq!(count("golomb.pl", Some("5")), (2, "11".to_owned()));
    assert_eq!(count("golomb.pl", Some("6")), (4, "17".to_owned()));
    assert_eq!(count("job_shop.pl", None).1, "11");
}

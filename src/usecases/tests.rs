//! The shipped puzzles: facts known from the literature and from counting.

use super::enumerate::{EnumerateRequest, enumerate};
use super::exit::{CommandResult, Exit};
use super::solve::{Found, SolveReport, SolveRequest};
use super::*;
use std::path::PathBuf;
use zug_domain::DomainKind;
use zug_report::{Number, Outcome, StopReason};
use zug_search::Limits;

fn rules(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(name)
}

fn request(file: &str) -> SolveRequest {
    SolveRequest { file: rules(file), every: true, ..SolveRequest::default() }
}

fn solve(session: &mut Session, request: &SolveRequest) -> Result<SolveReport, Failure> {
    load(session, &request.file)?;
    super::solve::solve(session, request, None, &mut |_, _| true)
}

/// Solves; instance, outcome, cost and optimality of each.
#[track_caller]
fn check(request: &SolveRequest, expected: &[(&str, &str, Option<i64>)], exit: Exit) {
    let (mut session, _) = zug_tools::language::captured("");
    let report = solve(&mut session, request).expect("it solves");
    let line = |found: &Found| {
        let r = found.plan().expect("a puzzle");
        let (found, outcome) = (&r.found, r.found.outcome());
        let solved = outcome == Outcome::Solved;
        assert_eq!(solved, found.ending.is_proved_optimal(), "{}", r.instance);
        let cost = found.cost.as_ref().map(|cost| match cost {
            Number::Int(cost) => *cost,
            other => panic!("{other:?}"),
        });
        (r.instance.clone(), outcome.name(), cost)
    };
    let found: Vec<_> = report.results.iter().map(line).collect();
    let expected: Vec<_> = expected.iter().map(|&(i, o, c)| (i.to_owned(), o, c)).collect();
    assert_eq!(found, expected);
    assert_eq!(report.exit(), exit);
}

const TAQUIN: &[(&str, &str, Option<i64>)] = &[
    ("five", "solved", Some(5)),
    ("two", "solved", Some(2)),
    ("ten", "solved", Some(10)),
    ("twenty", "solved", Some(20)),
    ("thirty", "solved", Some(30)),
    ("odd", "exhausted", None),
];

#[test]
fn taquin_by_both_heuristics() {
    check(&request("taquin.pl"), TAQUIN, Exit::Failure);
    let misplaced = SolveRequest { heuristic: Some("misplaced".into()), ..request("taquin.pl") };
    check(&misplaced, TAQUIN, Exit::Failure);
}

#[test]
fn without_a_name_the_first_instance() {
    let first = SolveRequest { every: false, ..request("taquin.pl") };
    check(&first, &TAQUIN[..1], Exit::Success);
}

#[test]
fn one_instance_by_any_engine() {
    for engine in ["ucs", "bfs", "iddfs", "idastar", "astar"] {
        let request = SolveRequest {
            engine: Some(engine.into()),
            instance: Some("ten".into()),
            ..request("taquin.pl")
        };
        check(&request, &[("ten", "solved", Some(10))], Exit::Success);
    }
}

#[test]
fn the_other_puzzles() {
    check(
        &request("wolf.pl"),
        &[("alcuin", "solved", Some(7)), ("late", "solved", Some(6))],
        Exit::Success,
    );
    let band = SolveRequest { instance: Some("band".into()), ..request("bridge.pl") };
    check(&band, &[("band", "solved", Some(17))], Exit::Success);
    let frogs = SolveRequest { instance: Some("three".into()), ..request("frogs.pl") };
    check(&frogs, &[("three", "solved", Some(15))], Exit::Success);
    let hanoi = SolveRequest { instance: Some("five".into()), ..request("hanoi.pl") };
    check(&hanoi, &[("five", "solved", Some(31))], Exit::Success);
}

#[test]
fn a_limit_is_told_from_no_solution() {
    let limits = Limits { nodes: Some(100), ..Limits::none() };
    let request = SolveRequest { instance: Some("odd".into()), limits, ..request("taquin.pl") };
    let (mut session, _) = zug_tools::language::captured("");
    let report = solve(&mut session, &request).expect("it runs");
    let odd = report.results[0].plan().expect("a puzzle");
    assert_eq!(odd.found.outcome(), Outcome::Stopped(StopReason::Nodes));
    assert_eq!(report.exit(), Exit::Limit);
    let json = serde_json::to_value(odd.record(&session)).expect("JSON");
    for key in ["file", "engine", "instance", "outcome", "reason", "optimal", "cost", "path"] {
        assert!(json.get(key).is_some(), "{key}");
    }
    for key in
        ["expanded", "generated", "reopened", "peak_open", "elapsed_seconds", "peak_memory_bytes"]
    {
        assert!(json["stats"].get(key).is_some(), "{key}");
    }
}

#[test]
fn wrong_names_are_told_with_the_right_ones() {
    let (mut session, _) = zug_tools::language::captured("");
    let mut fails = |request: SolveRequest| solve(&mut session, &request).expect_err("a failure");
    let failure = fails(SolveRequest { instance: Some("six".into()), ..request("taquin.pl") });
    assert!(matches!(&failure, Failure::NoSuchInstance(_, names) if names.len() == 6));
    let failure = fails(SolveRequest { heuristic: Some("h".into()), ..request("taquin.pl") });
    assert!(matches!(&failure, Failure::NoSuchHeuristic(_, names) if names.len() == 2));
    let failure = fails(SolveRequest { engine: Some("a".into()), ..request("taquin.pl") });
    assert!(matches!(failure, Failure::NoSuchEngine(_)));
    assert!(matches!(fails(request("nowhere.pl")), Failure::Unreadable(..)));
}

#[test]
fn the_whole_taquin_by_depth() {
    let (mut session, _) = zug_tools::language::captured("");
    let request = EnumerateRequest { file: rules("taquin.pl"), ..EnumerateRequest::default() };
    let report = enumerate(&mut session, &request, None).expect("it enumerates");
    assert_eq!((report.states.0, report.exit()), (181_440, Exit::Success));
    assert!(report.stats.peak_memory_bytes < 10 << 20);
}

#[test]
fn the_taquin_with_its_blank_in_a_corner() {
    let (mut session, _) = zug_tools::language::captured("");
    session.load_file(&rules("taquin.pl")).expect("it loads");
    let goal = "enumerate([[vide,a,b],[c,d,e],[f,g,h]], space(N, Ns, _, _))";
    let mut query = session.query(goal).expect("it reads");
    assert!(session.next(&mut query).expect("no error"));
    assert_eq!(
        session.answer(&query),
        "N = 181440, Ns = [1,2,4,8,16,20,39,62,116,152,286,396,748,1024,1893,2512,4485,5638,\
         9529,10878,16993,17110,23952,20224,24047,15578,14560,6274,3910,760,221,2]"
    );
    session.close(query);
}

#[test]
fn estimates_at_the_start() {
    let (mut session, _) = zug_tools::language::captured("");
    session.load_file(&rules("taquin.pl")).expect("it loads");
    let goal = "initial_state(five, S), heuristic(misplaced, S, H1), heuristic(manhattan, S, H2)";
    let mut query = session.query(goal).expect("it reads");
    assert!(session.next(&mut query).expect("no error"));
    assert!(session.answer(&query).ends_with("H1 = 4, H2 = 5"));
    session.close(query);
}

#[test]
fn shipped_rules_are_clean() {
    for entry in std::fs::read_dir(rules("")).expect("the folder") {
        let path = entry.expect("an entry").path();
        let (mut session, _) = zug_tools::language::captured("");
        let checked = super::check::check(&mut session, &path, true).expect("it loads");
        // How long a move takes is a matter of the machine.
        let slow = |f: &Diagnostic| f.code == "W0506";
        let notes = |f: &&Diagnostic| f.severity > zug_term::diagnostic::Severity::Note && !slow(f);
        assert_eq!(checked.findings.iter().find(notes), None, "{}", path.display());
        assert_ne!(checked.kind, DomainKind::Program, "{}", path.display());
        let puzzle = checked.kind == DomainKind::Puzzle;
        let at_once = matches!(checked.kind, DomainKind::Simultaneous | DomainKind::Model);
        assert!(at_once || !checked.instances.is_empty(), "{}", path.display());
        assert!(
            checked
                .engines
                .iter()
                .filter(|fit| puzzle || fit.engine == "solve_game")
                .all(|fit| fit.missing.is_empty() || checked.heuristics.is_empty() && puzzle)
        );
    }
}

/// A game in which play can go round, on 1 to 4: arithmetic in one move, if it is not `computed`.
fn street(computed: bool) -> String {
    let is = if computed { "is" } else { "=" };
    format!(
        "initial_state(s(1, 3)). initial_player(cop). opponent(cop, robber). opponent(robber, cop).
         move(cop, M, s(C, R), s(D, R)) :- step(M, C, D).
         move(robber, M, s(C, R), s(C, T)) :- step(M, R, T).
         step(stay, A, A).
         step(left, A, B) :- B {is} A - 1, B >= 1.
         step(right, A, B) :- B is A + 1, B =< 4.
         terminal(_, s(X, X)).
         utility(cop, s(X, X), 1). utility(robber, s(X, X), -1)."
    )
}

#[test]
fn a_game_that_goes_round_is_solved_in_the_time_that_is_given() {
    for time in [None, Some(std::time::Duration::from_secs(60))] {
        for computed in [true, false] {
            let (mut session, _) = zug_tools::language::captured("");
            assert!(session.load_text("street", &street(computed)).is_empty());
            let limits = Limits { time, ..Limits::none() };
            let request = SolveRequest { limits, ..SolveRequest::default() };
            let report = super::solve::solve(&mut session, &request, None, &mut |_, _| true);
            let report = report.expect("no error");
            let found = &report.results[0].value().expect("a game").found;
            assert_eq!(found.engine, "solve_game");
            assert_eq!(found.outcome, zug_report::GameOutcome::Solved);
            // What was found is told to rest on states that should be one.
            let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
            assert_eq!(codes, if computed { vec![] } else { vec!["W0516"] });
        }
    }
}

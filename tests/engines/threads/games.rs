//! Searches by several threads, of all rule files: what they find is what one thread finds, errors in rules and what
//! limits end among it.

use super::crews;
use crate::support::{files, full, sample, session};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use zug::SolveRequest;
use zug::usecases::Failure;
use zug::usecases::enumerate::{EnumerateRequest, enumerate_loaded};
use zug::usecases::record::TermData;
use zug_code::Specialise;
use zug_domain::{Contract, DomainKind};
use zug_prolog::session::Session;
use zug_search::Limits;
use zug_search::game::{Sampling, Storage};

/// Expansions of a search.
fn few() -> u64 {
    if full() { 50_000 } else { 2_000 }
}

/// There are at least so many games.
const FEWEST: usize = 35;

/// The rule files of games.
fn games() -> Vec<PathBuf> {
    let folders = ["rules", "tests/domains", "tests/domains/faulty", "tests/domains/corners"];
    let mut files = files(&folders);
    files.retain(|path| Contract::of(&session(path).machine).kind() == DomainKind::Game);
    assert!(files.len() >= FEWEST, "only {} games", files.len());
    sample(files)
}

/// Limits of a search by so many threads.
fn limits(threads: usize) -> Limits {
    Limits { nodes: Some(few()), threads: NonZeroUsize::new(threads), ..Limits::none() }
}

fn failed(failure: &Failure) -> String {
    match failure {
        Failure::Rule(raised) => format!("error: {}", raised.finding.message),
        other => format!("error: {other:?}"),
    }
}

/// Holds what several threads find in all games against what one does.
fn hold(find: impl Fn(&mut Session, usize) -> String) {
    let mut wrong = Vec::new();
    for (nth, path) in games().into_iter().enumerate() {
        let alone = find(&mut session(&path), 1);
        for threads in crews(nth) {
            let found = find(&mut session(&path), threads);
            if found != alone {
                let name = path.display();
                wrong.push(format!("{name}\n  by 1: {alone}\n  by {threads}: {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn spaces_of_games_are_the_same() {
    hold(|session, threads| {
        let request = EnumerateRequest { limits: limits(threads), ..EnumerateRequest::default() };
        match enumerate_loaded(session, &request, None) {
            Ok(report) => {
                let deepest: Vec<&TermData> = report.deepest.iter().collect();
                let stats = &report.stats;
                format!(
                    "{} {:?}: {:?}, {} without a move, {} and {} in {}, deepest {:?}",
                    report.outcome,
                    report.reason,
                    report.by_depth,
                    report.terminal.0,
                    stats.expanded,
                    stats.generated,
                    stats.max_depth,
                    deepest.iter().map(|state| &state.text).collect::<Vec<_>>(),
                )
            }
            Err(failure) => failed(&failure),
        }
    });
}

/// All that an engine says of a game.
fn said(session: &mut Session, engine: &str, request: SolveRequest) -> String {
    let request = SolveRequest { engine: Some(engine.to_owned()), ..request };
    let found = match zug::solve(session, &request) {
        Ok(report) => report.results[0].value().expect("a game").found.clone(),
        Err(failure) => return failed(&failure),
    };
    let text = |mv| TermData::text_of(session, mv);
    let tried: Vec<String> = found
        .tried
        .iter()
        .map(|tried| {
            let mean = tried.mean;
            format!("{} {} {mean} {:?}", text(&tried.mv), tried.visits, tried.outcomes)
        })
        .collect();
    let values: Vec<String> = found.values.iter().map(|worth| worth.value.to_string()).collect();
    let stats = &found.stats;
    format!(
        "{:?}, value {:?} {values:?} {:?} {:?} by {:?} {:?} in {:?}, {:?}, {:?}, {} nodes, {} states, {} deep, {} times, {:?}: {}",
        found.outcome,
        found.value.as_ref().map(ToString::to_string),
        found.error,
        found.proof,
        found.best.as_ref().map(text),
        found.certainty.exactness,
        found.distance,
        found.depth,
        found.utilities,
        stats.nodes,
        stats.states,
        stats.max_depth,
        stats.iterations,
        found.line.iter().map(text).collect::<Vec<_>>(),
        tried.join(", "),
    )
}

/// Plays at random of a search.
fn plays() -> u64 {
    if full() { 20_000 } else { 80 }
}

#[test]
fn plays_at_random_are_the_same() {
    hold(|session, threads| {
        let sampling = Sampling { playouts: Some(plays()), seed: 7, ..Sampling::default() };
        let limits = Limits { nodes: None, ..limits(threads) };
        said(session, "playouts", SolveRequest { limits, sampling, ..SolveRequest::default() })
    });
}

#[test]
fn plays_at_random_end_at_the_same_node() {
    hold(|session, threads| {
        let sampling = Sampling { cutoff: Some(20), ..Sampling::default() };
        let request = SolveRequest { limits: limits(threads), sampling, ..SolveRequest::default() };
        said(session, "playouts", request)
    });
}

#[test]
fn trees_grown_by_several_threads_are_the_same_again() {
    for (nth, path) in games().into_iter().enumerate() {
        let sampling = Sampling { playouts: Some(plays()), seed: 3, ..Sampling::default() };
        let request = |threads| {
            let limits = Limits { nodes: Some(20 * few()), ..limits(threads) };
            SolveRequest { limits, sampling: sampling.clone(), ..SolveRequest::default() }
        };
        for threads in crews(nth) {
            let mut both = [0, 1].map(|_| said(&mut session(&path), "mcts", request(threads)));
            both[1].truncate(400);
            both[0].truncate(400);
            assert_eq!(both[0], both[1], "{} by {threads}", path.display());
        }
    }
}

#[test]
fn solved_games_are_the_same() {
    for compact in [false, true] {
        hold(|session, threads| {
            let storage = Storage { compact };
            let request =
                SolveRequest { limits: limits(threads), storage, ..SolveRequest::default() };
            said(session, "solve_game", request)
        });
    }
}

#[test]
fn code_that_threads_have_in_common_says_what_the_machine_says() {
    hold(|session, threads| {
        if threads > 1 {
            // Every answer is held against the machine's, and what differs is an error.
            Specialise::CrossCheck.set(&mut session.world);
        }
        let playouts = Some(plays());
        let sampling = Sampling { playouts, seed: 5, ..Sampling::default() };
        let limits = Limits { nodes: Some(few() / 2), ..limits(threads) };
        let request = SolveRequest { limits, sampling, ..SolveRequest::default() };
        let solved = said(session, "solve_game", request.clone());
        let request =
            SolveRequest { limits: Limits { nodes: None, ..request.limits.clone() }, ..request };
        format!("{solved}\n{}", said(session, "playouts", request))
    });
}

/// Constants that come up late, at every move; what `Extra` does in some states.
fn late(extra: &str) -> String {
    format!(
        "initial_state(s(0, none)).
         initial_player(a).
         opponent(a, b).
         opponent(b, a).
         move(_, M, s(N, A), s(N1, B)) :-
             N < 9,
             ( N =:= 6, atom_length(A, 3) -> {extra} ; true ),
             member(M, [2, 3, 5]),
             N1 is N + 1,
             ( A == none -> X = 1 ; atom_concat(t, T, A), atom_number(T, X) ),
             Y is (X * M + N) mod 300,
             atom_number(Z, Y),
             atom_concat(t, Z, B).
         terminal(_, s(9, _)).
         utility(_, s(_, A), U) :- atom_concat(t, T, A), atom_number(T, X), U is X mod 5 - 2."
    )
}

/// What is found in a program by a search, and what its rules wrote.
fn found(program: &str, threads: usize, engine: &str) -> (String, usize) {
    let (mut session, written) = zug_tools::language::captured("");
    let findings = session.load_text("late.pl", program);
    assert!(findings.is_empty(), "{findings:?}");
    let sampling = Sampling { playouts: Some(200), ..Sampling::default() };
    let request = SolveRequest { limits: limits(threads), sampling, ..SolveRequest::default() };
    let text = said(&mut session, engine, request);
    session.world.streams.flush_standard().expect("it is kept");
    (text, written.take().len())
}

#[test]
fn late_constants_faults_and_output_are_those_of_one_thread() {
    for (extra, expected) in [("true", "value"), ("throw(oops)", "oops"), ("write(here)", "value")]
    {
        let program = late(extra);
        for engine in ["solve_game", "playouts", "mcts"] {
            let alone = found(&program, 1, engine);
            assert!(alone.0.contains(expected) || engine != "solve_game", "{}", alone.0);
            assert_eq!(alone.1 > 0, extra == "write(here)", "{engine}");
            let found = found(&program, 3, engine);
            if engine != "mcts" {
                assert_eq!(found, alone, "{extra}, {engine}");
            }
            assert_eq!(found.1 > 0, alone.1 > 0, "{extra}, {engine}");
        }
    }
}

/// Constants that come up late number moves anew in copies of the rules: what is known of moves is known by these numbers.
#[test]
fn probabilities_are_those_of_the_moves_whatever_their_numbers() {
    let program = "
        initial_state(s).
        initial_player(a).
        opponent(a, a).
        to_move(flip(_, _), chance) :- !.
        to_move(_, a).
        move(a, x, s, n(x, 0, z)).
        move(a, y, s, n(y, 0, z)).
        move(a, L, n(W, N, A), n(W, M, B)) :-
            N < 3,
            M is N + 1,
            member(L, [p, q, r, u, v, w, k, l]),
            atom_concat(A, L, B).
        move(a, go, n(W, 3, _), flip(W, e)).
        move(chance, h1, flip(x, _), end(1)).
        move(chance, t1, flip(x, _), end(0)).
        move(chance, h2, flip(y, _), end(1)).
        move(chance, t2, flip(y, _), end(0)).
        probability(h1, _, 9/10).
        probability(t1, _, 1/10).
        probability(h2, _, 1/10).
        probability(t2, _, 9/10).
        terminal(_, end(_)).
        utility(_, end(V), V).";
    let alone = found(program, 1, "playouts");
    for threads in 2..=4 {
        assert_eq!(found(program, threads, "playouts"), alone, "by {threads}");
    }
}

//! Claims about games whose rules are no functions of the state.

use super::{GameTask, find_game, initial_player};
use crate::tests::session;
use crate::{Contract, impurity, journal, take_journal};
use std::path::Path;
use zug_prolog::session::Session;
use zug_report::Exactness;
use zug_search::game::GameEngine;
use zug_term::Record;

/// A game of sticks. `more` stands behind the goals of its moves, `else` behind its clauses.
fn sticks(more: &str, clauses: &str) -> String {
    format!(
        "initial_state(6).\ninitial_player(a).\nopponent(a, b).\nopponent(b, a).\n\
         move(_, take(N), S, T) :- between(1, 3, N), N =< S, T is S - N{more}.\n\
         terminal(_, 0).\nutility(_, 0, -1).\n{clauses}"
    )
}

/// The start and who moves there.
fn start(session: &mut Session) -> (Option<Record>, Record) {
    let (m, w) = (&mut session.machine, &mut session.world);
    let contract = Contract::of(m);
    let player = initial_player(m, w).expect("a player");
    (player, crate::instances(m, w, &contract, 1).expect("a start").remove(0).state)
}

/// What an engine's claim rests on.
fn given(rules: &str, engine: GameEngine) -> Option<String> {
    let mut session = session(rules);
    let (player, start) = start(&mut session);
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = find_game(m, w, &GameTask::of(engine), player.as_ref(), &start, None);
    let found = found.expect("a value");
    assert!(found.certainty.exactness == Exactness::Exact || found.proof.is_some(), "{rules}");
    assert_eq!(
        found.certainty.is_exact(),
        found.certainty.given.is_none() && found.proof.is_none()
    );
    found.certainty.given
}

/// Goals of moves with the beginning of what the value rests on then.
const GOALS: &[(&str, &str)] = &[
    ("random(X), X >= 0", "`move/4` always gives the same answers; it calls `random/1`"),
    ("random_between(1, 6, _)", "`move/4` always"),
    ("random_member(_, [1, 2])", "`move/4` always"),
    ("X is random(10), X >= 0", "`move/4` always gives the same answers; it calls `is/2`"),
    ("X is random_float, X > 0", "`move/4` always"),
    ("X is cputime, X >= 0", "`move/4` always"),
    ("get_time(_)", "`move/4` always"),
    ("statistics(runtime, _)", "`move/4` always"),
    ("exists_file(x) -> true ; true", "`move/4` always"),
    ("assertz(seen(T)), seen(_)", "`move/4` always gives the same answers; it calls `assertz/1`"),
    ("nb_setval(k, T), nb_getval(l, _)", ""),
    ("nb_getval(k, _), nb_setval(k, T)", "`move/4` always"),
    ("flag(k, _, T)", "`move/4` always"),
    ("recordz(k, T), recorded(k, _)", "`move/4` always"),
    ("gensym(k, _)", "`move/4` always"),
    ("findall(X, random(X), _)", "`move/4` always"),
    ("maplist(random, [_, _])", "`move/4` always"),
    ("call(assertz, seen(T)), seen(_)", "`move/4` always"),
    ("foldl([_, A, B]>>(B is A + random(3)), [1], 0, _)", "`move/4` always"),
    ("phrase(drawn, [a])", "`move/4` always"),
    ("E = random(10), X is E, X >= 0", "the rules always give the same answers; a goal known only"),
    ("call(is, X, random(10)), X >= 0", "the rules always"),
    ("G = random(_), call(G)", "the rules always"),
    ("G =.. [random, _], G", "the rules always"),
    ("atom_concat(ran, dom, F), G =.. [F, _], call(G)", "the rules always"),
    ("G =.. [assertz, seen(T)], G, seen(_)", "the rules always"),
    ("apply_to(get_time)", "the rules always"),
    // Functions of the state.
    ("true", ""),
    ("b_setval(k, T), b_getval(k, _)", ""),
    ("nb_setval(k, T), nb_getval(k, _)", ""),
    ("time(true)", ""),
    ("format(\"~w\", [T])", ""),
    ("seen(0)", ""),
    ("twice(succ, 1)", ""),
    ("foldl([X, A, B]>>(B is A + X), [1], 0, _)", ""),
];

#[test]
fn values_rest_on_rules_that_draw_read_or_change() {
    let clauses = ":- dynamic seen/1.\nseen(0).\n:- nb_setval(k, 0), nb_setval(l, 0).\n\
         drawn --> [a], { random(_) }.\ntwice(P, X) :- call(P, X, _).\napply_to(P) :- call(P, _).\n";
    for (goal, expected) in GOALS {
        let found = given(&sticks(&format!(", ({goal})"), clauses), GameEngine::SolveGame);
        let found = found.unwrap_or_default();
        assert!(found.starts_with(expected), "{goal}: {found:?}");
        assert_eq!(found.is_empty(), expected.is_empty(), "{goal}: {found:?}");
    }
}

#[test]
fn all_predicates_that_engines_ask_count() {
    let impure = |from: &str, to: &str| {
        let rules = sticks("", "");
        assert!(rules.contains(from), "{from}");
        given(&rules.replace(from, to), GameEngine::SolveGame)
    };
    for (from, to) in [
        ("terminal(_, 0).", "terminal(_, 0) :- random(_)."),
        ("utility(_, 0, -1).", "utility(_, 0, -1) :- random(_)."),
        ("opponent(b, a).", "opponent(b, a) :- random(_)."),
        ("utility(_, 0, -1).", "utility(_, 0, -1).\nutility_bounds(-1, 1) :- random(_)."),
    ] {
        assert!(impure(from, to).is_some(), "{to}");
    }
    // A start that is drawn is the start of the whole search, and estimates are none of the value.
    let start = impure("initial_state(6).", "initial_state(S) :- random_between(5, 6, S).");
    assert_eq!(start, None);
    let estimate = "utility(_, 0, -1).\nheuristic(_, _, H) :- random(H).";
    assert_eq!(impure("utility(_, 0, -1).", estimate), None);
    // Without a utility they are.
    assert!(impure("utility(_, 0, -1).", "heuristic(_, 0, -1) :- random(_).").is_some());
}

#[test]
fn all_engines_say_on_what_their_claims_rest() {
    let engines = [
        GameEngine::SolveGame,
        GameEngine::Minimax,
        GameEngine::Negamax,
        GameEngine::Alphabeta,
        GameEngine::Maxn,
        GameEngine::Pns,
        GameEngine::Expectiminimax,
        GameEngine::Mcts,
    ];
    for engine in engines {
        assert!(given(&sticks(", random(_)", ""), engine).is_some(), "{engine:?}");
        assert_eq!(given(&sticks("", ""), engine), None, "{engine:?}");
    }
}

#[test]
fn answers_of_queries_have_their_conditions_noted() {
    let goals = [
        "winning(a, 6)",
        "losing(a, 4)",
        "\\+ drawn(a, 6)",
        "game_length(a, 6, _)",
        "strategy(a, 6, _)",
        "grundy(6, _)",
        "count_states(_)",
        "count_plays(_)",
        "best_move(a, 6, _)",
        "solve_game(a, 6, _)",
    ];
    for (rules, expected) in [(sticks(", random(_)", ""), 1), (sticks("", ""), 0)] {
        let mut session = session(&rules);
        for goal in goals {
            take_journal(&mut session.world);
            let mut query = session.query(goal).expect("a goal");
            assert_eq!(session.next(&mut query).ok(), Some(true), "{goal}");
            session.close(query);
            let noted = journal(&mut session.world).conditions_of_games().len();
            assert_eq!(noted, expected, "{goal}");
        }
    }
}

#[test]
fn no_shipped_rules_are_in_doubt() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = 0;
    for folder in ["rules", "tests/domains"] {
        let found = std::fs::read_dir(root.join(folder)).expect("a folder");
        for path in found.map(|entry| entry.expect("an entry").path()) {
            if path.extension().is_none_or(|end| end != "pl") {
                continue;
            }
            files += 1;
            let (mut session, _) = crate::language::captured("");
            session.load_text("rules", &std::fs::read_to_string(&path).expect("a file"));
            let (m, w) = (&mut session.machine, &mut session.world);
            let contract = Contract::of(m);
            for heuristic in
                std::iter::once(None).chain(contract.heuristics().into_iter().map(Some))
            {
                assert_eq!(impurity(m, w, &contract, heuristic), None, "{}", path.display());
            }
        }
    }
    assert!(files > 100);
}

//! Findings about small programs.

use super::*;

/// Checks a program; severity, code, place, message and hint of each finding.
#[track_caller]
fn check(text: &str, expected: &[&str]) -> FileCheck {
    let (mut session, _) = crate::language::captured("");
    let findings = session.load_text("rules.pl", text);
    let checked = program(&mut session, findings);
    let line = |finding: &Diagnostic| {
        let place = finding.primary.as_ref().map_or(String::from("-"), |label| {
            let position = label.source.position(label.span.start);
            format!("{}:{}", position.line, position.column)
        });
        let hint = finding.hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"));
        format!("{} {place} {}{hint}", finding.code, finding.message)
    };
    let found: Vec<String> = checked.findings.iter().map(line).collect();
    assert_eq!(found, expected);
    checked
}

#[test]
fn undefined_predicates_with_what_was_meant() {
    check(
        "p(X) :- q(X), lenght(X, 3).\nq(X) :- \\+ r(X), findall(Y, mebmer(Y, X), _).\n\
         r(X) :- maplist(s, X), maplist(p(1), X).",
        &[
            "W0501 1:15 no predicate `lenght/2` (did you mean `length/2`?)",
            "W0501 2:29 no predicate `mebmer/2` (did you mean `member/2`?)",
            "W0501 3:17 no predicate `s/1`",
            "W0501 3:32 no predicate `p/2` (did you mean `p/1`?)",
        ],
    );
}

#[test]
fn what_is_asserted_or_declared_is_there() {
    check(
        ":- dynamic(seen/1).\np(X) :- seen(X), count(N), assertz((late(N) :- true)), late(X).\n\
         q :- retractall(count(_)), assert(count(0)).",
        &[],
    );
}

#[test]
fn control_and_modules_are_no_calls() {
    check(
        "p(X) :- ( X = 1 -> true ; X == 2, ! ; fail ), call(X), X, system:append([], [], _).",
        &[],
    );
}

#[test]
fn own_versions_of_library_predicates() {
    check(
        "append([], L, L).",
        &[
            "N0601 1:1 `append/3` is the program's own and hides the library's (the library's can still be called as `system:append(...)`)",
        ],
    );
}

#[test]
fn contract_predicates_of_another_arity() {
    let checked = check(
        "initial_state(a).\nfinal_state(b).\nrule(go, a, b).",
        &[
            "W0502 3:1 zug never calls `rule/3` (engines call `rule(Name, Cost, S1, S2)`; the second argument is the cost of the move)",
        ],
    );
    assert_eq!(checked.kind, DomainKind::Program);
}

#[test]
fn a_puzzle_and_its_engines() {
    let checked = check("initial_state(a).\nfinal_state(b).\nrule(go, 1, a, b).", &[]);
    let applies =
        |name| checked.engines.iter().any(|fit| fit.engine == name && fit.missing.is_empty());
    assert!(applies("bfs") && applies("ucs") && !applies("astar"));
    assert_eq!(checked.defines, ["initial_state/1", "final_state/1", "rule/4"]);
}

#[test]
fn rules_are_tried_on_the_initial_state() {
    check(
        "initial_state(x).\nfinal_state(b).\nrule(go, 1, a, b).",
        &[
            "W0505 3:1 no move applies in the initial state `x` (`x` in the initial state stands nowhere else; the rules look for `a`, which is not in it)",
        ],
    );
    check(
        "initial_state(a).\nfinal_state(b).\nrule(go, -1, a, b).",
        &[
            "E0502 3:1 the cost of the move `go` in an answer of rule/4 is -1, less than zero, in state a (a cost is 0 or more)",
        ],
    );
    check(
        "initial_state(a).\nfinal_state(b).\nrule(go, 1, a, b).\nheuristic(X, H) :- H is X + 1.",
        &[
            "E0501 4:20 heuristic/2 raised an error: arithmetic: there is no function a/0, in (is)/2, in state a (only numbers and functions can stand in arithmetic)",
        ],
    );
    check(
        "initial_state(a).\nfinal_state(b).\nrule(go, 1, a, b).\nheuristic(X, H) :- heuristic(X, H).",
        &[
            "W0506 4:20 heuristic/2 is not done after millions of steps, in state a (left recursion: `heuristic/2` calls itself before anything else; `:- table heuristic/2.` ends the loop)",
        ],
    );
}

#[test]
fn a_trial_has_the_time_there_is() {
    let (mut session, _) = crate::language::captured("");
    let findings = session.load_text(
        "test",
        "initial_state(a).\nfinal_state(b).\nrule(go, 1, X, Y) :- path(X, Y).
         path(X, Y) :- path(X, Z), edge(Z, Y).\nedge(a, b).",
    );
    session.machine.set_memory_limit(4 << 30);
    zug_domain::set_asking_time(&mut session.world, Some(std::time::Duration::from_millis(20)));
    let findings = program(&mut session, findings).findings;
    let found = findings.iter().find(|finding| finding.code == "W0506").expect("it is slow");
    assert_eq!(found.message, "rule/4 takes longer than 20ms, in state a");
    assert!(
        found.hint.as_ref().is_some_and(|hint| hint.contains("`:- table path/2.`")),
        "{found:?}"
    );
}

#[test]
fn states_behind_the_first_are_tried_out() {
    let rules = "initial_state(5). final_state(0).\nrule(dec, 1, S, T) :- S > 0, T is S - 1.\n";
    check(
        &format!("{rules}heuristic(S, S) :- S > 2."),
        &["E0502 3:1 heuristic/2 has no answer, in state 2 (give an estimate for every state, \
           `inf` where no goal can be reached; a move leads from 3 to this state)"],
    );
    check(
        &format!("{rules}heuristic(S, S) :- ( S > 3 -> true ; repeat, fail )."),
        &[
            "W0506 3:38 heuristic/2 is not done after millions of steps, in state 3 (does it come to an end?; a move leads from 4 to this state)",
        ],
    );
    check(&format!("{rules}heuristic(S, S)."), &[]);
}

#[test]
fn libraries_that_are_not_there() {
    check(
        ":- use_module(library(clpr)).\n:- use_module([library(lists), library(dcg/basics)]).\n\
         :- use_module(library(asoc)).\np(X) :- {X > 1}.",
        &[
            "W0408 1:1 zug has no `library(clpr)` (zug has constraints over integers: \
             `:- use_module(library(clpfd)).`)",
            "W0408 3:1 zug has no `library(asoc)` (did you mean `library(assoc)`?)",
            "W0501 4:9 no predicate `{}/1` (zug has constraints over integers: \
             `:- use_module(library(clpfd)).`)",
        ],
    );
}

#[test]
fn slips_in_heads() {
    check(
        "f(a),\nf(b).\ng(X) : - f(X), f(X).",
        &[
            "E0307 1:1 a clause ends with a full stop, not with `,` (write `.` behind the first \
             clause; or `:-` if what follows are its conditions)",
            "E0307 3:1 `:-` is written without a space (write `:-` between head and body)",
        ],
    );
    check(
        "initial_state(Start) :- Start = _.\nfinal_state(a).\nrule(a, 1, b, c).",
        &["E0502 1:1 the state has no value in an answer of initial_state/1 (a word that begins \
             with a capital letter is a variable: write it small, or in quotes)"],
    );
}

#[test]
fn what_chance_deals_and_moves_do_not_look_at() {
    let rules = |first: &str, utility: &str| {
        format!(
            "initial_state(start).\ninitial_player(p1).\nopponent(p1, p2).\nopponent(p2, p1).\n\
             to_move(start, chance) :- !.\nto_move(s(_, _, []), p1) :- !.\nto_move(_, p2).\n\
             move(chance, deal(A, B), start, s(A, B, [])) :- member(A-B, [1-2, 2-1]).\n\
             {first}\nmove(p2, call, s(A, B, [_]), s(A, B, [call, bet])).\n\
             probability(_, _, 1/2).\nterminal(_, s(_, _, [_, _])).\n{utility}"
        )
    };
    let unread = "move(p1, bet, s(A, B, []), s(A, B, [bet])).";
    let applied = "move(p1, bet, S, T) :- S = s(A, B, []), T = s(A, B, [bet]).";
    let reads = "move(p1, bet(A), s(A, B, []), s(A, B, [bet])).";
    let compares = "utility(p1, s(A, B, _), U) :- U is sign(A - B).\nutility(p2, s(A, B, _), U) :- U is sign(B - A).";
    let plain = "utility(p1, _, 1).\nutility(p2, _, -1).";
    let hint = "(engines take games for games of perfect information: every player sees the whole state; values \
                and moves are wrong where players do not see what chance deals)";
    let no_move = "W0527 8:1 chance deals `X` of `s(_,X,_)`: no move looks at it, and what an end is worth does";
    let one = "W0527 8:1 chance deals `X` of `s(X,_,_)`, and only moves of `p1` look at it";
    for (first, utility, expected) in [
        (unread, compares, Some(no_move)),
        (applied, compares, Some(no_move)),
        (reads, plain, Some(one)),
        (unread, plain, None),
    ] {
        let found: Vec<String> = expected.iter().map(|text| format!("{text} {hint}")).collect();
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        check(&rules(first, utility), &found);
    }
}

#[test]
fn engines_apply_where_they_find_a_value() {
    use zug_domain::game::{GameTask, find_game, initial_player};
    use zug_domain::{Contract, instances};
    use zug_search::game::GameEngine;
    let parts = [
        "initial_state(6).\n",
        "initial_player(a).\n",
        "opponent(a, b).\nopponent(b, a).\n",
        "terminal(_, 0).\n",
        "utility(_, 0, -1).\n",
    ];
    let moves = [
        "move(_, take(N), S, T) :- between(1, 3, N), N =< S, T is S - N.\n",
        "move(J, take(N), S, T) :- member(J, [a, b]), between(1, 3, N), N =< S, T is S - N.\n",
        "move(take(N), S, T) :- between(1, 3, N), N =< S, T is S - N.\n",
    ];
    for left_out in 0..1 << parts.len() {
        for mv in moves {
            let there = parts.iter().enumerate().filter(|(i, _)| left_out & 1 << i == 0);
            let text: String = there.map(|(_, part)| *part).chain([mv]).collect();
            let (mut session, _) = crate::language::captured("");
            let findings = session.load_text("test", &text);
            let checked = program(&mut session, findings);
            let applies = checked
                .engines
                .iter()
                .any(|fit| fit.engine == "solve_game" && fit.missing.is_empty());
            let (m, w) = (&mut session.machine, &mut session.world);
            let contract = Contract::of(m);
            if contract.kind() != DomainKind::Game {
                continue;
            }
            let start = instances(m, w, &contract, 1);
            let found = start.and_then(|mut found| {
                let player = initial_player(m, w)?;
                let task = GameTask::of(GameEngine::SolveGame);
                find_game(m, w, &task, player.as_ref(), &found.remove(0).state, None)
            });
            assert_eq!(applies, found.is_ok(), "{text}\n{:?}", found.err());
        }
    }
}

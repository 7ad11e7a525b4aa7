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
            "W0502 3:1 `rule/3` is not the engines' `rule`: nobody asks it (they ask `rule(Name, Cost, S1, S2)`; the second argument is the cost of the move)",
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
            "W0506 4:20 heuristic/2 is not done after millions of steps, in state a (left recursion: `heuristic/2` calls itself before anything else; `:- table heuristic/2.` has it answered from what was found so far)",
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
           `inf` where no goal can be reached)"],
    );
    check(
        &format!("{rules}heuristic(S, S) :- ( S > 3 -> true ; repeat, fail )."),
        &[
            "W0506 3:38 heuristic/2 is not done after millions of steps, in state 3 (does it come to an end?)",
        ],
    );
    check(&format!("{rules}heuristic(S, S)."), &[]);
}

#[test]
fn libraries_that_are_not_there() {
    check(
        ":- use_module(library(clpb)).\n:- use_module([library(lists), library(dcg/basics)]).\n\
         :- use_module(library(asoc)).\np(X) :- sat(X).",
        &[
            "W0408 1:1 zug has no `library(clpb)` (zug has constraints over integers: \
             `:- use_module(library(clpfd)).`)",
            "W0408 3:1 zug has no `library(asoc)` (did you mean `library(assoc)`?)",
            "W0501 4:9 no predicate `sat/1` (zug has constraints over integers: \
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

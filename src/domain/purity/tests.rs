//! Programs and what stands in the way of their being functions of the state.

use super::{Category, impurities};
use crate::Contract;
use zug_machine::Impurity;

/// The witnesses of a program as `rule/4 Random random/1 3`: predicate, category, goal, line.
fn check(rules: &str, expected: &[&str]) {
    let (mut session, _) = crate::language::captured("");
    let findings = session.load_text("test", rules);
    assert!(findings.iter().all(|finding| !finding.is_error()), "{findings:?}");
    let (m, w) = (&session.machine, &session.world);
    let mut found = Vec::new();
    for impurity in impurities(m, w, Contract::of(m).kind()) {
        for witness in &impurity.witnesses {
            let line =
                witness.place.as_ref().map_or(0, |(source, span)| source.position(span.start).line);
            let (predicate, goal) = (&impurity.predicate, &witness.goal);
            let category = match witness.category {
                Category::Impure(impurity) => format!("{impurity:?}"),
                Category::Cache => "Cache".to_owned(),
            };
            found.push(format!("{predicate} {category} {goal} {line}"));
        }
    }
    assert_eq!(found, expected, "{rules}");
}

const START: &str = "initial_state(0). final_state(9).\n";

fn puzzle(rules: &str, expected: &[&str]) {
    check(&format!("{START}{rules}"), expected);
}

#[test]
fn what_is_no_function_of_the_state() {
    puzzle("rule(go, 1, S, T) :- random(X), X > 0.5, T is S + 1.", &["rule/4 Random random/1 2"]);
    puzzle("rule(go, C, S, T) :-\n T is S + 1,\n C is 1 + random(6).", &["rule/4 Random is/2 4"]);
    puzzle(
        "rule(go, 1, S, T) :- findall(X, pick(X), [T|_]), S >= 0.\npick(X) :- random_member(X, [1, 2]).",
        &["rule/4 Random random_member/2 3"],
    );
    puzzle(
        "rule(go, 1, S, T) :- maplist(random_between(1, 6), [S, T]).",
        &["rule/4 Random random_between/3 2"],
    );
    puzzle(
        "rule(go, 1, S, T) :- T is S + 1.\nheuristic(_, H) :- statistics(runtime, [H|_]).",
        &["heuristic/2 Clock statistics/2 3"],
    );
    puzzle("rule(go, 1, S, T) :- get_time(X), X > S, T is S + 1.", &["rule/4 Clock get_time/1 2"]);
    puzzle("rule(M, 1, _, M) :- read(M).", &["rule/4 Input read/1 2"]);
    puzzle("rule(go, 1, _, T) :- getenv('HOME', T).", &["rule/4 Environment getenv/2 2"]);
    puzzle("rule(go, 1, _, T) :- exists_file(x), T = 1.", &["rule/4 Files exists_file/1 2"]);
    check(
        "initial_state(s). initial_player(x). opponent(x, o). opponent(o, x).\n\
         move(_, m, S, t(S)) :- X is random_float, X > 0.5.\nterminal(_, t(_)).\nutility(_, _, 0).",
        &["move/4 Random is/2 2"],
    );
}

#[test]
fn what_the_rules_change_and_read() {
    puzzle(
        ":- dynamic seen/1.\nrule(go, 1, S, T) :- T is S + 1, \\+ seen(T), assertz(seen(T)).",
        &["rule/4 Changes assertz/1 3"],
    );
    puzzle(
        "rule(go, 1, S, T) :- nb_getval(n, N), nb_setval(n, S), T is S + N.",
        &["rule/4 Changes nb_setval/2 2"],
    );
    puzzle("rule(go, 1, S, T) :- flag(n, N, N + 1), T is S + N.", &["rule/4 Changes flag/3 2"]);
    puzzle("rule(go, 1, S, T) :- gensym(m, T), S = 0.", &["rule/4 Changes gensym/2 2"]);
    puzzle(
        ":- dynamic best/2.\nrule(go, 1, S, T) :- T is S + 1, assertz(best(S, T)).\n\
         heuristic(S, H) :- best(S, H).",
        &["heuristic/2 Changes assertz/1 3"],
    );
    puzzle(
        ":- dynamic seen/2.\nrule(go, 1, S, T) :- new(S, T).\n\
         new(S, T) :- ( seen(S, T) -> fail ; assertz(seen(S, T)) ).",
        &["rule/4 Changes assertz/1 4"],
    );
}

#[test]
fn what_is_only_a_cache() {
    puzzle(
        ":- dynamic known/2.\nrule(go, 1, S, T) :- T is S + 1.\nheuristic(S, H) :- known(S, H), !.\n\
         heuristic(S, H) :- H is 9 - S, assertz(known(S, H)).",
        &["heuristic/2 Cache assertz/1 5"],
    );
    puzzle(
        ":- dynamic memo/2.\nrule(go, 1, S, T) :- fib(S, T).\nfib(N, F) :- ( memo(N, F) -> true ; F is N, \
         assertz(memo(N, F)) ).",
        &["rule/4 Cache assertz/1 4"],
    );
}

#[test]
fn what_is_a_function_all_the_same() {
    puzzle(
        ":- dynamic wall/1.\n:- assertz(wall(3)).\nrule(go, 1, S, T) :- T is S + 1, \\+ wall(T).",
        &[],
    );
    puzzle("rule(go, 1, S, T) :- T is S + 1, format(\"~w~n\", [T]), nl.", &[]);
    puzzle("rule(go, 1, S, T) :- aggregate_all(count, member(_, [S]), N), T is S + N.", &[]);
    puzzle("rule(go, 1, S, T) :- T is S + 1, nb_setval(last, S).", &[]);
    puzzle(
        "rule(go, 1, S, T) :- nb_setval(n, 0), forall(member(X, [1, 2]), (nb_getval(n, N), M is N + X, \
         nb_setval(n, M))), nb_getval(n, K), T is S + K.",
        &[],
    );
    puzzle(
        ":- dynamic tmp/1.\nrule(go, 1, S, T) :- clear, assertz(tmp(S)), tmp(X), T is X + 1.\n\
         clear :- retractall(tmp(_)).",
        &[],
    );
    puzzle("random(1).\nrule(go, 1, S, T) :- random(X), T is S + X.", &[]);
    puzzle("rule(go, 1, S, T) :- T is S + 1.\nprint_state(_) :- random(X), write(X).", &[]);
    puzzle("main :- read(X), assertz(a(X)), a(_).\nrule(go, 1, S, T) :- T is S + 1.", &[]);
    puzzle(
        "rule(go, 1, S, T) :- msort([S], L), sort(0, @>=, L, _), sumlist(L, N), T is N + 1.",
        &[],
    );
}

#[test]
fn every_builtin_is_known() {
    use zug_machine::{Kind, Space};
    let (session, _) = crate::language::captured("");
    let m = &session.machine;
    // What changes or tells nothing that an answer depends on.
    let quiet = include_str!("quiet.txt");
    let quiet: Vec<&str> = quiet.split_whitespace().collect();
    let unknown: Vec<String> = (0..m.program.preds.len() as u32)
        .filter(|&id| {
            let predicate = &m.program.preds[id as usize];
            let name = m.symbols.name(predicate.name);
            predicate.kind == Kind::Builtin
                && predicate.space == Space::System
                && !zug_explain::is_pure(m, id)
                && super::kinds::by_name(m, predicate.name).is_none()
                && !super::access::KNOWN.contains(&name)
                && !quiet.contains(&name)
        })
        .map(|id| m.program.indicator(id, &m.symbols))
        .collect();
    assert!(unknown.is_empty(), "not known to be functions of their arguments: {unknown:?}");
    assert!(Category::Impure(Impurity::Random) < Category::Cache);
}

//! Engines, and goals whose clauses change while they run.

use zug_prolog::session::Session;

/// The first answer of each goal, or the message of its error, in one session.
fn check(rules: &str, goals: &[(&str, &str)]) {
    let (mut session, _) = Session::captured(&[], "");
    let findings = session.load_text("rules", rules);
    assert!(findings.is_empty(), "{findings:?}");
    let mut wrong = Vec::new();
    for (goal, expected) in goals {
        let mut query = session.query(goal).expect("it reads");
        let said = match session.next(&mut query) {
            Ok(true) => session.answer(&query),
            Ok(false) => "false".to_owned(),
            Err(fault) => session.describe(&fault).message,
        };
        session.close(query);
        if said != *expected {
            wrong.push(format!("{goal}: {said}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn engines_give_one_answer_at_a_time() {
    let rules = "
        sum(S0, S) :- engine_fetch(T), S1 is S0 + T, ( S = S1 ; sum(S1, S) ).
        acc(S0) :- engine_fetch(X), S is S0 + X, engine_yield(S), acc(S).
        lazy(N, N).
        lazy(N, M) :- N1 is N + 1, lazy(N1, M).";
    check(
        rules,
        &[
            ("engine_create(X, member(X, [a,b]), _, [alias(e)])", "true"),
            ("engine_next(e, A), engine_next(e, B)", "A = a, B = b"),
            ("engine_next(e, _)", "false"),
            ("engine_next(e, _)", "engine `e` does not exist"),
            (
                "engine_create(S, sum(0, S), E), engine_post(E, 1, A), engine_post(E, 2, B), Es = [A,B]",
                "E = '$engine'(2), A = 1, B = 3, Es = [1,3]",
            ),
            (
                "engine_create(_, acc(0), _, [alias(a)]), findall(R, ( member(X, [1,2,3]), engine_post(a, X, R) ), Rs)",
                "Rs = [1,3,6]",
            ),
            ("engine_post(a, 1), engine_post(a, 2)", "no permission to post_to the engine `a`"),
            (
                "engine_create(x, throw(oops), _, [alias(t)]), engine_next_reified(t, R)",
                "R = exception(oops)",
            ),
            (
                "engine_create(x, engine_next(s, _), _, [alias(s)]), engine_next(s, _)",
                "no permission to resume the engine `s`",
            ),
            ("engine_self(_)", "false"),
            ("engine_yield(1)", "no permission to yield the engine `main`"),
            (
                "engine_create(X, lazy(0, X), _, [alias(l)]),
             findall(V, ( between(1, 100, _), engine_next(l, V) ), Vs), sum_list(Vs, N), Vs = []",
                "false",
            ),
            ("engine_next(l, N)", "N = 100"),
        ],
    );
}

#[test]
fn clauses_are_those_of_the_time_when_a_goal_began() {
    check(
        ":- dynamic(f/1).\nf(1). f(2). f(3).",
        &[
            // 7.5.4: what was taken away meanwhile is still met.
            (
                "findall(X, ( retract(f(X)), ( X =:= 1 -> retract(f(2)) ; true ) ), Xs)",
                "Xs = [1,2,3]",
            ),
            ("f(_)", "false"),
            (
                "assertz(f(1)), assertz(f(2)), engine_create(X, retract(f(X)), _, [alias(e)]), engine_next(e, A)",
                "A = 1",
            ),
            ("assertz(f(9)), engine_next(e, B)", "B = 2"),
            // Clauses are kept while an engine may stand in them.
            (
                "forall(between(1, 100, I), ( assertz(f(I)), retract(f(I)) )), engine_next(e, _)",
                "false",
            ),
            ("current_predicate(f/N)", "N = 1"),
        ],
    );
}

#[test]
fn a_cut_in_the_condition_of_a_soft_choice_is_local() {
    check(
        "",
        &[(
            "G = ( ( X = 1 ; X = 2 ), ( ! *-> true ) ), findall(X, G, Xs)",
            "G = ((X=1;X=2),(!*->true)), Xs = [1,2]",
        )],
    );
}

#[test]
fn text_of_format_is_cut_off() {
    check("", &[("format(atom(A), \"~3s|~s\", [\"abcdef\", [0'g]])", "A = 'abc|g'")]);
}

//! Machine code says what the loop says: goals with each, call by call.
#![cfg(feature = "native")]

use proptest::prelude::*;
use zug_machine::{Fault, NativeCode};
use zug_prolog::Session;

const FEW: usize = 12;

/// Answers of a goal, then how it ends.
fn told(session: &mut Session, goal: &str) -> Vec<String> {
    let mut told = Vec::new();
    let mut query = session.query(goal).expect("it reads");
    loop {
        match session.next(&mut query) {
            Ok(true) => told.push(session.answer(&query)),
            Ok(false) => break,
            Err(fault) => {
                told.push(describe(session, &fault));
                break;
            }
        }
        if !session.has_more(&query) || told.len() == FEW {
            break;
        }
    }
    session.close(query);
    told
}

fn describe(session: &Session, fault: &Fault) -> String {
    session.describe(fault).message
}

fn session(program: &str, code: NativeCode, nursery: Option<usize>) -> Session {
    let mut session = Session::new();
    session.machine.set_native_code(code);
    if let Some(cells) = nursery {
        session.machine.set_nursery(cells);
    }
    session.load_text("rules", program);
    session
}

/// Asks goals one after the other in both ways.
fn compare(program: &str, goals: &[&str]) {
    for nursery in [None, Some(64)] {
        let mut by_loop = session(program, NativeCode::Never, nursery);
        let mut native = session(program, NativeCode::Always, nursery);
        // Twice: functions for the places in clauses are made when they are come to.
        for goal in goals.iter().chain(goals) {
            assert_eq!(told(&mut native, goal), told(&mut by_loop, goal), "{goal}");
        }
        let (calls, own) = (by_loop.machine.inferences(), native.machine.inferences());
        assert_eq!(own, calls, "inferences");
    }
}

#[test]
fn lists_and_structures() {
    compare(
        "app([], L, L). app([H|T], L, [H|R]) :- app(T, L, R).
         nrev([], []). nrev([H|T], R) :- nrev(T, S), app(S, [H], R).
         sel(X, [X|T], T). sel(X, [H|T], [H|R]) :- sel(X, T, R).
         perm([], []). perm(L, [H|T]) :- sel(H, L, R), perm(R, T).
         tree(nil). tree(t(L, _, R)) :- tree(L), tree(R).
         mirror(nil, nil). mirror(t(L, X, R), t(S, X, M)) :- mirror(R, S), mirror(L, M).
         deep(f(g(h(X, Y), [Z|W]), \"text\", 1.5, 123456789012345678901234567890), X, Y, Z, W).",
        &[
            "app(X, Y, [1,2,3])",
            "numlist(1, 60, L), nrev(L, R)",
            "perm([a,b,c], P)",
            "perm([X,Y,Z], [1,2,3])",
            "mirror(t(t(nil,1,nil),2,X), M)",
            "tree(T)",
            "deep(A, 1, 2, 3, [])",
            "deep(f(g(B, C), D, E, F), 1, 2, 3, 4)",
            "deep(f(g(h(1), C), D, E, F), 1, 2, 3, 4)",
            "app(L, [x], L2), L2 = [_,_,_|_], !",
        ],
    );
}

#[test]
fn arithmetic_leaves_the_word_and_comes_back() {
    compare(
        "fact(0, 1) :- !. fact(N, F) :- M is N-1, fact(M, G), F is N*G.
         sum(0, S, S). sum(N, S, T) :- N > 0, M is N-1, U is S+N, sum(M, U, T).
         all(X, Y, [A,B,C,D,E,F,G,H,I]) :- A is X+Y, B is X-Y, C is X*Y, D is X//Y, E is X mod Y,
             F is X rem Y, G is max(X,Y), H is X/\\Y, I is (X>>2) xor (Y\\/X).
         div(X, Y, Z) :- Z is X div Y. neg(X, Y) :- Y is -X. abs(X, Y) :- Y is abs(X).
         cmp(X, Y, L) :- findall(R, rel(X, Y, R), L).
         rel(X, Y, <) :- X < Y. rel(X, Y, >) :- X > Y. rel(X, Y, =<) :- X =< Y.
         rel(X, Y, >=) :- X >= Y. rel(X, Y, =:=) :- X =:= Y. rel(X, Y, =\\=) :- X =\\= Y.
         power(B, N, P) :- P is B**N. tak(X, Y, Z, A) :- X =< Y, Z = A.
         tak(X, Y, Z, A) :- X > Y, X1 is X-1, tak(X1, Y, Z, A1), Y1 is Y-1, tak(Y1, Z, X, A2),
             Z1 is Z-1, tak(Z1, X, Y, A3), tak(A1, A2, A3, A).",
        &[
            "fact(30, F)",
            "sum(1000, 0, S)",
            "all(17, 5, L)",
            "all(-17, 5, L)",
            "all(-17, -5, L)",
            "all(1152921504606846975, 3, L)",
            "all(-1152921504606846976, -1, L)",
            "all(1000000000000, 1000000000000, L)",
            "all(3, 0, L)",
            "all(a, 1, L)",
            "all(X, 1, L)",
            "all(1.5, 2, L)",
            "all(100000000000000000000, 7, L)",
            "div(-7, 2, Z)",
            "div(7, -2, Z)",
            "neg(-1152921504606846976, Y)",
            "neg(2.5, Y)",
            "abs(-3, Y)",
            "cmp(1, 2, L)",
            "cmp(2, 2.0, L)",
            "cmp(1+1, 2, L)",
            "cmp(100000000000000000000, 1, L)",
            "cmp(a, 1, L)",
            "power(2, 100, P)",
            "tak(12, 8, 4, A)",
            "tak(X, 8, 4, A)",
        ],
    );
}

#[test]
fn control_and_choice_points() {
    compare(
        "p(1). p(2). p(3).
         max(X, Y, X) :- X >= Y, !. max(_, Y, Y).
         len(L, N) :- var(L), !, N = open. len([], 0) :- !. len([_|T], N) :- len(T, M), N is M+1.
         if(X, R) :- ( X > 2 -> R = big ; X > 1 -> R = two ; R = small ).
         soft(X, R) :- ( p(X), X > 1 *-> R = yes ; R = no ).
         none(X) :- \\+ p(X). both(X, Y) :- p(X), p(Y), X < Y.
         first(X) :- p(X), !. cut(X, Y) :- p(X), ( X > 1, ! ; true ), p(Y).
         last([X], X) :- !. last([_|T], X) :- last(T, X).
         part(_, [], [], []). part(P, [H|T], [H|L], G) :- H =< P, !, part(P, T, L, G).
         part(P, [H|T], L, [H|G]) :- part(P, T, L, G).
         qsort([], []). qsort([H|T], S) :- part(H, T, L, G), qsort(L, A), qsort(G, B), append(A, [H|B], S).
         kind(X, var) :- var(X). kind(X, atom) :- atom(X). kind(X, int) :- integer(X).
         kind(X, num) :- number(X). kind(X, comp) :- compound(X). kind(X, call) :- callable(X).
         kind(X, atomic) :- atomic(X). kind(X, str) :- string(X). kind(X, flt) :- float(X).
         kind(X, lst) :- is_list(X). kind(X, grd) :- ground(X).
         same(X, Y, eq) :- X == Y. same(X, Y, ne) :- X \\== Y. same(X, Y, lt) :- X @< Y.
         many(X, Y, Z, W, A, B, C, D, E) :- p(X), p(Y), p(Z), p(W), A = X, B = Y, C = Z, D = W, E = t(A, B, C, D).
         c(a, 1). c(b, 2). c(c, 3). c(d, 4). c(e, 5). c(f, 6). c(g, 7). c(h, 8). c(a, 9). c(X, X).",
        &[
            "p(X)",
            "max(1, 2, M)",
            "max(3, 2, M)",
            "max(a, 2, M)",
            "len(L, N)",
            "len([a,b|T], N)",
            "len([a,b,c], N)",
            "if(X, R)",
            "if(2, R)",
            "if(7, R)",
            "soft(X, R)",
            "soft(0, R)",
            "none(4)",
            "none(X)",
            "both(X, Y)",
            "first(X)",
            "cut(X, Y)",
            "last([1,2,3], X)",
            "last(L, x), L = [_,_|_], !",
            "qsort([3,1,2,5,4,3], S)",
            "qsort([3,X], S)",
            "kind(X, K)",
            "kind(a, K)",
            "kind(1, K)",
            "kind(f(X), K)",
            "kind([a|T], K)",
            "kind(\"s\", K)",
            "kind(1.0, K)",
            "kind(100000000000000000000, K)",
            "same(f(X), f(Y), K)",
            "same(f(X), f(X), K)",
            "same(1, 1.0, K)",
            "many(X, 2, Z, 1, A, B, C, D, E)",
            "c(a, X)",
            "c(X, 4)",
            "c(X, Y)",
            "c(z, X)",
        ],
    );
}

#[test]
fn many_clauses_are_selected_by_the_tables_of_the_loop() {
    let facts: Vec<String> = (0..40).map(|i| format!("d({i}, {}, f({})).", i % 7, i / 5)).collect();
    let program = format!(
        "{}
         e(X, _, first) :- X < 3, !. e(0, a, b). e(1, a, c). e(2, b, d). e(3, b, e). e(4, c, f). e(X, _, big) :- X > 6, !.
         e(5, c, g). e(6, d, h). e(7, d, i). e(8, e, j). e(_, z, last).
         pair(X, Y) :- d(X, Y, _), d(_, Y, f(X)).
         both(X, S) :- d(X, 3, _), e(X, _, S).
         count(N) :- findall(X-Y, pair(X, Y), L), length(L, N).
         go(X) :- ( d(X, 6, f(7)) ; d(X, _, f(0)), X > 2 ; e(X, z, _) ).",
        facts.join(" "),
    );
    compare(
        &program,
        &[
            "d(X, 3, F)",
            "d(39, Y, F)",
            "d(X, Y, f(2))",
            "d(X, 6, f(7))",
            "d(X, Y, Z), X > 37",
            "e(X, Y, Z)",
            "e(2, Y, Z)",
            "e(7, Y, Z)",
            "e(5, Y, Z)",
            "e(9, z, Z)",
            "e(X, d, Z)",
            "count(N)",
            "both(X, S)",
            "go(X)",
            "pair(X, Y), X > 5, !",
        ],
    );
}

#[test]
fn known_built_ins_and_goals_are_done_in_place() {
    compare(
        "a(N, T, A) :- arg(N, T, A). a1(T, A) :- arg(1, T, A). ax(T) :- arg(x, T, _).
         f(T, N, A) :- functor(T, N, A). same(T) :- functor(T, N, N).
         if(N, T, R) :- ( arg(N, T, b) -> R = yes ; R = no ).
         map(_, [], []). map(G, [X|T], [Y|U]) :- call(G, X, Y), map(G, T, U).
         each(_, []). each(G, [X|T]) :- call(G, X), each(G, T).
         d(X, Y) :- Y is X*2. w(G) :- call(G), call(G). s(X) :- call((X > 1, ! ; true)), X < 3.
         tails(T, L) :- freeze(X, X = b), arg(1, T, X), L = X.",
        &[
            "a(2, f(a,b), X)",
            "a(N, f(a,b), X)",
            "a(N, f(a,b), b)",
            "a(0, f(a), X)",
            "a(3, f(a), X)",
            "a(-1, f(a), X)",
            "a(x, f(a), X)",
            "a(1, a, X)",
            "a(1, T, X)",
            "a(N, T, X)",
            "a(2, [a,b], X)",
            "a(3, [a,b], X)",
            "a(1, 3, X)",
            "a(100000000000000000000, f(a), X)",
            "a1(f(Y,Z), g(Y))",
            "a1(\"s\", Y)",
            "ax(f(a))",
            "f(f(a,b), N, A)",
            "f([a], N, A)",
            "f(a, N, A)",
            "f(1, N, A)",
            "f(1.5, N, A)",
            "f(T, a, 2)",
            "f(T, a, 0)",
            "f(T, N, 2)",
            "f(T, f(x), 2)",
            "f(T, 1, 1)",
            "f(g(x), g, 2)",
            "f(\"s\", N, A)",
            "same(T)",
            "same(f(1))",
            "if(1, f(a), R)",
            "if(2, f(a,b), R)",
            "if(N, f(a,b), R)",
            "map(d, [1,2,3], L)",
            "map(plus(3), [1,2], L)",
            "map(\\, [1,2], L)",
            "map(G, [1], L)",
            "map(3, [1], L)",
            "map(nobody, [1], L)",
            "each(integer, [1,2])",
            "each(integer, [1,a])",
            "each([X]>>(X > 1), [2])",
            "each(=(f(X,Y)), [f(1,Z)])",
            "w(d(2, Y))",
            "w((fail;true))",
            "w(user:true)",
            "w(!)",
            "s(2)",
            "s(0)",
            "tails(f(b), L)",
            "tails(f(c), L)",
            "tails(f(X), L), X = b",
        ],
    );
}

#[test]
fn rules_that_match() {
    compare(
        ":- op(1200, xfx, ?=>).
         len([], N) => N = 0. len([_|T], N) => len(T, M), N is M+1.
         kind(1, K) => K = one. kind(X, K), integer(X), X > 5 => K = big. kind(f(_), K) => K = f. kind(a, K) => K = a.
         same(X, X) => true. same(_, f(_)) => fail.
         try(1, X) ?=> X = a. try(1, X) => X = b. try(2, _) ?=> fail. try(_, X) => X = rest.
         sum([], S, T) => T = S. sum([H|L], S, T) => R is S+H, sum(L, R, T).
         deep(f(X, [Y|_]), Y) => X = 1.",
        &[
            "len([a,b], N)", "len(L, N)", "len([a|T], N)", "len(x, N)", "kind(1, K)", "kind(7, K)", "kind(3, K)", "kind(X, K)",
            "kind(f(Y), K)", "kind(a, one)", "same(X, X)", "same(X, Y)", "same(1, f(2))", "same(f(X), f(X))", "try(1, X)",
            "try(2, X)", "try(Y, X)", "sum([1,2,3], 0, T)", "sum([1,x], 0, T)", "sum([1|T], 0, S)", "deep(f(X, [2]), Y)",
            "deep(f(X, [2]), 2)", "deep(f(X, Z), 2)",
        ],
    );
}

#[test]
fn faults_handlers_and_cleanups() {
    compare(
        "deep(0) :- throw(bottom). deep(N) :- M is N-1, deep(M), true.
         safe(N, E) :- catch(deep(N), E, true).
         loop(N) :- N > 0, M is N-1, loop(M). loop(0) :- atom_length(_, _).
         clean(L) :- setup_call_cleanup(true, member(X, [1,2,3]), true), L = X.
         all(L) :- findall(X-Y, (member(X, [1,2]), member(Y, [a,b])), L).
         unknown(X) :- no_such(X). text(A, L) :- atom_length(A, L), atom_chars(A, C), length(C, L).",
        &[
            "safe(100, E)",
            "deep(3)",
            "loop(1500)",
            "clean(L)",
            "all(L)",
            "unknown(1)",
            "text(hello, L)",
            "text(X, L)",
            "text(f(x), L)",
        ],
    );
}

#[test]
fn attributed_variables_wake_where_the_loop_has_them_wake() {
    compare(
        ":- use_module(library(when)).
         eq(X, X). lst([a|_]). str(f(_, b)). pair(X, Y) :- X = 1, Y = 2.
         test(X, Y) :- X = 1, ( Y > 0 -> true ; fail ).
         neck(X, R) :- X = 1, !, R = one. neck(_, other).
         head(1, one) :- !. head(2, two) :- !. head(_, other).
         num(X, R) :- ( integer(X) -> R = int ; R = no ).
         cut(X) :- eq(X, 1), !. cut(_).",
        &[
            "freeze(X, write(x)), eq(X, 1)",
            "freeze(X, fail), eq(X, 1)",
            "freeze(X, fail), head(X, R)",
            "freeze(X, X == 2), head(X, R)",
            "freeze(X, fail), neck(X, R)",
            "freeze(X, X = [_]), lst(X)",
            "freeze(X, X = f(c, _)), str(X)",
            "freeze(X, Y = 2), test(X, Y)",
            "freeze(X, Y = 0), test(X, Y)",
            "dif(X, 1), cut(X)",
            "dif(X, Y), pair(X, Y)",
            "dif(X, Y), eq(X, Y)",
            "dif(f(X, Y), f(1, 2)), pair(X, Y)",
            "when(ground(X+Y), Z = done), pair(X, Y)",
            "freeze(X, num(Y, R)), Y = 1, eq(X, a)",
            "freeze(X, throw(oops)), catch(eq(X, 1), E, true)",
        ],
    );
}

#[test]
fn tests_that_are_asked_before_are_as_they_are_in_their_place() {
    compare(
        ":- dynamic woken/1.
         p(X, Y, a) :- X > 0, Y > 1, q. p(_, _, b). q.
         s(f(_), Y) :- Y > 1, q. s(_, _).
         t(A, A, Y) :- Y > 1, q. t(_, _, _).
         u(f(a), Y) :- Y > 1, q. u(_, _).
         n(A, B, R) :- S = f(B, B), A \\= B, R = S. n(_, _, none).
         eq(X, X, a, b, c, d). long(N) :- functor(S, f, N), numlist(1, N, L), T =.. [f|L],
             O = o(P, Q, R, U), member(_, [1, 2]), eq(S, T, P, Q, R, U), O == O, fail.
         cl(0) :- !. cl(N) :- setup_call_cleanup(true, member(_, [1, 2]), true), !, M is N-1, cl(M).
         many(1, a). many(2, b). many(3, c). many(4, d). many(5, e). many(6, f). many(7, g).
         many(8, h). many(9, i). many(f(1), j). many(f(2), k). many(f(3), l). many(X, X).
         five(a, _, _, _, 1). five(a, _, _, _, 2). five(b, _, _, _, 3).",
        &[
            "p(_, 0, Z)",
            "p(1, 0, Z)",
            "freeze(A, assertz(woken(s))), s(A, 0)",
            "freeze(A, assertz(woken(t))), t(A, b, 0)",
            "freeze(A, assertz(woken(u))), u(f(A), 0)",
            "woken(X)",
            "freeze(A, (numlist(1, 3000, L), length(L, _), fail)), n(A, b, R)",
            "freeze(A, numlist(1, 3000, _)), n(A, b, R)",
            "between(1, 300, N), long(N)",
            "between(4000, 4200, N), long(N)",
            "cl(50)",
            "many(f(2), X)",
            "many(X, g)",
            "many(z, X)",
            "five(a, x, x, x, 1)",
            "five(X, x, x, x, 3)",
        ],
    );
}

#[test]
fn definitions_that_change_take_their_machine_code_with_them() {
    let mut session = session("p(1). p(2). q(X) :- p(X), r(X). r(_).", NativeCode::Always, None);
    for _ in 0..3 {
        assert_eq!(told(&mut session, "q(X)"), ["X = 1", "X = 2"]);
    }
    session.load_text("more", "p(3). r(3).");
    for _ in 0..3 {
        assert_eq!(told(&mut session, "q(X)"), ["X = 3"]);
    }
    assert_eq!(told(&mut session, "abolish(r/1)").len(), 1);
}

#[test]
fn deep_recursion_and_long_lists_need_no_stack_of_the_processor() {
    compare(
        "count(N, N) :- !. count(I, N) :- J is I+1, count(J, N).
         len([], 0). len([_|T], N) :- len(T, M), N is M+1.
         build(0, []) :- !. build(N, [N|T]) :- M is N-1, build(M, T).
         nest(0, z) :- !. nest(N, s(T)) :- M is N-1, nest(M, T).",
        &[
            "count(0, 300000)",
            "build(100000, L), len(L, N), L = []",
            "build(100000, L), len(L, N), N > 99999, write(N)",
            "nest(100000, T), nest(100000, S), T == S, T = S, write(y)",
        ],
    );
}

/// A clause of a small program: a head with arguments of some kind, and a body.
fn clause() -> impl Strategy<Value = String> {
    let argument = prop_oneof![
        Just("X".to_owned()),
        Just("Y".to_owned()),
        Just("Z".to_owned()),
        Just("_".to_owned()),
        (0..3).prop_map(|n: i32| n.to_string()),
        Just("a".to_owned()),
        Just("[]".to_owned()),
        Just("[X|Y]".to_owned()),
        Just("[a,X|Z]".to_owned()),
        Just("f(X)".to_owned()),
        Just("f(Y,[X])".to_owned()),
        Just("g(f(Z),X)".to_owned()),
    ];
    let goal = prop_oneof![
        Just("!".to_owned()),
        Just("X = Y".to_owned()),
        Just("Z = f(X)".to_owned()),
        Just("Y == a".to_owned()),
        Just("var(X)".to_owned()),
        Just("atomic(Y)".to_owned()),
        Just("integer(X), X > 0".to_owned()),
        Just("integer(X), Z is X-1".to_owned()),
        Just("( X == a -> Y = b ; Y = c )".to_owned()),
        Just("\\+ X = f(_)".to_owned()),
        Just("q(X, Z)".to_owned()),
        Just("p(Z, Y)".to_owned()),
        Just("arg(1, Y, Z)".to_owned()),
        Just("functor(X, Y, Z)".to_owned()),
        Just("call(q, X, Z)".to_owned()),
        Just("( q(X, Z), Z \\== a -> true ; Y = Z )".to_owned()),
        Just("findall(A, q(A, X), Y)".to_owned()),
    ];
    let head = (prop_oneof![Just("p"), Just("q")], argument.clone(), argument);
    (head, prop::collection::vec(goal, 0..3)).prop_map(|((name, first, second), goals)| {
        let head = format!("{name}({first}, {second})");
        match goals.as_slice() {
            [] => format!("{head}."),
            goals => format!("{head} :- {}.", goals.join(", ")),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Of random programs both ways have the same answers, faults and stops.
    #[test]
    fn random_programs(clauses in prop::collection::vec(clause(), 1..14), rules in any::<bool>()) {
        let facts = ["p(none, none).".to_owned(), "q(none, none).".to_owned()];
        let clauses = clauses.iter().chain(&facts).map(|clause| match rules {
            true if clause.contains(":-") => clause.replace(":-", "=>"),
            true => clause.trim_end_matches('.').to_owned() + " => true.",
            false => clause.clone(),
        });
        let clauses: Vec<String> = clauses.collect();
        let program = format!(":- discontiguous p/2, q/2.\n:- dynamic never/0.\n{}\n", clauses.join("\n"));
        let goals = [
            "p(X, Y)", "p(a, Y)", "p(X, [1,a])", "p(f(1), Y)", "p(1, Y)", "q([a,b], Y)", "q(X, X)", "p([a|T], f(T))",
        ];
        let limited: Vec<String> = goals
            .iter()
            // All answers at once: code leaves fewer choice points, and each answer that may be the last is counted.
            .map(|goal| format!("call_with_inference_limit(findall(v(X,Y,T), {goal}, L), 3000, _)"))
            .collect();
        let limited: Vec<&str> = limited.iter().map(String::as_str).collect();
        compare(&program, &limited);
    }
}

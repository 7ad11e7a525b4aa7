//! Explanations: the culprit line of each mistake in `tests/cmd/why`, and proofs that have the
//! answers of the goals themselves.

use crate::support::{loaded, session};
use std::path::{Path, PathBuf};
use zug::render::explain::explanation;
use zug::render::style::Theme;
use zug_explain::{Explanation, take_explanations};
use zug_prolog::session::Session;

/// The files with a mistake.
fn mistakes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/why");
    let files = std::fs::read_dir(folder).expect("the folder of mistakes");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() > 8, "only {} files", files.len());
    files
}

/// What stands behind `% word: ` in a file.
fn said<'t>(text: &'t str, word: &str) -> &'t str {
    let mark = format!("% {word}: ");
    text.lines().find_map(|line| line.strip_prefix(mark.as_str())).expect("a line of the header")
}

fn explain(session: &mut Session, goal: &str) -> Explanation {
    explained(session, &format!("why_not(({goal}))"))
}

fn explained(session: &mut Session, goal: &str) -> Explanation {
    let mut query = session.query(goal).expect("it reads");
    assert!(session.next(&mut query).expect("no error"), "{goal}");
    session.close(query);
    take_explanations(&mut session.world).pop().expect("an explanation")
}

/// The first line that an explanation points at.
fn culprit(found: &Explanation) -> Option<u32> {
    let label = found.findings.first()?.primary.as_ref()?;
    Some(label.source.position(label.span.start).line)
}

#[test]
fn mistakes_are_found_in_their_lines() {
    let files = mistakes();
    assert!(files.len() >= 20, "the mistakes are there");
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a rule file");
        let mut session = session(&file);
        let found = explain(&mut session, said(&text, "query"));
        let line: u32 = said(&text, "culprit").parse().expect("a line number");
        if culprit(&found) != Some(line) {
            wrong.push(format!("{}: {line} expected, {found:#?}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All answers of a goal as text, at most so many.
fn answers(session: &mut Session, goal: &str) -> Result<Vec<String>, String> {
    let mut query = session.query(goal).expect("it reads");
    let mut found = Vec::new();
    let mut ended = Ok(());
    while found.len() < 20 {
        match session.next(&mut query) {
            Ok(true) => found.push(session.answer(&query)),
            Ok(false) => break,
            Err(fault) => {
                // The context of an error is the machine's own affair.
                ended = Err(session.describe(&fault).message);
                break;
            }
        }
    }
    session.close(query);
    ended.map(|()| found)
}

/// A goal and its proofs have the same answers, in order.
#[test]
fn proofs_have_the_answers_of_the_goal() {
    let program = "
        edge(a, b). edge(b, c). edge(c, d).
        path(X, Y) :- edge(X, Y).
        path(X, Z) :- edge(X, Y), path(Y, Z).
        first(X, [X|_]) :- !.
        first(_, none).
        sign(X, S) :- ( X > 0 -> S = plus ; X < 0 -> S = minus ; S = zero ).
        soft(X) :- ( member(X, [1,2]) *-> true ; X = none ).
        softer(X) :- ( fail *-> true ; X = none ).
        deep(0) :- throw(bottom).
        deep(N) :- N > 0, M is N - 1, deep(M).
        double(X, Y) :- Y is 2 * X.
        cutter(X) :- member(X, [1,2,3]), X > 1, !.
        cutter(9).
        local(X) :- call((member(X, [1,2]), !)).
        local(7).
        greeting --> [hello], name.
        name --> [world].
        name --> [moon].
        :- dynamic(seen/1).
    ";
    let goals = [
        "path(a, X)",
        "path(X, Y)",
        "path(d, X)",
        "first(X, [1,2])",
        "first(X, [])",
        "sign(3, S)",
        "sign(0, S)",
        "soft(X)",
        "softer(X)",
        "deep(3)",
        "catch(deep(3), E, true)",
        "catch(member(X, [1,2]), _, true)",
        "catch((member(X, [1,2,a]), X > 1), error(type_error(T, _), _), true)",
        "catch(catch(throw(a), b, true), a, X = caught)",
        "catch((catch(true, a, X = inner), throw(a)), a, X = outer)",
        "maplist(double, [1,2,3], L)",
        "maplist(edge, Xs, [b,c])",
        "foldl([X,A,B]>>(B is A+X), [1,2,3], 0, S)",
        "findall(X-Y, edge(X, Y), L)",
        "findall(X, edge(z, X), L)",
        "findall(X, edge(a, X), [Y|T], T)",
        "setof(X, Y^edge(X, Y), L)",
        "bagof(X, edge(X, Y), L)",
        "aggregate_all(count, path(_, _), N)",
        "aggregate_all(max(X), member(X, [1,3,2]), N)",
        "forall(edge(X, Y), X @< Y)",
        "forall(edge(X, _), X == a)",
        "\\+ edge(d, _)",
        "\\+ edge(a, _)",
        "not(fail), X = 1",
        "cutter(X)",
        "local(X)",
        "once(path(a, X))",
        "ignore((edge(a, X), fail))",
        "ignore(edge(a, X))",
        "G = edge(a, X), call(G)",
        "call(path, a, X)",
        "call(call, path(a), X)",
        "phrase(greeting, L)",
        "between(1, 3, X), ( X =:= 2 ; X =:= 3 )",
        "length(_, N), N >= 2, !",
        "nb_setval(k, 1), nb_getval(k, V)",
        "assertz(seen(1)), seen(X), retract(seen(1))",
        "select(X, [a,b,c], R)",
        "append(X, Y, [1,2])",
        "member(X-Y, [1-a, 2-b]), X > 1",
        "sort(0, @>=, [1,3,2], L)",
        "atom_length(X, Y)",
        "nope(X)",
        "call(1)",
        "X = 1, call((fail ; X = 1))",
        "user:edge(a, X)",
        "nth0(I, [a,b], E)",
        "exclude([X]>>(X > 1), [1,2,3], L)",
        "( true ; X = 2 ), \\+ X == 2",
        "findall(X, limit(2, member(X, [a,b,c])), L)",
        "string_concat(X, Y, \"ab\")",
        "tab(-1)",
        "_ = f(X, Y), X = Y",
    ];
    let (mut session, _) = zug_tools::language::captured("");
    let found = session.load_text("program", program);
    assert!(found.is_empty(), "{found:#?}");
    let mut wrong = Vec::new();
    for goal in goals {
        let plain = answers(&mut session, goal);
        let proved = answers(&mut session, &format!("why(({goal}))"));
        if plain != proved {
            wrong.push(format!("{goal}: {plain:?} and {proved:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a goal does besides answering is not done for an explanation.
#[test]
fn explanations_change_nothing() {
    let (mut session, output) =
        loaded(":- dynamic(fact/1). go :- write(hello), fact(1). do :- assertz(fact(2)), fact(1).");
    let found = explain(&mut session, "go");
    assert_eq!(found.findings.len(), 1, "{found:#?}");
    let found = explain(&mut session, "do");
    assert!(found.notes[0].contains("assertz/1"), "{found:#?}");
    assert_eq!(answers(&mut session, "fact(X)"), Ok(Vec::new()));
    let _ = session.world.streams.flush_standard();
    assert_eq!(output.take(), "");
}

/// A long proof is cut short, and there in full when asked for.
#[test]
fn long_proofs_are_cut_short() {
    let (mut session, _) = loaded(
        "count(0). count(N) :- N > 0, M is N - 1, count(M).
         twice(X) :- count(X), count(X).",
    );
    let mut shown = |goal: &str| {
        let mut query = session.query(&format!("why({goal})")).expect("it reads");
        assert!(session.next(&mut query).expect("no error"));
        session.close(query);
        let found = take_explanations(&mut session.world).pop().expect("a proof");
        explanation(&mut session, &found, "more", &Theme::new(false))
    };
    let long = shown("count(100)");
    let full = long.full.expect("something is left out");
    assert_eq!(full.lines().count(), 301, "{full}");
    assert!(long.text.lines().count() <= 42, "{}", long.text);
    assert!(long.text.ends_with("(more)\n"), "{}", long.text);
    let again = shown("twice(2)");
    assert!(again.text.contains("proved above in 6 goals"), "{}", again.text);
    assert_eq!(again.full.expect("what was proved above").lines().count(), 15);
    assert_eq!(shown("count(1)").full, None);
}

#[test]
fn tabled_predicates_are_explained_by_their_tables() {
    let (mut session, _) = loaded(
        ":- table path/2, cheap(_, _, min), odd/1, even/1.
         edge(a, b). edge(b, c). edge(c, a). edge(c, d).
         path(X, Y) :- path(X, Z), edge(Z, Y).
         path(X, Y) :- edge(X, Y).
         cheap(X, X, 0).
         cheap(X, Y, C) :- cheap(X, Z, C1), edge(Z, Y), C is C1 + 1.
         even(0). even(N) :- odd(M), M < 10, N is M + 1.
         odd(N) :- even(M), M < 10, N is M + 1.",
    );
    for (goal, steps) in [
        ("path(a, b)", &["path(a,b)", "edge(a,b)"][..]),
        ("path(a, d)", &["path(a,d)", "path(a,c)", "edge(c,d)"]),
        ("path(a, a)", &["path(a,a)", "path(a,c)", "edge(c,a)"]),
        ("cheap(a, d, C)", &["cheap(a,d,3)", "cheap(a,c,2)", "edge(c,d)", "3 is 2+1"]),
        ("odd(7)", &["odd(7)", "even(6)", "6<10", "7 is 6+1"]),
    ] {
        let found = explained(&mut session, &format!("why({goal})"));
        let told: Vec<String> =
            found.proof.iter().map(|line| line.goal.replace(", ", ",")).collect();
        assert_eq!(told, steps, "{goal}");
        let leaf = found.proof.iter().filter(|line| line.remark == "in its table").count();
        assert_eq!(leaf, usize::from(steps.len() > 2), "{goal}");
    }
    for goal in ["path(d, _)", "path(a, e)", "cheap(a, d, 5)", "odd(8)"] {
        let found = explained(&mut session, &format!("why_not({goal})"));
        assert!(found.title.contains("has no proof"), "{goal}: {}", found.title);
        assert!(!found.findings.is_empty(), "{goal}");
    }
}

#[test]
fn left_recursion_is_told_of_tables() {
    let (mut session, _) =
        loaded("path(X, Y) :- path(X, Z), edge(Z, Y). path(X, Y) :- edge(X, Y). edge(a, b).");
    let found = explain(&mut session, "path(a, b)");
    let hint = found.findings[0].hint.clone().unwrap_or_default();
    assert!(hint.contains("`:- table path/2.`"), "{hint}");
}

/// Long answers of built-ins count: a goal that has longer and longer ones without end is given up soon.
#[test]
fn work_on_long_answers_counts() {
    let (mut session, _) = zug_tools::language::captured("");
    session.load_text("longer.pl", "zero(I) :- length(_, I0), I is I0+1.\n");
    let before = session.machine.inferences();
    let found = explain(&mut session, "zero(0)");
    assert!(found.title.contains("does not end"), "{}", found.title);
    // Lists of less than some thousand elements were made: without the count they would have 100,000.
    assert!(session.machine.inferences() - before < 100_000);
}

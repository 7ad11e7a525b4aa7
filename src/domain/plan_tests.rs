//! Cheapest plans of rule programs, as predicates.

use super::memory::memory;
use zug_prolog::session::Session;

const RULES: &str = "
    initial_state(0).
    initial_state(far, 10).
    final_state(3).
    rule(go, 0, 0, 1). rule(go, 0, 1, 2). rule(back, 0, 2, 0). rule(stay, 0, 1, 1).
    rule(go, 1, 2, 3). rule(leap, 1, 1, 3). rule(leap, 1, 1, 3). rule(fly, 2, 0, 3).
    rule(hop, 1, 10, 11). rule(hop, 1, 10, 12). rule(hop, 1, 11, 3). rule(hop, 1, 12, 3).
    rule(skip, 1, 12, 3).
";

fn session(rules: &str) -> Session {
    let mut session = crate::language::captured("").0;
    let found = session.load_text("rules", rules);
    assert!(found.iter().all(|finding| !finding.is_error()), "{found:?}");
    session
}

/// All answers of a goal, each as text.
fn answers(session: &mut Session, goal: &str) -> Vec<String> {
    let mut query = session.query(goal).expect("a goal that reads");
    let mut found = Vec::new();
    while session.next(&mut query).expect("no error") {
        found.push(session.answer(&query).to_string());
    }
    session.close(query);
    found
}

fn check(rules: &str, goal: &str, expected: &[&str]) {
    let mut session = session(rules);
    assert_eq!(answers(&mut session, goal), expected, "{goal}");
    assert!(memory(&mut session.world).plans.is_empty(), "{goal}: nothing is kept");
}

#[test]
fn every_cheapest_plan_is_an_answer() {
    let all = ["P = [go,go,go], C = 1", "P = [go,leap], C = 1"];
    check(RULES, "cheapest_plan(0, P, C)", &all);
    check(RULES, "cheapest_plan(2, P, C)", &["P = [back,go,leap], C = 1", "P = [go], C = 1"]);
    check(RULES, "cheapest_plan(3, P, C)", &["P = [], C = 0"]);
    check(RULES, "cheapest_plan(13, P, C)", &[]);
    check(RULES, "cheapest_plan(0, [go,leap], C)", &["C = 1"]);
    check(RULES, "cheapest_plan(0, P, 2)", &[]);
    check(RULES, "once(cheapest_plan(0, P, C))", &all[..1]);
    check(RULES, "catch((cheapest_plan(0, _, C), throw(C)), E, true)", &["E = 1"]);
    // One inside the other.
    let goal = "findall(x, (cheapest_plan(0, _, _), cheapest_plan(2, _, _)), L), length(L, N)";
    check(RULES, &format!("{goal}, L = [x|_], N == 4, L \\== []"), &["L = [x,x,x,x], N = 4"]);
    // Rules that change meanwhile don't change what was found.
    let rules = format!(":- dynamic(seen/1). {RULES}");
    let goal = "forall(cheapest_plan(0, P, _), assertz(seen(P))), aggregate_all(count, seen(_), N)";
    check(&rules, goal, &["N = 2"]);
}

#[test]
fn plans_are_counted() {
    check(RULES, "plan_count(0, N, C)", &["N = 2, C = 1"]);
    // Names and states tell plans apart.
    check(RULES, "plan_count(S, N, C, [instance(far)])", &["S = 10, N = 3, C = 2"]);
    check(RULES, "plan_count(13, N, C)", &[]);
    let rules = "initial_state(0). final_state(100).
        rule(a, 1, X, Y) :- X < 100, Y is X + 1. rule(b, 1, X, Y) :- X < 100, Y is X + 1.";
    check(
        rules,
        "plan_count(N, C), N =:= 2**100, M = ok",
        &["N = 1267650600228229401496703205376, C = 100, M = ok"],
    );
}

#[test]
fn floats_are_cheap_alike_up_to_rounding() {
    let rules = "initial_state(0). final_state(9).
        rule(a, 0.1, 0, 1). rule(b, 0.2, 1, 9). rule(c, 0.3, 0, 9). rule(d, 0.3000001, 0, 9).";
    check(rules, "plan_count(N, _)", &["N = 2"]);
    let large = "initial_state(0). final_state(2). rule(a, 9223372036854775807, 0, 1).
        rule(b, 9223372036854775807, 1, 2). rule(c, 9223372036854775807, 0, 2).";
    check(large, "cheapest_plan(P, _)", &["P = [c]"]);
}

#[test]
fn limits_and_wrong_options_are_errors() {
    for (goal, error) in [
        ("cheapest_plan(0, _, _, [depth(2)])", "depth(2)"),
        ("plan_count(0, _, _, [heuristic(h)])", "heuristic(h)"),
        ("cheapest_plan(0, _, _, [nodes(1)])", "nodes"),
        ("cheapest_plan(0, _, _, nodes)", "list"),
    ] {
        let mut session = session(RULES);
        let text = answers(&mut session, &format!("catch({goal}, error(E, _), true)"));
        assert!(text.len() == 1 && text[0].contains(error), "{goal}: {text:?}");
    }
}

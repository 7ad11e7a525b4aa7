//! Options in lists: which errors there are, and who knows which options.

use super::options::of;
use super::tests::{CORRIDOR, check, session};
use zug_search::engines;

#[test]
fn errors_are_those_of_the_standard() {
    let mut session = session(CORRIDOR);
    for (goal, ball) in [
        ("astar(0, _, _, [weight(_)])", "instantiation_error"),
        ("astar(0, _, _, [nodes(_)])", "instantiation_error"),
        ("astar(0, _, _, [_])", "instantiation_error"),
        ("astar(0, _, _, [nodes(foo)])", "type_error(number,foo)"),
        ("astar(0, _, _, [time(-1)])", "domain_error(engine_option,time(-1))"),
        ("astar(0, _, _, [weight(0.5)])", "domain_error(engine_option,weight(0.5))"),
        ("astar(0, _, _, [width(0)])", "domain_error(engine_option,width(0))"),
        ("astar(0, _, _, [weight])", "domain_error(engine_option,weight)"),
        ("astar(0, _, _, [weight(2,3)])", "domain_error(engine_option,weight(2,3))"),
        ("astar(0, _, _, [7])", "domain_error(engine_option,7)"),
        ("astar(0, _, _, [no_such(1), weight(_)])", "domain_error(engine_option,no_such(1))"),
        ("astar(0, _, _, [nodes(10)|foo])", "type_error(list,[nodes(10)|foo])"),
        ("cheapest_plan(0, _, _, [weight(2)])", "domain_error(engine_option,weight(2))"),
        ("compare([random(foo)], _)", "type_error(number,foo)"),
        ("compare([engines(_)], _)", "instantiation_error"),
        ("nash(_, _, [iterations(1.5)])", "type_error(integer,1.5)"),
        ("nash(_, _, [learn(slowly)])", "domain_error(option,learn(slowly))"),
        ("nash(_, _, [eliminate(x)])", "domain_error(option,eliminate(x))"),
        ("train([games(foo)], _)", "domain_error(train_option,games(foo))"),
        ("train([epsilon(2)], _)", "domain_error(train_option,epsilon(2))"),
        ("train([method(luck)], _)", "domain_error(train_option,method(luck))"),
        ("train([baseline(self)], _)", "domain_error(train_option,baseline(self))"),
        ("train([beads(1, 2)], _)", "domain_error(train_option,beads(1,2))"),
    ] {
        let goal = format!("catch({goal}, error(E, _), true)");
        check(&mut session, &goal, &format!("E = {ball}"));
    }
}

#[test]
fn values_of_all_kinds_are_taken() {
    let mut session = session(CORRIDOR);
    for options in [
        "weight(2), width(3), depth(inf), nodes(1.0e6), time(10), memory(64)",
        "time(1.0e300), nodes(inf), states(_), stats(_)",
    ] {
        check(&mut session, &format!("astar(0, _, C, [{options}]), C > 0"), "C = 5");
    }
}

#[test]
fn advice_knows_what_was_meant() {
    let mut session = session(CORRIDOR);
    for (goal, part) in [
        ("astar(0, _, _, [wieght(2)])", "did you mean `weight`?"),
        ("astar(0, _, _, [weight(0)])", "a weight is a number that is at least 1, as 1.5"),
        ("cheapest_plan(0, _, _, [weight(2)])", "the options are instance(Name), nodes(N)"),
        ("compare([enginse([bfs])], _)", "did you mean `engines`?"),
        ("train([epsilom(0.1)], _)", "did you mean `epsilon`?"),
        ("nash(_, _, [iteration(3)])", "did you mean `iterations`?"),
    ] {
        let mut query = session.query(goal).expect("a goal that reads");
        let fault = session.next(&mut query).expect_err("an option that is none");
        let said = session.describe(&fault).to_string();
        session.close(query);
        assert!(said.contains(part), "{goal}: {said}");
    }
}

#[test]
fn every_engine_has_its_options() {
    for engine in engines() {
        let known = of(engine.name).expect("it has options").infos();
        for parameter in engine.parameters {
            assert!(known.iter().any(|info| info.name == *parameter), "{}", engine.name);
        }
    }
    for name in ["mcts", "playouts", "nash", "match", "tournament", "train", "compare", "enumerate"]
    {
        assert!(of(name).is_some_and(|table| !table.infos().is_empty()), "{name}");
    }
    assert!(of("append").is_none());
}

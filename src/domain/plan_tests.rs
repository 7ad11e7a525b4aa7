//! The memory of predicates that enumerate plans.

use super::plan_predicates::plans_asked_for;

/// All answers, the first one, and an exception between answers leave nothing in the memory of the session.
#[test]
fn no_plans_are_kept() {
    let mut session = crate::language::captured("").0;
    session.load_text(
        "rules",
        "initial_state(0). final_state(3). rule(leap, 1, 0, 3). rule(go, 1, 0, 3).
         rule(never, 1, 4, 5).",
    );
    for goal in [
        "forall(cheapest_plan(0, _, _), true)",
        "once(cheapest_plan(0, _, _))",
        "catch((cheapest_plan(0, _, _), throw(out)), out, true)",
        "\\+ cheapest_plan(4, _, _)",
        "plan_count(0, 2, 1)",
        "findall(x, (cheapest_plan(0, _, _), cheapest_plan(0, _, _)), [_, _, _, _])",
    ] {
        let mut query = session.query(goal).expect("a goal that reads");
        assert!(session.next(&mut query).expect("no error"), "{goal}");
        session.close(query);
        assert!(plans_asked_for(&mut session.world).is_empty(), "{goal}");
    }
}

//! What `why_not/1` says of other plans and of lost positions, against answers found in another way.

use super::support::ask;
use std::collections::BTreeMap;
use std::path::Path;
use zug_explain::take_explanations;
use zug_prolog::session::Session;

fn session(file: &str) -> Session {
    let (mut session, _) = zug_tools::language::captured("");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    session.load_file(&path).expect("it loads");
    session
}

/// Cheapest ways between all cities (Floyd 1962, Warshall 1962).
fn distances(roads: &[Vec<String>]) -> BTreeMap<(String, String), u64> {
    let mut least = BTreeMap::new();
    for road in roads {
        let cost: u64 = road[2].parse().expect("a number");
        least.insert((road[0].clone(), road[1].clone()), cost);
        least.insert((road[0].clone(), road[0].clone()), 0);
    }
    let cities: Vec<String> = roads.iter().map(|road| road[0].clone()).collect();
    for middle in &cities {
        for from in &cities {
            for to in &cities {
                let [one, two] = [(from, middle), (middle, to)]
                    .map(|(a, b)| least.get(&(a.clone(), b.clone())).copied());
                let (Some(one), Some(two)) = (one, two) else { continue };
                let known = least.entry((from.clone(), to.clone())).or_insert(u64::MAX);
                *known = (*known).min(one + two);
            }
        }
    }
    least
}

#[test]
fn plans_through_every_city_cost_what_both_halves_do() {
    let mut session = session("rules/romania.pl");
    let roads = ask::all(&mut session, "road(A, B, C)").rows;
    let least = distances(&roads);
    let cities: std::collections::BTreeSet<&String> = least.keys().map(|(city, _)| city).collect();
    let mut questions = 0;
    for row in ask::all(&mut session, "initial_state(N, S)").rows {
        let start = &row[1];
        let direct = least[&(start.clone(), "bucharest".to_owned())];
        for &city in &cities {
            let through = least[&(start.clone(), city.clone())]
                + least[&(city.clone(), "bucharest".to_owned())];
            let goal = format!("why_not(plan_through({start}, {city}))");
            assert_eq!(ask::all(&mut session, &goal).error, None, "{goal}");
            let told = take_explanations(&mut session.world);
            let title = &told.last().expect("an explanation").title;
            let right = if through == direct {
                format!("a cheapest plan goes through `{city}`")
            } else {
                let more = through - direct;
                format!(
                    "no cheapest plan goes through `{city}`: the cheapest that does costs {through}, {more} more"
                )
            };
            assert_eq!(*title, right, "{goal}");
            let is =
                !ask::all(&mut session, &format!("plan_through({start}, {city})")).rows.is_empty();
            assert_eq!(is, through == direct, "{goal}");
            questions += 1;
        }
    }
    assert!(questions >= 50, "{questions}");
}

#[test]
fn what_no_plan_does_is_told() {
    let mut session = session("rules/wolf.pl");
    let mut title = |goal: &str| {
        assert_eq!(ask::all(&mut session, &format!("why_not({goal})")).error, None, "{goal}");
        take_explanations(&mut session.world).pop().expect("an explanation").title
    };
    assert_eq!(
        title("plan_through(state(moon, _, _, _))"),
        "no plan goes through `state(moon,_,_,_)`: no path from the start does"
    );
    assert_eq!(title("plan_using(with_goat)"), "a cheapest plan has the move `with_goat`");
}

#[test]
fn why_there_is_no_plan_is_told_by_the_smallest_part() {
    let told = |file: &str, instance: &str| {
        let mut session = session(file);
        let goal = format!("initial_state({instance}, S), why_not(solvable(S))");
        assert_eq!(ask::all(&mut session, &goal).error, None, "{file}");
        let told = take_explanations(&mut session.world).pop().expect("an explanation");
        format!("{}: {}", told.title, told.notes.join("; "))
    };
    let none = |file: &str, instance: &str| {
        let told = told(file, instance);
        told.strip_prefix("there is no plan: ").map(str::to_owned).expect("none")
    };
    let values =
        "no state is final in which each part has a value that it can come to have by itself: ";
    // All amounts are even.
    let jugs = none("rules/jugs.pl", "hopeless");
    assert_eq!(jugs, format!("{values}jugs(3,[jug(6,{{0, 2, 4, 6}}),jug(4,{{0, 2, 4}})])"));
    // All pieces are needed to see it.
    let taquin = none("rules/taquin.pl", "odd");
    assert!(taquin.starts_with("the parity of the permutation of a, b, c"), "{taquin}");
    // The box never leaves its corner.
    let sokoban = none("rules/sokoban.pl", "stuck");
    assert_eq!(sokoban, format!("{values}state(stuck,({{2, 3}})-({{2, 3, 4}}),[(2)-(2)])"));
    // Either of the first two may be 1, and never both.
    let (mut session, _) = zug_tools::language::captured("");
    session.load_text(
        "swap",
        "initial_state(s(1,0,off)). final_state(s(1,1,on)).
         rule(swap, 1, s(A,B,C), s(B,A,C)).
         rule(on, 1, s(A,B,off), s(A,B,on)). rule(off, 1, s(A,B,on), s(A,B,off)).",
    );
    assert_eq!(ask::all(&mut session, "why_not(solvable)").error, None);
    let told_of = take_explanations(&mut session.world).pop().expect("an explanation");
    let part = "no final state can be reached even if only what is marked *, or never changes, counts: s(*,*,_); \
                it has 2 states, and none that knows less shows it";
    assert_eq!(
        (told_of.title.as_str(), told_of.notes),
        ("there is no plan", vec![part.to_owned()])
    );
    let wolf = told("rules/wolf.pl", "alcuin");
    assert!(wolf.starts_with("there is a plan: the cheapest plan, cost 7: with_goat, "), "{wolf}");
}

#[test]
fn each_move_of_a_lost_position_has_an_answer_that_wins() {
    let mut session = session("rules/nim.pl");
    let mut lost = 0;
    for matches in 1..=16 {
        let won = !ask::all(&mut session, &format!("winning(a, {matches})")).rows.is_empty();
        let goal = format!("why_not(winning(a, {matches}))");
        assert_eq!(ask::all(&mut session, &goal).error, None, "{goal}");
        let told = take_explanations(&mut session.world).pop().expect("an explanation");
        let refuted = told.notes.iter().filter(|note| note.contains(" answers ")).count();
        // Who takes the last match loses: 1, 5, 9 and 13 are lost.
        assert_eq!(won, matches % 4 != 1, "{matches}");
        if !won {
            lost += 1;
            let most = (matches - 1).min(3);
            assert!(refuted >= most, "{goal}: {:?}", told.notes);
        }
    }
    assert_eq!(lost, 4);
}

//! What `why_not/1` says of other plans and of lost positions, against answers found in another way.

use crate::support::{ask, loaded, session};
use std::collections::BTreeMap;
use zug_explain::take_explanations;

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
    let (mut session, _) = loaded(
        "initial_state(s(1,0,off)). final_state(s(1,1,on)).
         rule(swap, 1, s(A,B,C), s(B,A,C)).
         rule(on, 1, s(A,B,off), s(A,B,on)). rule(off, 1, s(A,B,on), s(A,B,off)).",
    );
    assert_eq!(ask::all(&mut session, "why_not(solvable)").error, None);
    let told_of = take_explanations(&mut session.world).pop().expect("an explanation");
    let part = "no final state can be reached, as a simpler puzzle shows, in which only what is marked * counts, or never changes: s(*,*,_); \
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

/// The title and the notes of what `why_not/1` says, or `why/1` as `goal`.
fn said(rules: &str, goal: &str) -> (String, Vec<String>) {
    let (mut session, _) = loaded(rules);
    assert_eq!(ask::all(&mut session, goal).error, None, "{goal}");
    let told = take_explanations(&mut session.world).pop().expect("an explanation");
    (told.title, told.notes)
}

/// A die of two sides is rolled, or not; who rolls 2 wins.
const DIE: &str = "
    initial_state(go). initial_player(a). opponent(a,b). opponent(b,a).
    to_move(rolling, chance) :- !.
    to_move(_, a).
    move(a, roll, go, rolling). move(a, stop, go, over(0)).
    move(chance, N, rolling, over(N)) :- member(N, [1,2]).
    probability(1, rolling, 3/4). probability(2, rolling, 1/4).
    terminal(_, over(_)).
    utility(a, over(N), U) :- ( N =:= 2 -> U = 1 ; N =:= 1 -> U = -1 ; U = 0 ).
    utility(b, S, V) :- utility(a, S, U), V is -U.";

#[test]
fn where_chance_moves_values_are_means() {
    let (title, notes) = said(DIE, "why_not(winning(a, go))");
    assert_eq!(title, "`a` does not win on the mean: the position is worth 0 to `a`");
    let rolled = "`roll`: then `chance` moves; worth -1/2 to `a` on the mean";
    assert_eq!(notes, [rolled, "`stop` ends the game, worth 0 to `a`"]);
    let (title, notes) = said(DIE, "why_not(winning(a, rolling))");
    assert!(title.starts_with("it is not `a` who moves but `chance`"), "{title}");
    assert!(title.ends_with("worth -1/2 to `a` on the mean"), "{title}");
    let outcomes =
        ["`1` (probability 3/4): worth -1 to `a`", "`2` (probability 1/4): worth 1 to `a`"];
    assert_eq!(notes, outcomes);
    let (title, notes) = said(DIE, "why_not(winning(a, over(1)))");
    assert_eq!((title.as_str(), notes.len()), ("the game is over; it is worth -1 to `a`", 0));
}

#[test]
fn a_state_that_is_terminal_is_over_whatever_moves_match() {
    let rules = "
        initial_state(p(3)). initial_player(a). opponent(a,b). opponent(b,a).
        move(_, D, p(N), p(M)) :- member(D, [1,2]), M is (N+D) mod 5.
        terminal(_, p(0)). utility(_, p(0), -1).";
    let (title, notes) = said(rules, "why_not(winning(a, p(0)))");
    assert_eq!((title.as_str(), notes.len()), ("the game is over; it is worth -1 to `a`", 0));
}

#[test]
fn the_answer_that_wins_soonest_is_shown() {
    let (mut session, goal) =
        (session("rules/tictactoe.pl"), "why_not(winning(x, [[x,o,_],[_,o,_],[_,_,x]]))");
    assert_eq!(ask::all(&mut session, goal).error, None);
    let told = take_explanations(&mut session.world).pop().expect("an explanation");
    let at_once = told.notes.iter().filter(|note| note.contains("`o` answers `[3,2]`")).count();
    assert_eq!(at_once, told.notes.len() - 1, "{:?}", told.notes);
}

#[test]
fn why_a_position_is_won_or_not_lost_is_shown_by_a_line_that_wins() {
    let mut session = session("rules/nim.pl");
    let mut told = |goal: &str| {
        assert_eq!(ask::all(&mut session, goal).error, None, "{goal}");
        take_explanations(&mut session.world).pop().expect("an explanation")
    };
    let goals = [
        "why(winning(a, 6))",
        "why_not(winning(a, 6))",
        "why_not(losing(a, 6))",
        "why_not(drawn(a, 6))",
    ];
    for goal in goals {
        let found = told(goal);
        assert!(found.title.ends_with("the position is worth 1 to `a`"), "{goal}: {}", found.title);
        let line = found.notes[0].split_once(": ").expect("a line").1;
        assert!(line.starts_with("`take(1)`, "), "{goal}: {line}");
        // Five are left, and the loser takes the last one.
        let taken: u32 = line.matches("take(").count() as u32;
        assert!(
            taken.is_multiple_of(2) && found.notes[0].contains(&format!("after {taken} moves"))
        );
    }
    assert_eq!(
        told("why(losing(a, 5))").title,
        "`a` loses, whatever it does; the position is worth -1 to `a`"
    );
}

#[test]
fn where_all_choose_at_once_equilibria_are_pointed_to() {
    let rules = "players([ann,bob]). action(_, _, A) :- member(A, [x,y]). payoff([A,A], [1,-1]). payoff([A,B], [-1,1]) :- A \\== B.";
    let (title, notes) = said(rules, "why_not(winning(ann, _))");
    assert!(title.starts_with("all players choose at once"), "{title}");
    assert!(notes[0].contains("`nash(Strategies, Values)`"), "{notes:?}");
}

/// A number grows by two up to 20; the other one never changes.
const COUNTER: &str = "
    initial_state(odd, c(0,7)). initial_state(done, c(4,4)).
    final_state(c(N,N)).
    rule(add, 1, c(N,T), c(M,T)) :- N < 20, M is N+2.
    rule(wait, 1, c(30,T), c(30,T)).";

#[test]
fn no_plan_where_nothing_moves_is_no_invariant() {
    let none = |state: &str| {
        let (title, notes) = said(COUNTER, &format!("why_not(solvable({state}))"));
        assert_eq!(title, "there is no plan", "{state}");
        notes.join("; ")
    };
    for state in ["c(20,18)", "c(20,3)"] {
        assert_eq!(none(state), "no move can be made in this state, and it is not final");
    }
    assert_eq!(none("c(30,3)"), "each move leads back to this state, and it is not final");
    // The name of an instance is its state.
    assert_eq!(none("odd"), none("c(0,7)"));
    let (title, notes) = said(COUNTER, "why_not(solvable(done))");
    assert_eq!(title, "there is a plan");
    assert_eq!(notes, ["the state is final already: no move is needed"]);
    // 99 is no value that a part may have: all were tried, and that is said.
    let large = none("c(0,99)");
    assert!(large.starts_with("all states that can be reached were tried; whether"), "{large}");
    assert!(large.contains("whole numbers from -16 to 79"), "{large}");
}

#[test]
fn why_there_is_no_plan_is_told_of_costs_with_fractions() {
    let rules = "initial_state(n(0)). final_state(n(7)).
        rule(two, 0.5, n(N), n(M)) :- N < 10, M is N+2. rule(back, 1, n(N), n(M)) :- N > 1, M is N-2.";
    let (title, notes) = said(rules, "why_not(solvable)");
    assert_eq!(title, "there is no plan");
    assert!(notes[0].ends_with("n({0, 2, 4, 6, 8, 10})"), "{notes:?}");
}

//! Tables, equilibria and what goes wrong, from rules.

use super::{Extent, NashTask, find_nash};
use crate::{Contract, DomainKind};
use zug_matrix::{Elimination, Rational, ratio};
use zug_prolog::session::Session;
use zug_search::StopReason;

pub(super) fn session(rules: &str) -> Session {
    let (mut session, _) = crate::language::captured("");
    let findings = session.load_text("rules", rules);
    assert!(!findings.iter().any(|finding| finding.is_error()), "{findings:?}");
    session
}

/// A game of two players with these payoffs, actions by number.
fn two(payoffs: &str) -> String {
    format!("players([a, b]). action(_, _, 0). action(_, _, 1). {payoffs}")
}

/// The answers of a goal, one a line.
pub(super) fn answers(rules: &str, goal: &str) -> String {
    let mut session = session(rules);
    let mut query = session.query(goal).expect("it reads");
    let mut text = String::new();
    loop {
        match session.next(&mut query) {
            Ok(true) => text += &format!("{}\n", session.answer(&query).replace(",\n", ", ")),
            Ok(false) => return text,
            Err(fault) => return text + &session.describe(&fault).message,
        }
        if !session.has_more(&query) {
            return text;
        }
    }
}

/// The error of a game as it is shown, without the hint.
fn error(rules: &str) -> String {
    let mut session = session(rules);
    let (m, w) = (&mut session.machine, &mut session.world);
    let error = find_nash(m, w, None, &NashTask::default()).expect_err("an error");
    error.message(m, w)
}

const PENNIES: &str = "payoff([X, X], [1, -1]). payoff([X, Y], [-1, 1]) :- X \\== Y.";
const SEXES: &str = "payoff([0,0], [3,2]). payoff([1,1], [2,3]).
    payoff([0,1], [0,0]). payoff([1,0], [0,0]).";
const DILEMMA: &str = "payoff([0,0], [3,3]). payoff([0,1], [0,5]).
    payoff([1,0], [5,0]). payoff([1,1], [1,1]).";

#[test]
fn kinds_are_told_by_predicates() {
    let kind = |rules: &str| Contract::of(&session(rules).machine).kind();
    assert_eq!(kind(&two(PENNIES)), DomainKind::Simultaneous);
    assert_eq!(kind("payoff(_, 3)."), DomainKind::Program);
    assert_eq!(kind("players([a]). move(a, x, 1, 2). action(1, 2, 3)."), DomainKind::Game);
    assert_eq!(kind("players([a]). action(a, _, x)."), DomainKind::Simultaneous);
}

#[test]
fn equilibria_on_backtracking() {
    let half = "[[0-1/2,1-1/2],[0-1/2,1-1/2]]";
    assert_eq!(answers(&two(PENNIES), "nash(Ss, Us)"), format!("Ss = {half}, Us = [0,0]\n"));
    assert_eq!(
        answers(&two(SEXES), "nash(Ss, Us, [gains(Gs)])"),
        "Ss = [[0-1],[0-1]], Us = [3,2], Gs = [0,0]\n\
         Ss = [[1-1],[1-1]], Us = [2,3], Gs = [0,0]\n\
         Ss = [[0-3/5,1-2/5],[0-2/5,1-3/5]], Us = [6/5,6/5], Gs = [0,0]\n"
    );
    assert_eq!(
        answers(&two(DILEMMA), "dominated(J, A, By)"),
        "J = a, A = 0, By = [1-1]\nJ = b, A = 0, By = [1-1]\n"
    );
    assert_eq!(answers(&two(PENNIES), "dominated(J, A)"), "");
}

#[test]
fn options_of_nash() {
    let query = |options: &str| {
        let rules = two("payoff([1,1], [1,-1]). payoff([_,_], [0,0]).");
        answers(&rules, &format!("nash(_, Us, [{options}])"))
    };
    assert_eq!(query("eliminate(weak)"), "Us = [0,0]\n");
    assert!(query("eliminate(x)").contains("option"), "{}", query("eliminate(x)"));
    assert!(query("nonsense(1)").contains("option"));
    assert!(query("nodes(0)").contains("nodes"), "{}", query("nodes(0)"));
    let learned = "nash(_, _, [learn(regret), iterations(100), seed(1), exploitability(E)]),
        E >= 0, E < 0.5";
    assert!(answers(&two(PENNIES), learned).starts_with("E = "));
}

#[test]
fn payoffs_are_exact() {
    let rules = two("payoff([0, _], [1/3, -1/3]). payoff([1, _], [0.1, X]) :- X is -0.1.");
    let mut session = session(&rules);
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = find_nash(m, w, None, &NashTask::default()).expect("rules");
    let table = found.table.expect("no limits");
    assert_eq!(*table.game.payoff(&[0, 0], 0), ratio(1, 3));
    let tenth = Rational::new(3_602_879_701_896_397_i64.into(), (1_i64 << 55).into());
    assert_eq!(*table.game.payoff(&[1, 0], 0), tenth);
    assert!(table.is_zero_sum());
}

#[test]
fn three_players_have_pure_equilibria() {
    let rules = "players([a, b, c]). action(_, _, X) :- member(X, [0, 1]).
        payoff([X, Y, Z], [U, U, U]) :- U is X + Y + Z.";
    let mut session = session(rules);
    let (m, w) = (&mut session.machine, &mut session.world);
    let eliminate = Some(Elimination::default());
    let task = NashTask { eliminate, ..NashTask::default() };
    let found = find_nash(m, w, None, &task).expect("rules");
    let found = found.nash.expect("no limits");
    assert_eq!((found.removed.len(), found.equilibria.len()), (3, 1));
    assert_eq!(found.extent, Extent::Pure);
    assert_eq!(found.equilibria[0].certificate.payoffs, vec![ratio(3, 1); 3]);
    assert!(found.equilibria[0].certificate.holds());
}

#[test]
fn limits_strike() {
    let mut session = session(&two(PENNIES));
    let (m, w) = (&mut session.machine, &mut session.world);
    let mut task = NashTask::default();
    task.limits.nodes = Some(1);
    let found = find_nash(m, w, None, &task).expect("rules");
    assert_eq!(found.nash.map(|_| ()), Err(StopReason::Nodes));
}

#[test]
fn bad_rules_are_shown_where_they_stand() {
    let bad = |payoffs: &str| error(&two(&format!("\n{payoffs}")));
    let cases = [
        (
            bad("payoff([0,_], [1,2]).\npayoff([1,_], [1,2,3])."),
            "payoff/2 gives 3 payoffs, and there are 2 players, rules:3:1",
        ),
        (bad("payoff([0,_], [1,2])."), "payoff/2 has no answer for the actions [1,0]"),
        (bad("payoff(_, [1,high])."), "`high` in an answer of payoff/2 is no number, rules:2:1"),
        (bad("payoff(_, [1,_])."), "the payoff has no value in an answer of payoff/2, rules:2:1"),
        (bad("payoff(_, 1)."), "`1` in an answer of payoff/2 is no list, rules:2:1"),
        (error("players([a,b]). action(_, _, x)."), "the program has no payoff/2"),
        (error("players([]). action(_, _, x). payoff(_, [])."), "players/1 names nobody"),
        (
            error("players([a, a]). action(_, _, x). payoff(_, [1,1])."),
            "players/1 names `a` twice, rules:1:1",
        ),
        (
            error("players([a, b]). action(a, _, x). payoff(_, [1,1])."),
            "action/3 has no answer for player b",
        ),
        (
            error("players([a, b]). action(_, _, _). payoff(_, [1,1])."),
            "`_0` in an answer of action/3 has unbound variables, rules:1:18",
        ),
        (
            error("players([a, b]). action(_, _, X) :- foo(X), X = 1. payoff(_, [1,1])."),
            "action/3 raised an error: unknown procedure foo/1, rules:1:37",
        ),
    ];
    for (found, wanted) in cases {
        assert_eq!(found, wanted);
    }
}

const RPS: &str = "players([one, two]). action(_, _, H) :- member(H, [r, p, s]).
    payoff([A, A], [0, 0]).
    payoff([A, B], [1, -1]) :- beats(A, B).
    payoff([A, B], [-1, 1]) :- beats(B, A).
    beats(r, s). beats(s, p). beats(p, r).
    strategy(cycle, [], _, r).
    strategy(cycle, [Last|_], _, Next) :- beats(Next, Last).
    strategy(copy, _, [], r).
    strategy(copy, _, [Last|_], Last).
    strategy(say(H), _, _, H).
    strategy(mute, [], _, r).
    strategy(wild, _, _, H) :- random_member(H, [r, p, s]).";

#[test]
fn players_of_the_rule_file_play() {
    let played =
        |players: &str, options: &str| answers(RPS, &format!("match({players}, S, {options})"));
    // cycle plays r, p, s, r, …: what beats its last. copy shows it one round later.
    assert_eq!(played("cycle, copy", "[rounds(10)]"), "S = score(9,1,0,[9,-9])\n");
    assert_eq!(played("counter(cycle), cycle", "[to(5)]"), "S = score(5,0,0,[5,-5])\n");
    assert_eq!(played("cycle, counter(cycle)", "[rounds(3)]"), "S = score(0,0,3,[-3,3])\n");
    assert_eq!(played("say(p), fixed(r)", "[rounds(3)]"), "S = score(3,0,0,[3,-3])\n");
    assert_eq!(played("fixed(r), fixed(r)", "[to(2)]"), "S = score(0,200,0,[0,0])\n");
    assert_eq!(played("wild, nash", "[seed(7)]"), played("wild, nash", "[seed(7)]"));
    assert_eq!(
        answers(RPS, "tournament([copy, cycle], S, [rounds(10), matches(2)])"),
        "S = [standing(cycle,2,0,0,18),standing(copy,0,0,2,-18)]\n"
    );
}

#[test]
fn bad_players_are_named() {
    let wrong = |players: &str| {
        let goal = format!("catch(match({players}, _, []), error(_, context(_, Message)), true)");
        answers(RPS, &goal)
    };
    let cases = [
        ("histry(2), nash", "`histry(2)` is no player; there are uniform, nash"),
        ("nash, fixed(x)", "there is no action `x`; there are r, p, s"),
        ("nash, history(0)", "the order 0 is not between 1 and 64"),
        ("nash, say(x)", "strategy/4 says `x` for say(x), which is no action of this player"),
        ("nash, mute", "strategy/4 has no answer for mute"),
    ];
    for (players, words) in cases {
        let found = wrong(players);
        assert!(found.contains(words), "{found}");
    }
}

//! Rules with chance: values by hand and by another solver, errors, refusals.

use super::tests::{fails, shipped};
use crate::tests::{check, session};

/// A coin for 2 points or none, or 1 point for sure, once.
const COIN: &str = "
    initial_state(start). initial_player(a). opponent(a, b). opponent(b, a).
    to_move(coin, chance) :- !.
    to_move(start, a).
    to_move(got(_), b).
    move(a, take, start, got(1)).
    move(a, toss, start, coin).
    move(chance, heads, coin, got(2)).
    move(chance, tails, coin, got(-1)).
    terminal(_, got(_)).
    utility(a, got(N), N).
    utility(b, got(N), U) :- U is -N.
";

#[test]
fn a_coin_by_hand() {
    let mut game =
        session(&format!("{COIN} probability(heads, _, 3/4). probability(tails, _, 1/4)."));
    check(&mut game, "solve_game(a, S, V)", "S = start, V = 5/4");
    check(&mut game, "expectiminimax(a, _, 0, inf, R)", "R = [toss,5/4]");
    check(&mut game, "best_move(a, _, M), winning(a, _)", "M = toss");
    // Where chance is to move the value is told for each player.
    check(&mut game, "solve_game(chance, coin, V)", "V = [a-5/4,b- -5/4]");
    check(&mut game, "count_states(N), count_plays(P), perft(_, 2, T)", "N = 5, P = 3, T = 2");
    check(&mut game, "playouts(a, _, 10, [R|_])", "R = played(take,5,1.0,5,0,0)");
    check(&mut game, "mcts(a, start, M, V, [playouts(2000), seed(3)])", "M = toss, V = 1.25");
    fails(&mut game, "negamax(a, _, 0, 3)", "negamax can't play where chance moves");
    fails(&mut game, "strategy(a, _, _)", "strategy/3 can't play where chance moves");
    fails(&mut game, "maxn(a, _, 0, 3)", "maxn can't play");
}

#[test]
fn moves_without_a_probability_are_equally_likely() {
    let mut game = session(COIN);
    fails(&mut game, "negamax(a, _, 0, 3)", "negamax can't play where chance moves");
    let mut game = session(COIN);
    check(&mut game, "solve_game(a, _, V), best_move(a, _, M)", "V = 1, M = take");
    check(&mut game, "solve_game(chance, coin, [a-V|_])", "V = 1/2");
}

#[test]
fn floats_are_probabilities_too() {
    let mut game =
        session(&format!("{COIN} probability(heads, _, 0.75). probability(tails, _, 0.25)."));
    check(&mut game, "solve_game(a, _, V)", "V = 1.25");
    let mut game = session(&format!("{COIN} probability(M, _, P) :- P is 1 - 0.5, atom(M)."));
    check(&mut game, "solve_game(chance, coin, [a-V|_])", "V = 0.5");
}

/// The same moves in two states: a probability that looks at the state is asked in each.
#[test]
fn probabilities_may_depend_on_the_state() {
    let clauses = "
        initial_state(toss(0)). initial_player(a). opponent(a, b). opponent(b, a).
        to_move(toss(_), chance) :- !.
        to_move(_, a).
        move(chance, heads, toss(N), toss(M)) :- N < 2, M is N + 1.
        move(chance, tails, toss(N), over(N)) :- N < 2.
        move(chance, heads, toss(2), over(2)).
        terminal(_, over(_)).
        utility(a, over(N), N). utility(b, over(N), U) :- U is -N.
    ";
    for (probabilities, value) in [
        ("probability(heads, toss(0), 1/3). probability(tails, toss(0), 2/3).
          probability(heads, toss(1), 1/4). probability(tails, toss(1), 3/4). probability(heads, toss(2), 1).", "5/12"),
        ("probability(heads, toss(N), P) :- ( N < 2 -> P = 1/2 ; P = 1 ). probability(tails, _, 1/2).", "3/4"),
        ("", "3/4"),
    ] {
        let mut game = session(&format!("{clauses} {probabilities}"));
        check(&mut game, "solve_game(chance, toss(0), [a-V|_])", &format!("V = {value}"));
    }
    // All three states have the same moves here, whose probabilities do not add up in one of them.
    let mut game =
        session(&format!("{clauses} probability(heads, _, 1/2). probability(tails, _, 1/2)."));
    fails(&mut game, "solve_game(chance, toss(0), _)", "add up to 1/2, not to 1, in state toss(2)");
}

#[test]
fn probabilities_that_are_none() {
    for (clauses, said) in [
        ("probability(_, _, 1/3).", "add up to 2/3, not to 1, in state coin"),
        ("probability(_, _, 0.5001).", "add up to 1.0002, not to 1"),
        ("probability(heads, _, 3/2). probability(tails, _, -1/2).", "`tails` in an answer"),
        ("probability(heads, _, 1). probability(tails, _, 0).", "probability/3 is 0"),
        ("probability(heads, _, 1).", "probability/3 has no answer for the move `tails`"),
        ("probability(_, _, _).", "the probability of the move `heads` has no value"),
        ("probability(_, _, often).", "is `often`, which is no number"),
        ("probability(_, _, 1/0).", "which is no number"),
        ("probability(_, _, P) :- P is foo.", "there is no function foo/0"),
    ] {
        for goal in ["solve_game(a, _, _)", "expectiminimax(a, _, 0, 4)", "mcts(a, _, _, _)"] {
            let mut game = session(&format!("{COIN} {clauses}"));
            fails(&mut game, goal, said);
        }
    }
}

#[test]
fn values_stay_within_their_bounds() {
    let mut game = session(&format!("{COIN} utility_bounds(-2, 2)."));
    check(&mut game, "expectiminimax(a, _, 0, inf, [M, V])", "M = take, V = 1");
    let mut game = session(&format!("{COIN} utility_bounds(-1, 1)."));
    let said = "utility/3 says -2, and utility_bounds/2 from -1 to 1";
    fails(&mut game, "expectiminimax(a, _, 0, inf)", said);
    check(&mut game, "solve_game(a, _, V)", "V = 1");
}

/// Players in a circle with chance in it, and one player alone.
#[test]
fn chance_takes_its_turn_in_the_circle() {
    let mut game = session(
        "initial_state(s(0, 0)). initial_player(a). opponent(a, chance). opponent(chance, a).
         move(a, go, s(N, 0), s(N, 1)) :- N < 2.
         move(a, stop, s(N, 0), over(N)).
         move(chance, up, s(N, 1), s(M, 0)) :- M is N + 1.
         move(chance, down, s(_, 1), over(0)).
         probability(up, _, 2 rdiv 3). probability(down, _, 1/3).
         terminal(_, over(_)).
         utility(_, over(N), N).",
    );
    // Twice up: 4/9 times 2.
    check(&mut game, "solve_game(_, _, V), best_move(_, _, M)", "V = 8/9, M = go");
    check(&mut game, "expectiminimax(_, _, 0, inf, R)", "R = [go,8/9]");
    fails(&mut game, "alphabeta(_, _, 0, inf)", "alphabeta is for two players");
}

/// Pig with a small target, solved again in a few lines: the value to who is on.
fn pig(target: usize) -> f64 {
    let size = target * target * target;
    let at = |turn: usize, own: usize, other: usize| (turn * target + own) * target + other;
    let mut worth = vec![0.0f64; size];
    loop {
        let mut change = 0.0f64;
        for (own, other, turn) in (0..target)
            .flat_map(|a| (0..target).flat_map(move |b| (0..target - a).map(move |t| (a, b, t))))
        {
            let keep = |turn: usize| match turn {
                turn if own + turn >= target => 1.0,
                turn => -worth[at(0, other, own + turn)],
            };
            let number = |n: usize| match turn + n {
                more if own + more >= target => 1.0,
                more => worth[at(more, own, other)],
            };
            let throw = (2..=6).map(number).sum::<f64>() / 6.0 - worth[at(0, other, own)] / 6.0;
            let new = if turn == 0 { throw } else { throw.max(keep(turn)) };
            change = change.max((new - worth[at(turn, own, other)]).abs());
            worth[at(turn, own, other)] = new;
        }
        if change < 1e-13 {
            return worth[0];
        }
    }
}

#[test]
fn pig_is_solved_as_by_another_solver() {
    for target in [2, 5, 9] {
        let mut game = shipped("pig.pl", &[("target(20).", &format!("target({target})."))]);
        let value = pig(target);
        let goal = format!("solve_game(a, _, _V), abs(_V - {value:?}) < 1.0e-9");
        check(&mut game, &goal, "true");
        let run = &crate::journal(&mut game.world).games[0];
        assert!(run.error.is_none_or(|error| error <= 1e-9), "{:?}", run.error);
    }
}

#[test]
fn a_race_is_solved_in_fractions() {
    let changes = [("squares(6).", "squares(3)."), ("faces(3).", "faces(2).")];
    let mut game = shipped("race.pl", &changes);
    let goal = "solve_game(chance, _S, [_-_V, _-_W]), initial_state(_S), _V =:= -_W, _V > 0,
        _V = _/_, expectiminimax(chance, _S, 0, inf, [none, [_-_E|_]]), _E == _V";
    check(&mut game, goal, "true");
}

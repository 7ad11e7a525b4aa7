//! Rules with chance: values by another solver.

use super::tests::shipped;
use crate::tests::check;

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

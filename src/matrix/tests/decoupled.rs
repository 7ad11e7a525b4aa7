//! Decoupled UCT: what it should find, and what it need not.

use super::*;
use crate::{Decoupled, JointGame, Next, OneShot, SampleError, Turn, decoupled_uct};
use zug_search::StopReason;
use zug_search::game::Sampling;

fn plays(playouts: u64, seed: u64) -> Sampling {
    Sampling { playouts: Some(playouts), seed, ..Sampling::default() }
}

fn table<R: AsRef<[i64]>>(rows: &[R]) -> OneShot {
    OneShot::new(normal_form(&zero_sum(rows).to_bimatrix()))
}

fn found(game: &mut OneShot, sampling: &Sampling) -> Decoupled {
    decoupled_uct(game, &(), sampling, &Limits::none()).expect("no limits, no faults")
}

fn near(mixture: &[f64], expected: &[f64], by: f64) -> bool {
    mixture.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= by)
}

#[test]
fn mixtures_of_even_games_are_near_the_equilibrium() {
    let pennies = [[1, -1], [-1, 1]];
    for seed in 1..6 {
        let even = found(&mut table(&pennies), &plays(10_000, seed));
        let third = found(&mut table(&RPS), &plays(10_000, seed));
        for player in 0..2 {
            assert!(near(&even.mixture(player), &[0.5; 2], 0.05), "{even:?}");
            assert!(near(&third.mixture(player), &[1.0 / 3.0; 3], 0.05), "{third:?}");
        }
        assert!(even.values[0].abs() < 0.05 && third.values[0].abs() < 0.05);
        assert_eq!(even.values[0], -even.values[1]);
    }
}

#[test]
fn what_dominates_is_found() {
    // The prisoner's dilemma, where both gain by what both should not do.
    let payoffs = [[3, 3], [0, 5], [5, 0], [1, 1]];
    let dilemma = NormalForm::from_fn(vec![2, 2], |profile| {
        payoffs[2 * profile[0] + profile[1]].iter().map(|&pays| ratio(pays, 1)).collect()
    });
    let mut game = OneShot::new(dilemma.expect("a table"));
    for seed in 1..8 {
        let found = found(&mut game, &plays(5000, seed));
        assert_eq!((found.best(0), found.best(1)), (Some(1), Some(1)));
        assert!(found.mixture(0)[1] > 0.75 && found.mixture(1)[1] > 0.75, "{found:?}");
    }
}

#[test]
fn three_players_have_a_bandit_each() {
    // Who is alone with an action is paid 2, if the others agree.
    let odd = NormalForm::from_fn(vec![2, 2, 3], |profile| {
        let alone = |own: usize| profile.iter().filter(|&&other| other == own).count() == 1;
        profile.iter().map(|&own| ratio(if alone(own) { 2 } else { 0 }, 1)).collect()
    });
    let mut game = OneShot::new(odd.expect("a table"));
    let found = found(&mut game, &plays(5000, 2));
    // The third action of the third player is nobody else's.
    assert_eq!(found.best(2), Some(2));
    assert!(found.mixture(2)[2] > 0.8, "{found:?}");
    assert_eq!(found.arms.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 3]);
}

/// A walk: both say 0 or 1, the sum and one more is walked to 3, and the first wins if both said
/// the same in the last step. Behind 20 play goes round.
struct Walk;

impl JointGame for Walk {
    type State = u32;
    type Error = &'static str;

    fn players(&self) -> usize {
        2
    }

    fn look(&mut self, state: &u32) -> Result<Turn, Self::Error> {
        match *state {
            99 => Err("fell off"),
            ended @ 10..20 => {
                let worth = if ended == 10 { 1.0 } else { -1.0 };
                Ok(Turn::Over(vec![worth, -worth]))
            }
            _ => Ok(Turn::Choose(vec![2, 2])),
        }
    }

    fn lead(&mut self, state: &u32, actions: &[usize]) -> Result<Next<u32>, Self::Error> {
        let to = state + 1 + (actions[0] + actions[1]) as u32;
        let same = actions[0] == actions[1];
        Ok(Next::State(match to {
            20.. => 20 + to % 5,
            3..10 => {
                if same {
                    10
                } else {
                    11
                }
            }
            to => to,
        }))
    }
}

#[test]
fn states_met_on_several_ways_are_one() {
    let found = decoupled_uct(&mut Walk, &0, &plays(3000, 1), &Limits::none()).expect("no faults");
    // Three on the way and two ends, however often they are met.
    assert_eq!((found.states, found.plays, found.broken_off), (5, 3000, 0));
    assert_eq!(found.arms[0].iter().map(|arm| arm.tries).sum::<u64>(), 3000);
    let again = decoupled_uct(&mut Walk, &0, &plays(3000, 1), &Limits::none());
    assert_eq!(again.as_ref(), Ok(&found));
    assert_ne!(decoupled_uct(&mut Walk, &0, &plays(3000, 2), &Limits::none()), again);
}

#[test]
fn what_goes_round_is_broken_off() {
    let found = decoupled_uct(&mut Walk, &20, &plays(4, 1), &Limits::none()).expect("no faults");
    assert_eq!((found.broken_off, found.values), (4, vec![0.0, 0.0]));
    assert_eq!(found.arms[0].iter().map(|arm| arm.tries).sum::<u64>(), 4);
}

#[test]
fn ends_faults_and_limits() {
    let over = decoupled_uct(&mut Walk, &10, &plays(50, 1), &Limits::none()).expect("no faults");
    assert_eq!((over.values.as_slice(), over.arms.len()), (&[1.0, -1.0][..], 0));
    assert_eq!(over.best(0), None);
    let failed = decoupled_uct(&mut Walk, &99, &plays(50, 1), &Limits::none());
    assert_eq!(failed, Err(SampleError::Failed("fell off")));
    let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::none() };
    let stopped = decoupled_uct(&mut Walk, &0, &Sampling::default(), &limits(500));
    let stopped = stopped.expect("some plays were made");
    assert_eq!(stopped.stopped, Some(StopReason::Nodes));
    assert!(stopped.plays > 10, "{stopped:?}");
    let none = decoupled_uct(&mut Walk, &0, &Sampling::default(), &limits(1));
    assert_eq!(none, Err(SampleError::Stopped(StopReason::Nodes)));
}

//! Learning among three: what they played together is nearly a coarse correlated equilibrium.

use crate::{Learner, Learning, NormalForm, learn_together, ratio};
use zug_search::Limits;

fn how(learner: Learner, seed: Option<u64>) -> Learning {
    Learning { learner, rounds: 5000, seed }
}

/// Three pick one of two sides; who is alone is paid by the others.
fn odd_one_out() -> NormalForm {
    let game = NormalForm::from_fn(vec![2, 2, 2], |profile| {
        let alone = |own: &usize| profile.iter().filter(|other| *other == own).count() == 1;
        let odd = profile.iter().position(alone);
        let pays = |player| match odd {
            Some(odd) if odd == player => 2,
            Some(_) => -1,
            None => 0,
        };
        (0..3).map(|player| ratio(pays(player), 1)).collect()
    });
    game.expect("a table")
}

#[test]
fn regret_vanishes_for_three() {
    let game = odd_one_out();
    for learner in [Learner::RegretMatching, Learner::RegretMatchingPlus] {
        for seed in [None, Some(1), Some(2)] {
            let found = learn_together(&game, how(learner, seed), &Limits::none());
            assert!(found.gains.iter().all(|&gain| gain < 0.06), "{learner:?} {found:?}");
            let sum: f64 = found.joint.iter().sum();
            assert!((sum - 1.0).abs() < 1e-9 && found.joint.len() == 8);
            // The payoffs add to nothing in every profile.
            assert!(found.payoffs.iter().sum::<f64>().abs() < 1e-9);
        }
    }
}

#[test]
fn gains_are_those_of_the_best_action() {
    // The third one decides alone what it is paid; the others are paid for being unlike.
    let game = NormalForm::from_fn(vec![2, 3, 2], |profile| {
        let unlike = i64::from(profile[0] != profile[1]);
        [unlike, unlike, 5 * profile[2] as i64].map(|pays| ratio(pays, 1)).to_vec()
    });
    let game = game.expect("a table");
    let first = Learning { learner: Learner::FictitiousPlay, rounds: 1, seed: None };
    // The first of equal replies: 0 and 0, and the third plays 1.
    let found = learn_together(&game, first, &Limits::none());
    assert_eq!(found.marginals, [vec![1.0, 0.0], vec![0.0, 0.0, 1.0], vec![0.0, 1.0]]);
    assert_eq!((found.payoffs, found.gains), (vec![1.0, 1.0, 5.0], vec![0.0, 0.0, 0.0]));
    let uniform = Learning { learner: Learner::RegretMatching, rounds: 1, seed: None };
    let found = learn_together(&game, uniform, &Limits::none());
    // Any action alike pays 2/3, 2/3 and 5/2; the best ones 2/3, 1 and 5.
    let near = |found: &[f64], expected: &[f64]| {
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12)
    };
    assert!(near(&found.payoffs, &[2.0 / 3.0, 2.0 / 3.0, 2.5]), "{found:?}");
    assert!(near(&found.gains, &[0.0, 1.0 / 3.0, 2.5]), "{found:?}");
}

#[test]
fn a_limit_ends_the_rounds() {
    let limits = Limits { nodes: Some(7), ..Limits::none() };
    let found = learn_together(&odd_one_out(), how(Learner::RegretMatching, None), &limits);
    assert_eq!(found.rounds, 7);
    assert!(found.stopped.is_some());
}

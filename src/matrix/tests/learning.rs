//! Learners on games with known equilibria.

use super::zero_sum::random_game;
use super::{RPS, shapley, solved, zero_sum};
use crate::{Bimatrix, Learner, Learning, LearningReport, learn, to_float};
use zug_search::{Limits, StopReason};

const LEARNERS: [Learner; 3] =
    [Learner::FictitiousPlay, Learner::RegretMatching, Learner::RegretMatchingPlus];

fn learned(game: &Bimatrix, learner: Learner, rounds: u64, seed: Option<u64>) -> LearningReport {
    learn(game, Learning { learner, rounds, seed }, &Limits::none())
}

#[test]
fn averages_approach_the_value() {
    let scissors_pay = zero_sum(&[[0, -1, 2], [1, 0, -3], [-2, 3, 0]]);
    for game in [scissors_pay, random_game(12, 15, 3)] {
        let value = to_float(&solved(&game).value);
        let scale = game.payoffs().cells().iter().map(to_float).fold(0.0, f64::max);
        let near = |learner, seed, part: f64| {
            let report = learned(&game.to_bimatrix(), learner, 4000, seed);
            let (low, high) = report.value_bounds.expect("payoffs add to zero");
            assert!(low <= value + 1e-9 && value <= high + 1e-9, "{learner:?} {low} {high}");
            assert!((high - low) / 2.0 - report.exploitability < 1e-9);
            assert!(report.exploitability < part * scale, "{learner:?} {report:?}");
        };
        near(Learner::FictitiousPlay, None, 0.05);
        near(Learner::RegretMatching, None, 0.05);
        near(Learner::RegretMatchingPlus, None, 0.005);
        near(Learner::RegretMatching, Some(1), 0.1);
        near(Learner::RegretMatchingPlus, Some(1), 0.1);
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let game = random_game(6, 5, 4).to_bimatrix();
    for learner in LEARNERS {
        let report = |seed| learned(&game, learner, 500, seed);
        assert_eq!(report(Some(7)), report(Some(7)));
        let draws = learner != Learner::FictitiousPlay;
        assert_eq!(report(Some(7)) != report(Some(8)), draws);
    }
}

/// Robinson 1951 and Shapley 1964.
#[test]
fn fictitious_play_goes_round_in_shapleys_game() {
    let rps = learned(&zero_sum(&RPS).to_bimatrix(), Learner::FictitiousPlay, 20_000, None);
    assert!(rps.exploitability < 0.02, "{rps:?}");
    for rounds in [1_000, 5_000, 20_000] {
        let round = learned(&shapley(), Learner::FictitiousPlay, rounds, None);
        assert!(round.exploitability > 0.1, "{round:?}");
        assert_eq!(round.value_bounds, None);
    }
}

#[test]
fn a_limit_ends_the_rounds() {
    let limits = Limits { nodes: Some(10), ..Limits::none() };
    for learner in LEARNERS {
        let how = Learning { learner, rounds: 100, seed: None };
        let report = learn(&shapley(), how, &limits);
        assert_eq!((report.rounds, report.stopped), (10, Some(StopReason::Nodes)));
    }
}

#[test]
fn one_action_is_an_equilibrium() {
    for learner in LEARNERS {
        let report = learned(&zero_sum(&[[3]]).to_bimatrix(), learner, 1, None);
        assert_eq!((report.exploitability, report.value_bounds), (0.0, Some((3.0, 3.0))));
    }
}

//! Regret matching, and regret matching+.
//!
//! Hart, Mas-Colell, *A simple adaptive procedure leading to correlated equilibrium*, 2000: an
//! action is played in proportion to its *regret*, what having always played it would have
//! gained, where that is positive. Regret matching+ (Tammelin, *Solving large imperfect
//! information games using CFR+*, 2014) never lets a regret fall below 0, and weighs the
//! strategy of round `t` by `t`.

use super::floats::{dot, draw, in_proportion};
use super::{Play, Played};
use crate::random::Random;

pub(super) fn play(play: &mut Play<'_, '_>, plus: bool, mut random: Option<&mut Random>) -> Played {
    let tables = play.tables;
    let mut regrets = [0, 1].map(|player| vec![0.0; tables[player].actions()]);
    let mut played = regrets.clone();
    for round in 0..play.rounds {
        if let Err(reason) = play.work.step() {
            return (played, Some(reason));
        }
        let mixed = [strategy(&regrets[0]), strategy(&regrets[1])];
        let values = match random.as_deref_mut() {
            Some(random) => {
                let actions = [draw(&mixed[0], random), draw(&mixed[1], random)];
                [0, 1].map(|player| tables[player].against(actions[1 - player]).to_vec())
            }
            None => [0, 1].map(|player| tables[player].values(&mixed[1 - player])),
        };
        let weight = if plus { (round + 1) as f64 } else { 1.0 };
        for player in [0, 1] {
            let payoff = dot(&values[player], &mixed[player]);
            regret(&mut regrets[player], &values[player], payoff, plus);
            let shares = played[player].iter_mut().zip(&mixed[player]);
            shares.for_each(|(sum, share)| *sum += weight * share);
        }
    }
    (played, None)
}

/// Probabilities in proportion to what regrets are positive; uniform if none is.
fn strategy(regrets: &[f64]) -> Vec<f64> {
    in_proportion(&regrets.iter().map(|regret| regret.max(0.0)).collect::<Vec<_>>())
}

/// Adds what each action would have gained over `payoff`.
fn regret(regrets: &mut [f64], values: &[f64], payoff: f64, plus: bool) {
    for (regret, value) in regrets.iter_mut().zip(values) {
        *regret += value - payoff;
        if plus {
            *regret = regret.max(0.0);
        }
    }
}

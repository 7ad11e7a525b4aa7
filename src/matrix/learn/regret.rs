//! Regret matching, and regret matching+.
//!
//! Hart, Mas-Colell, *A simple adaptive procedure leading to correlated equilibrium*, 2000: an
//! action is played in proportion to its *regret*, what having always played it would have
//! gained, where that is positive. Regret matching+ (Tammelin, *Solving large imperfect
//! information games using CFR+*, 2014) never lets a regret fall below 0, weighs the strategy
//! of round `t` by `t`, and lets the second player meet what the first has just learnt.

use super::floats::{dot, draw, in_proportion};
use super::{Play, Played};
use zug_random::Random;

pub(super) fn play(play: &mut Play<'_, '_>, plus: bool, mut random: Option<&mut Random>) -> Played {
    let tables = play.tables;
    let mut regrets = [0, 1].map(|player| vec![0.0; tables[player].actions()]);
    let mut played = regrets.clone();
    let mut mixed = [strategy(&regrets[0]), strategy(&regrets[1])];
    for round in 0..play.rounds {
        if let Err(reason) = play.meter.step() {
            return (played, Some(reason));
        }
        let weight = if plus { (round + 1) as f64 } else { 1.0 };
        let before = mixed.clone();
        for player in [0, 1] {
            let met = if plus { &mixed[1 - player] } else { &before[1 - player] };
            let values = match random.as_deref_mut() {
                Some(random) => tables[player].against(draw(met, random)).to_vec(),
                None => tables[player].values(met),
            };
            let payoff = dot(&values, &before[player]);
            regret(&mut regrets[player], &values, payoff, plus);
            mixed[player] = strategy(&regrets[player]);
            let shares = played[player].iter_mut().zip(&before[player]);
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

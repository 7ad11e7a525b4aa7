//! Learning among any number of players: what they played *together* is the result.
//!
//! Each player plays in proportion to its regrets, or the best reply to what every other one
//! has played on average. Players whose regret vanishes, as that of regret matching does, have
//! played together in the end a *coarse correlated equilibrium*, whatever the game: nobody who is told
//! only these frequencies would rather always play one action. That is less than an
//! equilibrium, in which nobody's choice says anything of another's; only for two whose payoffs add to zero are
//! the averages one. Fictitious play has no such guarantee. [`JointLearning::gains`] measures it in either case.
//!
//! Hart & Mas-Colell, *A simple adaptive procedure leading to correlated equilibrium*,
//! Econometrica 68 (2000); Moulin & Vial, *Strategically zero-sum games*, International Journal
//! of Game Theory 7 (1978).

use super::floats::{add_regret, draw, first_best, in_proportion, one, positive};
use super::{Learner, Learning};
use crate::meter::Meter;
use crate::normal_form::NormalForm;
use crate::rational::to_float;
use zug_random::Random;
use zug_search::{Limits, StopReason};

/// What players who learned have played together.
#[derive(Clone, Debug, PartialEq)]
pub struct JointLearning {
    /// With which frequency each profile of actions was played, in the order of the table.
    pub joint: Vec<f64>,
    /// With which frequency each player played each action.
    pub marginals: Vec<Vec<f64>>,
    /// What that paid to each player, on average.
    pub payoffs: Vec<f64>,
    /// What each player would have gained by always playing one action, the best one: none is
    /// greater than 0 exactly in a coarse correlated equilibrium. Never negative.
    pub gains: Vec<f64>,
    /// Rounds played.
    pub rounds: u64,
    /// The limit that ended the rounds early.
    pub stopped: Option<StopReason>,
}

/// Lets any number of players learn. A limit ends the rounds early; the report says so. A round
/// looks at the whole table, unless actions are drawn.
///
/// ```
/// use zug_search::Limits;
/// use zug_matrix::{Learner, Learning, NormalForm, learn_together, ratio};
///
/// // Three who are paid if all do the same.
/// let same = NormalForm::from_fn(vec![2, 2, 2], |profile| {
///     let same = profile.iter().all(|&own| own == profile[0]);
///     vec![ratio(i64::from(same), 1); 3]
/// })?;
/// let how = Learning { learner: Learner::RegretMatching, rounds: 2000, seed: Some(1) };
/// let found = learn_together(&same, how, &Limits::none());
/// assert!(found.gains.iter().all(|&gain| gain < 0.05));
/// # Ok::<(), zug_matrix::TableError>(())
/// ```
pub fn learn_together(game: &NormalForm, how: Learning, limits: &Limits) -> JointLearning {
    let shape = game.shape().to_vec();
    let players = shape.len();
    let profiles: Vec<Vec<usize>> = game.profiles().collect();
    let pays: Vec<Vec<f64>> = (0..players)
        .map(|player| profiles.iter().map(|at| to_float(game.payoff(at, player))).collect())
        .collect();
    let table = Floats { shape, profiles, pays };
    let none = || table.shape.iter().map(|&actions| vec![0.0; actions]).collect::<Vec<_>>();
    let (mut regrets, mut played) = (none(), none());
    let mut joint = vec![0.0; table.profiles.len()];
    let mut random = how.seed.map(Random::new);
    let (mut meter, mut stopped) = (Meter::new(limits), None);
    for round in 0..how.rounds.max(1) {
        if let Err(reason) = meter.step() {
            stopped = Some(reason);
            break;
        }
        let mixed: Vec<Vec<f64>> = match how.learner {
            Learner::FictitiousPlay => table.replies(&played),
            _ => regrets.iter().map(|own: &Vec<f64>| positive(own)).collect(),
        };
        let mixed = match &mut random {
            None => mixed,
            Some(random) => mixed.iter().map(|own| one(own.len(), draw(own, random))).collect(),
        };
        let plus = how.learner == Learner::RegretMatchingPlus;
        let weight = if plus { (round + 1) as f64 } else { 1.0 };
        for (sum, share) in joint.iter_mut().zip(table.together(&mixed)) {
            *sum += weight * share;
        }
        for player in 0..players {
            let values = table.values(&mixed, player);
            let own = values.iter().zip(&mixed[player]).map(|(v, p)| v * p).sum::<f64>();
            add_regret(&mut regrets[player], &values, own, plus);
            for (sum, share) in played[player].iter_mut().zip(&mixed[player]) {
                *sum += weight * share;
            }
        }
    }
    table.report(joint, meter.steps, stopped)
}

/// A table in floats.
struct Floats {
    shape: Vec<usize>,
    profiles: Vec<Vec<usize>>,
    /// By player and profile.
    pays: Vec<Vec<f64>>,
}

impl Floats {
    /// With which probability each profile comes up if all mix on their own.
    fn together(&self, mixed: &[Vec<f64>]) -> Vec<f64> {
        let chance = |profile: &Vec<usize>| {
            profile.iter().zip(mixed).fold(1.0, |product, (&at, own)| product * own[at])
        };
        self.profiles.iter().map(chance).collect()
    }

    /// What each action of a player pays while the others mix.
    fn values(&self, mixed: &[Vec<f64>], player: usize) -> Vec<f64> {
        let mut values = vec![0.0; self.shape[player]];
        for (profile, pays) in self.profiles.iter().zip(&self.pays[player]) {
            let others = profile.iter().zip(mixed).enumerate().filter(|(at, _)| *at != player);
            let chance = others.fold(1.0, |product, (_, (&at, own))| product * own[at]);
            values[profile[player]] += chance * pays;
        }
        values
    }

    /// The first best reply of each player to what the others have played on average.
    fn replies(&self, played: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mixed: Vec<Vec<f64>> = played.iter().map(|sums| in_proportion(sums)).collect();
        let reply = |player: usize| {
            let values = self.values(&mixed, player);
            one(values.len(), first_best(&values))
        };
        (0..self.shape.len()).map(reply).collect()
    }

    fn report(&self, sums: Vec<f64>, rounds: u64, stopped: Option<StopReason>) -> JointLearning {
        let joint = in_proportion(&sums);
        let players = 0..self.shape.len();
        let mut marginals: Vec<Vec<f64>> = self.shape.iter().map(|&of| vec![0.0; of]).collect();
        let mut payoffs = vec![0.0; self.shape.len()];
        // What always playing an action would have paid against what the others did.
        let mut always = marginals.clone();
        for (at, (profile, share)) in self.profiles.iter().zip(&joint).enumerate() {
            for player in players.clone() {
                marginals[player][profile[player]] += share;
                payoffs[player] += share * self.pays[player][at];
                // Profiles that differ in this player's action alone stand so far apart.
                let stride: usize = self.shape[player + 1..].iter().product();
                let first = at - profile[player] * stride;
                for (action, sum) in always[player].iter_mut().enumerate() {
                    *sum += share * self.pays[player][first + action * stride];
                }
            }
        }
        let gain = |player: usize| {
            let best = always[player].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (best - payoffs[player]).max(0.0)
        };
        let gains = players.map(gain).collect();
        JointLearning { joint, marginals, payoffs, gains, rounds, stopped }
    }
}

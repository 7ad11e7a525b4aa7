//! What a model of the opponent is, and those that learn nothing.

use crate::learn::uniform;

/// A player of a repeated game, as a function of what was played so far.
pub trait Model {
    /// What it expects of the other next: a probability for each of the other's actions.
    fn expects(&self) -> Vec<f64>;

    /// What it plays next: a probability for each of its own actions.
    fn plays(&self) -> Vec<f64>;

    /// A round is over: what it played itself, and what the other played.
    fn observe(&mut self, own: usize, other: usize);
}

/// Plays with the same probabilities in every round.
pub(super) struct Constant {
    plays: Vec<f64>,
    others: usize,
}

/// A model that plays with these probabilities in every round, whatever the other, who has
/// `others` actions, does.
pub fn constant(plays: Vec<f64>, others: usize) -> Box<dyn Model> {
    Box::new(Constant { plays, others })
}

impl Constant {
    /// Any of `actions` alike.
    pub fn uniform(actions: usize, others: usize) -> Self {
        Self { plays: uniform(actions), others }
    }

    /// Always the same of `actions`.
    pub fn fixed(action: usize, actions: usize, others: usize) -> Self {
        let mut plays = vec![0.0; actions];
        plays[action] = 1.0;
        Self { plays, others }
    }
}

impl Model for Constant {
    fn expects(&self) -> Vec<f64> {
        uniform(self.others)
    }

    fn plays(&self) -> Vec<f64> {
        self.plays.clone()
    }

    fn observe(&mut self, _own: usize, _other: usize) {}
}

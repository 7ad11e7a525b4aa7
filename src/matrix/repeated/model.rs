//! Models of the opponent.

use crate::learn::{FloatMatrix, best_replies, in_proportion, uniform};
use rustc_hash::FxHashMap;
use std::sync::Arc;

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
struct Constant {
    plays: Vec<f64>,
    others: usize,
}

/// A model that plays with these probabilities in every round, whatever the other, who has
/// `others` actions, does.
pub fn constant(plays: Vec<f64>, others: usize) -> Box<dyn Model> {
    Box::new(Constant { plays, others })
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

/// What the other played after each sequence of its last actions.
struct Memory {
    order: usize,
    /// How many actions the other has.
    others: usize,
    /// The other's last actions, at most `order`, the latest last.
    recent: Vec<usize>,
    /// How often each action followed a sequence.
    counts: FxHashMap<Vec<usize>, Vec<u64>>,
}

impl Memory {
    fn new(order: usize, others: usize) -> Self {
        Self { order, others, recent: Vec::new(), counts: FxHashMap::default() }
    }

    /// The most frequent actions after what the other played last, each with the same
    /// probability; `None` if that is new.
    fn predicts(&self) -> Option<Vec<f64>> {
        let counts = self.counts.get(&self.recent)?;
        let most = counts.iter().max()?;
        let frequent = |count| f64::from(u8::from(count == most));
        Some(in_proportion(&counts.iter().map(frequent).collect::<Vec<_>>()))
    }

    /// The other played this.
    fn observe(&mut self, other: usize) {
        if self.recent.len() == self.order {
            let none = || vec![0; self.others];
            self.counts.entry(self.recent.clone()).or_insert_with(none)[other] += 1;
            self.recent.remove(0);
        }
        self.recent.push(other);
    }
}

/// `history(K)`: what the other has most often played after its last `K` actions.
///
/// Counts of what follows what, as in Shannon, *A mind-reading (?) machine*, 1953. Until `K` actions are known, and where
/// the last `K` have not come in this order before, it expects and plays any action alike.
pub(super) struct History {
    table: Arc<FloatMatrix>,
    memory: Memory,
}

impl History {
    pub fn new(order: usize, table: Arc<FloatMatrix>) -> Self {
        let memory = Memory::new(order, table.others());
        Self { table, memory }
    }
}

impl Model for History {
    fn expects(&self) -> Vec<f64> {
        self.memory.predicts().unwrap_or_else(|| uniform(self.table.others()))
    }

    fn plays(&self) -> Vec<f64> {
        reply(&self.table, self.memory.predicts())
    }

    fn observe(&mut self, _own: usize, other: usize) {
        self.memory.observe(other);
    }
}

/// The best replies to a prediction; any action alike without one.
fn reply(table: &FloatMatrix, predicted: Option<Vec<f64>>) -> Vec<f64> {
    match predicted {
        Some(predicted) => best_replies(table, &predicted),
        None => uniform(table.actions()),
    }
}

/// What a memory that was certain and wrong loses of its weight.
const LEARNING_RATE: f64 = 0.5;
/// The part of all weight that is shared out evenly.
const SHARED: f64 = 0.01;

/// `mixture(Ks)`: memories of several orders, weighed by how well they have predicted.
///
/// Weights shrink with what a memory gets wrong (Littlestone, Warmuth, *The weighted majority algorithm*, 1994), and each
/// round a small part of all weight is shared out evenly, so that an order comes back soon when the other changes its ways
/// (Herbster, Warmuth, *Tracking the best expert*, 1998).
pub(super) struct Mixture {
    table: Arc<FloatMatrix>,
    memories: Vec<Memory>,
    /// A weight for each memory; together 1.
    weights: Vec<f64>,
}

impl Mixture {
    pub fn new(orders: &[usize], table: Arc<FloatMatrix>) -> Self {
        let memories = orders.iter().map(|&order| Memory::new(order, table.others())).collect();
        Self { table, memories, weights: uniform(orders.len()) }
    }

    /// The mean of what memories predict that know what was played last; `None` if none does.
    fn predicts(&self) -> Option<Vec<f64>> {
        let mut sums = vec![0.0; self.table.others()];
        let mut known = false;
        for (memory, weight) in self.memories.iter().zip(&self.weights) {
            let Some(predicted) = memory.predicts() else { continue };
            known = true;
            sums.iter_mut().zip(predicted).for_each(|(sum, share)| *sum += weight * share);
        }
        known.then(|| in_proportion(&sums))
    }
}

impl Model for Mixture {
    fn expects(&self) -> Vec<f64> {
        self.predicts().unwrap_or_else(|| uniform(self.table.others()))
    }

    fn plays(&self) -> Vec<f64> {
        reply(&self.table, self.predicts())
    }

    fn observe(&mut self, _own: usize, other: usize) {
        let unknown = 1.0 / self.table.others() as f64;
        for (memory, weight) in self.memories.iter_mut().zip(&mut self.weights) {
            let right = memory.predicts().map_or(unknown, |predicted| predicted[other]);
            *weight *= 1.0 - LEARNING_RATE * (1.0 - right);
            memory.observe(other);
        }
        let even = SHARED / self.weights.len() as f64;
        let shared = in_proportion(&self.weights).into_iter();
        self.weights = shared.map(|weight| (1.0 - SHARED) * weight + even).collect();
    }
}

/// `counter(Model)`: the other plays by this model, so what it plays next is known.
///
/// A copy of the model sits in the other's seat and sees what the other sees: one level above it in the sense of Stahl,
/// Wilson, *On players' models of other players*, 1995.
pub(super) struct Counter {
    /// The payoffs of the player, not of the copy.
    table: Arc<FloatMatrix>,
    copy: Box<dyn Model>,
}

impl Counter {
    pub fn new(copy: Box<dyn Model>, table: Arc<FloatMatrix>) -> Self {
        Self { table, copy }
    }
}

impl Model for Counter {
    fn expects(&self) -> Vec<f64> {
        self.copy.plays()
    }

    fn plays(&self) -> Vec<f64> {
        best_replies(&self.table, &self.copy.plays())
    }

    fn observe(&mut self, own: usize, other: usize) {
        self.copy.observe(other, own);
    }
}

//! `mixture(Ks)`: memories of several orders, weighed by how well they have predicted.
//!
//! Weights shrink with what a memory gets wrong (Littlestone, Warmuth, *The weighted majority
//! algorithm*, 1994), and each round a small part of all weight is shared out evenly, so that
//! an order comes back soon when the other changes its ways (Herbster, Warmuth, *Tracking the
//! best expert*, 1998).

use super::history::{Memory, reply};
use super::model::Model;
use crate::learn::{FloatMatrix, in_proportion, uniform};
use std::sync::Arc;

/// What a memory that was certain and wrong loses of its weight.
const LEARNING_RATE: f64 = 0.5;
/// The part of all weight that is shared out evenly.
const SHARED: f64 = 0.01;

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

//! `history(K)`: what the other has most often played after its last `K` actions.
//!
//! Counts of what follows what, as in Shannon, *A mind-reading (?) machine*, 1953.
//! Until `K` actions are known, and where the last `K` have not come in this order before, it
//! expects and plays any action alike.

use super::model::Model;
use crate::learn::{FloatMatrix, best_replies, in_proportion, uniform};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What the other played after each sequence of its last actions.
pub(super) struct Memory {
    order: usize,
    /// How many actions the other has.
    others: usize,
    /// The other's last actions, at most `order`, the latest last.
    recent: Vec<usize>,
    /// How often each action followed a sequence.
    counts: FxHashMap<Vec<usize>, Vec<u64>>,
}

impl Memory {
    pub fn new(order: usize, others: usize) -> Self {
        Self { order, others, recent: Vec::new(), counts: FxHashMap::default() }
    }

    /// The most frequent actions after what the other played last, each with the same
    /// probability; `None` if that is new.
    pub fn predicts(&self) -> Option<Vec<f64>> {
        let counts = self.counts.get(&self.recent)?;
        let most = counts.iter().max()?;
        let frequent = |count| f64::from(u8::from(count == most));
        Some(in_proportion(&counts.iter().map(frequent).collect::<Vec<_>>()))
    }

    /// The other played this.
    pub fn observe(&mut self, other: usize) {
        if self.recent.len() == self.order {
            let none = || vec![0; self.others];
            self.counts.entry(self.recent.clone()).or_insert_with(none)[other] += 1;
            self.recent.remove(0);
        }
        self.recent.push(other);
    }
}

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
pub(super) fn reply(table: &FloatMatrix, predicted: Option<Vec<f64>>) -> Vec<f64> {
    match predicted {
        Some(predicted) => best_replies(table, &predicted),
        None => uniform(table.actions()),
    }
}

//! `counter(Model)`: the other plays by this model, so what it plays next is known.
//!
//! A copy of the model sits in the other's seat and sees what the other sees: one level above
//! it in the sense of Stahl, Wilson, *On players' models of other players*, 1995.

use super::model::Model;
use crate::learn::{FloatMatrix, best_replies};
use std::sync::Arc;

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

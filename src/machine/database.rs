//! Clauses of dynamic predicates: live chains, the logical update view, erasing.
//!
//! A running call sees the clauses that were alive when it began (ISO 13211-1, 7.5.4): each clause knows the
//! generation it was born in and the one it died in, and a choice point remembers its generation. An erased clause
//! stays in its chains until no choice point walks the predicate; then [`Machine::tidy`] takes it out.

use super::choices::Alt;
pub use super::keys::arg_key;
use super::keys::may_match;
use super::{Clause, ClauseId, Kind, Machine, PredId, Program, key_of};
use zug_term::Cell;

impl Program {
    /// Whether a clause is alive in a generation.
    #[inline]
    pub fn visible(&self, id: ClauseId, generation: u64) -> bool {
        let clause = &self.clauses[id as usize];
        clause.born <= generation && generation < clause.died
    }

    /// The clauses of a predicate alive now, in order.
    pub fn live_clauses(&self, pred: PredId) -> Vec<ClauseId> {
        let pred = &self.preds[pred as usize];
        match pred.kind {
            Kind::Dynamic => pred
                .chains
                .all()
                .iter()
                .filter(|&id| self.clauses[id as usize].died == u64::MAX)
                .collect(),
            _ => pred.clauses.clone(),
        }
    }

    /// Erases a clause of a dynamic predicate. False if it was already.
    pub fn erase(&mut self, id: ClauseId) -> bool {
        let clause = &mut self.clauses[id as usize];
        if clause.died != u64::MAX {
            return false;
        }
        self.generation += 1;
        clause.died = self.generation;
        let pred = clause.pred;
        self.preds[pred as usize].erased += 1;
        self.incremental_changed |= self.incremental.contains(&pred);
        true
    }
}

impl Machine {
    /// The live clauses of a dynamic predicate that may match a call, by its index.
    pub fn candidate_clauses(&mut self, pred: PredId, args: &[Cell]) -> Vec<ClauseId> {
        let Program { preds, clauses, .. } = &mut self.program;
        let predicate = &mut preds[pred as usize];
        if predicate.kind != Kind::Dynamic {
            return predicate.clauses.clone();
        }
        let number = predicate.chains.select(clauses, &self.heap, args);
        let first = args.first().and_then(|&cell| key_of(&self.heap.cells, self.heap.deref(cell)));
        let chain = predicate.chains.chain(number);
        chain
            .iter()
            .filter(|&id| {
                let clause = &clauses[id as usize];
                clause.died == u64::MAX && may_match(clause.key, first)
            })
            .collect()
    }

    /// Takes the erased clauses of a predicate out of its chains, if there are many and no choice point walks them.
    /// `idle`: no goal is running, so code of rules can be freed too.
    pub fn tidy(&mut self, pred: PredId, idle: bool) {
        let predicate = &self.program.preds[pred as usize];
        let live = predicate.chains.all().len() - predicate.erased;
        // Engines may have choice points in its clauses.
        if predicate.erased == 0
            || self.program.engines > 0
            || (!idle && predicate.erased < live / 2 + 16)
        {
            return;
        }
        let walked = |alt: &Alt| matches!(alt, Alt::Dynamic { pred: p, .. } | Alt::Walk { pred: p, .. } if *p == pred);
        if self.choices.iter().any(|choice| walked(&choice.alt)) {
            return;
        }
        let Program { preds, clauses, .. } = &mut self.program;
        let dead = preds[pred as usize].chains.sweep(clauses);
        preds[pred as usize].erased = 0;
        for id in dead {
            let clause = &self.program.clauses[id as usize];
            let is_fact = clause.body() == Cell::atom(zug_term::symbol::atoms::TRUE);
            if !idle && !is_fact && (clause.code != 0 || clause.other.is_some()) {
                continue;
            }
            let held = clause.record.bytes() + size_of::<Clause>();
            self.program.clause_bytes = self.program.clause_bytes.saturating_sub(held);
            let clause = &mut self.program.clauses[id as usize];
            clause.record.cells = Box::default();
            clause.place = None;
            clause.goal_spans = Box::default();
            let (code, other) = (std::mem::take(&mut clause.code), clause.other.take());
            let own = (code != 0).then_some((code, clause.code_len));
            let other = other.map(|other| (other.start, other.len));
            for (start, len) in own.into_iter().chain(other) {
                self.program.free(start, len);
            }
            self.program.free_clauses.push(id);
        }
    }
}

impl Machine {
    /// Gives back what erased clauses and a large run held, when no goal is running.
    pub fn idle(&mut self) {
        for pred in 0..self.program.preds.len() as PredId {
            if self.program.preds[pred as usize].erased > 0 {
                self.tidy(pred, true);
            }
        }
        if self.choices.is_empty() {
            self.drop_abolished_tables();
            self.heap.cells.clear();
            self.trail.clear();
            self.value_trail.clear();
            self.unset_globals();
            self.forget_attributes();
            const KEEP: usize = 1 << 20;
            self.heap.cells.shrink_to(KEEP);
            self.frames.truncate(KEEP.max(self.frames_top()));
            self.frames.shrink_to(KEEP);
        }
    }
}

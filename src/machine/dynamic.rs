//! Calls of dynamic predicates: live clauses under the logical update view.

use super::choices::{Alt, Choice};
use super::keys::may_match;
use super::program::{PredId, Program, key_of};
use super::run::{Host, Next};
use super::{Fault, Machine};
use std::ops::Range;
use zug_term::Cell;

/// The position behind all clauses of rules that match: none of them did.
const NO_RULE: i64 = 1 << 40;

impl Machine {
    pub(super) fn enter_dynamic<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
    ) -> Result<Next, Fault> {
        let arity = self.program.preds[pred as usize].arity;
        let (chain, position) = self.start_walk(pred, None);
        let generation = self.program.generation;
        let rules = self.program.preds[pred as usize].rules;
        let Some(found) = self.next_clause(pred, chain, position, generation) else {
            return Ok(rules.map_or(Next::Fail, |rules| Next::Go(rules.none)));
        };
        let next = self.next_clause(pred, chain, found + 1, generation);
        if let Some(next) = next.or(rules.map(|_| NO_RULE)) {
            self.push_choice(Alt::Dynamic { pred, chain }, arity);
            self.choice_args.extend([Cell::small(next), Cell::small(generation as i64)]);
        }
        Ok(Next::Go(self.clause_code(host, pred, chain, found)?))
    }

    /// The chain to walk for a call of a dynamic predicate that begins now, and where it starts: its arguments are in X, or
    /// at these places of the heap.
    #[inline]
    pub(super) fn start_walk(&mut self, pred: PredId, args: Option<Range<usize>>) -> (u32, i64) {
        if self.program.preds[pred as usize].erased > 32 {
            self.tidy(pred, false);
        }
        let Program { preds, clauses, .. } = &mut self.program;
        let predicate = &mut preds[pred as usize];
        let args = match args {
            Some(args) => &self.heap.cells[args],
            None => &self.x[..predicate.arity],
        };
        let chain = predicate.chains.select(clauses, &self.heap, args);
        (chain, predicate.chains.start(clauses, chain))
    }

    /// Position of the next clause that is alive in a generation and whose first argument may match `X[0]`.
    fn next_clause(&self, pred: PredId, chain: u32, from: i64, generation: u64) -> Option<i64> {
        let key = match self.program.preds[pred as usize].arity {
            0 => None,
            _ => key_of(&self.heap.cells, self.heap.deref(self.x[0])),
        };
        self.next_with_key(pred, chain, (from, generation), key)
    }

    /// Position of the next clause that is alive in a generation and has this key in its first argument, or none.
    pub(super) fn next_with_key(
        &self,
        pred: PredId,
        chain: u32,
        (from, generation): (i64, u64),
        key: Option<Cell>,
    ) -> Option<i64> {
        let chain = self.program.preds[pred as usize].chains.chain(chain);
        let mut position = from;
        loop {
            let id = chain.get(position)?;
            let clause = &self.program.clauses[id as usize];
            if may_match(clause.key, key) && self.program.visible(id, generation) {
                return Some(position);
            }
            position += 1;
        }
    }

    fn clause_code<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
        chain: u32,
        position: i64,
    ) -> Result<u32, Fault> {
        let chains = &self.program.preds[pred as usize].chains;
        let id = chains.chain(chain).get(position).expect("a position just found");
        if self.program.clauses[id as usize].code == 0 {
            host.compile(self, id)?;
        }
        Ok(self.program.clauses[id as usize].code)
    }

    /// Backtracks into the next clause; the arguments are in X again.
    pub(super) fn retry_dynamic<H: Host>(
        &mut self,
        host: &mut H,
        pred: PredId,
        chain: u32,
        choice: &Choice,
    ) -> Result<Option<u32>, Fault> {
        let at = choice.args as usize + self.program.preds[pred as usize].arity;
        let position = self.choice_args[at].int_value();
        let generation = self.choice_args[at + 1].int_value() as u64;
        let rules = self.program.preds[pred as usize].rules;
        if position == NO_RULE {
            self.pop_choice(choice);
            return Ok(rules.map(|rules| rules.none));
        }
        let next = self.next_clause(pred, chain, position + 1, generation);
        match next.or(rules.map(|_| NO_RULE)) {
            Some(next) => self.choice_args[at] = Cell::small(next),
            None => self.pop_choice(choice),
        }
        let id = self.program.preds[pred as usize].chains.chain(chain).get(position);
        match id {
            Some(_) => Ok(Some(self.clause_code(host, pred, chain, position)?)),
            None => Ok(None),
        }
    }
}

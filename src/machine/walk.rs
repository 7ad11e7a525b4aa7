//! Walks over clauses: calls of dynamic predicates, which see the live clauses under the logical update view, and clauses
//! as data, of which `clause/2` and `retract/1` are made.

use super::choices::{Alt, Choice};
use super::host::{Host, Next};
use super::keys::may_match;
use super::{ClauseId, Fault, Kind, Machine, PredId, Program, key_of};
use std::ops::Range;
use zug_term::{Cell, Tag};

/// The chain of a static predicate: its clauses in order.
const STATIC: u32 = u32::MAX;

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

    /// Where a call of a dynamic predicate starts to walk which chain; arguments are in X, or at places of the heap.
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

    /// `'$walk'(Head, Body, Reference, Predicate)`: the clauses of a predicate, by its number, that unify with Head and
    /// Body, and their references. A call sees those that are alive when it begins.
    pub(super) fn walk(&mut self) -> Result<Next, Fault> {
        let number = self.heap.deref(self.x[3]);
        let known = number.as_int().and_then(|number| usize::try_from(number).ok());
        let Some(pred) = known.filter(|&pred| pred < self.program.preds.len()) else {
            return Err(self.type_error("predicate", number));
        };
        let pred = pred as PredId;
        let predicate = &self.program.preds[pred as usize];
        let is_dynamic = predicate.kind == Kind::Dynamic;
        let args = match self.heap.name_arity(self.x[0]) {
            Some((name, arity, args)) if (name, arity) == (predicate.name, predicate.arity) => {
                args..args + arity
            }
            _ => return Ok(Next::Fail),
        };
        let (chain, from) =
            if is_dynamic { self.start_walk(pred, Some(args)) } else { (STATIC, 0) };
        let generation = self.program.generation;
        let Some(found) = self.next_walked(pred, chain, (from, generation)) else {
            return Ok(Next::Fail);
        };
        if let Some(next) = self.next_walked(pred, chain, (found + 1, generation)) {
            self.push_choice(Alt::Walk { pred, chain }, 4);
            self.choice_args.extend([Cell::small(next), Cell::small(generation as i64)]);
        }
        Ok(self.walked(pred, chain, found))
    }

    /// Backtracks into the next clause; the arguments are in X again.
    pub(super) fn next_walk(&mut self, pred: PredId, chain: u32, choice: &Choice) -> Next {
        let at = choice.args as usize + 4;
        let position = self.choice_args[at].int_value();
        let generation = self.choice_args[at + 1].int_value() as u64;
        match self.next_walked(pred, chain, (position + 1, generation)) {
            Some(next) => self.choice_args[at] = Cell::small(next),
            None => self.pop_choice(choice),
        }
        self.walked(pred, chain, position)
    }

    fn next_walked(&self, pred: PredId, chain: u32, (from, generation): (i64, u64)) -> Option<i64> {
        let first = self.heap.name_arity(self.x[0]).filter(|&(_, arity, _)| arity > 0);
        let key = first
            .and_then(|(_, _, args)| key_of(&self.heap.cells, self.heap.deref(self.heap.at(args))));
        if chain != STATIC {
            return self.next_with_key(pred, chain, (from, generation), key);
        }
        let clauses = &self.program.preds[pred as usize].clauses;
        let rest = clauses.get(usize::try_from(from).ok()?..)?;
        let fits = |&id: &ClauseId| may_match(self.program.clauses[id as usize].key, key);
        rest.iter().position(fits).map(|by| from + by as i64)
    }

    fn walked(&mut self, pred: PredId, chain: u32, position: i64) -> Next {
        let predicate = &self.program.preds[pred as usize];
        let id = match chain {
            STATIC => predicate.clauses.get(position as usize).copied(),
            chain => predicate.chains.chain(chain).get(position),
        };
        let Some(id) = id else { return Next::Fail };
        let (head, body, reference) = (self.x[0], self.x[1], self.x[2]);
        let own = self.clause_reference(id);
        let matches = self.unify_clause(id, head, body) && self.unify(reference, own);
        if matches { Next::Go(self.cp) } else { Next::Fail }
    }

    /// Unifies a head and a body with those of a clause.
    pub fn unify_clause(&mut self, id: ClauseId, head: Cell, body: Cell) -> bool {
        let clause = &self.program.clauses[id as usize];
        let space = self.program.preds[clause.pred as usize].space;
        let root = clause.record.instantiate(&mut self.heap);
        let [own_head, own_body] = [1, 2].map(|i| self.heap.deref(self.heap.at(root.addr() + i)));
        let own_body = self.body(own_body).unwrap_or(own_body);
        let own_body = self.unqualified_body(own_body, space);
        self.unify(own_head, head) && self.unify(own_body, body)
    }

    /// A reference to a clause that a later clause of the same number can't pass for.
    pub fn clause_reference(&self, id: ClauseId) -> Cell {
        let born = self.program.clauses[id as usize].born & 0x0FFF_FFFF;
        Cell::small((born as i64) << 32 | i64::from(id))
    }

    /// The living clause of a reference.
    pub fn clause_of(&self, reference: Cell) -> Option<ClauseId> {
        let reference = self.heap.deref(reference);
        let value = (reference.tag() == Tag::Int).then(|| reference.int_value())?;
        let id = value as u32;
        let clause = self.program.clauses.get(id as usize)?;
        let same = clause.born & 0x0FFF_FFFF == (value >> 32) as u64;
        (same && clause.died == u64::MAX).then_some(id)
    }
}

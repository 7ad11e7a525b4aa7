//! Clauses of dynamic predicates: live chains, the logical update view, erasing.
//!
//! A running call sees the clauses that were alive when it began (ISO 13211-1, 7.5.4): each clause knows the
//! generation it was born in and the one it died in, and a choice point remembers its generation. An erased clause
//! stays in its chains until no choice point walks the predicate; then [`Machine::tidy`] takes it out.

use super::Machine;
use super::choices::Alt;
pub use super::keys::arg_key;
use super::keys::{FEW, MOST_LISTED, Plans, Rows, bound, clause_key, may_match};
use super::program::{Clause, ClauseId, Kind, PredId, Program, key_of};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use zug_term::{Cell, Heap};

/// Clauses in order. Positions are stable: adding at the front takes the position before the first.
#[derive(Default, Debug, Clone)]
pub struct Chain {
    items: VecDeque<ClauseId>,
    first: i64,
    /// All before this position are erased.
    live: i64,
}

impl Chain {
    fn add(&mut self, id: ClauseId, at_end: bool) {
        if at_end {
            self.items.push_back(id);
        } else {
            self.items.push_front(id);
            self.first -= 1;
            self.live = self.first;
        }
    }
    fn of(items: Vec<ClauseId>) -> Chain {
        Chain { items: items.into(), first: 0, live: 0 }
    }
    /// The clause at a position.
    #[inline]
    pub fn get(&self, position: i64) -> Option<ClauseId> {
        self.items.get(usize::try_from(position - self.first).ok()?).copied()
    }
    /// The clauses in order.
    pub fn iter(&self) -> impl Iterator<Item = ClauseId> + '_ {
        self.items.iter().copied()
    }
    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// Chains by the keys that clauses have at some places.
#[derive(Clone, Debug)]
struct KeyedChains {
    /// Chain numbers by key.
    keys: FxHashMap<u64, u32>,
    /// Chain number of the clauses with a variable there.
    variable: u32,
    /// Clauses in all of these chains.
    listed: usize,
}

/// All chains of a predicate. Chain 0 holds every clause.
#[derive(Clone, Debug)]
pub struct ClauseChains {
    chains: Vec<Chain>,
    plans: Plans<KeyedChains>,
}

impl Default for ClauseChains {
    fn default() -> Self {
        ClauseChains { chains: vec![Chain::default()], plans: Plans::default() }
    }
}

impl ClauseChains {
    /// Every clause, erased ones included.
    pub fn all(&self) -> &Chain {
        &self.chains[0]
    }

    /// A chain by number.
    #[inline]
    pub fn chain(&self, number: u32) -> &Chain {
        &self.chains[number as usize]
    }

    pub(super) fn add(&mut self, clauses: &[Clause], id: ClauseId, at_end: bool) {
        self.chains[0].add(id, at_end);
        let most = 2 * MOST_LISTED * self.chains[0].len();
        let mut is_too_long = false;
        for (places, table) in self.plans.tables_mut() {
            match clause_key(&clauses[id as usize], places) {
                None => {
                    self.chains[table.variable as usize].add(id, at_end);
                    for &chain in table.keys.values() {
                        self.chains[chain as usize].add(id, at_end);
                    }
                    table.listed += 1 + table.keys.len();
                }
                Some(key) => {
                    let chain = *table.keys.entry(key).or_insert_with(|| {
                        let number = self.chains.len() as u32;
                        let open = self.chains[table.variable as usize].clone();
                        table.listed += open.len();
                        self.chains.push(open);
                        number
                    });
                    self.chains[chain as usize].add(id, at_end);
                    table.listed += 1;
                }
            }
            is_too_long |= table.listed > most;
        }
        if is_too_long {
            // Choice points walk the chains: they stay until the predicate is tidied, only out of date.
            self.plans = Plans::default();
        }
        self.plans.grown(self.chains[0].len());
    }

    #[cold]
    fn plan(&mut self, clauses: &[Clause], mask: u64, arity: usize) {
        let live: Vec<ClauseId> =
            self.chains[0].iter().filter(|&id| clauses[id as usize].died == u64::MAX).collect();
        let all: Vec<ClauseId> = self.chains[0].iter().collect();
        let looked_at: Vec<&Clause> = live.iter().map(|&id| &clauses[id as usize]).collect();
        let ClauseChains { chains, plans } = self;
        plans.plan(mask, arity, &looked_at, |places| {
            let keys = all.iter().map(|&id| clause_key(&clauses[id as usize], places));
            let rows = Rows::of(keys.zip(all.iter().copied()));
            let variable = chains.len() as u32;
            let mut listed = rows.other.len();
            chains.push(Chain::of(rows.other));
            let mut keys = FxHashMap::default();
            for (key, row) in rows.keyed {
                listed += row.len();
                keys.insert(key, chains.len() as u32);
                chains.push(Chain::of(row));
            }
            KeyedChains { keys, variable, listed }
        });
    }

    /// The chain to walk for a call with these arguments.
    pub(super) fn select(&mut self, clauses: &[Clause], heap: &Heap, call: &[Cell]) -> u32 {
        if self.chains[0].len() <= FEW {
            return 0;
        }
        let mask = bound(call, |cell| !heap.deref(cell).is_var());
        if mask == 0 {
            return 0;
        }
        if !self.plans.is_planned(mask) {
            self.plan(clauses, mask, call.len());
        }
        let row = |table: &KeyedChains, key| {
            let chain = table.keys.get(&key).copied().unwrap_or(table.variable);
            (chain, self.chains[chain as usize].len())
        };
        self.plans.shortest(mask, (&heap.cells, call), row).map_or(0, |(chain, _)| chain)
    }

    /// Where a call that begins now starts to walk a chain: behind those that were erased.
    pub(super) fn start(&mut self, clauses: &[Clause], number: u32) -> i64 {
        let chain = &mut self.chains[number as usize];
        while let Some(id) = chain.get(chain.live)
            && clauses[id as usize].died != u64::MAX
        {
            chain.live += 1;
        }
        chain.live
    }

    /// Takes erased clauses out and forgets the indexes.
    fn sweep(&mut self, clauses: &[Clause]) -> Vec<ClauseId> {
        let all = std::mem::take(&mut self.chains[0]);
        let (dead, live): (Vec<_>, Vec<_>) =
            all.iter().partition(|&id| clauses[id as usize].died != u64::MAX);
        *self = ClauseChains::default();
        self.chains[0] = Chain::of(live);
        dead
    }
}

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

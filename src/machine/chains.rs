//! Chains: the clauses of a dynamic predicate in order, and by the keys of their arguments.

use super::clause::{Clause, ClauseId};
use super::keys::{FEW, MOST_LISTED, Plans, Rows, bound, clause_key};
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
    pub(super) fn sweep(&mut self, clauses: &[Clause]) -> Vec<ClauseId> {
        let all = std::mem::take(&mut self.chains[0]);
        let (dead, live): (Vec<_>, Vec<_>) =
            all.iter().partition(|&id| clauses[id as usize].died != u64::MAX);
        *self = ClauseChains::default();
        self.chains[0] = Chain::of(live);
        dead
    }
}

//! Clauses of dynamic predicates: live chains, the logical update view, erasing.
//!
//! A running call sees the clauses that were alive when it began (ISO 13211-1,
//! 7.5.4): each clause knows the generation it was born in and the one it died
//! in, and a choice point remembers its generation. An erased clause stays in
//! its chains until no choice point walks the predicate; then [`Machine::tidy`]
//! takes it out.

use super::Machine;
use super::choices::Alt;
use super::program::{Clause, ClauseId, Kind, PredId, Program, key_of};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use zug_term::{Cell, Heap};

/// Clauses in order. Positions are stable: adding at the front takes the
/// position before the first.
#[derive(Default, Debug, Clone)]
pub struct Chain {
    items: VecDeque<ClauseId>,
    first: i64,
}

impl Chain {
    fn add(&mut self, id: ClauseId, at_end: bool) {
        if at_end {
            self.items.push_back(id);
        } else {
            self.items.push_front(id);
            self.first -= 1;
        }
    }
    /// Position of the first clause.
    pub fn start(&self) -> i64 {
        self.first
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

/// Chains of one argument by key.
#[derive(Clone, Debug)]
struct ArgChains {
    arg: usize,
    /// Chain numbers by key.
    keys: FxHashMap<Cell, u32>,
    /// Chain number of the clauses with a variable there.
    variable: u32,
}

/// All chains of a predicate. Chain 0 holds every clause.
#[derive(Clone, Debug)]
pub struct ClauseChains {
    chains: Vec<Chain>,
    args: Vec<ArgChains>,
    /// Arguments found not worth an index.
    useless: u8,
}

impl Default for ClauseChains {
    fn default() -> Self {
        ClauseChains { chains: vec![Chain::default()], args: Vec::new(), useless: 0 }
    }
}

/// Below this many clauses no index is made.
const FEW: usize = 8;
/// Arguments looked at for an index.
const INDEXED_ARGS: usize = 4;

fn clause_key(clause: &Clause, arg: usize) -> Option<Cell> {
    let cells = &clause.record.cells;
    let mut cell = match clause.head() {
        list if list.is_list() => cells[list.addr() + arg],
        head => cells[head.addr() + 1 + arg],
    };
    while cell.is_var() && cells[cell.addr()] != cell {
        cell = cells[cell.addr()];
    }
    key_of(cells, cell)
}

/// The key of an argument of a clause, if it has that argument and it is bound.
pub fn arg_key(clause: &Clause, arity: usize, arg: usize) -> Option<Cell> {
    (arg < arity).then(|| clause_key(clause, arg)).flatten()
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
        for args in &mut self.args {
            match clause_key(&clauses[id as usize], args.arg) {
                None => {
                    self.chains[args.variable as usize].add(id, at_end);
                    for &chain in args.keys.values() {
                        self.chains[chain as usize].add(id, at_end);
                    }
                }
                Some(key) => {
                    let chain = *args.keys.entry(key).or_insert_with(|| {
                        let number = self.chains.len() as u32;
                        self.chains.push(self.chains[args.variable as usize].clone());
                        number
                    });
                    self.chains[chain as usize].add(id, at_end);
                }
            }
        }
    }

    fn index_arg(&mut self, clauses: &[Clause], arg: usize) -> bool {
        let all = self.chains[0].clone();
        let bound =
            all.iter().filter(|&id| clause_key(&clauses[id as usize], arg).is_some()).count();
        if bound * 2 < all.len() {
            self.useless |= 1 << arg;
            return false;
        }
        let variable = self.chains.len() as u32;
        self.chains.push(Chain::default());
        let mut args = ArgChains { arg, keys: FxHashMap::default(), variable };
        for id in all.iter() {
            match clause_key(&clauses[id as usize], arg) {
                None => {
                    self.chains[variable as usize].add(id, true);
                    for &chain in args.keys.values() {
                        self.chains[chain as usize].add(id, true);
                    }
                }
                Some(key) => {
                    let number = self.chains.len() as u32;
                    let chain = *args.keys.entry(key).or_insert(number);
                    if chain == number {
                        let shared = self.chains[variable as usize].clone();
                        self.chains.push(shared);
                    }
                    self.chains[chain as usize].add(id, true);
                }
            }
        }
        if args.keys.len() < 2 {
            self.chains.truncate(variable as usize);
            self.useless |= 1 << arg;
            return false;
        }
        self.args.push(args);
        true
    }

    /// The chain to walk for a call with these arguments.
    pub(super) fn select(&mut self, clauses: &[Clause], heap: &Heap, call: &[Cell]) -> u32 {
        if self.chains[0].len() <= FEW {
            return 0;
        }
        for (arg, &cell) in call.iter().enumerate().take(INDEXED_ARGS) {
            if self.useless >> arg & 1 == 1 {
                continue;
            }
            let Some(key) = key_of(&heap.cells, heap.deref(cell)) else { continue };
            let known = self.args.iter().position(|args| args.arg == arg);
            let at = match known {
                Some(at) => at,
                None if self.index_arg(clauses, arg) => self.args.len() - 1,
                None => continue,
            };
            let args = &self.args[at];
            return args.keys.get(&key).copied().unwrap_or(args.variable);
        }
        0
    }

    /// Takes erased clauses out and forgets the indexes.
    fn sweep(&mut self, clauses: &[Clause]) -> Vec<ClauseId> {
        let all = std::mem::take(&mut self.chains[0]);
        let (dead, live): (Vec<_>, Vec<_>) =
            all.iter().partition(|&id| clauses[id as usize].died != u64::MAX);
        *self = ClauseChains::default();
        self.chains[0].items = live.into();
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
        self.preds[clause.pred as usize].erased += 1;
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
        let matches = |clause: &Clause| match (clause.key, first) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        let chain = predicate.chains.chain(number);
        chain
            .iter()
            .filter(|&id| {
                let clause = &clauses[id as usize];
                clause.died == u64::MAX && matches(clause)
            })
            .collect()
    }

    /// Takes the erased clauses of a predicate out of its chains, if there are
    /// many and no choice point walks them. `idle`: no goal is running, so code
    /// of rules can be given back too.
    pub fn tidy(&mut self, pred: PredId, idle: bool) {
        let predicate = &self.program.preds[pred as usize];
        let live = predicate.chains.all().len() - predicate.erased;
        if predicate.erased == 0 || (!idle && predicate.erased < live / 2 + 16) {
            return;
        }
        let walked = |alt: &Alt| matches!(alt, Alt::Dynamic { pred: p, .. } if *p == pred);
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
            let (code, len) = (clause.code, clause.code_len);
            self.program.clause_bytes -=
                (clause.record.bytes() + size_of::<Clause>()).min(self.program.clause_bytes);
            if code != 0 {
                self.program.free(code, len);
            }
            if let Some(other) = self.program.clauses[id as usize].other.take() {
                self.program.free(other.start, other.len);
            }
            let clause = &mut self.program.clauses[id as usize];
            clause.record.cells = Box::default();
            clause.place = None;
            clause.goal_spans = Box::default();
            clause.code = 0;
            self.program.free_clauses.push(id);
        }
    }
}

impl Machine {
    /// Called when no goal is running: gives back what erased clauses held, and
    /// the memory that a large run left behind.
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

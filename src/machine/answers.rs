//! The answers of one table, and the variant keys of calls and answers.

use super::StopReason;
use super::clause::PredId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use zug_term::{Cell, Heap, Record};

/// What happens to an argument of a tabled predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It is part of the key of calls and answers.
    Index,
    /// The answer with the least value stays, in standard order.
    Min,
    /// The answer with the greatest value stays.
    Max,
    /// The first answer stays.
    First,
    /// The last answer stays.
    Last,
    /// The library joins two values or chooses one: `lattice/1`, `po/1`.
    Joined,
}

/// How a predicate is tabled.
#[derive(Clone, Debug)]
pub(super) struct Tabled {
    /// Address of the entry.
    pub(super) slot: u32,
    /// What happens to each argument; `None` where all are [`Mode::Index`].
    pub(super) modes: Option<Arc<[Mode]>>,
    /// How the library joins values.
    pub(super) joins: Record,
    /// The load that said so.
    pub(super) load: Option<u64>,
    /// Its tables go when an incremental dynamic predicate changes.
    pub(super) incremental: bool,
}

/// The cells of a term in a fixed order with numbered variables: equal exactly for variants.
pub(super) type VariantKey = Box<[Cell]>;

/// Approximate bytes of a table and of an answer, without their cells.
pub(super) const OVERHEAD: usize = 96;
/// Cells of a key between two polls of the clock.
const STEP: usize = 1 << 14;

/// Why there is no key.
pub(super) enum KeyError {
    TooLarge,
    Stopped(StopReason),
    /// A variable has attributes.
    Attributed,
}

/// The cells of terms in a fixed order, as long as they are few enough.
pub(super) fn key(
    heap: &Heap,
    head: Option<Cell>,
    roots: &[Cell],
    most: usize,
    stop: impl Fn() -> Option<StopReason>,
) -> Result<VariantKey, KeyError> {
    let mut cells: Vec<Cell> = head.into_iter().collect();
    let mut numbers: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut todo: Vec<Cell> = roots.iter().rev().copied().collect();
    let mut next_poll = STEP;
    while let Some(cell) = todo.pop() {
        let cell = heap.deref(cell);
        if cell.is_attributed() {
            return Err(KeyError::Attributed);
        } else if cell.is_var() {
            let next = numbers.len();
            cells.push(Cell::reference(*numbers.entry(cell).or_insert(next)));
        } else if let Some((name, arity, args)) =
            heap.name_arity(cell).filter(|_| cell.is_compound())
        {
            cells.push(Cell::functor(name, arity));
            todo.extend((0..arity).rev().map(|i| heap.at(args + i)));
        } else if cell.is_boxed() {
            let at = cell.addr();
            cells.extend_from_slice(&heap.cells[at..=at + heap.at(at).payload_words()]);
        } else {
            cells.push(cell);
        }
        if cells.len() + todo.len() > most {
            return Err(KeyError::TooLarge);
        }
        if cells.len() >= next_poll {
            next_poll = cells.len() + STEP;
            if let Some(reason) = stop() {
                return Err(KeyError::Stopped(reason));
            }
        }
    }
    Ok(cells.into())
}

/// Puts the terms of a key, but for its head, into a heap.
pub(super) fn terms(heap: &mut Heap, key: &[Cell]) -> Vec<Cell> {
    let mut variables: Vec<Cell> = Vec::new();
    // Compounds whose arguments are not all there, the innermost last.
    let mut open: Vec<(Cell, Vec<Cell>)> = Vec::new();
    let mut terms = Vec::new();
    let mut at = 1;
    while let Some(&cell) = key.get(at) {
        at += 1;
        let mut term = cell;
        if cell.is_ref() {
            while variables.len() <= cell.addr() {
                variables.push(heap.new_var());
            }
            term = variables[cell.addr()];
        } else if cell.is_header() && cell.payload_words() > 0 {
            let words = cell.payload_words();
            term = Cell::boxed(heap.top());
            heap.cells.extend_from_slice(&key[at - 1..at + words]);
            at += words;
        } else if cell.is_header() {
            open.push((cell, Vec::with_capacity(cell.functor_arity())));
            continue;
        }
        loop {
            let Some((functor, args)) = open.last_mut() else {
                terms.push(term);
                break;
            };
            args.push(term);
            if args.len() < functor.functor_arity() {
                break;
            }
            term = heap.new_struct(functor.functor_name(), args);
            open.pop();
        }
    }
    terms
}

/// Whether two answers are variants, as far as `most` cells tell.
pub(super) fn same(one: &Record, other: &Record, most: usize) -> bool {
    let key_of = |record: &Record| {
        let (heap, root) = record.to_heap();
        key(&heap, None, &[root], most, || None).ok()
    };
    one == other || matches!((key_of(one), key_of(other)), (Some(a), Some(b)) if a == b)
}

/// Answers by the numbers they got as they came, which grow.
pub(super) enum Answers {
    /// None is ever replaced.
    All(Vec<Record>),
    /// Better answers replace others.
    Best {
        /// What is left, by number.
        left: BTreeMap<usize, Record>,
        /// The number of the next.
        next: usize,
    },
}

impl Answers {
    pub(super) fn new(moded: bool) -> Answers {
        if moded {
            return Answers::Best { left: BTreeMap::new(), next: 0 };
        }
        Answers::All(Vec::new())
    }

    pub(super) fn get(&self, at: usize) -> Option<&Record> {
        match self {
            Answers::All(all) => all.get(at),
            Answers::Best { left, .. } => left.get(&at),
        }
    }

    /// The number of the first answer at or behind one.
    pub(super) fn next(&self, from: usize) -> Option<usize> {
        match self {
            Answers::All(all) => (from < all.len()).then_some(from),
            Answers::Best { left, .. } => left.range(from..).next().map(|(&at, _)| at),
        }
    }

    fn push(&mut self, answer: Record) -> usize {
        match self {
            Answers::All(all) => {
                all.push(answer);
                all.len() - 1
            }
            Answers::Best { left, next } => {
                left.insert(*next, answer);
                *next += 1;
                *next - 1
            }
        }
    }

    fn remove(&mut self, at: usize) -> Option<Record> {
        match self {
            Answers::All(_) => None,
            Answers::Best { left, .. } => left.remove(&at),
        }
    }
}

/// How far a table is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Not asked yet, or given up half way.
    Idle,
    /// Being evaluated: its depth among the evaluations.
    Running(usize),
    /// Its clauses have been gone through; it is complete when its leader is. Its place among the tables that wait.
    Waiting(usize),
    /// All answers are there.
    Complete,
}

/// The table of the variants of one call.
pub(super) struct Table {
    pub(super) state: State,
    pub(super) answers: Answers,
    /// The number of an answer, by its variant key.
    pub(super) index: FxHashMap<VariantKey, usize>,
    /// Variables of the call; behind them in an answer stand values that modes choose.
    pub(super) indexed: usize,
    /// How these values are chosen.
    pub(super) modes: Option<Arc<[Mode]>>,
    pub(super) pred: PredId,
    /// Numbers of the consumers of its answers that wait, ascending.
    pub(super) consumers: Vec<u32>,
    /// The outermost evaluation that its answers are of.
    pub(super) within: u64,
    /// It was abolished while it was being evaluated: it is for that evaluation only.
    pub(super) stale: bool,
    /// It was complete before all of its group was.
    pub(super) early: bool,
    /// Bytes of the call.
    call: usize,
    /// Bytes held, approximately.
    pub(super) bytes: usize,
}

impl Table {
    pub(super) fn new(
        pred: PredId,
        indexed: usize,
        modes: Option<Arc<[Mode]>>,
        call: usize,
    ) -> Table {
        Table {
            state: State::Idle,
            answers: Answers::new(modes.is_some()),
            index: FxHashMap::default(),
            indexed,
            modes,
            pred,
            consumers: Vec::new(),
            within: 0,
            stale: false,
            early: false,
            call,
            bytes: OVERHEAD + call,
        }
    }

    /// Whether no evaluation in progress comes back to it; `outermost` is the number of the outermost one.
    pub(super) fn is_free(&self, outermost: Option<u64>) -> bool {
        match self.state {
            State::Running(_) | State::Waiting(_) => false,
            State::Complete if !self.early => true,
            State::Complete | State::Idle => outermost != Some(self.within),
        }
    }

    /// Values of an answer.
    pub(super) fn width(&self) -> usize {
        self.indexed + self.modes.as_ref().map_or(0, |modes| modes.len())
    }

    pub(super) fn find(&self, key: &[Cell]) -> Option<&Record> {
        self.index.get(key).and_then(|&at| self.answers.get(at))
    }

    /// Puts an answer in, in place of the one with the same key, which is given back.
    pub(super) fn put(&mut self, key: VariantKey, answer: Record) -> Option<Record> {
        self.bytes += answer.bytes();
        let cells = key.len() * size_of::<Cell>();
        let at = self.answers.push(answer);
        match self.index.insert(key, at) {
            None => {
                self.bytes += OVERHEAD + cells;
                None
            }
            Some(old) => {
                let old = self.answers.remove(old)?;
                self.bytes -= old.bytes();
                Some(old)
            }
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Table::new(self.pred, self.indexed, self.modes.take(), self.call);
    }
}

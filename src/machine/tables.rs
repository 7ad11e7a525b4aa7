//! Tables: the answers of tabled predicates, one table for each variant of a call.
//!
//! Evaluation is linear tabling (Zhou, Sato & Shen, "Linear tabling strategies and
//! optimizations", TPLP 8, 2008): a call that is a variant of one in progress takes the
//! answers found so far, and evaluation goes over the clauses again until a pass finds
//! nothing new. The topmost call of a group that call each other is its *leader*; when its
//! last pass is over, the whole group is complete. The loop itself is
//! `library/tabling.pl`; here is what it asks.
//!
//! The entry of a tabled predicate leads to an [`Instr::Tabled`] of its own, its clauses
//! stay where they are: the loop runs them by [`Instr::TableBody`].
//!
//! Invariants: an evaluation in progress has a choice point at the height it began with;
//! when that goes by an exception or a stop, so does the evaluation ([`Machine::drop_evaluations`]).
//! Answers found stay: they are true, if perhaps not all there are.

use super::instr::Instr;
use super::program::{Kind, PredId, Program, Space};
use super::run::Next;
use super::{Fault, Machine};
use crate::term::{self, Cell, Heap, Record};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::Arc;

/// What happens to an argument of a tabled predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It tells calls and answers apart.
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
    modes: Option<Arc<[Mode]>>,
    /// How the library joins values.
    joins: Record,
}

/// Cells of a term in one order, variables numbered: equal for variants and only for them.
type Key = Box<[Cell]>;

/// Cells beyond which a call or an answer is too large for a table.
const MOST_CELLS: usize = 1 << 24;
/// Approximate bytes of a table and of an answer, beside their cells.
const OVERHEAD: usize = 96;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not asked yet, or given up half way.
    Idle,
    /// Being evaluated: its depth among the evaluations.
    Running(usize),
    /// All answers are there as far as the evaluation at this depth, in this pass, knows.
    Waiting { depth: usize, evaluation: u64, pass: u64 },
    /// All answers are there.
    Complete,
}

struct Table {
    state: State,
    /// Answers in the order they came; `None` where a better one took the place.
    answers: Vec<Option<Record>>,
    /// Where an answer stands, by what tells it from others.
    index: FxHashMap<Key, usize>,
    /// Variables of the call; behind them in an answer stand values that modes choose.
    indexed: usize,
    modes: Option<Arc<[Mode]>>,
    /// When it was evaluated last.
    evaluated: u64,
}

/// A call that is being evaluated.
struct Evaluation {
    number: u64,
    table: usize,
    /// Choice points when it began.
    height: usize,
    /// The lowest evaluation that this one depends on.
    low: usize,
    pass: u64,
    /// Changes of all tables when the pass began.
    changes: u64,
    /// The clock when the pass began.
    began: u64,
    /// Somebody took its answers while it was in progress.
    asked: bool,
    /// Tables that wait, when it began.
    waiting: usize,
}

/// All tables of a program.
#[derive(Default)]
pub(super) struct Tables {
    tables: Vec<Table>,
    index: FxHashMap<Key, usize>,
    running: Vec<Evaluation>,
    waiting: Vec<usize>,
    changes: u64,
    clock: u64,
    evaluations: u64,
    bytes: usize,
}

/// How a call of a tabled predicate goes on.
pub struct TabledCall {
    /// Number of its table.
    pub table: usize,
    /// There is nothing to evaluate: the answers can be taken.
    pub ready: bool,
    /// The call, with variables of their own for values that modes choose.
    pub general: Cell,
    /// What an answer of `general` is kept as.
    pub kept: Cell,
    /// What an answer means to the caller.
    pub answer: Cell,
}

/// What became of an answer.
pub enum Added {
    /// It is in the table, or was, or is worse than what is there.
    Done,
    /// The library is to join it with this one.
    Join(Cell),
}

/// The cells of a term in a fixed order, as long as they are few enough.
fn key(heap: &Heap, roots: impl Iterator<Item = Cell>) -> Option<Key> {
    let mut cells = Vec::new();
    let mut numbers: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut todo: Vec<Cell> = roots.collect();
    todo.reverse();
    while let Some(cell) = todo.pop() {
        let cell = heap.deref(cell);
        if cell.is_ref() {
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
        if cells.len() + todo.len() > MOST_CELLS {
            return None;
        }
    }
    Some(cells.into())
}

impl Tables {
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Notes that the evaluation on top depends on the one at `depth`.
    fn depend(&mut self, depth: usize) {
        if let Some(top) = self.running.last_mut() {
            top.low = top.low.min(depth);
        }
        self.running[depth].asked = true;
    }

    /// Whether a table has what a caller may have now.
    fn is_ready(&mut self, table: usize) -> bool {
        match self.tables[table].state {
            State::Complete => true,
            State::Idle => false,
            State::Running(depth) => {
                self.depend(depth);
                true
            }
            State::Waiting { depth, evaluation, pass } => {
                let found = self.running.get(depth);
                let same = found.is_some_and(|e| e.number == evaluation && e.pass == pass);
                if same {
                    self.depend(depth);
                }
                same
            }
        }
    }

    fn forget(&mut self, table: usize) {
        let table = &mut self.tables[table];
        table.state = State::Idle;
        table.answers = Vec::new();
        table.index = FxHashMap::default();
    }
}

impl Program {
    /// Has calls of a predicate go through tables. `modes` has one for each argument, or none;
    /// `joins` is what [`Program::table_joins`] gives.
    pub fn set_tabled(&mut self, pred: PredId, modes: &[Mode], joins: Record) {
        let slot = match self.tabled.get(&pred) {
            Some(known) => known.slot,
            None => {
                self.code.push(Instr::Tabled { pred });
                self.code.len() as u32 - 1
            }
        };
        let moded = modes.iter().any(|mode| *mode != Mode::Index);
        let modes = moded.then(|| modes.into());
        self.tabled.insert(pred, Tabled { slot, modes, joins });
        self.set_entry(pred, slot);
        let (name, arity) = {
            let predicate = &self.preds[pred as usize];
            (predicate.name, predicate.arity)
        };
        self.share_with_units(name, arity);
    }

    /// How the library joins values of a tabled predicate.
    pub fn table_joins(&self, pred: PredId) -> Option<&Record> {
        self.tabled.get(&pred).map(|tabled| &tabled.joins)
    }

    /// What happens to the arguments of a tabled predicate, none where all tell calls and
    /// answers apart, and how the library joins values.
    pub fn table_modes(&self, pred: PredId) -> Option<(&[Mode], &Record)> {
        let tabled = self.tabled.get(&pred)?;
        Some((tabled.modes.as_deref().unwrap_or_default(), &tabled.joins))
    }

    /// Takes a predicate off its tables again.
    pub fn set_untabled(&mut self, pred: PredId) {
        if self.tabled.remove(&pred).is_some() {
            let (kind, slot) = {
                let predicate = &self.preds[pred as usize];
                (predicate.kind, predicate.slot)
            };
            self.define(pred, kind, self.code[slot as usize]);
        }
    }

    /// Whether calls of a predicate go through tables.
    pub fn is_tabled(&self, pred: PredId) -> bool {
        self.tabled.contains_key(&pred)
    }
}

impl Machine {
    /// A tabled predicate is entered, with its arguments in X.
    pub(super) fn enter_tabled(&mut self, pred: PredId) -> u32 {
        let predicate = &self.program.preds[pred as usize];
        let (name, arity) = (predicate.name, predicate.arity);
        let goal = match arity {
            0 => Cell::atom(name),
            _ => self.heap.new_struct(name, &self.x[..arity]),
        };
        self.x[0] = goal;
        self.program.entries[self.ids.tabled_call as usize]
    }

    /// `'$table_body'(Goal)`: runs the clauses of a tabled predicate.
    pub(super) fn enter_table_body(&mut self) -> Result<Next, Fault> {
        let goal = self.heap.deref(self.x[0]);
        let Some((name, arity, args)) = self.heap.name_arity(goal) else {
            return Err(self.type_error("callable", goal));
        };
        for i in 0..arity {
            self.x[i] = self.heap.at(args + i);
        }
        let own = self.program.pred(name, arity, Space::User);
        let system = self.program.lookup(name, arity, Space::System);
        // Without clauses of the user's it is the library's predicate that is tabled.
        let pred = match self.program.preds[own as usize].kind {
            Kind::Undefined => system.unwrap_or(own),
            _ => own,
        };
        Ok(Next::Go(self.program.preds[pred as usize].slot))
    }

    /// The table of a call, made if there is none.
    ///
    /// # Errors
    /// The call is too large, or cyclic.
    pub fn table_of(&mut self, goal: Cell) -> Result<TabledCall, Fault> {
        let goal = self.heap.deref(goal);
        let Some((name, arity, args)) = self.heap.name_arity(goal) else {
            return Err(self.type_error("callable", goal));
        };
        let pred = self.program.pred(name, arity, Space::User);
        let modes = self.program.tabled.get(&pred).and_then(|tabled| tabled.modes.clone());
        let all: Vec<Cell> = (0..arity).map(|i| self.heap.at(args + i)).collect();
        let mut general = all.clone();
        let (mut chosen, mut wanted) = (Vec::new(), Vec::new());
        for (i, mode) in modes.iter().flat_map(|modes| modes.iter()).enumerate() {
            if *mode != Mode::Index {
                general[i] = self.heap.new_var();
                chosen.push(general[i]);
                wanted.push(all[i]);
            }
        }
        let open = |cell: &Cell| !chosen.contains(cell);
        let told = general.iter().copied().filter(open);
        let header = std::iter::once(Cell::functor(name, arity));
        let Some(cells) = key(&self.heap, told.clone()) else {
            return Err(self.resource_error("table_entry"));
        };
        let told: Vec<Cell> = told.collect();
        let key: Key = header.chain(cells.iter().copied()).collect();
        let inner = self.heap.list_from(&told, Cell::NIL);
        let variables = term::variables(&self.heap, inner);
        let indexed = variables.len();
        let table = match self.tables.index.get(&key) {
            Some(&table) => table,
            None => {
                self.tables.bytes += OVERHEAD + key.len() * size_of::<Cell>();
                self.tables.tables.push(Table {
                    state: State::Idle,
                    answers: Vec::new(),
                    index: FxHashMap::default(),
                    indexed,
                    modes: modes.clone().map(|modes| {
                        modes.iter().copied().filter(|mode| *mode != Mode::Index).collect()
                    }),
                    evaluated: 0,
                });
                self.tables.index.insert(key, self.tables.tables.len() - 1);
                self.tables.tables.len() - 1
            }
        };
        let ready = self.tables.is_ready(table);
        let tuple = crate::symbol::atoms::TABLE_ANSWER;
        let mut build = |values: &[Cell]| {
            let all: Vec<Cell> = variables.iter().chain(values).copied().collect();
            match all.len() {
                0 => Cell::atom(tuple),
                _ => self.heap.new_struct(tuple, &all),
            }
        };
        let (kept, answer) = (build(&chosen), build(&wanted));
        let general = match arity {
            0 => goal,
            _ => self.heap.new_struct(name, &general),
        };
        Ok(TabledCall { table, ready, general, kept, answer })
    }

    /// Begins the evaluation of a table; a choice point follows.
    pub fn begin_table(&mut self, table: usize) {
        let tables = &mut self.tables;
        tables.evaluations += 1;
        let depth = tables.running.len();
        tables.running.push(Evaluation {
            number: tables.evaluations,
            table,
            height: self.choices.len(),
            low: depth,
            pass: 0,
            changes: 0,
            began: 0,
            asked: false,
            waiting: tables.waiting.len(),
        });
        tables.tables[table].state = State::Running(depth);
    }

    /// Begins a pass over the clauses.
    pub fn begin_table_pass(&mut self) {
        let tables = &mut self.tables;
        tables.clock += 1;
        if let Some(top) = tables.running.last_mut() {
            top.pass += 1;
            top.changes = tables.changes;
            top.began = tables.clock;
        }
    }

    /// Whether the evaluation on top is over; else another pass is due.
    pub fn settle_table(&mut self) -> bool {
        let tables = &mut self.tables;
        let Some(top) = tables.running.last() else { return true };
        if top.asked && tables.changes > top.changes {
            return false;
        }
        let top = tables.running.pop().expect("there is one");
        let depth = tables.running.len();
        tables.clock += 1;
        tables.tables[top.table].evaluated = tables.clock;
        if top.low < depth {
            let below = &mut tables.running[top.low];
            let state =
                State::Waiting { depth: top.low, evaluation: below.number, pass: below.pass };
            below.asked = true;
            tables.tables[top.table].state = state;
            tables.waiting.push(top.table);
            if let Some(caller) = tables.running.last_mut() {
                caller.low = caller.low.min(top.low);
            }
            return true;
        }
        tables.tables[top.table].state = State::Complete;
        for waiting in tables.waiting.split_off(top.waiting) {
            let waiting = &mut tables.tables[waiting];
            if matches!(waiting.state, State::Waiting { .. }) {
                // What the last pass did not come to may lack answers.
                let current = waiting.evaluated > top.began;
                waiting.state = if current { State::Complete } else { State::Idle };
            }
        }
        true
    }

    /// Adds an answer, as [`TabledCall::kept`], to a table.
    ///
    /// # Errors
    /// It is too large, or cyclic.
    pub fn add_to_table(&mut self, table: usize, answer: Cell) -> Result<Added, Fault> {
        let answer = self.heap.deref(answer);
        let args = self.heap.name_arity(answer).map_or((0, 0), |(_, n, args)| (n, args));
        let indexed = self.tables.tables[table].indexed;
        let told = (0..indexed).map(|i| self.heap.at(args.1 + i));
        let Some(key) = key(&self.heap, told) else {
            return Err(self.resource_error("table_entry"));
        };
        let Some(&at) = self.tables.tables[table].index.get(&key) else {
            self.put_answer(table, key, answer);
            return Ok(Added::Done);
        };
        let Some(modes) = self.tables.tables[table].modes.clone() else { return Ok(Added::Done) };
        let Some(old) = self.tables.tables[table].answers[at].as_ref() else {
            return Ok(Added::Done);
        };
        let old = old.instantiate(&mut self.heap);
        if modes.contains(&Mode::Joined) {
            return Ok(Added::Join(old));
        }
        let old_args = self.heap.name_arity(old).map_or(0, |(_, _, args)| args);
        let mut values: Vec<Cell> = (0..args.0).map(|i| self.heap.at(old_args + i)).collect();
        let mut better = false;
        for (i, mode) in modes.iter().enumerate() {
            let new = self.heap.at(args.1 + indexed + i);
            let order = term::compare(&self.heap, &self.symbols, new, values[indexed + i]);
            let takes = match mode {
                Mode::Min => order == Ordering::Less,
                Mode::Max => order == Ordering::Greater,
                Mode::Last => order != Ordering::Equal,
                Mode::First | Mode::Index | Mode::Joined => false,
            };
            if takes {
                values[indexed + i] = new;
                better = true;
            }
        }
        if better {
            let (name, ..) = self.heap.name_arity(answer).expect("it has values");
            let joined = self.heap.new_struct(name, &values);
            self.put_answer(table, key, joined);
        }
        Ok(Added::Done)
    }

    /// Puts an answer in the place of the one that it was joined with.
    ///
    /// # Errors
    /// It is too large, or cyclic.
    pub fn replace_in_table(&mut self, table: usize, answer: Cell) -> Result<(), Fault> {
        let args = self.heap.name_arity(answer).map_or(0, |(_, _, args)| args);
        let indexed = self.tables.tables[table].indexed;
        let told = (0..indexed).map(|i| self.heap.at(args + i));
        let Some(key) = key(&self.heap, told) else {
            return Err(self.resource_error("table_entry"));
        };
        self.put_answer(table, key, answer);
        Ok(())
    }

    fn put_answer(&mut self, table: usize, key: Key, answer: Cell) {
        let record = Record::new(&mut self.heap, answer);
        let tables = &mut self.tables;
        tables.changes += 1;
        tables.bytes += OVERHEAD + key.len() * size_of::<Cell>() + record.bytes();
        let table = &mut tables.tables[table];
        table.answers.push(Some(record));
        if let Some(old) = table.index.insert(key, table.answers.len() - 1) {
            table.answers[old] = None;
        }
    }

    /// The position of the first answer at or behind one, and whether there may be more.
    pub fn next_in_table(&self, table: usize, from: usize) -> Option<(usize, bool)> {
        let table = self.tables.tables.get(table)?;
        let next = |from: usize| (from..table.answers.len()).find(|&i| table.answers[i].is_some());
        let at = next(from)?;
        Some((at, table.state != State::Complete || next(at + 1).is_some()))
    }

    /// An answer of a table; `None` where a better one took its place.
    pub fn table_answer(&mut self, table: usize, at: usize) -> Option<Cell> {
        let answer = self.tables.tables.get(table)?.answers.get(at)?.as_ref()?;
        Some(answer.instantiate(&mut self.heap))
    }

    /// Whether a table has all its answers.
    pub fn table_is_complete(&self, table: usize) -> bool {
        self.tables.tables.get(table).is_some_and(|table| table.state == State::Complete)
    }

    /// Forgets all answers, but for those of calls in progress.
    pub fn abolish_tables(&mut self) {
        if self.tables.running.is_empty() {
            self.tables = Tables { evaluations: self.tables.evaluations, ..Tables::default() };
            return;
        }
        for table in 0..self.tables.tables.len() {
            if self.tables.tables[table].state == State::Complete {
                self.tables.forget(table);
            }
        }
    }

    /// Gives up evaluations whose choice points have gone.
    pub(super) fn drop_evaluations(&mut self) {
        let tables = &mut self.tables;
        while tables.running.last().is_some_and(|top| top.height >= self.choices.len()) {
            let top = tables.running.pop().expect("there is one");
            tables.tables[top.table].state = State::Idle;
            for waiting in tables.waiting.split_off(top.waiting) {
                tables.tables[waiting].state = State::Idle;
            }
        }
    }
}

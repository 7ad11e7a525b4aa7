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
//! What it found stays for the evaluations around it, which might come to it again, and goes
//! when those are over: the facts may be others by then. Numbers of tables are never used
//! again: an enumeration of answers goes on with those of a table that was abolished.

use super::answers::{KeyError, State, Table, VariantKey, key, same};
use super::instr::Instr;
use super::program::{Kind, PredId, Program, Space};
use super::run::Next;
use super::{Fault, Machine};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::sync::Arc;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

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
    modes: Option<Arc<[Mode]>>,
    /// How the library joins values.
    joins: Record,
    /// The load that said so.
    load: Option<u64>,
}

/// Cells beyond which a call or an answer is too large for a table.
const MOST_CELLS: usize = 1 << 24;
/// Bytes that a cell of a key takes while it is made.
const KEY_CELL: usize = 4 * size_of::<Cell>();

/// A call that is being evaluated.
struct Evaluation {
    number: u64,
    table: usize,
    /// Choice points when it began.
    height: usize,
    /// The lowest evaluation that this one depends on.
    low: usize,
    pass: u64,
    /// Changes of all tables when it began.
    before: u64,
    /// Changes of all tables when the pass began.
    changes: u64,
    /// Answers whose last value counts, as they were when the pass began.
    values: FxHashMap<(usize, VariantKey), Record>,
    /// The clock when the pass began.
    began: u64,
    /// Its answers were used while it was in progress.
    asked: bool,
    /// Tables that wait, when it began.
    waiting: usize,
}

/// All tables of a program.
#[derive(Default)]
pub(super) struct Tables {
    /// By number.
    tables: FxHashMap<usize, Table>,
    /// The number of the next table.
    next: usize,
    /// The table of a call.
    index: FxHashMap<VariantKey, usize>,
    /// Tables that no call leads to any more.
    detached: Vec<usize>,
    /// Heights of choice points that may go on with the answers of a table, which grow.
    enumerated: Vec<(usize, usize)>,
    /// The table that was called last: its answers may be about to be asked for.
    called: usize,
    running: Vec<Evaluation>,
    waiting: Vec<usize>,
    changes: u64,
    clock: u64,
    evaluations: u64,
    /// Whether a table may be stale.
    any_stale: bool,
    /// The number of the outermost evaluation.
    outermost: u64,
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
        match self.tables.get(&table).map_or(State::Idle, |table| table.state) {
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

    fn set_state(&mut self, table: usize, state: State) {
        if let Some(table) = self.tables.get_mut(&table) {
            table.state = state;
        }
    }

    /// Does something with a table; what it holds counts.
    fn change<T>(&mut self, table: usize, change: impl FnOnce(&mut Table) -> T) -> Option<T> {
        let table = self.tables.get_mut(&table)?;
        let before = table.bytes;
        let result = change(table);
        self.bytes = self.bytes + table.bytes - before;
        Some(result)
    }

    fn remove(&mut self, table: usize) {
        if let Some(table) = self.tables.remove(&table) {
            self.bytes -= table.bytes;
        }
    }

    /// Has no call lead to some tables any more.
    fn detach(&mut self, goes: impl Fn(&Table) -> bool) {
        let (tables, detached) = (&self.tables, &mut self.detached);
        self.index.retain(|_, table| {
            let stays = tables.get(table).is_some_and(|table| !goes(table));
            if !stays {
                detached.push(*table);
            }
            stays
        });
    }

    /// Whether the answers whose last value counts are others than when the pass began.
    fn has_new_values(&self, evaluation: &Evaluation) -> bool {
        evaluation.values.iter().any(|((table, key), before)| {
            let now = self.tables.get(table).and_then(|table| table.find(key));
            !now.is_some_and(|now| same(now, before, MOST_CELLS))
        })
    }

    /// Puts an answer into a table.
    fn put(&mut self, table: usize, key: VariantKey, answer: Record) {
        let by_value =
            |table: &Table| table.modes.as_ref().is_some_and(|modes| modes.contains(&Mode::Last));
        let kept = self.tables.get(&table).is_some_and(by_value).then(|| key.clone());
        let old = self.change(table, |table| table.put(key, answer)).flatten();
        match (old, kept, self.running.last_mut()) {
            // Each pass goes through all values again: what counts is how it ends.
            (Some(old), Some(key), Some(top)) => {
                top.values.entry((table, key)).or_insert(old);
            }
            _ => self.changes += 1,
        }
    }

    /// What values were when the pass on top began, those of the pass around it may have been
    /// as well.
    fn hand_down(&mut self, values: FxHashMap<(usize, VariantKey), Record>, depth: usize) {
        if let Some(below) = depth.checked_sub(1).and_then(|below| self.running.get_mut(below)) {
            for (at, before) in values {
                below.values.entry(at).or_insert(before);
            }
        }
    }
}

impl Program {
    /// Has calls of a predicate go through tables. `modes` has one for each argument, or none;
    /// `joins` is what [`Program::table_joins`] gives, `load` the load that says so.
    pub fn set_tabled(&mut self, pred: PredId, modes: &[Mode], joins: Record, load: Option<u64>) {
        let slot = match self.tabled.get(&pred) {
            Some(known) => known.slot,
            None => {
                self.code.push(Instr::Tabled { pred });
                self.code.len() as u32 - 1
            }
        };
        let moded = modes.iter().any(|mode| *mode != Mode::Index);
        let modes = moded.then(|| modes.into());
        self.tabled.insert(pred, Tabled { slot, modes, joins, load });
        self.set_entry(pred, slot);
        let (name, arity) = {
            let predicate = &self.preds[pred as usize];
            (predicate.name, predicate.arity)
        };
        self.share_name(name, arity);
        self.share_stand_ins(pred);
    }

    /// How the library joins values of a tabled predicate.
    pub fn table_joins(&self, pred: PredId) -> Option<&Record> {
        self.tabled.get(&pred).map(|tabled| &tabled.joins)
    }

    /// What happens to each argument of a tabled predicate, if not all are [`Mode::Index`].
    pub fn table_modes(&self, pred: PredId) -> Option<&[Mode]> {
        self.tabled.get(&pred)?.modes.as_deref()
    }

    /// Whether a predicate is tabled, and not by what this load says.
    pub fn is_tabled_elsewhere(&self, pred: PredId, load: u64) -> bool {
        self.tabled.get(&pred).is_some_and(|tabled| tabled.load != Some(load))
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
        self.x[0] = self.goal_in_x(pred);
        self.program.entries[self.ids.tabled_call as usize]
    }

    /// The tabled predicate that a goal is a call of, by the module before it, and the goal without that.
    fn tabled_goal(&mut self, goal: Cell) -> Result<(PredId, Cell), Fault> {
        let (goal, space) = self.goal_and_space(goal, Space::User);
        let Some((name, arity, _)) = self.heap.name_arity(goal) else {
            return Err(self.type_error("callable", goal));
        };
        let own = self.program.pred(name, arity, space);
        Ok((self.program.resolve(own), goal))
    }

    /// `'$table_body'(Goal)`: runs the clauses of a tabled predicate.
    pub(super) fn enter_table_body(&mut self) -> Result<Next, Fault> {
        let (pred, goal) = self.tabled_goal(self.x[0])?;
        let (_, arity, args) = self.heap.name_arity(goal).expect("looked at");
        self.load_arguments(args, arity, 0)?;
        // Without clauses of its own it is the predicate behind it that is tabled.
        let predicate = &self.program.preds[pred as usize];
        let pred = match predicate.kind {
            Kind::Undefined => self
                .program
                .behind(predicate.name, predicate.arity, predicate.space)
                .unwrap_or(pred),
            _ => pred,
        };
        Ok(Next::Go(self.program.preds[pred as usize].slot))
    }

    /// The table of a call, made if there is none.
    ///
    /// # Errors
    /// The call is too large, or cyclic.
    pub fn table_of(&mut self, goal: Cell) -> Result<TabledCall, Fault> {
        let (pred, goal) = self.tabled_goal(goal)?;
        let (name, arity, args) = self.heap.name_arity(goal).expect("looked at");
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
        let told: Vec<Cell> = told.collect();
        let key = self.table_key(Some(pred), &told)?;
        let inner = self.heap.list_from(&told, Cell::NIL);
        let variables = zug_term::variables(&self.heap, inner);
        let indexed = variables.len();
        let table = match self.tables.index.get(&key) {
            Some(&table) => table,
            None => {
                let modes = modes.as_ref().map(|modes| {
                    modes.iter().copied().filter(|mode| *mode != Mode::Index).collect()
                });
                let new = Table::new(indexed, modes, key.len() * size_of::<Cell>());
                let tables = &mut self.tables;
                tables.bytes += new.bytes;
                tables.next += 1;
                tables.tables.insert(tables.next, new);
                tables.index.insert(key, tables.next);
                tables.next
            }
        };
        self.tables.called = table;
        let ready = self.tables.is_ready(table);
        let tuple = atoms::TABLE_ANSWER;
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
        let general = self.qualified(general, pred);
        Ok(TabledCall { table, ready, general, kept, answer })
    }

    /// The variant key of a call of a predicate, or of an answer.
    fn table_key(&mut self, of: Option<PredId>, roots: &[Cell]) -> Result<VariantKey, Fault> {
        let room = self.room() / KEY_CELL;
        let head = of.map(|pred| Cell::small(i64::from(pred)));
        match key(&self.heap, head, roots, MOST_CELLS.min(room), || self.stop_reason()) {
            Ok(key) => {
                self.worked(key.len());
                Ok(key)
            }
            Err(KeyError::Stopped(reason)) => Err(Fault::Stopped(reason)),
            Err(KeyError::Attributed) => {
                let name =
                    of.map_or(atoms::TABLE_ANSWER, |id| self.program.preds[id as usize].name);
                let culprit = self.heap.new_struct(name, roots);
                Err(self.type_error("free_of_attvar", culprit))
            }
            Err(KeyError::TooLarge) if room < MOST_CELLS => Err(self.resource_error("memory")),
            Err(KeyError::TooLarge) => Err(self.resource_error("table_entry")),
        }
    }

    /// Begins the evaluation of a table; a choice point follows. Whether there is something
    /// to evaluate.
    pub fn begin_table(&mut self, table: usize) -> bool {
        let tables = &mut self.tables;
        let Some(found) = tables.tables.get(&table) else { return false };
        if !matches!(found.state, State::Idle | State::Waiting { .. }) {
            return false;
        }
        tables.evaluations += 1;
        let depth = tables.running.len();
        if depth == 0 {
            tables.outermost = tables.evaluations;
        }
        let outermost = tables.outermost;
        if found.within != outermost {
            // What an evaluation found that was given up need not be true any more.
            tables.change(table, |table| table.clear());
        }
        tables.running.push(Evaluation {
            number: tables.evaluations,
            table,
            height: self.choices.len(),
            low: depth,
            pass: 0,
            before: tables.changes,
            changes: 0,
            values: FxHashMap::default(),
            began: 0,
            asked: false,
            waiting: tables.waiting.len(),
        });
        if let Some(table) = tables.tables.get_mut(&table) {
            table.within = outermost;
            table.state = State::Running(depth);
        }
        true
    }

    /// Begins a pass over the clauses.
    pub fn begin_table_pass(&mut self) {
        let tables = &mut self.tables;
        tables.clock += 1;
        let depth = tables.running.len().saturating_sub(1);
        if let Some(top) = tables.running.last_mut() {
            top.pass += 1;
            top.changes = tables.changes;
            top.began = tables.clock;
            let values = std::mem::take(&mut top.values);
            tables.hand_down(values, depth);
        }
    }

    /// Whether the evaluation on top is over; else another pass is due.
    pub fn settle_table(&mut self) -> bool {
        let tables = &mut self.tables;
        let Some(top) = tables.running.last() else { return true };
        if top.asked && (tables.changes > top.changes || tables.has_new_values(top)) {
            return false;
        }
        let top = tables.running.pop().expect("there is one");
        let depth = tables.running.len();
        tables.clock += 1;
        tables.called = top.table;
        if let Some(table) = tables.tables.get_mut(&top.table) {
            table.evaluated = tables.clock;
        }
        if top.low < depth {
            tables.hand_down(top.values, depth);
            let below = &mut tables.running[top.low];
            let state =
                State::Waiting { depth: top.low, evaluation: below.number, pass: below.pass };
            below.asked = true;
            tables.set_state(top.table, state);
            tables.waiting.push(top.table);
            if let Some(caller) = tables.running.last_mut() {
                caller.low = caller.low.min(top.low);
            }
            return true;
        }
        // No evaluation around depends on this one.
        tables.changes = top.before;
        tables.set_state(top.table, State::Complete);
        for waiting in tables.waiting.split_off(top.waiting) {
            let Some(waiting) = tables.tables.get_mut(&waiting) else { continue };
            if matches!(waiting.state, State::Waiting { .. }) {
                // What the last pass did not come to may lack answers.
                let current = waiting.evaluated > top.began;
                waiting.state = if current { State::Complete } else { State::Idle };
            }
        }
        if std::mem::take(&mut tables.any_stale) {
            tables.detach(|table| table.stale && table.state == State::Complete);
            tables.any_stale = !tables.running.is_empty();
        }
        true
    }

    /// The values of an answer, and its variant key; `None` if it is none of this
    /// table.
    fn answer_key(
        &mut self,
        table: usize,
        answer: Cell,
    ) -> Result<Option<(VariantKey, usize)>, Fault> {
        let Some(found) = self.tables.tables.get(&table) else { return Ok(None) };
        let (width, indexed) = (found.width(), found.indexed);
        let answer = self.heap.deref(answer);
        let args = match self.heap.name_arity(answer) {
            Some((atoms::TABLE_ANSWER, arity, args)) if arity == width => args,
            _ => return Ok(None),
        };
        let told: Vec<Cell> = (0..indexed).map(|i| self.heap.at(args + i)).collect();
        Ok(Some((self.table_key(None, &told)?, args)))
    }

    /// Adds an answer, as [`TabledCall::kept`], to a table.
    ///
    /// # Errors
    /// It is too large, or cyclic.
    pub fn add_to_table(&mut self, table: usize, answer: Cell) -> Result<Added, Fault> {
        let Some((key, args)) = self.answer_key(table, answer)? else { return Ok(Added::Done) };
        let Some(found) = self.tables.tables.get(&table) else { return Ok(Added::Done) };
        let (indexed, width) = (found.indexed, found.width());
        let Some(old) = found.find(&key) else {
            self.put_answer(table, key, answer);
            return Ok(Added::Done);
        };
        let Some(modes) = found.modes.clone() else { return Ok(Added::Done) };
        let old = old.instantiate(&mut self.heap);
        if modes.contains(&Mode::Joined) {
            return Ok(Added::Join(old));
        }
        let old_args = self.heap.name_arity(old).map_or(0, |(_, _, args)| args);
        let mut values: Vec<Cell> = (0..width).map(|i| self.heap.at(old_args + i)).collect();
        let mut better = false;
        for (i, mode) in modes.iter().enumerate() {
            let new = self.heap.at(args + indexed + i);
            let order = zug_term::compare(&self.heap, &self.symbols, new, values[indexed + i]);
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
            let joined = self.heap.new_struct(atoms::TABLE_ANSWER, &values);
            self.put_answer(table, key, joined);
        }
        Ok(Added::Done)
    }

    /// Puts an answer in the place of the one that it was joined with; whether it is one of
    /// this table.
    ///
    /// # Errors
    /// It is too large, or cyclic.
    pub fn replace_in_table(&mut self, table: usize, answer: Cell) -> Result<bool, Fault> {
        let Some((key, _)) = self.answer_key(table, answer)? else { return Ok(false) };
        self.put_answer(table, key, answer);
        Ok(true)
    }

    fn put_answer(&mut self, table: usize, key: VariantKey, answer: Cell) {
        let record = Record::new(&mut self.heap, answer);
        self.tables.put(table, key, record);
    }

    /// The number of the first answer at or behind one, and whether there may be more: then a
    /// choice point follows that goes on with this table.
    pub fn next_in_table(&mut self, table: usize, from: usize) -> Option<(usize, bool)> {
        let found = self.tables.tables.get(&table)?;
        let at = found.answers.next(from)?;
        let more = found.state != State::Complete || found.answers.next(at + 1).is_some();
        if more {
            let height = self.choices.len();
            let enumerated = &mut self.tables.enumerated;
            while enumerated.last().is_some_and(|&(at, _)| at >= height) {
                enumerated.pop();
            }
            enumerated.push((height, table));
        }
        Some((at, more))
    }

    /// An answer of a table; `None` where a better one took its place.
    pub fn table_answer(&mut self, table: usize, at: usize) -> Option<Cell> {
        let answer = self.tables.tables.get(&table)?.answers.get(at)?;
        Some(answer.instantiate(&mut self.heap))
    }

    /// Whether a table has all its answers.
    pub fn table_is_complete(&self, table: usize) -> bool {
        self.tables.tables.get(&table).is_some_and(|table| table.state == State::Complete)
    }

    /// Forgets all answers: calls from now on are evaluated again. Evaluations in progress
    /// keep what they have, and so do the calls whose answers are being enumerated.
    pub fn abolish_tables(&mut self) {
        let height = self.choices.len();
        let tables = &mut self.tables;
        tables.enumerated.retain(|&(at, _)| at < height);
        let evaluating = !tables.running.is_empty();
        let outermost = tables.outermost;
        let goes = |table: &Table| match table.state {
            State::Complete => true,
            // An evaluation in progress that began it may come to it again.
            State::Idle => !evaluating || table.within != outermost,
            State::Running(_) | State::Waiting { .. } => false,
        };
        tables.detach(goes);
        if evaluating {
            tables.any_stale = true;
            for table in tables.index.values() {
                if let Some(table) = tables.tables.get_mut(table) {
                    table.stale = true;
                }
            }
        }
        let needed: FxHashSet<usize> = tables.enumerated.iter().map(|&(_, table)| table).collect();
        let called = tables.called;
        let needs = |table: &usize| *table == called || needed.contains(table);
        let detached = std::mem::take(&mut tables.detached);
        let (kept, gone): (Vec<_>, Vec<_>) = detached.into_iter().partition(needs);
        tables.detached = kept;
        for table in gone {
            tables.remove(table);
        }
    }

    /// Forgets the tables that were abolished, when no query is open.
    pub(super) fn drop_abolished_tables(&mut self) {
        self.tables.enumerated.clear();
        for table in std::mem::take(&mut self.tables.detached) {
            self.tables.remove(table);
        }
    }

    /// Gives up evaluations whose choice points have gone.
    pub(super) fn drop_evaluations(&mut self) {
        let tables = &mut self.tables;
        while tables.running.last().is_some_and(|top| top.height >= self.choices.len()) {
            let top = tables.running.pop().expect("there is one");
            tables.set_state(top.table, State::Idle);
            for waiting in tables.waiting.split_off(top.waiting) {
                tables.set_state(waiting, State::Idle);
            }
            tables.hand_down(top.values, tables.running.len());
        }
    }
}

//! Tables of answers of tabled predicates: one table for each variant of a call.
//!
//! Evaluation is by suspension (Desouter, van Dooren & Schrijvers, "Tabling as a library with delimited control",
//! TPLP 15, 2015): a call that is a variant of one in progress is a *consumer*. Its continuation
//! ([`super::continuations`]) is stored and resumed with each answer once. The topmost call of a group of mutually
//! dependent calls is its *leader*: when its clauses are done and no consumer of the group has an answer left, the
//! whole group is complete.
//!
//! Some continuations depend on where they are called: those with a cut over the call, an open `findall/3`, a
//! handler, a clause of the library, an attributed variable. Values of the mode `last` depend on the order of
//! answers. Such a call takes the answers found so far, and the leader repeats its clauses until a pass finds nothing
//! new (linear tabling: Zhou, Sato & Shen, TPLP 8, 2008). The steps of both methods are here, their order is in
//! `library/tabling.pl`.
//!
//! The entry of a tabled predicate is an [`Instr::Tabled`] of its own; the library runs its clauses by
//! [`Instr::TableBody`].
//!
//! Invariants: an evaluation in progress has a choice point at the height it began with. When an exception or a stop
//! removes that, the evaluation ends ([`Machine::drop_evaluations`]) with all consumers that it met. Its answers stay
//! for the evaluations around it, and go when those are over: the facts may be others by then. Numbers of tables are
//! never used again, as an enumeration of answers outlives the abolition of its table.

mod negation;

use super::answers::{
    KeyError, Mode, OVERHEAD, State, Table, Tabled, VariantKey, key, same, terms,
};
use super::host::Next;
use super::instr::Instr;
use super::{Fault, Kind, Machine, PredId, Program, Space};
use negation::{BlockedRead, ReadContext};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::VecDeque;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// Cells beyond which a call or an answer is too large for a table.
const MOST_CELLS: usize = 1 << 24;
/// Bytes that a cell of a key takes while it is made.
const KEY_CELL: usize = 4 * size_of::<Cell>();

/// A call that is being evaluated.
#[derive(Default)]
struct Evaluation {
    table: usize,
    /// Choice points when it began.
    height: usize,
    /// The lowest evaluation that this one depends on.
    low: usize,
    /// Changes of all tables when it began.
    before: u64,
    /// Changes of all tables when the pass began.
    changes: u64,
    /// Answers whose last value counts, as they were when the pass began.
    values: FxHashMap<(usize, VariantKey), Record>,
    /// A call within took the answers found so far, as it could not wait for more.
    again: bool,
    /// A read that the last pass gave up.
    blocked: Option<BlockedRead>,
    /// An earlier pass of an evaluation around began its table.
    renewed: bool,
    /// Tables that wait, when it began.
    waiting: usize,
    /// Consumers, when it began.
    consumers: usize,
    /// Consumers that there may be answers for, in the order in which these came.
    agenda: VecDeque<u32>,
}

/// A call of a table in progress that waits for answers.
struct Consumer {
    source: usize,
    /// The number from which on answers are new to it.
    next: usize,
    /// It is on an agenda.
    queued: bool,
    /// `'$work'(Frames, Answer, Owner, Kept)`: what goes on with an answer, and where the answers of that go.
    work: Record,
}

#[derive(Default)]
pub(super) struct Tables {
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
    consumers: Vec<Consumer>,
    changes: u64,
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
    }

    /// Whether there is nothing to evaluate for a caller: the table is complete, or in progress.
    fn is_ready(&self, table: usize) -> bool {
        self.tables.get(&table).is_some_and(|found| {
            let is_current = self.current() == Some(found.within);
            found.state != State::Idle || is_current && self.has_the_answer(table)
        })
    }

    /// The number of the outermost evaluation in progress.
    fn current(&self) -> Option<u64> {
        (!self.running.is_empty()).then_some(self.outermost)
    }

    /// Notes that the evaluation on top depends on a table, if that is in progress.
    fn depend_on(&mut self, table: usize) {
        match self.tables.get(&table).map_or(State::Idle, |table| table.state) {
            State::Complete | State::Idle => {}
            State::Running(depth) => self.depend(depth),
            State::Waiting(place) => {
                // The evaluation that waits for the same leader, or is it.
                let behind = self.running.partition_point(|e| e.waiting <= place);
                self.depend(behind.saturating_sub(1));
            }
        }
    }

    /// Whether a table may get more answers. That of a call without variables has one at most.
    fn is_in_progress(&self, table: usize) -> bool {
        let state = self.tables.get(&table).map(|table| table.state);
        matches!(state, Some(State::Running(_) | State::Waiting(_))) && !self.has_the_answer(table)
    }

    /// Whether a table has the only answer that it can have, since its call has no variables.
    fn has_the_answer(&self, table: usize) -> bool {
        let table = self.tables.get(&table);
        table.is_some_and(|table| table.width() == 0 && table.answers.next(0).is_some())
    }

    /// Has a consumer wait for the answers of a table.
    fn wait(&mut self, source: usize, work: Record) {
        let Some(table) = self.tables.get_mut(&source) else { return };
        let number = self.consumers.len() as u32;
        self.bytes += work.bytes() + OVERHEAD;
        table.consumers.push(number);
        let queued = table.answers.next(0).is_some();
        self.consumers.push(Consumer { source, next: 0, queued, work });
        if let Some(top) = self.running.last_mut().filter(|_| queued) {
            top.agenda.push_back(number);
        }
    }

    /// Puts the consumers of a table on the agenda: it has a new answer.
    fn tell_consumers(&mut self, table: usize) {
        let (Some(table), Some(top)) = (self.tables.get(&table), self.running.last_mut()) else {
            return;
        };
        for &number in &table.consumers {
            let consumer = &mut self.consumers[number as usize];
            if !std::mem::replace(&mut consumer.queued, true) {
                top.agenda.push_back(number);
            }
        }
    }

    /// Forgets the consumers from a number on.
    fn drop_consumers(&mut self, from: usize) {
        while self.consumers.len() > from {
            let Some(consumer) = self.consumers.pop() else { break };
            self.bytes -= consumer.work.bytes() + OVERHEAD;
            if let Some(table) = self.tables.get_mut(&consumer.source) {
                let gone = |number: &u32| *number as usize >= from;
                while table.consumers.pop_if(|number| gone(number)).is_some() {}
                table.consumers.shrink_to(table.consumers.len());
            }
        }
    }

    /// The next consumer of the evaluation on top that there is an answer for, if that is a leader.
    fn next_consumer(&mut self) -> Option<u32> {
        let depth = self.running.len().checked_sub(1)?;
        let top = &mut self.running[depth];
        while top.low == depth {
            let number = top.agenda.pop_front()?;
            let consumer = &mut self.consumers[number as usize];
            consumer.queued = false;
            let table = self.tables.get(&consumer.source);
            if table.is_some_and(|table| table.answers.next(consumer.next).is_some()) {
                return Some(number);
            }
        }
        None
    }

    /// The number of the next answer that is new to a consumer.
    fn take(&mut self, consumer: usize) -> Option<(usize, usize)> {
        let consumer = self.consumers.get_mut(consumer)?;
        let at = self.tables.get(&consumer.source)?.answers.next(consumer.next)?;
        consumer.next = at + 1;
        Some((consumer.source, at))
    }

    /// Ends the evaluation on top, which depends on one below: its group is part of that one's.
    fn merge(&mut self) {
        let Some(mut top) = self.running.pop() else { return };
        self.set_state(top.table, State::Waiting(self.waiting.len()));
        self.waiting.push(top.table);
        self.hand_down(std::mem::take(&mut top.values), self.running.len());
        let Some(caller) = self.running.last_mut() else { return };
        caller.low = caller.low.min(top.low);
        caller.again |= top.again;
        caller.blocked = caller.blocked.or(top.blocked);
        // The shorter agenda moves: a deep recursion would move the long one each time.
        if caller.agenda.len() < top.agenda.len() {
            std::mem::swap(&mut caller.agenda, &mut top.agenda);
            top.agenda.into_iter().rev().for_each(|number| caller.agenda.push_front(number));
        } else {
            caller.agenda.extend(top.agenda);
        }
    }

    /// Prepares another pass of the evaluation on top, in which the tables of its group are evaluated again.
    fn repeat_pass(&mut self) {
        let Some(top) = self.running.last_mut() else { return };
        (top.again, top.blocked) = (false, None);
        top.agenda.clear();
        let (waiting, consumers) = (top.waiting, top.consumers);
        self.drop_consumers(consumers);
        self.release_waiting(waiting, State::Idle);
    }

    /// Takes tables from a place on off those that wait.
    fn release_waiting(&mut self, from: usize, state: State) {
        while self.waiting.len() > from {
            let Some(table) = self.waiting.pop() else { break };
            self.set_state(table, state);
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
    fn detach(&mut self, goes: impl Fn(usize, &Table) -> bool) {
        let (tables, detached) = (&self.tables, &mut self.detached);
        self.index.retain(|_, table| {
            let stays = tables.get(table).is_some_and(|found| !goes(*table, found));
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
        self.tell_consumers(table);
    }

    /// What values were when the pass on top began, those of the pass around it may have been as well.
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
        self.tabled.insert(pred, Tabled { slot, modes, joins, load, incremental: false });
        self.set_entry(pred, slot);
        self.share_all(pred);
    }

    /// Has the tables of a tabled predicate go when an incremental dynamic predicate changes.
    pub fn set_incremental_tables(&mut self, pred: PredId) {
        if let Some(tabled) = self.tabled.get_mut(&pred) {
            tabled.incremental = true;
        }
    }

    /// Has changes of a dynamic predicate take the incremental tables away.
    pub fn set_incremental(&mut self, pred: PredId) {
        self.incremental.insert(pred);
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
            let predicate = &self.preds[pred as usize];
            self.define(pred, predicate.kind, self.code[predicate.slot as usize]);
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

    /// `'$table_body'(Goal)`: runs the clauses of a tabled predicate, or what a consumer goes on with.
    pub(super) fn enter_table_body(&mut self) -> Result<Next, Fault> {
        if let Some([frames]) = self.heap.match_struct::<1>(self.x[0], atoms::CONT) {
            self.x[0] = frames;
            return self.call_continuation();
        }
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
        if std::mem::take(&mut self.program.incremental_changed) {
            self.abolish_incremental_tables();
        }
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
                let new = Table::new(pred, indexed, modes, key.len() * size_of::<Cell>());
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

    /// Begins the evaluation of a table; a choice point follows. Whether there is something to evaluate.
    pub fn begin_table(&mut self, table: usize) -> bool {
        let tables = &mut self.tables;
        let Some(found) = tables.tables.get(&table) else { return false };
        if found.state != State::Idle {
            return false;
        }
        tables.evaluations += 1;
        let depth = tables.running.len();
        if depth == 0 {
            tables.outermost = tables.evaluations;
        }
        let outermost = tables.outermost;
        let renewed = found.within == outermost;
        if !renewed {
            // What an evaluation found that was given up need not be true any more.
            tables.change(table, |table| table.clear());
        }
        tables.running.push(Evaluation {
            table,
            height: self.choices.len(),
            low: depth,
            before: tables.changes,
            renewed,
            waiting: tables.waiting.len(),
            consumers: tables.consumers.len(),
            ..Evaluation::default()
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
        let depth = tables.running.len().saturating_sub(1);
        if let Some(top) = tables.running.last_mut() {
            top.changes = tables.changes;
            let values = std::mem::take(&mut top.values);
            tables.hand_down(values, depth);
        }
    }

    /// `'$table_consume'(Table, Answer)`: the answers of a table. The call waits for those that are
    /// not there yet, if what comes behind it can; else it takes what there is.
    pub(super) fn consume_table(&mut self) -> Result<Next, Fault> {
        let table = self.heap.deref(self.x[0]);
        let Some(Ok(number)) = table.as_int().map(usize::try_from) else {
            return Err(self.type_error("not_less_than_zero", table));
        };
        if self.tables.is_in_progress(number) {
            if self.suspend(number, self.x[1])? {
                return Ok(Next::Fail);
            }
            if self.tables.tables.get(&number).is_some_and(|table| table.modes.is_some()) {
                // A better answer may take the place of what is there.
                match self.read_context() {
                    ReadContext::Branch => self.tables.read_incomplete(number),
                    context => return self.give_up(number, context),
                }
            }
        }
        (self.x[1], self.x[2]) = (Cell::ZERO, self.x[1]);
        self.b0 = self.choices.len() as u32;
        Ok(Next::Go(self.entry_of(self.ids.table_answers)))
    }

    /// Has the caller of a table wait for its answers; whether it can.
    fn suspend(&mut self, table: usize, answer: Cell) -> Result<bool, Fault> {
        let modes = self.tables.tables.get(&table).and_then(|table| table.modes.as_ref());
        if modes.is_some_and(|modes| modes.contains(&Mode::Last)) {
            return Ok(false);
        }
        let Some((e, frames)) = self.consumer_frames() else { return Ok(false) };
        let [owner, kept] = self.delimiter_values(e);
        let list = self.frame_list(&frames);
        let frames = self.heap.new_struct(atoms::CONT, &[list]);
        let work = self.heap.new_struct(atoms::CONT, &[frames, answer, owner, kept]);
        let (mut image, mut attributed) = (Vec::new(), Vec::new());
        let root = zug_term::copy_attributed(&mut self.heap, work, &mut image, &mut attributed);
        if !attributed.is_empty() {
            return Ok(false);
        }
        self.room_for(image.len() * size_of::<Cell>())?;
        self.tables.depend_on(table);
        self.tables.wait(table, Record { cells: image.into(), root });
        Ok(true)
    }

    /// A consumer of the evaluation on top with an answer to go on with: its number, and
    /// `'$cont$'(Frames, Answer, Owner, Kept)`.
    pub fn next_consumer(&mut self) -> Option<(usize, Cell)> {
        let number = self.tables.next_consumer()? as usize;
        let work = self.tables.consumers[number].work.instantiate(&mut self.heap);
        Some((number, work))
    }

    /// The next answer that is new to a consumer.
    pub fn take_answer(&mut self, consumer: usize) -> Option<Cell> {
        let (table, at) = self.tables.take(consumer)?;
        self.table_answer(table, at)
    }

    /// Whether the evaluation on top is over; else another pass is due.
    ///
    /// # Errors
    /// No pass decides a negation.
    pub fn settle_table(&mut self) -> Result<bool, Fault> {
        let tables = &mut self.tables;
        let Some(top) = tables.running.last() else { return Ok(true) };
        tables.called = top.table;
        let is_new = tables.changes > top.changes || tables.has_new_values(top);
        let is_leader = top.low + 1 == tables.running.len();
        let is_whole = is_leader && !(top.again && is_new) && top.blocked.is_none();
        if !is_whole && !tables.has_the_answer(top.table) {
            if !is_leader {
                tables.merge();
                return Ok(true);
            }
            return match top.blocked.filter(|_| !is_new) {
                Some(read) => Err(self.undecided(read)),
                None => {
                    tables.repeat_pass();
                    Ok(false)
                }
            };
        }
        let top = tables.running.pop().expect("there is one");
        // No evaluation around depends on this one, but what the last pass gave up may now be decided.
        tables.changes = top.before + u64::from(top.renewed);
        tables.drop_consumers(top.consumers);
        tables.set_state(top.table, State::Complete);
        if let Some(table) = tables.tables.get_mut(&top.table) {
            table.early = !is_whole;
        }
        // A table that has the answer that it can have is complete before others of its group are.
        tables.release_waiting(top.waiting, if is_whole { State::Complete } else { State::Idle });
        if std::mem::take(&mut tables.any_stale) {
            let outermost = tables.current();
            tables.detach(|_, table| table.stale && table.is_free(outermost));
            tables.any_stale = outermost.is_some();
        }
        Ok(true)
    }

    /// The values of an answer, and its variant key; `None` if it is none of this table.
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

    /// Puts an answer in the place of the one that it was joined with; whether it is one of this table.
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

    /// The predicate of a table.
    pub fn table_pred(&self, table: usize) -> Option<PredId> {
        self.tables.tables.get(&table).map(|table| table.pred)
    }

    /// Forgets all answers: calls from now on are evaluated again. Evaluations in progress
    /// keep what they have, and so do the calls whose answers are being enumerated.
    pub fn abolish_tables(&mut self) {
        self.abolish_tables_if(|_, _| true);
    }

    /// Forgets the answers of the predicates that are tabled incrementally.
    fn abolish_incremental_tables(&mut self) {
        let tabled = &self.program.tabled;
        let incremental = tabled.iter().filter(|(_, tabled)| tabled.incremental);
        let preds: FxHashSet<PredId> = incremental.map(|(&pred, _)| pred).collect();
        self.abolish_tables_if(|_, table| preds.contains(&table.pred));
    }

    /// As [`Machine::abolish_tables`], of the tables with these numbers.
    pub fn abolish_tables_of(&mut self, numbers: &[usize]) {
        let numbers: FxHashSet<usize> = numbers.iter().copied().collect();
        self.abolish_tables_if(|number, _| numbers.contains(&number));
    }

    /// The tables that calls lead to, in the order in which they were made: the number of each, its
    /// call, and the space of its predicate.
    pub fn current_tables(&mut self) -> Vec<(usize, Cell, Space)> {
        let mut known: Vec<(usize, VariantKey)> =
            self.tables.index.iter().map(|(key, &table)| (table, key.clone())).collect();
        known.sort_unstable_by_key(|&(table, _)| table);
        let call = |(number, key): (usize, VariantKey)| {
            let pred = self.tables.tables.get(&number)?.pred;
            let mut told = terms(&mut self.heap, &key).into_iter();
            let modes = self.program.tabled.get(&pred).and_then(|tabled| tabled.modes.clone());
            let predicate = &self.program.preds[pred as usize];
            let (name, arity, space) = (predicate.name, predicate.arity, predicate.space);
            let args: Vec<Cell> = (0..arity)
                .map(|i| match modes.as_ref().map(|modes| modes[i]) {
                    None | Some(Mode::Index) => told.next().unwrap_or(Cell::NIL),
                    Some(_) => self.heap.new_var(),
                })
                .collect();
            Some((number, self.heap.new_struct(name, &args), space))
        };
        known.into_iter().filter_map(call).collect()
    }

    /// As [`Machine::abolish_tables`], of some tables.
    fn abolish_tables_if(&mut self, chosen: impl Fn(usize, &Table) -> bool) {
        let height = self.choices.len();
        let tables = &mut self.tables;
        tables.enumerated.retain(|&(at, _)| at < height);
        let outermost = tables.current();
        tables.detach(|number, table| chosen(number, table) && table.is_free(outermost));
        if outermost.is_some() {
            tables.any_stale = true;
            for &number in tables.index.values() {
                let table = tables.tables.get_mut(&number);
                if let Some(table) = table.filter(|table| chosen(number, table)) {
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

    /// Gives up evaluations whose choice points have gone: those from a height on.
    pub(super) fn drop_evaluations(&mut self, height: usize) {
        let tables = &mut self.tables;
        while tables.running.last().is_some_and(|top| top.height >= height) {
            let top = tables.running.pop().expect("there is one");
            tables.set_state(top.table, State::Idle);
            tables.drop_consumers(top.consumers);
            tables.release_waiting(top.waiting, State::Idle);
            tables.hand_down(top.values, tables.running.len());
        }
    }
}

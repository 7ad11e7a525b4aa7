//! Reads of incomplete tables in which a missing answer counts: negation, else branches, cuts, bags.
//!
//! A goal under `\+` can't tell "no answer" from "no answer yet" in a table in progress. Where the table has an
//! answer that matches, the goal succeeds for good. Where it runs out of answers the read is *blocked*: the machine
//! gives up the branch around it, neither as true nor as false. The leader of the group repeats its clauses as long
//! as a pass finds an answer or completes a table: tables that read nothing incomplete complete on the way, and then
//! answer negations. So every answer in a table is certain. A read that the last pass still blocks is an error: the
//! answers depend on their own negation in a way that this evaluation can't decide. Programs whose well-founded model
//! (Van Gelder, Ross & Schlipf, JACM 38, 1991) is reached without guessing get that model; no program gets another.
//!
//! A read is blocked where failing means more than a missing branch:
//!
//! - under a condition with an else branch, as `\+`, `( If -> Then ; Else )`, `forall/2`;
//! - before a cut that takes alternatives away, unless all of them lead to the same continuation with the same
//!   bindings;
//! - where a `catch/3` has alternatives in it, which a ball would take away;
//! - in an open bag of `findall/3`, and in library predicates that count answers.

use super::Tables;
use crate::choices::Alt;
use crate::clause::{PredId, Space, is_connective};
use crate::continuations::Frame;
use crate::frames::FRAME;
use crate::host::Next;
use crate::points::Height;
use crate::{Fault, Machine, fixed};
use rustc_hash::FxHashSet;
use zug_term::Cell;
use zug_term::symbol::atoms;

/// A read that a pass gave up.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockedRead {
    /// The predicate whose clause reads.
    reader: PredId,
    /// The predicate of the table.
    asked: PredId,
    /// All answers were to be collected.
    collects: bool,
}

/// What a read that runs out of answers means to the goals around it.
pub(super) enum ReadContext {
    /// A branch without an answer, for now.
    Branch,
    /// More: choice points down to this height go with the branch, whose answers are for the table `reader`.
    Blocked { reader: usize, height: usize, collects: bool },
    /// It can't be told, or not be given up.
    Unknown,
}

/// The lowest height that blocks a read, and whether it is that of a bag.
struct LowestBlock(Option<(usize, bool)>);

impl LowestBlock {
    fn add(&mut self, height: usize, collects: bool) {
        if self.0.is_none_or(|(least, _)| height < least) {
            self.0 = Some((height, collects));
        }
    }

    /// Adds a commit of a clause to which there are alternatives, if they may differ in what is seen behind it.
    fn own_commit(&mut self, m: &Machine, height: usize, frame: &Frame) {
        match frame.point.sets {
            true => self.add(height, false),
            false => self.commit(m, Some(height), &frame.values),
        }
    }

    /// Adds a commit by which terms that are seen outside of it may have other bindings. Of several commits it is the
    /// lowest: what may differ by another one may differ by this one.
    fn commit(&mut self, m: &Machine, commit: Option<usize>, seen: &[Cell]) {
        let below = |height: &usize| self.0.is_none_or(|(least, _)| *height < least);
        if let Some(height) = commit.filter(below)
            && m.may_differ(height, seen)
        {
            self.add(height, false);
        }
    }
}

/// Library predicates that collect or count all answers of a goal without a bag.
const COLLECTING: &[&str] = &["$count", "findnsols"];

impl Tables {
    /// Takes the answers that a table in progress has: the evaluation on top depends on it, and on later answers.
    pub(super) fn read_incomplete(&mut self, table: usize) {
        self.depend_on(table);
        if let Some(top) = self.running.last_mut() {
            top.again = true;
        }
    }
}

impl Machine {
    /// `'$table_exhausted'(Table)`: a call has taken all answers that a table has. Fails; where the table is not
    /// complete, the leader of the group goes over its clauses again. Errors: failing means more than a missing
    /// branch, in a place that can't be given up.
    pub(crate) fn table_exhausted(&mut self) -> Result<Next, Fault> {
        let table = self.heap.deref(self.x[0]).as_int().and_then(|table| table.try_into().ok());
        match table.filter(|&table| self.tables.is_in_progress(table)) {
            Some(table) => {
                let context = self.read_context();
                self.give_up(table, context)
            }
            None => Ok(Next::Fail),
        }
    }

    /// Gives up a read of a table in progress, and the branch around it where that is blocked.
    pub(super) fn give_up(&mut self, table: usize, context: ReadContext) -> Result<Next, Fault> {
        if let ReadContext::Blocked { height, .. } = context {
            let bags = self.choices.get(height).map(|choice| choice.bags);
            // What the library undoes is still undone.
            for at in height..self.choices.len() {
                if self.is_alive(self.choices[at].alt) {
                    self.choices[at].alt = Alt::Dead;
                }
            }
            self.drop_evaluations(height);
            if let Some(bags) = self.delimiter_bags().or(bags) {
                self.cut_bags(bags);
            }
        }
        self.tables.read_incomplete(table);
        let tables = &mut self.tables;
        let top = tables.running.last_mut().expect("a table is in progress");
        let (reader, collects) = match context {
            ReadContext::Branch => return Ok(Next::Fail),
            ReadContext::Blocked { reader, collects, .. } => (reader, collects),
            ReadContext::Unknown => (top.table, false),
        };
        let [reader, asked] = [reader, table].map(|table| tables.tables[&table].pred);
        let read = BlockedRead { reader, asked, collects };
        if matches!(context, ReadContext::Unknown) {
            return Err(self.undecided(read));
        }
        top.blocked.get_or_insert(read);
        Ok(Next::Fail)
    }

    /// The error that no pass decides a read.
    pub(super) fn undecided(&mut self, read: BlockedRead) -> Fault {
        let BlockedRead { reader, asked, collects } = read;
        let [from, to] = [reader, asked].map(|pred| self.program.indicator(pred, &self.symbols));
        let (action, what) = match collects {
            true => ("collect", "all answers of"),
            false => ("negate", "\\+"),
        };
        let mut said = format!("{from} needs {what} {to}");
        if from != to {
            said += &format!(", which needs {from}");
        }
        let message = Cell::atom(self.symbols.intern(&said));
        let [place, culprit] = [reader, asked].map(|pred| {
            let predicate = &self.program.preds[pred as usize];
            self.indicator(predicate.name, predicate.arity)
        });
        let context = self.heap.new_struct(atoms::CONTEXT, &[place, message]);
        let [action, kind] =
            [action, "tabled_procedure"].map(|name| Cell::atom(self.symbols.intern(name)));
        let formal = self.heap.new_struct(atoms::PERMISSION_ERROR, &[action, kind, culprit]);
        let error = self.heap.new_struct(atoms::ERROR, &[formal, context]);
        self.ball(error)
    }

    /// Bags that were open when the evaluation on top began to run what runs now.
    fn delimiter_bags(&self) -> Option<u32> {
        let (mut cp, mut e) = (self.program.origin(self.cp), self.e);
        while cp > fixed::STOP {
            if cp == fixed::TABLE_RETURN {
                return Cell(self.frames[e + FRAME + 2])
                    .as_int()
                    .and_then(|bags| bags.try_into().ok());
            }
            (cp, e) = self.outer_frame(e);
        }
        None
    }

    /// What it means that a call of a table fails here, by the environments up to the evaluation it is made in.
    pub(super) fn read_context(&mut self) -> ReadContext {
        let (mut cp, mut e) = (self.program.origin(self.cp), self.e);
        let mut blocked = LowestBlock(None);
        // The lowest commit that is harmless if nothing that is seen outside of it can be bound otherwise.
        let mut lowest: Option<usize> = None;
        while cp > fixed::STOP {
            zug_term::watchdog::step();
            if cp == fixed::TABLE_RETURN {
                let [reader, kept] = self.delimiter_values(e);
                let reader = self.heap.deref(reader).as_int().and_then(|at| at.try_into().ok());
                blocked.commit(self, lowest, &[kept]);
                let bags = Cell(self.frames[e + FRAME + 2]).as_int().unwrap_or_default();
                let open = self.choices.iter().position(|choice| i64::from(choice.bags) > bags);
                if let Some(height) = open.filter(|_| self.has_open_bag(e)) {
                    blocked.add(height, true);
                }
                return match (blocked.0, reader) {
                    (None, _) => ReadContext::Branch,
                    (Some((height, collects)), Some(reader)) => {
                        ReadContext::Blocked { reader, height, collects }
                    }
                    _ => ReadContext::Unknown,
                };
            }
            if !self.stays_behind(cp, e) {
                let Some(point) = self.program.return_point(cp) else {
                    return ReadContext::Unknown;
                };
                let frame = self.frame(cp, point, e);
                if self.collects(cp) {
                    blocked.add(self.frames[e + 2] as usize, true);
                }
                if cp == fixed::CATCH_RETURN {
                    // A ball that follows an answer takes the alternatives away.
                    let height = self.catch_height(e).unwrap_or_default();
                    if self.is_alive_from(height + 1) {
                        blocked.add(height, false);
                    }
                }
                blocked.commit(self, lowest, &frame.values);
                let own = match self.commits_of(&frame, e, &mut blocked) {
                    Some(own) => own,
                    None => return ReadContext::Unknown,
                };
                lowest = own.into_iter().chain(lowest).min();
            }
            (cp, e) = self.outer_frame(e);
        }
        ReadContext::Unknown
    }

    /// The heights that what is left of a clause commits to, and its blocks; `None` if they can't be told.
    fn commits_of(&self, frame: &Frame, e: usize, blocked: &mut LowestBlock) -> Option<Vec<usize>> {
        let point = &frame.point;
        let mut commits = Vec::new();
        for &(y, kind) in &point.heights {
            let height = Cell(self.frames[e + FRAME + usize::from(y)]).as_int()?;
            let height = usize::try_from(height).ok()?;
            if point.passed.contains(&y) {
                // A cut in what is left of a goal that `call/N` took apart.
                if self.has_cut(&frame.values) && self.is_alive_from(height) {
                    blocked.add(height, false);
                }
                continue;
            }
            let other = self.choices.get(height).filter(|choice| choice.e as usize == e);
            if other.is_some_and(|choice| self.is_alive(choice.alt)) {
                blocked.add(height, false);
            } else if kind == Height::Cut && self.is_alive_from(height) {
                blocked.own_commit(self, height, frame);
                commits.push(height);
            }
        }
        let height = self.frames[e + 2] as usize;
        if let Some(is_last) = point.cut {
            // Other clauses were left to try before the environment was made.
            let clauses = self.choices.get(height).filter(|choice| (choice.e as usize) < e);
            if clauses.is_some_and(|choice| self.is_alive(choice.alt)) && !is_last {
                blocked.add(height, false);
            } else if self.is_alive_from(height) {
                if !is_last {
                    blocked.own_commit(self, height, frame);
                }
                commits.push(height);
            }
        }
        Some(commits)
    }

    /// Whether the clause that a call returns to collects or counts all answers of a goal.
    fn collects(&self, cp: u32) -> bool {
        let Some(clause) = self.program.clause_at(cp - 1) else { return false };
        let predicate = &self.program.preds[self.program.clauses[clause as usize].pred as usize];
        predicate.space == Space::System && COLLECTING.contains(&self.symbols.name(predicate.name))
    }

    /// Whether a choice point leads anywhere.
    fn is_alive(&self, alt: Alt) -> bool {
        match alt {
            Alt::Dead | Alt::Catch { .. } | Alt::Cleanup | Alt::Barrier => false,
            Alt::Else { to, .. } => self.program.leads_anywhere(to),
            Alt::Clauses { next, end } => {
                let clauses = &self.program.targets[next as usize..end as usize];
                clauses.iter().any(|&clause| self.program.leads_anywhere(clause))
            }
            Alt::Dynamic { .. } | Alt::Walk { .. } | Alt::Between | Alt::Det => true,
        }
    }

    /// Whether a choice point from a height on leads anywhere.
    fn is_alive_from(&self, height: usize) -> bool {
        self.choices.iter().skip(height).any(|choice| self.is_alive(choice.alt))
    }

    /// Whether terms may have other bindings by the first choice point from a height on that leads anywhere.
    fn may_differ(&self, height: usize, terms: &[Cell]) -> bool {
        let first = self.choices.iter().skip(height).find(|choice| self.is_alive(choice.alt));
        let Some(first) = first else { return false };
        let bound: FxHashSet<usize> = self.trail[first.trail..].iter().copied().collect();
        let is_older = |cell: Cell| cell.addr() < first.heap;
        let mut todo = terms.to_vec();
        let mut seen: FxHashSet<Cell> = FxHashSet::default();
        while let Some(mut cell) = todo.pop() {
            zug_term::watchdog::step();
            while cell.is_ref() {
                let value = self.heap.at(cell.addr());
                if is_older(cell) && (value == cell || bound.contains(&cell.addr())) {
                    return true;
                }
                if value == cell {
                    break;
                }
                cell = value;
            }
            if cell.is_attributed() {
                return true;
            }
            if cell.is_compound()
                && seen.insert(cell)
                && let Some((_, arity, args)) = self.heap.name_arity(cell)
            {
                todo.extend((0..arity).map(|i| self.heap.at(args + i)));
            }
        }
        false
    }

    /// Whether a goal that is left to do has a cut of its own.
    fn has_cut(&self, goals: &[Cell]) -> bool {
        let mut todo = goals.to_vec();
        while let Some(cell) = todo.pop() {
            zug_term::watchdog::step();
            match self.heap.name_arity(self.heap.deref(cell)) {
                Some((atoms::CUT | atoms::DOLLAR, 0, _)) => return true,
                Some((name, 2, args)) if is_connective(name) => {
                    todo.extend([self.heap.at(args), self.heap.at(args + 1)]);
                }
                _ => {}
            }
        }
        false
    }
}

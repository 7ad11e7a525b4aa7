//! Selecting the clauses of a static predicate: by tables made at its first call.

use super::choices::{Alt, DECIDES};
use super::host::{Host, Next};
use super::instr::{FAIL, Instr, Slot, TypeTest};
use super::program::{Kind, Program, StaticIndex, SwitchTable, Target, WideTable};
use super::shallow::decides;
use super::{Clause, ClauseId, Fault, Machine, PredId, database, key_of, keys, rules};
use rustc_hash::FxHashMap;
use zug_term::Cell;

/// Keys in a table up to which it is searched from the front.
const FEW_KEYS: usize = 6;
/// Arguments of a static predicate that get tables of their own when it is called first.
const INDEXED_ARGS: usize = 4;

impl Machine {
    /// Selects the clauses that may match: the address of the first; a choice point stands for the others.
    #[inline(always)]
    pub(super) fn switch(&mut self, table: u32) -> Option<u32> {
        let index = &self.program.indexes[table as usize];
        let cell = self.deref(self.x[index.first.arg as usize]);
        let target = if cell.is_list() {
            index.first.list
        } else if cell.is_var() {
            index.all
        } else {
            index.first.find(key_of(&self.heap.cells, cell))
        };
        if target.len == 1 {
            return Some(target.start);
        }
        if target.len == 0 {
            return None;
        }
        self.choose(table, target)
    }

    /// Several clauses may match by the first table: asks the others, and makes a choice point if several are left.
    fn choose(&mut self, table: u32, mut target: Target) -> Option<u32> {
        let index = &self.program.indexes[table as usize];
        for table in &index.others {
            let cell = self.deref(self.x[table.arg as usize]);
            let found = match key_of(&self.heap.cells, cell) {
                None => continue,
                Some(_) if cell.is_list() => table.list,
                key => table.find(key),
            };
            if found.len < target.len {
                target = found;
            }
            if found.len <= 1 {
                break;
            }
        }
        if target.len as usize > keys::FEW {
            target = self.narrow(table, target);
        }
        match target.len {
            0 => None,
            1 => Some(target.start),
            _ => {
                let arity = self.program.indexes[table as usize].arity as usize;
                Some(self.try_targets(target, arity))
            }
        }
    }

    /// Many clauses may match by the tables of single arguments: asks those of other places.
    fn narrow(&mut self, table: u32, target: Target) -> Target {
        let arity = self.program.indexes[table as usize].arity as usize;
        let heap = &self.heap;
        let mask = keys::bound(&self.x[..arity], |cell| !heap.deref(cell).is_var());
        if mask == 0 {
            return target;
        }
        if !self.program.indexes[table as usize].wide.is_planned(mask) {
            self.plan_wide(table, mask, arity);
        }
        let row = |table: &WideTable, key| {
            let found = table.rows.get(&key).copied().unwrap_or(table.other);
            (found, found.len as usize)
        };
        let wide = &self.program.indexes[table as usize].wide;
        let found = wide.shortest(mask, (&self.heap.cells, &self.x[..arity]), row);
        match found {
            Some((found, length)) if length < target.len as usize => found,
            _ => target,
        }
    }

    /// Plans what else tells the clauses of a predicate apart for calls with these arguments bound.
    #[cold]
    fn plan_wide(&mut self, table: u32, mask: u64, arity: usize) {
        let ids = &self.program.preds[self.program.indexes[table as usize].pred as usize].clauses;
        let codes: Vec<u32> = ids.iter().map(|&id| self.program.entry_of_clause(id)).collect();
        let Program { preds, clauses, targets, indexes, .. } = &mut self.program;
        let index = &mut indexes[table as usize];
        let all: Vec<&Clause> =
            preds[index.pred as usize].clauses.iter().map(|&id| &clauses[id as usize]).collect();
        let none = preds[index.pred as usize].rules.map(|rules| rules.none);
        index.wide.plan(mask, arity, &all, |places| {
            let keys = all.iter().map(|clause| keys::clause_key(clause, places));
            let mut rows = keys::Rows::of(keys.zip(codes.iter().copied()));
            rows.other.extend(none);
            rows.keyed.values_mut().for_each(|row| row.extend(none));
            let other = target_of(targets, &rows.other);
            let keyed = rows.keyed.iter().map(|(&key, row)| (key, target_of(targets, row)));
            WideTable { rows: keyed.collect(), other }
        });
    }

    /// A choice point for several clauses; the address of the first.
    #[inline(always)]
    fn try_targets(&mut self, target: Target, arity: usize) -> u32 {
        let first = self.target(target.start);
        let (next, end) = (target.start + 1, target.start + target.len);
        if first & DECIDES != 0 {
            self.try_shallow(next, end, arity);
            return first & !DECIDES;
        }
        self.push_choice(Alt::Clauses { next, end }, arity);
        first
    }

    /// A choice point for all clauses of a predicate of this arity, whose table of
    /// clauses is at `at`: their number, then their addresses. The first address.
    #[inline(always)]
    pub(super) fn try_all(&mut self, arity: u16, at: u32) -> u32 {
        let target = Target { start: at + 1, len: self.target(at) };
        self.try_targets(target, arity as usize)
    }

    /// Compiles a static predicate and makes its selection table.
    pub(super) fn link<H: Host>(&mut self, host: &mut H, pred: PredId) -> Result<Next, Fault> {
        let ids = self.program.preds[pred as usize].clauses.clone();
        for &id in &ids {
            if self.program.clauses[id as usize].code == 0 {
                host.compile(self, id)?;
            }
        }
        let arity = self.program.preds[pred as usize].arity;
        let rules = self.program.preds[pred as usize].rules;
        let entry = match ids.as_slice() {
            [] => Instr::Fail,
            [one] if rules.is_none() => {
                Instr::Jump { to: self.program.clauses[*one as usize].code }
            }
            _ => {
                let mut codes: Vec<u32> =
                    ids.iter().map(|&id| self.program.entry_of_clause(id)).collect();
                codes.extend(rules.map(|rules| rules.none));
                match self.build_index(pred, &ids, &codes, arity) {
                    Some(index) => {
                        self.program.indexes.push(index);
                        Instr::Switch { table: self.program.indexes.len() as u32 - 1 }
                    }
                    None => {
                        let at = self.program.targets.len() as u32;
                        self.program.targets.push(codes.len() as u32);
                        self.program.targets.extend_from_slice(&codes);
                        Instr::TryAll { arity: arity as u16, at }
                    }
                }
            }
        };
        self.program.define(pred, Kind::Static, entry);
        #[cfg(feature = "native")]
        self.note_linked(pred);
        Ok(Next::Go(self.program.preds[pred as usize].slot))
    }

    fn new_target(&mut self, entries: &[u32]) -> Target {
        target_of(&mut self.program.targets, entries)
    }

    /// The tables of a predicate, if an argument tells its clauses apart.
    fn build_index(
        &mut self,
        pred: PredId,
        ids: &[u32],
        codes: &[u32],
        arity: usize,
    ) -> Option<StaticIndex> {
        let mut tables = Vec::new();
        for arg in 0..arity {
            if tables.len() >= INDEXED_ARGS {
                break;
            }
            let mut keys: Vec<Option<Cell>> = ids
                .iter()
                .map(|&id| database::arg_key(&self.program.clauses[id as usize], arity, arg))
                .collect();
            keys.resize(codes.len(), None);
            if tells_apart(&keys, arg) {
                let settled = self.settling(ids, codes, arity, arg);
                tables.push(self.build_table(arg, &keys, codes, &settled));
            }
        }
        if tables.is_empty() && arity > 0 && ids.len() > keys::FEW {
            // What stands deeper may tell them apart.
            tables.push(self.build_table(0, &vec![None; codes.len()], codes, &[]));
        }
        if tables.is_empty() {
            return None;
        }
        let others = tables.split_off(1);
        let first = tables.pop()?;
        let all = self.new_target(codes);
        let wide = keys::Plans::default();
        Some(StaticIndex { arity: arity as u16, all, first, others, pred, wide })
    }

    /// The entry of a clause that is selected by the key of an argument: past a test that this is bound.
    fn past_test(&self, entry: u32, arg: usize) -> u32 {
        let is_test = match self.program.code[(entry & !DECIDES) as usize] {
            Instr::Type { test: TypeTest::Nonvar, slot, else_by: FAIL } => {
                slot == Slot::x(arg as u16)
            }
            _ => false,
        };
        entry + u32::from(is_test)
    }

    /// The rules behind which nothing is tried once they are selected by this argument.
    fn settling(&self, ids: &[u32], codes: &[u32], arity: usize, arg: usize) -> Vec<u32> {
        let settles = |id: u32| rules::settles(&self.program.clauses[id as usize], arity, arg);
        ids.iter().zip(codes).filter(|&(&id, _)| settles(id)).map(|(_, &code)| code).collect()
    }

    /// The table of an argument; `settled`: the addresses of clauses behind which nothing is tried.
    fn build_table(
        &mut self,
        arg: usize,
        keys: &[Option<Cell>],
        codes: &[u32],
        settled: &[u32],
    ) -> SwitchTable {
        let mut rows = keys::Rows::of(keys.iter().copied().zip(codes.iter().copied()));
        if !settled.is_empty() {
            for row in rows.keyed.values_mut().chain([&mut rows.other]) {
                if let Some(last) = row.iter().position(|code| settled.contains(code)) {
                    row.truncate(last + 1);
                }
            }
        }
        let other = self.new_target(&rows.other);
        let mut table = SwitchTable {
            arg: arg as u16,
            list: other,
            other,
            few: Vec::new(),
            many: FxHashMap::default(),
        };
        for key in rows.order {
            let row: Vec<u32> =
                rows.keyed[&key].iter().map(|&entry| self.past_test(entry, arg)).collect();
            let target = self.new_target(&row);
            if key == Cell::list(0) {
                table.list = target;
            } else if rows.keyed.len() <= FEW_KEYS {
                table.few.push((key, target));
            } else {
                table.many.insert(key, target);
            }
        }
        table
    }
}

impl Program {
    /// The address of a compiled clause in the tables of clauses: marked if it decides, else that of its stub.
    fn entry_of_clause(&self, id: ClauseId) -> u32 {
        let clause = &self.clauses[id as usize];
        let code = &self.code[clause.code as usize..(clause.code + clause.code_len) as usize];
        if decides(code) { clause.code | DECIDES } else { self.stub_of(clause.code) }
    }

    /// Has the tables of a predicate's entry lead to the stubs of its clauses, where they have some.
    #[cfg(feature = "native")]
    pub(super) fn lead_to_stubs(&mut self, entry: Instr) {
        let mut rows = Vec::new();
        match entry {
            Instr::Switch { table } => {
                for target in self.indexes[table as usize].targets_mut() {
                    match target.len {
                        1 => target.start = self.natives.stub_of(target.start),
                        len => rows.push(target.start..target.start + len),
                    }
                }
            }
            Instr::TryAll { at, .. } => rows.push(at + 1..at + 1 + self.targets[at as usize]),
            _ => {}
        }
        for at in rows.into_iter().flatten() {
            // One that decides has no stub by its marked address.
            let entry = self.targets[at as usize];
            self.targets[at as usize] = self.natives.stub_of(entry);
        }
    }
}

#[cfg(feature = "native")]
impl StaticIndex {
    /// What all tables of the predicate lead to.
    fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let tables = std::iter::once(&mut self.first).chain(&mut self.others);
        let tables = tables.flat_map(|SwitchTable { list, other, few, many, .. }| {
            let few = few.iter_mut().map(|(_, target)| target);
            [list, other].into_iter().chain(few).chain(many.values_mut())
        });
        let wide = self.wide.tables_mut().flat_map(|(_, table)| {
            std::iter::once(&mut table.other).chain(table.rows.values_mut())
        });
        std::iter::once(&mut self.all).chain(tables).chain(wide)
    }
}

/// A target for entries of clauses, which are put into the table of all.
fn target_of(targets: &mut Vec<u32>, entries: &[u32]) -> Target {
    if let [one] = *entries {
        return Target { start: one & !DECIDES, len: 1 };
    }
    let start = targets.len() as u32;
    targets.extend_from_slice(entries);
    Target { start, len: entries.len() as u32 }
}

impl SwitchTable {
    #[inline(always)]
    fn find(&self, key: Option<Cell>) -> Target {
        let Some(key) = key else { return self.other };
        if self.many.is_empty() {
            for &(row, target) in &self.few {
                if row == key {
                    return target;
                }
            }
            return self.other;
        }
        self.many.get(&key).copied().unwrap_or(self.other)
    }
}

/// Whether an argument with these keys is worth a table: it has several keys, or
/// one key and clauses without; a later argument must be bound in most clauses.
fn tells_apart(keys: &[Option<Cell>], arg: usize) -> bool {
    let bound = keys.iter().flatten().count();
    let mut distinct = keys.iter().flatten();
    let first = distinct.next();
    let several = distinct.any(|key| Some(key) != first);
    bound > 0 && (several || bound < keys.len()) && (arg == 0 || bound * 2 >= keys.len())
}

//! Linear models: sums, truths, selectors and tables as inequalities over bounded integers.
//!
//! A condition is made part of an inequality by a number that is large enough (big-M, which is the least one that does). A
//! variable whose values are told one by one has *selectors*, 0/1 variables of which one is 1.

use super::sums::{Built, Sum, Truth, limited};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use zug_proof::{Constraint, Model, Task, Values, VarId, Variable};
use zug_term::watchdog;

/// Values of a variable that are told one by one, at most.
const MOST_VALUES: u64 = 1_000;
/// Rows of a table, at most.
pub(super) const MOST_ROWS: usize = 20_000;
/// Constraints, at most.
const MOST_CONSTRAINTS: usize = 300_000;

/// Words of FlatZinc.
const FLATZINC_WORDS: &str =
    "var int bool set of array constraint solve predicate satisfy minimize maximize float par";

/// Rows, and for each column whether it has a value.
type Table = (Vec<Vec<i64>>, Vec<FxHashMap<i64, Truth>>);

/// Values of a variable, each with whether the variable has it.
type Selectors = Rc<[(i32, Truth)]>;

#[derive(Default)]
pub(crate) struct Builder {
    pub model: Model,
    names: FxHashSet<String>,
    /// What stands above the next constraint.
    notes: Vec<String>,
    selectors: FxHashMap<VarId, Selectors>,
    truths: FxHashMap<Sum, Truth>,
    pub(super) products: FxHashMap<(Sum, Sum), Sum>,
}

fn text(value: i64) -> String {
    if value < 0 { format!("m{}", value.unsigned_abs()) } else { value.to_string() }
}

impl Builder {
    /// A name that is an identifier of FlatZinc and new.
    fn name(&mut self, wanted: &str) -> String {
        let mut name: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        name = name.trim_end_matches('_').to_owned();
        // Words of FlatZinc are none, nor what some readers take for the beginning of one.
        let is_word = FLATZINC_WORDS.split(' ').any(|word| word == name)
            || name.starts_with("true")
            || name.starts_with("false");
        if is_word || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name = format!("v_{name}");
        }
        let mut found = name.clone();
        let mut number = 2;
        while !self.names.insert(found.clone()) {
            found = format!("{name}_{number}");
            number += 1;
        }
        found
    }

    pub fn new_var(&mut self, name: &str, values: Values, note: Option<String>) -> Built<VarId> {
        watchdog::step();
        let name = self.name(name);
        self.model.variables.push(Variable { name, values, note });
        Ok(VarId(self.model.variables.len() as u32 - 1))
    }

    pub(super) fn between(&mut self, name: &str, lo: i128, hi: i128) -> Built<VarId> {
        let small = |value: i128| {
            let value = i32::try_from(value).ok().filter(|value| value.unsigned_abs() < 1 << 30);
            value.ok_or_else(|| "has values of more than 30 bits".to_owned())
        };
        self.new_var(name, Values::interval(small(lo)?, small(hi)?), None)
    }

    fn truth(&mut self, name: &str) -> Built<VarId> {
        self.between(name, 0, 1)
    }

    pub fn name_of(&self, var: VarId) -> &str {
        &self.model.variables[var.0 as usize].name
    }

    pub fn values(&self, var: VarId) -> &Values {
        &self.model.variables[var.0 as usize].values
    }

    /// What stands above what is built next.
    pub fn begin(&mut self, note: String) {
        self.notes.push(note);
    }

    /// What was begun is built: if nothing was, its note says so.
    pub fn end(&mut self) {
        if let Some(note) = self.notes.last_mut() {
            note.push_str("   (holds for all these values)");
        }
    }

    /// What stands above nothing.
    pub fn rest(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn push(&mut self, constraint: Constraint) -> Built {
        watchdog::step();
        if self.model.constraints.len() >= MOST_CONSTRAINTS {
            return Err(format!("takes more than {MOST_CONSTRAINTS} linear constraints"));
        }
        let notes = std::mem::take(&mut self.notes);
        self.model.constraints.push((notes, constraint));
        Ok(())
    }

    /// The least and the greatest value of a sum, as far as the values of each variable tell.
    pub fn range(&self, sum: &Sum) -> Built<(i64, i64)> {
        let (mut lo, mut hi) = (i128::from(sum.constant()), i128::from(sum.constant()));
        for &(by, var) in sum.terms() {
            let values = self.values(var);
            let by = i128::from(by);
            let ends = [by * i128::from(values.lo), by * i128::from(values.hi)];
            lo += ends[0].min(ends[1]);
            hi += ends[0].max(ends[1]);
        }
        Ok((limited(lo)?, limited(hi)?))
    }

    pub fn at_most_0(&mut self, sum: &Sum) -> Built {
        let sum = sum.reduced();
        if self.range(&sum)?.1 <= 0 {
            return Ok(());
        }
        let large = || "is a sum of numbers of more than 31 bits".to_owned();
        if let Some(number) = sum.as_number() {
            debug_assert!(number > 0, "the range says so");
            return self.push(Constraint::AtMost(Vec::new(), -1));
        }
        let bound = -sum.constant();
        let mut terms = Vec::with_capacity(sum.terms().len());
        let mut size = bound.unsigned_abs();
        for &(by, var) in sum.terms() {
            let by = i32::try_from(by).map_err(|_| large())?;
            let values = self.values(var);
            let most = values.lo.unsigned_abs().max(values.hi.unsigned_abs());
            size = size.saturating_add(u64::from(by.unsigned_abs()) * (u64::from(most) + 1));
            terms.push((by, var));
        }
        if size > 1 << 31 {
            return Err(large());
        }
        let bound = i32::try_from(bound).map_err(|_| large())?;
        self.push(Constraint::AtMost(terms, bound))
    }

    pub fn equal(&mut self, one: &Sum, other: &Sum) -> Built {
        self.equal_if(&[], one, other)
    }

    /// A sum is at most 0 where some truths hold.
    pub fn at_most_0_if(&mut self, conditions: &[Truth], sum: &Sum) -> Built {
        let sum = sum.reduced();
        let most = self.range(&sum)?.1;
        if most <= 0 || conditions.contains(&Truth::Known(false)) {
            return Ok(());
        }
        let others = conditions.iter().map(|condition| (-most, condition.not().sum()));
        self.at_most_0(&Sum::total(others.chain([(1, sum)]))?)
    }

    pub fn equal_if(&mut self, conditions: &[Truth], one: &Sum, other: &Sum) -> Built {
        self.at_most_0_if(conditions, &one.minus(other)?)?;
        self.at_most_0_if(conditions, &other.minus(one)?)
    }

    pub fn one_of(&mut self, truths: &[Truth]) -> Built {
        let sums = truths.iter().map(|truth| (-1, truth.sum()));
        self.at_most_0(&Sum::total(sums.chain([(1, Sum::number(1))]))?)
    }

    pub fn assert(&mut self, truth: Truth) -> Built {
        self.one_of(&[truth])
    }

    pub fn same(&mut self, one: Truth, other: Truth) -> Built {
        self.equal(&one.sum(), &other.sum())
    }

    pub fn is_at_most_0(&mut self, sum: &Sum) -> Built<Truth> {
        let sum = &sum.reduced();
        let (lo, hi) = self.range(sum)?;
        if hi <= 0 {
            return Ok(Truth::Known(true));
        }
        if lo > 0 {
            return Ok(Truth::Known(false));
        }
        if let [(by, var)] = *sum.terms()
            && (self.values(var).lo, self.values(var).hi) == (0, 1)
        {
            return Ok(Truth::Of(var, by < 0));
        }
        if let Some(&truth) = self.truths.get(sum) {
            return Ok(truth);
        }
        let name = match *sum.terms() {
            [(by, var)] => {
                let bound = if by > 0 {
                    (-sum.constant()).div_euclid(by)
                } else {
                    -((-sum.constant()).div_euclid(-by))
                };
                let relation = if by > 0 { "at_most" } else { "at_least" };
                format!("{}_{relation}_{}", self.name_of(var), text(bound))
            }
            _ => "holds".to_owned(),
        };
        let truth = Truth::Of(self.truth(&name)?, true);
        self.at_most_0_if(&[truth], sum)?;
        self.at_most_0_if(&[truth.not()], &Sum::number(1).minus(sum)?)?;
        self.truths.insert(sum.clone(), truth);
        Ok(truth)
    }

    pub fn is_0(&mut self, sum: &Sum) -> Built<Truth> {
        if let [(by, var)] = *sum.terms() {
            if sum.constant() % by != 0 {
                return Ok(Truth::Known(false));
            }
            let value = -sum.constant() / by;
            let values = self.values(var);
            if !i32::try_from(value).is_ok_and(|value| values.contains(value)) {
                return Ok(Truth::Known(false));
            }
            if values.size() <= 64 {
                return self.is_value(var, value);
            }
        }
        let most = self.is_at_most_0(sum)?;
        let least = self.is_at_most_0(&sum.times(-1)?)?;
        self.all(&[most, least])
    }

    pub fn all(&mut self, truths: &[Truth]) -> Built<Truth> {
        let mut open: Vec<Truth> =
            truths.iter().copied().filter(|&truth| truth != Truth::Known(true)).collect();
        open.sort_unstable();
        open.dedup();
        // A truth and its contrary stand side by side.
        let is_contrary = |pair: &[Truth]| pair[0] == pair[1].not();
        if open.contains(&Truth::Known(false)) || open.windows(2).any(is_contrary) {
            return Ok(Truth::Known(false));
        }
        match open[..] {
            [] => return Ok(Truth::Known(true)),
            [one] => return Ok(one),
            _ => {}
        }
        let all = Truth::Of(self.truth("all_hold")?, true);
        for &one in &open {
            self.one_of(&[all.not(), one])?;
        }
        let mut clause: Vec<Truth> = open.iter().map(|one| one.not()).collect();
        clause.push(all);
        self.one_of(&clause)?;
        Ok(all)
    }

    pub fn any(&mut self, truths: &[Truth]) -> Built<Truth> {
        let contrary: Vec<Truth> = truths.iter().map(|one| one.not()).collect();
        Ok(self.all(&contrary)?.not())
    }

    pub fn is_same(&mut self, one: Truth, other: Truth) -> Built<Truth> {
        let there = self.any(&[one.not(), other])?;
        let back = self.any(&[one, other.not()])?;
        self.all(&[there, back])
    }

    pub fn var_of(&mut self, sum: &Sum, name: &str) -> Built<VarId> {
        if let [(1, var)] = *sum.terms()
            && sum.constant() == 0
        {
            return Ok(var);
        }
        let (lo, hi) = self.range(sum)?;
        let name = match *sum.terms() {
            [(1, var)] if sum.constant() > 0 => {
                format!("{}_plus_{}", self.name_of(var), sum.constant())
            }
            [(1, var)] => {
                format!("{}_minus_{}", self.name_of(var), sum.constant().unsigned_abs())
            }
            [] => format!("number_{}", text(sum.constant())),
            _ => name.to_owned(),
        };
        let var = self.between(&name, lo.into(), hi.into())?;
        self.equal(&Sum::var(var), sum)?;
        Ok(var)
    }

    pub fn selectors(&mut self, var: VarId) -> Built<Selectors> {
        if let Some(found) = self.selectors.get(&var) {
            return Ok(found.clone());
        }
        let values = self.values(var);
        if values.size() > MOST_VALUES {
            return Err(format!(
                "has {} values of {}, which would be told one by one",
                values.size(),
                self.name_of(var)
            ));
        }
        let all: Vec<i32> = values.iter().collect();
        let found: Selectors = match all[..] {
            [one] => Rc::new([(one, Truth::Known(true))]),
            [0, 1] => Rc::new([(0, Truth::Of(var, false)), (1, Truth::Of(var, true))]),
            _ => {
                let mut found = Vec::with_capacity(all.len());
                for &value in &all {
                    let name = format!("{}_is_{}", self.name_of(var), text(value.into()));
                    found.push((value, Truth::Of(self.truth(&name)?, true)));
                }
                let count = Sum::total(found.iter().map(|(_, truth)| (1, truth.sum())))?;
                let values = found.iter().map(|&(value, truth)| (value.into(), truth.sum()));
                let sum = Sum::total(values)?;
                self.equal(&count, &Sum::number(1))?;
                self.equal(&sum, &Sum::var(var))?;
                for &(value, truth) in &found {
                    self.equal_if(&[truth], &Sum::var(var), &Sum::number(value.into()))?;
                }
                found.into()
            }
        };
        self.selectors.insert(var, found.clone());
        Ok(found)
    }

    fn is_value(&mut self, var: VarId, value: i64) -> Built<Truth> {
        let found = self.selectors(var)?;
        let found = found.iter().find(|(own, _)| i64::from(*own) == value);
        Ok(found.map_or(Truth::Known(false), |(_, truth)| *truth))
    }

    pub fn differ(&mut self, one: &Sum, other: &Sum) -> Built {
        let sum = one.minus(other)?;
        let (lo, hi) = self.range(&sum)?;
        if lo > 0 || hi < 0 {
            return Ok(());
        }
        if let [(a, x), (b, y)] = *sum.terms()
            && a == -b
            && a.abs() == 1
        {
            let y = self.var_of(&Sum::var(y).more(-a * sum.constant())?, "shifted")?;
            return self.push(Constraint::AllDifferent(vec![x, y]));
        }
        let below = self.is_at_most_0(&sum.more(1)?)?;
        let above = self.is_at_most_0(&Sum::number(1).minus(&sum)?)?;
        self.one_of(&[below, above])
    }

    pub fn all_different(&mut self, sums: &[Sum]) -> Built {
        let mut vars = Vec::with_capacity(sums.len());
        for sum in sums {
            vars.push(self.var_of(sum, "value")?);
        }
        let mut unique = vars.clone();
        unique.sort_unstable();
        unique.dedup();
        if unique.len() < vars.len() {
            return self.assert(Truth::Known(false));
        }
        if vars.len() < 2 {
            return Ok(());
        }
        self.push(Constraint::AllDifferent(vars))
    }

    /// Tasks with a start, a duration and a usage above 0 are within a capacity.
    pub fn cumulative(&mut self, tasks: &[(Sum, i64, i64)], capacity: i64) -> Built {
        let mut all = Vec::with_capacity(tasks.len());
        let large =
            || "has durations of more than 20 bits, or uses of more than 30 bits in all".to_owned();
        let mut total: i64 = 0;
        for (start, duration, usage) in tasks {
            let start = self.var_of(start, "start")?;
            let duration = i32::try_from(*duration).map_err(|_| large())?;
            let usage = i32::try_from(*usage).map_err(|_| large())?;
            total += i64::from(usage);
            if duration > 1 << 20 || total > 1 << 30 {
                return Err(large());
            }
            all.push(Task { start, duration, usage });
        }
        let capacity = i32::try_from(capacity.min(1 << 30)).map_err(|_| large())?;
        self.push(Constraint::Cumulative(all, capacity))
    }

    /// The rows that columns may have, each once, and whether a column has a value, by column.
    fn rows(&mut self, columns: &[Sum], rows: &[Vec<i64>]) -> Built<Table> {
        if rows.len() > MOST_ROWS {
            return Err(format!("has a table of more than {MOST_ROWS} rows"));
        }
        let mut truths = Vec::with_capacity(columns.len());
        for column in columns {
            let var = self.var_of(column, "column")?;
            let found = self.selectors(var)?;
            truths.push(found.iter().map(|&(value, truth)| (value.into(), truth)).collect());
        }
        let truths: Vec<FxHashMap<i64, Truth>> = truths;
        let mut seen = FxHashSet::default();
        let fits = |row: &Vec<i64>| {
            watchdog::step();
            row.len() == columns.len()
                && row.iter().zip(&truths).all(|(value, truths)| truths.contains_key(value))
        };
        let rows = rows.iter().filter(|row| fits(row) && seen.insert((*row).clone())).cloned();
        Ok((rows.collect(), truths))
    }

    /// Columns have the values of one of some rows.
    pub fn table(&mut self, columns: &[Sum], rows: &[Vec<i64>]) -> Built {
        let (rows, truths) = self.rows(columns, rows)?;
        let mut chosen = Vec::with_capacity(rows.len());
        for at in 1..=rows.len() {
            chosen.push(Sum::var(self.truth(&format!("row_{at}"))?));
        }
        let count = Sum::total(chosen.iter().map(|row| (1, row)))?;
        self.equal(&count, &Sum::number(1))?;
        for (at, truths) in truths.iter().enumerate() {
            let mut values: Vec<(&i64, &Truth)> = truths.iter().collect();
            values.sort_unstable_by_key(|(value, _)| **value);
            let mut having: FxHashMap<i64, Vec<(i64, &Sum)>> = FxHashMap::default();
            for (row, chosen) in rows.iter().zip(&chosen) {
                having.entry(row[at]).or_default().push((1, chosen));
            }
            for (value, truth) in values {
                let sum = Sum::total(having.remove(value).unwrap_or_default())?;
                self.equal(&sum, &truth.sum())?;
            }
        }
        Ok(())
    }

    /// Whether columns have the values of one of some rows.
    pub fn is_in_table(&mut self, columns: &[Sum], rows: &[Vec<i64>]) -> Built<Truth> {
        let (rows, truths) = self.rows(columns, rows)?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            let parts: Vec<Truth> =
                row.iter().zip(&truths).filter_map(|(value, of)| of.get(value).copied()).collect();
            found.push(self.all(&parts)?);
        }
        self.any(&found)
    }
}

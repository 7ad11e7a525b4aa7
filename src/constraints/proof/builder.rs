//! Linear models: sums, truths, selectors and tables as inequalities over bounded integers.
//!
//! A condition is made part of an inequality by a number that is large enough (big-M, which is the least one that does). A
//! variable whose values are told one by one has *selectors*, 0/1 variables of which one is 1.

use rustc_hash::{FxHashMap, FxHashSet};
use zug_proof::{Constraint, Model, Task, Values, VarId, Variable};
use zug_term::watchdog;

/// Values of a variable that are told one by one, at most.
const MOST_VALUES: u64 = 1_000;
/// Rows of a table, at most.
const MOST_ROWS: usize = 20_000;
/// Constraints, at most.
const MOST_CONSTRAINTS: usize = 300_000;

/// Why something has no linear form here: the end of a sentence that begins with a constraint.
pub(crate) type Unsupported = String;

pub(crate) type Built<T = ()> = Result<T, Unsupported>;

/// Rows, and for each column whether it has a value.
type Table = (Vec<Vec<i64>>, Vec<FxHashMap<i64, Truth>>);

/// A sum of variables times numbers, and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    terms: Vec<(i64, VarId)>,
    constant: i64,
}

impl Sum {
    pub fn number(constant: i64) -> Sum {
        Sum { terms: Vec::new(), constant }
    }

    pub fn var(var: VarId) -> Sum {
        Sum { terms: vec![(1, var)], constant: 0 }
    }

    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + by * other`
    pub fn plus(&self, by: i64, other: &Sum) -> Built<Sum> {
        let large = || "has numbers of more than 32 bits".to_owned();
        let mut all: FxHashMap<VarId, i64> =
            self.terms.iter().map(|&(by, var)| (var, by)).collect();
        for &(factor, var) in &other.terms {
            let more = factor.checked_mul(by).ok_or_else(large)?;
            let sum = all.entry(var).or_insert(0);
            *sum = sum.checked_add(more).ok_or_else(large)?;
        }
        let mut terms: Vec<(i64, VarId)> = all.into_iter().map(|(var, by)| (by, var)).collect();
        terms.retain(|&(by, _)| by != 0);
        terms.sort_unstable_by_key(|&(_, var)| var);
        let more = other.constant.checked_mul(by).ok_or_else(large)?;
        let constant = self.constant.checked_add(more).ok_or_else(large)?;
        Ok(Sum { terms, constant })
    }

    pub fn minus(&self, other: &Sum) -> Built<Sum> {
        self.plus(-1, other)
    }

    pub fn times(&self, by: i64) -> Built<Sum> {
        Sum::default().plus(by, self)
    }

    pub fn more(&self, by: i64) -> Built<Sum> {
        self.plus(by, &Sum::number(1))
    }
}

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Truth {
    Known(bool),
    /// That of a 0/1 variable, or its contrary.
    Of(VarId, bool),
}

impl Truth {
    #[must_use]
    pub fn not(self) -> Truth {
        match self {
            Truth::Known(truth) => Truth::Known(!truth),
            Truth::Of(var, is_same) => Truth::Of(var, !is_same),
        }
    }

    /// 1 if it holds, or else 0.
    pub fn sum(self) -> Sum {
        match self {
            Truth::Known(truth) => Sum::number(truth.into()),
            Truth::Of(var, true) => Sum::var(var),
            Truth::Of(var, false) => Sum { terms: vec![(-1, var)], constant: 1 },
        }
    }
}

/// A model that is being made.
#[derive(Default)]
pub(crate) struct Builder {
    pub model: Model,
    names: FxHashSet<String>,
    /// What stands above the next constraint.
    notes: Vec<String>,
    selectors: FxHashMap<VarId, Vec<(i32, Truth)>>,
    truths: FxHashMap<Sum, Truth>,
    products: FxHashMap<(Sum, Sum), Sum>,
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
        let words =
            ["var", "int", "bool", "set", "of", "array", "constraint", "solve", "predicate"];
        let is_word = words.contains(&&*name)
            || ["satisfy", "minimize", "maximize", "float", "par"].contains(&&*name)
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

    fn between(&mut self, name: &str, lo: i64, hi: i64) -> Built<VarId> {
        let small = |value: i64| {
            let value = i32::try_from(value).ok().filter(|value| value.unsigned_abs() < 1 << 30);
            value.ok_or_else(|| "has values of more than 30 bits".to_owned())
        };
        self.new_var(name, Values::interval(small(lo)?, small(hi)?), None)
    }

    /// A 0/1 variable.
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

    pub fn range(&self, sum: &Sum) -> (i64, i64) {
        let (mut lo, mut hi) = (sum.constant, sum.constant);
        for &(by, var) in &sum.terms {
            let values = self.values(var);
            let ends = [by.saturating_mul(values.lo.into()), by.saturating_mul(values.hi.into())];
            lo = lo.saturating_add(ends[0].min(ends[1]));
            hi = hi.saturating_add(ends[0].max(ends[1]));
        }
        (lo, hi)
    }

    /// A sum is at most 0.
    pub fn at_most_0(&mut self, sum: &Sum) -> Built {
        if self.range(sum).1 <= 0 {
            return Ok(());
        }
        let large = || "is a sum of numbers of more than 31 bits".to_owned();
        let divisor = sum.terms.iter().fold(0, |gcd, &(by, _)| num_integer::gcd(gcd, by));
        if divisor == 0 {
            return self.push(Constraint::AtMost(Vec::new(), -1));
        }
        let bound = (-sum.constant).div_euclid(divisor);
        let mut terms = Vec::with_capacity(sum.terms.len());
        let mut size = bound.unsigned_abs();
        for &(by, var) in &sum.terms {
            let by = i32::try_from(by / divisor).map_err(|_| large())?;
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
        let most = self.range(sum).1;
        if most <= 0 || conditions.contains(&Truth::Known(false)) {
            return Ok(());
        }
        let mut all = sum.clone();
        for condition in conditions {
            all = all.plus(-most, &condition.not().sum())?;
        }
        self.at_most_0(&all)
    }

    pub fn equal_if(&mut self, conditions: &[Truth], one: &Sum, other: &Sum) -> Built {
        self.at_most_0_if(conditions, &one.minus(other)?)?;
        self.at_most_0_if(conditions, &other.minus(one)?)
    }

    /// One of some truths holds.
    pub fn one_of(&mut self, truths: &[Truth]) -> Built {
        let mut sum = Sum::number(1);
        for truth in truths {
            sum = sum.minus(&truth.sum())?;
        }
        self.at_most_0(&sum)
    }

    pub fn assert(&mut self, truth: Truth) -> Built {
        self.one_of(&[truth])
    }

    /// Two truths are the same.
    pub fn same(&mut self, one: Truth, other: Truth) -> Built {
        self.equal(&one.sum(), &other.sum())
    }

    /// Whether a sum is at most 0.
    pub fn is_at_most_0(&mut self, sum: &Sum) -> Built<Truth> {
        let (lo, hi) = self.range(sum);
        if hi <= 0 {
            return Ok(Truth::Known(true));
        }
        if lo > 0 {
            return Ok(Truth::Known(false));
        }
        if let [(by, var)] = sum.terms[..]
            && (self.values(var).lo, self.values(var).hi) == (0, 1)
        {
            return Ok(Truth::Of(var, by < 0));
        }
        if let Some(&truth) = self.truths.get(sum) {
            return Ok(truth);
        }
        let name = match sum.terms[..] {
            [(by, var)] => {
                let bound = if by > 0 {
                    (-sum.constant).div_euclid(by)
                } else {
                    -((-sum.constant).div_euclid(-by))
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

    /// Whether a sum is 0.
    pub fn is_0(&mut self, sum: &Sum) -> Built<Truth> {
        if let [(by, var)] = sum.terms[..] {
            if sum.constant % by != 0 {
                return Ok(Truth::Known(false));
            }
            let value = -sum.constant / by;
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

    /// Whether all of some truths hold.
    pub fn all(&mut self, truths: &[Truth]) -> Built<Truth> {
        let mut open: Vec<Truth> =
            truths.iter().copied().filter(|&truth| truth != Truth::Known(true)).collect();
        open.sort_unstable();
        open.dedup();
        if open.contains(&Truth::Known(false)) || open.iter().any(|one| open.contains(&one.not())) {
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

    /// Whether some of some truths hold.
    pub fn any(&mut self, truths: &[Truth]) -> Built<Truth> {
        let contrary: Vec<Truth> = truths.iter().map(|one| one.not()).collect();
        Ok(self.all(&contrary)?.not())
    }

    /// Whether two truths are the same.
    pub fn is_same(&mut self, one: Truth, other: Truth) -> Built<Truth> {
        let there = self.any(&[one.not(), other])?;
        let back = self.any(&[one, other.not()])?;
        self.all(&[there, back])
    }

    /// A variable for a sum.
    pub fn var_of(&mut self, sum: &Sum, name: &str) -> Built<VarId> {
        if let [(1, var)] = sum.terms[..]
            && sum.constant == 0
        {
            return Ok(var);
        }
        let (lo, hi) = self.range(sum);
        let name = match sum.terms[..] {
            [(1, var)] if sum.constant > 0 => {
                format!("{}_plus_{}", self.name_of(var), sum.constant)
            }
            [(1, var)] => {
                format!("{}_minus_{}", self.name_of(var), sum.constant.unsigned_abs())
            }
            [] => format!("number_{}", text(sum.constant)),
            _ => name.to_owned(),
        };
        let var = self.between(&name, lo, hi)?;
        self.equal(&Sum::var(var), sum)?;
        Ok(var)
    }

    /// The values of a variable, each with whether the variable has it.
    pub fn selectors(&mut self, var: VarId) -> Built<Vec<(i32, Truth)>> {
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
        let found: Vec<(i32, Truth)> = match all[..] {
            [one] => vec![(one, Truth::Known(true))],
            [0, 1] => vec![(0, Truth::Of(var, false)), (1, Truth::Of(var, true))],
            _ => {
                let mut found = Vec::with_capacity(all.len());
                for &value in &all {
                    let name = format!("{}_is_{}", self.name_of(var), text(value.into()));
                    found.push((value, Truth::Of(self.truth(&name)?, true)));
                }
                let (mut count, mut sum) = (Sum::default(), Sum::default());
                for (value, truth) in &found {
                    count = count.plus(1, &truth.sum())?;
                    sum = sum.plus((*value).into(), &truth.sum())?;
                }
                self.equal(&count, &Sum::number(1))?;
                self.equal(&sum, &Sum::var(var))?;
                for &(value, truth) in &found {
                    self.equal_if(&[truth], &Sum::var(var), &Sum::number(value.into()))?;
                }
                found
            }
        };
        self.selectors.insert(var, found.clone());
        Ok(found)
    }

    /// Whether a variable has a value.
    fn is_value(&mut self, var: VarId, value: i64) -> Built<Truth> {
        let found = self.selectors(var)?;
        let found = found.iter().find(|(own, _)| i64::from(*own) == value);
        Ok(found.map_or(Truth::Known(false), |(_, truth)| *truth))
    }

    /// Two sums are different.
    pub fn differ(&mut self, one: &Sum, other: &Sum) -> Built {
        let sum = one.minus(other)?;
        let (lo, hi) = self.range(&sum);
        if lo > 0 || hi < 0 {
            return Ok(());
        }
        if let [(a, x), (b, y)] = sum.terms[..]
            && a == -b
            && a.abs() == 1
        {
            let y = self.var_of(&Sum::var(y).more(-a * sum.constant)?, "shifted")?;
            return self.push(Constraint::AllDifferent(vec![x, y]));
        }
        let below = self.is_at_most_0(&sum.more(1)?)?;
        let above = self.is_at_most_0(&Sum::number(1).minus(&sum)?)?;
        self.one_of(&[below, above])
    }

    /// All of some sums are different.
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

    /// The product of two sums.
    pub fn product(&mut self, one: &Sum, other: &Sum) -> Built<Sum> {
        if let Some(by) = one.as_number() {
            return other.times(by);
        }
        if let Some(by) = other.as_number() {
            return one.times(by);
        }
        if one == other {
            return self.function(one, "square", |value| value.checked_mul(value));
        }
        let size = |range: (i64, i64)| range.1.saturating_sub(range.0);
        let (few, many) = if size(self.range(one)) <= size(self.range(other)) {
            (one.clone(), other.clone())
        } else {
            (other.clone(), one.clone())
        };
        let key = (few.clone(), many.clone());
        if let Some(found) = self.products.get(&key) {
            return Ok(found.clone());
        }
        let few = self.var_of(&few, "factor")?;
        let ((a, b), (c, d)) = (self.range(&Sum::var(few)), self.range(&many));
        let ends =
            [a.saturating_mul(c), a.saturating_mul(d), b.saturating_mul(c), b.saturating_mul(d)];
        let lo = ends.into_iter().min().unwrap_or(0);
        let hi = ends.into_iter().max().unwrap_or(0);
        let product = Sum::var(self.between("product", lo, hi)?);
        for (value, truth) in self.selectors(few)? {
            self.equal_if(&[truth], &product, &many.times(value.into())?)?;
        }
        self.products.insert(key, product.clone());
        Ok(product)
    }

    /// A function of a sum, which has only values where the function has one.
    pub fn function(
        &mut self,
        of: &Sum,
        name: &str,
        apply: impl Fn(i64) -> Option<i64>,
    ) -> Built<Sum> {
        let var = self.var_of(of, "argument")?;
        let selectors = self.selectors(var)?;
        let mut values: Vec<(i64, Truth)> = Vec::with_capacity(selectors.len());
        for (value, truth) in selectors {
            match apply(value.into()) {
                Some(value) => values.push((value, truth)),
                None => self.assert(truth.not())?,
            }
        }
        let lo = values.iter().map(|&(value, _)| value).min().unwrap_or(0);
        let hi = values.iter().map(|&(value, _)| value).max().unwrap_or(0);
        let result = Sum::var(self.between(name, lo, hi)?);
        for (value, truth) in values {
            self.equal_if(&[truth], &result, &Sum::number(value))?;
        }
        Ok(result)
    }

    /// A function of two sums, which have only values where the function has one.
    pub fn function2(
        &mut self,
        of: [&Sum; 2],
        name: &str,
        apply: impl Fn(i64, i64) -> Option<i64>,
    ) -> Built<Sum> {
        let x = self.var_of(of[0], "argument")?;
        let y = self.var_of(of[1], "argument")?;
        let (xs, ys) = (self.values(x), self.values(y));
        if xs.size().saturating_mul(ys.size()) > MOST_ROWS as u64 {
            return Err(format!("has more than {MOST_ROWS} pairs of values"));
        }
        let mut rows = Vec::new();
        for a in xs.iter().map(i64::from) {
            rows.extend(ys.iter().map(i64::from).filter_map(|b| Some(vec![a, b, apply(a, b)?])));
        }
        let lo = rows.iter().map(|row| row[2]).min().unwrap_or(0);
        let hi = rows.iter().map(|row| row[2]).max().unwrap_or(0);
        let result = Sum::var(self.between(name, lo, hi)?);
        self.table(&[Sum::var(x), Sum::var(y), result.clone()], &rows)?;
        Ok(result)
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
            truths.push(found.into_iter().map(|(value, truth)| (value.into(), truth)).collect());
        }
        let truths: Vec<FxHashMap<i64, Truth>> = truths;
        let mut seen = FxHashSet::default();
        let fits = |row: &Vec<i64>| {
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
        let mut count = Sum::default();
        for row in &chosen {
            count = count.plus(1, row)?;
        }
        self.equal(&count, &Sum::number(1))?;
        for (at, truths) in truths.iter().enumerate() {
            let mut values: Vec<(&i64, &Truth)> = truths.iter().collect();
            values.sort_unstable_by_key(|(value, _)| **value);
            for (value, truth) in values {
                let mut sum = Sum::default();
                for (row, chosen) in rows.iter().zip(&chosen) {
                    if row[at] == *value {
                        sum = sum.plus(1, chosen)?;
                    }
                }
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

/// What is asked of a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Divided {
    /// The quotient, rounded down.
    Floor,
    /// The quotient, rounded towards 0.
    Truncated,
    /// The remainder of the quotient rounded down.
    Modulo,
    /// The remainder of the quotient rounded towards 0.
    Remainder,
    /// The quotient without a remainder.
    Exact,
}

impl Builder {
    /// A quotient or a remainder, and whether it is defined; where it is not, it is 0.
    pub fn divided(&mut self, how: Divided, x: &Sum, y: &Sum) -> Built<(Sum, Truth)> {
        let divisor = self.var_of(y, "divisor")?;
        let mut cases: Vec<(i64, Truth)> = Vec::new();
        match y.as_number() {
            Some(number) => cases.push((number, Truth::Known(true))),
            None => {
                cases.extend(
                    self.selectors(divisor)?
                        .into_iter()
                        .map(|(value, truth)| (value.into(), truth)),
                );
            }
        }
        let (lo, hi) = self.range(x);
        let most = lo.unsigned_abs().max(hi.unsigned_abs()) as i64;
        let rest = cases.iter().map(|&(value, _)| value.abs() - 1).max().unwrap_or(0).max(0);
        let rest = if how == Divided::Exact { most.min(rest) } else { rest };
        let quotient = Sum::var(self.between("quotient", -most, most)?);
        let remainder = Sum::var(self.between("remainder", -rest, rest)?);
        let (zero, is_positive) = (Sum::number(0), self.is_at_most_0(&x.times(-1)?)?);
        let mut undefined = Truth::Known(false);
        let mut inexact = Vec::new();
        for (value, truth) in cases {
            if value == 0 {
                undefined = truth;
                self.equal_if(&[truth], &quotient, &zero)?;
                self.equal_if(&[truth], &remainder, &zero)?;
                continue;
            }
            self.equal_if(&[truth], x, &remainder.plus(value, &quotient)?)?;
            let end = value.abs() - 1;
            let signs = match how {
                Divided::Floor | Divided::Modulo => {
                    vec![(vec![truth], value > 0)]
                }
                _ => {
                    vec![(vec![truth, is_positive], true), (vec![truth, is_positive.not()], false)]
                }
            };
            for (conditions, is_up) in signs {
                let rest = if is_up { remainder.clone() } else { remainder.times(-1)? };
                self.at_most_0_if(&conditions, &rest.times(-1)?)?;
                self.at_most_0_if(&conditions, &rest.more(-end)?)?;
            }
            inexact.push(truth);
        }
        Ok(match how {
            Divided::Floor | Divided::Truncated => (quotient, undefined.not()),
            Divided::Modulo | Divided::Remainder => (remainder, undefined.not()),
            Divided::Exact => {
                let is_exact = self.is_0(&remainder)?;
                (quotient, self.all(&[is_exact, undefined.not()])?)
            }
        })
    }

    /// The absolute value of a sum.
    pub fn absolute(&mut self, x: &Sum) -> Built<Sum> {
        let (lo, hi) = self.range(x);
        if lo >= 0 {
            return Ok(x.clone());
        }
        if hi <= 0 {
            return x.times(-1);
        }
        let minus = x.times(-1)?;
        let result = Sum::var(self.between("absolute", 0, hi.max(-lo))?);
        let is_positive = self.is_at_most_0(&minus)?;
        self.at_most_0(&x.minus(&result)?)?;
        self.at_most_0(&minus.minus(&result)?)?;
        self.equal_if(&[is_positive], &result, x)?;
        self.equal_if(&[is_positive.not()], &result, &minus)?;
        Ok(result)
    }

    /// The greater one of two sums.
    pub fn greatest(&mut self, x: &Sum, y: &Sum) -> Built<Sum> {
        let (a, b) = (self.range(x), self.range(y));
        let result = Sum::var(self.between("greatest", a.0.max(b.0), a.1.max(b.1))?);
        let is_second = self.is_at_most_0(&x.minus(y)?)?;
        self.at_most_0(&x.minus(&result)?)?;
        self.at_most_0(&y.minus(&result)?)?;
        self.equal_if(&[is_second], &result, y)?;
        self.equal_if(&[is_second.not()], &result, x)?;
        Ok(result)
    }
}

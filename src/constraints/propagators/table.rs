//! Tuples of variables that are rows of a table, or are not.
//!
//! [`Table`] leaves each variable the values that it has in rows that are still possible (domain
//! consistency for variables that differ): compact tables, Demeulenaere et al., *Compact-Table:
//! Efficiently filtering table constraints with reversible sparse bit-sets*, CP 2016. The rows of a
//! value are not a set of bits over all rows here but the words of it that are not 0, so a table of many
//! values takes no more memory than its rows.

use super::values::Values;
use crate::domain::Domain;
use crate::number::Bound;
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Propagator, Step, Store, Words};
use num_bigint::BigInt;
use std::cell::RefCell;
use std::sync::Arc;

struct Relation {
    arity: usize,
    rows: Box<[Box<[BigInt]>]>,
    columns: Box<[Column]>,
}

/// A column of a relation: its values, and in which rows each is.
struct Column {
    values: Values,
    /// Where the rows of each value end.
    ends: Box<[u32]>,
    /// Rows, 64 in each word, as words that are not 0 and where they are.
    supports: Box<[(u32, u64)]>,
}

impl Column {
    fn new(rows: &[Box<[BigInt]>], at: usize) -> Column {
        let bounds: Vec<Bound> = rows.iter().map(|row| Bound::Fin(row[at].clone())).collect();
        let values = Values::new(bounds.clone());
        let place = |bound| values.place(bound).expect("listed") as u32;
        let mut places: Vec<(u32, u32)> =
            bounds.iter().zip(0..).map(|(bound, row)| (place(bound), row)).collect();
        places.sort_unstable();
        let (mut ends, mut supports) = (Vec::new(), Vec::<(u32, u64)>::new());
        let mut last = 0;
        for (place, row) in places {
            let (word, bit) = (row / 64, 1 << (row % 64));
            if place != last {
                ends.push(supports.len() as u32);
                last = place;
            } else if let Some(entry) = supports.last_mut()
                && entry.0 == word
            {
                entry.1 |= bit;
                continue;
            }
            supports.push((word, bit));
        }
        ends.push(supports.len() as u32);
        Column { values, ends: ends.into(), supports: supports.into() }
    }

    fn supports(&self, place: usize) -> &[(u32, u64)] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.supports[start as usize..self.ends[place] as usize]
    }
}

impl Relation {
    /// The relation of the rows of this length; others are left out.
    fn new(arity: usize, rows: &[Vec<BigInt>]) -> Relation {
        let rows = rows.iter().filter(|row| row.len() == arity);
        let rows: Box<[Box<[BigInt]>]> = rows.map(|row| row.clone().into()).collect();
        let columns = (0..arity).map(|at| Column::new(&rows, at));
        Relation { arity, columns: columns.collect(), rows }
    }

    /// How many words have a bit for each row.
    fn words(&self) -> usize {
        self.rows.len().div_ceil(64)
    }

    /// Whether a row has only values that variables can have.
    fn is_possible(&self, store: &Store, tuple: &[Var], row: usize) -> bool {
        let row = self.rows[row].iter();
        row.zip(tuple).all(|(value, &var)| store.domain(var).contains(&Bound::Fin(value.clone())))
    }

    fn shown(&self, rows: impl Iterator<Item = usize>, tuple: &[Var]) -> Shown {
        let row = |at: usize| self.rows[at].iter().map(|value| Shown::Int(value.clone())).collect();
        let rows = rows.map(|at| Shown::List(row(at))).collect();
        Shown::binary("tuples_in", Shown::List(vec![Shown::vars(tuple)]), Shown::List(rows))
    }
}

pub fn post_tuples_in(store: &mut Store, tuples: &[Vec<Var>], rows: &[Vec<BigInt>]) -> Step {
    let mut made: Vec<Arc<Relation>> = Vec::new();
    for tuple in tuples {
        let relation = relation_for(&mut made, tuple.len(), rows);
        post_table(store, tuple, &relation)?;
    }
    Ok(())
}

/// The relation of the rows of this length, which is made once.
fn relation_for(
    made: &mut Vec<Arc<Relation>>,
    arity: usize,
    rows: &[Vec<BigInt>],
) -> Arc<Relation> {
    if let Some(relation) = made.iter().find(|relation| relation.arity == arity) {
        return relation.clone();
    }
    made.push(Arc::new(Relation::new(arity, rows)));
    made[made.len() - 1].clone()
}

/// Posts that a tuple is a row of a relation, whose length is its own.
fn post_table(store: &mut Store, tuple: &[Var], relation: &Arc<Relation>) -> Step {
    if relation.rows.is_empty() {
        return Err(Fail);
    }
    for (column, &var) in relation.columns.iter().zip(tuple) {
        let domain = column.values.domain(0..column.values.len()).ok_or(Fail)?;
        store.intersect(var, &domain)?;
    }
    if tuple.len() > 1 {
        let table = Table::new(store, tuple, relation.clone());
        store.post(Arc::new(table));
    }
    Ok(())
}

/// Posts that `truth` is 1 if each tuple is a row, and 0 if one is not.
pub fn post_tuples_in_reified(
    store: &mut Store,
    tuples: &[Vec<Var>],
    rows: &[Vec<BigInt>],
    truth: Var,
) -> Step {
    store.narrow(truth, &Bound::from(0), &Bound::from(1))?;
    let mut made = Vec::new();
    let mut truths = Vec::new();
    for tuple in tuples {
        let relation = relation_for(&mut made, tuple.len(), rows);
        let own = match tuples {
            [_] => truth,
            _ => store.new_var(Domain::small(0, 1).expect("two values")),
        };
        truths.push(own);
        let witness = store.new_words(1);
        let tuple = tuple.as_slice().into();
        store.post(Arc::new(TableReified { tuple, relation, truth: own, witness }));
    }
    if truths.len() != 1 {
        store.post(Arc::new(AllTrue { parts: truths.into(), all: truth }));
    }
    Ok(())
}

struct Table {
    tuple: Box<[Var]>,
    relation: Arc<Relation>,
    /// How many words of rows are not 0; then which ones these are, and after them the others; then the
    /// words; then the sizes that domains had, 0 for none.
    state: Words,
    /// For each value of each column, which of its supports was found last.
    guesses: Words,
    lists_twice: bool,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

#[derive(Default)]
struct Scratch {
    mask: Vec<u64>,
    kept: Vec<usize>,
}

impl Table {
    fn new(store: &mut Store, tuple: &[Var], relation: Arc<Relation>) -> Table {
        let (words, rows) = (relation.words(), relation.rows.len());
        let state = store.new_words(1 + 2 * words + tuple.len());
        let guesses = relation.columns.iter().map(|column| column.values.len()).sum();
        let guesses = store.new_words(guesses);
        store.set_word(state, 0, words as u64);
        for word in 0..words {
            let left = rows - word * 64;
            store.set_word(state, 1 + word, word as u64);
            let bits = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
            store.set_word(state, 1 + words + word, bits);
        }
        let mut sorted = tuple.to_vec();
        sorted.sort_unstable();
        let lists_twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
        Table { tuple: tuple.into(), relation, state, guesses, lists_twice }
    }

    /// The word of rows at this place.
    #[inline(always)]
    fn rows_at(&self, store: &Store, word: usize) -> u64 {
        store.word(self.state, 1 + self.relation.words() + word)
    }

    /// A number that is another when the domain of this column's variable has changed; 0 if it
    /// can't be told.
    fn size(&self, store: &Store, column: usize) -> u64 {
        store.domain(self.tuple[column]).as_small().map_or(0, |small| small.size())
    }

    /// Drops the rows whose value in a column is not in the domain. Says whether there were any.
    fn drop_rows(&self, store: &mut Store, column: usize, mask: &mut Vec<u64>) -> bool {
        let words = self.relation.words();
        mask.clear();
        mask.resize(words, 0);
        let own = &self.relation.columns[column];
        own.values.each_in(store.domain(self.tuple[column]), |place| {
            for &(word, bits) in own.supports(place) {
                mask[word as usize] |= bits;
            }
        });
        let mut active = store.word(self.state, 0) as usize;
        let mut has_dropped = false;
        for at in (0..active).rev() {
            let word = store.word(self.state, 1 + at) as usize;
            let old = self.rows_at(store, word);
            let new = old & mask[word];
            if new == old {
                continue;
            }
            has_dropped = true;
            store.set_word(self.state, 1 + words + word, new);
            if new == 0 {
                active -= 1;
                let last = store.word(self.state, 1 + active);
                store.set_word(self.state, 1 + active, word as u64);
                store.set_word(self.state, 1 + at, last);
            }
        }
        store.set_word(self.state, 0, active as u64);
        has_dropped
    }

    /// Leaves the variable of a column the values of rows that are left.
    fn drop_values(&self, store: &mut Store, column: usize, kept: &mut Vec<usize>) -> Step {
        let before = &self.relation.columns[..column];
        let offset: usize = before.iter().map(|column| column.values.len()).sum();
        let own = &self.relation.columns[column];
        let var = self.tuple[column];
        kept.clear();
        // All that are in the domain, and of these those that have a row.
        own.values.each_in(store.domain(var), |place| kept.push(place));
        let all = kept.len();
        kept.retain(|&place| {
            let supports = own.supports(place);
            let has_row =
                |&(word, bits): &(u32, u64)| self.rows_at(store, word as usize) & bits != 0;
            let guess = store.word(self.guesses, offset + place) as usize;
            if supports.get(guess).is_some_and(has_row) {
                return true;
            }
            let Some(found) = supports.iter().position(has_row) else { return false };
            store.set_guess(self.guesses, offset + place, found as u64);
            true
        });
        if kept.len() < all {
            store.restrict(var, own.values.domain(kept.iter().copied()))?;
        }
        Ok(())
    }

    /// Whether two columns may be of one variable.
    fn has_twin(&self, store: &Store) -> bool {
        let is_joined = |&var: &Var| store.find(var) != var || store.is_joined(var);
        self.lists_twice || self.tuple.iter().any(is_joined)
    }

    fn filter(&self, store: &mut Store, scratch: &mut Scratch) -> Step {
        let sizes = 1 + 2 * self.relation.words();
        let has_twin = self.has_twin(store);
        let mut must_filter = store.word(self.state, sizes) == 0;
        loop {
            let (mut changed, mut last_changed) = (0, 0);
            for column in 0..self.tuple.len() {
                let size = self.size(store, column);
                if size != 0 && store.word(self.state, sizes + column) == size {
                    continue;
                }
                store.set_word(self.state, sizes + column, size);
                (changed, last_changed) = (changed + 1, column);
                must_filter |= self.drop_rows(store, column, &mut scratch.mask);
            }
            if !must_filter {
                return Ok(());
            }
            if store.word(self.state, 0) == 0 {
                return Err(Fail);
            }
            for column in 0..self.tuple.len() {
                // The values that a column has left are those of its rows, if only they have changed.
                let var = self.tuple[column];
                if changed == 1 && column == last_changed || store.is_fixed(var) {
                    continue;
                }
                self.drop_values(store, column, &mut scratch.kept)?;
                if !has_twin {
                    store.set_word(self.state, sizes + column, self.size(store, column));
                }
            }
            // Columns of one variable change each other.
            if !has_twin {
                return Ok(());
            }
            must_filter = false;
        }
    }
}

impl Propagator for Table {
    fn vars(&self) -> Vec<Var> {
        self.tuple.to_vec()
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        SCRATCH.with_borrow_mut(|scratch| self.filter(store, scratch))?;
        if self.tuple.iter().filter(|&&var| !store.is_fixed(var)).count() <= 1 {
            store.kill(me);
        }
        Ok(())
    }

    fn shown(&self, store: &Store) -> Option<Shown> {
        let rows = 0..self.relation.rows.len();
        let rows = rows.filter(|row| self.rows_at(store, row / 64) >> (row % 64) & 1 == 1);
        Some(self.relation.shown(rows, &self.tuple))
    }
}

/// A number is 1 if a tuple is a row of a relation, else 0. It has a value when no row is possible any
/// more, and when the tuple has values.
struct TableReified {
    tuple: Box<[Var]>,
    relation: Arc<Relation>,
    truth: Var,
    /// A row that was possible.
    witness: Words,
}

impl Propagator for TableReified {
    fn vars(&self) -> Vec<Var> {
        self.tuple.iter().copied().chain([self.truth]).collect()
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        if store.is(self.truth, 1) {
            store.kill(me);
            return post_table(store, &self.tuple, &self.relation);
        }
        if store.is(self.truth, 0) {
            store.kill(me);
            let (tuple, relation) = (self.tuple.clone(), self.relation.clone());
            store.post(Arc::new(NotInTable { tuple, relation }));
            return Ok(());
        }
        let count = self.relation.rows.len();
        let first = store.word(self.witness, 0) as usize;
        let order = (first..count).chain(0..first);
        let mut possible = order.filter(|&row| self.relation.is_possible(store, &self.tuple, row));
        match possible.next() {
            None => {
                store.kill(me);
                store.fix_small(self.truth, 0)
            }
            Some(row) => {
                store.set_guess(self.witness, 0, row as u64);
                if self.tuple.iter().all(|&var| store.is_fixed(var)) {
                    store.kill(me);
                    return store.fix_small(self.truth, 1);
                }
                Ok(())
            }
        }
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let rows = 0..self.relation.rows.len();
        let table = self.relation.shown(rows, &self.tuple);
        Some(Shown::binary("#<==>", table, self.truth.into()))
    }
}

/// A tuple of variables is no row of a relation. The last variable that has no value is left those with
/// which it is none.
struct NotInTable {
    tuple: Box<[Var]>,
    relation: Arc<Relation>,
}

impl NotInTable {
    /// The value that makes the tuple this row, if all of its variables but one have values.
    fn forbidden(&self, store: &Store, open: Option<Var>, row: &[BigInt]) -> Option<Bound> {
        let mut forbidden = None;
        for (value, &var) in row.iter().zip(&self.tuple) {
            let value = Bound::Fin(value.clone());
            let is_open = open.is_some_and(|open| store.same(open, var));
            let fits = match &forbidden {
                Some(other) if is_open => value == *other,
                _ => store.domain(var).contains(&value),
            };
            if !fits {
                return None;
            }
            if is_open {
                forbidden = Some(value);
            }
        }
        forbidden.or_else(|| open.is_none().then(|| Bound::from(0)))
    }
}

impl Propagator for NotInTable {
    fn vars(&self) -> Vec<Var> {
        self.tuple.to_vec()
    }

    fn event(&self) -> Event {
        Event::Fixed
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let open = self.tuple.iter().copied().find(|&var| !store.is_fixed(var));
        let is_last =
            |var: &Var| store.is_fixed(*var) || open.is_some_and(|open| store.same(open, *var));
        if !self.tuple.iter().all(is_last) {
            return Ok(());
        }
        store.kill(me);
        for row in &self.relation.rows {
            let Some(value) = self.forbidden(store, open, row) else { continue };
            match open {
                Some(open) => store.remove(open, &value)?,
                None => return Err(Fail),
            }
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let rows = 0..self.relation.rows.len();
        Some(Shown::Compound("#\\", vec![self.relation.shown(rows, &self.tuple)]))
    }
}

/// A number is 1 if all of some numbers that are 0 or 1 are 1, else 0.
struct AllTrue {
    parts: Box<[Var]>,
    all: Var,
}

impl Propagator for AllTrue {
    fn vars(&self) -> Vec<Var> {
        self.parts.iter().copied().chain([self.all]).collect()
    }

    fn event(&self) -> Event {
        Event::Fixed
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        if self.parts.iter().any(|&part| store.is(part, 0)) {
            store.kill(me);
            return store.fix_small(self.all, 0);
        }
        if store.is(self.all, 1) {
            store.kill(me);
            return self.parts.iter().try_for_each(|&part| store.fix_small(part, 1));
        }
        let mut open = self.parts.iter().copied().filter(|&part| !store.is_fixed(part));
        match (open.next(), open.next()) {
            (None, _) => {
                store.kill(me);
                store.fix_small(self.all, 1)
            }
            (Some(last), None) if store.is(self.all, 0) => {
                store.kill(me);
                store.fix_small(last, 0)
            }
            (Some(last), None) => {
                store.kill(me);
                store.join(last, self.all)
            }
            _ => Ok(()),
        }
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let parts = self.parts.iter().map(|&part| Shown::Var(part));
        let all = parts.reduce(|all, part| Shown::binary("#/\\", all, part))?;
        Some(Shown::binary("#<==>", all, self.all.into()))
    }
}

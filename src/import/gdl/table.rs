//! Ground terms by numbers, and tables of them with indices.

use super::syntax::{Key, Term};
use crate::text;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;
use zug_term::watchdog;

/// The number of a ground term.
pub type TermId = u32;

/// Ground terms, each once.
#[derive(Clone, Default)]
pub struct Terms {
    names: Vec<String>,
    symbols: FxHashMap<String, u32>,
    terms: Vec<(u32, Box<[TermId]>)>,
    /// How deep each term is nested.
    depths: Vec<usize>,
    numbers: FxHashMap<(u32, Box<[TermId]>), TermId>,
}

impl Terms {
    /// The number of a name.
    pub fn symbol(&mut self, name: &str) -> u32 {
        if let Some(&symbol) = self.symbols.get(name) {
            return symbol;
        }
        let symbol = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.symbols.insert(name.to_owned(), symbol);
        symbol
    }

    /// The name that has a number.
    pub fn name(&self, symbol: u32) -> &str {
        &self.names[symbol as usize]
    }

    /// The number of a term.
    pub fn intern(&mut self, symbol: u32, args: &[TermId]) -> TermId {
        let term = (symbol, Box::from(args));
        if let Some(&id) = self.numbers.get(&term) {
            return id;
        }
        watchdog::step();
        let id = self.terms.len() as TermId;
        self.depths.push(args.iter().map(|&arg| self.depth(arg) + 1).max().unwrap_or(0));
        self.terms.push(term.clone());
        self.numbers.insert(term, id);
        id
    }

    pub fn count(&self) -> usize {
        self.terms.len()
    }

    /// Forgets all terms but the first.
    pub fn truncate(&mut self, len: usize) {
        self.depths.truncate(len);
        for term in self.terms.drain(len..) {
            self.numbers.remove(&term);
        }
    }

    /// The number of a term that is there.
    pub fn find(&self, name: &str, args: &[TermId]) -> Option<TermId> {
        let symbol = *self.symbols.get(name)?;
        self.numbers.get(&(symbol, Box::from(args))).copied()
    }

    /// Name and arguments of a term.
    pub fn get(&self, id: TermId) -> (u32, &[TermId]) {
        let (symbol, args) = &self.terms[id as usize];
        (*symbol, args)
    }

    /// Name and arguments of a term, the name as text.
    pub fn functor(&self, id: TermId) -> (&str, &[TermId]) {
        let (symbol, args) = self.get(id);
        (self.name(symbol), args)
    }

    /// Whether a term has a name and number of arguments.
    pub fn is_of(&self, id: TermId, (name, arity): &Key) -> bool {
        let (own, args) = self.functor(id);
        own == name && args.len() == *arity
    }

    /// A ground term by its number.
    pub fn term(&self, id: TermId) -> Term {
        watchdog::step();
        let (name, args) = self.functor(id);
        match args {
            [] => Term::Constant(name.to_owned()),
            args => {
                Term::Function(name.to_owned(), args.iter().map(|&arg| self.term(arg)).collect())
            }
        }
    }

    pub fn depth(&self, id: TermId) -> usize {
        self.depths[id as usize]
    }

    /// The standard order: integers, atoms, functions by arity, name and arguments.
    pub fn compare(&self, one: TermId, other: TermId) -> Ordering {
        watchdog::step();
        if one == other {
            return Ordering::Equal;
        }
        let ((name1, args1), (name2, args2)) = (self.functor(one), self.functor(other));
        if args1.is_empty() && args2.is_empty() {
            return compare_constants(name1, name2);
        }
        let heads = args1.len().cmp(&args2.len()).then_with(|| name1.cmp(name2));
        let mut pairs = args1.iter().zip(args2).map(|(&arg1, &arg2)| self.compare(arg1, arg2));
        heads.then_with(|| pairs.find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
    }

    /// A term in the rule language.
    pub fn show(&self, id: TermId) -> String {
        self.term(id).text(&|_| String::new())
    }
}

/// Integers by value, before atoms in alphabetical order.
fn compare_constants(one: &str, other: &str) -> Ordering {
    match (text::is_integer(one), text::is_integer(other)) {
        (true, true) => {
            let (minus1, minus2) = (one.starts_with('-'), other.starts_with('-'));
            let [one, other] = [one, other].map(|word| word.trim_start_matches('-'));
            let size = one.len().cmp(&other.len()).then(one.cmp(other));
            minus2.cmp(&minus1).then(if minus1 { size.reverse() } else { size })
        }
        (false, false) => one.cmp(other),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// Numbers of rows.
pub enum Found<'a> {
    All(Range<usize>),
    Some(std::slice::Iter<'a, usize>),
}

impl Iterator for Found<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Found::All(range) => range.next(),
            Found::Some(rows) => rows.next().copied(),
        }
    }
}

type Index = FxHashMap<Box<[TermId]>, Vec<usize>>;

/// Rows of terms, each once, in the order in which they came.
#[derive(Clone)]
pub struct Table {
    arity: usize,
    cells: Vec<TermId>,
    len: usize,
    known: FxHashSet<Box<[TermId]>>,
    /// By the columns that are known, rows by the values there.
    indices: FxHashMap<u64, Index>,
}

impl Table {
    pub fn new(arity: usize) -> Table {
        let (known, indices) = (FxHashSet::default(), FxHashMap::default());
        Table { arity, cells: Vec::new(), len: 0, known, indices }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.len = 0;
        self.known.clear();
        self.indices.values_mut().for_each(FxHashMap::clear);
    }

    pub fn row(&self, nth: usize) -> &[TermId] {
        &self.cells[nth * self.arity..(nth + 1) * self.arity]
    }

    pub fn rows(&self) -> impl Iterator<Item = &[TermId]> {
        (0..self.len).map(|nth| self.row(nth))
    }

    /// Adds a row, if it is new.
    pub fn insert(&mut self, row: &[TermId]) {
        if !self.known.insert(row.into()) {
            return;
        }
        self.cells.extend_from_slice(row);
        for (&mask, index) in &mut self.indices {
            index.entry(part(row, mask)).or_default().push(self.len);
        }
        self.len += 1;
    }

    /// Whether rows can be found by these columns.
    pub fn is_indexed(&self, mask: u64) -> bool {
        mask == 0 || self.indices.contains_key(&mask)
    }

    pub fn index(&mut self, mask: u64) {
        watchdog::steps(self.len);
        let mut index = Index::default();
        for nth in 0..self.len {
            index.entry(part(self.row(nth), mask)).or_default().push(nth);
        }
        self.indices.insert(mask, index);
    }

    /// The rows from `from` to `to` with these values in the columns of an index.
    pub fn find(&self, mask: u64, values: &[TermId], from: usize, to: usize) -> Found<'_> {
        if mask == 0 {
            return Found::All(from..to);
        }
        let rows = self.indices.get(&mask).and_then(|index| index.get(values));
        let rows = rows.map_or(&[][..], Vec::as_slice);
        let begin = rows.partition_point(|&nth| nth < from);
        let end = rows.partition_point(|&nth| nth < to);
        Found::Some(rows[begin..end].iter())
    }

    /// How many rows a question has on average, if some columns are known.
    pub fn expected(&self, known: impl Fn(usize) -> bool) -> f64 {
        let mut rows = self.len as f64;
        for column in (0..self.arity).filter(|&column| known(column)) {
            let values: FxHashSet<TermId> =
                self.rows().take(5_000).map(|row| row[column]).collect();
            rows /= values.len().max(1) as f64;
        }
        rows
    }
}

/// Whether no two of some different rows differ in one column alone.
pub fn is_determined<'r>(mut rows: impl Iterator<Item = &'r [TermId]>, column: usize) -> bool {
    let mut met = FxHashSet::default();
    rows.all(|row| met.insert([&row[..column], &row[column + 1..]].concat()))
}

fn part(row: &[TermId], mask: u64) -> Box<[TermId]> {
    let known = row.iter().enumerate().filter(|(nth, _)| *nth < 64 && mask >> nth & 1 == 1);
    known.map(|(_, &id)| id).collect()
}

/// Tables by the numbers of their relations.
#[derive(Clone, Default)]
pub struct Tables {
    pub all: Vec<Rc<Table>>,
    pub numbers: FxHashMap<Key, usize>,
    /// Static relations that hold of too many terms to be listed, and what depends on them.
    pub unlisted: FxHashSet<Key>,
}

impl Tables {
    /// The table of a relation, if anything was asked of it and what holds can be listed.
    pub fn rows(&self, key: &Key) -> Option<&Table> {
        let number = self.numbers.get(key).filter(|_| self.is_listed(key));
        number.map(|&number| &*self.all[number])
    }

    /// Whether what a relation holds of can be listed.
    pub fn is_listed(&self, key: &Key) -> bool {
        !self.unlisted.contains(key)
    }

    /// The number of a relation, which gets a table.
    pub fn number(&mut self, key: &Key) -> usize {
        if let Some(&number) = self.numbers.get(key) {
            return number;
        }
        self.all.push(Rc::new(Table::new(key.1)));
        self.numbers.insert(key.clone(), self.all.len() - 1);
        self.all.len() - 1
    }

    pub fn get_mut(&mut self, number: usize) -> &mut Table {
        Rc::make_mut(&mut self.all[number])
    }
}

//! What programs keep outside their clauses: global variables, flags that count,
//! the recorded database (SWI-Prolog's `nb_setval/2`, `flag/3`, `recorda/3`).

use super::{Entry, OrFault, World, args};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use zug_machine::{ClauseId, Kind, Machine, Outcome};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record, Value};

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::session("nb_setval", 2, nb_setval),
    Entry::session("b_setval", 2, b_setval),
    Entry::pure("nb_getval", 2, getval),
    Entry::pure("b_getval", 2, getval),
    Entry::pure("$nb_keys", 1, nb_keys),
    Entry::session("flag", 3, flag),
    Entry::session("recorda", 2, |m, w, a| record(m, w, a, true)).up_to(3),
    Entry::session("recordz", 2, |m, w, a| record(m, w, a, false)).up_to(3),
    Entry::pure("$record_references", 2, record_references),
    Entry::pure("$recorded", 3, recorded),
    Entry::pure("$record_keys", 1, record_keys),
    Entry::session("erase", 1, erase),
    Entry::pure("instance", 2, instance),
];

/// The store of one world.
#[derive(Clone, Default)]
pub struct Store {
    /// Global variables set for good.
    globals: FxHashMap<Atom, Record>,
    /// Values of `flag/3`.
    counters: FxHashMap<Cell, Record>,
    /// Recorded terms by number.
    records: FxHashMap<i64, RecordedTerm>,
    /// For each key, in the order of their first records, the numbers of its
    /// records by position.
    keys: Vec<(Cell, BTreeMap<i64, i64>)>,
    /// Where a key stands in `keys`.
    key_index: FxHashMap<Cell, usize>,
    /// The number of the next record.
    next: i64,
    /// Bytes of all these terms.
    bytes: usize,
}

/// Bytes of tables that a record takes in addition to its term.
const ENTRY: usize = 96;

impl Store {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Global variables set for good, in no order.
    pub fn globals(&self) -> impl Iterator<Item = (Atom, &Record)> {
        self.globals.iter().map(|(&name, value)| (name, value))
    }

    /// Values of `flag/3` by key, in no order: an atom, an integer, or the functor of a compound.
    pub fn counters(&self) -> impl Iterator<Item = (Cell, &Record)> {
        self.counters.iter().map(|(&key, value)| (key, value))
    }

    /// Recorded terms by key, those of a key in their order.
    pub fn records(&self) -> impl Iterator<Item = (Cell, &Record)> {
        let of = |number: &i64| &self.records[number].term;
        let all = self.keys.iter();
        all.flat_map(move |(key, numbers)| numbers.values().map(move |number| (*key, of(number))))
    }

    /// Counts a term that takes the place of another one.
    fn replaced(&mut self, old: Option<Record>, new: usize) {
        let old = old.map_or(0, |old| old.bytes() + ENTRY);
        self.bytes = (self.bytes + new + ENTRY).saturating_sub(old);
    }
}

/// A copy of a term for the store, if there is room for it.
fn copied(m: &mut Machine, cell: Cell) -> OrFault<Record> {
    let term = Record::new(&mut m.heap, cell);
    m.room_for(term.bytes())?;
    Ok(term)
}

/// A recorded term, with its key and place.
#[derive(Clone)]
struct RecordedTerm {
    key: usize,
    position: i64,
    term: Record,
}

fn nb_setval(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let name = args::atom(m, a[0])?;
    let value = copied(m, a[1])?;
    world.changes += 1;
    let bytes = value.bytes();
    let old = world.store.globals.insert(name, value);
    world.store.replaced(old, bytes);
    m.outside = world.held();
    m.unset_global(name);
    Ok(true)
}

fn b_setval(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let name = args::atom(m, a[0])?;
    world.changes += 1;
    m.set_global(name, a[1]);
    Ok(true)
}

/// `nb_getval/2`, `b_getval/2`: they read the same variables.
fn getval(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let name = args::atom(m, a[0])?;
    if let Some(value) = m.global(name) {
        return Ok(m.unify(a[1], value));
    }
    let Some(record) = world.store.globals.get(&name) else {
        return Err(m.existence_error("variable", a[0]));
    };
    let value = record.instantiate(&mut m.heap);
    if value.is_pointer() {
        // Later goals see the bindings of this one's variables.
        m.set_global(name, value);
    }
    Ok(m.unify(a[1], value))
}

/// `$nb_keys(Names)`: the global variables that have a value, sorted.
fn nb_keys(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let mut names: Vec<Atom> = world.store.globals.keys().copied().collect();
    names.sort_by(|x, y| m.symbols.name(*x).cmp(m.symbols.name(*y)));
    let names: Vec<Cell> = names.into_iter().map(Cell::atom).collect();
    Ok(args::unify_list(m, a[0], &names))
}

/// A key of `flag/3` or a record: an atom, an integer, or a compound, of which name
/// and arity count. Its cell identifies it: for a compound, the functor's.
fn key(m: &mut Machine, cell: Cell) -> OrFault<Cell> {
    match m.heap.value(cell) {
        Value::Var(_) => Err(m.instantiation_error()),
        Value::Atom(_) | Value::Int(_) => Ok(cell),
        Value::List(_) => Ok(Cell::functor(atoms::DOT, 2)),
        Value::Struct(name, arity, _) => Ok(Cell::functor(name, arity)),
        _ => Err(m.type_error("key", cell)),
    }
}

/// The term that a key stands for: a compound with fresh arguments.
fn key_term(m: &mut Machine, key: Cell) -> Cell {
    if !key.is_header() {
        return key;
    }
    let args: Vec<Cell> = (0..key.functor_arity()).map(|_| m.heap.new_var()).collect();
    m.heap.new_struct(key.functor_name(), &args)
}

/// `flag(Key, Old, New)`: Old is the value; the value of New replaces it.
fn flag(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let key = key(m, a[0])?;
    let old = match world.store.counters.get(&key) {
        Some(record) => record.instantiate(&mut m.heap),
        None => Cell::ZERO,
    };
    if !m.unify(a[1], old) {
        return Ok(false);
    }
    let new = m.eval(a[2])?;
    let new = copied(m, new)?;
    world.changes += 1;
    let bytes = new.bytes();
    let old = world.store.counters.insert(key, new);
    world.store.replaced(old, bytes);
    m.outside = world.held();
    Ok(true)
}

/// The name of the terms that refer to records.
const REFERENCE: &str = "$record";

/// `recorda/2,3`, `recordz/2,3`: `first` puts the term before the others of its key.
fn record(m: &mut Machine, world: &mut World, a: &[Cell], first: bool) -> Outcome {
    let key = key(m, a[0])?;
    if let Some(&reference) = a.get(2) {
        args::unbound(m, reference)?;
    }
    let term = copied(m, a[1])?;
    world.changes += 1;
    let store = &mut world.store;
    store.replaced(None, term.bytes());
    let number = store.next;
    store.next += 1;
    let next_key = store.keys.len();
    let at = *store.key_index.entry(key).or_insert(next_key);
    if at == next_key {
        store.keys.push((key, BTreeMap::new()));
    }
    let positions = &mut store.keys[at].1;
    let position = if first {
        positions.first_key_value().map_or(0, |(position, _)| position - 1)
    } else {
        positions.last_key_value().map_or(0, |(position, _)| position + 1)
    };
    positions.insert(position, number);
    store.records.insert(number, RecordedTerm { key: at, position, term });
    m.outside = world.held();
    match a.get(2) {
        Some(&reference) => {
            let made = args::compound(m, REFERENCE, &[Cell::small(number)]);
            Ok(m.unify(reference, made))
        }
        None => Ok(true),
    }
}

/// `$record_references(Key, References)`: of the records of Key, or all.
fn record_references(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let store = &world.store;
    let numbers: Vec<i64> = if a[0].is_var() {
        store.keys.iter().flat_map(|(_, positions)| positions.values().copied()).collect()
    } else {
        let key = key(m, a[0])?;
        match store.key_index.get(&key) {
            Some(&at) => store.keys[at].1.values().copied().collect(),
            None => return Ok(false),
        }
    };
    let reference = |number| args::compound(m, REFERENCE, &[Cell::small(number)]);
    let references: Vec<Cell> = numbers.into_iter().map(reference).collect();
    Ok(args::unify_list(m, a[1], &references))
}

/// The number in a reference to a record.
fn number_of(m: &mut Machine, cell: Cell) -> OrFault<i64> {
    let name = m.symbols.intern(REFERENCE);
    let number =
        m.heap.match_struct::<1>(cell, name).and_then(|[number]| m.heap.deref(number).as_int());
    number.ok_or_else(|| m.type_error("db_reference", cell))
}

/// `$recorded(Reference, Key, Term)`: fails when the record is erased.
fn recorded(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let number = number_of(m, a[0])?;
    let Some(found) = world.store.records.get(&number) else { return Ok(false) };
    let key = key_term(m, world.store.keys[found.key].0);
    if a[1].is_var() && !m.unify(a[1], key) {
        return Ok(false);
    }
    let term = found.term.instantiate(&mut m.heap);
    Ok(m.unify(a[2], term))
}

/// `$record_keys(Keys)`: the keys that have records.
fn record_keys(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let keys: Vec<Cell> = (world.store.keys.iter())
        .filter(|(_, positions)| !positions.is_empty())
        .map(|(key, _)| key_term(m, *key))
        .collect();
    Ok(args::unify_list(m, a[0], &keys))
}

/// The clause that a term is a reference to: whether it is one, and the clause if it is still there.
fn clause_in(m: &mut Machine, cell: Cell) -> Option<Option<ClauseId>> {
    let name = m.symbols.intern("$clause");
    let [number] = m.heap.match_struct::<1>(cell, name)?;
    Some(m.clause_of(number))
}

fn erase_clause(m: &mut Machine, id: ClauseId) -> Outcome {
    let pred = m.program.clauses[id as usize].pred;
    let predicate = &m.program.preds[pred as usize];
    if predicate.kind != Kind::Dynamic {
        let (name, arity) = (predicate.name, predicate.arity);
        return Err(super::database::no_permission(m, "modify", "static_procedure", name, arity));
    }
    let erased = m.program.erase(id);
    m.tidy(pred, false);
    Ok(erased)
}

fn erase(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    if let Some(clause) = clause_in(m, a[0]) {
        return match clause {
            Some(id) => erase_clause(m, id),
            None => Err(m.existence_error("db_reference", a[0])),
        };
    }
    let number = number_of(m, a[0])?;
    world.changes += 1;
    match world.store.records.remove(&number) {
        Some(found) => {
            world.store.keys[found.key].1.remove(&found.position);
            let freed = found.term.bytes() + ENTRY;
            world.store.bytes = world.store.bytes.saturating_sub(freed);
            m.outside = world.held();
            Ok(true)
        }
        None => Err(m.existence_error("db_reference", a[0])),
    }
}

fn instance(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    if let Some(clause) = clause_in(m, a[0]) {
        let Some(id) = clause else { return Ok(false) };
        let parts = [0; 2].map(|_| m.heap.new_var());
        let term = m.heap.new_struct(zug_term::symbol::atoms::NECK, &parts);
        return Ok(m.unify_clause(id, parts[0], parts[1]) && m.unify(a[1], term));
    }
    let number = number_of(m, a[0])?;
    let Some(found) = world.store.records.get(&number) else { return Ok(false) };
    let term = found.term.instantiate(&mut m.heap);
    Ok(m.unify(a[1], term))
}

//! Keys that tell clauses apart: of arguments, of what stands one level deep in them, and of several together.
//!
//! A key is a number made of what stands at *places* of a head; clauses that can match a call have its key, or none
//! because a variable stands there. Keys of different terms may be equal by chance: a selected clause need not match.
//! Places are *planned* when a predicate is called for the first time with these arguments bound, by counting keys:
//! the cheapest single place, and several together where they leave less than half as many clauses (compare the
//! just-in-time indexing of YAP and SWI-Prolog; Santos Costa, Sagonas and Lopes, "Demand-driven indexing of Prolog
//! clauses", ICLP 2007).

use super::clause::{Clause, deref, key_of};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use zug_term::Cell;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct Place {
    /// The argument.
    pub arg: u16,
    /// The argument of the compound that stands there.
    pub part: Option<u16>,
}

/// Places whose keys are taken together.
pub(super) type Places = Box<[Place]>;

/// Clauses up to which nothing is looked for that tells more of them apart.
pub(super) const FEW: usize = 8;
/// Parts of a compound that are looked at.
const PARTS: u16 = 4;
/// Arguments that are looked at: bits of a mask.
const ARGUMENTS: usize = 64;

/// What is asked to select clauses, by the arguments of a call that are bound.
#[derive(Clone, Debug)]
pub(super) struct Plans<T> {
    /// Tables to be asked, the most selective first, by a mask of arguments.
    plans: Vec<(u64, Box<[u16]>)>,
    tables: Vec<(Places, T)>,
    /// How many clauses there were when a plan was made last.
    planned_at: usize,
}

impl<T> Default for Plans<T> {
    fn default() -> Self {
        Plans { plans: Vec::new(), tables: Vec::new(), planned_at: 0 }
    }
}

/// Plans of a predicate at most: whoever calls with more combinations goes by what there is.
const MOST_PLANS: usize = 32;

impl<T> Plans<T> {
    /// The tables to be asked for a mask of bound arguments, if that is planned.
    #[inline]
    fn get(&self, mask: u64) -> Option<&[u16]> {
        self.plans.iter().find(|plan| plan.0 == mask).map(|plan| &*plan.1)
    }

    /// Whether it is planned what is asked for a mask of bound arguments.
    #[inline]
    pub fn is_planned(&self, mask: u64) -> bool {
        self.get(mask).is_some()
    }

    /// The shortest row that the tables planned for a mask of bound arguments have for a call, or the first that is
    /// short; `row` has the row of a table for a key, and its length.
    #[inline]
    pub fn shortest<R: Copy>(
        &self,
        mask: u64,
        (cells, call): (&[Cell], &[Cell]),
        row: impl Fn(&T, u64) -> (R, usize),
    ) -> Option<(R, usize)> {
        let mut best: Option<(R, usize)> = None;
        for &number in self.get(mask).into_iter().flatten() {
            let (places, table) = &self.tables[usize::from(number)];
            let Some(key) = call_key(cells, call, places) else { continue };
            let found = row(table, key);
            if best.is_none_or(|best| found.1 < best.1) {
                best = Some(found);
            }
            if best.is_some_and(|best| best.1 <= FEW) {
                break;
            }
        }
        best
    }

    /// All tables with their places.
    pub fn tables_mut(&mut self) -> impl Iterator<Item = (&[Place], &mut T)> {
        self.tables.iter_mut().map(|(places, table)| (&**places, table))
    }

    /// Clauses were added: what was planned for far fewer is planned again.
    pub fn grown(&mut self, count: usize) {
        if count > 2 * self.planned_at {
            self.plans.clear();
        }
    }

    /// Plans for a mask of bound arguments; `make` makes a table for places that have none.
    pub fn plan(
        &mut self,
        mask: u64,
        arity: usize,
        clauses: &[&Clause],
        mut make: impl FnMut(&[Place]) -> T,
    ) {
        if self.plans.len() >= MOST_PLANS {
            self.plans.pop();
        }
        self.planned_at = clauses.len();
        let mut numbers = Vec::new();
        for places in chosen(mask, arity, clauses) {
            let known = self.tables.iter().position(|(known, _)| *known == places);
            let number = known.unwrap_or_else(|| {
                let table = make(&places);
                self.tables.push((places, table));
                self.tables.len() - 1
            });
            numbers.push(number as u16);
        }
        self.plans.push((mask, numbers.into()));
    }
}

#[inline]
pub(super) fn bound(call: &[Cell], is_bound: impl Fn(Cell) -> bool) -> u64 {
    let mut mask = 0;
    for (i, &cell) in call.iter().take(ARGUMENTS).enumerate() {
        mask |= u64::from(is_bound(cell)) << i;
    }
    mask
}

/// How well places tell clauses apart.
struct Worth {
    places: Places,
    /// Clauses that a call has left, on average over its keys.
    left: usize,
    /// Clauses that a table lists in all.
    size: usize,
}

fn worth(places: &[Place], clauses: &[&Clause]) -> Worth {
    let (mut keys, mut keyed) = (FxHashSet::default(), 0);
    for clause in clauses {
        if let Some(key) = clause_key(clause, places) {
            keyed += 1;
            keys.insert(key);
        }
    }
    let open = clauses.len() - keyed;
    let left = open + keyed.div_ceil(keys.len().max(1));
    Worth { places: places.into(), left, size: keyed + open * (keys.len() + 1) }
}

/// Times that a table may list each clause, on average, when it is made.
pub(super) const MOST_LISTED: usize = 4;

/// The places that are worth to be asked for a mask of bound arguments, the most selective first.
fn chosen(mask: u64, arity: usize, clauses: &[&Clause]) -> Vec<Places> {
    let bound = |arg: &usize| mask >> arg & 1 == 1;
    let args: Vec<usize> = (0..arity.min(ARGUMENTS)).filter(bound).collect();
    let (mut singles, mut best_of_each) = (Vec::new(), Vec::new());
    for &arg in &args {
        let place = |part| Place { arg: arg as u16, part };
        let plain = worth(&[place(None)], clauses);
        let mut best = (place(None), plain.left);
        if plain.left > FEW {
            for part in 0..parts(clauses, arg) {
                let deep = worth(&[place(Some(part))], clauses);
                if deep.left * 2 <= best.1 && deep.size <= MOST_LISTED * clauses.len() {
                    best = (place(Some(part)), deep.left);
                    singles.push(deep);
                }
            }
        }
        best_of_each.push(best);
        singles.push(plain);
    }
    let largest = MOST_LISTED * clauses.len();
    singles.retain(|one| one.left * 2 <= clauses.len() && one.size <= largest);
    singles.sort_by_key(|one| one.left);
    singles.truncate(4);
    // Not the whole head is needed where fewer arguments do as well.
    best_of_each.sort_by_key(|&(_, left)| left);
    let mut together: Vec<Place> = Vec::new();
    let mut best = singles.first().map_or(clauses.len(), |one| one.left);
    let mut all: Vec<Worth> = Vec::new();
    for (place, _) in best_of_each {
        if best <= FEW {
            break;
        }
        together.push(place);
        if together.len() > 1 {
            let more = worth(&together, clauses);
            if more.left * 2 <= best && more.size <= largest {
                best = more.left;
                all.push(more);
            } else {
                together.pop();
            }
        }
    }
    all.reverse();
    all.into_iter().chain(singles).map(|one| one.places).collect()
}

/// How many parts of the compounds in an argument are looked at; none where few clauses have one there.
fn parts(clauses: &[&Clause], arg: usize) -> u16 {
    let (mut compounds, mut most) = (0, 0);
    for clause in clauses {
        let cells = &clause.record.cells;
        let Some(at) = argument(clause, arg) else { continue };
        let cell = deref(cells, cells[at]);
        let arity = match () {
            () if cell.is_list() => 2,
            () if cell.is_struct() => cells[cell.addr()].functor_arity(),
            () => continue,
        };
        compounds += 1;
        most = most.max(arity);
    }
    if compounds * 2 < clauses.len() { 0 } else { (most as u16).min(PARTS) }
}

/// The index key of an argument of a clause, if it has that argument and it is bound.
pub fn arg_key(clause: &Clause, arity: usize, arg: usize) -> Option<Cell> {
    let at = argument(clause, arg).filter(|_| arg < arity)?;
    let cells = &clause.record.cells;
    key_of(cells, deref(cells, cells[at]))
}

/// Where an argument of a clause's head stands in its image.
fn argument(clause: &Clause, arg: usize) -> Option<usize> {
    match clause.head() {
        list if list.is_list() => Some(list.addr() + arg),
        head if head.is_struct() => Some(head.addr() + 1 + arg),
        _ => None,
    }
}

/// The key that a clause has at some places; `None` if a variable stands at one of them.
pub(super) fn clause_key(clause: &Clause, places: &[Place]) -> Option<u64> {
    let cells = &clause.record.cells;
    together(places.iter().map(|place| {
        let at = argument(clause, usize::from(place.arg))?;
        key(cells, cells[at], place.part)
    }))
}

/// The key that a call has at some places; `None` if a variable stands at one of them.
#[inline]
fn call_key(cells: &[Cell], call: &[Cell], places: &[Place]) -> Option<u64> {
    together(places.iter().map(|place| key(cells, call[usize::from(place.arg)], place.part)))
}

/// Whether a clause with an index key may match a call with one.
#[inline]
pub(super) fn may_match(clause: Option<Cell>, call: Option<Cell>) -> bool {
    clause.zip(call).is_none_or(|(clause, call)| clause == call)
}

#[inline]
fn together(keys: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let mut all = 0u64;
    for key in keys {
        all = mix(all, key?);
    }
    Some(all)
}

#[inline]
fn mix(one: u64, other: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(one);
    hasher.write_u64(other);
    hasher.finish()
}

#[inline]
fn key(cells: &[Cell], cell: Cell, part: Option<u16>) -> Option<u64> {
    let cell = deref(cells, cell);
    let Some(part) = part else { return plain(cells, cell) };
    let part = usize::from(part);
    let own = plain(cells, cell)?;
    let (first, arity) = match () {
        () if cell.is_list() => (cell.addr(), 2),
        () if cell.is_struct() => (cell.addr() + 1, cells[cell.addr()].functor_arity()),
        () => return Some(own),
    };
    if part >= arity {
        return Some(own);
    }
    Some(mix(own, plain(cells, deref(cells, cells[first + part]))?))
}

/// The key of a dereferenced cell: as [`key_of`], but numbers and texts beyond a cell have keys of their own.
#[inline]
fn plain(cells: &[Cell], cell: Cell) -> Option<u64> {
    if !cell.is_boxed() {
        return key_of(cells, cell).map(|key| key.0);
    }
    let first = cell.addr();
    let mut hasher = FxHasher::default();
    for word in &cells[first..=first + cells[first].payload_words()] {
        hasher.write_u64(word.0);
    }
    Some(hasher.finish())
}

/// Rows of a table under construction, in which clauses without a key are in all.
pub(super) struct Rows<K, I> {
    pub keyed: FxHashMap<K, Vec<I>>,
    /// Those of calls whose key no clause has.
    pub other: Vec<I>,
    /// The keys in the order of their clauses.
    pub order: Vec<K>,
}

impl<K: Copy + Eq + Hash, I: Copy> Rows<K, I> {
    /// Sorts clauses by their keys; an item is what is listed of a clause.
    pub fn of(clauses: impl Iterator<Item = (Option<K>, I)>) -> Rows<K, I> {
        let mut rows = Rows { keyed: FxHashMap::default(), other: Vec::new(), order: Vec::new() };
        for (key, item) in clauses {
            match key {
                None => {
                    rows.other.push(item);
                    rows.keyed.values_mut().for_each(|row: &mut Vec<I>| row.push(item));
                }
                Some(key) => {
                    let new = || {
                        rows.order.push(key);
                        rows.other.clone()
                    };
                    rows.keyed.entry(key).or_insert_with(new).push(item);
                }
            }
        }
        rows
    }
}

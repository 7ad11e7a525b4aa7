//! Representations found by looking at states: which lists are sets, which grow and shrink.
//!
//! Nothing is proved of the states to come, and nothing has to be: a term that does not fit is packed
//! as it would be without. What is decided here is only which terms are of few leaves.

use crate::representation::{MOST_CAPACITY, MOST_ELEMENTS, MOST_LEAVES, Part, Universe};
use crate::sample::{HOLE, Sample, letters_of, taken_apart, with_keys};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use zug_term::{Cell, Heap, Record, compare};

/// Lists nested deeper than this are not looked into.
const DEEPEST: u32 = 8;
/// The fewest different lists that show a set.
const FEWEST_LISTS: usize = 4;
/// The fewest elements of sets that are all of one size: fewer are as well off in a list.
const FEWEST_ELEMENTS: usize = 4;
/// The fewest states in which a list has as many elements as there may be that show it.
const FEWEST_FULL: usize = 16;
/// How unlikely it is to be that the lists seen ascend by chance, as a natural logarithm.
const UNLIKELY: f64 = 8.0;
/// Integers of an element up to which those between are taken to be possible too.
const WIDEST: i64 = 32;
/// A universe may have so many elements more than a list, and so many times as many.
const SPARSE: (usize, usize) = (48, 16);

/// What is at one place of many terms.
#[derive(Clone, Copy)]
struct Column<'a> {
    /// What is there, by term.
    cells: &'a [Cell],
    /// The terms are the states of the sample.
    aligned: bool,
    /// How many lists are around it.
    depth: u32,
}

impl Sample<'_> {
    /// A representation of the states, if there are lists in them that are sets or of no fixed length,
    /// and those can be represented.
    pub fn representation(&self) -> Option<Part> {
        let cells: Vec<Cell> = self.states.iter().map(|&cell| self.heap.deref(cell)).collect();
        let whole = self.part(Column { cells: &cells, aligned: true, depth: 0 })?;
        (whole.is_of_use() && whole.leaves() > 0 && whole.leaves() <= MOST_LEAVES).then_some(whole)
    }

    fn part(&self, column: Column<'_>) -> Option<Part> {
        let cells = column.cells;
        if cells.iter().all(|cell| !cell.is_compound()) {
            return Some(Part::Leaf(self.filler(cells)));
        }
        let header = |cell: &Cell| cell.is_struct().then(|| self.heap.at(cell.addr()));
        if let Some(first) = header(cells.first()?) {
            if cells.iter().any(|cell| header(cell) != Some(first)) {
                return None;
            }
            let argument = |cell: &Cell, place| self.heap.deref(self.heap.at(cell.addr() + place));
            let columns: Vec<Vec<Cell>> = (1..=first.functor_arity())
                .map(|place| cells.iter().map(|cell| argument(cell, place)).collect())
                .collect();
            return Some(Part::Struct(first, self.beside(&columns, column)?.into()));
        }
        if column.depth >= DEEPEST {
            return None;
        }
        let lists: Option<Vec<Vec<Cell>>> =
            cells.iter().map(|&cell| self.heap.proper_list(cell)).collect();
        let mut lists = lists?;
        for item in lists.iter_mut().flatten() {
            *item = self.heap.deref(*item);
        }
        self.lists(&lists, column)
    }

    /// What is there in the place of an element that is not: the least of what was.
    fn filler(&self, cells: &[Cell]) -> Cell {
        let known = cells.iter().copied().filter(|cell| cell.is_atom() || cell.is_int());
        let least = known.min_by(|&a, &b| self.order(a, b));
        least.unwrap_or(Cell::ZERO)
    }

    fn order(&self, one: Cell, other: Cell) -> Ordering {
        compare(self.heap, self.symbols, one, other)
    }

    /// The parts of a structure or of a list of fixed length. Where elements only go from one list to
    /// another, each list has room for all of them.
    fn beside(&self, columns: &[Vec<Cell>], around: Column<'_>) -> Option<Vec<Part>> {
        let depth = around.depth + 1;
        let parts: Option<Vec<Part>> = columns
            .iter()
            .map(|cells| self.part(Column { cells, aligned: around.aligned, depth }))
            .collect();
        let mut parts = parts?;
        let padded: Vec<usize> =
            (0..parts.len()).filter(|&at| matches!(parts[at], Part::Padded(..))).collect();
        if padded.len() > 1 {
            let length = |cell: Cell| self.heap.items(cell).count();
            let mut totals = (0..around.cells.len())
                .map(|row| padded.iter().map(|&at| length(columns[at][row])).sum::<usize>());
            let total = totals.next().filter(|&total| total <= MOST_CAPACITY);
            if let Some(total) = total.filter(|&total| totals.all(|other| other == total)) {
                let longest = padded.iter().flat_map(|&at| &columns[at]).map(|&list| length(list));
                let longest = longest.max().unwrap_or(total);
                let full =
                    |&row: &usize| padded.iter().any(|&at| length(columns[at][row]) == longest);
                let rows = (0..around.cells.len()).filter(full);
                let is_bound = around.aligned && longest > 1 && self.is_bound(rows);
                let room = if is_bound { longest } else { total };
                for at in padded {
                    if let Part::Padded(_, capacity) = &mut parts[at] {
                        *capacity = room;
                    }
                }
            }
        }
        Some(parts)
    }

    /// Whether a list can't be longer than in some states: many of them lead to others, and to none in
    /// which it is.
    fn is_bound(&self, full: impl Iterator<Item = usize>) -> bool {
        let leads: FxHashSet<usize> = self.from.iter().copied().flatten().collect();
        full.filter(|row| leads.contains(row)).take(FEWEST_FULL).count() == FEWEST_FULL
    }

    fn lists(&self, lists: &[Vec<Cell>], column: Column<'_>) -> Option<Part> {
        let longest = lists.iter().map(Vec::len).max()?;
        let fixed = lists.iter().all(|list| list.len() == longest);
        if let Some(universe) = self.universe(lists, fixed, column.aligned) {
            return Some(Part::Set(universe));
        }
        if fixed {
            let columns: Vec<Vec<Cell>> =
                (0..longest).map(|at| lists.iter().map(|list| list[at]).collect()).collect();
            let mut parts = self.beside(&columns, column)?;
            if let Some(keys) = self.keys(&columns) {
                for (part, cells) in parts.iter_mut().zip(&columns) {
                    with_keys(self.heap, part, &keys, cells[0]);
                }
            }
            return Some(Part::List(parts.into()));
        }
        let elements: Vec<Cell> = lists.iter().flatten().copied().collect();
        let inner = Column { cells: &elements, aligned: false, depth: column.depth + 1 };
        let mut element = self.part(inner)?;
        let is_bound = column.aligned && {
            let full = |row: usize| lists[row].len() == longest;
            self.is_bound((0..lists.len()).filter(|&row| full(row)))
        };
        let more = if self.whole || is_bound { 0 } else { (longest / 2).max(2) };
        let mut capacity = (longest <= MOST_CAPACITY).then(|| MOST_CAPACITY.min(longest + more))?;
        if let Part::Padded(_, inner) = &mut element {
            // Elements of elements that only go from one to another.
            let length = |cell: &Cell| self.heap.items(*cell).count();
            let mut totals = lists.iter().map(|list| list.iter().map(length).sum::<usize>());
            let total = totals.next().filter(|&total| total <= MOST_CAPACITY)?;
            if totals.all(|other| other == total) {
                *inner = total;
                if elements.iter().all(|&cell| cell != Cell::NIL) {
                    capacity = capacity.min(total);
                }
            }
        }
        Some(Part::Padded(Box::new(element), capacity))
    }

    /// The universe of lists that are sets, if they look like it.
    fn universe(&self, lists: &[Vec<Cell>], fixed: bool, aligned: bool) -> Option<Universe> {
        let ascends = |list: &Vec<Cell>| {
            list.windows(2).all(|pair| self.order(pair[0], pair[1]) == Ordering::Less)
        };
        // The first state may be written down in another order than that in which moves leave it.
        let of = |list: &Vec<Cell>| {
            list.iter().map(|&element| letters_of(self.heap, element)).collect::<Option<Vec<_>>>()
        };
        let (ordered, others): (Vec<&Vec<Cell>>, Vec<&Vec<Cell>>) =
            lists.iter().partition(|list| ascends(list));
        if !others.is_empty() {
            let first = of(&lists[0])?;
            if !aligned || others.iter().any(|list| of(list).is_none_or(|list| list != first)) {
                return None;
            }
        }
        // Elements with the place where each was first, and the lists that differ, with their lengths.
        let mut elements: FxHashMap<Vec<Cell>, usize> = FxHashMap::default();
        let mut different: FxHashMap<Vec<Cell>, usize> = FxHashMap::default();
        let mut moves = false;
        for list in ordered {
            let mut whole = Vec::new();
            for (place, &element) in list.iter().enumerate() {
                let key = letters_of(self.heap, element)?;
                whole.extend_from_slice(&key);
                moves |= *elements.entry(key).or_insert(place) != place;
                if elements.len() > MOST_ELEMENTS {
                    return None;
                }
            }
            different.insert(whole, list.len());
        }
        let longest = lists.iter().map(Vec::len).max()?;
        // The orders in which the elements of a list might be: n factorial.
        let orders = |&length: &usize| (2..=length).map(|n| (n as f64).ln()).sum::<f64>();
        let is_unlikely = different.len() >= FEWEST_LISTS
            && different.values().map(orders).sum::<f64>() >= UNLIKELY;
        let is_set = (is_unlikely
            || self.tentative && different.values().any(|&length| length > 1))
            && (!fixed || moves && longest >= FEWEST_ELEMENTS)
            && (others.is_empty() || is_unlikely)
            && !(aligned && self.changes_at_an_end(lists));
        let universe = is_set.then(|| self.closed(elements.into_keys().collect()))??;
        (universe.elements().len() <= SPARSE.0 + SPARSE.1 * longest).then_some(universe)
    }

    /// Whether all moves take elements away or put them down at one end of a list: a stack or a queue,
    /// which happens to be in order.
    fn changes_at_an_end(&self, lists: &[Vec<Cell>]) -> bool {
        let letters = |list: &Vec<Cell>| {
            list.iter().map(|&element| letters_of(self.heap, element)).collect::<Vec<_>>()
        };
        let (mut at_front, mut at_back, mut changes) = (true, true, 0);
        for (list, from) in lists.iter().zip(self.from) {
            let Some(from) = from else { continue };
            let (one, other) = (letters(&lists[*from]), letters(list));
            if one != other {
                changes += 1;
                at_front &= one.ends_with(&other) || other.ends_with(&one);
                at_back &= one.starts_with(&other) || other.starts_with(&one);
            }
        }
        changes > 0 && (at_front || at_back)
    }

    /// The values of the leaves of elements, by leaf, with those that other terms have which are alike:
    /// integers, and atoms where there is one in common.
    fn with_others(&self, skeleton: &[Cell], own: &[FxHashSet<Cell>]) -> Vec<FxHashSet<Cell>> {
        let mut all = own.to_vec();
        if self.tentative || skeleton.len() < 2 {
            return all;
        }
        for (values, met) in all.iter_mut().zip(self.met_of(skeleton)) {
            let ints = |values: &FxHashSet<Cell>| values.iter().all(|cell| cell.is_int());
            if ints(values) && ints(&met) || !ints(values) && !values.is_disjoint(&met) {
                values.extend(met);
            }
        }
        all
    }

    /// A universe with elements that are likely to come: where those met are alike but for small
    /// integers and atoms, all integers between, in all combinations, if these are not too many.
    fn closed(&self, elements: Vec<Vec<Cell>>) -> Option<Universe> {
        // By skeleton: the leaves of the elements.
        let mut groups: FxHashMap<Vec<Cell>, Vec<Vec<Cell>>> = FxHashMap::default();
        for element in elements {
            let (skeleton, leaves) = taken_apart(&element);
            groups.entry(skeleton).or_default().push(leaves);
        }
        let (mut heap, mut terms) = (Heap::new(), Vec::new());
        let seen: usize = groups.values().map(Vec::len).sum();
        let mut room = MOST_ELEMENTS.checked_sub(seen)?;
        let mut groups: Vec<(Vec<Cell>, Vec<Vec<Cell>>)> = groups.into_iter().collect();
        let words =
            |skeleton: &[Cell]| skeleton.iter().map(|letter| letter.0).collect::<Vec<u64>>();
        groups.sort_by_cached_key(|(skeleton, _)| words(skeleton));
        for (skeleton, mut members) in groups {
            members.sort_by_cached_key(|leaves| words(leaves));
            let own: Vec<FxHashSet<Cell>> = (0..members[0].len())
                .map(|place| members.iter().map(|leaves| leaves[place]).collect())
                .collect();
            // What stands elsewhere in terms that are alike is likely to come here, too.
            let with_others = self.with_others(&skeleton, &own);
            for values in [with_others, own] {
                let columns: Vec<Vec<Cell>> = values.into_iter().map(between).collect();
                let all =
                    columns.iter().try_fold(1, |all: usize, column| all.checked_mul(column.len()));
                if let Some(more) = all.and_then(|all| all.checked_sub(members.len()))
                    && more <= room
                    && more <= FEW_MORE + 3 * members.len()
                {
                    room -= more;
                    members = combinations(&columns);
                    break;
                }
            }
            for leaves in members {
                let mut leaves = leaves.into_iter();
                let mut letters = skeleton.iter().map(|&letter| match letter {
                    HOLE => leaves.next().expect("there is a leaf for each hole"),
                    letter => letter,
                });
                terms.push(term_of(&mut heap, &mut letters));
            }
        }
        terms.sort_by(|&a, &b| compare(&heap, self.symbols, a, b));
        Universe::new(terms.into_iter().map(|term| Record::new(&mut heap, term)).collect())
    }
}

/// Elements that are added to a few that were met.
const FEW_MORE: usize = 32;

/// Values, ascending, and the integers between them if they are not far apart.
fn between(all: FxHashSet<Cell>) -> Vec<Cell> {
    let ints = || all.iter().filter_map(|cell| cell.as_int());
    let mut values: Vec<Cell> = match (ints().min(), ints().max()) {
        (Some(low), Some(high)) if ints().count() == all.len() && high - low <= WIDEST => {
            (low..=high).map(Cell::small).collect()
        }
        _ => all.into_iter().collect(),
    };
    values.sort_unstable_by_key(|cell| cell.0);
    values
}

fn combinations(columns: &[Vec<Cell>]) -> Vec<Vec<Cell>> {
    let mut all = vec![Vec::new()];
    for column in columns {
        let longer =
            |some: Vec<Cell>| column.iter().map(move |&cell| [some.clone(), vec![cell]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

fn term_of(heap: &mut Heap, letters: &mut impl Iterator<Item = Cell>) -> Cell {
    let letter = letters.next().expect("a term has a first letter");
    if letter.is_list() {
        let [head, tail] = [term_of(heap, letters), term_of(heap, letters)];
        heap.new_list(head, tail)
    } else if letter.is_header() {
        let arguments: Vec<Cell> =
            (0..letter.functor_arity()).map(|_| term_of(heap, letters)).collect();
        heap.new_struct(letter.functor_name(), &arguments)
    } else {
        letter
    }
}

//! Samples of states, and what the elements of their lists have in common: the values of each leaf, and the leaves that
//! are the keys of a list.

use crate::representation::{LARGEST_ELEMENT, Part, letters};
use rustc_hash::FxHashSet;
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap};

/// Terms that are looked at for values.
const MOST_TERMS: usize = 100_000;
/// The fewest terms of which a leaf that is always the same is taken for a constant.
const FEWEST_TERMS: usize = 8;

/// In a skeleton: a leaf.
pub const HOLE: Cell = Cell::functor(zug_term::symbol::atoms::NIL, 0);

/// The letters of an element of a set; `None` if a term can't be one.
pub fn letters_of(heap: &Heap, element: Cell) -> Option<Vec<Cell>> {
    let mut all = Vec::new();
    let is_one = letters(heap, element, |letter| {
        all.push(letter);
        true
    });
    is_one.then_some(all)
}

/// The skeleton of an element, with holes for its leaves, and those.
pub fn taken_apart(letters: &[Cell]) -> (Vec<Cell>, Vec<Cell>) {
    let is_leaf = |letter: &Cell| letter.is_atom() || letter.is_int();
    let skeleton = letters.iter().map(|letter| if is_leaf(letter) { HOLE } else { *letter });
    (skeleton.collect(), letters.iter().copied().filter(is_leaf).collect())
}

/// States of a domain, on one heap.
pub struct Sample<'a> {
    /// The heap.
    pub heap: &'a Heap,
    /// The names on it.
    pub symbols: &'a Symbols,
    /// The states, each once.
    pub states: &'a [Cell],
    /// By state: one from which a move leads to it.
    pub from: &'a [Option<usize>],
    /// These are all that can be reached.
    pub whole: bool,
    /// There are few of them, and what may be a set is taken for one.
    pub tentative: bool,
}

impl Sample<'_> {
    /// By leaf of a skeleton, the values that are met anywhere in the states in terms that have it.
    pub(crate) fn met_of(&self, skeleton: &[Cell]) -> Vec<FxHashSet<Cell>> {
        let holes = skeleton.iter().filter(|&&letter| letter == HOLE).count();
        let mut met: Vec<FxHashSet<Cell>> = vec![FxHashSet::default(); holes];
        let (mut left, mut waiting) = (MOST_TERMS, Vec::new());
        for &state in self.states {
            waiting.push((state, false));
            while let Some((term, is_tail)) = waiting.pop() {
                let cell = self.heap.deref(term);
                if left == 0 {
                    return met;
                }
                left -= 1;
                if !cell.is_compound() || cell.is_boxed() {
                    continue;
                }
                let first = if cell.is_list() { Cell::list(0) } else { self.heap.at(cell.addr()) };
                if !is_tail
                    && skeleton.first() == Some(&first)
                    && let Some(letters) = letters_of(self.heap, cell)
                    && let (other, leaves) = taken_apart(&letters)
                    && other == skeleton
                {
                    met.iter_mut().zip(leaves).for_each(|(met, leaf)| {
                        met.insert(leaf);
                    });
                    continue;
                }
                if cell.is_list() {
                    let [head, tail] = [0, 1].map(|at| self.heap.at(cell.addr() + at));
                    waiting.extend([(head, false), (tail, true)]);
                } else {
                    let arguments = 1..=first.functor_arity();
                    waiting.extend(arguments.map(|at| (self.heap.at(cell.addr() + at), false)));
                }
            }
        }
        met
    }

    /// Which leaves of the elements of a list of fixed length are its keys: always the same in each
    /// place, and in no two places the same. An atom alone is a key, as a name is; integers are one
    /// together, as a row and a column are. By place, the columns of elements.
    pub(crate) fn keys(&self, columns: &[Vec<Cell>]) -> Option<Vec<bool>> {
        let rows = columns.first()?.len();
        if columns.len() < 2 || rows < FEWEST_TERMS && !self.whole {
            return None;
        }
        let mut shared: Option<(Vec<Cell>, Vec<bool>)> = None;
        let mut firsts = Vec::with_capacity(columns.len());
        for column in columns {
            let (skeleton, first) = taken_apart(&letters_of(self.heap, column[0])?);
            let (known, is_same) =
                shared.get_or_insert_with(|| (skeleton.clone(), vec![true; first.len()]));
            if *known != skeleton || skeleton.len() < 2 || skeleton.len() > LARGEST_ELEMENT {
                return None;
            }
            for &element in &column[1..] {
                let (other, leaves) = taken_apart(&letters_of(self.heap, element)?);
                if other != *known {
                    return None;
                }
                for (same, pair) in is_same.iter_mut().zip(first.iter().zip(&leaves)) {
                    *same &= pair.0 == pair.1;
                }
            }
            firsts.push(first);
        }
        let (_, is_same) = shared?;
        let differ = |key: &dyn Fn(&[Cell]) -> Vec<Cell>| {
            let keys: FxHashSet<Vec<Cell>> = firsts.iter().map(|leaves| key(leaves)).collect();
            keys.len() == firsts.len()
        };
        let always = |leaf: usize, is: fn(Cell) -> bool| {
            is_same[leaf] && firsts.iter().all(|leaves| is(leaves[leaf]))
        };
        let is_name =
            |&leaf: &usize| always(leaf, Cell::is_atom) && differ(&|leaves| vec![leaves[leaf]]);
        let name = (0..is_same.len()).find(is_name);
        let numbers: Vec<usize> =
            (0..is_same.len()).filter(|&leaf| always(leaf, Cell::is_int)).collect();
        let keys = match name {
            Some(name) => vec![name],
            None if differ(&|leaves| numbers.iter().map(|&leaf| leaves[leaf]).collect()) => numbers,
            None => return None,
        };
        let are_all = keys.len() == is_same.len();
        (!are_all).then(|| (0..is_same.len()).map(|leaf| keys.contains(&leaf)).collect())
    }
}

/// Makes the leaves of an element that are keys constants: what they are in one of the terms. An
/// element with a list in it stays as it is.
pub fn with_keys(heap: &Heap, part: &mut Part, keys: &[bool], element: Cell) {
    let Some(letters) = letters_of(heap, element) else { return };
    if part.is_of_use() || part.leaves() != keys.len() {
        return;
    }
    let (_, leaves) = taken_apart(&letters);
    let mut next = 0;
    fix(part, &mut |part| {
        if keys[next] {
            *part = Part::Constant(leaves[next]);
        }
        next += 1;
    });
}

/// Calls `visit` with the leaves of a part without lists of other lengths, in order.
fn fix(part: &mut Part, visit: &mut impl FnMut(&mut Part)) {
    match part {
        Part::Leaf(_) => visit(part),
        Part::List(parts) | Part::Struct(_, parts) => {
            parts.iter_mut().for_each(|part| fix(part, visit));
        }
        Part::Constant(_) | Part::Set(_) | Part::Padded(..) | Part::Variables(_) => {}
    }
}

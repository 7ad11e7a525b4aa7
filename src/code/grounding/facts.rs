//! Facts that can be reached, by number, and where they are found.

use super::schema::SetId;
use crate::merging::in_heap;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use zug_state::representation::letters;
use zug_symbolic::{Shape, Store, Term};
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap, Record, compare};

/// The number of a fact.
pub type Fact = u32;

/// The functor of a term, or itself if it is an atom or an integer, and how many arguments it has.
pub fn functor(store: &Store, term: Term) -> Option<(Cell, usize)> {
    Some(match store.shape(term) {
        Shape::Constant(cell) => (*cell, 0),
        Shape::Pair(..) => (Cell::list(0), 2),
        Shape::Struct(header, parts) => (*header, parts.len()),
        _ => return None,
    })
}

/// An argument of a compound term, counted from 0.
pub fn argument(store: &Store, term: Term, at: usize) -> Term {
    match store.shape(term) {
        Shape::Pair(head, tail) => [*head, *tail][at],
        Shape::Struct(_, parts) => parts[at],
        _ => term,
    }
}

/// Two ground terms in the standard order.
pub fn compared(store: &Store, symbols: &Symbols, one: Term, other: Term) -> Ordering {
    let mut heap = Heap::new();
    let [one, other] = [one, other].map(|term| in_heap(store, &mut heap, term));
    compare(&heap, symbols, one, other)
}

/// Facts: elements of sets.
#[derive(Default)]
pub struct Facts {
    all: Vec<(SetId, Term)>,
    heap: Heap,
    /// By fact: the term on the heap.
    cells: Vec<Cell>,
    numbers: FxHashMap<(SetId, Term), Fact>,
    by_set: FxHashMap<SetId, Vec<Fact>>,
    by_functor: FxHashMap<(SetId, Cell), Vec<Fact>>,
    by_argument: FxHashMap<(SetId, Cell, usize, Term), Vec<Fact>>,
}

impl Facts {
    /// How many facts there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The set that a fact is in, and what it is.
    pub fn get(&self, fact: Fact) -> (SetId, Term) {
        self.all[fact as usize]
    }

    /// The number of a fact.
    pub fn find(&self, set: SetId, term: Term) -> Option<Fact> {
        self.numbers.get(&(set, term)).copied()
    }

    /// The facts of a set, ascending.
    pub fn of_set(&self, set: SetId) -> &[Fact] {
        list(self.by_set.get(&set))
    }

    /// A fact as a term of a heap.
    pub fn cell(&self, fact: Fact) -> (&Heap, Cell) {
        (&self.heap, self.cells[fact as usize])
    }

    /// A fact as a record.
    pub fn record(&mut self, fact: Fact) -> Record {
        Record::new(&mut self.heap, self.cells[fact as usize])
    }

    /// Adds a fact, unless it is known; `None` if it can be no element of a packed state.
    pub fn add(&mut self, store: &Store, set: SetId, term: Term) -> Option<()> {
        if self.numbers.contains_key(&(set, term)) {
            return Some(());
        }
        let cell = store.is_ground(term).then(|| in_heap(store, &mut self.heap, term))?;
        if !letters(&self.heap, cell, |_| true) {
            return None;
        }
        let fact = self.all.len() as Fact;
        self.numbers.insert((set, term), fact);
        self.all.push((set, term));
        self.cells.push(cell);
        self.by_set.entry(set).or_default().push(fact);
        let (functor, arity) = functor(store, term)?;
        self.by_functor.entry((set, functor)).or_default().push(fact);
        for at in 0..arity {
            let key = (set, functor, at, argument(store, term, at));
            self.by_argument.entry(key).or_default().push(fact);
        }
        Some(())
    }

    /// Facts among which all are that a pattern matches, ascending.
    pub fn candidates(&self, store: &Store, set: SetId, pattern: Term) -> &[Fact] {
        let Some((functor, arity)) = functor(store, pattern) else { return self.of_set(set) };
        let mut best = list(self.by_functor.get(&(set, functor)));
        for at in 0..arity {
            let argument = argument(store, pattern, at);
            if store.is_ground(argument) {
                let found = list(self.by_argument.get(&(set, functor, at, argument)));
                if found.len() < best.len() {
                    best = found;
                }
            }
        }
        best
    }
}

fn list(found: Option<&Vec<Fact>>) -> &[Fact] {
    found.map_or(&[], |found| found)
}

//! Facts that can be reached, by number, and where they are found.

use super::schema::SetId;
use rustc_hash::FxHashMap;
use zug_symbolic::{Shape, Store, Term};
use zug_term::Cell;

/// The number of a fact.
pub type Fact = u32;

/// What a fact begins with.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    Atomic(Term),
    List,
    Structure(Cell),
}

impl Name {
    fn of(store: &Store, term: Term) -> Option<Name> {
        Some(match store.shape(term) {
            Shape::Constant(_) | Shape::Boxed(_) => Name::Atomic(term),
            Shape::Pair(..) => Name::List,
            Shape::Struct(header, _) => Name::Structure(*header),
            _ => return None,
        })
    }
}

/// Facts: elements of sets.
#[derive(Default)]
pub struct Facts {
    all: Vec<(SetId, Term)>,
    numbers: FxHashMap<(SetId, Term), Fact>,
    by_set: FxHashMap<SetId, Vec<Fact>>,
    by_name: FxHashMap<(SetId, Name), Vec<Fact>>,
    by_argument: FxHashMap<(SetId, Name, u32, Term), Vec<Fact>>,
}

impl Facts {
    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, fact: Fact) -> (SetId, Term) {
        self.all[fact as usize]
    }

    pub fn find(&self, set: SetId, term: Term) -> Option<Fact> {
        self.numbers.get(&(set, term)).copied()
    }

    /// Adds a ground fact, which is not found by [`Facts::candidates`] yet; whether it is new.
    pub fn add(&mut self, set: SetId, term: Term) -> bool {
        let next = self.all.len() as Fact;
        let is_new = *self.numbers.entry((set, term)).or_insert(next) == next;
        if is_new {
            self.all.push((set, term));
        }
        is_new
    }

    /// Has a fact found.
    pub fn index(&mut self, store: &Store, fact: Fact) {
        let (set, term) = self.get(fact);
        self.by_set.entry(set).or_default().push(fact);
        let Some(name) = Name::of(store, term) else { return };
        self.by_name.entry((set, name)).or_default().push(fact);
        for (at, argument) in arguments(store, term) {
            self.by_argument.entry((set, name, at, argument)).or_default().push(fact);
        }
    }

    /// Facts among which all are that a pattern matches.
    pub fn candidates(&self, store: &Store, set: SetId, pattern: Term) -> &[Fact] {
        let Some(name) = Name::of(store, pattern) else { return list(self.by_set.get(&set)) };
        let mut best = list(self.by_name.get(&(set, name)));
        for (at, argument) in arguments(store, pattern) {
            if store.is_ground(argument) {
                let found = list(self.by_argument.get(&(set, name, at, argument)));
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

fn arguments(store: &Store, term: Term) -> impl Iterator<Item = (u32, Term)> {
    let parts = match store.shape(term) {
        Shape::Struct(_, parts) => parts.to_vec(),
        Shape::Pair(head, tail) => vec![*head, *tail],
        _ => Vec::new(),
    };
    (0..).zip(parts)
}

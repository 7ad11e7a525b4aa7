//! The terms of states that are represented: lists whose elements are there by condition.

use crate::merging::Reader;
use rustc_hash::FxHashMap;
use zug_state::Word;
use zug_state::representation::Part;
use zug_state::variables::{Elements, Place, Template};
use zug_symbolic::{Condition, Guarded, Leaf, Relation, Store, Term};
use zug_term::{Cell, Heap};

/// Where leaves of lists are useful: what belongs to an element that is not there is a filler.
#[derive(Default)]
pub struct Presence {
    /// By leaf of an element: where the element is there, and the filler.
    pub elements: FxHashMap<Leaf, (Condition, Cell)>,
    /// By condition: the leaf that is 1 where it holds and 0 where it does not.
    pub flags: FxHashMap<Condition, Leaf>,
}

/// The term of a representation whose leaves are the store's, with what is known of the leaves.
pub fn term_of(store: &mut Store, heap: &mut Heap, whole: &Part) -> Option<(Term, Presence)> {
    let mut reader = Maker { store, heap, next: 0, presence: Presence::default() };
    let term = reader.part(whole, Condition::ALWAYS)?;
    Some((term, reader.presence))
}

struct Maker<'a> {
    store: &'a mut Store,
    heap: &'a mut Heap,
    next: u32,
    presence: Presence,
}

impl Maker<'_> {
    fn leaf(&mut self) -> Leaf {
        self.next += 1;
        Leaf(self.next - 1)
    }

    fn part(&mut self, part: &Part, there: Condition) -> Option<Term> {
        Some(match part {
            Part::Leaf(filler) => {
                let leaf = self.leaf();
                if there != Condition::ALWAYS {
                    self.presence.elements.insert(leaf, (there, *filler));
                }
                self.store.leaf(leaf)
            }
            Part::Constant(constant) => self.store.constant(*constant),
            Part::List(parts) => {
                let items: Option<Vec<Term>> =
                    parts.iter().map(|part| self.part(part, there)).collect();
                let nil = self.store.constant(Cell::NIL);
                self.store.list(&items?, nil)
            }
            Part::Struct(header, parts) => {
                let parts: Option<Vec<Term>> =
                    parts.iter().map(|part| self.part(part, there)).collect();
                self.store.structure(*header, parts?)
            }
            Part::Set(universe) => {
                let mut elements: Vec<Guarded> = Vec::with_capacity(universe.elements().len());
                for element in universe.elements() {
                    let leaf = self.leaf();
                    let is = self.store.is_value(leaf, Cell::small(1));
                    if !matches!(is, Condition::ALWAYS | Condition::NEVER) {
                        self.presence.flags.entry(is).or_insert(leaf);
                    }
                    let cell = element.instantiate(self.heap);
                    elements.push((is, Reader::new(self.heap).term(self.store, cell)?));
                }
                self.store.present(elements)
            }
            Part::Variables(variables) => self.template(&variables.template)?,
            Part::Padded(element, capacity) => {
                let length = self.leaf();
                if there != Condition::ALWAYS {
                    self.presence.elements.insert(length, (there, Cell::ZERO));
                }
                let length = self.store.leaf(length);
                let mut elements: Vec<Guarded> = Vec::with_capacity(*capacity);
                for place in 0..*capacity {
                    let place = self.store.constant(Cell::small(place as i64));
                    let here = self.store.compare(Relation::Less, place, length);
                    let within = self.store.both(there, here);
                    elements.push((here, self.part(element, within)?));
                }
                self.store.present(elements)
            }
        })
    }

    /// A state whose leaves are variables.
    fn template(&mut self, template: &Template) -> Option<Term> {
        Some(match template {
            Template::Constant(constant) => self.store.constant(*constant),
            Template::Struct(header, parts) => {
                let parts: Option<Vec<Term>> =
                    parts.iter().map(|part| self.template(part)).collect();
                self.store.structure(*header, parts?)
            }
            Template::Set(elements) => {
                let elements = self.elements(elements)?;
                self.store.present(elements)
            }
            Template::OneOf(elements) => {
                let elements = self.elements(elements)?;
                self.store.chosen(elements)
            }
        })
    }

    fn elements(&mut self, Elements { universe, places, .. }: &Elements) -> Option<Vec<Guarded>> {
        let mut all = Vec::with_capacity(places.len());
        for (element, &place) in universe.elements().iter().zip(places) {
            let is = match place {
                Place::Always => Condition::ALWAYS,
                Place::Value(variable, value) => {
                    let value = Cell::small(i64::from(value) + Word::FIRST_INT);
                    self.store.is_value(Leaf(variable.into()), value)
                }
            };
            let cell = element.instantiate(self.heap);
            all.push((is, Reader::new(self.heap).term(self.store, cell)?));
        }
        Some(all)
    }
}

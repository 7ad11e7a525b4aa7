//! Finite-domain variables: states of sets whose elements are values of a few variables.
//!
//! Of the facts of a mutex group at most one holds in each state, so one byte says which (M. Helmert, *Concise
//! finite-domain representations for PDDL planning tasks*, 2009). A state is a template with sets and values in it; each
//! element is a value of a variable, or is there in all states.

use crate::representation::Universe;
use zug_term::{Cell, Heap};

/// The most values of one variable: each is the byte of a small integer.
pub const MOST_VALUES: usize = 96;

/// What says whether an element is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is there in all states.
    Always,
    /// It is there where the variable has the value.
    Value(u16, u8),
}

/// A part of a state.
#[derive(Clone, Debug)]
pub enum Template {
    /// An atom or an integer that is the same in all states.
    Constant(Cell),
    /// A structure: the header and the arguments.
    Struct(Cell, Box<[Template]>),
    /// A list of elements in the standard order.
    Set(Elements),
    /// One of the elements.
    OneOf(Elements),
}

/// What may be in a set, with what says whether it is.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The elements.
    pub universe: Universe,
    /// By number of an element.
    pub places: Box<[Place]>,
    /// By number of an element: the mutex groups that it is in, if those are more than one variable.
    pub groups: Box<[Box<[u16]>]>,
}

/// States as values of variables.
#[derive(Clone, Debug)]
pub struct Variables {
    /// What states look like.
    pub template: Template,
    /// By variable: how many values it has, and the one that stands for no element, if there is one.
    pub values: Box<[(u8, Option<u8>)]>,
    /// How many mutex groups there are that are more than one variable.
    pub groups: usize,
}

/// What was read of a state.
struct Read<'r> {
    values: &'r mut [u8],
    /// By mutex group that is more than one variable: whether an element of it was read.
    groups: Vec<bool>,
    /// Sets may be unsorted.
    unsorted: bool,
}

/// A value that no variable has.
const UNKNOWN: u8 = u8::MAX;

impl Variables {
    /// How many variables there are.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// Appends the values of the variables in a state; false if the variables do not describe the term. Sets are in
    /// standard order, unless they may be unsorted.
    pub fn encode(&self, heap: &Heap, term: Cell, unsorted: bool, bytes: &mut Vec<u8>) -> bool {
        let first = bytes.len();
        bytes.resize(first + self.count(), UNKNOWN);
        let values = &mut bytes[first..];
        let mut read = Read { values, groups: vec![false; self.groups], unsorted };
        if !put(heap, term, &self.template, &mut read) {
            return false;
        }
        for (value, (_, none)) in read.values.iter_mut().zip(&self.values) {
            if *value == UNKNOWN {
                let Some(none) = *none else { return false };
                *value = none;
            }
        }
        true
    }

    /// Puts the state of some values on a heap.
    pub fn decode(&self, values: &[u8], heap: &mut Heap) -> Cell {
        take(heap, &self.template, values)
    }

    /// A term that shows the variables: elements stand beside what `shown` gives for them.
    pub fn shown(
        &self,
        heap: &mut Heap,
        shown: &mut impl FnMut(&mut Heap, Cell, Place) -> Cell,
    ) -> Cell {
        show(heap, &self.template, shown)
    }
}

fn put(heap: &Heap, term: Cell, template: &Template, read: &mut Read<'_>) -> bool {
    let mut cell = heap.deref(term);
    match template {
        Template::Constant(constant) => cell == *constant,
        Template::Struct(header, parts) => {
            let first = cell.addr() + 1;
            cell.is_struct()
                && heap.at(cell.addr()) == *header
                && (parts.iter().enumerate())
                    .all(|(place, part)| put(heap, heap.at(first + place), part, read))
        }
        Template::OneOf(elements) => {
            elements.universe.find(heap, cell).is_some_and(|at| read.note(elements, at))
        }
        Template::Set(elements) => {
            let always = |place: &&Place| **place == Place::Always;
            let (mut next, mut left) = (0, elements.places.iter().filter(always).count());
            while cell.is_list() {
                let Some(at) = elements.universe.find(heap, heap.at(cell.addr())) else {
                    return false;
                };
                if at < next && !read.unsorted || !read.note(elements, at) {
                    return false;
                }
                left -= usize::from(elements.places[at] == Place::Always);
                next = at + 1;
                cell = heap.deref(heap.at(cell.addr() + 1));
            }
            cell == Cell::NIL && left == 0
        }
    }
}

impl Read<'_> {
    /// Notes that an element is there; false if one is that it excludes.
    fn note(&mut self, elements: &Elements, at: usize) -> bool {
        let is_first =
            |group: &u16| !std::mem::replace(&mut self.groups[usize::from(*group)], true);
        if !elements.groups[at].iter().all(is_first) {
            return false;
        }
        match elements.places[at] {
            Place::Always => true,
            Place::Value(variable, value) => {
                let known = &mut self.values[usize::from(variable)];
                std::mem::replace(known, value) == UNKNOWN
            }
        }
    }
}

fn is_there(place: Place, values: &[u8]) -> bool {
    match place {
        Place::Always => true,
        Place::Value(variable, value) => values[usize::from(variable)] == value,
    }
}

fn take(heap: &mut Heap, template: &Template, values: &[u8]) -> Cell {
    match template {
        Template::OneOf(Elements { universe, places, .. }) => {
            let at = places.iter().position(|&place| is_there(place, values));
            at.map_or(Cell::NIL, |at| universe.elements()[at].instantiate(heap))
        }
        Template::Set(Elements { universe, places, .. }) => {
            let there = places.iter().zip(universe.elements());
            let there = there.filter(|(place, _)| is_there(**place, values));
            let items: Vec<Cell> = there.map(|(_, element)| element.instantiate(heap)).collect();
            heap.list_from(&items, Cell::NIL)
        }
        _ => compound(heap, template, &mut |heap, part| take(heap, part, values)),
    }
}

fn show(
    heap: &mut Heap,
    template: &Template,
    shown: &mut impl FnMut(&mut Heap, Cell, Place) -> Cell,
) -> Cell {
    match template {
        Template::Set(elements) | Template::OneOf(elements) => {
            let mut items = Vec::with_capacity(elements.places.len());
            for (element, &place) in elements.universe.elements().iter().zip(&elements.places) {
                let element = element.instantiate(heap);
                items.push(shown(heap, element, place));
            }
            heap.list_from(&items, Cell::NIL)
        }
        _ => compound(heap, template, &mut |heap, part| show(heap, part, shown)),
    }
}

/// A constant, or a structure whose parts `each` makes.
fn compound(
    heap: &mut Heap,
    template: &Template,
    each: &mut dyn FnMut(&mut Heap, &Template) -> Cell,
) -> Cell {
    match template {
        Template::Constant(constant) => *constant,
        Template::Struct(header, parts) => {
            let parts: Vec<Cell> = parts.iter().map(|part| each(heap, part)).collect();
            heap.new_struct(header.functor_name(), &parts)
        }
        Template::Set(_) | Template::OneOf(_) => Cell::NIL,
    }
}

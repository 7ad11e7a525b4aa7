//! The element of a list at a place.

use super::values::Values;
use crate::domain::Domain;
use crate::number::Bound;
use crate::shown::{Shown, Var};
use crate::store::{Fail, Prop, Propagator, Step, Store};
use std::cell::RefCell;
use std::sync::Arc;

/// Posts that the element of a list at an index, counted from 1, is a value: see [`Element`].
pub fn post_element(store: &mut Store, index: Var, list: &[Var], value: Var) -> Step {
    store.narrow(index, &Bound::from(1), &Bound::from(list.len() as i64))?;
    let places = Values::new((1..=list.len() as i64).map(Bound::from).collect());
    store.post(Arc::new(Element { index, list: list.into(), value, places }));
    Ok(())
}

/// The element of a list at an index, counted from 1, is a value. Domains of the index and of the value
/// are consistent: the index loses the places whose elements have no value in common with it, and
/// the value what none of the places left has. When the index is known, element and value are
/// one. (Van Hentenryck and Carillon, *Generality versus specificity: an experience with AI and OR
/// techniques*, AAAI 1988.)
struct Element {
    index: Var,
    list: Box<[Var]>,
    value: Var,
    places: Values,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

#[derive(Default)]
struct Scratch {
    /// The places of the index whose elements can be the value, of so many.
    kept: Vec<usize>,
    listed: usize,
    /// Whether one of these has all values that the value can have.
    has_all: bool,
    /// Else what they have in common with it.
    small: Vec<(i64, i64)>,
    wide: Vec<(Bound, Bound)>,
}

impl Scratch {
    /// The values that the elements have in common with the value, unless these are all of its own.
    fn union(&mut self, value: &Domain) -> Option<Domain> {
        if self.has_all {
            return None;
        }
        if let Domain::Small(value) = value {
            self.small.sort_unstable();
            let (mut size, mut next) = (0, i64::MIN);
            for &(lo, hi) in &self.small {
                size += (hi + 1 - lo.max(next).min(hi + 1)) as u64;
                next = next.max(hi + 1);
            }
            if size == value.size() {
                return None;
            }
        }
        let small = self.small.iter().map(|&(lo, hi)| (Bound::from(lo), Bound::from(hi)));
        Domain::of_parts(small.chain(self.wide.drain(..)).collect())
    }
}

impl Element {
    /// Collects the places whose elements can be the value, and what they have in common with it.
    fn collect(&self, store: &Store, scratch: &mut Scratch) {
        scratch.kept.clear();
        scratch.small.clear();
        scratch.wide.clear();
        (scratch.listed, scratch.has_all) = (0, false);
        let value = store.domain(self.value);
        self.places.each_in(store.domain(self.index), |at| {
            scratch.listed += 1;
            let Some(both) = store.domain(self.list[at]).and(value) else { return };
            scratch.kept.push(at);
            scratch.has_all |= both == *value;
            match both {
                _ if scratch.has_all => {}
                Domain::Small(both) => scratch.small.extend(both.parts()),
                both => scratch.wide.extend(both.parts()),
            }
        });
    }
}

impl Propagator for Element {
    fn vars(&self) -> Vec<Var> {
        self.list.iter().copied().chain([self.index, self.value]).collect()
    }

    fn weight(&self, store: &Store, var: Var) -> usize {
        // library(clpfd) has a reified constraint on each element, index and value beside this one.
        let is = |of: Var| usize::from(store.find(of) == store.find(var));
        let elements: usize = self.list.iter().map(|&element| 2 * is(element)).sum();
        is(self.index) * (self.list.len() + 1) + elements + is(self.value) * self.list.len()
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        SCRATCH.with_borrow_mut(|scratch| {
            self.collect(store, scratch);
            let &mut Scratch { ref kept, listed, .. } = scratch;
            if kept.is_empty() {
                return Err(Fail);
            }
            if kept.len() < listed {
                store.restrict(self.index, self.places.domain(kept.iter().copied()))?;
            }
            if let [only] = **kept {
                store.kill(me);
                return store.join(self.list[only], self.value);
            }
            match scratch.union(store.domain(self.value)) {
                Some(union) => store.intersect(self.value, &union),
                None => Ok(()),
            }
        })
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let list = Shown::vars(&self.list);
        Some(Shown::Compound("element", vec![self.index.into(), list, self.value.into()]))
    }
}

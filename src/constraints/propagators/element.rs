//! The element of a list at a place.

use super::values::Values;
use crate::domain::Domain;
use crate::number::Bound;
use crate::shown::Shown;
use crate::store::{Fail, Prop, Propagator, Step, Store, Var};
use std::sync::Arc;

/// Posts that the element of a list at an index, counted from 1, is a value: see [`Element`].
///
/// # Errors
/// There is no such element.
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
pub struct Element {
    index: Var,
    list: Box<[Var]>,
    value: Var,
    places: Values,
}

impl Propagator for Element {
    fn vars(&self) -> Vec<Var> {
        self.list.iter().copied().chain([self.index, self.value]).collect()
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let mut kept = Vec::new();
        let mut parts = Vec::new();
        let mut listed = 0;
        self.places.each_in(store.domain(self.index), |at| {
            listed += 1;
            // One that is the value itself has all of its values.
            let both = store.domain(self.list[at]).and(store.domain(self.value));
            if let Some(both) = both {
                kept.push(at);
                parts.extend(both.parts());
            }
        });
        let parts = Domain::of_parts(parts).ok_or(Fail)?;
        if kept.len() < listed {
            store.restrict(self.index, self.places.domain(kept.iter().copied()))?;
        }
        store.intersect(self.value, &parts)?;
        if let [only] = *kept {
            store.kill(me);
            return store.join(self.list[only], self.value);
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let list = Shown::vars(&self.list);
        Some(Shown::Compound("element", vec![self.index.into(), list, self.value.into()]))
    }
}

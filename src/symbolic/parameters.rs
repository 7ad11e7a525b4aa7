//! Parameters: one term in the place of many that differ in constants.
//!
//! Ways of a run that differ in constants are run as one, with a *parameter* in their place: a leaf that is no place of
//! the state, and says which of the ways is meant (N. D. Jones, C. K. Gomard, P. Sestoft, *Partial Evaluation and
//! Automatic Program Generation*, 1993, chapter 4: one residual function in the place of many variants).

use crate::store::{Condition, Domain, Formula, Guarded, Leaf, LeafFilter, Shape, Store, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use zug_term::Cell;

/// Conditions and terms for one value of a parameter: what was found out of parts.
#[derive(Default)]
pub struct Instance {
    conditions: FxHashMap<Condition, Condition>,
    terms: FxHashMap<Term, Option<Term>>,
}

impl Store {
    /// A parameter with values from 0 to the one before this.
    pub fn parameter(&mut self, values: usize) -> Leaf {
        let domain = Domain::Values((0..values as i64).map(Cell::small).collect());
        self.add_leaf(domain)
    }

    /// That the value of a parameter is one of these.
    pub fn is_among(
        &mut self,
        parameter: Leaf,
        values: impl IntoIterator<Item = usize>,
    ) -> Condition {
        let size = self.domain(parameter).places().unwrap_or(0);
        self.spend(1 + size / 64);
        let set = self.sets.of(size, values);
        self.literal(parameter, set)
    }

    /// The term that is one of several by a parameter; `None` if variables would have to be merged.
    pub fn by_parameter(&mut self, parameter: Leaf, terms: &[Term]) -> Option<Term> {
        let first = *terms.first()?;
        self.spend(terms.len() / 8);
        if terms.iter().all(|&term| term == first) {
            return Some(first);
        }
        match self.shape(first).clone() {
            Shape::Pair(..) => {
                // Lists may be longer than a stack is deep.
                let (mut items, mut rests) = (Vec::new(), terms.to_vec());
                while let Some((heads, tails)) = self.taken_apart(&rests) {
                    items.push(self.by_parameter(parameter, &heads)?);
                    rests = tails;
                }
                let tail = self.scalar_by_parameter(parameter, &rests)?;
                Some(self.list(&items, tail))
            }
            Shape::Struct(header, parts) => {
                let mut columns = vec![Vec::with_capacity(terms.len()); parts.len()];
                for &term in terms {
                    match self.shape(term) {
                        Shape::Struct(other, parts) if *other == header => {
                            columns.iter_mut().zip(parts.iter()).for_each(|(of, &p)| of.push(p));
                        }
                        _ => return self.scalar_by_parameter(parameter, terms),
                    }
                }
                let mut parts = Vec::with_capacity(columns.len());
                for column in columns {
                    parts.push(self.by_parameter(parameter, &column)?);
                }
                Some(self.structure(header, parts))
            }
            _ => self.scalar_by_parameter(parameter, terms),
        }
    }

    /// Heads and tails of terms; `None` if one of them is no list cell, or all are one term.
    fn taken_apart(&self, terms: &[Term]) -> Option<(Vec<Term>, Vec<Term>)> {
        let parts = |&term: &Term| match *self.shape(term) {
            Shape::Pair(head, tail) => Some((head, tail)),
            _ => None,
        };
        let differ = terms.iter().any(|&term| term != terms[0]);
        let pairs = terms.iter().filter(|_| differ).map(parts);
        let pairs: Vec<(Term, Term)> = pairs.collect::<Option<_>>()?;
        differ.then(|| pairs.into_iter().unzip())
    }

    fn scalar_by_parameter(&mut self, parameter: Leaf, terms: &[Term]) -> Option<Term> {
        if terms.iter().all(|&term| term == terms[0]) {
            return terms.first().copied();
        }
        let mut values: FxHashMap<Term, usize> = FxHashMap::default();
        let mut groups: Vec<(Term, Vec<usize>)> = Vec::new();
        for (value, &term) in terms.iter().enumerate() {
            let group = *values.entry(term).or_insert_with(|| {
                groups.push((term, Vec::new()));
                groups.len() - 1
            });
            groups[group].1.push(value);
        }
        let mut ways = Vec::with_capacity(groups.len());
        for (term, values) in groups {
            ways.push((self.is_among(parameter, values), term));
        }
        // PERF: constants have nothing to share, and merging many of them one by one takes long.
        if ways.iter().all(|&(_, term)| matches!(self.shape(term), Shape::Constant(_))) {
            ways.sort_unstable_by_key(|&(_, term)| term);
            self.spend(ways.len());
            return Some(self.term(Shape::Choice(ways.into())));
        }
        self.merged(&ways)
    }

    /// Whether a condition depends on a parameter.
    pub fn depends_on(&self, condition: Condition, parameter: Leaf) -> bool {
        let filter = LeafFilter::of(parameter);
        let mut waiting = vec![condition];
        let mut seen = FxHashSet::default();
        while let Some(condition) = waiting.pop() {
            if self.filter(condition).is_apart(filter) || !seen.insert(condition) {
                continue;
            }
            match self.says(condition) {
                Formula::Literal(leaf, _) if *leaf == parameter => return true,
                Formula::And(parts) | Formula::Or(parts) => waiting.extend(parts.iter()),
                Formula::Comparison { left, right, .. }
                    if [*left, *right]
                        .iter()
                        .any(|&side| self.term_depends_on(side, parameter)) =>
                {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a term depends on a parameter.
    pub fn term_depends_on(&self, term: Term, parameter: Leaf) -> bool {
        let filter = LeafFilter::of(parameter);
        let mut waiting = vec![term];
        let mut seen = FxHashSet::default();
        while let Some(term) = waiting.pop() {
            if self.filter_of_term(term).is_apart(filter) || !seen.insert(term) {
                continue;
            }
            match self.shape(term) {
                Shape::Leaf(leaf) if *leaf == parameter => return true,
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Struct(_, parts) | Shape::Integer(_, parts) | Shape::Float(_, parts) => {
                    waiting.extend(parts.iter());
                }
                Shape::Choice(ways) | Shape::Present(ways) => {
                    for &(condition, way) in ways.iter() {
                        if self.depends_on(condition, parameter) {
                            return true;
                        }
                        waiting.push(way);
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// A condition where a parameter has this value.
    pub fn condition_at(
        &mut self,
        condition: Condition,
        at: (Leaf, usize),
        known: &mut Instance,
    ) -> Condition {
        if self.filter(condition).is_apart(LeafFilter::of(at.0)) {
            return condition;
        }
        if let Some(&known) = known.conditions.get(&condition) {
            return known;
        }
        self.spend(1);
        let found = match self.says(condition).clone() {
            Formula::Never | Formula::Always => condition,
            Formula::Literal(leaf, set) if leaf == at.0 => {
                Condition::certain(self.sets.contains(set, at.1))
            }
            Formula::Literal(..) => condition,
            Formula::Comparison { relation, left, right, negated } => {
                let sides = [left, right].map(|side| self.term_at(side, at, known).unwrap_or(side));
                match sides == [left, right] {
                    true => condition,
                    false => {
                        let holds = self.compare(relation, sides[0], sides[1]);
                        if negated { self.not(holds) } else { holds }
                    }
                }
            }
            Formula::And(parts) => {
                let parts = self.all_at(&parts, at, known);
                self.and(parts)
            }
            Formula::Or(parts) => {
                let parts = self.all_at(&parts, at, known);
                self.or(parts)
            }
        };
        known.conditions.insert(condition, found);
        found
    }

    fn all_at(
        &mut self,
        parts: &Arc<[Condition]>,
        at: (Leaf, usize),
        known: &mut Instance,
    ) -> Vec<Condition> {
        parts.iter().map(|&part| self.condition_at(part, at, known)).collect()
    }

    /// A term where a parameter has this value; `None` if it has none there.
    pub fn term_at(&mut self, term: Term, at: (Leaf, usize), known: &mut Instance) -> Option<Term> {
        if self.filter_of_term(term).is_apart(LeafFilter::of(at.0)) {
            return Some(term);
        }
        if let Some(&known) = known.terms.get(&term) {
            return known;
        }
        self.spend(1);
        let found = self.new_term_at(term, at, known);
        known.terms.insert(term, found);
        found
    }

    fn new_term_at(&mut self, term: Term, at: (Leaf, usize), known: &mut Instance) -> Option<Term> {
        let mut all = |store: &mut Store, parts: &[Term]| -> Option<Vec<Term>> {
            parts.iter().map(|&part| store.term_at(part, at, known)).collect()
        };
        match self.shape(term).clone() {
            Shape::Pair(..) => {
                let (mut items, mut rest) = (Vec::new(), term);
                while let Shape::Pair(head, tail) = *self.shape(rest) {
                    items.push(head);
                    rest = tail;
                }
                let items = all(self, &items)?;
                let tail = all(self, &[rest])?[0];
                Some(self.list(&items, tail))
            }
            Shape::Struct(header, parts) => {
                let parts = all(self, &parts)?;
                Some(self.structure(header, parts))
            }
            Shape::Integer(operation, parts) => {
                let parts = all(self, &parts)?;
                self.compute_where(operation, &parts, true).ok()
            }
            Shape::Float(operation, parts) => {
                let parts = all(self, &parts)?;
                self.compute_float(operation, &parts, true).ok()
            }
            Shape::Choice(ways) => {
                let mut left: Vec<Guarded> = Vec::new();
                for &(condition, way) in ways.iter() {
                    let condition = self.condition_at(condition, at, known);
                    if condition != Condition::NEVER {
                        left.push((condition, self.term_at(way, at, known)?));
                    }
                }
                match left[..] {
                    [] => None,
                    [(_, only)] => Some(only),
                    _ => Some(self.chosen(left)),
                }
            }
            Shape::Present(elements) => {
                let mut left: Vec<Guarded> = Vec::new();
                for &(condition, element) in elements.iter() {
                    let condition = self.condition_at(condition, at, known);
                    if condition != Condition::NEVER {
                        left.push((condition, self.term_at(element, at, known)?));
                    }
                }
                Some(self.present(left))
            }
            _ => Some(term),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: i64 = 5;

    /// A store with a leaf of these values.
    fn store() -> (Store, Term) {
        let values: Box<[Cell]> = (0..VALUES).map(Cell::small).collect();
        let mut store = Store::new(vec![Domain::Values(values)], 1_000_000);
        let leaf = store.leaf(Leaf(0));
        (store, leaf)
    }

    #[test]
    fn terms_by_a_parameter_are_the_terms_for_its_values() {
        let (mut store, leaf) = store();
        let [a, b, nil] = [7, 8, 9].map(|value| store.constant(Cell::small(value)));
        let lists: Vec<Term> =
            [[a, leaf], [b, leaf], [a, b], [leaf, a]].map(|items| store.list(&items, nil)).into();
        let parameter = store.parameter(lists.len());
        let general = store.by_parameter(parameter, &lists).expect("no variables");
        assert!(store.term_depends_on(general, parameter));
        for (value, &list) in lists.iter().enumerate() {
            let found = store.term_at(general, (parameter, value), &mut Instance::default());
            assert_eq!(found, Some(list));
        }
    }

    #[test]
    fn long_lists_need_no_deep_stack() {
        let (mut store, leaf) = store();
        store.extend(u64::MAX / 2);
        let nil = store.constant(Cell::NIL);
        let lists = [0, 1].map(|first| {
            let first = store.constant(Cell::small(first));
            let items: Vec<Term> =
                (0..200_000).map(|n| if n % 2 == 0 { leaf } else { first }).collect();
            store.list(&items, nil)
        });
        let parameter = store.parameter(2);
        let general = store.by_parameter(parameter, &lists).expect("no variables");
        for (value, &list) in lists.iter().enumerate() {
            let found = store.term_at(general, (parameter, value), &mut Instance::default());
            assert_eq!(found, Some(list));
        }
    }

    #[test]
    fn variables_are_not_merged() {
        let (mut store, leaf) = store();
        let variable = store.variable(crate::Variable(1));
        let parameter = store.parameter(2);
        assert_eq!(store.by_parameter(parameter, &[variable, leaf]), None);
        assert_eq!(store.by_parameter(parameter, &[variable, variable]), Some(variable));
    }

    #[test]
    fn conditions_at_a_value_hold_where_they_do_with_it() {
        let (mut store, leaf) = store();
        let parameter = store.parameter(4);
        let steps: Vec<Term> = (0..4).map(|step| store.constant(Cell::small(step))).collect();
        let step = store.by_parameter(parameter, &steps).expect("no variables");
        let sum = store.compute(crate::Operation::Add, &[leaf, step]).expect("integers");
        let limit = store.constant(Cell::small(4));
        let below = store.compare(crate::Relation::Less, sum, limit);
        let odd = store.is_among(parameter, [1, 3]);
        let is_two = store.is_value(Leaf(0), Cell::small(2));
        let either = store.or([is_two, odd]);
        for condition in [below, odd, either, store.both(below, either), store.not(either)] {
            for value in 0..4 {
                let at = (parameter, value);
                let found = store.condition_at(condition, at, &mut Instance::default());
                assert!(!store.depends_on(found, parameter));
                for state in (0..VALUES).map(Cell::small) {
                    let whole = [state, Cell::small(value as i64)];
                    assert_eq!(store.holds(found, &whole), store.holds(condition, &whole));
                }
            }
        }
    }
}

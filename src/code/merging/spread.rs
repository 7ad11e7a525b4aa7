//! Terms whose leaves have few values, value by value: for what only the machine can work out.

use super::{Run, UNBOUND};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;
use zug_symbolic::{Condition, Domain, Relation, Shape, Term, limits};
use zug_term::Cell;

fn few(bounds: Option<(i64, i64)>) -> Option<RangeInclusive<i64>> {
    bounds
        .filter(|&(low, high)| high - low < limits::ALTERNATIVES as i64)
        .map(|(low, high)| low..=high)
}

impl Run<'_> {
    /// Terms in each way that they may be, without leaves and choices; `None` if there are more
    /// than `most`. Where that is not known, states deoptimise.
    pub fn spread(
        &mut self,
        terms: &[Term],
        condition: Condition,
        most: usize,
    ) -> Option<Vec<(Condition, Vec<Term>)>> {
        let (mut open, mut found) = (vec![(condition, terms.to_vec())], Vec::new());
        // The last is taken first: alternatives are put there in reverse order.
        while let Some((condition, terms)) = open.pop() {
            self.store.spend(terms.len());
            if open.len() + found.len() >= most || self.stopped() {
                return None;
            }
            let Some(from) = self.unknown(&terms) else {
                found.push((condition, terms));
                continue;
            };
            let ways = self.ways_of(from)?;
            for (holds, to) in ways.into_iter().rev() {
                let condition = self.store.both(condition, holds);
                if condition == Condition::NEVER {
                    continue;
                }
                let Some(to) = to else {
                    self.deoptimise(condition, "a part of the state may be unbound");
                    continue;
                };
                let mut done = FxHashMap::default();
                let mut replaced = |&term| self.replaced_once(term, (from, to), &mut done);
                let replaced: Option<Vec<Term>> = terms.iter().map(&mut replaced).collect();
                match replaced {
                    Some(terms) => open.push((condition, terms)),
                    None => self.deoptimise(condition, "an operation has no value in some states"),
                }
            }
        }
        Some(found)
    }

    /// The first thing in terms that is not known: a leaf, a choice, a list of elements that may be absent, or an
    /// integer of few values, which may be made of many leaves.
    fn unknown(&self, terms: &[Term]) -> Option<Term> {
        let mut waiting: Vec<Term> = terms.iter().rev().copied().collect();
        while let Some(term) = waiting.pop() {
            if self.has_no_leaves(term) {
                continue;
            }
            match self.store.shape(term) {
                Shape::Leaf(_) | Shape::Choice(_) | Shape::Present(_) => return Some(term),
                Shape::Pair(head, tail) => waiting.extend([*tail, *head]),
                Shape::Integer(..) if few(self.store.bounds(term)).is_some() => {
                    return Some(term);
                }
                Shape::Struct(_, parts) | Shape::Integer(_, parts) | Shape::Float(_, parts) => {
                    waiting.extend(parts.iter().rev());
                }
                Shape::Constant(_) | Shape::Boxed(_) | Shape::Variable(_) | Shape::Opaque(_) => {}
            }
        }
        None
    }

    /// What a term may be, with conditions: of what is unbound nothing. `None` if it may be too much.
    fn ways_of(&mut self, from: Term) -> Option<Vec<(Condition, Option<Term>)>> {
        let mut ways = Vec::new();
        match self.store.shape(from).clone() {
            Shape::Leaf(leaf) => {
                let values: Vec<Cell> = match self.store.domain(leaf).clone() {
                    Domain::Values(values) => values.into(),
                    Domain::Range(low, high) => {
                        let few = few(Some((low, high)))?;
                        few.map(Cell::try_small).collect::<Option<_>>()?
                    }
                    Domain::Mixed(..) => return None,
                };
                for value in values {
                    let to = (value != UNBOUND).then(|| self.store.constant(value));
                    ways.push((self.store.is_value(leaf, value), to));
                }
            }
            Shape::Choice(choices) => {
                ways.extend(choices.iter().map(|&(condition, way)| (condition, Some(way))));
            }
            Shape::Present(elements) => {
                let (there, first) = elements[0];
                let not = self.store.not(there);
                let rest = self.store.present(elements[1..].to_vec());
                let with = self.store.pair(first, rest);
                ways.extend([(there, Some(with)), (not, Some(rest))]);
            }
            _ => {
                for value in few(self.store.bounds(from))? {
                    let value = self.store.integer(value)?;
                    let is = self.store.compare(Relation::Equal, from, value);
                    ways.push((is, Some(value)));
                }
            }
        }
        Some(ways)
    }

    pub fn has_no_leaves(&self, term: Term) -> bool {
        self.store.is_plain(term) && self.store.leaves(term) == zug_symbolic::Leaves::None
    }

    /// A term with another in the place of one. `None` if something computed has no value then.
    pub fn replaced(&mut self, term: Term, from: Term, to: Term) -> Option<Term> {
        self.replaced_once(term, (from, to), &mut FxHashMap::default())
    }

    /// The same, with what was replaced before: a part may be in a term many times.
    fn replaced_once(
        &mut self,
        term: Term,
        (from, to): (Term, Term),
        done: &mut FxHashMap<Term, Term>,
    ) -> Option<Term> {
        let (mut items, mut rest) = (Vec::new(), term);
        let tail = loop {
            if rest == from {
                break to;
            }
            if self.has_no_leaves(rest) {
                break rest;
            }
            if let Some(&known) = done.get(&rest) {
                break known;
            }
            self.store.spend(1);
            let shape = self.store.shape(rest).clone();
            let mut all = |run: &mut Self, terms: &[Term]| -> Option<Vec<Term>> {
                terms.iter().map(|&term| run.replaced_once(term, (from, to), done)).collect()
            };
            let replaced = match shape {
                Shape::Pair(head, tail) => {
                    items.extend(all(self, &[head])?);
                    rest = tail;
                    continue;
                }
                Shape::Struct(header, parts) => {
                    let parts = all(self, &parts)?;
                    self.store.structure(header, parts)
                }
                Shape::Integer(operation, parts) => match all(self, &parts)? {
                    same if same[..] == parts[..] => rest,
                    parts => self.store.compute(operation, &parts).ok()?,
                },
                Shape::Float(operation, parts) => match all(self, &parts)? {
                    same if same[..] == parts[..] => rest,
                    parts => self.store.compute_float(operation, &parts, false).ok()?,
                },
                Shape::Choice(ways) => {
                    let (conditions, ways): (Vec<_>, Vec<_>) = ways.iter().copied().unzip();
                    match all(self, &ways)? {
                        same if same == ways => rest,
                        ways => self.store.chosen(conditions.into_iter().zip(ways).collect()),
                    }
                }
                Shape::Present(elements) => {
                    let (conditions, elements): (Vec<_>, Vec<_>) = elements.iter().copied().unzip();
                    let elements = all(self, &elements)?;
                    self.store.present(conditions.into_iter().zip(elements).collect())
                }
                _ => rest,
            };
            done.insert(rest, replaced);
            break replaced;
        };
        Some(self.store.list(&items, tail))
    }
}

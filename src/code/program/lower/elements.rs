//! Which ground terms an element of a set may be, and which number each has.

use super::Lowering;
use zug_state::representation::Universe;
use zug_symbolic::{Condition, Domain, Guarded, Shape, Term, limits};
use zug_term::Cell;

impl Lowering<'_, '_> {
    /// The ground terms that an element may be, with their conditions.
    pub(super) fn values_of(&mut self, term: Term) -> Option<Vec<Guarded>> {
        if self.store.is_plain(term)
            && self.store.is_ground(term)
            && self.store.leaves(term) == zug_symbolic::Leaves::None
        {
            return Some(vec![(Condition::ALWAYS, term)]);
        }
        let of_parts = |this: &mut Self, parts: &[Term]| {
            let mut all = vec![(Condition::ALWAYS, Vec::new())];
            for &part in parts {
                let values = this.values_of(part)?;
                let mut longer = Vec::new();
                for (holds, before) in &all {
                    for &(is, value) in &values {
                        let both = this.store.both(*holds, is);
                        if both != Condition::NEVER {
                            longer.push((both, [&before[..], &[value]].concat()));
                        }
                    }
                }
                all = longer;
                this.store.spend(all.len());
                if all.len() > limits::FEW_ALTERNATIVES {
                    return None;
                }
            }
            Some(all)
        };
        match self.store.shape(term).clone() {
            Shape::Choice(ways) => {
                let mut all = Vec::new();
                for &(holds, way) in ways.iter() {
                    for (is, value) in self.values_of(way)? {
                        let both = self.store.both(holds, is);
                        if both != Condition::NEVER {
                            all.push((both, value));
                        }
                    }
                }
                (all.len() <= limits::FEW_ALTERNATIVES).then_some(all)
            }
            Shape::Leaf(leaf) => {
                let Domain::Values(values) = self.store.domain(leaf).clone() else { return None };
                let is =
                    |&value: &Cell| (self.store.is_value(leaf, value), self.store.constant(value));
                (!values.contains(&crate::merging::UNBOUND))
                    .then(|| values.iter().map(is).collect())
            }
            Shape::Struct(header, parts) => {
                let all = of_parts(self, &parts)?;
                let term = |(holds, parts): (Condition, Vec<Term>)| {
                    (holds, self.store.structure(header, parts))
                };
                Some(all.into_iter().map(term).collect())
            }
            Shape::Pair(head, tail) => {
                let all = of_parts(self, &[head, tail])?;
                let term = |(holds, parts): (Condition, Vec<Term>)| {
                    (holds, self.store.pair(parts[0], parts[1]))
                };
                Some(all.into_iter().map(term).collect())
            }
            Shape::Integer(operation, operands) => {
                let mut all = Vec::new();
                for (holds, operands) in of_parts(self, &operands)? {
                    all.push((holds, self.store.compute(operation, &operands).ok()?));
                }
                let constant = |term: Term| matches!(self.store.shape(term), Shape::Constant(_));
                all.iter().all(|&(_, term)| constant(term)).then_some(all)
            }
            _ => None,
        }
    }

    pub(super) fn place_of(&mut self, universe: &Universe, term: Term) -> Option<usize> {
        let of = (std::ptr::from_ref(universe) as usize, term);
        if let Some(&known) = self.elements.get(&of) {
            return known;
        }
        let cell = self.ground(term);
        let place = cell.and_then(|cell| universe.find(self.heap, cell));
        self.elements.insert(of, place);
        place
    }

    fn ground(&mut self, term: Term) -> Option<Cell> {
        Some(match self.store.shape(term).clone() {
            Shape::Constant(cell) => cell,
            Shape::Pair(head, tail) => {
                let [head, tail] = [self.ground(head)?, self.ground(tail)?];
                self.heap.new_list(head, tail)
            }
            Shape::Struct(header, parts) => {
                let parts: Option<Vec<Cell>> =
                    parts.iter().map(|&part| self.ground(part)).collect();
                self.heap.new_struct(header.functor_name(), &parts?)
            }
            _ => return None,
        })
    }
}

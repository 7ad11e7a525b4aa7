//! What conditions and terms are in a given state: the plain definition, which all else has to agree
//! with.

use crate::floats::{computed_float, rounded};
use crate::integers::computed;
use crate::store::{Condition, FloatOperation, Formula, Guarded, Operation, Shape, Store, Term};
use rustc_hash::FxHashMap;
use zug_term::Cell;

/// What was found out of one state: conditions and integers are parts of many others.
#[derive(Default)]
struct Known {
    conditions: FxHashMap<Condition, bool>,
    integers: FxHashMap<Term, Option<i64>>,
    floats: FxHashMap<Term, Option<f64>>,
}

impl Store {
    /// Whether a condition holds in a state; comparisons of what is no integer hold in neither form.
    pub fn holds(&self, condition: Condition, leaves: &[Cell]) -> bool {
        self.holds_with(condition, leaves, &mut Known::default())
    }

    fn holds_with(&self, condition: Condition, leaves: &[Cell], known: &mut Known) -> bool {
        match self.says(condition) {
            Formula::Never => false,
            Formula::Always => true,
            &Formula::Literal(leaf, set) => {
                let place = self.domain(leaf).place(leaves[leaf.0 as usize]);
                place.is_some_and(|place| self.sets.contains(set, place))
            }
            &Formula::Comparison { relation, left, right, negated } => {
                if let Some([a, b]) = self.same_leaves(relation, left, right) {
                    return (leaves[a.0 as usize] == leaves[b.0 as usize]) != negated;
                }
                if self.float_bounds(left).is_some() {
                    let sides = [left, right].map(|side| self.float_with(side, leaves, known));
                    return matches!(sides, [Some(a), Some(b)] if relation.holds(a, b) != negated);
                }
                let sides = [left, right].map(|side| self.integer_with(side, leaves, known));
                matches!(sides, [Some(a), Some(b)] if relation.holds(a, b) != negated)
            }
            Formula::And(parts) | Formula::Or(parts) => {
                if let Some(&holds) = known.conditions.get(&condition) {
                    return holds;
                }
                let all = matches!(self.says(condition), Formula::And(_));
                let other = parts.iter().any(|&part| self.holds_with(part, leaves, known) != all);
                known.conditions.insert(condition, other != all);
                other != all
            }
        }
    }

    /// The way of a choice that holds.
    fn way_with(&self, ways: &[Guarded], leaves: &[Cell], known: &mut Known) -> Option<Term> {
        let holds = |&&(condition, _): &&Guarded| self.holds_with(condition, leaves, known);
        ways.iter().find(holds).map(|&(_, way)| way)
    }

    /// The integer that a term is in a state, if it is one.
    pub fn integer_in(&self, term: Term, leaves: &[Cell]) -> Option<i64> {
        self.integer_with(term, leaves, &mut Known::default())
    }

    fn integer_with(&self, term: Term, leaves: &[Cell], known: &mut Known) -> Option<i64> {
        match self.shape(term) {
            Shape::Constant(cell) => cell.as_int(),
            Shape::Leaf(leaf) => leaves[leaf.0 as usize].as_int(),
            Shape::Choice(ways) => {
                let way = self.way_with(ways, leaves, known)?;
                self.integer_with(way, leaves, known)
            }
            Shape::Integer(operation, operands) => {
                if let Some(&value) = known.integers.get(&term) {
                    return value;
                }
                let value = match *operation {
                    Operation::Round(rounding) => {
                        let of = self.float_with(operands[0], leaves, known);
                        of.and_then(|of| rounded(rounding, of).ok())
                    }
                    operation => {
                        let values =
                            operands.iter().map(|&of| self.integer_with(of, leaves, known));
                        let values: Option<Vec<i64>> = values.collect();
                        values.and_then(|values| computed(operation, &values).ok())
                    }
                };
                known.integers.insert(term, value);
                value
            }
            _ => None,
        }
    }

    /// The float that a term is in a state, if it is one.
    pub fn float_in(&self, term: Term, leaves: &[Cell]) -> Option<f64> {
        self.float_with(term, leaves, &mut Known::default())
    }

    fn float_with(&self, term: Term, leaves: &[Cell], known: &mut Known) -> Option<f64> {
        match self.shape(term) {
            Shape::Boxed(_) => self.as_float(term),
            Shape::Choice(ways) => {
                let way = self.way_with(ways, leaves, known)?;
                self.float_with(way, leaves, known)
            }
            Shape::Float(operation, operands) => {
                if let Some(&value) = known.floats.get(&term) {
                    return value;
                }
                let value = match *operation {
                    FloatOperation::OfInteger => {
                        self.integer_with(operands[0], leaves, known).map(|of| of as f64)
                    }
                    operation => {
                        let values = operands.iter().map(|&of| self.float_with(of, leaves, known));
                        let values: Option<Vec<f64>> = values.collect();
                        values.and_then(|values| computed_float(operation, &values).ok())
                    }
                };
                known.floats.insert(term, value);
                value
            }
            _ => None,
        }
    }

    /// The term in a state; `None` if no way of a choice holds, or something has no value.
    pub fn term_in(&mut self, term: Term, leaves: &[Cell]) -> Option<Term> {
        match self.shape(term).clone() {
            Shape::Constant(_) | Shape::Boxed(_) | Shape::Variable(_) => Some(term),
            Shape::Leaf(leaf) => Some(self.constant(leaves[leaf.0 as usize])),
            Shape::Pair(..) | Shape::Present(_) => self.list_in(term, leaves),
            Shape::Struct(header, arguments) => {
                let arguments: Option<Vec<Term>> =
                    arguments.iter().map(|&argument| self.term_in(argument, leaves)).collect();
                Some(self.structure(header, arguments?))
            }
            Shape::Choice(ways) => {
                let way = self.way_with(&ways, leaves, &mut Known::default())?;
                self.term_in(way, leaves)
            }
            Shape::Integer(..) => {
                let value = self.integer_in(term, leaves)?;
                self.integer(value)
            }
            Shape::Float(..) => {
                let value = self.float_in(term, leaves)?;
                Some(self.float(value))
            }
            Shape::Opaque(_) => None,
        }
    }

    fn list_in(&mut self, list: Term, leaves: &[Cell]) -> Option<Term> {
        let mut items = Vec::new();
        let mut rest = list;
        let tail = loop {
            match self.shape(rest).clone() {
                Shape::Pair(head, tail) => {
                    items.push(self.term_in(head, leaves)?);
                    rest = tail;
                }
                Shape::Present(elements) => {
                    for &(there, element) in elements.iter() {
                        if self.holds(there, leaves) {
                            items.push(self.term_in(element, leaves)?);
                        }
                    }
                    break self.constant(Cell::NIL);
                }
                _ => break self.term_in(rest, leaves)?,
            }
        };
        Some(self.list(&items, tail))
    }
}

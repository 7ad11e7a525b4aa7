//! Truths of constraints and their connectives, as they are written.

use crate::domain::Domain;
use crate::expression::{EndWatch, Expression, NoValue, integer};
use crate::number::Bound;
use crate::post::{Comparison, Partial, Target};
use crate::propagators::Code;
use crate::propagators::reified::{Compared, Question, and, finite, implies, not, or, within};
use crate::propagators::table::post_tuples_in_reified;
use crate::session::{Posted, Refusal, Session};
use crate::shown::Var;
use num_bigint::BigInt;
use std::sync::Arc;
use zug_term::{Cell, Value, watchdog};

/// A connective of two truths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Connective {
    And,
    Or,
    Implies,
    /// The other way round.
    Follows,
    Equivalent,
    Different,
}

/// A part of a formula; its parts are given by their numbers.
pub(crate) enum Part {
    /// A variable, or 0 or 1.
    Truth(Cell),
    Compare(Comparison, Cell, Cell),
    In(Cell, Cell),
    InSet(Cell, Cell),
    Finite(Cell),
    Tuples(Cell, Cell),
    Not(usize),
    Both(Connective, usize, usize),
}

impl Connective {
    pub fn of(name: &str) -> Option<Connective> {
        Some(match name {
            "#/\\" => Connective::And,
            "#\\/" => Connective::Or,
            "#==>" => Connective::Implies,
            "#<==" => Connective::Follows,
            "#<==>" => Connective::Equivalent,
            "#\\" => Connective::Different,
            _ => return None,
        })
    }
}

enum Task {
    Read(Cell),
    Not,
    Both(Connective),
}

impl Session<'_> {
    pub fn assert(&mut self, term: Cell) -> Posted {
        let parts = self.parts(term)?;
        let mut truths = vec![None; parts.len()];
        // What is at the top is posted as what it is, and not as a truth.
        let (connective, left, right) = match parts.last() {
            Some(&Part::Both(connective, left, right)) => (connective, left, right),
            Some(&Part::Not(part)) => {
                let truth = self.truth_of(&parts, part, &mut truths)?;
                return Ok(self.store.fix_small(truth, 0)?);
            }
            _ => {
                let truth = self.truth_of(&parts, parts.len() - 1, &mut truths)?;
                return Ok(self.store.fix_small(truth, 1)?);
            }
        };
        if connective == Connective::Or
            && let Some((cell, set)) = self.one_of(&parts, parts.len() - 1, Connective::Or)
        {
            let var = self.operand(cell)?;
            return Ok(self.store.intersect(var, &set)?);
        }
        if let (Connective::Equivalent, Part::Truth(cell)) = (connective, &parts[right]) {
            // Both sides have one truth, which comes before what it is the truth of.
            self.operand(*cell)?;
        }
        let (first, second) =
            if connective == Connective::Follows { (right, left) } else { (left, right) };
        let x = self.truth_of(&parts, first, &mut truths)?;
        let y = self.truth_of(&parts, second, &mut truths)?;
        match connective {
            Connective::And => {
                self.store.fix_small(x, 1)?;
                self.store.fix_small(y, 1)?;
            }
            Connective::Or => {
                let true_ = self.store.constant(&1.into());
                self.add(or(x, y, true_))?;
            }
            Connective::Implies | Connective::Follows => self.add(implies(x, y))?,
            Connective::Equivalent => self.store.join(x, y)?,
            Connective::Different => {
                let [true_, false_] = [1, 0].map(|value| self.store.constant(&value.into()));
                self.add(or(x, y, true_))?;
                self.add(and(x, y, false_))?;
            }
        }
        Ok(())
    }

    /// Takes a formula apart: parts before wholes.
    pub(crate) fn parts(&mut self, term: Cell) -> Posted<Vec<Part>> {
        let mut parts = Vec::new();
        let mut done: Vec<usize> = Vec::new();
        let mut tasks = vec![Task::Read(term)];
        let mut end = EndWatch::default();
        while let Some(task) = tasks.pop() {
            watchdog::step();
            if !end.goes_on(&self.m.heap, term, parts.len() + tasks.len()) {
                return Err(self.m.domain_error("clpfd_reifiable_expression", term).into());
            }
            let part = match task {
                Task::Not => Part::Not(done.pop().expect("its part was read")),
                Task::Both(connective) => {
                    let right = done.pop().expect("its parts were read");
                    Part::Both(connective, done.pop().expect("its parts were read"), right)
                }
                Task::Read(cell) => match self.part(cell, &mut tasks)? {
                    Some(part) => part,
                    None => continue,
                },
            };
            done.push(parts.len());
            parts.push(part);
        }
        Ok(parts)
    }

    /// A part without parts of its own, or tasks to read these.
    fn part(&mut self, cell: Cell, tasks: &mut Vec<Task>) -> Posted<Option<Part>> {
        self.must_be_marked(cell)?;
        let heap = &self.m.heap;
        let part = match heap.value(cell) {
            Value::Var(_) | Value::Int(0 | 1) => Part::Truth(heap.deref(cell)),
            Value::Struct(name, 1, at) => {
                let inner = heap.at(at);
                match self.m.symbols.name(name) {
                    "#\\" => {
                        tasks.extend([Task::Not, Task::Read(inner)]);
                        return Ok(None);
                    }
                    "?" | "#" => Part::Truth(heap.deref(inner)),
                    "finite_domain" => Part::Finite(inner),
                    _ => return Err(self.not_reifiable(cell)),
                }
            }
            Value::Struct(name, 2, at) => {
                let (left, right) = (heap.at(at), heap.at(at + 1));
                let name = self.m.symbols.name(name);
                if let Some(comparison) = Comparison::of(name) {
                    Part::Compare(comparison, left, right)
                } else {
                    let connective = match name {
                        "in" => return Ok(Some(Part::In(left, right))),
                        "in_set" => return Ok(Some(Part::InSet(left, right))),
                        "tuples_in" => return Ok(Some(Part::Tuples(left, right))),
                        _ => Connective::of(name).ok_or_else(|| self.not_reifiable(cell))?,
                    };
                    tasks.extend([Task::Both(connective), Task::Read(right), Task::Read(left)]);
                    return Ok(None);
                }
            }
            _ => return Err(self.not_reifiable(cell)),
        };
        Ok(Some(part))
    }

    fn not_reifiable(&mut self, cell: Cell) -> Refusal {
        self.m.domain_error("clpfd_reifiable_expression", cell).into()
    }

    /// The truth of a part, with the parts that it needs, in their order.
    fn truth_of(&mut self, parts: &[Part], root: usize, truths: &mut [Option<Var>]) -> Posted<Var> {
        let first = first(parts, root);
        let mut skipped = vec![false; root + 1 - first];
        let mut sets: Vec<(usize, Cell, Domain)> = Vec::new();
        // Alternatives for one variable are a set.
        for at in (first..=root).rev() {
            if !skipped[at - first]
                && let Part::Both(by @ (Connective::Or | Connective::And), ..) = parts[at]
                && let Some((cell, set)) = self.one_of(parts, at, by)
            {
                sets.push((at, cell, set));
                let from = self::first(parts, at);
                skipped[from - first..at - first].fill(true);
            }
        }
        for at in first..=root {
            if skipped[at - first] || truths[at].is_some() {
                continue;
            }
            let truth = match sets.iter().position(|(of, ..)| *of == at) {
                Some(found) => {
                    let (_, cell, set) = sets.swap_remove(found);
                    let var = self.operand(cell)?;
                    self.within(var, set)?
                }
                None => self.truth_of_part(parts, at, truths)?,
            };
            truths[at] = Some(truth);
        }
        Ok(truths[root].expect("the whole"))
    }

    fn truth_of_part(&mut self, parts: &[Part], at: usize, truths: &[Option<Var>]) -> Posted<Var> {
        let of = |part: usize| truths[part].expect("parts come first");
        Ok(match parts[at] {
            Part::Truth(cell) => {
                let var = self.operand(cell)?;
                self.store.intersect(var, &Domain::small(0, 1).expect("in order"))?;
                var
            }
            Part::Compare(comparison, left, right) => self.compared(comparison, left, right)?,
            Part::In(cell, set) => {
                let var = self.operand(cell)?;
                let set = self.set(set)?;
                self.within_or_never(var, set)?
            }
            Part::InSet(cell, set) => {
                let var = self.operand(cell)?;
                let set = self.given_set(set)?;
                self.within_or_never(var, set)?
            }
            Part::Finite(cell) => {
                let var = self.operand(cell)?;
                self.reified(|truth| finite(var, truth))?
            }
            Part::Tuples(tuples, relation) => self.tuples_truth(tuples, relation)?,
            Part::Not(part) => self.not(of(part))?,
            Part::Both(connective, left, right) => {
                let (x, y) = (of(left), of(right));
                match connective {
                    Connective::And => self.and(x, y)?,
                    Connective::Or => self.or(x, y)?,
                    Connective::Implies => self.implied(x, y)?,
                    Connective::Follows => self.implied(y, x)?,
                    Connective::Equivalent => {
                        let (there, back) = (self.implied(x, y)?, self.implied(y, x)?);
                        self.and(there, back)?
                    }
                    Connective::Different => {
                        let (either, both) = (self.or(x, y)?, self.and(x, y)?);
                        let not_both = self.not(both)?;
                        self.and(either, not_both)?
                    }
                }
            }
        })
    }

    /// A new truth, and a constraint on it.
    fn reified(&mut self, code: impl FnOnce(Var) -> Code) -> Posted<Var> {
        let truth = self.truth();
        self.add(code(truth))?;
        Ok(truth)
    }

    fn and(&mut self, x: Var, y: Var) -> Posted<Var> {
        self.reified(|truth| and(x, y, truth))
    }

    fn or(&mut self, x: Var, y: Var) -> Posted<Var> {
        self.reified(|truth| or(x, y, truth))
    }

    fn not(&mut self, x: Var) -> Posted<Var> {
        self.reified(|truth| not(x, truth))
    }

    fn implied(&mut self, x: Var, y: Var) -> Posted<Var> {
        let not = self.not(x)?;
        self.or(not, y)
    }

    fn within(&mut self, var: Var, set: Domain) -> Posted<Var> {
        self.reified(|truth| within(var, set, truth))
    }

    /// Whether a variable has a value of a set, which may be empty.
    fn within_or_never(&mut self, var: Var, set: Option<Domain>) -> Posted<Var> {
        match set {
            Some(set) => self.within(var, set),
            None => Ok(self.store.constant(&0.into())),
        }
    }

    fn compared(&mut self, comparison: Comparison, left: Cell, right: Cell) -> Posted<Var> {
        let (mut left, mut right) = (self.expression(left)?, self.expression(right)?);
        if matches!(comparison, Comparison::Less | Comparison::AtMost) {
            std::mem::swap(&mut left, &mut right);
        }
        let question = match comparison {
            Comparison::Equal => Question::Equal,
            Comparison::NotEqual => Question::NotEqual,
            _ => Question::AtLeast,
        };
        if matches!(comparison, Comparison::Less | Comparison::Greater) {
            right.increment();
        }
        let truth = self.truth();
        let mut partial = Partial::default();
        let x = self.compared_value(&left, &mut partial)?;
        let y = self.compared_value(&right, &mut partial)?;
        let (defined, parts) = (partial.defined.into(), partial.parts.into());
        self.add(Arc::new(Compared { question, x, y, defined, parts, truth }))?;
        Ok(truth)
    }

    fn compared_value(&mut self, e: &Expression, partial: &mut Partial) -> Posted<Var> {
        match e.value(e.root()) {
            Some(Ok(value)) => Ok(self.store.constant(&value)),
            Some(Err(NoValue::Undefined)) => {
                // It compares with nothing.
                let never = self.store.constant(&0.into());
                partial.defined.push(never);
                Ok(never)
            }
            Some(Err(NoValue::TooLarge)) => Err(self.m.resource_error("memory").into()),
            None => self.value_in(e, e.root(), Target::New, Some(partial)),
        }
    }

    /// The variable, and the set, of alternatives that are all values of one variable, or of exclusions that
    /// all are.
    fn one_of(&self, parts: &[Part], root: usize, by: Connective) -> Option<(Cell, Domain)> {
        let mut variable = None;
        let mut values: Vec<(Bound, Bound)> = Vec::new();
        let mut todo = vec![root];
        while let Some(at) = todo.pop() {
            let (cell, value) = match parts[at] {
                Part::Both(connective, left, right) if connective == by => {
                    todo.extend([right, left]);
                    continue;
                }
                Part::Compare(Comparison::Equal, left, right) | Part::In(left, right)
                    if by == Connective::Or =>
                {
                    (left, right)
                }
                Part::Compare(Comparison::NotEqual, left, right) if by == Connective::And => {
                    (left, right)
                }
                _ => return None,
            };
            let heap = &self.m.heap;
            let (cell, value) = match (integer(heap, cell), integer(heap, value)) {
                (None, Some(number)) => (heap.deref(cell), number),
                (Some(number), None) => (heap.deref(value), number),
                _ => return None,
            };
            if !cell.is_var() || *variable.get_or_insert(cell) != cell {
                return None;
            }
            values.push((Bound::Fin(value.clone()), Bound::Fin(value)));
        }
        let set = Domain::of_parts(values)?;
        let set = if by == Connective::Or { set } else { set.complement()? };
        variable.map(|cell| (cell, set))
    }
}

/// The number of the first part of a part.
fn first(parts: &[Part], root: usize) -> usize {
    let mut at = root;
    loop {
        match parts[at] {
            Part::Not(part) => at = part,
            Part::Both(_, left, _) => at = left,
            _ => return at,
        }
    }
}

impl Session<'_> {
    fn tuples_truth(&mut self, tuples: Cell, relation: Cell) -> Posted<Var> {
        let (tuples, relation) = (self.tuples(tuples)?, self.relation(relation)?);
        let truth = self.truth();
        post_tuples_in_reified(self.store, &tuples, &relation, truth)?;
        self.propagate()?;
        Ok(truth)
    }

    /// Lists of variables and integers.
    pub(crate) fn tuples(&mut self, tuples: Cell) -> Posted<Vec<Vec<Var>>> {
        self.list(tuples)?.into_iter().map(|tuple| self.operands(tuple)).collect()
    }

    pub(crate) fn relation(&mut self, relation: Cell) -> Posted<Vec<Vec<BigInt>>> {
        self.list(relation)?.into_iter().map(|row| self.numbers(row)).collect()
    }
}

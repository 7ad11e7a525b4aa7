//! What constraints say, as they are written, of the values of their variables.

use super::sums::{limited, small};
use crate::domain::Domain;
use crate::expression::Expression;
use crate::formula::{Connective, Part};
use crate::number::Bound;
use crate::post::Comparison;
use crate::session::Session;
use num_bigint::BigInt;
use zug_term::{Cell, Value};

/// A sum of variables, and what else is added to it, at most 0.
pub(super) struct AtMost {
    pub terms: Vec<(i64, Cell)>,
    pub others: Vec<(i64, Expression)>,
    pub constant: i64,
}

/// Constraints of which bounds follow.
#[derive(Default)]
pub(super) struct Found {
    pub sums: Vec<AtMost>,
    /// Each variable has a value of these terms, which are variables or integers.
    pub members: Vec<(Cell, Vec<Cell>)>,
    pub bounds: Vec<(Cell, i64, i64)>,
}

/// The variable and the set of a constraint that is about one variable alone.
pub(super) fn domain_of(session: &mut Session<'_>, goal: Cell) -> Option<(Cell, Domain)> {
    let (name, args) = session.named(goal)?;
    let [left, right] = args[..] else { return None };
    if name == "in" || name == "in_set" {
        let set = if name == "in" { session.set(right) } else { session.given_set(right) };
        let set = set.ok()??;
        return left.is_var().then_some((left, set));
    }
    let comparison = Comparison::of(&name)?;
    let AtMost { terms, others, constant } = AtMost::of(session, &[], left, right)?;
    let ([(by, cell)], []) = (&terms[..], &others[..]) else { return None };
    let (by, cell) = (*by, *cell);
    // by * cell + constant compares so with 0.
    let (value, rest) = ((-constant).div_euclid(by.abs()), (-constant).rem_euclid(by.abs()));
    let (value, is_exact) = (value * by.signum(), rest == 0);
    // The numbers up to one, or from one on, on the side of the sign.
    let up_to = |most: i64, is_up: bool| {
        if is_up == (by > 0) {
            Domain::interval(&Bound::Inf, &Bound::from(most * by.signum()))
        } else {
            Domain::interval(&Bound::from(most * by.signum()), &Bound::Sup)
        }
    };
    let at_most = |limit: i64| up_to((-limit).div_euclid(by.abs()), true);
    let at_least = |limit: i64| up_to(-(limit.div_euclid(by.abs())), false);
    let single = Domain::small(value, value).filter(|_| is_exact);
    let set = match comparison {
        Comparison::Equal => single,
        Comparison::NotEqual => single?.complement(),
        Comparison::AtMost => at_most(constant),
        Comparison::Less => at_most(constant.checked_add(1)?),
        Comparison::AtLeast => at_least(constant),
        Comparison::Greater => at_least(constant.checked_sub(1)?),
    }?;
    Some((cell, set))
}

impl Found {
    /// What can be found of bounds in a constraint.
    pub fn read(&mut self, session: &mut Session<'_>, goal: Cell) {
        let Some((name, args)) = session.named(goal) else { return };
        if let (Some(comparison), [left, right]) = (Comparison::of(&name), &args[..]) {
            self.compare(session, comparison, &[], *left, *right);
            return;
        }
        if Connective::of(&name).is_some() {
            // The variables of a formula that are truths are 0 or 1.
            let parts = session.parts(goal).unwrap_or_default();
            self.bounds.extend(parts.into_iter().filter_map(|part| match part {
                Part::Truth(cell) if cell.is_var() => Some((cell, 0, 1)),
                _ => None,
            }));
            return;
        }
        match (&*name, &args[..]) {
            ("scalar_product", [factors, items, relation, value]) => {
                let relation = session.m.heap.deref(*relation).as_atom();
                let relation =
                    relation.and_then(|name| Comparison::of(session.m.symbols.name(name)));
                let (Ok(factors), Ok(items), Some(relation)) =
                    (session.list(*factors), session.list(*items), relation)
                else {
                    return;
                };
                let mut terms = Vec::new();
                for (factor, item) in factors.into_iter().zip(items) {
                    let Some(by) = session.number(factor).ok().and_then(|by| small(&by).ok())
                    else {
                        return;
                    };
                    terms.push((by, item));
                }
                let zero = Cell::small(0);
                self.compare(session, relation, &terms, zero, *value);
            }
            ("element", [index, list, value]) => {
                if let Ok(items) = session.list(*list) {
                    self.bounds.extend(index.is_var().then_some((*index, 1, items.len() as i64)));
                    self.member(session, *value, items);
                }
            }
            ("circuit", [list]) => {
                if let Ok(items) = session.list(*list) {
                    let count = items.len() as i64;
                    for item in items {
                        let item = session.m.heap.deref(item);
                        self.bounds.extend(item.is_var().then_some((item, 1, count)));
                    }
                }
            }
            ("tuples_in", [tuples, relation]) => {
                let (Ok(tuples), Ok(rows)) = (session.list(*tuples), session.list(*relation))
                else {
                    return;
                };
                let rows: Vec<Vec<Cell>> =
                    rows.into_iter().filter_map(|row| session.list(row).ok()).collect();
                for tuple in tuples {
                    for (at, item) in
                        session.list(tuple).unwrap_or_default().into_iter().enumerate()
                    {
                        let column = rows.iter().filter_map(|row| row.get(at).copied()).collect();
                        self.member(session, item, column);
                    }
                }
            }
            ("global_cardinality", [items, pairs, ..]) => self.cardinality(session, *items, *pairs),
            ("cumulative", [tasks, ..]) => {
                for task in session.list(*tasks).unwrap_or_default() {
                    let Some((_, parts)) = session.named(task) else { continue };
                    if let [start, duration, end, ..] = parts[..] {
                        let terms = [(1, start), (1, duration)];
                        let zero = Cell::small(0);
                        self.compare(session, Comparison::Equal, &terms, zero, end);
                    }
                }
            }
            _ => {}
        }
    }

    fn member(&mut self, session: &Session<'_>, cell: Cell, members: Vec<Cell>) {
        let cell = session.m.heap.deref(cell);
        if cell.is_var() && !members.is_empty() {
            let members = members.into_iter().map(|member| session.m.heap.deref(member)).collect();
            self.members.push((cell, members));
        }
    }

    fn cardinality(&mut self, session: &mut Session<'_>, items: Cell, pairs: Cell) {
        let (Ok(items), Ok(pairs)) = (session.list(items), session.list(pairs)) else { return };
        let mut keys = Vec::new();
        for pair in pairs {
            let Some((_, parts)) = session.named(pair) else { continue };
            if let [key, count] = parts[..] {
                keys.push(key);
                self.bounds.extend(count.is_var().then_some((count, 0, items.len() as i64)));
            }
        }
        for item in items {
            self.member(session, item, keys.clone());
        }
    }

    /// A sum and one term compare so with another one.
    fn compare(
        &mut self,
        session: &mut Session<'_>,
        comparison: Comparison,
        more: &[(i64, Cell)],
        left: Cell,
        right: Cell,
    ) {
        let Some(sum) = AtMost::of(session, more, left, right) else { return };
        let other = AtMost {
            terms: sum.terms.iter().map(|&(by, cell)| (-by, cell)).collect(),
            others: sum.others.iter().map(|(by, e)| (-by, e.clone())).collect(),
            constant: -sum.constant,
        };
        let more = |mut sum: AtMost, by: i64| {
            sum.constant += by;
            sum
        };
        match comparison {
            Comparison::Equal => self.sums.extend([other, sum]),
            Comparison::NotEqual => {}
            Comparison::AtMost => self.sums.push(sum),
            Comparison::Less => self.sums.push(more(sum, 1)),
            Comparison::AtLeast => self.sums.push(other),
            Comparison::Greater => self.sums.push(more(other, 1)),
        }
    }
}

impl AtMost {
    /// Some terms and the difference of two others; nothing if they are no expressions, or have large numbers.
    fn of(
        session: &mut Session<'_>,
        more: &[(i64, Cell)],
        left: Cell,
        right: Cell,
    ) -> Option<AtMost> {
        let (mut all, mut others, mut constant) = (Vec::new(), Vec::new(), BigInt::ZERO);
        for &(by, cell) in more {
            match session.m.heap.value(cell) {
                Value::Int(value) => constant += BigInt::from(by) * value,
                Value::Var(_) => all.push((by.into(), session.m.heap.deref(cell))),
                _ => return None,
            }
        }
        for (side, sign) in [(left, 1), (right, -1)] {
            let e = session.expression(side).ok()?;
            let sum = e.sum(e.root());
            all.extend(sum.terms.into_iter().map(|(by, cell)| (by * sign, cell)));
            for (by, at) in sum.others {
                others.push((small(&(by * sign)).ok()?, e.part(at)));
            }
            constant += sum.constant * sign;
        }
        let mut terms: Vec<(i64, Cell)> = Vec::new();
        for (by, cell) in all {
            let by = small(&by).ok()?;
            match terms.iter_mut().find(|(_, own)| *own == cell) {
                Some((sum, _)) => *sum = limited(i128::from(*sum) + i128::from(by)).ok()?,
                None => terms.push((by, cell)),
            }
        }
        terms.retain(|&(by, _)| by != 0);
        Some(AtMost { terms, others, constant: small(&constant).ok()? })
    }
}

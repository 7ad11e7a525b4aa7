//! What constraints say, as they are written, of the values of their variables.

use super::encode::{named_set, small, taken};
use super::sums::limited;
use crate::domain::Domain;
use crate::expression::{Binary, Expression, Node, Unary};
use crate::number::Bound;
use crate::post::Comparison;
use crate::session::Session;
use zug_term::{Cell, Value, watchdog};

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
        let set = named_set(session, &name, right).ok()??;
        return left.is_var().then_some((left, set));
    }
    let comparison = Comparison::of(&name)?;
    let (terms, constant) = difference(session, left, right)?;
    let [(by, cell)] = terms[..] else { return None };
    // by * cell + constant compares so with 0.
    let (value, rest) = ((-constant).div_euclid(by.abs()), (-constant).rem_euclid(by.abs()));
    let (value, is_exact) = (value * by.signum(), rest == 0);
    let interval = |lo: Bound, hi: Bound| Domain::interval(&lo, &hi);
    // The greatest number that times |by| is at most -constant, on the side of the sign.
    let at_most = |limit: i64| {
        let most = (-limit).div_euclid(by.abs());
        if by > 0 {
            interval(Bound::Inf, Bound::from(most))
        } else {
            interval(Bound::from(-most), Bound::Sup)
        }
    };
    let at_least = |limit: i64| {
        let least = -(limit.div_euclid(by.abs()));
        if by > 0 {
            interval(Bound::from(least), Bound::Sup)
        } else {
            interval(Bound::Inf, Bound::from(-least))
        }
    };
    let set = match comparison {
        Comparison::Equal if is_exact => interval(Bound::from(value), Bound::from(value)),
        Comparison::NotEqual if is_exact => {
            interval(Bound::from(value), Bound::from(value))?.complement()
        }
        Comparison::Equal | Comparison::NotEqual => None,
        Comparison::AtMost => at_most(constant),
        Comparison::Less => at_most(constant.checked_add(1)?),
        Comparison::AtLeast => at_least(constant),
        Comparison::Greater => at_least(constant.checked_sub(1)?),
    }?;
    Some((cell, set))
}

/// The terms and the number of the difference of two terms, if both are sums.
fn difference(
    session: &mut Session<'_>,
    left: Cell,
    right: Cell,
) -> Option<(Vec<(i64, Cell)>, i64)> {
    let left = taken(session.expression(left)).ok()?;
    let right = taken(session.expression(right)).ok()?;
    let (mut terms, constant) = left.linear(left.root())?;
    let (others, number) = right.linear(right.root())?;
    terms.extend(others.into_iter().map(|(by, cell)| (-by, cell)));
    let constant = small(&(constant - number)).ok()?;
    let mut all = Vec::new();
    for (by, cell) in terms {
        if !merge(&mut all, small(&by).ok()?, cell) {
            return None;
        }
    }
    all.retain(|&(by, _)| by != 0);
    Some((all, constant))
}

/// Adds a variable times a number to terms that have each variable once; false if the number becomes too large.
fn merge(terms: &mut Vec<(i64, Cell)>, by: i64, cell: Cell) -> bool {
    match terms.iter_mut().find(|(_, own)| *own == cell) {
        Some((sum, _)) => match limited(i128::from(*sum) + i128::from(by)) {
            Ok(total) => *sum = total,
            Err(_) => return false,
        },
        None => terms.push((by, cell)),
    }
    true
}

impl Found {
    /// What can be found of bounds in a constraint.
    pub fn read(&mut self, session: &mut Session<'_>, goal: Cell, depth: usize) {
        let Some((name, args)) = session.named(goal) else { return };
        if let (Some(comparison), [left, right]) = (Comparison::of(&name), &args[..]) {
            self.compare(session, comparison, &[], *left, *right);
            return;
        }
        match (&*name, &args[..]) {
            ("#<==>" | "#==>" | "#<==" | "#\\" | "#/\\" | "#\\/", _) if depth == 0 => {
                self.truths(session, goal);
            }
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

    /// The variables of a formula that are truths are 0 or 1.
    fn truths(&mut self, session: &mut Session<'_>, formula: Cell) {
        let mut todo = vec![formula];
        while let Some(cell) = todo.pop() {
            watchdog::step();
            let cell = session.m.heap.deref(cell);
            if cell.is_var() {
                self.bounds.push((cell, 0, 1));
                continue;
            }
            let Some((name, args)) = session.named(cell) else { continue };
            if matches!(&*name, "#<==>" | "#==>" | "#<==" | "#\\" | "#/\\" | "#\\/" | "?" | "#") {
                todo.extend(args);
            }
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
        let (Ok(left), Ok(right)) = (session.expression(left), session.expression(right)) else {
            return;
        };
        let mut sum = AtMost { terms: Vec::new(), others: Vec::new(), constant: 0 };
        for &(by, cell) in more {
            let is_added = match session.m.heap.value(cell) {
                Value::Int(value) => sum.more(i128::from(by) * i128::from(value)),
                Value::Var(_) => merge(&mut sum.terms, by, session.m.heap.deref(cell)),
                _ => false,
            };
            if !is_added {
                return;
            }
        }
        if !sum.add(&left, 1) || !sum.add(&right, -1) {
            return;
        }
        let contrary = |constant: i64| AtMost {
            terms: sum.terms.iter().map(|&(by, cell)| (-by, cell)).collect(),
            others: sum.others.iter().map(|(by, e)| (-by, e.clone())).collect(),
            constant,
        };
        let other = contrary(-sum.constant);
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
    /// Adds a number; false if it is too large.
    fn more(&mut self, by: i128) -> bool {
        let sum = limited(i128::from(self.constant).saturating_add(by));
        self.constant = sum.as_ref().copied().unwrap_or(self.constant);
        sum.is_ok()
    }

    /// Adds an expression times 1 or -1; false if it has large numbers.
    fn add(&mut self, e: &Expression, sign: i64) -> bool {
        let mut todo = vec![(e.root(), sign)];
        while let Some((at, by)) = todo.pop() {
            match &e.nodes[at] {
                Node::Variable(cell) => {
                    if !merge(&mut self.terms, by, *cell) {
                        return false;
                    }
                }
                Node::Integer(value) => {
                    let more = small(value).map(|value| i128::from(value) * i128::from(by));
                    if !more.is_ok_and(|more| self.more(more)) {
                        return false;
                    }
                }
                Node::Unary(Unary::Negate, part) => todo.push((*part, -by)),
                Node::Binary(Binary::Add, left, right) => todo.extend([(*left, by), (*right, by)]),
                Node::Binary(Binary::Subtract, left, right) => {
                    todo.extend([(*left, by), (*right, -by)]);
                }
                Node::Binary(Binary::Multiply, left, right) => {
                    let number = |at: &usize| match &e.nodes[*at] {
                        Node::Integer(value) => small(value).ok(),
                        _ => None,
                    };
                    let (factor, part) = match (number(left), number(right)) {
                        (Some(factor), _) => (factor, *right),
                        (_, Some(factor)) => (factor, *left),
                        _ => {
                            self.others.push((by, e.part(at)));
                            continue;
                        }
                    };
                    let Ok(by) = limited(i128::from(by) * i128::from(factor)) else { return false };
                    todo.push((part, by));
                }
                _ => self.others.push((by, e.part(at))),
            }
        }
        self.terms.retain(|&(by, _)| by != 0);
        true
    }
}

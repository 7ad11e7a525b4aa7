//! Constraints as they are written, posted as propagators.
//!
//! What an expression becomes, and so how far its constraints reach, is what library(clpfd) makes of
//! it (M. Triska, *The finite domain constraint solver of SWI-Prolog*, FLOPS 2012): sums are one
//! constraint, of other operations each is one, with variables for what is between.

use crate::domain::Domain;
use crate::expression::{Binary, Expression, NoValue, Node, Unary, Unknown, unmarked};
use crate::number::{Bound, Number};
use crate::propagators::Code;
use crate::propagators::compare::{at_most_plus, distance, not_equal, not_sum};
use crate::propagators::division::{Rounding, quotient};
use crate::propagators::extremes::{absolute, binary_function, post_extreme, unary_function};
use crate::propagators::linear::{Relation, linear, reduced};
use crate::propagators::power::power;
use crate::propagators::reified::Division;
use crate::propagators::sum::plus;
use crate::propagators::times::times;
use crate::session::{Posted, Refusal, Session};
use crate::shown::Var;
use crate::store::{Fail, Prop};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use zug_machine::Machine;
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    pub fn of(name: &str) -> Option<Comparison> {
        Some(match name {
            "#=" => Comparison::Equal,
            "#\\=" => Comparison::NotEqual,
            "#<" => Comparison::Less,
            "#=<" => Comparison::AtMost,
            "#>" => Comparison::Greater,
            "#>=" => Comparison::AtLeast,
            _ => return None,
        })
    }

    fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::AtMost => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::AtLeast => order.is_ge(),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// To a variable of the store.
    Var(Var),
    /// To a variable of a term.
    Cell(Cell),
    /// To a variable of its own.
    New,
}

/// Expressions that need not have a value.
#[derive(Default)]
pub(crate) struct Partial {
    /// The propagators between the values and their parts.
    pub parts: Vec<Prop>,
    /// Truths that all say that there are values.
    pub defined: Vec<Var>,
}

type Term = (BigInt, Cell);

impl Session<'_> {
    pub fn expression(&mut self, term: Cell) -> Posted<Expression> {
        if self.monotonic {
            for cell in unmarked(&self.m.heap, &self.m.symbols, term) {
                self.must_be_marked(cell)?;
            }
        }
        match Expression::read(&self.m.heap, &self.m.symbols, term) {
            Ok(expression) => Ok(expression),
            Err(Unknown::Term(cell)) => Err(self.m.domain_error("clpfd_expression", cell).into()),
            Err(Unknown::NoInteger(cell)) => Err(self.m.type_error("integer", cell).into()),
        }
    }

    pub fn compare(&mut self, comparison: Comparison, left: Cell, right: Cell) -> Posted {
        if let (Some(a), Some(b)) = (self.quick_value(left), self.quick_value(right)) {
            return held(comparison.holds(a.cmp(&b)));
        }
        if comparison == Comparison::Equal && !self.monotonic {
            // A variable without constraints gets a value: arithmetic, the other way to write `is`.
            for (one, other) in [(left, right), (right, left)] {
                if let Value::Var(_) = self.m.heap.value(one)
                    && let Some(value) = self.quick_value(other)
                {
                    return self.give(one, &value.into());
                }
            }
        }
        let mut both = self.expression(left)?;
        let left = both.root();
        let right = self.expression(right)?;
        let right = both.append(right);
        self.compare_parts(comparison, both, left, right)
    }

    /// Gives a variable of a term a value: in the store alone, if that is not the session's.
    fn give(&mut self, cell: Cell, value: &BigInt) -> Posted {
        if self.beside {
            let var = self.variable(cell);
            return Ok(self.store.fix(var, &Bound::Fin(value.clone()))?);
        }
        let value = self.integer(value);
        held(self.m.unify(cell, value))
    }

    pub(crate) fn compare_parts(
        &mut self,
        comparison: Comparison,
        mut both: Expression,
        left: usize,
        right: usize,
    ) -> Posted {
        // What is known is an integer.
        let left = known(self.m, &mut both, left)?;
        let right = known(self.m, &mut both, right)?;
        match comparison {
            Comparison::Equal => self.equal(&both, left, right),
            Comparison::NotEqual => self.not_equal(&both, left, right),
            Comparison::AtLeast => self.at_least(&mut both, left, right, 0),
            Comparison::Greater => self.at_least(&mut both, left, right, 1),
            Comparison::AtMost => self.at_least(&mut both, right, left, 0),
            Comparison::Less => self.at_least(&mut both, right, left, 1),
        }
    }

    /// Posts a propagator and runs what there is to run.
    pub fn post(&mut self, code: Code) -> Posted<Prop> {
        let prop = self.store.post(code);
        self.propagate()?;
        Ok(prop)
    }

    /// As [`post`](Session::post), for a propagator that nothing else refers to.
    pub fn add(&mut self, code: Code) -> Posted {
        self.post(code).map(drop)
    }

    /// The value of a term of few operations on small integers.
    fn quick_value(&self, term: Cell) -> Option<i64> {
        fn value(session: &Session<'_>, term: Cell, depth: usize) -> Option<i64> {
            match session.m.heap.value(term) {
                Value::Int(value) => Some(value),
                Value::Struct(name, 2, at) if depth > 0 => {
                    let heap = &session.m.heap;
                    let left = value(session, heap.at(at), depth - 1)?;
                    let right = value(session, heap.at(at + 1), depth - 1)?;
                    match name {
                        atoms::PLUS => left.checked_add(right),
                        atoms::MINUS => left.checked_sub(right),
                        atoms::STAR => left.checked_mul(right),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        value(self, term, 8)
    }

    fn equal(&mut self, e: &Expression, left: usize, right: usize) -> Posted {
        match (&e.nodes[left], &e.nodes[right]) {
            (Node::Integer(a), Node::Integer(b)) => held(a == b),
            (Node::Variable(cell), Node::Integer(value))
            | (Node::Integer(value), Node::Variable(cell)) => self.give(*cell, value),
            (Node::Variable(a), Node::Variable(b)) => {
                let (a, b) = (self.variable(*a), self.variable(*b));
                Ok(self.store.join(a, b)?)
            }
            (Node::Variable(_) | Node::Integer(_), _) => self.equal_to(e, left, right, right),
            (_, Node::Variable(_) | Node::Integer(_)) => self.equal_to(e, left, right, left),
            _ => {
                if let Some((terms, constant)) = difference(e, left, right) {
                    return self.linear(Relation::Equal, terms, constant);
                }
                let var = self.result(e, left)?;
                self.value_in(e, right, Target::Var(var), None).map(drop)
            }
        }
    }

    /// Posts that two expressions are equal, of which one, not that at `at`, is a variable or an integer.
    fn equal_to(&mut self, e: &Expression, left: usize, right: usize, at: usize) -> Posted {
        let x = if at == left { right } else { left };
        if let Node::Binary(operation, a, b) = e.nodes[at]
            && e.is_leaf(a)
            && e.is_leaf(b)
            && matches!(operation, Binary::Add | Binary::Subtract | Binary::Multiply)
        {
            let (a, b, x) = (self.result(e, a)?, self.result(e, b)?, self.result(e, x)?);
            return self.add(match operation {
                Binary::Add => plus(a, b, x),
                Binary::Subtract => plus(x, b, a),
                _ => times(a, b, x),
            });
        }
        if let Node::Unary(Unary::Negate, part) = e.nodes[at]
            && e.is_leaf(part)
        {
            let minus = self.store.constant(&(-1).into());
            let (part, x) = (self.result(e, part)?, self.result(e, x)?);
            return self.add(times(minus, part, x));
        }
        if let Some((terms, constant)) = difference(e, left, right) {
            return self.linear(Relation::Equal, terms, constant);
        }
        let target = match e.nodes[x] {
            Node::Variable(cell) => Target::Cell(cell),
            _ => Target::Var(self.result(e, x)?),
        };
        self.value_in(e, at, target, None).map(drop)
    }

    fn not_equal(&mut self, e: &Expression, left: usize, right: usize) -> Posted {
        match (&e.nodes[left], &e.nodes[right]) {
            (Node::Integer(a), Node::Integer(b)) => return held(a != b),
            (Node::Variable(cell), Node::Integer(value))
            | (Node::Integer(value), Node::Variable(cell)) => {
                let var = self.variable(*cell);
                return Ok(self.store.remove(var, &Bound::Fin(value.clone()))?);
            }
            (Node::Variable(a), Node::Variable(b)) => {
                let (a, b) = (self.variable(*a), self.variable(*b));
                return self.add(not_equal(a, b));
            }
            _ => {}
        }
        let sides = [(left, right), (right, left)];
        for operation in [Binary::Add, Binary::Subtract, Binary::Multiply] {
            for (one, other) in sides {
                let Node::Binary(found, a, b) = e.nodes[other] else { continue };
                if found != operation || ![one, a, b].iter().all(|&at| e.is_leaf(at)) {
                    continue;
                }
                if operation == Binary::Multiply {
                    let (a, b) = (self.result(e, a)?, self.result(e, b)?);
                    let product = self.store.new_var(Domain::all());
                    self.add(times(a, b, product))?;
                    let x = self.result(e, one)?;
                    return self.add(not_equal(x, product));
                }
                return self.differs(e, operation, one, a, b);
            }
        }
        for (one, other) in sides {
            if let (Node::Integer(value), Some((y, z))) =
                (&e.nodes[one], parts_of_distance(e, other))
            {
                let (y, z) = (self.result(e, y)?, self.result(e, z)?);
                return self.add(distance(y, z, value.clone(), false));
            }
        }
        if let Some((terms, constant)) = difference(e, left, right) {
            return self.linear(Relation::NotEqual, terms, constant);
        }
        for operation in [Binary::Add, Binary::Subtract] {
            for (one, other) in sides {
                if let Node::Binary(found, a, b) = e.nodes[other]
                    && found == operation
                {
                    return self.differs(e, operation, one, a, b);
                }
            }
        }
        let (x, y) = (self.result(e, left)?, self.result(e, right)?);
        self.add(not_equal(x, y))
    }

    /// Posts that a value is not the sum, or the difference, of two others.
    fn differs(&mut self, e: &Expression, by: Binary, x: usize, a: usize, b: usize) -> Posted {
        let (x, a, b) = (self.result(e, x)?, self.result(e, a)?, self.result(e, b)?);
        self.add(if by == Binary::Add { not_sum(x, a, b) } else { not_sum(a, x, b) })
    }

    /// `left >= right + more`.
    fn at_least(&mut self, e: &mut Expression, left: usize, right: usize, more: i64) -> Posted {
        if let Some((terms, constant)) = difference(e, left, right) {
            return self.at_least_sum(terms, constant + more);
        }
        match (&e.nodes[left], &e.nodes[right]) {
            (Node::Unary(Unary::Abs, part), Node::Integer(value)) => {
                let bound = value + more;
                if let Some((y, z)) = parts_of_distance(e, left) {
                    let (y, z) = (self.result(e, y)?, self.result(e, z)?);
                    return self.add(distance(y, z, bound, true));
                }
                let var = self.result(e, *part)?;
                if bound.is_positive() {
                    let below = (Bound::Inf, Bound::Fin(-bound.clone()));
                    let far = Domain::of_parts(vec![below, (Bound::Fin(bound), Bound::Sup)]);
                    self.store.intersect(var, &far.expect("open"))?;
                }
                return Ok(());
            }
            (Node::Integer(value), Node::Unary(Unary::Abs, part)) => {
                let bound = value - more;
                let var = self.result(e, *part)?;
                let near = Domain::interval(&Bound::Fin(-bound.clone()), &Bound::Fin(bound));
                return Ok(self.store.intersect(var, &near.ok_or(Fail)?)?);
            }
            _ => {}
        }
        let (right, more) = match &e.nodes[right] {
            Node::Integer(value) if more != 0 => {
                let value = value + more;
                (e.push(Node::Integer(value)), 0)
            }
            _ => (right, more),
        };
        let (x, y) = if more == 0 {
            (self.result(e, left)?, self.result(e, right)?)
        } else {
            let y = self.result(e, right)?;
            (self.result(e, left)?, y)
        };
        self.add(at_most_plus(y, x, -more))
    }

    fn at_least_sum(&mut self, terms: Vec<Term>, constant: BigInt) -> Posted {
        let terms = merged(terms);
        let is_one = |coef: &BigInt| coef.abs().is_one();
        match &*terms {
            [] => held(!constant.is_positive()),
            [(coef, cell)] if is_one(coef) => {
                let var = self.variable(*cell);
                self.at_least_signed(coef, var, constant)
            }
            [(a, x), (b, y)] if is_one(a) && is_one(b) && a.sign() != b.sign() => {
                let (high, low) = if a.is_positive() { (*x, *y) } else { (*y, *x) };
                self.order(low, high, -constant)
            }
            [(a, x), (b, y)] if is_one(a) && is_one(b) => {
                let sum = self.store.new_var(Domain::all());
                let (x, y) = (self.variable(*x), self.variable(*y));
                self.add(plus(x, y, sum))?;
                self.at_least_signed(a, sum, constant)
            }
            _ => {
                let terms: Vec<_> =
                    terms.iter().map(|(coef, cell)| (-coef, self.variable(*cell))).collect();
                self.add(linear(Relation::AtMost, &terms, -constant))
            }
        }
    }

    /// A variable times 1 or -1 is at least a number.
    fn at_least_signed(&mut self, sign: &BigInt, var: Var, number: BigInt) -> Posted {
        let step = if sign.is_positive() {
            self.store.at_least(var, &Bound::Fin(number))
        } else {
            self.store.at_most(var, &Bound::Fin(-number))
        };
        Ok(step?)
    }

    /// `low =< high + more`. Of two variables that are new to the store the one that is written first here is the
    /// older one then, which the order of residual goals goes by.
    fn order(&mut self, low: Cell, high: Cell, more: BigInt) -> Posted {
        if more.is_zero() {
            self.variable(high);
        }
        let (low, high) = (self.variable(low), self.variable(high));
        self.add(at_most_plus(low, high, more))
    }

    fn linear(&mut self, relation: Relation, terms: Vec<Term>, constant: BigInt) -> Posted {
        let terms = merged(terms).into_iter().map(|(coef, cell)| (coef, self.variable(cell)));
        let terms: Vec<(BigInt, Var)> = terms.collect();
        if relation != Relation::Equal {
            return self.add(linear(relation, &terms, constant));
        }
        let (terms, constant) = reduced(&terms, &constant).ok_or(Fail)?;
        if constant.is_zero() {
            self.multiples(&terms)?;
        }
        match &*terms {
            [(a, x), (b, y)] if a.abs().is_one() && b.abs().is_one() => {
                let number = if a.is_positive() { constant } else { -constant };
                let number = self.store.constant(&number);
                self.add(if a == b { plus(*x, *y, number) } else { plus(number, *y, *x) })
            }
            _ => self.add(linear(Relation::Equal, &terms, constant)),
        }
    }

    /// Of a sum that is 0, each variable is a multiple of what all other coefficients are multiples of.
    fn multiples(&mut self, terms: &[(BigInt, Var)]) -> Posted {
        for (at, (coef, var)) in terms.iter().enumerate() {
            // The neighbour that decides: the next one, or the last before.
            let near = terms.get(at + 1).or_else(|| at.checked_sub(1).map(|before| &terms[before]));
            let Some((near, _)) = near else { continue };
            if near.abs().is_one() || !coef.gcd(near).is_one() {
                continue;
            }
            let others = terms.iter().enumerate().filter(|(other, _)| *other != at);
            let divisor = others.fold(BigInt::zero(), |gcd, (_, (coef, _))| gcd.gcd(coef));
            if divisor > BigInt::one() {
                let quotient = self.store.new_var(Domain::all());
                let divisor = self.store.constant(&divisor);
                self.add(times(divisor, quotient, *var))?;
            }
        }
        Ok(())
    }

    /// A variable of the store for the value of an expression.
    pub fn result(&mut self, e: &Expression, at: usize) -> Posted<Var> {
        match &e.nodes[at] {
            Node::Variable(cell) => Ok(self.variable(*cell)),
            Node::Integer(value) => Ok(self.store.constant(value)),
            _ => self.value_in(e, at, Target::New, None),
        }
    }

    /// Posts that the value of an expression is a variable, which is made behind those of its parts, and
    /// returned; `partial` if it need not have a value. A leaf is its own value, wherever it should go.
    pub(crate) fn value_in(
        &mut self,
        e: &Expression,
        root: usize,
        target: Target,
        mut partial: Option<&mut Partial>,
    ) -> Posted<Var> {
        let first = e.first(root);
        let mut vars: Vec<Option<Var>> = vec![None; root + 1 - first];
        // Products of one variable are powers: their parts are not needed.
        let mut powers = vec![None; root + 1 - first];
        let mut skipped = vec![false; root + 1 - first];
        for at in (first..=root).rev() {
            if partial.is_none()
                && !skipped[at - first]
                && matches!(e.nodes[at], Node::Binary(Binary::Multiply, ..))
            {
                powers[at - first] = e.power_of_variable(at);
                if powers[at - first].is_some() {
                    skipped[e.first(at) - first..at - first].fill(true);
                }
            }
        }
        for at in (first..=root).filter(|at| !skipped[at - first]) {
            let of = |part: usize| vars[part - first].expect("parts come first");
            let own = if at == root { target } else { Target::New };
            let (var, props) = match e.nodes[at] {
                Node::Variable(cell) => (self.variable(cell), Vec::new()),
                Node::Integer(ref value) => (self.store.constant(value), Vec::new()),
                Node::Unary(operation, part) => {
                    let var = self.target(own);
                    (var, vec![self.unary(operation, of(part), var)?])
                }
                Node::Binary(operation, left, right) => {
                    let z = self.target(own);
                    let props = match (powers[at - first], division(operation), &mut partial) {
                        (Some((cell, exponent)), ..) => {
                            let base = self.variable(cell);
                            let exponent = self.store.constant(&exponent.into());
                            vec![self.post(power(base, exponent, z))?]
                        }
                        (None, Some(division), Some(partial)) => {
                            let truth = self.truth();
                            partial.defined.push(truth);
                            let code = division.if_defined(of(left), of(right), z, truth);
                            vec![self.post(code)?]
                        }
                        (None, Some(division), None) => {
                            self.store.remove_small(of(right), 0)?;
                            vec![self.post(division.code(of(left), of(right), z))?]
                        }
                        (None, None, _) => self.total(operation, of(left), of(right), z)?,
                    };
                    (z, props)
                }
            };
            if let Some(partial) = &mut partial {
                partial.parts.extend(props);
            }
            vars[at - first] = Some(var);
        }
        Ok(vars.pop().flatten().expect("the whole"))
    }

    fn target(&mut self, target: Target) -> Var {
        match target {
            Target::Var(var) => var,
            Target::Cell(cell) => self.variable(cell),
            Target::New => self.store.new_var(Domain::all()),
        }
    }

    fn unary(&mut self, operation: Unary, part: Var, result: Var) -> Posted<Prop> {
        let code = match operation {
            Unary::Negate => times(self.store.constant(&(-1).into()), part, result),
            Unary::Abs => {
                self.store.at_least(result, &Bound::int(0))?;
                absolute(part, result)
            }
            _ => unary_function(operation, part, result),
        };
        self.post(code)
    }

    /// Posts an operation that always has a value; its propagators.
    fn total(&mut self, operation: Binary, x: Var, y: Var, z: Var) -> Posted<Vec<Prop>> {
        let code = match operation {
            Binary::Add => plus(x, y, z),
            Binary::Subtract => plus(z, y, x),
            Binary::Multiply => times(x, y, z),
            Binary::Power => power(x, y, z),
            Binary::Least | Binary::Greatest => {
                let greatest = operation == Binary::Greatest;
                let props = post_extreme(self.store, x, y, z, greatest).to_vec();
                self.propagate()?;
                return Ok(props);
            }
            Binary::ShiftLeft | Binary::ShiftRight => self.shift(operation, x, y, z),
            _ => binary_function(operation, x, y, z),
        };
        Ok(vec![self.post(code)?])
    }

    /// A shift by a known number is a product or a quotient.
    fn shift(&mut self, operation: Binary, x: Var, y: Var, z: Var) -> Code {
        let by = self.store.small_value(y).filter(|by| by.unsigned_abs() < 1 << 20);
        let Some(by) = by else { return binary_function(operation, x, y, z) };
        let up = if operation == Binary::ShiftRight { -by } else { by };
        let factor = self.store.constant(&(BigInt::one() << up.unsigned_abs()));
        if up >= 0 { times(x, factor, z) } else { quotient(Rounding::Floor, x, factor, z) }
    }

    pub(crate) fn truth(&mut self) -> Var {
        self.store.new_var(Domain::small(0, 1).expect("in order"))
    }
}

/// The terms of a sum in the order of the age of their variables, each variable once.
fn merged(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_by_key(|(_, cell)| cell.addr());
    let mut merged: Vec<Term> = Vec::with_capacity(terms.len());
    for (coef, cell) in terms {
        match merged.last_mut() {
            Some((sum, last)) if *last == cell => *sum += coef,
            _ => merged.push((coef, cell)),
        }
    }
    merged.retain(|(coef, _)| !coef.is_zero());
    merged
}

fn held(holds: bool) -> Posted {
    if holds { Ok(()) } else { Err(Refusal::Fail) }
}

fn division(operation: Binary) -> Option<Division> {
    Some(match operation {
        Binary::Truncate => Division::Quotient(Rounding::Truncate),
        Binary::Floor => Division::Quotient(Rounding::Floor),
        Binary::Modulo => Division::Remainder(Rounding::Floor),
        Binary::Remainder => Division::Remainder(Rounding::Truncate),
        Binary::Exact => Division::Exact,
        _ => return None,
    })
}

/// A whole that has no variables is an integer; its number then.
fn known(m: &mut Machine, e: &mut Expression, root: usize) -> Posted<usize> {
    match e.nodes[root] {
        Node::Variable(_) | Node::Integer(_) => Ok(root),
        _ => match e.value(root) {
            Some(Ok(value)) => Ok(e.push(Node::Integer(value))),
            Some(Err(NoValue::Undefined)) => Err(Refusal::Fail),
            Some(Err(NoValue::TooLarge)) => Err(m.resource_error("memory").into()),
            None => Ok(root),
        },
    }
}

/// The terms of `left - right`, and the number that their sum compares with in place of 0.
fn difference(e: &Expression, left: usize, right: usize) -> Option<(Vec<Term>, BigInt)> {
    let (mut terms, constant) = e.linear(left)?;
    let (others, number) = e.linear(right)?;
    terms.extend(others.into_iter().map(|(coef, cell)| (-coef, cell)));
    Some((terms, number - constant))
}

/// The parts of `abs(Y - Z)`.
fn parts_of_distance(e: &Expression, at: usize) -> Option<(usize, usize)> {
    let Node::Unary(Unary::Abs, part) = e.nodes[at] else { return None };
    let Node::Binary(Binary::Subtract, left, right) = e.nodes[part] else { return None };
    Some((left, right))
}

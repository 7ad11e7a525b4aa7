//! Constraints as they are written, posted as propagators.
//!
//! What an expression becomes, and so how far its constraints reach, is what library(clpfd) makes of
//! it (M. Triska, *The finite domain constraint solver of SWI-Prolog*, FLOPS 2012): sums are one
//! constraint, of other operations each is one, with variables for what is between.

use crate::domain::Domain;
use crate::expression::{
    Binary, Expression, NoValue, Node, Unary, Unknown, binary_value, unary_value, unmarked,
};
use crate::number::{Bound, Number};
use crate::propagators::compare::{AtMostPlus, Distance, NotEqual, NotSum};
use crate::propagators::division::{Quotient, Remainder, Rounding};
use crate::propagators::extremes::{Abs, Extreme, Function};
use crate::propagators::linear::{Linear, Relation, reduced};
use crate::propagators::power::Power;
use crate::propagators::reified::{Defined, Division};
use crate::propagators::sum::Plus;
use crate::propagators::times::Times;
use crate::session::{Posted, Refusal, Session};
use crate::store::{Fail, Prop, Propagator, Var};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::sync::Arc;
use zug_machine::Machine;
use zug_term::{Cell, Value};

/// A comparison of two expressions.
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
    /// The comparison of a name.
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

    /// Whether it holds between numbers in this order.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
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

/// A variable or an integer.
#[derive(Clone)]
enum Simple {
    Variable(Cell),
    Integer(BigInt),
}

/// Where the value of an expression goes.
#[derive(Clone, Copy)]
enum Target {
    /// To a variable of the store.
    Var(Var),
    /// To a variable of a term.
    Cell(Cell),
    /// To a variable of its own.
    New,
}

/// A variable with its coefficient.
type Term = (BigInt, Cell);

impl Session<'_> {
    /// An expression of a term.
    ///
    /// # Errors
    /// The term is none.
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

    /// Posts that two terms compare so.
    ///
    /// # Errors
    /// One is no expression, or they don't compare so.
    pub fn compare(&mut self, comparison: Comparison, left: Cell, right: Cell) -> Posted {
        if let (Some(a), Some(b)) = (self.quick_value(left), self.quick_value(right)) {
            return if comparison.holds(a.cmp(&b)) { Ok(()) } else { Err(Refusal::Fail) };
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

    /// Posts that two parts of an expression compare so.
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
    ///
    /// # Errors
    /// The constraints can't hold together.
    pub fn post(&mut self, code: impl Propagator + 'static) -> Posted<Prop> {
        let prop = self.store.post(Arc::new(code));
        self.propagate()?;
        Ok(prop)
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
                        zug_term::symbol::atoms::PLUS => left.checked_add(right),
                        zug_term::symbol::atoms::MINUS => left.checked_sub(right),
                        zug_term::symbol::atoms::STAR => left.checked_mul(right),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        value(self, term, 8)
    }

    fn simple(&self, expression: &Expression, at: usize) -> Option<Simple> {
        match &expression.nodes[at] {
            Node::Variable(cell) => Some(Simple::Variable(*cell)),
            Node::Integer(value) => Some(Simple::Integer(value.clone())),
            _ => None,
        }
    }

    fn store_var(&mut self, simple: &Simple) -> Var {
        match simple {
            Simple::Variable(cell) => self.variable(*cell),
            Simple::Integer(value) => self.store.constant(value),
        }
    }

    fn equal(&mut self, e: &Expression, left: usize, right: usize) -> Posted {
        match (self.simple(e, left), self.simple(e, right)) {
            (Some(Simple::Integer(a)), Some(Simple::Integer(b))) => held(a == b),
            (Some(Simple::Variable(cell)), Some(Simple::Integer(value)))
            | (Some(Simple::Integer(value)), Some(Simple::Variable(cell))) => {
                self.give(cell, &value)
            }
            (Some(a), Some(b)) => {
                let (a, b) = (self.store_var(&a), self.store_var(&b));
                Ok(self.store.join(a, b)?)
            }
            (Some(x), None) => self.equal_to(e, left, right, right, &x),
            (None, Some(x)) => self.equal_to(e, left, right, left, &x),
            (None, None) => {
                if let Some((terms, constant)) = difference(e, left, right) {
                    return self.linear(Relation::Equal, terms, constant);
                }
                let var = self.result(e, left)?;
                self.result_in(e, right, Target::Var(var))?;
                Ok(())
            }
        }
    }

    /// Posts that two expressions are equal, of which one, not that at `at`, is a variable or an integer.
    fn equal_to(
        &mut self,
        e: &Expression,
        left: usize,
        right: usize,
        at: usize,
        x: &Simple,
    ) -> Posted {
        if let Node::Binary(operation, a, b) = &e.nodes[at]
            && let (Some(a), Some(b)) = (self.simple(e, *a), self.simple(e, *b))
            && matches!(operation, Binary::Add | Binary::Subtract | Binary::Multiply)
        {
            let (a, b, x) = (self.store_var(&a), self.store_var(&b), self.store_var(x));
            match operation {
                Binary::Add => self.post(Plus(a, b, x))?,
                Binary::Subtract => self.post(Plus(x, b, a))?,
                _ => self.post(Times(a, b, x))?,
            };
            return Ok(());
        }
        if let Node::Unary(Unary::Negate, part) = &e.nodes[at]
            && let Some(part) = self.simple(e, *part)
        {
            let minus = self.store.constant(&BigInt::from(-1));
            let (part, x) = (self.store_var(&part), self.store_var(x));
            self.post(Times(minus, part, x))?;
            return Ok(());
        }
        if let Some((terms, constant)) = difference(e, left, right) {
            return self.linear(Relation::Equal, terms, constant);
        }
        let target = match x {
            Simple::Variable(cell) => Target::Cell(*cell),
            Simple::Integer(value) => Target::Var(self.store.constant(value)),
        };
        self.result_in(e, at, target)?;
        Ok(())
    }

    fn not_equal(&mut self, e: &Expression, left: usize, right: usize) -> Posted {
        match (self.simple(e, left), self.simple(e, right)) {
            (Some(Simple::Integer(a)), Some(Simple::Integer(b))) => return held(a != b),
            (Some(Simple::Variable(cell)), Some(Simple::Integer(value)))
            | (Some(Simple::Integer(value)), Some(Simple::Variable(cell))) => {
                let var = self.variable(cell);
                return Ok(self.store.remove(var, &Bound::Fin(value))?);
            }
            (Some(a), Some(b)) => {
                let (a, b) = (self.store_var(&a), self.store_var(&b));
                self.post(NotEqual(a, b))?;
                return Ok(());
            }
            _ => {}
        }
        let sides = [(left, right), (right, left)];
        for operation in [Binary::Add, Binary::Subtract, Binary::Multiply] {
            for (one, other) in sides {
                let Node::Binary(found, a, b) = &e.nodes[other] else { continue };
                let (Some(x), Some(a), Some(b), true) = (
                    self.simple(e, one),
                    self.simple(e, *a),
                    self.simple(e, *b),
                    *found == operation,
                ) else {
                    continue;
                };
                if operation == Binary::Multiply {
                    let (a, b) = (self.store_var(&a), self.store_var(&b));
                    let product = self.store.new_var(Domain::all());
                    self.post(Times(a, b, product))?;
                    let x = self.store_var(&x);
                    self.post(NotEqual(x, product))?;
                    return Ok(());
                }
                let (x, a, b) = (self.store_var(&x), self.store_var(&a), self.store_var(&b));
                return self.differs(operation, x, a, b);
            }
        }
        for (one, other) in sides {
            if let (Node::Integer(value), Some((y, z))) = (&e.nodes[one], distance(e, other)) {
                let (y, z) = (self.result(e, y)?, self.result(e, z)?);
                return self.post_distance(y, z, value, false);
            }
        }
        if let Some((terms, constant)) = difference(e, left, right) {
            return self.linear(Relation::NotEqual, terms, constant);
        }
        for operation in [Binary::Add, Binary::Subtract] {
            for (one, other) in sides {
                let Node::Binary(found, a, b) = &e.nodes[other] else { continue };
                if *found == operation {
                    let x = self.result(e, one)?;
                    let (a, b) = (self.result(e, *a)?, self.result(e, *b)?);
                    return self.differs(operation, x, a, b);
                }
            }
        }
        let (x, y) = (self.result(e, left)?, self.result(e, right)?);
        self.post(NotEqual(x, y))?;
        Ok(())
    }

    /// Posts that a variable is not the sum, or the difference, of two others.
    fn differs(&mut self, operation: Binary, x: Var, a: Var, b: Var) -> Posted {
        let code = if operation == Binary::Add { NotSum(x, a, b) } else { NotSum(a, x, b) };
        self.post(code)?;
        Ok(())
    }

    fn post_distance(&mut self, x: Var, y: Var, bound: &BigInt, at_least: bool) -> Posted {
        self.post(Distance { x, y, bound: Bound::Fin(bound.clone()), at_least })?;
        Ok(())
    }

    /// `left >= right + more`.
    fn at_least(&mut self, e: &mut Expression, left: usize, right: usize, more: i64) -> Posted {
        if let Some((terms, constant)) = difference(e, left, right) {
            // The sum of the terms is at least the number.
            return self.at_least_sum(terms, constant + more);
        }
        if let (Node::Integer(value), Some((y, z))) = (&e.nodes[right], distance(e, left)) {
            let bound = value + more;
            let (y, z) = (self.result(e, y)?, self.result(e, z)?);
            return self.post_distance(y, z, &bound, true);
        }
        if let (Node::Unary(Unary::Abs, part), Node::Integer(value)) =
            (&e.nodes[left], &e.nodes[right])
        {
            let bound = value + more;
            let var = self.result(e, *part)?;
            if bound.is_positive() {
                let far =
                    vec![(Bound::Inf, Bound::Fin(-bound.clone())), (Bound::Fin(bound), Bound::Sup)];
                self.store.intersect(var, &Domain::of_parts(far).expect("open"))?;
            }
            return Ok(());
        }
        if let (Node::Integer(value), Node::Unary(Unary::Abs, part)) =
            (&e.nodes[left], &e.nodes[right])
        {
            let bound = value - more;
            let var = self.result(e, *part)?;
            let near = Domain::interval(&Bound::Fin(-bound.clone()), &Bound::Fin(bound));
            return Ok(self.store.intersect(var, &near.ok_or(Fail)?)?);
        }
        let right = if more == 0 {
            right
        } else if let Node::Integer(value) = &e.nodes[right] {
            let value = value + more;
            e.push(Node::Integer(value))
        } else {
            let var = self.result(e, right)?;
            let (x, y) = (self.result(e, left)?, var);
            return self.post_order(y, x, &BigInt::from(-more));
        };
        let (x, y) = (self.result(e, left)?, self.result(e, right)?);
        self.post_order(y, x, &BigInt::zero())
    }

    /// `low =< high + more`.
    fn post_order(&mut self, low: Var, high: Var, more: &BigInt) -> Posted {
        self.post(AtMostPlus(low, high, Bound::Fin(more.clone())))?;
        Ok(())
    }

    /// The sum of the terms is at least a number.
    fn at_least_sum(&mut self, terms: Vec<Term>, constant: BigInt) -> Posted {
        let terms = merged(terms);
        let is_one = |coef: &BigInt| coef.abs().is_one();
        match &*terms {
            [] => held(!constant.is_positive()),
            [(coef, cell)] if is_one(coef) => {
                let var = self.variable(*cell);
                if coef.is_positive() {
                    self.store.at_least(var, &Bound::Fin(constant))?;
                } else {
                    self.store.at_most(var, &Bound::Fin(-constant))?;
                }
                Ok(())
            }
            [(a, x), (b, y)] if is_one(a) && is_one(b) && a.sign() != b.sign() => {
                let (high, low) = if a.is_positive() { (*x, *y) } else { (*y, *x) };
                self.order(low, high, &-constant)
            }
            [(a, x), (b, y)] if is_one(a) && is_one(b) => {
                let sum = self.store.new_var(Domain::all());
                let (x, y) = (self.variable(*x), self.variable(*y));
                self.post(Plus(x, y, sum))?;
                if a.is_positive() {
                    self.store.at_least(sum, &Bound::Fin(constant))?;
                } else {
                    self.store.at_most(sum, &Bound::Fin(-constant))?;
                }
                Ok(())
            }
            _ => {
                let terms = self.with_vars(&terms);
                let terms: Vec<_> = terms.iter().map(|(coef, var)| (-coef, *var)).collect();
                self.post(Linear::new(Relation::AtMost, &terms, -constant))?;
                Ok(())
            }
        }
    }

    /// `low =< high + more`. Of two variables that are new to the store the one that is written first here is the
    /// older one then, which the order of residual goals goes by.
    fn order(&mut self, low: Cell, high: Cell, more: &BigInt) -> Posted {
        if more.is_zero() {
            self.variable(high);
        }
        let (low, high) = (self.variable(low), self.variable(high));
        self.post_order(low, high, more)
    }

    /// The terms of a sum with variables of the store.
    fn with_vars(&mut self, terms: &[Term]) -> Vec<(BigInt, Var)> {
        terms.iter().map(|(coef, cell)| (coef.clone(), self.variable(*cell))).collect()
    }

    /// Posts that a sum compares so with a number.
    fn linear(&mut self, relation: Relation, terms: Vec<Term>, constant: BigInt) -> Posted {
        let terms = self.with_vars(&merged(terms));
        self.linear_of(relation, &terms, constant)
    }

    /// Posts that a sum of different variables compares so with a number.
    ///
    /// # Errors
    /// It does not.
    pub fn linear_of(
        &mut self,
        relation: Relation,
        terms: &[(BigInt, Var)],
        constant: BigInt,
    ) -> Posted {
        if relation != Relation::Equal {
            self.post(Linear::new(relation, terms, constant))?;
            return Ok(());
        }
        let Some((terms, constant)) = reduced(terms, &constant) else { return Err(Refusal::Fail) };
        if constant.is_zero() {
            self.multiples(&terms)?;
        }
        match &*terms {
            [(a, x), (b, y)] if a.abs().is_one() && b.abs().is_one() => {
                let (x, y) = (*x, *y);
                let number = if a.is_positive() { constant } else { -constant };
                let number = self.store.constant(&number);
                let code = if a == b { Plus(x, y, number) } else { Plus(number, y, x) };
                self.post(code)?;
            }
            _ => drop(self.post(Linear::new(Relation::Equal, &terms, constant))?),
        }
        Ok(())
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
                self.post(Times(divisor, quotient, *var))?;
                self.propagate()?;
            }
        }
        Ok(())
    }

    /// A variable of the store for the value of an expression.
    ///
    /// # Errors
    /// It has none.
    pub fn result(&mut self, e: &Expression, at: usize) -> Posted<Var> {
        match &e.nodes[at] {
            Node::Variable(cell) => Ok(self.variable(*cell)),
            Node::Integer(value) => Ok(self.store.constant(value)),
            _ => self.result_in(e, at, Target::New),
        }
    }

    /// Posts that the value of an expression is a variable, which is made behind those of its parts, and
    /// returned.
    fn result_in(&mut self, e: &Expression, root: usize, target: Target) -> Posted<Var> {
        let first = e.first(root);
        let mut vars: Vec<Option<Var>> = vec![None; root + 1 - first];
        // Products of one variable are powers: their parts are not asked for.
        let mut at = root + 1;
        let mut skipped = vec![false; root + 1 - first];
        while at > first {
            at -= 1;
            if !skipped[at - first]
                && matches!(e.nodes[at], Node::Binary(Binary::Multiply, ..))
                && e.power_of_variable(at).is_some()
            {
                for part in e.first(at)..at {
                    skipped[part - first] = true;
                }
            }
        }
        for at in first..=root {
            if skipped[at - first] {
                continue;
            }
            let var = match &e.nodes[at] {
                Node::Variable(cell) => self.variable(*cell),
                Node::Integer(value) => self.store.constant(value),
                Node::Unary(operation, part) => {
                    let part = vars[part - first].expect("parts come first");
                    let var = self.target(if at == root { target } else { Target::New });
                    self.unary(*operation, part, var)?;
                    var
                }
                Node::Binary(operation, left, right) => {
                    let var = self.target(if at == root { target } else { Target::New });
                    if let (Binary::Multiply, Some((cell, exponent))) =
                        (operation, e.power_of_variable(at))
                    {
                        let base = self.variable(cell);
                        let exponent = self.store.constant(&exponent.into());
                        self.post(Power(base, exponent, var))?;
                    } else {
                        let left = vars[left - first].expect("parts come first");
                        let right = vars[right - first].expect("parts come first");
                        self.binary(*operation, left, right, var)?;
                    }
                    var
                }
            };
            vars[at - first] = Some(var);
        }
        let last = vars.pop().flatten().expect("the whole");
        if let Node::Variable(_) | Node::Integer(_) = e.nodes[root] {
            // A leaf is its own result.
            let result = self.target(target);
            self.store.join(last, result)?;
        }
        Ok(last)
    }

    /// The variable where a value goes.
    fn target(&mut self, target: Target) -> Var {
        match target {
            Target::Var(var) => var,
            Target::Cell(cell) => self.variable(cell),
            Target::New => self.store.new_var(Domain::all()),
        }
    }

    /// Posts an operation on a variable.
    fn unary(&mut self, operation: Unary, part: Var, result: Var) -> Posted<Vec<Prop>> {
        let code = match operation {
            Unary::Negate => {
                let minus = self.store.constant(&BigInt::from(-1));
                return Ok(vec![self.post(Times(minus, part, result))?]);
            }
            Unary::Abs => {
                self.store.at_least(result, &Bound::int(0))?;
                return Ok(vec![self.post(Abs(part, result))?]);
            }
            Unary::BitNot => function1("\\", part, result, |v| unary_value(Unary::BitNot, &v[0])),
            Unary::HighestBit => {
                function1("msb", part, result, |v| unary_value(Unary::HighestBit, &v[0]))
            }
            Unary::LowestBit => {
                function1("lsb", part, result, |v| unary_value(Unary::LowestBit, &v[0]))
            }
            Unary::BitCount => {
                function1("popcount", part, result, |v| unary_value(Unary::BitCount, &v[0]))
            }
        };
        Ok(vec![self.post(code)?])
    }

    /// Posts an operation on two variables, which is defined.
    fn binary(&mut self, operation: Binary, left: Var, right: Var, result: Var) -> Posted {
        let Some(division) = division(operation) else {
            return self.total(operation, left, right, result).map(drop);
        };
        self.store.remove_small(right, 0)?;
        match division {
            Division::Quotient(rounding) => self.post(Quotient(rounding, left, right, result))?,
            Division::Remainder(rounding) => self.post(Remainder(rounding, left, right, result))?,
            Division::Exact => self.post(Times(result, right, left))?,
        };
        Ok(())
    }

    /// Posts an operation that always has a value; its propagators.
    fn total(&mut self, operation: Binary, x: Var, y: Var, z: Var) -> Posted<Vec<Prop>> {
        let prop =
            match operation {
                Binary::Add => self.post(Plus(x, y, z)),
                Binary::Subtract => self.post(Plus(z, y, x)),
                Binary::Multiply => self.post(Times(x, y, z)),
                Binary::Power => self.post(Power(x, y, z)),
                Binary::Least | Binary::Greatest => {
                    let greatest = operation == Binary::Greatest;
                    let props = Extreme::post(self.store, x, y, z, greatest).to_vec();
                    self.propagate()?;
                    return Ok(props);
                }
                Binary::ShiftLeft => self.shift(x, y, z, "<<", false),
                Binary::ShiftRight => self.shift(x, y, z, ">>", true),
                Binary::BitAnd => self
                    .post_function2("/\\", x, y, z, |v| binary_value(Binary::BitAnd, &v[0], &v[1])),
                Binary::BitOr => self
                    .post_function2("\\/", x, y, z, |v| binary_value(Binary::BitOr, &v[0], &v[1])),
                Binary::BitXor => self
                    .post_function2("xor", x, y, z, |v| binary_value(Binary::BitXor, &v[0], &v[1])),
                _ => unreachable!("divisions are partial"),
            }?;
        Ok(vec![prop])
    }

    /// A shift by a known number is a product or a quotient.
    fn shift(&mut self, x: Var, y: Var, z: Var, name: &'static str, right: bool) -> Posted<Prop> {
        let by = self.store.small_value(y).filter(|by| by.unsigned_abs() < 1 << 20);
        let Some(by) = by else {
            let apply: fn(&[BigInt]) -> Option<BigInt> = if right {
                |v| binary_value(Binary::ShiftRight, &v[0], &v[1])
            } else {
                |v| binary_value(Binary::ShiftLeft, &v[0], &v[1])
            };
            return self.post_function2(name, x, y, z, apply);
        };
        let up = if right { -by } else { by };
        let factor = BigInt::one() << up.unsigned_abs();
        let factor = self.store.constant(&factor);
        if up >= 0 {
            self.post(Times(x, factor, z))
        } else {
            self.post(Quotient(Rounding::Floor, x, factor, z))
        }
    }

    fn post_function2(
        &mut self,
        name: &'static str,
        x: Var,
        y: Var,
        z: Var,
        apply: fn(&[BigInt]) -> Option<BigInt>,
    ) -> Posted<Prop> {
        self.post(Function { name, arguments: vec![x, y], result: z, apply })
    }

    /// The value of an expression that need not have one: a variable for it, truths that all say that it
    /// has one, and the propagators between.
    pub(crate) fn partial_result(
        &mut self,
        e: &Expression,
        root: usize,
        parts: &mut Vec<Prop>,
        defined: &mut Vec<Var>,
    ) -> Posted<Var> {
        let first = e.first(root);
        let mut vars: Vec<Var> = Vec::with_capacity(root + 1 - first);
        for node in &e.nodes[first..=root] {
            let var = match node {
                Node::Variable(cell) => self.variable(*cell),
                Node::Integer(value) => self.store.constant(value),
                Node::Unary(operation, part) => {
                    let var = self.store.new_var(Domain::all());
                    parts.extend(self.unary(*operation, vars[part - first], var)?);
                    var
                }
                Node::Binary(operation, left, right) => {
                    let (x, y) = (vars[left - first], vars[right - first]);
                    let z = self.store.new_var(Domain::all());
                    match division(*operation) {
                        Some(division) => {
                            let truth = self.truth();
                            defined.push(truth);
                            parts.push(self.post(Defined { division, x, y, z, truth })?);
                        }
                        None => parts.extend(self.total(*operation, x, y, z)?),
                    }
                    z
                }
            };
            vars.push(var);
        }
        Ok(vars.pop().expect("the whole"))
    }

    /// A new truth.
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

fn function1(
    name: &'static str,
    part: Var,
    result: Var,
    apply: fn(&[BigInt]) -> Option<BigInt>,
) -> Function {
    Function { name, arguments: vec![part], result, apply }
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
///
/// # Errors
/// It has no value, or one that takes too much memory.
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
fn distance(e: &Expression, at: usize) -> Option<(usize, usize)> {
    let Node::Unary(Unary::Abs, part) = e.nodes[at] else { return None };
    let Node::Binary(Binary::Subtract, left, right) = e.nodes[part] else { return None };
    Some((left, right))
}

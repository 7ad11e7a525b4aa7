//! Floats that depend on leaves: computing, rounding and comparing, beside integers.
//!
//! A number that is an integer in some states and a float in others is a choice between the two. Floats
//! have bounds as integers have; rounding is monotone, so that what is computed of bounds bounds what is
//! computed between them.

use crate::store::{
    Boxed, Condition, FloatOperation, Guarded, Obstacle, Operation, Relation, Rounding, Shape,
    Store, Term,
};
use zug_term::{Cell, HeaderKind, Heap, Record};

/// Integers that are no further from zero are floats exactly.
const EXACT: i64 = 1 << 53;

/// An operation on floats (IEEE 754), as the standard defines it (ISO/IEC 13211-1, 9.1, 9.3).
///
/// # Errors
/// Where it has no value, or none that is finite.
pub(crate) fn computed_float(operation: FloatOperation, operands: &[f64]) -> Result<f64, Obstacle> {
    let value = operation.of(operands);
    match (operation, operands) {
        (FloatOperation::Divide, &[_, 0.0]) => Err(Obstacle::Undefined),
        _ if value.is_nan() => Err(Obstacle::Undefined),
        _ if value.is_infinite() => Err(Obstacle::Large),
        _ => Ok(value),
    }
}

impl FloatOperation {
    /// What it computes, be it no number or infinite.
    pub fn of(self, operands: &[f64]) -> f64 {
        let (a, b) = match *operands {
            [a] => (a, 0.0),
            [a, b] => (a, b),
            _ => return f64::NAN,
        };
        match self {
            FloatOperation::OfInteger => a,
            FloatOperation::Add => a + b,
            FloatOperation::Subtract => a - b,
            FloatOperation::Multiply => a * b,
            FloatOperation::Divide => a / b,
            FloatOperation::Minimum if a.total_cmp(&b).is_lt() => a,
            FloatOperation::Maximum if a.total_cmp(&b).is_gt() => a,
            FloatOperation::Minimum | FloatOperation::Maximum => b,
            FloatOperation::Negate => -a,
            FloatOperation::Absolute => a.abs(),
            FloatOperation::SquareRoot => a.sqrt(),
        }
    }
}

/// The integer that a float is rounded to.
///
/// # Errors
/// No cell holds it.
pub(crate) fn rounded(rounding: Rounding, of: f64) -> Result<i64, Obstacle> {
    let value = rounding.of(of) as i64;
    Cell::try_small(value).map(|_| value).ok_or(Obstacle::Large)
}

impl Rounding {
    /// The float that is this integer.
    pub fn of(self, of: f64) -> f64 {
        match self {
            Rounding::Truncate => of.trunc(),
            Rounding::Floor => of.floor(),
            Rounding::Ceiling => of.ceil(),
            Rounding::Nearest => of.round(),
        }
    }
}

/// Bounds of floats that may be in either order.
fn around(values: &[f64]) -> (f64, f64) {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    (low, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

impl Store {
    /// The term of a float.
    pub fn float(&mut self, value: f64) -> Term {
        let mut heap = Heap::new();
        let cell = heap.new_float(value);
        self.boxed(Record::new(&mut heap, cell))
    }

    /// The float that a term is.
    pub fn as_float(&self, term: Term) -> Option<f64> {
        let &Shape::Boxed(boxed) = self.shape(term) else { return None };
        self.boxed_float(boxed)
    }

    fn boxed_float(&self, boxed: Boxed) -> Option<f64> {
        let constant = self.unboxed(boxed);
        let at = constant.root.addr();
        let is_float = constant.cells[at].header_kind() == HeaderKind::Float;
        is_float.then(|| f64::from_bits(constant.cells[at + 1].0))
    }

    fn all_float_bounds(&self, terms: &[Term]) -> Option<Vec<(f64, f64)>> {
        terms.iter().map(|&term| self.float_bounds(term)).collect()
    }

    /// The bounds of a term that is being made, if it is a float.
    pub(crate) fn float_bounds_of_shape(&self, shape: &Shape) -> Option<(f64, f64)> {
        let bounds = match shape {
            &Shape::Boxed(boxed) => self.boxed_float(boxed).map(|value| (value, value))?,
            Shape::Choice(ways) => {
                let ways: Vec<Term> = ways.iter().map(|&(_, way)| way).collect();
                let bounds = self.all_float_bounds(&ways)?.into_iter();
                around(&bounds.flat_map(|(a, b)| [a, b]).collect::<Vec<f64>>())
            }
            Shape::Float(FloatOperation::OfInteger, operands) => {
                let (low, high) = self.bounds(operands[0])?;
                (low as f64, high as f64)
            }
            Shape::Float(operation, operands) => {
                self.bounds_of(*operation, operands, &self.all_float_bounds(operands)?)
            }
            _ => return None,
        };
        (bounds.0.is_finite() && bounds.1.is_finite()).then_some(bounds)
    }

    /// The bounds of what an operation computes where it has a value: not finite if there are none.
    fn bounds_of(
        &self,
        operation: FloatOperation,
        operands: &[Term],
        bounds: &[(f64, f64)],
    ) -> (f64, f64) {
        match (operation, bounds) {
            (FloatOperation::Divide, &[(low, high), by]) if by.0 <= 0.0 && 0.0 <= by.1 => {
                // An integer that is not zero is at least one.
                match self.shape(operands[1]) {
                    Shape::Float(FloatOperation::OfInteger, _) => {
                        let most = low.abs().max(high.abs());
                        (-most, most)
                    }
                    _ => (f64::NEG_INFINITY, f64::INFINITY),
                }
            }
            (FloatOperation::SquareRoot, &[(low, high)]) => (low.max(0.0).sqrt(), high.sqrt()),
            (FloatOperation::Absolute, &[(low, high)]) => {
                let least = if low <= 0.0 && 0.0 <= high { 0.0 } else { low.abs().min(high.abs()) };
                (least, low.abs().max(high.abs()))
            }
            (_, &[(low, high)]) => around(&[operation.of(&[low]), operation.of(&[high])]),
            (_, &[(a, b), (c, d)]) => {
                let corners = [[a, c], [a, d], [b, c], [b, d]].map(|pair| operation.of(&pair));
                let (low, high) = around(&corners);
                let is_square = operation == FloatOperation::Multiply && operands[0] == operands[1];
                (if is_square { low.max(0.0) } else { low }, high)
            }
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// The bounds of the integer that a float is rounded to; `None` if no cell may hold it.
    pub(crate) fn rounded_bounds(&self, rounding: Rounding, of: Term) -> Option<(i64, i64)> {
        let (low, high) = self.float_bounds(of)?;
        Some((rounded(rounding, low).ok()?, rounded(rounding, high).ok()?))
    }

    /// The float that an integer is made.
    ///
    /// # Errors
    /// It is none.
    pub fn float_of(&mut self, integer: Term) -> Result<Term, Obstacle> {
        if self.float_bounds(integer).is_some() {
            return Ok(integer);
        }
        if let Some(value) = self.as_integer(integer) {
            return Ok(self.float(value as f64));
        }
        self.bounds(integer).ok_or(Obstacle::NotInteger)?;
        Ok(self.term(Shape::Float(FloatOperation::OfInteger, [integer].into())))
    }

    /// The float that an operation computes of numbers, each of which is an integer or a float whatever
    /// the leaves are. With `has_value` it is to be used only where the operation
    /// [has a value](Store::float_has_value).
    ///
    /// # Errors
    /// The [`Obstacle`] that there may be for some values of the leaves.
    pub fn compute_float(
        &mut self,
        operation: FloatOperation,
        operands: &[Term],
        has_value: bool,
    ) -> Result<Term, Obstacle> {
        self.spend(1);
        let mut floats = Vec::with_capacity(operands.len());
        for &operand in operands {
            floats.push(self.float_of(operand)?);
        }
        if operation == FloatOperation::OfInteger {
            return Ok(floats[0]);
        }
        let known: Option<Vec<f64>> = floats.iter().map(|&float| self.as_float(float)).collect();
        if let Some(known) = known {
            return match computed_float(operation, &known) {
                Ok(value) => Ok(self.float(value)),
                // It is never this one.
                Err(Obstacle::Undefined) if has_value => Ok(self.float(0.0)),
                Err(obstacle) => Err(obstacle),
            };
        }
        if let Some(place) = self.to_spread(&floats)
            && let Shape::Choice(choices) = self.shape(floats[place]).clone()
        {
            return self.computed_by_way(&choices, |store, way| {
                floats[place] = way;
                store.compute_float(operation, &floats, has_value)
            });
        }
        let bounds = self.all_float_bounds(&floats).ok_or(Obstacle::NotInteger)?;
        let is_undefined = match (operation, &bounds[..]) {
            (FloatOperation::Divide, &[_, (low, high)]) => low <= 0.0 && 0.0 <= high,
            (FloatOperation::SquareRoot, &[(low, _)]) => low < 0.0,
            _ => false,
        };
        if is_undefined && !has_value {
            return Err(Obstacle::Undefined);
        }
        let term = self.term(Shape::Float(operation, floats.into()));
        self.float_bounds(term).map(|_| term).ok_or(Obstacle::Large)
    }

    /// Where an operation has a float for its value; `None` where that is not known.
    pub fn float_has_value(&mut self, op: FloatOperation, operands: &[Term]) -> Option<Condition> {
        let (of, relation) = match op {
            FloatOperation::Divide => (*operands.get(1)?, Relation::Equal),
            FloatOperation::SquareRoot => (operands[0], Relation::Less),
            _ => return None,
        };
        let zero =
            if self.bounds(of).is_some() { self.constant(Cell::ZERO) } else { self.float(0.0) };
        let none = self.compare(relation, of, zero);
        Some(self.not(none))
    }

    /// The integer that a number is rounded to.
    ///
    /// # Errors
    /// It is none, or no cell may hold that.
    pub fn round(&mut self, rounding: Rounding, number: Term) -> Result<Term, Obstacle> {
        if self.bounds(number).is_some() {
            return Ok(number);
        }
        if let Some(value) = self.as_float(number) {
            return self.integer(rounded(rounding, value)?).ok_or(Obstacle::Large);
        }
        if self.to_spread(&[number]).is_some()
            && let Shape::Choice(choices) = self.shape(number).clone()
        {
            return self.computed_by_way(&choices, |store, way| store.round(rounding, way));
        }
        self.float_bounds(number).ok_or(Obstacle::NotInteger)?;
        let (low, high) = self.rounded_bounds(rounding, number).ok_or(Obstacle::Large)?;
        if low == high {
            return self.integer(low).ok_or(Obstacle::Large);
        }
        Ok(self.term(Shape::Integer(Operation::Round(rounding), [number].into())))
    }

    /// The integer and the float that a number is, with conditions; `None` if it may be something else.
    pub fn by_type(&mut self, number: Term) -> Option<Vec<Guarded>> {
        if self.bounds(number).is_some() || self.float_bounds(number).is_some() {
            return Some(vec![(Condition::ALWAYS, number)]);
        }
        let Shape::Choice(ways) = self.shape(number).clone() else { return None };
        let (integers, floats): (Vec<Guarded>, Vec<Guarded>) =
            ways.iter().partition(|&&(_, way)| self.bounds(way).is_some());
        if floats.iter().any(|&(_, way)| self.float_bounds(way).is_none()) {
            return None;
        }
        let is_integer = self.or(integers.iter().map(|&(condition, _)| condition));
        let is_float = self.not(is_integer);
        Some(vec![(is_integer, self.merged(&integers)?), (is_float, self.merged(&floats)?)])
    }

    /// Where two numbers compare so; `None` if one may be no number, or an integer too large for a float.
    pub fn compare_numbers(&mut self, relation: Relation, a: Term, b: Term) -> Option<Condition> {
        let (a, b) = (self.by_type(a)?, self.by_type(b)?);
        let mut some = Vec::new();
        for &(is_left, one) in &a {
            for &(is_right, other) in &b {
                let both = self.both(is_left, is_right);
                let [one, other] = match [one, other].map(|side| self.bounds(side)) {
                    [Some(_), Some(_)] => [one, other],
                    bounds => {
                        let exact = |(low, high): (i64, i64)| low >= -EXACT && high <= EXACT;
                        if !bounds.into_iter().flatten().all(exact) {
                            return None;
                        }
                        [self.float_of(one).ok()?, self.float_of(other).ok()?]
                    }
                };
                let holds = self.compare(relation, one, other);
                some.push(self.both(both, holds));
            }
        }
        Some(self.or(some))
    }

    /// That two floats compare so.
    pub(crate) fn compare_floats(&mut self, relation: Relation, a: Term, b: Term) -> Condition {
        let (Some(left), Some(right)) = (self.float_bounds(a), self.float_bounds(b)) else {
            return Condition::NEVER;
        };
        if let (Some(a), Some(b)) = (self.as_float(a), self.as_float(b)) {
            return Condition::certain(relation.holds(a, b));
        }
        // As integers, where both are made of such.
        if let [Some(one), Some(other)] = [a, b].map(|side| self.exact_integer(side)) {
            return self.compare(relation, one, other);
        }
        if let Some(condition) = self.compare_ways(relation, [a, b]) {
            return condition;
        }
        if let Some(condition) = self.compare_values(relation, [a, b], Store::float_at) {
            return condition;
        }
        match relation {
            Relation::Less if left.1 < right.0 => Condition::ALWAYS,
            Relation::Less if left.0 >= right.1 => Condition::NEVER,
            Relation::Equal if left.1 < right.0 || right.1 < left.0 => Condition::NEVER,
            _ => self.comparison(relation, a, b),
        }
    }

    /// The integer that a float is whatever the leaves are, if it is exact.
    fn exact_integer(&mut self, float: Term) -> Option<Term> {
        if let Some(value) = self.as_float(float) {
            let is_exact = value.fract() == 0.0 && value.abs() <= EXACT as f64;
            return if is_exact { self.integer(value as i64) } else { None };
        }
        let &Shape::Float(FloatOperation::OfInteger, ref operands) = self.shape(float) else {
            return None;
        };
        let of = operands[0];
        let (low, high) = self.bounds(of)?;
        (low >= -EXACT && high <= EXACT).then_some(of)
    }

    /// Where a computed float is identical to a term; `None` where zeros of both signs might be confused.
    pub(crate) fn identical_floats(&mut self, one: Term, other: Term) -> Option<Condition> {
        let bounds = [one, other].map(|side| self.float_bounds(side));
        let [Some(a), Some(b)] = bounds else { return Some(Condition::NEVER) };
        let may_be_zero = |(low, high): (f64, f64)| low <= 0.0 && 0.0 <= high;
        let may_both = may_be_zero(a) && may_be_zero(b);
        (!may_both).then(|| self.compare(Relation::Equal, one, other))
    }

    /// The float that a term is whose only leaf has this value.
    pub(crate) fn float_at(&mut self, term: Term, value: Cell) -> Result<f64, Obstacle> {
        match self.shape(term) {
            Shape::Boxed(_) => self.as_float(term).ok_or(Obstacle::NotInteger),
            Shape::Float(operation, operands) => {
                if let Some(&known) = self.floats.get(&(term, value)) {
                    return known;
                }
                let (operation, operands) = (*operation, operands.clone());
                let found = match operation {
                    FloatOperation::OfInteger => {
                        self.value_at(operands[0], value).map(|of| of as f64)
                    }
                    _ => {
                        let values = operands.iter().map(|&of| self.float_at(of, value));
                        let values: Result<Vec<f64>, Obstacle> = values.collect();
                        values.and_then(|values| computed_float(operation, &values))
                    }
                };
                self.floats.insert((term, value), found);
                found
            }
            _ => Err(Obstacle::NotInteger),
        }
    }
}

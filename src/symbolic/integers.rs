//! Integers that depend on leaves: computing, comparing, bounds.

use crate::store::{
    Condition, Domain, Formula, Leaf, Leaves, Operation, Relation, Shape, Store, Term,
};
use zug_term::Cell;

/// Why there is no integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It is computed of something that is none.
    NotInteger,
    /// The operation has no value for it, as division by zero.
    Undefined,
    /// It is, or may be, beyond what one cell holds.
    Large,
}

/// So many alternatives of one choice are computed with one by one.
const WIDE: usize = 32;
/// And so many of two.
const PAIRS: usize = 12;

/// An operation on integers, as the standard defines it (ISO/IEC 13211-1, 9.1, 9.3, 9.4).
///
/// # Errors
///
/// Where it has no value, or none that fits a cell.
pub fn computed(operation: Operation, operands: &[i64]) -> Result<i64, Obstacle> {
    let (a, b) = match *operands {
        [a] => (a, 0),
        [a, b] => (a, b),
        _ => return Err(Obstacle::Undefined),
    };
    let shift = || u32::try_from(b).map_err(|_| Obstacle::Undefined);
    let value = match operation {
        Operation::Add => a.checked_add(b),
        Operation::Subtract => a.checked_sub(b),
        Operation::Multiply => a.checked_mul(b),
        Operation::Truncate | Operation::Floor | Operation::Modulo if b == 0 => {
            return Err(Obstacle::Undefined);
        }
        Operation::Truncate => a.checked_div(b),
        Operation::Floor => {
            let quotient = a.checked_div(b);
            quotient.map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q })
        }
        Operation::Modulo => {
            let rest = a.checked_rem(b);
            rest.map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r })
        }
        Operation::Minimum => Some(a.min(b)),
        Operation::Maximum => Some(a.max(b)),
        Operation::BitAnd => Some(a & b),
        Operation::BitOr => Some(a | b),
        Operation::BitXor => Some(a ^ b),
        Operation::ShiftRight => Some(a >> shift()?.min(63)),
        Operation::ShiftLeft => {
            let by = shift()?;
            let shifted = if by < 62 { a.checked_mul(1 << by) } else { None };
            if a == 0 { Some(0) } else { shifted }
        }
        Operation::Negate => a.checked_neg(),
        Operation::Absolute => a.checked_abs(),
    };
    let value = value.ok_or(Obstacle::Large)?;
    Cell::try_small(value).map(|_| value).ok_or(Obstacle::Large)
}

impl Store {
    /// The integer that an operation computes of integers.
    ///
    /// # Errors
    ///
    /// The [`Obstacle`] that there is for some values of the leaves at least.
    pub fn compute(&mut self, operation: Operation, operands: &[Term]) -> Result<Term, Obstacle> {
        self.spend(1);
        if let Some(values) = self.constants(operands) {
            let value = computed(operation, &values)?;
            return self.integer(value).ok_or(Obstacle::Large);
        }
        if let Some(place) = self.to_spread(operands) {
            let Shape::Choice(choices) = self.shape(operands[place]).clone() else {
                return Err(Obstacle::NotInteger);
            };
            let mut ways = Vec::with_capacity(choices.len());
            for &(condition, way) in &choices {
                let mut operands = operands.to_vec();
                operands[place] = way;
                ways.push((condition, self.compute(operation, &operands)?));
            }
            return self.merged(&ways).ok_or(Obstacle::NotInteger);
        }
        for &operand in operands {
            self.bounds(operand).ok_or(Obstacle::NotInteger)?;
        }
        if let Some(term) = self.with_addend(operation, operands)? {
            return Ok(term);
        }
        let term = self.term(Shape::Integer(operation, operands.into()));
        if let Leaves::One(leaf) = self.leaves(term)
            && self.is_plain(term)
        {
            // All its values are computed, so that none is undefined.
            if let Domain::Values(values) = self.domain(leaf).clone() {
                for &value in &values {
                    self.value_at(term, value)?;
                }
                return Ok(term);
            }
        }
        let divides =
            matches!(operation, Operation::Truncate | Operation::Floor | Operation::Modulo);
        let shifts = matches!(operation, Operation::ShiftLeft | Operation::ShiftRight);
        if let (true, Some(&divisor)) = (divides, operands.get(1))
            && self.bounds(divisor).is_none_or(|(low, high)| low <= 0 && 0 <= high)
        {
            return Err(Obstacle::Undefined);
        }
        if let (true, Some(&by)) = (shifts, operands.get(1))
            && self.bounds(by).is_none_or(|(low, _)| low < 0)
        {
            return Err(Obstacle::Undefined);
        }
        self.bounds(term).ok_or(Obstacle::Large)?;
        Ok(term)
    }

    /// The sum of two integers, choices left as they are: where many are added up, each is selected
    /// for itself.
    ///
    /// # Errors
    ///
    /// It may be too large, or one of them is no integer.
    pub fn add_unspread(&mut self, left: Term, right: Term) -> Result<Term, Obstacle> {
        self.spend(1);
        if let Some(values) = self.constants(&[left, right]) {
            let value = computed(Operation::Add, &values)?;
            return self.integer(value).ok_or(Obstacle::Large);
        }
        if let Some(term) = self.with_addend(Operation::Add, &[left, right])? {
            return Ok(term);
        }
        let sum = self.term(Shape::Integer(Operation::Add, [left, right].into()));
        self.bounds(sum).ok_or(Obstacle::Large)?;
        Ok(sum)
    }

    fn constants(&self, terms: &[Term]) -> Option<Vec<i64>> {
        terms.iter().map(|&term| self.as_integer(term)).collect()
    }

    /// The integer that a term is.
    pub fn as_integer(&self, term: Term) -> Option<i64> {
        match self.shape(term) {
            Shape::Constant(cell) => cell.as_int(),
            _ => None,
        }
    }

    /// The operand that is a choice to be computed with way by way.
    fn to_spread(&self, operands: &[Term]) -> Option<usize> {
        let ways = |&term: &Term| match self.shape(term) {
            Shape::Choice(ways) => Some(ways.len()),
            _ => None,
        };
        let widths: Vec<Option<usize>> = operands.iter().map(ways).collect();
        let total = widths.iter().flatten().product::<usize>();
        let limit = if widths.iter().flatten().count() > 1 { PAIRS } else { WIDE };
        let first = widths.iter().position(Option::is_some)?;
        (total <= limit).then_some(first)
    }

    /// A sum with a constant at its end, where one of the operands is a constant: so that sums which
    /// differ in order alone are one.
    fn with_addend(
        &mut self,
        operation: Operation,
        operands: &[Term],
    ) -> Result<Option<Term>, Obstacle> {
        let &[left, right] = operands else { return Ok(None) };
        let (term, addend) = match (operation, self.as_integer(left), self.as_integer(right)) {
            (Operation::Add, _, Some(value)) => (left, value),
            (Operation::Add, Some(value), None) => (right, value),
            (Operation::Subtract, _, Some(value)) => (left, -value),
            _ => return Ok(None),
        };
        let (term, addend) = match self.shape(term) {
            Shape::Integer(Operation::Add, inner) => match self.as_integer(inner[1]) {
                Some(value) => (inner[0], addend.checked_add(value).ok_or(Obstacle::Large)?),
                None => (term, addend),
            },
            _ => (term, addend),
        };
        if addend == 0 {
            return Ok(Some(term));
        }
        let addend = self.integer(addend).ok_or(Obstacle::Large)?;
        let sum = self.term(Shape::Integer(Operation::Add, [term, addend].into()));
        self.bounds(sum).ok_or(Obstacle::Large)?;
        Ok(Some(sum))
    }

    /// How much more an integer is than another, if it is so in all states.
    pub fn distance(&self, from: Term, to: Term) -> Option<i64> {
        let [(one, less), (other, more)] = [from, to].map(|term| match self.shape(term) {
            Shape::Integer(Operation::Add, parts) => match self.as_integer(parts[1]) {
                Some(addend) => (parts[0], addend),
                None => (term, 0),
            },
            _ => (term, 0),
        });
        (one == other).then(|| more.checked_sub(less))?
    }

    /// The bounds of a term that is being made.
    pub(crate) fn bounds_of_shape(&self, shape: &Shape) -> Option<(i64, i64)> {
        match shape {
            Shape::Constant(cell) => cell.as_int().map(|value| (value, value)),
            &Shape::Leaf(leaf) => match self.domain(leaf) {
                &Domain::Range(low, high) => Some((low, high)),
                Domain::Values(values) => {
                    let values: Option<Vec<i64>> =
                        values.iter().map(|cell| cell.as_int()).collect();
                    let values = values?;
                    Some((*values.iter().min()?, *values.iter().max()?))
                }
            },
            Shape::Choice(ways) => {
                let bounds: Option<Vec<(i64, i64)>> =
                    ways.iter().map(|&(_, way)| self.bounds(way)).collect();
                let bounds = bounds?;
                let low = bounds.iter().map(|&(low, _)| low).min()?;
                Some((low, bounds.iter().map(|&(_, high)| high).max()?))
            }
            Shape::Integer(operation, operands) => {
                let bounds: Option<Vec<(i64, i64)>> =
                    operands.iter().map(|&operand| self.bounds(operand)).collect();
                bounds_of(*operation, &bounds?)
            }
            _ => None,
        }
    }

    /// That two integers compare so.
    pub fn compare(&mut self, relation: Relation, left: Term, right: Term) -> Condition {
        self.spend(1);
        if let Some(values) = self.constants(&[left, right]) {
            return certain(compares(relation, values[0], values[1]));
        }
        for (place, side) in [left, right].into_iter().enumerate() {
            let Shape::Choice(choices) = self.shape(side).clone() else { continue };
            if choices.len() > WIDE {
                continue;
            }
            let mut ways = Vec::with_capacity(choices.len());
            for &(condition, way) in &choices {
                let holds = match place {
                    0 => self.compare(relation, way, right),
                    _ => self.compare(relation, left, way),
                };
                ways.push(self.both(condition, holds));
            }
            return self.or(ways);
        }
        if let Some(leaf) = self.only_leaf(left, right)
            && let Domain::Values(values) = self.domain(leaf).clone()
        {
            return self.where_value(leaf, |store, place| {
                let sides = [left, right].map(|side| store.value_at(side, values[place]));
                matches!(sides, [Ok(a), Ok(b)] if compares(relation, a, b))
            });
        }
        if let (Some(a), Some(b)) = (self.bounds(left), self.bounds(right))
            && let Some(known) = compare_bounds(relation, a, b)
        {
            return certain(known);
        }
        self.comparison(relation, left, right)
    }

    /// The values of leaves for which a comparison, or its negation, may hold: of each side that is
    /// computed of one leaf alone, as far as the bounds of the other side go.
    pub fn possible(&mut self, condition: Condition) -> Vec<(Leaf, Vec<Cell>)> {
        let Formula::Comparison { relation, left, right, negated } = *self.says(condition) else {
            return Vec::new();
        };
        let mut possible = Vec::new();
        for (side, other, is_left) in [(left, right, true), (right, left, false)] {
            let (Leaves::One(leaf), true) = (self.leaves(side), self.is_plain(side)) else {
                continue;
            };
            let (Some((low, high)), Domain::Values(values)) =
                (self.bounds(other), self.domain(leaf).clone())
            else {
                continue;
            };
            let may = |value: i64| match (relation, negated, is_left) {
                (Relation::Less, false, true) => value < high,
                (Relation::Less, false, false) => low < value,
                (Relation::Less, true, true) => value >= low,
                (Relation::Less, true, false) => high >= value,
                (Relation::Equal, false, _) => (low..=high).contains(&value),
                (Relation::Equal, true, _) => low != high || value != low,
            };
            let mut left = Vec::with_capacity(values.len());
            for &value in &values {
                if self.value_at(side, value).is_ok_and(may) {
                    left.push(value);
                }
            }
            if left.len() < values.len() {
                possible.push((leaf, left));
            }
        }
        possible
    }

    /// The one leaf of two terms that are computed of it alone.
    fn only_leaf(&self, left: Term, right: Term) -> Option<Leaf> {
        if !self.is_plain(left) || !self.is_plain(right) {
            return None;
        }
        match (self.leaves(left), self.leaves(right)) {
            (Leaves::One(leaf), Leaves::None) | (Leaves::None, Leaves::One(leaf)) => Some(leaf),
            (Leaves::One(one), Leaves::One(other)) if one == other => Some(one),
            _ => None,
        }
    }

    /// That the value of a leaf, by its number in the domain, is one for which a test holds.
    pub(crate) fn where_value(
        &mut self,
        leaf: Leaf,
        mut test: impl FnMut(&mut Store, usize) -> bool,
    ) -> Condition {
        let Domain::Values(values) = self.domain(leaf) else { return Condition::NEVER };
        let size = values.len();
        let members: Vec<usize> = (0..size).filter(|&place| test(self, place)).collect();
        self.spend(size);
        let set = self.sets.of(size, members);
        self.literal(leaf, set)
    }

    /// The integer that a term is whose only leaf has this value.
    fn value_at(&mut self, term: Term, value: Cell) -> Result<i64, Obstacle> {
        match self.shape(term) {
            Shape::Constant(cell) => cell.as_int().ok_or(Obstacle::NotInteger),
            Shape::Leaf(_) => value.as_int().ok_or(Obstacle::NotInteger),
            Shape::Integer(operation, operands) => {
                // An integer may be an operand many times over.
                if let Some(&known) = self.values.get(&(term, value)) {
                    return known;
                }
                let (operation, operands) = (*operation, operands.clone());
                let values: Result<Vec<i64>, Obstacle> =
                    operands.iter().map(|&operand| self.value_at(operand, value)).collect();
                let found = values.and_then(|values| computed(operation, &values));
                self.values.insert((term, value), found);
                found
            }
            _ => Err(Obstacle::NotInteger),
        }
    }
}

fn certain(holds: bool) -> Condition {
    if holds { Condition::ALWAYS } else { Condition::NEVER }
}

pub(crate) fn compares(relation: Relation, left: i64, right: i64) -> bool {
    match relation {
        Relation::Less => left < right,
        Relation::Equal => left == right,
    }
}

/// What bounds say of a comparison.
fn compare_bounds(relation: Relation, left: (i64, i64), right: (i64, i64)) -> Option<bool> {
    match relation {
        Relation::Less if left.1 < right.0 => Some(true),
        Relation::Less if left.0 >= right.1 => Some(false),
        Relation::Equal if left.1 < right.0 || right.1 < left.0 => Some(false),
        Relation::Equal if left.0 == left.1 && left == right => Some(true),
        _ => None,
    }
}

/// The bounds of what an operation computes of operands within bounds.
fn bounds_of(operation: Operation, operands: &[(i64, i64)]) -> Option<(i64, i64)> {
    let corners = |other: (i64, i64), first: (i64, i64)| {
        let mut values = Vec::with_capacity(4);
        for a in [first.0, first.1] {
            for b in [other.0, other.1] {
                values.push(computed(operation, &[a, b]).ok()?);
            }
        }
        Some((*values.iter().min()?, *values.iter().max()?))
    };
    match (operation, operands) {
        (Operation::Negate, &[(low, high)]) => Some((-high, -low)),
        (Operation::Absolute, &[(low, high)]) => {
            let least = if low <= 0 && 0 <= high { 0 } else { low.abs().min(high.abs()) };
            Some((least, low.abs().max(high.abs())))
        }
        (
            Operation::Add
            | Operation::Subtract
            | Operation::Multiply
            | Operation::Minimum
            | Operation::Maximum,
            &[first, other],
        ) => corners(other, first),
        // The quotient is no further from zero than the dividend.
        (Operation::Truncate | Operation::Floor, &[(low, high), _]) => {
            let most = low.abs().max(high.abs());
            Some((-most, most))
        }
        (Operation::Modulo, &[_, (low, high)]) => Some((low.min(0), high.max(0))),
        // Of what is not below zero, bits are taken away.
        (Operation::BitAnd, &[first, other]) if first.0 >= 0 || other.0 >= 0 => {
            let most = [first, other].into_iter().filter(|&(low, _)| low >= 0);
            Some((0, most.map(|(_, high)| high).min()?))
        }
        (Operation::BitOr | Operation::BitXor, &[first, other]) if first.0 >= 0 && other.0 >= 0 => {
            let mask = (first.1.max(other.1) as u64 + 1).next_power_of_two() as i64 - 1;
            let least = if operation == Operation::BitOr { first.0.max(other.0) } else { 0 };
            Some((least, mask))
        }
        // Bits of two integers that fit so many bits fit them too.
        (Operation::BitAnd | Operation::BitOr | Operation::BitXor, &[first, other]) => {
            let most = [first.0, first.1, other.0, other.1].map(|x| if x < 0 { !x } else { x });
            let most = most.into_iter().max()?;
            let mask = (most as u64 + 1).next_power_of_two() as i64 - 1;
            Some((!mask, mask))
        }
        (Operation::ShiftLeft | Operation::ShiftRight, &[first, other]) if other.0 >= 0 => {
            corners(other, first)
        }
        _ => None,
    }
}

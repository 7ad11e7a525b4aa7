//! Between which integers a computed one lies, and where an operation has a value at all.

use crate::store::{Condition, Domain, Leaves, Obstacle, Operation, Relation, Shape, Store, Term};
use zug_term::{Cell, MAX_INT, MIN_INT};

/// Two integers that are no further from zero have a product that fits.
const HALF_AS_LONG: i64 = (1 << 30) - 1;

impl Store {
    /// The bounds of all these terms, if they are integers whatever the leaves are.
    fn all_bounds(&self, terms: &[Term]) -> Option<Vec<(i64, i64)>> {
        terms.iter().map(|&term| self.bounds(term)).collect()
    }

    /// Bounds of a term being made; for what may be beyond a cell, those [where it is not](Store::has_value).
    pub(crate) fn bounds_of_shape(&self, shape: &Shape) -> Option<(i64, i64)> {
        match shape {
            Shape::Constant(cell) => cell.as_int().map(|value| (value, value)),
            &Shape::Leaf(leaf) => match self.domain(leaf) {
                &Domain::Range(low, high) => Some((low, high)),
                Domain::Mixed(..) => None,
                Domain::Values(values) => {
                    let values = values.iter().map(|cell| cell.as_int());
                    let values = values.collect::<Option<Vec<i64>>>()?;
                    Some((*values.iter().min()?, *values.iter().max()?))
                }
            },
            Shape::Choice(ways) => {
                let mut bounds = ways.iter().map(|&(_, way)| self.bounds(way));
                let first = bounds.next()??;
                bounds.try_fold(first, |all, of| of.map(|of| (all.0.min(of.0), all.1.max(of.1))))
            }
            Shape::Integer(Operation::Number, operands) => {
                let &Shape::Leaf(leaf) = self.shape(operands[0]) else { return None };
                let &Domain::Mixed(_, low, high) = self.domain(leaf) else { return None };
                Some((low, high))
            }
            &Shape::Integer(Operation::Round(rounding), ref operands) => {
                self.rounded_bounds(rounding, operands[0])
            }
            Shape::Integer(operation, operands) => {
                let (low, high) = operation.bounds(&self.all_bounds(operands)?)?;
                // A square is not below zero.
                let is_square = *operation == Operation::Multiply && operands[0] == operands[1];
                Some((if is_square { low.max(0) } else { low }, high))
            }
            _ => None,
        }
    }

    /// How many bits of a term not below zero may be set: it ends loops that take the lowest one away.
    pub(crate) fn ones_of_shape(&self, shape: &Shape, (low, high): (i64, i64)) -> Option<u32> {
        if low < 0 {
            return None;
        }
        let length = 64 - high.leading_zeros();
        let Shape::Integer(operation, operands) = shape else {
            return match shape {
                Shape::Constant(_) => Some(low.count_ones()),
                _ => Some(length),
            };
        };
        let ones = |place: usize| self.ones(operands[place]).unwrap_or(u32::MAX);
        let most = match (operation, operands.len()) {
            (Operation::BitAnd, 2) => {
                let is_less_one = |one: Term, other: Term| match self.shape(other) {
                    Shape::Integer(Operation::Add, parts) => {
                        parts[0] == one && self.as_integer(parts[1]) == Some(-1)
                    }
                    _ => false,
                };
                let lowest_gone = [(0, 1), (1, 0)].into_iter().find_map(|(one, other)| {
                    let gone = is_less_one(operands[one], operands[other]);
                    gone.then(|| ones(one).saturating_sub(1))
                });
                ones(0).min(ones(1)).min(lowest_gone.unwrap_or(u32::MAX))
            }
            (Operation::BitOr | Operation::BitXor, 2) => ones(0).saturating_add(ones(1)),
            (Operation::ShiftLeft | Operation::ShiftRight, 2) => ones(0),
            _ => length,
        };
        Some(most.min(length))
    }

    /// What is in the way of an operation for some values of operands that are integers.
    pub(crate) fn obstacle(&self, operation: Operation, operands: &[Term]) -> Option<Obstacle> {
        let Some(bounds) = self.all_bounds(operands) else { return Some(Obstacle::NotInteger) };
        let is_undefined = match operation {
            Operation::Truncate | Operation::Floor | Operation::Modulo | Operation::Remainder => {
                bounds.get(1).is_none_or(|&(low, high)| low <= 0 && 0 <= high)
            }
            Operation::ShiftLeft | Operation::ShiftRight => {
                bounds.get(1).is_none_or(|&(low, _)| low < 0)
            }
            Operation::PopCount => bounds[0].0 < 0,
            Operation::HighestBit | Operation::LowestBit => bounds[0].0 <= 0,
            _ => false,
        };
        if is_undefined {
            return Some(Obstacle::Undefined);
        }
        match exact(operation, &bounds) {
            Some((low, high)) if low >= MIN_INT.into() && high <= MAX_INT.into() => None,
            _ => Some(Obstacle::Large),
        }
    }

    /// A condition under which an operation has a value that a cell holds, not the weakest; `None` if none is known.
    pub fn has_value(&mut self, operation: Operation, operands: &[Term]) -> Option<Condition> {
        let bounds = self.all_bounds(operands)?;
        let term = self.term(Shape::Integer(operation, operands.into()));
        if let Leaves::One(leaf) = self.leaves(term)
            && self.is_plain(term)
            && let Domain::Values(values) = self.domain(leaf).clone()
        {
            let has = |store: &mut Store, at: usize| store.value_at(term, values[at]).is_ok();
            return Some(self.where_value(leaf, has));
        }
        match (operation, operands, &bounds[..]) {
            (
                Operation::Truncate | Operation::Floor | Operation::Modulo | Operation::Remainder,
                &[of, by],
                &[(low, _), _],
            ) => {
                let zero = self.constant(Cell::ZERO);
                let none = self.compare(Relation::Equal, by, zero);
                let some = self.not(none);
                // One quotient is too large.
                let fits =
                    if low == MIN_INT { self.lies_within(of, -MAX_INT, MAX_INT) } else { some };
                Some(self.both(some, fits))
            }
            (Operation::PopCount, &[of], _) => Some(self.lies_within(of, 0, MAX_INT)),
            (Operation::HighestBit | Operation::LowestBit, &[of], _) => {
                Some(self.lies_within(of, 1, MAX_INT))
            }
            (Operation::Negate | Operation::Absolute, &[of], _) => {
                Some(self.lies_within(of, -MAX_INT, MAX_INT))
            }
            (Operation::ShiftRight, &[_, by], _) => Some(self.lies_within(by, 0, MAX_INT)),
            (Operation::ShiftLeft, &[of, by], &[of_bounds, by_bounds]) => {
                let farthest = distance(of_bounds);
                let most_by = i64::from(farthest.leading_zeros()) - 4;
                if by_bounds.0 == by_bounds.1 || most_by < by_bounds.0.max(0) {
                    let by_most = by_bounds.1;
                    if !(0..60).contains(&by_most) {
                        return None;
                    }
                    let of = self.lies_within(of, MIN_INT >> by_most, MAX_INT >> by_most);
                    let by = self.lies_within(by, 0, by_most);
                    return Some(self.both(of, by));
                }
                Some(self.lies_within(by, 0, most_by.min(59)))
            }
            (Operation::Add | Operation::Subtract, &[a, b], &[_, _]) => {
                let known = [a, b].map(|operand| self.as_integer(operand));
                let minus = operation == Operation::Subtract;
                let (of, value) = match known {
                    [_, Some(value)] => (a, if minus { -value } else { value }),
                    [Some(value), _] if !minus => (b, value),
                    _ => {
                        let both = [a, b].map(|of| self.lies_within(of, MIN_INT / 2, MAX_INT / 2));
                        return Some(self.and(both));
                    }
                };
                Some(self.lies_within(of, MIN_INT - value.min(0), MAX_INT - value.max(0)))
            }
            (Operation::Multiply, &[a, b], &[a_bounds, b_bounds]) => {
                for (of, by) in [(a, b_bounds), (b, a_bounds)] {
                    let most = distance(by) as i64;
                    if most <= HALF_AS_LONG {
                        let of_most = MAX_INT / most.max(1);
                        return Some(self.lies_within(of, -of_most, of_most));
                    }
                }
                let both = [a, b].map(|of| self.lies_within(of, -HALF_AS_LONG, HALF_AS_LONG));
                Some(self.and(both))
            }
            _ => None,
        }
    }

    /// That an integer is within bounds.
    pub fn lies_within(&mut self, term: Term, low: i64, high: i64) -> Condition {
        let Some((least, most)) = self.bounds(term) else { return Condition::NEVER };
        let mut all = Vec::with_capacity(2);
        if least < low {
            let bound = self.constant(Cell::small(low));
            let below = self.compare(Relation::Less, term, bound);
            all.push(self.not(below));
        }
        if most > high {
            let bound = self.constant(Cell::small(high));
            let above = self.compare(Relation::Less, bound, term);
            all.push(self.not(above));
        }
        self.and(all)
    }
}

impl Operation {
    /// Bounds of results that a cell holds, from those of operands; `None` if they are not known.
    pub fn bounds(self, operands: &[(i64, i64)]) -> Option<(i64, i64)> {
        let (low, high) = exact(self, operands)?;
        let clipped = |value: i128| value.clamp(MIN_INT.into(), MAX_INT.into()) as i64;
        Some((clipped(low), clipped(high)))
    }
}

/// How far from zero an integer within bounds is at most.
fn distance((low, high): (i64, i64)) -> u64 {
    low.unsigned_abs().max(high.unsigned_abs())
}

/// What bounds say of a comparison.
pub(crate) fn compare_bounds(relation: Relation, a: (i64, i64), b: (i64, i64)) -> Option<bool> {
    match relation {
        Relation::Less if a.1 < b.0 => Some(true),
        Relation::Less if a.0 >= b.1 => Some(false),
        Relation::Equal if a.1 < b.0 || b.1 < a.0 => Some(false),
        Relation::Equal if a.0 == a.1 && a == b => Some(true),
        _ => None,
    }
}

/// Bounds of results, whether or not a cell holds them.
fn exact(operation: Operation, operands: &[(i64, i64)]) -> Option<(i128, i128)> {
    let wide = |value: i64| i128::from(value);
    let of = |(low, high): (i64, i64)| (wide(low), wide(high));
    let corners = |value: &dyn Fn(i128, i128) -> i128, one: (i64, i64), other: (i64, i64)| {
        let ((a, b), (c, d)) = (of(one), of(other));
        let all = [value(a, c), value(a, d), value(b, c), value(b, d)];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    match (operation, operands) {
        (Operation::Negate, &[one]) => {
            let (low, high) = of(one);
            Some((-high, -low))
        }
        (Operation::Absolute, &[one]) => {
            let (low, high) = of(one);
            let least = if low <= 0 && 0 <= high { 0 } else { low.abs().min(high.abs()) };
            Some((least, low.abs().max(high.abs())))
        }
        (Operation::Add, &[one, other]) => corners(&|a, b| a + b, one, other),
        (Operation::Subtract, &[one, other]) => corners(&|a, b| a - b, one, other),
        (Operation::Multiply, &[one, other]) => corners(&|a, b| a * b, one, other),
        (Operation::Minimum, &[one, other]) => corners(&|a, b| a.min(b), one, other),
        (Operation::Maximum, &[one, other]) => corners(&|a, b| a.max(b), one, other),
        (Operation::Truncate, &[one, by]) if by.0 > 0 => corners(&|a, b| a / b, one, by),
        (Operation::Floor, &[one, by]) if by.0 > 0 => corners(&|a, b| a.div_euclid(b), one, by),
        // The quotient is no further from zero than the dividend.
        (Operation::Truncate | Operation::Floor, &[one, _]) => {
            let most = i128::from(distance(one));
            Some((-most, most))
        }
        (Operation::Modulo, &[one, (low, high)]) if one.0 >= 0 && low > 0 => {
            Some((0, wide(one.1.min(high - 1))))
        }
        (Operation::Modulo, &[_, (low, high)]) => Some((wide(low).min(0), wide(high).max(0))),
        (Operation::Remainder, &[one, by]) => {
            let most = (i128::from(distance(by)) - 1).max(0);
            let (low, high) = of(one);
            Some((low.min(0).max(-most), high.max(0).min(most)))
        }
        // Of what is not below zero, bits are taken away.
        (Operation::BitAnd, &[first, other]) if first.0 >= 0 || other.0 >= 0 => {
            let most = [first, other].into_iter().filter(|&(low, _)| low >= 0);
            Some((0, wide(most.map(|(_, high)| high).min()?)))
        }
        (Operation::BitOr | Operation::BitXor, &[first, other]) if first.0 >= 0 && other.0 >= 0 => {
            let mask = (first.1.max(other.1) as u64 + 1).next_power_of_two() - 1;
            let least = if operation == Operation::BitOr { first.0.max(other.0) } else { 0 };
            Some((wide(least), i128::from(mask)))
        }
        // Bits of two integers that fit N bits fit them too.
        (Operation::BitAnd | Operation::BitOr | Operation::BitXor, &[first, other]) => {
            let most = [first.0, first.1, other.0, other.1].map(|x| if x < 0 { !x } else { x });
            let most = most.into_iter().max()?;
            let mask = i128::from((most as u64 + 1).next_power_of_two() - 1);
            Some((!mask, mask))
        }
        (Operation::ShiftLeft, &[one, (low, high)]) => {
            corners(&|a, by| a << by, one, (low.clamp(0, 62), high.clamp(0, 62)))
        }
        (Operation::ShiftRight, &[one, (low, high)]) => {
            corners(&|a, by| a >> by, one, (low.clamp(0, 63), high.clamp(0, 63)))
        }
        (Operation::PopCount, &[(_, high)]) => Some((0, bits(high))),
        (Operation::HighestBit, &[(low, high)]) => {
            Some((bits(low.max(1)) - 1, (bits(high) - 1).max(0)))
        }
        (Operation::LowestBit, &[(_, high)]) => Some((0, (bits(high) - 1).max(0))),
        _ => None,
    }
}

/// How many bits an integer takes that is not below zero.
fn bits(value: i64) -> i128 {
    i128::from(64 - value.max(0).leading_zeros())
}

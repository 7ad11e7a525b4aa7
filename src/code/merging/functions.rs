//! Functions of numbers that are no operation of their own: written down with those that are, or gone
//! through value by value.

use super::Run;
use super::operations::{self, Number, by_type, of_floats};
use zug_symbolic::{
    Condition, FloatOperation, Guarded, Obstacle, Operation, Relation, Rounding, Term, limits,
};
use zug_term::Cell;

/// The value of a function of operands, where a condition holds.
pub fn evaluate(run: &mut Run<'_>, header: Cell, values: Vec<Term>, within: Condition) -> Number {
    let name = run.machine.symbols.name(header.functor_name()).to_owned();
    match (&name[..], &values[..]) {
        ("+", &[of]) => Ok(of),
        (
            "integer" | "round" | "truncate" | "floor" | "ceiling" | "float" | "sqrt" | "sign",
            &[_],
        )
        | ("/", &[_, _]) => {
            by_type(run, &values, within, |run, values, within| of_type(run, &name, values, within))
        }
        _ if values.iter().all(|&value| run.store.bounds(value).is_some()) => {
            of_integers(run, (&name, header), values, within)
        }
        _ => by_values(run, header, values, within),
    }
}

/// A function of numbers each of which is an integer or a float whatever the leaves are.
fn of_type(run: &mut Run<'_>, name: &str, values: &[Term], condition: Condition) -> Number {
    let rounding = match name {
        "integer" | "round" => Rounding::Nearest,
        "truncate" => Rounding::Truncate,
        "floor" => Rounding::Floor,
        "ceiling" => Rounding::Ceiling,
        "float" => return of_floats(run, FloatOperation::OfInteger, values, condition),
        "sqrt" => return of_floats(run, FloatOperation::SquareRoot, values, condition),
        "sign" => return sign(run, values[0], condition),
        _ => return quotient(run, values[0], values[1], condition),
    };
    run.store.round(rounding, values[0])
}

pub fn constant(run: &mut Run<'_>, atom: Term, condition: Condition) -> Number {
    if !run.has_functions_only(atom) {
        return Err(Obstacle::NotInteger);
    }
    match run.numbers(atom, condition).as_deref() {
        Some(&[(_, number)]) if run.store.float_bounds(number).is_some() => Ok(number),
        _ => Err(Obstacle::NotInteger),
    }
}

fn of_integers(
    run: &mut Run<'_>,
    (name, header): (&str, Cell),
    values: Vec<Term>,
    condition: Condition,
) -> Number {
    let one = run.store.constant(Cell::small(1));
    let compute = |run: &mut Run<'_>, operation: Operation, operands: &[Term]| {
        operations::computed(run, operation, operands, condition)
    };
    match (name, &values[..]) {
        ("\\", &[of]) => {
            let negated = compute(run, Operation::Negate, &[of])?;
            compute(run, Operation::Subtract, &[negated, one])
        }
        ("getbit", &[of, at]) => {
            let least = run.store.constant(Cell::ZERO);
            let moved = compute(run, Operation::ShiftRight, &[of, at])?;
            // There is an error below zero.
            let below = run.store.compare(Relation::Less, of, least);
            let below = run.store.both(condition, below);
            if below != Condition::NEVER && !run.partial {
                return Err(Obstacle::Undefined);
            }
            run.deoptimise(below, operations::why_none(Obstacle::Undefined));
            compute(run, Operation::BitAnd, &[moved, one])
        }
        ("**" | "^", &[of, times]) => match run.store.as_integer(times) {
            Some(times) if (0..=limits::FACTORS).contains(&times) => {
                (0..times).try_fold(one, |power, _| compute(run, Operation::Multiply, &[power, of]))
            }
            // Powers of two that are none of a fraction.
            _ if run.store.as_integer(of) == Some(2) => {
                compute(run, Operation::ShiftLeft, &[one, times])
            }
            _ => by_values(run, header, values, condition),
        },
        _ => by_values(run, header, values, condition),
    }
}

/// A quotient: of integers an integer where one divides the other, and else a float.
fn quotient(run: &mut Run<'_>, of: Term, by: Term, condition: Condition) -> Number {
    let (Some(bounds), Some(divisors)) = (run.store.bounds(of), run.store.bounds(by)) else {
        return of_floats(run, FloatOperation::Divide, &[of, by], condition);
    };
    let zero = run.store.constant(Cell::ZERO);
    let least = divisors.0.unsigned_abs().min(divisors.1.unsigned_abs());
    let is_less = bounds.0.unsigned_abs().max(bounds.1.unsigned_abs()) < least;
    // Of what is nearer to zero, zero alone is divided.
    let rest = if is_less && (divisors.0 > 0 || divisors.1 < 0) {
        of
    } else {
        operations::computed(run, Operation::Modulo, &[of, by], condition)?
    };
    let divides = run.store.compare(Relation::Equal, rest, zero);
    let inexact = run.minus(condition, divides);
    if inexact == Condition::NEVER {
        return operations::computed(run, Operation::Truncate, &[of, by], condition);
    }
    let float = of_floats(run, FloatOperation::Divide, &[of, by], inexact)?;
    if run.store.exclude(condition, divides) {
        return Ok(float);
    }
    let integer = match rest == of {
        true => zero,
        false => operations::computed(run, Operation::Truncate, &[of, by], condition)?,
    };
    let not = run.store.not(divides);
    run.store.merged(&[(divides, integer), (not, float)]).ok_or(Obstacle::NotInteger)
}

/// The sign of a number, of its type: a zero that is a float is its own.
fn sign(run: &mut Run<'_>, of: Term, condition: Condition) -> Number {
    if run.store.bounds(of).is_some() {
        let [minus_one, one] = [-1, 1].map(|value| run.store.constant(Cell::small(value)));
        let most = run.store.compute(Operation::Minimum, &[of, one])?;
        return run.store.compute(Operation::Maximum, &[most, minus_one]);
    }
    let [minus_one, zero, one] = [-1.0, 0.0, 1.0].map(|value| run.store.float(value));
    let below = run.store.compare(Relation::Less, of, zero);
    let above = run.store.compare(Relation::Less, zero, of);
    let other = run.store.or([below, above]);
    let is_zero = run.store.not(other);
    let ways = [(below, minus_one), (above, one), (is_zero, of)];
    let ways: Vec<Guarded> =
        ways.into_iter().filter(|&(holds, _)| !run.store.exclude(condition, holds)).collect();
    run.store.merged(&ways).ok_or(Obstacle::NotInteger)
}

/// A function of numbers by the machine, value by value, if it has few.
fn by_values(run: &mut Run<'_>, header: Cell, values: Vec<Term>, condition: Condition) -> Number {
    let call = run.store.structure(header, values);
    let numbers = run.numbers(call, condition).ok_or(Obstacle::NotInteger)?;
    let mut ways: Vec<Guarded> = Vec::with_capacity(numbers.len());
    for (holds, number) in numbers {
        if run.store.bounds(number).is_none() && run.store.float_bounds(number).is_none() {
            return Err(Obstacle::NotInteger);
        }
        ways.push((run.store.given(holds, condition), number));
    }
    run.store.merged(&ways).ok_or(Obstacle::NotInteger)
}

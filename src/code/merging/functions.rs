//! Functions of integers that are no operation of their own: written down with those that are, or gone
//! through value by value.

use super::Evaluator;
use super::builtins;
use zug_symbolic::{Condition, Obstacle, Operation, Relation, Shape, Term};
use zug_term::Cell;

/// Why states are given back in which a quotient is a float.
const FRACTION: &str = "a quotient is no integer in some states";
/// Powers up to which multiplying is written out.
const MOST_FACTORS: i64 = 8;

/// The integer that a function comes to of operands, where a condition holds.
///
/// # Errors
///
/// It may be none, or is not worked out.
pub fn evaluate(
    run: &mut Evaluator<'_>,
    header: Cell,
    operands: &[Term],
    condition: Condition,
) -> Result<Term, Obstacle> {
    let name = run.machine.symbols.name(header.functor_name()).to_owned();
    let mut values = Vec::with_capacity(operands.len());
    for &operand in operands {
        values.push(builtins::evaluate(run, operand, condition)?);
    }
    let one = run.store.constant(Cell::small(1));
    let compute = |run: &mut Evaluator<'_>, operation: Operation, operands: &[Term]| {
        builtins::computed(run, operation, operands, condition)
    };
    match (&name[..], &values[..]) {
        ("+" | "integer" | "truncate" | "round" | "ceiling" | "floor", &[of]) => Ok(of),
        ("\\", &[of]) => {
            let negated = compute(run, Operation::Negate, &[of])?;
            compute(run, Operation::Subtract, &[negated, one])
        }
        ("sign", &[of]) => {
            let minus_one = run.store.constant(Cell::small(-1));
            let most = run.store.compute(Operation::Minimum, &[of, one])?;
            run.store.compute(Operation::Maximum, &[most, minus_one])
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
            run.give_back(below, builtins::why_none(Obstacle::Undefined));
            compute(run, Operation::BitAnd, &[moved, one])
        }
        ("**" | "^", &[of, times]) => match run.store.as_integer(times) {
            Some(times) if (0..=MOST_FACTORS).contains(&times) => {
                (0..times).try_fold(one, |power, _| compute(run, Operation::Multiply, &[power, of]))
            }
            // Powers of two that are none of a fraction.
            _ if run.store.as_integer(of) == Some(2) => {
                compute(run, Operation::ShiftLeft, &[one, times])
            }
            _ => by_values(run, header, values, condition),
        },
        ("/", &[of, by]) => {
            let there_is = divides(run, of, by, condition)?;
            let other = run.minus(condition, there_is);
            if other != Condition::NEVER && !run.partial {
                return Err(Obstacle::NotInteger);
            }
            run.give_back(other, FRACTION);
            compute(run, Operation::Truncate, &[of, by])
        }
        _ => by_values(run, header, values, condition),
    }
}

/// Where one integer is a multiple of another.
fn divides(
    run: &mut Evaluator<'_>,
    of: Term,
    by: Term,
    condition: Condition,
) -> Result<Condition, Obstacle> {
    let rest = builtins::computed(run, Operation::Modulo, &[of, by], condition)?;
    let zero = run.store.constant(Cell::ZERO);
    Ok(run.store.compare(Relation::Equal, rest, zero))
}

/// The value of `A / B` where it is an integer, with the condition for that: the other states, in which
/// it is a float, are given back. `None` if it is no such thing, or its values are few.
pub fn quotient(
    run: &mut Evaluator<'_>,
    term: Term,
    condition: Condition,
) -> Option<(Term, Condition)> {
    let Shape::Struct(header, operands) = run.store.shape(term).clone() else { return None };
    if operands.len() != 2 || run.machine.symbols.name(header.functor_name()) != "/" {
        return None;
    }
    let of = builtins::evaluate(run, operands[0], condition).ok()?;
    let by = builtins::evaluate(run, operands[1], condition).ok()?;
    let known = run.store.structure(header, [of, by]);
    if run.spread(&[known], condition, FEW).is_some() {
        return None;
    }
    let exact = divides(run, of, by, condition).ok()?;
    let value = run.store.compute(Operation::Truncate, &[of, by]).ok()?;
    let other = run.minus(condition, exact);
    run.give_back(other, FRACTION);
    Some((value, run.store.both(condition, exact)))
}

/// Values of a quotient that are gone through one by one.
const FEW: usize = 64;

/// A function of integers by the machine, value by value, if each is an integer.
fn by_values(
    run: &mut Evaluator<'_>,
    header: Cell,
    values: Vec<Term>,
    condition: Condition,
) -> Result<Term, Obstacle> {
    let call = run.store.structure(header, values);
    let numbers = run.numbers(call, condition).ok_or(Obstacle::NotInteger)?;
    let mut ways = Vec::with_capacity(numbers.len());
    for (holds, number) in numbers {
        run.store.bounds(number).ok_or(Obstacle::NotInteger)?;
        ways.push((run.store.given(holds, condition), number));
    }
    run.store.merged(&ways).ok_or(Obstacle::NotInteger)
}

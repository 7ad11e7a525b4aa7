//! Operations on numbers, integers and floats; states in which one has no value deoptimise.

use super::Run;
use zug_symbolic::{Condition, FloatOperation, Guarded, Obstacle, Operation, Relation, Term};

pub type Number = Result<Term, Obstacle>;

pub fn why_none(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::NotInteger => "something computed is no number in some states",
        Obstacle::Undefined => "an operation has no value in some states",
        Obstacle::Large => "a number may become too large",
    }
}

/// A computed number; states without one deoptimise, if allowed.
pub fn computed(run: &mut Run<'_>, op: Operation, operands: &[Term], within: Condition) -> Number {
    if operands.iter().all(|&operand| run.store.bounds(operand).is_some()) {
        return of_integers(run, op, operands, within);
    }
    by_type(run, operands, within, |run, operands, within| of_numbers(run, op, operands, within))
}

/// What is computed of numbers, for each type that they may be of.
pub fn by_type(
    run: &mut Run<'_>,
    operands: &[Term],
    condition: Condition,
    compute: impl Fn(&mut Run<'_>, &[Term], Condition) -> Number,
) -> Number {
    let mut all: Vec<(Condition, Vec<Term>)> = vec![(Condition::ALWAYS, Vec::new())];
    for &operand in operands {
        let types = run.store.by_type(operand).ok_or(Obstacle::NotInteger)?;
        let mut longer = Vec::with_capacity(all.len() * types.len());
        for (holds, before) in &all {
            for &(is, value) in &types {
                let both = run.store.both(*holds, is);
                if !run.store.exclude(condition, both) {
                    longer.push((both, [&before[..], &[value]].concat()));
                }
            }
        }
        all = longer;
    }
    let mut ways: Vec<Guarded> = Vec::with_capacity(all.len());
    for (holds, operands) in all {
        let within = run.store.both(condition, holds);
        ways.push((holds, compute(run, &operands, within)?));
    }
    run.store.merged(&ways).ok_or(Obstacle::NotInteger)
}

/// An operation on numbers each of which is an integer or a float whatever the leaves are.
fn of_numbers(run: &mut Run<'_>, op: Operation, operands: &[Term], within: Condition) -> Number {
    let is_integer: Vec<bool> =
        operands.iter().map(|&operand| run.store.bounds(operand).is_some()).collect();
    let float = match (op, &is_integer[..]) {
        (_, [true] | [true, true]) => return of_integers(run, op, operands, within),
        // Of an integer and a float one is taken as it is; the float, if they are equal.
        (Operation::Minimum | Operation::Maximum, &[first, second]) if first != second => {
            let (integer, float) = if first { (0, 1) } else { (1, 0) };
            let (integer, float) = (operands[integer], operands[float]);
            let is_least = op == Operation::Minimum;
            let (less, greater) = if is_least { (integer, float) } else { (float, integer) };
            let takes_integer = run.store.compare_numbers(Relation::Less, less, greater);
            let takes_integer = takes_integer.ok_or(Obstacle::Large)?;
            let takes_float = run.store.not(takes_integer);
            let ways = [(takes_integer, integer), (takes_float, float)];
            let ways: Vec<Guarded> =
                ways.into_iter().filter(|&(holds, _)| holds != Condition::NEVER).collect();
            return run.store.merged(&ways).ok_or(Obstacle::NotInteger);
        }
        (Operation::Add, _) => FloatOperation::Add,
        (Operation::Subtract, _) => FloatOperation::Subtract,
        (Operation::Multiply, _) => FloatOperation::Multiply,
        (Operation::Minimum, _) => FloatOperation::Minimum,
        (Operation::Maximum, _) => FloatOperation::Maximum,
        (Operation::Negate, _) => FloatOperation::Negate,
        (Operation::Absolute, _) => FloatOperation::Absolute,
        // The others are not defined for floats.
        _ => return Err(Obstacle::NotInteger),
    };
    of_floats(run, float, operands, within)
}

/// Deoptimises the states of a condition in which an operation has no value, unless those are all of them.
fn only_where(
    run: &mut Run<'_>,
    has_value: Condition,
    condition: Condition,
    obstacle: Obstacle,
) -> Result<(), Obstacle> {
    let without = run.minus(condition, has_value);
    if without == condition {
        return Err(obstacle);
    }
    run.deoptimise(without, why_none(obstacle));
    Ok(())
}

/// A computed float; states without one deoptimise, if allowed.
pub fn of_floats(
    run: &mut Run<'_>,
    operation: FloatOperation,
    operands: &[Term],
    condition: Condition,
) -> Number {
    let obstacle = match run.store.compute_float(operation, operands, false) {
        Err(obstacle) if run.partial && obstacle == Obstacle::Undefined => obstacle,
        known => return known,
    };
    let has_value = run.store.float_has_value(operation, operands).ok_or(obstacle)?;
    only_where(run, has_value, condition, obstacle)?;
    run.store.compute_float(operation, operands, true)
}

fn of_integers(run: &mut Run<'_>, op: Operation, operands: &[Term], within: Condition) -> Number {
    let obstacle = match run.store.compute(op, operands) {
        Err(obstacle) if run.partial && obstacle != Obstacle::NotInteger => obstacle,
        known => return known,
    };
    let has_value = run.store.has_value(op, operands).ok_or(obstacle)?;
    only_where(run, has_value, within, obstacle)?;
    run.store.compute_where(op, operands, true)
}

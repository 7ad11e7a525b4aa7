//! Arithmetic: the numbers that expressions are, integers and floats, with the states in which they are
//! none given back.

use super::Run;
use super::functions;
use zug_symbolic::{
    Condition, Domain, FloatOperation, Guarded, Obstacle, Operation, Relation, Shape, Term,
};

pub type Number = Result<Term, Obstacle>;

/// The number that an expression is, and where it is one: the other states are given back.
pub fn value(run: &mut Run<'_>, term: Term, condition: Condition) -> Option<(Term, Condition)> {
    let obstacle = match evaluate(run, term, condition) {
        Ok(value) => return Some((value, condition)),
        Err(obstacle) => obstacle,
    };
    // Value by value, with the machine, where there are few.
    let simplified = simplified(run, term, condition);
    if let Some(numbers) = run.numbers(simplified, condition) {
        let within = run.store.or(numbers.iter().map(|&(condition, _)| condition));
        let mut ways = Vec::with_capacity(numbers.len());
        for (holds, number) in numbers {
            ways.push((run.store.given(holds, condition), number));
        }
        let number = run.store.merged(&ways);
        if number.is_none() {
            run.give_back(within, "numbers are not merged");
        }
        return number.map(|number| (number, within));
    }
    // Where it has a value, if that is known.
    run.partial = true;
    let partial = evaluate(run, term, condition);
    run.partial = false;
    if let Ok(value) = partial {
        return Some((value, condition));
    }
    run.give_back(condition, why_none(obstacle));
    None
}

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

/// Gives back the states of a condition in which an operation has no value, unless those are all of them.
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
    run.give_back(without, why_none(obstacle));
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

/// An expression in which the parts are numbers that can be.
fn simplified(run: &mut Run<'_>, term: Term, condition: Condition) -> Term {
    let Shape::Struct(header, parts) = run.store.shape(term).clone() else { return term };
    let mut simple = Vec::with_capacity(parts.len());
    for &part in parts.iter() {
        simple.push(match evaluate(run, part, condition) {
            Ok(value) => value,
            Err(_) => simplified(run, part, condition),
        });
    }
    run.store.structure(header, simple)
}

pub fn evaluate(run: &mut Run<'_>, term: Term, condition: Condition) -> Number {
    match run.store.shape(term).clone() {
        Shape::Struct(header, operands) => {
            let name = (header.functor_name(), operands.len());
            let Some(&operation) = run.memory.builtins.operations.get(&name) else {
                return functions::evaluate(run, header, &operands, condition);
            };
            let mut values = Vec::with_capacity(operands.len());
            for &operand in operands.iter() {
                values.push(evaluate(run, operand, condition)?);
            }
            computed(run, operation, &values, condition)
        }
        Shape::Choice(_) => {
            let term = run.store.narrowed(term, condition);
            match run.store.shape(term).clone() {
                Shape::Choice(ways) => {
                    let mut values: Vec<Guarded> = Vec::with_capacity(ways.len());
                    for &(inner, way) in ways.iter() {
                        values.push((inner, evaluate(run, way, condition)?));
                    }
                    run.store.merged(&values).ok_or(Obstacle::NotInteger)
                }
                _ => evaluate(run, term, condition),
            }
        }
        Shape::Constant(cell) if cell.is_int() => Ok(term),
        Shape::Constant(_) => functions::constant(run, term, condition),
        Shape::Boxed(_) if run.store.float_bounds(term).is_some() => Ok(term),
        Shape::Leaf(leaf) if run.store.bounds(term).is_none() => {
            // An integer here, if the way says so.
            let Domain::Values(values) = run.store.domain(leaf).clone() else {
                let is_one = run.store.is_integer(leaf);
                let other = run.minus(condition, is_one);
                if other != Condition::NEVER && (!run.partial || other == condition) {
                    return Err(Obstacle::NotInteger);
                }
                run.give_back(other, why_none(Obstacle::NotInteger));
                return Ok(run.store.number_of(leaf));
            };
            let (mut ways, mut others): (Vec<Guarded>, Vec<Condition>) = Default::default();
            for &value in &values {
                let is = run.store.is_value(leaf, value);
                if run.store.exclude(condition, is) {
                    continue;
                }
                match value.is_int() {
                    true => ways.push((is, run.store.constant(value))),
                    false if run.partial => others.push(run.store.both(condition, is)),
                    false => return Err(Obstacle::NotInteger),
                }
            }
            if !ways.is_empty() {
                let other = run.store.or(others);
                run.give_back(other, why_none(Obstacle::NotInteger));
            }
            run.store.merged(&ways).ok_or(Obstacle::NotInteger)
        }
        Shape::Leaf(_) | Shape::Integer(..) | Shape::Float(..) => Ok(term),
        _ => Err(Obstacle::NotInteger),
    }
}

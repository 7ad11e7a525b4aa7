//! Arithmetic: the numbers that expressions are, integers and floats, and where they are;
//! other states deoptimise.

use super::operations::{Number, computed, why_none};
use super::{Outcome, Run, functions};
use zug_symbolic::{Condition, Domain, Guarded, Obstacle, Shape, Term};

/// The number that an expression is, and where it is one: the other states deoptimise.
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
            run.deoptimise(within, "numbers are not merged");
        }
        return number.map(|number| (number, within));
    }
    if let Ok(value) = partial(run, term, condition) {
        return Some((value, condition));
    }
    run.deoptimise(condition, why_none(obstacle));
    None
}

/// What an expression is where it has a value, if it is known where: the other states deoptimise.
fn partial(run: &mut Run<'_>, term: Term, condition: Condition) -> Number {
    run.partial = true;
    let value = evaluate(run, term, condition);
    run.partial = false;
    value
}

/// Answers that are to be numbers, as they are where they are numbers: a leaf of the state may be none in some states,
/// which deoptimise. What is computed is a number already, and a structure is none.
pub fn numbers_answered(run: &mut Run<'_>, outcome: &Outcome) -> Outcome {
    let before = std::mem::replace(&mut run.deopt, outcome.deopt);
    let mut answers = Vec::with_capacity(outcome.answers.len());
    for answer in &outcome.answers {
        let mut answer = answer.clone();
        if let Some(&term) = answer.values.first()
            && run.store.by_type(term).is_none()
            && is_plain(run, term)
        {
            // (Not by the machine: it takes atoms such as `e` for numbers where it computes.)
            match partial(run, term, answer.condition) {
                Ok(number) => answer.values = [number].into(),
                Err(obstacle) => {
                    run.deoptimise(answer.condition, why_none(obstacle));
                    continue;
                }
            }
        }
        answers.push(answer);
    }
    Outcome { answers, deopt: std::mem::replace(&mut run.deopt, before) }
}

/// Whether a term is a leaf or a number, whichever way was taken.
fn is_plain(run: &Run<'_>, term: Term) -> bool {
    match run.store.shape(term) {
        Shape::Leaf(_) | Shape::Integer(..) | Shape::Float(..) => true,
        Shape::Constant(cell) => cell.is_int(),
        Shape::Boxed(_) => run.store.float_bounds(term).is_some(),
        Shape::Choice(ways) => ways.iter().all(|&(_, way)| is_plain(run, way)),
        _ => false,
    }
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
            let mut values = Vec::with_capacity(operands.len());
            for &operand in operands.iter() {
                values.push(evaluate(run, operand, condition)?);
            }
            let name = (header.functor_name(), operands.len());
            match run.memory.builtins.operations.get(&name) {
                Some(&operation) => computed(run, operation, &values, condition),
                None => functions::evaluate(run, header, values, condition),
            }
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
                run.deoptimise(other, why_none(Obstacle::NotInteger));
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
                run.deoptimise(other, why_none(Obstacle::NotInteger));
            }
            run.store.merged(&ways).ok_or(Obstacle::NotInteger)
        }
        Shape::Leaf(_) | Shape::Integer(..) | Shape::Float(..) => Ok(term),
        _ => Err(Obstacle::NotInteger),
    }
}

//! Payoffs as exact fractions: integers, `N/D` of integers, floats as the binary fractions that
//! they are; anything else is evaluated first.

use super::Breach;
use crate::error::Violation;
use num_bigint::BigInt;
use num_traits::Zero;
use zug_machine::Machine;
use zug_matrix::Rational;
use zug_report::of_float;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record, Value};

/// The exact number that a term stands for.
pub(super) fn read(m: &mut Machine, cell: Cell) -> Result<Rational, Violation> {
    let cell = m.heap.deref(cell);
    if cell.is_var() {
        return Err(Violation::Unbound);
    }
    if let Some([numerator, denominator]) = m.heap.match_struct::<2>(cell, atoms::SLASH)
        && let Some(numerator) = integer(&m.heap, numerator)
        && let Some(denominator) = integer(&m.heap, denominator)
        && !denominator.is_zero()
    {
        return Ok(Rational::new(numerator, denominator));
    }
    let value = m.eval(cell).ok();
    let number = value.and_then(|value| match m.heap.value(value) {
        Value::Float(float) => of_float(float),
        _ => integer(&m.heap, value).map(Rational::from_integer),
    });
    let wrong = |m: &mut Machine| Breach::NotPayoff(Record::new(&mut m.heap, cell));
    number.ok_or_else(|| Violation::Together(wrong(m)))
}

fn integer(heap: &Heap, cell: Cell) -> Option<BigInt> {
    match heap.value(cell) {
        Value::Int(value) => Some(value.into()),
        Value::Big(value) => Some(value),
        _ => None,
    }
}

/// A fraction as a term: an integer, or `N/D`.
pub(crate) fn write(heap: &mut Heap, value: &Rational) -> Cell {
    let numerator = heap.new_big(value.numer());
    if value.is_integer() {
        return numerator;
    }
    let denominator = heap.new_big(value.denom());
    heap.new_struct(atoms::SLASH, &[numerator, denominator])
}

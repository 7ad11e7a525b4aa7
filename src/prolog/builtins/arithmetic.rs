//! Relations between integers, and the generator of random numbers. Evaluation and
//! comparison (`is/2`, `=:=/2`, …) are instructions of the machine.

use super::{Entry, OrFault, World, args};
use zug_machine::arithmetic::{Number, Op2, Random};
use zug_machine::{Machine, Outcome};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::pure("succ", 2, succ),
    Entry::pure("plus", 3, plus),
    Entry::session("set_random", 1, set_random),
    Entry::pure("$evaluable", 1, evaluable),
];

/// The argument as an integer; anything else but a variable is a type error.
fn integer(m: &mut Machine, cell: Cell) -> OrFault<Option<Number>> {
    match m.number_of(cell) {
        Some(number) if number.is_integer() => Ok(Some(number)),
        None if cell.is_var() => Ok(None),
        _ => Err(m.type_error("integer", cell)),
    }
}

/// As [`integer`], for natural numbers.
fn natural(m: &mut Machine, cell: Cell) -> OrFault<Option<Number>> {
    match integer(m, cell)? {
        Some(number) if number.is_negative() => Err(m.domain_error("not_less_than_zero", cell)),
        number => Ok(number),
    }
}

/// `succ(N, M)`: M is N + 1, both natural.
fn succ(m: &mut Machine, _: &mut World, args: &[Cell]) -> Outcome {
    let (low, high) = (natural(m, args[0])?, natural(m, args[1])?);
    match (low, high) {
        (None, None) => Err(m.instantiation_error()),
        (Some(_), _) => {
            let value = m.apply2(Op2::Add, args[0], Cell::small(1))?;
            Ok(m.unify(args[1], value))
        }
        (None, Some(Number::Int(0))) => Ok(false),
        (None, Some(_)) => {
            let value = m.apply2(Op2::Subtract, args[1], Cell::small(1))?;
            Ok(m.unify(args[0], value))
        }
    }
}

/// `plus(X, Y, Z)`: Z is X + Y; any one of the three may be unbound.
fn plus(m: &mut Machine, _: &mut World, args: &[Cell]) -> Outcome {
    let known =
        [integer(m, args[0])?, integer(m, args[1])?, integer(m, args[2])?].map(|arg| arg.is_some());
    let (op, x, y, result) = match known {
        [true, true, _] => (Op2::Add, args[0], args[1], args[2]),
        [true, false, true] => (Op2::Subtract, args[2], args[0], args[1]),
        [false, true, true] => (Op2::Subtract, args[2], args[1], args[0]),
        _ => return Err(m.instantiation_error()),
    };
    let value = m.apply2(op, x, y)?;
    Ok(m.unify(result, value))
}

/// `set_random(seed(N))`, or `seed(random)` for a seed from the clock.
fn set_random(m: &mut Machine, _: &mut World, args: &[Cell]) -> Outcome {
    args::bound(m, args[0])?;
    let seed_name = m.symbols.intern("seed");
    let Some([seed]) = m.heap.match_struct::<1>(args[0], seed_name) else {
        return Err(m.domain_error("random_option", args[0]));
    };
    let seed = m.heap.deref(seed);
    m.arithmetic.random = match m.number_of(seed) {
        Some(Number::Int(value)) => Random::new(value as u64),
        Some(Number::Big(value)) => Random::new(value.iter_u64_digits().fold(0, |a, b| a ^ b)),
        Some(Number::Float(value)) => Random::new(value.to_bits()),
        Some(number @ Number::Rational(_)) => {
            Random::new(number.to_float().unwrap_or_default().to_bits())
        }
        None if seed.as_atom() == Some(atoms::RANDOM) => Random::from_clock(),
        None => return Err(m.type_error("seed", seed)),
    };
    Ok(true)
}

/// `$evaluable(Head)`: for a Head whose functor is known.
fn evaluable(m: &mut Machine, _: &mut World, args: &[Cell]) -> Outcome {
    use zug_machine::arithmetic::{Op0, Op1, Op3};
    args::bound(m, args[0])?;
    let (name, arity, _) = args::callable(m, args[0])?;
    Ok(match arity {
        0 => Op0::from_functor(name).is_some(),
        1 => Op1::from_functor(name).is_some(),
        2 => Op2::from_functor(name).is_some(),
        3 => Op3::from_functor(name).is_some(),
        _ => false,
    })
}

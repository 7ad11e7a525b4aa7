//! Operations that are defined on integers only.

use super::number::{Computed, Failure, MAX_BITS, Number, ZERO_DIVISOR};
use super::ops::Op2;
use num_bigint::BigInt;
use num_integer::Integer;
use std::ops::{BitAnd, BitOr, BitXor};

/// The value of `op(x, y)` for two integers.
pub fn apply(op: Op2, x: Number, y: Number) -> Computed {
    match op {
        Op2::IntDivide | Op2::Div | Op2::Mod | Op2::Rem => quotient_or_rest(op, x, y),
        Op2::ShiftLeft => shift(x, y, true),
        Op2::ShiftRight => shift(x, y, false),
        Op2::GetBit => get_bit(x, y),
        Op2::Gcd | Op2::Lcm => common(op, x, y),
        _ => bitwise(op, x, y),
    }
}

fn quotient_or_rest(op: Op2, x: Number, y: Number) -> Computed {
    if y == Number::Int(0) {
        return Err(ZERO_DIVISOR);
    }
    if let (&Number::Int(a), &Number::Int(b)) = (&x, &y)
        && b != -1
    {
        return Ok(Number::Int(divided(op, a, b)));
    }
    Ok(Number::from_big(divided(op, x.into_big()?, y.into_big()?)))
}

fn divided<T: Integer>(op: Op2, a: T, b: T) -> T {
    match op {
        Op2::IntDivide => a / b,
        Op2::Rem => a % b,
        Op2::Div => a.div_floor(&b),
        _ => a.mod_floor(&b),
    }
}

/// Shifts by `by` bits, the other way when it is negative.
fn shift(x: Number, by: Number, left: bool) -> Computed {
    let left = left != by.is_negative();
    if x == Number::Int(0) {
        return Ok(x);
    }
    let far = if left {
        Err(Failure::TooLarge)
    } else {
        Ok(Number::Int(if x.is_negative() { -1 } else { 0 }))
    };
    let Number::Int(by) = by else { return far };
    let by = by.unsigned_abs();
    if left {
        if by + x.bits() > MAX_BITS {
            return far;
        }
        if let Number::Int(value) = x
            && by + x.bits() < 63
        {
            return Ok(Number::Int(value << by));
        }
        return Ok(Number::from_big(x.into_big()? << by));
    }
    if by > x.bits() {
        return far;
    }
    match x {
        Number::Int(value) => Ok(Number::Int(value >> by.min(63))),
        other => Ok(Number::from_big(other.into_big()? >> by)),
    }
}

fn get_bit(x: Number, y: Number) -> Computed {
    for operand in [&x, &y] {
        if operand.is_negative() {
            return Err(Failure::Domain("not_less_than_zero", operand.clone()));
        }
    }
    let Number::Int(bit) = y else { return Ok(Number::Int(0)) };
    Ok(Number::Int(i64::from(x.into_big()?.bit(bit as u64))))
}

fn common(op: Op2, x: Number, y: Number) -> Computed {
    if op == Op2::Lcm && x.bits() + y.bits() > MAX_BITS {
        return Err(Failure::TooLarge);
    }
    if let (Number::Int(a), Number::Int(b), Op2::Gcd) = (&x, &y, op) {
        let gcd = a.unsigned_abs().gcd(&b.unsigned_abs());
        return Ok(Number::from_big(BigInt::from(gcd)));
    }
    let (a, b) = (x.into_big()?, y.into_big()?);
    Ok(Number::from_big(if op == Op2::Gcd { a.gcd(&b) } else { a.lcm(&b) }))
}

fn bitwise(op: Op2, x: Number, y: Number) -> Computed {
    if let (&Number::Int(a), &Number::Int(b)) = (&x, &y) {
        return Ok(Number::Int(joined(op, a, b)));
    }
    Ok(Number::from_big(joined(op, x.into_big()?, y.into_big()?)))
}

fn joined<T>(op: Op2, a: T, b: T) -> T
where
    T: BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T>,
{
    match op {
        Op2::BitAnd => a & b,
        Op2::BitOr => a | b,
        _ => a ^ b,
    }
}

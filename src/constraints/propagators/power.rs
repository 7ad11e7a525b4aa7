//! `X ^ Y = Z`.

use super::{Code, propagator};
use crate::domain::Domain;
use crate::expression::{MOST_BITS, power_bits};
use crate::number::{Bound, Number};
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Step, Store};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use zug_term::watchdog;

/// `X ^ Y = Z`: as in the rule language, a negative exponent needs a base of 1 or -1.
pub fn power(x: Var, y: Var, z: Var) -> Code {
    propagator(Event::Any, [x, y, z], raise, |[x, y, z]| {
        Shown::binary("#=", Shown::binary("^", x, y), z)
    })
}

/// Bits of a power that are computed; larger ones are taken for infinite in bounds.
const BITS: u64 = 1 << 20;

/// A power of a base that may be infinite; `None` if it is too large to be computed.
fn power_of(base: &Bound, exponent: u32) -> Option<Bound> {
    match base {
        Bound::Fin(value) => {
            let bits = value.bits().saturating_mul(exponent.into());
            watchdog::steps((bits / 64) as usize);
            (bits <= BITS).then(|| Bound::Fin(value.pow(exponent)))
        }
        infinite if exponent.is_multiple_of(2) || *infinite == Bound::Sup => Some(Bound::Sup),
        _ => Some(Bound::Inf),
    }
}

/// The greatest number whose power is at most this, which is not negative.
fn root_down(power: &BigInt, exponent: u32) -> BigInt {
    // Newton's method: some divisions of numbers of N bits.
    watchdog::steps((power.bits() / 4) as usize);
    power.nth_root(exponent)
}

/// The smallest number whose power is at least this, which is not negative.
fn root_up(power: &BigInt, exponent: u32) -> BigInt {
    let down = root_down(power, exponent);
    if down.pow(exponent) < *power { down + 1 } else { down }
}

/// `X^exponent = power`, for a power that is known.
pub(super) fn root(store: &mut Store, x: Var, power: &Bound, exponent: u32) -> Step {
    let Some(power) = power.finite() else { return Err(Fail) };
    if power.sign() == num_bigint::Sign::Minus && exponent.is_multiple_of(2) {
        return Err(Fail);
    }
    let root = power.nth_root(exponent);
    if root.pow(exponent) != *power {
        return Err(Fail);
    }
    let root = Domain::value(&root);
    let roots = if exponent.is_multiple_of(2) { root.or(&root.negated()) } else { root };
    store.intersect(x, &roots)
}

fn raise(store: &mut Store, me: Prop, [x, y, z]: [Var; 3]) -> Step {
    if store.is(x, 1) || store.is(y, 0) {
        store.kill(me);
        return store.fix_small(z, 1);
    }
    if store.is(y, 1) {
        store.kill(me);
        return store.join(x, z);
    }
    match (store.value(x), store.value(y)) {
        (Some(base), Some(exponent)) => {
            store.kill(me);
            let value = value_of(store, &base, &exponent)?;
            store.fix(z, &value)
        }
        (Some(base), None) => of_base(store, me, &base, y, z),
        (None, Some(exponent)) => {
            let Some(exponent) = exponent_of(&exponent) else { return Ok(()) };
            if let Some(value) = store.value(z) {
                store.kill(me);
                return root(store, x, &value, exponent);
            }
            of_exponent(store, x, exponent, z)
        }
        (None, None) => open(store, x, y, z),
    }
}

/// A power of integers. One that is too large to be computed is not taken for one that is none.
fn value_of(store: &mut Store, base: &Bound, exponent: &Bound) -> Result<Bound, Fail> {
    let (Some(base), Some(exponent)) = (base.finite(), exponent.finite()) else { return Err(Fail) };
    if base.abs().is_one() {
        let value = if base.is_positive() || exponent.is_even() { 1 } else { -1 };
        return Ok(Bound::int(value));
    }
    if exponent.is_negative() {
        return Err(Fail);
    }
    if base.is_zero() {
        return Ok(Bound::int(exponent.is_zero().into()));
    }
    let bits = power_bits(base, exponent);
    let Some(exponent) = exponent.to_u32().filter(|_| bits <= MOST_BITS) else {
        return Err(store.too_large());
    };
    watchdog::steps((bits / 64) as usize);
    Ok(Bound::Fin(base.pow(exponent)))
}

/// The base is known.
fn of_base(store: &mut Store, me: Prop, base: &Bound, y: Var, z: Var) -> Step {
    let Some(base) = base.finite() else { return Ok(()) };
    if base.is_zero() {
        // 0^0 is 1, and all other powers are 0.
        store.narrow(z, &Bound::int(0), &Bound::int(1))?;
        store.at_least(y, &Bound::int(0))?;
        if store.is(z, 1) {
            store.kill(me);
            return store.fix_small(y, 0);
        }
        if store.is(z, 0) {
            store.kill(me);
            return store.remove_small(y, 0);
        }
        if !store.domain(y).has(0) {
            store.kill(me);
            return store.fix_small(z, 0);
        }
        return Ok(());
    }
    if let Some(value) = store.value(z) {
        let Some(value) = value.finite() else { return Err(Fail) };
        if *value > BigInt::one() && base.abs() > BigInt::one() {
            store.kill(me);
            let exponent = logarithm(value, base).ok_or(Fail)?;
            return store.fix(y, &Bound::Fin(exponent.into()));
        }
        return Ok(());
    }
    if !base.is_positive() {
        return Ok(());
    }
    let (low, high) = (store.lo::<Bound>(y), store.hi::<Bound>(y));
    if low.sign() >= 0 {
        let power = |end| power_of(&Bound::Fin(base.clone()), exponent_of(end)?);
        let (least, most) = (power(&low), power(&high));
        store.narrow(z, &least.unwrap_or(Bound::int(1)), &most.unwrap_or(Bound::Sup))?;
    }
    if let Bound::Fin(most) = store.hi::<Bound>(z)
        && most.is_positive()
    {
        store.at_most(y, &Bound::int(greatest_exponent(base, &most).into()))?;
    }
    Ok(())
}

fn exponent_of(bound: &Bound) -> Option<u32> {
    bound.finite()?.to_u32()
}

/// The exponent of the greatest power of a base that is at most a number.
fn greatest_exponent(base: &BigInt, most: &BigInt) -> u32 {
    let (mut exponent, mut power) = (0, BigInt::one());
    loop {
        watchdog::step();
        power *= base;
        if power > *most {
            return exponent;
        }
        exponent += 1;
    }
}

/// The exponent of which a power of a base is this value, if there is one.
fn logarithm(value: &BigInt, base: &BigInt) -> Option<u32> {
    let (mut exponent, mut power) = (0, BigInt::one());
    while power.abs() < *value {
        watchdog::step();
        power *= base;
        exponent += 1;
    }
    (power == *value).then_some(exponent)
}

/// The exponent is known, and at least 2.
fn of_exponent(store: &mut Store, x: Var, exponent: u32, z: Var) -> Step {
    let is_even = exponent.is_multiple_of(2);
    if is_even {
        store.at_least(z, &Bound::int(0))?;
    }
    if !store.domain(z).has(0) {
        store.remove_small(x, 0)?;
    }
    if !store.domain(x).has(0) {
        store.remove_small(z, 0)?;
    }
    let (low, high) = (store.lo::<Bound>(x), store.hi::<Bound>(x));
    let (least, most) = if is_even {
        let nearest = [(&low, low.sign() >= 0), (&high, high.sign() <= 0)];
        let nearest = nearest.into_iter().find(|(_, is_nearest)| *is_nearest);
        let least = nearest.and_then(|(end, _)| power_of(end, exponent));
        (least.unwrap_or(Bound::int(0)), power_of(&low.abs().max(high.abs()), exponent))
    } else {
        (power_of(&low, exponent).unwrap_or(Bound::Inf), power_of(&high, exponent))
    };
    store.narrow(z, &least, &most.unwrap_or(Bound::Sup))?;
    let (least, most) = (store.lo::<Bound>(z), store.hi::<Bound>(z));
    if is_even {
        let Bound::Fin(most) = most else { return Ok(()) };
        let far = root_down(&most, exponent);
        let near = match least {
            Bound::Fin(least) if least.is_positive() => root_up(&least, exponent),
            _ => BigInt::zero(),
        };
        let low = store.lo::<Bound>(x);
        let (lo, hi) = if low.sign() >= 0 { (near, far) } else { (-far.clone(), far) };
        return store.narrow(x, &Bound::Fin(lo), &Bound::Fin(hi));
    }
    if let (Bound::Fin(least), Bound::Fin(most)) = (least, most)
        && !least.is_negative()
    {
        let (lo, hi) = (root_up(&least, exponent), root_down(&most, exponent));
        return store.narrow(x, &Bound::Fin(lo), &Bound::Fin(hi));
    }
    Ok(())
}

/// Neither base nor exponent is known.
fn open(store: &mut Store, x: Var, y: Var, z: Var) -> Step {
    let low = store.lo::<Bound>(x);
    if let Some(value) = store.value(z) {
        let (Bound::Fin(value), Bound::Fin(base)) = (value, low) else { return Ok(()) };
        if base <= BigInt::one() || value <= BigInt::one() {
            return Ok(());
        }
        let most = greatest_exponent(&base, &value);
        let exponents = Domain::small(1, most.into()).ok_or(Fail)?;
        store.intersect(y, &exponents)?;
        let least = exponent_of(&store.lo::<Bound>(y)).ok_or(Fail)?;
        return store.at_most(x, &Bound::Fin(root_down(&value, least)));
    }
    if low.sign() > 0 && store.lo::<Bound>(y).sign() > 0 {
        let least = exponent_of(&store.lo(y)).and_then(|exponent| power_of(&low, exponent));
        return least.map_or(Ok(()), |least| store.at_least(z, &least));
    }
    Ok(())
}

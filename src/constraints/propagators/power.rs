//! `X ^ Y = Z`.

use super::times::root;
use crate::domain::Domain;
use crate::expression::{MOST_BITS, power_bits};
use crate::number::{Bound, Number};
use crate::shown::Shown;
use crate::store::{Fail, Prop, Propagator, Step, Store, Var};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use zug_term::watchdog;

/// `X ^ Y = Z`: as in the rule language, a negative exponent needs a base of 1 or -1.
pub struct Power(pub Var, pub Var, pub Var);

/// Bits of a power that are computed; larger ones are taken for infinite in bounds.
const BITS: u64 = 1 << 20;

/// A power of a base that may be infinite; `None` if it is too large to be computed.
fn power(base: &Bound, exponent: u32) -> Option<Bound> {
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
    // Newton's method: some divisions of numbers of so many bits.
    watchdog::steps((power.bits() / 4) as usize);
    power.nth_root(exponent)
}

/// The smallest number whose power is at least this, which is not negative.
fn root_up(power: &BigInt, exponent: u32) -> BigInt {
    let down = root_down(power, exponent);
    if down.pow(exponent) < *power { down + 1 } else { down }
}

impl Propagator for Power {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1, self.2]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &Power(x, y, z) = self;
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
                let Some(exponent) = exponent.finite().and_then(ToPrimitive::to_u32) else {
                    return Ok(());
                };
                if let Some(value) = store.value(z) {
                    store.kill(me);
                    return root(store, x, &value, exponent);
                }
                of_exponent(store, x, exponent, z)
            }
            (None, None) => open(store, x, y, z),
        }
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let power = Shown::binary("^", self.0.into(), self.1.into());
        Some(Shown::binary("#=", power, self.2.into()))
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
        let least = exponent(&low).and_then(|low| power(&Bound::Fin(base.clone()), low));
        let most = exponent(&high).and_then(|high| power(&Bound::Fin(base.clone()), high));
        store.narrow(z, &least.unwrap_or(Bound::int(1)), &most.unwrap_or(Bound::Sup))?;
    }
    if let Bound::Fin(most) = store.hi::<Bound>(z)
        && most.is_positive()
    {
        let mut exponent = 0u32;
        let mut value = BigInt::one();
        loop {
            watchdog::step();
            value *= base;
            if value > most {
                break;
            }
            exponent += 1;
        }
        store.at_most(y, &Bound::int(exponent.into()))?;
    }
    Ok(())
}

fn exponent(bound: &Bound) -> Option<u32> {
    bound.finite()?.to_u32()
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
        let least = if low.sign() >= 0 {
            power(&low, exponent)
        } else if high.sign() <= 0 {
            power(&high, exponent)
        } else {
            None
        };
        (
            least.unwrap_or(Bound::int(0)),
            power(&low.abs().max(high.abs()), exponent).unwrap_or(Bound::Sup),
        )
    } else {
        (power(&low, exponent).unwrap_or(Bound::Inf), power(&high, exponent).unwrap_or(Bound::Sup))
    };
    store.narrow(z, &least, &most)?;
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
        let mut most = 0u32;
        let mut power = BigInt::one();
        loop {
            watchdog::step();
            power *= &base;
            if power > value {
                break;
            }
            most += 1;
        }
        let exponents = Domain::small(1, most.into()).ok_or(Fail)?;
        store.intersect(y, &exponents)?;
        let least = exponent(&store.lo::<Bound>(y)).ok_or(Fail)?;
        return store.at_most(x, &Bound::Fin(root_down(&value, least)));
    }
    if low.sign() > 0 && store.lo::<Bound>(y).sign() > 0 {
        let least = exponent(&store.lo::<Bound>(y)).and_then(|exponent| power(&low, exponent));
        if let Some(least) = least {
            return store.at_least(z, &least);
        }
    }
    Ok(())
}

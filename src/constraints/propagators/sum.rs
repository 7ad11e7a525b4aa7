//! `X + Y = Z`.

use super::times::times;
use super::{Code, Fixed, propagator, with_numbers};
use crate::number::{Bound, Number};
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Step, Store};
use std::sync::Arc;

/// `X + Y = Z`: bounds follow; where one of them has a value, so do the values between.
pub fn plus(x: Var, y: Var, z: Var) -> Code {
    propagator(Event::Bounds, [x, y, z], add, |[x, y, z]| {
        Shown::binary("#=", Shown::binary("+", x, y), z)
    })
}

/// The same as a part of another constraint.
pub(super) fn plus_as_part(x: Var, y: Var, z: Var) -> Code {
    Arc::new(Fixed { event: Event::Bounds, vars: [x, y, z], run: add, shown: |_| None })
}

fn add(store: &mut Store, me: Prop, [x, y, z]: [Var; 3]) -> Step {
    if let Some(value) = store.value(x) {
        return shift(store, me, y, &value, z);
    }
    if let Some(value) = store.value(y) {
        return shift(store, me, x, &value, z);
    }
    if let Some(value) = store.value(z) {
        if !store.same(x, y) {
            return mirror(store, x, y, &value);
        }
        store.kill(me);
        let half = value.floor_div(&Bound::int(2));
        return if half.plus(&half) == value { store.fix(x, &half) } else { Err(Fail) };
    }
    if store.same(x, y) {
        store.kill(me);
        let two = store.constant(&2.into());
        store.post(times(two, x, z));
        return Ok(());
    }
    if store.same(x, z) || store.same(y, z) {
        store.kill(me);
        return store.fix_small(if store.same(x, z) { y } else { x }, 0);
    }
    with_numbers!(store, &[x, y, z], bounds(store, x, y, z))
}

fn bounds<N: Number>(store: &mut Store, x: Var, y: Var, z: Var) -> Step {
    let lo = |store: &Store, var| store.lo::<N>(var);
    let hi = |store: &Store, var| store.hi::<N>(var);
    store.narrow(x, &lo(store, z).minus(&hi(store, y)), &hi(store, z).minus(&lo(store, y)))?;
    store.narrow(y, &lo(store, z).minus(&hi(store, x)), &hi(store, z).minus(&lo(store, x)))?;
    store.narrow(z, &lo(store, x).plus(&lo(store, y)), &hi(store, x).plus(&hi(store, y)))
}

/// `Y + by = Z`.
pub(super) fn shift(store: &mut Store, me: Prop, y: Var, by: &Bound, z: Var) -> Step {
    if by.sign() == 0 {
        store.kill(me);
        return store.join(y, z);
    }
    if store.same(y, z) {
        return Err(Fail);
    }
    if store.is_fixed(y) || store.is_fixed(z) {
        store.kill(me);
    }
    let shifted = store.domain(y).shifted(by);
    store.intersect(z, &shifted)?;
    let back = store.domain(z).shifted(&by.negated());
    store.intersect(y, &back)
}

/// `X + Y = sum`, of two variables.
pub(super) fn mirror(store: &mut Store, x: Var, y: Var, sum: &Bound) -> Step {
    let mirrored = store.domain(x).negated().shifted(sum);
    store.intersect(y, &mirrored)?;
    let back = store.domain(y).negated().shifted(sum);
    store.intersect(x, &back)
}

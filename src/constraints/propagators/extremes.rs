//! `abs(X) = Y`, `max(X, Y) = Z` and `min(X, Y) = Z`, and functions of known integers.

use super::compare::at_most_plus;
use super::{Code, propagator};
use crate::expression::{Binary, Unary, binary_value, unary_value};
use crate::number::{Bound, Number};
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Step, Store};
use num_bigint::BigInt;

/// `abs(X) = Y`: each value of either has one of the other.
pub fn absolute(x: Var, y: Var) -> Code {
    let run = |store: &mut Store, me: Prop, [x, y]: [Var; 2]| {
        if store.is_fixed(x) || store.is_fixed(y) {
            store.kill(me);
        }
        store.at_least(y, &Bound::int(0))?;
        let either = store.domain(y).or(&store.domain(y).negated());
        store.intersect(x, &either)?;
        let either = store.domain(x).or(&store.domain(x).negated());
        store.intersect(y, &either)?;
        store.at_least(y, &Bound::int(0))
    };
    propagator(Event::Any, [x, y], run, |[x, y]| {
        Shown::binary("#=", y, Shown::Compound("abs", vec![x]))
    })
}

/// Posts `max(X, Y) = Z`, or `min(X, Y) = Z`, and that `Z` is not on the other side of `X` and `Y`; the propagators.
pub fn post_extreme(store: &mut Store, x: Var, y: Var, z: Var, greatest: bool) -> [Prop; 3] {
    let mut bound = |part: Var| {
        let (low, high) = if greatest { (part, z) } else { (z, part) };
        store.post(at_most_plus(low, high, 0))
    };
    let bounds = [bound(x), bound(y)];
    let run = move |store: &mut Store, me: Prop, vars: [Var; 3]| select(store, me, vars, greatest);
    let name = if greatest { "max" } else { "min" };
    let extreme = propagator(Event::Any, [x, y, z], run, move |[x, y, z]| {
        Shown::binary("#=", z, Shown::binary(name, x, y))
    });
    [bounds[0], bounds[1], store.post(extreme)]
}

fn select(store: &mut Store, me: Prop, [x, y, z]: [Var; 3], greatest: bool) -> Step {
    let lo = |store: &Store, var: Var| store.lo::<Bound>(var);
    let hi = |store: &Store, var: Var| store.hi::<Bound>(var);
    // Whether all values of one are worse than those of another.
    let is_worse = |store: &Store, one: Var, other: Var| {
        if greatest { hi(store, one) < lo(store, other) } else { lo(store, one) > hi(store, other) }
    };
    for (one, other) in [(x, y), (y, x)] {
        // It can't be the extreme, or is known, and `Z` tells that it isn't.
        if is_worse(store, one, other) || store.is_fixed(one) && is_worse(store, one, z) {
            store.kill(me);
            return store.join(z, other);
        }
    }
    if store.is_fixed(x) && store.is_fixed(y) {
        store.kill(me);
        let (a, b) = (lo(store, x), lo(store, y));
        return store.fix(z, &if greatest { a.max(b) } else { a.min(b) });
    }
    if greatest {
        store.at_most(z, &hi(store, x).max(hi(store, y)))
    } else {
        store.at_least(z, &lo(store, x).min(lo(store, y)))
    }
}

/// An operation on an integer, which narrows nothing before that is known.
pub fn unary_function(operation: Unary, x: Var, result: Var) -> Code {
    let run = move |store: &mut Store, me: Prop, [x, result]: [Var; 2]| {
        let Some(Bound::Fin(value)) = store.value(x) else { return Ok(()) };
        fix_result(store, me, result, unary_value(operation, &value))
    };
    propagator(Event::Any, [x, result], run, move |[x, result]| {
        Shown::binary("#=", result, Shown::Compound(operation.name(), vec![x]))
    })
}

/// An operation on two integers, which narrows nothing before both are known.
pub fn binary_function(operation: Binary, x: Var, y: Var, result: Var) -> Code {
    let run = move |store: &mut Store, me: Prop, [x, y, result]: [Var; 3]| {
        let (Some(Bound::Fin(a)), Some(Bound::Fin(b))) = (store.value(x), store.value(y)) else {
            return Ok(());
        };
        fix_result(store, me, result, binary_value(operation, &a, &b))
    };
    propagator(Event::Any, [x, y, result], run, move |[x, y, result]| {
        Shown::binary("#=", result, Shown::binary(operation.name(), x, y))
    })
}

fn fix_result(store: &mut Store, me: Prop, result: Var, value: Option<BigInt>) -> Step {
    store.kill(me);
    store.fix(result, &Bound::Fin(value.ok_or(Fail)?))
}

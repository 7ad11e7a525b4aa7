//! Comparisons of two variables.

use super::{Code, propagator};
use crate::domain::Domain;
use crate::number::{Bound, Number};
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Step, Store};
use num_bigint::BigInt;
use num_traits::Zero;

/// `X =< Y + C`.
pub fn at_most_plus(x: Var, y: Var, more: impl Into<BigInt>) -> Code {
    let number = more.into();
    let more = Bound::Fin(number.clone());
    let small = more.small().map(i128::from);
    let run = move |store: &mut Store, me: Prop, [x, y]: [Var; 2]| {
        if store.same(x, y) {
            store.kill(me);
            return if more.sign() < 0 { Err(Fail) } else { Ok(()) };
        }
        match &small {
            Some(more) if store.are_small(&[x, y]) => order(store, me, x, y, more),
            _ => order(store, me, x, y, &more),
        }
    };
    propagator(Event::Bounds, [x, y], run, move |[x, y]| {
        if number.is_zero() {
            return Shown::binary("#>=", y, x);
        }
        Shown::binary("#=<", x, Shown::binary("+", y, Shown::Int(number.clone())))
    })
}

fn order<N: Number>(store: &mut Store, me: Prop, x: Var, y: Var, more: &N) -> Step {
    store.at_most(x, &store.hi::<N>(y).plus(more))?;
    store.at_least(y, &store.lo::<N>(x).minus(more))?;
    if store.hi::<N>(x) <= store.lo::<N>(y).plus(more) {
        store.kill(me);
    } else if more.sign() == 0 && store.lo::<N>(x) == store.hi::<N>(y) {
        store.kill(me);
        return store.join(x, y);
    }
    Ok(())
}

/// `X \= Y`.
pub fn not_equal(x: Var, y: Var) -> Code {
    propagator(Event::Fixed, [x, y], differ, |[x, y]| Shown::binary("#\\=", x, y))
}

fn differ(store: &mut Store, me: Prop, [x, y]: [Var; 2]) -> Step {
    if store.same(x, y) {
        return Err(Fail);
    }
    for (one, other) in [(x, y), (y, x)] {
        if let Some(value) = store.small_value(one) {
            store.kill(me);
            return store.remove_small(other, value);
        }
        if let Some(value) = store.value(one) {
            store.kill(me);
            return store.remove(other, &value);
        }
    }
    if store.lo::<Bound>(x) > store.hi(y) || store.lo::<Bound>(y) > store.hi(x) {
        store.kill(me);
    }
    Ok(())
}

/// `X \= Y + Z`.
pub fn not_sum(x: Var, y: Var, z: Var) -> Code {
    propagator(Event::Fixed, [x, y, z], differ_from_sum, |[x, y, z]| {
        Shown::binary("#\\=", x, Shown::binary("+", y, z))
    })
}

fn differ_from_sum(store: &mut Store, me: Prop, [x, y, z]: [Var; 3]) -> Step {
    let values = (store.value(x), store.value(y), store.value(z));
    let (var, value) = match values {
        (_, Some(a), Some(b)) => (x, a.plus(&b)),
        (Some(sum), Some(a), None) => (z, sum.minus(&a)),
        (Some(sum), None, Some(b)) => (y, sum.minus(&b)),
        (None, Some(zero), None) if zero.sign() == 0 => return distinct(store, me, x, z),
        (None, None, Some(zero)) if zero.sign() == 0 => return distinct(store, me, x, y),
        // `X \= X + Z`: the other part is not 0.
        _ if store.same(x, y) => (z, Bound::int(0)),
        _ if store.same(x, z) => (y, Bound::int(0)),
        _ => return Ok(()),
    };
    store.kill(me);
    store.remove(var, &value)
}

fn distinct(store: &mut Store, me: Prop, x: Var, y: Var) -> Step {
    store.kill(me);
    store.post(not_equal(x, y));
    Ok(())
}

/// `abs(X - Y) \= C`, or `abs(X - Y) >= C`.
pub fn distance(x: Var, y: Var, number: BigInt, at_least: bool) -> Code {
    let bound = Bound::Fin(number.clone());
    let run = move |store: &mut Store, me: Prop, [x, y]: [Var; 2]| {
        if bound.sign() < 0 || at_least && bound.sign() == 0 {
            store.kill(me);
            return Ok(());
        }
        if store.same(x, y) {
            store.kill(me);
            return if at_least || bound.sign() == 0 { Err(Fail) } else { Ok(()) };
        }
        for (one, other) in [(x, y), (y, x)] {
            let Some(value) = store.value(one) else { continue };
            store.kill(me);
            let (below, above) = (value.minus(&bound), value.plus(&bound));
            if at_least {
                let apart = Domain::of_parts(vec![(Bound::Inf, below), (above, Bound::Sup)]);
                return store.intersect(other, &apart.expect("open at both ends"));
            }
            store.remove(other, &below)?;
            return store.remove(other, &above);
        }
        Ok(())
    };
    let event = if at_least { Event::Any } else { Event::Fixed };
    propagator(event, [x, y], run, move |[x, y]| {
        let distance = Shown::Compound("abs", vec![Shown::binary("-", x, y)]);
        let name = if at_least { "#>=" } else { "#\\=" };
        Shown::binary(name, distance, Shown::Int(number.clone()))
    })
}

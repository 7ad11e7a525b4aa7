//! `X * Y = Z`.

use super::power::{power, root};
use super::{Code, propagator, with_numbers};
use crate::number::{Bound, Number};
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Step, Store};

/// `X * Y = Z`: bounds follow; where `X` or `Y` has a value, so do parts of domains.
pub fn times(x: Var, y: Var, z: Var) -> Code {
    propagator(Event::Any, [x, y, z], multiply, |[x, y, z]| {
        Shown::binary("#=", Shown::binary("*", x, y), z)
    })
}

fn multiply(store: &mut Store, me: Prop, [x, y, z]: [Var; 3]) -> Step {
    if let Some(factor) = store.value(x) {
        return scale(store, me, &factor, y, z);
    }
    if let Some(factor) = store.value(y) {
        return scale(store, me, &factor, x, z);
    }
    if store.same(x, y) {
        store.kill(me);
        if let Some(square) = store.value(z) {
            return root(store, x, &square, 2);
        }
        let two = store.constant(&2.into());
        store.post(power(x, two, z));
        return Ok(());
    }
    let has_zero = store.domain(z).has(0);
    if !has_zero && (store.same(y, z) || store.same(x, z)) {
        store.kill(me);
        return store.fix_small(if store.same(y, z) { x } else { y }, 1);
    }
    with_numbers!(store, &[x, y, z], bounds(store, x, y, z))?;
    if store.is(z, 0) {
        for (factor, other) in [(x, y), (y, x)] {
            if !store.domain(factor).has(0) {
                store.kill(me);
                return store.fix_small(other, 0);
            }
        }
    } else if !store.domain(z).has(0) {
        store.remove_small(x, 0)?;
        store.remove_small(y, 0)?;
    }
    Ok(())
}

/// `factor * Y = Z`.
fn scale(store: &mut Store, me: Prop, factor: &Bound, y: Var, z: Var) -> Step {
    let one = Bound::int(1);
    if factor.sign() == 0 {
        store.kill(me);
        return store.fix_small(z, 0);
    }
    if *factor == one {
        store.kill(me);
        return store.join(y, z);
    }
    if let Some(value) = store.value(y) {
        store.kill(me);
        return store.fix(z, &factor.times(&value));
    }
    if let Some(product) = store.value(z) {
        store.kill(me);
        let value = product.floor_div(factor);
        return if value.times(factor) == product { store.fix(y, &value) } else { Err(Fail) };
    }
    if store.same(y, z) {
        store.kill(me);
        return store.fix_small(y, 0);
    }
    let expanded = store.domain(y).mapped(|bound| bound.times(factor));
    store.intersect(z, &expanded)?;
    let contracted = store.domain(z).mapped_parts(|lo, hi| {
        let (a, b) = if factor.sign() < 0 { (hi, lo) } else { (lo, hi) };
        (a.ceil_div(factor), b.floor_div(factor))
    });
    store.intersect(y, &contracted.ok_or(Fail)?)
}

fn bounds<N: Number>(store: &mut Store, x: Var, y: Var, z: Var) -> Step {
    for (factor, other) in [(x, y), (y, x)] {
        let ends = |var| (store.lo::<N>(var), store.hi::<N>(var));
        let (lo, hi) = factors(&ends(z), &ends(other), &ends(factor)).ok_or(Fail)?;
        store.narrow(factor, &lo, &hi)?;
    }
    let ends = |var| (store.lo::<N>(var), store.hi::<N>(var));
    let (lo, hi) = products(&ends(x), &ends(y));
    store.narrow(z, &lo, &hi)
}

type Ends<N> = (N, N);

/// The ends of the products of numbers of two intervals.
fn products<N: Number>(a: &Ends<N>, b: &Ends<N>) -> Ends<N> {
    let all = [a.0.times(&b.0), a.0.times(&b.1), a.1.times(&b.0), a.1.times(&b.1)];
    let (mut lo, mut hi) = (all[0].clone(), all[0].clone());
    for product in all {
        if product < lo {
            lo = product;
        } else if product > hi {
            hi = product;
        }
    }
    (lo, hi)
}

/// What is left of the interval of a factor by those of the product and the other factor; `None` if
/// nothing is.
fn factors<N: Number>(product: &Ends<N>, other: &Ends<N>, own: &Ends<N>) -> Option<Ends<N>> {
    let has_zero = |ends: &Ends<N>| ends.0.sign() <= 0 && ends.1.sign() >= 0;
    if has_zero(product) {
        if has_zero(other) {
            return Some(own.clone());
        }
        return meet(own, &quotients(product, other));
    }
    // Neither factor is 0: a part of each sign for each, if both have both.
    let spans = |ends: &Ends<N>| ends.0.sign() < 0 && ends.1.sign() > 0;
    let below = (own.0.clone(), N::int(-1).min(own.1.clone()));
    let above = (N::int(1).max(own.0.clone()), own.1.clone());
    let mut found: Option<Ends<N>> = None;
    for part in [below, above] {
        if part.0 > part.1 {
            continue;
        }
        // The sign of the other factor follows.
        let is_positive = (product.0.sign() > 0) == (part.0.sign() > 0);
        let mut rest = if is_positive {
            (N::int(1).max(other.0.clone()), other.1.clone())
        } else {
            (other.0.clone(), N::int(-1).min(other.1.clone()))
        };
        let mut part = part;
        let mut product = product.clone();
        let narrowed = loop {
            if rest.0 > rest.1 {
                break None;
            }
            let Some(next) = meet(&part, &quotients(&product, &rest)) else { break None };
            if !(spans(own) && spans(other)) {
                break Some(next);
            }
            let Some(others) = meet(&rest, &quotients(&product, &next)) else { break None };
            let Some(products) = meet(&product, &products(&next, &others)) else { break None };
            if next == part && others == rest && products == product
                || !next.1.is_finite()
                || !next.0.is_finite()
            {
                break Some(next);
            }
            (part, rest, product) = (next, others, products);
        };
        let Some((lo, hi)) = narrowed else { continue };
        found = Some(match found {
            None => (lo, hi),
            Some((low, high)) => (low.min(lo), high.max(hi)),
        });
    }
    found
}

fn meet<N: Number>(a: &Ends<N>, b: &Ends<N>) -> Option<Ends<N>> {
    let (lo, hi) = (a.0.clone().max(b.0.clone()), a.1.clone().min(b.1.clone()));
    (lo <= hi).then_some((lo, hi))
}

/// The integers between the quotients of numbers of two intervals, the second of which has no 0 and one
/// sign.
fn quotients<N: Number>(a: &Ends<N>, b: &Ends<N>) -> Ends<N> {
    // The least is that of the largest divisor, if it is positive.
    let (least, most) = if b.0.sign() > 0 { (&a.0, &a.1) } else { (&a.1, &a.0) };
    let lo = least.ceil_div(if least.sign() > 0 { &b.1 } else { &b.0 });
    let hi = most.floor_div(if most.sign() > 0 { &b.0 } else { &b.1 });
    (lo, hi)
}

//! `X // Y = Z`, `X div Y = Z`, `X mod Y = Z` and `X rem Y = Z`. That `Y` is not 0 is posted
//! beside them.

use super::times::times;
use super::{Code, propagator, with_numbers};
use crate::domain::Domain;
use crate::number::{Bound, Number};
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Step, Store};
use zug_term::watchdog;

/// How a quotient is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    Truncate,
    Floor,
}

impl Rounding {
    fn divide<N: Number>(self, x: &N, y: &N) -> N {
        match self {
            Rounding::Truncate => x.trunc_div(y),
            Rounding::Floor => x.floor_div(y),
        }
    }

    fn remainder<N: Number>(self, x: &N, y: &N) -> N {
        x.minus(&self.divide(x, y).times(y))
    }
}

/// `X // Y = Z` or `X div Y = Z`.
pub fn quotient(rounding: Rounding, x: Var, y: Var, z: Var) -> Code {
    let run = move |store: &mut Store, me: Prop, [x, y, z]: [Var; 3]| {
        if let Some(divisor) = store.value(y) {
            return by_known(store, me, rounding, x, &divisor, z);
        }
        if let Some(dividend) = store.value(x) {
            return of_known(store, rounding, &dividend, y, z);
        }
        if store.same(x, y) {
            store.kill(me);
            return store.fix_small(z, 1);
        }
        with_numbers!(store, &[x, y, z], open(store, x, y, z))
    };
    let name = if rounding == Rounding::Floor { "div" } else { "//" };
    propagator(Event::Any, [x, y, z], run, move |[x, y, z]| {
        Shown::binary("#=", Shown::binary(name, x, y), z)
    })
}

/// Neither `X` nor `Y` is known.
fn open<N: Number>(store: &mut Store, x: Var, y: Var, z: Var) -> Step {
    let is_natural = store.lo::<N>(x).sign() >= 0 && store.lo::<N>(y).sign() >= 0;
    if store.is_fixed(z) {
        if is_natural {
            let value = store.lo::<N>(z);
            let least = store.lo::<N>(y).times(&value);
            let most = store.hi::<N>(y).times(&value.plus(&N::int(1))).minus(&N::int(1));
            let most = most.max(least.clone());
            return store.narrow(x, &least, &most);
        }
        return Ok(());
    }
    let most = store.lo::<N>(x).abs().max(store.hi::<N>(x));
    let least = if is_natural { N::int(0) } else { most.negated() };
    store.narrow(z, &least, &most)
}

fn by_known(
    store: &mut Store,
    me: Prop,
    rounding: Rounding,
    x: Var,
    divisor: &Bound,
    z: Var,
) -> Step {
    if divisor.sign() == 0 {
        return Err(Fail);
    }
    if *divisor == Bound::int(1) {
        store.kill(me);
        return store.join(x, z);
    }
    if *divisor == Bound::int(-1) {
        store.kill(me);
        let negated = store.domain(x).negated();
        store.intersect(z, &negated)?;
        if !store.is_fixed(x) {
            let minus = store.constant(&(-1).into());
            store.post(times(minus, x, z));
        }
        return Ok(());
    }
    // The intervals of quotients, and of dividends that have them.
    let quotients = store.domain(x).mapped(|bound| rounding.divide(bound, divisor));
    store.intersect(z, &quotients)?;
    let dividends =
        store.domain(z).mapped_parts(|lo, hi| dividends(rounding, lo, hi, divisor)).ok_or(Fail)?;
    store.intersect(x, &dividends)?;
    if store.is_fixed(z) || store.is_fixed(x) {
        store.kill(me);
    }
    Ok(())
}

/// The first and the last dividend of quotients between two.
fn dividends(rounding: Rounding, lo: &Bound, hi: &Bound, divisor: &Bound) -> (Bound, Bound) {
    let one = Bound::int(1);
    let (lo, hi, by) = if divisor.sign() < 0 && rounding == Rounding::Truncate {
        (hi.negated(), lo.negated(), divisor.negated())
    } else {
        (lo.clone(), hi.clone(), divisor.clone())
    };
    match rounding {
        Rounding::Truncate => {
            let first =
                if lo.sign() > 0 { lo.times(&by) } else { lo.minus(&one).times(&by).plus(&one) };
            let last =
                if hi.sign() < 0 { hi.times(&by) } else { hi.plus(&one).times(&by).minus(&one) };
            (first, last)
        }
        Rounding::Floor if by.sign() > 0 => (lo.times(&by), hi.plus(&one).times(&by).minus(&one)),
        Rounding::Floor => (hi.plus(&one).times(&by).plus(&one), lo.times(&by)),
    }
}

/// The dividend is known, and the divisor is not.
fn of_known(store: &mut Store, rounding: Rounding, dividend: &Bound, y: Var, z: Var) -> Step {
    let one = Bound::int(1);
    if let Some(quotient) = store.value(z) {
        if quotient.sign() == 0 {
            let far = match rounding {
                Rounding::Truncate => {
                    let size = dividend.abs();
                    vec![(Bound::Inf, size.negated().pred()), (size.succ(), Bound::Sup)]
                }
                Rounding::Floor if dividend.sign() == 0 => {
                    vec![(Bound::Inf, Bound::int(-1)), (one, Bound::Sup)]
                }
                Rounding::Floor if dividend.sign() > 0 => vec![(dividend.succ(), Bound::Sup)],
                Rounding::Floor => vec![(Bound::Inf, dividend.pred())],
            };
            let far = Domain::of_parts(far).expect("open");
            return store.intersect(y, &far);
        }
        return divisors(store, rounding, dividend, &quotient, y);
    }
    let (low, high) = (store.lo::<Bound>(y), store.hi::<Bound>(y));
    let (least, most) = if low.sign() > 0 || high.sign() < 0 {
        let a = rounding.divide(dividend, &low);
        let b = rounding.divide(dividend, &high);
        if a <= b { (a, b) } else { (b, a) }
    } else {
        (dividend.abs().negated(), dividend.abs())
    };
    store.narrow(z, &least, &most)?;
    let (least, most) = (store.lo::<Bound>(z), store.hi::<Bound>(z));
    if dividend.sign() >= 0 && least.sign() > 0 {
        let lo = rounding.divide(dividend, &most.succ()).plus(&one);
        let hi = rounding.divide(dividend, &least);
        return store.narrow(y, &lo, &hi);
    }
    Ok(())
}

/// The divisors of a dividend whose quotient is this, which is not 0.
fn divisors(
    store: &mut Store,
    rounding: Rounding,
    dividend: &Bound,
    quotient: &Bound,
    y: Var,
) -> Step {
    if dividend.sign() == 0 {
        return Err(Fail);
    }
    // With both signs taken away, `n // y = q` for `y` from `n / (q+1)`, which is not one, to `n / q`.
    let (n, q) = (dividend.abs(), quotient.abs());
    let same = dividend.sign() == quotient.sign();
    let (near, far) = if rounding == Rounding::Truncate || quotient.sign() > 0 {
        (n.floor_div(&q.succ()).succ(), n.floor_div(&q))
    } else {
        // Rounded down means away from 0: `q - 1 < n / y =< q`.
        let near = n.ceil_div(&q);
        let far = if q == Bound::int(1) {
            Bound::Sup
        } else {
            n.minus(&Bound::int(1)).floor_div(&q.pred())
        };
        (near, far)
    };
    if near > far {
        return Err(Fail);
    }
    if same {
        store.narrow(y, &near, &far)
    } else {
        store.narrow(y, &far.negated(), &near.negated())
    }
}

/// `X mod Y = Z`, with the sign of `Y`, or `X rem Y = Z`, with that of `X`.
pub fn remainder(rounding: Rounding, x: Var, y: Var, z: Var) -> Code {
    let run = move |store: &mut Store, me: Prop, [x, y, z]: [Var; 3]| {
        if let Some(divisor) = store.value(y) {
            if divisor.sign() == 0 {
                return Err(Fail);
            }
            if divisor.abs() == Bound::int(1) {
                store.kill(me);
                return store.fix_small(z, 0);
            }
            if let Some(dividend) = store.value(x) {
                store.kill(me);
                return store.fix(z, &rounding.remainder(&dividend, &divisor));
            }
            if let Some(small) = divisor.small() {
                return with_numbers!(store, &[x, z], remain(store, me, rounding, x, small, z));
            }
            return Ok(());
        }
        if store.same(x, y) {
            store.kill(me);
            return store.fix_small(z, 0);
        }
        if rounding == Rounding::Truncate {
            return with_numbers!(store, &[x, y, z], remain_open(store, x, y, z));
        }
        Ok(())
    };
    let name = if rounding == Rounding::Floor { "mod" } else { "rem" };
    propagator(Event::Any, [x, y, z], run, move |[x, y, z]| {
        Shown::binary("#=", Shown::binary(name, x, y), z)
    })
}

/// The divisor of a remainder is known, and the dividend is not.
fn remain<N: Number>(
    store: &mut Store,
    me: Prop,
    rounding: Rounding,
    x: Var,
    divisor: i64,
    z: Var,
) -> Step {
    let by = N::int(divisor);
    let most = by.abs().minus(&N::int(1));
    let zero = N::int(0);
    let (low, high) = (store.lo::<N>(x), store.hi::<N>(x));
    let (least, most) = match rounding {
        Rounding::Floor if divisor > 0 => {
            if low.sign() >= 0 && high < by {
                store.kill(me);
                return store.join(x, z);
            }
            (zero, most)
        }
        Rounding::Floor => (most.negated(), zero),
        Rounding::Truncate => {
            if low.abs() < by && high < by && low.is_finite() && high.is_finite() {
                store.kill(me);
                return store.join(x, z);
            }
            let least = if low.sign() >= 0 { zero.clone() } else { most.negated().max(low) };
            let most = if high.sign() <= 0 { zero } else { most.min(high) };
            (least, most)
        }
    };
    store.narrow(z, &least, &most)?;
    // The ends of the dividend have a remainder that there is.
    loop {
        let low = store.lo::<N>(x);
        if !low.is_finite() || has(store, z, &rounding.remainder(&low, &by)) {
            break;
        }
        store.at_least(x, &next(rounding, &low, &by, store, z, true)?)?;
    }
    loop {
        let high = store.hi::<N>(x);
        if !high.is_finite() || has(store, z, &rounding.remainder(&high, &by)) {
            break;
        }
        store.at_most(x, &next(rounding, &high, &by, store, z, false)?)?;
    }
    Ok(())
}

/// Whether a remainder is between the bounds of a variable, for a fixed one its value.
fn has<N: Number>(store: &Store, z: Var, value: &N) -> bool {
    store.lo::<N>(z) <= *value && *value <= store.hi::<N>(z)
}

/// The nearest dividend up, or down, from one whose remainder is none of the variable's.
fn next<N: Number>(
    rounding: Rounding,
    from: &N,
    by: &N,
    store: &Store,
    z: Var,
    up: bool,
) -> Result<N, Fail> {
    watchdog::step();
    let (least, most) = (store.lo::<N>(z), store.hi::<N>(z));
    let (size, negated) = (by.abs(), (most.negated(), least.negated()));
    let found = match rounding {
        // x mod -b is -(-x mod b).
        Rounding::Floor if by.sign() < 0 => {
            Some(nearest(&from.negated(), &size, (&negated.0, &negated.1), !up).negated())
        }
        Rounding::Floor => Some(nearest(from, &size, (&least, &most), up)),
        // -x rem b is -(x rem b), and the sign of b does not matter.
        Rounding::Truncate if up => above(from, &size, (&least, &most)),
        Rounding::Truncate => {
            above(&from.negated(), &size, (&negated.0, &negated.1)).map(|found| found.negated())
        }
    };
    found.ok_or(Fail)
}

/// The nearest number up, or down, from one whose remainder of the division by a positive one, rounded down, is not between
/// bounds, which are from 0 to the divisor.
fn nearest<N: Number>(from: &N, by: &N, (least, most): (&N, &N), up: bool) -> N {
    let remainder = Rounding::Floor.remainder(from, by);
    let base = from.minus(&remainder);
    if up {
        if remainder < *least { base.plus(least) } else { base.plus(by).plus(least) }
    } else if remainder > *most {
        base.plus(most)
    } else {
        base.minus(by).plus(most)
    }
}

/// The nearest number above one whose remainder of the division by a positive one, rounded towards 0, is not between bounds, if
/// there is one.
fn above<N: Number>(from: &N, by: &N, (least, most): (&N, &N)) -> Option<N> {
    let zero = N::int(0);
    let natural = zero.clone().max(least.clone());
    if from.sign() >= 0 {
        return (most.sign() >= 0).then(|| nearest(from, by, (&natural, most), true));
    }
    // Below 0 remainders are those of the negated number, negated.
    if least.sign() <= 0 {
        let bounds = (most.clone().min(zero).negated(), least.negated());
        let found = nearest(&from.negated(), by, (&bounds.0, &bounds.1), false);
        if found.sign() >= 0 {
            return Some(found.negated());
        }
    }
    (most.sign() >= 0).then_some(natural)
}

/// Neither dividend nor divisor of `rem` is known, or just the dividend.
fn remain_open<N: Number>(store: &mut Store, x: Var, y: Var, z: Var) -> Step {
    let one = N::int(1);
    let zero = N::int(0);
    let divisor = store.lo::<N>(y).abs().max(store.hi::<N>(y));
    let (low, high) = (store.lo::<N>(x), store.hi::<N>(x));
    let least = if low.sign() >= 0 { zero.clone() } else { low.max(divisor.negated().plus(&one)) };
    let most = if high.sign() <= 0 { zero } else { high.min(divisor.minus(&one)) };
    store.narrow(z, &least, &most)
}

//! Comparisons of two variables.

use super::with_numbers;
use crate::domain::Domain;
use crate::number::{Bound, Number};
use crate::shown::Shown;
use crate::store::{Event, Fail, Prop, Propagator, Step, Store, Var};

/// `X =< Y + C`.
pub struct AtMostPlus(pub Var, pub Var, pub Bound);

impl Propagator for AtMostPlus {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1]
    }

    fn event(&self) -> Event {
        Event::Bounds
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &AtMostPlus(x, y, ref more) = self;
        if store.same(x, y) {
            store.kill(me);
            return if more.sign() < 0 { Err(Fail) } else { Ok(()) };
        }
        match more.small() {
            Some(more) => with_numbers!(store, &[x, y], order(store, me, x, y, more)),
            None => order_exactly(store, me, x, y, more),
        }
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let AtMostPlus(x, y, more) = self;
        let more = more.finite()?.clone();
        let zero = num_bigint::BigInt::ZERO;
        Some(if more == zero {
            Shown::binary("#>=", (*y).into(), (*x).into())
        } else {
            let right = Shown::binary("+", (*y).into(), Shown::Int(more));
            Shown::binary("#=<", (*x).into(), right)
        })
    }
}

fn order<N: Number>(store: &mut Store, me: Prop, x: Var, y: Var, more: i64) -> Step {
    order_by::<N>(store, me, x, y, &N::int(more))
}

fn order_exactly(store: &mut Store, me: Prop, x: Var, y: Var, more: &Bound) -> Step {
    order_by::<Bound>(store, me, x, y, more)
}

fn order_by<N: Number>(store: &mut Store, me: Prop, x: Var, y: Var, more: &N) -> Step {
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
pub struct NotEqual(pub Var, pub Var);

impl Propagator for NotEqual {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1]
    }

    fn event(&self) -> Event {
        Event::Fixed
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &NotEqual(x, y) = self;
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

    fn shown(&self, _: &Store) -> Option<Shown> {
        Some(Shown::binary("#\\=", self.0.into(), self.1.into()))
    }
}

/// `X \= Y + Z`.
pub struct NotSum(pub Var, pub Var, pub Var);

impl Propagator for NotSum {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1, self.2]
    }

    fn event(&self) -> Event {
        Event::Fixed
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &NotSum(x, y, z) = self;
        let (of_x, of_y, of_z) = (store.value(x), store.value(y), store.value(z));
        match (of_x, of_y, of_z) {
            (_, Some(a), Some(b)) => {
                store.kill(me);
                store.remove(x, &a.plus(&b))
            }
            (Some(sum), Some(a), None) => {
                store.kill(me);
                store.remove(z, &sum.minus(&a))
            }
            (Some(sum), None, Some(b)) => {
                store.kill(me);
                store.remove(y, &sum.minus(&b))
            }
            (None, Some(zero), None) if zero.sign() == 0 => distinct(store, me, x, z),
            (None, None, Some(zero)) if zero.sign() == 0 => distinct(store, me, x, y),
            _ => {
                // `X \= X + Z`: the other part is not 0.
                let other = if store.same(x, y) {
                    z
                } else if store.same(x, z) {
                    y
                } else {
                    return Ok(());
                };
                store.kill(me);
                store.remove_small(other, 0)
            }
        }
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let sum = Shown::binary("+", self.1.into(), self.2.into());
        Some(Shown::binary("#\\=", self.0.into(), sum))
    }
}

fn distinct(store: &mut Store, me: Prop, x: Var, y: Var) -> Step {
    store.kill(me);
    store.post(std::sync::Arc::new(NotEqual(x, y)));
    Ok(())
}

/// `abs(X - Y) \= C`, or `abs(X - Y) >= C`.
pub struct Distance {
    /// The first variable.
    pub x: Var,
    /// The second variable.
    pub y: Var,
    /// What the distance is compared with.
    pub bound: Bound,
    /// Whether it is at least that, and not just another.
    pub at_least: bool,
}

impl Propagator for Distance {
    fn vars(&self) -> Vec<Var> {
        vec![self.x, self.y]
    }

    fn event(&self) -> Event {
        if self.at_least { Event::Any } else { Event::Fixed }
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let Distance { x, y, bound, at_least } = self;
        if bound.sign() < 0 || *at_least && bound.sign() == 0 {
            store.kill(me);
            return Ok(());
        }
        if store.same(*x, *y) {
            store.kill(me);
            return if *at_least || bound.sign() == 0 { Err(Fail) } else { Ok(()) };
        }
        for (one, other) in [(x, y), (y, x)] {
            let Some(value) = store.value(*one) else { continue };
            store.kill(me);
            let (below, above) = (value.minus(bound), value.plus(bound));
            if *at_least {
                let apart = Domain::of_parts(vec![(Bound::Inf, below), (above, Bound::Sup)]);
                return store.intersect(*other, &apart.expect("open at both ends"));
            }
            store.remove(*other, &below)?;
            return store.remove(*other, &above);
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let difference = Shown::binary("-", self.x.into(), self.y.into());
        let distance = Shown::Compound("abs", vec![difference]);
        let bound = Shown::Int(self.bound.finite()?.clone());
        Some(Shown::binary(if self.at_least { "#>=" } else { "#\\=" }, distance, bound))
    }
}

//! `abs(X) = Y`, `max(X, Y) = Z` and `min(X, Y) = Z`.

use super::compare::AtMostPlus;
use crate::number::{Bound, Number};
use crate::shown::Shown;
use crate::store::{Fail, Prop, Propagator, Step, Store, Var};
use std::sync::Arc;

/// `abs(X) = Y`: each value of either has one of the other.
pub struct Abs(pub Var, pub Var);

impl Propagator for Abs {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &Abs(x, y) = self;
        if store.is_fixed(x) || store.is_fixed(y) {
            store.kill(me);
        }
        store.at_least(y, &Bound::int(0))?;
        let either = store.domain(y).or(&store.domain(y).negated());
        store.intersect(x, &either)?;
        let either = store.domain(x).or(&store.domain(x).negated());
        store.intersect(y, &either)?;
        store.at_least(y, &Bound::int(0))
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        Some(Shown::binary("#=", self.1.into(), Shown::Compound("abs", vec![self.0.into()])))
    }
}

/// `max(X, Y) = Z`, or `min(X, Y) = Z`; that `Z` is not on the other side of `X` and `Y` is posted
/// beside it.
pub struct Extreme {
    /// The first of two.
    pub x: Var,
    /// The second.
    pub y: Var,
    /// The greater or the smaller of them.
    pub z: Var,
    /// Whether it is the greater.
    pub greatest: bool,
}

impl Extreme {
    /// Posts that the greater, or the smaller, of two variables is a third; the propagators.
    pub fn post(store: &mut Store, x: Var, y: Var, z: Var, greatest: bool) -> [Prop; 3] {
        let mut bound = |part: Var| {
            let (low, high) = if greatest { (part, z) } else { (z, part) };
            store.post(Arc::new(AtMostPlus(low, high, Bound::int(0))))
        };
        let bounds = [bound(x), bound(y)];
        [bounds[0], bounds[1], store.post(Arc::new(Extreme { x, y, z, greatest }))]
    }
}

impl Propagator for Extreme {
    fn vars(&self) -> Vec<Var> {
        vec![self.x, self.y, self.z]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &Extreme { x, y, z, greatest } = self;
        let lo = |store: &Store, var: Var| store.lo::<Bound>(var);
        let hi = |store: &Store, var: Var| store.hi::<Bound>(var);
        // One that can't be it, or a value that only one can be.
        for (one, other) in [(x, y), (y, x)] {
            let is_beaten = if greatest {
                hi(store, one) < lo(store, other)
            } else {
                lo(store, one) > hi(store, other)
            };
            // With one of them known, `Z` tells which it is.
            let is_short = store.is_fixed(one)
                && if greatest {
                    hi(store, one) < lo(store, z)
                } else {
                    lo(store, one) > hi(store, z)
                };
            if is_beaten || is_short {
                store.kill(me);
                return store.join(z, other);
            }
        }
        if store.is_fixed(x) && store.is_fixed(y) {
            store.kill(me);
            let value = if greatest {
                lo(store, x).max(lo(store, y))
            } else {
                lo(store, x).min(lo(store, y))
            };
            return store.fix(z, &value);
        }
        if greatest {
            store.at_most(z, &hi(store, x).max(hi(store, y)))
        } else {
            store.at_least(z, &lo(store, x).min(lo(store, y)))
        }
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let name = if self.greatest { "max" } else { "min" };
        let extreme = Shown::binary(name, self.x.into(), self.y.into());
        Some(Shown::binary("#=", self.z.into(), extreme))
    }
}

/// A function of integers that narrows nothing before its arguments are known.
pub struct Function {
    /// As it is written.
    pub name: &'static str,
    /// What it is of.
    pub arguments: Vec<Var>,
    /// What it is.
    pub result: Var,
    /// Its value; `None` where it has none.
    pub apply: fn(&[num_bigint::BigInt]) -> Option<num_bigint::BigInt>,
}

impl Propagator for Function {
    fn vars(&self) -> Vec<Var> {
        let mut vars = self.arguments.clone();
        vars.push(self.result);
        vars
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let mut values = Vec::with_capacity(self.arguments.len());
        for &argument in &self.arguments {
            match store.value(argument) {
                Some(Bound::Fin(value)) => values.push(value),
                _ => return Ok(()),
            }
        }
        store.kill(me);
        let value = (self.apply)(&values).ok_or(Fail)?;
        store.fix(self.result, &Bound::Fin(value))
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let arguments = self.arguments.iter().map(|&var| Shown::Var(var)).collect();
        Some(Shown::binary("#=", self.result.into(), Shown::Compound(self.name, arguments)))
    }
}

//! Sums of variables with coefficients, equal to, different from, or at most a number. Bounds are
//! consistent over the reals between integers; of two variables that are left with coefficients 1 or
//! -1, so are the values in between.

use super::compare::not_equal;
use super::{Code, sum};
use crate::number::{Bound, Number};
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Propagator, Step, Store};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::sync::Arc;

/// How a sum compares with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Equal,
    AtMost,
    NotEqual,
}

/// A sum of variables with coefficients that are not 0, compared with a number.
struct Linear {
    relation: Relation,
    vars: Box<[Var]>,
    coefs: Box<[BigInt]>,
    constant: BigInt,
    /// Coefficients and number, where no sum of products with small values overflows `i128`.
    small: Option<(Box<[i64]>, i64)>,
}

/// Sums of absolute coefficients up to this times small values fit `i128`.
const COEFFICIENTS: i64 = 1 << 60;

/// The constraint that a sum of coefficients times variables, each of which occurs once, compares so with a
/// number.
pub fn linear(relation: Relation, terms: &[(BigInt, Var)], constant: BigInt) -> Code {
    let total = terms.iter().fold(constant.abs(), |sum, (coef, _)| sum + coef.abs());
    let is_small = total.to_i64().is_some_and(|total| total < COEFFICIENTS);
    let to_small = |value: &BigInt| value.to_i64().expect("part of a small sum");
    let coefs: Box<[BigInt]> = terms.iter().map(|(coef, _)| coef.clone()).collect();
    let small = is_small.then(|| (coefs.iter().map(to_small).collect(), to_small(&constant)));
    let vars = terms.iter().map(|&(_, var)| var).collect();
    Arc::new(Linear { relation, vars, coefs, constant, small })
}

impl Linear {
    /// The terms without values, exactly.
    fn open(&self, store: &Store) -> Open<Bound> {
        let coefs = self.coefs.iter().map(|coef| Bound::Fin(coef.clone()));
        let terms = coefs.zip(self.vars.iter().copied());
        Open::of(store, terms, Bound::Fin(self.constant.clone()))
    }
}

/// Terms that have no value yet, and what is left of the number.
struct Open<N> {
    terms: Vec<(N, Var)>,
    rest: N,
}

impl<N: Number> Open<N> {
    /// A sum without its terms that have values; terms of one variable are one.
    fn of(store: &Store, terms: impl Iterator<Item = (N, Var)>, constant: N) -> Open<N> {
        let mut open = Open { terms: Vec::new(), rest: constant };
        for (coef, var) in terms {
            let root = store.find(var);
            if store.is_fixed(root) {
                open.rest = open.rest.minus(&coef.times(&store.lo(root)));
                continue;
            }
            open.terms.push((coef, root));
        }
        // Terms of variables that were joined count as one where two or three are left: what a
        // difference of one variable is, is known then.
        if open.terms.len() <= 2 && open.terms.iter().any(|&(_, var)| store.is_joined(var)) {
            let mut merged: Vec<(N, Var)> = Vec::with_capacity(open.terms.len());
            for (coef, var) in open.terms {
                match merged.iter_mut().find(|(_, other)| *other == var) {
                    Some((sum, _)) => *sum = sum.plus(&coef),
                    None => merged.push((coef, var)),
                }
            }
            merged.retain(|(coef, _)| coef.sign() != 0);
            open.terms = merged;
        }
        open
    }
}

impl Propagator for Linear {
    fn vars(&self) -> Vec<Var> {
        self.vars.to_vec()
    }

    fn event(&self) -> Event {
        match self.relation {
            Relation::NotEqual => Event::Fixed,
            _ => Event::Bounds,
        }
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        match &self.small {
            Some((coefs, constant)) if store.are_small(&self.vars) => {
                let terms =
                    coefs.iter().map(|&coef| i128::from(coef)).zip(self.vars.iter().copied());
                let open = Open::of(store, terms, i128::from(*constant));
                run(self.relation, open, store, me)
            }
            _ => run(self.relation, self.open(store), store, me),
        }
    }

    fn shown(&self, store: &Store) -> Option<Shown> {
        Some(shown(self.relation, &self.open(store)))
    }
}

fn run<N: Number>(relation: Relation, open: Open<N>, store: &mut Store, me: Prop) -> Step {
    match relation {
        Relation::NotEqual => different(open, store, me),
        Relation::AtMost => at_most(&open, store, me),
        Relation::Equal => equal(open, store, me),
    }
}

fn different<N: Number>(open: Open<N>, store: &mut Store, me: Prop) -> Step {
    let one = N::int(1);
    match &*open.terms {
        [] => {
            store.kill(me);
            if open.rest.sign() == 0 { Err(Fail) } else { Ok(()) }
        }
        [(coef, var)] => {
            store.kill(me);
            let value = open.rest.floor_div(coef);
            if value.times(coef) == open.rest { store.remove(*var, &value.bound()) } else { Ok(()) }
        }
        [(a, x), (b, y)]
            if open.rest.sign() == 0 && a.plus(b).sign() == 0 && (*a == one || *b == one) =>
        {
            store.kill(me);
            store.post(not_equal(*x, *y));
            Ok(())
        }
        _ => Ok(()),
    }
}

fn ends<N: Number>(store: &Store, coef: &N, var: Var) -> (N, N) {
    let (lo, hi) = (coef.times(&store.lo(var)), coef.times(&store.hi(var)));
    if coef.sign() < 0 { (hi, lo) } else { (lo, hi) }
}

/// Narrows the terms of a sum that is at most the rest.
fn at_most<N: Number>(open: &Open<N>, store: &mut Store, me: Prop) -> Step {
    let (mut least, mut most) = (N::int(0), N::int(0));
    let mut unbounded = 0;
    for (coef, var) in &open.terms {
        let (lo, hi) = ends(store, coef, *var);
        if lo.is_finite() {
            least = least.plus(&lo);
        } else {
            unbounded += 1;
        }
        most = most.plus(&hi);
    }
    if unbounded == 0 && least > open.rest {
        return Err(Fail);
    }
    if most <= open.rest {
        store.kill(me);
        return Ok(());
    }
    cap(open, store, &least, unbounded)
}

/// Leaves each term what the least values of the others leave it of the rest.
fn cap<N: Number>(open: &Open<N>, store: &mut Store, least: &N, unbounded: usize) -> Step {
    if unbounded > 1 {
        return Ok(());
    }
    let slack = open.rest.minus(least);
    for (coef, var) in &open.terms {
        let (lo, _) = ends(store, coef, *var);
        let most = match (unbounded, lo.is_finite()) {
            (0, _) => slack.plus(&lo),
            (_, false) => slack.clone(),
            _ => continue,
        };
        limit(store, coef, *var, &most)?;
    }
    Ok(())
}

/// Leaves a term at most a number.
fn limit<N: Number>(store: &mut Store, coef: &N, var: Var, most: &N) -> Step {
    if coef.sign() > 0 {
        store.at_most(var, &most.floor_div(coef))
    } else {
        store.at_least(var, &most.ceil_div(coef))
    }
}

fn equal<N: Number>(open: Open<N>, store: &mut Store, me: Prop) -> Step {
    let one = N::int(1);
    let is_unit = |coef: &N| coef.abs() == one;
    match &*open.terms {
        [] => {
            store.kill(me);
            return if open.rest.sign() == 0 { Ok(()) } else { Err(Fail) };
        }
        [(coef, var)] => {
            store.kill(me);
            let value = open.rest.floor_div(coef);
            if value.times(coef) != open.rest {
                return Err(Fail);
            }
            return store.fix(*var, &value);
        }
        // Two variables whose values follow one another: also those between the bounds do.
        [(a, x), (b, y)] if is_unit(a) && is_unit(b) => {
            let by = if a.sign() > 0 { open.rest.clone() } else { open.rest.negated() }.bound();
            return if a.sign() == b.sign() {
                sum::mirror(store, *x, *y, &by)
            } else {
                // x - y = by, or y - x = -by.
                sum::shift(store, me, *y, &by, *x)
            };
        }
        _ => {}
    }
    let (mut least, mut most) = (N::int(0), N::int(0));
    let (mut no_least, mut no_most) = (0, 0);
    for (coef, var) in &open.terms {
        let (lo, hi) = ends(store, coef, *var);
        if lo.is_finite() {
            least = least.plus(&lo)
        } else {
            no_least += 1
        }
        if hi.is_finite() { most = most.plus(&hi) } else { no_most += 1 }
    }
    if no_least == 0 && least > open.rest || no_most == 0 && most < open.rest {
        return Err(Fail);
    }
    cap(&open, store, &least, no_least)?;
    // The same from above: of what the terms are negatives of.
    let mirrored = Open {
        terms: open.terms.into_iter().map(|(coef, var)| (coef.negated(), var)).collect(),
        rest: open.rest.negated(),
    };
    cap(&mirrored, store, &most.negated(), no_most)
}

/// A sum as people write it: what is taken away stands on the other side.
fn shown(relation: Relation, open: &Open<Bound>) -> Shown {
    let name = match relation {
        Relation::Equal => "#=",
        Relation::AtMost => "#=<",
        Relation::NotEqual => "#\\=",
    };
    let side = |sign: i32| -> Vec<Shown> {
        let terms = open.terms.iter().filter(|(coef, _)| coef.sign() == sign);
        let term = |(coef, var): &(Bound, Var)| match coef.finite().expect("finite").abs() {
            one if one.is_one() => Shown::Var(*var),
            coef => Shown::binary("*", Shown::Int(coef), Shown::Var(*var)),
        };
        terms.map(term).collect()
    };
    let (mut left, mut right) = (side(1), side(-1));
    let constant = open.rest.finite().expect("finite").clone();
    if right.is_empty() {
        right.push(Shown::Int(constant));
    } else if left.is_empty() {
        left.push(Shown::Int(-constant));
    } else if constant.is_positive() {
        right.push(Shown::Int(constant));
    } else if constant.is_negative() {
        left.push(Shown::Int(-constant));
    }
    Shown::binary(name, Shown::Chain("+", left), Shown::Chain("+", right))
}

/// The sum's terms and number divided by what all of them are multiples of, or `None` if the number is no
/// multiple of it, so that no sum is the number.
pub fn reduced(terms: &[(BigInt, Var)], constant: &BigInt) -> Option<(Vec<(BigInt, Var)>, BigInt)> {
    let divisor = terms.iter().fold(BigInt::zero(), |gcd, (coef, _)| gcd.gcd(coef));
    if divisor.is_zero() {
        return constant.is_zero().then(|| (Vec::new(), BigInt::zero()));
    }
    if !constant.is_multiple_of(&divisor) {
        return None;
    }
    let terms = terms.iter().map(|(coef, var)| (coef / &divisor, *var)).collect();
    Some((terms, constant / &divisor))
}

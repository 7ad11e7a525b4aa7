//! Constraints that say whether others hold: truth is a variable, 0 or 1.

use super::compare::{AtMostPlus, NotEqual};
use super::division::{Quotient, Remainder, Rounding};
use super::times::Times;
use crate::domain::Domain;
use crate::number::Bound;
use crate::shown::Shown;
use crate::store::{Fail, Prop, Propagator, Step, Store, Var};
use std::sync::Arc;

/// What of two integers is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether the first is at least the second.
    AtLeast,
    /// Whether they are the same.
    Equal,
    /// Whether they are not.
    NotEqual,
}

/// Whether two variables compare so, and are both defined.
pub struct Compared {
    /// The question.
    pub question: Question,
    /// The first variable.
    pub x: Var,
    /// The second variable.
    pub y: Var,
    /// What must all be 1 for the answer to be yes: that divisors are not 0.
    pub defined: Box<[Var]>,
    /// Propagators that `x` and `y` come from: nobody asks for them once the answer is known.
    pub parts: Box<[Prop]>,
    /// The answer.
    pub truth: Var,
}

/// Whether two variables compare so, as far as their domains tell.
fn answer(store: &Store, question: Question, x: Var, y: Var) -> Option<bool> {
    if store.same(x, y) {
        return Some(question != Question::NotEqual);
    }
    let small = |var| store.domain(var).as_small().map(|small| (small.lo(), small.hi()));
    let (is_below, is_at_least) = match (small(x), small(y)) {
        (Some(a), Some(b)) => ((a.1 < b.0, b.1 < a.0), a.0 >= b.1),
        _ => {
            let ends = |var| (store.lo::<Bound>(var), store.hi::<Bound>(var));
            let (a, b) = (ends(x), ends(y));
            ((a.1 < b.0, b.1 < a.0), a.0 >= b.1)
        }
    };
    if question == Question::AtLeast {
        return if is_at_least { Some(true) } else { is_below.0.then_some(false) };
    }
    let differ = question == Question::NotEqual;
    if is_below.0 || is_below.1 {
        return Some(differ);
    }
    match (store.value(x), store.value(y)) {
        (Some(a), Some(b)) => Some((a != b) == differ),
        (Some(a), None) if !store.domain(y).contains(&a) => Some(differ),
        (None, Some(b)) if !store.domain(x).contains(&b) => Some(differ),
        _ => None,
    }
}

/// Posts that two variables compare so, or don't.
fn decide(store: &mut Store, question: Question, x: Var, y: Var, truth: bool) -> Step {
    match (question, truth) {
        (Question::AtLeast, true) => drop(store.post(Arc::new(AtMostPlus(y, x, Bound::from(0))))),
        (Question::AtLeast, false) => drop(store.post(Arc::new(AtMostPlus(x, y, Bound::from(-1))))),
        (Question::Equal, true) | (Question::NotEqual, false) => return store.join(x, y),
        (Question::Equal, false) | (Question::NotEqual, true) => {
            store.post(Arc::new(NotEqual(x, y)));
        }
    }
    Ok(())
}

impl Propagator for Compared {
    fn vars(&self) -> Vec<Var> {
        let mut vars = vec![self.x, self.y, self.truth];
        vars.extend(&self.defined);
        vars
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &Compared { question, x, y, ref defined, ref parts, truth } = self;
        if defined.iter().any(|&part| store.is(part, 0)) {
            store.kill(me);
            parts.iter().for_each(|&part| store.kill(part));
            return store.fix_small(truth, 0);
        }
        if store.is(truth, 1) {
            store.kill(me);
            for &part in defined {
                store.fix_small(part, 1)?;
            }
            return decide(store, question, x, y, true);
        }
        if !defined.iter().all(|&part| store.is(part, 1)) {
            return Ok(());
        }
        if store.is(truth, 0) {
            store.kill(me);
            return decide(store, question, x, y, false);
        }
        let Some(holds) = answer(store, question, x, y) else { return Ok(()) };
        store.kill(me);
        parts.iter().for_each(|&part| store.kill(part));
        store.fix_small(truth, holds.into())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let name = match self.question {
            Question::AtLeast => "#>=",
            Question::Equal => "#=",
            Question::NotEqual => "#\\=",
        };
        let inner = Shown::binary(name, self.x.into(), self.y.into());
        Some(Shown::binary("#<==>", inner, self.truth.into()))
    }
}

/// Whether a variable has a value of a set.
pub struct Within {
    /// The variable.
    pub var: Var,
    /// The set.
    pub set: Domain,
    /// The answer.
    pub truth: Var,
}

impl Propagator for Within {
    fn vars(&self) -> Vec<Var> {
        vec![self.var, self.truth]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let Within { var, set, truth } = self;
        if store.is(*truth, 1) {
            store.kill(me);
            return store.intersect(*var, set);
        }
        if store.is(*truth, 0) {
            store.kill(me);
            let Some(outside) = set.complement() else { return Err(Fail) };
            return store.intersect(*var, &outside);
        }
        match store.domain(*var).and(set) {
            None => {
                store.kill(me);
                store.fix_small(*truth, 0)
            }
            Some(both) if both == *store.domain(*var) => {
                store.kill(me);
                store.fix_small(*truth, 1)
            }
            Some(_) => Ok(()),
        }
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let within = Shown::binary("in", self.var.into(), set_shown(&self.set));
        Some(Shown::binary("#<==>", within, self.truth.into()))
    }
}

/// A set as it is written after `in`.
pub fn set_shown(set: &Domain) -> Shown {
    let end = |bound: &Bound| match bound {
        Bound::Inf => Shown::Compound("inf", Vec::new()),
        Bound::Sup => Shown::Compound("sup", Vec::new()),
        Bound::Fin(value) => Shown::Int(value.clone()),
    };
    let parts = set
        .parts()
        .into_iter()
        .map(|(lo, hi)| if lo == hi { end(&lo) } else { Shown::binary("..", end(&lo), end(&hi)) });
    Shown::Chain("\\/", parts.collect())
}

/// Whether a variable has finitely many values: it may get them later.
pub struct Finite(pub Var, pub Var);

impl Propagator for Finite {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &Finite(var, truth) = self;
        if store.domain(var).size() != Bound::Sup {
            store.kill(me);
            return store.fix_small(truth, 1);
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let finite = Shown::Compound("finite_domain", vec![self.0.into()]);
        Some(Shown::binary("#<==>", finite, self.1.into()))
    }
}

/// `X /\ Y`, of truths.
pub struct And(pub Var, pub Var, pub Var);

impl Propagator for And {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1, self.2]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &And(x, y, both) = self;
        connect(store, me, x, y, both, 0)
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let both = Shown::binary("#/\\", self.0.into(), self.1.into());
        Some(Shown::binary("#<==>", both, self.2.into()))
    }
}

/// `X \/ Y`, of truths.
pub struct Or(pub Var, pub Var, pub Var);

impl Propagator for Or {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1, self.2]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &Or(x, y, either) = self;
        connect(store, me, x, y, either, 1)
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let either = Shown::binary("#\\/", self.0.into(), self.1.into());
        Some(Shown::binary("#<==>", either, self.2.into()))
    }
}

/// A connective that is decided by one part of this truth, and by the other part else.
fn connect(store: &mut Store, me: Prop, x: Var, y: Var, whole: Var, decisive: i64) -> Step {
    for (one, other) in [(x, y), (y, x)] {
        if store.is(one, decisive) {
            store.kill(me);
            return store.fix_small(whole, decisive);
        }
        if store.is(one, 1 - decisive) {
            store.kill(me);
            return store.join(whole, other);
        }
    }
    if store.is(whole, 1 - decisive) {
        store.kill(me);
        store.fix_small(x, 1 - decisive)?;
        return store.fix_small(y, 1 - decisive);
    }
    Ok(())
}

/// One truth is the opposite of another.
pub struct Not(pub Var, pub Var);

impl Propagator for Not {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        for (one, other) in [(self.0, self.1), (self.1, self.0)] {
            if let Some(value) = store.small_value(one) {
                store.kill(me);
                return store.fix_small(other, 1 - value);
            }
        }
        if store.same(self.0, self.1) { Err(Fail) } else { Ok(()) }
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let not = Shown::Compound("#\\", vec![self.0.into()]);
        Some(Shown::binary("#<==>", not, self.1.into()))
    }
}

/// One truth follows from another.
pub struct Implies(pub Var, pub Var);

impl Propagator for Implies {
    fn vars(&self) -> Vec<Var> {
        vec![self.0, self.1]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &Implies(x, y) = self;
        if store.is(x, 1) {
            store.kill(me);
            return store.fix_small(y, 1);
        }
        if store.is(y, 0) {
            store.kill(me);
            return store.fix_small(x, 0);
        }
        if store.is(x, 0) || store.is(y, 1) {
            store.kill(me);
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        Some(Shown::binary("#==>", self.0.into(), self.1.into()))
    }
}

/// The function of a division, where it is asked whether it is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Division {
    /// `//` or `div`.
    Quotient(Rounding),
    /// `rem` or `mod`.
    Remainder(Rounding),
    /// `rdiv`: there is no remainder.
    Exact,
}

/// `X` divided by `Y` is `Z`, if it is defined: if `Y` is not 0.
pub struct Defined {
    /// The function.
    pub division: Division,
    /// The dividend.
    pub x: Var,
    /// The divisor.
    pub y: Var,
    /// The result.
    pub z: Var,
    /// Whether it is defined.
    pub truth: Var,
}

impl Propagator for Defined {
    fn vars(&self) -> Vec<Var> {
        vec![self.y, self.truth]
    }

    fn run(&self, store: &mut Store, me: Prop) -> Step {
        let &Defined { division, x, y, z, truth } = self;
        if store.is(y, 0) {
            store.kill(me);
            return store.fix_small(truth, 0);
        }
        if store.is(truth, 0) {
            store.kill(me);
            return store.fix_small(y, 0);
        }
        if store.is(truth, 1) || !store.domain(y).has(0) {
            store.kill(me);
            store.fix_small(truth, 1)?;
            store.remove_small(y, 0)?;
            match division {
                Division::Quotient(rounding) => store.post(Arc::new(Quotient(rounding, x, y, z))),
                Division::Remainder(rounding) => store.post(Arc::new(Remainder(rounding, x, y, z))),
                Division::Exact => store.post(Arc::new(Times(z, y, x))),
            };
        }
        Ok(())
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        let nonzero = Shown::binary("#\\=", self.y.into(), Shown::int(0));
        Some(Shown::binary("#<==>", nonzero, self.truth.into()))
    }
}

//! Constraints that say whether others hold: truth is a variable, 0 or 1.

use super::compare::{at_most_plus, not_equal};
use super::division::{Rounding, quotient, remainder};
use super::times::times;
use super::{Code, propagator};
use crate::domain::Domain;
use crate::number::Bound;
use crate::shown::{Shown, Var};
use crate::store::{Event, Fail, Prop, Propagator, Step, Store};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    AtLeast,
    Equal,
    NotEqual,
}

/// Whether two variables compare so, and are both defined.
pub struct Compared {
    pub question: Question,
    pub x: Var,
    pub y: Var,
    /// Truths that must all be 1 for the answer to be yes: that divisors are not 0.
    pub defined: Box<[Var]>,
    /// Propagators that `x` and `y` come from: nothing needs them once the answer is known.
    pub parts: Box<[Prop]>,
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

fn decide(store: &mut Store, question: Question, x: Var, y: Var, truth: bool) -> Step {
    let code = match (question, truth) {
        (Question::AtLeast, true) => at_most_plus(y, x, 0),
        (Question::AtLeast, false) => at_most_plus(x, y, -1),
        (Question::Equal, true) | (Question::NotEqual, false) => return store.join(x, y),
        (Question::Equal, false) | (Question::NotEqual, true) => not_equal(x, y),
    };
    store.post(code);
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
pub fn within(var: Var, set: Domain, truth: Var) -> Code {
    let shown = set_shown(&set);
    let run = move |store: &mut Store, me: Prop, [var, truth]: [Var; 2]| {
        if store.is(truth, 1) {
            store.kill(me);
            return store.intersect(var, &set);
        }
        if store.is(truth, 0) {
            store.kill(me);
            return store.intersect(var, &set.complement().ok_or(Fail)?);
        }
        let both = store.domain(var).and(&set);
        if both.is_some() && both.as_ref() != Some(store.domain(var)) {
            return Ok(());
        }
        store.kill(me);
        store.fix_small(truth, both.is_some().into())
    };
    propagator(Event::Any, [var, truth], run, move |[var, truth]| {
        Shown::binary("#<==>", Shown::binary("in", var, shown.clone()), truth)
    })
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
pub fn finite(var: Var, truth: Var) -> Code {
    let run = |store: &mut Store, me: Prop, [var, truth]: [Var; 2]| {
        if store.domain(var).size() == Bound::Sup {
            return Ok(());
        }
        store.kill(me);
        store.fix_small(truth, 1)
    };
    propagator(Event::Any, [var, truth], run, |[var, truth]| {
        Shown::binary("#<==>", Shown::Compound("finite_domain", vec![var]), truth)
    })
}

/// Whether each of two truths is.
pub fn and(x: Var, y: Var, both: Var) -> Code {
    connective("#/\\", 0, [x, y, both])
}

/// Whether one of two truths is.
pub fn or(x: Var, y: Var, either: Var) -> Code {
    connective("#\\/", 1, [x, y, either])
}

/// A connective that is decided by one part of this truth, and by the other part else.
fn connective(name: &'static str, decisive: i64, vars: [Var; 3]) -> Code {
    let run = move |store: &mut Store, me: Prop, [x, y, whole]: [Var; 3]| {
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
    };
    propagator(Event::Any, vars, run, move |[x, y, whole]| {
        Shown::binary("#<==>", Shown::binary(name, x, y), whole)
    })
}

/// One truth is the opposite of another.
pub fn not(x: Var, truth: Var) -> Code {
    let run = |store: &mut Store, me: Prop, [x, y]: [Var; 2]| {
        for (one, other) in [(x, y), (y, x)] {
            if let Some(value) = store.small_value(one) {
                store.kill(me);
                return store.fix_small(other, 1 - value);
            }
        }
        if store.same(x, y) { Err(Fail) } else { Ok(()) }
    };
    propagator(Event::Any, [x, truth], run, |[x, truth]| {
        Shown::binary("#<==>", Shown::Compound("#\\", vec![x]), truth)
    })
}

/// One truth follows from another.
pub fn implies(x: Var, y: Var) -> Code {
    let run = |store: &mut Store, me: Prop, [x, y]: [Var; 2]| {
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
    };
    propagator(Event::Any, [x, y], run, |[x, y]| Shown::binary("#==>", x, y))
}

/// The function of a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Division {
    Quotient(Rounding),
    Remainder(Rounding),
    /// `rdiv`: there is no remainder.
    Exact,
}

impl Division {
    /// `X` divided by `Y` is `Z`; `Y` is not 0.
    pub fn code(self, x: Var, y: Var, z: Var) -> Code {
        match self {
            Division::Quotient(rounding) => quotient(rounding, x, y, z),
            Division::Remainder(rounding) => remainder(rounding, x, y, z),
            Division::Exact => times(z, y, x),
        }
    }

    /// The same if `Y` is not 0, which is the truth.
    pub fn if_defined(self, x: Var, y: Var, z: Var, truth: Var) -> Code {
        let run = move |store: &mut Store, me: Prop, [y, truth]: [Var; 2]| {
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
                store.post(self.code(x, y, z));
            }
            Ok(())
        };
        propagator(Event::Any, [y, truth], run, |[y, truth]| {
            Shown::binary("#<==>", Shown::binary("#\\=", y, Shown::int(0)), truth)
        })
    }
}

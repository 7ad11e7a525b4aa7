//! How many variables have each of some values.
//!
//! [`Counted`] compares each number with the variables that have its value and those that still can.
//! [`Flow`] looks at all values together: Régin, *Generalized arc consistency for global cardinality
//! constraint*, AAAI 1996.

use super::element::post_element;
use super::linear::{Relation, linear};
use super::values::Values;
use crate::domain::Domain;
use crate::number::Bound;
use crate::shown::{Shown, Var};
use crate::store::{Fail, Prop, Propagator, Speed, Step, Store, Words};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use zug_proof::Graph;

/// How much the propagation of a [global cardinality](post_global_cardinality) finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consistency {
    /// What each value by itself tells.
    Value,
    /// What all of them tell together.
    Domain,
}

/// Posts that each variable has one of some values, all of them different, each of which occurs as
/// often as the number beside it says.
pub fn post_global_cardinality(
    store: &mut Store,
    vars: &[Var],
    pairs: &[(BigInt, Var)],
    consistency: Consistency,
) -> Step {
    let count = Bound::from(vars.len() as i64);
    for &(_, number) in pairs {
        store.narrow(number, &Bound::from(0), &count)?;
    }
    let values = Values::new(pairs.iter().map(|(key, _)| Bound::Fin(key.clone())).collect());
    let keys = values.domain(0..values.len());
    for &var in vars {
        store.restrict(var, keys.as_ref().and_then(|keys| store.domain(var).and(keys)))?;
    }
    let mut numbers: Vec<Var> = pairs.iter().map(|&(_, number)| number).collect();
    for (key, number) in pairs {
        numbers[values.place(&Bound::Fin(key.clone())).expect("a key")] = *number;
    }
    let cardinality = Arc::new(Cardinality {
        vars: vars.into(),
        values,
        numbers: numbers.into(),
        pairs: pairs.into(),
        consistency,
    });
    store.post(Arc::new(Counted { of: cardinality.clone() }));
    if consistency == Consistency::Domain {
        let mates = store.new_words(vars.len());
        store.post(Arc::new(Flow { of: cardinality, mates }));
    }
    Ok(())
}

/// Posts that a number is the sum of what each variable's value costs: the cost that a variable's row of
/// the matrix has for a key, of those of a [global cardinality](post_global_cardinality) in their order.
pub fn post_costs(
    store: &mut Store,
    vars: &[Var],
    keys: &[BigInt],
    matrix: &[Vec<BigInt>],
    cost: Var,
) -> Step {
    let keys: Vec<Var> = keys.iter().map(|key| store.constant(key)).collect();
    // The sum less the cost is 0; a variable that is listed as such occurs once in it.
    let mut terms = vec![(-BigInt::one(), cost)];
    for (&var, row) in vars.iter().zip(matrix) {
        let index = store.new_var(Domain::all());
        let own = store.new_var(Domain::all());
        let row: Vec<Var> = row.iter().map(|value| store.constant(value)).collect();
        post_element(store, index, &keys, var)?;
        post_element(store, index, &row, own)?;
        terms.push((BigInt::one(), own));
    }
    store.post(linear(Relation::Equal, &terms, BigInt::zero()));
    Ok(())
}

/// The constraint that [`Counted`] and [`Flow`] are of.
struct Cardinality {
    vars: Box<[Var]>,
    values: Values,
    /// How often each value occurs.
    numbers: Box<[Var]>,
    /// Values and numbers as they were given.
    pairs: Box<[(BigInt, Var)]>,
    consistency: Consistency,
}

impl Cardinality {
    fn all(&self) -> Vec<Var> {
        self.vars.iter().chain(&self.numbers).copied().collect()
    }

    fn shown(&self) -> Shown {
        let pair = |(key, number): &(BigInt, Var)| {
            Shown::binary("-", Shown::Int(key.clone()), (*number).into())
        };
        let pairs = Shown::List(self.pairs.iter().map(pair).collect());
        let mut arguments = vec![Shown::vars(&self.vars), pairs];
        if self.consistency == Consistency::Value {
            let value = Shown::Compound("value", Vec::new());
            arguments.push(Shown::List(vec![Shown::Compound("consistency", vec![value])]));
        }
        Shown::Compound("global_cardinality", arguments)
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

const NONE: u32 = u32::MAX;

#[derive(Default)]
struct Scratch {
    /// How many variables have each value, and how many others can.
    has: Vec<i64>,
    can: Vec<i64>,
    /// Places of variables without a value, and the numbers of their values, list by list.
    open: Vec<usize>,
    ends: Vec<u32>,
    values: Vec<u32>,
    /// Which value each of them is given, and who is given each.
    value_of: Vec<u32>,
    given: Vec<Vec<u32>>,
    /// How many of them can be, and have to be, given each value.
    most: Vec<i64>,
    least: Vec<i64>,
    /// The search of a path: the variable that comes to a value, or leaves it.
    via: Vec<u32>,
    towards: Vec<u32>,
    seen: Vec<bool>,
    queue: VecDeque<u32>,
    graph: Graph,
    kept: Vec<usize>,
}

impl Scratch {
    #[inline(always)]
    fn values_of(&self, at: usize) -> std::ops::Range<usize> {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        start as usize..self.ends[at] as usize
    }

    /// Counts variables by their values, and lists those that have none.
    fn count(&mut self, store: &Store, of: &Cardinality) {
        for list in [&mut self.has, &mut self.can] {
            list.clear();
            list.resize(of.values.len(), 0);
        }
        self.open.clear();
        self.ends.clear();
        self.values.clear();
        for (at, &var) in of.vars.iter().enumerate() {
            let domain = store.domain(var);
            if store.is_fixed(var) {
                of.values.each_in(domain, |value| self.has[value] += 1);
                continue;
            }
            self.open.push(at);
            of.values.each_in(domain, |value| {
                self.can[value] += 1;
                self.values.push(value as u32);
            });
            self.ends.push(self.values.len() as u32);
        }
    }

    /// Gives a variable that is given something else another value.
    fn give(&mut self, var: u32, value: u32) {
        let old = std::mem::replace(&mut self.value_of[var as usize], value);
        if old != NONE {
            self.given[old as usize].retain(|&other| other != var);
        }
        self.given[value as usize].push(var);
    }

    fn begin_search(&mut self) {
        self.queue.clear();
        self.seen.fill(false);
    }

    /// Finds a value for a variable, by giving others other values where necessary.
    fn find_value(&mut self, start: u32) -> Step {
        self.begin_search();
        self.reach_from(start);
        while let Some(value) = self.queue.pop_front() {
            if (self.given[value as usize].len() as i64) < self.most[value as usize] {
                let mut value = value;
                loop {
                    let var = self.via[value as usize];
                    let left = self.value_of[var as usize];
                    self.give(var, value);
                    if var == start {
                        return Ok(());
                    }
                    value = left;
                }
            }
            for at in 0..self.given[value as usize].len() {
                let var = self.given[value as usize][at];
                self.reach_from(var);
            }
        }
        Err(Fail)
    }

    /// Puts the values that a variable can have on the queue.
    fn reach_from(&mut self, var: u32) {
        for edge in self.values_of(var as usize) {
            let value = self.values[edge];
            if !self.seen[value as usize] {
                self.seen[value as usize] = true;
                self.via[value as usize] = var;
                self.queue.push_back(value);
            }
        }
    }

    /// Finds a variable for a value that needs one, from a value that doesn't need all that it has.
    fn find_variable(&mut self, needy: u32) -> Step {
        self.begin_search();
        self.seen[needy as usize] = true;
        self.queue.push_back(needy);
        while let Some(value) = self.queue.pop_front() {
            for var in 0..self.open.len() {
                let old = self.value_of[var];
                if self.seen[old as usize] || !self.can_have(var, value) {
                    continue;
                }
                // From `old`, this variable can come to `value`, and so another on to the needy one.
                self.seen[old as usize] = true;
                self.via[old as usize] = var as u32;
                self.towards[old as usize] = value;
                if self.given[old as usize].len() as i64 > self.least[old as usize] {
                    let mut from = old;
                    while from != needy {
                        let to = self.towards[from as usize];
                        self.give(self.via[from as usize], to);
                        from = to;
                    }
                    return Ok(());
                }
                self.queue.push_back(old);
            }
        }
        Err(Fail)
    }

    fn can_have(&self, var: usize, value: u32) -> bool {
        self.values[self.values_of(var)].binary_search(&value).is_ok()
    }
}

/// Each value by itself: its number is at least that of the variables that have it, and at most that of
/// those that can. Where the number is one of these, the others can't have it, or all have it.
struct Counted {
    of: Arc<Cardinality>,
}

impl Propagator for Counted {
    fn vars(&self) -> Vec<Var> {
        self.of.all()
    }

    fn run(&self, store: &mut Store, _: Prop) -> Step {
        let of = &self.of;
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.count(store, of);
            for value in 0..of.values.len() {
                let (has, can) = (scratch.has[value], scratch.can[value]);
                let number = of.numbers[value];
                narrow(store, number, has, has + can)?;
                if can == 0 {
                    continue;
                }
                let all = store.domain(number).as_small().expect("at most all of them");
                let (is_full, needs_all) = (all.hi() == has, all.lo() == has + can);
                if !is_full && !needs_all {
                    continue;
                }
                let key = of.values.get(value);
                for at in 0..scratch.open.len() {
                    if !scratch.can_have(at, value as u32) {
                        continue;
                    }
                    let var = of.vars[scratch.open[at]];
                    if is_full {
                        store.remove(var, &key)?;
                    } else {
                        store.narrow(var, &key, &key)?;
                    }
                }
            }
            Ok(())
        })
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        (self.of.consistency == Consistency::Value).then(|| self.of.shown())
    }
}

fn narrow(store: &mut Store, var: Var, lo: i64, hi: i64) -> Step {
    store.narrow(var, &i128::from(lo), &i128::from(hi))
}

/// All values together: variables are given values so that each is given as often as its number says
/// (a flow), and lose those that no such gift has. What this finds for variables is all that follows from
/// the upper bounds of the numbers; that enough variables have each value is only asked for. Bounds of
/// numbers are those of [`Counted`].
struct Flow {
    of: Arc<Cardinality>,
    /// Which value each variable was given last, to begin with, plus one.
    mates: Words,
}

impl Propagator for Flow {
    fn vars(&self) -> Vec<Var> {
        self.of.all()
    }

    fn speed(&self) -> Speed {
        Speed::Slow
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn run(&self, store: &mut Store, _: Prop) -> Step {
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.count(store, &self.of);
            self.find_flow(store, scratch)?;
            self.prune(store, scratch)
        })
    }

    fn shown(&self, _: &Store) -> Option<Shown> {
        Some(self.of.shown())
    }
}

impl Flow {
    fn find_flow(&self, store: &mut Store, scratch: &mut Scratch) -> Step {
        let (values, open) = (self.of.values.len(), scratch.open.len());
        scratch.most.clear();
        scratch.least.clear();
        for value in 0..values {
            let number = store.domain(self.of.numbers[value]).as_small();
            let number = number.expect("at most all of them");
            let (least, most) =
                (number.lo() - scratch.has[value], number.hi() - scratch.has[value]);
            if most < 0 {
                return Err(Fail);
            }
            scratch.least.push(least);
            scratch.most.push(most);
        }
        for list in [&mut scratch.via, &mut scratch.towards] {
            list.clear();
            list.resize(values, NONE);
        }
        scratch.seen.clear();
        scratch.seen.resize(values, false);
        scratch.value_of.clear();
        scratch.value_of.resize(open, NONE);
        scratch.given.iter_mut().for_each(Vec::clear);
        if scratch.given.len() < values {
            scratch.given.resize_with(values, Vec::new);
        }
        // As it was, as far as that is still possible.
        for at in 0..open {
            let value = store.word(self.mates, scratch.open[at]) as u32;
            let Some(value) = value.checked_sub(1) else { continue };
            if (scratch.given[value as usize].len() as i64) < scratch.most[value as usize]
                && scratch.can_have(at, value)
            {
                scratch.give(at as u32, value);
            }
        }
        for at in 0..open {
            if scratch.value_of[at] == NONE {
                scratch.find_value(at as u32)?;
            }
        }
        for value in 0..values {
            while (scratch.given[value].len() as i64) < scratch.least[value] {
                scratch.find_variable(value as u32)?;
            }
        }
        for at in 0..open {
            store.set_guess(self.mates, scratch.open[at], u64::from(scratch.value_of[at]) + 1);
        }
        Ok(())
    }

    fn prune(&self, store: &mut Store, scratch: &mut Scratch) -> Step {
        let values = self.of.values.len();
        // From a value to where those that were given it can go instead; and one more node: from there
        // to the values that were given to anyone, and to there from those that more can be given.
        scratch.graph.clear();
        for value in 0..values {
            for &var in &scratch.given[value] {
                for edge in scratch.values_of(var as usize) {
                    scratch.graph.edge(scratch.values[edge]);
                }
            }
            if (scratch.given[value].len() as i64) < scratch.most[value] {
                scratch.graph.edge(values as u32);
            }
            scratch.graph.end_node();
        }
        for value in 0..values {
            if !scratch.given[value].is_empty() {
                scratch.graph.edge(value as u32);
            }
        }
        scratch.graph.end_node();
        scratch.graph.find_components();
        for at in 0..scratch.open.len() {
            let component = scratch.graph.component(scratch.value_of[at] as usize);
            scratch.kept.clear();
            for edge in scratch.values_of(at) {
                let value = scratch.values[edge] as usize;
                if scratch.graph.component(value) == component {
                    scratch.kept.push(value);
                }
            }
            if scratch.kept.len() < scratch.values_of(at).len() {
                let kept = self.of.values.domain(scratch.kept.iter().copied());
                let var = self.of.vars[scratch.open[at]];
                // One that is listed twice loses a value once.
                store.restrict(var, kept.and_then(|kept| store.domain(var).and(&kept)))?;
            }
        }
        Ok(())
    }
}

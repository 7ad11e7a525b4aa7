//! From which changes a contradiction, or a value, follows.
//!
//! The log of a run of propagators is read backwards. Of a change that is needed, the constraint that made it is posted
//! once more, alone, under parts of what was known before: what it needs none of is left out, what it needs is
//! weakened as far as the change still follows. So a step is told by what it follows from, whatever else propagators
//! knew when they made it.

use super::Reasons;
use super::trial::{ASSUMED, CASE, post_goal, var_of};
use crate::domain::Domain;
use crate::number::Bound;
use crate::session::{Refusal, Session};
use crate::shown::Var;
use crate::store::{Change, Changed, Store};
use std::collections::BTreeMap;
use zug_term::{Cell, watchdog};

/// Variables of constraints that are posted to find out which premises are needed; after that all are.
const POSTED: usize = 30_000;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fact {
    pub variable: Cell,
    pub values: Domain,
}

impl Fact {
    /// Whether it follows from what the variable has.
    fn follows_from(&self, domain: &Domain) -> bool {
        domain.and(&self.values).as_ref() == Some(domain)
    }
}

/// What a change is needed for.
#[derive(Clone, Debug)]
pub(super) enum Needed {
    /// What it leaves variables.
    Facts(Vec<Fact>),
    Joined,
}

/// A step of a derivation.
pub(super) struct Step {
    pub number: usize,
    pub does: Does,
}

/// What a constraint does in a step.
pub(super) enum Does {
    /// It leaves variables these values; `at_once` without knowing anything of any variable.
    Leaves {
        facts: Vec<Fact>,
        at_once: bool,
    },
    Joins(Cell, Cell),
    /// It can't hold where these are known; the variable is left no value.
    Fails {
        known: Vec<Fact>,
        variable: Option<Cell>,
    },
}

/// Changes of a store, and what is needed of them.
pub(super) struct Derivation {
    /// The variables of terms, as they are in the store.
    pub variables: Vec<(Cell, Var)>,
    pub changes: Vec<Change>,
    /// What of them is needed so far, by their place.
    needed: BTreeMap<usize, Needed>,
    /// How many more variables are posted.
    left: usize,
}

struct Premises {
    facts: Vec<Fact>,
    /// Whether it matters which variables are equal.
    joins: bool,
}

impl Derivation {
    pub fn new(variables: Vec<(Cell, Var)>, changes: Vec<Change>) -> Derivation {
        Derivation { variables, changes, needed: BTreeMap::new(), left: POSTED }
    }

    /// Takes back the changes from one on.
    pub fn forget_from(&mut self, start: usize) {
        self.changes.truncate(start);
        self.needed.retain(|&at, _| at < start);
    }

    /// Takes the last change that is needed, if it is not before one.
    fn next_needed(&mut self, start: usize) -> Option<(usize, Needed)> {
        let entry = self.needed.last_entry()?;
        (*entry.key() >= start).then(|| entry.remove_entry())
    }

    fn var(&self, variable: Cell) -> Option<Var> {
        var_of(&self.variables, variable)
    }

    /// The variable that stands for another before a change.
    fn root(&self, var: Var, before: usize) -> Var {
        let joins = self.changes[..before].iter().filter_map(|change| match change.what {
            Changed::Joined(from, to) => Some((from, to)),
            _ => None,
        });
        joins.fold(var, |root, (from, to)| if root == from { to } else { root })
    }

    /// The domains that a variable had before a change, each with the place of the change that left it.
    fn history(&self, variable: Cell, before: usize) -> Vec<(usize, Domain)> {
        let Some(mut root) = self.var(variable) else { return Vec::new() };
        let mut history = Vec::new();
        for (at, change) in self.changes[..before].iter().enumerate() {
            match &change.what {
                Changed::Domain(var, Some(domain)) if *var == root => {
                    history.push((at, domain.clone()));
                }
                Changed::Joined(from, to) if *from == root => root = *to,
                _ => {}
            }
        }
        history
    }

    /// Notes that a fact is needed before a change: the first change that left it.
    fn need(&mut self, fact: Fact, before: usize, constraint: impl Fn(usize) -> Vec<Cell>) {
        let history = self.history(fact.variable, before);
        let Some(&(at, _)) = history.iter().find(|(_, domain)| fact.follows_from(domain)) else {
            return;
        };
        let mut fact = fact;
        let number = self.changes[at].origin;
        if is_assumed(number) {
            self.need_joins(fact.variable, at);
        } else {
            let own = constraint(number as usize);
            if !own.contains(&fact.variable) {
                // It is that of a variable that is equal to it.
                self.need_joins(fact.variable, before);
                let root = |cell| self.var(cell).map(|var| self.root(var, at));
                let equal = own.into_iter().find(|&other| {
                    root(other).is_some_and(|other| Some(other) == root(fact.variable))
                });
                fact.variable = equal.unwrap_or(fact.variable);
            }
        }
        let entry = self.needed.entry(at).or_insert_with(|| Needed::Facts(Vec::new()));
        let Needed::Facts(facts) = entry else { return };
        match facts.iter_mut().find(|known| known.variable == fact.variable) {
            Some(known) => {
                known.values = known.values.and(&fact.values).unwrap_or(known.values.clone());
            }
            None => facts.push(fact),
        }
    }

    /// Notes that it is needed which variables are equal to one.
    fn need_joins(&mut self, variable: Cell, before: usize) {
        let Some(var) = self.var(variable) else { return };
        let root = self.root(var, before);
        for at in 0..before {
            if let Changed::Joined(from, _) = self.changes[at].what
                && self.root(from, before) == root
            {
                self.needed.entry(at).or_insert(Needed::Joined);
            }
        }
    }

    /// A variable of a term that a variable of the store stands for before a change; one of some if there is one.
    fn term(&self, var: Var, before: usize, some: &[Cell]) -> Option<Cell> {
        let stands = |cell: &Cell| self.var(*cell).is_some_and(|own| self.root(own, before) == var);
        some.iter()
            .copied()
            .find(|cell| stands(cell))
            .or_else(|| self.variables.iter().map(|(cell, _)| *cell).find(|cell| stands(cell)))
    }
}

/// A change of a constraint: facts that it leaves, or that it can't hold.
#[derive(Clone, Copy)]
struct Effect<'f> {
    at: usize,
    number: usize,
    facts: Option<&'f [Fact]>,
}

impl Reasons<'_> {
    /// The steps to a contradiction that the last change is, from a change on: what else is needed of the changes before it
    /// is noted.
    pub fn steps_to_failure(&mut self, of: &mut Derivation, start: usize) -> Vec<Step> {
        let Some(last) = of.changes.len().checked_sub(1) else { return Vec::new() };
        let number = of.changes[last].origin;
        let mut failure = None;
        if !is_assumed(number) {
            let number = number as usize;
            let premises = self.premises(of, Effect { at: last, number, facts: None });
            let variable = match of.changes[last].what {
                Changed::Domain(var, _) => of.term(var, last, &self.variables_of(number)),
                _ => None,
            };
            self.need_all(of, last, number, &premises);
            failure = Some(Step { number, does: Does::Fails { known: premises.facts, variable } });
        } else if let Changed::Domain(var, _) = of.changes[last].what
            && let Some(variable) = of.term(var, last, &[])
        {
            self.need_values(of, variable, last);
        }
        let mut steps = self.needed_steps(of, start);
        steps.extend(failure);
        steps
    }

    pub fn steps_to_value(
        &mut self,
        of: &mut Derivation,
        variable: Cell,
        value: &Bound,
    ) -> Vec<Step> {
        let values = value.finite().map_or_else(Domain::all, Domain::value);
        let end = of.changes.len();
        self.need_fact(of, Fact { variable, values }, end);
        self.needed_steps(of, 0)
    }

    /// Notes that all that is known of a variable before a change is needed.
    pub fn need_values(&mut self, of: &mut Derivation, variable: Cell, before: usize) {
        if let Some((_, values)) = of.history(variable, before).pop() {
            self.need_fact(of, Fact { variable, values }, before);
        }
    }

    /// What is needed of the changes from one on, in their order.
    pub fn needed_steps(&mut self, of: &mut Derivation, start: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some((at, needed)) = of.next_needed(start) {
            watchdog::step();
            let number = of.changes[at].origin;
            if is_assumed(number) {
                // Without a value the others are left, which have to be known.
                if let (ASSUMED, Needed::Facts(facts)) = (number, &needed) {
                    facts.iter().for_each(|fact| self.need_values(of, fact.variable, at));
                }
                continue;
            }
            let number = number as usize;
            let premises = match &needed {
                Needed::Facts(facts) => {
                    self.premises(of, Effect { at, number, facts: Some(facts) })
                }
                Needed::Joined => self.all_premises(of, at, number),
            };
            self.need_all(of, at, number, &premises);
            let does = match (needed, &of.changes[at].what) {
                (Needed::Facts(facts), _) => {
                    let at_once = premises.facts.is_empty() && !premises.joins;
                    Does::Leaves { facts, at_once }
                }
                (Needed::Joined, Changed::Joined(from, to)) => {
                    let own = self.variables_of(number);
                    match (of.term(*from, at, &own), of.term(*to, at, &own)) {
                        (Some(from), Some(to)) => Does::Joins(from, to),
                        // Parts of the constraint itself.
                        _ => continue,
                    }
                }
                (Needed::Joined, _) => continue,
            };
            steps.push(Step { number, does });
        }
        // They were found from the last one on.
        steps.reverse();
        steps
    }

    /// The variables that a constraint is written with.
    fn variables_of(&self, number: usize) -> Vec<Cell> {
        let all = zug_term::variables(&self.m.heap, self.noted[number].goal);
        all.into_iter().map(|cell| self.m.heap.deref(cell)).collect()
    }

    fn need_fact(&mut self, of: &mut Derivation, fact: Fact, before: usize) {
        of.need(fact, before, |number| self.variables_of(number));
    }

    fn need_all(&mut self, of: &mut Derivation, at: usize, number: usize, premises: &Premises) {
        for fact in &premises.facts {
            self.need_fact(of, fact.clone(), at);
        }
        if premises.joins {
            for variable in self.variables_of(number) {
                of.need_joins(variable, at);
            }
        }
    }

    /// All that is known of the variables of a constraint before a change.
    fn all_premises(&self, of: &Derivation, at: usize, number: usize) -> Premises {
        let known = |variable: Cell| {
            let (_, values) = of.history(variable, at).pop()?;
            Some(Fact { variable, values })
        };
        let facts = self.variables_of(number).into_iter().filter_map(known).collect();
        Premises { facts, joins: self.are_joined(of, at, number) }
    }

    /// Whether some variables of a constraint are equal before a change.
    fn are_joined(&self, of: &Derivation, at: usize, number: usize) -> bool {
        let own = self.variables_of(number);
        let mut roots: Vec<Var> =
            own.iter().filter_map(|&cell| Some(of.root(of.var(cell)?, at))).collect();
        let count = roots.len();
        roots.sort_unstable();
        roots.dedup();
        roots.len() < count
    }

    /// From what a change of a constraint follows.
    fn premises(&mut self, of: &mut Derivation, effect: Effect<'_>) -> Premises {
        let Effect { at, number, .. } = effect;
        let mut premises = self.all_premises(of, at, number);
        if premises.joins {
            let without = Premises { facts: premises.facts.clone(), joins: false };
            if self.follows(of, effect, &without) {
                premises = without;
            }
        }
        if !self.follows(of, effect, &premises) {
            return premises;
        }
        // What came last is left out first: the rest is nearer to the beginning.
        let when = |fact: &Fact| of.history(fact.variable, at).last().map(|&(at, _)| at);
        premises.facts.sort_by_key(|fact| std::cmp::Reverse(when(fact)));
        let mut next = 0;
        while next < premises.facts.len() {
            let whole = premises.facts.remove(next);
            if !self.follows(of, effect, &premises) {
                premises.facts.insert(next, whole);
                self.weaken(of, effect, &mut premises, next);
                next += 1;
            }
        }
        premises
    }

    /// Weakens a premise: to what was known of the variable earlier, and to one of its bounds.
    fn weaken(
        &mut self,
        of: &mut Derivation,
        effect: Effect<'_>,
        premises: &mut Premises,
        which: usize,
    ) {
        let history = of.history(premises.facts[which].variable, effect.at);
        let (mut least, mut most) = (0, history.len() - 1);
        while least < most {
            let middle = usize::midpoint(least, most);
            premises.facts[which].values = history[middle].1.clone();
            if self.follows(of, effect, premises) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        let values = history[most].1.clone();
        let (lo, hi) = (values.lo(), values.hi());
        for (lo, hi) in [(lo.clone(), Bound::Sup), (Bound::Inf, hi.clone()), (lo, hi)] {
            let Some(weaker) = Domain::interval(&lo, &hi).filter(|weaker| *weaker != values) else {
                continue;
            };
            premises.facts[which].values = weaker;
            if self.follows(of, effect, premises) {
                return;
            }
        }
        premises.facts[which].values = values;
    }

    /// Whether a constraint alone leaves variables what it did, or can't hold, where premises are known.
    fn follows(
        &mut self,
        of: &mut Derivation,
        Effect { at, number, facts }: Effect<'_>,
        premises: &Premises,
    ) -> bool {
        watchdog::step();
        let own = self.variables_of(number);
        let Some(left) = of.left.checked_sub(own.len() + 1) else { return false };
        of.left = left;
        let equal: Vec<(Cell, Cell)> =
            if premises.joins { equalities(of, at, &own) } else { Vec::new() };
        let parts = &self.noted[number].parts;
        let mut store = Store::default();
        self.m.scratch(|m| {
            let mut session = Session::beside(m, &mut store);
            for fact in &premises.facts {
                let var = session.variable(fact.variable);
                if session.store.intersect(var, &fact.values).is_err() {
                    return true;
                }
            }
            for &(one, other) in &equal {
                let (one, other) = (session.variable(one), session.variable(other));
                if session.store.join(one, other).is_err() {
                    return true;
                }
            }
            let posted = parts.iter().try_for_each(|&part| post_goal(&mut session, part));
            match posted.and_then(|()| Ok(session.store.propagate()?)) {
                Ok(()) => {}
                Err(Refusal::Fail) => return true,
                Err(Refusal::Fault(_)) => return false,
            }
            let is_left = |fact: &Fact| {
                session
                    .known(fact.variable)
                    .is_some_and(|var| fact.follows_from(session.store.domain(var)))
            };
            facts.is_some_and(|facts| facts.iter().all(is_left))
        })
    }
}

/// Whether a change is none of a constraint.
fn is_assumed(number: u32) -> bool {
    number == ASSUMED || number == CASE
}

/// Which of some variables are equal before a change: each to the first of its kind.
fn equalities(of: &Derivation, at: usize, own: &[Cell]) -> Vec<(Cell, Cell)> {
    let mut firsts: Vec<(Var, Cell)> = Vec::new();
    let mut equal = Vec::new();
    for &cell in own {
        let Some(var) = of.var(cell) else { continue };
        let root = of.root(var, at);
        match firsts.iter().find(|(first, _)| *first == root) {
            Some(&(_, first)) => equal.push((first, cell)),
            None => firsts.push((root, cell)),
        }
    }
    equal
}

//! Existential conditions, of which one answer is enough.
//!
//! A rule whose body has variables that its head has not gives an answer once for each of their values: a place
//! to put a disc once for each direction in which it takes others. Where plays show that it does, and conditions without
//! other variables than the head's give values to those, they come first, and of the rest one answer is asked for
//! (R. Ramakrishnan, C. Beeri, R. Krishnamurthy, *Optimizing existential datalog queries*, PODS 1988).

use super::order::{self, Bound, Costs};
use super::program::{Program, name};
use super::syntax::{Atom, Key, Rule};
use rustc_hash::FxHashSet;

/// Relations all of whose answers are asked for, as far as conditions go: those of the roots, and what they ask.
pub fn listed(program: &Program, roots: &[&str]) -> FxHashSet<Key> {
    let reached = program.reached(|key| roots.contains(&name(key)), |l| l.positive().is_some());
    reached.into_iter().collect()
}

/// An order of conditions in which those about variables of the head come first, and how many of them give the head its
/// values; none if they do not.
pub fn split(rule: &Rule, bound: &Bound, costs: &dyn Costs) -> Option<(Vec<usize>, usize)> {
    let known: Bound = rule.head.vars().into_iter().chain(bound.iter().copied()).collect();
    let of_head = |nth: &usize| {
        let asked = rule.body[*nth].positive();
        asked.is_some_and(|atom| atom.vars().iter().all(|var| known.contains(var)))
    };
    let all = (0..rule.body.len()).filter(of_head).collect();
    let (mut order, _) = order::order_of(rule, all, bound.clone(), costs)?;
    // Engines ask what is legal for a player, others of all.
    let mut before = if rule.head.name == "legal" { Bound::default() } else { bound.clone() };
    let gives_all = |nth: &usize| {
        before.extend(rule.body[*nth].positive().into_iter().flat_map(Atom::vars));
        rule.head.vars().iter().all(|var| before.contains(var))
    };
    let count = order.iter().position(gives_all)? + 1;
    order.truncate(count);
    let rest = (0..rule.body.len()).filter(|nth| !order.contains(nth)).collect();
    let (rest, _) = order::order_of(rule, rest, before, costs)?;
    (!rest.is_empty()).then(|| ([order, rest].concat(), count))
}

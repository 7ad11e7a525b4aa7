//! Existential conditions: one answer is enough (R. Ramakrishnan, C. Beeri, R. Krishnamurthy, *Optimizing existential
//! datalog queries*, PODS 1988).
//!
//! A variable of the body that the head lacks repeats answers: a square is a legal move once for each direction in which it
//! captures. Where random plays show such repetition, conditions over the variables of the head come first, and the rest
//! is tested once.

use super::order::{self, Bound, Costs};
use super::program::{Program, name};
use super::syntax::{Atom, Key, Rule};
use rustc_hash::FxHashSet;

/// The relations whose answers are enumerated: the roots, and those that they query.
pub fn listed(program: &Program, roots: &[&str]) -> FxHashSet<Key> {
    let reached = program.reached(|key| roots.contains(&name(key)), |l| l.positive().is_some());
    reached.into_iter().collect()
}

/// An order in which conditions over the variables of the head bind all of them, and the number of these conditions;
/// `None` if they cannot.
pub fn split(rule: &Rule, bound: &Bound, costs: &dyn Costs) -> Option<(Vec<usize>, usize)> {
    let known: Bound = rule.head.vars().into_iter().chain(bound.iter().copied()).collect();
    let of_head = |nth: &usize| {
        let asked = rule.body[*nth].positive();
        asked.is_some_and(|atom| atom.vars().iter().all(|var| known.contains(var)))
    };
    let all = (0..rule.body.len()).filter(of_head).collect();
    let (mut order, _) = order::order_of(rule, all, bound.clone(), costs)?;
    // Engines bind the player of `legal`; queries may not.
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

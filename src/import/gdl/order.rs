//! The order in which the conditions of a rule are asked: each when its variables have values, those
//! with the fewest expected answers first, and otherwise as they stand in the text.
//!
//! **Invariant.** A relation whose answers are not known to be few is asked with at least the values that it is asked
//! with in the text. So an order ends where that of the text does.

use super::syntax::{Atom, Literal, Rule, Term};
use rustc_hash::FxHashSet;
use zug_term::watchdog;

/// Variables that have values.
pub type Bound = FxHashSet<usize>;

/// Says how many answers a condition is expected to have.
pub trait Costs {
    /// Of a relation that holds, with these variables bound.
    fn answers(&self, atom: &Atom, bound: &Bound) -> f64;
    /// What a test costs, against the answers of another condition that may come before it.
    fn test(&self, _: &Atom) -> f64 {
        0.0
    }
    /// Whether the answers can be listed whatever variables have values.
    fn is_listed(&self, _: &Atom) -> bool {
        true
    }
}

/// Whether all variables of a term have values.
pub fn is_bound(term: &Term, bound: &Bound) -> bool {
    let mut vars = Vec::new();
    term.vars(&mut vars);
    vars.iter().all(|var| bound.contains(var))
}

/// Variables of a negative condition that stand nowhere else: there is no value for which it holds.
pub fn local(rule: &Rule, nth: usize) -> Bound {
    watchdog::steps(rule.body.len());
    let others = rule.body.iter().enumerate().filter(|(other, _)| *other != nth);
    let others = others.flat_map(|(_, literal)| literal.vars());
    let elsewhere: Bound = others.chain(rule.head.vars()).collect();
    rule.body[nth].vars().into_iter().filter(|var| !elsewhere.contains(var)).collect()
}

/// The numbers of the conditions in a good order, if some variables have values from the start and all come to
/// have values.
pub fn order(rule: &Rule, bound: Bound, costs: &dyn Costs) -> Option<Vec<usize>> {
    let (order, bound) = order_of(rule, (0..rule.body.len()).collect(), bound, costs)?;
    rule.head.vars().iter().all(|var| bound.contains(var)).then_some(order)
}

/// Some of the conditions in a good order, and the variables that have values then.
pub fn order_of(
    rule: &Rule,
    mut left: Vec<usize>,
    mut bound: Bound,
    costs: &dyn Costs,
) -> Option<(Vec<usize>, Bound)> {
    let given = given(rule, &bound);
    let is_safe = |nth: usize, bound: &Bound| {
        let asked = rule.body[nth].positive();
        asked.is_none_or(|atom| costs.is_listed(atom) || given[nth].is_subset(bound))
    };
    let mut order = Vec::new();
    while !left.is_empty() {
        watchdog::steps(left.len());
        let best = left
            .iter()
            .enumerate()
            .filter(|(_, nth)| is_safe(**nth, &bound))
            .filter_map(|(at, &nth)| Some((cost(rule, nth, &bound, costs)?, at)))
            .min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let (_, at) = best?;
        let nth = left.remove(at);
        bound.extend(rule.body[nth].positive().into_iter().flat_map(Atom::vars));
        order.push(nth);
    }
    Some((order, bound))
}

/// For each condition those of its variables that have values where the text asks it.
fn given(rule: &Rule, bound: &Bound) -> Vec<Bound> {
    watchdog::steps(rule.body.len());
    let mut before = bound.clone();
    let mut given = |literal: &Literal| {
        let own = literal.vars().into_iter().filter(|var| before.contains(var)).collect();
        before.extend(literal.positive().into_iter().flat_map(Atom::vars));
        own
    };
    rule.body.iter().map(&mut given).collect()
}

/// What it costs to ask a condition next, if it can be asked.
fn cost(rule: &Rule, nth: usize, bound: &Bound, costs: &dyn Costs) -> Option<f64> {
    match &rule.body[nth] {
        Literal::Positive(atom) => Some(costs.answers(atom, bound)),
        Literal::Negative(atom) => {
            let local = local(rule, nth);
            let ready = atom.vars().iter().all(|var| bound.contains(var) || local.contains(var));
            ready.then(|| costs.test(atom))
        }
        Literal::Same(_, left, right, _) => {
            (is_bound(left, bound) && is_bound(right, bound)).then_some(0.0)
        }
    }
}

//! Answers that are wanted once each: of the moves that are legal, say.
//!
//! A rule whose body has variables that its head has not gives an answer once for each of their values: a place
//! to put a disc once for each direction in which it takes others. Where some conditions have no other variables
//! than the head and give values to all of them, those come first, and of the rest one answer is enough.

use super::order::{self, Bound, Costs};
use super::program::{Level, Program, name};
use super::syntax::{Atom, Key, Rule};
use rustc_hash::FxHashSet;

/// How many answers the first conditions may be expected to have.
const MOST: f64 = 100.0;

/// Relations all of whose answers are asked for, as far as conditions go: what is legal, what comes and goes,
/// and what they ask.
pub fn listed(program: &Program, roots: &[&str]) -> FxHashSet<Key> {
    let reached = program.reached(|key| roots.contains(&name(key)), |l| l.positive().is_some());
    reached.into_iter().collect()
}

/// An order of conditions in which those that give the head its values come first, and how many these are; none
/// if there are none, or if no answer comes twice. It is the given order where that has such conditions first.
pub fn split(
    program: &Program,
    rule: &Rule,
    bound: &Bound,
    costs: &dyn Costs,
    order: &[usize],
) -> Option<(Vec<usize>, usize)> {
    let head: Bound = rule.head.vars().into_iter().collect();
    let known: Bound = head.union(bound).copied().collect();
    let of_head = |nth: usize| {
        let asked = rule.body[nth].positive();
        asked.is_some_and(|atom| atom.vars().iter().all(|var| known.contains(var)))
    };
    let repeats = |nth: &usize| repeats(program, rule, *nth, &known);
    if head.is_subset(bound) || !order.iter().any(repeats) {
        return None;
    }
    let split = match first(rule, order, bound) {
        // The order is good as it is.
        Some(count) if order[..count].iter().all(|&nth| of_head(nth) || is_test(rule, nth)) => {
            Some((order.to_vec(), count))
        }
        // Those others may tell soon that there is no answer.
        _ if order.iter().any(|&nth| !of_head(nth) && tests_head(program, rule, nth)) => None,
        _ => by_head(rule, bound, costs, &of_head),
    };
    split.filter(|(order, count)| order[*count..].iter().any(repeats))
}

/// Whether a condition of the state is about variables of the head.
fn tests_head(program: &Program, rule: &Rule, nth: usize) -> bool {
    let Some(asked) = rule.body[nth].positive() else { return false };
    let head = rule.head.vars();
    program.level(&asked.key()) > Level::Static && asked.vars().iter().any(|var| head.contains(var))
}

fn is_test(rule: &Rule, nth: usize) -> bool {
    rule.body[nth].positive().is_none()
}

/// How many conditions give all variables of the head values, in this order.
fn first(rule: &Rule, order: &[usize], bound: &Bound) -> Option<usize> {
    let mut before = bound.clone();
    let mut is_given = |nth: &usize| {
        before.extend(rule.body[*nth].positive().into_iter().flat_map(Atom::vars));
        rule.head.vars().iter().all(|var| before.contains(var))
    };
    order.iter().position(&mut is_given).map(|at| at + 1)
}

/// The conditions about variables of the head first, as many as it takes, if they are not expected to have too
/// many answers.
fn by_head(
    rule: &Rule,
    bound: &Bound,
    costs: &dyn Costs,
    of_head: &dyn Fn(usize) -> bool,
) -> Option<(Vec<usize>, usize)> {
    let all = (0..rule.body.len()).filter(|&nth| of_head(nth)).collect();
    let (mut order, _) = order::order_of(rule, all, bound.clone(), costs)?;
    let count = first(rule, &order, bound)?;
    order.truncate(count);
    let mut before = bound.clone();
    let mut answers = 1.0;
    for &nth in &order {
        if let Some(atom) = rule.body[nth].positive() {
            answers *= costs.answers(atom, &before).max(1.0);
            before.extend(atom.vars());
        }
    }
    let rest = (0..rule.body.len()).filter(|nth| !order.contains(nth)).collect();
    let (rest, _) = order::order_of(rule, rest, before, costs)?;
    (answers <= MOST).then(|| ([order, rest].concat(), count))
}

/// Whether a condition may hold several times, of values that are used elsewhere or are not asked for once anyway:
/// relations with rules are where nothing else has the values.
fn repeats(program: &Program, rule: &Rule, nth: usize, known: &Bound) -> bool {
    let Some(asked) = rule.body[nth].positive() else { return false };
    let others = (0..rule.body.len()).filter(|&other| other != nth);
    let others: Bound = others.flat_map(|other| rule.body[other].vars()).collect();
    let mut own = asked.vars().into_iter().filter(|var| !known.contains(var));
    own.any(|var| others.contains(&var))
        || program.rules_of(&asked.key()).all(|rule| rule.body.is_empty())
}

//! Answers that are wanted once each: of the moves that are legal, say.
//!
//! A rule whose body has variables that its head has not gives an answer once for each of their values: a place
//! to put a disc once for each direction in which it takes others. Where some conditions have no other variables
//! than the head and give values to all of them, those come first, and of the rest one answer is enough.

use super::order::{self, Bound, Costs};
use super::program::Program;
use super::syntax::{Key, Literal, Rule};
use rustc_hash::FxHashSet;

/// How many answers the first conditions may be expected to have.
const MOST: f64 = 100.0;

/// Relations all of whose answers are asked for, as far as conditions go: what is legal, what comes and goes,
/// and what they ask.
pub fn listed(program: &Program, roots: &[&str]) -> FxHashSet<Key> {
    let of_root = |key: &&Key| roots.contains(&key.0.split(' ').next().unwrap_or_default());
    let mut pending: Vec<Key> =
        program.components.iter().flatten().filter(of_root).cloned().collect();
    let mut seen: FxHashSet<Key> = pending.iter().cloned().collect();
    while let Some(next) = pending.pop() {
        for literal in program.rules_of(&next).flat_map(|rule| &rule.body) {
            let Literal::Positive(asked) = literal else { continue };
            if seen.insert(asked.key()) {
                pending.push(asked.key());
            }
        }
    }
    seen
}

/// The order of conditions in which those that give the head its values come first, and how many these are; none
/// if there are none, or if no answer comes twice.
pub fn split(
    program: &Program,
    rule: &Rule,
    bound: &Bound,
    costs: &dyn Costs,
) -> Option<(Vec<usize>, usize)> {
    let mut known: Bound = rule.head.vars().into_iter().collect();
    let free = known.iter().any(|var| !bound.contains(var));
    known.extend(bound);
    let of_head = |nth: &usize| rule.body[*nth].vars().iter().all(|var| known.contains(var));
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..rule.body.len()).partition(of_head);
    if !free || !rest.iter().any(|&nth| repeats(program, rule, nth, &known)) {
        return None;
    }
    let first = in_order(rule, &first, bound, costs)?;
    let mut before = bound.clone();
    let mut answers = 1.0;
    for &nth in &first {
        if let Literal::Positive(atom) = &rule.body[nth] {
            answers *= costs.answers(atom, &before).max(1.0);
            before.extend(atom.vars());
        }
    }
    let given = rule.head.vars().iter().all(|var| before.contains(var));
    if !given || answers > MOST {
        return None;
    }
    let rest = in_order(rule, &rest, &before, costs)?;
    let count = first.len();
    Some(([first, rest].concat(), count))
}

/// Whether a condition may hold several times, of values that are used elsewhere or are not asked for once anyway:
/// relations with rules are where nothing else has the values.
fn repeats(program: &Program, rule: &Rule, nth: usize, known: &Bound) -> bool {
    let Literal::Positive(asked) = &rule.body[nth] else { return false };
    let others = (0..rule.body.len()).filter(|&other| other != nth);
    let others: Bound = others.flat_map(|other| rule.body[other].vars()).collect();
    let mut own = asked.vars().into_iter().filter(|var| !known.contains(var));
    own.any(|var| others.contains(&var))
        || program.rules_of(&asked.key()).all(|rule| rule.body.is_empty())
}

/// Some conditions in order.
fn in_order(rule: &Rule, part: &[usize], bound: &Bound, costs: &dyn Costs) -> Option<Vec<usize>> {
    order::order_of(rule, part.to_vec(), bound.clone(), costs).ok().map(|(order, _)| order)
}

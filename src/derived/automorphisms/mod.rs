//! Symmetries of rules: renamings of leaves and values that map the rules onto themselves and goals onto goals.
//!
//! A state and its image are as far from the goal, or worth the same, so a search need look at one of them
//! alone. The rules are drawn as a graph whose automorphisms are looked for; that a renaming found in this way
//! keeps the rules is verified on the rules themselves.

mod cubes;
mod drawn;
mod graph;
mod renaming;
mod search;
#[cfg(test)]
mod tests;

use super::operators::{Condition, ConditionId, Operator, Operators, Source, Value};
use cubes::Cubes;
use drawn::drawn;
pub use renaming::Renaming;
use search::generators;
use std::collections::{HashMap, HashSet};

/// The most renamings that are tried on each state.
const MOST_ELEMENTS: usize = 96;

/// Operators with what else the same leaves tell: rules come in one part or in several, which are about states
/// of the same leaves with the same values.
#[derive(Clone, Copy)]
pub struct Part<'p> {
    /// The moves and goals.
    pub operators: &'p Operators,
    /// What a state is worth where a condition holds.
    pub outcomes: &'p [(ConditionId, i64)],
}

impl Part<'_> {
    /// Conditions of the whole problem, not of a move.
    fn roots(&self) -> [ConditionId; 3] {
        [self.operators.goal, self.operators.escape, self.operators.unpriced]
    }

    /// The same with conditions in one form for all ways to write them, as far as that takes no more steps.
    fn retold(&self, steps: u64) -> (Operators, Vec<(ConditionId, i64)>) {
        let of = self.operators;
        let (mut cubes, mut told) = (Cubes::new(of, steps), Operators::new(of.domains.clone()));
        for operator in &of.operators {
            let condition = cubes.copied(operator.condition, &mut told);
            let mut copied = |cases: &[(ConditionId, Value)]| {
                let cases =
                    cases.iter().map(|&(when, value)| (cubes.copied(when, &mut told), value));
                Source::cases(cases.collect())
            };
            let writes = operator.writes.iter().map(|(leaf, source)| match source {
                Source::Cases(cases) => (*leaf, copied(cases)),
                source => (*leaf, source.clone()),
            });
            let writes = writes.collect();
            told.operators.push(Operator { condition, cost: operator.cost, writes });
        }
        told.goal = cubes.copied(of.goal, &mut told);
        told.escape = cubes.copied(of.escape, &mut told);
        told.unpriced = cubes.copied(of.unpriced, &mut told);
        told.dearer = cubes.copied(of.dearer, &mut told);
        // Of what has no part in it nothing is left.
        let never = told.never();
        told.operators.retain(|operator| operator.condition != never);
        let outcomes = self
            .outcomes
            .iter()
            .map(|&(condition, value)| (cubes.copied(condition, &mut told), value));
        let outcomes = outcomes.collect();
        (told, outcomes)
    }

    /// Which conditions are useful.
    fn used(&self) -> Vec<bool> {
        let conditions = &self.operators.conditions;
        let mut used = vec![false; conditions.len()];
        let operators = self.operators.operators.iter().map(|operator| operator.condition);
        let outcomes = self.outcomes.iter().map(|&(condition, _)| condition);
        let cases = self.operators.operators.iter().flat_map(Operator::cases);
        let cases = cases.map(|&(condition, _)| condition);
        for condition in operators.chain(self.roots()).chain(outcomes).chain(cases) {
            used[condition as usize] = true;
        }
        // Parts come before what they are parts of.
        for at in (0..conditions.len()).rev() {
            if let (true, Condition::All(parts) | Condition::Any(parts)) =
                (used[at], &conditions[at])
            {
                parts.iter().for_each(|&part| used[part as usize] = true);
            }
        }
        used
    }

    /// Whether the moves are known in all and always cost the same.
    fn is_exact(&self) -> bool {
        let Operators { domains, .. } = self.operators;
        self.operators.is_known()
            && [self.operators.unpriced, self.operators.dearer]
                .iter()
                .all(|&condition| self.operators.ways(condition, 0).is_some())
            && !domains.iter().any(|domain| domain.is_empty())
    }

    fn is_kept(&self, used: &[bool], by: &Renaming) -> bool {
        let domains = &self.operators.domains;
        if !by.keeps_domains(domains) {
            return false;
        }
        let Some(images) = by.images_of_conditions(self.operators, used) else { return false };
        let image = |condition: ConditionId| images[condition as usize];
        let renamed = |operator: &Operator| {
            let writes = operator.writes.iter();
            let writes: Option<Vec<_>> = writes
                .map(|(leaf, source)| {
                    Some((by.image(*leaf), by.source((*leaf, source), domains, image)?))
                })
                .collect();
            Some(Operator {
                condition: image(operator.condition),
                writes: writes?,
                ..operator.clone()
            })
        };
        let mut counts: HashMap<_, i64> = HashMap::new();
        for operator in &self.operators.operators {
            *counts.entry(sorted(operator.clone())).or_default() += 1;
            let Some(renamed) = renamed(operator) else { return false };
            *counts.entry(sorted(renamed)).or_default() -= 1;
        }
        let mut outcomes: HashMap<_, i64> = HashMap::new();
        for &(condition, value) in self.outcomes {
            *outcomes.entry((condition, value)).or_default() += 1;
            *outcomes.entry((image(condition), value)).or_default() -= 1;
        }
        counts.values().chain(outcomes.values()).all(|&count| count == 0)
            && self.roots().into_iter().all(|root| image(root) == root)
    }
}

/// What tells an operator apart, its writes in order.
fn sorted(operator: Operator) -> (ConditionId, u32, Vec<(crate::Leaf, Source)>) {
    let Operator { condition, cost, mut writes, .. } = operator;
    writes.sort_by_key(|(leaf, _)| *leaf);
    (condition, cost, writes)
}

/// Renamings that keep rules: some of them, or all.
#[derive(Clone, Debug)]
pub struct Symmetries {
    elements: Vec<Renaming>,
    /// They are all that there are, but for the one that changes nothing.
    is_group: bool,
}

impl Symmetries {
    /// The symmetries of rules, as far as they are found with N steps, without those that leave each of
    /// these states as it is; nothing if there are none, or if the rules are not known in all.
    pub fn of(parts: &[Part<'_>], states: &[&[Value]], steps: u64) -> Option<Symmetries> {
        let domains = &parts.first()?.operators.domains;
        if parts.iter().any(|part| part.operators.domains != *domains) {
            return None;
        }
        let told: Vec<_> = parts.iter().map(|part| part.retold(steps / 4)).collect();
        let parts: Vec<Part<'_>> =
            told.iter().map(|(operators, outcomes)| Part { operators, outcomes }).collect();
        let parts = &parts[..];
        if !parts.iter().all(Part::is_exact) {
            return None;
        }
        let used: Vec<Vec<bool>> = parts.iter().map(Part::used).collect();
        let drawn = drawn(parts, &used)?;
        let keeps =
            |by: &Renaming| parts.iter().zip(&used).all(|(part, used)| part.is_kept(used, by));
        let mut generators = generators(&drawn, steps, keeps);
        generators.retain(|by| states.iter().any(|state| by.applied(state) != *state));
        (!generators.is_empty()).then(|| Symmetries::made(generators, states))
    }

    /// The renamings that some make, of those that do the same to some states one: all of them, if these are
    /// few.
    fn made(generators: Vec<Renaming>, states: &[&[Value]]) -> Symmetries {
        let done = |by: &Renaming| -> Vec<Vec<Value>> {
            states.iter().map(|state| by.applied(state)).collect()
        };
        let mut all = vec![Renaming::identity(generators[0].leaves())];
        let mut known = HashSet::from([done(&all[0])]);
        let mut at = 0;
        while let Some(element) = all.get(at).cloned() {
            for generator in &generators {
                let product = element.then(generator);
                let Some(product) = product.filter(|_| all.len() <= MOST_ELEMENTS) else {
                    let inverses = generators.iter().map(Renaming::inverse);
                    let mut elements: Vec<Renaming> = generators.to_vec();
                    elements.extend(inverses.filter(|by| !generators.contains(by)));
                    return Symmetries { elements, is_group: false };
                };
                if known.insert(done(&product)) {
                    all.push(product);
                }
            }
            at += 1;
        }
        all.remove(0);
        Symmetries { elements: all, is_group: true }
    }

    /// Renamings by which states are compared.
    pub fn elements(&self) -> &[Renaming] {
        &self.elements
    }

    /// Whether these are all there are.
    pub fn is_group(&self) -> bool {
        self.is_group
    }

    /// Writes the state that stands for those alike, as [`Symmetries::stand_for`] makes it, over a copy of the state, if it
    /// is another one.
    #[inline]
    pub fn stand_for_in(&self, state: &[Value], copy: &mut [Value]) -> bool {
        let Some(by) = self.least(state) else { return false };
        by.write_after(state, copy);
        if !self.is_group {
            self.stand_for(copy, &mut Vec::new());
        }
        true
    }

    /// Makes a state the one that stands for those alike: the least of its images, if all renamings are known,
    /// else one that no renaming makes less. Says whether it is another one.
    pub fn stand_for(&self, state: &mut [Value], scratch: &mut Vec<Value>) -> bool {
        let mut changed = false;
        while let Some(by) = self.least(state) {
            scratch.clear();
            scratch.extend((0..state.len()).map(|leaf| by.leaf_after(state, leaf)));
            state.copy_from_slice(scratch);
            changed = true;
            if self.is_group {
                break;
            }
        }
        changed
    }

    /// The renaming that makes a state the one that stands for it.
    pub fn standing(&self, state: &[Value]) -> Renaming {
        let mut all = Renaming::identity(state.len());
        let mut state = state.to_vec();
        while let Some(by) = self.least(&state) {
            state = by.applied(&state);
            // Each table of the product is one of the images of a value.
            match all.then(by) {
                Some(product) => all = product,
                None => break,
            }
            if self.is_group {
                break;
            }
        }
        all
    }

    /// The renaming under which the image of a state is least, if it is less than the state.
    #[inline]
    fn least(&self, state: &[Value]) -> Option<&Renaming> {
        let mut least: Option<&Renaming> = None;
        for element in &self.elements {
            let of_least = |leaf: usize| match least {
                Some(least) => least.leaf_after(state, leaf),
                None => state[leaf],
            };
            for leaf in 0..state.len() {
                let (new, old) = (element.leaf_after(state, leaf), of_least(leaf));
                if new != old {
                    if new < old {
                        least = Some(element);
                    }
                    break;
                }
            }
        }
        least
    }
}

//! Leaves of which one at most has its value at a time: a block is on one other, or in the hand.
//!
//! A group of pairs of leaf and value is one if in the start no more than one holds, and each operator that
//! makes one true makes one false that was true, and makes no second one true (M. Helmert, *Concise
//! Finite-Domain Representations for PDDL Planning Tasks*, Artificial Intelligence 173, 2009, section 5, over
//! operators that are known one by one). Candidates grow by what an operator that breaks them makes false.

use super::operators::{Leaf, Operator, Operators, Source, Value, Values};
use std::collections::BTreeSet;

/// The most groups that are looked for.
const MOST_GROUPS: usize = 64;
/// Steps of the search for each group.
const MOST_STEPS: usize = 200;
/// The most leaves of a group.
const MOST_LEAVES: usize = 24;

type Fact = (Leaf, Value);

/// What an operator does to facts.
struct Effects {
    /// What it may make true.
    adds: Vec<Fact>,
    /// What was true and is false behind it.
    deletes: Vec<Fact>,
}

/// Groups of leaves with two values each, of which no two have the value that they have in the group.
pub(crate) fn groups(puzzle: &Operators, start: &[Value]) -> Vec<Vec<Leaf>> {
    let is_flag = |leaf: Leaf| puzzle.domains[usize::from(leaf)].iter().count() == 2;
    let effects = puzzle.operators.iter().map(|operator| Effects::of(puzzle, operator));
    let mut finder = Finder { effects: effects.collect(), start, steps: 0 };
    for effects in &mut finder.effects {
        effects.adds.retain(|fact| is_flag(fact.0));
        effects.deletes.retain(|fact| is_flag(fact.0));
    }
    let facts: BTreeSet<Fact> =
        finder.effects.iter().flat_map(|effects| &effects.adds).copied().collect();
    let mut found: BTreeSet<Vec<Leaf>> = BTreeSet::new();
    for fact in facts {
        if found.len() >= MOST_GROUPS {
            break;
        }
        finder.steps = MOST_STEPS;
        if let Some(group) = finder.grown(vec![fact]).filter(|group| group.len() > 1) {
            found.insert(group.into_iter().map(|(leaf, _)| leaf).collect());
        }
    }
    found.into_iter().collect()
}

impl Effects {
    fn of(puzzle: &Operators, operator: &Operator) -> Effects {
        let before = |leaf: Leaf| puzzle.may(operator.condition, leaf);
        let (mut adds, mut deletes) = (Vec::new(), Vec::new());
        for (leaf, source) in &operator.writes {
            let domain = puzzle.domains[usize::from(*leaf)];
            let after = match source {
                Source::Value(value) => Values::from_iter([*value]),
                Source::Leaf(from) => before(*from),
                Source::Unknown | Source::Table(_) | Source::Cases(_) => domain,
            };
            let was = before(*leaf).only();
            adds.extend(
                after.iter().filter(|&value| was != Some(value)).map(|value| (*leaf, value)),
            );
            deletes.extend(was.filter(|&value| !after.has(value)).map(|value| (*leaf, value)));
        }
        Effects { adds, deletes }
    }
}

/// Lets groups grow.
struct Finder<'p> {
    effects: Vec<Effects>,
    start: &'p [Value],
    steps: usize,
}

impl Finder<'_> {
    fn grown(&mut self, group: Vec<Fact>) -> Option<Vec<Fact>> {
        let holds = |fact: &&Fact| self.start.get(usize::from(fact.0)) == Some(&fact.1);
        if self.steps == 0 || group.len() > MOST_LEAVES || group.iter().filter(holds).count() > 1 {
            return None;
        }
        self.steps -= 1;
        let counts = |facts: &[Fact]| facts.iter().filter(|fact| group.contains(fact)).count();
        let breaks = |effects: &&Effects| counts(&effects.adds) > counts(&effects.deletes).min(1);
        let Some(broken) = self.effects.iter().find(breaks) else { return Some(group) };
        if counts(&broken.adds) > 1 {
            return None;
        }
        for fact in broken.deletes.clone() {
            let mut larger = group.clone();
            larger.push(fact);
            larger.sort_unstable();
            if let Some(found) = self.grown(larger) {
                return Some(found);
            }
        }
        None
    }
}

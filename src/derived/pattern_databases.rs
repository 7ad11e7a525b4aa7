//! Tables that are added up and compared.

use super::features::Features;
use super::kept::kept;
use super::labels::Labels;
use super::operators::Value;
use super::pattern_table::{Charge, PatternTable};
use super::patterns::{self, Budget, Tables};
use super::permutation::Permutations;
use super::symmetry::{Symmetry, symmetries};
use super::turns::{MOST_LEAVES, Place};
use std::sync::Arc;

/// Steps of looking for features take as long as one state of a coarser puzzle.
const STEPS: usize = 20;

/// The most look-ups for a state.
const MOST_LOOKS: usize = 64;

/// Keys of all look-ups.
type Keys = [u32; MOST_LOOKS];

/// A heuristic made of pattern databases.
#[derive(Clone, Debug)]
pub struct PatternDatabases {
    goal: Vec<Value>,
    pub(super) tested: Vec<Value>,
    pub(super) tables: Vec<PatternTable>,
    pub(super) charge: Charge,
    pub(super) symmetries: Vec<Symmetry>,
    /// By leaf and value there: which look-ups it counts for, and what it adds to their keys.
    adds: Vec<(u32, u32)>,
    /// By leaf, and leaf that has the value in the goal: where these begin, and one more.
    begins: Vec<u32>,
    /// By value: the leaf that has it in the goal.
    homes: Box<[Option<Place>; 256]>,
    pub(super) features: Option<Features>,
    /// Where values are alike: which labels those of a state get.
    pub(super) labels: Option<Arc<Labels>>,
    /// The budget from which on tables are larger, if they can be.
    next: Option<Budget>,
}

kept!(PatternDatabases {
    goal,
    tested,
    tables,
    charge,
    symmetries,
    adds,
    begins,
    homes,
    features,
    labels,
    next,
});

/// A state whose keys are known, from which those of its neighbours follow.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    state: Vec<Value>,
    keys: Vec<u32>,
    /// Whether it has the values of the goal, each once.
    is_known: bool,
}

impl PatternDatabases {
    /// Derives the tables of a puzzle, as far as the budget goes.
    pub fn derive(puzzle: &Permutations, budget: Budget) -> PatternDatabases {
        let mut sides = symmetries(puzzle);
        if puzzle.has_alike() {
            // Which labels are alike is not renamed with them.
            sides.truncate(1);
        }
        let found = PatternDatabases::of(puzzle, patterns::tables(puzzle, budget), sides);
        let states = budget.states.min(budget.bytes);
        let steps = usize::try_from(states).map_or(usize::MAX, |all| all.saturating_mul(STEPS));
        // They are kept if they say more of a state than tables do.
        let says_more = |features: &Features, state: &Vec<Value>| {
            let homes: Vec<Place> = state.iter().filter_map(|&value| puzzle.home(value)).collect();
            let tables = found.looked_up(&found.keys(&homes));
            tables.is_some_and(|tables| features.estimate(&homes, &puzzle.goal) > tables)
        };
        let steps = if puzzle.has_alike() { 0 } else { steps };
        let features = Features::of(puzzle, steps).filter(|features| {
            patterns::samples(puzzle).iter().any(|state| says_more(features, state))
        });
        PatternDatabases { features, ..found }
    }

    /// A heuristic of tables alone.
    fn of(
        puzzle: &Permutations,
        Tables { tables, charge, next }: Tables,
        symmetries: Vec<Symmetry>,
    ) -> PatternDatabases {
        let leaves = puzzle.leaves();
        let mut homes = Box::new([None; 256]);
        for (home, &value) in (0..).zip(&puzzle.goal) {
            homes[usize::from(value)] = Some(home);
        }
        let mut symmetries = symmetries;
        symmetries.truncate((MOST_LOOKS / tables.len().max(1)).max(1));
        let (mut adds, mut begins) = (Vec::new(), vec![0]);
        for leaf in 0..leaves {
            for home in 0..leaves as Place {
                let looks = symmetries.iter().flat_map(|by| tables.iter().map(move |of| (by, of)));
                for (look, (by, table)) in (0..).zip(looks) {
                    // A value at a leaf is its image at the image of the leaf.
                    let image = by.value_at(home);
                    if let Some(at) = table.values.iter().position(|&value| value == image) {
                        let weight = leaves.pow(at as u32) as u32;
                        adds.push((look, u32::from(by.leaves[leaf]) * weight));
                    }
                }
                begins.push(adds.len() as u32);
            }
        }
        let (goal, tested) = (puzzle.goal.clone(), puzzle.tested.clone());
        let (features, labels) = (None, puzzle.labels.clone());
        PatternDatabases {
            goal,
            tested,
            tables,
            charge,
            symmetries,
            adds,
            begins,
            homes,
            features,
            labels,
            next,
        }
    }

    pub fn next(&self) -> Option<Budget> {
        self.next
    }

    /// What a leaf adds to keys where it has the value that the goal has at another.
    #[inline]
    fn adds(&self, leaf: usize, home: Place) -> &[(u32, u32)] {
        let at = leaf * self.goal.len() + usize::from(home);
        &self.adds[self.begins[at] as usize..self.begins[at + 1] as usize]
    }

    /// By leaf of a state the one that has its value in the goal; `None` if the state has other values than
    /// the goal, or one twice.
    #[inline]
    fn homes(&self, state: &[Value]) -> Option<[Place; MOST_LEAVES]> {
        if let Some(labels) = &self.labels {
            return labels.of_state(state);
        }
        let (mut seen, mut homes) = (0u64, [0; MOST_LEAVES]);
        for (&value, at) in state.iter().zip(&mut homes) {
            let home = self.homes[usize::from(value)]?;
            seen |= 1 << home;
            *at = home;
        }
        let is_known = state.len() == self.goal.len() && seen.count_ones() as usize == state.len();
        is_known.then_some(homes)
    }

    /// The keys of a state.
    fn keys(&self, homes: &[Place]) -> Keys {
        let mut keys = [0; MOST_LOOKS];
        for (leaf, &home) in homes.iter().enumerate() {
            for &(look, amount) in self.adds(leaf, home) {
                keys[look as usize] += amount;
            }
        }
        keys
    }

    /// Whether a state has the values of the goal, each once.
    pub fn knows(&self, state: &[Value]) -> bool {
        self.homes(state).is_some()
    }

    /// A lower bound of what a plan from a state costs; `None` if there is no plan. Of a state that has other
    /// values than the goal nothing is known: 0.
    pub fn estimate(&self, state: &[Value]) -> Option<u32> {
        let Some(homes) = self.homes(state) else { return Some(0) };
        let homes = &homes[..state.len()];
        let by_features = self.features.as_ref().map_or(0, |of| of.estimate(homes, &self.goal));
        Some(self.looked_up(&self.keys(homes))?.max(by_features))
    }

    #[inline]
    pub fn estimate_near(
        &self,
        cursor: &mut Cursor,
        before: &[Value],
        after: &[Value],
    ) -> Option<u32> {
        if self.features.is_some() || self.labels.is_some() || before.len() != after.len() {
            return self.estimate(after);
        }
        if cursor.state != before {
            cursor.state.clear();
            cursor.state.extend_from_slice(before);
            let homes = self.homes(before);
            cursor.is_known = homes.is_some();
            let keys = homes.map(|homes| self.keys(&homes[..before.len()]));
            cursor.keys = keys.map_or_else(Vec::new, |keys| keys.to_vec());
        }
        let Some(mut keys) = cursor.keys.first_chunk().copied().filter(|_| cursor.is_known) else {
            return self.estimate(after);
        };
        let home = |value: Value| self.homes[usize::from(value)];
        for (leaf, (&old, &new)) in before.iter().zip(after).enumerate() {
            if old == new {
                continue;
            }
            let (Some(old), Some(new)) = (home(old), home(new)) else { return Some(0) };
            for &(look, amount) in self.adds(leaf, old) {
                keys[look as usize] -= amount;
            }
            for &(look, amount) in self.adds(leaf, new) {
                keys[look as usize] += amount;
            }
        }
        self.looked_up(&keys)
    }

    /// What tables say of keys: the greatest of all sides.
    #[inline]
    fn looked_up(&self, keys: &Keys) -> Option<u32> {
        let (count, is_additive) = (self.tables.len(), self.charge.is_additive());
        let mut greatest = 0;
        for keys in keys[..count * self.symmetries.len()].chunks_exact(count.max(1)) {
            let mut sum = 0;
            for (table, &key) in self.tables.iter().zip(keys) {
                let distance = table.distance(key as usize)?;
                sum = if is_additive { sum + distance } else { sum.max(distance) };
            }
            greatest = greatest.max(sum);
        }
        Some(greatest)
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.features.is_none()
    }
}

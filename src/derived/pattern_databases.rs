//! Tables that are added up and compared.

use super::features::Features;
use super::operators::Value;
use super::pattern_table::{Charge, PatternTable};
use super::patterns::{self, Budget};
use super::permutation::{MOST_LEAVES, Permutations, Place};
use super::symmetry::{Symmetry, symmetries};

/// Steps of looking for features take as long as one state of a coarser puzzle.
const STEPS: usize = 20;

/// A heuristic made of pattern databases.
#[derive(Clone, Debug)]
pub struct PatternDatabases {
    goal: Vec<Value>,
    tested: Vec<Value>,
    tables: Vec<PatternTable>,
    charge: Charge,
    symmetries: Vec<Symmetry>,
    /// By leaf of the goal, for the value there: the look-ups that it counts for, and the weight of its place
    /// in their keys.
    slots: Vec<Vec<(usize, usize)>>,
    /// By value: the leaf that has it in the goal.
    homes: Box<[Option<Place>; 256]>,
    features: Option<Features>,
}

impl PatternDatabases {
    /// Derives the tables of a puzzle, as far as the budget goes.
    pub fn derive(puzzle: &Permutations, budget: Budget) -> PatternDatabases {
        let (tables, charge) = patterns::tables(puzzle, budget);
        let mut found = PatternDatabases::of(puzzle, tables, charge, symmetries(puzzle));
        let steps =
            usize::try_from(budget.states).map_or(usize::MAX, |all| all.saturating_mul(STEPS));
        // They are kept if they say more of a state than tables do.
        let says_more = |features: &Features, state: &Vec<Value>| {
            let homes: Vec<Place> = state.iter().filter_map(|&value| puzzle.home(value)).collect();
            let tables = found.estimate(state);
            tables.is_some_and(|tables| features.estimate(&homes, &puzzle.goal) > tables)
        };
        let features = Features::of(puzzle, steps).filter(|features| {
            patterns::samples(puzzle).iter().any(|state| says_more(features, state))
        });
        found.features = features;
        found
    }

    /// A heuristic of tables, which were built with this charge.
    pub(crate) fn of(
        puzzle: &Permutations,
        tables: Vec<PatternTable>,
        charge: Charge,
        symmetries: Vec<Symmetry>,
    ) -> PatternDatabases {
        let mut slots = vec![Vec::new(); puzzle.leaves()];
        let mut homes = Box::new([None; 256]);
        for (home, &value) in (0..).zip(&puzzle.goal) {
            homes[usize::from(value)] = Some(home);
        }
        let looks = symmetries.iter().flat_map(|by| tables.iter().map(move |table| (by, table)));
        for (look, (by, table)) in looks.enumerate() {
            for (home, slots) in (0..).zip(&mut slots) {
                // A value at a leaf is its image at the image of the leaf.
                let image = by.value_at(home);
                let at = table.values.iter().position(|&value| value == image);
                slots.extend(at.map(|at| (look, puzzle.leaves().pow(at as u32))));
            }
        }
        let (goal, tested) = (puzzle.goal.clone(), puzzle.tested.clone());
        PatternDatabases { goal, tested, tables, charge, symmetries, slots, homes, features: None }
    }

    /// A lower bound of what a plan from a state costs; `None` if there is no plan. Of a state that has other
    /// values than the goal nothing is known: 0.
    pub fn estimate(&self, state: &[Value]) -> Option<u32> {
        if state.len() != self.goal.len() {
            return Some(0);
        }
        let count = self.tables.len().max(1);
        let mut keys = vec![0; count * self.symmetries.len()];
        let mut seen = 0u64;
        let mut at = [0; MOST_LEAVES];
        for (leaf, &value) in state.iter().enumerate() {
            let Some(home) = self.homes[usize::from(value)] else { return Some(0) };
            seen |= 1 << home;
            at[leaf] = home;
            for &(look, weight) in &self.slots[usize::from(home)] {
                let image = self.symmetries[look / count].leaves[leaf];
                keys[look] += usize::from(image) * weight;
            }
        }
        if seen.count_ones() as usize != self.goal.len() {
            return Some(0);
        }
        let at = &at[..state.len()];
        let features = self.features.as_ref();
        let mut greatest = features.map_or(0, |features| features.estimate(at, &self.goal));
        for keys in keys.chunks(count) {
            let mut sum = 0;
            for (table, &key) in self.tables.iter().zip(keys) {
                let distance = table.distance(key)?;
                sum = if self.charge.is_additive() { sum + distance } else { sum.max(distance) };
            }
            greatest = greatest.max(sum);
        }
        Some(greatest)
    }

    /// The tables.
    pub fn tables(&self) -> &[PatternTable] {
        &self.tables
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.features.is_none()
    }

    /// Whether neighbours of the goal that a state lacks are counted too.
    pub fn has_features(&self) -> bool {
        self.features.is_some()
    }

    /// The values that tests name.
    pub fn tested(&self) -> &[Value] {
        &self.tested
    }

    /// What their values are: sums, or maxima.
    pub fn charge(&self) -> Charge {
        self.charge
    }

    /// From how many sides each table is looked into.
    pub fn sides(&self) -> usize {
        self.symmetries.len()
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(PatternTable::bytes).sum()
    }
}

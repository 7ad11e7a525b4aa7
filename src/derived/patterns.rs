//! Which values are told apart together.

use super::at_once::map;
use super::grouping::Gains;
use super::kept::kept;
use super::operators::Value;
use super::pattern_table::{Charge, PatternTable};
use super::permutation::Permutations;
use super::places::MOST_VALUES;
use zug_random::Random;

/// The seed of all that is drawn.
const SEED: u64 = 1;
/// States that tables are compared by.
const SAMPLES: usize = 200;
/// Turns of a walk to each of them.
const WALK: usize = 60;

/// What tables may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// States of coarser puzzles that are looked at, all tables together: each takes a byte or more, and some
    /// 10 ns for each turn.
    pub states: u64,
    /// Bytes that tables may take, and bytes that making them takes in addition.
    pub bytes: u64,
    /// Tables that are made at a time, if there are the bytes for it. Which ones they are does not depend on it.
    pub threads: usize,
}

kept!(Budget { states, bytes, threads });

impl Budget {
    /// So many states, in as many bytes as that takes, on one thread.
    pub fn of(states: u64) -> Budget {
        Budget { states, bytes: u64::MAX, threads: 1 }
    }

    /// Whether another one suffices for what takes this.
    pub fn is_within(self, budget: Budget) -> bool {
        self.states <= budget.states && self.bytes <= budget.bytes
    }
}

/// The tables for a puzzle.
#[derive(Default)]
pub(crate) struct Tables {
    pub tables: Vec<PatternTable>,
    /// The turns that they pay for.
    pub charge: Charge,
    /// The budget from which on they are larger, if they can be.
    pub next: Option<Budget>,
}

pub(crate) fn tables(puzzle: &Permutations, budget: Budget) -> Tables {
    let charges = [Charge::Front, Charge::Back, Charge::Full];
    let samples = samples(puzzle);
    let mut best: Option<(f64, Vec<PatternTable>, Charge)> = None;
    for charge in charges {
        // An eighth of what there is for finding out which charge is best, and the groups.
        let trial = Budget { states: budget.states / 24, ..budget };
        let Some(found) = with_charge(puzzle, trial, charge, &samples) else { continue };
        let mean = mean(&found, charge, &samples);
        if best.as_ref().is_none_or(|(least, ..)| mean > *least) {
            best = Some((mean, found, charge));
        }
    }
    let Some((_, tables, charge)) = best else { return Tables::default() };
    let rest = Budget { states: budget.states / 8 * 7, ..budget };
    let tables = with_charge(puzzle, rest, charge, &samples).unwrap_or(tables);
    let size = tables.iter().map(|table| table.values.len()).max().unwrap_or(0);
    let next = if size < most(puzzle) { Cost::of(puzzle, charge, size + 1) } else { None };
    let next = next.map(|cost| cost.budget());
    let next = next.map(|next| Budget { states: (next.states / 7 + 1).saturating_mul(8), ..next });
    Tables { tables, charge, next }
}

/// The most values of a table outside of tests.
fn most(puzzle: &Permutations) -> usize {
    MOST_VALUES.saturating_sub(puzzle.tested.len()).min(puzzle.free.len())
}

/// What all tables of N values each take.
struct Cost {
    /// As the budget counts them.
    states: u64,
    /// Bytes of the tables, and of the working memory to make one.
    tables: u64,
    beside: u64,
}

impl Cost {
    /// `None` if it is beyond counting.
    fn of(puzzle: &Permutations, charge: Charge, size: usize) -> Option<Cost> {
        let (leaves, tested) = (puzzle.leaves(), puzzle.tested.len());
        let tables = puzzle.free.len().div_ceil(size) as u64;
        let keys = |values| PatternTable::size(leaves, values).map(|keys| keys as u64);
        // Where the tested value may be is a set in a sliding puzzle, which is passed on as a few parts.
        let (each, beside) = match &puzzle.slides {
            Some(_) if charge.is_additive() => {
                (states(leaves, size)?.checked_mul(2)?, keys(size)?.checked_mul(4)?)
            }
            _ => (states(leaves, size + tested)?, keys(size + tested)? / 8),
        };
        let states = each.checked_mul(tables)?;
        let tables = keys(size)?.checked_mul(tables)?;
        tables.checked_add(beside)?;
        Some(Cost { states, tables, beside })
    }

    /// The least budget for it, one table made at a time.
    fn budget(&self) -> Budget {
        Budget { states: self.states, bytes: self.tables + self.beside, threads: 1 }
    }

    /// How many tables are made at a time.
    fn threads(&self, budget: Budget) -> usize {
        let free = budget.bytes.saturating_sub(self.tables) / self.beside.max(1);
        budget.threads.min(usize::try_from(free).unwrap_or(usize::MAX)).max(1)
    }
}

/// The mean of what tables say together of states.
fn mean(tables: &[PatternTable], charge: Charge, samples: &[Vec<Value>]) -> f64 {
    let say = |state: &Vec<Value>| {
        let each = tables.iter().map(|table| table.distance(table.key(state)).unwrap_or(0));
        if charge.is_additive() { each.sum() } else { each.max().unwrap_or(0) }
    };
    f64::from(samples.iter().map(say).sum::<u32>()) / samples.len().max(1) as f64
}

/// The largest tables of one size that the budget allows; `None` if it allows none.
fn with_charge(
    puzzle: &Permutations,
    budget: Budget,
    charge: Charge,
    samples: &[Vec<Value>],
) -> Option<Vec<PatternTable>> {
    let affordable = |size: &usize| {
        Cost::of(puzzle, charge, *size).is_some_and(|all| all.budget().is_within(budget))
    };
    let size = (1..=most(puzzle)).take_while(affordable).last()?;
    let groups = match size {
        1 => puzzle.free.iter().map(|&value| vec![value]).collect(),
        _ => groups(puzzle, charge, size, samples, budget.threads)?,
    };
    let build = |group: &Vec<Value>| PatternTable::build(puzzle, group, charge);
    let threads = Cost::of(puzzle, charge, size).map_or(1, |cost| cost.threads(budget));
    map(&groups, threads, build).into_iter().collect()
}

/// States of N values in N places; `None` if they are beyond counting.
fn states(places: usize, values: usize) -> Option<u64> {
    (0..values).try_fold(1u64, |all, taken| all.checked_mul(places.checked_sub(taken)? as u64))
}

/// States at the ends of walks at random from the goal: permutations are undone by themselves in the end, so
/// what is reached from the goal reaches it.
pub(crate) fn samples(puzzle: &Permutations) -> Vec<Vec<Value>> {
    let mut random = Random::new(SEED);
    let mut state = puzzle.goal.clone();
    let mut walk = |steps: usize| {
        for _ in 0..steps {
            let can: Vec<_> = puzzle.turns.iter().filter(|turn| turn.applies(&state)).collect();
            if !can.is_empty() {
                state = can[random.below(can.len() as u64) as usize].after(&state);
            }
        }
        state.clone()
    };
    (0..SAMPLES).map(|number| walk(WALK + number % 2)).collect()
}

/// The values that no test names, in groups of a size.
fn groups(
    puzzle: &Permutations,
    charge: Charge,
    size: usize,
    samples: &[Vec<Value>],
    threads: usize,
) -> Option<Vec<Vec<Value>>> {
    let free = &puzzle.free;
    let tell = |values: &Vec<usize>| {
        let values: Vec<Value> = values.iter().map(|&value| free[value]).collect();
        let table = PatternTable::build(puzzle, &values, charge)?;
        // Sums are compared over all coarser states.
        Some(if charge.is_additive() { table.mean() } else { mean(&[table], charge, samples) })
    };
    let tell = |some: &[Vec<usize>]| map(some, threads, tell).into_iter().collect();
    let together = |alone: &[f64]| match charge.is_additive() {
        true => alone.iter().sum(),
        false => alone.iter().copied().fold(0.0, f64::max),
    };
    // They are looked at by threes if that takes no longer than the tables themselves.
    let threes = states(free.len(), 3).unwrap_or(0) / 6;
    let three = Cost::of(puzzle, charge, 3).map(|some| some.states / free.len().div_ceil(3) as u64);
    let pays = Cost::of(puzzle, charge, size).zip(three).is_some_and(|(all, three)| {
        charge.is_additive() && size > 2 && three.saturating_mul(threes) <= all.states
    });
    let gains = Gains::of(free.len(), tell, together, pays)?;
    let groups = gains.groups(size).into_iter();
    Some(groups.map(|group| group.into_iter().map(|value| free[value]).collect()).collect())
}

//! Which values are told apart together.
//!
//! Values belong together if a table of both tells more than one table for each. How much more is measured
//! for every pair, over states at the ends of walks at random from the goal; then the values are dealt into
//! groups of one size, by exchanges as long as they gain (hill climbing, from several deals).

use super::operators::Value;
use super::pattern_table::{Charge, MOST_VALUES, PatternTable};
use super::permutation::Permutations;
use zug_random::Random;

/// The seed of all that is drawn.
const SEED: u64 = 1;
/// States that tables are compared by.
const SAMPLES: usize = 200;
/// Turns of a walk to each of them.
const WALK: usize = 60;
/// Deals to climb from.
const DEALS: usize = 60;

/// What tables may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// States of coarser puzzles that are looked at, all tables together: each takes a byte or more, and some
    /// 10 ns for each turn.
    pub states: u64,
}

/// The tables for a puzzle, and which turns they pay for.
pub(crate) fn tables(puzzle: &Permutations, budget: Budget) -> (Vec<PatternTable>, Charge) {
    let charges = [Charge::Front(0), Charge::Back(0), Charge::Full];
    let samples = samples(puzzle);
    let mut best: Option<(f64, Vec<PatternTable>, Charge)> = None;
    for charge in charges {
        // An eighth of what there is for finding out which charge is best, and the groups.
        let trial = Budget { states: budget.states / 24 };
        let Some(found) = with_charge(puzzle, trial, charge, &samples) else { continue };
        let mean = mean(&found, charge, &samples);
        if best.as_ref().is_none_or(|(least, ..)| mean > *least) {
            best = Some((mean, found, charge));
        }
    }
    let Some((_, tables, charge)) = best else { return (Vec::new(), Charge::Full) };
    let rest = Budget { states: budget.states / 8 * 7 };
    match with_charge(puzzle, rest, charge, &samples) {
        Some(larger) => (larger, charge),
        None => (tables, charge),
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
    let free = puzzle.free.len();
    let affordable = |size: &usize| {
        let tables = free.div_ceil(*size) as u64;
        // Where the tested value may be is a set in a sliding puzzle, which is passed on as a few parts.
        let states = match &puzzle.slides {
            Some(_) if charge.is_additive() => states(puzzle.leaves(), *size).map(|all| 2 * all),
            _ => states(puzzle.leaves(), size + puzzle.tested.len()),
        };
        states.and_then(|states| states.checked_mul(tables)).is_some_and(|all| all <= budget.states)
    };
    let most = MOST_VALUES.saturating_sub(puzzle.tested.len()).min(free);
    let size = (1..=most).take_while(affordable).last()?;
    let groups = match size {
        1 => puzzle.free.iter().map(|&value| vec![value]).collect(),
        _ => groups(puzzle, charge, size, samples)?,
    };
    groups.iter().map(|group| PatternTable::build(puzzle, group, charge, false)).collect()
}

/// States of so many values in so many places; `None` if they are beyond counting.
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
) -> Option<Vec<Vec<Value>>> {
    let free = &puzzle.free;
    let mean_of = |values: &[Value]| {
        let table = PatternTable::build(puzzle, values, charge, false)?;
        Some(mean(&[table], charge, samples))
    };
    let single: Vec<f64> = free.iter().map(|&value| mean_of(&[value])).collect::<Option<_>>()?;
    let mut gain = vec![vec![0.0; free.len()]; free.len()];
    for a in 0..free.len() {
        for b in 0..a {
            let pair = mean_of(&[free[a], free[b]])?;
            let alone = match charge.is_additive() {
                true => single[a] + single[b],
                false => single[a].max(single[b]),
            };
            (gain[a][b], gain[b][a]) = (pair - alone, pair - alone);
        }
    }
    let group_of = dealt(&gain, size);
    let group = |number: usize| -> Vec<Value> {
        let all = free.iter().zip(&group_of);
        all.filter(|(_, group)| **group == number).map(|(&value, _)| value).collect()
    };
    Some((0..free.len().div_ceil(size)).map(group).collect())
}

/// By value: the number of its group, so that what pairs within groups gain is much.
fn dealt(gain: &[Vec<f64>], size: usize) -> Vec<usize> {
    let count = gain.len();
    let worth = |groups: &[usize]| {
        let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| groups[a] == groups[b]).map(|(a, b)| gain[a][b]).sum::<f64>()
    };
    let mut random = Random::new(SEED);
    let mut best: Option<(f64, Vec<usize>)> = None;
    for _ in 0..DEALS {
        let mut groups: Vec<usize> = (0..count).map(|at| at / size).collect();
        for last in (1..count).rev() {
            groups.swap(last, random.below(last as u64 + 1) as usize);
        }
        let mut most = worth(&groups);
        while let Some(better) = exchanged(&mut groups, most, &worth) {
            most = better;
        }
        if best.as_ref().is_none_or(|(known, _)| most > *known) {
            best = Some((most, groups));
        }
    }
    best.map_or_else(Vec::new, |(_, groups)| groups)
}

/// Exchanges two values of different groups if that is worth more: how much it is worth then.
fn exchanged(groups: &mut [usize], most: f64, worth: &impl Fn(&[usize]) -> f64) -> Option<f64> {
    for a in 0..groups.len() {
        for b in 0..a {
            if groups[a] == groups[b] {
                continue;
            }
            groups.swap(a, b);
            let better = worth(groups);
            if better > most + 1e-9 {
                return Some(better);
            }
            groups.swap(a, b);
        }
    }
    None
}

//! Distances in a coarser puzzle, in which only the values of a pattern, and those that tests name, are told
//! apart: a pattern database.
//!
//! A state of the coarser puzzle says where each of these values is. The search goes backward from the goal,
//! by the inverses of the turns, so that moves need not be reversible.

use super::operators::Value;
use super::permutation::{Permutations, Place, Turn};

/// What a table has for states from which the coarser goal can't be reached.
const UNREACHED: u8 = u8::MAX;
/// The greatest distance that a table tells.
const FARTHEST: usize = u8::MAX as usize - 1;

/// Which turns a pattern pays for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charge {
    /// All of them: of several such tables the greatest value counts.
    Full,
    /// Those at which one of its values is in the leaf that pays: of the leaves that move and that no test
    /// names the one of this number, or, if there are fewer, the last. Patterns without a common value never
    /// pay for the same turn, so that their values may be added up.
    Front(u8),
    /// As [`Charge::Front`], counted from the end.
    Back(u8),
}

impl Charge {
    /// The leaf that pays for a turn, if one does.
    pub(crate) fn payer(self, turn: &Turn) -> Option<Place> {
        let is_tested = |leaf: Place| turn.tests.iter().any(|&(tested, _)| tested == leaf);
        let can: Vec<Place> = turn.moved.iter().copied().filter(|&leaf| !is_tested(leaf)).collect();
        let last = can.len().checked_sub(1)?;
        match self {
            Charge::Full => None,
            Charge::Front(number) => Some(can[usize::from(number).min(last)]),
            Charge::Back(number) => Some(can[last - usize::from(number).min(last)]),
        }
    }

    /// Whether the values of tables without a common value may be added up.
    pub fn is_additive(self) -> bool {
        self != Charge::Full
    }
}

/// The distances of a coarser puzzle.
#[derive(Clone, Debug)]
pub struct PatternTable {
    /// The values that are told apart, those that tests name behind the others if they are.
    pub values: Vec<Value>,
    /// By key: places of the values as digits of a number to the base of the number of leaves, the first
    /// value the lowest.
    distances: Box<[u8]>,
    /// States of the coarser puzzle that reach its goal.
    pub states: u64,
    /// The greatest distance.
    pub greatest: u32,
}

impl PatternTable {
    /// The bytes that tables of so many values take; `None` if they are beyond counting.
    pub fn size(leaves: usize, values: usize) -> Option<usize> {
        leaves.checked_pow(u32::try_from(values).ok()?)
    }

    /// The distance of the coarser state with this key; `None` if it can't reach the goal.
    #[inline]
    pub fn distance(&self, key: usize) -> Option<u32> {
        let distance = self.distances[key];
        (distance != UNREACHED).then_some(u32::from(distance))
    }

    /// The key of a state.
    pub fn key(&self, state: &[Value]) -> usize {
        let place = |value: &Value| state.iter().position(|other| other == value).unwrap_or(0);
        self.values.iter().rev().fold(0, |key, value| key * state.len() + place(value))
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.distances.len()
    }

    /// The table of a pattern: values that no test names. With `keeps_tested` the places of tested values
    /// are part of the key, so that values along a turn differ by no more than its cost; without, the least
    /// value over all of their places is kept. `None` if a state of the coarser puzzle has no number.
    pub fn build(
        puzzle: &Permutations,
        pattern: &[Value],
        charge: Charge,
        keeps_tested: bool,
    ) -> Option<PatternTable> {
        let values: Vec<Value> = pattern.iter().chain(&puzzle.tested).copied().collect();
        let all = PatternTable::size(puzzle.leaves(), values.len())?;
        let told = if keeps_tested { values.len() } else { pattern.len() };
        let kept = PatternTable::size(puzzle.leaves(), told)?;
        let mut search = Backward {
            puzzle,
            seen: vec![0; all.div_ceil(64)],
            distances: vec![UNREACHED; kept],
            pattern: pattern.len(),
            payers: puzzle.turns.iter().map(|turn| charge.payer(turn)).collect(),
            charge,
            by_place: by_place_behind(puzzle),
            states: 0,
            greatest: 0,
        };
        let goal: Vec<Place> =
            values.iter().map(|&value| puzzle.home(value)).collect::<Option<_>>()?;
        search.run(&goal);
        let Backward { distances, states, greatest, .. } = search;
        let values = values[..told].to_vec();
        Some(PatternTable { values, distances: distances.into(), states, greatest })
    }
}

/// The turns that may have led to a state, by where the first tested value is; all, if no value is tested.
fn by_place_behind(puzzle: &Permutations) -> Vec<Vec<u32>> {
    let first = puzzle.tested.first();
    let mut by_place = vec![Vec::new(); puzzle.leaves()];
    for (number, turn) in (0..).zip(&puzzle.turns) {
        match turn.tests.iter().find(|(_, value)| Some(value) == first) {
            Some(&(leaf, _)) => by_place[usize::from(turn.to[usize::from(leaf)])].push(number),
            None => by_place.iter_mut().for_each(|turns| turns.push(number)),
        }
    }
    by_place
}

/// A search from the goal backward.
struct Backward<'p> {
    puzzle: &'p Permutations,
    /// By key of all values: whether the state was met.
    seen: Vec<u64>,
    distances: Vec<u8>,
    /// How many values are of the pattern; tested ones are behind them.
    pattern: usize,
    charge: Charge,
    /// By turn.
    payers: Vec<Option<Place>>,
    by_place: Vec<Vec<u32>>,
    states: u64,
    greatest: u32,
}

impl Backward<'_> {
    fn run(&mut self, goal: &[Place]) {
        let base = self.puzzle.leaves();
        // By distance: keys to be looked at.
        let mut waiting = vec![vec![number(goal, base)]];
        let (mut places, mut before) = (goal.to_vec(), goal.to_vec());
        let mut distance = 0;
        while distance < waiting.len() {
            let mut now = std::mem::take(&mut waiting[distance]);
            while let Some(key) = now.pop() {
                if !self.meet(key, distance) {
                    continue;
                }
                split(key, base, &mut places);
                let first = places.get(self.pattern).copied().unwrap_or(0);
                for at in 0..self.by_place[usize::from(first)].len() {
                    let turn = self.by_place[usize::from(first)][at] as usize;
                    let Some(cost) = self.back(turn, &places, &mut before) else { continue };
                    let key = number(&before, base);
                    if self.seen[key / 64] >> (key % 64) & 1 != 0 {
                        continue;
                    }
                    if cost == 0 {
                        now.push(key);
                        continue;
                    }
                    let behind = distance + cost as usize;
                    if waiting.len() <= behind {
                        waiting.resize_with(behind + 1, Vec::new);
                    }
                    waiting[behind].push(key);
                }
            }
            distance += 1;
        }
    }

    /// Notes the distance of a state; false if it was met before.
    fn meet(&mut self, key: usize, distance: usize) -> bool {
        let (word, bit) = (&mut self.seen[key / 64], 1 << (key % 64));
        if *word & bit != 0 {
            return false;
        }
        *word |= bit;
        self.states += 1;
        self.greatest = distance as u32;
        // Tested values are the highest digits.
        let kept = key % self.distances.len();
        let known = &mut self.distances[kept];
        *known = (*known).min(distance.min(FARTHEST) as u8);
        true
    }

    /// Where the values were before a turn, and what the pattern pays for it; `None` if it did not apply.
    fn back(&self, turn: usize, places: &[Place], before: &mut [Place]) -> Option<u32> {
        let (payer, turn) = (self.payers[turn], &self.puzzle.turns[turn]);
        for (before, &place) in before.iter_mut().zip(places) {
            *before = turn.from[usize::from(place)];
        }
        let (pattern, tested) = before.split_at(self.pattern);
        for &(leaf, value) in &turn.tests {
            let at = self.puzzle.tested.binary_search(&value).ok()?;
            if tested[at] != leaf {
                return None;
            }
        }
        let pays = match self.charge {
            Charge::Full => true,
            _ => payer.is_some_and(|payer| pattern.contains(&payer)),
        };
        Some(if pays { turn.cost } else { 0 })
    }
}

/// Digits as a number, the first the lowest.
fn number(digits: &[Place], base: usize) -> usize {
    digits.iter().rev().fold(0, |number, &digit| number * base + usize::from(digit))
}

/// A number as digits, the lowest first.
fn split(mut number: usize, base: usize, digits: &mut [Place]) {
    for digit in digits {
        *digit = (number % base) as Place;
        number /= base;
    }
}

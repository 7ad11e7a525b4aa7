//! Distances in a coarser puzzle, in which only the values of a pattern, and those that tests name, are told
//! apart: a pattern database.
//!
//! A state of the coarser puzzle says where each of these values is. The search goes backward from the goal,
//! by the inverses of the turns, so that moves need not be reversible.

use super::kept::{Kept, kept};
use super::operators::Value;
use super::permutation::Permutations;
use super::places::{MOST_VALUES, PLACE_BITS, Packed, Places, UNREACHED};
use super::turns::{Place, Turn};

/// The greatest distance that a table tells.
const FARTHEST: usize = u8::MAX as usize - 1;

/// Which turns a pattern pays for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Charge {
    /// All of them: of several such tables the greatest value counts.
    #[default]
    Full,
    /// Those at which one of its values is in the leaf that pays: the first of the leaves that move and that no
    /// test names. Patterns without a common value never pay for the same turn, so that their values may be
    /// added up.
    Front,
    /// As [`Charge::Front`], the last of them.
    Back,
}

impl Charge {
    /// The leaf that pays for a turn, if one does.
    pub(crate) fn payer(self, turn: &Turn) -> Option<Place> {
        let is_tested = |leaf: Place| turn.tests.iter().any(|&(tested, _)| tested == leaf);
        let mut can = turn.moved.iter().copied().filter(|&leaf| !is_tested(leaf));
        match self {
            Charge::Full => None,
            Charge::Front => can.next(),
            Charge::Back => can.next_back(),
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
    /// The values that are told apart.
    pub values: Vec<Value>,
    /// By key: places of the values as digits of a number to the base of the number of leaves, the first
    /// value the lowest.
    distances: Box<[u8]>,
    /// States of the coarser puzzle that reach its goal.
    pub states: u64,
    pub greatest: u32,
}

kept!(PatternTable { values, distances, states, greatest });

impl Kept for Charge {
    fn write(&self, to: &mut Vec<u8>) {
        // The second byte is always 0.
        (*self as u8, 0u8).write(to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        match Kept::read(from)? {
            (0u8, 0u8) => Some(Charge::Full),
            (1, 0) => Some(Charge::Front),
            (2, 0) => Some(Charge::Back),
            _ => None,
        }
    }
}

impl PatternTable {
    /// The bytes that tables of N values take; `None` if they are beyond counting.
    pub fn size(leaves: usize, values: usize) -> Option<usize> {
        leaves.checked_pow(u32::try_from(values).ok()?)
    }

    /// The distance of the coarser state with this key; `None` if it can't reach the goal.
    #[inline]
    pub fn distance(&self, key: usize) -> Option<u32> {
        let distance = self.distances[key];
        (distance != UNREACHED).then_some(u32::from(distance))
    }

    pub fn key(&self, state: &[Value]) -> usize {
        let place = |value: &Value| state.iter().position(|other| other == value).unwrap_or(0);
        self.values.iter().rev().fold(0, |key, value| key * state.len() + place(value))
    }

    /// The mean distance of coarser states that can reach the goal.
    pub fn mean(&self) -> f64 {
        let known = self.distances.iter().filter(|&&distance| distance != UNREACHED);
        let (count, sum) = known
            .fold((0u64, 0u64), |(count, sum), &distance| (count + 1, sum + u64::from(distance)));
        sum as f64 / count.max(1) as f64
    }

    /// The table of a pattern: values that no test names. Of all places of tested values the least distance
    /// counts. `None` if a state of the coarser puzzle has no number.
    pub fn build(puzzle: &Permutations, pattern: &[Value], charge: Charge) -> Option<PatternTable> {
        let table = |distances: Vec<u8>, states, greatest| {
            let (values, distances) = (pattern.to_vec(), distances.into());
            PatternTable { values, distances, states, greatest }
        };
        if let (true, Some(slides)) = (charge.is_additive(), &puzzle.slides) {
            // The tested value has a place of its own in a word.
            let places = Places::new(puzzle.leaves(), pattern.len());
            let places = places.filter(|_| pattern.len() < MOST_VALUES)?;
            let blank = puzzle.home(puzzle.tested[0])?;
            let (distances, states, greatest) =
                slides.distances(blank, &puzzle.goals(pattern), places, FARTHEST);
            return Some(table(distances, states, greatest));
        }
        let values: Vec<Value> = pattern.iter().chain(&puzzle.tested).copied().collect();
        if values.is_empty() || values.len() > MOST_VALUES {
            return None;
        }
        let all = PatternTable::size(puzzle.leaves(), values.len())?;
        let kept = PatternTable::size(puzzle.leaves(), pattern.len())?;
        let mut search = Backward {
            puzzle,
            seen: vec![0; all.div_ceil(64)],
            distances: vec![UNREACHED; kept],
            places: Places::new(puzzle.leaves(), values.len())?,
            pattern: pattern.len(),
            payers: puzzle.turns.iter().map(|turn| charge.payer(turn)).collect(),
            charge,
            by_place: by_place_behind(puzzle),
            states: 0,
            greatest: 0,
        };
        search.run(&puzzle.goals(&values));
        Some(table(search.distances, search.states, search.greatest))
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
    places: Places,
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
    fn run(&mut self, goals: &[Vec<Place>]) {
        // By distance: states to be looked at.
        let mut waiting = vec![goals.iter().map(|goal| Places::packed(goal)).collect::<Vec<_>>()];
        let by_place = std::mem::take(&mut self.by_place);
        let mut distance = 0;
        while distance < waiting.len() {
            let mut now = std::mem::take(&mut waiting[distance]);
            while let Some(places) = now.pop() {
                if !self.meet(self.places.key(places), distance) {
                    continue;
                }
                let first = Places::place(places, self.pattern.min(self.places.weights.len() - 1));
                for &turn in &by_place[usize::from(first)] {
                    let Some((before, cost)) = self.back(turn as usize, places) else { continue };
                    let key = self.places.key(before);
                    if self.seen[key / 64] >> (key % 64) & 1 != 0 {
                        continue;
                    }
                    if cost == 0 {
                        now.push(before);
                        continue;
                    }
                    let behind = distance + cost as usize;
                    if waiting.len() <= behind {
                        waiting.resize_with(behind + 1, Vec::new);
                    }
                    waiting[behind].push(before);
                }
            }
            distance += 1;
        }
    }

    /// Notes the distance of a state; false if it was met before.
    #[inline]
    fn meet(&mut self, key: usize, distance: usize) -> bool {
        let (word, bit) = (&mut self.seen[key / 64], 1 << (key % 64));
        if *word & bit != 0 {
            return false;
        }
        *word |= bit;
        self.states += 1;
        self.greatest = distance as u32;
        // Tested values have the greatest weights.
        let kept = key % self.distances.len();
        let known = &mut self.distances[kept];
        *known = (*known).min(distance.min(FARTHEST) as u8);
        true
    }

    /// Where the values were before a turn, and what the pattern pays for it; `None` if it did not apply.
    #[inline]
    fn back(&self, number: usize, places: Packed) -> Option<(Packed, u32)> {
        let (payer, turn) = (self.payers[number], &self.puzzle.turns[number]);
        let mut before = 0;
        for at in (0..self.places.weights.len()).rev() {
            let from = turn.from[usize::from(Places::place(places, at))];
            before = before << PLACE_BITS | Packed::from(from);
        }
        for &(leaf, value) in &turn.tests {
            let at = self.puzzle.tested.binary_search(&value).ok()?;
            if Places::place(before, self.pattern + at) != leaf {
                return None;
            }
        }
        let pays = match self.charge {
            Charge::Full => true,
            _ => payer.is_some_and(|payer| {
                (0..self.pattern).any(|at| Places::place(before, at) == payer)
            }),
        };
        Some((before, if pays { turn.cost } else { 0 }))
    }
}

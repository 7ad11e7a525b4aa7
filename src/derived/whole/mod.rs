//! Whole spaces of permutation puzzles, with two bits for each state.
//!
//! Where operators permute leaves of different values, the states that a start leads to are numbered without
//! gaps, nearly: the number of the [configuration](configurations) that the tested values are in, and the
//! [rank](ranks) of the row of all others. Two bits for each number are enough for breadth-first search: a state
//! was not met, is of this layer, of the next one, or done (R. Korf, P. Schultze, *Large-Scale Parallel
//! Breadth-First Search*, AAAI 2005, with one bit on disk; G. Cooperman, L. Finkelstein, *New Methods for Using
//! Cayley Graphs in Interconnection Networks*, Discrete Applied Mathematics 37/38, 1992, with two; T. Kunkle,
//! G. Cooperman, *Twenty-Six Moves Suffice for Rubik's Cube*, ISSAC 2007).
//!
//! # Invariants
//!
//! - Numbering is exact: different states that can be reached have different numbers. What is asked of the
//!   operators for that is checked: no condition that may hold or not, no value of unknown source.
//! - Results don't depend on the number of threads, but where a walk is stopped.

mod configurations;
mod layers;
mod ranks;
mod shuffle;
#[cfg(test)]
mod tests;

pub use layers::{Ended, Walk, WalkLimits, Walked};

use super::operators::{Operators, Value};
use super::permutation::are_different;
use super::turns::NoPermutations;
use configurations::{Configuration, Configurations, Step};
use ranks::{MOST_NUMBERS, Ranks};
use rustc_hash::FxHashMap;
use shuffle::Shuffle;
use std::sync::Arc;

/// States in a word of two bits each.
const IN_WORD: u64 = 32;

/// Why the states of a puzzle are not numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoWholeSpace {
    /// Its operators are no permutations.
    NoPermutations(NoPermutations),
    /// Two leaves of the start have one value.
    Alike,
    /// The tested values may be in very many places.
    Configurations,
    /// A leaf may get a value that operators know nothing of.
    Domains,
    /// A move may have no cost that counts.
    Costs,
    /// There are very many states.
    Large,
}

/// The numbered states that a start of a permutation puzzle leads to.
#[derive(Clone, Debug)]
pub struct WholeSpace {
    configurations: Vec<Configured>,
    ranks: Ranks,
    words: u64,
    start: Vec<Value>,
    /// The values that moves test.
    tested: Vec<Value>,
    /// Those that are shuffled, as in the start: their places here are the elements of permutations.
    row: Vec<Value>,
    bytes: usize,
}

/// A configuration with what its moves do to numbers.
#[derive(Clone, Debug)]
struct Configured {
    configuration: Configuration,
    /// By step: the configuration it leads to, and what it does to the row, if anything.
    steps: Vec<(u64, Option<Arc<Shuffle>>)>,
}

impl WholeSpace {
    /// Whether there may be numbers for what a start leads to, by what it is alone.
    pub fn may_be(start: &[Value]) -> bool {
        are_different(start)
    }

    /// The states that a start may lead to.
    ///
    /// # Errors
    /// They can't be numbered.
    pub fn of(puzzle: &Operators, start: &[Value]) -> Result<WholeSpace, NoWholeSpace> {
        if !WholeSpace::may_be(start) {
            return Err(NoWholeSpace::Alike);
        }
        if puzzle.ways(puzzle.unpriced, 0).is_none() {
            return Err(NoWholeSpace::Costs);
        }
        let Configurations { all, tested, have_parity, .. } = Configurations::of(puzzle, start)?;
        let row: Vec<Value> = all[0].row.iter().map(|&place| start[usize::from(place)]).collect();
        let ranks = Ranks { elements: row.len(), halved: have_parity };
        let count = ranks.count().ok_or(NoWholeSpace::Large)?;
        let words = count.div_ceil(IN_WORD);
        let room = words.checked_mul(IN_WORD * all.len() as u64);
        if room.is_none_or(|room| room > MOST_NUMBERS) {
            return Err(NoWholeSpace::Large);
        }
        let (configurations, bytes) = configured(all, &ranks, count);
        let start = start.to_vec();
        Ok(WholeSpace { configurations, ranks, words, start, tested, row, bytes })
    }

    /// How many states have a number.
    pub fn states(&self) -> u64 {
        self.ranks.count().unwrap_or(0) * self.configurations.len() as u64
    }

    /// Bytes that a walk takes, apart from a few megabytes.
    pub fn bytes(&self) -> usize {
        let bits = self.words * self.configurations.len() as u64 * 8;
        usize::try_from(bits).map_or(usize::MAX, |bits| bits.saturating_add(self.bytes))
    }

    /// The state with a number, if there is one.
    fn state(&self, number: u64) -> Option<Vec<Value>> {
        let (at, rank) = (number / (self.words * IN_WORD), number % (self.words * IN_WORD));
        let of = &self.configurations.get(usize::try_from(at).ok()?)?.configuration;
        if rank >= self.ranks.count()? {
            return None;
        }
        let mut state = self.start.clone();
        for (&place, &value) in of.places.iter().zip(&self.tested) {
            state[usize::from(place)] = value;
        }
        let row = self.ranks.unrank(rank, of.is_odd);
        for (&place, &element) in of.row.iter().zip(&row) {
            state[usize::from(place)] = self.row[usize::from(element)];
        }
        Some(state)
    }
}

/// Configurations with what moves do to numbers, of which there are `count` in each; and the bytes of tables.
fn configured(all: Vec<Configuration>, ranks: &Ranks, count: u64) -> (Vec<Configured>, usize) {
    let mut known: FxHashMap<Vec<u8>, Option<Arc<Shuffle>>> = FxHashMap::default();
    let mut bytes = 0;
    let mut made = |Step { to, from }: &Step| {
        let shuffle = known.entry(from.clone()).or_insert_with(|| {
            let shuffle = Shuffle::new(ranks, count, from).map(Arc::new);
            bytes += shuffle.as_ref().map_or(0, |shuffle| shuffle.bytes());
            shuffle
        });
        (*to as u64, shuffle.clone())
    };
    let configured = |configuration: Configuration| {
        let steps = configuration.steps.iter().map(&mut made).collect();
        Configured { configuration, steps }
    };
    (all.into_iter().map(configured).collect(), bytes)
}

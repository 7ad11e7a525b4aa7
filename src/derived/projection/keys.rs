//! Numbers of coarser states, and what is known by number.

use crate::kept::kept;
use crate::operators::{Leaf, Operators, Value};
use rustc_hash::FxHashMap;

/// Numbers of states are below this.
const MOST_KEYS: u64 = 1 << 62;

/// Where a leaf stands in the number of a coarser state.
#[derive(Clone, Debug)]
pub(super) struct Digit {
    pub leaf: Leaf,
    pub weight: u64,
    /// The values of the leaf, ascending.
    pub values: Box<[Value]>,
    /// By value: its place among them.
    pub places: Box<[u8; 256]>,
}

/// Numbers of coarser states: of the values of their leaves.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    pub(super) digits: Box<[Digit]>,
    pub(super) count: u64,
}

kept!(Digit { leaf, weight, values, places });
kept!(Keys { digits, count });

impl Keys {
    /// Of these leaves; `None` if there are too many states, or nothing is known of one.
    pub fn new(puzzle: &Operators, leaves: &[Leaf]) -> Option<Keys> {
        let (mut digits, mut count) = (Vec::with_capacity(leaves.len()), 1u64);
        for &leaf in leaves {
            let values: Box<[Value]> = puzzle.domains[usize::from(leaf)].iter().collect();
            let mut places = Box::new([u8::MAX; 256]);
            for (place, &value) in (0..).zip(&values) {
                places[usize::from(value)] = place;
            }
            let weight = count;
            count = count.checked_mul(values.len() as u64).filter(|&all| all < MOST_KEYS)?;
            digits.push(Digit { leaf, weight, values, places });
        }
        (count > 0).then_some(Keys { digits: digits.into(), count })
    }

    pub fn leaves(&self) -> impl Iterator<Item = Leaf> {
        self.digits.iter().map(|digit| digit.leaf)
    }

    /// The number of a state; `None` if a leaf has a value that is not expected.
    #[inline]
    pub fn of(&self, state: &[Value]) -> Option<u64> {
        let mut key = 0;
        for digit in &self.digits {
            let value = *state.get(usize::from(digit.leaf))?;
            let place = digit.places[usize::from(value)];
            if usize::from(place) >= digit.values.len() {
                return None;
            }
            key += u64::from(place) * digit.weight;
        }
        Some(key)
    }

    /// The values of the leaves, in order.
    pub fn split(&self, key: u64, values: &mut [Value]) {
        for (digit, value) in self.digits.iter().zip(values) {
            let place = key / digit.weight % digit.values.len() as u64;
            *value = digit.values[place as usize];
        }
    }

    /// The number of a state with these values of the leaves.
    pub fn join(&self, values: &[Value]) -> u64 {
        let digits = self.digits.iter().zip(values);
        digits.map(|(d, &value)| u64::from(d.places[usize::from(value)]) * d.weight).sum()
    }
}

/// What a table of a projection says, by number of a coarser state.
#[derive(Clone, Debug)]
pub(crate) enum Distances {
    Dense(Box<[u16]>),
    Sparse(FxHashMap<u64, u16>),
}

/// What tables have for states from which no goal can be reached.
pub(super) const NO_GOAL: u16 = u16::MAX;

kept!(Distances: Dense or Sparse);

impl Distances {
    /// What it says of a state; of one that was not expected 0. `None` if there is no plan.
    #[inline]
    pub fn of(&self, key: u64) -> Option<u32> {
        let distance = match self {
            Distances::Dense(all) => all[key as usize],
            Distances::Sparse(all) => all.get(&key).copied().unwrap_or(0),
        };
        (distance != NO_GOAL).then_some(u32::from(distance))
    }

    /// Whether a state was met; of an array that is not told.
    pub fn has(&self, key: u64) -> bool {
        match self {
            Distances::Dense(_) => true,
            Distances::Sparse(all) => all.contains_key(&key),
        }
    }
}

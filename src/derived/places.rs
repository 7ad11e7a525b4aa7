//! Keys of tables: places of values packed in a word, and their numbers.

use super::turns::{MOST_LEAVES, Place};

/// What a table has for states from which the coarser goal can't be reached.
pub(crate) const UNREACHED: u8 = u8::MAX;

/// Places of values, of [`PLACE_BITS`] bits each: the first value in the lowest ones.
pub(crate) type Packed = u64;
pub(crate) const PLACE_BITS: u32 = 6;
/// The most values whose places are known together.
pub(crate) const MOST_VALUES: usize = (Packed::BITS / PLACE_BITS) as usize;
const _: () = assert!(MOST_LEAVES <= 1 << PLACE_BITS);

/// Places of some values, as digits of a number to the base of the number of leaves.
pub(crate) struct Places {
    /// By value.
    pub weights: Vec<usize>,
    pub keys: usize,
}

impl Places {
    /// `None` if there are too many.
    pub fn new(leaves: usize, values: usize) -> Option<Places> {
        let keys = leaves.checked_pow(values as u32).filter(|_| values <= MOST_VALUES)?;
        let weights = (0..values as u32).map(|at| leaves.pow(at)).collect();
        Some(Places { weights, keys })
    }

    /// The number of places.
    #[inline]
    pub fn key(&self, packed: Packed) -> usize {
        let weights = self.weights.iter().enumerate();
        weights.map(|(at, weight)| usize::from(Places::place(packed, at)) * weight).sum()
    }

    /// The key with one of the values elsewhere.
    #[inline]
    pub fn key_after(&self, key: usize, at: usize, from: Place, to: Place) -> usize {
        key + usize::from(to) * self.weights[at] - usize::from(from) * self.weights[at]
    }

    #[inline]
    pub fn place(packed: Packed, at: usize) -> Place {
        (packed >> (PLACE_BITS * at as u32) & ((1 << PLACE_BITS) - 1)) as Place
    }

    pub fn packed(places: &[Place]) -> Packed {
        places.iter().rev().fold(0, |packed, &place| packed << PLACE_BITS | Packed::from(place))
    }

    /// The same with one of the values in another place.
    #[inline]
    pub fn moved(packed: Packed, at: usize, to: Place) -> Packed {
        let shift = PLACE_BITS * at as u32;
        packed & !(((1 << PLACE_BITS) - 1) << shift) | Packed::from(to) << shift
    }
}

//! What leaves are expected to be beside what they were seen to be, so that programs are not made anew for
//! each value that comes up.

use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use zug_state::{Codec, Word};
use zug_term::{Cell, Heap};

/// The most leaves of a shape that are taken for counters.
pub const MOST_COUNTERS: usize = 4;
/// Which integers of one byte leaves of a shape were seen to be.
#[derive(Clone, Copy)]
pub struct Integers([u64; 4]);

impl Integers {
    /// Those of all leaves.
    pub fn of(codec: &Codec, shape: u8) -> Integers {
        let mut all = [0; 4];
        for leaf in 0..codec.leaves_of(shape) {
            let seen = codec.seen(shape, leaf).unwrap_or_default();
            all.iter_mut().zip(seen).for_each(|(all, seen)| *all |= seen);
        }
        Integers(all)
    }

    fn has(self, value: i64) -> bool {
        let byte = Word::int(value).and_then(Word::byte).map(usize::from);
        byte.is_some_and(|byte| self.0[byte / 64] >> (byte % 64) & 1 != 0)
    }

    /// Leaves that have come to be integers which none of them was.
    pub fn grown(self, codec: &Codec, shape: u8) -> Vec<usize> {
        let is_new = |&leaf: &usize| {
            let seen = codec.seen(shape, leaf).unwrap_or_default();
            integers_of(&seen).any(|value| !self.has(value))
        };
        (0..codec.leaves_of(shape)).filter(is_new).collect()
    }
}

/// The integers among the bytes that a leaf was seen to be.
fn integers_of(seen: &[u64; 4]) -> impl Iterator<Item = i64> {
    let met = (0..Word::INTS).filter(|&at| seen[at as usize / 64] >> (at % 64) & 1 != 0);
    met.map(|at| Word(at).int_value())
}

/// Leaves that come to be other integers are expected to be more of them: counters of a state, if they
/// are few, any of one byte; squares of a board up to the next power of two, so that programs are made
/// anew as often as numbers double.
pub fn expect_more(codec: &mut Codec, shape: u8, before: Integers) {
    let grown = before.grown(codec, shape);
    let few = grown.len() <= MOST_COUNTERS;
    for leaf in grown {
        let Some(seen) = codec.seen(shape, leaf) else { continue };
        let least = integers_of(&seen).min().unwrap_or(0);
        let most = integers_of(&seen).max().unwrap_or(0);
        let (first, last) = if few {
            (Word::FIRST_INT, Word::FIRST_INT + Word::INTS - 1)
        } else {
            let next = |value: i64| (value.unsigned_abs() + 1).next_power_of_two() as i64;
            (-next(-least), next(most) - 1)
        };
        for value in if least < 0 { first } else { 0 }..=last {
            if let Some(byte) = Word::int(value).and_then(Word::byte) {
                codec.expect(shape, leaf, byte);
            }
        }
    }
}

/// Leaves that have been one of the same values are expected to be what any of them was, as the
/// squares of a board. A leaf that was but one integer may be a constant that the rules count with:
/// it stays one, unless it stands in a long list some of whose elements have been several values.
pub fn expect_alike(codec: &mut Codec, shape: u8) {
    let leaves = codec.leaves_of(shape);
    let seen: Option<Vec<[u64; 4]>> = (0..leaves).map(|leaf| codec.seen(shape, leaf)).collect();
    let Some(mut seen) = seen else { return };
    let is_one_integer = |of: &[u64; 4]| {
        let all: u32 = of.iter().map(|bits| bits.count_ones()).sum();
        all == 1 && (0..Word::INTS as usize).any(|byte| of[byte / 64] >> (byte % 64) & 1 != 0)
    };
    let values = codec.representation(shape).map(|whole| whole.values());
    let is_value = |leaf: usize| values.as_ref().is_none_or(|values| values[leaf]);
    let rows = if values.is_some() { (0..leaves as u64).collect() } else { rows(codec, shape) };
    let several = |leaf: usize| seen[leaf].iter().map(|bits| bits.count_ones()).sum::<u32>() > 1;
    let changed: FxHashSet<u64> =
        (0..leaves).filter(|&leaf| several(leaf)).map(|leaf| rows[leaf]).collect();
    let alike: Vec<usize> = (0..leaves)
        .filter(|&leaf| {
            is_value(leaf) && (!is_one_integer(&seen[leaf]) || changed.contains(&rows[leaf]))
        })
        .collect();
    let mut grown = true;
    while grown {
        grown = false;
        for byte in 0..=u8::MAX {
            let (word, bit) = (usize::from(byte / 64), 1 << (byte % 64));
            let mut all = [0; 4];
            for &leaf in alike.iter().filter(|&&leaf| seen[leaf][word] & bit != 0) {
                all.iter_mut().zip(seen[leaf]).for_each(|(all, of)| *all |= of);
            }
            for &leaf in &alike {
                if seen[leaf][word] & bit != 0 && seen[leaf] != all {
                    (seen[leaf], grown) = (all, true);
                }
            }
        }
    }
    for &leaf in &alike {
        for byte in 0..=u8::MAX {
            if seen[leaf][usize::from(byte / 64)] >> (byte % 64) & 1 != 0 {
                codec.expect(shape, leaf, byte);
            }
        }
    }
}

/// Lists that are shorter are pairs and triples, whose elements have each their own meaning.
const SHORT: usize = 4;

/// By leaf: a number of the place where it stands in the state, the same for elements of one list that is
/// not short.
fn rows(codec: &Codec, shape: u8) -> Vec<u64> {
    let mut heap = Heap::new();
    let mut rows = vec![0; codec.leaves_of(shape)];
    let state = codec.skeleton(shape, &mut heap, |_, leaf| Cell::small(leaf as i64));
    let mut waiting = vec![(state, 0u64)];
    let inner = |row: u64, place: usize| {
        let mut hasher = FxHasher::default();
        (row, place).hash(&mut hasher);
        hasher.finish()
    };
    while let Some((term, row)) = waiting.pop() {
        if let Some(leaf) = heap.deref(term).as_int() {
            rows[leaf as usize] = row;
        } else if let Some(items) = heap.proper_list(term) {
            let is_short = items.len() < SHORT;
            let of = |place: usize| inner(row, if is_short { place + 1 } else { 0 });
            waiting.extend(items.into_iter().enumerate().map(|(place, item)| (item, of(place))));
        } else if let Some((_, arity, first)) = heap.name_arity(term) {
            waiting.extend((0..arity).map(|place| (heap.at(first + place), inner(row, place + 1))));
        }
    }
    rows
}

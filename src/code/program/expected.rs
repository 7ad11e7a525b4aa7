//! Expected values of leaves beyond those seen, so that programs are not made again for each new value.

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use zug_state::{Codec, May, Word};
use zug_symbolic::limits;
use zug_term::{Cell, Heap};

/// Which integers of one byte leaves of a shape were seen to be.
#[derive(Clone, Copy)]
pub struct Integers([u64; 4]);

impl Integers {
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

    /// Leaves that became integers which none of them was.
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

/// Leaves that change are expected to be more integers: a few for counters, any byte, or up to the
/// next power of two, to remake programs seldom.
pub fn expect_more(codec: &mut Codec, shape: u8, before: Integers) {
    let grown = before.grown(codec, shape);
    let few = grown.len() <= limits::COUNTERS;
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

/// After few states: sets may have any element, and leaves with an integer in common any between
/// their extremes, as rows and columns have.
pub fn expect_between(codec: &mut Codec, shape: u8) {
    let values = codec.representation(shape).map(|whole| whole.values());
    let is_value = |leaf: usize| values.as_ref().is_none_or(|values| values[leaf]);
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    let mut of: Vec<(usize, (i64, i64))> = Vec::new();
    for leaf in 0..codec.leaves_of(shape) {
        let Some(may) = codec.may(shape, leaf).filter(|may| !may.is_wide()) else { continue };
        let words: Vec<Word> = words_of(&may).collect();
        let integers = words.iter().filter(|word| word.is_int()).map(|word| word.int_value());
        let (Some(least), Some(most)) = (integers.clone().min(), integers.clone().max()) else {
            continue;
        };
        if integers.count() < words.len() {
            continue;
        }
        if !is_value(leaf) {
            if (0..=1).contains(&least) && most <= 1 {
                of.push((leaf, (0, 1)));
            }
        } else if most - least <= limits::COORDINATES
            && !(least >= 0 && most <= 1)
            && !codec.is_fixed(shape, leaf)
        {
            of.push((leaf, (least, most)));
            let (mut least, mut most) = (least, most);
            ranges.retain(|&(low, high)| {
                let is_apart = high < least || low > most;
                if !is_apart {
                    (least, most) = (least.min(low), most.max(high));
                }
                is_apart
            });
            ranges.push((least, most));
        }
    }
    for (leaf, (least, most)) in of {
        let around = ranges.iter().find(|(low, high)| *low <= least && most <= *high);
        let (low, high) = around.copied().filter(|_| is_value(leaf)).unwrap_or((least, most));
        for byte in (low..=high).filter_map(|value| Word::int(value).and_then(Word::byte)) {
            codec.expect(shape, leaf, byte);
        }
    }
}

/// Leaves that have been one of the same values are expected to be what any of them was, as the
/// squares of a board. A leaf that was but one integer may be a constant that the rules count with:
/// it stays one, unless it stands in a long list some of whose elements have been several values. One that
/// may be any integer of a range is no square.
pub fn expect_alike(codec: &mut Codec, shape: u8) {
    let leaves = codec.leaves_of(shape);
    let seen: Option<Vec<May>> = (0..leaves).map(|leaf| codec.may(shape, leaf)).collect();
    let Some(mut seen) = seen else { return };
    let is_one_integer = |of: &May| {
        let met: Vec<Word> = words_of(of).collect();
        matches!(met[..], [word] if word.is_int())
    };
    let values = codec.representation(shape).map(|whole| whole.values());
    let is_value = |leaf: usize| values.as_ref().is_none_or(|values| values[leaf]);
    let rows = if values.is_some() { (0..leaves as u64).collect() } else { rows(codec, shape) };
    let several: Vec<bool> = seen.iter().map(|may| words_of(may).nth(1).is_some()).collect();
    let several = |leaf: &usize| several[*leaf];
    let changed: FxHashSet<u64> = (0..leaves).filter(several).map(|leaf| rows[leaf]).collect();
    let is_constant = |leaf: usize, of: &May| is_one_integer(of) && !changed.contains(&rows[leaf]);
    let is_fixed =
        |leaf: usize, of: &May| words_of(of).nth(1).is_none() && codec.is_fixed(shape, leaf);
    let is_square = |leaf: usize, of: &May| {
        is_value(leaf) && of.range.is_none() && !is_constant(leaf, of) && !is_fixed(leaf, of)
    };
    let alike: Vec<usize> = (0..leaves).filter(|&leaf| is_square(leaf, &seen[leaf])).collect();
    // The elements of a board are alike once some of them have changed.
    let mut boards: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    alike.iter().for_each(|&leaf| boards.entry(rows[leaf]).or_default().push(leaf));
    for board in boards.into_values().filter(|board| board.len() >= limits::BOARD) {
        if board.iter().filter(|leaf| several(leaf)).nth(1).is_some() {
            let mut joined = May::default();
            board.iter().for_each(|&leaf| joined.join(&seen[leaf]));
            joined.words.sort_unstable();
            board.iter().for_each(|&leaf| seen[leaf] = joined.clone());
        }
    }
    let all: BTreeSet<Word> = alike.iter().flat_map(|&leaf| words_of(&seen[leaf])).collect();
    let mut grown = true;
    while grown {
        grown = false;
        for &word in &all {
            let mut joined = May::default();
            let met: Vec<usize> =
                alike.iter().copied().filter(|&leaf| has(&seen[leaf], word)).collect();
            met.iter().for_each(|&leaf| joined.join(&seen[leaf]));
            joined.words.sort_unstable();
            for leaf in met {
                if seen[leaf] != joined {
                    (seen[leaf], grown) = (joined.clone(), true);
                }
            }
        }
    }
    for &leaf in &alike {
        codec.expect_all(shape, leaf, &seen[leaf]);
    }
}

/// What a leaf may be, one by one, but for a range of integers.
pub fn words_of(may: &May) -> impl Iterator<Item = Word> {
    let bytes = (0..256).filter(|&byte| may.bytes[byte / 64] >> (byte % 64) & 1 != 0);
    bytes.map(|byte| Word(byte as i64)).chain(may.words.iter().copied())
}

fn has(may: &May, word: Word) -> bool {
    match word.byte() {
        Some(byte) => may.bytes[usize::from(byte / 64)] >> (byte % 64) & 1 != 0,
        None => may.words.contains(&word),
    }
}

/// By leaf: the number of its place in the state, the same for all elements of a long list.
fn rows(codec: &Codec, shape: u8) -> Vec<u64> {
    let mut heap = Heap::new();
    let mut rows = vec![0; codec.leaves_of(shape)];
    let state = codec.skeleton(shape, &mut heap, |_, leaf| Cell::small(leaf as i64));
    let mut waiting = vec![(state, 1u64, false)];
    let inner = |row: u64, place: usize| {
        let mut hasher = FxHasher::default();
        (row, place).hash(&mut hasher);
        hasher.finish()
    };
    while let Some((term, row, in_square)) = waiting.pop() {
        if let Some(leaf) = heap.deref(term).as_int() {
            rows[leaf as usize] = row;
        } else if let Some(items) = heap.proper_list(term) {
            let is_row = |item: &Cell| heap.proper_list(*item).is_some_and(|row| row.len() == 3);
            let is_square = items.len() == 3 && items.iter().all(is_row);
            let is_short = items.len() < limits::TUPLE && !is_square && !in_square;
            let of = |place: usize| inner(row, if is_short { place + 1 } else { 0 });
            waiting.extend(
                items.into_iter().enumerate().map(|(place, item)| (item, of(place), is_square)),
            );
        } else if let Some((_, arity, first)) = heap.name_arity(term) {
            let of = |place: usize| (heap.at(first + place), inner(row, place + 1), false);
            waiting.extend((0..arity).map(of));
        }
    }
    rows
}

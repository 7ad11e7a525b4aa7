//! Vectorisation: conditions that are the same but for a shift of the board are families, computed together on planes.
//!
//! The square of a board that a condition is about is its *anchor*. Two conditions are of one family
//! if they are joined in the same way and the leaves that one is about are, as far as they go, those that
//! the other is about, as far from its anchor: near an edge some parts may be missing. A family of all
//! squares then takes as many operations on words as one of its members takes on single leaves. Rays are
//! families of themselves: a longer one is made of a shorter one, so their planes are made in stages, by
//! depth.
//!
//! It is superword-level parallelism (S. Larsen, S. Amarasinghe, PLDI 2000) on conditions, where what
//! hand-written programs of board games do is one case.

mod finder;
mod places;
mod recursion;

use finder::{Finder, cells_of};
pub use places::{PLACES, Places, word_and_bit};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_symbolic::{Condition, Store};
use zug_term::Cell;

/// The depth of members that are leaves alone, as those beside an edge.
const EDGE: u32 = 0;

pub type FamilyId = u32;

/// Where the bits of a part come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Source {
    /// Leaves that have one of some values: the number of the set.
    Cells(u32),
    /// Another family.
    Family(FamilyId),
    /// One condition for all places.
    Single(Condition),
}

/// A part of the conditions of a family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Part {
    pub source: Source,
    /// How far from the anchor.
    pub offset: i16,
    /// Whether it must not hold.
    pub negated: bool,
}

impl Part {
    /// The words that contain the places of these anchors of a word, each with its shift; `None` before the first word.
    pub fn words(&self, word: usize, anchors: u64) -> impl Iterator<Item = (Option<usize>, i8)> {
        let whole = PLACES as i16;
        let by = self.offset.rem_euclid(whole);
        let first = word as isize + isize::from(self.offset.div_euclid(whole));
        let in_first = u64::MAX >> by;
        let words = [(first, by, anchors & in_first), (first + 1, by - whole, anchors & !in_first)];
        let words = words.into_iter().filter(|&(.., anchors)| anchors != 0);
        words.map(|(word, by, _)| (usize::try_from(word).ok(), by as i8))
    }
}

/// Conditions that are the same but for a shift.
#[derive(Clone, Debug)]
pub struct Family {
    /// All parts must hold, or one of them.
    pub all: bool,
    /// The parts, each with the anchors of those that have it.
    pub parts: Vec<(Part, Places)>,
    /// The anchors with the depths of their conditions.
    pub members: Vec<(u16, u32)>,
    pub anchors: Places,
    /// It is, by way of others perhaps, made of itself.
    pub recursive: bool,
}

/// A place of a plane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub source: Source,
    pub at: u16,
    /// The condition holds where the place is not in the plane.
    pub negated: bool,
}

/// The families of the conditions of a run.
#[derive(Default)]
pub struct Families {
    pub families: Vec<Family>,
    /// The values of leaves that planes are of.
    pub sets: Vec<Box<[Cell]>>,
    places: FxHashMap<Condition, Place>,
    components: Vec<u32>,
}

impl Families {
    /// The families of all conditions that some are made of.
    pub fn of(store: &mut Store, roots: &[Condition], leaves: usize) -> Families {
        let mut found = Finder::new(store, leaves).families(roots);
        found.find_recursion();
        found
    }

    /// Where a condition stands, if it is in a plane.
    pub fn place(&self, condition: Condition) -> Option<Place> {
        self.places.get(&condition).copied()
    }

    /// Where a literal stands, also one that no family has, if there is a plane of its values.
    pub fn place_of_literal(
        &self,
        store: &Store,
        leaves: usize,
        condition: Condition,
    ) -> Option<Place> {
        let known = self.place(condition);
        known.or_else(|| {
            let (at, values, negated) = cells_of(store, leaves, condition)?;
            let set = self.sets.iter().position(|set| **set == values[..])?;
            Some(Place { source: Source::Cells(set as u32), at, negated })
        })
    }

    /// Whether two families are made of one another.
    pub fn same_component(&self, one: FamilyId, other: FamilyId) -> bool {
        self.components[one as usize] == self.components[other as usize]
    }
}

impl Family {
    /// The depths at which a word of it gets members, ascending.
    pub fn stages(&self, word: usize) -> Vec<u32> {
        let here = self.members.iter().filter(|(at, _)| word_and_bit(*at).0 == word);
        let depths: FxHashSet<u32> = here.map(|&(_, depth)| depth).collect();
        let mut depths: Vec<u32> = depths.into_iter().collect();
        depths.sort_unstable();
        depths
    }

    /// The approximate number of operations on words.
    pub fn size(&self) -> usize {
        let of_word = |(word, _): (usize, u64)| {
            let stages = if self.recursive { self.stages(word).len() } else { 1 };
            let parts = self.parts.iter().map(|(part, of)| part.words(word, of.word(word)).count());
            stages * parts.map(|words| (2 * words).saturating_sub(1)).sum::<usize>()
        };
        self.anchors.words().map(of_word).sum()
    }

    /// The anchors of members up to a depth.
    pub fn anchors_to(&self, depth: u32) -> Places {
        let members = self.members.iter().filter(|&&(_, of)| of <= depth);
        members.map(|&(anchor, _)| anchor).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::shift;
    use zug_random::Random;
    use zug_symbolic::{Domain, Leaf};

    #[test]
    fn words_of_a_part_hold_the_places_of_its_anchors() {
        let mut random = Random::nth(1, 0);
        let plane: Vec<u64> = (0..8).map(|_| random.below(u64::MAX)).collect();
        let holds = |at: i32| plane[at as usize / PLACES] >> (at as usize % PLACES) & 1;
        for offset in -130..=130i16 {
            let part = Part { source: Source::Cells(0), offset, negated: false };
            for word in 3..5 {
                let anchors = random.below(u64::MAX) & random.below(u64::MAX);
                let words = part.words(word, anchors);
                let found = words.fold(0, |all, (at, by)| {
                    all | shift(plane[at.expect("it is on the board")], by)
                });
                for bit in (0..PLACES).filter(|bit| anchors >> bit & 1 != 0) {
                    let place = (word * PLACES + bit) as i32 + i32::from(offset);
                    assert_eq!(found >> bit & 1, holds(place), "{offset} {word} {bit}");
                }
            }
        }
        let part = Part { source: Source::Cells(0), offset: -1, negated: false };
        assert_eq!(part.words(0, 1).collect::<Vec<_>>(), [(None, 63)]);
        assert_eq!(part.words(0, 2).collect::<Vec<_>>(), [(Some(0), -1)]);
    }
    /// The most squares of a row of 16 in one plane, where all conditions also test these leaves.
    fn largest_family(with: &[u32], flags: u32) -> usize {
        let values: Box<[Cell]> = (0..3).map(Cell::small).collect();
        let leaves = 17 + flags;
        let domains = (0..leaves).map(|_| Domain::Values(values.clone())).collect();
        let mut store = Store::new(domains, u64::MAX / 2);
        let is = |leaf: u32, value: i64, store: &mut Store| {
            store.is_value(Leaf(leaf), Cell::small(value))
        };
        let mut roots = Vec::new();
        for at in 0..15 {
            for (here, next) in [(0, 1), (1, 0), (1, 1), (0, 0)] {
                let mut parts = vec![is(at, here, &mut store), is(at + 1, next, &mut store)];
                parts.extend(with.iter().map(|&leaf| is(leaf, 2, &mut store)));
                roots.push(store.and(parts));
            }
        }
        for flag in 17..leaves {
            let parts = [is(flag, 0, &mut store), is(16, 0, &mut store)];
            roots.push(store.and(parts));
        }
        let found = Families::of(&mut store, &roots, leaves as usize);
        let squares = |family: &Family| family.anchors.iter().filter(|&at| at < 16).count();
        found.families.iter().map(squares).max().unwrap_or(0)
    }

    #[test]
    fn a_leaf_in_all_conditions_is_no_place_and_a_board_among_flags_is_one() {
        for (with, flags) in [(&[][..], 0), (&[16], 0), (&[], 40)] {
            assert!(largest_family(with, flags) >= 15, "{with:?} {flags}");
        }
    }
}

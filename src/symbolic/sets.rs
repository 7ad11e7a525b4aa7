//! Sets of the values that a leaf may have, as bits, interned.

use rustc_hash::FxHashMap;

/// A set of values of one domain, by their numbers in it. Sets of domains of one size are shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set(u32);

/// All sets that occur.
#[derive(Debug, Default)]
pub struct Sets {
    sets: Vec<Box<[u64]>>,
    interned: FxHashMap<Box<[u64]>, Set>,
}

impl Sets {
    fn intern(&mut self, words: &[u64]) -> Set {
        if let Some(&set) = self.interned.get(words) {
            return set;
        }
        let set = Set(self.sets.len() as u32);
        self.sets.push(words.into());
        self.interned.insert(words.into(), set);
        set
    }

    fn words(&self, set: Set) -> &[u64] {
        &self.sets[set.0 as usize]
    }

    /// The set of the first `size` values: all of a domain.
    pub fn all(&mut self, size: usize) -> Set {
        self.of(size, 0..size)
    }

    /// The set of some of `size` values.
    pub fn of(&mut self, size: usize, members: impl IntoIterator<Item = usize>) -> Set {
        let mut words = vec![0; size.div_ceil(64)];
        for member in members {
            words[member / 64] |= 1 << (member % 64);
        }
        self.intern(&words)
    }

    /// What both have.
    pub fn intersection(&mut self, one: Set, other: Set) -> Set {
        self.combined(one, other, |a, b| a & b)
    }

    /// What one of them has.
    pub fn union(&mut self, one: Set, other: Set) -> Set {
        self.combined(one, other, |a, b| a | b)
    }

    /// What the first has and the second has not.
    pub fn difference(&mut self, one: Set, other: Set) -> Set {
        self.combined(one, other, |a, b| a & !b)
    }

    fn combined(&mut self, one: Set, other: Set, word: impl Fn(u64, u64) -> u64) -> Set {
        if one == other && word(1, 1) == 1 {
            return one;
        }
        let (left, right) = (self.words(one), self.words(other));
        if let (&[a], &[b]) = (left, right) {
            let word = word(a, b);
            match word {
                _ if word == a => return one,
                _ if word == b => return other,
                _ => return self.intern(&[word]),
            }
        }
        let words: Vec<u64> = left.iter().zip(right).map(|(&a, &b)| word(a, b)).collect();
        self.intern(&words)
    }

    /// Whether it has no member.
    pub fn is_empty(&self, set: Set) -> bool {
        self.words(set).iter().all(|&word| word == 0)
    }

    /// Whether no value is in both.
    pub fn are_disjoint(&self, one: Set, other: Set) -> bool {
        self.words(one).iter().zip(self.words(other)).all(|(a, b)| a & b == 0)
    }

    /// Whether the second has all that the first has.
    pub fn is_subset(&self, one: Set, other: Set) -> bool {
        self.words(one).iter().zip(self.words(other)).all(|(a, b)| a & !b == 0)
    }

    /// Whether it has one member.
    pub fn is_single(&self, set: Set) -> bool {
        self.words(set).iter().map(|word| word.count_ones()).sum::<u32>() == 1
    }

    /// Its members, ascending.
    pub fn members(&self, set: Set) -> Vec<usize> {
        let words = self.words(set);
        (0..64 * words.len()).filter(|&member| self.contains(set, member)).collect()
    }

    /// Whether it has this value.
    pub fn contains(&self, set: Set, member: usize) -> bool {
        self.words(set)[member / 64] >> (member % 64) & 1 == 1
    }
}

//! Permutations by number: the rank of a permutation among all, or among those of its parity.
//!
//! A digit for each position says how many smaller elements come behind (D. H. Lehmer, *Teaching combinatorial
//! tricks to a computer*, 1960); the first position is the highest. The last digit is always 0. Where parity
//! is known, so is the last but one: the sum of the digits has the parity of the permutation. Elements are
//! taken out of a list in one word, and those that are used counted in another, so that a number takes time
//! linear in the length, as with W. Myrvold, F. Ruskey, *Ranking and Unranking Permutations in Linear Time*,
//! Information Processing Letters 79, 2001; lexicographic numbers, as R. Korf and P. Schultze use them
//! (*Large-Scale Parallel Breadth-First Search*, AAAI 2005), change little where a move changes few positions,
//! which [`shuffle`](super::shuffle) makes use of.

/// The most elements: each is four bits of a word.
pub(super) const MOST: usize = 16;

/// The elements 0 to 15 in order, four bits each.
const LIST: u64 = 0xFEDC_BA98_7654_3210;

/// The most numbers: [`digit`] divides these.
pub(super) const MOST_NUMBERS: u64 = 1 << 36;

/// By radix: 2⁶⁴ by it, rounded up.
const INVERSES: [u64; MOST + 1] = {
    let (mut inverses, mut radix) = ([0; MOST + 1], 2);
    while radix <= MOST {
        inverses[radix] = u64::MAX / radix as u64 + 1;
        radix += 1;
    }
    inverses
};

/// The last digit of a number, which is left with the others.
///
/// PERF: numbers and radices are small, so that a multiplication divides exactly.
#[inline(always)]
pub(super) fn digit(number: &mut u64, radix: u64) -> u8 {
    if radix == 1 {
        return 0;
    }
    let inverse = INVERSES[radix as usize];
    let left = ((u128::from(*number) * u128::from(inverse)) >> 64) as u64;
    let digit = *number - left * radix;
    *number = left;
    digit as u8
}

/// A permutation: by position, the element.
pub(super) type Row = [u8; MOST];

/// The numbers of the permutations of N elements.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    pub(super) elements: usize,
    /// Numbers are those of permutations of one parity.
    pub(super) halved: bool,
}

impl Ranks {
    /// How many positions have a digit that counts.
    pub(super) fn digits(&self) -> usize {
        self.elements.saturating_sub(1 + usize::from(self.halved))
    }

    /// How many values the digit of a position has.
    pub(super) fn radix(&self, position: usize) -> u64 {
        (self.elements - position) as u64
    }

    /// The number of the digits of positions from one on, up to another: `None` if it is too large.
    pub(super) fn product(&self, from: usize, to: usize) -> Option<u64> {
        let to = to.min(self.digits());
        (from..to).try_fold(1u64, |product, at| product.checked_mul(self.radix(at)))
    }

    /// How many numbers there are: `None` if they are too many.
    pub(super) fn count(&self) -> Option<u64> {
        self.product(0, self.elements)
    }

    /// The number of a permutation.
    #[cfg(test)]
    pub(super) fn rank(&self, row: &[u8]) -> u64 {
        let (mut left, mut rank) = (full_list(), 0);
        for (at, &element) in row.iter().enumerate().take(self.digits()) {
            rank = rank * self.radix(at) + smaller(&mut left, element);
        }
        rank
    }

    /// The permutation with a number, and if parity is known, with this one.
    pub(super) fn unrank(&self, mut rank: u64, is_odd: bool) -> Row {
        let mut digits = [0u8; MOST];
        let mut sum = 0;
        for at in (0..self.digits()).rev() {
            digits[at] = digit(&mut rank, self.radix(at));
            sum += u32::from(digits[at]);
        }
        if self.halved {
            digits[self.elements - 2] = ((sum & 1) ^ u32::from(is_odd)) as u8;
        }
        let (mut row, mut list) = ([0; MOST], LIST);
        for at in 0..self.elements {
            row[at] = taken(&mut list, digits[at]);
        }
        row
    }
}

/// How many smaller elements than this one are not used yet, which it is from now on: of [`full_list`] in the
/// beginning, where each element is told that number in four bits.
///
/// PERF: no bits are counted, which processors of old have no instruction for.
#[inline(always)]
pub(super) fn smaller(left: &mut u64, element: u8) -> u64 {
    let shift = 4 * u32::from(element);
    let count = *left >> shift & 15;
    // Larger ones have one less. One that is used has room for all that come.
    *left |= 15 << shift;
    *left -= 0x1111_1111_1111_1110 << shift;
    count
}

/// Takes an element out of a list, by its place there.
pub(super) fn taken(list: &mut u64, place: u8) -> u8 {
    let shift = 4 * u32::from(place);
    let low = (1u64 << shift) - 1;
    let element = (*list >> shift) as u8 & 15;
    *list = *list & low | (*list >> 4) & !low;
    element
}

/// All elements, in order.
pub(super) fn full_list() -> u64 {
    LIST
}

/// Whether a permutation has an odd number of inversions.
pub(super) fn is_odd(row: &[u8]) -> bool {
    let mut left = full_list();
    row.iter().map(|&element| smaller(&mut left, element)).sum::<u64>() & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// All permutations of N elements in the order of their numbers.
    fn all(elements: u8) -> Vec<Vec<u8>> {
        if elements == 0 {
            return vec![Vec::new()];
        }
        let mut rows = Vec::new();
        for first in 0..elements {
            for rest in all(elements - 1) {
                let up = |element: u8| element + u8::from(element >= first);
                rows.push([first].into_iter().chain(rest.into_iter().map(up)).collect());
            }
        }
        rows
    }

    #[test]
    fn numbers_are_in_order_and_lead_back() {
        for elements in 0..8 {
            let ranks = Ranks { elements: usize::from(elements), halved: false };
            let rows = all(elements);
            assert_eq!(ranks.count(), Some(rows.len() as u64));
            for (number, row) in (0..).zip(rows) {
                assert_eq!(ranks.rank(&row), number);
                assert_eq!(ranks.unrank(number, false)[..row.len()], row);
            }
        }
    }

    #[test]
    fn a_parity_has_numbers_of_its_own() {
        for elements in 2..8 {
            let ranks = Ranks { elements: usize::from(elements), halved: true };
            for parity in [false, true] {
                let mut seen = HashSet::new();
                for row in all(elements).iter().filter(|row| is_odd(row) == parity) {
                    let number = ranks.rank(row);
                    assert!(seen.insert(number));
                    assert_eq!(ranks.unrank(number, parity)[..row.len()], row[..]);
                }
                assert_eq!(ranks.count(), Some(seen.len() as u64));
                assert!(seen.iter().all(|&number| number < seen.len() as u64));
            }
        }
    }

    #[test]
    fn digits_are_exact() {
        for radix in 1..=MOST as u64 {
            for number in (0..1000).chain(MOST_NUMBERS - 1000..MOST_NUMBERS) {
                let mut left = number;
                assert_eq!(u64::from(digit(&mut left, radix)), number % radix);
                assert_eq!(left, number / radix);
            }
        }
    }

    #[test]
    fn numbers_that_are_too_large_are_none() {
        assert_eq!(Ranks { elements: 16, halved: false }.count(), Some(20_922_789_888_000));
        assert_eq!(Ranks { elements: 30, halved: false }.count(), None);
    }
}

//! What a shuffle of positions does to the numbers of permutations.
//!
//! A shuffle that leaves all positions alone but those of a window changes the digits of these positions only,
//! and their new values follow from the old ones: of two elements of the window the smaller one is known
//! from the digits, and what comes behind the window stays behind it. So numbers with the same digits up to
//! the end of the window keep their distances, and a table says where they go. If parity stands for the last
//! digit, and the window reaches to the end, the digits in front of the window count by their parity too.

use super::ranks::{MOST, Ranks, Row, digit, full_list, smaller, taken};

/// The most entries of a table.
const MOST_ENTRIES: u64 = 1 << 16;

/// A divisor, by which numbers below 2³² are divided by multiplication.
#[derive(Clone, Copy, Debug)]
struct Divisor {
    by: u64,
    /// 2⁶⁴ by it, rounded up; 0 if numbers may be too large for that, or it is 1.
    inverse: u64,
}

impl Divisor {
    /// Of numbers up to a bound.
    fn new(by: u64, bound: u64) -> Divisor {
        let is_small = by > 1 && bound.max(by) < 1 << 32;
        Divisor { by, inverse: if is_small { u64::MAX / by + 1 } else { 0 } }
    }

    #[inline(always)]
    fn quotient(self, number: u64) -> u64 {
        match self.inverse {
            0 if self.by == 1 => number,
            0 => number / self.by,
            inverse => ((u128::from(number) * u128::from(inverse)) >> 64) as u64,
        }
    }
}

/// A shuffle of the positions of a permutation that moves some.
#[derive(Clone, Debug)]
pub(super) struct Shuffle {
    /// So many numbers one after the other have the same digits up to the end of the window.
    run: Divisor,
    /// How many values the digits of the window have together.
    width: Divisor,
    window: Window,
    /// By digits of the window, and parity if that counts: the new digits.
    table: Option<Box<[u32]>>,
    /// Parities of the digits in front of the window, if they count.
    front: Option<Parities>,
}

/// The positions that a shuffle moves.
#[derive(Clone, Debug)]
struct Window {
    first: usize,
    /// How many elements are at the first of its positions and behind it.
    elements: usize,
    positions: usize,
    /// How many of them have a digit that counts.
    digits: usize,
    /// The digit behind those follows from parity.
    by_parity: bool,
    /// By position in it: the one whose element comes there.
    from: Row,
}

impl Shuffle {
    /// Of permutations with these numbers, of which there are `count`: the element at each position comes from
    /// the position that `from` says. `None` if all stay where they are.
    pub(super) fn new(ranks: &Ranks, count: u64, from: &[u8]) -> Option<Shuffle> {
        let is_moved = |&at: &usize| usize::from(from[at]) != at;
        let first = (0..from.len()).find(is_moved)?;
        let mut end = (0..from.len()).rev().find(is_moved)? + 1;
        let by_parity = ranks.halved && end + 2 > ranks.elements;
        if by_parity {
            end = ranks.elements;
        }
        let mut window = Window {
            first,
            elements: ranks.elements - first,
            positions: end - first,
            digits: ranks.digits().min(end) - first,
            by_parity,
            from: [0; MOST],
        };
        for (to, &of) in window.from.iter_mut().zip(&from[first..end]) {
            *to = of - first as u8;
        }
        let run = ranks.product(end, ranks.elements)?;
        let width = ranks.product(first, end)?;
        let of_parity = width.checked_mul(1 + u64::from(by_parity))?;
        let table = (of_parity <= MOST_ENTRIES).then(|| {
            let parities = if by_parity { &[false, true][..] } else { &[false] };
            let each = |digits| parities.iter().map(move |&is_odd| (digits, is_odd));
            let entries = (0..width).flat_map(each);
            entries.map(|(digits, is_odd)| window.image(digits, is_odd) as u32).collect()
        });
        Some(Shuffle {
            run: Divisor::new(run, count),
            width: Divisor::new(width, count),
            window,
            table,
            front: by_parity.then(|| Parities::new(ranks, first)),
        })
    }

    /// Where the permutation with a number comes to, which has this parity if it counts; and up to which
    /// number all others come to be as far from it as they were.
    #[inline(always)]
    pub(super) fn image(&self, rank: u64, is_odd: bool) -> (u64, u64) {
        self.moved(rank, |front, digits| {
            let parities = self.front.as_ref();
            let is_odd = parities.is_some_and(|parities| parities.is_odd(front) != is_odd);
            match &self.table {
                Some(table) if self.window.by_parity => {
                    u64::from(table[(2 * digits + u64::from(is_odd)) as usize])
                }
                Some(table) => u64::from(table[digits as usize]),
                None => self.window.image(digits, is_odd),
            }
        })
    }

    /// As [`Shuffle::image`], of the permutation with that number.
    #[inline(always)]
    pub(super) fn image_of(&self, rank: u64, row: &Row) -> (u64, u64) {
        self.moved(rank, |_, _| self.window.image_of(row))
    }

    /// The same by what the digits in front of the window, and its own, say that its own come to.
    #[inline(always)]
    fn moved(&self, rank: u64, image: impl FnOnce(u64, u64) -> u64) -> (u64, u64) {
        let up_to_window = self.run.quotient(rank);
        let front = self.width.quotient(up_to_window);
        let image = image(front, up_to_window - front * self.width.by);
        let behind = rank - up_to_window * self.run.by;
        let end = (up_to_window + 1) * self.run.by;
        ((front * self.width.by + image) * self.run.by + behind, end)
    }

    pub(super) fn has_table(&self) -> bool {
        self.table.is_some()
    }

    /// Bytes that tables take.
    pub(super) fn bytes(&self) -> usize {
        let table = self.table.as_ref().map_or(0, |table| 4 * table.len());
        table + self.front.as_ref().map_or(0, Parities::bytes)
    }
}

impl Window {
    /// What digits of the window come to, if all digits of it have this parity.
    fn image(&self, mut number: u64, is_odd: bool) -> u64 {
        let radix = |at: usize| (self.elements - at) as u64;
        let (mut digits, mut sum) = ([0u8; MOST], 0);
        for at in (0..self.digits).rev() {
            digits[at] = digit(&mut number, radix(at));
            sum += digits[at];
        }
        if self.by_parity && self.positions > 1 {
            digits[self.positions - 2] = (sum & 1) ^ u8::from(is_odd);
        }
        let (mut row, mut list) = ([0; MOST], full_list());
        for at in 0..self.positions {
            row[at] = taken(&mut list, digits[at]);
        }
        let (mut left, mut image) = (full_list(), 0);
        for at in 0..self.digits {
            let element = row[usize::from(self.from[at])];
            image = image * radix(at) + smaller(&mut left, element);
        }
        image
    }

    /// What the digits of the window come to in a permutation.
    #[inline(always)]
    fn image_of(&self, row: &Row) -> u64 {
        let (mut left, mut image) = (full_list(), 0);
        let (before, row) = row.split_at(self.first);
        for &element in before {
            smaller(&mut left, element);
        }
        for (at, &from) in self.from.iter().enumerate().take(self.digits) {
            let element = row[usize::from(from)];
            image = image * (self.elements - at) as u64 + smaller(&mut left, element);
        }
        image
    }
}

/// Whether the sum of the first digits of a number is odd: of its upper and its lower half, by table.
#[derive(Clone, Debug)]
struct Parities {
    half: Divisor,
    upper: Box<[bool]>,
    lower: Box<[bool]>,
}

impl Parities {
    fn new(ranks: &Ranks, digits: usize) -> Parities {
        let of = |from: usize, to: usize| -> Box<[bool]> {
            let mut parities = vec![false];
            for at in from..to {
                let digit =
                    |&before: &bool| (0..ranks.radix(at)).map(move |d| before != (d & 1 == 1));
                parities = parities.iter().flat_map(digit).collect();
            }
            parities.into()
        };
        let size = |from, to| ranks.product(from, to).unwrap_or(u64::MAX);
        let middle = (0..=digits).min_by_key(|&at| size(0, at).saturating_add(size(at, digits)));
        let middle = middle.unwrap_or(0);
        let (upper, lower) = (of(0, middle), of(middle, digits));
        Parities { half: Divisor::new(lower.len() as u64, size(0, digits)), upper, lower }
    }

    #[inline(always)]
    fn is_odd(&self, number: u64) -> bool {
        let upper = self.half.quotient(number);
        let lower = number - upper * self.half.by;
        self.upper[upper as usize] != self.lower[lower as usize]
    }

    fn bytes(&self) -> usize {
        self.upper.len() + self.lower.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ranks::is_odd;
    use super::*;
    use proptest::prelude::*;

    /// Numbers, a shuffle of as many elements, and a part of all numbers.
    fn shuffled() -> impl Strategy<Value = (Ranks, Vec<u8>, u64)> {
        (2usize..10, any::<bool>(), any::<u64>()).prop_flat_map(|(elements, halved, part)| {
            let row: Vec<u8> = (0..elements as u8).collect();
            (0..=elements, 0..=elements).prop_flat_map(move |(from, to)| {
                let (from, to) = (from.min(to), from.max(to));
                let row = row.clone();
                Just(row[from..to].to_vec()).prop_shuffle().prop_map(move |window| {
                    let row = [&row[..from], &window, &row[to..]].concat();
                    (Ranks { elements, halved }, row, part)
                })
            })
        })
    }

    #[test]
    fn windows_that_are_too_wide_for_tables() {
        for halved in [false, true] {
            let (ranks, turned) = (Ranks { elements: 10, halved }, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
            let count = ranks.count().expect("few elements");
            let shuffle = Shuffle::new(&ranks, count, &turned).expect("all are moved");
            assert!(shuffle.table.is_none());
            for rank in (0..count).step_by(9973) {
                let mut row = ranks.unrank(rank, true)[..10].to_vec();
                row.reverse();
                assert_eq!(shuffle.image(rank, true).0, ranks.rank(&row));
            }
        }
    }

    proptest! {
        #[test]
        fn numbers_go_where_permutations_go((ranks, from, part) in shuffled(), odd: bool) {
            let count = ranks.count().expect("few elements");
            let Some(shuffle) = Shuffle::new(&ranks, count, &from) else {
                prop_assert!(from.iter().enumerate().all(|(at, &of)| at == usize::from(of)));
                return Ok(());
            };
            let mut rank = part % count;
            let (image, end) = shuffle.image(rank, odd);
            prop_assert!(end > rank);
            for step in 0..64 {
                let row = ranks.unrank(rank, odd);
                let after: Vec<u8> = from.iter().map(|&of| row[usize::from(of)]).collect();
                prop_assert_eq!(shuffle.image(rank, odd).0, ranks.rank(&after));
                prop_assert_eq!(shuffle.image_of(rank, &row), shuffle.image(rank, odd));
                if ranks.halved {
                    prop_assert_eq!(is_odd(&after), is_odd(&from) != odd);
                }
                if rank < end {
                    prop_assert_eq!(shuffle.image(rank, odd).0, image + step);
                }
                rank += 1;
                if rank == count {
                    break;
                }
            }
        }

        #[test]
        fn quotients(number in 0u64..1 << 33, by in 1u64..1 << 33) {
            let small = number % (1 << 32);
            prop_assert_eq!(Divisor::new(by, (1 << 32) - 1).quotient(small), small / by);
            prop_assert_eq!(Divisor::new(by, 1 << 33).quotient(number), number / by);
        }
    }
}

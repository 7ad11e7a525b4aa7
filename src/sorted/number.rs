//! Numbers of several words: [`Number`].

use std::cmp::Ordering;

/// A number of `W` words of 64 bits, the highest one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number<const W: usize>([u64; W]);

/// Takes bytes from the front of others.
pub(crate) fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

impl<const W: usize> Default for Number<W> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const W: usize> Ord for Number<W> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        // PERF: one word is compared as what it is.
        if W == 1 { self.0[0].cmp(&other.0[0]) } else { self.0.cmp(&other.0) }
    }
}

impl<const W: usize> PartialOrd for Number<W> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    #[inline]
    fn lt(&self, other: &Self) -> bool {
        if W == 1 { self.0[0] < other.0[0] } else { self.cmp(other).is_lt() }
    }
}

impl<const W: usize> Number<W> {
    /// 0.
    pub const ZERO: Self = Self([0; W]);

    /// A small number.
    pub const fn small(value: u64) -> Self {
        let mut words = [0; W];
        words[W - 1] = value;
        Self(words)
    }

    /// The words, the highest one first.
    pub const fn words(&self) -> &[u64; W] {
        &self.0
    }

    /// How many bits it takes.
    pub fn bits(&self) -> u32 {
        let zeros = self.0.iter().position(|&word| word != 0).unwrap_or(W);
        let top = self.0.get(zeros).map_or(0, |word| 64 - word.leading_zeros());
        if top == 0 { 0 } else { 64 * (W - zeros - 1) as u32 + top }
    }

    /// The sum; `None` if it does not fit.
    pub fn plus(mut self, other: &Self) -> Option<Self> {
        let mut carry = false;
        for (word, other) in self.0.iter_mut().zip(&other.0).rev() {
            let (sum, first) = word.overflowing_add(*other);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, first || second);
        }
        (!carry).then_some(self)
    }

    /// The difference to a number that is not greater.
    #[inline]
    #[must_use]
    pub fn minus(mut self, other: &Self) -> Self {
        if W == 1 {
            self.0[0] = self.0[0].wrapping_sub(other.0[0]);
            return self;
        }
        let mut borrow = false;
        for (word, other) in self.0.iter_mut().zip(&other.0).rev() {
            let (rest, first) = word.overflowing_sub(*other);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            (*word, borrow) = (rest, first || second);
        }
        self
    }

    /// The product with a small number; `None` if it does not fit.
    pub fn times(mut self, by: u32) -> Option<Self> {
        let mut carry = 0;
        for word in self.0.iter_mut().rev() {
            let product = u128::from(*word) * u128::from(by) + carry;
            (*word, carry) = (product as u64, product >> 64);
        }
        (carry == 0).then_some(self)
    }

    /// Adds a number `by` times; the sum has to fit.
    #[inline(always)]
    pub fn add_times(&mut self, number: &Self, by: u64) {
        if W == 1 {
            self.0[0] = self.0[0].wrapping_add(number.0[0].wrapping_mul(by));
            return;
        }
        let mut carry = 0;
        for (word, other) in self.0.iter_mut().zip(&number.0).rev() {
            let sum = u128::from(*other) * u128::from(by) + u128::from(*word) + carry;
            (*word, carry) = (sum as u64, sum >> 64);
        }
    }

    /// The number divided by a small one that is not 0, and the rest.
    #[inline(always)]
    pub fn divided(mut self, by: u32) -> (Self, u32) {
        let by = u64::from(by);
        if W == 1 {
            let word = self.0[0];
            self.0[0] = word / by;
            return (self, (word % by) as u32);
        }
        let mut rest = 0;
        for word in &mut self.0 {
            let high = rest << 32 | *word >> 32;
            let low = (high % by) << 32 | *word & 0xFFFF_FFFF;
            (*word, rest) = (((high / by) << 32) | (low / by), low % by);
        }
        (self, rest as u32)
    }

    /// Adds 1 and another number; the sum has to fit.
    #[inline(always)]
    pub(crate) fn step(&mut self, gap: &Self) {
        if W == 1 {
            self.0[0] = self.0[0].wrapping_add(gap.0[0]).wrapping_add(1);
            return;
        }
        let mut carry = true;
        for (word, other) in self.0.iter_mut().zip(&gap.0).rev() {
            let (sum, first) = word.overflowing_add(*other);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, first || second);
        }
    }

    /// The `bits` bits, at most 57, behind `skip` lower ones.
    pub(crate) fn bits_at(&self, skip: u32, bits: u32) -> u64 {
        let (word, shift) = ((skip / 64) as usize, skip % 64);
        let at = |word: usize| W.checked_sub(word + 1).map_or(0, |at| self.0[at]);
        let wide = u128::from(at(word)) | u128::from(at(word + 1)) << 64;
        (wide >> shift) as u64 & ((1 << bits) - 1)
    }

    /// Puts bits where [`Number::bits_at`] takes them from, where zeros are.
    pub(crate) fn put_bits(&mut self, skip: u32, bits: u64) {
        let (word, shift) = ((skip / 64) as usize, skip % 64);
        let wide = u128::from(bits) << shift;
        for (word, part) in [(word, wide as u64), (word + 1, (wide >> 64) as u64)] {
            if let Some(at) = W.checked_sub(word + 1) {
                self.0[at] |= part;
            }
        }
    }

    /// As bytes, the lowest first.
    pub fn to_bytes(&self, out: &mut Vec<u8>) {
        self.0.iter().rev().for_each(|word| out.extend(word.to_le_bytes()));
    }

    /// From the front of bytes, of which so many are taken; `None` if there are not enough.
    pub fn take(bytes: &mut &[u8]) -> Option<Self> {
        let mut number = Self::ZERO;
        for word in number.0.iter_mut().rev() {
            *word = u64::from_le_bytes(take(bytes)?);
        }
        Some(number)
    }
}

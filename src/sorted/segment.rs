//! A part of a run: [`Segment`].
//!
//! A block is a byte, the parameter `k`, and the gaps between its numbers as bits, the low ones of a byte first. A gap
//! less 1 is written as an exponential Golomb code: with `x` one more than all but its `k` low bits, as many
//! zeros as `x` has bits behind its highest one, a one, those bits, and the `k` low bits. `k` is what makes the block
//! small.

use super::marks::Marks;
use super::number::Number;

/// Numbers of a block: with this many, finding one takes half as long as a miss of the cache.
pub const BLOCK: usize = 64;
/// Bytes of a segment's blocks from which on it is full.
const FULL: usize = 1 << 15;
/// Zero bytes behind the blocks, since bits are read eight bytes at a time.
const PAD: usize = 8;
/// Zeros at most; one more says that a gap follows as it is.
const MOST_ZEROS: u32 = 28;
/// Bits that are there whatever place in a byte reading begins at.
const WINDOW: u32 = 57;

/// Numbers in rising order, each perhaps with a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment<const W: usize> {
    pub(crate) count: usize,
    /// The first number of each block.
    pub(crate) firsts: Vec<Number<W>>,
    /// Where each block begins.
    pub(crate) starts: Vec<u16>,
    pub(crate) data: Vec<u8>,
    /// What stands beside the numbers, if anything does.
    pub marks: Marks,
}

impl<const W: usize> Segment<W> {
    pub(crate) fn new() -> Self {
        let (firsts, starts) = (Vec::new(), Vec::new());
        Self { count: 0, firsts, starts, data: Vec::new(), marks: Marks::default() }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many blocks there are: of [`BLOCK`] numbers each, but for the last one.
    pub fn blocks(&self) -> usize {
        self.firsts.len()
    }

    /// How many numbers a block has.
    pub fn block_len(&self, block: usize) -> usize {
        (self.count - block * BLOCK).min(BLOCK)
    }

    /// The first number.
    pub fn first(&self) -> Option<Number<W>> {
        self.firsts.first().copied()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.firsts.capacity() * size_of::<Number<W>>()
            + self.starts.capacity() * size_of::<u16>()
            + self.data.capacity()
            + self.marks.bytes()
            + size_of::<Self>()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.data.len() >= FULL
    }

    /// Appends a block of at least one number in rising order; `near` is a guess of its parameter.
    pub(crate) fn push(&mut self, block: &[Number<W>], near: u32) -> u32 {
        debug_assert!(self.count.is_multiple_of(BLOCK), "blocks before the last one are full");
        let unused = self.data.len().saturating_sub(PAD);
        self.data.truncate(unused);
        if self.data.capacity() == 0 {
            self.data.reserve_exact(FULL + FULL / 16);
        }
        self.starts.push(self.data.len() as u16);
        self.firsts.push(block[0]);
        self.count += block.len();
        let mut gaps = [Number::ZERO; BLOCK];
        let gaps = &mut gaps[..block.len() - 1];
        for (gap, pair) in gaps.iter_mut().zip(block.windows(2)) {
            *gap = pair[1].minus(&pair[0]).minus(&Number::small(1));
        }
        let k = parameter(gaps, near);
        self.data.push(k as u8);
        let mut bits = Bits { out: &mut self.data, held: 0, count: 0 };
        gaps.iter().for_each(|gap| bits.gap(gap, k));
        bits.finish();
        self.data.extend([0; PAD]);
        k
    }

    /// The numbers of a block from its first on.
    #[inline]
    pub fn block(&self, block: usize) -> Cursor<'_, W> {
        let start = usize::from(self.starts[block]);
        let k = u32::from(self.data[start]);
        let bit = 8 * (start + 1);
        Cursor { data: &self.data, bit, k, number: self.firsts[block] }
    }

    /// Puts the numbers of a block, all of them, in `out`.
    #[inline]
    pub fn read(&self, block: usize, out: &mut [Number<W>]) {
        let mut cursor = self.block(block);
        if let Some((first, rest)) = out.split_first_mut() {
            *first = cursor.number();
            for number in rest {
                cursor.advance();
                *number = cursor.number();
            }
        }
    }

    /// Gives back room that is not used.
    pub(crate) fn shrink(&mut self) {
        self.data.shrink_to_fit();
        self.firsts.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.marks.shrink();
    }
}

/// The parameter that makes gaps small, beginning with a guess.
fn parameter<const W: usize>(gaps: &[Number<W>], near: u32) -> u32 {
    let mut lengths: Vec<(u32, u32)> = Vec::with_capacity(24);
    for gap in gaps {
        let bits = gap.bits();
        match lengths.iter_mut().find(|(length, _)| *length == bits) {
            Some((_, count)) => *count += 1,
            None => lengths.push((bits, 1)),
        }
    }
    let cost = |k: u32| -> u32 {
        let of = |&(bits, count): &(u32, u32)| {
            let code = bits.saturating_sub(k).max(1);
            count
                * if code > MOST_ZEROS { 64 * W as u32 + MOST_ZEROS + 2 } else { 2 * code - 1 + k }
        };
        lengths.iter().map(of).sum()
    };
    let most = (64 * W as u32 - 1).min(u32::from(u8::MAX));
    let (mut k, mut least) = (near, cost(near));
    for step in [1, -1] {
        while let Some(next) = k.checked_add_signed(step).filter(|&next| next <= most) {
            let cost = cost(next);
            // Beside an escape costs may stay as they are for long.
            if cost > least || cost == least && step < 0 {
                break;
            }
            (k, least) = (next, cost);
        }
    }
    k
}

struct Bits<'o> {
    out: &'o mut Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    #[inline]
    fn push(&mut self, bits: u64, count: u32) {
        debug_assert!(count <= WINDOW && bits >> count == 0, "so many bits");
        self.held |= bits << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn wide<const W: usize>(&mut self, number: &Number<W>, count: u32) {
        let mut from = 0;
        while from < count {
            let part = (count - from).min(48);
            self.push(number.bits_at(from, part), part);
            from += part;
        }
    }

    fn gap<const W: usize>(&mut self, gap: &Number<W>, k: u32) {
        let above = gap.bits().saturating_sub(k);
        let x = if above <= MOST_ZEROS { gap.bits_at(k, above) + 1 } else { u64::MAX };
        let zeros = 63 - x.leading_zeros();
        if zeros > MOST_ZEROS {
            self.push(1 << (MOST_ZEROS + 1), MOST_ZEROS + 2);
            return self.wide(gap, 64 * W as u32);
        }
        self.push(1 << zeros, zeros + 1);
        self.push(x & !(1 << zeros), zeros);
        self.wide(gap, k);
    }

    fn finish(self) {
        if self.count > 0 {
            self.out.push(self.held as u8);
        }
    }
}

/// The numbers of a block, one after another.
#[derive(Clone, Debug)]
pub struct Cursor<'s, const W: usize> {
    data: &'s [u8],
    bit: usize,
    k: u32,
    number: Number<W>,
}

impl<const W: usize> Cursor<'_, W> {
    /// The number here.
    #[inline(always)]
    pub fn number(&self) -> Number<W> {
        self.number
    }

    #[inline(always)]
    fn window(&self) -> u64 {
        let from = self.bit / 8;
        let bytes = self.data[from..from + 8].first_chunk().expect("eight bytes");
        u64::from_le_bytes(*bytes) >> (self.bit % 8)
    }

    fn wide(&mut self, count: u32) -> Number<W> {
        let (mut number, mut from) = (Number::ZERO, 0);
        while from < count {
            let part = (count - from).min(48);
            number.put_bits(from, self.window() & ((1 << part) - 1));
            self.bit += part as usize;
            from += part;
        }
        number
    }

    /// Goes on to the next number, which there has to be in the block.
    #[inline(always)]
    pub fn advance(&mut self) {
        let window = self.window();
        let zeros = window.trailing_zeros();
        let gap = if zeros > MOST_ZEROS {
            self.bit += MOST_ZEROS as usize + 2;
            self.wide(64 * W as u32)
        } else {
            let above = (window >> (zeros + 1) & ((1 << zeros) - 1)) + (1 << zeros) - 1;
            let (code, k) = (2 * zeros + 1, self.k);
            if W == 1 && code + k <= WINDOW {
                self.bit += (code + k) as usize;
                Number::small(above << k | window >> code & ((1 << k) - 1))
            } else {
                self.bit += code as usize;
                let mut gap = self.wide(k);
                gap.put_bits(k, above);
                gap
            }
        };
        self.number.step(&gap);
    }
}

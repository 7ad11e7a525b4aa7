//! The one seeded generator: PCG XSH-RR 64/32 (O'Neill 2014), behind `random/1` and its kin
//! and behind everything in `search` that draws. The same seed gives the same sequence on
//! every platform.
//!
//! Every machine starts from the same seed, so that runs can be repeated;
//! `set_random(seed(random))` asks for another one.

use num_bigint::BigInt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A small, fast, seeded generator.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const INCREMENT: u64 = 1_442_695_040_888_963_407;
/// The golden ratio's fraction of 2^64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Default for Random {
    fn default() -> Self {
        Random::new(20_240_607)
    }
}

impl Random {
    /// A generator whose sequence is fixed by `seed`.
    pub fn new(seed: u64) -> Self {
        let mut random = Random { state: seed.wrapping_add(INCREMENT) };
        random.next_u32();
        random
    }

    /// A generator seeded by the clock.
    pub fn from_clock() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Random::new(now.as_nanos() as u64)
    }

    /// One of many generators that follow from a seed, by number: neighbours have nothing to
    /// do with each other. The number is mixed in by the finalizer of SplitMix64 (Steele, Lea
    /// and Flood 2014).
    pub fn nth(seed: u64, number: u64) -> Self {
        let mut mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(GOLDEN));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Random::new(mixed ^ (mixed >> 31))
    }

    /// Where it is in its sequence: [`Random::at`] goes on from there.
    pub fn position(&self) -> u64 {
        self.state
    }

    /// The generator that is at a position.
    pub fn at(position: u64) -> Self {
        Random { state: position }
    }

    fn next_u32(&mut self) -> u32 {
        let state = self.state;
        self.state = state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        let shifted = (((state >> 18) ^ state) >> 27) as u32;
        shifted.rotate_right((state >> 59) as u32)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        u64::from(self.next_u32()) << 32 | u64::from(self.next_u32())
    }

    /// Uniform in `0..bound`, without bias (Lemire 2019); `bound` is positive.
    pub fn below(&mut self, bound: u64) -> u64 {
        debug_assert!(bound > 0);
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// Uniform in `0..bound` for a positive bound of any size.
    pub fn below_big(&mut self, bound: &BigInt) -> BigInt {
        let bits = bound.bits();
        let words = bits.div_ceil(32) as usize;
        let spare = (words as u64 * 32 - bits) as u32;
        loop {
            let mut digits: Vec<u32> = (0..words).map(|_| self.next_u32()).collect();
            if let Some(top) = digits.last_mut() {
                *top >>= spare;
            }
            let candidate = BigInt::new(num_bigint::Sign::Plus, digits);
            if candidate < *bound {
                return candidate;
            }
        }
    }

    /// Uniform in the open interval from 0 to 1.
    pub fn float(&mut self) -> f64 {
        loop {
            let value = (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            if value > 0.0 {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_follows_from_the_seed() {
        let (mut a, mut b) = (Random::new(7), Random::new(7));
        assert!((0..100).all(|_| a.next_u64() == b.next_u64()));
        assert_ne!(Random::new(8).next_u64(), Random::new(7).next_u64());
        assert_eq!(Random::at(a.position()).next_u64(), b.next_u64());
    }

    #[test]
    fn numbered_generators_differ() {
        let first = |seed, number| Random::nth(seed, number).next_u64();
        let drawn: std::collections::BTreeSet<u64> =
            (0..20).flat_map(|seed| (0..50).map(move |number| first(seed, number))).collect();
        assert_eq!((drawn.len(), first(3, 4)), (1000, first(3, 4)));
    }

    #[test]
    fn values_stay_within_their_bound_and_spread() {
        let mut random = Random::default();
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[random.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
        let bound = BigInt::from(10).pow(40);
        assert!((0..100).all(|_| random.below_big(&bound) < bound));
        assert!((0..100).map(|_| random.float()).all(|x| x > 0.0 && x < 1.0));
    }
}

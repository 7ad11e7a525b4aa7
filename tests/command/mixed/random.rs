//! Numbers that look random and are the same for a seed: SplitMix64 (Steele, Lea, Flood, "Fast
//! splittable pseudorandom number generators", OOPSLA 2014).

/// A generator.
pub struct Random(u64);

impl Random {
    /// A generator for a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + (self.bits() % (high - low + 1) as u64) as i64
    }

    /// A number from `low` to `high`, both included.
    pub fn size(&mut self, low: usize, high: usize) -> usize {
        self.range(low as i64, high as i64) as usize
    }

    /// Whether something happens that happens once in so many times.
    pub fn once_in(&mut self, times: i64) -> bool {
        self.range(1, times) == 1
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.size(0, all.len() - 1)]
    }

    /// A name of small letters.
    pub fn name(&mut self) -> String {
        let length = self.size(3, 7);
        let letters = (0..length).map(|_| *self.pick(b"abcdefghijklmnopqrstuvwxyz") as char);
        // Not a word that means something.
        letters.collect::<String>() + "q"
    }
}

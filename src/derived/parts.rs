//! Things told apart into parts, of which some turn out to be one (B. Galler, M. Fischer, *An Improved Equivalence
//! Algorithm*, Communications of the ACM 7, 1964).

/// Parts of the numbers up to a count, each known by its least one.
pub(crate) struct Parts {
    /// By number: another one of its part that is less, or itself.
    less: Vec<u32>,
}

impl Parts {
    /// Each number is a part of its own.
    pub fn new(count: usize) -> Parts {
        Parts { less: (0..count as u32).collect() }
    }

    pub fn least(&self, mut number: u32) -> u32 {
        while self.less[number as usize] != number {
            number = self.less[number as usize];
        }
        number
    }

    /// Has two numbers be of one part.
    pub fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.least(one), self.least(other));
        self.less[one.max(other) as usize] = one.min(other);
    }
}

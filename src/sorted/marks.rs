//! Small numbers beside keys, in as few bytes as they need: [`Marks`].

/// Small numbers in an array, of one, two or four bytes each, as the greatest of them needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    width: u8,
    bytes: Vec<u8>,
}

impl Marks {
    /// How many there are.
    pub fn len(&self) -> usize {
        if self.width == 0 { 0 } else { self.bytes.len() / usize::from(self.width) }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The mark at a place; 0 where there are none.
    #[inline]
    pub fn get(&self, at: usize) -> u32 {
        let two = |at: usize| u32::from(self.bytes[at]) | u32::from(self.bytes[at + 1]) << 8;
        match self.width {
            0 => 0,
            1 => u32::from(self.bytes[at]),
            2 => two(2 * at),
            _ => two(4 * at) | two(4 * at + 2) << 16,
        }
    }

    /// Puts a mark at a place that has one.
    #[inline]
    pub fn set(&mut self, at: usize, mark: u32) {
        self.make_wide(mark);
        let width = usize::from(self.width);
        self.bytes[at * width..(at + 1) * width].copy_from_slice(&mark.to_le_bytes()[..width]);
    }

    /// Puts a mark behind the others.
    #[inline]
    pub fn push(&mut self, mark: u32) {
        self.make_wide(mark);
        self.bytes.extend_from_slice(&mark.to_le_bytes()[..usize::from(self.width)]);
    }

    /// Calls `visit` with each place and mark.
    #[inline]
    pub fn each(&self, mut visit: impl FnMut(usize, u32)) {
        match self.width {
            // PERF: one byte each is the rule.
            1 => self.bytes.iter().enumerate().for_each(|(at, &mark)| visit(at, u32::from(mark))),
            _ => (0..self.len()).for_each(|at| visit(at, self.get(at))),
        }
    }

    /// Whether one of N places from one on has this mark.
    #[inline]
    pub fn has(&self, from: usize, count: usize, mark: u32) -> bool {
        match self.width {
            0 => count > 0 && mark == 0,
            1 => {
                u8::try_from(mark).is_ok_and(|mark| self.bytes[from..from + count].contains(&mark))
            }
            _ => (from..from + count).any(|at| self.get(at) == mark),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Gives back room that is not used.
    pub fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }

    #[inline]
    fn make_wide(&mut self, mark: u32) {
        let width = match mark {
            0..=0xFF => 1,
            0x100..=0xFFFF => 2,
            _ => 4,
        };
        if width > self.width {
            self.widen(width);
        }
    }

    #[cold]
    fn widen(&mut self, width: u8) {
        let mut wide = Vec::with_capacity(self.len() * usize::from(width));
        for at in 0..self.len() {
            wide.extend_from_slice(&self.get(at).to_le_bytes()[..usize::from(width)]);
        }
        self.bytes = wide;
        self.width = width;
    }
}

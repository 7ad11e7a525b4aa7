//! Environments: the Y registers of clauses that call more than one goal.

use super::Machine;

/// Words before the Y registers: previous environment; continuation and number of Y registers; height for cut.
pub(super) const FRAME: usize = 3;

/// Words by which the environments grow at most at a time.
const FRAMES_STEP: usize = 1 << 22;

impl Machine {
    /// New environment on top of what the newest choice point protects.
    #[inline(always)]
    pub(super) fn allocate(&mut self, n: u16) {
        let base = self.frames_top();
        let end = base + FRAME + n as usize;
        if end > self.frames.len() {
            self.grow_frames(end);
        }
        self.set_frame_word(base, self.e as u64);
        self.set_frame_word(base + 1, u64::from(self.cp) << 32 | u64::from(n));
        self.set_frame_word(base + 2, u64::from(self.b0));
        self.e = base;
    }

    #[inline(always)]
    pub(super) fn deallocate(&mut self) {
        self.cp = (self.frame_word(self.e + 1) >> 32) as u32;
        self.e = self.frame_word(self.e) as usize;
    }

    /// The environment around one, and where that goes on.
    #[inline]
    pub(super) fn caller_of(&self, e: usize) -> (u32, usize) {
        ((self.frames[e + 1] >> 32) as u32, self.frames[e] as usize)
    }

    /// First free word of the environment stack.
    #[inline(always)]
    pub(super) fn frames_top(&self) -> usize {
        if self.e >= self.protected {
            self.e + FRAME + (self.frame_word(self.e + 1) as u32) as usize
        } else {
            self.protected
        }
    }

    /// Makes room for environments up to `end`.
    #[cold]
    pub(super) fn grow_frames(&mut self, end: usize) {
        let size = (self.frames.len() + self.frames.len().min(FRAMES_STEP)).max(end + 1024);
        self.frames.resize(size, 0);
        // A runaway recursion shows here first: have the next call look at it.
        if size * 8 > self.memory_limit / 4 {
            self.poll_soon();
        }
    }
}

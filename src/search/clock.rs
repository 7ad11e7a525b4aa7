//! Time and cancellation, checked between operations.
//!
//! PERF: reading the clock costs as much as expanding a small packed state, so it is read
//! once in a number of operations that adapts to how long they take. Cancellation is checked
//! at every one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::progress;
use super::report::StopReason;

/// Time between two calls of an observer.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// If a stride of operations takes less than this, the next one is twice as long.
const STRIDE_SHORT: Duration = Duration::from_micros(50);
/// If it takes more than this, the next one is a single operation.
const STRIDE_LONG: Duration = Duration::from_millis(1);

/// The flag of searches that can't be cancelled.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Checks the time and the cancel flag of [`Limits`].
pub struct Clock<'a> {
    time: Option<Duration>,
    cancel: &'a AtomicBool,
    began: Instant,
    /// When the clock was last read, and when an observer was last due.
    read: Duration,
    reported: Duration,
    /// Operations between two readings, and how many are left; without a limit of time,
    /// an observer and a listener the stride is 0.
    stride: u32,
    left: u32,
    most: u32,
}

/// When a search began, and what ends it: clocks of other threads go by it.
#[derive(Clone, Copy)]
pub struct Began<'a> {
    time: Option<Duration>,
    cancel: &'a AtomicBool,
    began: Instant,
}

impl<'a> Clock<'a> {
    /// A clock of another thread of the same search, which reports nothing.
    pub fn beside(Began { time, cancel, began }: Began<'a>, most: u32) -> Self {
        let timed = time.is_some();
        Self {
            time,
            cancel,
            began,
            read: began.elapsed(),
            reported: Duration::MAX,
            stride: u32::from(timed),
            left: if timed { 1 } else { u32::MAX },
            most,
        }
    }

    /// What clocks of other threads go by.
    pub fn began(&self) -> Began<'a> {
        Began { time: self.time, cancel: self.cancel, began: self.began }
    }

    /// A clock that starts now; `observed`: there is an observer; at most `most` operations
    /// between two readings.
    pub fn new(limits: &'a Limits, observed: bool, most: u32) -> Self {
        let timed = limits.time.is_some() || observed || progress::has_listener();
        Self {
            time: limits.time,
            cancel: limits.cancel.as_deref().unwrap_or(&NEVER),
            began: Instant::now(),
            read: Duration::ZERO,
            reported: Duration::ZERO,
            stride: u32::from(timed),
            left: if timed { 1 } else { u32::MAX },
            most,
        }
    }

    /// Whether the time is limited.
    pub fn is_limited(&self) -> bool {
        self.time.is_some()
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// One operation: whether it is time for [`Clock::poll`].
    #[inline(always)]
    pub fn is_due(&mut self) -> bool {
        self.left -= 1;
        self.left == 0 || self.cancel.load(Ordering::Relaxed)
    }

    /// Polls the flag and the time; `report` is called with the time when a report is due.
    ///
    /// # Errors
    /// The search is cancelled, or the time is over.
    #[cold]
    pub fn poll(&mut self, report: impl FnOnce(Duration)) -> Result<(), StopReason> {
        if self.cancel.load(Ordering::Relaxed) {
            self.left = self.left.max(1);
            return Err(StopReason::Cancelled);
        }
        if self.stride == 0 {
            self.left = u32::MAX;
            return Ok(());
        }
        let now = self.read();
        if now.saturating_sub(self.reported) >= REPORT_EVERY {
            self.reported = now;
            report(now);
        }
        if self.time.is_some_and(|limit| now >= limit) {
            return Err(StopReason::Time);
        }
        Ok(())
    }

    fn read(&mut self) -> Duration {
        let now = self.began.elapsed();
        let taken = now - self.read;
        self.read = now;
        if taken < STRIDE_SHORT {
            self.stride = (self.stride * 2).min(self.most);
        } else if taken > STRIDE_LONG {
            self.stride = 1;
        }
        self.left = self.stride;
        now
    }
}

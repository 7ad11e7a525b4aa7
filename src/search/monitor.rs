//! Limits and progress of a running search: what the meters of puzzles and games have in common.

use super::clock::{Began, Clock};
use super::limits::Limits;
use super::progress::{self, ProgressEvent};
use super::report::StopReason;
use super::space::Failure;
use std::time::Duration;

/// Why an engine does not go on. A limit that strikes travels through `?`, like a failure of the
/// problem, so engines read as if neither existed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt<F = Failure> {
    /// A limit.
    Stop(StopReason),
    /// A failure of the problem or game.
    Fail(F),
}

/// Progress of a search, as an event for the listener of its thread.
pub(crate) trait ToProgressEvent {
    /// The event.
    fn event(&self) -> ProgressEvent<'_>;
}

/// Checks limits and reports progress, which is a `P`.
pub(crate) struct Monitor<'a, P> {
    /// Nodes that may be counted, and whether their number is limited.
    pub nodes: u64,
    /// Bytes that may be held.
    pub memory: usize,
    /// Bytes held, as last recorded.
    pub held: usize,
    observer: Option<&'a mut (dyn FnMut(&P) + 'a)>,
    end_notice: progress::EndNotice,
    clock: Clock<'a>,
}

impl<'a, P: ToProgressEvent> Monitor<'a, P> {
    /// With at most `stride` operations between two readings of the clock.
    pub fn new(
        limits: &'a Limits,
        observer: Option<&'a mut (dyn FnMut(&P) + '_)>,
        stride: u32,
    ) -> Self {
        let observer = observer.map(|observer| -> &'a mut (dyn FnMut(&P) + 'a) { observer });
        let clock = Clock::new(limits, observer.is_some(), stride);
        Monitor {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            memory: limits.memory.unwrap_or(usize::MAX),
            held: 0,
            observer,
            end_notice: progress::EndNotice::default(),
            clock,
        }
    }

    /// For another thread of the same search, which may count so many nodes and hold so many bytes by itself.
    pub fn beside(began: Began<'a>, (nodes, memory): (u64, usize), stride: u32) -> Self {
        let clock = Clock::beside(began, stride);
        let end_notice = progress::EndNotice::default();
        Monitor { nodes, memory, held: 0, observer: None, end_notice, clock }
    }

    /// What monitors of other threads go by.
    pub fn began(&self) -> Began<'a> {
        self.clock.began()
    }

    /// Whether time or nodes are limited.
    pub fn is_limited(&self) -> bool {
        self.nodes != u64::MAX || self.clock.is_limited()
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// One operation: whether it is time for [`Monitor::poll`].
    #[inline(always)]
    pub fn is_due(&mut self) -> bool {
        self.clock.is_due()
    }

    /// Polls the clock; `progress` is made of bytes held and time when a report is due.
    ///
    /// # Errors
    /// The search is cancelled, or the time is over.
    #[cold]
    pub fn poll(&mut self, progress: impl FnOnce(usize, Duration) -> P) -> Result<(), StopReason> {
        self.clock.poll(|now| {
            let progress = progress(self.held, now);
            match &mut self.observer {
                Some(observer) => observer(&progress),
                None => self.end_notice.notify(progress.event()),
            }
        })
    }
}

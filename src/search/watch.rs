//! The limits of a search in the midst of it, and who is told how far it is: what the meters of
//! puzzles and games have in common.

use super::clock::Clock;
use super::limits::Limits;
use super::report::StopReason;
use super::standing::{self, Standing};
use std::time::Duration;

/// Why an engine does not go on. A limit that strikes travels through `?`, like a failure of the
/// problem, so engines read as if neither existed.
pub(crate) enum Halt<F> {
    /// A limit.
    Stop(StopReason),
    /// A failure of the problem or game.
    Fail(F),
}

/// How far a search is, for whoever listens to all of a thread.
pub(crate) trait Told {
    /// The news.
    fn standing(&self) -> Standing<'_>;
}

/// Watches limits and tells of progress, which is a `P`.
pub(crate) struct Watch<'a, P> {
    /// Nodes that may be counted, and whether their number is limited.
    pub nodes: u64,
    /// Bytes that may be held.
    pub memory: usize,
    /// Bytes held, as was said last.
    pub held: usize,
    observer: Option<&'a mut (dyn FnMut(&P) + 'a)>,
    standing: standing::End,
    clock: Clock<'a>,
}

impl<'a, P: Told> Watch<'a, P> {
    /// With at most `stride` operations between two looks at the clock.
    pub fn new(
        limits: &'a Limits,
        observer: Option<&'a mut (dyn FnMut(&P) + '_)>,
        stride: u32,
    ) -> Self {
        let observer = observer.map(|observer| -> &'a mut (dyn FnMut(&P) + 'a) { observer });
        let clock = Clock::new(limits, observer.is_some(), stride);
        Watch {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            memory: limits.memory.unwrap_or(usize::MAX),
            held: 0,
            observer,
            standing: standing::End::default(),
            clock,
        }
    }

    /// Whether time or nodes are limited.
    pub fn is_limited(&self) -> bool {
        self.nodes != u64::MAX || self.clock.is_limited()
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// One operation: whether it is time for [`Watch::look`].
    #[inline(always)]
    pub fn is_due(&mut self) -> bool {
        self.clock.is_due()
    }

    /// Looks at the clock; `progress` is made of bytes held and time when somebody is to be told.
    ///
    /// # Errors
    /// The search is cancelled, or the time is over.
    #[cold]
    pub fn look(&mut self, progress: impl FnOnce(usize, Duration) -> P) -> Result<(), StopReason> {
        self.clock.look(|now| {
            let progress = progress(self.held, now);
            match &mut self.observer {
                Some(observer) => observer(&progress),
                None => self.standing.tell(progress.standing()),
            }
        })
    }
}

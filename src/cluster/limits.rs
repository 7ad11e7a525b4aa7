//! What a search may use, how far it is, and when a worker looks at that.

use crate::peers::Peers;
use std::time::{Duration, Instant};

/// States that a worker works on in a round at most.
pub(crate) const ROUND: u64 = 1 << 15;
/// Time that it takes for that at most.
const ROUND_TIME: Duration = Duration::from_millis(250);
/// States between two looks at clocks and flags.
const STRIDE: u64 = 64;
/// States between two looks at what others have sent.
const TAKE: u64 = 1024;

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// So many states were expanded.
    Nodes,
    /// Layers beyond this depth were not asked for.
    Depth,
    /// Time is over.
    Time,
    /// A process holds as much as it may.
    Memory,
    /// It was cancelled.
    Cancelled,
}

const STOPS: [Stop; 5] = [Stop::Nodes, Stop::Depth, Stop::Time, Stop::Memory, Stop::Cancelled];

impl Stop {
    /// A number for it, or for none.
    pub(crate) fn code(stop: Option<Stop>) -> u64 {
        STOPS.iter().zip(1..).find(|(known, _)| stop == Some(**known)).map_or(0, |(_, code)| code)
    }

    /// What has a number; `None` if nothing has.
    pub(crate) fn of_code(code: u64) -> Option<Option<Stop>> {
        match usize::try_from(code).ok()?.checked_sub(1) {
            None => Some(None),
            Some(at) => STOPS.get(at).copied().map(Some),
        }
    }
}

/// How much a search may use. Nodes and depth are those of all workers, and the same in all; the others are those of
/// this process.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// The most expansions of this run.
    pub nodes: Option<u64>,
    /// The depth at which states are not expanded.
    pub depth: Option<u32>,
    /// When time is over.
    pub deadline: Option<Instant>,
    /// Bytes that the workers of this process may hold.
    pub memory: Option<usize>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States expanded by all workers.
    pub expanded: u64,
    /// Their successors.
    pub generated: u64,
    /// Those without a successor.
    pub terminal: u64,
    /// The depth of the layer.
    pub depth: u32,
    /// Bytes that this process holds.
    pub bytes: usize,
}

/// Told how far a search is.
pub type Observer<'o> = &'o mut dyn FnMut(&Progress);

/// Why a worker does not go on with a round.
pub(crate) enum Halt<E> {
    Stop(Stop),
    Fail(E),
}

/// A worker's part of a round.
pub(crate) struct Turn<'b> {
    bounds: &'b Bounds,
    /// Bytes that this worker may hold.
    room: Option<usize>,
    began: Instant,
    steps: u64,
}

/// What a worker does before it works on the next state.
pub(crate) enum Next {
    GoOn,
    /// It takes what others have sent.
    Take,
    /// It ends its part of the round.
    End,
    Stop(Stop),
}

impl<'b> Turn<'b> {
    /// Begins it, unless the search is over for this process; `room` is what the worker may hold.
    pub fn begin(
        bounds: &'b Bounds,
        room: Option<usize>,
        peers: &Peers<'_>,
    ) -> Result<Turn<'b>, Stop> {
        let turn = Turn { bounds, room, began: Instant::now(), steps: 0 };
        turn.look_around(turn.began, peers).map_or(Ok(turn), Err)
    }

    /// Counts a state. `bytes` says what this worker holds.
    #[inline]
    pub fn next(&mut self, peers: &Peers<'_>, bytes: impl FnOnce() -> usize) -> Next {
        let steps = self.steps;
        self.steps += 1;
        if steps.is_multiple_of(STRIDE) { self.look(steps, peers, bytes()) } else { Next::GoOn }
    }

    fn look(&self, steps: u64, peers: &Peers<'_>, bytes: usize) -> Next {
        let now = Instant::now();
        if let Some(stop) = self.look_around(now, peers) {
            return Next::Stop(stop);
        }
        if self.room.is_some_and(|room| bytes > room) {
            return Next::Stop(Stop::Memory);
        }
        match steps {
            _ if now - self.began >= ROUND_TIME => Next::End,
            _ if steps.is_multiple_of(TAKE) => Next::Take,
            _ => Next::GoOn,
        }
    }

    fn look_around(&self, now: Instant, peers: &Peers<'_>) -> Option<Stop> {
        let is_late = self.bounds.deadline.is_some_and(|deadline| now >= deadline);
        match (peers.is_cancelled(), is_late) {
            (true, _) => Some(Stop::Cancelled),
            (false, true) => Some(Stop::Time),
            (false, false) => None,
        }
    }
}

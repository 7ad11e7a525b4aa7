//! Counts, limits and progress of game engines.
//!
//! A limit that strikes travels as a [`Halt`] through `?`, like a failure of the game, so
//! engines read as if neither existed.

use super::graph::Graph;
use super::report::{GameObserver, GameProgress, GameStats};
use crate::clock::Clock;
use crate::limits::Limits;
use crate::problem::StateStore;
use crate::report::StopReason;
use crate::standing::{self, Standing};

/// Why an engine does not go on.
pub(super) enum Halt<E> {
    /// A limit.
    Stop(StopReason),
    /// A failure of the game.
    Fail(E),
}

/// The most nodes between two looks at the clock: a node is visited in nanoseconds.
const STRIDE_MOST: u32 = 4096;

/// Counts nodes and watches the limits.
pub(super) struct Meter<'a> {
    pub stats: GameStats,
    /// The depth being searched, for progress.
    pub depth: Option<u32>,
    nodes: u64,
    memory: usize,
    held: usize,
    /// How many states the graph asked about, in other searches too.
    asked: u64,
    observer: Option<&'a mut GameObserver<'a>>,
    standing: standing::End,
    clock: Clock<'a>,
}

impl<'a> Meter<'a> {
    pub fn new(limits: &'a Limits, observer: Option<&'a mut GameObserver<'_>>) -> Self {
        let observer = observer.map(|observer| -> &'a mut GameObserver<'a> { observer });
        let clock = Clock::new(limits, observer.is_some(), STRIDE_MOST);
        Self {
            stats: GameStats { iterations: 1, ..GameStats::default() },
            depth: None,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            memory: limits.memory.unwrap_or(usize::MAX),
            held: 0,
            asked: 0,
            observer,
            standing: standing::End::default(),
            clock,
        }
    }

    /// Whether time or nodes are limited.
    pub fn is_limited(&self) -> bool {
        self.nodes != u64::MAX || self.clock.is_limited()
    }

    /// The most bytes that may be held.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// Counts a node `depth` moves from the root.
    #[inline(always)]
    pub fn visit<E>(&mut self, depth: usize) -> Result<(), Halt<E>> {
        if self.stats.nodes >= self.nodes {
            return Err(Halt::Stop(StopReason::Nodes));
        }
        self.stats.nodes += 1;
        self.stats.max_depth = self.stats.max_depth.max(depth as u32);
        self.watch()
    }

    /// Looks whether time is over or the search cancelled.
    #[inline(always)]
    pub fn watch<E>(&mut self) -> Result<(), Halt<E>> {
        if self.clock.is_due() { self.look().map_err(Halt::Stop) } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), StopReason> {
        let report = |now| {
            let progress = GameProgress {
                nodes: self.stats.nodes,
                states: self.asked + self.stats.states,
                depth: self.depth,
                memory_bytes: self.held,
                elapsed: now,
            };
            match &mut self.observer {
                Some(observer) => observer(&progress),
                None => self.standing.tell(Standing::Game(&progress)),
            }
        };
        self.clock.look(report)
    }

    /// Records what the graph and an engine hold; whether it is more than is good.
    #[inline]
    pub fn is_crowded<S: StateStore, M: Copy, V>(
        &mut self,
        graph: &Graph<S, M, V>,
        own: usize,
    ) -> bool {
        self.note(graph.bytes() + own);
        self.asked = graph.asked();
        // While a graph is thinned out the old one is still there.
        self.held > self.memory / 3 * 2
    }

    /// As [`Meter::is_crowded`], for engines that can't do with less.
    ///
    /// # Errors
    /// The memory limit is reached.
    pub fn hold<S: StateStore, M: Copy, V, E>(
        &mut self,
        graph: &Graph<S, M, V>,
        own: usize,
    ) -> Result<(), Halt<E>> {
        self.asked = graph.asked();
        self.hold_bytes(graph.bytes() + own)
    }

    /// As [`Meter::hold`], for engines without a graph.
    ///
    /// # Errors
    /// The memory limit is reached.
    pub fn hold_bytes<E>(&mut self, bytes: usize) -> Result<(), Halt<E>> {
        self.note(bytes);
        if self.held > self.memory { Err(Halt::Stop(StopReason::Memory)) } else { Ok(()) }
    }

    fn note(&mut self, bytes: usize) {
        self.held = bytes;
        self.stats.peak_memory_bytes = self.stats.peak_memory_bytes.max(bytes);
    }

    /// Sets the final time and the states asked about since `asked_before`.
    pub fn finish<S: StateStore, M: Copy, V>(&mut self, graph: &Graph<S, M, V>, asked_before: u64) {
        self.is_crowded(graph, 0);
        self.stats.states += graph.asked() - asked_before;
        self.stats.elapsed = self.clock.elapsed();
    }
}

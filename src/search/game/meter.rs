//! Counts, limits and progress of game engines.

use super::graph::Graph;
use super::interface::Game;
use super::report::{GameObserver, GameProgress, GameStats, Verdict};
use crate::clock::Began;
use crate::limits::Limits;
pub use crate::monitor::Halt;
use crate::monitor::{Monitor, ToProgressEvent};
use crate::progress::ProgressEvent;
use crate::report::StopReason;
use crate::space::Row;
use std::time::Duration;

/// The most nodes between two polls of the clock: a node is visited in nanoseconds.
const STRIDE_MOST: u32 = 4096;
/// The most nodes that are counted at once.
const MOST_AHEAD: u32 = 1024;

/// What the engine functions return.
pub(super) type Answer<G> = Result<Verdict<<G as Game>::Value>, Halt>;
/// As [`Answer`], of functions that may leave a game to another.
pub(super) type PerhapsAnswer<G> = Result<Option<Verdict<<G as Game>::Value>>, Halt>;

/// Counts nodes and watches the limits.
pub(super) struct Meter<'a> {
    pub stats: GameStats,
    /// The depth being searched, for progress.
    pub depth: Option<u32>,
    /// How many states the graph asked about, in other searches too.
    asked: u64,
    monitor: Monitor<'a, GameProgress>,
}

impl ToProgressEvent for GameProgress {
    fn event(&self) -> ProgressEvent<'_> {
        ProgressEvent::Game(self)
    }
}

impl<'a> Meter<'a> {
    pub fn new(limits: &'a Limits, observer: Option<&'a mut GameObserver<'_>>) -> Self {
        Self {
            stats: GameStats { iterations: 1, ..GameStats::default() },
            depth: None,
            asked: 0,
            monitor: Monitor::new(limits, observer, STRIDE_MOST),
        }
    }

    /// For another thread of the same search, which may count so many nodes and hold so many bytes by itself.
    pub fn beside(began: Began<'a>, most: (u64, usize)) -> Self {
        Self {
            stats: GameStats::default(),
            depth: None,
            asked: 0,
            monitor: Monitor::beside(began, most, STRIDE_MOST),
        }
    }

    /// What meters of other threads go by.
    pub fn began(&self) -> Began<'a> {
        self.monitor.began()
    }

    /// Sets how many nodes may be counted and bytes be held: what it was before.
    pub fn allow(&mut self, most: (u64, usize)) -> (u64, usize) {
        let before = (self.monitor.nodes, self.monitor.memory);
        (self.monitor.nodes, self.monitor.memory) = most;
        before
    }

    /// Counts what was done beside it, in a part of the time.
    pub fn add(&mut self, other: &GameStats) {
        let own = &mut self.stats;
        own.nodes += other.nodes;
        own.states += other.states;
        own.cutoffs += other.cutoffs;
        own.table_hits += other.table_hits;
        own.max_depth = own.max_depth.max(other.max_depth);
    }

    /// Nodes that may still be counted.
    pub fn nodes_left(&self) -> u64 {
        self.monitor.nodes.saturating_sub(self.stats.nodes)
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.monitor.elapsed()
    }

    /// Whether time or nodes are limited.
    pub fn is_limited(&self) -> bool {
        self.monitor.is_limited()
    }

    /// The most bytes that may be held.
    pub fn memory(&self) -> usize {
        self.monitor.memory
    }

    /// Counts a node `depth` moves from the root.
    #[inline(always)]
    pub fn visit(&mut self, depth: usize) -> Result<(), Halt> {
        if self.stats.nodes >= self.monitor.nodes {
            return Err(Halt::Stop(StopReason::Nodes));
        }
        self.stats.nodes += 1;
        self.stats.max_depth = self.stats.max_depth.max(depth as u32);
        self.poll()
    }

    /// Counts states whose moves are asked for without a graph.
    pub fn asked(&mut self, states: u64) {
        self.stats.states += states;
    }

    /// Nodes that may be counted before limits are looked at again.
    pub fn ahead(&self) -> u32 {
        u32::try_from(self.nodes_left()).unwrap_or(u32::MAX).min(MOST_AHEAD)
    }

    /// Counts so many nodes, as many as [`Meter::ahead`] says at most.
    pub fn visits(&mut self, nodes: u32) -> Result<(), Halt> {
        self.stats.nodes += u64::from(nodes);
        (0..nodes).try_for_each(|_| self.poll())
    }

    /// Looks whether time is over or the search cancelled.
    #[inline(always)]
    pub fn poll(&mut self) -> Result<(), Halt> {
        if self.monitor.is_due() { self.poll_now().map_err(Halt::Stop) } else { Ok(()) }
    }

    #[cold]
    fn poll_now(&mut self) -> Result<(), StopReason> {
        self.monitor.poll(|memory_bytes, elapsed| GameProgress {
            nodes: self.stats.nodes,
            states: self.asked + self.stats.states,
            depth: self.depth,
            memory_bytes,
            elapsed,
        })
    }

    /// Records what the graph and an engine hold; whether it is more than is good.
    #[inline]
    pub fn is_crowded<S: Row, V>(&mut self, graph: &Graph<S, V>, own: usize) -> bool {
        self.note(graph.bytes() + own);
        self.asked = graph.asked();
        // While a graph is thinned out the old one is still there.
        self.monitor.held > self.monitor.memory / 3 * 2
    }

    /// As [`Meter::is_crowded`], for engines that can't do with less.
    ///
    /// # Errors
    /// The memory limit is reached.
    pub fn hold<S: Row, V>(&mut self, graph: &Graph<S, V>, own: usize) -> Result<(), Halt> {
        self.asked = graph.asked();
        self.hold_bytes(graph.bytes() + own)
    }

    /// As [`Meter::hold`], for engines without a graph.
    ///
    /// # Errors
    /// The memory limit is reached.
    pub fn hold_bytes(&mut self, bytes: usize) -> Result<(), Halt> {
        self.note(bytes);
        if self.monitor.held > self.monitor.memory {
            Err(Halt::Stop(StopReason::Memory))
        } else {
            Ok(())
        }
    }

    fn note(&mut self, bytes: usize) {
        self.monitor.held = bytes;
        self.stats.peak_memory_bytes = self.stats.peak_memory_bytes.max(bytes);
    }

    /// Sets the final time and the states asked about since `asked_before`.
    pub fn finish<S: Row, V>(&mut self, graph: &Graph<S, V>, asked_before: u64) {
        self.is_crowded(graph, 0);
        self.stats.states += graph.asked() - asked_before;
        self.stats.elapsed = self.monitor.elapsed();
    }
}

//! What alpha-beta finds out about states: bounds within windows, kept in a table.

use super::graph::{Graph, NodeId, UNKNOWN};
use super::value::Value;
use crate::search::problem::StateStore;
use std::hint::black_box;

/// What a value in the table says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// Nothing.
    None,
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What is known of a state.
#[derive(Clone, Copy)]
pub(super) struct Entry<V> {
    /// The value, or a bound on it.
    pub value: V,
    /// The depth it was searched to.
    pub left: u32,
    /// Moves of the longest play looked at.
    pub height: u32,
    /// The edge of a move that reaches it.
    pub best_edge: u32,
    /// What the value says.
    pub bound: Bound,
    /// No estimate went into the value.
    pub exact: bool,
}

impl<V: Value> Entry<V> {
    const EMPTY: Self = Self {
        value: V::ZERO,
        left: 0,
        height: 0,
        best_edge: UNKNOWN,
        bound: Bound::None,
        exact: false,
    };

    /// Whether it counts for a search to this depth.
    pub fn counts(&self, left: u32) -> bool {
        self.bound != Bound::None && (self.left == left || self.exact && left > self.height)
    }
}

/// What a subtree was found to be worth.
#[derive(Clone, Copy)]
pub(super) struct Found<V> {
    /// The value, or a bound on it.
    pub value: V,
    /// Moves of the longest play looked at.
    pub height: u32,
    /// No estimate went into it.
    pub exact: bool,
}

/// Values between which the search matters.
#[derive(Clone, Copy)]
pub(super) struct Window<V> {
    pub alpha: V,
    pub beta: V,
}

impl<V: Value> Window<V> {
    pub const WHOLE: Self = Self { alpha: V::LEAST, beta: V::GREATEST };

    /// Asks whether a value is greater than `alpha`.
    pub fn above(alpha: V) -> Self {
        Self { alpha, beta: alpha.negated().below().negated() }
    }

    /// The same for the opponent.
    fn turned(self) -> Self {
        Self { alpha: self.beta.negated(), beta: self.alpha.negated() }
    }

    pub fn for_player(self, turns: bool) -> Self {
        if turns { self.turned() } else { self }
    }
}

/// A value of a successor to the player to move before it.
#[inline]
pub(super) fn for_player<V: Value>(value: V, turns: bool) -> V {
    if turns { value.negated() } else { value }
}

/// A transposition table with an entry for each state of a graph.
pub(super) struct Table<V> {
    entries: Vec<Entry<V>>,
}

/// Heights of subtrees told apart when the table is thinned out.
const HEIGHTS: usize = 256;

impl<V: Value> Table<V> {
    /// An empty table.
    pub fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry<V>>()
    }

    /// The entry of a state, if there ever was one.
    #[inline]
    pub fn get(&self, node: NodeId) -> Option<&Entry<V>> {
        self.entries.get(node as usize)
    }

    /// PERF: fetches the entries of some states from memory at the same time, which looked up
    /// one after the other would wait for each.
    #[inline]
    fn prepare(&self, nodes: impl Iterator<Item = NodeId>) {
        let left = |node| self.get(node).map_or(0, |entry| entry.left);
        black_box(nodes.fold(0, |touched, node| touched ^ left(node)));
    }

    /// What is known of a state, if it is enough for a window.
    #[inline]
    pub fn look_up(&self, node: NodeId, left: u32, window: Window<V>) -> Option<Found<V>> {
        let &Entry { value, height, bound, exact, .. } =
            self.get(node).filter(|entry| entry.counts(left))?;
        let enough = match bound {
            Bound::Exact => true,
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
            Bound::None => false,
        };
        enough.then_some(Found { value, height, exact })
    }

    /// A successor that is known to cut makes the search needless.
    #[inline]
    pub fn cut_below<S: StateStore, M: Copy>(
        &self,
        graph: &Graph<S, M, V>,
        node: NodeId,
        left: u32,
        beta: V,
    ) -> Option<Found<V>> {
        let edges = graph.known_edges(node);
        self.prepare(edges.iter().map(|edge| edge.to));
        for edge in edges {
            let Some(entry) = self.get(edge.to).filter(|entry| entry.counts(left)) else {
                continue;
            };
            let turns = graph.player(edge.to) != graph.player(node);
            let wrong = if turns { Bound::Lower } else { Bound::Upper };
            let value = for_player(entry.value, turns);
            if entry.bound != wrong && value >= beta {
                let &Entry { height, exact, .. } = entry;
                return Some(Found { value, height: height + 1, exact });
            }
        }
        None
    }

    /// Puts what was found into the table.
    pub fn keep(
        &mut self,
        node: NodeId,
        left: u32,
        best_edge: u32,
        bound: Bound,
        found: Found<V>,
        states: usize,
    ) {
        if self.entries.len() <= node as usize {
            self.entries.resize(states, Entry::EMPTY);
        }
        let Found { value, height, exact } = found;
        let entry = &mut self.entries[node as usize];
        if entry.bound == Bound::Exact && entry.exact && !exact {
            return;
        }
        *entry = Entry { value, left, height, best_edge, bound, exact };
    }

    /// The least height of the subtrees that are kept when only a number of states can be.
    pub fn least_height(&self, most: usize) -> usize {
        let mut of_height = [0usize; HEIGHTS];
        for entry in self.entries.iter().filter(|entry| entry.bound != Bound::None) {
            of_height[height(entry)] += 1;
        }
        let (mut least, mut kept) = (HEIGHTS, 0);
        while least > 1 && kept + of_height[least - 1] <= most {
            least -= 1;
            kept += of_height[least];
        }
        least
    }

    /// Whether something is known of a state whose subtree is so high.
    pub fn is_worth_keeping(&self, node: NodeId, least: usize) -> bool {
        let entry = self.get(node);
        entry.is_some_and(|entry| entry.bound != Bound::None && height(entry) >= least)
    }

    /// Gives the states new numbers; those that are [`UNKNOWN`] are forgotten.
    pub fn renumber(&mut self, numbers: &[NodeId], states: usize) {
        let mut entries = vec![Entry::EMPTY; states];
        for (entry, &number) in self.entries.iter().zip(numbers) {
            if number != UNKNOWN {
                entries[number as usize] = *entry;
            }
        }
        self.entries = entries;
    }
}

fn height<V>(entry: &Entry<V>) -> usize {
    (entry.height as usize).min(HEIGHTS - 1)
}

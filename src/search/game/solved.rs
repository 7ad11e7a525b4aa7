//! Values of solved states: [`Solved`].

use super::expectation::Expectations;
use super::expected::Expected;
use super::graph::{Graph, NodeId};
use super::interface::{Game, Player};
use super::report::{Means, Verdict};
use super::value::Value;
use crate::space::{MoveId, Row};
use rustc_hash::FxHashMap;

/// The distance of a state from which play need not end.
const ENDLESS: u32 = u32::MAX;
/// The longest line that is reported, in moves.
pub const LONGEST_LINE: usize = 10_000;

/// The states of a graph that are solved: all that can be reached from one of them are, too.
#[derive(Clone, Debug)]
pub struct Solved<V> {
    /// By node; `None` if it is not solved. With two players one value, that to the player to
    /// move; with more one for each player, one node after another.
    pub(super) values: Vec<Option<V>>,
    /// Moves to the end, by node.
    pub(super) distances: Vec<u32>,
    /// How many players, and how many values of a node.
    players: usize,
    pub(super) width: usize,
    /// By node: its values depend on a choice among equal moves.
    pub(super) ties: Vec<bool>,
    pub(super) ranges: Ranges<V>,
    /// The states from which play can meet chance, which have nothing above.
    pub(super) expectations: Expectations,
}

impl<V: Value> Solved<V> {
    /// Nothing is solved.
    pub fn new<G: Game<Value = V>>(game: &G) -> Self {
        let players = game.players();
        let width = if game.is_general_sum() { players } else { 1 };
        Self {
            players,
            ties: Vec::new(),
            ranges: Ranges::default(),
            values: Vec::new(),
            distances: Vec::new(),
            width,
            expectations: Expectations::default(),
        }
    }

    /// Whether it fits a game of this many players, general-sum or not.
    pub fn is_for<G: Game<Value = V>>(&self, game: &G) -> bool {
        self.players == game.players() && (self.width > 1) == game.is_general_sum()
    }

    /// Whether what a node is worth rests on a choice among moves that are equals to who makes
    /// them, and not to others.
    pub fn has_ties(&self, node: NodeId) -> bool {
        self.ties.get(node as usize).copied().unwrap_or(false)
    }

    pub(super) fn at(&self, node: NodeId) -> usize {
        node as usize * self.width
    }

    /// Whether a node is solved.
    pub fn contains(&self, node: NodeId) -> bool {
        self.values.get(self.at(node)).is_some_and(Option::is_some)
            || self.expectations.contains(node)
    }

    /// The value of a solved node to a player, from whose states play may meet chance.
    pub fn mean_to<S: Row>(
        &self,
        graph: &Graph<S, V>,
        node: NodeId,
        player: Player,
    ) -> Option<Expected> {
        let plain = self.value_to(graph, node, player).map(Expected::of);
        plain.or_else(|| self.expectations.value_to(node, player))
    }

    /// By how much the value of a solved node may be off, where play can meet chance and come
    /// back to a state.
    pub fn error(&self, node: NodeId) -> Option<f64> {
        Some(self.expectations.error(node)).filter(|&error| error > 0.0)
    }

    /// The value of a solved node from which play can't meet chance, to the player to move
    /// there.
    pub fn value<S: Row>(&self, graph: &Graph<S, V>, node: NodeId) -> Option<V> {
        let own = if self.width == 1 { 0 } else { usize::from(graph.player(node)) };
        *self.values.get(self.at(node) + own)?
    }

    /// As [`Solved::value`], to a player.
    pub fn value_to<S: Row>(&self, graph: &Graph<S, V>, node: NodeId, player: Player) -> Option<V> {
        if self.width > 1 {
            return *self.values.get(self.at(node) + usize::from(player))?;
        }
        let value = self.value(graph, node)?;
        Some(if graph.valued_for(node) == player { value } else { value.negated() })
    }

    /// Moves to the end from a solved node; `None` if play need not end.
    pub fn distance(&self, node: NodeId) -> Option<u32> {
        self.distances.get(node as usize).copied().filter(|&distance| distance != ENDLESS)
    }

    /// Whether a solved node is worth a mean: its best move depends on where all its moves lead.
    pub fn is_mean(&self, node: NodeId) -> bool {
        let plain = self.values.get(self.at(node)).is_some_and(Option::is_some);
        !plain && self.expectations.contains(node)
    }

    /// The edge of the move to be made at a solved node; `None` where the game is over.
    pub fn best_edge<S: Row>(&self, graph: &Graph<S, V>, node: NodeId) -> Option<u32> {
        if self.is_mean(node) {
            let known = |node, player| self.mean_to(graph, node, player);
            return self.expectations.best_edge(graph, node, known);
        }
        let value = self.value(graph, node)?;
        let player = graph.player(node);
        let edges = graph.known_edges(node).iter().zip(0..);
        let mut good =
            edges.filter(|(edge, _)| self.value_to(graph, edge.to, player) == Some(value));
        if self.width > 1 || value == V::ZERO {
            return good.next().map(|(_, at)| at);
        }
        // The distance is one more than that of the move to be made.
        let step = self.distances.get(node as usize)?.wrapping_sub(1);
        good.find(|(edge, _)| self.distances.get(edge.to as usize) == Some(&step)).map(|(_, at)| at)
    }

    /// Best play from a solved node, until the end, until it comes back to a state or until
    /// chance moves.
    pub fn line<S: Row>(&self, graph: &Graph<S, V>, node: NodeId) -> Vec<MoveId> {
        let (mut line, mut node) = (Vec::new(), node);
        let mut met = rustc_hash::FxHashSet::default();
        while line.len() < LONGEST_LINE
            && met.insert(node)
            && let Some(at) = self.best_edge(graph, node)
        {
            let edge = graph.edge(node, at);
            line.push(edge.mv);
            node = edge.to;
        }
        line
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<Option<V>>()
            + self.distances.capacity() * 5
            + self.expectations.bytes()
            + self.ranges.bytes(self.width)
    }

    /// Makes room for a graph of this many nodes.
    pub(super) fn make_room(&mut self, nodes: usize) {
        self.values.resize(nodes * self.width, None);
        self.distances.resize(nodes, ENDLESS);
        self.ties.resize(nodes, false);
    }

    /// What is known of a solved node.
    pub(super) fn verdict<S: Row>(&self, graph: &Graph<S, V>, node: NodeId) -> Verdict<V> {
        if self.is_mean(node) {
            let values =
                (0..self.players as Player).filter_map(|player| self.mean_to(graph, node, player));
            let error = self.error(node);
            let means = Means { error, ..Means::new(values.collect()) };
            let best = self.best_edge(graph, node).map(|at| graph.edge(node, at).mv);
            let (exact, ties) = (error.is_none(), self.has_ties(node));
            return Verdict { exact, ties, ..Verdict::in_means(means, best) };
        }
        let at = self.at(node);
        let values = if self.width == 1 { &[] } else { &self.values[at..at + self.width] };
        Verdict {
            value: self.value(graph, node),
            values: values.iter().copied().flatten().collect(),
            best: self.best_edge(graph, node).map(|at| graph.edge(node, at).mv),
            played: Some(self.line(graph, node)),
            exact: true,
            ties: self.has_ties(node),
            distance: self.distance(node),
            ..Verdict::default()
        }
    }
}

/// Bounds on the values of nodes to each player, over all choices among equals; only of nodes
/// whose values depend on such choices.
#[derive(Clone, Debug)]
pub(super) struct Ranges<V> {
    pub of: FxHashMap<NodeId, Box<[(V, V)]>>,
}

impl<V> Default for Ranges<V> {
    fn default() -> Self {
        Self { of: FxHashMap::default() }
    }
}

impl<V> Ranges<V> {
    /// Sets or leaves the range of a node.
    pub fn set(&mut self, node: NodeId, range: Option<Box<[(V, V)]>>) {
        if let Some(range) = range {
            self.of.insert(node, range);
        }
    }

    /// Nothing is known of a node any more.
    pub fn forget(&mut self, node: NodeId) {
        self.of.remove(&node);
    }

    /// Bytes held.
    pub fn bytes(&self, width: usize) -> usize {
        self.of.capacity() * (24 + 2 * width * size_of::<V>())
    }
}

//! Statistics of plays at random by state and move, and the choice of the next move: [`Bandit`].

use super::expected::Expected;
use super::graph::{Graph, NodeId};
use super::interface::Player;
use super::options::Sampling;
use crate::space::Row;
use std::ops::Range;

/// Ends after which a win that is like all others is taken for the greatest there is.
const ENOUGH: u64 = 100;

/// Who chooses a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Player(Player),
    Chance,
}

/// Counts, means and bounds of the states of a graph, by node, and tries by edge.
pub(super) struct Bandit {
    players: usize,
    /// Each player looks for their own; else what one of two wins the other loses.
    apart: bool,
    exploration: f64,
    visits: Vec<u64>,
    /// Sums of what came of a node, one for each player, one node after the other.
    sums: Vec<f64>,
    tries: Vec<u64>,
    /// For RAVE: how many plays of a node count half, and by edge how often its move was made
    /// by the same player there or later, and what that came to for the player.
    rave: Option<f64>,
    later: Vec<(u64, f64)>,
    /// The play that came through a node last.
    last: Vec<u64>,
    plays: u64,
    /// Bounds on the value of a node to the first of one or two players.
    bounds: Vec<(f64, f64)>,
    /// The bounds of a node of which nothing is known.
    widest: (f64, f64),
    /// The least and the greatest value seen.
    seen: Option<(f64, f64)>,
    /// Ends that were met.
    ends: u64,
    /// The one value of all those that are worth more, or less, than nothing to the first
    /// player; infinite if there are several.
    only_win: Option<f64>,
    only_loss: Option<f64>,
}

/// What is proved of some states, and what values were seen.
pub(super) struct Proved {
    /// Bounds of the states.
    bounds: Vec<(f64, f64)>,
    seen: Option<(f64, f64)>,
    ends: u64,
    only_win: Option<f64>,
    only_loss: Option<f64>,
}

impl Proved {
    /// Knows as well what somebody else has proved of the same states.
    pub fn join(&mut self, other: &Proved) {
        if self.bounds.is_empty() {
            self.bounds.clone_from(&other.bounds);
        }
        for (own, theirs) in self.bounds.iter_mut().zip(&other.bounds) {
            *own = (own.0.max(theirs.0), own.1.min(theirs.1));
        }
        self.seen = match (self.seen, other.seen) {
            (Some(own), Some(theirs)) => Some((own.0.min(theirs.0), own.1.max(theirs.1))),
            (own, theirs) => own.or(theirs),
        };
        self.ends = self.ends.max(other.ends);
        let only = |own: Option<f64>, theirs: Option<f64>, several| match (own, theirs) {
            (Some(own), Some(theirs)) if own != theirs => Some(several),
            (own, theirs) => own.or(theirs),
        };
        self.only_win = only(self.only_win, other.only_win, f64::INFINITY);
        self.only_loss = only(self.only_loss, other.only_loss, f64::NEG_INFINITY);
    }
}

impl Bandit {
    pub fn new(
        (players, apart): (usize, bool),
        sampling: &Sampling,
        bounds: Option<(f64, f64)>,
    ) -> Self {
        let widest = match bounds {
            _ if apart => (f64::NEG_INFINITY, f64::INFINITY),
            Some((low, high)) if players == 2 => (low.min(-high), high.max(-low)),
            Some(bounds) if players == 1 => bounds,
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        Self {
            players,
            apart,
            exploration: sampling.exploration,
            rave: sampling.rave,
            later: Vec::new(),
            visits: Vec::new(),
            sums: Vec::new(),
            tries: Vec::new(),
            last: Vec::new(),
            plays: 0,
            bounds: Vec::new(),
            widest,
            seen: None,
            ends: 0,
            only_win: None,
            only_loss: None,
        }
    }

    pub fn players(&self) -> usize {
        self.players
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (2 * self.visits.capacity() + self.sums.capacity() + self.tries.capacity()) * 8
            + (self.bounds.capacity() + self.later.capacity()) * 16
    }

    /// Makes room for all nodes and edges of a graph.
    pub fn cover<S: Row, V>(&mut self, graph: &Graph<S, V>) {
        self.visits.resize(graph.len(), 0);
        self.last.resize(graph.len(), 0);
        self.sums.resize(graph.len() * self.players, 0.0);
        self.bounds.resize(graph.len(), self.widest);
        self.tries.resize(graph.edge_count(), 0);
        if self.rave.is_some() {
            self.later.resize(graph.edge_count(), (0, 0.0));
        }
    }

    /// A play in which the move of an edge was made there or later came to so much for who made
    /// it.
    pub fn made_later(&mut self, edge: u32, value: f64) {
        if let Some((times, sum)) = self.later.get_mut(edge as usize) {
            *times += 1;
            *sum += value;
        }
    }

    /// The mean of what came of a move, mixed with that of plays in which it was made later.
    fn promise(&self, mean: f64, node: NodeId, edge: u32) -> f64 {
        let (Some(equal), Some(&(times, sum))) = (self.rave, self.later.get(edge as usize)) else {
            return mean;
        };
        if times == 0 {
            return mean;
        }
        if self.tries(edge) == 0 {
            return sum / times as f64;
        }
        let share = (equal / (3.0 * self.visits[node as usize] as f64 + equal)).sqrt();
        share * (sum / times as f64) + (1.0 - share) * mean
    }

    pub fn visits(&self, node: NodeId) -> u64 {
        self.visits[node as usize]
    }

    pub fn tries(&self, edge: u32) -> u64 {
        self.tries.get(edge as usize).copied().unwrap_or(0)
    }

    /// The mean value of a node to a player, or its exact value if that is settled.
    pub fn mean(&self, node: NodeId, player: Player) -> f64 {
        if let Some(values) = self.settled_values(node) {
            return values[usize::from(player)];
        }
        let (Some(&visits), at) = (self.visits.get(node as usize), node as usize * self.players)
        else {
            return 0.0;
        };
        if visits == 0 { 0.0 } else { self.sums[at + usize::from(player)] / visits as f64 }
    }

    /// Counts a play that has ended.
    pub fn begin_play(&mut self) {
        self.plays += 1;
    }

    /// A play came through a node; whether for the first time.
    pub fn add(&mut self, node: NodeId, values: &[f64]) -> bool {
        if std::mem::replace(&mut self.last[node as usize], self.plays) == self.plays {
            return false;
        }
        self.visits[node as usize] += 1;
        let at = node as usize * self.players;
        for (sum, value) in self.sums[at..at + self.players].iter_mut().zip(values) {
            *sum += value;
        }
        true
    }

    /// A play came along an edge.
    pub fn try_edge(&mut self, edge: u32) {
        self.tries[edge as usize] += 1;
    }

    /// Values of plays.
    pub fn met(&mut self, values: &[f64]) {
        for &value in values {
            let (low, high) = self.seen.get_or_insert((value, value));
            (*low, *high) = (low.min(value), high.max(value));
        }
    }

    /// Enters the value of an end to the first player.
    pub fn met_end(&mut self, value: f64) {
        self.ends += 1;
        let (only, several) = match value {
            value if value > 0.0 => (&mut self.only_win, f64::INFINITY),
            value if value < 0.0 => (&mut self.only_loss, f64::NEG_INFINITY),
            _ => return,
        };
        let known = only.get_or_insert(value);
        if *known != value {
            *known = several;
        }
    }

    /// Enters the exact value of a node to the first of one or two players.
    pub fn settle(&mut self, node: NodeId, value: f64) {
        if !self.apart {
            self.bounds[node as usize] = (value, value);
        }
    }

    /// Whether more is known of a node than of all.
    pub fn is_bounded(&self, node: NodeId) -> bool {
        self.bounds[node as usize] != self.widest
    }

    /// Whether it is known what a node comes to: exactly, or a win or a loss where all those
    /// seen are worth the same.
    pub fn is_settled(&self, node: NodeId) -> bool {
        let (low, high) = self.bounds[node as usize];
        low >= high
            || self.ends >= ENOUGH
                && (self.only_win.is_some_and(|win| low >= win)
                    || self.only_loss.is_some_and(|loss| high <= loss))
    }

    /// The value of a settled node to each player.
    pub fn settled_values(&self, node: NodeId) -> Option<Vec<f64>> {
        let &(low, high) = self.bounds.get(node as usize)?;
        if !self.is_settled(node) {
            return None;
        }
        let value = if low > 0.0 || low >= high { low } else { high };
        Some(if self.players == 2 { vec![value, 0.0 - value] } else { vec![value] })
    }

    /// The same if the value is exact.
    pub fn exact_values(&self, node: NodeId) -> Option<Vec<f64>> {
        let &(low, high) = self.bounds.get(node as usize)?;
        self.settled_values(node).filter(|_| low >= high)
    }

    /// Whether the player takes the least to the first player.
    fn takes_least(&self, player: Player) -> bool {
        self.players == 2 && player == 1
    }

    /// Works out the bounds of a node from those of its successors; whether they moved.
    pub fn bound<S: Row, V>(
        &mut self,
        graph: &Graph<S, V>,
        node: NodeId,
        side: Side,
        chances: Option<&[Expected]>,
    ) -> bool {
        if self.apart {
            return false;
        }
        let all = graph.known_edges(node).iter().map(|edge| self.bounds[edge.to as usize]);
        let (low, high) = match side {
            Side::Chance => {
                let chances = chances.unwrap_or(&[]).iter().map(Expected::as_f64);
                let shares = all.zip(chances).map(|((low, high), p)| (p * low, p * high));
                shares.fold((0.0, 0.0), |sum, share| (sum.0 + share.0, sum.1 + share.1))
            }
            Side::Player(player) if self.takes_least(player) => {
                all.fold((f64::INFINITY, f64::INFINITY), |a, b| (a.0.min(b.0), a.1.min(b.1)))
            }
            Side::Player(_) => all
                .fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |a, b| (a.0.max(b.0), a.1.max(b.1))),
        };
        let old = self.bounds[node as usize];
        let new = (old.0.max(low), old.1.min(high));
        self.bounds[node as usize] = new;
        new != old
    }

    /// What is proved of some nodes.
    pub fn proved(&self, nodes: &[NodeId]) -> Proved {
        Proved {
            bounds: nodes.iter().map(|&node| self.bounds[node as usize]).collect(),
            seen: self.seen,
            ends: self.ends,
            only_win: self.only_win,
            only_loss: self.only_loss,
        }
    }

    /// Takes over what somebody has proved of the same nodes, and of all that was known here.
    pub fn take(&mut self, nodes: &[NodeId], proved: &Proved) {
        (self.seen, self.ends) = (proved.seen, proved.ends);
        (self.only_win, self.only_loss) = (proved.only_win, proved.only_loss);
        for (&node, &(low, high)) in nodes.iter().zip(&proved.bounds) {
            let own = &mut self.bounds[node as usize];
            *own = (own.0.max(low), own.1.min(high));
        }
    }

    /// Adds what came of a node elsewhere.
    pub fn add_all(&mut self, node: NodeId, (other, there): (&Bandit, NodeId)) {
        self.visits[node as usize] += other.visits[there as usize];
        let (at, there) = (node as usize * self.players, there as usize * self.players);
        let sums = self.sums[at..at + self.players].iter_mut();
        sums.zip(&other.sums[there..]).for_each(|(own, theirs)| *own += theirs);
    }

    /// So many plays came along an edge elsewhere.
    pub fn try_edge_also(&mut self, edge: u32, plays: u64) {
        self.tries[edge as usize] += plays;
    }

    /// The move to be tried next: one of which nothing is known, or that with the greatest upper
    /// confidence; among those that can still change the node's value.
    pub fn choose<S: Row, V>(
        &self,
        graph: &Graph<S, V>,
        node: NodeId,
        edges: Range<u32>,
        player: Player,
    ) -> u32 {
        let least = self.takes_least(player);
        let (low, high) = self.bounds[node as usize];
        let matters = |edge: &u32| {
            let child = self.bounds[graph.successor(*edge) as usize];
            self.apart || if least { child.0 < high } else { child.1 > low }
        };
        let log = (self.visits[node as usize].max(1) as f64).ln();
        let mut best: Option<(u32, f64)> = None;
        for edge in edges.clone().filter(matters) {
            let tries = self.tries[edge as usize];
            if tries == 0 && self.later.get(edge as usize).is_none_or(|later| later.0 == 0) {
                return edge;
            }
            let mean = self.mean(graph.successor(edge), player);
            let mean = self.scaled(self.promise(mean, node, edge));
            let score = mean + self.exploration * (log / tries.max(1) as f64).sqrt();
            if best.is_none_or(|(_, known)| score > known) {
                best = Some((edge, score));
            }
        }
        best.map_or(edges.start, |(edge, _)| edge)
    }

    /// A value between 0 for the least that was seen and 1 for the greatest.
    fn scaled(&self, value: f64) -> f64 {
        match self.seen {
            Some((low, high)) if high > low => ((value - low) / (high - low)).clamp(0.0, 1.0),
            _ => 0.5,
        }
    }

    /// The edge of the move to be made: one that keeps what is settled, else the one that was
    /// tried most; the first of equals.
    pub fn best<S: Row, V>(&self, graph: &Graph<S, V>, node: NodeId, side: Side) -> Option<u32> {
        let Side::Player(player) = side else { return None };
        if graph.known_edges(node).is_empty() || !graph.is_known(node) {
            return None;
        }
        let edges = graph.edges_of(node);
        if let Some(values) = self.settled_values(node) {
            let (own, least) = (values[0], self.takes_least(player));
            let keeps = |edge: &u32| {
                let (low, high) = self.bounds[graph.successor(*edge) as usize];
                if least { high <= own } else { low >= own }
            };
            if let Some(edge) = edges.clone().find(keeps) {
                return Some(edge);
            }
        }
        let mut best = edges.start;
        for edge in edges {
            if self.tries(edge) > self.tries(best) {
                best = edge;
            }
        }
        Some(best)
    }
}

//! The search tree of `mcts`, and the plays that make it grow.

use super::bandit::{Bandit, Proved, Side};
use super::expected::Expected;
use super::graph::{Graph, GraphOf, NodeId};
use super::interface::{CHANCE, Game, Player};
use super::meter::{Halt, Meter};
use super::options::Sampling;
use super::report::{Means, Proof, Tried, Verdict};
use super::rollout::{Outcome, Rollout, enough, iterations, worth};
use super::value::Value;
use crate::report::StopReason;
use crate::space::Row;
use rustc_hash::FxHashSet;

/// Moves down the tree after which a play goes on at random.
const DEEPEST: usize = 1000;
/// Moves of a line.
const LONGEST_LINE: usize = 30;

/// What is known of the states of a graph, by plays from one of them.
pub(super) struct Tree<G: Game> {
    rollout: Rollout<G>,
    pub bandit: Bandit,
    pub root: NodeId,
    /// What plays came to by the first move: more than nothing, nothing, less, for who made it.
    outcomes: Vec<[u64; 3]>,
    /// The nodes of an iteration, each with the edge that was taken.
    path: Vec<(NodeId, u32)>,
    /// For RAVE: moves made in the iteration so far, and from where on in it.
    later: Option<FxHashSet<(Player, u32)>>,
    /// Plays made.
    done: u64,
}

pub(super) struct Search<'g, 'm, 'o, G: Game> {
    pub game: &'g mut G,
    pub graph: &'g mut GraphOf<G>,
    pub meter: &'m mut Meter<'o>,
    pub tree: &'g mut Tree<G>,
}

impl<G: Game> Search<'_, '_, '_, G> {
    /// Makes the plays that are asked for; a limit that ended them.
    pub fn iterate_all(&mut self, sampling: &Sampling) -> Result<Option<StopReason>, Halt> {
        match self.iterate_until(iterations(sampling, self.meter)) {
            Ok(()) => Ok(None),
            Err(halt) if self.tree.done > 0 => enough(self.game, halt, sampling),
            Err(halt) => Err(halt),
        }
    }

    /// Makes plays up to this number, or until no more are needed.
    pub fn iterate_until(&mut self, most: u64) -> Result<(), Halt> {
        let moves = self.graph.moves(self.game, self.tree.root)?;
        self.tree.outcomes.resize(moves.unwrap_or(0) as usize, [0; 3]);
        self.tree.bandit.cover(self.graph);
        while self.tree.done < most && !self.tree.bandit.is_settled(self.tree.root) {
            self.iterate()?;
            self.tree.done += 1;
            self.meter.stats.iterations = u32::try_from(self.tree.done).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    /// Who a node's moves are chosen by.
    pub fn side(&self, node: NodeId) -> Side {
        side(self.graph, node)
    }

    /// One play, down the tree and on at random.
    fn iterate(&mut self) -> Result<(), Halt> {
        self.tree.path.clear();
        self.tree.rollout.forget();
        self.meter.hold(self.graph, self.tree.bandit.bytes())?;
        let mut node = self.tree.root;
        let values = loop {
            self.meter.visit(self.tree.path.len())?;
            if let Some(values) = self.tree.bandit.settled_values(node) {
                break values;
            }
            if self.graph.is_over(self.game, node)? {
                break self.end(node)?;
            }
            let new = self.tree.bandit.visits(node) == 0 && !self.tree.path.is_empty();
            if new || self.tree.path.len() > DEEPEST {
                let state = self.graph.state(node);
                let Outcome { values, over } =
                    self.tree.rollout.play(self.game, &state, self.meter)?;
                if over {
                    self.tree.bandit.met_end(values[0]);
                }
                self.tree.bandit.met(&values);
                break values;
            }
            let edge = self.choose(node)?;
            self.tree.path.push((node, edge));
            node = self.graph.successor(edge);
        };
        self.back_up(node, &values);
        Ok(())
    }

    /// The value of an end, which settles the node.
    fn end(&mut self, node: NodeId) -> Result<Vec<f64>, Halt> {
        let values = worth(self.game, &self.graph.state(node), G::utility)?;
        self.tree.bandit.met_end(values[0]);
        self.tree.bandit.met(&values);
        self.tree.bandit.settle(node, values[0]);
        Ok(values)
    }

    fn choose(&mut self, node: NodeId) -> Result<u32, Halt> {
        self.graph.moves(self.game, node)?;
        self.tree.bandit.cover(self.graph);
        let edges = self.graph.edges_of(node);
        match self.side(node) {
            Side::Chance => {
                let chances = self.graph.probabilities(self.game, node)?;
                let falls = self.tree.rollout.falls(chances.iter().map(Expected::as_f64));
                Ok(edges.start + falls as u32)
            }
            Side::Player(player) => Ok(self.tree.bandit.choose(self.graph, node, edges, player)),
        }
    }

    /// Tells each state of the iteration which of its moves were made there or later, by who
    /// moves there (RAVE: all moves as first).
    fn tell_made(&mut self, values: &[f64]) {
        let Some(later) = &mut self.tree.later else { return };
        later.clear();
        later.extend(self.tree.rollout.made());
        for &(node, taken) in self.tree.path.iter().rev() {
            let player = self.graph.player(node);
            if player == CHANCE {
                continue;
            }
            later.insert((player, self.graph.edge_at(taken).mv));
            let edges = self.graph.edges_of(node);
            for (edge, known) in edges.zip(self.graph.known_edges(node)) {
                if later.contains(&(player, known.mv)) {
                    self.tree.bandit.made_later(edge, values[usize::from(player)]);
                }
            }
        }
    }

    fn back_up(&mut self, end: NodeId, values: &[f64]) {
        self.tell_made(values);
        self.tree.bandit.begin_play();
        // A play that goes round counts once for each state, with the move made there first.
        for &(node, edge) in &self.tree.path {
            if self.tree.bandit.add(node, values) {
                self.tree.bandit.try_edge(edge);
            }
        }
        self.tree.bandit.add(end, values);
        let mut bounds_move = self.tree.bandit.is_bounded(end);
        if let Some(&(root, edge)) = self.tree.path.first() {
            let own = values[usize::from(self.graph.valued_for(root))];
            let kind = if own > 0.0 { 0 } else { 1 + usize::from(own < 0.0) };
            let first = self.graph.edges_of(root).start;
            self.tree.outcomes[(edge - first) as usize][kind] += 1;
        }
        for &(node, _) in self.tree.path.iter().rev() {
            if bounds_move {
                let side = self.side(node);
                let chances = match side {
                    Side::Chance => self.graph.known_probabilities(node),
                    Side::Player(_) => None,
                };
                bounds_move = self.tree.bandit.bound(self.graph, node, side, chances.as_deref());
            }
        }
    }
}

/// Who a node's moves are chosen by.
fn side<S: Row, V>(graph: &Graph<S, V>, node: NodeId) -> Side {
    match graph.player(node) {
        CHANCE => Side::Chance,
        player => Side::Player(player),
    }
}

impl<G: Game> Tree<G> {
    /// No play is made yet.
    pub fn new(game: &mut G, root: NodeId, sampling: &Sampling) -> Result<Self, Halt> {
        let bounds = game.bounds()?;
        let bounds = bounds.map(|(low, high)| (low.as_f64(), high.as_f64()));
        let bandit = Bandit::new((game.players(), game.is_general_sum()), sampling, bounds);
        let (outcomes, path) = (Vec::new(), Vec::new());
        let later = sampling.rave.map(|_| FxHashSet::default());
        Ok(Self { rollout: Rollout::new(sampling), bandit, root, outcomes, path, later, done: 0 })
    }

    /// Plays made.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Whether the value of the root is settled.
    pub fn is_settled(&self) -> bool {
        self.done > 0 && self.bandit.is_settled(self.root)
    }

    /// Bytes held beside the graph.
    pub fn bytes(&self) -> usize {
        self.bandit.bytes()
    }

    /// The root has this number.
    pub fn begin_at(&mut self, root: NodeId) {
        self.root = root;
    }

    /// The root, and where each of its moves leads; nothing before the first play.
    fn first_nodes(&self, graph: &GraphOf<G>) -> Vec<NodeId> {
        if self.done == 0 {
            return Vec::new();
        }
        let after = graph.known_edges(self.root).iter().map(|edge| edge.to);
        [self.root].into_iter().chain(after).collect()
    }

    /// What is proved of the root and its moves.
    pub fn proved(&self, graph: &GraphOf<G>) -> Proved {
        self.bandit.proved(&self.first_nodes(graph))
    }

    /// Takes over what is proved of the root and its moves.
    pub fn take(&mut self, graph: &GraphOf<G>, proved: &Proved) {
        self.bandit.take(&self.first_nodes(graph), proved);
        if self.done > 0 && graph.is_known(self.root) {
            let side = side(graph, self.root);
            let chances = graph.known_probabilities(self.root);
            if side != Side::Chance || chances.is_some() {
                self.bandit.bound(graph, self.root, side, chances.as_deref());
            }
        }
    }

    /// Adds the results of the root and its moves in another tree.
    pub fn add(&mut self, graph: &GraphOf<G>, (other, theirs): (&Self, &GraphOf<G>)) {
        let (own, there) = (self.first_nodes(graph), other.first_nodes(theirs));
        if own.len() != there.len() {
            return;
        }
        let mut added = FxHashSet::default();
        for (node, there) in own.into_iter().zip(there) {
            // Several moves may lead to one state.
            if added.insert(node) {
                self.bandit.add_all(node, (&other.bandit, there));
            }
        }
        if graph.known_edges(self.root).is_empty() {
            return;
        }
        let edges = graph.edges_of(self.root).zip(theirs.edges_of(other.root));
        edges
            .for_each(|(edge, theirs)| self.bandit.try_edge_also(edge, other.bandit.tries(theirs)));
        for (own, theirs) in self.outcomes.iter_mut().zip(&other.outcomes) {
            own.iter_mut().zip(theirs).for_each(|(own, theirs)| *own += theirs);
        }
    }

    /// What plays say of the root.
    pub fn verdict(self, graph: &GraphOf<G>, stopped: Option<StopReason>) -> Verdict<G::Value> {
        let Self { bandit, root, outcomes, .. } = self;
        let mover = graph.valued_for(root);
        let tried = (0..).zip(graph.known_edges(root)).zip(&outcomes).map(|((at, edge), kinds)| {
            let visits = bandit.tries(graph.edges_of(root).start + at);
            Tried { mv: edge.mv, visits, mean: bandit.mean(edge.to, mover), outcomes: *kinds }
        });
        let tried: Vec<_> = tried.collect();
        let best = bandit.best(graph, root, side(graph, root));
        let shown = best.map_or(root, |edge| graph.successor(edge));
        let (mut values, mut proof): (Vec<Expected>, Option<Proof>) = (Vec::new(), None);
        for player in 0..bandit.players() as Player {
            values.push(Expected::Float(bandit.mean(shown, player)));
        }
        let exact = bandit.exact_values(root);
        if let Some(exact) = &exact {
            values = exact.iter().map(|&value| Expected::near(value)).collect();
        } else if let Some(settled) = bandit.settled_values(root) {
            let won = settled[usize::from(mover)] > 0.0;
            proof = Some(if won { Proof::Won } else { Proof::Lost });
            values = settled.iter().map(|&value| Expected::near(value)).collect();
        }
        let mut line = Vec::new();
        let mut next = best;
        while let Some(edge) = next
            && line.len() < LONGEST_LINE
            && bandit.tries(edge) > 0
        {
            let node = graph.successor(edge);
            line.push(graph.edge_at(edge).mv);
            next = bandit.best(graph, node, side(graph, node));
        }
        let best = best.map(|edge| graph.edge_at(edge).mv);
        let means = Means { proof, tried, ..Means::new(values) };
        let verdict = Verdict::in_means(means, best);
        Verdict { exact: exact.is_some(), stopped, played: Some(line), ..verdict }
    }
}

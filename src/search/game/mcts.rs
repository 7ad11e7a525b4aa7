//! `mcts`: Monte Carlo tree search, the best move by plays at random.
//!
//! Each iteration goes down from the root along the moves that promise most (UCT): the mean
//! of what came of a move, between 0 for the least and 1 for the greatest value seen, and a
//! share for moves tried little, `c √(ln n / k)` for a move tried `k` of `n` times. From the
//! first state met that is new a play at random goes to the end, or to where it is cut off,
//! and what it comes to is added on the way back up. Every player looks for their own (max^n);
//! chance does what it does. States that are met on several ways are one.
//!
//! With one or two players ends that were met are bounds on what states are worth, and what
//! is settled by them is not visited again; once the root is, the move is proved.
//!
//! With [`Sampling::rave`] what came of a move is mixed with what came of plays in which the same
//! player made it there or later, `β` of that in a state that `n` plays came through, with
//! `β = √(k / (3n + k))`: a first guess from few plays, that fades.
//!
//! Kocsis & Szepesvári, *Bandit based Monte-Carlo planning*, ECML (2006); Winands, Björnsson &
//! Saito, *Monte-Carlo tree search solver* (2008); Gelly & Silver, *Combining online and offline
//! knowledge in UCT*, ICML (2007); Cazenave & Saffidine, *Score bounded
//! Monte-Carlo tree search* (2010); Browne et al., *A survey of Monte Carlo tree search
//! methods* (2012).
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(7, 3);
//! let start = nim.start(7);
//! let mut graph = Graph::new(&nim);
//! let (options, engine) = (GameOptions::default(), GameEngine::Mcts);
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! // Take two and leave five; that it wins is proved, if not what it is worth.
//! assert_eq!(report.best, Some(2));
//! assert!(report.exact || report.means.is_some_and(|means| means.proof.is_some()));
//! # Ok::<(), zug_search::game::GameError<std::convert::Infallible>>(())
//! ```

use super::bandit::{Bandit, Side};
use super::expected::Expected;
use super::graph::{GraphOf, NodeId};
use super::interface::{CHANCE, Game, Player};
use super::meter::{Halt, Meter};
use super::registry::{Answer, GameEngineInfo, GameOptions, PlayersAllowed, Sampling, Verdict};
use super::report::{Means, Proof, Tried};
use super::retrograde::SolveError;
use super::rollout::{Outcome, Rollout, worth};
use super::value::Value;
use crate::limits::Limits;
use crate::report::StopReason;
use rustc_hash::FxHashSet;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "mcts",
    title: "Monte Carlo tree search",
    summary: "a good move and its mean value by plays at random, proved where they can be",
    players: PlayersAllowed::Any,
    chance: true,
    when: "the game is large, and there is no heuristic",
    reference: "Kocsis, Szepesvári 2006",
};

/// Moves down the tree after which a play goes on at random.
const DEEPEST: usize = 1000;
/// Moves of a line.
const LONGEST_LINE: usize = 30;

struct Search<'g, 'm, 'o, G: Game> {
    game: &'g mut G,
    graph: &'g mut GraphOf<G>,
    meter: &'m mut Meter<'o>,
    rollout: Rollout<G>,
    bandit: Bandit,
    root: NodeId,
    /// What plays came to by the first move: more than nothing, nothing, less, for who made it.
    outcomes: Vec<[u64; 3]>,
    /// The nodes of an iteration, each with the edge that was taken.
    path: Vec<(NodeId, u32)>,
    /// For RAVE: moves made in the iteration so far, and from where on in it.
    later: Option<FxHashSet<(Player, u32)>>,
}

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let sampling = &options.sampling;
    let mut search = begin(game, graph, *root, sampling, meter)?;
    let stopped = search.iterate_all(sampling)?;
    search.verdict(stopped)
}

/// A search of which no play is made yet.
fn begin<'g, 'm, 'o, G: Game>(
    game: &'g mut G,
    graph: &'g mut GraphOf<G>,
    root: NodeId,
    sampling: &Sampling,
    meter: &'m mut Meter<'o>,
) -> Result<Search<'g, 'm, 'o, G>, Halt<G::Error>> {
    let bounds = game.bounds().map_err(Halt::Fail)?;
    let bounds = bounds.map(|(low, high)| (low.as_f64(), high.as_f64()));
    let bandit = Bandit::new((game.players(), game.is_general_sum()), sampling, bounds);
    let rollout = Rollout::new(sampling);
    let (outcomes, path) = (Vec::new(), Vec::new());
    let later = sampling.rave.map(|_| FxHashSet::default());
    Ok(Search { game, graph, meter, rollout, bandit, root, outcomes, path, later })
}

/// A node of the search tree, for display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsNode<M> {
    /// The number of the state in the graph.
    pub state: NodeId,
    /// The node above; itself for the root.
    pub parent: usize,
    /// The move from there; none for the root.
    pub mv: Option<M>,
    /// How often the move was tried; of the root, how many plays there were.
    pub tries: u64,
    /// The mean of what came of it, for who made the move; of the root, for who is to move.
    pub mean: f64,
    /// Its value is proved.
    pub settled: bool,
    /// It is on the line of the moves tried most.
    pub best: bool,
}

/// Plays as the engine does: the moves tried, level by level, `most` of them.
///
/// # Errors
/// The failure of an operation of the game; or a limit, if there is nothing to show.
pub fn tried_tree<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    start: &G::State,
    sampling: &Sampling,
    limits: &Limits,
    most: usize,
) -> Result<Vec<MctsNode<G::Move>>, SolveError<G::Error>> {
    let root = graph.intern(game, start).map_err(SolveError::Stopped)?;
    let mut meter = Meter::new(limits, None);
    let mut search = begin(game, graph, root, sampling, &mut meter)?;
    search.iterate_all(sampling)?;
    Ok(search.tried(most))
}

/// The iterations to be made.
pub(super) fn iterations(sampling: &Sampling, meter: &Meter<'_>) -> u64 {
    let most = if meter.is_limited() { u64::MAX } else { Sampling::PLAYOUTS };
    sampling.playouts.unwrap_or(most)
}

/// A limit that struck when something is known already: it is no failure then, and no fault
/// of a search that was given a time and nothing else.
pub(super) fn enough<G: Game>(
    game: &G,
    halt: Halt<G::Error>,
    sampling: &Sampling,
) -> Result<Option<StopReason>, Halt<G::Error>> {
    let reason = match halt {
        Halt::Stop(reason) => reason,
        Halt::Fail(error) => match game.limit_met(&error) {
            Some(reason) => reason,
            None => return Err(Halt::Fail(error)),
        },
    };
    let asked_for = reason == StopReason::Time && sampling.playouts.is_none();
    Ok((!asked_for).then_some(reason))
}

impl<G: Game> Search<'_, '_, '_, G> {
    fn iterate_all(&mut self, sampling: &Sampling) -> Result<Option<StopReason>, Halt<G::Error>> {
        let moves = self.graph.moves(self.game, self.root)?;
        self.outcomes = vec![[0; 3]; moves.unwrap_or(0) as usize];
        self.bandit.cover(self.graph);
        let mut done = 0;
        while done < iterations(sampling, self.meter) && !self.bandit.is_settled(self.root) {
            match self.iterate() {
                Ok(()) => done += 1,
                Err(halt) if done > 0 => return enough(self.game, halt, sampling),
                Err(halt) => return Err(halt),
            }
            self.meter.stats.iterations = u32::try_from(done).unwrap_or(u32::MAX);
        }
        Ok(None)
    }

    /// The moves tried, level by level.
    fn tried(&self, most: usize) -> Vec<MctsNode<G::Move>> {
        let Self { graph, bandit, root, .. } = self;
        let own = graph.valued_for(*root);
        let mut nodes = vec![MctsNode {
            state: *root,
            parent: 0,
            mv: None,
            tries: bandit.visits(*root),
            mean: bandit.mean(*root, own),
            settled: bandit.is_settled(*root),
            best: true,
        }];
        let mut next = 0;
        while let Some(&MctsNode { state, best, .. }) = nodes.get(next) {
            if !graph.is_known(state) || graph.known_edges(state).is_empty() {
                next += 1;
                continue;
            }
            let chosen = bandit.best(graph, state, self.side(state)).filter(|_| best);
            let mover = graph.valued_for(state);
            for edge in graph.edges_of(state) {
                let tries = bandit.tries(edge);
                if tries == 0 || nodes.len() >= most {
                    continue;
                }
                let to = graph.successor(edge);
                nodes.push(MctsNode {
                    state: to,
                    parent: next,
                    mv: Some(graph.edge_at(edge).mv),
                    tries,
                    mean: bandit.mean(to, mover),
                    settled: bandit.is_settled(to),
                    best: chosen == Some(edge),
                });
            }
            next += 1;
        }
        nodes
    }

    /// Who a node's moves are chosen by.
    fn side(&self, node: NodeId) -> Side {
        match self.graph.player(node) {
            CHANCE => Side::Chance,
            player => Side::Player(player),
        }
    }

    /// One play, down the tree and on at random.
    fn iterate(&mut self) -> Result<(), Halt<G::Error>> {
        self.path.clear();
        self.rollout.forget();
        self.meter.hold(self.graph, self.bandit.bytes())?;
        let mut node = self.root;
        let values = loop {
            self.meter.visit(self.path.len())?;
            if let Some(values) = self.bandit.settled_values(node) {
                break values;
            }
            if self.graph.is_over(self.game, node)? {
                break self.end(node)?;
            }
            let new = self.bandit.visits(node) == 0 && !self.path.is_empty();
            if new || self.path.len() > DEEPEST {
                let state = self.graph.state(node);
                let Outcome { values, over } = self.rollout.play(self.game, &state, self.meter)?;
                if over {
                    self.bandit.met_end(values[0]);
                }
                self.bandit.met(&values);
                break values;
            }
            let edge = self.choose(node)?;
            self.path.push((node, edge));
            node = self.graph.successor(edge);
        };
        self.back_up(node, &values);
        Ok(())
    }

    /// The value of an end, which settles the node.
    fn end(&mut self, node: NodeId) -> Result<Vec<f64>, Halt<G::Error>> {
        let values = worth(self.game, &self.graph.state(node), G::utility)?;
        self.bandit.met_end(values[0]);
        self.bandit.met(&values);
        self.bandit.settle(node, values[0]);
        Ok(values)
    }

    fn choose(&mut self, node: NodeId) -> Result<u32, Halt<G::Error>> {
        self.graph.moves(self.game, node)?;
        self.bandit.cover(self.graph);
        let edges = self.graph.edges_of(node);
        match self.side(node) {
            Side::Chance => {
                let chances = self.graph.probabilities(self.game, node)?;
                let falls = self.rollout.falls(chances.iter().map(Expected::as_f64));
                Ok(edges.start + falls as u32)
            }
            Side::Player(player) => Ok(self.bandit.choose(self.graph, node, edges, player)),
        }
    }

    /// Tells each state of the iteration which of its moves were made there or later, by who
    /// moves there (RAVE: all moves as first).
    fn tell_made(&mut self, values: &[f64]) {
        let Some(later) = &mut self.later else { return };
        later.clear();
        later.extend(self.rollout.made());
        for &(node, taken) in self.path.iter().rev() {
            let player = self.graph.player(node);
            if player == CHANCE {
                continue;
            }
            later.insert((player, self.graph.edge_at(taken).mv.into()));
            let edges = self.graph.edges_of(node);
            for (edge, known) in edges.zip(self.graph.known_edges(node)) {
                if later.contains(&(player, known.mv.into())) {
                    self.bandit.made_later(edge, values[usize::from(player)]);
                }
            }
        }
    }

    fn back_up(&mut self, end: NodeId, values: &[f64]) {
        self.tell_made(values);
        self.bandit.begin_play();
        // A play that goes round counts once for each state, with the move made there first.
        for &(node, edge) in &self.path {
            if self.bandit.add(node, values) {
                self.bandit.try_edge(edge);
            }
        }
        self.bandit.add(end, values);
        let mut bounds_move = self.bandit.is_bounded(end);
        if let Some(&(root, edge)) = self.path.first() {
            let own = values[usize::from(self.graph.valued_for(root))];
            let kind = if own > 0.0 { 0 } else { 1 + usize::from(own < 0.0) };
            let first = self.graph.edges_of(root).start;
            self.outcomes[(edge - first) as usize][kind] += 1;
        }
        for &(node, _) in self.path.iter().rev() {
            if bounds_move {
                let side = self.side(node);
                let chances = match side {
                    Side::Chance => self.graph.known_probabilities(node),
                    Side::Player(_) => None,
                };
                bounds_move = self.bandit.bound(self.graph, node, side, chances.as_deref());
            }
        }
    }

    fn verdict(self, stopped: Option<StopReason>) -> Answer<G> {
        let Self { graph, bandit, root, outcomes, .. } = self;
        let mover = graph.valued_for(root);
        let tried = (0..).zip(graph.known_edges(root)).zip(&outcomes).map(|((at, edge), kinds)| {
            let visits = bandit.tries(graph.edges_of(root).start + at);
            Tried { mv: edge.mv, visits, mean: bandit.mean(edge.to, mover), outcomes: *kinds }
        });
        let tried: Vec<_> = tried.collect();
        let side = match graph.player(root) {
            CHANCE => Side::Chance,
            player => Side::Player(player),
        };
        let best = bandit.best(graph, root, side);
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
            next = match graph.player(node) {
                CHANCE => None,
                player => bandit.best(graph, node, Side::Player(player)),
            };
        }
        let best = best.map(|edge| graph.edge_at(edge).mv);
        let means = Means { proof, tried, ..Means::new(values) };
        let verdict = Verdict::in_means(means, best);
        Ok(Verdict { exact: exact.is_some(), stopped, line: Some(line), ..verdict })
    }
}

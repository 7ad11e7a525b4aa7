//! What is known of a game's states: each is asked about once.
//!
//! States are numbered in order of arrival. A node knows who is to move; whether the game is
//! over there, the moves, the utility and the estimate are asked for when an engine first
//! wants them. Edges lead to the number of the state a move leads to or, in a game with
//! symmetries, of the state that stands for its class.
//!
//! Within a memory bound: [`Graph::forget`] keeps the nodes an engine is working on and the
//! ones it finds worth keeping, and asks again about the others when they come up.

mod answers;

pub(super) use answers::Answers;

use super::expected::Expected;
use super::interface::{CHANCE, Game, Player};
use super::value::Value;
use crate::monitor::Halt;
use crate::report::StopReason;
use crate::space::{MoveId, Row, StateStore};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The number of a state in a [`Graph`].
pub type NodeId = u32;

/// Not asked for yet; as a node number, none.
pub(super) const UNKNOWN: u32 = u32::MAX;
/// In place of the first edge: the game is over.
const OVER: u32 = u32::MAX - 1;
/// In place of the first edge: the game goes on, the moves are not asked for yet.
const GOES_ON: u32 = u32::MAX - 2;

/// A move and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The move.
    pub mv: MoveId,
    /// The state it leads to.
    pub to: NodeId,
}

/// PERF: sixteen bytes, so that none lies in two lines of the cache.
#[derive(Clone, Copy)]
struct Node {
    /// The first of its edges, or [`UNKNOWN`], [`OVER`], [`GOES_ON`].
    edges: u32,
    /// How many edges, times 256, and the player to move.
    count_and_player: u32,
    /// Where the utility lies among the values, for the player to move.
    utility: u32,
    /// Where the estimate lies.
    estimate: u32,
}

/// Bytes for the probabilities of a state: about those of a die.
const PER_LOTTERY: usize = 512;
/// More moves than this a state can't have.
const MOST_MOVES: usize = 1 << 24;
/// States that are looked for at once: what they need of the store comes to the cache together.
const AT_ONCE: u32 = 16;

impl Node {
    fn new(player: Player) -> Self {
        let count_and_player = u32::from(player);
        Self { edges: UNKNOWN, count_and_player, utility: UNKNOWN, estimate: UNKNOWN }
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_and_player >> 8
    }

    #[inline]
    fn player(self) -> Player {
        self.count_and_player as Player
    }

    fn set_edges(&mut self, first: usize, count: usize) {
        self.edges = first as u32;
        self.count_and_player = (count as u32) << 8 | u32::from(self.player());
    }
}

/// The states of a game met so far: rows `S`, with values `V`.
pub struct Graph<S: Row, V> {
    store: S::Store,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    values: Vec<V>,
    scratch: Vec<(MoveId, S)>,
    /// The probabilities of the moves where chance moves, as far as they were asked for.
    chances: FxHashMap<NodeId, Arc<[Expected]>>,
    /// States whose moves were asked for, each time it was done.
    asked: u64,
    /// How often states were forgotten.
    forgot: u64,
}

/// The graph of a game.
pub type GraphOf<G> = Graph<<G as Game>::State, <G as Game>::Value>;

impl<S: Row, V> Graph<S, V> {
    /// How many states were met.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no state was met.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
            + self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.values.capacity() * size_of::<V>()
            + self.chances.capacity() * PER_LOTTERY
    }

    /// How many times a state's moves were asked for.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// How often states were forgotten, and the others given new numbers.
    pub fn forgot(&self) -> u64 {
        self.forgot
    }

    /// The state with a number.
    pub fn state(&self, node: NodeId) -> S {
        self.store.state(node)
    }

    /// Who is to move.
    #[inline]
    pub fn player(&self, node: NodeId) -> Player {
        self.nodes[node as usize].player()
    }

    /// Whose value a node's utility and estimate are: who is to move, or the first player.
    #[inline]
    pub fn valued_for(&self, node: NodeId) -> Player {
        match self.player(node) {
            CHANCE => 0,
            player => player,
        }
    }

    /// Whether the moves are known, or that there are none.
    pub fn is_settled(&self, node: NodeId) -> bool {
        self.nodes[node as usize].edges < GOES_ON || self.nodes[node as usize].edges == OVER
    }

    /// Whether the moves are known.
    #[inline]
    pub fn is_known(&self, node: NodeId) -> bool {
        !matches!(self.nodes[node as usize].edges, UNKNOWN | GOES_ON)
    }

    /// Whether it is known that the game goes on.
    pub(super) fn goes_on(&self, node: NodeId) -> bool {
        self.nodes[node as usize].edges == GOES_ON
    }

    /// States will be looked for.
    pub(super) fn prepare<'s>(&self, states: impl Iterator<Item = &'s S>)
    where
        S: 's,
    {
        self.store.prepare(states);
    }

    /// The number of a state, if it was met.
    pub(super) fn find(&self, state: &S) -> Option<NodeId> {
        self.store.find(state)
    }

    /// One of the edges of a node whose moves are known.
    #[inline]
    pub(super) fn edge(&self, node: NodeId, at: u32) -> Edge {
        self.edges[(self.nodes[node as usize].edges + at) as usize]
    }

    /// Where the edges of a node lie whose moves are known; it has some.
    #[inline]
    pub(super) fn edges_of(&self, node: NodeId) -> Range<u32> {
        let node = self.nodes[node as usize];
        node.edges..node.edges + node.count()
    }

    /// How many edges are known.
    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// An edge by its place.
    pub(super) fn edge_at(&self, edge: u32) -> Edge {
        self.edges[edge as usize]
    }

    /// The probabilities of a node's moves, if they were asked for.
    pub(super) fn known_probabilities(&self, node: NodeId) -> Option<Arc<[Expected]>> {
        self.chances.get(&node).cloned()
    }

    /// Where an edge leads.
    #[inline]
    pub(super) fn successor(&self, edge: u32) -> NodeId {
        self.edges[edge as usize].to
    }

    /// The edges of a node whose moves are known; empty if the game is over.
    pub fn known_edges(&self, node: NodeId) -> &[Edge] {
        let node = self.nodes[node as usize];
        if node.edges >= GOES_ON {
            return &[];
        }
        &self.edges[node.edges as usize..(node.edges + node.count()) as usize]
    }
}

impl<S: Row, V> Default for Graph<S, V> {
    /// Nothing is known.
    fn default() -> Self {
        Self {
            store: S::Store::default(),
            nodes: Vec::new(),
            edges: Vec::new(),
            values: Vec::new(),
            scratch: Vec::new(),
            chances: FxHashMap::default(),
            asked: 0,
            forgot: 0,
        }
    }
}

impl<S: Row, V: Value> Graph<S, V> {
    /// The number of a state, as it is: not of the one that stands for its class.
    ///
    /// # Errors
    /// There are more states than can be numbered.
    pub fn intern<G: Game<State = S, Value = V>>(
        &mut self,
        game: &G,
        state: &S,
    ) -> Result<NodeId, StopReason> {
        let (id, new) = self.store.intern(state);
        if new {
            if id >= GOES_ON {
                return Err(StopReason::Memory);
            }
            self.nodes.push(Node::new(game.player(state)));
        }
        Ok(id)
    }

    /// As [`Graph::intern`], inside a search.
    pub(super) fn enter<G: Game<State = S, Value = V>>(
        &mut self,
        game: &G,
        state: &S,
    ) -> Result<NodeId, Halt> {
        self.intern(game, state).map_err(Halt::Stop)
    }

    /// Whether the game is over.
    #[inline]
    pub(super) fn is_over<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<bool, Halt> {
        match self.nodes[node as usize].edges {
            OVER => Ok(true),
            UNKNOWN => self.ask_over(game, node),
            _ => Ok(false),
        }
    }

    #[cold]
    fn ask_over<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<bool, Halt> {
        let over = game.is_over(&self.store.state(node))?;
        self.nodes[node as usize].edges = if over { OVER } else { GOES_ON };
        Ok(over)
    }

    /// How many moves there are; `None` if the game is over.
    #[inline]
    pub(super) fn moves<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<Option<u32>, Halt> {
        if !self.is_known(node) {
            self.ask(game, node)?;
        }
        let node = self.nodes[node as usize];
        Ok((node.edges != OVER).then_some(node.count()))
    }

    /// Asks for the moves of a node, if they are not known.
    ///
    /// # Errors
    /// A limit, or the failure of an operation of the game.
    pub fn expand<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<(), Halt> {
        self.moves(game, node).map(drop)
    }

    /// How many moves a node has, none if the game is over there; they are not kept if they were not
    /// known.
    pub(super) fn count_moves<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<u32, Halt> {
        if self.is_known(node) {
            return Ok(self.known_edges(node).len() as u32);
        }
        if self.is_over(game, node)? {
            return Ok(0);
        }
        game.count_moves(&self.store.state(node)).map_err(Halt::Fail)
    }

    #[cold]
    fn ask<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<(), Halt> {
        if self.is_over(game, node)? {
            return Ok(());
        }
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        game.moves(&self.store.state(node), &mut found)?;
        self.asked += 1;
        debug_assert!(!found.is_empty(), "a state that is not over has a move");
        let first = self.edges.len();
        if first + found.len() >= GOES_ON as usize || found.len() >= MOST_MOVES {
            return Err(Halt::Stop(StopReason::Memory));
        }
        if !game.has_symmetry() {
            self.store.prepare(found.iter().map(|(_, state)| state));
        }
        for (mv, state) in &found {
            let to = if game.has_symmetry() {
                let standing = game.canonical(state)?;
                self.enter(game, &standing)?
            } else {
                self.enter(game, state)?
            };
            self.edges.push(Edge { mv: *mv, to });
        }
        self.nodes[node as usize].set_edges(first, found.len());
        self.scratch = found;
        Ok(())
    }

    /// The probabilities of the moves of a node where chance moves, whose moves are known.
    pub(super) fn probabilities<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<Arc<[Expected]>, Halt> {
        if let Some(known) = self.chances.get(&node) {
            return Ok(known.clone());
        }
        let moves: Vec<MoveId> = self.known_edges(node).iter().map(|edge| edge.mv).collect();
        let found = game.probabilities(&self.store.state(node), &moves)?;
        self.chances.insert(node, found.clone());
        Ok(found)
    }

    /// The utility of an end to each player.
    pub(super) fn utilities<G: Game<State = S, Value = V>>(
        &self,
        game: &mut G,
        node: NodeId,
    ) -> Result<Vec<V>, Halt> {
        let state = self.state(node);
        let values = (0..game.players()).map(|player| game.utility(&state, player as Player));
        values.collect::<Result<_, _>>().map_err(Halt::Fail)
    }

    /// The utility of an end to the player to move, on the scale of
    /// [`Game::balanced`].
    #[inline]
    pub(super) fn utility<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<V, Halt> {
        let value = match self.nodes[node as usize].utility {
            UNKNOWN => self.ask_utility(game, node)?,
            known => self.values[known as usize],
        };
        game.balanced(value).map_err(Halt::Fail)
    }

    #[cold]
    fn ask_utility<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<V, Halt> {
        let player = self.valued_for(node);
        let value = game.utility(&self.store.state(node), player)?;
        self.nodes[node as usize].utility = self.store_value(value)?;
        Ok(value)
    }

    /// The estimate for the player to move, on the scale of [`Game::balanced`], and whether it is
    /// the exact value.
    #[inline]
    pub(super) fn estimate<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<(V, bool), Halt> {
        let exact = game.heuristic_is_utility() && self.is_over(game, node)?;
        let value = match self.nodes[node as usize].estimate {
            UNKNOWN if exact && !game.has_heuristic() => {
                return Ok((self.utility(game, node)?, true));
            }
            UNKNOWN => self.ask_estimate(game, node)?,
            known => self.values[known as usize],
        };
        Ok((game.balanced(value)?, exact))
    }

    #[cold]
    fn ask_estimate<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
    ) -> Result<V, Halt> {
        let player = self.valued_for(node);
        let value = game.heuristic(&self.store.state(node), player)?;
        self.nodes[node as usize].estimate = self.store_value(value)?;
        Ok(value)
    }

    fn store_value(&mut self, value: V) -> Result<u32, Halt> {
        if self.values.len() >= UNKNOWN as usize {
            return Err(Halt::Stop(StopReason::Memory));
        }
        self.values.push(value);
        Ok(self.values.len() as u32 - 1)
    }

    /// Drops what is known but for `pinned` nodes, with their moves, and the nodes that
    /// `worth_keeping` picks, without theirs. Pinned nodes get their new numbers; the new
    /// numbers of all nodes, or [`UNKNOWN`], are returned.
    pub(super) fn forget<G: Game<State = S, Value = V>>(
        &mut self,
        game: &G,
        pinned: Vec<&mut NodeId>,
        worth_keeping: impl Fn(NodeId) -> bool,
    ) -> Result<Vec<NodeId>, Halt> {
        let mut old = std::mem::take(self);
        self.asked = old.asked;
        self.forgot = old.forgot + 1;
        self.scratch = std::mem::take(&mut old.scratch);
        let mut numbers = vec![UNKNOWN; old.len()];
        for node in pinned {
            let number = self.bring(game, &old, &mut numbers, *node)?;
            let edges = old.known_edges(*node);
            if !edges.is_empty() && !self.is_known(number) {
                let first = self.edges.len();
                for edge in edges {
                    let to = self.bring(game, &old, &mut numbers, edge.to)?;
                    self.edges.push(Edge { mv: edge.mv, to });
                }
                self.nodes[number as usize].set_edges(first, edges.len());
            }
            *node = number;
        }
        for node in (0..old.len() as NodeId).filter(|&node| worth_keeping(node)) {
            self.bring(game, &old, &mut numbers, node)?;
        }
        Ok(numbers)
    }

    /// Drops all that is known, and that states were asked for; the counts begin at `asked`.
    pub(super) fn clear(&mut self, asked: u64) {
        let forgot = self.forgot + 1;
        *self = Graph { asked, forgot, ..Graph::default() };
    }

    /// Brings a node over from another graph, without its moves: its number.
    fn bring<G: Game<State = S, Value = V>>(
        &mut self,
        game: &G,
        old: &Self,
        numbers: &mut [NodeId],
        node: NodeId,
    ) -> Result<NodeId, Halt> {
        if numbers[node as usize] != UNKNOWN {
            return Ok(numbers[node as usize]);
        }
        let number = self.enter(game, &old.store.state(node))?;
        numbers[node as usize] = number;
        let Node { edges, utility, estimate, .. } = old.nodes[node as usize];
        let mut value = |at: u32| {
            if at == UNKNOWN {
                return UNKNOWN;
            }
            self.values.push(old.values[at as usize]);
            self.values.len() as u32 - 1
        };
        let (utility, estimate) = (value(utility), value(estimate));
        let new = &mut self.nodes[number as usize];
        (new.utility, new.estimate) = (utility, estimate);
        new.edges = if edges < GOES_ON { GOES_ON } else { edges };
        Ok(number)
    }
}

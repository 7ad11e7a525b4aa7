//! `expectiminimax`: the mean value of a state at a depth, where chance moves too.
//!
//! One player takes the greatest of the successors' values, the opponent the least, and a
//! state where chance moves is worth their mean. Values are fractions as long as utilities,
//! estimates and probabilities are exact.
//!
//! Between moves of the players it is alpha-beta; if the game says between which bounds all
//! values lie, states where chance moves are pruned too (see [`super::star`]). The value and
//! the move are those of the whole tree.
//!
//! Michie, *Game-playing and game-learning automata* (1966); Ballard, *The \*-minimax search
//! procedure for trees containing chance nodes*, Artificial Intelligence 21 (1983).
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! // Keep 3, or throw a coin for 0 or 10.
//! let mut game = TableGame {
//!     players: 1,
//!     moves: vec![vec![(0, 1), (1, 2)], vec![], vec![(0, 3), (1, 4)], vec![], vec![]],
//!     utilities: vec![None, Some(vec![3]), None, Some(vec![0]), Some(vec![10])],
//!     weights: vec![vec![], vec![], vec![1, 1]],
//!     ..TableGame::default()
//! };
//! let start = game.start(0);
//! let mut graph = Graph::default();
//! let (options, engine) = (GameOptions::default(), GameEngine::Expectiminimax);
//! let report = run(engine, &mut game, &mut graph, &start, &options, &Limits::none(), None)?;
//! let means = report.means.as_ref().expect("they are known");
//! assert_eq!((means.values[0].to_string(), report.best), ("5".to_owned(), Some(1)));
//! # Ok::<(), zug_search::game::GameError>(())
//! ```

use super::expected::Expected;
use super::graph::{GraphOf, NodeId};
use super::info::{GameEngineInfo, PlayersAllowed};
use super::interface::{CHANCE, Game, Player};
use super::meter::{Answer, Halt, Meter};
use super::options::GameOptions;
use super::report::{Means, Verdict};
use super::star::{ChanceNode, Window};
use super::value::Value;
use crate::report::StopReason;
use rustc_hash::FxHashMap;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "expectiminimax",
    title: "expectiminimax",
    summary: "the mean value at a depth where chance moves too, pruned if bounds are known",
    players: PlayersAllowed::OneOrTwo,
    chance: true,
    threads: false,
    when: "there are dice",
    reference: "Michie 1966, Ballard 1983",
};

/// The value of a subtree to the player at whose side the search is; a bound if it is outside of
/// its window.
#[derive(Clone)]
struct SubtreeValue {
    value: Expected,
    exact: bool,
}

/// Who decides at a node.
enum Turn {
    /// A player: the best value so far.
    Choice {
        own: bool,
        best: Option<Expected>,
    },
    Chance(ChanceNode),
}

/// A node on the current path.
struct Frame {
    node: NodeId,
    moves: u32,
    /// Moves that were searched.
    next: u32,
    left: u32,
    best_edge: u32,
    window: Window,
    exact: bool,
    /// The successor of which one move is being looked at, and whether the side of the search
    /// chooses there.
    probing: Option<(usize, bool)>,
    turn: Turn,
}

/// What is to be searched next, or the value of a node.
enum Descent {
    Search(NodeId, u32, Window),
    Done(SubtreeValue),
}

struct Search<'g, 'm, 'o, G: Game> {
    game: &'g mut G,
    graph: &'g mut GraphOf<G>,
    meter: &'m mut Meter<'o>,
    /// At whose side the search is.
    side: Player,
    /// One player: no node minimises.
    alone: bool,
    bounds: Option<(Expected, Expected)>,
    /// What nodes were found to be worth with so many moves left: a value that was within its
    /// window, or a bound.
    known: FxHashMap<(NodeId, u32), CachedValue>,
}

/// The result of a search of a node.
struct CachedValue {
    found: SubtreeValue,
    /// It may be less, or more: it was not within its window.
    may_be_less: bool,
    may_be_more: bool,
}

/// Bytes of what is known of a node.
const PER_KNOWN: usize = 300;

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    meter.depth = options.depth;
    let (side, alone) = (graph.valued_for(*root), game.players() < 2);
    let bounds = bounds(game, alone)?;
    let known = FxHashMap::default();
    let mut search = Search { game, graph, meter, side, alone, bounds, known };
    let (found, best_edge) = search.value(*root, options.depth)?;
    let other = found.value.negated();
    let values = match side {
        _ if alone => vec![found.value],
        0 => vec![found.value, other],
        _ => vec![other, found.value],
    };
    let best = best_edge.map(|edge| graph.edge(*root, edge).mv);
    let depth = options.depth.filter(|_| !found.exact);
    Ok(Verdict { exact: found.exact, depth, ..Verdict::in_means(Means::new(values), best) })
}

/// The bounds of all values, to whomever.
fn bounds<G: Game>(game: &mut G, alone: bool) -> Result<Option<(Expected, Expected)>, Halt> {
    let bounds = game.bounds()?;
    Ok(bounds.map(|(low, high)| match alone {
        true => (Expected::of(low), Expected::of(high)),
        false => {
            let (low, high) = (low.min(high.negated()), high.max(low.negated()));
            (Expected::of(low), Expected::of(high))
        }
    }))
}

impl<G: Game> Search<'_, '_, '_, G> {
    /// The value of a node and the move that reaches it.
    fn value(
        &mut self,
        root: NodeId,
        depth: Option<u32>,
    ) -> Result<(SubtreeValue, Option<u32>), Halt> {
        let mut path: Vec<Frame> = Vec::new();
        let mut step = Descent::Search(root, depth.unwrap_or(u32::MAX), Window::default());
        loop {
            let found = match step {
                Descent::Search(node, left, window) => {
                    let known = self.look_up(node, left, &window);
                    if known.is_none() {
                        self.meter.visit(path.len())?;
                    }
                    match known.map_or_else(|| self.leaf(node, left), |known| Ok(Some(known)))? {
                        Some(found) => found,
                        None => {
                            if depth.is_none() && path.len() > self.graph.len() {
                                return Err(Halt::Stop(StopReason::Cycle));
                            }
                            let own = self.known.len() * PER_KNOWN;
                            self.meter.hold(self.graph, own + path.len() * size_of::<Frame>())?;
                            path.push(self.enter(node, left, window)?);
                            step = self.next(&mut path)?;
                            continue;
                        }
                    }
                }
                Descent::Done(found) => {
                    let done = path.pop().expect("what is done was entered");
                    self.cache(&done, &found);
                    if path.is_empty() {
                        let chosen = matches!(done.turn, Turn::Choice { .. });
                        return Ok((found, chosen.then_some(done.best_edge)));
                    }
                    found
                }
            };
            let Some(frame) = path.last_mut() else { return Ok((found, None)) };
            let beyond = frame.take(found);
            if beyond.is_some() {
                self.meter.stats.cutoffs += 1;
            }
            step = match beyond {
                Some(value) => Descent::Done(SubtreeValue { value, exact: frame.exact }),
                None => self.next(&mut path)?,
            };
        }
    }

    /// What is known of a node already, if it is enough.
    fn look_up(&mut self, node: NodeId, left: u32, window: &Window) -> Option<SubtreeValue> {
        let known = self.known.get(&(node, self.height(left)))?;
        let value = &known.found.value;
        let enough = (!known.may_be_more || window.is_above(value))
            && (!known.may_be_less || window.is_below(value));
        if !enough {
            return None;
        }
        self.meter.stats.table_hits += 1;
        Some(known.found.clone())
    }

    fn cache(&mut self, done: &Frame, found: &SubtreeValue) {
        let may_be_less = done.window.is_below(&found.value);
        let may_be_more = done.window.is_above(&found.value);
        let known = CachedValue { found: found.clone(), may_be_less, may_be_more };
        self.known.insert((done.node, self.height(done.left)), known);
    }

    /// Moves left, as far as they make a difference.
    fn height(&self, left: u32) -> u32 {
        if self.meter.depth.is_none() { u32::MAX } else { left }
    }

    /// The value at the depth or at the end of the game.
    fn leaf(&mut self, node: NodeId, left: u32) -> Result<Option<SubtreeValue>, Halt> {
        let (value, exact) = if left == 0 {
            self.graph.estimate(self.game, node)?
        } else if self.graph.moves(self.game, node)?.is_none() {
            (self.graph.utility(self.game, node)?, true)
        } else {
            return Ok(None);
        };
        let own = self.alone || self.graph.valued_for(node) == self.side;
        let value = Expected::of(if own { value } else { value.negated() });
        Ok(Some(SubtreeValue { value, exact }))
    }

    fn enter(&mut self, node: NodeId, left: u32, window: Window) -> Result<Frame, Halt> {
        let moves = self.graph.moves(self.game, node)?.unwrap_or(0);
        let turn = match self.graph.player(node) {
            CHANCE => {
                let chances = self.graph.probabilities(self.game, node)?;
                Turn::Chance(ChanceNode::new(chances, self.bounds.as_ref()))
            }
            player => Turn::Choice { own: self.alone || player == self.side, best: None },
        };
        let (next, best_edge, probing) = (0, 0, None);
        Ok(Frame { node, moves, next, left, best_edge, window, exact: true, probing, turn })
    }

    /// What is to be done at the last node of the path.
    fn next(&mut self, path: &mut [Frame]) -> Result<Descent, Halt> {
        let frame = path.last_mut().expect("a node was entered");
        if let Some(probe) = self.next_probe(frame)? {
            return Ok(probe);
        }
        if let Some(found) = frame.outcome() {
            return Ok(Descent::Done(found));
        }
        let window = frame.next_window();
        Ok(Descent::Search(self.graph.edge(frame.node, frame.next).to, frame.left - 1, window))
    }

    /// One move of a successor where a player chooses, if what it is worth could decide.
    fn next_probe(&mut self, frame: &mut Frame) -> Result<Option<Descent>, Halt> {
        let Turn::Chance(lottery) = &mut frame.turn else { return Ok(None) };
        if frame.left < 2 {
            return Ok(None);
        }
        while let Some(at) = lottery.next_probe() {
            let child = self.graph.edge(frame.node, at as u32).to;
            let player = self.graph.player(child);
            let own = self.alone || player == self.side;
            let bound = if own { &frame.window.beta } else { &frame.window.alpha };
            if player == CHANCE || bound.is_none() {
                continue;
            }
            let Some(moves) = self.graph.moves(self.game, child)? else { continue };
            debug_assert!(moves > 0, "a state that is not over has a move");
            frame.probing = Some((at, own));
            let window = lottery.window(at, &frame.window);
            let first = self.graph.edge(child, 0).to;
            return Ok(Some(Descent::Search(first, frame.left - 2, window)));
        }
        Ok(None)
    }
}

impl Frame {
    /// Takes the value of what was searched; what the node is worth at least or at most, if
    /// that decides it.
    fn take(&mut self, found: SubtreeValue) -> Option<Expected> {
        self.exact &= found.exact;
        match &mut self.turn {
            Turn::Chance(lottery) => match self.probing.take() {
                Some((at, own)) => lottery.take_probe(at, own, &found.value, &self.window),
                None => {
                    self.next += 1;
                    lottery.take(found.value, &self.window)
                }
            },
            Turn::Choice { own, best } => {
                let better = match best {
                    None => true,
                    Some(best) if *own => found.value > *best,
                    Some(best) => found.value < *best,
                };
                if better {
                    *best = Some(found.value.clone());
                    self.best_edge = self.next;
                }
                self.next += 1;
                let decides = if *own { Window::is_above } else { Window::is_below };
                let cuts = better && self.next < self.moves && decides(&self.window, &found.value);
                cuts.then_some(found.value)
            }
        }
    }

    /// The value of the node, once all moves were searched.
    fn outcome(&self) -> Option<SubtreeValue> {
        let value = match &self.turn {
            Turn::Chance(lottery) => lottery.value(),
            Turn::Choice { best, .. } => best.clone().filter(|_| self.next == self.moves),
        };
        value.map(|value| SubtreeValue { value, exact: self.exact })
    }

    /// What the next move must be worth to matter.
    fn next_window(&self) -> Window {
        match &self.turn {
            Turn::Chance(lottery) => lottery.window(self.next as usize, &self.window),
            Turn::Choice { own: true, best } => Window {
                // What is not there is less than anything that is.
                alpha: self.window.alpha.clone().max(best.clone()),
                beta: self.window.beta.clone(),
            },
            Turn::Choice { own: false, best } => {
                let least = match (&self.window.beta, best) {
                    (Some(beta), Some(best)) => Some(beta.min(best)),
                    (beta, best) => beta.as_ref().or(best.as_ref()),
                };
                Window { alpha: self.window.alpha.clone(), beta: least.cloned() }
            }
        }
    }
}

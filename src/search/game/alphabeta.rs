//! `alphabeta`: the value and the move of negamax, with few of the nodes.
//!
//! Fail-soft alpha-beta as principal-variation search: the first move of a node is searched
//! with the window it has, the others with an empty one that only asks whether they are
//! better. Iterative deepening fills the transposition table, whose moves are tried first;
//! then killers, the moves that lately cut at the same ply, then those that cut most often.
//! Before a node is searched its successors are looked up: one that cuts makes the search
//! needless.
//!
//! # The same value, the same move
//!
//! The value at a depth is that of the textbook, so an entry of the table counts for a search
//! to its own depth only; or, if no estimate went into it, for every depth that its plays end
//! within. When the value of the root is known, the moves before the one found are asked
//! whether they reach it too: the first that does is the move.
//!
//! The table has an entry for each state of the graph. When memory runs short the states with
//! the smallest subtrees are forgotten.
//!
//! Knuth & Moore, *An analysis of alpha-beta pruning*, Artificial Intelligence 6 (1975);
//! Marsland & Campbell, *Parallel search of strongly ordered game trees*, Computing Surveys 14
//! (1982); Plaat et al., *Exploiting graph properties of game trees*, AAAI (1996).
//!
//! ```
//! use zug::search::Limits;
//! use zug::search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(40, 3);
//! let start = nim.start(40);
//! let mut graph = Graph::new(&nim);
//! let (options, engine) = (GameOptions::default(), GameEngine::Alphabeta);
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! assert_eq!((report.value, report.best), (Some(1), Some(3)));
//! assert!(report.exact && report.stats.nodes < 1000);
//! # Ok::<(), zug::search::game::GameError<std::convert::Infallible>>(())
//! ```

use super::graph::{Graph, GraphOf, NodeId, UNKNOWN};
use super::interface::Game;
use super::meter::{Halt, Meter};
use super::ordering::Ordering;
use super::plain::{AtOnce, LONG_PATH};
use super::registry::{Answer, GameEngineInfo, GameOptions, PlayersAllowed, Verdict};
use super::transposition::{Bound, Found, Table, Window, for_player};
use super::value::Value;
use crate::search::limits::Limits;
use crate::search::problem::StateStore;
use crate::search::report::StopReason;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "alphabeta",
    title: "alpha-beta",
    summary: "the value and move of negamax with few of its nodes, ever deeper",
    players: PlayersAllowed::Two,
    reference: "Knuth, Moore 1975",
};

/// Depths beyond this are the whole game, however much of it has been played.
const WHOLE: u32 = u32::MAX / 2;

/// Depths tried beyond the one that proved a value, to tell which moves reach it.
const DEEPER: u32 = 100;

/// Iterations after which the moves are ordered well enough to search the whole game.
const ENOUGH: u32 = 4;

/// A node on the current path.
struct Frame<V> {
    node: NodeId,
    /// How many moves, and how many of them are done, in the order chosen.
    moves: u32,
    next: u32,
    /// Where that order begins.
    order: usize,
    left: u32,
    window: Window<V>,
    /// Alpha at the beginning.
    alpha: V,
    best: V,
    best_edge: u32,
    height: u32,
    exact: bool,
    /// The current move is only asked whether it is better.
    scout: bool,
}

/// A transposition table and what orders the moves.
struct Search<V> {
    table: Table<V>,
    ordering: Ordering,
    path: Vec<Frame<V>>,
    /// The orders of moves along the path, one after another.
    order: Vec<u32>,
    /// A move of the last root that reaches its value, if that was searched.
    root_edge: Option<u32>,
}

/// The value and the move of a root.
struct Rooted<V> {
    value: V,
    best_edge: Option<u32>,
    /// No estimate went into either.
    exact: bool,
}

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let mut search = Search::<G::Value>::new();
    let deepest = options.depth.unwrap_or(u32::MAX);
    // Without an estimate there is nothing to be learnt from less than the whole.
    let mut depth = if game.has_heuristic() { deepest.min(1) } else { deepest };
    // Where nothing is in a hurry a few iterations order the moves, then comes the whole.
    let whole = options.depth.is_none() && !meter.is_limited();
    let mut known: Option<(Rooted<G::Value>, u32)> = None;
    let mut stopped = None;
    meter.stats.iterations = 0;
    loop {
        meter.depth = Some(depth).filter(|&depth| depth != u32::MAX);
        meter.stats.iterations += 1;
        match search.root(game, graph, std::slice::from_mut(root), depth, meter) {
            Ok(rooted) => {
                let exact = rooted.exact;
                known = Some((rooted, depth));
                if exact || depth == deepest {
                    break;
                }
                depth = if whole && depth >= ENOUGH { u32::MAX } else { depth + 1 };
            }
            // Play that can go round has no whole.
            Err(Halt::Stop(reason)) if known.is_some() => {
                stopped = Some(reason);
                break;
            }
            Err(halt) => return Err(halt),
        }
    }
    let (rooted, depth) = known.expect("an iteration was finished");
    let exact = rooted.exact;
    Ok(Verdict {
        value: Some(rooted.value),
        values: Vec::new(),
        best: rooted.best_edge.map(|edge| graph.edge(*root, edge).mv),
        line: Some(search.line(
            game,
            graph,
            *root,
            options.depth.unwrap_or(depth),
            (rooted.best_edge, exact && options.depth.is_none()),
            meter,
        )),
        exact,
        distance: None,
        depth: (!exact).then_some(depth),
        stopped: stopped.filter(|_| !exact),
    })
}

/// The line of best play from a node, for engines that keep none; what there is of it when
/// the time is over.
pub(super) fn line<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: NodeId,
    depth: Option<u32>,
    limits: &Limits,
) -> Vec<G::Move> {
    let limits = Limits { nodes: None, depth: None, ..limits.clone() };
    let mut meter = Meter::new(&limits, None);
    let mut search = Search::<G::Value>::new();
    let depth = depth.unwrap_or(u32::MAX);
    let mut pinned = [root];
    match search.root(game, graph, &mut pinned, depth, &mut meter) {
        Ok(rooted) => {
            search.line(game, graph, pinned[0], depth, (rooted.best_edge, false), &mut meter)
        }
        Err(_) => Vec::new(),
    }
}

impl<V: Value> Search<V> {
    fn new() -> Self {
        Self {
            table: Table::new(),
            ordering: Ordering::new(),
            path: Vec::new(),
            order: Vec::new(),
            root_edge: None,
        }
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + self.ordering.bytes()
            + self.path.capacity() * size_of::<Frame<V>>()
            + self.order.capacity() * 4
    }

    /// The value of a root, the first of the `pinned` nodes, at a depth, and the first move
    /// that reaches it. All pinned nodes are there afterwards, perhaps with new numbers.
    fn root<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        pinned: &mut [NodeId],
        depth: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Rooted<V>, Halt<G::Error>> {
        let Found { value, mut exact, .. } =
            self.value(game, graph, pinned, depth, Window::WHOLE, meter)?;
        if depth == 0 {
            return Ok(Rooted { value, best_edge: None, exact });
        }
        let Some(moves) = graph.moves(game, pinned[0])? else {
            return Ok(Rooted { value, best_edge: None, exact });
        };
        let window = Window { alpha: value.below(), beta: value };
        // Where the value stood in the table the move is not known: one of them reaches it.
        for at in 0..moves {
            if self.root_edge == Some(at) {
                break;
            }
            let child = graph.edge(pinned[0], at).to;
            let turns = graph.player(child) != graph.player(pinned[0]);
            let known = self.root_edge;
            let mut nodes: Vec<NodeId> = [child].iter().chain(&*pinned).copied().collect();
            let window = window.for_player(turns);
            let reached = self.value(game, graph, &mut nodes, depth - 1, window, meter)?;
            pinned.copy_from_slice(&nodes[1..]);
            self.root_edge = known;
            exact &= reached.exact;
            if for_player(reached.value, turns) >= value {
                self.root_edge = Some(at);
                break;
            }
        }
        Ok(Rooted { value, best_edge: self.root_edge, exact })
    }

    /// The first moves that reach the values, one after the other; what there is of them when
    /// a limit strikes. The counts stay those of the search itself.
    fn line<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        root: NodeId,
        depth: u32,
        (best_edge, whole): (Option<u32>, bool),
        meter: &mut Meter<'_>,
    ) -> Vec<G::Move> {
        let stats = meter.stats;
        let mut line = Vec::new();
        let (mut node, mut left, mut best) = ([root], depth, best_edge);
        while let Some(edge) = best {
            let edge = graph.edge(node[0], edge);
            line.push(edge.mv);
            (node[0], left) = (edge.to, left - 1);
            best = self.best_edge(game, graph, &mut node, left, whole, meter);
        }
        meter.stats = stats;
        line
    }

    /// The edge of best play at a node. In the whole game estimates must not choose it: the
    /// depth grows until they don't.
    fn best_edge<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        node: &mut [NodeId],
        left: u32,
        whole: bool,
        meter: &mut Meter<'_>,
    ) -> Option<u32> {
        for deeper in 0..=DEEPER {
            let left = left.saturating_add(deeper);
            let rooted = self.root(game, graph, node, left, meter).ok()?;
            if rooted.exact || !whole {
                return rooted.best_edge;
            }
        }
        None
    }

    /// The value of the first of the `pinned` nodes at a depth, exact within the window and
    /// else a bound on it. All pinned nodes are there afterwards, perhaps with new numbers.
    fn value<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        pinned: &mut [NodeId],
        depth: u32,
        window: Window<V>,
        meter: &mut Meter<'_>,
    ) -> Result<Found<V>, Halt<G::Error>> {
        self.path.clear();
        self.order.clear();
        self.root_edge = None;
        let (mut node, mut left, mut window) = (pinned[0], depth, window);
        loop {
            meter.visit(self.path.len())?;
            if left > 0 && !graph.is_known(node) && meter.is_crowded(graph, self.bytes()) {
                self.make_room(game, graph, pinned, &mut node, meter)?;
            }
            if self.path.len() & LONG_PATH == LONG_PATH {
                meter.hold(graph, self.bytes())?;
            }
            let mut found = match self.at_once(game, graph, node, left, window, meter)? {
                Ok(found) => found,
                Err(moves) => {
                    if depth > WHOLE && self.path.len() > graph.len() {
                        return Err(Halt::Stop(StopReason::Cycle));
                    }
                    self.enter(graph, node, moves, left, window);
                    let first = graph.edge(node, self.order[self.order.len() - moves as usize]).to;
                    let turns = graph.player(first) != graph.player(node);
                    (node, left, window) = (first, left - 1, window.for_player(turns));
                    continue;
                }
            };
            loop {
                match self.fold(graph, found, meter) {
                    Next::Down(to, to_left, to_window) => {
                        (node, left, window) = (to, to_left, to_window);
                        break;
                    }
                    Next::Up(value) => found = value,
                    Next::Done => return Ok(found),
                }
            }
        }
    }

    /// The value of a node that needs no search, else how many moves it has.
    #[inline]
    fn at_once<G: Game<Value = V>>(
        &self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        node: NodeId,
        left: u32,
        window: Window<V>,
        meter: &mut Meter<'_>,
    ) -> AtOnce<Found<V>, G> {
        if left == 0 {
            let (value, exact) = graph.estimate(game, node)?;
            return Ok(Ok(Found { value, height: 0, exact }));
        }
        if let Some(found) = self.table.look_up(node, left, window) {
            meter.stats.table_hits += 1;
            return Ok(Ok(found));
        }
        let Some(moves) = graph.moves(game, node)? else {
            let value = graph.utility(game, node)?;
            return Ok(Ok(Found { value, height: 0, exact: true }));
        };
        if left > 1
            && let Some(found) = self.table.cut_below(graph, node, left - 1, window.beta)
        {
            meter.stats.table_hits += 1;
            return Ok(Ok(found));
        }
        Ok(Err(moves))
    }

    /// Puts a node on the path, its moves ordered.
    fn enter<S: StateStore, M: Copy + Into<u32>>(
        &mut self,
        graph: &Graph<S, M, V>,
        node: NodeId,
        moves: u32,
        left: u32,
        window: Window<V>,
    ) {
        let ply = self.path.len();
        let start = self.order.len();
        self.order.extend(0..moves);
        let table_edge = self.table.get(node).map_or(UNKNOWN, |entry| entry.best_edge);
        let edges = graph.known_edges(node);
        self.ordering.sort(ply, table_edge, edges, &mut self.order[start..]);
        self.path.push(Frame {
            node,
            moves,
            next: 0,
            order: start,
            left,
            window,
            alpha: window.alpha,
            best: V::LEAST,
            best_edge: UNKNOWN,
            height: 0,
            exact: true,
            scout: false,
        });
    }

    /// Takes the value of the current move into the last node of the path.
    #[inline]
    fn fold<S: StateStore, M: Copy + Into<u32>>(
        &mut self,
        graph: &Graph<S, M, V>,
        found: Found<V>,
        meter: &mut Meter<'_>,
    ) -> Next<V> {
        let Some(frame) = self.path.last_mut() else { return Next::Done };
        let at = self.order[frame.order + frame.next as usize];
        let edge = graph.edge(frame.node, at);
        let turns = graph.player(edge.to) != graph.player(frame.node);
        let value = for_player(found.value, turns);
        let Window { alpha, beta } = frame.window;
        if frame.scout && value > alpha && value < beta {
            frame.scout = false;
            return Next::Down(edge.to, frame.left - 1, frame.window.for_player(turns));
        }
        if frame.next == 0 || value > frame.best {
            (frame.best, frame.best_edge) = (value, at);
        }
        frame.window.alpha = alpha.max(frame.best);
        frame.height = frame.height.max(found.height + 1);
        frame.exact &= found.exact;
        frame.next += 1;
        let cut = frame.best >= beta;
        self.ordering.tried(edge.mv.into(), found.height, cut);
        if !cut && frame.next < frame.moves {
            let next = self.order[frame.order + frame.next as usize];
            let to = graph.edge(frame.node, next).to;
            let turns = graph.player(to) != graph.player(frame.node);
            frame.scout = frame.left > 1;
            let window = if frame.scout { Window::above(frame.window.alpha) } else { frame.window };
            return Next::Down(to, frame.left - 1, window.for_player(turns));
        }
        let mut result = Found { value: frame.best, height: frame.height, exact: frame.exact };
        let mut bound = if frame.best > frame.alpha { Bound::Exact } else { Bound::Upper };
        if cut {
            bound = Bound::Lower;
            (result.height, result.exact) = (found.height + 1, found.exact);
        }
        let (node, left, best_edge) = (frame.node, frame.left, frame.best_edge);
        let skipped = frame.next < frame.moves;
        self.order.truncate(frame.order);
        self.path.pop();
        if self.path.is_empty() {
            self.root_edge = Some(best_edge);
        }
        if cut && skipped {
            meter.stats.cutoffs += 1;
            self.ordering.cut_at(self.path.len(), edge.mv.into());
        }
        self.table.keep(node, left, best_edge, bound, result, graph.len());
        Next::Up(result)
    }

    /// Forgets the states with the smallest subtrees.
    #[cold]
    fn make_room<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        pinned: &mut [NodeId],
        node: &mut NodeId,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt<G::Error>> {
        let least = self.table.least_height(graph.len() / 4);
        let on_path = self.path.iter_mut().map(|frame| &mut frame.node);
        let all = on_path.chain(pinned).chain([node]).collect();
        let worth_keeping = |node: NodeId| self.table.is_worth_keeping(node, least);
        let numbers = graph.forget(game, all, worth_keeping)?;
        self.table.renumber(&numbers, graph.len());
        meter.hold(graph, self.bytes())
    }
}

/// What to do after a move's value was taken in.
enum Next<V> {
    /// Search a node.
    Down(NodeId, u32, Window<V>),
    /// The node is done: its value.
    Up(Found<V>),
    /// The path is empty: the value was that of the root.
    Done,
}

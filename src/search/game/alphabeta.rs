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
//! States are asked about where the search comes by, not numbered in the graph: what is kept
//! of them is in the table. When memory runs short the states with the smallest subtrees give
//! way.
//!
//! Knuth & Moore, *An analysis of alpha-beta pruning*, Artificial Intelligence 6 (1975);
//! Marsland & Campbell, *Parallel search of strongly ordered game trees*, Computing Surveys 14
//! (1982); Plaat et al., *Exploiting graph properties of game trees*, AAAI (1996).
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! let mut nim = TableGame::nim(40, 3);
//! let start = nim.start(40);
//! let mut graph = Graph::new(&nim);
//! let (options, engine) = (GameOptions::default(), GameEngine::Alphabeta);
//! let report = run(engine, &mut nim, &mut graph, &start, &options, &Limits::none(), None)?;
//! assert_eq!((report.value, report.best), (Some(1), Some(3)));
//! assert!(report.exact && report.stats.nodes < 1000);
//! # Ok::<(), zug_search::game::GameError<std::convert::Infallible>>(())
//! ```

use super::full_width::LONG_PATH;
use super::graph::{GraphOf, NodeId, UNKNOWN};
use super::interface::{Game, Player};
use super::meter::{Halt, Meter};
use super::numbered::Numbered;
use super::ordering::Ordering;
use super::ply::{Ply, leaf};
use super::registry::{Answer, GameEngineInfo, GameOptions, PlayersAllowed, Verdict};
use super::retrograde::SolveError;
use super::trace::{self, Note, SearchTracer, Source, TraceOf};
use super::transposition::{Bound, Entry, StateKey, SubtreeValue, Table, Window, for_player};
use super::value::Value;
use crate::limits::Limits;
use crate::report::StopReason;
use rustc_hash::FxHashSet;

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "alphabeta",
    title: "alpha-beta",
    summary: "the value and move of negamax with few of its nodes, ever deeper",
    players: PlayersAllowed::Two,
    chance: false,
    when: "you want to play well",
    reference: "Knuth, Moore 1975",
};

/// Depths beyond this are the whole game, however much of it has been played.
const WHOLE: u32 = u32::MAX / 2;

/// Depths tried beyond the one that proved a value, to tell which moves reach it.
const DEEPER: u32 = 100;

/// Iterations after which the moves are ordered well enough to search the whole game.
const ENOUGH: u32 = 4;

/// Paths of the whole game are looked at for play that goes round when they are as long as
/// this, and twice as long, and so on.
const ROUND: usize = 64;

/// A node that is searched next: which of the moves of the last one on the path leads to it.
#[derive(Clone, Copy)]
struct Visit<V> {
    at: u32,
    left: u32,
    window: Window<V>,
}

/// A node on the current path.
struct Frame<V> {
    visit: Visit<V>,
    player: Player,
    /// How many of its moves are done, in the order chosen.
    next: u32,
    /// What matters now, `visit.window` at the beginning.
    window: Window<V>,
    best: V,
    best_move: u32,
    height: u32,
    exact: bool,
    /// The current move is only asked whether it is better.
    scout: bool,
}

impl<V: Value> Frame<V> {
    /// Where the next move leads, searched with a window of this node's.
    #[inline]
    fn step<G: Game<Value = V>>(&self, game: &G, ply: &Ply<G>, window: Window<V>) -> Visit<V> {
        let at = ply.order[self.next as usize];
        let turns = game.player(&ply.moves[at as usize].1) != self.player;
        Visit { at, left: self.visit.left - 1, window: window.for_player(turns) }
    }
}

/// A transposition table and what orders the moves.
struct Search<G: Game, T = ()> {
    table: Table<G>,
    ordering: Ordering,
    path: Vec<Frame<G::Value>>,
    /// The moves of the nodes on the path, and room for more.
    plies: Vec<Ply<G>>,
    /// A move of the last root that reaches its value, if that was searched.
    root_move: Option<u32>,
    /// Bytes held elsewhere, and the most that all may take.
    held: usize,
    most: usize,
    tracer: T,
}

/// The value of a root, and a move that reaches it with the state it leads to.
struct Rooted<G: Game> {
    value: G::Value,
    best: Option<(G::Move, G::State)>,
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
    let root = graph.state(*root);
    deepen(game, &root, options, Search::new(graph.bytes(), meter, ()), meter)
}

/// Searches a root, and notes what is done.
///
/// # Errors
/// A limit, or the failure of an operation of the game.
pub fn traced<G: Game>(
    game: &mut G,
    root: &G::State,
    depth: Option<u32>,
    limits: &Limits,
    trace: &mut TraceOf<G>,
) -> Result<(), SolveError<G::Error>> {
    let mut meter = Meter::new(limits, None);
    let options = GameOptions { depth, ..GameOptions::default() };
    let search = Search::new(0, &meter, trace);
    deepen(game, root, &options, search, &mut meter)?;
    Ok(())
}

/// Searches ever deeper.
fn deepen<G: Game, T: SearchTracer<G>>(
    game: &mut G,
    root: &G::State,
    options: &GameOptions,
    mut search: Search<G, T>,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let deepest = options.depth.unwrap_or(u32::MAX);
    // Without an estimate there is nothing to be learnt from less than the whole.
    let mut depth = if game.has_heuristic() { deepest.min(1) } else { deepest };
    // Where nothing is in a hurry a few iterations order the moves, then comes the whole.
    let whole = options.depth.is_none() && !meter.is_limited();
    let mut known: Option<(Rooted<G>, u32)> = None;
    let mut stopped = None;
    meter.stats.iterations = 0;
    loop {
        meter.depth = Some(depth).filter(|&depth| depth != u32::MAX);
        meter.stats.iterations += 1;
        match search.root(game, root, depth, meter) {
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
    search.tracer.finish();
    let (rooted, depth) = known.expect("an iteration was finished");
    let Rooted { value, best, exact } = rooted;
    let whole = exact && options.depth.is_none();
    Ok(Verdict {
        value: Some(value),
        values: Vec::new(),
        best: best.as_ref().map(|&(mv, _)| mv),
        line: Some(search.line(game, best, options.depth.unwrap_or(depth), whole, meter)),
        exact,
        ties: false,
        distance: None,
        depth: (!exact).then_some(depth),
        stopped: stopped.filter(|_| !exact),
        means: None,
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
    let mut search = Search::new(graph.bytes(), &meter, ());
    // What was asked already is not asked again.
    let mut game = Numbered::new(game, graph, meter.memory());
    let depth = depth.unwrap_or(u32::MAX);
    match search.root(&mut game, &root, depth, &mut meter) {
        Ok(rooted) => search.line(&mut game, rooted.best, depth, false, &mut meter),
        Err(_) => Vec::new(),
    }
}

impl<G: Game, T: SearchTracer<G>> Search<G, T> {
    fn new(held: usize, meter: &Meter<'_>, tracer: T) -> Self {
        Self {
            table: Table::new(),
            ordering: Ordering::new(),
            path: Vec::new(),
            plies: Vec::new(),
            root_move: None,
            held,
            most: meter.memory(),
            tracer,
        }
    }

    fn bytes(&self) -> usize {
        self.held
            + self.table.bytes()
            + self.ordering.bytes()
            + self.path.capacity() * size_of::<Frame<G::Value>>()
            + self.plies.iter().map(Ply::bytes).sum::<usize>()
    }

    /// The value of a root at a depth, and the first move that reaches it.
    fn root(
        &mut self,
        game: &mut G,
        root: &G::State,
        depth: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Rooted<G>, Halt<G::Error>> {
        self.tracer.begin(depth);
        let found = self.value(game, StateKey::of(root), depth, Window::WHOLE, meter);
        self.tracer.end();
        let SubtreeValue { value, mut exact, .. } = found?;
        let mut ply = match self.plies.first_mut() {
            // Its moves are still there.
            Some(ply) if self.root_move.is_some() => std::mem::replace(ply, Ply::new()),
            _ => Ply::new(),
        };
        if ply.moves.is_empty() {
            if depth == 0 || game.is_over(root).map_err(Halt::Fail)? {
                return Ok(Rooted { value, best: None, exact });
            }
            ply.ask(game, root)?;
            meter.stats.states += 1;
        }
        let window = Window { alpha: value.below(), beta: value };
        let mut best = self.root_move;
        // Where the value stood in the table the move is not known: one of them reaches it.
        for at in 0..best.unwrap_or(ply.moves.len() as u32) {
            let key = ply.key(at);
            let turns = game.player(key.state) != game.player(root);
            let window = window.for_player(turns);
            let reached = self.value(game, key, depth - 1, window, meter)?;
            exact &= reached.exact;
            if for_player(reached.value, turns) >= value {
                best = Some(at);
                break;
            }
        }
        let best = best.map(|at| ply.moves.swap_remove(at as usize));
        Ok(Rooted { value, best, exact })
    }

    /// The first moves that reach the values, one after the other, from the best one at a
    /// root on; what there is of them when a limit strikes. The counts stay those of the
    /// search itself.
    fn line(
        &mut self,
        game: &mut G,
        mut best: Option<(G::Move, G::State)>,
        depth: u32,
        whole: bool,
        meter: &mut Meter<'_>,
    ) -> Vec<G::Move> {
        let stats = meter.stats;
        let mut line = Vec::new();
        let mut left = depth;
        while let Some((mv, state)) = best {
            line.push(mv);
            // Best play of the whole game may go on where the depth of the search ends.
            left = left.saturating_sub(1);
            best = self.best_move(game, &state, left, whole, meter);
        }
        meter.stats = stats;
        line
    }

    /// The move of best play in a state. In the whole game estimates must not choose it: the
    /// depth grows until they don't.
    fn best_move(
        &mut self,
        game: &mut G,
        state: &G::State,
        left: u32,
        whole: bool,
        meter: &mut Meter<'_>,
    ) -> Option<(G::Move, G::State)> {
        for deeper in 0..=DEEPER {
            let left = left.saturating_add(deeper);
            let rooted = self.root(game, state, left, meter).ok()?;
            if rooted.exact || !whole {
                return rooted.best;
            }
        }
        None
    }

    /// The value of a state at a depth, exact within the window and else a bound on it.
    fn value(
        &mut self,
        game: &mut G,
        root: StateKey<'_, G::State>,
        depth: u32,
        window: Window<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<SubtreeValue<G::Value>, Halt<G::Error>> {
        self.path.clear();
        self.root_move = None;
        let mut visit = Visit { at: 0, left: depth, window };
        loop {
            meter.visit(self.path.len())?;
            let mut found = match self.at_once(game, root, visit, meter)? {
                Some(found) => found,
                None => {
                    if depth > WHOLE && self.goes_round() {
                        return Err(Halt::Stop(StopReason::Cycle));
                    }
                    visit = self.first(game);
                    continue;
                }
            };
            loop {
                // Room for the value of one more state, at least.
                if self.table.is_crowded() {
                    self.watch_memory(meter)?;
                }
                match self.fold(game, root, found, meter) {
                    Next::Down(next) => {
                        visit = next;
                        break;
                    }
                    Next::Up(value) => found = value,
                    Next::Done => return Ok(found),
                }
            }
        }
    }

    /// The value of a node that needs no search; else it is put on the path, its moves ordered.
    #[inline]
    fn at_once(
        &mut self,
        game: &mut G,
        root: StateKey<'_, G::State>,
        visit: Visit<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<SubtreeValue<G::Value>>, Halt<G::Error>> {
        let Visit { at, left, window } = visit;
        self.tracer.note(|| trace::visit::<G>(at, left, window));
        let depth = self.path.len();
        if self.plies.len() == depth {
            self.plies.push(Ply::new());
        }
        if depth & LONG_PATH == LONG_PATH {
            self.watch_memory(meter)?;
        }
        let (before, after) = self.plies.split_at_mut(depth);
        let key = before.last().map_or(root, |ply| ply.key(at));
        let known = self.table.get(key);
        if let Some(found) = known.and_then(|entry| entry.answer(left, window)) {
            meter.stats.table_hits += 1;
            self.tracer.note(|| Note::Known { value: found.value, from: Source::Table });
            return Ok(Some(found));
        }
        let table_move = known.map_or(UNKNOWN, |entry| entry.best);
        if let Some(found) = leaf(game, key.state, left).map_err(Halt::Fail)? {
            // Little is lost with an estimate.
            if found.exact || known.is_none() {
                let (best, bound) = (UNKNOWN, Bound::Exact);
                self.table.insert(game, key, Entry { found, left, best, bound });
            }
            self.tracer.note(|| Note::Known { value: found.value, from: Source::Leaf });
            return Ok(Some(found));
        }
        let ply = &mut after[0];
        ply.ask(game, key.state)?;
        meter.stats.states += 1;
        let player = game.player(key.state);
        if left > 1
            && let Some(found) = ply.cut(game, &self.table, player, left - 1, window.beta)
        {
            meter.stats.table_hits += 1;
            self.tracer.note(|| Note::Known { value: found.value, from: Source::Successor });
            return Ok(Some(found));
        }
        self.tracer.note(|| Note::Open(ply.moves.clone()));
        self.ordering.sort(depth, table_move, &ply.moves, &mut ply.order);
        self.path.push(Frame {
            visit,
            player,
            next: 0,
            window,
            best: G::Value::LEAST,
            best_move: UNKNOWN,
            height: 0,
            exact: true,
            scout: false,
        });
        Ok(None)
    }

    /// Lets the table grow; an error if paths alone take too much.
    #[cold]
    fn watch_memory(&mut self, meter: &mut Meter<'_>) -> Result<(), Halt<G::Error>> {
        if self.table.is_crowded() {
            let others = self.bytes() - self.table.bytes();
            // Paths want some room too.
            self.table.grow((self.most / 3 * 2).saturating_sub(others));
        }
        meter.hold_bytes(self.bytes())
    }

    /// Whether half of a long path is made of states that occurred before.
    fn goes_round(&self) -> bool {
        let length = self.path.len();
        if length < ROUND || !length.is_power_of_two() {
            return false;
        }
        let steps = self.path.iter().skip(1).zip(&self.plies);
        let states: FxHashSet<&G::State> =
            steps.map(|(frame, ply)| ply.key(frame.visit.at).state).collect();
        states.len() * 2 <= length
    }

    /// The first move of the last node of the path.
    fn first(&self, game: &G) -> Visit<G::Value> {
        let last = self.path.len() - 1;
        let (frame, ply) = (&self.path[last], &self.plies[last]);
        frame.step(game, ply, frame.window)
    }

    /// Takes the value of the current move into the last node of the path.
    #[inline]
    fn fold(
        &mut self,
        game: &G,
        root: StateKey<'_, G::State>,
        found: SubtreeValue<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Next<G::Value> {
        let Some(depth) = self.path.len().checked_sub(1) else { return Next::Done };
        let (frame, ply) = (&mut self.path[depth], &self.plies[depth]);
        let at = ply.order[frame.next as usize];
        let (mv, state) = &ply.moves[at as usize];
        let value = for_player(found.value, game.player(state) != frame.player);
        let Window { alpha, beta } = frame.window;
        if frame.scout && value > alpha && value < beta {
            frame.scout = false;
            return Next::Down(frame.step(game, ply, frame.window));
        }
        if frame.next == 0 || value > frame.best {
            (frame.best, frame.best_move) = (value, at);
        }
        frame.window.alpha = alpha.max(frame.best);
        frame.height = frame.height.max(found.height + 1);
        frame.exact &= found.exact;
        frame.next += 1;
        let cut = frame.best >= beta;
        let number = (*mv).into();
        self.ordering.tried(number, found.height, cut);
        let is_last = frame.next as usize == ply.order.len();
        if !cut && !is_last {
            frame.scout = frame.visit.left > 1;
            let window = if frame.scout { Window::above(frame.window.alpha) } else { frame.window };
            return Next::Down(frame.step(game, ply, window));
        }
        let Visit { at, left, window } = frame.visit;
        let mut result =
            SubtreeValue { value: frame.best, height: frame.height, exact: frame.exact };
        let mut bound = if frame.best > window.alpha { Bound::Exact } else { Bound::Upper };
        if cut {
            bound = Bound::Lower;
            (result.height, result.exact) = (found.height + 1, found.exact);
        }
        let best = frame.best_move;
        self.path.pop();
        if depth == 0 {
            self.root_move = Some(best);
        }
        self.tracer.note(|| Note::Close { value: result.value, cut });
        if cut && !is_last {
            meter.stats.cutoffs += 1;
            self.ordering.cut_at(depth, number);
        }
        let key = if depth == 0 { root } else { self.plies[depth - 1].key(at) };
        self.table.insert(game, key, Entry { found: result, left, best, bound });
        Next::Up(result)
    }
}

/// What to do after a move's value was taken in.
enum Next<V> {
    /// Search a node.
    Down(Visit<V>),
    /// The node is done: its value.
    Up(SubtreeValue<V>),
    /// The path is empty: the value was that of the root.
    Done,
}

//! The tree of one search of alpha-beta: [`Search`].
//!
//! Principal-variation search on an explicit path, so that plays may be of any length.

use super::full_width::LONG_PATH;
use super::graph::UNKNOWN;
use super::interface::{Game, Player};
use super::meter::{Halt, Meter};
use super::ordering::Ordering;
use super::ply::{Ply, Told, leaf};
use super::trace::{self, Note, SearchTracer, Source};
use super::transposition::{
    Bound, Entries, Entry, StateKey, SubtreeValue, Table, Window, for_player,
};
use super::value::Value;
use crate::report::StopReason;
use rustc_hash::FxHashSet;

/// Depths beyond this are the whole game, however much of it has been played.
pub(super) const WHOLE: u32 = u32::MAX / 2;

/// Paths of the whole game are looked at for play that goes round when they are as long as
/// this, and twice as long, and so on.
const ROUND: usize = 64;

/// States looked at for an end before that must have paid.
const TRIAL: u64 = 1 << 12;

/// Looking for ends pays if one state of so many is one.
const RARE: u64 = 64;

/// Where it does not pay, it is done at every so many nodes all the same: it may later.
const AGAIN: u64 = 16;

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
    /// What is known of the moves that are done.
    best: V,
    best_move: u32,
    height: u32,
    exact: bool,
    /// The current move is only asked whether it is better.
    scout: bool,
    /// Moves at the end of the order that were put there, as another thread searched them.
    deferred: u32,
}

/// Plies and depths left of nodes whose search threads tell each other of.
const SHARED: (usize, u32) = (24, 3);

impl<V: Value> Frame<V> {
    fn new(visit: Visit<V>, player: Player) -> Self {
        let (best, best_move) = (V::LEAST, UNKNOWN);
        let (window, next, height) = (visit.window, 0, 0);
        Self {
            visit,
            player,
            next,
            window,
            best,
            best_move,
            height,
            exact: true,
            scout: false,
            deferred: 0,
        }
    }

    /// Whether other threads are told that it is searched, and its moves may wait for them.
    #[inline]
    fn is_shared(&self, depth: usize) -> bool {
        depth < SHARED.0 && self.visit.left >= SHARED.1
    }

    /// Where the next move leads, searched with a window of this node's.
    #[inline]
    fn step<G: Game<Value = V>>(&self, game: &G, ply: &Ply<G>, window: Window<V>) -> Visit<V> {
        let at = ply.order[self.next as usize];
        let turns = game.player(&ply.moves[at as usize].1) != self.player;
        Visit { at, left: self.visit.left - 1, window: window.for_player(turns) }
    }

    /// The window for the next move, and whether it is only asked if it is better.
    fn ask(&mut self, at: u32, is_root: bool) -> Window<V> {
        let window = self.window_for(at, is_root);
        self.scout = self.best_move != UNKNOWN && self.visit.left > 1;
        if self.scout { Window::above(window.alpha) } else { window }
    }

    /// The window for a move of the root: of those that are worth the same the first in move
    /// order is wanted, so one before the best is asked whether it is worth as much.
    #[inline]
    fn window_for(&self, at: u32, is_root: bool) -> Window<V> {
        let Window { alpha, beta } = self.window;
        let ties =
            is_root && at < self.best_move && self.best_move != UNKNOWN && self.best == alpha;
        Window { alpha: if ties { alpha.below() } else { alpha }, beta }
    }

    /// Takes in what is known of a move.
    #[inline]
    fn take(&mut self, at: u32, value: V, found: SubtreeValue<V>, is_root: bool) {
        let ties = is_root && value == self.best && self.best == self.window.alpha;
        if self.best_move == UNKNOWN || value > self.best || ties && at < self.best_move {
            (self.best, self.best_move) = (value, at);
        }
        self.window.alpha = self.window.alpha.max(self.best);
        self.height = self.height.max(found.height + 1);
        self.exact &= found.exact;
    }
}

/// A transposition table and what orders the moves.
pub(super) struct Search<G: Game, T = (), B = Table<G>> {
    pub table: B,
    ordering: Ordering,
    path: Vec<Frame<G::Value>>,
    /// The moves of the nodes on the path, and room for more.
    plies: Vec<Ply<G>>,
    /// The best move of the last root.
    pub root_move: Option<u32>,
    /// Bytes held elsewhere, and the most that all may take.
    held: usize,
    most: usize,
    pub tracer: T,
    /// States looked at for an end before they were searched, and how many were one.
    looked: u64,
    ended: u64,
}

impl<G: Game, T: SearchTracer<G>> Search<G, T> {
    /// A search with a table of its own.
    pub fn new(held: usize, meter: &Meter<'_>, tracer: T) -> Self {
        Search::with(Table::new(), held, meter, tracer)
    }
}

impl<G: Game, T: SearchTracer<G>, B: Entries<G>> Search<G, T, B> {
    pub fn with(table: B, held: usize, meter: &Meter<'_>, tracer: T) -> Self {
        Self {
            table,
            ordering: Ordering::new(),
            path: Vec::new(),
            plies: Vec::new(),
            root_move: None,
            held,
            most: meter.memory(),
            tracer,
            looked: 0,
            ended: 0,
        }
    }

    fn bytes(&self) -> usize {
        self.held
            + self.table.bytes()
            + self.ordering.bytes()
            + self.path.capacity() * size_of::<Frame<G::Value>>()
            + self.plies.iter().map(Ply::bytes).sum::<usize>()
    }

    /// The move that was best at the last root, and the state it leads to.
    pub fn best_of_root(&mut self) -> Option<(G::Move, G::State)> {
        let at = self.root_move? as usize;
        self.plies.first()?.moves.get(at).cloned()
    }

    /// The value of a root at a depth, exact within the window and else a bound on it.
    pub fn value(
        &mut self,
        game: &mut G,
        root: &G::State,
        depth: u32,
        window: Window<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<SubtreeValue<G::Value>, Halt<G::Error>> {
        let root = StateKey::of(root);
        self.path.clear();
        self.root_move = None;
        let mut visit = Visit { at: 0, left: depth, window };
        loop {
            meter.visit(self.path.len())?;
            if self.table.stops() {
                return Err(Halt::Stop(StopReason::Cancelled));
            }
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
        let above = self.plies[..depth].last();
        let key = above.map_or(root, |ply| ply.key(at));
        let state = above.map_or(root.state, |ply| ply.state(at));
        let known = self.table.get(key);
        // The best move of the root is found among the values of its moves.
        if depth > 0
            && let Some(found) = known.and_then(|entry| entry.answer(left, window))
        {
            meter.stats.table_hits += 1;
            self.tracer.note(|| Note::Known { value: found.value, from: Source::Table });
            return Ok(Some(found));
        }
        let table_move = known.map_or(0, |entry| entry.best);
        let goes_on = above.is_some_and(|ply| ply.go_on);
        if let Some(found) = leaf(game, state, left, goes_on).map_err(Halt::Fail)? {
            // Little is lost with an estimate.
            if found.exact || known.is_none() {
                let (best, bound) = (0, Bound::Exact);
                self.table.insert(game, key, Entry { found, left, best, bound });
            }
            self.tracer.note(|| Note::Known { value: found.value, from: Source::Leaf });
            return Ok(Some(found));
        }
        self.open(game, root, (visit, table_move), meter)
    }

    /// The value of a node that its successors tell without a search; else it is put on the path.
    fn open(
        &mut self,
        game: &mut G,
        root: StateKey<'_, G::State>,
        (visit, table_move): (Visit<G::Value>, u32),
        meter: &mut Meter<'_>,
    ) -> Result<Option<SubtreeValue<G::Value>>, Halt<G::Error>> {
        let Visit { at, left, window } = visit;
        let depth = self.path.len();
        let is_root = depth == 0;
        let (before, after) = self.plies.split_at_mut(depth);
        let state = before.last().map_or(root.state, |ply| ply.state(at));
        let ply = &mut after[0];
        ply.ask(game, state, left > WHOLE)?;
        meter.stats.states += 1;
        if !self.table.admits(game) {
            return Err(Halt::Stop(StopReason::Cancelled));
        }
        let player = game.player(state);
        let may_cut = window.may_cut(is_root);
        let asked = (window, may_cut);
        if let Some(found) = ply.look_up(game, &self.table, player, left - 1, asked) {
            meter.stats.table_hits += 1;
            self.tracer.note(|| Note::Known { value: found.value, from: Source::Successor });
            return Ok(Some(found));
        }
        self.tracer.note(|| Note::Open(ply.moves.clone()));
        let mut frame = Frame::new(visit, player);
        for (at, found) in ply.values() {
            meter.stats.table_hits += 1;
            let turns = game.player(&ply.moves[at as usize].1) != player;
            let (value, from) = (for_player(found.value, turns), Source::Table);
            self.tracer.note(|| trace::visit::<G>(at, left - 1, window.for_player(turns)));
            self.tracer.note(|| Note::Known { value, from });
            frame.take(at, found.value, found, is_root);
        }
        let mut cut = None;
        if left > 1 && self.looks_for_ends(meter) {
            cut = self.take_ends(game, &mut frame, may_cut, meter)?;
        }
        let ply = &mut self.plies[depth];
        self.ordering.est.clear();
        let mode = self.ordering.mode;
        if cut.is_none() && game.has_heuristic() && left > WHOLE && mode > 0 {
            for (_, s) in &ply.moves {
                let p = player;
                let v = game.heuristic(s, p).map_err(Halt::Fail)?;
                self.ordering.est.push(v.as_f64());
            }
        }
        self.ordering.sort(depth, table_move, window.beta, ply);
        if cut.is_some() || ply.order.is_empty() {
            return Ok(Some(self.close(game, root, &frame, cut)));
        }
        if frame.is_shared(depth) {
            self.table.enter(self.hash_of(depth, at));
        }
        self.path.push(frame);
        Ok(None)
    }

    /// The hash of the state that a move of the node before a depth leads to; 0 at the root.
    #[inline]
    fn hash_of(&self, depth: usize, at: u32) -> u32 {
        depth.checked_sub(1).map_or(0, |above| self.plies[above].hashes[at as usize])
    }

    /// Where another thread searches what comes next, and there are others, it is left for later: with what that
    /// thread finds it takes less then.
    #[inline]
    fn defer(&mut self, depth: usize) {
        let (frame, ply) = (&mut self.path[depth], &mut self.plies[depth]);
        if !frame.is_shared(depth) {
            return;
        }
        let next = frame.next as usize;
        while next + (frame.deferred as usize) < ply.order.len()
            && self.table.is_searched(ply.hashes[ply.order[next] as usize])
        {
            ply.order[next..].rotate_left(1);
            frame.deferred += 1;
        }
    }

    /// Whether successors are to be looked at for ends of the game before they are searched.
    fn looks_for_ends(&self, meter: &Meter<'_>) -> bool {
        let pays = self.looked < TRIAL || self.ended * RARE >= self.looked;
        pays || meter.stats.states.is_multiple_of(AGAIN)
    }

    /// Takes in the values of successors where the game is over, up to one that cuts: a win at once makes
    /// a search of the others needless.
    fn take_ends(
        &mut self,
        game: &mut G,
        frame: &mut Frame<G::Value>,
        may_cut: bool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<SubtreeValue<G::Value>>, Halt<G::Error>> {
        let depth = self.path.len();
        let Visit { left, window, .. } = frame.visit;
        let ply = &mut self.plies[depth];
        for at in 0..ply.moves.len() as u32 {
            if matches!(ply.told[at as usize], Told::Value(_)) {
                continue;
            }
            self.looked += 1;
            let state = &ply.moves[at as usize].1;
            let Some(found) = leaf(game, state, left - 1, false).map_err(Halt::Fail)? else {
                continue;
            };
            self.ended += 1;
            meter.visit(depth + 1)?;
            let turns = game.player(state) != frame.player;
            self.tracer.note(|| trace::visit::<G>(at, left - 1, window.for_player(turns)));
            self.tracer.note(|| Note::Known { value: found.value, from: Source::Leaf });
            let found = SubtreeValue { value: for_player(found.value, turns), ..found };
            frame.take(at, found.value, found, depth == 0);
            if may_cut && found.value >= window.beta {
                return Ok(Some(found));
            }
            ply.told[at as usize] = Told::Value(found);
        }
        ply.go_on = true;
        Ok(None)
    }

    /// Puts what became of a node into the table; `cut` is the value of the move that reached beta.
    fn close(
        &mut self,
        game: &G,
        root: StateKey<'_, G::State>,
        frame: &Frame<G::Value>,
        cut: Option<SubtreeValue<G::Value>>,
    ) -> SubtreeValue<G::Value> {
        let Visit { at, left, window } = frame.visit;
        let (found, bound) = match cut {
            Some(by) => {
                let (height, exact) = (by.height + 1, by.exact);
                (SubtreeValue { value: frame.best, height, exact }, Bound::Lower)
            }
            None => {
                let exact = frame.best > window.alpha;
                let bound = if exact { Bound::Exact } else { Bound::Upper };
                let (height, exact) = (frame.height, frame.exact);
                (SubtreeValue { value: frame.best, height, exact }, bound)
            }
        };
        self.tracer.note(|| Note::Close { value: found.value, cut: cut.is_some() });
        let best = frame.best_move;
        let depth = self.path.len();
        if depth == 0 {
            self.root_move = Some(best);
        } else if frame.is_shared(depth) {
            self.table.leave(self.hash_of(depth, at));
        }
        let key = if depth == 0 { root } else { self.plies[depth - 1].key(at) };
        let best = if best == UNKNOWN { 0 } else { self.plies[depth].hashes[best as usize] };
        self.table.insert(game, key, Entry { found, left, best, bound });
        found
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
    fn first(&mut self, game: &G) -> Visit<G::Value> {
        let last = self.path.len() - 1;
        let (frame, ply) = (&mut self.path[last], &self.plies[last]);
        let window = frame.ask(ply.order[0], last == 0);
        frame.step(game, ply, window)
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
        let is_root = depth == 0;
        let (frame, ply) = (&mut self.path[depth], &self.plies[depth]);
        let at = ply.order[frame.next as usize];
        let state = &ply.moves[at as usize].1;
        let value = for_player(found.value, game.player(state) != frame.player);
        let window = frame.window_for(at, is_root);
        if frame.scout && value > window.alpha && value < window.beta {
            frame.scout = false;
            return Next::Down(frame.step(game, ply, window));
        }
        if is_root && frame.visit.left > WHOLE { eprintln!("root move {at} value {:?} scout {} window {:?} {:?} nodes {}", value, frame.scout, window.alpha, window.beta, meter.stats.nodes); }
        frame.take(at, value, found, is_root);
        frame.next += 1;
        let cut = value >= window.beta && window.may_cut(is_root);
        let id = ply.ids[at as usize];
        self.ordering.tried(id, found.height, cut);
        let is_last = ply.order.len() == frame.next as usize;
        if !cut && !is_last {
            self.defer(depth);
            let (frame, ply) = (&mut self.path[depth], &self.plies[depth]);
            let window = frame.ask(ply.order[frame.next as usize], is_root);
            return Next::Down(frame.step(game, ply, window));
        }
        if cut && !is_last {
            meter.stats.cutoffs += 1;
            self.ordering.cut_at(depth, id);
        }
        let Some(frame) = self.path.pop() else { return Next::Done };
        Next::Up(self.close(game, root, &frame, cut.then_some(found)))
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

//! The tree of one search of alpha-beta: [`Search`].
//!
//! Principal-variation search on an explicit path, so that plays may be of any length.

use super::full_width::LONG_PATH;
use super::graph::UNKNOWN;
use super::interface::{Game, Player};
use super::meter::{Halt, Meter};
use super::ordering::Ordering;
use super::ply::{Horizon, Ply, Told, leaf};
use super::split::{Mates, Promise, Taken, Task};
use super::transposition::{
    Bound, Entries, Entry, StateKey, SubtreeValue, Table, Window, for_player,
};
use super::value::Value;
use crate::report::StopReason;
use crate::space::MoveId;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

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

/// Where a search begins: at the root of all, or at a state that another thread left to this one.
struct Origin<'r, S> {
    state: &'r S,
    /// What the table knows it by.
    key: StateKey<'r, S>,
    /// Moves from the root of all.
    depth: usize,
    /// It is the root of all: which of its moves is the first that reaches the value is asked.
    is_root: bool,
}

impl<S> Clone for Origin<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Origin<'_, S> {}

/// A move that was offered to others.
type Offer<V> = (u32, Arc<Promise<V>>);

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
    /// The moves that are left to other threads.
    offers: Vec<Offer<V>>,
    /// Nodes that were counted before, and those that its first move took.
    began: u64,
    first: u64,
}

/// Nodes of the first move of a node whose others are offered to other threads.
const WORTH: u64 = if cfg!(debug_assertions) { 1 } else { 500 };

/// Whether another thread is idle is looked at once in so many nodes, a power of two.
const SELDOM: u64 = if cfg!(debug_assertions) { 1 } else { 32 };

impl<V: Value> Frame<V> {
    fn new(visit: Visit<V>, player: Player, began: u64) -> Self {
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
            offers: Vec::new(),
            began,
            first: 0,
        }
    }

    /// What was offered is not wanted any longer.
    fn drop_offers(&self) {
        self.offers.iter().for_each(|(_, promise)| promise.drop_it());
    }

    /// What became of a move that was offered to others.
    fn promise(&self, at: u32) -> Option<&Arc<Promise<V>>> {
        self.offers.iter().find(|(of, _)| *of == at).map(|(_, promise)| promise)
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
pub(super) struct Search<G: Game, B = Table<<G as Game>::State, <G as Game>::Value>> {
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
    /// Only wins of a player within the depth count, no estimates.
    pub horizon: Option<Horizon<G::Value>>,
    /// States looked at for an end before they were searched, and how many were one.
    looked: u64,
    ended: u64,
    /// Other threads that search with it.
    pub mates: Option<Mates<G>>,
}

impl<G: Game> Search<G> {
    /// A search with a table of its own.
    pub fn new(held: usize, meter: &Meter<'_>) -> Self {
        Search::with(Table::new(), held, meter)
    }
}

impl<G: Game, B: Entries<G::State, G::Value>> Search<G, B> {
    pub fn with(table: B, held: usize, meter: &Meter<'_>) -> Self {
        Self {
            table,
            ordering: Ordering::new(),
            path: Vec::new(),
            plies: Vec::new(),
            root_move: None,
            held,
            most: meter.memory(),
            horizon: None,
            looked: 0,
            ended: 0,
            mates: None,
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
    pub fn best_of_root(&mut self) -> Option<(MoveId, G::State)> {
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
    ) -> Result<SubtreeValue<G::Value>, Halt> {
        self.root_move = None;
        let origin = Origin { state: root, key: StateKey::of(root), depth: 0, is_root: true };
        self.searched(game, origin, (depth, window), meter)
    }

    /// The value of a state where a search begins.
    fn searched(
        &mut self,
        game: &mut G,
        origin: Origin<'_, G::State>,
        (left, window): (u32, Window<G::Value>),
        meter: &mut Meter<'_>,
    ) -> Result<SubtreeValue<G::Value>, Halt> {
        self.path.clear();
        let found = self.descend(game, origin, Visit { at: 0, left, window }, meter);
        self.path.iter().for_each(Frame::drop_offers);
        found
    }

    fn descend(
        &mut self,
        game: &mut G,
        origin: Origin<'_, G::State>,
        mut visit: Visit<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<SubtreeValue<G::Value>, Halt> {
        let whole = visit.left > WHOLE;
        loop {
            let mut known = if B::SHARED { self.look_about(game, origin, meter)? } else { None };
            if known.is_none() {
                meter.visit(origin.depth + self.path.len())?;
                known = self.at_once(game, origin, visit, meter)?;
            }
            let Some(mut found) = known else {
                if whole && self.goes_round() {
                    return Err(Halt::Stop(StopReason::Cycle));
                }
                visit = self.first(game, origin);
                continue;
            };
            loop {
                // Room for the value of one more state, at least.
                if self.table.is_crowded() {
                    self.watch_memory(meter)?;
                }
                match self.fold(game, origin, found, meter)? {
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
        origin: Origin<'_, G::State>,
        visit: Visit<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<SubtreeValue<G::Value>>, Halt> {
        let Visit { at, left, window } = visit;
        let depth = self.path.len();
        if self.plies.len() == depth {
            self.plies.push(Ply::new());
        }
        if depth & LONG_PATH == LONG_PATH {
            self.watch_memory(meter)?;
        }
        let above = self.plies[..depth].last();
        let key = above.map_or(origin.key, |ply| ply.key(at));
        let state = above.map_or(origin.state, |ply| ply.state(at));
        let known = self.table.get(key);
        // The best move of the root is found among the values of its moves.
        if (depth > 0 || !origin.is_root)
            && let Some(found) = known.and_then(|entry| match &self.horizon {
                None => entry.answer(left, window),
                Some(horizon) => {
                    entry.answer_before(left, window, horizon.winner == game.player(state))
                }
            })
        {
            meter.stats.table_hits += 1;
            return Ok(Some(found));
        }
        let table_move = known.map_or(0, |entry| entry.best);
        let goes_on = above.is_some_and(|ply| ply.go_on);
        if let Some(found) = leaf(game, state, left, goes_on, self.horizon.as_mut())? {
            must_admit(&self.table, game)?;
            // Little is lost with an estimate.
            if found.exact || known.is_none() {
                let (best, bound) = (0, Bound::Exact);
                self.table.insert(key, Entry { found, left, best, bound });
            }
            return Ok(Some(found));
        }
        self.open(game, origin, (visit, table_move), meter)
    }

    /// The value of a node that its successors tell without a search; else it is put on the path.
    fn open(
        &mut self,
        game: &mut G,
        origin: Origin<'_, G::State>,
        (visit, table_move): (Visit<G::Value>, u32),
        meter: &mut Meter<'_>,
    ) -> Result<Option<SubtreeValue<G::Value>>, Halt> {
        let Visit { at, left, window } = visit;
        let depth = self.path.len();
        let is_root = depth == 0 && origin.is_root;
        let (before, after) = self.plies.split_at_mut(depth);
        let state = before.last().map_or(origin.state, |ply| ply.state(at));
        let ply = &mut after[0];
        ply.ask(game, state, left > WHOLE)?;
        meter.stats.states += 1;
        must_admit(&self.table, game)?;
        let player = game.player(state);
        let may_cut = window.may_cut(is_root);
        let winner = self.horizon.as_ref().map(|horizon| horizon.winner);
        let asked = (window, may_cut, winner);
        if let Some(found) = ply.look_up(game, &self.table, player, left - 1, asked) {
            meter.stats.table_hits += 1;
            return Ok(Some(found));
        }
        let mut frame = Frame::new(visit, player, meter.stats.nodes);
        for (at, found) in ply.values() {
            meter.stats.table_hits += 1;
            frame.take(at, found.value, found, is_root);
        }
        let mut cut = None;
        if left > 1 && self.looks_for_ends(meter) {
            cut = self.take_ends(game, origin, &mut frame, meter)?;
            must_admit(&self.table, game)?;
        }
        let ply = &mut self.plies[depth];
        self.ordering.sort(origin.depth + depth, table_move, window.beta, ply);
        if cut.is_some() || ply.order.is_empty() {
            return Ok(Some(self.close(origin, &frame, cut)));
        }
        self.path.push(frame);
        Ok(None)
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
        origin: Origin<'_, G::State>,
        frame: &mut Frame<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<SubtreeValue<G::Value>>, Halt> {
        let depth = self.path.len();
        let Visit { left, window, .. } = frame.visit;
        let is_root = depth == 0 && origin.is_root;
        let ply = &mut self.plies[depth];
        for at in 0..ply.moves.len() as u32 {
            if matches!(ply.told[at as usize], Told::Value(_)) {
                continue;
            }
            self.looked += 1;
            let state = &ply.moves[at as usize].1;
            let horizon = self.horizon.as_mut();
            let Some(found) = leaf(game, state, left - 1, false, horizon)? else {
                continue;
            };
            self.ended += 1;
            meter.visit(origin.depth + depth + 1)?;
            let turns = game.player(state) != frame.player;
            let found = SubtreeValue { value: for_player(found.value, turns), ..found };
            frame.take(at, found.value, found, is_root);
            if window.may_cut(is_root) && found.value >= window.beta {
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
        origin: Origin<'_, G::State>,
        frame: &Frame<G::Value>,
        cut: Option<SubtreeValue<G::Value>>,
    ) -> SubtreeValue<G::Value> {
        let Visit { at, left, window } = frame.visit;
        frame.drop_offers();
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
        let best = frame.best_move;
        let depth = self.path.len();
        if depth == 0 && origin.is_root {
            self.root_move = Some(best);
        }
        let key = if depth == 0 { origin.key } else { self.plies[depth - 1].key(at) };
        let best = if best == UNKNOWN { 0 } else { self.plies[depth].hashes[best as usize] };
        self.table.insert(key, Entry { found, left, best, bound });
        found
    }

    /// Lets the table grow; an error if paths alone take too much.
    #[cold]
    fn watch_memory(&mut self, meter: &mut Meter<'_>) -> Result<(), Halt> {
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
    fn first(&mut self, game: &G, origin: Origin<'_, G::State>) -> Visit<G::Value> {
        let last = self.path.len() - 1;
        let (frame, ply) = (&mut self.path[last], &self.plies[last]);
        let window = frame.ask(ply.order[0], last == 0 && origin.is_root);
        frame.step(game, ply, window)
    }

    /// Takes the value of the current move into the last node of the path.
    #[inline]
    fn fold(
        &mut self,
        game: &mut G,
        origin: Origin<'_, G::State>,
        found: SubtreeValue<G::Value>,
        meter: &mut Meter<'_>,
    ) -> Result<Next<G::Value>, Halt> {
        let Some(depth) = self.path.len().checked_sub(1) else { return Ok(Next::Done) };
        let is_root = depth == 0 && origin.is_root;
        let (frame, ply) = (&mut self.path[depth], &self.plies[depth]);
        let at = ply.order[frame.next as usize];
        let state = &ply.moves[at as usize].1;
        let value = for_player(found.value, game.player(state) != frame.player);
        let window = frame.window_for(at, is_root);
        if frame.scout && value > window.alpha && value < window.beta {
            frame.scout = false;
            return Ok(Next::Down(frame.step(game, ply, window)));
        }
        frame.take(at, value, found, is_root);
        if frame.next == 0 {
            frame.first = meter.stats.nodes - frame.began;
        }
        frame.next += 1;
        let cut = value >= window.beta && window.may_cut(is_root);
        let id = ply.ids[at as usize];
        self.ordering.tried(id, found.height, cut);
        let is_last = ply.order.len() == frame.next as usize;
        if !cut && !is_last {
            if B::SHARED && !frame.offers.is_empty() {
                self.come_to_offers(game, depth, meter)?;
            }
            let (frame, ply) = (&mut self.path[depth], &self.plies[depth]);
            let window = frame.ask(ply.order[frame.next as usize], is_root);
            return Ok(Next::Down(frame.step(game, ply, window)));
        }
        if cut && !is_last {
            meter.stats.cutoffs += 1;
            self.ordering.cut_at(origin.depth + depth, id);
        }
        let Some(frame) = self.path.pop() else { return Ok(Next::Done) };
        Ok(Next::Up(self.close(origin, &frame, cut.then_some(found))))
    }
}

/// Work with other threads.
impl<G: Game, B: Entries<G::State, G::Value>> Search<G, B> {
    /// Looks whether the search is to stop, whether another thread wants work, and whether what one found makes the rest
    /// of a node needless: the value of that node, the last one on the path then.
    #[inline]
    fn look_about(
        &mut self,
        game: &mut G,
        origin: Origin<'_, G::State>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<SubtreeValue<G::Value>>, Halt> {
        let Some(mates) = &self.mates else { return Ok(None) };
        if self.is_needless() {
            return Err(Halt::Stop(StopReason::Cancelled));
        }
        if meter.stats.nodes.is_multiple_of(SELDOM) && mates.board.is_wanted() {
            self.offer(game, origin);
        }
        let has_news = self.mates.as_ref().is_some_and(|mates| mates.news.load(Relaxed));
        Ok(if has_news { self.hear(origin, meter) } else { None })
    }

    /// Whether nobody wants what this thread works at any longer.
    #[inline]
    fn is_needless(&self) -> bool {
        self.table.stops() || self.mates.as_ref().is_some_and(Mates::is_dropped)
    }

    /// Offers a move of the first node on the path that has one to offer.
    #[cold]
    fn offer(&mut self, game: &G, origin: Origin<'_, G::State>) {
        let Some(mates) = &self.mates else { return };
        if game.words() != mates.words.0 {
            // Others could not tell what states mean.
            if mates.words.1 {
                self.table.end();
            }
            return;
        }
        for (depth, (frame, ply)) in self.path.iter_mut().zip(&self.plies).enumerate() {
            if frame.next == 0 || frame.first < WORTH || frame.visit.left < 2 {
                continue;
            }
            let later = ply.order.iter().skip(frame.next as usize + 1);
            let Some(&at) = later.copied().find(|&at| frame.promise(at).is_none()).as_ref() else {
                continue;
            };
            let is_root = depth == 0 && origin.is_root;
            let state = ply.state(at);
            let turns = game.player(state) != frame.player;
            let window = Window::above(frame.window_for(at, is_root).alpha).for_player(turns);
            let may_cut = frame.window.may_cut(is_root);
            let promise = Task::<G>::promised(&mates.news);
            frame.offers.push((at, promise.clone()));
            mates.board.offer(Task {
                state: state.clone(),
                standing: ply.standing(at).cloned(),
                depth: origin.depth + depth + 1,
                left: frame.visit.left - 1,
                window,
                turns,
                beta: may_cut.then_some(frame.window.beta),
                promise,
            });
            return;
        }
    }

    /// Goes back to the first node on the path that another thread has found a cut of, if there is one: its value.
    #[cold]
    fn hear(
        &mut self,
        origin: Origin<'_, G::State>,
        meter: &mut Meter<'_>,
    ) -> Option<SubtreeValue<G::Value>> {
        self.mates.as_ref()?.news.store(false, Relaxed);
        let cut = |frame: &Frame<G::Value>| {
            frame.offers.iter().find_map(|(at, promise)| Some((*at, promise.cut()?)))
        };
        let heard = |(depth, frame): (usize, &Frame<G::Value>)| Some((depth, cut(frame)?));
        let (depth, (at, found)) = self.path.iter().enumerate().find_map(heard)?;
        self.path.drain(depth + 1..).for_each(|frame| frame.drop_offers());
        let mut frame = self.path.pop()?;
        frame.take(at, found.value, found, depth == 0 && origin.is_root);
        let id = self.plies[depth].ids[at as usize];
        self.ordering.tried(id, found.height, true);
        self.ordering.cut_at(origin.depth + depth, id);
        meter.stats.cutoffs += 1;
        Some(self.close(origin, &frame, Some(found)))
    }

    /// Has moves of a node that other threads search come last, and works for these until they are done.
    #[cold]
    fn come_to_offers(
        &mut self,
        game: &mut G,
        depth: usize,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let (frame, ply) = (&self.path[depth], &mut self.plies[depth]);
        let is_taken = |&at: &u32| frame.promise(at).is_some_and(|promise| promise.reclaim());
        let rest = &mut ply.order[frame.next as usize..];
        match rest.iter().position(|at| !is_taken(at)) {
            Some(free) => rest[..=free].rotate_right(1),
            None => {
                let promise = frame.promise(rest[0]).cloned();
                promise.map_or(Ok(()), |promise| self.help(game, Some(&promise), meter))?;
            }
        }
        Ok(())
    }

    /// Does what others offer, until nobody works at a task any longer, or until all is over.
    ///
    /// # Errors
    /// A limit; or what this search was doing itself is not wanted any longer.
    pub fn help(
        &mut self,
        game: &mut G,
        until: Option<&Promise<G::Value>>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let Some(board) = self.mates.as_ref().map(|mates| mates.board.clone()) else {
            return Ok(());
        };
        let own = (std::mem::take(&mut self.path), std::mem::take(&mut self.plies));
        let mut helped = Ok(());
        while helped.is_ok()
            && let Some(taken) = board.take(until, || self.is_needless())
        {
            helped = self.fulfil(game, &taken, meter);
        }
        (self.path, self.plies) = own;
        // What was told meanwhile may be of this path.
        self.mates.iter().for_each(|mates| mates.news.store(true, Relaxed));
        if self.is_needless() {
            return Err(Halt::Stop(StopReason::Cancelled));
        }
        helped
    }

    /// Does a task. What fails there may not be needed: who offered it tries again if it is.
    fn fulfil(
        &mut self,
        game: &mut G,
        taken: &Taken<'_, G>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let task = &taken.task;
        let known = task.standing.as_ref().unwrap_or(&task.state);
        game.meet(&task.state);
        let (state, key) = (&task.state, StateKey::of(known));
        let origin = Origin { state, key, depth: task.depth, is_root: false };
        self.mates.iter_mut().for_each(|mates| mates.tasks.push(task.promise.clone()));
        let found = self.searched(game, origin, (task.left, task.window), meter);
        self.mates.iter_mut().for_each(|mates| drop(mates.tasks.pop()));
        match found {
            Ok(found) if self.table.admits(game) => taken.fulfil(found),
            Ok(_) => return Err(Halt::Stop(StopReason::Cancelled)),
            Err(Halt::Stop(StopReason::Cancelled)) if task.promise.is_dropped() => {}
            Err(Halt::Stop(StopReason::Cycle) | Halt::Fail(_)) => {}
            Err(halt) => return Err(halt),
        }
        Ok(())
    }
}

/// Ends the search of a copy whose answers do not mean the same to others.
#[inline]
fn must_admit<G: Game>(table: &impl Entries<G::State, G::Value>, game: &G) -> Result<(), Halt> {
    if table.admits(game) { Ok(()) } else { Err(Halt::Stop(StopReason::Cancelled)) }
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

//! `enumerate`: the whole reachable space, layer by layer.
//!
//! Breadth-first search without a goal, a batch of states at a time. It keeps the states and nothing else: the states
//! of a layer are numbered one after another, so no node records, parents or open list are needed.
//! If the space is large and has a [perfect numbering](super::Space::numbered) of its states, the enumeration starts
//! again with a bit per number.
//! The number of states at each depth is a well-known check of a puzzle's rules.
//!
//! ```
//! use zug_search::{Digraph, Limits, Team, enumerate};
//!
//! let mut graph = Digraph::new(&[(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 1), (3, 0, 1)], &[]);
//! let space = enumerate(&mut Team::of(&mut graph), &0, &Limits::none(), None)?;
//! assert_eq!(space.by_depth, [1, 2, 1]);
//! assert_eq!((space.total(), space.deepest, space.stopped), (4, vec![3], None));
//! # Ok::<(), zug_search::SearchError>(())
//! ```

use super::cost::Cost;
use super::limits::{Limits, Observer};
use super::meter::{Halt, Meter};
use super::numbered::NumberedWalk;
use super::report::{SearchError, Stats, StopReason};
use super::shards::{self, Buckets, New, Place, Shards, Spare};
use super::space::{Batch, Row, StateId, StateStore, Successors};
use super::team::Team;

/// How many of the deepest states are handed out.
const DEEPEST_KEPT: usize = 100;
/// States stored before `enumerate` calls `Space::numbered`.
const FIRST_ASKED: usize = 1 << 14;
/// Bytes that numbered states may take for each byte that is held already: a walk over them takes little time
/// for each.
const NUMBERED_SHARE: usize = 64;

/// What lies around a start.
#[derive(Clone, Debug)]
pub struct Reachable<S> {
    /// The number of states at each depth: the fewest moves from the start to them. The last
    /// layer is incomplete if the enumeration stopped for another reason than
    /// [`StopReason::Depth`].
    pub by_depth: Vec<u64>,
    /// The deepest states, in the order in which they were found, or by number if the space is numbered;
    /// the first hundred.
    pub deepest: Vec<S>,
    /// States without a successor.
    pub terminal: u64,
    /// Why the enumeration ended early, if it did.
    pub stopped: Option<StopReason>,
    /// How many states have a number, if bits were kept for these and not the states.
    pub numbered: Option<u64>,
    /// Bytes of the files that have the states, if they are in files.
    pub on_disk: Option<u64>,
    /// The counts.
    pub stats: Stats,
}

impl<S> Reachable<S> {
    /// The number of states.
    pub fn total(&self) -> u64 {
        self.by_depth.iter().sum()
    }
}

/// Visits every state that can be reached from `start`, within the limits.
///
/// # Errors
///
/// The failure of an operation of the space. Only successors are computed.
pub fn enumerate<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<Reachable<R>, SearchError> {
    let mut meter = Meter::new(limits, observer);
    let mut layers = Layers {
        by_depth: vec![1],
        terminal: 0,
        ask_at: FIRST_ASKED,
        in_bits: None,
        deepest: Vec::new(),
    };
    let ended = match team.is_alone() {
        true => layers.visit_alone(team, start, &mut meter),
        false => layers.visit_in_rounds(team, start, &mut meter),
    };
    meter.finish();
    let stopped = match ended {
        Ok(stopped) => stopped,
        Err(Halt::Stop(reason)) => Some(reason),
        Err(Halt::Fail(failure)) => return Err(meter.failed(failure)),
    };
    if let Some(space) = layers.in_bits {
        return Ok(Reachable { stats: meter.stats, ..space });
    }
    meter.stats.max_depth = layers.by_depth.len().saturating_sub(1) as u32;
    Ok(Reachable {
        deepest: layers.deepest,
        by_depth: layers.by_depth,
        terminal: layers.terminal,
        stopped,
        numbered: None,
        on_disk: None,
        stats: meter.stats,
    })
}

/// The layers found so far.
struct Layers<S> {
    /// How many states are in each, the last of which may not be empty.
    by_depth: Vec<u64>,
    terminal: u64,
    /// The number of stored states at which `Space::numbered` is called next.
    ask_at: usize,
    /// The space, if it was found in bits.
    in_bits: Option<Reachable<S>>,
    /// The first states of the last layer, when all is done.
    deepest: Vec<S>,
}

/// What some states of a layer lead to.
struct Part<S> {
    /// By shard: states, and which of the successors they are.
    to: Buckets<(u32, S)>,
    count: u32,
    terminal: u64,
}

impl<R: Row> Layers<R> {
    /// Tells of so many states in the layer behind the last one, if there are some.
    fn found(&mut self, states: usize) {
        if states > 0 {
            self.by_depth.push(states as u64);
        }
    }

    /// Visits all states by a team of one.
    fn visit_alone<C: Cost>(
        &mut self,
        team: &mut Team<'_, R, C>,
        start: &R,
        meter: &mut Meter<'_, C>,
    ) -> Result<Option<StopReason>, Halt> {
        let mut store = R::Store::default();
        store.intern(start);
        let ended = self.layers(team, start, &mut store, meter);
        meter.hold(store.bytes());
        self.found(store.len() - self.by_depth.iter().sum::<u64>() as usize);
        let deepest = store.len() - self.by_depth.last().map_or(0, |&states| states as usize);
        let deepest = (deepest..store.len()).take(DEEPEST_KEPT);
        self.deepest = deepest.map(|id| store.state(id as StateId)).collect();
        ended
    }

    fn layers<C: Cost>(
        &mut self,
        team: &mut Team<'_, R, C>,
        start: &R,
        store: &mut R::Store,
        meter: &mut Meter<'_, C>,
    ) -> Result<Option<StopReason>, Halt> {
        let (mut rows, mut out) = (Vec::new(), Successors::default());
        let (mut next, batch) = (0, team.batch());
        meter.stats.iterations = 1;
        loop {
            let layer_end = store.len();
            let depth = (self.by_depth.len() - 1) as u32;
            if depth >= meter.depth_limit {
                return Ok(Some(StopReason::Depth));
            }
            if layer_end >= self.ask_at
                && self.walk(team, start, (layer_end, store.bytes()), meter)?
            {
                return Ok(None);
            }
            while next < layer_end {
                meter.admit(depth, store.bytes())?;
                let left = usize::try_from(meter.expansions_left()).unwrap_or(usize::MAX);
                let end = layer_end.min(next + batch.min(left));
                rows.clear();
                rows.extend((next..end).map(|id| store.state(id as StateId)));
                out.clear();
                let expanded =
                    team.main.expand(Batch { rows: &rows, ..Batch::default() }, &mut out);
                self.take_successors(store, &mut next, &mut out, meter)?;
                expanded?;
            }
            self.found(store.len() - layer_end);
            if store.len() == layer_end {
                return Ok(None);
            }
        }
    }

    /// Stores the successors of the states of a batch that were expanded, `next` the first of them.
    fn take_successors<C: Cost>(
        &mut self,
        store: &mut R::Store,
        next: &mut usize,
        out: &mut Successors<R, C>,
        meter: &mut Meter<'_, C>,
    ) -> Result<(), Halt> {
        let whole = out.heads.partition_point(|head| (head.from as usize) < out.expanded);
        out.truncate(whole);
        meter.count(out.expanded as u64, 0);
        meter.number(whole as u64, store.len())?;
        store.prepare(out.rows.iter());
        let mut found = out.iter().peekable();
        for from in 0..out.expanded {
            let mut is_terminal = true;
            while let Some((_, row)) = found.next_if(|(head, _)| head.from as usize == from) {
                store.intern(row);
                is_terminal = false;
            }
            self.terminal += u64::from(is_terminal);
            *next += 1;
            meter.open(store.len() - *next);
        }
        Ok(())
    }

    /// Visits all states by several workers.
    fn visit_in_rounds<C: Cost>(
        &mut self,
        team: &mut Team<'_, R, C>,
        start: &R,
        meter: &mut Meter<'_, C>,
    ) -> Result<Option<StopReason>, Halt> {
        let mut stores = Shards::new(team.threads(), R::Store::default);
        let mut layer = vec![stores.begin(start, |store, _| {
            store.intern(start);
        })];
        meter.stats.iterations = 1;
        let ended = loop {
            let depth = (self.by_depth.len() - 1) as u32;
            if depth >= meter.depth_limit {
                break Ok(Some(StopReason::Depth));
            }
            let stored = stores.sum(R::Store::len);
            if stored >= self.ask_at
                && self.walk(team, start, (stored, stores.sum(R::Store::bytes)), meter)?
            {
                return Ok(None);
            }
            let mut next = Vec::new();
            let ended = self.expand_layer(team, &mut stores, (&layer, &mut next), meter);
            self.found(next.len());
            let is_last = next.is_empty();
            if !is_last {
                layer = next;
            }
            match ended {
                Ok(()) if is_last => break Ok(None),
                Ok(()) => {}
                Err(halt) => break Err(halt),
            }
        };
        meter.hold(stores.sum(R::Store::bytes));
        let state = |&place: &Place| {
            let (store, id) = stores.at(place);
            store.state(id)
        };
        self.deepest = layer.iter().take(DEEPEST_KEPT).map(state).collect();
        ended
    }

    /// Expands a layer; what is new goes to the next one, in the order in which it is met.
    fn expand_layer<C: Cost>(
        &mut self,
        team: &mut Team<'_, R, C>,
        stores: &mut Shards<R::Store>,
        (layer, next): (&[Place], &mut Vec<Place>),
        meter: &mut Meter<'_, C>,
    ) -> Result<(), Halt> {
        let (mut waiting, threads, spare) = (layer, team.threads(), Spare::new());
        while !waiting.is_empty() {
            let layers = (layer.len() + next.capacity()) * size_of::<Place>();
            let held = stores.sum(R::Store::bytes) + layers;
            meter.admit((self.by_depth.len() - 1) as u32, held)?;
            let round = shards::round(waiting, team, meter);
            let state = |place: Place| {
                let (store, id) = stores.at(place);
                store.state(id)
            };
            let begin = || Part { to: spare.take(stores), count: 0, terminal: 0 };
            let sort = |part: &mut Part<R>, states: &[Place], out: &mut Successors<R, C>| {
                let mut parents = out.heads.iter().map(|head| head.from).collect::<Vec<_>>();
                parents.dedup();
                part.terminal += (states.len() - parents.len()) as u64;
                for (_, row) in out.drain() {
                    part.to[stores.of(&row)].push((part.count, row));
                    part.count += 1;
                }
            };
            let parts = shards::expand(team, round, state, begin, sort, meter)?;
            let generated: usize = parts.iter().map(|part| part.count as usize).sum();
            meter.count(round.len() as u64, 0);
            meter.number(generated as u64, stores.most(R::Store::len))?;
            self.terminal += parts.iter().map(|part| part.terminal).sum::<u64>();
            let new = New::of(parts.iter().map(|part| part.count));
            let buckets = parts.into_iter().map(|part| part.to).collect();
            let numbering = stores.numbering();
            stores.fill(threads, buckets, &spare, |(shard, store), part, bucket| {
                store.prepare(bucket.iter().map(|(_, state)| state));
                for (at, state) in bucket.drain(..) {
                    let (id, is_new) = store.intern(&state);
                    if is_new {
                        new.put(part, at, numbering.place(shard, id));
                    }
                }
            });
            next.extend(new.places());
            waiting = &waiting[round.len()..];
            meter.open(waiting.len() + next.len());
        }
        Ok(())
    }

    /// Finds the space in bits, if states have numbers and that pays, when a layer begins: whether it did.
    fn walk<C: Cost>(
        &mut self,
        team: &mut Team<'_, R, C>,
        start: &R,
        (stored, held): (usize, usize),
        meter: &mut Meter<'_, C>,
    ) -> Result<bool, Halt> {
        meter.hold(held);
        self.ask_at = 2 * stored;
        let numbered = team.main.numbered(start, stored)?;
        let Some(mut numbered) = numbered.filter(|numbered| meter.admits(numbered.states())) else {
            return Ok(false);
        };
        let bytes = numbered.bytes();
        if bytes > meter.free() || bytes / NUMBERED_SHARE > held {
            return Ok(false);
        }
        meter.hold(held + bytes);
        let before = meter.stats;
        let mut stopped = None;
        let walk = numbered.walk(meter.depth_limit, &mut |walked| {
            stopped = meter.walked(walked).err();
            stopped.is_none()
        });
        let known = &self.by_depth;
        let fits = |walk: &NumberedWalk<R>| {
            let whole = walk.by_depth.len() - usize::from(stopped.is_some());
            let agree = known.iter().zip(&walk.by_depth[..whole]).all(|(a, b)| a == b);
            debug_assert!(agree, "states by number are others");
            agree && (stopped.is_some() || walk.by_depth.len() >= known.len())
        };
        let Some(walk) = walk.filter(fits) else {
            meter.stats = before;
            self.ask_at = usize::MAX;
            return Ok(false);
        };
        if let Some(reason) = stopped
            && walk.by_depth.iter().sum::<u64>() < stored as u64
        {
            // More was known before.
            meter.stats = before;
            return Err(Halt::Stop(reason));
        }
        meter.stats.max_depth = walk.by_depth.len().saturating_sub(1) as u32;
        meter.open(walk.by_depth.iter().copied().max().unwrap_or(0) as usize);
        (meter.stats.expanded, meter.stats.generated) =
            (walk.walked.expanded, walk.walked.generated);
        self.in_bits = Some(Reachable {
            by_depth: walk.by_depth,
            deepest: walk.deepest,
            terminal: walk.terminal,
            stopped: stopped.or(walk.cut.then_some(StopReason::Depth)),
            numbered: Some(numbered.states()),
            on_disk: None,
            stats: meter.stats,
        });
        Ok(true)
    }
}

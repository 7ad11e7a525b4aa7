//! Breadth-first enumeration: [`breadth_first`].
//!
//! A state goes to its owner, which stores it if it is new: all shorter ways to it are known by then, since a layer is
//! expanded when all of it was received. A layer is expanded in rounds, so that what is under way is bounded, and all
//! workers stop at the same place.

use crate::bytes::{push_bytes, push_varint, take_bytes, take_varint};
use crate::control::Ended;
use crate::error::SearchEnd;
use crate::kept::Kept;
use crate::peers::Peers;
use std::time::{Duration, Instant};

/// States that a worker expands in a round at most.
const ROUND: u64 = 1 << 15;
/// Time that it takes for that at most.
const ROUND_TIME: Duration = Duration::from_millis(250);
/// States between two looks at clocks and flags.
const STRIDE: u64 = 64;
/// States between two looks at what others have sent.
const TAKE: u64 = 1024;
/// How many of the deepest states are handed out.
const DEEPEST_KEPT: usize = 100;

/// The states that one worker owns, and how states are expanded.
pub trait Shard {
    /// A state.
    type State;
    /// Why a state can't be expanded.
    type Error;

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether none is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory held.
    fn bytes(&self) -> usize;

    /// A hash, the same in all workers.
    fn hash(&mut self, state: &Self::State) -> u64;

    /// Appends the bytes of a state, the same in all workers.
    fn write(&mut self, state: &Self::State, out: &mut Vec<u8>);

    /// The state of these bytes; `None` if they make no sense.
    fn read(&mut self, bytes: &[u8]) -> Option<Self::State>;

    /// Stores those of some states that are new, under the next numbers.
    fn intern(&mut self, states: &mut Vec<Self::State>);

    /// The state of a number.
    fn state(&self, number: usize) -> Self::State;

    /// Appends what a state leads to.
    ///
    /// # Errors
    /// The state can't be expanded.
    fn successors(
        &mut self,
        state: &Self::State,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Self::Error>;

    /// Which limit it was, if one ended what failed.
    fn stop_of(&self, _error: &Self::Error) -> Option<Stop> {
        None
    }

    /// What others are told of what failed.
    fn words_of(_error: &Self::Error) -> String {
        "a state can't be expanded".to_owned()
    }

    /// Does work within limits of its own.
    ///
    /// # Errors
    /// One of them ended it.
    fn within_limits<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Result<R, Stop>
    where
        Self: Sized,
    {
        Ok(work(self))
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// So many states were expanded.
    Nodes,
    /// Layers beyond this depth were not asked for.
    Depth,
    /// Time is over.
    Time,
    /// A process holds as much as it may.
    Memory,
    /// It was cancelled.
    Cancelled,
}

const STOPS: [Stop; 5] = [Stop::Nodes, Stop::Depth, Stop::Time, Stop::Memory, Stop::Cancelled];

/// How much a search may use. Nodes and depth are those of all workers, and the same in all; the others are those of
/// this process.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// The most expansions of this run.
    pub nodes: Option<u64>,
    /// The depth at which states are not expanded.
    pub depth: Option<u32>,
    /// When time is over.
    pub deadline: Option<Instant>,
    /// Bytes that the workers of this process may hold.
    pub memory: Option<usize>,
}

/// What all workers have found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// The number of states at each depth; the last layer is incomplete if the search stopped, unless at a depth.
    pub by_depth: Vec<u64>,
    /// States expanded.
    pub expanded: u64,
    /// Successors.
    pub generated: u64,
    /// States without a successor.
    pub terminal: u64,
    /// Bytes of some of the deepest states: the least ones.
    pub deepest: Vec<Vec<u8>>,
    /// Bytes that this process held at most.
    pub peak_bytes: usize,
    /// Why it stopped, if it did.
    pub stopped: Option<Stop>,
    /// Layers that were there already.
    pub resumed: usize,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States expanded by all workers.
    pub expanded: u64,
    /// Their successors.
    pub generated: u64,
    /// The depth of the layer.
    pub depth: u32,
    /// Bytes that this process holds.
    pub bytes: usize,
}

/// What a worker says at the end of a round.
#[derive(Clone, Debug, Default)]
struct Summary {
    /// States expanded, their successors, and those without one, by this worker so far.
    counts: [u64; 3],
    /// States of the layer that it has still to expand.
    waiting: u64,
    /// States of the next layer.
    new: u64,
    bytes: u64,
    stop: Option<Stop>,
    /// What failed.
    failed: Option<String>,
}

impl Summary {
    fn written(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let stop = self.stop.and_then(|stop| STOPS.iter().position(|&known| known == stop));
        let stop = stop.map_or(0, |at| at as u64 + 1);
        for value in self.counts.into_iter().chain([self.waiting, self.new, self.bytes, stop]) {
            push_varint(value, &mut out);
        }
        if let Some(failed) = &self.failed {
            push_bytes(failed.as_bytes(), &mut out);
        }
        out
    }

    fn read(mut bytes: &[u8]) -> Option<Summary> {
        let mut next = || take_varint(&mut bytes);
        let counts = [next()?, next()?, next()?];
        let (waiting, new, held, stop) = (next()?, next()?, next()?, next()?);
        let stop = (stop as usize).checked_sub(1).and_then(|at| STOPS.get(at).copied());
        let failed = take_bytes(&mut bytes).map(|text| String::from_utf8_lossy(text).into_owned());
        Some(Summary { counts, waiting, new, bytes: held, stop, failed })
    }
}

/// Why a worker does not go on with a round.
enum Halt<E> {
    Stop(Stop),
    Fail(E),
}

/// Told how far a search is.
pub type Observer<'o> = &'o mut dyn FnMut(&Progress);

struct Search<'s, 'c, 'o, S: Shard> {
    peers: Peers<'c>,
    shard: &'s mut S,
    bounds: &'s Bounds,
    observe: Option<Observer<'o>>,
    layers: Layers,
    counts: [u64; 3],
    /// Where each layer begins among the states of this worker.
    from: Vec<usize>,
    /// States that were expanded before this run.
    before: u64,
    /// Bytes that the other workers of this process held at the end of the last round.
    held_by_others: usize,
    /// What another worker sent makes no sense.
    is_garbled: bool,
    scratch: Vec<S::State>,
}

/// Visits every state that can be reached from `start`; all workers are told the same. `kept` has the complete layers
/// of this worker, those that all workers have are not searched again. `observe` is told how far it is.
///
/// # Errors
/// A state can't be expanded, here or elsewhere; a process is lost; a file can't be read or written.
pub fn breadth_first<S: Shard>(
    peers: Peers<'_>,
    shard: &mut S,
    start: &S::State,
    bounds: &Bounds,
    kept: Option<&mut Kept>,
    observe: Option<Observer<'_>>,
) -> Result<Layers, SearchEnd<S::Error>> {
    let mut search = Search {
        peers,
        shard,
        bounds,
        observe,
        layers: Layers::default(),
        counts: [0; 3],
        from: vec![0],
        before: 0,
        held_by_others: 0,
        is_garbled: false,
        scratch: Vec::new(),
    };
    let ended = search.all(start, kept);
    if let Err(SearchEnd::Kept(error)) = &ended {
        search.peers.leave(&error.to_string());
    }
    let stopped = ended?;
    search.layers.stopped = stopped;
    search.deepest()?;
    Ok(search.layers)
}

impl<S: Shard> Search<'_, '_, '_, S> {
    fn all(
        &mut self,
        start: &S::State,
        mut kept: Option<&mut Kept>,
    ) -> Result<Option<Stop>, SearchEnd<S::Error>> {
        if let Some(kept) = kept.as_deref_mut() {
            self.resume(kept)?;
        }
        if self.layers.by_depth.is_empty() {
            let hash = self.shard.hash(start);
            if self.peers.owner(hash) == self.peers.index() {
                let mut bytes = Vec::new();
                self.shard.write(start, &mut bytes);
                self.scratch.extend(self.shard.read(&bytes));
                self.shard.intern(&mut self.scratch);
            }
            self.layers.by_depth.push(1);
            self.keep(kept.as_deref_mut())?;
        }
        let mut waiting = self.sizes()?;
        loop {
            if waiting.iter().all(|&states| states == 0) {
                return Ok(None);
            }
            let depth = (self.layers.by_depth.len() - 1) as u32;
            if self.bounds.depth.is_some_and(|most| depth >= most) {
                return Ok(Some(Stop::Depth));
            }
            let end = self.shard.len();
            let stopped = self.expand_layer(waiting, (depth, end))?;
            self.from.push(end);
            if stopped.is_none() {
                self.keep(kept.as_deref_mut())?;
            }
            waiting = self.sizes()?;
            let states = waiting.iter().sum();
            if states > 0 {
                self.layers.by_depth.push(states);
            } else {
                // The deepest layer is that before.
                self.from.pop();
            }
            if stopped.is_some() {
                return Ok(stopped);
            }
        }
    }

    /// The sizes of the newest layer, by worker.
    fn sizes(&mut self) -> Result<Vec<u64>, Ended> {
        let mut size = Vec::new();
        let first = self.from.last().copied().unwrap_or(0);
        push_varint((self.shard.len() - first) as u64, &mut size);
        let sizes = self.peers.agree(size)?;
        Ok(sizes.iter().map(|size| take_varint(&mut &size[..]).unwrap_or(0)).collect())
    }

    /// Writes the newest layer.
    fn keep(&mut self, kept: Option<&mut Kept>) -> Result<(), SearchEnd<S::Error>> {
        let Some(kept) = kept else { return Ok(()) };
        let states = self.from.last().copied().unwrap_or(0)..self.shard.len();
        kept.begin(states.len() as u64, self.counts)?;
        let mut bytes = Vec::new();
        for number in states {
            bytes.clear();
            let state = self.shard.state(number);
            self.shard.write(&state, &mut bytes);
            kept.push(&bytes)?;
        }
        kept.finish()?;
        Ok(())
    }

    /// Reads the layers that all workers have.
    fn resume(&mut self, kept: &mut Kept) -> Result<(), SearchEnd<S::Error>> {
        let mut own = Vec::new();
        push_varint(kept.layers().len() as u64, &mut own);
        for layer in kept.layers() {
            push_varint(layer.states, &mut own);
        }
        let mut sizes = Vec::new();
        for known in self.peers.agree(own)? {
            let mut known = &known[..];
            let count = take_varint(&mut known).unwrap_or(0);
            sizes.push((0..count).map_while(|_| take_varint(&mut known)).collect::<Vec<_>>());
        }
        let common = sizes.iter().map(Vec::len).min().unwrap_or(0);
        kept.shorten(common)?;
        let Some(last) = kept.layers().last() else { return Ok(()) };
        self.counts = last.counts;
        let mut at = 0;
        self.from = kept.layers().iter().map(|layer| (at, at += layer.states as usize).0).collect();
        let (shard, scratch) = (&mut *self.shard, &mut self.scratch);
        let mut is_garbled = false;
        kept.read(&mut |bytes| {
            match shard.read(bytes) {
                Some(state) => scratch.push(state),
                None => is_garbled = true,
            }
            if scratch.len() >= TAKE as usize {
                shard.intern(scratch);
            }
        })?;
        shard.intern(scratch);
        if is_garbled || shard.len() != at {
            return Err(kept.changed().into());
        }
        let depths = 0..common;
        self.layers.by_depth =
            depths.map(|depth| sizes.iter().map(|sizes| sizes[depth]).sum()).collect();
        self.layers.resumed = common;
        if self.layers.by_depth.last() == Some(&0) {
            // All was found.
            self.layers.by_depth.pop();
        }
        let mut counts = Vec::new();
        self.counts.into_iter().for_each(|count| push_varint(count, &mut counts));
        let counts = self.peers.agree(counts)?;
        self.sum(counts.iter().map(|counts| {
            let mut counts = &counts[..];
            [(); 3].map(|()| take_varint(&mut counts).unwrap_or(0))
        }));
        self.before = self.layers.expanded;
        Ok(())
    }

    /// What all workers have counted.
    fn sum(&mut self, counts: impl Iterator<Item = [u64; 3]>) {
        let sum = |sum: [u64; 3], counts: [u64; 3]| [0, 1, 2].map(|at| sum[at] + counts[at]);
        let layers = &mut self.layers;
        [layers.expanded, layers.generated, layers.terminal] = counts.fold([0; 3], sum);
    }

    /// Expands a layer, of which the workers have so many states, this one those before `end`.
    fn expand_layer(
        &mut self,
        mut waiting: Vec<u64>,
        (depth, end): (u32, usize),
    ) -> Result<Option<Stop>, SearchEnd<S::Error>> {
        let mut at = end - waiting[self.peers.index()] as usize;
        loop {
            // What the limit leaves goes to the workers in their order.
            let expanded = self.layers.expanded - self.before;
            let mut left = self.bounds.nodes.map(|most| most.saturating_sub(expanded));
            let quotas = waiting.iter().map(|&waiting| {
                let quota = waiting.min(ROUND).min(left.unwrap_or(u64::MAX));
                left = left.map(|left| left - quota);
                quota
            });
            let quotas: Vec<u64> = quotas.collect();
            let quota = quotas[self.peers.index()] as usize;
            let halted = match quotas.iter().all(|&quota| quota == 0) {
                true => Some(Halt::Stop(Stop::Nodes)),
                false => self.expand(&mut at, quota),
            };
            let summary = Summary {
                counts: self.counts,
                waiting: (end - at) as u64,
                new: (self.shard.len() - end) as u64,
                bytes: self.shard.bytes() as u64,
                stop: match &halted {
                    Some(Halt::Stop(stop)) => Some(*stop),
                    _ => None,
                },
                failed: match &halted {
                    Some(Halt::Fail(error)) => Some(S::words_of(error)),
                    _ if self.is_garbled => Some("it was sent what makes no sense".to_owned()),
                    _ => None,
                },
            };
            let summaries = self.round(summary)?;
            if let Some(Halt::Fail(error)) = halted {
                return Err(SearchEnd::Failed(error));
            }
            for (worker, summary) in summaries.iter().enumerate() {
                if let Some(why) = &summary.failed {
                    let (process, why) = (self.peers.process_of(worker), why.clone());
                    let address = self.peers.address_of(worker);
                    return Err(Ended::Left { process, address, why }.into());
                }
            }
            self.sum(summaries.iter().map(|summary| summary.counts));
            if let Some(observe) = &mut self.observe {
                let own = self.peers.of_process();
                let bytes = summaries[own].iter().map(|summary| summary.bytes as usize).sum();
                let (expanded, generated) = (self.layers.expanded, self.layers.generated);
                observe(&Progress { expanded, generated, depth, bytes });
            }
            if let Some(stop) = summaries.iter().find_map(|summary| summary.stop) {
                return Ok(Some(stop));
            }
            waiting = summaries.iter().map(|summary| summary.waiting).collect();
            if waiting.iter().all(|&waiting| waiting == 0) {
                return Ok(None);
            }
        }
    }

    /// Ends a round.
    fn round(&mut self, summary: Summary) -> Result<Vec<Summary>, Ended> {
        let (shard, scratch) = (&mut *self.shard, &mut self.scratch);
        let is_garbled = &mut self.is_garbled;
        let summaries = self.peers.exchange(summary.written(), &mut |batch| {
            *is_garbled |= !receive(shard, scratch, batch);
        })?;
        let summaries = summaries.iter().map(|bytes| Summary::read(bytes).unwrap_or_default());
        let summaries: Vec<Summary> = summaries.collect();
        let of_process = self.peers.of_process();
        let held: usize = summaries[of_process].iter().map(|summary| summary.bytes as usize).sum();
        self.layers.peak_bytes = self.layers.peak_bytes.max(held);
        self.held_by_others = held - summaries[self.peers.index()].bytes as usize;
        Ok(summaries)
    }

    /// Expands so many states.
    fn expand(&mut self, at: &mut usize, quota: usize) -> Option<Halt<S::Error>> {
        let Search { peers, shard, bounds, counts, is_garbled, scratch, held_by_others, .. } = self;
        let room = bounds.memory.map(|most| most.saturating_sub(*held_by_others));
        let began = Instant::now();
        let end = *at + quota;
        let (mut out, mut steps) = (Vec::new(), 0_u64);
        let halted = shard.within_limits(|shard| {
            while *at < end {
                if steps.is_multiple_of(STRIDE) {
                    let now = Instant::now();
                    if peers.is_cancelled() {
                        return Some(Halt::Stop(Stop::Cancelled));
                    }
                    if bounds.deadline.is_some_and(|deadline| now >= deadline) {
                        return Some(Halt::Stop(Stop::Time));
                    }
                    if room.is_some_and(|room| shard.bytes() > room) {
                        return Some(Halt::Stop(Stop::Memory));
                    }
                    if now - began >= ROUND_TIME {
                        return None;
                    }
                    if steps.is_multiple_of(TAKE) {
                        peers.take(&mut |batch| *is_garbled |= !receive(shard, scratch, batch));
                    }
                }
                steps += 1;
                let state = shard.state(*at);
                if let Err(error) = shard.successors(&state, &mut out) {
                    return Some(match shard.stop_of(&error) {
                        Some(stop) => Halt::Stop(stop),
                        None => Halt::Fail(error),
                    });
                }
                *at += 1;
                counts[0] += 1;
                counts[1] += out.len() as u64;
                counts[2] += u64::from(out.is_empty());
                if peers.count() > 1 {
                    for state in out.drain(..) {
                        let owner = peers.owner(shard.hash(&state));
                        if owner == peers.index() {
                            scratch.push(state);
                        } else {
                            peers.send(owner, |bytes| write_sized(shard, &state, bytes));
                        }
                    }
                    shard.intern(scratch);
                } else {
                    shard.intern(&mut out);
                }
            }
            None
        });
        halted.unwrap_or_else(|stop| Some(Halt::Stop(stop)))
    }

    /// The least of the deepest states of all workers.
    fn deepest(&mut self) -> Result<(), Ended> {
        let first = self.from.last().copied().unwrap_or(0);
        let mut own: Vec<Vec<u8>> = Vec::new();
        for number in first..self.shard.len() {
            let (state, mut bytes) = (self.shard.state(number), Vec::new());
            self.shard.write(&state, &mut bytes);
            own.push(bytes);
            if own.len() >= 64 * DEEPEST_KEPT {
                own.sort_unstable();
                own.truncate(DEEPEST_KEPT);
            }
        }
        own.sort_unstable();
        own.truncate(DEEPEST_KEPT);
        let mut sent = Vec::new();
        own.iter().for_each(|bytes| push_bytes(bytes, &mut sent));
        let mut all = Vec::new();
        for sent in self.peers.agree(sent)? {
            let mut sent = &sent[..];
            all.extend(std::iter::from_fn(|| take_bytes(&mut sent).map(<[u8]>::to_vec)));
        }
        all.sort_unstable();
        all.truncate(DEEPEST_KEPT);
        self.layers.deepest = all;
        Ok(())
    }
}

/// Writes a state behind the number of its bytes.
fn write_sized<S: Shard>(shard: &mut S, state: &S::State, out: &mut Vec<u8>) {
    let at = out.len();
    out.push(0);
    shard.write(state, out);
    let length = out.len() - at - 1;
    if length < 0x80 {
        out[at] = length as u8;
    } else {
        let bytes = out.split_off(at + 1);
        out.pop();
        push_bytes(&bytes, out);
    }
}

/// Stores what another worker sent: whether it makes sense.
fn receive<S: Shard>(shard: &mut S, scratch: &mut Vec<S::State>, mut batch: &[u8]) -> bool {
    while !batch.is_empty() {
        let Some(state) = take_bytes(&mut batch).and_then(|bytes| shard.read(bytes)) else {
            return false;
        };
        scratch.push(state);
    }
    shard.intern(scratch);
    true
}

//! Breadth-first enumeration: [`breadth_first`].
//!
//! A state goes to its owner, which stores it if it is new: all shorter ways to it are known by then, since a layer is
//! expanded when all of it was received. A layer is expanded in rounds, so that what is under way is bounded, and all
//! workers stop at the same place.

use crate::bytes::{push_bytes, push_varint, take_bytes, take_varint};
use crate::error::SearchEnd;
use crate::kept::{Kept, Part};
use crate::limits::{Bounds, Halt, Next, Observer, Progress, ROUND, Stop, Turn};
use crate::peers::Peers;
use crate::rounds::{Receive, Rounds, sum, total};
use crate::shard::{Shard, write_sized, written};

/// How many of the deepest states are handed out.
const DEEPEST_KEPT: usize = 100;
/// States that are read from a file before they are stored.
const READ: usize = 1024;

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

/// What an enumeration keeps beside the states.
pub(crate) trait Trail<S: Shard> {
    /// Whether the owner of a state is told who leads to it.
    const IS_TOLD: bool;

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// Whether there is no room for more.
    fn is_full(&self) -> bool;

    /// Notes that the next state, in the order of numbers, was expanded, and how many successors it has.
    ///
    /// # Errors
    /// What else is asked about it fails.
    fn expanded(
        &mut self,
        shard: &mut S,
        state: &S::State,
        successors: usize,
    ) -> Result<(), S::Error>;

    /// Notes that a state leads to one of this worker: the worker and the number of the state.
    fn arrived(&mut self, number: usize, from: (usize, u64)) -> bool;

    /// Hands out what was noted since it was asked last, in parts that are not empty.
    ///
    /// # Errors
    /// What `put` says.
    fn write<E>(&mut self, put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E>;

    /// Notes a part that was written: whether it makes sense.
    fn read(&mut self, part: &[u8]) -> bool;
}

/// States alone.
impl<S: Shard> Trail<S> for () {
    const IS_TOLD: bool = false;

    fn bytes(&self) -> usize {
        0
    }

    fn is_full(&self) -> bool {
        false
    }

    fn expanded(&mut self, _: &mut S, _: &S::State, _: usize) -> Result<(), S::Error> {
        Ok(())
    }

    fn arrived(&mut self, _: usize, _: (usize, u64)) -> bool {
        true
    }

    fn write<E>(&mut self, _: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        Ok(())
    }

    fn read(&mut self, _: &[u8]) -> bool {
        false
    }
}

/// Visits every state that can be reached from `start`; all workers are told the same. `kept` has the complete layers
/// of this worker, those that all workers have are not searched again. `observe` is told how far it is.
///
/// # Errors
/// A state can't be expanded, here or elsewhere; a process is lost; a file can't be read or written.
pub fn breadth_first<S: Shard>(
    mut peers: Peers<'_>,
    shard: &mut S,
    start: &S::State,
    bounds: &Bounds,
    kept: Option<&mut Kept>,
    observe: Option<Observer<'_>>,
) -> Result<Layers, SearchEnd<S::Error>> {
    let mut rounds = Rounds::default();
    let search = (&mut peers, &mut rounds, &mut *shard);
    let (mut layers, first) = lay_out(search, &mut (), start, bounds, kept, observe)?;
    layers.deepest = deepest(&mut peers, &mut rounds, shard, first)?;
    layers.peak_bytes = rounds.peak_bytes;
    Ok(layers)
}

/// As [`breadth_first`], with a trail: the layers, and where the deepest of them begins among the states of this worker.
pub(crate) fn lay_out<S: Shard, T: Trail<S>>(
    (peers, rounds, shard): (&mut Peers<'_>, &mut Rounds, &mut S),
    trail: &mut T,
    start: &S::State,
    bounds: &Bounds,
    kept: Option<&mut Kept>,
    observe: Option<Observer<'_>>,
) -> Result<(Layers, usize), SearchEnd<S::Error>> {
    let mut search = Search {
        peers,
        rounds,
        own: Own { shard, trail, scratch: Vec::new() },
        bounds,
        observe,
        layers: Layers::default(),
        counts: [0; 3],
        from: vec![0],
        before: 0,
    };
    let ended = search.all(start, kept);
    if let Err(SearchEnd::Kept(error)) = &ended {
        search.peers.leave(&error.to_string());
    }
    search.layers.stopped = ended?;
    Ok((search.layers, search.from.last().copied().unwrap_or(0)))
}

/// The states of this worker, and the trail to them.
struct Own<'s, S: Shard, T> {
    shard: &'s mut S,
    trail: &'s mut T,
    scratch: Vec<S::State>,
}

impl<S: Shard, T: Trail<S>> Own<'_, S, T> {
    fn bytes(&self) -> usize {
        self.shard.bytes() + self.trail.bytes()
    }

    /// Stores what another worker sent: whether it makes sense.
    fn receive(&mut self, from: usize, mut batch: &[u8]) -> bool {
        while !batch.is_empty() {
            let mut one = || {
                let number = if T::IS_TOLD { take_varint(&mut batch)? } else { 0 };
                Some((number, self.shard.read(take_bytes(&mut batch)?)?))
            };
            let Some((number, state)) = one() else { return false };
            if !self.meet(state, (from, number)) {
                return false;
            }
        }
        self.shard.intern(&mut self.scratch);
        true
    }

    /// Notes a state, which is stored then, or when the scratch is.
    #[inline]
    fn meet(&mut self, state: S::State, from: (usize, u64)) -> bool {
        if T::IS_TOLD {
            let number = self.shard.number(&state);
            return self.trail.arrived(number, from);
        }
        self.scratch.push(state);
        true
    }
}

struct Search<'s, 'c, 'o, S: Shard, T> {
    peers: &'s mut Peers<'c>,
    rounds: &'s mut Rounds,
    own: Own<'s, S, T>,
    bounds: &'s Bounds,
    observe: Option<Observer<'o>>,
    layers: Layers,
    /// States expanded, their successors, and those without one, by this worker so far.
    counts: [u64; 3],
    /// Where each layer begins among the states of this worker.
    from: Vec<usize>,
    /// States that were expanded before this run.
    before: u64,
}

impl<S: Shard, T: Trail<S>> Search<'_, '_, '_, S, T> {
    fn all(
        &mut self,
        start: &S::State,
        mut kept: Option<&mut Kept>,
    ) -> Result<Option<Stop>, SearchEnd<S::Error>> {
        if let Some(kept) = kept.as_deref_mut() {
            self.resume(kept)?;
        }
        if self.layers.by_depth.is_empty() {
            let hash = self.own.shard.hash(start);
            if self.peers.owner(hash) == self.peers.index() {
                let bytes = written(self.own.shard, start);
                self.own.scratch.extend(self.own.shard.read(&bytes));
                self.own.shard.intern(&mut self.own.scratch);
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
            let end = self.own.shard.len();
            let stopped = self.expand_layer(waiting, (depth, end))?;
            self.from.push(end);
            // All that was sent is known to make sense then.
            waiting = self.sizes()?;
            if stopped.is_none() {
                self.keep(kept.as_deref_mut())?;
            }
            let states = total(waiting.iter().copied());
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
    fn sizes(&mut self) -> Result<Vec<u64>, SearchEnd<S::Error>> {
        let first = self.from.last().copied().unwrap_or(0);
        let own = ([(self.own.shard.len() - first) as u64], self.own.bytes());
        let (sizes, _) = self.rounds.end::<S, 1>(self.peers, own, None, &mut |_, _| false)?;
        Ok(sizes.into_iter().flatten().collect())
    }

    /// Writes the newest layer.
    fn keep(&mut self, kept: Option<&mut Kept>) -> Result<(), SearchEnd<S::Error>> {
        let Some(kept) = kept else { return Ok(()) };
        let Own { shard, trail, .. } = &mut self.own;
        let states = self.from.last().copied().unwrap_or(0)..shard.len();
        kept.begin(states.len() as u64, self.counts)?;
        let mut bytes = Vec::new();
        for number in states {
            bytes.clear();
            let state = shard.state(number);
            shard.write(&state, &mut bytes);
            kept.push(&bytes)?;
        }
        trail.write(|part| kept.push(part))?;
        kept.finish()?;
        Ok(())
    }

    /// Reads the layers that all workers have.
    fn resume(&mut self, kept: &mut Kept) -> Result<(), SearchEnd<S::Error>> {
        let mut said = Vec::new();
        kept.layers().iter().for_each(|layer| push_varint(layer.states, &mut said));
        let (sizes, _) = self.rounds.agree::<S, _>(self.peers, &said, None, |mut said| {
            let mut sizes = Vec::new();
            while !said.is_empty() {
                sizes.push(take_varint(&mut said)?);
            }
            Some(sizes)
        })?;
        let common = sizes.iter().map(Vec::len).min().unwrap_or(0);
        kept.shorten(common)?;
        self.counts = kept.layers().last().map_or([0; 3], |last| last.counts);
        if common > 0 {
            self.read(kept)?;
        }
        let depths = 0..common;
        let layer = |depth: usize| total(sizes.iter().map(|sizes| sizes[depth]));
        self.layers.by_depth = depths.map(layer).collect();
        self.layers.resumed = common;
        if self.layers.by_depth.last() == Some(&0) {
            // All was found.
            self.layers.by_depth.pop();
        }
        let own = (self.counts, self.own.bytes());
        let (counts, _) = self.rounds.end::<S, 3>(self.peers, own, None, &mut |_, _| false)?;
        self.count(sum(&counts));
        self.before = self.layers.expanded;
        Ok(())
    }

    /// Reads the layers of a file.
    fn read(&mut self, kept: &mut Kept) -> Result<(), SearchEnd<S::Error>> {
        let mut at = 0;
        self.from = kept.layers().iter().map(|layer| (at, at += layer.states as usize).0).collect();
        let Own { shard, trail, scratch } = &mut self.own;
        let mut is_garbled = false;
        kept.read(&mut |part| match part {
            Part::State(bytes) => {
                match shard.read(bytes) {
                    Some(state) => scratch.push(state),
                    None => is_garbled = true,
                }
                if scratch.len() >= READ {
                    shard.intern(scratch);
                }
            }
            Part::Note(note) => {
                shard.intern(scratch);
                is_garbled |= !trail.read(note);
            }
        })?;
        shard.intern(scratch);
        if is_garbled || shard.len() != at {
            return Err(kept.changed().into());
        }
        Ok(())
    }

    /// What all workers have counted.
    fn count(&mut self, counts: [u64; 3]) {
        let layers = &mut self.layers;
        [layers.expanded, layers.generated, layers.terminal] = counts;
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
            let expanded = self.layers.expanded.saturating_sub(self.before);
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
            let [expanded, generated, terminal] = self.counts;
            let said = [expanded, generated, terminal, (end - at) as u64];
            let (said, own) = ((said, self.own.bytes()), &mut self.own);
            let receive: Receive<'_> = &mut |from, batch| own.receive(from, batch);
            let (all, stop) = self.rounds.end::<S, 4>(self.peers, said, halted, receive)?;
            let [expanded, generated, terminal, _] = sum(&all);
            self.count([expanded, generated, terminal]);
            if let Some(observe) = &mut self.observe {
                let bytes = self.rounds.bytes;
                observe(&Progress { expanded, generated, terminal, depth, bytes });
            }
            if stop.is_some() {
                return Ok(stop);
            }
            waiting = all.iter().map(|&[.., waiting]| waiting).collect();
            if waiting.iter().all(|&waiting| waiting == 0) {
                return Ok(None);
            }
        }
    }

    /// Expands so many states.
    fn expand(&mut self, at: &mut usize, quota: usize) -> Option<Halt<S::Error>> {
        let Search { peers, rounds, own, bounds, counts, .. } = self;
        let mut turn = match Turn::begin(bounds, rounds.room(bounds), peers) {
            Ok(turn) => turn,
            Err(stop) => return Some(Halt::Stop(stop)),
        };
        let end = *at + quota;
        let Own { shard, trail, scratch } = own;
        let mut out = Vec::new();
        let halted = shard.within_limits(|shard| {
            let mut own = Own { shard, trail: &mut **trail, scratch: std::mem::take(scratch) };
            while *at < end {
                match turn.next(peers, || own.bytes()) {
                    Next::GoOn => {}
                    Next::Take => rounds.take(peers, &mut |from, batch| own.receive(from, batch)),
                    Next::End => return None,
                    Next::Stop(stop) => return Some(Halt::Stop(stop)),
                }
                if own.trail.is_full() {
                    return Some(Halt::Stop(Stop::Memory));
                }
                let state = own.shard.state(*at);
                let expanded = own.shard.successors(&state, &mut out);
                let expanded =
                    expanded.and_then(|()| own.trail.expanded(own.shard, &state, out.len()));
                if let Err(error) = expanded {
                    return Some(match own.shard.stop_of(&error) {
                        Some(stop) => Halt::Stop(stop),
                        None => Halt::Fail(error),
                    });
                }
                let from = (peers.index(), *at as u64);
                *at += 1;
                counts[0] += 1;
                counts[1] += out.len() as u64;
                counts[2] += u64::from(out.is_empty());
                if peers.count() == 1 && !T::IS_TOLD {
                    own.shard.intern(&mut out);
                    continue;
                }
                for state in out.drain(..) {
                    let owner = peers.owner(own.shard.hash(&state));
                    if owner != peers.index() {
                        peers.send(owner, |bytes| {
                            if T::IS_TOLD {
                                push_varint(from.1, bytes);
                            }
                            write_sized(own.shard, &state, bytes);
                        });
                    } else if !own.meet(state, from) {
                        return Some(Halt::Stop(Stop::Memory));
                    }
                }
                own.shard.intern(&mut own.scratch);
            }
            None
        });
        halted.unwrap_or_else(|stop| Some(Halt::Stop(stop)))
    }
}

/// The least of the deepest states of all workers, which begin at a number.
fn deepest<S: Shard>(
    peers: &mut Peers<'_>,
    rounds: &mut Rounds,
    shard: &mut S,
    first: usize,
) -> Result<Vec<Vec<u8>>, SearchEnd<S::Error>> {
    let mut own: Vec<Vec<u8>> = Vec::new();
    for number in first..shard.len() {
        let state = shard.state(number);
        own.push(written(shard, &state));
        if own.len() >= 64 * DEEPEST_KEPT {
            own.sort_unstable();
            own.truncate(DEEPEST_KEPT);
        }
    }
    own.sort_unstable();
    own.truncate(DEEPEST_KEPT);
    let mut said = Vec::new();
    own.iter().for_each(|bytes| push_bytes(bytes, &mut said));
    let (all, _) = rounds.agree::<S, _>(peers, &said, None, take_all)?;
    let mut all: Vec<Vec<u8>> = all.into_iter().flatten().collect();
    all.sort_unstable();
    all.truncate(DEEPEST_KEPT);
    Ok(all)
}

/// Runs of bytes, each behind its length.
pub(crate) fn take_all(mut said: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    while !said.is_empty() {
        all.push(take_bytes(&mut said)?.to_vec());
    }
    Some(all)
}

//! Cheapest paths: [`cheapest`].
//!
//! As breadth-first enumeration, by cost in the place of depth: in a round all workers expand states of the least f, the cost
//! of the best path known to a state and an estimate of what is left (P. Hart, N. Nilsson, B. Raphael, *A Formal Basis for
//! the Heuristic Determination of Minimum Cost Paths*, 1968); without estimates that is uniform-cost search. A state that
//! is reached more cheaply is expanded again. The search is over when no f is less than the cost of a goal. Each worker keeps
//! the costs and parents of its states; the path is put together at the end, from the goal backwards, by asking owners.

use crate::breadth::{Bounds, Observer, Progress, Shard, Stop};
use crate::bytes::{push_bytes, push_varint, take_bytes, take_varint};
use crate::control::Ended;
use crate::error::SearchEnd;
use crate::peers::Peers;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// States that a worker expands in a round at most.
const ROUND: u64 = 1 << 14;
/// Time that it takes for that at most.
const ROUND_TIME: Duration = Duration::from_millis(250);
/// States between two looks at clocks and flags.
const STRIDE: u64 = 64;
/// States between two looks at what others have sent.
const TAKE: u64 = 512;

/// States with goals, and moves that cost something.
pub trait PathShard: Shard {
    /// Whether a state is a goal.
    ///
    /// # Errors
    /// It can't be told.
    fn is_goal(&mut self, state: &Self::State) -> Result<bool, Self::Error>;

    /// What is estimated to be left from a state to a goal; `None` where none can be reached.
    ///
    /// # Errors
    /// It can't be told.
    fn estimate(&mut self, state: &Self::State) -> Result<Option<u64>, Self::Error>;

    /// Appends what a state leads to, with the costs of the moves.
    ///
    /// # Errors
    /// The state can't be expanded.
    fn moves(
        &mut self,
        state: &Self::State,
        out: &mut Vec<(u64, Self::State)>,
    ) -> Result<(), Self::Error>;

    /// The number of a state, which is stored if it is new: then it is the next one.
    fn number(&mut self, state: &Self::State) -> usize;
}

/// What all workers have found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheapestPath {
    /// The cost of a cheapest path, if there is one.
    pub cost: Option<u64>,
    /// Bytes of the states along it.
    pub states: Vec<Vec<u8>>,
    /// No path costs less.
    pub lower_bound: u64,
    /// States expanded, again if they were reached more cheaply.
    pub expanded: u64,
    /// Successors.
    pub generated: u64,
    /// States whose estimate was asked for.
    pub evaluated: u64,
    /// States from which no goal can be reached, as estimates say.
    pub dead_ends: u64,
    /// States that were reached more cheaply after they were expanded.
    pub reopened: u64,
    /// Moves to the deepest state expanded.
    pub max_depth: u64,
    /// Bytes that this process held at most.
    pub peak_bytes: usize,
    /// Why it stopped, if it did.
    pub stopped: Option<Stop>,
}

/// What is known of a state.
struct Node {
    g: u64,
    /// What is left; nothing where no goal can be reached.
    h: Option<u64>,
    depth: u32,
    /// The worker and the number of the state before it.
    parent: (u32, u32),
    is_open: bool,
    is_goal: bool,
}

/// A way to a state.
struct Arrival {
    g: u64,
    depth: u32,
    parent: (u32, u32),
}

/// What a worker says at the end of a round.
#[derive(Clone, Debug, Default)]
struct Summary {
    /// Expanded, generated, evaluated, dead ends, reopened, and the greatest depth, of this worker so far.
    counts: [u64; 6],
    bytes: u64,
    /// The least f of a state that is to be expanded.
    least: Option<u64>,
    /// The cost and number of the cheapest goal.
    goal: Option<(u64, u64)>,
    /// A state was not expanded because of its depth.
    is_cut: bool,
    stop: Option<Stop>,
    failed: Option<String>,
}

const STOPS: [Stop; 5] = [Stop::Nodes, Stop::Depth, Stop::Time, Stop::Memory, Stop::Cancelled];

impl Summary {
    fn written(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let stop = self.stop.and_then(|stop| STOPS.iter().position(|&known| known == stop));
        let option = |value: Option<u64>| value.map_or([0, 0], |value| [1, value]);
        let rest = [self.bytes, u64::from(self.is_cut), stop.map_or(0, |at| at as u64 + 1)];
        let goal = self.goal.unzip();
        let options = [option(self.least), option(goal.0), option(goal.1)];
        let all = self.counts.into_iter().chain(rest).chain(options.into_iter().flatten());
        all.for_each(|value| push_varint(value, &mut out));
        if let Some(failed) = &self.failed {
            push_bytes(failed.as_bytes(), &mut out);
        }
        out
    }

    fn read(mut bytes: &[u8]) -> Option<Summary> {
        let mut counts = [0; 6];
        for count in &mut counts {
            *count = take_varint(&mut bytes)?;
        }
        let [held, is_cut, stop] =
            [take_varint(&mut bytes)?, take_varint(&mut bytes)?, take_varint(&mut bytes)?];
        let mut option = || {
            let (is, value) = (take_varint(&mut bytes)?, take_varint(&mut bytes)?);
            Some((is != 0).then_some(value))
        };
        let (least, cost, number) = (option()?, option()?, option()?);
        let failed = take_bytes(&mut bytes).map(|text| String::from_utf8_lossy(text).into_owned());
        Some(Summary {
            counts,
            bytes: held,
            least,
            goal: cost.zip(number),
            is_cut: is_cut != 0,
            stop: (stop as usize).checked_sub(1).and_then(|at| STOPS.get(at).copied()),
            failed,
        })
    }
}

/// The states of one worker.
struct Nodes<'s, S: PathShard> {
    shard: &'s mut S,
    nodes: Vec<Node>,
    /// What is to be expanded, by f; what is there no more by then is left out.
    open: BTreeMap<u64, Vec<u32>>,
    goal: Option<(u64, u64)>,
    counts: [u64; 6],
    is_cut: bool,
    is_garbled: bool,
    failed: Option<S::Error>,
}

impl<S: PathShard> Nodes<'_, S> {
    /// Notes a way to a state.
    fn arrive(&mut self, state: &S::State, arrival: Arrival) -> Result<(), S::Error> {
        let number = self.shard.number(state);
        let Arrival { g, depth, parent } = arrival;
        if number == self.nodes.len() {
            let is_goal = self.shard.is_goal(state)?;
            let h = if is_goal { Some(0) } else { self.shard.estimate(state)? };
            self.counts[2] += u64::from(!is_goal);
            self.counts[3] += u64::from(h.is_none());
            self.nodes.push(Node { g, h, depth, parent, is_open: false, is_goal });
        } else {
            let node = &mut self.nodes[number];
            if g >= node.g {
                return Ok(());
            }
            self.counts[4] += u64::from(!node.is_open && !node.is_goal && node.h.is_some());
            (node.g, node.depth, node.parent) = (g, depth, parent);
        }
        let node = &mut self.nodes[number];
        if node.is_goal {
            let found = (g, number as u64);
            self.goal = Some(self.goal.map_or(found, |known| known.min(found)));
        } else if let Some(h) = node.h {
            node.is_open = true;
            self.open.entry(g.saturating_add(h)).or_default().push(number as u32);
        }
        Ok(())
    }

    /// Notes what another worker sent.
    fn receive(&mut self, mut batch: &[u8]) {
        while !batch.is_empty() && self.failed.is_none() {
            let mut one = || {
                let mut next = || take_varint(&mut batch);
                let (g, depth) = (next()?, next()? as u32);
                let parent = (next()? as u32, next()? as u32);
                let state = self.shard.read(take_bytes(&mut batch)?)?;
                Some((state, Arrival { g, depth, parent }))
            };
            let Some((state, arrival)) = one() else {
                self.is_garbled = true;
                return;
            };
            self.failed = self.arrive(&state, arrival).err();
        }
    }

    /// The next state to expand whose f is at most so much.
    fn next(&mut self, most: u64) -> Option<usize> {
        loop {
            let mut first = self.open.first_entry()?;
            let f = *first.key();
            if f > most {
                return None;
            }
            let Some(number) = first.get_mut().pop() else {
                first.remove();
                continue;
            };
            let node = &mut self.nodes[number as usize];
            if node.is_open && node.h.is_some_and(|h| node.g.saturating_add(h) == f) {
                node.is_open = false;
                return Some(number as usize);
            }
        }
    }

    /// The least f.
    fn least(&mut self) -> Option<u64> {
        loop {
            let first = self.open.first_entry()?;
            if first.get().is_empty() {
                first.remove();
                continue;
            }
            return Some(*first.key());
        }
    }

    fn bytes(&self) -> usize {
        self.shard.bytes() + self.nodes.capacity() * size_of::<Node>()
    }
}

/// Finds a cheapest path from `start` to a goal, if estimates never exceed what is left; all workers are told the same.
///
/// # Errors
/// A question about a state fails, here or elsewhere; a process is lost.
pub fn cheapest<S: PathShard>(
    mut peers: Peers<'_>,
    shard: &mut S,
    start: &S::State,
    bounds: &Bounds,
    mut observe: Option<Observer<'_>>,
) -> Result<CheapestPath, SearchEnd<S::Error>> {
    let mut nodes = Nodes {
        shard,
        nodes: Vec::new(),
        open: BTreeMap::new(),
        goal: None,
        counts: [0; 6],
        is_cut: false,
        is_garbled: false,
        failed: None,
    };
    let own = peers.index() as u32;
    let mut found = CheapestPath::default();
    let owner = {
        let hash = nodes.shard.hash(start);
        peers.owner(hash)
    };
    if owner == peers.index() {
        // It has no state before it.
        let arrival = Arrival { g: 0, depth: 0, parent: (own, u32::MAX) };
        nodes.failed = nodes.arrive(start, arrival).err();
    }
    let (mut most, mut held_by_others) = (None, 0);
    let goal = loop {
        let left = bounds.nodes.map(|most| most.saturating_sub(found.expanded));
        let share = left.map_or(ROUND, |left| left.div_ceil(peers.count() as u64));
        let stop = match most {
            Some(_) if left == Some(0) => Some(Stop::Nodes),
            Some(most) => {
                let room = bounds.memory.map(|room| room.saturating_sub(held_by_others));
                expand(&mut peers, &mut nodes, (most, share.min(ROUND)), bounds, room)
            }
            None => None,
        };
        let failed = nodes.failed.take();
        let (failed, stop) = match failed {
            Some(error) => match nodes.shard.stop_of(&error) {
                Some(stop) => (None, Some(stop)),
                None => (Some(error), stop),
            },
            None => (None, stop),
        };
        let words = failed.as_ref().map(S::words_of);
        let garbled = nodes.is_garbled.then(|| "it was sent what makes no sense".to_owned());
        let summary = Summary {
            counts: nodes.counts,
            bytes: nodes.bytes() as u64,
            least: nodes.least(),
            goal: nodes.goal,
            is_cut: nodes.is_cut,
            stop,
            failed: words.or(garbled),
        };
        let summaries = peers.exchange(summary.written(), &mut |batch| nodes.receive(batch))?;
        if let Some(error) = failed {
            return Err(SearchEnd::Failed(error));
        }
        let summaries = summaries.iter().map(|bytes| Summary::read(bytes).unwrap_or_default());
        let summaries: Vec<Summary> = summaries.collect();
        if let Some(worker) = summaries.iter().position(|summary| summary.failed.is_some()) {
            let why = summaries[worker].failed.clone().unwrap_or_default();
            let (process, address) = (peers.process_of(worker), peers.address_of(worker));
            return Err(Ended::Left { process, address, why }.into());
        }
        let sum = |at: usize| summaries.iter().map(|summary| summary.counts[at]).sum();
        (found.expanded, found.generated, found.evaluated) = (sum(0), sum(1), sum(2));
        (found.dead_ends, found.reopened) = (sum(3), sum(4));
        found.max_depth = summaries.iter().map(|summary| summary.counts[5]).max().unwrap_or(0);
        let of_process = &summaries[peers.of_process()];
        let held: usize = of_process.iter().map(|summary| summary.bytes as usize).sum();
        found.peak_bytes = found.peak_bytes.max(held);
        held_by_others = held - summaries[peers.index()].bytes as usize;
        if let Some(observe) = &mut observe {
            let (expanded, generated) = (found.expanded, found.generated);
            let depth = found.max_depth as u32;
            observe(&Progress { expanded, generated, depth, bytes: held });
        }
        // What was received behind the summaries counts, too: all of it comes before they are.
        let standing = standing(&mut peers, &mut nodes)?;
        let (least, goal, is_cut) = standing;
        found.lower_bound = match (least, goal) {
            (Some(least), Some((cost, ..))) => least.min(cost),
            (Some(least), None) => least,
            (None, goal) => goal.map_or(0, |(cost, ..)| cost),
        };
        if let Some((cost, worker, number)) = goal
            && least.is_none_or(|least| least >= cost)
        {
            found.cost = Some(cost);
            break Some((worker, number));
        }
        if let Some(stop) = summaries.iter().find_map(|summary| summary.stop) {
            found.stopped = Some(stop);
            break None;
        }
        if least.is_none() {
            found.stopped = is_cut.then_some(Stop::Depth);
            break None;
        }
        most = least;
    };
    if let Some(goal) = goal {
        found.states = path(&mut peers, &mut nodes, goal)?;
    }
    Ok(found)
}

/// The least f, the cheapest goal with its worker and number, and whether a state was left out.
type Standing = (Option<u64>, Option<(u64, usize, u64)>, bool);

/// How the search stands now that all of a round was received.
fn standing<S: PathShard>(
    peers: &mut Peers<'_>,
    nodes: &mut Nodes<'_, S>,
) -> Result<Standing, Ended> {
    let own = Summary {
        least: nodes.least(),
        goal: nodes.goal,
        is_cut: nodes.is_cut,
        ..Summary::default()
    };
    let all = peers.agree(own.written())?;
    let all = all.iter().map(|bytes| Summary::read(bytes).unwrap_or_default());
    let all: Vec<Summary> = all.collect();
    let goals = all
        .iter()
        .enumerate()
        .filter_map(|(worker, summary)| summary.goal.map(|(cost, number)| (cost, worker, number)));
    let least = all.iter().filter_map(|summary| summary.least).min();
    Ok((least, goals.min(), all.iter().any(|summary| summary.is_cut)))
}

/// Expands states whose f is at most so much, so many of them.
fn expand<S: PathShard>(
    peers: &mut Peers<'_>,
    nodes: &mut Nodes<'_, S>,
    (most, quota): (u64, u64),
    bounds: &Bounds,
    room: Option<usize>,
) -> Option<Stop> {
    let began = Instant::now();
    let own = peers.index() as u32;
    let mut out = Vec::new();
    let mut steps = 0;
    while steps < quota && nodes.failed.is_none() {
        if steps.is_multiple_of(STRIDE) {
            if peers.is_cancelled() {
                return Some(Stop::Cancelled);
            }
            if bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Some(Stop::Time);
            }
            if room.is_some_and(|room| nodes.bytes() > room) {
                return Some(Stop::Memory);
            }
            if began.elapsed() >= ROUND_TIME {
                return None;
            }
            if steps.is_multiple_of(TAKE) {
                peers.take(&mut |batch| nodes.receive(batch));
            }
        }
        let number = nodes.next(most)?;
        let (g, depth) = (nodes.nodes[number].g, nodes.nodes[number].depth);
        if bounds.depth.is_some_and(|most| depth >= most) {
            nodes.is_cut = true;
            continue;
        }
        steps += 1;
        let state = nodes.shard.state(number);
        out.clear();
        match nodes.shard.within_limits(|shard| shard.moves(&state, &mut out)) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => nodes.failed = Some(error),
            Err(stop) => return Some(stop),
        }
        nodes.counts[0] += 1;
        nodes.counts[1] += out.len() as u64;
        nodes.counts[5] = nodes.counts[5].max(u64::from(depth));
        for (cost, next) in out.drain(..) {
            let arrival = Arrival {
                g: g.saturating_add(cost),
                depth: depth + 1,
                parent: (own, number as u32),
            };
            let owner = peers.owner(nodes.shard.hash(&next));
            if owner == peers.index() {
                if nodes.failed.is_none() {
                    nodes.failed = nodes.arrive(&next, arrival).err();
                }
                continue;
            }
            let shard = &mut *nodes.shard;
            peers.send(owner, |bytes| {
                let Arrival { g, depth, parent } = arrival;
                let head = [g, u64::from(depth), u64::from(parent.0), u64::from(parent.1)];
                head.into_iter().for_each(|value| push_varint(value, bytes));
                let mut written = Vec::new();
                shard.write(&next, &mut written);
                push_bytes(&written, bytes);
            });
        }
    }
    None
}

/// The states of the path to a goal, which their owners tell one after the other.
fn path<S: PathShard>(
    peers: &mut Peers<'_>,
    nodes: &mut Nodes<'_, S>,
    (worker, number): (usize, u64),
) -> Result<Vec<Vec<u8>>, Ended> {
    let (mut at, mut states) = ((worker as u32, number as u32), Vec::new());
    while at.1 != u32::MAX {
        let mut told = Vec::new();
        // As far as it goes within this worker.
        let mut here = at;
        while here.0 as usize == peers.index() && here.1 != u32::MAX {
            let mut written = Vec::new();
            let state = nodes.shard.state(here.1 as usize);
            nodes.shard.write(&state, &mut written);
            push_bytes(&written, &mut told);
            here = nodes.nodes[here.1 as usize].parent;
        }
        let mut said = Vec::new();
        [here.0, here.1].into_iter().for_each(|part| push_varint(u64::from(part), &mut said));
        said.extend(told);
        let all = peers.agree(said)?;
        let mut said = &all[at.0 as usize][..];
        let mut next = || take_varint(&mut said).map_or(u32::MAX, |part| part as u32);
        at = (next(), next());
        states.extend(std::iter::from_fn(|| take_bytes(&mut said).map(<[u8]>::to_vec)));
    }
    states.reverse();
    Ok(states)
}

//! Cheapest paths: [`cheapest`].
//!
//! As breadth-first enumeration, by cost in the place of depth: in a round all workers expand states of the least f, the cost
//! of the best path known to a state and an estimate of what is left (P. Hart, N. Nilsson, B. Raphael, *A Formal Basis for
//! the Heuristic Determination of Minimum Cost Paths*, 1968); without estimates that is uniform-cost search. A state that
//! is reached more cheaply is expanded again. The search is over when no f is less than the cost of a goal. Each worker keeps
//! the costs and parents of its states; the path is put together at the end, from the goal backwards, by asking owners.

use crate::breadth::take_all;
use crate::bytes::{push_bytes, push_varint, take_bytes, take_varint};
use crate::error::SearchEnd;
use crate::limits::{Bounds, Halt, Next, Observer, Progress, ROUND, Stop, Turn};
use crate::peers::Peers;
use crate::rounds::{Rounds, senseless, sum};
use crate::shard::{Shard, write_sized, written};
use std::collections::BTreeMap;

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

/// The states of one worker.
struct Nodes<'s, S: PathShard> {
    shard: &'s mut S,
    nodes: Vec<Node>,
    /// What is to be expanded, by f; what is there no more by then is left out.
    open: BTreeMap<u64, Vec<u32>>,
    goal: Option<(u64, u64)>,
    counts: [u64; 6],
    is_cut: bool,
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

    /// Notes what another worker sent: whether it makes sense.
    fn receive(&mut self, mut batch: &[u8]) -> bool {
        while !batch.is_empty() && self.failed.is_none() {
            let mut one = || {
                let mut next = || take_varint(&mut batch);
                let (g, depth) = (next()?, u32::try_from(next()?).ok()?);
                let parent = (u32::try_from(next()?).ok()?, u32::try_from(next()?).ok()?);
                let state = self.shard.read(take_bytes(&mut batch)?)?;
                Some((state, Arrival { g, depth, parent }))
            };
            let Some((state, arrival)) = one() else { return false };
            self.failed = self.arrive(&state, arrival).err();
        }
        true
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

    /// What ends this worker's part of a round, if an operation failed.
    fn halted(&mut self) -> Option<Halt<S::Error>> {
        let error = self.failed.take()?;
        Some(match self.shard.stop_of(&error) {
            Some(stop) => Halt::Stop(stop),
            None => Halt::Fail(error),
        })
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
        failed: None,
    };
    let (peers, mut rounds) = (&mut peers, Rounds::default());
    let own = peers.index() as u32;
    let mut found = CheapestPath::default();
    let hash = nodes.shard.hash(start);
    if peers.owner(hash) == peers.index() {
        // It has no state before it.
        let arrival = Arrival { g: 0, depth: 0, parent: (own, u32::MAX) };
        nodes.failed = nodes.arrive(start, arrival).err();
    }
    let mut most = None;
    let goal = loop {
        let left = bounds.nodes.map(|most| most.saturating_sub(found.expanded));
        let share = left.map_or(ROUND, |left| left.div_ceil(peers.count() as u64).min(ROUND));
        let stop = match most {
            Some(_) if left == Some(0) => Some(Stop::Nodes),
            Some(most) => expand(peers, (&mut rounds, &mut nodes), (most, share), bounds),
            None => None,
        };
        let halted = nodes.halted().or(stop.map(Halt::Stop));
        let said = (nodes.counts, nodes.bytes());
        let (all, stop) =
            rounds.end::<S, 6>(peers, said, halted, &mut |_, batch| nodes.receive(batch))?;
        let depth = all.iter().map(|counts| counts[5]).max().unwrap_or(0);
        [found.expanded, found.generated, found.evaluated, found.dead_ends, found.reopened, _] =
            sum(&all);
        (found.max_depth, found.peak_bytes) = (depth, rounds.peak_bytes);
        if let Some(observe) = &mut observe {
            observe(&Progress {
                expanded: found.expanded,
                generated: found.generated,
                terminal: found.dead_ends,
                depth: u32::try_from(depth).unwrap_or(u32::MAX),
                bytes: rounds.bytes,
            });
        }
        // All that was sent in the round is received now.
        let (least, goal, is_cut) = standing(peers, &mut rounds, &mut nodes)?;
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
        if stop.is_some() {
            found.stopped = stop;
            break None;
        }
        if least.is_none() {
            found.stopped = is_cut.then_some(Stop::Depth);
            break None;
        }
        most = least;
    };
    if let Some(goal) = goal {
        found.states = path(peers, (&mut rounds, &mut nodes), goal, found.generated)?;
    }
    Ok(found)
}

/// The least f, the cheapest goal with its worker and number, and whether a state was left out.
type Standing = (Option<u64>, Option<(u64, usize, u64)>, bool);

/// How the search stands now that all of a round was received.
fn standing<S: PathShard>(
    peers: &mut Peers<'_>,
    rounds: &mut Rounds,
    nodes: &mut Nodes<'_, S>,
) -> Result<Standing, SearchEnd<S::Error>> {
    let option = |value: Option<u64>| [u64::from(value.is_some()), value.unwrap_or(0)];
    let ([has_least, least], (cost, number)) = (option(nodes.least()), nodes.goal.unzip());
    let ([has_goal, cost], [_, number]) = (option(cost), option(number));
    let said = [has_least, least, has_goal, cost, number, u64::from(nodes.is_cut)];
    let (said, halted) = ((said, nodes.bytes()), nodes.halted());
    let (all, _) = rounds.end::<S, 6>(peers, said, halted, &mut |_, _| false)?;
    let least = all.iter().filter(|said| said[0] != 0).map(|said| said[1]).min();
    let goals = all.iter().zip(0..).filter(|(said, _)| said[2] != 0);
    let goal = goals.map(|(said, worker)| (said[3], worker, said[4])).min();
    Ok((least, goal, all.iter().any(|said| said[5] != 0)))
}

/// Expands states whose f is at most so much, so many of them.
fn expand<S: PathShard>(
    peers: &mut Peers<'_>,
    (rounds, nodes): (&mut Rounds, &mut Nodes<'_, S>),
    (most, quota): (u64, u64),
    bounds: &Bounds,
) -> Option<Stop> {
    let mut turn = match Turn::begin(bounds, rounds.room(bounds), peers) {
        Ok(turn) => turn,
        Err(stop) => return Some(stop),
    };
    let own = peers.index() as u32;
    let (mut out, mut steps) = (Vec::new(), 0);
    while steps < quota && nodes.failed.is_none() {
        match turn.next(peers, || nodes.bytes()) {
            Next::GoOn => {}
            Next::Take => rounds.take(peers, &mut |_, batch| nodes.receive(batch)),
            Next::End => return None,
            Next::Stop(stop) => return Some(stop),
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
                depth: depth.saturating_add(1),
                parent: (own, number as u32),
            };
            let owner = peers.owner(nodes.shard.hash(&next));
            if owner == peers.index() {
                if nodes.failed.is_none() {
                    nodes.failed = nodes.arrive(&next, arrival).err();
                }
                continue;
            }
            peers.send(owner, |bytes| {
                let Arrival { g, depth, parent } = arrival;
                let head = [g, u64::from(depth), u64::from(parent.0), u64::from(parent.1)];
                head.into_iter().for_each(|value| push_varint(value, bytes));
                write_sized(nodes.shard, &next, bytes);
            });
        }
    }
    None
}

/// The states of the path to a goal, of at most so many moves, which their owners tell one after the other.
fn path<S: PathShard>(
    peers: &mut Peers<'_>,
    (rounds, nodes): (&mut Rounds, &mut Nodes<'_, S>),
    (worker, number): (usize, u64),
    longest: u64,
) -> Result<Vec<Vec<u8>>, SearchEnd<S::Error>> {
    let first = u32::try_from(number).map_err(|_| senseless(peers, worker))?;
    let (mut at, mut states) = ((worker as u32, first), Vec::new());
    while at.1 != u32::MAX {
        let mut told = Vec::new();
        // As far as it goes within this worker.
        let mut here = at;
        while here.0 as usize == peers.index()
            && let Some(node) = nodes.nodes.get(here.1 as usize)
        {
            let state = nodes.shard.state(here.1 as usize);
            push_bytes(&written(nodes.shard, &state), &mut told);
            here = node.parent;
        }
        let mut said = Vec::new();
        [here.0, here.1].into_iter().for_each(|part| push_varint(u64::from(part), &mut said));
        said.extend(told);
        let (mut all, _) = rounds.agree::<S, _>(peers, &said, None, |mut said| {
            let mut next = || u32::try_from(take_varint(&mut said)?).ok();
            let at = (next()?, next()?);
            Some((at, take_all(said)?))
        })?;
        let teller = at.0 as usize;
        // Each of them tells a state at least, and goes on to another worker.
        let is_known = all.get(teller).is_some_and(|(_, told)| !told.is_empty());
        if !is_known || states.len() as u64 > longest {
            return Err(senseless(peers, teller.min(all.len() - 1)).into());
        }
        let (before, told) = all.swap_remove(teller);
        at = before;
        states.extend(told);
    }
    states.reverse();
    Ok(states)
}

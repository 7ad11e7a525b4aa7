//! The current path of a tree search: an explicit stack in place of recursion, and the check
//! for cycles.
//!
//! Successors lie in two pools, those of even depth in one, those of a state above those of
//! the states before it. The states of the path are among them and never copied: a state is
//! lent out of one pool while its successors go into the other. They are chained by hash, so a
//! cycle is seen in constant time at any depth.

use super::cost::Cost;
use super::meter::{Halt, Meter};
use super::problem::{Problem, SuccessorOf};
use super::report::{Overestimate, StopReason};
use super::store::hash_of;

/// The end of a chain.
const END: u32 = u32::MAX;

/// A state on the path.
struct Frame<C> {
    /// The cost from the start.
    g: C,
    /// The estimate, or zero in a blind search.
    h: C,
    /// Its place in the pool for its depth.
    at: u32,
    hash: u32,
    /// The next frame further up with its hash in the same slot.
    next: u32,
    /// The successor whose turn it is, and where the successors end.
    turn: u32,
    end: u32,
}

/// A path from the start, and what remains to be tried along it.
pub(super) struct Path<P: Problem> {
    start: P::State,
    frames: Vec<Frame<P::Cost>>,
    /// The successors at even and at odd depths. The start is in neither.
    pools: [Vec<SuccessorOf<P>>; 2],
    /// How many successors in the pools have not had their turn.
    waiting: usize,
    /// The deepest frame of each slot; a power of two long, at most a quarter full.
    heads: Vec<u32>,
    /// Bytes that a state by value takes on the heap.
    heap_bytes: usize,
}

/// A step that the path may take: from its last state to one that is not on it.
pub(super) struct Step<'a, P: Problem> {
    pub from: &'a P::State,
    /// The estimate of `from`.
    pub from_h: P::Cost,
    pub to: &'a P::State,
    pub hint: &'a P::Hint,
    /// The cost of the path to `to`.
    pub g: P::Cost,
}

impl<P: Problem> Path<P> {
    /// A path that consists of the start alone.
    pub fn new(problem: &P, start: &P::State) -> Self {
        let mut path = Self {
            start: start.clone(),
            frames: Vec::new(),
            pools: [Vec::new(), Vec::new()],
            waiting: 0,
            heads: vec![END; 256],
            heap_bytes: problem.state_heap_bytes(),
        };
        path.restart(P::Cost::ZERO);
        path
    }

    /// Makes the path consist of the start alone.
    pub fn restart(&mut self, h: P::Cost) {
        self.pools.iter_mut().for_each(Vec::clear);
        self.frames.clear();
        self.heads.fill(END);
        self.waiting = 0;
        let hash = hash_of(&self.start);
        self.push(Frame { g: P::Cost::ZERO, h, at: 0, hash, next: END, turn: 0, end: 0 });
    }

    /// Moves from the start to the last state.
    #[inline]
    pub fn depth(&self) -> u32 {
        (self.frames.len() - 1) as u32
    }

    /// The last state.
    #[inline]
    pub fn last(&self) -> &P::State {
        self.state_at(self.frames.len() - 1)
    }

    /// The state at a depth.
    #[inline]
    fn state_at(&self, depth: usize) -> &P::State {
        if depth == 0 {
            return &self.start;
        }
        &self.pools[depth & 1][self.frames[depth].at as usize].state
    }

    /// The cost of the whole path.
    pub fn cost(&self) -> P::Cost {
        self.frames[self.frames.len() - 1].g
    }

    /// The cost of the whole path and the estimate of what is left.
    pub fn estimate(&self) -> P::Cost {
        let last = &self.frames[self.frames.len() - 1];
        last.g.plus(last.h)
    }

    fn bytes(&self) -> usize {
        let [even, odd] = &self.pools;
        self.frames.capacity() * size_of::<Frame<P::Cost>>()
            + (even.capacity() + odd.capacity()) * size_of::<SuccessorOf<P>>()
            + self.heads.capacity() * size_of::<u32>()
            + (even.len() + odd.len() + 1) * self.heap_bytes
    }

    /// Generates the successors of the last state.
    #[inline(always)]
    pub fn expand(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<(), Halt<P::Error>> {
        let (depth, memory) = (self.frames.len() - 1, self.bytes());
        let at = self.frames[depth].at as usize;
        let [even, odd] = &mut self.pools;
        let (own, pool) = if depth & 1 == 0 { (even, odd) } else { (odd, even) };
        let state = if depth == 0 { &self.start } else { &own[at].state };
        let first = pool.len();
        meter.expand(problem, state, depth as u32, memory, pool)?;
        if pool.len() >= END as usize {
            return Err(Halt::Stop(StopReason::Memory));
        }
        let frame = &mut self.frames[depth];
        (frame.turn, frame.end) = (first as u32, pool.len() as u32);
        self.waiting += pool.len() - first;
        meter.open(self.waiting);
        Ok(())
    }

    /// Extends the path by the next successor of its last state that is not on it and that
    /// `estimate` has an estimate for; false if there is none.
    #[inline(always)]
    pub fn advance(
        &mut self,
        meter: &mut Meter<'_, P::Cost>,
        mut estimate: impl FnMut(
            &mut Meter<'_, P::Cost>,
            Step<'_, P>,
        ) -> Result<Option<P::Cost>, Halt<P::Error>>,
    ) -> Result<bool, Halt<P::Error>> {
        let last = self.frames.len() - 1;
        let Frame { g, h, turn, end, .. } = self.frames[last];
        let from = self.state_at(last);
        let previous = self.state_at(last.saturating_sub(1));
        let successors = &self.pools[(last + 1) & 1][turn as usize..end as usize];
        for (successor, at) in successors.iter().zip(turn..) {
            // PERF: going straight back is told sooner than other cycles.
            if last > 0 && *previous == successor.state {
                continue;
            }
            meter.stats.generated += 1;
            let hash = hash_of(&successor.state);
            if self.contains(&successor.state, hash) {
                continue;
            }
            let g = g.plus(successor.cost);
            let (to, hint) = (&successor.state, &successor.hint);
            let step = Step { from, from_h: h, to, hint, g };
            if let Some(h) = estimate(meter, step)? {
                self.waiting -= (at + 1 - turn) as usize;
                self.frames[last].turn = at + 1;
                self.push(Frame { g, h, at, hash, next: END, turn: 0, end: 0 });
                return Ok(true);
            }
        }
        self.waiting -= (end - turn) as usize;
        self.frames[last].turn = end;
        Ok(false)
    }

    #[inline]
    fn contains(&self, state: &P::State, hash: u32) -> bool {
        let mut at = self.heads[hash as usize & (self.heads.len() - 1)];
        while at != END {
            let frame = &self.frames[at as usize];
            if frame.hash == hash && self.state_at(at as usize) == state {
                return true;
            }
            at = frame.next;
        }
        false
    }

    #[inline]
    fn push(&mut self, mut frame: Frame<P::Cost>) {
        if self.frames.len() * 4 >= self.heads.len() {
            self.grow();
        }
        let slot = frame.hash as usize & (self.heads.len() - 1);
        frame.next = std::mem::replace(&mut self.heads[slot], self.frames.len() as u32);
        self.frames.push(frame);
    }

    /// Goes back one move; false if the last state was the start.
    #[inline(always)]
    pub fn pop(&mut self) -> bool {
        if let Some(frame) = self.frames.pop() {
            let slot = frame.hash as usize & (self.heads.len() - 1);
            self.heads[slot] = frame.next;
        }
        // What lies below its successors are those of the state two moves before.
        let depth = self.frames.len();
        let end = depth.checked_sub(2).map_or(0, |before| self.frames[before].end);
        self.pools[(depth + 1) & 1].truncate(end as usize);
        depth > 0
    }

    /// Doubles the table of chains.
    #[cold]
    fn grow(&mut self) {
        let mask = self.heads.len() * 2 - 1;
        let mut heads = vec![END; mask + 1];
        for (at, frame) in self.frames.iter_mut().enumerate() {
            let slot = frame.hash as usize & mask;
            frame.next = std::mem::replace(&mut heads[slot], at as u32);
        }
        self.heads = heads;
    }

    /// The moves along the path.
    pub fn moves(&self) -> Vec<P::Move> {
        let along = self.frames.iter().enumerate().skip(1);
        along.map(|(depth, frame)| self.pools[depth & 1][frame.at as usize].mv.clone()).collect()
    }

    /// The states along the path.
    pub fn states(&self) -> Vec<P::State> {
        (0..self.frames.len()).map(|depth| self.state_at(depth).clone()).collect()
    }

    /// Where on the path, whose last state is a goal, the heuristic is too high.
    pub fn overestimate(&self) -> Option<Overestimate<P::Cost>> {
        overestimate(self.frames.iter().map(|frame| (frame.g, frame.h)), self.cost())
    }
}

/// The first of the states along a solution, given as (g, h), whose estimate exceeds what the
/// rest of a solution of this cost takes.
pub(super) fn overestimate<C: Cost>(
    along: impl IntoIterator<Item = (C, C)>,
    cost: C,
) -> Option<Overestimate<C>> {
    along
        .into_iter()
        .enumerate()
        .find(|&(_, (g, h))| g.plus(h).exceeds(cost))
        .map(|(step, (g, h))| Overestimate { step, estimate: h, actual: cost.minus(g) })
}

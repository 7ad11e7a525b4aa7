//! The current path of a tree search: an explicit stack in place of recursion, and the check
//! for cycles.
//!
//! A state's successors are looked at when it is expanded. Those that the search may go on to
//! lie in one pool, behind those of the states before it; the states of the path are among them
//! and never copied. They are chained by hash, so a cycle is seen in constant time at any depth.

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
    /// Its place in the pool.
    at: u32,
    hash: u32,
    /// The next frame further up with its hash in the same slot.
    next: u32,
    /// Where its successors begin, whose turn it is, and where they end.
    first: u32,
    turn: u32,
    end: u32,
    /// Successors that do not go straight back, and how many of them were counted.
    generated: u32,
    counted: u32,
}

/// A successor that the path may be extended by.
struct Pending<P: Problem> {
    successor: SuccessorOf<P>,
    h: P::Cost,
    hash: u32,
    /// How many successors of its state there are up to this one.
    rank: u32,
}

/// A path from the start, and what remains to be tried along it.
pub(super) struct Path<P: Problem> {
    start: P::State,
    frames: Vec<Frame<P::Cost>>,
    /// The successors; the start is not among them.
    pool: Vec<Pending<P>>,
    /// All successors of one state.
    scratch: Vec<SuccessorOf<P>>,
    /// How many successors in the pool have not had their turn.
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

/// Which steps a search may go on to.
pub(super) trait Judge<P: Problem> {
    /// The estimate of the state that a step leads to; `None` if the search will not.
    fn estimate(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        step: Step<'_, P>,
    ) -> Result<Option<P::Cost>, Halt<P::Error>>;
}

/// All of them, in a blind search.
pub(super) struct Every;

impl<P: Problem> Judge<P> for Every {
    #[inline(always)]
    fn estimate(
        &mut self,
        _: &mut P,
        _: &mut Meter<'_, P::Cost>,
        _: Step<'_, P>,
    ) -> Result<Option<P::Cost>, Halt<P::Error>> {
        Ok(Some(P::Cost::ZERO))
    }
}

impl<P: Problem> Path<P> {
    /// A path that consists of the start alone.
    pub fn new(problem: &P, start: &P::State) -> Self {
        let mut path = Self {
            start: start.clone(),
            frames: Vec::new(),
            pool: Vec::new(),
            scratch: Vec::new(),
            waiting: 0,
            heads: vec![END; 256],
            heap_bytes: problem.state_heap_bytes(),
        };
        path.restart(P::Cost::ZERO);
        path
    }

    /// Makes the path consist of the start alone.
    pub fn restart(&mut self, h: P::Cost) {
        self.pool.clear();
        self.frames.clear();
        self.heads.fill(END);
        self.waiting = 0;
        self.push(P::Cost::ZERO, h, 0, hash_of(&self.start));
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
        &self.pool[self.frames[depth].at as usize].successor.state
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

    #[inline]
    fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame<P::Cost>>()
            + self.pool.capacity() * size_of::<Pending<P>>()
            + self.scratch.capacity() * size_of::<SuccessorOf<P>>()
            + self.heads.capacity() * size_of::<u32>()
            + (self.pool.len() + 1) * self.heap_bytes
    }

    /// Generates the successors of the last state. The path may be extended by those that are
    /// not on it and that `judge` has an estimate for.
    #[inline(always)]
    pub fn expand(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        judge: &mut impl Judge<P>,
    ) -> Result<(), Halt<P::Error>> {
        let (last, memory) = (self.frames.len() - 1, self.bytes());
        // PERF: states of tree searches are short, and these two are asked for again and again.
        let from = self.state_at(last).clone();
        let before = last.checked_sub(1).map(|before| self.state_at(before).clone());
        self.scratch.clear();
        meter.expand(problem, &from, last as u32, memory, &mut self.scratch)?;
        let first = self.pool.len();
        if first + self.scratch.len() >= END as usize {
            return Err(Halt::Stop(StopReason::Memory));
        }
        let Frame { g, h: from_h, .. } = self.frames[last];
        let mut generated = 0;
        for successor in self.scratch.drain(..) {
            // PERF: going straight back is told sooner than other cycles.
            if before.as_ref().is_some_and(|before| *before == successor.state) {
                continue;
            }
            generated += 1;
            let hash = hash_of(&successor.state);
            let head = self.heads[hash as usize & (self.heads.len() - 1)];
            if head != END
                && contains(&self.frames, &self.pool, &self.start, head, (&successor.state, hash))
            {
                continue;
            }
            let (to, hint) = (&successor.state, &successor.hint);
            let step = Step { from: &from, from_h, to, hint, g: g.plus(successor.cost) };
            if let Some(h) = judge.estimate(problem, meter, step)? {
                self.pool.push(Pending { successor, h, hash, rank: generated });
            }
        }
        let end = self.pool.len();
        let frame = &mut self.frames[last];
        (frame.first, frame.turn, frame.end) = (first as u32, first as u32, end as u32);
        frame.generated = generated;
        self.waiting += end - first;
        meter.open(self.waiting);
        Ok(())
    }

    /// Extends the path by the next successor of its last state whose f is wanted; false if
    /// there is none. Successors count as generated when it would be their turn.
    #[inline(always)]
    pub fn advance(
        &mut self,
        meter: &mut Meter<'_, P::Cost>,
        wants: impl Fn(P::Cost) -> bool,
    ) -> bool {
        let last = self.frames.len() - 1;
        let frame = &mut self.frames[last];
        while frame.turn < frame.end {
            let at = frame.turn;
            frame.turn += 1;
            self.waiting -= 1;
            let Pending { successor, h, hash, rank } = &self.pool[at as usize];
            let (g, h, hash) = (frame.g.plus(successor.cost), *h, *hash);
            meter.stats.generated += u64::from(rank - frame.counted);
            frame.counted = *rank;
            if wants(g.plus(h)) {
                self.push(g, h, at, hash);
                return true;
            }
        }
        meter.stats.generated += u64::from(frame.generated - frame.counted);
        frame.counted = frame.generated;
        false
    }

    /// Extends the path by what lies at a place in the pool.
    #[inline]
    fn push(&mut self, g: P::Cost, h: P::Cost, at: u32, hash: u32) {
        if self.frames.len() * 4 >= self.heads.len() {
            self.grow();
        }
        let slot = hash as usize & (self.heads.len() - 1);
        let next = std::mem::replace(&mut self.heads[slot], self.frames.len() as u32);
        let first = self.pool.len() as u32;
        let (turn, end) = (first, first);
        self.frames.push(Frame {
            g,
            h,
            at,
            hash,
            next,
            first,
            turn,
            end,
            generated: 0,
            counted: 0,
        });
    }

    /// Goes back one move; false if the last state was the start.
    #[inline(always)]
    pub fn pop(&mut self) -> bool {
        if let Some(frame) = self.frames.pop() {
            let slot = frame.hash as usize & (self.heads.len() - 1);
            self.heads[slot] = frame.next;
            self.waiting -= (frame.end - frame.turn) as usize;
            self.pool.truncate(frame.first as usize);
        }
        !self.frames.is_empty()
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
        let along = self.frames.iter().skip(1);
        along.map(|frame| self.pool[frame.at as usize].successor.mv.clone()).collect()
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

/// Whether a state is in the chain that begins at a frame.
#[inline(never)]
fn contains<P: Problem>(
    frames: &[Frame<P::Cost>],
    pool: &[Pending<P>],
    start: &P::State,
    mut at: u32,
    (state, hash): (&P::State, u32),
) -> bool {
    while at != END {
        let frame = &frames[at as usize];
        let known = if at == 0 { start } else { &pool[frame.at as usize].successor.state };
        if frame.hash == hash && known == state {
            return true;
        }
        at = frame.next;
    }
    false
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

//! The current path of a tree search: an explicit stack in place of recursion, and the check
//! for cycles.
//!
//! Successors wait in one shared pool: those of a state lie above those of the states before
//! it, in reverse, so that the next one in move order is popped, by move and without a copy.
//! The states of the path are chained by hash, so a cycle is seen in constant time at any
//! depth.

use super::cost::Cost;
use super::meter::{Halt, Meter};
use super::problem::{Problem, SuccessorOf};
use super::report::Overestimate;
use super::store::hash_of;

/// The end of a chain.
const END: u32 = u32::MAX;

/// A state on the path.
struct Frame<P: Problem> {
    state: P::State,
    /// The move that led here; `None` for the start.
    mv: Option<P::Move>,
    /// The cost from the start.
    g: P::Cost,
    /// The estimate, or zero in a blind search.
    h: P::Cost,
    hash: u32,
    /// The next frame further up with its hash in the same slot.
    next: u32,
    /// Where the successors begin in the pool.
    pool_start: usize,
}

/// A path from the start, and what remains to be tried along it.
pub(super) struct Path<P: Problem> {
    frames: Vec<Frame<P>>,
    pool: Vec<SuccessorOf<P>>,
    /// The deepest frame of each slot; a power of two long, at most half full.
    heads: Vec<u32>,
    /// Bytes that a state by value takes on the heap.
    heap_bytes: usize,
}

/// A successor that is not on the path, with what `push` needs to know of it.
pub(super) struct Candidate<P: Problem> {
    pub state: P::State,
    /// The cost from the start.
    pub g: P::Cost,
    mv: P::Move,
    hash: u32,
}

impl<P: Problem> Path<P> {
    pub fn new(problem: &P) -> Self {
        Self {
            frames: Vec::new(),
            pool: Vec::new(),
            heads: vec![END; 64],
            heap_bytes: problem.state_heap_bytes(),
        }
    }

    /// Makes the path consist of the start alone.
    pub fn restart(&mut self, start: &P::State, h: P::Cost) {
        self.pool.clear();
        self.frames.clear();
        self.heads.fill(END);
        let (state, hash) = (start.clone(), hash_of(start));
        self.push_frame(state, None, P::Cost::ZERO, h, hash);
    }

    /// Moves from the start to the last state.
    #[inline]
    pub fn depth(&self) -> u32 {
        (self.frames.len() - 1) as u32
    }

    /// The last state.
    pub fn last(&self) -> &P::State {
        &self.frames[self.frames.len() - 1].state
    }

    /// The cost of the whole path.
    pub fn cost(&self) -> P::Cost {
        self.frames[self.frames.len() - 1].g
    }

    fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame<P>>()
            + self.pool.capacity() * size_of::<SuccessorOf<P>>()
            + self.heads.capacity() * size_of::<u32>()
            + (self.frames.len() + self.pool.len()) * self.heap_bytes
    }

    /// Generates the successors of the last state.
    #[inline]
    pub fn expand(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<(), Halt<P::Error>> {
        let (depth, memory) = (self.depth(), self.bytes());
        let last = self.frames.len() - 1;
        let pool_start = self.pool.len();
        meter.expand(problem, &self.frames[last].state, depth, memory, &mut self.pool)?;
        self.frames[last].pool_start = pool_start;
        self.pool[pool_start..].reverse();
        meter.open(self.pool.len());
        Ok(())
    }

    /// The next successor of the last state that is not on the path.
    #[inline]
    pub fn next(&mut self, meter: &mut Meter<'_, P::Cost>) -> Option<Candidate<P>> {
        let last = &self.frames[self.frames.len() - 1];
        while self.pool.len() > last.pool_start {
            let successor = self.pool.pop()?;
            let hash = hash_of(&successor.state);
            if self.contains(&successor.state, hash) {
                meter.stats.generated += u64::from(!self.is_previous(&successor.state));
                continue;
            }
            meter.stats.generated += 1;
            return Some(Candidate {
                g: last.g.plus(successor.cost),
                state: successor.state,
                mv: successor.mv,
                hash,
            });
        }
        None
    }

    /// Whether this is the state before the last.
    fn is_previous(&self, state: &P::State) -> bool {
        self.frames.iter().rev().nth(1).is_some_and(|frame| frame.state == *state)
    }

    #[inline]
    fn contains(&self, state: &P::State, hash: u32) -> bool {
        let mut at = self.heads[hash as usize & (self.heads.len() - 1)];
        while at != END {
            let frame = &self.frames[at as usize];
            if frame.hash == hash && frame.state == *state {
                return true;
            }
            at = frame.next;
        }
        false
    }

    /// Extends the path by a successor of its last state.
    #[inline]
    pub fn push(&mut self, candidate: Candidate<P>, h: P::Cost) {
        if self.frames.len() * 2 >= self.heads.len() {
            self.grow();
        }
        let Candidate { state, g, mv, hash, .. } = candidate;
        self.push_frame(state, Some(mv), g, h, hash);
    }

    fn push_frame(
        &mut self,
        state: P::State,
        mv: Option<P::Move>,
        g: P::Cost,
        h: P::Cost,
        hash: u32,
    ) {
        let slot = hash as usize & (self.heads.len() - 1);
        let next = std::mem::replace(&mut self.heads[slot], self.frames.len() as u32);
        let pool_start = self.pool.len();
        self.frames.push(Frame { state, mv, g, h, hash, next, pool_start });
    }

    /// Goes back one move; false if the last state was the start.
    #[inline]
    pub fn pop(&mut self) -> bool {
        if let Some(frame) = self.frames.pop() {
            let slot = frame.hash as usize & (self.heads.len() - 1);
            self.heads[slot] = frame.next;
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
        self.frames.iter().filter_map(|frame| frame.mv.clone()).collect()
    }

    /// The states along the path.
    pub fn states(&self) -> Vec<P::State> {
        self.frames.iter().map(|frame| frame.state.clone()).collect()
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

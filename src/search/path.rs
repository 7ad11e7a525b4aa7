//! The current path of a tree search: an explicit stack in place of recursion, and the check
//! for cycles.
//!
//! A state's successors are looked at when it is expanded. Those that the search may go on to
//! lie on one stack, the first on top, above those of the states before it; the states of the
//! path are among them and never copied. They are chained by hash, so a cycle is seen in constant
//! time at any depth.

use super::commutative::CommutativePruning;
use super::cost::Cost;
use super::meter::{Halt, Meter};
use super::report::{Overestimate, StopReason};
use super::space::{Batch, Failure, Head, MoveId, Row, Space, Successors};
use super::store::hash_of;

/// The end of a chain.
const END: u32 = u32::MAX;
/// Slots of chains to begin with.
const SLOTS: usize = 1 << 10;

/// A state on the path.
struct Frame {
    /// Its place on the stack; its successors lie above.
    at: u32,
    /// The next frame further up with its hash in the same slot.
    next: u32,
    /// Successors that do not go straight back.
    generated: u32,
}

/// A state that the path leads to, or may be extended by.
struct Pending<R: Row, C: Cost> {
    state: R,
    /// The cost from the start.
    g: C,
    /// The estimate, or zero in a blind search.
    h: C,
    /// The move that leads to it; none for the start.
    mv: Option<MoveId>,
    hash: u32,
    /// How many successors of the state before it there are up to this one.
    rank: u32,
}

/// A path from the start, and what remains to be tried along it.
pub(super) struct Path<R: Row, C: Cost> {
    /// The number of the state that the search began with; those before it led there.
    root: usize,
    frames: Vec<Frame>,
    /// The start, then successors.
    stack: Vec<Pending<R, C>>,
    /// All successors of one state.
    scratch: Successors<R, C>,
    /// The deepest frame of each slot; a power of two long, at most a quarter full.
    heads: Vec<u32>,
    /// States that other orders of moves have led to.
    commutative: CommutativePruning<R, C>,
    /// Bytes that a state by value takes on the heap.
    heap_bytes: usize,
}

/// Decides which successors a search may go on to.
pub(super) trait SuccessorFilter<C: Cost> {
    /// It needs estimates.
    const INFORMED: bool;
    /// The plan that is looked for is a cheapest one, or one of fewest moves.
    const SHORTEST: bool;

    /// Whether the search may go on to a state of cost `g` with this estimate.
    fn accepts(&mut self, g: C, h: C) -> bool;
}

/// Accepts all successors, in a blind search.
pub(super) struct AcceptAll<const SHORTEST: bool>;

impl<const SHORTEST: bool, C: Cost> SuccessorFilter<C> for AcceptAll<SHORTEST> {
    const INFORMED: bool = false;
    const SHORTEST: bool = SHORTEST;

    #[inline(always)]
    fn accepts(&mut self, _: C, _: C) -> bool {
        true
    }
}

impl<R: Row, C: Cost> Path<R, C> {
    /// A path that consists of the start alone.
    pub fn new(start: &R) -> Self {
        let first = Pending {
            state: start.clone(),
            g: C::ZERO,
            h: C::ZERO,
            mv: None,
            hash: hash_of(start),
            rank: 0,
        };
        let mut path = Self {
            root: 0,
            frames: Vec::new(),
            stack: vec![first],
            scratch: Successors::default(),
            heads: vec![END; SLOTS],
            commutative: CommutativePruning::new(),
            heap_bytes: start.heap_bytes(),
        };
        path.restart(C::ZERO);
        path
    }

    /// A path along these states, each with its cost and its estimate, to go on from the last; `prunes`: moves that
    /// commute are looked for.
    pub fn along_states(states: &[(R, C, C)], prunes: bool) -> Self {
        let mut path = Path::new(&states[0].0);
        path.stack[0].h = states[0].2;
        for (state, g, h) in &states[1..] {
            let (state, hash) = (state.clone(), hash_of(state));
            path.stack.push(Pending { state, g: *g, h: *h, mv: None, hash, rank: 1 });
            path.enter();
        }
        // What was met beside them is not known.
        path.commutative.begin_at(states.len() - 1, prunes);
        path.root = states.len() - 1;
        path
    }

    /// Whether moves that commute are looked for.
    pub fn prunes(&self) -> bool {
        self.commutative.is_on()
    }

    /// Makes the path consist of the start alone, with this estimate.
    pub fn restart(&mut self, h: C) {
        self.stack.truncate(1);
        self.stack[0].h = h;
        self.frames.clear();
        self.heads.fill(END);
        self.enter();
    }

    /// Moves from the start to the last state.
    #[inline]
    pub fn depth(&self) -> u32 {
        (self.frames.len() - 1) as u32
    }

    /// The last state.
    #[inline]
    pub fn last(&self) -> &R {
        &self.end().state
    }

    #[inline]
    fn end(&self) -> &Pending<R, C> {
        self.at(&self.frames[self.frames.len() - 1])
    }

    #[inline]
    fn at(&self, frame: &Frame) -> &Pending<R, C> {
        &self.stack[frame.at as usize]
    }

    /// The states of the path, with what is known of them.
    fn along(&self) -> impl Iterator<Item = &Pending<R, C>> {
        self.frames.iter().map(|frame| self.at(frame))
    }

    /// The cost of the whole path.
    pub fn cost(&self) -> C {
        self.end().g
    }

    /// The cost of the whole path and the estimate of what is left.
    pub fn estimate(&self) -> C {
        self.end().g.plus(self.end().h)
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>()
            + self.stack.capacity() * size_of::<Pending<R, C>>()
            + self.scratch.bytes()
            + self.heads.capacity() * size_of::<u32>()
            + self.commutative.bytes()
            + (self.stack.len() + self.commutative.states()) * self.heap_bytes
    }

    /// Generates the successors of the last state. The path may be extended by those that are
    /// not on it and that `filter` accepts. All of them are counted; see [`Path::settle`].
    #[inline(always)]
    pub fn expand<J: SuccessorFilter<C>>(
        &mut self,
        space: &mut dyn Space<R, C>,
        meter: &mut Meter<'_, C>,
        filter: &mut J,
    ) -> Result<(), Halt> {
        meter.admit(self.depth(), self.bytes())?;
        let last = self.frames.len() - 1;
        let Path { frames, stack, scratch, heads, commutative, .. } = self;
        let first = stack.len();
        let Pending { state: from, g: from_g, h: from_h, hash, .. } =
            &stack[frames[last].at as usize];
        let looks = commutative.expand(last);
        if looks {
            commutative.enter(last, (from, *hash), *from_g);
        }
        // PERF: states of tree searches are short, and these are read repeatedly.
        let (from, from_g, from_h) = (from.clone(), *from_g, *from_h);
        scratch.clear();
        let batch = Batch {
            rows: std::slice::from_ref(&from),
            estimates: if J::INFORMED { std::slice::from_ref(&from_h) } else { &[] },
            before: match last.checked_sub(1) {
                Some(before) => std::slice::from_ref(&stack[frames[before].at as usize].state),
                None => &[],
            },
        };
        meter.expand(space, batch, scratch)?;
        if stack.len() + scratch.len() >= END as usize {
            return Err(Halt::Stop(StopReason::Memory));
        }
        let generated = scratch.len() as u32;
        let found = scratch.heads.iter().zip(scratch.rows.drain(..));
        for (rank, (head, state)) in (1..).zip(found) {
            let hash = hash_of(&state);
            let slot = heads[hash as usize & (heads.len() - 1)];
            if slot != END && contains(frames, stack, slot, (&state, hash)) {
                continue;
            }
            let g = from_g.plus(head.cost);
            let comes = || J::SHORTEST && comes_cheaper(frames, stack, (&state, hash), g);
            if looks && commutative.is_duplicate(last, (&state, hash), g, comes) {
                continue;
            }
            let h = match head.estimate {
                _ if !J::INFORMED => C::ZERO,
                Some(h) => {
                    meter.stats.evaluated += 1;
                    h
                }
                None => match meter.estimate(space, &state, Some((&from, from_h)))? {
                    Some(h) => h,
                    None => continue,
                },
            };
            if filter.accepts(g, h) {
                stack.push(Pending { state, g, h, mv: Some(head.mv), hash, rank });
            }
        }
        meter.stats.generated += u64::from(generated);
        frames[last].generated = generated;
        if stack.len() > first + 1 {
            stack[first..].reverse();
        }
        meter.open(stack.len() - frames.len());
        Ok(())
    }

    /// Extends the path by the next successor of its last state whose f is wanted; false if
    /// there is none.
    #[inline(always)]
    pub fn advance(&mut self, accepts: impl Fn(C) -> bool) -> bool {
        let last = self.frames[self.frames.len() - 1].at as usize;
        while self.stack.len() > last + 1 {
            let next = &self.stack[self.stack.len() - 1];
            if accepts(next.g.plus(next.h)) {
                self.enter();
                return true;
            }
            self.stack.pop();
        }
        false
    }

    /// Extends the path by what lies on top of the stack.
    #[inline]
    fn enter(&mut self) {
        if self.frames.len() * 4 >= self.heads.len() {
            self.grow();
        }
        let at = self.stack.len() - 1;
        let slot = self.stack[at].hash as usize & (self.heads.len() - 1);
        let next = std::mem::replace(&mut self.heads[slot], self.frames.len() as u32);
        self.frames.push(Frame { at: at as u32, next, generated: 0 });
    }

    /// Goes back one move; false if the last state is where the search began.
    #[inline(always)]
    pub fn pop(&mut self) -> bool {
        let last = self.frames.len() - 1;
        if last == self.root {
            return false;
        }
        let Frame { at, next, .. } = self.frames[last];
        let slot = self.stack[at as usize].hash as usize & (self.heads.len() - 1);
        self.heads[slot] = next;
        self.stack.truncate(at as usize);
        self.frames.truncate(last);
        true
    }

    /// At the end of a search: successors whose turn did not come are not counted as generated.
    pub fn settle(&mut self, meter: &mut Meter<'_, C>) {
        for pair in self.frames[self.root..].windows(2) {
            meter.stats.generated -= u64::from(pair[0].generated - self.at(&pair[1]).rank);
        }
    }

    /// Doubles the table of chains.
    #[cold]
    fn grow(&mut self) {
        let mask = self.heads.len() * 2 - 1;
        let mut heads = vec![END; mask + 1];
        for (number, frame) in self.frames.iter_mut().enumerate() {
            let slot = self.stack[frame.at as usize].hash as usize & mask;
            frame.next = std::mem::replace(&mut heads[slot], number as u32);
        }
        self.heads = heads;
    }

    /// The costs of the path up to each of its states.
    pub fn costs(&self) -> Vec<C> {
        self.along().map(|pending| pending.g).collect()
    }

    /// The moves along the path.
    pub fn moves(&self) -> Vec<MoveId> {
        self.along().filter_map(|pending| pending.mv).collect()
    }

    /// The states along the path.
    pub fn states(&self) -> Vec<R> {
        self.along().map(|pending| pending.state.clone()).collect()
    }

    /// Where on the path, whose last state is a goal, the heuristic is too high.
    pub fn overestimate(&self) -> Option<Overestimate<C>> {
        overestimate(self.along().map(|pending| (pending.g, pending.h)), self.cost())
    }
}

/// The cheapest move of each step along a path, the first of several; none where no move leads to the next state.
///
/// # Errors
/// The successors of a state can't be told.
pub fn cheapest_steps<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    states: &[R],
) -> Result<Vec<Option<Head<C>>>, Failure> {
    let mut out = Successors::default();
    let steps = states.windows(2).map(|step| {
        out.clear();
        space.expand(Batch::of(&step[0]), &mut out)?;
        let there = out.iter().filter(|(_, state)| **state == step[1]);
        Ok(there.map(|(head, _)| *head).min_by_key(|head| head.cost))
    });
    steps.collect()
}

/// Whether a state is, at less cost, one of those that the search will go on to beside the last one.
fn comes_cheaper<R: Row, C: Cost>(
    frames: &[Frame],
    stack: &[Pending<R, C>],
    (state, hash): (&R, u32),
    g: C,
) -> bool {
    let Some(before) = frames.len().checked_sub(2) else { return false };
    let beside = &stack[frames[before].at as usize + 1..frames[before + 1].at as usize];
    beside.iter().any(|other| other.hash == hash && other.g < g && other.state == *state)
}

/// Whether a state is in the chain that begins at a frame.
#[inline(never)]
fn contains<R: Row, C: Cost>(
    frames: &[Frame],
    stack: &[Pending<R, C>],
    mut at: u32,
    (state, hash): (&R, u32),
) -> bool {
    while at != END {
        let frame = &frames[at as usize];
        let known = &stack[frame.at as usize];
        if known.hash == hash && known.state == *state {
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

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
use super::problem::{Problem, SuccessorOf, VisitedSuccessors, Visitor};
use super::report::{Overestimate, StopReason};
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
struct Pending<P: Problem> {
    state: P::State,
    /// The cost from the start.
    g: P::Cost,
    /// The estimate, or zero in a blind search.
    h: P::Cost,
    /// The move that leads to it; none for the start.
    mv: Option<P::Move>,
    hash: u32,
    /// How many successors of the state before it there are up to this one.
    rank: u32,
}

/// A path from the start, and what remains to be tried along it.
pub(super) struct Path<P: Problem> {
    /// The number of the state that the search began with; those before it led there.
    root: usize,
    frames: Vec<Frame>,
    /// The start, then successors.
    stack: Vec<Pending<P>>,
    /// All successors of one state.
    scratch: Vec<SuccessorOf<P>>,
    /// The deepest frame of each slot; a power of two long, at most a quarter full.
    heads: Vec<u32>,
    /// States that other orders of moves have led to.
    commutative: CommutativePruning<P>,
    /// Bytes that a state by value takes on the heap.
    heap_bytes: usize,
}

/// A possible extension of the path: from its last state to one that is not on it.
pub(super) struct Extension<'a, P: Problem> {
    pub from: &'a P::State,
    /// The estimate of `from`.
    pub from_h: P::Cost,
    pub to: &'a P::State,
    pub hint: &'a P::Hint,
    /// The cost of the path to `to`.
    pub g: P::Cost,
}

/// Decides which successors a search may go on to.
pub(super) trait SuccessorFilter<P: Problem> {
    /// It needs estimates.
    const INFORMED: bool;
    /// The plan that is looked for is a cheapest one, or one of fewest moves.
    const SHORTEST: bool;

    /// The estimate of the state that an extension leads to; `None` if it is rejected.
    fn estimate(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        step: Extension<'_, P>,
    ) -> Result<Option<P::Cost>, Halt<P::Error>>;

    /// Whether the search may go on to a state of cost `g` with this estimate.
    fn accepts(&mut self, g: P::Cost, h: P::Cost) -> bool;
}

/// Accepts all successors, in a blind search.
pub(super) struct AcceptAll<const SHORTEST: bool>;

impl<const SHORTEST: bool, P: Problem> SuccessorFilter<P> for AcceptAll<SHORTEST> {
    const INFORMED: bool = false;
    const SHORTEST: bool = SHORTEST;

    #[inline(always)]
    fn estimate(
        &mut self,
        _: &mut P,
        _: &mut Meter<'_, P::Cost>,
        _: Extension<'_, P>,
    ) -> Result<Option<P::Cost>, Halt<P::Error>> {
        Ok(Some(P::Cost::ZERO))
    }

    #[inline(always)]
    fn accepts(&mut self, _: P::Cost, _: P::Cost) -> bool {
        true
    }
}

impl<P: Problem> Path<P> {
    /// A path that consists of the start alone.
    pub fn new(problem: &P, start: &P::State) -> Self {
        let first = Pending {
            state: start.clone(),
            g: P::Cost::ZERO,
            h: P::Cost::ZERO,
            mv: None,
            hash: hash_of(start),
            rank: 0,
        };
        let mut path = Self {
            root: 0,
            frames: Vec::new(),
            stack: vec![first],
            scratch: Vec::new(),
            heads: vec![END; SLOTS],
            commutative: CommutativePruning::new(),
            heap_bytes: problem.state_heap_bytes(),
        };
        path.restart(P::Cost::ZERO);
        path
    }

    /// A path along these states, each with its cost and its estimate, to go on from the last; `prunes`: moves that
    /// commute are looked for.
    pub fn along_states(
        problem: &P,
        states: &[(P::State, P::Cost, P::Cost)],
        prunes: bool,
    ) -> Self {
        let mut path = Path::new(problem, &states[0].0);
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
    pub fn restart(&mut self, h: P::Cost) {
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
    pub fn last(&self) -> &P::State {
        &self.end().state
    }

    #[inline]
    fn end(&self) -> &Pending<P> {
        self.at(&self.frames[self.frames.len() - 1])
    }

    #[inline]
    fn at(&self, frame: &Frame) -> &Pending<P> {
        &self.stack[frame.at as usize]
    }

    /// The states of the path, with what is known of them.
    fn along(&self) -> impl Iterator<Item = &Pending<P>> {
        self.frames.iter().map(|frame| self.at(frame))
    }

    /// The cost of the whole path.
    pub fn cost(&self) -> P::Cost {
        self.end().g
    }

    /// The cost of the whole path and the estimate of what is left.
    pub fn estimate(&self) -> P::Cost {
        self.end().g.plus(self.end().h)
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>()
            + self.stack.capacity() * size_of::<Pending<P>>()
            + self.scratch.capacity() * size_of::<SuccessorOf<P>>()
            + self.heads.capacity() * size_of::<u32>()
            + self.commutative.bytes()
            + (self.stack.len() + self.commutative.states()) * self.heap_bytes
    }

    /// Generates the successors of the last state. The path may be extended by those that are
    /// not on it and that `filter` accepts. All of them are counted; see [`Path::settle`].
    #[inline(always)]
    pub fn expand<J: SuccessorFilter<P>>(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        filter: &mut J,
    ) -> Result<(), Halt<P::Error>> {
        meter.admit(self.depth(), self.bytes())?;
        let first = self.stack.len();
        let looks = self.commutative.expand(self.frames.len() - 1);
        if looks {
            let Pending { state, hash, g, .. } =
                &self.stack[self.frames[self.frames.len() - 1].at as usize];
            self.commutative.enter(self.frames.len() - 1, (state, *hash), *g);
        }
        let (mut generated, mut known) = (0, VisitedSuccessors::First(0));
        if J::INFORMED {
            known = self.expand_known(problem, meter, filter, (&mut generated, looks))?;
        }
        match known {
            VisitedSuccessors::All => meter.stats.expanded += 1,
            VisitedSuccessors::First(count) => {
                let first = (generated, count);
                generated = self.expand_others(problem, meter, filter, first, looks)?;
            }
        }
        meter.stats.generated += u64::from(generated);
        let last = self.frames.len() - 1;
        self.frames[last].generated = generated;
        if self.stack.len() > first + 1 {
            self.stack[first..].reverse();
        }
        meter.open(self.stack.len() - self.frames.len());
        Ok(())
    }

    /// The successors whose estimates the problem knows at once: which these are. Those that do
    /// not go straight back are counted.
    // PERF: the way of nearly all expansions of a long search: what is not wanted is not even
    // put down.
    #[inline(always)]
    fn expand_known<J: SuccessorFilter<P>>(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        filter: &mut J,
        (generated, looks): (&mut u32, bool),
    ) -> Result<VisitedSuccessors, Halt<P::Error>> {
        let Path { frames, stack, heads, commutative, .. } = self;
        let ((from, g, h), before) = ends(frames, stack);
        let commutative = looks.then_some(commutative);
        let (count, evaluated) = (0, 0);
        let mut collector = SuccessorCollector {
            frames,
            stack,
            heads,
            commutative,
            before,
            g,
            filter,
            count,
            evaluated,
        };
        let known = problem.visit_successors(&from, h, &mut collector);
        *generated = collector.count;
        meter.stats.evaluated += u64::from(collector.evaluated);
        if stack.len() >= END as usize {
            return Err(Halt::Stop(StopReason::Memory));
        }
        Ok(known)
    }

    /// The other successors, where so many were counted among the `known` first ones: how many
    /// there are.
    #[inline(never)]
    fn expand_others<J: SuccessorFilter<P>>(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        filter: &mut J,
        (mut generated, known): (u32, usize),
        looks: bool,
    ) -> Result<u32, Halt<P::Error>> {
        let Path { frames, stack, scratch, heads, commutative, .. } = self;
        let (from, before) = ends(frames, stack);
        scratch.clear();
        meter.generate(problem, &from.0, scratch)?;
        if stack.len() + scratch.len() >= END as usize {
            return Err(Halt::Stop(StopReason::Memory));
        }
        for successor in scratch.drain(..).skip(known) {
            if before.as_ref().is_some_and(|before| *before == successor.state) {
                continue;
            }
            generated += 1;
            let hash = hash_of(&successor.state);
            let head = heads[hash as usize & (heads.len() - 1)];
            if head != END && contains(frames, stack, head, (&successor.state, hash)) {
                continue;
            }
            let (to, hint) = (&successor.state, &successor.hint);
            let g = from.1.plus(successor.cost);
            let comes = || J::SHORTEST && comes_cheaper(frames, stack, (to, hash), g);
            if looks && commutative.is_duplicate(frames.len() - 1, (to, hash), g, comes) {
                continue;
            }
            let step = Extension { from: &from.0, from_h: from.2, to, hint, g };
            if let Some(h) = filter.estimate(problem, meter, step)? {
                let (state, mv) = (successor.state, Some(successor.mv));
                stack.push(Pending { state, g, h, mv, hash, rank: generated });
            }
        }
        Ok(generated)
    }

    /// Extends the path by the next successor of its last state whose f is wanted; false if
    /// there is none.
    #[inline(always)]
    pub fn advance(&mut self, accepts: impl Fn(P::Cost) -> bool) -> bool {
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
    pub fn settle(&mut self, meter: &mut Meter<'_, P::Cost>) {
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
    pub fn costs(&self) -> Vec<P::Cost> {
        self.along().map(|pending| pending.g).collect()
    }

    /// The moves along the path.
    pub fn moves(&self) -> Vec<P::Move> {
        self.along().filter_map(|pending| pending.mv.clone()).collect()
    }

    /// The states along the path.
    pub fn states(&self) -> Vec<P::State> {
        self.along().map(|pending| pending.state.clone()).collect()
    }

    /// Where on the path, whose last state is a goal, the heuristic is too high.
    pub fn overestimate(&self) -> Option<Overestimate<P::Cost>> {
        overestimate(self.along().map(|pending| (pending.g, pending.h)), self.cost())
    }
}

/// The cheapest move of each step along a path, the first of several; none where no move leads to the next state.
///
/// # Errors
/// The successors of a state can't be told.
pub fn cheapest_steps<P: Problem>(
    problem: &mut P,
    states: &[P::State],
) -> Result<Vec<Option<SuccessorOf<P>>>, P::Error> {
    let mut out = Vec::new();
    let steps = states.windows(2).map(|step| {
        out.clear();
        problem.meet(&step[0]);
        problem.successors(&step[0], &mut out)?;
        let there = out.drain(..).filter(|found| found.state == step[1]);
        Ok(there.min_by_key(|found| found.cost))
    });
    steps.collect()
}

/// Collects successors whose estimates are known.
struct SuccessorCollector<'a, P: Problem, J> {
    frames: &'a [Frame],
    stack: &'a mut Vec<Pending<P>>,
    heads: &'a [u32],
    /// States that other orders of moves lead to, if they are looked for.
    commutative: Option<&'a mut CommutativePruning<P>>,
    /// The state before the last one.
    before: Option<P::State>,
    /// The cost of the path.
    g: P::Cost,
    filter: &'a mut J,
    /// Successors that do not go straight back.
    count: u32,
    evaluated: u32,
}

impl<P: Problem, J: SuccessorFilter<P>> Visitor<P> for SuccessorCollector<'_, P, J> {
    #[inline(always)]
    fn visit(&mut self, mv: P::Move, cost: P::Cost, state: P::State, h: P::Cost) -> bool {
        // PERF: going straight back is told sooner than other cycles.
        if let Some(before) = &self.before
            && *before == state
        {
            return false;
        }
        self.count += 1;
        let hash = hash_of(&state);
        let head = self.heads[hash as usize & (self.heads.len() - 1)];
        if head != END && contains(self.frames, self.stack, head, (&state, hash)) {
            return false;
        }
        let g = self.g.plus(cost);
        let (frames, stack) = (self.frames, &*self.stack);
        let comes = || J::SHORTEST && comes_cheaper(frames, stack, (&state, hash), g);
        if let Some(commutative) = &mut self.commutative
            && commutative.is_duplicate(frames.len() - 1, (&state, hash), g, comes)
        {
            return false;
        }
        self.evaluated += 1;
        if self.filter.accepts(g, h) {
            self.stack.push(Pending { state, g, h, mv: Some(mv), hash, rank: self.count });
        }
        true
    }
}

/// A state with its cost and its estimate.
type End<P> = (<P as Problem>::State, <P as Problem>::Cost, <P as Problem>::Cost);

/// The last state of a path with its cost and its estimate, and the state before it.
#[inline(always)]
fn ends<P: Problem>(frames: &[Frame], stack: &[Pending<P>]) -> (End<P>, Option<P::State>) {
    // PERF: states of tree searches are short, and these two are asked for again and again.
    let last = frames.len() - 1;
    let from = &stack[frames[last].at as usize];
    let before = last.checked_sub(1).map(|before| stack[frames[before].at as usize].state.clone());
    ((from.state.clone(), from.g, from.h), before)
}

/// Whether a state is, at less cost, one of those that the search will go on to beside the last one.
fn comes_cheaper<P: Problem>(
    frames: &[Frame],
    stack: &[Pending<P>],
    (state, hash): (&P::State, u32),
    g: P::Cost,
) -> bool {
    let Some(before) = frames.len().checked_sub(2) else { return false };
    let beside = &stack[frames[before].at as usize + 1..frames[before + 1].at as usize];
    beside.iter().any(|other| other.hash == hash && other.g < g && other.state == *state)
}

/// Whether a state is in the chain that begins at a frame.
#[inline(never)]
fn contains<P: Problem>(
    frames: &[Frame],
    stack: &[Pending<P>],
    mut at: u32,
    (state, hash): (&P::State, u32),
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

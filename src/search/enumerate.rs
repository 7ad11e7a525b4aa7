//! `enumerate`: the whole reachable space, layer by layer.
//!
//! Breadth-first search without a goal. It keeps the states and nothing else: the states of a
//! layer are numbered one after another, so no node records, parents or open list are needed.
//! Where a space turns out to be large, and the problem has [numbers](Problem::numbered) for its states, it
//! begins again with bits in their place.
//! The number of states at each depth is a well-known check of a puzzle's rules.
//!
//! ```
//! use zug_search::{Digraph, Limits, enumerate};
//!
//! let mut graph = Digraph::new(&[(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 1), (3, 0, 1)], &[]);
//! let space = enumerate(&mut graph, &0, &Limits::none(), None)?;
//! assert_eq!(space.by_depth, [1, 2, 1]);
//! assert_eq!((space.total(), space.deepest, space.stopped), (4, vec![3], None));
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::limits::{Limits, Observer};
use super::meter::{Halt, Meter};
use super::numbered::NumberedWalk;
use super::problem::{Problem, StateId, StateStore};
use super::report::{Operation, SearchError, Stats, StopReason};

/// How many of the deepest states are handed out.
const DEEPEST_KEPT: usize = 100;
/// States before the problem is asked for numbers of them.
const FIRST_ASKED: usize = 1 << 14;
/// Bytes that numbered states may take for each byte that is held already: a walk over them takes little time
/// for each.
const NUMBERED_SHARE: usize = 64;

/// What lies around a start.
#[derive(Clone, Debug)]
pub struct Space<S> {
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

impl<S> Space<S> {
    /// The number of states.
    pub fn total(&self) -> u64 {
        self.by_depth.iter().sum()
    }
}

/// Visits every state that can be reached from `start`, within the limits.
///
/// # Errors
///
/// The failure of an operation of the problem. Only successors are asked for.
pub fn enumerate<P: Problem>(
    problem: &mut P,
    start: &P::State,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<Space<P::State>, SearchError<P::Error>> {
    let mut meter = Meter::new(limits, observer);
    let mut store = problem.new_store();
    store.intern(start);
    let mut layers = Layers { starts: vec![0], terminal: 0, ask_at: FIRST_ASKED, in_bits: None };
    let ended = layers.visit(problem, start, &mut store, &mut meter);
    meter.hold(store.bytes());
    meter.finish();
    let stopped = match ended {
        Ok(stopped) => stopped,
        Err(Halt::Stop(reason)) => Some(reason),
        Err(Halt::Fail((operation, error))) => {
            return Err(SearchError { error, operation, stats: Box::new(meter.stats) });
        }
    };
    if let Some(space) = layers.in_bits {
        return Ok(Space { stats: meter.stats, ..space });
    }
    let by_depth = layers.by_depth(store.len());
    meter.stats.max_depth = by_depth.len().saturating_sub(1) as u32;
    let deepest_start = store.len() - by_depth.last().map_or(0, |&n| n as usize);
    let deepest = (deepest_start..store.len()).take(DEEPEST_KEPT);
    Ok(Space {
        deepest: deepest.map(|id| store.state(id as StateId)).collect(),
        by_depth,
        terminal: layers.terminal,
        stopped,
        numbered: None,
        on_disk: None,
        stats: meter.stats,
    })
}

/// The layers found so far.
struct Layers<S> {
    /// The number of the first state of each layer.
    starts: Vec<usize>,
    terminal: u64,
    /// So many states are stored when the problem is asked for numbers.
    ask_at: usize,
    /// The space, if it was found in bits.
    in_bits: Option<Space<S>>,
}

impl<S> Layers<S> {
    /// The number of states at each depth, of so many.
    fn by_depth(&self, states: usize) -> Vec<u64> {
        let ends = self.starts.iter().skip(1).copied().chain([states]);
        let of = self.starts.iter().zip(ends).map(|(start, end)| (end - start) as u64);
        of.filter(|&n| n > 0).collect()
    }

    fn visit<P: Problem<State = S>>(
        &mut self,
        problem: &mut P,
        start: &S,
        store: &mut P::Store,
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<Option<StopReason>, Halt<P::Error>> {
        let mut out = Vec::new();
        let mut next = 0;
        meter.stats.iterations = 1;
        loop {
            let layer_end = store.len();
            let depth = (self.starts.len() - 1) as u32;
            if next == layer_end {
                return Ok(None);
            }
            if depth >= meter.depth_limit {
                return Ok(Some(StopReason::Depth));
            }
            self.starts.push(layer_end);
            if layer_end >= self.ask_at && self.walk(problem, start, store, meter)? {
                return Ok(None);
            }
            while next < layer_end {
                let state = store.state(next as StateId);
                let held = (store.len(), store.bytes());
                meter.expand_stored(problem, &state, depth, held, &mut out)?;
                self.terminal += u64::from(out.is_empty());
                store.prepare(out.iter().map(|successor| &successor.state));
                for successor in out.drain(..) {
                    store.intern(&successor.state);
                }
                next += 1;
                meter.open(store.len() - next);
            }
        }
    }

    /// Finds the space in bits, if states have numbers and that pays, when a layer begins: whether it did.
    fn walk<P: Problem<State = S>>(
        &mut self,
        problem: &mut P,
        start: &S,
        store: &P::Store,
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<bool, Halt<P::Error>> {
        meter.hold(store.bytes());
        self.ask_at = 2 * store.len();
        let numbered = problem.numbered(start, store.len());
        let numbered = numbered.map_err(|error| Halt::Fail((Operation::Successors, error)))?;
        let Some(mut numbered) = numbered.filter(|numbered| meter.admits(numbered.states())) else {
            return Ok(false);
        };
        let bytes = numbered.bytes();
        if bytes > meter.free() || bytes / NUMBERED_SHARE > store.bytes() {
            return Ok(false);
        }
        meter.hold(store.bytes() + bytes);
        let before = meter.stats;
        let mut stopped = None;
        let walk = numbered.walk(meter.depth_limit, &mut |walked| {
            stopped = meter.walked(walked).err();
            stopped.is_none()
        });
        let known = &self.by_depth(store.len())[..self.starts.len() - 1];
        let fits = |walk: &NumberedWalk<S>| {
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
            && walk.by_depth.iter().sum::<u64>() < store.len() as u64
        {
            // More was known before.
            meter.stats = before;
            return Err(Halt::Stop(reason));
        }
        meter.stats.max_depth = walk.by_depth.len().saturating_sub(1) as u32;
        meter.open(walk.by_depth.iter().copied().max().unwrap_or(0) as usize);
        (meter.stats.expanded, meter.stats.generated) =
            (walk.walked.expanded, walk.walked.generated);
        self.in_bits = Some(Space {
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

//! `enumerate`: the whole reachable space, layer by layer.
//!
//! Breadth-first search without a goal. It keeps the states and nothing else: the states of a
//! layer are numbered one after another, so no node records, parents or open list are needed.
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
use super::problem::{Problem, StateId, StateStore};
use super::report::{SearchError, Stats, StopReason};

/// How many of the deepest states are handed out.
const DEEPEST_KEPT: usize = 100;

/// What lies around a start.
#[derive(Clone, Debug)]
pub struct Space<S> {
    /// The number of states at each depth: the fewest moves from the start to them. The last
    /// layer is incomplete if the enumeration stopped for another reason than
    /// [`StopReason::Depth`].
    pub by_depth: Vec<u64>,
    /// The deepest states, in the order in which they were found; the first hundred.
    pub deepest: Vec<S>,
    /// States without a successor.
    pub terminal: u64,
    /// Why the enumeration ended early, if it did.
    pub stopped: Option<StopReason>,
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
    let mut layers = Layers { starts: vec![0], terminal: 0 };
    let ended = layers.visit(problem, &mut store, &mut meter);
    meter.hold(store.bytes());
    meter.finish();
    let stopped = match ended {
        Ok(stopped) => stopped,
        Err(Halt::Stop(reason)) => Some(reason),
        Err(Halt::Fail((operation, error))) => {
            return Err(SearchError { error, operation, stats: Box::new(meter.stats) });
        }
    };
    let ends = layers.starts.iter().skip(1).copied().chain([store.len()]);
    let by_depth: Vec<u64> = layers
        .starts
        .iter()
        .zip(ends)
        .map(|(start, end)| (end - start) as u64)
        .filter(|&n| n > 0)
        .collect();
    meter.stats.max_depth = by_depth.len().saturating_sub(1) as u32;
    let deepest_start = store.len() - by_depth.last().map_or(0, |&n| n as usize);
    let deepest = (deepest_start..store.len()).take(DEEPEST_KEPT);
    Ok(Space {
        deepest: deepest.map(|id| store.state(id as StateId)).collect(),
        by_depth,
        terminal: layers.terminal,
        stopped,
        stats: meter.stats,
    })
}

/// The layers found so far.
struct Layers {
    /// The number of the first state of each layer.
    starts: Vec<usize>,
    terminal: u64,
}

impl Layers {
    fn visit<P: Problem>(
        &mut self,
        problem: &mut P,
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
}

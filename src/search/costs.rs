//! What it costs to get from every state to a goal: [`costs_to_go`].
//!
//! The space that can be reached from a start is written out, then worked through backwards from
//! its goals (E. W. Dijkstra, 1959). With these costs no search is needed from any of its states,
//! and one that comes by such a state from elsewhere knows how it ends: a *perimeter* (J. F.
//! Dillenburg & P. C. Nelson, *Perimeter search*, Artificial Intelligence 65, 1994), here of all
//! the space.
//!
//! ```
//! use zug_search::{Digraph, Limits, costs_to_go};
//!
//! // 0 -> 1 -> 3 costs 2 + 2, 0 -> 2 leads nowhere.
//! let mut space = Digraph::new(&[(0, 1, 2), (0, 2, 1), (1, 3, 2)], &[3]);
//! let costs = costs_to_go(&mut space, &0, &Limits::none(), None)?;
//! let known = |node| (0..4).find(|&at| costs.state(at) == node).and_then(|at| costs.cost(at));
//! assert_eq!([known(0), known(1), known(2), known(3)], [Some(4), Some(2), None, Some(0)]);
//! # Ok::<(), zug_search::SearchError>(())
//! ```

use super::cost::Cost;
use super::limits::{Limits, Observer};
use super::meter::{Halt, Meter};
use super::report::{SearchError, Stats, StopReason};
use super::space::{Row, Space, StateId, StateStore};
use super::state_graph::{Distance, Distances, StateGraph};

/// The states that can be reached from a start, each with what it costs to get to a goal.
pub struct CostsToGo<R: Row, C: Cost> {
    graph: StateGraph<R, C>,
    distances: Distances<C>,
    /// Why it ended early, if it did; then no costs are known.
    pub stopped: Option<StopReason>,
    /// The counts.
    pub stats: Stats,
}

impl<R: Row, C: Cost> CostsToGo<R, C> {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.distances.cost.len()
    }

    /// Whether none are known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A state, by a number below [`CostsToGo::len`].
    pub fn state(&self, number: usize) -> R {
        self.graph.store.state(number as StateId)
    }

    /// The cost of a cheapest plan from a state; `None` if no goal can be reached.
    pub fn cost(&self, number: usize) -> Option<C> {
        match self.distances.cost[number] {
            Distance::Plan(cost) => Some(cost),
            _ => None,
        }
    }

    /// The first move of a cheapest plan, by its place in the order of moves; `None` where it
    /// ends.
    pub fn first_move(&self, number: usize) -> Option<usize> {
        let first = self.distances.first[number]?;
        self.graph.moves(number as StateId).position(|(edge, _)| edge == first)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.graph.bytes() + self.len() * size_of::<(Distance<C>, Option<usize>)>()
    }
}

/// Finds the costs of all states that can be reached from a start.
///
/// # Errors
/// The failure of an operation of the space. No estimate is evaluated.
pub fn costs_to_go<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    start: &R,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<CostsToGo<R, C>, SearchError> {
    let mut meter = Meter::new(limits, observer);
    let mut graph = StateGraph::new();
    let mut find = || -> Result<Distances<C>, Halt> {
        graph.add(space, &mut meter, start)?;
        graph.fill(space, &mut meter, usize::MAX)?;
        graph.distances(&mut meter)
    };
    let found = find();
    meter.finish();
    let nothing = || Distances { cost: Vec::new(), first: Vec::new() };
    let (distances, stopped) = match found {
        Ok(distances) => (distances, None),
        Err(Halt::Stop(reason)) => (nothing(), Some(reason)),
        Err(Halt::Fail(failure)) => {
            return Err(meter.failed(failure));
        }
    };
    Ok(CostsToGo { graph, distances, stopped, stats: meter.stats })
}

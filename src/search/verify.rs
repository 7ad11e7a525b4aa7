//! Whether a claim that rests on a heuristic is true: [`check_claim`].
//!
//! An engine that takes a heuristic's word says of its plan that none is cheaper *if* the
//! heuristic is admissible ([`Claim::IfAdmissible`](super::Claim)). A search in order of cost
//! (E. W. Dijkstra, 1959) that asks no estimates and goes as far as that cost settles it: it
//! meets a goal before, and the plan to that goal is a cheapest one; or it meets none, and the
//! claim is a proof. It keeps the moves that it makes, so that it knows of many states what a plan
//! from there costs at most; a heuristic that says more of one of them is caught.
//!
//! How much is looked at is limited by counts: the limits of a check say how many states.
//!
//! ```
//! use zug_search::{ClaimToCheck, Digraph, Limits, ClaimOutcome, check_claim};
//!
//! // A plan of cost 9 is taken for a cheapest one, since 1 is said to be far from the goal.
//! let mut graph = Digraph::new(&[(0, 1, 1), (1, 3, 2), (0, 2, 1), (2, 3, 8)], &[3])
//!     .with_heuristic(&[Some(3), Some(50), Some(8), Some(0)]);
//! let claimed = ClaimToCheck { cost: Some(9), goal: Some(&3) };
//! let checked = check_claim(&mut graph, &0, claimed, true, &Limits::none())?;
//! assert_eq!(checked.truth, ClaimOutcome::Cheaper(3));
//! let lie = checked.inadmissible.expect("what is said of 1");
//! assert_eq!((lie.state, lie.estimate, lie.cost), (1, Some(50), 2));
//! # Ok::<(), zug_search::SearchError>(())
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cost::Cost;
use super::limits::Limits;
use super::meter::{Halt, Meter};
use super::report::{SearchError, StopReason};
use super::space::{Row, Space, StateId, StateStore, Successors};

/// A claim to be checked.
#[derive(Clone, Copy, Debug)]
pub struct ClaimToCheck<'a, S, C> {
    /// No plan costs less than this; `None`: there is no plan at all.
    pub cost: Option<C>,
    /// Where the plan found ends.
    pub goal: Option<&'a S>,
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimOutcome<C> {
    /// As claimed.
    AsClaimed,
    /// There is a plan of this cost, which is less, and none is cheaper.
    Cheaper(C),
    /// Unknown: a limit struck first.
    Open,
}

/// A state at which the heuristic is inadmissible, if one was met, or why the check ended early.
type Refutation<R, C> = Result<Option<InadmissibleState<R, C>>, Halt>;

/// A state at which a heuristic is inadmissible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InadmissibleState<S, C> {
    /// The state.
    pub state: S,
    /// The estimate; `None` is infinite.
    pub estimate: Option<C>,
    /// What a plan from there costs.
    pub cost: C,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct ClaimCheck<S, C> {
    /// The outcome of a check.
    pub truth: ClaimOutcome<C>,
    /// Where the heuristic was caught: on the cheaper plan if there is such a state, else that
    /// nearest to a goal.
    pub inadmissible: Option<InadmissibleState<S, C>>,
    /// States whose moves were looked at.
    pub states: u64,
    /// What ended it early.
    pub stopped: Option<StopReason>,
}

/// A move that was looked at.
struct Edge<C> {
    from: StateId,
    to: StateId,
    cost: C,
}

/// What is known of a state.
struct Node<C> {
    /// The least cost from the start that is known.
    g: C,
    /// Its moves were looked at, or it is a goal that was met.
    closed: bool,
    /// The state before it.
    parent: StateId,
}

struct Check<R: Row, C: Cost> {
    store: R::Store,
    nodes: Vec<Node<C>>,
    edges: Vec<Edge<C>>,
    open: BinaryHeap<Reverse<(C, StateId)>>,
    /// The goal of a cheaper plan.
    met: Option<StateId>,
}

/// Finds out whether a claim is true. `informed`: the heuristic is asked of states afterwards.
///
/// # Errors
/// The failure of an operation of the space before it is known.
pub fn check_claim<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    start: &R,
    claimed: ClaimToCheck<'_, R, C>,
    informed: bool,
    limits: &Limits,
) -> Result<ClaimCheck<R, C>, SearchError> {
    let mut meter = Meter::new(limits, None);
    let mut check = Check::<R, C> {
        store: R::Store::default(),
        nodes: Vec::new(),
        edges: Vec::new(),
        open: BinaryHeap::new(),
        met: None,
    };
    let truth = check.search(space, &mut meter, start, claimed.cost);
    let states = meter.stats.expanded;
    let (truth, stopped) = match truth {
        Ok(truth) => (truth, None),
        Err(Halt::Stop(reason)) => (ClaimOutcome::Open, Some(reason)),
        Err(Halt::Fail(failure)) => {
            meter.finish();
            return Err(meter.failed(failure));
        }
    };
    let mut checked = ClaimCheck { truth, inadmissible: None, states, stopped };
    // What ends this takes nothing back of what is known.
    if informed && checked.stopped.is_none_or(|reason| reason == StopReason::Nodes) {
        checked.inadmissible = check.catch(space, &mut meter, claimed.goal).unwrap_or_default();
    }
    Ok(checked)
}

impl<R: Row, C: Cost> Check<R, C> {
    /// The search in order of cost.
    fn search(
        &mut self,
        space: &mut dyn Space<R, C>,
        meter: &mut Meter<'_, C>,
        start: &R,
        claimed: Option<C>,
    ) -> Result<ClaimOutcome<C>, Halt> {
        let (id, _) = self.store.intern(start);
        self.nodes.push(Node { g: C::ZERO, closed: false, parent: id });
        self.open.push(Reverse((C::ZERO, id)));
        let mut out = Successors::default();
        while let Some(Reverse((g, id))) = self.open.pop() {
            if self.nodes[id as usize].closed {
                continue;
            }
            // Sums of floats depend on the order in which they are made.
            if claimed.is_some_and(|claimed| !claimed.exceeds(g)) {
                return Ok(ClaimOutcome::AsClaimed);
            }
            let state = self.store.state(id);
            if meter.goal(space, &state)? {
                self.met = Some(id);
                return Ok(ClaimOutcome::Cheaper(g));
            }
            self.nodes[id as usize].closed = true;
            let held = (self.store.len(), self.bytes());
            meter.expand_stored(space, &state, 0, held, &mut out)?;
            self.store.prepare(out.rows.iter());
            for (head, state) in out.iter() {
                let (to, new) = self.store.intern(state);
                self.edges.push(Edge { from: id, to, cost: head.cost });
                let g = g.plus(head.cost);
                if new {
                    self.nodes.push(Node { g, closed: false, parent: id });
                } else {
                    let node = &mut self.nodes[to as usize];
                    if node.closed || g >= node.g {
                        continue;
                    }
                    (node.g, node.parent) = (g, id);
                }
                self.open.push(Reverse((g, to)));
            }
        }
        Ok(ClaimOutcome::AsClaimed)
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
            + self.nodes.capacity() * size_of::<Node<C>>()
            + self.edges.capacity() * size_of::<Edge<C>>()
            + self.open.capacity() * size_of::<Reverse<(C, StateId)>>()
    }

    /// Looks for a state of which the heuristic says more than a plan from there costs.
    fn catch(
        &mut self,
        space: &mut dyn Space<R, C>,
        meter: &mut Meter<'_, C>,
        goal: Option<&R>,
    ) -> Refutation<R, C> {
        if let Some(goal) = self.met {
            let all = self.nodes[goal as usize].g;
            let mut along = vec![goal];
            let mut at = goal;
            while at != 0 {
                at = self.nodes[at as usize].parent;
                along.push(at);
            }
            for &id in along.iter().rev() {
                let left = all.minus(self.nodes[id as usize].g);
                if let Some(found) = self.ask(space, meter, id, left)? {
                    return Ok(Some(found));
                }
            }
        }
        let mut goals = Vec::from_iter(self.met);
        if let Some(goal) = goal {
            let stored = self.store.len();
            let (id, new) = self.store.intern(goal);
            if new {
                debug_assert_eq!(stored, id as usize);
                self.nodes.push(Node { g: C::ZERO, closed: true, parent: id });
            }
            goals.push(id);
        }
        self.catch_anywhere(space, meter, &goals)
    }

    /// Goes back from goals along the moves that are known, nearest states first.
    fn catch_anywhere(
        &self,
        space: &mut dyn Space<R, C>,
        meter: &mut Meter<'_, C>,
        goals: &[StateId],
    ) -> Refutation<R, C> {
        let states = self.nodes.len();
        let mut starts = vec![0usize; states + 1];
        for edge in &self.edges {
            starts[edge.to as usize + 1] += 1;
        }
        for at in 0..states {
            starts[at + 1] += starts[at];
        }
        let mut into = vec![0usize; self.edges.len()];
        let mut filled = starts.clone();
        for (number, edge) in self.edges.iter().enumerate() {
            let slot = &mut filled[edge.to as usize];
            into[*slot] = number;
            *slot += 1;
        }
        let mut left: Vec<Option<C>> = vec![None; states];
        let mut open = BinaryHeap::new();
        for &goal in goals {
            left[goal as usize] = Some(C::ZERO);
            open.push(Reverse((C::ZERO, goal)));
        }
        while let Some(Reverse((cost, id))) = open.pop() {
            if left[id as usize] != Some(cost) {
                continue;
            }
            if let Some(found) = self.ask(space, meter, id, cost)? {
                return Ok(Some(found));
            }
            for &number in &into[starts[id as usize]..starts[id as usize + 1]] {
                let edge = &self.edges[number];
                let through = edge.cost.plus(cost);
                let known = &mut left[edge.from as usize];
                if known.is_none_or(|known| through < known) {
                    *known = Some(through);
                    open.push(Reverse((through, edge.from)));
                }
            }
        }
        Ok(None)
    }

    /// Asks the heuristic about a state from where a plan of this cost is known.
    fn ask(
        &self,
        space: &mut dyn Space<R, C>,
        meter: &mut Meter<'_, C>,
        id: StateId,
        cost: C,
    ) -> Refutation<R, C> {
        let state = self.store.state(id);
        let estimate = meter.evaluate(space, &state)?;
        let caught = estimate.is_none_or(|estimate| estimate.exceeds(cost));
        Ok(caught.then_some(InadmissibleState { state, estimate, cost }))
    }
}

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
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cost::Cost;
use super::limits::Limits;
use super::meter::{Halt, Meter};
use super::problem::{Problem, StateId, StateStore};
use super::report::{SearchError, StopReason};

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
type Refutation<P> = Result<
    Option<InadmissibleState<<P as Problem>::State, <P as Problem>::Cost>>,
    Halt<<P as Problem>::Error>,
>;

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

/// The result of a check in problem `P`.
pub type ClaimCheckOf<P> = ClaimCheck<<P as Problem>::State, <P as Problem>::Cost>;

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

struct Check<P: Problem> {
    store: P::Store,
    nodes: Vec<Node<P::Cost>>,
    edges: Vec<Edge<P::Cost>>,
    open: BinaryHeap<Reverse<(P::Cost, StateId)>>,
    /// The goal of a cheaper plan.
    met: Option<StateId>,
}

/// Finds out whether a claim is true. `informed`: the heuristic is asked of states afterwards.
///
/// # Errors
/// The failure of an operation of the problem before it is known.
pub fn check_claim<P: Problem>(
    problem: &mut P,
    start: &P::State,
    claimed: ClaimToCheck<'_, P::State, P::Cost>,
    informed: bool,
    limits: &Limits,
) -> Result<ClaimCheckOf<P>, SearchError<P::Error>> {
    let mut meter = Meter::new(limits, None);
    let mut check = Check::<P> {
        store: problem.new_store(),
        nodes: Vec::new(),
        edges: Vec::new(),
        open: BinaryHeap::new(),
        met: None,
    };
    let truth = check.search(problem, &mut meter, start, claimed.cost);
    let states = meter.stats.expanded;
    let (truth, stopped) = match truth {
        Ok(truth) => (truth, None),
        Err(Halt::Stop(reason)) => (ClaimOutcome::Open, Some(reason)),
        Err(Halt::Fail((operation, error))) => {
            meter.finish();
            return Err(SearchError { error, operation, stats: Box::new(meter.stats) });
        }
    };
    let mut checked = ClaimCheck { truth, inadmissible: None, states, stopped };
    // What ends this takes nothing back of what is known.
    if informed && checked.stopped.is_none_or(|reason| reason == StopReason::Nodes) {
        checked.inadmissible = check.catch(problem, &mut meter, claimed.goal).unwrap_or_default();
    }
    Ok(checked)
}

impl<P: Problem> Check<P> {
    /// The search in order of cost.
    fn search(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        start: &P::State,
        claimed: Option<P::Cost>,
    ) -> Result<ClaimOutcome<P::Cost>, Halt<P::Error>> {
        let (id, _) = self.store.intern(start);
        self.nodes.push(Node { g: P::Cost::ZERO, closed: false, parent: id });
        self.open.push(Reverse((P::Cost::ZERO, id)));
        let mut out = Vec::new();
        while let Some(Reverse((g, id))) = self.open.pop() {
            if self.nodes[id as usize].closed {
                continue;
            }
            // Sums of floats depend on the order in which they are made.
            if claimed.is_some_and(|claimed| !claimed.exceeds(g)) {
                return Ok(ClaimOutcome::AsClaimed);
            }
            let state = self.store.state(id);
            if meter.goal(problem, &state)? {
                self.met = Some(id);
                return Ok(ClaimOutcome::Cheaper(g));
            }
            self.nodes[id as usize].closed = true;
            let held = (self.store.len(), self.bytes());
            meter.expand_stored(problem, &state, 0, held, &mut out)?;
            self.store.prepare(out.iter().map(|successor| &successor.state));
            for successor in out.drain(..) {
                let (to, new) = self.store.intern(&successor.state);
                self.edges.push(Edge { from: id, to, cost: successor.cost });
                let g = g.plus(successor.cost);
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
            + self.nodes.capacity() * size_of::<Node<P::Cost>>()
            + self.edges.capacity() * size_of::<Edge<P::Cost>>()
            + self.open.capacity() * size_of::<Reverse<(P::Cost, StateId)>>()
    }

    /// Looks for a state of which the heuristic says more than a plan from there costs.
    fn catch(
        &mut self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        goal: Option<&P::State>,
    ) -> Refutation<P> {
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
                if let Some(found) = self.ask(problem, meter, id, left)? {
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
                self.nodes.push(Node { g: P::Cost::ZERO, closed: true, parent: id });
            }
            goals.push(id);
        }
        self.catch_anywhere(problem, meter, &goals)
    }

    /// Goes back from goals along the moves that are known, nearest states first.
    fn catch_anywhere(
        &self,
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        goals: &[StateId],
    ) -> Refutation<P> {
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
        let mut left: Vec<Option<P::Cost>> = vec![None; states];
        let mut open = BinaryHeap::new();
        for &goal in goals {
            left[goal as usize] = Some(P::Cost::ZERO);
            open.push(Reverse((P::Cost::ZERO, goal)));
        }
        while let Some(Reverse((cost, id))) = open.pop() {
            if left[id as usize] != Some(cost) {
                continue;
            }
            if let Some(found) = self.ask(problem, meter, id, cost)? {
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
        problem: &mut P,
        meter: &mut Meter<'_, P::Cost>,
        id: StateId,
        cost: P::Cost,
    ) -> Refutation<P> {
        let state = self.store.state(id);
        let estimate = meter.evaluate(problem, &state)?;
        let caught = estimate.is_none_or(|estimate| estimate.exceeds(cost));
        Ok(caught.then_some(InadmissibleState { state, estimate, cost }))
    }
}

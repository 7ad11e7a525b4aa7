//! Checking a closed list: [`check_closed`].
//!
//! A list of states with costs proves that no path to a goal costs less than a bound, if it has the start with cost 0,
//! has no goal, and if every move from a state on it with cost g leads to a state on it whose cost is at most g plus that
//! of the move, or comes to the bound. For a path begins on the list; as long as it stays there, it costs no less than the
//! states' costs say, and it ends at no goal; where it leaves the list it has cost the bound.
//!
//! With an admissible heuristic a move may leave the list, too, where cost and estimate come to the bound. Without a
//! bound no move leaves it, but for an infinite estimate: there is no path to a goal at all.

use crate::walk::Walk;
use zug_search::{Batch, Cost, Failure, Row, Space, StateStore, Successors};

/// What a list is to prove.
#[derive(Clone, Copy, Debug)]
pub struct ClosedClaim<C> {
    /// No path to a goal costs less; `None`: there is none.
    pub cost: Option<C>,
    /// The heuristic of the problem never overestimates.
    pub informed: bool,
    /// Sums of floats come to the cost up to this part of it: see [`rounding`].
    pub rounding: f64,
}

/// The part of a sum of floats by which it may differ with the order of `additions` additions.
pub fn rounding(additions: usize) -> f64 {
    additions as f64 * f64::EPSILON
}

/// A state on a list.
#[derive(Clone, Copy, Debug)]
pub struct Listed<S, C> {
    /// The line that it stands on.
    pub line: u64,
    /// The cost of a path to it, at most.
    pub cost: C,
    /// The state.
    pub state: S,
}

/// Why a list proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClosedFault<S, C, E> {
    /// The start is not on the list, or with a cost above 0, although the bound is above 0.
    Start,
    /// A state is listed twice: the line of the second time.
    Twice(u64),
    /// No path leads to the state of this line.
    Unreached(u64),
    /// A goal is on the list: its line.
    Goal(u64),
    /// A move from the state of this line leads to a state left out, at this cost.
    LeftOut(u64, S, C),
    /// A move from the state of this line leads to one of another line that is said to cost more.
    Dearer(u64, u64),
    /// The problem failed at the state of this line, or of the start, which has line 0.
    Failed(u64, E),
}

type Fault<R, C> = ClosedFault<R, C, Failure>;

/// Whether a list proves a claim. `observe` gets the costs of all moves, and all estimates.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn check_closed<R: Row, C: Cost>(
    problem: &mut dyn Space<R, C>,
    start: &R,
    claim: ClosedClaim<C>,
    list: &[Listed<R, C>],
    mut observe: impl FnMut(C),
) -> Result<(), Fault<R, C>> {
    let mut store = R::Store::default();
    for listed in list {
        let (_, new) = store.intern(&listed.state);
        if !new {
            return Err(ClosedFault::Twice(listed.line));
        }
    }
    let mut walk = Walk::new(list.len());
    let found = walk.reach(store.find(start));
    let is_listed = found.is_some_and(|at| list[at].cost <= C::ZERO);
    if !is_listed && !may_leave(problem, claim, (0, start), C::ZERO, &mut observe)? {
        return Err(ClosedFault::Start);
    }
    let mut out = Successors::default();
    while let Some(at) = walk.pop() {
        let listed = &list[at];
        let failed = |error| ClosedFault::Failed(listed.line, error);
        if problem.is_goal(&listed.state).map_err(failed)? {
            return Err(ClosedFault::Goal(listed.line));
        }
        if claim.informed {
            problem
                .estimate(&listed.state, None)
                .map_err(failed)?
                .into_iter()
                .for_each(&mut observe);
        }
        problem.expand(Batch::of(&listed.state), &mut out).map_err(failed)?;
        for (head, state) in out.drain() {
            observe(head.cost);
            let cost = listed.cost.plus(head.cost);
            let about = (listed.line, &state);
            match walk.reach(store.find(&state)) {
                Some(next) if list[next].cost <= cost => {}
                _ if may_leave(problem, claim, about, cost, &mut observe)? => {}
                Some(next) => return Err(ClosedFault::Dearer(listed.line, list[next].line)),
                None => return Err(ClosedFault::LeftOut(listed.line, state, cost)),
            }
        }
    }
    match walk.unreached() {
        Some(at) => Err(ClosedFault::Unreached(list[at].line)),
        None => Ok(()),
    }
}

/// Whether a path that has cost so much may lead to a state that is left out.
fn may_leave<R: Row, C: Cost>(
    problem: &mut dyn Space<R, C>,
    claim: ClosedClaim<C>,
    (line, state): (u64, &R),
    cost: C,
    observe: &mut impl FnMut(C),
) -> Result<bool, Fault<R, C>> {
    let comes_to =
        |cost: C| claim.cost.is_some_and(|bound| !bound.exceeds_by(cost, claim.rounding));
    if comes_to(cost) {
        return Ok(true);
    }
    if !claim.informed {
        return Ok(false);
    }
    let estimate =
        problem.estimate(state, None).map_err(|error| ClosedFault::Failed(line, error))?;
    estimate.into_iter().for_each(observe);
    Ok(estimate.is_none_or(|h| comes_to(cost.plus(h))))
}

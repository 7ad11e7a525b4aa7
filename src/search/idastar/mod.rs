//! `idastar`: iterative-deepening A\*, a cheapest path in the memory of one path.
//!
//! Searches depth first along paths of f = g + h up to a bound, which starts at the estimate
//! of the start and grows to the least f that exceeded it. When none did, the space is
//! exhausted. A state on the current path is not entered again, so moves of cost zero and
//! cycles do no harm; a state left behind is, once for each path to it.
//!
//! With costs of many different values each iteration might add a single state. When an
//! iteration of more than a hundred expansions is less than half again as large as the one
//! before, the bound skips ahead so far that enough of the paths cut off will go on; the
//! search is then, from the first goal, a depth-first branch and bound, and the path still a
//! cheapest one.
//!
//! R. E. Korf: Depth-first iterative-deepening: an optimal admissible tree search.
//! *Artificial Intelligence* 27(1), 1985. Skipping ahead: U. K. Sarkar, P. P. Chakrabarti,
//! S. Ghose, S. C. De Sarkar: Reducing reexpansions in iterative-deepening search by
//! controlling cutoff bounds. *Artificial Intelligence* 50(2), 1991.
//!
//! ```
//! use zug_search::{Claim, Digraph, Engine, Limits, Options, run};
//!
//! let mut graph = Digraph::new(&[(0, 1, 1), (1, 0, 1), (1, 3, 5), (0, 2, 2), (2, 3, 2)], &[3])
//!     .with_heuristic(&[Some(2), Some(2), Some(2), Some(0)]);
//! let report = run(Engine::Idastar, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.claim, Claim::IfAdmissible);
//! assert_eq!((report.cost, report.stats.iterations), (Some(4), 3));
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

mod by_crew;

use std::collections::BinaryHeap;

use crate::cost::Cost;
use crate::info::{EngineInfo, Guarantee};
use crate::limits::Options;
use crate::meter::{Answer, Halt, Meter, Solution, Verdict, is_milestone};
use crate::path::{Path, SuccessorFilter};
use crate::report::{Overestimate, StopReason};
use crate::space::{MoveId, Refined, Row};
use crate::team::Team;

pub(crate) const INFO: EngineInfo = EngineInfo {
    name: "idastar",
    title: "iterative-deepening A*",
    summary: "a cheapest path, guided by a heuristic, in memory for one path alone",
    guarantee: Guarantee::Cheapest,
    complete: true,
    informed: true,
    parameters: &[],
    memory: "one path",
    threads: true,
    when: "A* runs out of memory",
    reference: "Korf 1985",
};

/// Behind an iteration of so many expansions the next one is shared out among threads; with debug assertions behind any.
const SHARED_OUT: u64 = if cfg!(debug_assertions) { 1 } else { 1 << 14 };
/// Iterations of fewer expansions may grow as slowly as they like.
const SMALL_ITERATION: u64 = 100;
/// The most values of f kept to choose the next bound from.
const MOST_KEPT: usize = 1 << 16;

/// The least values of f above the bound of this iteration, for the next one.
struct NextBound<C> {
    least: Option<C>,
    /// How many values to keep; 1 means the least alone.
    keep: usize,
    /// The least `keep` values, greatest on top, if more than one is kept.
    kept: BinaryHeap<C>,
}

impl<C: Cost> NextBound<C> {
    /// None yet, and so many are to be kept.
    fn new(keep: usize) -> NextBound<C> {
        NextBound { least: None, keep, kept: BinaryHeap::new() }
    }

    /// Begins again.
    fn clear(&mut self) {
        self.least = None;
        self.kept.clear();
    }

    /// Takes in what another one has.
    fn join(&mut self, other: NextBound<C>) {
        other.least.into_iter().chain(other.kept).for_each(|f| self.add(f));
    }

    #[inline]
    fn add(&mut self, f: C) {
        if self.least.is_none_or(|least| f < least) {
            self.least = Some(f);
        }
        if self.keep > 1 {
            if self.kept.len() < self.keep {
                self.kept.push(f);
            } else if let Some(mut greatest) = self.kept.peek_mut()
                && f < *greatest
            {
                *greatest = f;
            }
        }
    }
}

/// Keeps to steps within a bound, and remembers what lies beyond.
struct Bound<'e, C> {
    bound: C,
    next_bound: &'e mut NextBound<C>,
}

impl<C: Cost> SuccessorFilter<C> for Bound<'_, C> {
    const INFORMED: bool = true;
    const SHORTEST: bool = true;

    #[inline(always)]
    fn accepts(&mut self, g: C, h: C) -> bool {
        let f = g.plus(h);
        if f > self.bound {
            self.next_bound.add(f);
            return false;
        }
        true
    }
}

/// How an iteration ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Iterated {
    /// All paths within the bound were followed, or a goal was found.
    Whole,
    /// Estimates say more from now on: it is to begin again.
    Refined,
    /// The space has found out that there is no goal.
    NoPlan,
}

/// A goal: the way to it, with what it costs up to each state.
struct Goal<R: Row, C: Cost> {
    states: Vec<R>,
    costs: Vec<C>,
    moves: Vec<MoveId>,
    overestimate: Option<Overestimate<C>>,
}

impl<R: Row, C: Cost> Goal<R, C> {
    /// The goal at the end of a path.
    fn of(path: &Path<R, C>) -> Goal<R, C> {
        Goal {
            states: path.states(),
            costs: path.costs(),
            moves: path.moves(),
            overestimate: path.overestimate(),
        }
    }

    fn cost(&self) -> C {
        self.costs[self.costs.len() - 1]
    }
}

impl<R: Row, C: Cost> From<Goal<R, C>> for Solution<R, C> {
    fn from(goal: Goal<R, C>) -> Self {
        Solution {
            cost: goal.cost(),
            moves: goal.moves,
            states: goal.states,
            lower_bound: None,
            overestimate: goal.overestimate,
            is_cheapest: false,
        }
    }
}

struct Search<'s, 't, R: Row, C: Cost> {
    team: &'s mut Team<'t, R, C>,
    path: Path<R, C>,
    /// No path is cheaper than this, as far as no depth bound cut.
    lower: C,
    /// Paths with a greater f are not followed in this iteration.
    bound: C,
    next_bound: NextBound<C>,
    /// The least f of a state within the bound that the depth bound kept from being expanded.
    cut: Option<C>,
    /// The best goal of this iteration.
    best: Option<Goal<R, C>>,
    /// Paths with a greater f than this cost of a solution are not followed.
    most: Option<C>,
    /// Calls [`Space::refine`].
    refines: bool,
}

pub(crate) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    let mut search = Search {
        team,
        path: Path::new(start),
        lower: C::ZERO,
        bound: C::ZERO,
        next_bound: NextBound::new(1),
        cut: None,
        best: None,
        most: None,
        refines: true,
    };
    let ended = search.run(start, meter);
    search.path.settle(meter);
    match (ended, search.best) {
        // What an interrupted branch and bound has found is a solution all the same.
        (Err(Halt::Stop(_)), Some(best)) => Ok(Verdict::Solved(best.into())),
        (ended, _) => ended,
    }
}

impl<R: Row, C: Cost> Search<'_, '_, R, C> {
    fn run(&mut self, start: &R, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        let zero = C::ZERO;
        if meter.goal(self.team.main, start)? {
            self.path.restart(zero);
            return Ok(Verdict::Solved(Goal::of(&self.path).into()));
        }
        let Some(mut h) = meter.evaluate(self.team.main, start)? else {
            return Ok(Verdict::Exhausted);
        };
        (self.lower, self.bound) = (h, h);
        let mut last_size = 0;
        // Subtrees to be shared out, once they are large.
        let mut subtrees = None;
        loop {
            if self.cut.is_none() {
                meter.raise(self.lower);
            }
            meter.stats.iterations += 1;
            self.path.restart(h);
            self.next_bound.clear();
            let before = meter.stats.expanded;
            let iterated = match self.team.is_alone() || last_size < SHARED_OUT {
                true => self.iterate(start, meter)?,
                false => self.iterate_by_crew(&mut subtrees, start, meter)?,
            };
            if iterated == Iterated::NoPlan {
                return Ok(Verdict::NoPlan);
            }
            if iterated == Iterated::Refined {
                let Some(better) = meter.evaluate(self.team.main, start)? else {
                    return Ok(Verdict::Exhausted);
                };
                h = better;
                (self.lower, self.bound) = (self.lower.max(h), self.bound.max(h));
                (self.best, subtrees) = (None, None);
                continue;
            }
            if let Some(best) = self.best.take() {
                let mut best = Solution::from(best);
                best.lower_bound = best
                    .overestimate
                    .is_none()
                    .then(|| self.cut.map_or(best.cost, |cut| cut.min(best.cost)));
                return Ok(Verdict::Solved(best));
            }
            let Some(least) = self.next_bound.least else {
                return Ok(match self.cut {
                    Some(_) => Verdict::Incomplete(StopReason::Depth),
                    None => Verdict::Exhausted,
                });
            };
            self.lower = least;
            self.bound = self.next_bound.kept.peek().map_or(least, |&skip| skip.max(least));
            let size = meter.stats.expanded - before;
            if self.next_bound.keep > 1
                || (size > SMALL_ITERATION && size < last_size + last_size / 2)
            {
                self.next_bound.keep = (size / 2).clamp(2, MOST_KEPT as u64) as usize;
            }
            last_size = size;
        }
    }

    /// Follows every path within the bound, until a goal at the lower bound turns up.
    fn iterate(&mut self, start: &R, meter: &mut Meter<'_, C>) -> Result<Iterated, Halt> {
        if meter.depth_limit == 0 {
            self.cut = Some(self.lower);
            return Ok(Iterated::Whole);
        }
        let mut expanded = false;
        loop {
            // PERF: at one place, where it may become large.
            if !expanded {
                self.expand(meter)?;
                expanded = true;
                if self.refines && is_milestone(meter.stats.expanded) {
                    match self.refine(start, meter)? {
                        Refined::Same => {}
                        Refined::More => return Ok(Iterated::Refined),
                        Refined::NoPlan => return Ok(Iterated::NoPlan),
                    }
                }
            }
            let best = self.best.as_ref().map(Goal::cost);
            let most = self.most;
            let wanted = |f| best.is_none_or(|best| f < best) && most.is_none_or(|most| f <= most);
            let advanced = self.path.advance(wanted);
            if !advanced {
                if self.path.pop() {
                    continue;
                }
                return Ok(Iterated::Whole);
            }
            let depth = self.path.depth();
            meter.reach(depth);
            if meter.goal(self.team.main, self.path.last())? {
                self.best = Some(Goal::of(&self.path));
                if self.path.cost() <= self.lower {
                    return Ok(Iterated::Whole);
                }
                self.path.pop();
            } else if depth < meter.depth_limit {
                expanded = false;
            } else {
                let f = self.path.estimate();
                self.cut = Some(self.cut.map_or(f, |cut| cut.min(f)));
                self.path.pop();
            }
        }
    }

    /// What the space has found out meanwhile.
    #[cold]
    fn refine(&mut self, start: &R, meter: &Meter<'_, C>) -> Result<Refined, Halt> {
        Ok(self.team.main.refine(meter.stats.expanded, start, None)?)
    }

    /// Generates the successors of the last state; those beyond the bound are left out.
    #[inline(always)]
    fn expand(&mut self, meter: &mut Meter<'_, C>) -> Result<(), Halt> {
        let mut filter = Bound { bound: self.bound, next_bound: &mut self.next_bound };
        self.path.expand(self.team.main, meter, &mut filter)
    }
}

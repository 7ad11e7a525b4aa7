//! New starts for a puzzle: [`generate()`] finds states that are far from a goal, that need a plan
//! of a given cost, or that have a single cheapest plan.
//!
//! Where the space that can be reached from the starts is small enough, it is written out and
//! worked through backwards from its goals (E. W. Dijkstra, 1959): what is said of a state is
//! proved then, also that none is farther (module `whole`).
//!
//! Else states are reached by walks at random and solved by A\*, and a hill is climbed: from a
//! state to its successor that is farthest, or nearest to the cost that is asked for (S. Russell &
//! P. Norvig, *Artificial Intelligence*, section 4.1, with restarts). If every move that is met
//! can be undone, the walks begin at a goal: each of their states is solvable, for the walk leads
//! back (module `sampled`).
//!
//! States that fit equally well are drawn by the seed; the same seed gives the same ones.

mod sampled;
#[cfg(test)]
mod tests;
mod whole;

use super::cost::Cost;
use super::limits::{Limits, Observer, Progress};
use super::meter::{Halt, Meter};
use super::plans::{PlanCount, PlanGraph, PlanWalk};
use super::report::{SearchError, Stats, StopReason};
use super::space::{Failure, MoveId, Row, Space, StateId, StateStore};
use sampled::Sampler;
use std::time::{Duration, Instant};
use whole::Whole;
use zug_random::Random;

/// What new starts are to be like, and how they are looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerateOptions {
    /// How many are wanted.
    pub count: usize,
    /// Only such as have exactly one cheapest plan.
    pub unique: bool,
    /// The seed by which states are drawn, and of the walks.
    pub seed: u64,
    /// Every state is looked at, if there are no more than these.
    pub states: usize,
    /// Else so many are solved, at most.
    pub samples: u64,
    /// Moves of a walk, at most.
    pub steps: u32,
    /// Expansions to solve one of them with, and again to count its plans.
    pub search_nodes: u64,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self {
            count: 5,
            unique: false,
            seed: 1,
            states: 1_000_000,
            samples: 200,
            steps: 50,
            search_nodes: 50_000,
        }
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct GenerateRequest<'a, S, C> {
    /// Where the space begins.
    pub starts: &'a [S],
    /// States that are no new starts.
    pub taken: &'a [S],
    /// What the cheapest plans are to cost; as much as can be, if nothing is said.
    pub cost: Option<C>,
    /// What else is wanted, and how it is looked for.
    pub how: &'a GenerateOptions,
}

/// A new start.
#[derive(Clone, Debug)]
pub struct NewStart<S, C, M = MoveId> {
    /// The state.
    pub state: S,
    /// What a cheapest plan costs.
    pub cost: C,
    /// The moves of a cheapest plan.
    pub path: Vec<M>,
    /// The states along it, the start and the goal included.
    pub states: Vec<S>,
    /// How many cheapest plans there are; `None` if that could not be found out.
    pub plans: Option<PlanCount>,
}

/// What [`generate()`] comes to.
#[derive(Clone, Debug)]
pub struct NewStarts<S, C, M = MoveId> {
    /// The new starts, the dearest first.
    pub starts: Vec<NewStart<S, C, M>>,
    /// Every state that can be reached was looked at.
    pub whole: bool,
    /// The states looked at: with `whole` all there are, else those that were solved or tried.
    pub states: u64,
    /// Those of which a plan is known: with `whole` a cheapest one.
    pub solved: u64,
    /// Where not all were looked at, the states that no search solved within its limits.
    pub unsolved: u64,
    /// The greatest cost of a cheapest plan that was met.
    pub greatest: Option<C>,
    /// How many states have that cost.
    pub at_greatest: u64,
    /// Where not all were looked at: the walks began at a goal, since every move could be undone.
    pub from_goals: bool,
    /// What ended it early.
    pub stopped: Option<StopReason>,
    /// The counts of all searches together.
    pub stats: Stats,
}

/// Finds new starts among the states that can be reached from some: those whose cheapest plan has
/// the cost that is asked for, or the greatest cost. A goal is none.
///
/// `limit_in` says which limit it was, if a failure of an operation of the space is a limit that
/// struck inside it: then what was found so far is the result. Half of the time and of the
/// expansions go to the attempt to look at all states, the rest to walks if that fails.
///
/// ```
/// use zug_search::{Digraph, GenerateOptions, GenerateRequest, Limits, generate};
///
/// // 0 -> 1 -> 2 -> 3 and 1 -> 3, from which 0 can be reached again; 3 is the goal.
/// let edges = [(0, 1, 1), (1, 2, 1), (2, 3, 1), (1, 3, 2), (3, 0, 1)];
/// let mut graph = Digraph::new(&edges, &[3]);
/// let how = GenerateOptions::default();
/// let asked = GenerateRequest { starts: &[2], taken: &[2], cost: None, how: &how };
/// let found = generate(&mut graph, asked, &Limits::none(), None, &|_| None)?;
/// let states: Vec<_> = found.starts.iter().map(|start| (start.state, start.cost)).collect();
/// assert_eq!(states, [(0, 3), (1, 2)]);
/// assert!(found.whole);
/// # Ok::<(), zug_search::SearchError>(())
/// ```
///
/// # Errors
/// The failure of an operation of the space.
pub fn generate<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    asked: GenerateRequest<'_, R, C>,
    limits: &Limits,
    mut observer: Option<&mut Observer<'_>>,
    limit_in: &dyn Fn(&Failure) -> Option<StopReason>,
) -> Result<NewStarts<R, C>, SearchError> {
    let mut budget = Budget { limits, began: Instant::now(), stats: Stats::default() };
    let mut found = NewStarts {
        starts: Vec::new(),
        whole: false,
        states: 0,
        solved: 0,
        unsolved: 0,
        greatest: None,
        at_greatest: 0,
        from_goals: false,
        stopped: None,
        stats: Stats::default(),
    };
    let all = look_at_all(space, &asked, &mut budget, observer.as_deref_mut());
    let ended = match all {
        Ok(Some(whole)) => whole.choose(&asked, &budget, &mut found),
        // What was spent on all states is not there for walks.
        Ok(None) | Err(Halt::Stop(StopReason::Memory | StopReason::Nodes | StopReason::Time)) => {
            let mut sampler = Sampler::new(space, asked, budget, observer, limit_in);
            let ended = sampler.sample();
            let ended = sampler.choose(ended, &mut found);
            budget = sampler.into_budget();
            ended
        }
        Err(halt) => Err(halt),
    };
    budget.stats.elapsed = budget.began.elapsed();
    found.stats = budget.stats;
    match ended {
        Ok(()) => {}
        Err(Halt::Stop(reason)) => found.stopped = Some(reason),
        Err(Halt::Fail(error)) => match limit_in(&error) {
            Some(reason) => found.stopped = Some(reason),
            None => {
                let operation = error.operation();
                return Err(SearchError { error, operation, stats: Box::new(found.stats) });
            }
        },
    }
    Ok(found)
}

/// Writes the space out, within half of what may be used; `None` if it has too many states.
fn look_at_all<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    asked: &GenerateRequest<'_, R, C>,
    budget: &mut Budget<'_>,
    observer: Option<&mut Observer<'_>>,
) -> Result<Option<Whole<R, C>>, Halt> {
    let limits = Limits {
        time: budget.limits.time.map(|time| time / 2),
        nodes: budget.limits.nodes.map(|nodes| nodes / 2),
        ..budget.limits.clone()
    };
    let mut meter = Meter::new(&limits, observer);
    let found = Whole::find(space, asked.starts, asked.how.states, &mut meter);
    meter.finish();
    budget.stats.add(&meter.stats);
    found
}

impl<S, C: Cost> GenerateRequest<'_, S, C> {
    /// Whether states of this cost are wanted, as far as that goes without others.
    fn takes(&self, cost: C) -> bool {
        self.cost.is_none_or(|wanted| !wanted.exceeds(cost) && !cost.exceeds(wanted))
    }

    /// States with their costs in the order in which they are to be taken: the dearest first, those
    /// of the same cost as the seed draws them.
    fn draw<T>(&self, mut all: Vec<(C, T)>) -> impl Iterator<Item = (C, T)> + use<S, C, T> {
        let mut random = Random::new(self.how.seed);
        // Stable, so that what is drawn follows from the seed.
        all.sort_by_key(|&(cost, _)| std::cmp::Reverse(cost));
        let mut from = 0;
        while from < all.len() {
            let alike = |(cost, _): &&(C, T)| !all[from].0.exceeds(*cost);
            let to = from + all[from..].iter().take_while(alike).count();
            for at in from..to {
                let other = at as u64 + random.below((to - at) as u64);
                all.swap(at, other as usize);
            }
            from = to;
        }
        all.into_iter()
    }
}

/// What may be used, and what is used already.
struct Budget<'a> {
    limits: &'a Limits,
    began: Instant,
    stats: Stats,
}

impl Budget<'_> {
    /// What is left, for a search of so many expansions at most.
    ///
    /// # Errors
    /// Nothing is left.
    fn rest(&self, nodes: u64) -> Result<Limits, StopReason> {
        let left = self.limits.nodes.map(|nodes| nodes.saturating_sub(self.stats.expanded));
        if left == Some(0) {
            return Err(StopReason::Nodes);
        }
        let time = self.limits.time.map(|time| time.saturating_sub(self.began.elapsed()));
        if time == Some(Duration::ZERO) {
            return Err(StopReason::Time);
        }
        let nodes = Some(left.map_or(nodes, |left| left.min(nodes)));
        Ok(Limits { time, nodes, depth: None, ..self.limits.clone() })
    }

    /// The progress of one search, as that of all.
    fn progress(&self, of: &Progress) -> Progress {
        Progress {
            expanded: self.stats.expanded + of.expanded,
            generated: self.stats.generated + of.generated,
            elapsed: self.began.elapsed(),
            ..*of
        }
    }
}

/// A start of a graph of cheapest plans, with the first of them.
fn new_start<S: Clone, C: Cost>(
    graph: &PlanGraph<MoveId, S, C>,
    cost: C,
    plans: Option<PlanCount>,
) -> NewStart<S, C> {
    let moves = PlanWalk::default().next(graph).unwrap_or_default();
    let ends = moves.iter().map(|&mv| graph.numbered(mv).to);
    let states = std::iter::once(0).chain(ends).map(|state| graph.state(state).clone()).collect();
    let path = moves.iter().map(|&mv| graph.numbered(mv).mv).collect();
    NewStart { state: graph.state(0).clone(), cost, path, states, plans }
}

/// Whether a graph of cheapest plans has just one.
fn is_unique<S, M, C>(graph: &PlanGraph<M, S, C>) -> bool {
    let mut walk = PlanWalk::default();
    walk.next(graph).is_some() && walk.next(graph).is_none()
}

/// The numbers of some states in a store, those that are not there left out.
fn numbers<R: Row>(store: &mut R::Store, states: &[R]) -> Vec<StateId> {
    states.iter().map(|state| store.intern(state).0).collect()
}

//! Surveys of heuristics: whether they are admissible and consistent, and how accurate.
//!
//! A heuristic h is *admissible* if h(s) is never more than h\*(s), the cost of a cheapest plan
//! from s, and *consistent* (monotone) if h(s) is never more than c + h(s') for a move of cost c
//! from s to s'. Of two admissible ones the greater is the better informed: it *dominates*
//! (P. Hart, N. Nilsson, B. Raphael 1968; J. Pearl, *Heuristics*, 1984).
//!
//! Where the space is small enough all of it is written out and h\* known of every state, so that
//! the answer is a proof. Else states of walks at random, from the starts and back from goals,
//! are looked at with all their moves, and the ends of the walks solved. What is said of a
//! violation holds in any case: a plan that costs less than h is there to be made.

use super::cost::Cost;
use super::limits::{Limits, Observer, Options};
use super::meter::{Halt, Meter};
use super::registry::{HotEngine, search_hot};
use super::report::{Outcome, SearchError, StopReason};
use super::space::{MoveId, Row, Space, StateId, StateStore};
use super::state_graph::{Distance, Distances, StateGraph};
use super::team::Team;
use std::time::Instant;
use zug_random::Random;

/// A space with several heuristics, one of which [`Space::estimate`] is at a time.
pub trait Estimates<R: Row, C: Cost>: Space<R, C> {
    /// How many there are.
    fn estimates(&self) -> usize;

    /// Makes this one, counted from 0, the one that is asked.
    fn use_estimate(&mut self, number: usize);
}

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveyOptions {
    /// Every state, if there are no more than these.
    pub states: usize,
    /// Else so many walks at random.
    pub walks: u64,
    /// Moves of a walk, at most.
    pub steps: u32,
    /// The seed of the walks.
    pub seed: u64,
    /// Expansions to solve the end of a walk with.
    pub nodes: u64,
}

impl Default for SurveyOptions {
    fn default() -> Self {
        Self { states: 500_000, walks: 100, steps: 50, seed: 1, nodes: 50_000 }
    }
}

/// What the heuristics are found to be.
#[derive(Clone, Debug)]
pub struct SurveyReport<S, C, M = MoveId> {
    /// Every reachable state was looked at: what is said is proved.
    pub whole: bool,
    /// States of which every heuristic was asked.
    pub states: u64,
    /// Moves looked at.
    pub moves: u64,
    /// Goals among the states.
    pub goals: u64,
    /// States of which a plan is known: with `whole` a cheapest one.
    pub solved: u64,
    /// The mean of the costs of these plans.
    pub mean_cost: f64,
    /// The greatest of them.
    pub max_cost: C,
    /// Walks that were made, where not all states were looked at.
    pub walks: u64,
    /// What ended it early.
    pub stopped: Option<StopReason>,
    /// The heuristics, in order.
    pub heuristics: Vec<Estimated<S, C, M>>,
    /// `above[i][j]`: states of which heuristic i says more than heuristic j.
    pub above: Vec<Vec<u64>>,
}

/// What is found of a heuristic. Estimates are `None` where they are infinite.
#[derive(Clone, Debug)]
pub struct Estimated<S, C, M = MoveId> {
    /// States of which it says too much.
    pub overestimated: u64,
    /// One of them, nearest to a goal.
    pub overestimate: Option<Overestimated<S, C, M>>,
    /// Moves along which it falls by more than they cost.
    pub inconsistent: u64,
    /// The first of those along which it falls most.
    pub inconsistency: Option<Inconsistency<S, C, M>>,
    /// Goals of which it says more than 0.
    pub goals_above: u64,
    /// The first of them, with the estimate.
    pub goal_above: Option<(S, Option<C>)>,
    /// Its mean over the states with a known plan, where it is finite.
    pub mean: f64,
    /// Its greatest value there.
    pub max: C,
    /// The mean of h/h\* over the states with a known plan that costs something.
    pub informed: f64,
}

/// A state of which a heuristic says too much.
#[derive(Clone, Debug)]
pub struct Overestimated<S, C, M = MoveId> {
    /// The state.
    pub state: S,
    /// What the heuristic says.
    pub estimate: Option<C>,
    /// What a plan costs.
    pub cost: C,
    /// The plan.
    pub plan: Vec<M>,
}

/// A move along which a heuristic falls by more than the move costs.
#[derive(Clone, Debug)]
pub struct Inconsistency<S, C, M = MoveId> {
    /// The state before.
    pub from: S,
    /// What the heuristic says of it.
    pub before: Option<C>,
    /// The move.
    pub mv: M,
    /// Its cost.
    pub cost: C,
    /// The state behind.
    pub to: S,
    /// What the heuristic says of that one.
    pub after: C,
}

/// Looks at the heuristics of a space, over what can be reached from the starts.
///
/// ```
/// use zug_search::{Digraph, Limits, SurveyOptions, survey};
///
/// // 0 -> 1 -> 2 in moves of cost 1; of 0 it says 3, which is too much.
/// let graph = Digraph::new(&[(0, 1, 1), (1, 2, 1)], &[2]);
/// let mut graph = graph.with_heuristic(&[Some(3), Some(1), Some(0)]);
/// let found = survey(&mut graph, &[0], &SurveyOptions::default(), &Limits::none(), None)?;
/// let witness = found.heuristics[0].overestimate.as_ref().expect("there is one");
/// assert_eq!((witness.state, witness.estimate, witness.cost), (0, Some(3), 2));
/// assert!(found.whole);
/// # Ok::<(), zug_search::SearchError>(())
/// ```
///
/// # Errors
/// The failure of an operation of the space.
pub fn survey<R: Row, C: Cost>(
    space: &mut dyn Estimates<R, C>,
    starts: &[R],
    how: &SurveyOptions,
    limits: &Limits,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<SurveyReport<R, C>, SearchError> {
    let began = Instant::now();
    // Walks are to have their time too.
    let first = Limits { time: limits.time.map(|time| time / 2), ..limits.clone() };
    let mut view = View::new(space);
    let mut meter = Meter::new(&first, observer.as_deref_mut());
    let mut ended = view.all(space, &mut meter, starts, how.states);
    meter.finish();
    let mut stats = meter.stats;
    let mut walks = 0;
    let cancelled = matches!(ended, Err(Halt::Stop(StopReason::Cancelled)));
    if !cancelled && !matches!(ended, Ok(true) | Err(Halt::Fail(..))) {
        let time = limits.time.map(|time| time.saturating_sub(began.elapsed()));
        let rest = Limits { time, ..limits.clone() };
        view = View::new(space);
        let mut meter = Meter::new(&rest, observer);
        let sampled = view.sample(space, &mut meter, starts, (how, &rest), &mut walks);
        ended = sampled.map(|()| false);
        meter.finish();
        stats = meter.stats;
    }
    let (whole, stopped) = match ended {
        Ok(whole) => (whole, None),
        Err(Halt::Stop(reason)) => (false, Some(reason)),
        Err(Halt::Fail(error)) => {
            let operation = error.operation();
            return Err(SearchError { error, operation, stats: Box::new(stats) });
        }
    };
    Ok(view.judge(whole, walks, stopped))
}

/// What was looked at so far.
struct View<R: Row, C: Cost> {
    graph: StateGraph<R, C>,
    /// By heuristic, then by state; states beyond the end are not looked at yet.
    estimates: Vec<Vec<Option<C>>>,
    distances: Distances<C>,
}

impl<R: Row, C: Cost> View<R, C> {
    fn new(space: &dyn Estimates<R, C>) -> Self {
        Self {
            graph: StateGraph::new(),
            estimates: vec![Vec::new(); space.estimates()],
            distances: Distances { cost: Vec::new(), first: Vec::new() },
        }
    }

    /// Looks at every state; false if there are too many.
    fn all(
        &mut self,
        space: &mut dyn Estimates<R, C>,
        meter: &mut Meter<'_, C>,
        starts: &[R],
        most: usize,
    ) -> Result<bool, Halt> {
        for start in starts {
            self.graph.add(space, meter, start)?;
        }
        if !self.graph.fill(space, meter, most)? {
            return Ok(false);
        }
        self.estimate(space, meter)?;
        self.distances = self.graph.distances(meter)?;
        Ok(true)
    }

    /// Asks every heuristic of the states that are new.
    fn estimate(
        &mut self,
        space: &mut dyn Estimates<R, C>,
        meter: &mut Meter<'_, C>,
    ) -> Result<(), Halt> {
        for (number, known) in self.estimates.iter_mut().enumerate() {
            space.use_estimate(number);
            while known.len() < self.graph.store.len() {
                let state = self.graph.store.state(known.len() as StateId);
                known.push(meter.evaluate(space, &state)?);
            }
        }
        Ok(())
    }

    /// Walks at random and solves the ends of the walks.
    fn sample(
        &mut self,
        space: &mut dyn Estimates<R, C>,
        meter: &mut Meter<'_, C>,
        starts: &[R],
        (how, limits): (&SurveyOptions, &Limits),
        walks: &mut u64,
    ) -> Result<(), Halt> {
        let began = Instant::now();
        let mut random = Random::new(how.seed);
        let mut ends: Vec<StateId> = Vec::new();
        while *walks < how.walks && !starts.is_empty() {
            // Every other walk begins at a goal, where plans are short and soon found.
            let number = *walks as usize;
            let mut at = match ends.as_slice() {
                ends if number >= starts.len() && number.is_multiple_of(2) && !ends.is_empty() => {
                    ends[random.below(ends.len() as u64) as usize]
                }
                _ => self.graph.add(space, meter, &starts[number % starts.len()])?,
            };
            let mut before = None;
            // The starts themselves come first.
            let steps = match number < starts.len() {
                true => 0,
                false => random.below(u64::from(how.steps) + 1),
            };
            for _ in 0..steps {
                self.graph.expand(space, meter, at)?;
                let next: Vec<StateId> = self.graph.moves(at).map(|(_, edge)| edge.to).collect();
                let onward: Vec<StateId> =
                    next.iter().copied().filter(|&to| Some(to) != before && to != at).collect();
                let choices = if onward.is_empty() { &next } else { &onward };
                let Some(count) = Some(choices.len() as u64).filter(|&count| count > 0) else {
                    break;
                };
                before = Some(at);
                at = choices[random.below(count) as usize];
            }
            self.graph.expand(space, meter, at)?;
            self.estimate(space, meter)?;
            let time = limits.time.map(|time| time.saturating_sub(began.elapsed()));
            let limits = Limits { time, nodes: Some(how.nodes), ..limits.clone() };
            for number in 0..space.estimates() {
                space.use_estimate(number);
                ends.extend(self.solve(space, meter, at, &limits)?);
            }
            *walks += 1;
        }
        Ok(())
    }

    /// Solves a state and takes note of what the plan costs from each state along it: the goal.
    fn solve(
        &mut self,
        space: &mut dyn Estimates<R, C>,
        meter: &mut Meter<'_, C>,
        from: StateId,
        limits: &Limits,
    ) -> Result<Option<StateId>, Halt> {
        let state = self.graph.store.state(from);
        let team = &mut Team::of(space);
        let options = &Options::default();
        let found = search_hot(HotEngine::Astar, team, &state, options, limits, None);
        let found = found.map_err(|failed| Halt::Fail(failed.error))?;
        match found.outcome {
            Outcome::Solved => {}
            Outcome::Stopped(reason @ (StopReason::Cancelled | StopReason::Time)) => {
                return Err(Halt::Stop(reason));
            }
            // What no plan is found for within the limits is not held against anybody.
            _ => return Ok(None),
        }
        let mut along = Vec::new();
        for state in &found.states {
            let id = self.graph.add(space, meter, state)?;
            self.graph.expand(space, meter, id)?;
            along.push(id);
        }
        self.estimate(space, meter)?;
        let states = self.graph.store.len();
        self.distances.cost.resize(states, Distance::Unknown);
        self.distances.first.resize(states, None);
        let Some((&goal, _)) = along.split_last() else { return Ok(None) };
        let mut rest = C::ZERO;
        self.note(goal, rest, None);
        for step in along.windows(2).rev() {
            let cheapest = self.graph.moves(step[0]).filter(|(_, edge)| edge.to == step[1]);
            let Some((number, edge)) = cheapest.min_by_key(|(_, edge)| edge.cost) else { break };
            rest = edge.cost.plus(rest);
            self.note(step[0], rest, Some(number));
        }
        Ok(Some(goal))
    }

    /// Takes note of a plan from a state by its cost and its first move.
    fn note(&mut self, id: StateId, cost: C, first: Option<usize>) {
        let known = &mut self.distances.cost[id as usize];
        let better = match *known {
            Distance::Plan(known) => cost < known,
            _ => true,
        };
        if better {
            *known = Distance::Plan(cost);
            self.distances.first[id as usize] = first;
        }
    }

    /// States that everything is known of.
    fn known(&self) -> usize {
        self.estimates.iter().map(Vec::len).min().unwrap_or(0)
    }

    /// The cost of the plan that is known of a state.
    fn cost(&self, id: usize) -> Option<C> {
        match self.distances.cost.get(id) {
            Some(&Distance::Plan(cost)) => Some(cost),
            _ => None,
        }
    }

    /// The moves of the plan that is known of a state.
    fn plan(&self, from: usize) -> Vec<MoveId> {
        let mut plan = Vec::new();
        let mut at = from;
        while let Some(number) = self.distances.first[at] {
            let edge = self.graph.edge(number);
            plan.push(edge.mv);
            at = edge.to as usize;
        }
        plan
    }

    fn judge(&self, whole: bool, walks: u64, stopped: Option<StopReason>) -> SurveyReport<R, C> {
        let known = self.known();
        let moves = (0..known).map(|id| self.graph.moves(id as StateId).count() as u64).sum();
        let costs: Vec<C> = (0..known).filter_map(|id| self.cost(id)).collect();
        let solved = costs.len() as u64;
        let above = |one: &[Option<C>], other: &[Option<C>]| {
            let pairs = one[..known].iter().zip(&other[..known]);
            pairs.filter(|&(&one, &other)| is_above(one, other)).count() as u64
        };
        let rows = self.estimates.iter();
        SurveyReport {
            whole,
            states: known as u64,
            moves,
            goals: (0..known).filter(|&id| self.graph.is_goal(id as StateId)).count() as u64,
            solved,
            mean_cost: mean(costs.iter().map(|cost| cost.as_f64())),
            max_cost: costs.into_iter().max().unwrap_or(C::ZERO),
            walks,
            stopped,
            heuristics: rows.clone().map(|estimates| self.judge_one(&estimates[..known])).collect(),
            above: rows
                .clone()
                .map(|one| rows.clone().map(|other| above(one, other)).collect())
                .collect(),
        }
    }

    fn judge_one(&self, estimates: &[Option<C>]) -> Estimated<R, C> {
        let mut found = Estimated {
            overestimated: 0,
            overestimate: None,
            inconsistent: 0,
            inconsistency: None,
            goals_above: 0,
            goal_above: None,
            mean: 0.0,
            max: C::ZERO,
            informed: 0.0,
        };
        let (mut nearest, mut farthest) = (None, None);
        let (mut values, mut shares) = (Vec::new(), Vec::new());
        for (id, &estimate) in estimates.iter().enumerate() {
            if self.graph.is_goal(id as StateId) && is_above(estimate, Some(C::ZERO)) {
                found.goals_above += 1;
                found.goal_above.get_or_insert_with(|| (self.state(id), estimate));
            }
            if let Some(cost) = self.cost(id) {
                if let Some(estimate) = estimate {
                    values.push(estimate.as_f64());
                    found.max = found.max.max(estimate);
                    if cost > C::ZERO {
                        shares.push(estimate.as_f64() / cost.as_f64());
                    }
                }
                if is_above(estimate, Some(cost)) {
                    found.overestimated += 1;
                    if nearest.is_none_or(|(least, _)| cost < least) {
                        nearest = Some((cost, id));
                    }
                }
            }
            self.look_at_moves(id, estimates, &mut found.inconsistent, &mut farthest);
        }
        found.mean = mean(values.into_iter());
        found.informed = mean(shares.into_iter());
        found.overestimate = nearest.map(|(cost, id)| Overestimated {
            state: self.state(id),
            estimate: estimates[id],
            cost,
            plan: self.plan(id),
        });
        found.inconsistency = farthest.and_then(|(_, id, number)| {
            let edge = self.graph.edge(number);
            Some(Inconsistency {
                from: self.state(id),
                before: estimates[id],
                mv: edge.mv,
                cost: edge.cost,
                to: self.state(edge.to as usize),
                after: estimates[edge.to as usize]?,
            })
        });
        found
    }

    /// Counts the moves of a state along which the estimate falls too far; `farthest` is by how
    /// much more than the cost, the state and the number of the move.
    fn look_at_moves(
        &self,
        id: usize,
        estimates: &[Option<C>],
        count: &mut u64,
        farthest: &mut Option<(f64, usize, usize)>,
    ) {
        for (number, edge) in self.graph.moves(id as StateId) {
            // Not looked at yet, or hopeless: no estimate of the state before is too high.
            let Some(&Some(after)) = estimates.get(edge.to as usize) else { continue };
            let allowed = edge.cost.plus(after);
            if is_above(estimates[id], Some(allowed)) {
                *count += 1;
                let by = estimates[id]
                    .map_or(f64::INFINITY, |before| before.as_f64() - allowed.as_f64());
                if farthest.is_none_or(|(most, ..)| by > most) {
                    *farthest = Some((by, id, number));
                }
            }
        }
    }

    fn state(&self, id: usize) -> R {
        self.graph.store.state(id as StateId)
    }
}

/// Whether an estimate is above another, by more than rounding; `None` is infinite.
fn is_above<C: Cost>(one: Option<C>, other: Option<C>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.exceeds(other),
        (None, Some(_)) => true,
        (_, None) => false,
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u64), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Digraph;

    /// 0 -> 1 -> 2 -> 3 at cost 1 each, 3 a goal; 0 -> 4 at cost 5, from where nothing goes on.
    const EDGES: [(u32, u32, i64); 4] = [(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 4, 5)];

    fn look(estimates: &[Option<i64>], states: usize) -> SurveyReport<u32, i64> {
        let mut graph = Digraph::new(&EDGES, &[3]).with_heuristic(estimates);
        let how = SurveyOptions { states, ..SurveyOptions::default() };
        survey(&mut graph, &[0], &how, &Limits::none(), None).expect("nothing fails")
    }

    #[test]
    fn a_perfect_heuristic() {
        for (states, whole) in [(100, true), (1, false)] {
            let found = look(&[Some(3), Some(2), Some(1), Some(0), None], states);
            assert_eq!((found.whole, found.states, found.moves), (whole, 5, 4));
            assert_eq!((found.goals, found.solved, found.max_cost), (1, 4, 3));
            let h = &found.heuristics[0];
            assert_eq!((h.overestimated, h.inconsistent, h.goals_above), (0, 0, 0));
            assert_eq!((h.mean, h.max, h.informed), (1.5, 3, 1.0));
        }
    }

    #[test]
    fn an_inadmissible_one_has_a_witness_nearest_to_the_goal() {
        for states in [100, 1] {
            let found = look(&[Some(9), Some(4), Some(1), Some(0), None], states);
            let h = &found.heuristics[0];
            assert_eq!(h.overestimated, 2);
            let witness = h.overestimate.as_ref().expect("there is one");
            assert_eq!((witness.state, witness.estimate, witness.cost), (1, Some(4), 2));
            assert_eq!(witness.plan, [1, 2]);
            let fall = h.inconsistency.as_ref().expect("it falls from 9 to 4");
            assert_eq!((fall.from, fall.before, fall.mv), (0, Some(9), 0));
            assert_eq!((fall.cost, fall.to, fall.after), (1, 1, 4));
            assert_eq!(h.inconsistent, 2);
        }
    }

    #[test]
    fn an_admissible_one_may_be_inconsistent() {
        let found = look(&[Some(3), Some(0), Some(1), Some(0), Some(0)], 100);
        let h = &found.heuristics[0];
        assert_eq!((h.overestimated, h.inconsistent), (0, 1));
        let fall = h.inconsistency.as_ref().expect("it falls from 3 to 0");
        assert_eq!((fall.from, fall.to, fall.before, fall.after), (0, 1, Some(3), 0));
    }

    #[test]
    fn what_is_called_hopeless_and_is_not() {
        let found = look(&[None, Some(2), Some(1), Some(1), None], 100);
        let h = &found.heuristics[0];
        assert_eq!(h.overestimated, 2);
        // The goal itself is nearest.
        let witness = h.overestimate.as_ref().expect("there is one");
        assert_eq!((witness.state, witness.estimate, witness.cost), (3, Some(1), 0));
        assert!(witness.plan.is_empty());
        assert_eq!(h.goal_above, Some((3, Some(1))));
        assert_eq!(h.inconsistency.as_ref().map(|fall| (fall.from, fall.before)), Some((0, None)));
    }

    #[test]
    fn limits_stop_it() {
        let mut graph = Digraph::new(&EDGES, &[3]);
        let limits = Limits { nodes: Some(1), ..Limits::none() };
        let found = survey(&mut graph, &[0], &SurveyOptions::default(), &limits, None);
        let found = found.expect("nothing fails");
        assert_eq!((found.whole, found.stopped), (false, Some(StopReason::Nodes)));
    }
}

//! New starts of a space that is too large to be written out: walks at random and hill climbing.
//!
//! A climb goes to the first successor that is farther from a goal, or nearer to the cost that is
//! wanted, than the state where it stands; where none is, a few times to one that is as good. Every
//! other climb begins near the best state so far. States are solved by A\*, each once.

use super::{Budget, GenerateRequest, NewStart, NewStarts, is_unique, new_start, numbers};
use crate::cost::Cost;
use crate::limits::{Limits, Observer, Options, Progress};
use crate::meter::{Halt, Meter};
use crate::plans::cheapest_plans_by_estimate;
use crate::registry::{HotEngine, search_greedily, search_hot};
use crate::report::{Claim, Outcome, Report, SearchError, StopReason};
use crate::space::{Failure, MoveId, Row, Space, StateId, StateStore};
use crate::state_graph::StateGraph;
use crate::team::Team;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant};
use zug_random::Random;

/// Moves that are tried back before it is taken that all can be undone.
const TRIED_BACK: u32 = 50;
/// Starts from which a goal is looked for.
const STARTS: usize = 20;
/// Moves of a walk away from the best state so far, at most.
const NEAR: u32 = 8;
/// Steps of a climb in a row that lead no higher.
const LEVEL: u32 = 10;

/// Time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(100);
/// The progress of a search that is about to begin.
const NOTHING_YET: Progress = Progress {
    expanded: 0,
    generated: 0,
    lower_bound: None,
    depth: 0,
    memory_bytes: 0,
    elapsed: Duration::ZERO,
};

/// A plan as A\* finds it, with its states.
type Path<R> = (Vec<MoveId>, Vec<R>);
/// What a walk looks at, and how it draws.
type Walked<'w, 'm, R, C> =
    (&'w mut StateGraph<R, C>, &'w mut dyn Space<R, C>, &'w mut Random, &'w mut Meter<'m, C>);
/// A start with its plans counted, and whether it has just one; `None` where that took too long.
type Counted<R, C> = Option<(NewStart<R, C>, bool)>;

/// States that are met and solved.
pub(super) struct Sampler<'a, 'o, R: Row, C: Cost> {
    space: &'a mut dyn Space<R, C>,
    asked: GenerateRequest<'a, R, C>,
    budget: Budget<'a>,
    observer: Option<&'a mut Observer<'o>>,
    /// When it was told last.
    told: Instant,
    limit_in: &'a dyn Fn(&Failure) -> Option<StopReason>,
    random: Random,
    graph: StateGraph<R, C>,
    /// States that were tried, with what a cheapest plan costs if one was found.
    tried: FxHashMap<StateId, Option<C>>,
    /// Those that were solved, in their order, with a plan.
    solved: Vec<(StateId, C, Path<R>)>,
    /// Those that no search solved within its limits.
    unsolved: u64,
    /// Those whose plans were counted.
    counted: FxHashMap<StateId, Counted<R, C>>,
    /// The best state so far.
    best: Option<(f64, StateId)>,
    /// How many fit, where a cost is wanted.
    hits: usize,
    from_goals: bool,
}

impl<'a, 'o, R: Row, C: Cost> Sampler<'a, 'o, R, C> {
    pub fn new(
        space: &'a mut dyn Space<R, C>,
        asked: GenerateRequest<'a, R, C>,
        budget: Budget<'a>,
        observer: Option<&'a mut Observer<'o>>,
        limit_in: &'a dyn Fn(&Failure) -> Option<StopReason>,
    ) -> Self {
        let graph = StateGraph::new();
        let random = Random::new(asked.how.seed);
        Sampler {
            space,
            asked,
            budget,
            observer,
            told: Instant::now(),
            limit_in,
            random,
            graph,
            tried: FxHashMap::default(),
            solved: Vec::new(),
            unsolved: 0,
            counted: FxHashMap::default(),
            best: None,
            hits: 0,
            from_goals: false,
        }
    }

    /// What was spent.
    pub fn into_budget(self) -> Budget<'a> {
        self.budget
    }

    /// Walks and climbs until so many states were tried as may be.
    pub fn sample(&mut self) -> Result<(), Halt> {
        let starts = self.asked.starts;
        let mut bases = self.add(starts)?;
        if self.all_undone(&bases)? {
            let goals = self.goals_of(starts)?;
            if !goals.is_empty() {
                self.from_goals = true;
                bases = self.add(&goals)?;
            }
        }
        for number in 0..self.asked.how.samples {
            if bases.is_empty() || self.is_done() {
                break;
            }
            let from = match self.best {
                Some((_, best)) if number % 2 == 1 => (vec![best], NEAR),
                _ => (bases.clone(), self.asked.how.steps),
            };
            let at = self.walk_at_random(from)?;
            self.climb(at)?;
        }
        Ok(())
    }

    /// The numbers of some states.
    fn add(&mut self, states: &[R]) -> Result<Vec<StateId>, Halt> {
        self.walk(|(graph, space, _, meter)| {
            states.iter().map(|state| graph.add(space, meter, state)).collect()
        })
    }

    fn is_done(&self) -> bool {
        let how = self.asked.how;
        self.tried.len() as u64 >= how.samples
            || (self.asked.cost.is_some() && self.hits >= how.count)
    }

    /// Does something that asks the space for moves, within what is left.
    fn walk<T>(
        &mut self,
        act: impl FnOnce(Walked<'_, '_, R, C>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let limits = self.budget.rest(u64::MAX).map_err(Halt::Stop)?;
        let mut meter = Meter::new(&limits, None);
        let done = act((&mut self.graph, self.space, &mut self.random, &mut meter));
        meter.finish();
        self.budget.stats.add(&meter.stats);
        done
    }

    /// Whether every move of some walks can be undone by a move.
    fn all_undone(&mut self, bases: &[StateId]) -> Result<bool, Halt> {
        if bases.is_empty() {
            return Ok(false);
        }
        self.walk(|(graph, space, random, meter)| {
            let mut tried = 0;
            for number in 0..TRIED_BACK {
                let mut at = bases[number as usize % bases.len()];
                let mut before = None;
                for _ in 0..TRIED_BACK / 5 {
                    let Some(to) = step(graph, space, random, meter, (before, at))? else {
                        break;
                    };
                    if !is_undone(graph, space, meter, (at, to))? {
                        return Ok(false);
                    }
                    tried += 1;
                    (before, at) = (Some(at), to);
                }
                if tried >= TRIED_BACK {
                    break;
                }
            }
            Ok(tried > 0)
        })
    }

    /// Goals that can be reached from the first of the starts, one from each where one is soon
    /// found.
    fn goals_of(&mut self, starts: &[R]) -> Result<Vec<R>, Halt> {
        let mut goals = Vec::new();
        for engine in [None, Some(HotEngine::Astar)] {
            for start in starts.iter().take(STARTS) {
                goals.extend(self.search(engine, start)?.states.pop());
            }
            if !goals.is_empty() {
                break;
            }
        }
        Ok(goals)
    }

    /// Searches from a state within the limits of one search: greedily if no engine is named.
    fn search(&mut self, engine: Option<HotEngine>, start: &R) -> Result<Report<R, C>, Halt> {
        let nodes = self.asked.how.search_nodes;
        let report = self.within(nodes, |space, limits, watch| {
            let (team, options) = (&mut Team::of(space), &Options::default());
            match engine {
                Some(engine) => search_hot(engine, team, start, options, limits, Some(watch)),
                None => search_greedily(team, start, options, limits, Some(watch)),
            }
        })?;
        self.budget.stats.add(&report.stats);
        match report.outcome {
            Outcome::Stopped(reason @ (StopReason::Time | StopReason::Cancelled)) => {
                Err(Halt::Stop(reason))
            }
            _ => Ok(report),
        }
    }

    /// Searches within what is left, with so many expansions at most.
    fn within<T>(
        &mut self,
        nodes: u64,
        search: impl FnOnce(&mut dyn Space<R, C>, &Limits, &mut Observer<'_>) -> Result<T, SearchError>,
    ) -> Result<T, Halt> {
        let limits = self.budget.rest(nodes).map_err(Halt::Stop)?;
        let is_due = self.told.elapsed() > PAUSE;
        let (budget, observer, told) = (&self.budget, &mut self.observer, &mut self.told);
        let mut watch = |progress: &Progress| {
            if let Some(observer) = observer {
                *told = Instant::now();
                observer(&budget.progress(progress));
            }
        };
        // Searches may be shorter than the time between two reports.
        if is_due {
            watch(&NOTHING_YET);
        }
        search(self.space, &limits, &mut watch).map_err(|failed| {
            self.budget.stats.add(&failed.stats);
            Halt::Fail(failed.error)
        })
    }

    /// The end of a walk of at most so many moves from one of some states.
    fn walk_at_random(&mut self, (bases, steps): (Vec<StateId>, u32)) -> Result<StateId, Halt> {
        let back = self.from_goals;
        self.walk(|(graph, space, random, meter)| {
            let mut at = bases[random.below(bases.len() as u64) as usize];
            let mut before = None;
            for _ in 0..random.below(u64::from(steps) + 1) {
                let Some(to) = step(graph, space, random, meter, (before, at))? else { break };
                // Where there is no way back another move may have one.
                if back && !is_undone(graph, space, meter, (at, to))? {
                    continue;
                }
                (before, at) = (Some(at), to);
            }
            Ok(at)
        })
    }

    /// Goes to better and better successors.
    fn climb(&mut self, mut at: StateId) -> Result<(), Halt> {
        let Some(mut height) = self.height(at)? else { return Ok(()) };
        let mut level = 0;
        while !self.is_done() {
            let mut equal = None;
            let mut better = None;
            for to in self.successors(at)? {
                if self.is_done() {
                    return Ok(());
                }
                if self.tried.contains_key(&to) {
                    continue;
                }
                match self.height(to)? {
                    Some(next) if next > height => {
                        better = Some((next, to));
                        break;
                    }
                    Some(next) if next == height => equal = Some(to),
                    _ => {}
                }
            }
            match (better, equal) {
                (Some((next, to)), _) => (height, at, level) = (next, to, 0),
                (None, Some(to)) if level < LEVEL => (at, level) = (to, level + 1),
                _ => break,
            }
        }
        Ok(())
    }

    /// The states that a climb may go to, in an order that is drawn.
    fn successors(&mut self, at: StateId) -> Result<Vec<StateId>, Halt> {
        let back = self.from_goals;
        self.walk(|(graph, space, random, meter)| {
            graph.expand(space, meter, at)?;
            let mut all: Vec<StateId> = graph.moves(at).map(|(_, edge)| edge.to).collect();
            all.sort_unstable();
            all.dedup();
            for place in (1..all.len()).rev() {
                all.swap(place, random.below(place as u64 + 1) as usize);
            }
            let mut found = Vec::with_capacity(all.len());
            for to in all {
                if to != at && (!back || is_undone(graph, space, meter, (at, to))?) {
                    found.push(to);
                }
            }
            Ok(found)
        })
    }

    /// How good a state is, if it can be solved.
    fn height(&mut self, id: StateId) -> Result<Option<f64>, Halt> {
        let Some(cost) = self.solve(id)? else { return Ok(None) };
        let height = match self.asked.cost {
            Some(wanted) => -(cost.as_f64() - wanted.as_f64()).abs(),
            None => cost.as_f64(),
        };
        if self.best.is_none_or(|(best, _)| height > best) {
            self.best = Some((height, id));
        }
        Ok(Some(height))
    }

    /// What a cheapest plan from a state costs, if a search finds one.
    fn solve(&mut self, id: StateId) -> Result<Option<C>, Halt> {
        if let Some(&known) = self.tried.get(&id) {
            return Ok(known);
        }
        let state = self.graph.store.state(id);
        let report = self.search(Some(HotEngine::Astar), &state)?;
        // Where the heuristic was seen to overestimate, there may be a cheaper plan.
        let cost = report.cost.filter(|_| report.claim != Claim::Nothing);
        self.tried.insert(id, cost);
        self.unsolved += u64::from(cost.is_none() && report.outcome != Outcome::Exhausted);
        if let Some(cost) = cost {
            self.solved.push((id, cost, (report.path, report.states)));
            if self.asked.cost.is_some() && self.asked.takes(cost) && !self.graph.is_goal(id) {
                let fits = !self.asked.how.unique || self.count(id)?.is_some_and(|found| found.1);
                self.hits += usize::from(fits);
            }
        }
        Ok(cost)
    }

    /// A state with its plans counted.
    fn count(&mut self, id: StateId) -> Result<Counted<R, C>, Halt> {
        if let Some(known) = self.counted.get(&id) {
            return Ok(known.clone());
        }
        let state = self.graph.store.state(id);
        let nodes = self.asked.how.search_nodes;
        let plans = self.within(nodes, |space, limits, watch| {
            cheapest_plans_by_estimate(space, &state, limits, Some(watch))
        })?;
        self.budget.stats.add(&plans.stats);
        if let Outcome::Stopped(reason @ (StopReason::Time | StopReason::Cancelled)) = plans.outcome
        {
            return Err(Halt::Stop(reason));
        }
        let found = match (plans.graph, plans.cost) {
            (Some(graph), Some(cost)) => {
                Some((new_start(&graph, cost, plans.count), is_unique(&graph)))
            }
            _ => None,
        };
        self.counted.insert(id, found.clone());
        Ok(found)
    }

    /// Chooses among the states that were solved. `ended`: how the walks ended.
    pub fn choose(
        &mut self,
        ended: Result<(), Halt>,
        found: &mut NewStarts<R, C>,
    ) -> Result<(), Halt> {
        let mut ended = ended.map_err(|halt| self.limit_of(halt));
        if let Err(Halt::Fail(..)) = ended {
            return ended;
        }
        self.describe(found);
        let taken: FxHashSet<StateId> =
            numbers::<R>(&mut self.graph.store, self.asked.taken).into_iter().collect();
        let solved = self.solved.iter().enumerate();
        let fitting = solved.filter(|(_, (id, cost, _))| {
            self.asked.takes(*cost) && !self.graph.is_goal(*id) && !taken.contains(id)
        });
        let fitting = fitting.map(|(at, &(_, cost, _))| (cost, at)).collect();
        for (cost, at) in self.asked.draw(fitting) {
            if found.starts.len() == self.asked.how.count {
                break;
            }
            let id = self.solved[at].0;
            let counted = match &ended {
                Ok(()) => self.count(id),
                Err(_) => Ok(self.counted.get(&id).cloned().flatten()),
            };
            let counted = counted.unwrap_or_else(|halt| {
                ended = Err(self.limit_of(halt));
                None
            });
            match counted {
                // The heuristic overestimates if the costs differ.
                Some((start, unique)) if start.cost == cost => {
                    if unique || !self.asked.how.unique {
                        found.starts.push(start);
                    }
                }
                _ if self.asked.how.unique => {}
                _ => {
                    let (path, states) = self.solved[at].2.clone();
                    let state = self.graph.store.state(id);
                    found.starts.push(NewStart { state, cost, path, states, plans: None });
                }
            }
        }
        ended
    }

    /// A limit that struck inside an operation is one like others.
    fn limit_of(&self, halt: Halt) -> Halt {
        let limit = |failed: &Failure| (self.limit_in)(failed);
        match halt {
            Halt::Fail(failed) => limit(&failed).map_or(Halt::Fail(failed), Halt::Stop),
            stop @ Halt::Stop(_) => stop,
        }
    }

    /// What is said of all states that were met.
    fn describe(&self, found: &mut NewStarts<R, C>) {
        let costs = || self.solved.iter().map(|&(_, cost, _)| cost);
        found.states = self.tried.len() as u64;
        found.solved = self.solved.len() as u64;
        found.unsolved = self.unsolved;
        found.from_goals = self.from_goals;
        found.greatest = costs().max();
        let farthest = |cost: &C| found.greatest.is_some_and(|most| !most.exceeds(*cost));
        found.at_greatest = costs().filter(farthest).count() as u64;
    }
}

/// A successor that is drawn: not the state before where there is another one.
fn step<R: Row, C: Cost>(
    graph: &mut StateGraph<R, C>,
    space: &mut dyn Space<R, C>,
    random: &mut Random,
    meter: &mut Meter<'_, C>,
    (before, at): (Option<StateId>, StateId),
) -> Result<Option<StateId>, Halt> {
    graph.expand(space, meter, at)?;
    let all: Vec<StateId> =
        graph.moves(at).map(|(_, edge)| edge.to).filter(|&to| to != at).collect();
    let onward: Vec<StateId> = all.iter().copied().filter(|&to| Some(to) != before).collect();
    let choices = if onward.is_empty() { all } else { onward };
    if choices.is_empty() {
        return Ok(None);
    }
    Ok(Some(choices[random.below(choices.len() as u64) as usize]))
}

/// Whether a move leads back.
fn is_undone<R: Row, C: Cost>(
    graph: &mut StateGraph<R, C>,
    space: &mut dyn Space<R, C>,
    meter: &mut Meter<'_, C>,
    (from, to): (StateId, StateId),
) -> Result<bool, Halt> {
    graph.expand(space, meter, to)?;
    Ok(graph.moves(to).any(|(_, edge)| edge.to == from))
}

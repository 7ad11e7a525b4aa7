//! Iterations by several threads: the subtrees behind the first moves are shared out, and what they hold is put
//! together in the order of one thread, so that the plan does not depend on how many threads there are.
//!
//! A. Reinefeld, V. Schnecke: AIDA\*, asynchronous parallel IDA\*. *Canadian Conference on Artificial
//! Intelligence*, 1994.

use super::{Goal, Iterated, NextBound, Search};
use crate::cost::Cost;
use crate::meter::{Halt, Meter, next_milestone};
use crate::path::Path;
use crate::report::{Stats, StopReason};
use crate::shards::moves_along;
use crate::space::{Refined, Row, Space, Successors};
use crate::team::Team;
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Subtrees for each thread.
const SHARE: usize = 256;
/// Subtrees for each thread that are given out between two looks at limits and estimates.
const ROUND: usize = 32;
/// Moves from the start to subtrees, at most.
const DEEPEST: usize = 64;

/// A path from the start, and whether it ends in a goal: states with their costs and estimates.
pub(super) struct Subtree<R: Row, C: Cost> {
    states: Vec<(R, C, C)>,
    is_goal: bool,
}

impl<R: Row, C: Cost> Subtree<R, C> {
    fn f(&self) -> C {
        let (_, g, h) = &self.states[self.states.len() - 1];
        g.plus(*h)
    }
}

/// What a subtree holds within a bound.
struct Searched<R: Row, C: Cost> {
    next_bound: NextBound<C>,
    cut: Option<C>,
    best: Option<Goal<R, C>>,
    stats: Stats,
}

impl<R: Row, C: Cost> Search<'_, '_, R, C> {
    /// As [`Search::iterate`], by several threads.
    pub(super) fn iterate_by_crew(
        &mut self,
        subtrees: &mut Option<Vec<Subtree<R, C>>>,
        start: &R,
        meter: &mut Meter<'_, C>,
    ) -> Result<Iterated, Halt> {
        let subtrees = match subtrees {
            Some(subtrees) => subtrees,
            None => subtrees.insert(self.subtrees(SHARE * self.team.threads(), meter)?),
        };
        // No solution may be dearer than this, and none is wanted behind this subtree.
        let (dearest, last) = (Mutex::new(None), AtomicUsize::new(usize::MAX));
        let mut best: Option<Goal<R, C>> = None;
        let (mut from, lower) = (0, self.lower);
        for round in subtrees.chunks(ROUND * self.team.threads()) {
            let within = (self.lower, self.bound, self.next_bound.keep, self.path.prunes());
            let (expanded, counted) = (AtomicU64::new(0), meter.stats);
            // Who expands more than that has met the limit.
            let apart = meter.apart(meter.expansions_left().saturating_add(1));
            let work = |space: &mut dyn Space<R, C>, number: usize| {
                let most = *dearest.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                if from + number > last.load(Relaxed) {
                    return Ok(None);
                }
                let (mut meter, words) = (apart.meter(), space.words());
                let searched = searched(space, &round[number], (within, most), &mut meter)?;
                expanded.fetch_add(searched.stats.expanded, Relaxed);
                // What a copy that went astray found is not taken.
                if let Some(goal) = &searched.best
                    && space.words() == words
                {
                    let mut dearest =
                        dearest.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    *dearest = Some(dearest.map_or(goal.cost(), |cost| goal.cost().min(cost)));
                    if goal.cost() <= lower {
                        last.fetch_min(from + number, Relaxed);
                    }
                }
                Ok(Some(searched))
            };
            let before = meter.stats.expanded;
            let poll = || {
                meter.stats.expanded = before + expanded.load(Relaxed);
                meter.poll()
            };
            let found = self.team.map(round.len(), work, poll);
            meter.stats = counted;
            for searched in found?.into_iter().flatten() {
                let left = meter.expansions_left();
                if searched.stats.expanded > left {
                    // One thread would have come to its end in here.
                    meter.stats.expanded += left;
                    self.take(best, meter)?;
                    return Err(Halt::Stop(StopReason::Nodes));
                }
                meter.stats.add(&searched.stats);
                self.next_bound.join(searched.next_bound);
                let cut = self.cut.into_iter().chain(searched.cut).min();
                self.cut = cut;
                let is_better =
                    |goal: &Goal<R, C>| best.as_ref().is_none_or(|best| goal.cost() < best.cost());
                if let Some(goal) = searched.best.filter(is_better) {
                    let is_least = goal.cost() <= lower;
                    best = Some(goal);
                    if is_least {
                        break;
                    }
                }
            }
            if best.as_ref().is_some_and(|best| best.cost() <= lower) {
                break;
            }
            from += round.len();
            if next_milestone(before) <= meter.stats.expanded {
                match self.refine(start, meter)? {
                    Refined::Same => {}
                    Refined::More => return Ok(Iterated::Refined),
                    Refined::NoPlan => return Ok(Iterated::NoPlan),
                }
            }
        }
        self.take(best, meter)?;
        Ok(Iterated::Whole)
    }

    /// Takes a goal for the best one of this iteration.
    fn take(&mut self, best: Option<Goal<R, C>>, meter: &mut Meter<'_, C>) -> Result<(), Halt> {
        if let Some(mut best) = best {
            best.moves = moves_along(self.team.main, (&best.states, &best.costs), meter)?;
            self.best = Some(best);
        }
        Ok(())
    }

    /// The subtrees behind the first moves, in the order of a search by one thread, so many within the bound if there
    /// are.
    fn subtrees(
        &mut self,
        wanted: usize,
        meter: &mut Meter<'_, C>,
    ) -> Result<Vec<Subtree<R, C>>, Halt> {
        let root = (self.path.last().clone(), C::ZERO, self.path.estimate());
        let mut subtrees = vec![Subtree { states: vec![root], is_goal: false }];
        let depth_limit = meter.depth_limit as usize;
        for depth in 0..DEEPEST.min(depth_limit) {
            let bound = self.bound;
            let within = |tree: &&Subtree<R, C>| tree.f() <= bound && !tree.is_goal;
            if subtrees.iter().filter(within).count() >= wanted {
                break;
            }
            let mut next = Vec::new();
            let mut known: FxHashMap<R, C> = FxHashMap::default();
            for tree in subtrees {
                if tree.states.len() <= depth || !within(&&tree) {
                    next.push(tree);
                } else {
                    self.grow(&tree, &mut known, &mut next, meter)?;
                }
            }
            subtrees = next;
        }
        Ok(subtrees)
    }

    /// The subtrees one move behind another, without those of a state that was met by a path as cheap.
    fn grow(
        &mut self,
        tree: &Subtree<R, C>,
        known: &mut FxHashMap<R, C>,
        next: &mut Vec<Subtree<R, C>>,
        meter: &mut Meter<'_, C>,
    ) -> Result<(), Halt> {
        let mut out = Successors::default();
        let (from, g, h) = tree.states[tree.states.len() - 1].clone();
        meter.admit(tree.states.len() as u32 - 1, 0)?;
        meter.generate(self.team.main, &from, &mut out)?;
        meter.stats.generated += out.len() as u64;
        for (head, state) in out.drain() {
            let g = g.plus(head.cost);
            if tree.states.iter().any(|(before, ..)| *before == state)
                || known.get(&state).is_some_and(|&cost| cost <= g)
            {
                continue;
            }
            known.insert(state.clone(), g);
            let Some(h) = meter.estimate(self.team.main, &state, Some((&from, h)))? else {
                continue;
            };
            let is_goal = meter.goal(self.team.main, &state)?;
            let mut states = tree.states.clone();
            states.push((state, g, h));
            next.push(Subtree { states, is_goal });
        }
        Ok(())
    }
}

/// The lower bound, the bound, how many values of f beyond it are kept, and whether moves that commute are looked for.
type Within<C> = (C, C, usize, bool);

/// Searches a subtree within a bound, of which no solution may be dearer than `most`.
fn searched<R: Row, C: Cost>(
    space: &mut dyn Space<R, C>,
    subtree: &Subtree<R, C>,
    ((lower, bound, keep, prunes), most): (Within<C>, Option<C>),
    meter: &mut Meter<'_, C>,
) -> Result<Searched<R, C>, Halt> {
    let mut next_bound = NextBound::new(keep);
    let nothing =
        |next_bound| Ok(Searched { next_bound, cut: None, best: None, stats: Stats::default() });
    let f = subtree.f();
    if f > bound {
        next_bound.add(f);
        return nothing(next_bound);
    }
    if most.is_some_and(|most| f > most) {
        return nothing(next_bound);
    }
    let path = Path::along_states(&subtree.states, prunes);
    if subtree.is_goal {
        let best = Some(Goal::of(&path));
        return Ok(Searched { next_bound, cut: None, best, stats: Stats::default() });
    }
    if path.depth() >= meter.depth_limit {
        let stats = Stats::default();
        return Ok(Searched { next_bound, cut: Some(f), best: None, stats });
    }
    let (cut, best) = (None, None);
    let start = subtree.states[0].0.clone();
    let refines = false;
    let team = &mut Team::of(space);
    let mut search = Search { team, path, lower, bound, next_bound, cut, best, most, refines };
    match search.iterate(&start, meter) {
        // So many expansions say it.
        Ok(_) | Err(Halt::Stop(StopReason::Nodes)) => {}
        Err(halt) => return Err(halt),
    }
    search.path.settle(meter);
    let Search { next_bound, cut, best, .. } = search;
    Ok(Searched { next_bound, cut, best, stats: meter.stats })
}

//! Plans that cost least, or have the fewest moves.

use super::meeting::{facts, joined, must_be_askable};
use super::shard::{RuleFailure, RuleShard};
use super::work::{Workers, apart, reason, reporting_to, with_room};
use super::{Cluster, ClusterFailure, refused};
use crate::claim::add_verdict;
use crate::contract::{Contract, Heuristic, indicator};
use crate::error::{RuleError, Violation};
use crate::problem::RuleProblem;
use crate::run::{Task, nested, nothing, packed_length};
use crate::{Fixed, Packed, PackedState};
use std::time::Instant;
use zug_cluster::{CheapestPath, Group, PathShard, Shard, cheapest};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{Claim, Solution};
use zug_search::{Engine, Limits, Observer, Outcome, Space, Stats, cheapest_steps};
use zug_state::Number;
use zug_term::Record;

impl<S: PackedState> PathShard for RuleShard<RuleProblem<'_, i64, S>> {
    fn is_goal(&mut self, state: &S) -> Result<bool, RuleFailure> {
        RuleProblem::is_goal(&mut self.problem, state).map_err(|error| self.failure(error, state))
    }

    fn estimate(&mut self, state: &S) -> Result<Option<u64>, RuleFailure> {
        if !self.manner.is_informed {
            return Ok(Some(0));
        }
        let estimate = self.problem.heuristic(state);
        let estimate = estimate.map_err(|error| self.failure(error, state))?;
        Ok(estimate.map(i64::unsigned_abs))
    }

    fn moves(&mut self, state: &S, out: &mut Vec<(u64, S)>) -> Result<(), RuleFailure> {
        self.out.clear();
        if let Err(error) = RuleProblem::successors(&mut self.problem, state, &mut self.out) {
            return Err(self.failure(error, state));
        }
        let by_moves = self.manner.by_moves;
        out.extend(
            self.out
                .drain()
                .map(|(head, row)| (if by_moves { 1 } else { head.cost.unsigned_abs() }, row)),
        );
        Ok(())
    }
}

/// Finds a plan by several workers: a cheapest one, or, by `bfs`, one of fewest moves. All processes come to the same
/// cost.
///
/// # Errors
/// See [`ClusterFailure`].
pub fn find_on_cluster(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    task: &Task,
    start: &Record,
    cluster: &Cluster<'_>,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<Solution<Record>, ClusterFailure> {
    // Nobody asked for estimates that are derived.
    let (engine, heuristic) = match (task.engine, task.heuristic) {
        (Engine::Astar, Some(Heuristic::DerivedInTime)) => (Engine::Ucs, None),
        chosen => chosen,
    };
    if !matches!(engine, Engine::Astar | Engine::Ucs | Engine::Bfs) {
        return refused("several workers search by astar, ucs or bfs");
    }
    if !matches!(heuristic, None | Some(Heuristic::Plain | Heuristic::Named(_))) {
        return refused(
            "several workers have the rules' own heuristics, and none that are derived",
        );
    }
    if task.options.symmetry {
        return refused("several workers count every state for itself: --symmetry is for one");
    }
    if cluster.disk.is_some() {
        return refused(
            "nothing is kept of a search for a plan: --disk is for `zug enumerate` and for games",
        );
    }
    must_be_askable(m, w, contract, cluster)?;
    let limits = &Limits { threads: Some(cluster.workers), ..task.limits.clone() };
    let length = packed_length(m, w, contract, start);
    let name = heuristic.map(|heuristic| heuristic.name(&m.symbols)).unwrap_or_default();
    let aim = format!("a plan by {} {name}", engine.info().name);
    let facts = facts(m, w, (None, start), aim.trim_end(), cluster);
    let find = |length: usize| {
        let group = (cluster, joined(m, limits, &facts, cluster)?);
        let (task, observer) = ((engine, heuristic, limits), observer.as_deref_mut());
        match length {
            0..16 => find_as::<Fixed<16>>(m, w, contract, task, start, group, observer),
            16..24 => find_as::<Fixed<24>>(m, w, contract, task, start, group, observer),
            _ => find_as::<Packed>(m, w, contract, task, start, group, observer),
        }?
    };
    match with_room(length, find) {
        Err(ClusterFailure::Rule(error))
            if matches!(error.violation, Violation::Beyond | Violation::Fraction) =>
        {
            refused("several workers count costs in whole numbers of 64 bits, and these are others")
        }
        Ok(mut found) => {
            add_verdict(m, w, contract, &mut found);
            Ok(found)
        }
        found => found,
    }
}

fn find_as<S: PackedState>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (engine, heuristic, limits): (Engine, Option<Heuristic>, &Limits),
    start: &Record,
    (cluster, group): (&Cluster<'_>, Group),
    observer: Option<&mut Observer<'_>>,
) -> Result<Result<Solution<Record>, ClusterFailure>, Box<RuleError>> {
    let began = Instant::now();
    let mut found = nothing(m, (engine, heuristic), start);
    nested(m, w, limits, |m, w, limits| {
        let mut room = Vec::new();
        let mut problem = RuleProblem::<i64, S>::resumed(m, w, contract, heuristic, true, start)?;
        problem.make_copies(&mut room, contract, heuristic, limits)?;
        let start = problem.pack(start)?;
        let mut workers = match Workers::of(problem, &start, limits, Vec::new(), cluster) {
            Ok(workers) => workers,
            Err(failure) => return Ok(Err(failure)),
        };
        let manner = &mut workers.main.manner;
        (manner.is_informed, manner.by_moves) = (heuristic.is_some(), engine == Engine::Bfs);
        let bounds = workers.work.bounds.clone();
        let report = reporting_to(observer, began);
        let searched = workers.search((cluster, group), report, |peers, shard, _, observe| {
            cheapest(peers, shard, &start, &bounds, observe)
        });
        let path = match searched {
            Ok((path, _)) => path,
            Err(failure) => return Ok(Err(apart(failure)?)),
        };
        tell(&mut workers.main, &path, &mut found)?;
        let problem = workers.main.problem;
        found.code = problem.code_use();
        found.stats.elapsed = began.elapsed();
        problem.keep();
        Ok(Ok(found))
    })
}

/// Tells what was found, with the moves of the plan made again by the rules.
fn tell<S: PackedState>(
    shard: &mut RuleShard<RuleProblem<'_, i64, S>>,
    path: &CheapestPath,
    found: &mut Solution<Record>,
) -> Result<(), Box<RuleError>> {
    let (is_informed, by_moves) = (shard.manner.is_informed, shard.manner.by_moves);
    let states: Vec<S> = path.states.iter().filter_map(|bytes| shard.read(bytes)).collect();
    let problem = &mut shard.problem;
    found.stats = Stats {
        expanded: path.expanded,
        generated: path.generated,
        evaluated: if is_informed { path.evaluated } else { 0 },
        dead_ends: path.dead_ends,
        reopened: path.reopened,
        max_depth: path.max_depth as u32,
        iterations: 1,
        peak_memory_bytes: path.peak_bytes,
        ..Stats::default()
    };
    found.ending.outcome = match (path.cost, path.stopped) {
        (Some(_), _) => Outcome::Solved,
        (None, Some(stop)) => Outcome::Stopped(reason(stop)),
        (None, None) => Outcome::Exhausted,
    };
    found.ending.claim = match (found.ending.outcome, is_informed) {
        (Outcome::Stopped(_), _) => Claim::Nothing,
        (_, true) => Claim::IfAdmissible,
        (_, false) => Claim::Proved,
    };
    if path.cost.is_some() {
        let mut moves = Vec::new();
        for step in cheapest_steps(problem, &states)? {
            let broken = || RuleError::new(Violation::Replay(moves.len()), indicator::RULE);
            moves.push(step.ok_or_else(broken)?.mv);
        }
        let (cost, _) = problem.replay(&moves, &states)?;
        if by_moves {
            // Of fewest moves, and a cheapest one if none of them can cost less.
            let least = problem.least_move_cost().saturating_mul(moves.len() as i64);
            let is_least = Number::Int(least).as_f64() >= cost.as_f64();
            found.ending.claim = if is_least { Claim::Proved } else { Claim::Nothing };
        }
        found.cost = Some(cost.into());
        found.path = Some(moves.iter().map(|&mv| problem.move_term(mv)).collect());
        found.states = states.iter().map(|state| problem.unpack(state.bytes())).collect();
    }
    if !by_moves {
        let bound = path.cost.map_or(path.lower_bound, |cost| cost.min(path.lower_bound));
        found.lower_bound = Some(Number::Int(i64::try_from(bound).unwrap_or(i64::MAX)).into());
    }
    Ok(())
}

//! The value of a game, and best play.

use super::meeting::{facts, joined, must_be_askable};
use super::shard::{RuleFailure, RuleShard};
use super::work::{Workers, reason, reporting, words_of};
use super::{Cluster, ClusterFailure, refused};
use crate::Packed;
use crate::contract::{Contract, indicator};
use crate::error::{RuleError, Violation};
use crate::game::{
    CHANCE_MOVES, GameSpace, GameTask, GameValue, NOT_BALANCED, Table, WorkersFound, with_game_for,
};
use std::time::Instant;
use zug_cluster::{Fact, GameShard, Group, Shard, SolvedGame, retrograde};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::GameSolution;
use zug_search::Limits;
use zug_search::game::{
    Game, GameEngine, GameObserver, GameProgress, GameStats, LONGEST_LINE, Value,
};
use zug_term::Record;

impl GameShard for RuleShard<GameSpace<'_>> {
    type Value = GameValue;

    fn nothing() -> GameValue {
        GameValue::ZERO
    }

    fn mover(&self, state: &Packed) -> u8 {
        self.problem.0.valued_for(state)
    }

    fn worth(&mut self, end: &Packed) -> Result<GameValue, RuleFailure> {
        self.problem.worth(end).map_err(|error| self.failure(error, end))
    }

    fn write_value(value: &GameValue, out: &mut Vec<u8>) {
        value.write(out);
    }

    fn read_value(bytes: &[u8]) -> Option<GameValue> {
        GameValue::read(bytes)
    }
}

/// Solves a game by several workers; layers are kept if there is a folder for them. All processes come to the same, which
/// is what `solve_game` finds.
///
/// # Errors
/// See [`ClusterFailure`].
pub fn solve_on_cluster(
    m: &mut Machine,
    w: &mut World,
    task: &GameTask,
    (player, state): (Option<&Record>, &Record),
    cluster: &Cluster<'_>,
    observer: Option<&mut GameObserver<'_>>,
) -> Result<GameSolution<Record>, ClusterFailure> {
    if task.engine != GameEngine::SolveGame {
        return refused("several workers solve games by solve_game");
    }
    if task.symmetry {
        return refused(
            "several workers know symmetries by symmetry/2 alone: --symmetry is for one",
        );
    }
    if task.storage.compact {
        return refused("several workers keep positions with their moves: --compact is for one");
    }
    must_be_askable(m, w, &Contract::of(m), cluster)?;
    // Plays are followed to their ends.
    let limits = Limits { threads: Some(cluster.workers), depth: None, ..task.limits.clone() };
    let task = &GameTask { limits, ..task.clone() };
    let facts = facts(m, w, (player, state), "the value of a game", cluster);
    let group = joined(m, &task.limits, &facts, cluster)?;
    let found = with_game_for(m, w, task, |table| {
        let start = table.position(player, state)?;
        match table.begin_for_workers() {
            Ok(None) => {}
            Ok(Some(why)) => return Ok(refused(why)),
            Err(error) => return table.stopped_for_workers(&start, error).map(Ok),
        }
        let before = table.game.counts();
        let found = solve(table, &start, (cluster, group, facts), observer);
        table.end_for_workers();
        match found {
            Ok(found) => Ok(Ok(table.found_by_workers(&start, found, &before))),
            Err(ClusterFailure::Rule(error)) => table.stopped_for_workers(&start, error).map(Ok),
            Err(failure) => Ok(Err(failure)),
        }
    });
    let found = found.map_err(ClusterFailure::Rule).and_then(|found| found);
    match found {
        Err(failure) => match words_of(&failure) {
            Some(why @ (CHANCE_MOVES | NOT_BALANCED)) => refused(why),
            _ => Err(failure),
        },
        found => found,
    }
}

/// Has the workers solve the game on a table.
fn solve(
    table: &mut Table<'_>,
    start: &Packed,
    (cluster, group, facts): (&Cluster<'_>, Group, Vec<Fact>),
    mut observer: Option<&mut GameObserver<'_>>,
) -> Result<WorkersFound, ClusterFailure> {
    let (began, limits) = (Instant::now(), table.limits.clone());
    let space = GameSpace::of(&mut table.game);
    let mut workers = Workers::of(space, start, &limits, facts, cluster)?;
    let bounds = workers.work.bounds.clone();
    let report = reporting(began, |progress, elapsed| {
        if let Some(observer) = &mut observer {
            observer(&GameProgress {
                nodes: progress.expanded,
                states: progress.expanded.saturating_sub(progress.terminal),
                depth: None,
                memory_bytes: progress.bytes,
                elapsed,
            });
        }
    });
    let (found, _) = workers.search((cluster, group), report, |peers, shard, kept, observe| {
        retrograde(peers, shard, start, &bounds, kept, LONGEST_LINE, observe)
    })?;
    let line = moves(&mut workers.main, start, &found)?;
    let SolvedGame { value, distance, ends, layers, .. } = found;
    let stats = GameStats {
        nodes: layers.expanded,
        states: layers.expanded.saturating_sub(layers.terminal),
        iterations: 1,
        elapsed: began.elapsed(),
        peak_memory_bytes: layers.peak_bytes,
        ..GameStats::default()
    };
    let stopped = layers.stopped.map(reason);
    Ok(WorkersFound { value, distance, line, ends, stopped, stats })
}

/// The moves of best play, made by the rules from the start: each the first one that leads to the next position of the
/// line, or to one that counts as the same.
fn moves(
    shard: &mut RuleShard<GameSpace<'_>>,
    start: &Packed,
    found: &SolvedGame<GameValue>,
) -> Result<Vec<zug_search::StateId>, Box<RuleError>> {
    let (mut line, mut at) = (Vec::new(), start.clone());
    for wanted in found.line.iter().skip(1) {
        let wanted = shard.read(wanted);
        let mut all = Vec::new();
        shard.problem.0.moves(&at, &mut all)?;
        let mut next = None;
        for (mv, to) in all {
            let standing = shard.problem.0.canonical(&to)?;
            if Some(shard.standing_for(standing)?) == wanted {
                next = Some((mv, to));
                break;
            }
        }
        let Some((mv, to)) = next else {
            // Where states count as one that have other moves, nobody knows better.
            if shard.problem.0.has_symmetry() {
                break;
            }
            return Err(RuleError::new(Violation::Replay(line.len()), indicator::MOVE_4));
        };
        line.push(mv);
        at = to;
    }
    Ok(line)
}

//! All states that can be reached.

use super::meeting::{facts, joined, must_be_askable};
use super::shard::Worded;
use super::work::{Workers, apart, reason, reporting_to, with_room};
use super::{Cluster, ClusterFailure};
use crate::contract::{Contract, DomainKind};
use crate::error::RuleError;
use crate::game::{GameSpace, initial_player, with_plain_game};
use crate::problem::RuleProblem;
use crate::run::{Enumeration, explored, nested, packed_length};
use crate::{Fixed, Packed, PackedState};
use std::time::Instant;
use zug_cluster::{Fact, Group, Layers, Shard, breadth_first};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{Limits, Observer, Reachable, Stats};
use zug_term::Record;

/// How an enumeration ends: errors in rules apart.
type Found = Result<Result<Enumeration, ClusterFailure>, Box<RuleError>>;

/// The workers, and what is kept in their files.
type Wanted<'c> = (&'c Cluster<'c>, Group, Vec<Fact>);

/// Visits every state that can be reached from one, by several workers, and goes on where an earlier run ended if
/// layers are kept. All processes come to the same.
///
/// # Errors
/// See [`ClusterFailure`].
pub fn explore_on_cluster(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    start: &Record,
    cluster: &Cluster<'_>,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<Enumeration, ClusterFailure> {
    let is_game = contract.kind() == DomainKind::Game;
    must_be_askable(m, w, contract, cluster)?;
    let player = if is_game { initial_player(m, w)? } else { None };
    let length = if is_game { 0 } else { packed_length(m, w, contract, start) };
    let limits = &Limits { threads: Some(cluster.workers), ..limits.clone() };
    let from = (player.as_ref(), start);
    let facts = facts(m, w, from, "all states", cluster);
    with_room(length, |length| {
        let observer = observer.as_deref_mut();
        let group = joined(m, limits, &facts, cluster)?;
        let wanted = (cluster, group, facts.clone());
        match length {
            _ if is_game => game(m, w, limits, from, wanted, observer),
            0..16 => puzzle::<Fixed<16>>(m, w, contract, limits, start, wanted, observer),
            16..24 => puzzle::<Fixed<24>>(m, w, contract, limits, start, wanted, observer),
            _ => puzzle::<Packed>(m, w, contract, limits, start, wanted, observer),
        }?
    })
}

fn puzzle<S: PackedState>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    limits: &Limits,
    start: &Record,
    wanted: Wanted<'_>,
    observer: Option<&mut Observer<'_>>,
) -> Found {
    nested(m, w, limits, |m, w, limits| {
        let mut room = Vec::new();
        let mut problem =
            RuleProblem::<i64, S>::resumed(m, w, contract, None, false, start)?.without_costs();
        problem.make_copies(&mut room, contract, None, limits)?;
        let start = problem.pack(start)?;
        Ok(match visit(problem, &start, limits, wanted, observer) {
            Ok((found, problem)) => {
                problem.keep();
                Ok(found)
            }
            Err(failure) => Err(apart(failure)?),
        })
    })
}

fn game(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    (player, start): (Option<&Record>, &Record),
    wanted: Wanted<'_>,
    observer: Option<&mut Observer<'_>>,
) -> Found {
    with_plain_game(m, w, limits, |table| {
        let start = table.position(player, start)?;
        let limits = table.limits.clone();
        let space = GameSpace::of(&mut table.game);
        match visit(space, &start, &limits, wanted, observer) {
            Ok((found, _)) => Ok(Ok(found)),
            Err(failure) => Ok(Err(apart(failure)?)),
        }
    })
}

/// Visits all states of a problem, which is handed back.
fn visit<P: Worded>(
    problem: P,
    start: &P::Row,
    limits: &Limits,
    (cluster, group, facts): Wanted<'_>,
    observer: Option<&mut Observer<'_>>,
) -> Result<(Enumeration, P), ClusterFailure> {
    let began = Instant::now();
    let mut workers = Workers::of(problem, start, limits, facts, cluster)?;
    let bounds = workers.work.bounds.clone();
    let report = reporting_to(observer, began);
    let (layers, bytes) =
        workers.search((cluster, group), report, |peers, shard, kept, observe| {
            breadth_first(peers, shard, start, &bounds, kept, observe)
        })?;
    let mut shard = workers.main;
    let on_disk = cluster.disk.is_some().then_some(bytes);
    let space = space(layers, (on_disk, began), |bytes| shard.read(bytes));
    let code = shard.problem.code_use();
    let found = explored(space, code, |state| shard.problem.term(state));
    Ok((found, shard.problem))
}

/// What was found, with the deepest states as they are read.
fn space<S>(
    layers: Layers,
    (on_disk, began): (Option<u64>, Instant),
    read: impl FnMut(&Vec<u8>) -> Option<S>,
) -> Reachable<S> {
    let stats = Stats {
        expanded: layers.expanded,
        generated: layers.generated,
        peak_open: layers.by_depth.iter().copied().max().unwrap_or(0),
        max_depth: layers.by_depth.len().saturating_sub(1) as u32,
        iterations: 1,
        elapsed: began.elapsed(),
        peak_memory_bytes: layers.peak_bytes,
        ..Stats::default()
    };
    Reachable {
        deepest: layers.deepest.iter().filter_map(read).collect(),
        by_depth: layers.by_depth,
        terminal: layers.terminal,
        stopped: layers.stopped.map(reason),
        numbered: None,
        on_disk,
        stats,
    }
}

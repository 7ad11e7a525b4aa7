//! The processes of a run: what they must have alike, and the words that all of them make before they begin.

use super::shard::Worded;
use super::{Cluster, ClusterFailure};
use crate::bases::fingerprint;
use crate::canonical_text;
use crate::claim::impurity;
use crate::contract::Contract;
use crate::purity::{ImpurePredicate, impurities};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use zug_cluster::{Fact, Group, Links, Waiting};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{Limits, Row, StateStore, Successors};
use zug_term::Record;

/// States that are expanded before the workers begin, for words that all of them have.
const FIRST: usize = 1 << 12;

/// # Errors
/// Answers of the rules may depend on more than the state, and there are several workers.
pub(super) fn must_be_askable(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    cluster: &Cluster<'_>,
) -> Result<(), ClusterFailure> {
    if !cluster.is_shared() {
        return Ok(());
    }
    let why = match impurity(m, w, contract, None) {
        Some(condition) => format!("only if {condition} could they find the same"),
        None if !impurities(m, w, contract.kind()).iter().any(ImpurePredicate::matters) => {
            return Ok(());
        }
        None => "their answers may depend on more than the state".to_owned(),
    };
    Err(ClusterFailure::Refused(format!("several workers can't ask these rules: {why}")))
}

/// What all processes must have alike, and what is in their files: the start, and what is looked for from there.
pub(super) fn facts(
    m: &mut Machine,
    w: &mut World,
    (player, start): (Option<&Record>, &Record),
    aim: &str,
    cluster: &Cluster<'_>,
) -> Vec<Fact> {
    let mut text = canonical_text(m, w, start);
    if let Some(player) = player {
        text = format!("{text}, {} to move", canonical_text(m, w, player));
    }
    let processes = cluster.hosts.as_ref().map_or(1, |(hosts, _)| hosts.count());
    vec![
        Fact::new("the fingerprint of the rules", fingerprint(m, w)),
        Fact::new("the start", text),
        Fact::new("the aim", aim),
        Fact::new("the number of processes", processes.to_string()),
        Fact::new("the number of workers of a process", cluster.workers.to_string()),
    ]
}

/// The processes of a run, connected.
///
/// # Errors
/// They don't come together, or have not all alike.
pub(super) fn joined(
    m: &Machine,
    limits: &Limits,
    facts: &[Fact],
    cluster: &Cluster<'_>,
) -> Result<Group, ClusterFailure> {
    let cancel = limits.cancel.clone().or_else(|| Some(m.interrupt.clone()));
    let Some((hosts, process)) = &cluster.hosts else { return Ok(Group::cancelled_by(cancel)) };
    let mut all = vec![Fact::new("the version of zug", env!("CARGO_PKG_VERSION"))];
    all.extend_from_slice(facts);
    let limit = |limit: Option<u64>| limit.map_or("none".to_owned(), |limit| limit.to_string());
    all.push(Fact::new("the limit of depth", limit(limits.depth.map(u64::from))));
    all.push(Fact::new("the limit of nodes", limit(limits.nodes)));
    let is_kept = if cluster.disk.is_some() { "given" } else { "not given" };
    all.push(Fact::new("whether --disk", is_kept));
    let waiting = Waiting { time: cluster.wait, cancel, notice: cluster.notice };
    let links = Links::connect(hosts, *process, &all, &waiting);
    Ok(Group::of(links.map_err(ClusterFailure::Cluster)?))
}

/// Expands the first states, for their words, if there are several workers. What fails there is met again.
pub(super) fn meet_first<P: Worded>(
    problem: &mut P,
    start: &P::Row,
    cluster: &Cluster<'_>,
    cancel: Option<&AtomicBool>,
) {
    if !cluster.is_shared() {
        return;
    }
    let mut store = <P::Row as Row>::Store::default();
    let mut out = Successors::default();
    store.intern(start);
    for number in 0..FIRST {
        if number >= store.len() || cancel.is_some_and(|cancel| cancel.load(SeqCst)) {
            return;
        }
        let state = store.state(number as u32);
        out.clear();
        if Worded::successors(problem, &state, &mut out).is_err() {
            return;
        }
        out.rows.iter().for_each(|row| {
            store.intern(row);
        });
    }
}

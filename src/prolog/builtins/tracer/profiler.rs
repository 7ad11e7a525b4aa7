//! The report of a profile: calls and inferences by predicate, and their stacks.

use super::super::{Entry, World};
use super::{Report, install, print};
use serde::Serialize;
use std::time::{Duration, Instant};
use zug_machine::profile::{Profile, StackPlace};
use zug_machine::{Machine, Outcome, PredId};
use zug_term::Cell;

/// The steps of `profile/1`.
pub const TABLE: &[Entry] =
    &[Entry::session("$profile_begin", 1, begin_step), Entry::session("$profile_end", 0, end_step)];

/// A predicate in a profile.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfileRow {
    /// Name and arity.
    pub predicate: String,
    /// File and line of its first clause; none for built-ins and the library.
    pub place: Option<String>,
    /// How often it was called: exact.
    pub calls: u64,
    /// Inferences of its own and of what it called that has no row, by the samples.
    pub inferences: u64,
    /// Inferences while it waited for an answer, its own included.
    pub total: u64,
    /// Time by the clock that went with the inferences of its own, in seconds.
    pub seconds: f64,
}

/// A place in the tree of stacks: a predicate called from another place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfilePlace {
    /// Name and arity; empty for the bottom of all stacks.
    pub predicate: String,
    /// Index of the place it was called from; its own for the bottom.
    pub parent: u32,
    /// Inferences while it was on top.
    pub inferences: u64,
}

/// A profile of a goal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfileReport {
    /// All inferences.
    pub inferences: u64,
    /// Processor time, in seconds.
    pub cpu_seconds: f64,
    /// Time by the clock, in seconds.
    pub seconds: f64,
    /// Inferences between two samples, in the end.
    pub every: u32,
    /// Samples taken.
    pub samples: u64,
    /// Questions of engines that code made from the rules answered: no part of the profile.
    pub by_code: u64,
    /// The predicates, by their own inferences, then by name.
    pub predicates: Vec<ProfileRow>,
    /// The tree of stacks, the bottom first.
    pub stacks: Vec<ProfilePlace>,
}

/// The state at the start of a profile.
#[derive(Debug)]
pub struct ProfileStart {
    inferences: u64,
    cpu: f64,
    wall: Instant,
    outside: u64,
}

/// Begins a profile with a sample every N inferences, or ever more rarely; false if
/// one is being made.
pub fn begin(m: &mut Machine, w: &mut World, every: Option<u32>) -> bool {
    if w.tracer.profiling.is_some() {
        return false;
    }
    w.tracer.profiling = Some(ProfileStart {
        inferences: m.inferences(),
        cpu: m.arithmetic.clock.cpu_seconds(),
        wall: Instant::now(),
        outside: outside(w),
    });
    install(m, w);
    m.begin_profile(every);
    true
}

/// Questions that were answered without the machine so far.
fn outside(w: &World) -> u64 {
    w.extensions.iter().filter_map(|extension| extension.outside).map(|count| count(w)).sum()
}

/// Ends the profile, if one is being made: it becomes a report.
pub fn end(m: &mut Machine, w: &mut World) {
    let Some(began) = w.tracer.profiling.take() else { return };
    let profile = m.end_profile();
    install(m, w);
    let Some(profile) = profile else { return };
    let by_code = outside(w).saturating_sub(began.outside);
    let report = ProfileReport {
        inferences: m.inferences().saturating_sub(began.inferences),
        cpu_seconds: m.arithmetic.clock.cpu_seconds() - began.cpu,
        seconds: began.wall.elapsed().as_secs_f64(),
        every: profile.every,
        samples: profile.samples,
        by_code,
        predicates: rows(m, w, &profile),
        stacks: stacks(m, &profile.places),
    };
    w.tracer.reports.push(Report::Profile(report));
}

fn rows(m: &Machine, w: &World, profile: &Profile) -> Vec<ProfileRow> {
    // Children stand behind their parents, so one walk from the end sums the branches.
    let mut sums: Vec<u64> = profile.places.iter().map(|place| place.inferences).collect();
    let most = profile.places.iter().filter_map(|place| place.pred).max().map_or(0, |id| id + 1);
    let size = profile.calls.len().max(most as usize);
    let (mut own, mut total) = (vec![0u64; size], vec![0u64; size]);
    let mut time = vec![Duration::ZERO; size];
    for (at, place) in profile.places.iter().enumerate().rev() {
        let Some(pred) = place.pred else { continue };
        own[pred as usize] += place.inferences;
        time[pred as usize] += place.time;
        // No predicate stands twice in a stack.
        total[pred as usize] += sums[at];
        sums[place.parent as usize] += sums[at];
    }
    let mut rows: Vec<ProfileRow> = (0..size)
        .map(|at| (at, profile.calls.get(at).copied().unwrap_or(0)))
        .filter(|&(at, calls)| calls > 0 || total[at] > 0)
        .map(|(at, calls)| ProfileRow {
            predicate: m.program.indicator(at as PredId, &m.symbols),
            place: place(m, w, at as PredId),
            calls,
            inferences: own[at],
            total: total[at],
            seconds: time[at].as_secs_f64(),
        })
        .collect();
    rows.sort_by(|a, b| {
        let key = |row: &ProfileRow| (row.inferences, row.total, row.calls);
        key(b).cmp(&key(a)).then_with(|| a.predicate.cmp(&b.predicate))
    });
    rows
}

/// Where the first clause of a predicate stands.
fn place(m: &Machine, w: &World, pred: PredId) -> Option<String> {
    let clause = *m.program.live_clauses(m.program.resolve(pred)).first()?;
    let place = m.program.clauses[clause as usize].place.as_ref()?;
    let source = w.loader.sources.get(place.source as usize)?;
    Some(print::at_line(source, place.span))
}

fn stacks(m: &Machine, places: &[StackPlace]) -> Vec<ProfilePlace> {
    let name = |pred: Option<PredId>| {
        pred.map_or(String::new(), |pred| m.program.indicator(pred, &m.symbols))
    };
    let all = places.iter().map(|place| ProfilePlace {
        predicate: name(place.pred),
        parent: place.parent,
        inferences: place.inferences,
    });
    all.collect()
}

/// `'$profile_begin'(Every)`: Every is a number or not; fails if a profile is being made.
fn begin_step(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let every = a[0].as_int().map(|every| u32::try_from(every).unwrap_or(u32::MAX));
    Ok(begin(m, w, every))
}

fn end_step(m: &mut Machine, w: &mut World, _: &[Cell]) -> Outcome {
    end(m, w);
    Ok(true)
}

//! `trace` and `profile`: a goal that is watched while it runs.

use super::Failure;
use zug_machine::Fault;
use zug_prolog::builtins::tracer::profiler::{self, ProfileReport};
use zug_prolog::builtins::tracer::tree::{CallTree, Recorder, TreeOptions};
use zug_prolog::builtins::tracer::{Report, tree};
use zug_prolog::session::Session;

/// What a goal that was watched came to.
#[derive(Debug)]
pub struct WatchedGoal<R> {
    /// What was seen, also of a goal that was stopped.
    pub report: R,
    /// Answers found.
    pub answers: usize,
    /// What ended it: an exception, `halt`, a limit, Ctrl-C.
    pub fault: Option<Fault>,
}

/// A predicate asked for by name and arity that the program doesn't have is an error; the
/// predicates named, as the recorder takes them.
///
/// # Errors
/// The first that isn't there.
pub fn predicates(
    session: &mut Session,
    names: &[(String, usize)],
) -> Result<Vec<(zug_term::symbol::Atom, usize)>, Failure> {
    let m = &session.machine;
    let mut found = Vec::new();
    for (name, arity) in names {
        let known = m.symbols.lookup(name).filter(|&atom| {
            let id = m.program.lookup(atom, *arity, zug_machine::Space::User);
            let id = id.or_else(|| m.program.lookup(atom, *arity, zug_machine::Space::System));
            id.is_some_and(|id| m.program.is_defined(id))
        });
        let Some(atom) = known else {
            return Err(Failure::UnknownPredicate(format!("{name}/{arity}")));
        };
        found.push((atom, *arity));
    }
    Ok(found)
}

/// Runs a goal for so many answers and records its calls.
///
/// # Errors
/// The goal can't be read.
pub fn trace(
    session: &mut Session,
    goal: &str,
    options: TreeOptions,
    answers: usize,
) -> Result<WatchedGoal<CallTree>, Failure> {
    session.world.tracer.recorder = Some(Recorder::new(options));
    session.world.tracer.layout = tree::Layout::default();
    let ran = run(session, goal, answers);
    session.world.tracer.end_tree();
    let reports = std::mem::take(&mut session.world.tracer.reports);
    let (answers, fault) = ran?;
    let report = reports.into_iter().rev().find_map(|report| match report {
        Report::Tree(tree, _) => Some(tree),
        Report::Profile(_) => None,
    });
    let report = report.unwrap_or_else(|| Recorder::new(TreeOptions::default()).finish());
    Ok(WatchedGoal { report, answers, fault })
}

/// Runs a goal for so many answers and makes a profile of it, with a sample every so many
/// inferences.
///
/// # Errors
/// The goal can't be read.
pub fn profile(
    session: &mut Session,
    goal: &str,
    every: Option<u32>,
    answers: usize,
) -> Result<WatchedGoal<Option<ProfileReport>>, Failure> {
    profiler::begin(&mut session.machine, &mut session.world, every);
    let ran = run(session, goal, answers);
    profiler::end(&mut session.machine, &mut session.world);
    let reports = std::mem::take(&mut session.world.tracer.reports);
    let (answers, fault) = ran?;
    let report = reports.into_iter().rev().find_map(|report| match report {
        Report::Profile(profile) => Some(profile),
        Report::Tree(..) => None,
    });
    Ok(WatchedGoal { report, answers, fault })
}

/// Asks a goal for so many answers: those found, and what ended it.
fn run(session: &mut Session, goal: &str, most: usize) -> Result<(usize, Option<Fault>), Failure> {
    let mut query = session.query(goal).map_err(|fault| Failure::UnreadableTerm("goal", fault))?;
    let mut found = 0;
    let mut fault = None;
    while found < most {
        match session.next(&mut query) {
            Ok(true) => found += 1,
            Ok(false) => break,
            Err(stopped) => {
                fault = Some(stopped);
                break;
            }
        }
        if !session.has_more(&query) {
            break;
        }
    }
    session.close(query);
    Ok((found, fault))
}

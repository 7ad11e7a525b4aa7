//! What a goal posts when it is run, for who has only noted it.
//!
//! While constraints are noted none of them fails or binds a variable, so that a goal may take another way than it takes
//! when they are posted: into the other branch of an if-then-else, behind a cut, past a test of what is known of a
//! variable. So it is run as well, and what it has posted at its end is held against what was noted, or what it had posted
//! where it failed.

use super::noting::{
    IN, Watched, each_goal_since, goals_since, is_instance, limited, noting, pairs_of_ins,
};
use zug_machine::{Fault, Machine, StopReason};
use zug_prolog::World;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// What came of a goal whose constraints are posted.
pub(super) enum Posted {
    /// A constraint is refused, the last of these, or what was bound behind them, and no others are posted then: it fails.
    Refused(Vec<Record>),
    /// It has one way, and has posted these constraints at its end: a list.
    Constraints(Record),
    /// It has more ways, or fails for another reason, or a limit or an error struck before that was known.
    Open,
}

/// Notes a constraint that is posted, if that is watched.
pub(crate) fn watch(m: &mut Machine, w: &mut World, name: &str, args: &[Cell]) {
    if name.starts_with('$') || noting(w).watched.is_none() {
        return;
    }
    match pairs_of_ins(m, name, args) {
        Some(pairs) => pairs.iter().for_each(|pair| keep(m, w, IN, pair)),
        None => keep(m, w, name, args),
    }
}

/// Notes that what is posted or bound is refused, if that is watched.
pub(crate) fn refuse(w: &mut World) {
    if let Some(watched) = &mut noting(w).watched {
        watched.refused.get_or_insert(watched.posted.len());
    }
}

fn keep(m: &mut Machine, w: &mut World, name: &str, args: &[Cell]) {
    let name = m.symbols.intern(name);
    let goal = m.heap.new_struct(name, args);
    let record = Record::new(&mut m.heap, goal);
    if let Some(watched) = &mut noting(w).watched {
        watched.posted.push(record);
    }
    let note = m.heap.new_struct(atoms::MINUS, &[goal, Cell::small(-1)]);
    m.anchor(note);
}

pub(super) fn posted_run(m: &mut Machine, w: &mut World, goal: Cell) -> Result<Posted, Fault> {
    let base = m.anchors();
    let before = noting(w).watched.replace(Watched::default());
    let found = run(m, w, base, goal);
    let watched = std::mem::replace(&mut noting(w).watched, before).unwrap_or_default();
    Ok(match found? {
        Some(posted) => posted,
        None if watched.refused == Some(watched.posted.len()) => Posted::Refused(watched.posted),
        None => Posted::Open,
    })
}

fn run(m: &mut Machine, w: &mut World, base: usize, goal: Cell) -> Result<Option<Posted>, Fault> {
    let (run, outcome) = limited(m, |m| m.solve(w, goal));
    match outcome {
        Ok(true) => {}
        Ok(false) => return Ok(None),
        Err(fault) => return open(fault).map(Some),
    }
    let goals = goals_since(m, base);
    let goals = Record::new(&mut m.heap, goals);
    if !m.has_more(run) {
        m.abandon(run);
        return Ok(Some(Posted::Constraints(goals)));
    }
    match limited(m, |m| m.redo(w, run)) {
        Ok(false) => Ok(Some(Posted::Constraints(goals))),
        Ok(true) => {
            m.abandon(run);
            Ok(Some(Posted::Open))
        }
        Err(fault) => open(fault).map(Some),
    }
}

/// What a fault leaves open.
fn open(fault: Fault) -> Result<Posted, Fault> {
    match fault {
        Fault::Stopped(StopReason::Interrupted | StopReason::Time) => Err(fault),
        _ => Ok(Posted::Open),
    }
}

/// Whether all that was posted is an instance of what was noted since a number of anchors: what holds of the noted
/// constraints holds of the posted ones. Where one is refused the others were noted behind them.
pub(super) fn is_noted(m: &mut Machine, base: usize, posted: &Posted) -> bool {
    match posted {
        Posted::Constraints(posted) => {
            let noted = goals_since(m, base);
            is_instance(m, posted, noted)
        }
        Posted::Refused(posted) => {
            let noted = each_goal_since(m, base);
            noted.len() >= posted.len()
                // Of what was posted variables had no values yet.
                && posted.iter().zip(noted).all(|(posted, noted)| {
                    m.scratch(|m| {
                        let posted = posted.instantiate(&mut m.heap);
                        m.unify(posted, noted)
                    })
                })
        }
        Posted::Open => false,
    }
}

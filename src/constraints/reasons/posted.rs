//! What a goal posts when it is run, for who has only noted it.
//!
//! While constraints are noted none of them fails or binds a variable, so that a goal may take another way than it takes
//! when they are posted: into the other branch of an if-then-else, behind a cut, past a test of what is known of a
//! variable. So it is run as well, and what it has posted at its end is held against what was noted.

use super::noting::{goals_since, is_instance, limited, noting};
use crate::session::Constraints;
use zug_machine::{Fault, Machine, StopReason};
use zug_prolog::World;
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record};

/// What came of a goal whose constraints are posted.
pub(super) enum Posted {
    /// It fails.
    Nothing,
    /// It has one way, and has posted these constraints at its end: a list.
    Constraints(Record),
    /// It has more ways, or a limit or an error struck before it was known that it has not.
    Open,
}

/// Notes a constraint that is posted, if that is watched.
pub(crate) fn watch(m: &mut Machine, w: &mut World, name: &str, args: &[Cell]) {
    if name.starts_with('$') || !is_watching(w) {
        return;
    }
    let items = if name == "ins" { m.heap.proper_list(args[0]) } else { None };
    let Some(items) = items else {
        let name = m.symbols.intern(name);
        return keep(m, name, args);
    };
    let name = m.symbols.intern("in");
    for item in items {
        keep(m, name, &[item, args[1]]);
    }
}

fn keep(m: &mut Machine, name: Atom, args: &[Cell]) {
    let goal = m.heap.new_struct(name, args);
    let note = m.heap.new_struct(atoms::MINUS, &[goal, Cell::small(-1)]);
    m.anchor(note);
}

fn is_watching(w: &World) -> bool {
    w.slots.get::<Constraints>().is_some_and(|constraints| constraints.noting.is_watched)
}

/// Runs a goal, whose constraints are posted.
///
/// # Errors
/// An interrupt, or the end of the time.
pub(super) fn posted_run(m: &mut Machine, w: &mut World, goal: Cell) -> Result<Posted, Fault> {
    let base = m.anchors();
    let before = std::mem::replace(&mut noting(w).is_watched, true);
    let found = run(m, w, base, goal);
    noting(w).is_watched = before;
    found
}

fn run(m: &mut Machine, w: &mut World, base: usize, goal: Cell) -> Result<Posted, Fault> {
    let (run, outcome) = limited(m, |m| m.solve(w, goal));
    match outcome {
        Ok(true) => {}
        Ok(false) => return Ok(Posted::Nothing),
        Err(fault) => return open(fault),
    }
    let goals = goals_since(m, base);
    let goals = Record::new(&mut m.heap, goals);
    if !m.has_more(run) {
        m.abandon(run);
        return Ok(Posted::Constraints(goals));
    }
    match limited(m, |m| m.redo(w, run)) {
        Ok(false) => Ok(Posted::Constraints(goals)),
        Ok(true) => {
            m.abandon(run);
            Ok(Posted::Open)
        }
        Err(fault) => open(fault),
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
/// constraints holds of the posted ones.
pub(super) fn is_noted(m: &mut Machine, base: usize, posted: &Record) -> bool {
    let noted = goals_since(m, base);
    is_instance(m, posted, noted)
}

//! What stands in the way of a test whose body has no answer.

use super::question::Question;
use super::why_not::why_not;
use std::time::{Duration, Instant};
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_term::diagnostic::Diagnostic;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The finding to look at first, if one is found in time: of a goal that stands in the space
/// of a unit of tests.
pub fn in_way(
    session: &mut Session,
    goal: &Record,
    unit: Space,
    time: Duration,
) -> Option<Diagnostic> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let module = m.program.modules.get(unit)?.name;
    let base = m.roots.len();
    let goal = goal.instantiate(&mut m.heap);
    let goal = m.heap.new_struct(atoms::COLON, &[Cell::atom(module), goal]);
    let term = m.heap.new_struct(atoms::CALL, &[goal]);
    let question = Question::of(Record::new(&mut m.heap, term), Vec::new());
    let outer = m.deadline;
    let own = Instant::now().checked_add(time);
    m.deadline = match (outer, own) {
        (Some(outer), Some(own)) => Some(outer.min(own)),
        (outer, own) => outer.or(own),
    };
    let found = why_not(m, w, &question);
    m.deadline = outer;
    m.roots.truncate(base);
    found.ok()?.findings.into_iter().next()
}

//! What stands in the way of a test whose body has no answer.

use super::question::Question;
use super::why_not::{Effort, within};
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_term::diagnostic::Diagnostic;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The effort for a test that failed: hundredths of a second. It is counted in steps, so that the finding does not depend on
/// how busy the machine is.
const EFFORT: Effort = Effort { search: 20_000, tried: 50_000 };

/// The finding to look at first, if one is found within [`EFFORT`]: of a goal that stands in the space
/// of a unit of tests.
pub fn in_way(session: &mut Session, goal: &Record, unit: Space) -> Option<Diagnostic> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let module = m.program.modules.get(unit)?.name;
    let base = m.roots.len();
    let goal = goal.instantiate(&mut m.heap);
    let goal = m.heap.new_struct(atoms::COLON, &[Cell::atom(module), goal]);
    let term = m.heap.new_struct(atoms::CALL, &[goal]);
    let question = Question::of(Record::new(&mut m.heap, term), Vec::new());
    let found = within(m, w, &question, EFFORT);
    m.roots.truncate(base);
    found.ok()?.findings.into_iter().next()
}
